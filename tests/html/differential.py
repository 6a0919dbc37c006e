#!/usr/bin/env python3
"""Generated pages: the attributes and texts that html5lib sees, and what urigrep finds.

Each page is made of tags, attributes, quotation marks, entities, and faults. Each URI is used once. A URI in an
attribute or text of html5lib's tree must be found. Every difference gets a class from the rules below; one without
a class fails the test.

usage: differential.py [--count N] [--seed N] [--keep DIR] URIGREP    (needs html5lib)
"""

import collections
import pathlib
import random
import re
import sys
import tempfile
from urllib.parse import unquote

import html5lib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import differences  # noqa: E402

TAGS = [("a", "href"), ("img", "src"), ("link", "href"), ("form", "action"), ("video", "poster"), ("blockquote", "cite"),
        ("object", "data"), ("iframe", "src"), ("div", "data-url"), ("p", "title"), ("meta", "content"), ("input", "formaction"),
        ("svg", "xlink:href"), ("td", "background"), ("img", "srcset"), ("a", ":href"), ("a", "@click"), ("a", "[href]"), ("body", "background")]
RAW = ["script", "style", "textarea", "title", "xmp", "noscript", "iframe", "noframes", "template", "svg", "math", "select", "table"]
SPACES = [" ", "\n", "\t", "  ", "/", "\f", "\r\n"]
URI = re.compile(r"https://u\d+\.example/(?:[A-Za-z0-9/?=&.#;-]*[A-Za-z0-9/])?")


class Page:
    def __init__(self, rng):
        self.rng = rng
        self.number = 0

    def uri(self):
        self.number += 1
        return f"https://u{self.number}.example/" + self.rng.choice(["", "a", "a/b", "a?b=c", "a?b=c&d=e", "a?copy=1&amp=2"])

    def escaped(self, text):
        rng = self.rng
        text = text.replace("&", rng.choice(["&amp;", "&#38;", "&#x26;", "&"]))
        if rng.random() < 0.2:
            at = rng.randrange(len(text))
            if text[at] not in "&;#" and "&" not in text:
                text = text[:at] + rng.choice([f"&#{ord(text[at])};", f"&#x{ord(text[at]):X};"]) + text[at + 1 :]
        if rng.random() < 0.1 and "&" not in text:
            text = text.replace("://", "&colon;//").replace("&colon;//", "&colon;&sol;&sol;")
        return text

    def attribute(self, name):
        rng = self.rng
        value = self.escaped(self.uri())
        name = rng.choice([name, name.upper(), name.title()])
        gap = rng.choice(["", "", " ", "\n"])
        quote = rng.choice(['"', "'", ""])
        if not quote:
            value = value.replace(">", "")
        return f"{name}{gap}={gap}{quote}{value}{quote}"

    def tag(self):
        rng = self.rng
        tag, name = rng.choice(TAGS)
        attributes = [self.attribute(name)]
        if rng.random() < 0.3:
            attributes.append(self.attribute(rng.choice(TAGS)[1]))
        if rng.random() < 0.1:
            attributes.append(self.attribute(name))
        if rng.random() < 0.2:
            attributes.insert(0, rng.choice(["disabled", 'class="x"', "x=y", '"', "=", "a='b\"c'"]))
        start = "<" + rng.choice([tag, tag.upper()])
        for attribute in attributes:
            start += rng.choice(SPACES) + attribute
        end = rng.choice([">", ">", " >", "/>", " />", "\n>"])
        return start + end + rng.choice(["", "text", f"</{tag}>", f"text</{tag} x>"])

    def piece(self):
        rng = self.rng
        kind = rng.randrange(12)
        if kind < 6:
            return self.tag()
        if kind == 6:
            return f" see {self.escaped(self.uri())} now "
        if kind == 7:
            raw = rng.choice(RAW)
            return f"<{raw}> {self.uri()} {self.tag() if rng.random() < 0.3 else ''}</{raw}>"
        if kind == 8:
            return rng.choice(["<!-- {} -->", "<!--> {} <!-- -->", "<! {} >", "<? {} ?>", "<!-- {} --!>", "</ {} >", "<![CDATA[ {} ]]>"]).format(self.uri())
        if kind == 9:
            return rng.choice(["<", ">", "&", "<a", "<>", "</", "<a href=", "<p/", "\0", "<b><i></b></i>", "<!", "'", '"'])
        if kind == 10:
            return f"<a href=\"x\" {self.attribute('href')}>"
        return rng.choice(["<ul><li>", "</div>", "<br>", "<hr>", "</p>", "\n", "<table><tr>", "</table>"])

    def make(self):
        start = self.rng.choice(["", "<!doctype html>", "<html><head>", "<body>"])
        return start + "".join(self.piece() for _ in range(self.rng.randint(3, 14)))


def seen(page):
    """Yields the URIs of html5lib's tree, with the place of each."""
    tree = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    for element in tree.iter():
        if isinstance(element.tag, str):
            for name, value in element.attrib.items():
                # An unquoted value may go on with `/` and the next attribute.
                whole = value.strip().split()
                if len(whole) == 1 and URI.match(whole[0]):
                    yield whole[0], f"attribute {name}"
                    continue
                for uri in URI.findall(value):
                    yield uri, f"attribute {name}"
            texts = [(element.text, element.tag)]
        else:
            texts = [(element.text, "comment")]
        for text, place in texts + [(element.tail, "tail")]:
            for uri in URI.findall(text or ""):
                yield uri, f"text of {place}"


def why_missing(uri, place, page, found, rejected):
    """The class of a URI that html5lib sees and urigrep does not print, or None."""
    host = uri.split("/")[2]
    same = [it for it in found if it.startswith(f"https://{host}/")]
    if not same and any(f"{host}/" in it for it in found):
        return "inside another URI, whose value has no quotation marks"
    if not same and any(host in it or "escape" in it for it in rejected):
        return "in a value that is no URI, which --invalid shows"
    # Browsers without frames see tags in it, so they are read.
    if "<noframes" in page:
        return "noframes is read as markup"
    # Text ends a URI at punctuation.
    if place.startswith("text") and any(it.startswith(uri) or uri.startswith(it) for it in same):
        return "text with another end"
    if "[" in uri and any(uri.startswith(it) for it in same):
        return "a bracket in the value of an attribute that is text"
    # html5lib drops an iframe in a select, as browsers did, and what follows is no raw text to it.
    if re.search(r"<select>.*<iframe", page, re.I | re.S):
        return "an iframe in a select"
    if re.search(r"<[a-z]+/<", page, re.I):
        return "a tag in a stray `<p/<`"
    if "\0" in page and page.index("\0") < 8192:
        return "a page with NUL"
    return None


def main():
    arguments = differences.arguments(seed=1866)
    rng = random.Random(arguments.seed)
    classes, failed = collections.Counter(), []
    for first in range(0, arguments.count, 1000):
        pages = {}
        with tempfile.TemporaryDirectory() as folder:
            for number in range(first, min(first + 1000, arguments.count)):
                pages[f"{number}.html"] = page = Page(rng).make()
                pathlib.Path(folder, f"{number}.html").write_bytes(page.encode())
            found, rejected = collections.defaultdict(set), collections.defaultdict(set)
            for hit in differences.hits(arguments.urigrep, folder):
                if "uri" in hit:
                    found[hit["path"].removeprefix("./")].add(unquote(hit["uri"]))
            for hit in differences.hits(arguments.urigrep, folder, "--invalid"):
                if "text" in hit:
                    rejected[hit["path"].removeprefix("./")].add(str(hit["text"]))
        for name, page in pages.items():
            for uri, place in set(seen(page)):
                if unquote(uri) in found[name]:
                    classes["both"] += 1
                    continue
                reason = why_missing(uri, place, page, found[name], rejected[name])
                classes[f"only html5lib: {reason}"] += 1
                if reason is None:
                    failed.append((name, place, uri, [it for it in found[name] if uri.split("/")[2] in it]))
                    differences.keep(arguments.keep, name, page.encode())
    differences.finish(classes, failed)


if __name__ == "__main__":
    main()
