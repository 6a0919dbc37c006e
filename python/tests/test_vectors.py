"""The labelled texts of corpus/, the same as the Rust tests run: offsets are checked by Python's own slicing."""

import tomllib

import pytest

import urigrep
from conftest import CORPUS

CASES = [
    (f"{path.relative_to(CORPUS)}:{case['name']}", case)
    for path in sorted(CORPUS.rglob("*.toml"))
    for case in tomllib.loads(path.read_text()).get("case", [])
    if "text" in case and "rule" in case
]


def test_there_are_cases():
    assert len(CASES) > 500


def marked(text):
    """The text without its marks, and the spans they stood around."""
    plain, spans, opened = [], [], []
    for character in text:
        if character == "⟦":
            opened.append(len(spans))
            spans.append([len(plain), None])
        elif character == "⟧":
            spans[opened.pop()][1] = len(plain)
        else:
            plain.append(character)
    return "".join(plain), [tuple(span) for span in spans]


def options(case):
    keywords = {}
    for option in case.get("options", []):
        name, _, value = option.partition("=")
        keywords[name.replace("-", "_")] = value or True
    return keywords


@pytest.mark.parametrize(("case"), [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_case(case):
    text, spans = marked(case["text"])
    keywords = options(case)
    encoding = case.get("encoding", "utf-8")
    source = text.encode(encoding) if encoding != "utf-8" else text
    # to the command, `abbreviated` means identifiers too, which are other matches
    found = urigrep.find(source, **keywords)
    if keywords.get("abbreviated"):
        wanted = {m.span() for m in urigrep.find(source, identifiers=True)}
        found = [m for m in found if m.span() in spans or m.span() not in wanted]
    assert [m.span() for m in found] == spans
    if encoding == "utf-8":
        check_str(case, text, found)
        assert list(urigrep.finditer(text, **keywords)) == urigrep.find(text, **keywords)
        check_bytes(text, found, keywords)
    for name in ("uri", "kind", "wrapper"):
        if name in case:
            assert [getattr(m, name) for m in found] == case[name]
    if "flags" in case:
        assert [set(m.flags) for m in found] == [set(flags) for flags in case["flags"]]
    if "alternative" in case:
        assert [m.alternative or "" for m in found] == case["alternative"]


def check_str(case, text, found):
    for m in found:
        if "decoded" not in m.flags:
            assert text[m.start : m.end] == m.text
        assert text[slice(*m.span())]
    if "ranges" in case:
        pieces = [[text[start:end] for start, end in m.ranges] for m in found]
        assert pieces == case["ranges"]


def check_bytes(text, found, keywords):
    """Offsets in bytes mean the same places."""
    encoded = text.encode()
    in_bytes = [m for m in urigrep.find(encoded, **keywords)]
    places = {(len(encoded[: m.start].decode()), len(encoded[: m.end].decode())) for m in in_bytes}
    assert {m.span() for m in found} <= places
