#!/usr/bin/env python3
"""The destinations of HTML files, as Python's html.parser sees them.

Reads file names from standard input, one a line, and prints one JSON object a file: its name and the
list of [element, attribute, value] of every attribute that holds one URL and is not empty, values
decoded and without white space around them; null for a file on which the parser gives up. It shares nothing with the reader under test but the list
of attributes, which is that of the HTML Standard, with the links of routers.
"""

import json
import sys
from html.parser import HTMLParser

EVERYWHERE = {"href", "src", "xlink:href", "xml:base"}
ATTRIBUTES = {
    "action": {"form"},
    "formaction": {"button", "input"},
    "cite": {"blockquote", "del", "ins", "q"},
    "data": {"object"},
    "poster": {"video"},
    "longdesc": {"img", "iframe", "frame"},
    "background": {"body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"},
    "manifest": {"html"},
    "classid": {"object"},
    "codebase": {"object", "applet"},
    "to": {"link", "navlink", "nuxt-link", "nuxtlink", "redirect", "router-link", "routerlink"},
    "usemap": {"img", "input", "object"},
    "lowsrc": {"img"},
    "dynsrc": {"img"},
    "icon": {"menuitem", "command"},
}
# Of `meta`, the content of these properties is a URL.
PROPERTIES = {
    "image", "thumbnail", "og:audio", "og:audio:url", "og:audio:secure_url", "og:image", "og:image:url",
    "og:image:secure_url", "og:url", "og:video", "og:video:url", "og:video:secure_url", "twitter:image",
    "twitter:image:src", "twitter:image0", "twitter:player", "twitter:player:stream", "twitter:url",
    "msapplication-tileimage", "msapplication-square70x70logo", "msapplication-square150x150logo",
    "msapplication-square310x310logo", "msapplication-wide310x150logo",
}
SPACE = " \t\n\r\f"


class Destinations(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found = []

    def handle_starttag(self, tag, attrs):
        has_url = tag == "meta" and any(
            name in ("property", "name", "itemprop") and (value or "").strip().lower() in PROPERTIES
            for name, value in attrs)
        for name, value in attrs:
            if name in EVERYWHERE or has_url and name == "content" or tag in ATTRIBUTES.get(name, ()):
                value = (value or "").strip(SPACE)
                if value:
                    self.found.append([tag, name, value])


def main():
    for line in sys.stdin:
        path = line.rstrip("\n")
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
        parser = Destinations()
        try:
            parser.feed(text)
            parser.close()
        except AssertionError:
            print(json.dumps([path, None]))
            continue
        found = [[tag, name, value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")]
                 for tag, name, value in parser.found]
        print(json.dumps([path, found]))


if __name__ == "__main__":
    main()
