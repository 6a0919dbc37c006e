#!/usr/bin/env bash
# Builds the texts that the benchmarks read, from what this machine has, in
# ${URIGREP_CORPORA:-<temporary directory>/urigrep-corpora}. What it has no source for it leaves out, and says so.
#
#   prose      copyright files, READMEs and texts of Debian packages; READMEs and licences of crates
#   comments   documentation comments of crates, without the marks: prose with code between
#   man        sources of man pages, where troff escapes stand in a third of the URIs
#   changelog  changelogs of packages and crates: a link or two a line
#   mail       two months of a mailing list (../shared/data), sixteen times
#   code       Rust sources of the cargo registry
#   sparse     the same code without the lines that have `//`: candidates, but no match
#   dense      the URIs of the cargo registry, as they stand, a line each
set -euo pipefail
cd "$(dirname "$0")/.."
out=${URIGREP_CORPORA:-${TMPDIR:-/tmp}/urigrep-corpora}
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
mkdir -p "$out"
# a corpus is kept once it is there, and appears only when it is whole
make() {
  [ -s "$out/$1" ] && return
  "$1" >"$out/$1.part" 2>/dev/null || true
  if [ -s "$out/$1.part" ]; then mv "$out/$1.part" "$out/$1"; else rm -f "$out/$1.part"; echo "SKIPPED $1: this machine has no text for it" >&2; fi
}
prose() {
  {
    find /usr/share/doc -type f \( -name copyright -o -name '*.txt' -o -name 'README*' \) ! -name '*.gz' -print0 | sort -z
    find "$registry" -type f \( -name 'README*' -o -name 'LICENSE*' \) -print0 | sort -z
  } | xargs -0 cat | head -c 64000000
}
comments() {
  find "$registry" -name '*.rs' -print0 | sort -z | xargs -0 cat |
    LC_ALL=C sed -nE 's/^[[:space:]]*\/\/[\/!] ?//p' | head -c 101000000
}
man() {
  find /usr/share/man -type f -name '*.gz' -print0 | sort -z | xargs -0 zcat | head -c 64000000
}
changelog() {
  find /usr/share/doc "$registry" -type f -iname '*changelog*' ! -name '*.gz' -print0 | sort -z | xargs -0 cat |
    head -c 32000000
}
mail() {
  for _ in $(seq 16); do zcat ../shared/data/*.mbox.gz; done
}
code() {
  find "$registry" -name '*.rs' -print0 | sort -z | head -zn 9000 | xargs -0 cat | head -c 160000000
}
sparse() {
  grep -av '//' "$out/code" | head -c 96000000
}
dense() {
  find "$registry" \( -name '*.rs' -o -name '*.md' \) -print0 | sort -z | xargs -0 cat |
    LC_ALL=C grep -aoE "[a-z][a-z0-9+.-]+://[^] <>\"'\`(){}|^\\\\,[:cntrl:][]+[A-Za-z0-9/]" | head -c 10000000
}
for corpus in prose comments man changelog mail code sparse dense; do make "$corpus"; done
echo "$out"
