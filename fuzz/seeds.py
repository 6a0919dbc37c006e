#!/usr/bin/env python3
"""Writes a seed of each document in corpus/documents: its text, its bytes, or a package of its members.

usage: fuzz/seeds.py DIRECTORY [FORMAT]
"""

import io
import sys
import tomllib
import zipfile
from pathlib import Path

# What the input of the target `documents` has before its text.
PREFIX = bytes(3)


def bytes_of(document: dict) -> bytes:
    if "members" in document:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as package:
            for name, text in document["members"]:
                package.writestr(name, text)
        return packed.getvalue()
    if "hex" in document:
        parts = (part for part in document["hex"].split())
        return b"".join(bytes(int(part[1:])) if part.startswith("*") else bytes.fromhex(part) for part in parts)
    return document["text"].encode()


directory = Path(sys.argv[1])
chosen = sys.argv[2] if len(sys.argv) > 2 else "*"
directory.mkdir(parents=True, exist_ok=True)
for path in sorted(Path("corpus/documents").glob(f"{chosen}.toml")):
    for document in tomllib.loads(path.read_text()).get("document", []):
        (directory / f"{path.stem}-{document['name']}").write_bytes(PREFIX + bytes_of(document))
