#!/usr/bin/env python3
"""Four times the text takes about four times as long: the command, with every option that makes more of a match, its verbs and
its audits, over texts of one unit again and again.

usage: growth.py [--only WORD] BINARY

What the library's own tests see is its search and its readers; here it is all that is printed. Each is run twice for texts of
256 KiB and 1 MiB, and the least user + system time counts. It fails where the long text takes more than 6.5 times that of
the short one and more than 80 ms, three times in a row; some minutes on one core.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (256 << 10, 1 << 20)
MAX = 6.5
NOISE = 0.08
AGAIN = 3

SEARCHES = [
    "", "--json", "--json --explain", "--json --invalid", "--format csv", "--format sarif", "-C 3", "--passthru",
    "-r {uri}", "-c", "--unique", "--unique --normalize", "--top 10", "--count-by host",
    "--stats", "-n --column -b", "--group-by message", "--vimgrep", "--explain", "--invalid --explain", "--redact --json",
    "--readable", "--normalize", "--defang", "--resolve --base http://a/", "--embedded --json", "--refang --json", "--unwrap --json",
    "--rejoin always --json", "--abbreviated --email --identifiers --json", "--uts58 --json", "--domain a.b", "--host *.b --json",
    "-e x", "--scheme urn", "--kind urn --json", "--markup markdown --json", "--markup html --json", "--markup csv --json",
    "--mail always --json", "--mail always --json --dedupe thread", "--mail always --json --redact",
    "--mail always --headers --json", "-m 3", "-E utf-16le", "-E auto --json", "--max-uri 100 --json", "--max-uri 10M --json",
    "--color always", "-0", "--map-iri --json",
]  # fmt: skip

TEXTS = {
    "lines": "see http://a.b/c{n}?x=y#z and urn:isbn:0451450523.\n",
    "one line": "http://a.b/c{n} ",
    "commas": "http://a.b/c,",
    "one word": "x",
    "angle": "<http://a.b/\nc{n}>\n",
    "markdown": "[a](http://a.b/c{n}) `http://x/`\n\n",
    "html": '<a href="/x{n}&amp;y">http://a.b/&lt;</a>\n',
    "messages": "From x@y.z Mon Jan  1 00:00:00 2001\nMessage-ID: <{n}@x>\nReferences: <1@x> <{n}@y>\n"
    "Subject: =?utf-8?q?a=20b?=\n\nhttp://a.b/{n}\n\n",
    "parts": "--b\nContent-Type: text/html\n\n<a href=http://a.b/{n}>\n",
    "fields": "X-A: http://a.b/{n}\n http://c.d/\n",
    "escapes": "http:\\/\\/a.b\\/c\\u0026d ",
    "rejected": "http://[{n} http://a b:c\n",
    "wide": "http://a.b/あ「é{n}」 ",
    "soft breaks": "http://a.b/=\r\nc{n} \r\n",
    "quoted": "> http://a.b/c\n> d{n}\n",
    "hosts": "www.a{n}.com jo{n}@a.com doi:10.1000/{n}\n",
    "cells": '"http://a.b/{n}","x\n"\n',
    "nul": "http://a.b/\0{n}",
}

VERBS = ["parse", "parse --json", "parse --redact --json", "normalize", "resolve http://a/b"]

URIS = {
    "lines": "http://a.b/c{n}?x=y#z\n", "query": "?a=b&", "percent": "%41%zz", "at": "a@", "colon": "a:", "bracket": "[", "up": "../",
    "label": "a.", "twice": "%2541", "wide": "é", "slash": "/", "hash": "#", "inner": "https://a.b/?u=https%3A%2F%2F", "dots": "/./a/../",
}  # fmt: skip

AUDITS = ["audit", "audit --format json", "audit --format sarif", "audit --format checkstyle", "audit --redact"] + [
    f"audit --site {site}"
    for site in "github gitlab html antora astro docusaurus eleventy gitbook zola hugo jekyll mdbook mintlify mkdocs quarto rspress rustdoc sphinx vitepress writerside".split()
]

LINKS = {
    "there": "see [b](b.md) text\n\n", "anchor there": "[b](b.md#x)\n\n", "rooted": "[b](/b)\n\n", "up": "[b](../c/b.md)\n\n",
    "missing": "[b](none-{n}.md)\n\n", "one line": "[b](none-{n}.md) ", "no anchor": "[b](#q{n}) ", "same": "[b](none.md) ",
    "headings": "# heading {n}\n\n", "one heading": "# same\n\n", "ids": '<a id="i{n}"></a>\n\n', "defined": "[y{n}]: b{n}.md\n\n",
    "twice": "[a]: b\n[a]: c\n\n", "undefined": "[a{n}][b{n}] ", "forge": "[b](https://github.com/o/r/blob/main/b.md#L3)\n\n",
    "secrets": "https://joe:pw{n}@a.example/ ", "junk": "http://a.b/%zz{n} ", "labels": "(l{n})=\n# t\n\n", "code": "[`a::b{n}`]\n\n",
    "comments": "<!-- urigrep-disable-line missing-target --> [b](none.md)\n", "list": "- [ ] [a](b.md) | [c](d.md)\n",
    "wide": "é😀[b](none{n}.md)", "images": "![i](i{n}.png)\n\n", "open": "[b](b.md \"t\n",
}  # fmt: skip


def text(unit, size):
    units, length, number = [], 0, 0
    while length < size:
        units.append(unit.replace("{n}", str(number)))
        length += len(units[-1].encode())
        number += 1
    return "".join(units).encode()


def seconds(command, source):
    """The user and system time of the command."""
    before = os.times()
    done = subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    after = os.times()
    # A flag that there is no longer would be fast on any text.
    if done.returncode == 2:
        sys.exit(f"{command}: {done.stderr.decode()}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def times(command, files):
    least = []
    for file in files:
        with open(file, "rb") as source:
            least.append(min(seconds([part.replace("FILE", str(file)) for part in command], source) for _ in range(2)))
    return least


def grows(command, files):
    for _ in range(AGAIN):
        short, long = times(command, files)
        if long <= max(NOISE, MAX * short):
            return None
    return f"{short * 1e3:.0f} ms, then {long * 1e3:.0f} ms"


def cases(binary, directory):
    """Names, commands and the files that FILE stands for in them."""

    def files(units, ending, start=""):
        for name, unit in units.items():
            paths = []
            for size in SIZES:
                path = directory / f"{size}" / f"a.{ending}"
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(start.encode() + text(unit, size))
                (path.parent / "b.md").write_text("# B\n\n## x\n")
                paths.append(path)
            yield name, paths

    for name, paths in files(TEXTS, "txt"):
        for options in SEARCHES:
            yield f"{options} {name}", [binary, "-j1", *options.split(), "FILE"], paths
    for name, paths in files(URIS, "uri", "http://a/"):
        for verb in VERBS:
            yield f"{verb} {name}", [binary, *verb.split()], paths
    for name, paths in files(LINKS, "md", "---\ntitle: a\n---\n"):
        for audit in AUDITS:
            yield f"{audit} {name}", [binary, *audit.split(), "-j1", "FILE"], paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", default="", metavar="WORD", help="only what has this word in its name")
    parser.add_argument("binary")
    asked = parser.parse_args()
    count, wrong = 0, 0
    with tempfile.TemporaryDirectory() as directory:
        for name, command, files in cases(str(Path(asked.binary).resolve()), Path(directory)):
            if asked.only in name:
                count += 1
                if fault := grows(command, files):
                    wrong += 1
                    print(f"{name}: {fault}", flush=True)
    print(f"{count} runs, {wrong} of them grow faster than their texts")
    sys.exit(1 if wrong or not count else 0)


if __name__ == "__main__":
    main()
