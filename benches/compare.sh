#!/usr/bin/env bash
# Times the built tool against its peers on text of this machine; needs hyperfine, squeeze-cli
# (cargo install squeeze-cli) and ripgrep. One thread each; the inputs are built once in a
# folder under the temporary directory. Nothing here is tuned: read the counts beside the times.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet
urigrep=$(cargo metadata --format-version 1 --no-deps | python3 -c 'import json,sys; print(json.load(sys.stdin)["target_directory"])')/release/urigrep
work=${TMPDIR:-/tmp}/urigrep-compare
registry=$(echo "${CARGO_HOME:-$HOME/.cargo}"/registry/src)
mkdir -p "$work"
cat >"$work/rg.sh" <<'S'
#!/bin/sh
exec rg -o -j1 --no-line-number --no-filename '[a-zA-Z][a-zA-Z0-9+.-]*://[^\s<>"`]+' "$1"
S
chmod +x "$work/rg.sh"
[ -s "$work/prose" ] || find /usr/share/doc -type f \( -name '*.txt' -o -name copyright -o -name '*.md' \) -exec cat {} + >"$work/prose"
[ -s "$work/code" ] || find "$registry" -name '*.rs' | sort | head -9000 | xargs cat >"$work/code"
[ -s "$work/dense" ] || "$urigrep" -I "$registry" | head -1500000 >"$work/dense"
if [ ! -s "$work/mail" ] && [ -d ../shared/data ]; then
  for _ in $(seq 16); do zcat ../shared/data/*.mbox.gz; done >"$work/mail"
fi
show() {
  python3 - "$work/result.json" <<'P'
import json, sys
results = json.load(open(sys.argv[1]))["results"]
first = results[0]["median"]
for result in results:
    print(f'{result["median"]*1000:9.1f} ms {result["median"]/first:6.2f}  {result["command"]}')
P
}
for input in prose mail code dense; do
  file=$work/$input
  [ -s "$file" ] || { echo "SKIPPED $input: no text for it here"; continue; }
  echo "## $input, $(stat -c %s "$file") bytes: urigrep $("$urigrep" -j1 "$file" | wc -l), squeeze $(squeeze --uri -j 1 "$file" | wc -l), rg $("$work/rg.sh" "$file" | wc -l)"
  hyperfine -N -w1 -r9 --output null --export-json "$work/result.json" \
    "$urigrep -j1 $file" "squeeze --uri -j 1 $file" "$work/rg.sh $file" "cat $file" >/dev/null 2>&1
  show
done
echo "## tree $registry"
hyperfine -N -w1 -r5 -i --output null --export-json "$work/result.json" \
  "$urigrep -n $registry" "squeeze --uri --with-location $registry" "rg -c zzzzqq $registry" >/dev/null 2>&1
show
