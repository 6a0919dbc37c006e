#!/usr/bin/env python3
"""Reads an mbox with Python's own packages, and prints the URIs of each message.

usage: read.py MBOX

A line for each URI of each message, once a message: Message-ID, tab, URI. For archives of make.py, in which a URI
ends where a space, a quotation mark or a bracket that does not pair does.
"""

import email
import email.policy
import html.parser
import mailbox
import re
import sys

URI = re.compile(r"(?:https?|ftp)://[^\s<>\"]+|(?:urn|mailto|cid):[^\s<>\"]+")


def trimmed(uri):
    while uri and (uri[-1] in ".,;:" or uri[-1] == ")" and uri.count(")") > uri.count("(")):
        uri = uri[:-1]
    return uri


class Page(html.parser.HTMLParser):
    """Attributes that are URIs, and text."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found += [v for n, v in attributes if n in ("href", "src") or n.startswith("xmlns")]

    def handle_data(self, data):
        self.found += [trimmed(uri) for uri in URI.findall(data)]


def unflowed(text, delsp):
    """RFC 3676 section 4."""
    lines, open_depth = [], None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        line = line[depth:]
        line = line[1:] if line.startswith(" ") else line
        soft = line.endswith(" ") and line != "-- "
        if soft and delsp:
            line = line[:-1]
        if open_depth == depth and line != "-- ":
            lines[-1] += line
        else:
            lines.append(line)
        open_depth = depth if soft else None
    return "\n".join(lines)


def uris(message):
    for name in ("List-Unsubscribe", "Archived-At"):
        for value in message.get_all(name, []):
            yield from (trimmed(uri) for uri in URI.findall(str(value)))
    for part in message.walk():
        if part.get_content_maintype() != "text":
            continue
        text = part.get_content().replace("\r\n", "\n")
        if part.get_content_subtype() == "html":
            page = Page()
            page.feed(text)
            yield from page.found
            continue
        if part.get_param("format") == "flowed":
            text = unflowed(text, (part.get_param("delsp") or "").lower() == "yes")
        else:
            text = re.sub(r"(?m)^>(>*From )", r"\1", text)
        yield from (trimmed(uri) for uri in URI.findall(text))


def main():
    out = sys.stdout
    box = mailbox.mbox(sys.argv[1], factory=lambda f: email.message_from_binary_file(f, policy=email.policy.default))
    for message in box:
        name = str(message["Message-ID"]).strip("<> ")
        for uri in dict.fromkeys(uris(message)):
            out.write(f"{name}\t{uri}\n")


if __name__ == "__main__":
    main()
