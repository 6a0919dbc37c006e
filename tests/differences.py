"""What the differential tests share: arguments, searches, and the report of classes and failures."""

import argparse
import json
import pathlib
import subprocess
import sys


def arguments(seed):
    """The arguments of a test whose default seed is this one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("urigrep", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--keep", type=pathlib.Path)
    return parser.parse_args()


def hits(binary, folder, *flags):
    """The records of a search of a folder."""
    command = [binary, "--json", "--untrusted", "--text", *flags, "."]
    lines = subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout
    return [json.loads(line) for line in lines.decode("utf-8", "replace").splitlines()]


def keep(folder, name, content):
    """Writes an input that failed, where that was asked for."""
    if folder:
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def finish(classes, failed):
    """Prints the classes and some failures, and ends the test."""
    for name, count in classes.most_common():
        print(f"{count:8} {name}")
    for failure in failed[:20]:
        print(*failure)
    sys.exit(1 if failed else 0)
