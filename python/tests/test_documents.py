"""Texts that are documents, identifiers, and changed URIs."""

import time
import signal
import threading

import pytest

import urigrep

pa = pytest.importorskip("pyarrow")

PAGE = "<p>\u00e9 <a href='b?x&amp;y'>z</a> https://doi.org/10.1000/ABC</p>"


def test_html():
    first, second = urigrep.find(PAGE, format="html")
    assert (first.uri, first.kind, first.role, first.format) == ("b?x&y", "reference", "destination", "html")
    assert PAGE[first.start : first.end] == "b?x&amp;y" and first.text == "b?x&y"
    assert PAGE[slice(*second.span())] == second.uri and second.path is None
    encoded = PAGE.encode()
    assert encoded[slice(*urigrep.find(encoded, format="html")[1].span())] == second.uri.encode()
    (only,) = urigrep.find(PAGE, format="html", role="destination", base="http://a.example/c")
    assert only.uri == "http://a.example/b?x&y"
    assert list(urigrep.finditer(PAGE, format="html")) == [first, second] == urigrep.Finder(format="html").find(PAGE)


def test_other_formats():
    assert urigrep.find("[a](b)", format="markdown")[0].uri == "b"
    mail = "From: jo@a.example\nSubject: s\n\nhttp://a.example/\n"
    assert urigrep.find(mail, format="mail")[0].mail["from"] == "jo@a.example"
    assert urigrep.find("<!doctype html><a href=x>", format="auto")[0].uri == "x"
    assert urigrep.find("[a](b)") == []
    with pytest.raises(urigrep.OptionError):
        urigrep.find("a", format="klingon")
    with pytest.raises(urigrep.OptionError):
        urigrep.find("a", base="http://a.example/")


@pytest.mark.parametrize("threads", [1, 3])
def test_columns(threads):
    rows = pa.array([PAGE, None, "none"] * 500)
    columns = ["row", "start", "uri", "kind", "role", "identifier"]
    found = pa.record_batch(urigrep.find_batch(rows, format="html", columns=columns, offsets="characters", threads=threads))
    assert found.num_rows == 1000
    for row in found.slice(0, 2).to_pylist():
        m = urigrep.find(PAGE, format="html")[row["uri"].startswith("https")]
        canonical = m.identifier and m.identifier["canonical"]
        assert row == {"row": 0, "start": m.start, "uri": m.uri, "kind": m.kind, "role": m.role, "identifier": canonical}
    lists = pa.array(urigrep.extract_batch(rows, format="html", columns="uri", threads=threads))
    assert lists.to_pylist()[:3] == [["b?x&y", "https://doi.org/10.1000/ABC"], None, []]


def test_identifier():
    texts = ["urn:isbn:0-306-40615-2", "https://openlibrary.org/isbn/9780306406157"]
    found = [urigrep.find(text)[0].identifier for text in texts]
    assert found == [{"kind": "isbn", "value": "9780306406157", "canonical": "urn:isbn:9780306406157"}] * 2
    assert urigrep.parse(texts[0]).identifier == found[0] and urigrep.find("http://a.example")[0].identifier is None
    assert urigrep.equivalent(*texts) == "namespace"


def test_changed_uris():
    uri = urigrep.parse("http://a.example:08080/b%20c/?x=1&y=a+b&z#f")
    assert (uri.port, uri.port_number) == ("08080", 8080)
    assert uri.path_segments == ["b c", ""] and uri.query_pairs == [("x", "1"), ("y", "a b"), ("z", None)]
    assert str(uri.with_query({"q": "a b&c", "n": [1, 2], "e": None})).endswith("/?q=a%20b%26c&n=1&n=2&e#f")
    assert str(uri.with_query(None).with_fragment("g h")) == "http://a.example:08080/b%20c/#g%20h"
    assert str(uri.with_host("b.example") / "d/e") == "http://b.example:08080/b%20c/d%2Fe"
    with pytest.raises(urigrep.ParseError):
        uri.with_host("a b")


def test_interrupt_ends_find():
    """A long text is searched in windows, and a signal is seen between them."""
    text = "quiet text \n" * 20_000_000
    # Shells start programs in the background with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() < started + 60:
            urigrep.find(text)


def test_links_have_the_text_behind_their_destination(tmp_path):
    page = '<a href="http://a.example/">the\n <b>site</b></a>'
    assert [match.label for match in urigrep.find(page, format="html")] == ["the site"]
    (tmp_path / "a.md").write_text("[b][x]\n\n[x]: http://b.example/\n")
    assert [hit.label for hit in urigrep.scan(tmp_path / "a.md")] == ["b"]
