#!/usr/bin/env bash
# Times the built tool against its peers on the texts of corpora.sh and on a tree, and prints Markdown.
# Needs hyperfine, squeeze-cli (cargo install squeeze-cli) and ripgrep; what else is missing is skipped, and said so.
#
#   benches/compare.sh [RUNS]
#   TIMES=cpu benches/compare.sh [RUNS]   user and system time: on a machine that others use, too
#
# Nothing here is tuned: read the counts of matches beside the times. `-o` of rg and grep prints what a
# common URL regex finds; neither validates anything. The tree is searched with all threads; in files, mail is read as
# text, as by the peers.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-11}
cargo build --release --quiet
built=$(cargo metadata --format-version 1 --no-deps | python3 -c 'import json,sys; print(json.load(sys.stdin)["target_directory"])')/release/urigrep
work=$(benches/corpora.sh)
# a copy, as after an installation: a program starts slower from the pages that the linker wrote
urigrep=$work/urigrep
cp "$built" "$urigrep.new"
mv "$urigrep.new" "$urigrep"
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
pattern='[a-zA-Z][a-zA-Z0-9+.-]*://[^[:space:]<>"`]+'
for tool in rg grep; do
  case $tool in rg) options='-o -a -j1 --no-line-number --no-filename' ;; *) options='-oaE' ;; esac
  # through cat: grep stops at the first match when it sees that it prints to /dev/null
  printf '#!/bin/sh\nLC_ALL=C %s %s '"'%s'"' "$1" | cat\n' "$tool" "$options" "$pattern" >"$work/$tool.sh"
  chmod +x "$work/$tool.sh"
done
# times the commands that stdin has, one a line, and prints a row: median of the first, the others by it;
# each round runs each once, so that a machine that is slower for a while is so for all
row() {
  local label=$1 commands
  mapfile -t commands
  rm -f "$work"/result.*.json
  for round in $(seq "$runs"); do
    hyperfine -N -i -w1 -r1 --output null --export-json "$work/result.$round.json" "${commands[@]}" >/dev/null 2>&1
  done
  python3 - "$label" "$work"/result.*.json <<'P'
import json, os, statistics, sys
label, files = sys.argv[1], sys.argv[2:]
cpu = os.environ.get("TIMES") == "cpu"
seconds = lambda result: result["user"] + result["system"] if cpu else result["median"]
rounds = [[seconds(result) for result in json.load(open(file))["results"]] for file in files]
first, *others = map(statistics.median, zip(*rounds))
cells = [f"{first * 1000:.1f} ms"] + [f"{other / first:.2f}" for other in others]
print(f"| {label} | " + " | ".join(cells) + " |", flush=True)
P
}
echo '| input | urigrep -j1 | -j2 | squeeze -j1 | rg -o | grep -o | cat | matches: urigrep, squeeze, rg |'
echo '|---|---|---|---|---|---|---|---|'
for input in prose comments man changelog mail code dense; do
  file=$work/$input
  [ -s "$file" ] || continue
  counts="$("$urigrep" -a -c --mail never "$file"), $(squeeze --uri -j 1 "$file" | wc -l), $("$work/rg.sh" "$file" | wc -l)"
  printf '%s\n' "$urigrep -a -j1 --mail never $file" "$urigrep -a -j2 --mail never $file" \
    "squeeze --uri -j 1 $file" "$work/rg.sh $file" "$work/grep.sh $file" "cat $file" |
    row "$input, $(($(stat -c %s "$file") / 1000000)) MB" | sed "s/\$/ $counts |/"
done
echo
echo '| list of one kind | urigrep -j1 | squeeze -j1 | rg -o | matches: urigrep, squeeze, rg |'
echo '|---|---|---|---|---|'
# the lists of benches/kinds.rs, 200,000 URIs each
sed -nE 's/^    \("([a-z-]+)", "(.*)"\),$/\1\t\2/p' benches/kinds.rs | while IFS=$'\t' read -r kind uri; do
  file=$work/kind-$kind
  [ -s "$file" ] || python3 -c 'import sys
uri = sys.argv[1].replace("\\\\", "\\")
for n in range(200_000): print(uri.replace("N", str(10_000 + n % 90_000)))' "$uri" >"$file"
  counts="$("$urigrep" -a -c "$file"), $(squeeze --uri -j 1 "$file" | wc -l), $("$work/rg.sh" "$file" | wc -l)"
  printf '%s\n' "$urigrep -a -j1 $file" "squeeze --uri -j 1 $file" "$work/rg.sh $file" | row "$kind" | sed "s/\$/ $counts |/"
done
echo
echo "| asked for | urigrep -j1 | all text (--no-prefilter) | rg -c of the literal in any case | rg -o of the same intent |"
echo '|---|---|---|---|---|'
# a list that is long enough to be measured
list=$work/list
[ -s "$list" ] || for _ in $(seq 10); do cat "$work/dense" && printf 'urn:isbn:0451450523\n'; done >"$list"
for input in prose mail code list; do
  file=$work/$input
  [ -s "$file" ] || continue
  while read -r flags pattern literals; do
    read -ra literal <<<"$literals"
    printf '%s\n' "$urigrep -a -j1 --mail never ${flags/=/ } $file" "$urigrep -a -j1 --mail never --no-prefilter ${flags/=/ } $file" \
      "rg -c -a -i -j1 ${literal[*]/#/-e } $file" "rg -o -a -i -j1 -IN -e '$pattern' $file" | row "$input, ${flags/=/ }"
  done <<'ASKED'
--scheme=urn urn:[^\s"<>]+ urn:
--scheme=doi,urn,isbn (doi|urn|isbn):[^\s"<>]+ doi: urn: isbn:
--host=one.host [a-z]+://one[.]host[^\s"<>]* one.host
-e=wiki [a-z]+:[^\s"<>]*wiki[^\s"<>]* wiki
ASKED
done
echo
echo "| dense | -j1 | -j2 |"
echo '|---|---|---|'
for flags in '' ' -n' ' --json'; do
  printf '%s\n' "$urigrep -j1$flags $list" "$urigrep -j2$flags $list" |
    row "a list of URIs, $(($(stat -c %s "$list") / 1000000)) MB$flags"
done
echo
mail=$work/mail
if [ -s "$mail" ]; then
  echo "| mail | as text, -j1 | as mail, -j1 | as text, -j2 | as mail, -j2 |"
  echo '|---|---|---|---|---|'
  printf '%s\n' "$urigrep -a -j1 --mail never $mail" "$urigrep -a -j1 $mail" "$urigrep -a -j2 --mail never $mail" "$urigrep -a -j2 $mail" |
    row "$(($(stat -c %s "$mail") / 1000000)) MB"
  echo
fi
# user time would be fairer to a pipe, whose programs share the cores
echo "| packed | urigrep -j1 | decoder, urigrep | -j2 |"
echo '|---|---|---|---|'
packed=$work/packed
if [ ! -d "$packed" ]; then
  mkdir "$packed.new"
  (cd "$work" && split -b 2M -d -a 3 code "$packed.new/code." && split -b 2M -d -a 3 prose "$packed.new/prose.")
  mv "$packed.new" "$packed"
fi
tar -C "$work" -cf "$work/packed.tar" packed
while read -r name decode pack; do
  if ! command -v "${decode%%=*}" "${pack%% *}" >/dev/null; then
    echo "SKIPPED $name: it needs ${decode%%=*} and ${pack%% *}" >&2
    continue
  fi
  (cd "$work" && rm -f "$name" && $pack)
  printf '#!/bin/sh\n%s %s | %s -a -j1 --markup never\n' "${decode//=/ }" "$work/$name" "$urigrep" >"$work/decode.sh"
  chmod +x "$work/decode.sh"
  printf '%s\n' "$urigrep -a -j1 --markup never $work/$name" "$work/decode.sh" "$urigrep -a -j2 --markup never $work/$name" |
    row "$name, $(($(stat -c %s "$work/$name") / 1000000)) MB"
done <<'PACKED'
packed.tar.gz zcat gzip -k packed.tar
packed.tar.zst zstd=-dcq zstd -qk packed.tar
packed.zip unzip=-p python3 -m zipfile -c packed.zip packed
PACKED
echo
echo "| tree | urigrep -n | as text | squeeze --with-location | rg -c zzzzqq |"
echo '|---|---|---|---|---|'
printf '%s\n' "$urigrep -n $registry" "$urigrep -n --markup never --mail never $registry" "squeeze --uri --with-location $registry" "rg -c zzzzqq $registry" |
  row "$(rg --files "$registry" | wc -l) files"
echo
# links between files only: nothing goes over a network
html=${HTML:-/usr/share/doc}
audits=("$urigrep audit $html")
heading='urigrep audit' rule='|---|---|'
for audit in 'lychee --offline --include-fragments --no-progress' 'hyperlink --check-anchors'; do
  if command -v "${audit%% *}" >/dev/null; then
    audits+=("$audit $html")
    heading+=" | $audit" rule+='---|'
  else
    echo "SKIPPED an audit by ${audit%% *}: it is not installed (cargo install ${audit%% *})" >&2
  fi
done
echo "| audit of $html | $heading |"
echo "$rule"
printf '%s\n' "${audits[@]}" | row "$(find "$html" -type f | wc -l) files"
# hyperlink reads no Markdown
if [ -n "${MARKDOWN:-}" ] && command -v lychee >/dev/null; then
  echo
  echo '| audit of Markdown | urigrep audit | lychee --offline --include-fragments | urigrep |'
  echo '|---|---|---|---|'
  printf '%s\n' "$urigrep audit $MARKDOWN" "lychee --offline --include-fragments --no-progress $MARKDOWN" "$urigrep $MARKDOWN" |
    row "$MARKDOWN, $(find "$MARKDOWN" -name '*.md*' -type f | wc -l) files"
else
  echo 'SKIPPED an audit of Markdown: set MARKDOWN to a tree, and install lychee' >&2
fi
echo
echo "start-up: $(hyperfine -N -i -w3 -r 30 --export-json "$work/result.json" "$urigrep LICENSE-MIT" >/dev/null 2>&1; python3 -c 'import json,sys; print("%.1f ms" % (json.load(open(sys.argv[1]))["results"][0]["median"] * 1000))' "$work/result.json")"
