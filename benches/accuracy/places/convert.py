#!/usr/bin/env python3
"""Makes tables of places (see ../places.rs) from labelled excerpts, which stay where they are.

usage: convert.py LABELS.jsonl... [--link FOLDER]

An excerpt has `kind`, `source`, `file`, `start`, `end`, `text` and `want`: spans of bytes of the text, each with its URI where
that is not what is written. With --link, FOLDER gets links to the files (`abs`), as the benchmark looks for them.
"""
import json
import pathlib
import sys


def checksum(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & (2**64 - 1)
    return f"{value:016x}"


def row(label):
    wants = [f"{s}-{e}" + "".join(f":{checksum(u.encode())}" for u in uri if u) for s, e, *uri in label["want"]]
    wants += ["*"] if label.get("arguable") else []
    text = label["text"].encode()
    columns = [label["source"], label["file"], label["start"], label["end"], checksum(text), " ".join(wants)]
    return "\t".join(map(str, columns)) + "\n"


def link(label, folder):
    path = folder / label["source"].replace("/", "+") / label["file"].lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(label["abs"])


def main():
    arguments = sys.argv[1:]
    folder = None
    if "--link" in arguments:
        at = arguments.index("--link")
        folder = pathlib.Path(arguments[at + 1])
        del arguments[at : at + 2]
    kinds = {}
    for name in arguments:
        for line in open(name, encoding="utf-8"):
            label = json.loads(line)
            kinds.setdefault(label["kind"], []).append(row(label))
            if folder:
                link(label, folder)
    for kind, rows in kinds.items():
        (pathlib.Path(__file__).parent / f"{kind}.tsv").write_text("".join(rows), encoding="utf-8")


main()
