"""`parse`, `Uri`, `Urn`, `resolve`, `normalize`, `equivalent`, `redact`, `unwrap`, and their exceptions."""

import pickle

import pytest

import urigrep


def test_parse():
    uri = urigrep.parse("http://jo@a.example:8080/b?c#d")
    assert (uri.scheme, uri.userinfo, uri.host, uri.port) == ("http", "jo", "a.example", "8080")
    assert (uri.path, uri.query, uri.fragment, uri.kind, uri.host_type) == ("/b", "c", "d", "uri", "reg-name")
    assert repr(uri) == "Uri('http://jo@a.example:8080/b?c#d')" and str(uri) == "http://jo@a.example:8080/b?c#d"
    assert pickle.loads(pickle.dumps(uri)) == uri == urigrep.Uri(str(uri)) and len({uri, urigrep.Uri(str(uri))}) == 1
    urn = urigrep.parse("urn:isbn:0451450524?=a#b")
    assert isinstance(urn, urigrep.Urn) and isinstance(urn, urigrep.Uri)
    assert (urn.nid, urn.nss, urn.r, urn.q, urn.f) == ("isbn", "0451450524", None, "a", "b")
    assert urn.assigned_name == "urn:isbn:0451450524" and urn.namespace == "formal" and "digit" in urn.fault
    assert isinstance(pickle.loads(pickle.dumps(urn)), urigrep.Urn)
    assert urigrep.parse("http://ä.example/").kind == "iri"
    relative = urigrep.parse("../a", reference=True)
    assert relative.kind == "reference" and pickle.loads(pickle.dumps(relative)) == relative
    assert urigrep.parse("http://a_b/", grammar="rfc2396bis-01").grammar == "rfc2396bis-01"


@pytest.mark.parametrize(
    ("text", "offset", "reason"),
    [("http://a/%zz", 9, "percent-triplet"), ("http://ä/ö%zz", 10, "percent-triplet"), ("//a", 0, "no-scheme")],
)
def test_errors(text, offset, reason):
    for act in (urigrep.parse, urigrep.normalize, urigrep.Uri, lambda text: urigrep.equivalent(text, "s:a")):
        with pytest.raises(urigrep.ParseError) as raised:
            act(text)
        error = pickle.loads(pickle.dumps(raised.value))
        assert isinstance(error, ValueError) and (error.offset, error.reason) == (offset, reason)
    with pytest.raises(urigrep.ParseError):
        urigrep.Urn("http://a.example/")


def test_verbs(command):
    assert urigrep.resolve("http://a/b/c/d;p?q", "../g") == "http://a/b/g"
    assert urigrep.parse("http://a/b/c").resolve("../ä") == "http://a/%C3%A4"
    assert urigrep.normalize("HTTP://A.example:80/b/../%7Ec") == "http://a.example/~c"
    assert urigrep.equivalent("urn:ISBN:1#a", "URN:isbn:1") == "urn"
    assert urigrep.equivalent("http://a/", "http://b/") is None
    assert urigrep.redact("ftp://jo:pw@a.example/") == "ftp://REDACTED@a.example/"
    assert urigrep.unwrap("https://www.google.com/url?q=http://a.example/&sa=D") == "http://a.example/"
    assert urigrep.unwrap("http://a.example/") is None
    for iri in ("http://Bücher.example/%7eü", "HTTP://a.EXAMPLE/./b"):
        # `--no-config` is a search's
        import subprocess, sys
        ran = subprocess.run([sys.executable, "-m", "urigrep", "normalize", iri], capture_output=True, text=True)
        assert ran.stdout.strip() == urigrep.normalize(iri)


def test_lone_surrogates_are_no_text():
    uri = urigrep.parse("http://a.example/")
    for wrong in (
        lambda: uri.with_query({"a": "\ud800"}),
        lambda: uri.with_query({"\ud800": 1}),
        lambda: uri.with_query([("a", [1, "\ud800"])]),
        lambda: uri.with_query("\ud800"),
        lambda: uri / "\ud800",
    ):
        with pytest.raises(UnicodeEncodeError):
            wrong()
    with pytest.raises(TypeError):
        uri / 5
