"""What is rejected and why, unclickable URIs, own schemes, and a finder that scans."""

import json
import pickle

import pytest

import urigrep

TEXT = "\u00e9 hxxp://a[.]example or http://{host}/ (see http://b.example/c)."


def test_find_invalid_is_the_invalid_of_the_command(command):
    ran = command("--invalid", "--json", input=TEXT.encode())
    of_command = [json.loads(line) for line in ran.stdout.splitlines()]
    found = urigrep.find_invalid(TEXT.encode())
    members = ("start", "end", "text", "reason", "at")
    assert [{name: getattr(r, name) for name in members} for r in found] == [
        {name: record[name] for name in members} for record in of_command
    ]
    first, template = urigrep.find_invalid(TEXT)
    assert (first.start, TEXT[first.start : first.end], first.reason) == (2, "hxxp://a[.]example", "defanged")
    assert template.text[template.at :] == "{host}/" and template.span() == (template.start, template.end)
    assert repr(first) == "<Rejected defanged, 2:20, 'hxxp://a[.]example'>"
    # a selection applies to both
    assert [r.reason for r in urigrep.find_invalid(TEXT, scheme="http")] == ["template"]
    assert urigrep.Finder(refang=True).find_invalid(TEXT)[0].reason == "template"


def test_find_invalid_in_documents():
    page = "<p>\u00e9 <a href='http://{h}/&amp;'>x</a> http://a.example/</p>"
    (only,) = urigrep.find_invalid(page, format="html")
    assert only.reason == "template" and page[only.start : only.end].startswith("http://{h}")
    encoded = page.encode()
    (same,) = urigrep.find_invalid(encoded, format="html")
    assert encoded[same.start :].startswith(b"http://{h}") and same.start == only.start + 1


def test_explain(command):
    explained = urigrep.explain(TEXT)
    assert [type(found) for found, _ in explained] == [urigrep.Rejected, urigrep.Rejected, urigrep.Match]
    match, steps = explained[2]
    assert match == urigrep.find(TEXT)[0]
    assert steps[0].rule == "D1.2" and steps[-1].rule.startswith("D4")
    for _, steps in explained:
        assert steps
        for step in steps:
            assert TEXT[step.start : step.end] == step.text and step.what
    # the same rules as the command's
    said = command("--explain", input=TEXT.encode()).stdout.decode()
    assert all(f"{step.rule} " in said for step in explained[2][1])
    assert [str(found) for found, _ in urigrep.Finder(scheme="urn").explain("urn:a-b:c http://a")] == ["urn:a-b:c"]
    with pytest.raises(urigrep.OptionError):
        urigrep.explain(TEXT, format="html")


@pytest.mark.parametrize(
    "text, drawn, options",
    [
        ("\u00e9 (http://a.example/b.c), urn:isbn:0451450523", "\u00e9 (hxxp://a[.]example/b.c), urn:isbn:0451450523", {}),
        ("ftp://jo@a.example", "fxp://jo@a[.]example", {}),
        ("www.a.example/b.c jo.x@b.example", "www[.]a[.]example/b.c jo.x[@]b[.]example", {"abbreviated": True, "email": True}),
        ("mailto:jo@a.example http://b.example", "mailto:jo[@]a[.]example http://b.example", {"scheme": "mailto"}),
        ("ISBN 0-451-45052-3 and \udc80", "ISBN 0-451-45052-3 and \udc80", {"identifiers": True}),
        ("", "", {}),
    ],
)
def test_defang(text, drawn, options):
    assert urigrep.defang(text, **options) == drawn


def test_refang():
    assert urigrep.refang("hxxps://evil[.]example/\u00fc, http://a.example/") == "https://evil.example/\u00fc, http://a.example/"
    plain = "see https://evil.example/x and http://b.example/"
    assert urigrep.refang(urigrep.defang(plain)) == plain
    for function in (urigrep.defang, urigrep.refang):
        with pytest.raises(TypeError):
            function(b"http://a.example")
        with pytest.raises(urigrep.OptionError):
            function("http://a.example", format="html")


def test_own_schemes(tmp_path):
    own = {"bug": "[0-9]+", "jira": "[A-Z]+-[0-9]+"}
    text = "see bug:1234, (jira:ABC-1), bug:none, and Bug:5"
    uris = ["bug:1234", "jira:ABC-1", "Bug:5"]
    assert urigrep.find(text) == [] and [m.uri for m in urigrep.find(text, recognizers=own)] == uris
    finder = urigrep.Finder(recognizers=own, scheme="bug")
    assert [m.uri for m in pickle.loads(pickle.dumps(finder)).finditer(text)] == ["bug:1234", "Bug:5"]
    assert [m.uri for m in urigrep.find(f"<p>{text}", recognizers=own, format="html")] == uris
    (tmp_path / "a.txt").write_text(text)
    assert [m.uri for m in urigrep.scan(tmp_path, recognizers=own)] == uris
    assert [m.uri for m in finder.scan(tmp_path)] == ["bug:1234", "Bug:5"]
    # They match behind the colon only, and a comment in one ends with it.
    assert [m.uri for m in urigrep.find("bug:xb bug:a", recognizers={"bug": "(?x)a | c # a"})] == ["bug:a"]
    for wrong in ({"bug": "("}, {"b": "x"}, {"a b": "x"}, {"bug": "a)|(?:b"}):
        with pytest.raises(urigrep.OptionError):
            urigrep.find(text, recognizers=wrong)
    for wrong in ("bug", {"bug": 1}, ["bug"]):
        with pytest.raises(TypeError):
            urigrep.find(text, recognizers=wrong)


def test_a_finder_scans(tmp_path):
    (tmp_path / "a.html").write_text("<a href=b>jo@a.example</a>")
    (tmp_path / "c.txt").write_text("jo@c.example")
    finder = urigrep.Finder(email=True)
    assert [m.uri for m in finder.scan(tmp_path)] == ["b", "mailto:jo@a.example", "mailto:jo@c.example"]
    assert [m.uri for m in finder.scan(tmp_path, glob="*.txt")] == ["mailto:jo@c.example"]
    assert [m.uri for m in urigrep.Finder(format="html", base="http://d.example/").scan(b"<a href=b>")] == ["http://d.example/b"]
    assert [m.mail["subject"] for m in urigrep.Finder(format="mail").scan(b"Subject: s\n\nurn:a-b:c")] == ["s"]
    with pytest.raises(FileNotFoundError):
        finder.scan(tmp_path / "none")
    with pytest.raises(TypeError):
        finder.scan(tmp_path, nonsense=True)
