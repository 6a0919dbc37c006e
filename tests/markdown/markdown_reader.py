"""The destinations of Markdown files, by markdown-it-py: the reader that urigrep is compared with.

Reads paths from standard input, one a line, and prints a line of JSON for each: the destinations of links,
images and autolinks in the order of the document, by kind, as they are written with escapes and
references undone, and those of definitions.
"""

import json
import sys

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin


def reader():
    parser = MarkdownIt("commonmark", {"html": True, "store_labels": True})
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    # a destination as it is written, whatever its scheme
    parser.normalizeLink = lambda url: url
    parser.validateLink = lambda url: True
    return parser


def tokens(stream):
    for token in stream:
        yield token
        if token.children:
            yield from tokens(token.children)


def destinations(parser, text):
    env = {}
    found = {"link": [], "image": [], "autolink": []}
    for token in tokens(parser.parse(text, env)):
        # the destination of a reference stands at its definition
        if "label" in token.meta:
            continue
        if token.type == "link_open":
            kind = "autolink" if token.info == "auto" else "link"
            found[kind].append(token.attrs["href"])
        elif token.type == "image":
            found["image"].append(token.attrs["src"])
    definitions = [it["href"] for it in env.get("references", {}).values()]
    definitions += [it["href"] for it in env.get("duplicate_refs", [])]
    found["definition"] = definitions
    return found


def main():
    parser = reader()
    for line in sys.stdin:
        with open(line.rstrip("\n"), encoding="utf-8", errors="replace", newline="") as file:
            text = file.read()
        if text.startswith("\ufeff"):
            text = text[1:]
        print(json.dumps(destinations(parser, text)), flush=True)


main()
