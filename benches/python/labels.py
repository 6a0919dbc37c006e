#!/usr/bin/env python3
"""How many of the labelled URIs each way finds, with exact spans: precision, recall, F1.

The documents are those of corpus/documents, which our rules were made with, and those of benches/accuracy/documents, which were
labelled apart from them. What is disputed there counts for nobody. Only kinds that all ways look for are compared: URIs with `//`.
"""

import re
import sys
from pathlib import Path

import urigrep

ROOT = Path(__file__).parents[2]
PLACES = (ROOT / "corpus" / "documents", ROOT / "benches" / "accuracy" / "documents")
REGEX = re.compile(r"(?i)\b[a-z][a-z0-9+.-]*://[^\s<>\"]+")


def spans(table, text):
    """The spans in the first two columns, as indices of the str; of labels, those with `//`."""
    if not table.exists():
        return
    for line in table.read_text().splitlines():
        cells = line.split("\t")
        if cells[0].isdigit() and ("labels" not in table.name or "//" in cells[4]):
            yield tuple(len(text[: int(cell)].decode()) for cell in cells[:2])


def labelled(place):
    for labels in sorted(place.glob("*.labels.tsv")):
        document = labels.with_name(labels.name.removesuffix(".labels.tsv"))
        text = document.read_bytes()
        try:
            decoded = text.decode()
        except UnicodeDecodeError:
            continue
        disputed = list(spans(document.with_name(f"{document.name}.disputed.tsv"), text))
        yield decoded, set(spans(labels, text)), disputed


def undisputed(found, disputed):
    return {span for span in found if not any(span[0] < end and start < span[1] for start, end in disputed)}


def by_search(text, found):
    """Spans of strings that were found without their places: the first place of each behind the last."""
    at = 0
    for uri in found:
        start = text.find(uri, at)
        if start >= 0:
            at = start + len(uri)
            yield start, at


def ways():
    yield "urigrep", lambda text: {m.span() for m in urigrep.find(text) if "//" in m.uri}
    yield "re", lambda text: {m.span() for m in REGEX.finditer(text)}
    try:
        import urlextract

        extractor = urlextract.URLExtract()
        # its own indices are wrong (#155)
        yield "URLExtract", lambda text: set(by_search(text, extractor.find_urls(text)))
    except ImportError:
        print("urlextract is not installed", file=sys.stderr)
    try:
        import iocextract

        yield "iocextract", lambda text: set(by_search(text, iocextract.extract_unencoded_urls(text)))
    except ImportError:
        print("iocextract is not installed", file=sys.stderr)


def main():
    for place in PLACES:
        documents = list(labelled(place))
        labels = sum(len(undisputed(wanted, disputed)) for _, wanted, disputed in documents)
        print(f"{place.relative_to(ROOT)}: {len(documents)} documents, {labels} labels\n")
        print("| | precision | recall | F1 |\n|---|---|---|---|")
        for name, find in ways():
            right = found = 0
            for text, wanted, disputed in documents:
                got = undisputed(find(text), disputed)
                right, found = right + len(got & wanted), found + len(got)
            precision, recall = right / max(found, 1), right / labels
            print(f"| {name} | {100 * precision:.1f} | {100 * recall:.1f} | {200 * right / (found + labels):.1f} |")
        print()


if __name__ == "__main__":
    main()
