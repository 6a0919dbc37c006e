#!/usr/bin/env bash
# Counts the instructions of one search with valgrind, and fails when a text takes over 3 % more than
# benches/instructions.tsv says, which holds for one version of the compiler. It is compiled as `cargo build --release` does:
# what is slow only without optimization across units of code is to be seen. The library is that of the command, which a
# bench of cargo's is not: with the dependencies of the tests, all of it would be compiled once more.
#
#   benches/instructions.sh            compare
#   benches/instructions.sh --record   write the file anew
set -euo pipefail
cd "$(dirname "$0")/.."
table=benches/instructions.tsv
compiler=$(rustc --version)
skip() { echo "SKIPPED instruction counts: $*" >&2; exit 0; }
grep -q avx2 /proc/cpuinfo || skip "memchr takes another way without AVX2"
command -v valgrind >/dev/null || skip "there is no valgrind here"
if [ "${1-}" != --record ]; then
  recorded=$(sed -n 's/^# //p' "$table")
  [ "$recorded" = "$compiler" ] || skip "they were recorded with $recorded, this is $compiler"
fi
cargo build --locked --quiet --release --lib
built=${CARGO_TARGET_DIR:-target}/release
binary=$built/urigrep-instructions
rustc --edition 2024 -C opt-level=3 -C codegen-units=4 -C overflow-checks=on -L "dependency=$built/deps" \
  --extern "urigrep=$built/liburigrep.rlib" -o "$binary" benches/instructions.rs
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*instructions*measured*' "$binary" "$1" 2>&1 |
    sed -n 's/.*refs: *//p' | tr -d ,
}
if [ "${1-}" = --record ]; then
  { echo "# $compiler"; for text in prose mail code sparse dense {prose,code}-avx2 {mail,code}-all{,-avx2}; do printf '%s\t%s\n' "$text" "$(count "$text")"; done; } >"$table.new"
  mv "$table.new" "$table"
  cat "$table"
  exit
fi
status=0
while IFS=$'\t' read -r text before; do
  now=$(count "$text")
  awk -v text="$text" -v before="$before" -v now="$now" 'BEGIN {
    change = (now / before - 1) * 100
    printf "%-14s %12d instructions, %12d recorded, %+.2f %%%s\n", text, now, before, change, (change > 3) ? "  TOO MANY" : ""
    exit (change > 3) }' || status=1
done < <(grep -v '^#' "$table")
exit $status
