#!/usr/bin/env bash
# Runs every fuzz target for so many minutes, under AddressSanitizer, one after the other.
#
# usage: fuzz/run.sh MINUTES [TARGET...]
#
# URIGREP_FUZZ_FORMAT=NAME asks for one format of documents.
#
# Needs cargo-fuzz (cargo install cargo-fuzz); a stable compiler will do, since RUSTC_BOOTSTRAP lets it take the
# flags of a nightly one. fuzz/README.md says what is fuzzed, what came of it, and what to do with a crash.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:?usage: fuzz/run.sh MINUTES [TARGET...]}
shift
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(scan grammar urn reference redact documents mail archives)
export RUSTC_BOOTSTRAP=1
format=${URIGREP_FUZZ_FORMAT:-}

# Makes a seed of each line of the standard input: `\0` so many times, then its text, escapes undone.
seeds() {
    local prefix line number=0
    prefix=$(printf '\\0%.0s' $(seq "$2"))
    mkdir -p "fuzz/seeds/$1"
    while IFS= read -r line; do
        printf "$prefix%b" "$line" >"fuzz/seeds/$1/$number" 2>/dev/null
        number=$((number + 1))
    done
}

# Fields and lines of the files in these folders of corpus/.
lines() {
    (cd corpus && find "$@" -type f -exec cat {} +) | tr '\t' '\n' | sed '/^#/d; /^$/d; s/^text = "\(.*\)"$/\1/' | sort -u
}

# The seeds of a target start with what its input has before the text (fuzz/fuzz_targets).
seed() {
    rm -rf "fuzz/seeds/$1"
    case $1 in
    scan) lines . | seeds scan 4 ;;
    grammar | urn | redact) lines grammar names reference | seeds "$1" 1 ;;
    # a base on the first line, the reference on the second
    reference) cat corpus/reference/*.tsv | awk -F'\t' '!/^#/ { print $3 "\\n" $4 }' | seeds reference 1 ;;
    documents)
        [[ -n $format ]] || lines html documents delimiting/mixed.toml | seeds documents 3
        python3 fuzz/seeds.py fuzz/seeds/documents "$format"
        ;;
    mail) lines documents | seeds mail 4 ;;
    archives)
        mkdir -p fuzz/seeds/archives
        grep -v '^#' tests/archives/packed.tsv | while IFS=$'\t' read -r name format packed; do
            local kind=0
            case $name in *.br) kind=1 ;; *.lzma) kind=2 ;; *.zz) kind=3 ;; esac
            { printf "\\0\\$kind" && base64 -d <<<"$packed"; } >"fuzz/seeds/archives/$format-$(wc -c <<<"$packed")"
        done
        ;;
    esac
}

dictionaries() {
    case $1 in
    documents) echo uri markup ;;
    mail) echo uri markup mail ;;
    archives) echo archives ;;
    *) echo uri ;;
    esac
}

failed=0
for target in "${targets[@]}"; do
    found=fuzz/corpus/$target${format:+-$format}
    mkdir -p "$found"
    seed "$target"
    log=$found.log
    for name in $(dictionaries "$target"); do cat "fuzz/dict/$name.dict"; done >"fuzz/seeds/$target.dict"
    printf '== %s, %s minutes, %s seeds\n' "$target" "$minutes" "$(find "fuzz/seeds/$target" -type f | wc -l)"
    # the last lines say how many were executed, at what rate, and what was covered
    cargo fuzz run --fuzz-dir fuzz "$target" "$found" "fuzz/seeds/$target" -- \
        -dict="fuzz/seeds/$target.dict" -max_total_time=$((minutes * 60)) -max_len=4096 -timeout=60 \
        -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 2>&1 | tee "$log" |
        grep -E 'INITED|DONE|stat::|ERROR|panicked|Test unit|SUMMARY' || true
    grep -q 'SUMMARY\|ERROR: libFuzzer' "$log" && failed=1
done
exit "$failed"
