#!/usr/bin/env bash
# Compiles a bench and prints the path of its executable.
#
# usage: benches/executable.sh PROFILE NAME
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench --profile "$1" --locked --quiet --no-run --bench "$2" --message-format json |
  python3 -c 'import json, sys
for made in map(json.loads, sys.stdin):
    if made.get("executable") and made["target"]["name"] == sys.argv[1]: print(made["executable"])' "$2"
