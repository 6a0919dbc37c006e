#!/usr/bin/env python3
"""Shows random matches in their context, for a check by hand.

    urigrep --json PATH... | benches/sample.py --seed 7 --count 300 [--rejected] [--by scheme]

Each match is printed as the text around it with the span between ⟦ and ⟧. `--by MEMBER`
takes the same share of every value of a JSON member (`kind`, `scheme`, `wrapper`), so that
rare things are seen too.
"""

import argparse
import json
import random
import sys


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=100)
    arguments.add_argument("--by", metavar="MEMBER")
    arguments.add_argument("--rejected", action="store_true")
    options = arguments.parse_args()
    wanted = "rejected" if options.rejected else "match"
    groups = {}
    for line in sys.stdin:
        found = json.loads(line)
        if found["type"] == wanted and isinstance(found["path"], str):
            key = found.get(options.by) if options.by else None
            groups.setdefault(key, []).append((found["path"], found["start"], found["end"], line))
    chosen = []
    share = max(1, options.count // max(1, len(groups)))
    for key in sorted(groups, key=str):
        group = sorted(groups[key])
        picked = random.Random(f"{options.seed}{key}").sample(group, min(share, len(group)))
        chosen += picked
    for number, (path, start, end, line) in enumerate(chosen, 1):
        found = json.loads(line)
        with open(path, "rb") as file:
            file.seek(max(0, start - 50))
            before = file.read(start - max(0, start - 50))
            span, after = file.read(end - start), file.read(40)
        show = lambda part: part.decode(errors="replace").replace("\n", "⏎").replace("\t", "⇥")
        print(f"{number} {path}:{found['line']} {found.get('kind', found.get('reason'))} {found.get('wrapper', '')} {found.get('flags', '')}")
        print(f"   {show(before)}⟦{show(span)}⟧{show(after)}")
        if found.get("uri", found["text"]) != found["text"]:
            print(f"   = {found['uri']}")


main()
