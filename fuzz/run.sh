#!/usr/bin/env bash
# Runs every fuzz target for so many minutes, under AddressSanitizer.
#
# usage: fuzz/run.sh MINUTES [TARGET...]
#
# Needs cargo-fuzz (cargo install cargo-fuzz); a stable compiler will do, since RUSTC_BOOTSTRAP lets it take the
# flags of a nightly one. What crashes is left in fuzz/artifacts/TARGET: put it into fuzz/crashes/TARGET, where
# `cargo test --test fuzz` replays it for ever, and a vector into corpus/.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?usage: fuzz/run.sh MINUTES [TARGET...]}
shift
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(scan grammar urn reference documents)
export RUSTC_BOOTSTRAP=1
failed=0
for target in "${targets[@]}"; do
    mkdir -p "fuzz/corpus/$target"
    printf '== %s, %s minutes\n' "$target" "$minutes"
    # the last lines say how many were executed, at what rate, and what was covered
    cargo fuzz run --fuzz-dir fuzz "$target" -- -max_total_time=$((minutes * 60)) -max_len=4096 \
        -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 2>&1 | tee "fuzz/corpus/$target.log" |
        grep -E 'DONE|stat::|ERROR|panicked|Test unit|SUMMARY' || true
    grep -q 'SUMMARY\|ERROR: libFuzzer' "fuzz/corpus/$target.log" && failed=1
done
exit "$failed"
