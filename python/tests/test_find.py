"""`find`, `finditer`, `Finder` and `Match`."""

import copy
import json
import mmap
import pickle
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urigrep

TEXT = "Sée 😀 <http://www.w3.org/\n Addressing/>, urn:isbn:0451450523 (http://jo:pw@ä.example/ö?x)."


def test_match():
    first, urn, iri = urigrep.find(TEXT)
    assert TEXT[first.start : first.end] == "http://www.w3.org/\n Addressing/"
    assert (first.uri, first.kind, first.wrapper) == ("http://www.w3.org/Addressing/", "uri", "angle")
    assert [TEXT[a:b] for a, b in first.ranges] == ["http://www.w3.org/", "Addressing/"]
    assert first.flags == ("rejoined",)
    assert (first.scheme, first.host, first.components["path"]) == ("http", "www.w3.org", "/Addressing/")
    assert (first.path, first.line, first.mail, first.stream) == (None, None, None, None)
    assert urn.urn["nid"] == "isbn" and urn.urn["namespace"] == "formal"
    assert iri.iri == "http://jo:pw@ä.example/ö?x" and "has-credentials" in iri.flags
    assert repr(urn) == "<Match urn, 42:62, 'urn:isbn:0451450523'>".replace("42:62", f"{urn.start}:{urn.end}")
    assert str(urn) == "urn:isbn:0451450523"


def test_as_dict_is_the_json_of_the_command(command):
    ran = command("--json", input=TEXT.encode())
    of_command = [json.loads(line) for line in ran.stdout.splitlines()]
    of_bytes = [m.as_dict() for m in urigrep.find(TEXT.encode())]
    for record in of_command:
        for of_files in ("path", "line", "column"):
            del record[of_files]
    assert of_bytes == of_command
    of_bytes[0]["uri"] = "changed"
    assert urigrep.find(TEXT.encode())[0].as_dict()["uri"] != "changed"


def test_pattern_matching():
    match urigrep.find(TEXT)[1]:
        case urigrep.Match(uri, start, kind="urn"):
            assert TEXT[start:].startswith(uri)
        case _:
            pytest.fail("no match")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    for m in urigrep.find(TEXT):
        again = pickle.loads(pickle.dumps(m, protocol))
        assert again == m and hash(again) == hash(m) and repr(again) == repr(m)
        assert (again.text, again.ranges, again.urn, again.flags) == (m.text, m.ranges, m.urn, m.flags)
        assert pickle.loads(pickle.dumps(again, protocol)) == m
        assert copy.deepcopy(m) == m
    finder = urigrep.Finder(email=True, scheme=["mailto"])
    again = pickle.loads(pickle.dumps(finder, protocol))
    assert again.options == finder.options
    assert [m.uri for m in again.find("jo@a.example http://b.example")] == ["mailto:jo@a.example"]


def test_matches_are_compared():
    one, other = urigrep.find("urn:a-b:c"), urigrep.find("(urn:a-b:c)")
    assert one == urigrep.find("urn:a-b:c") and one != other
    assert one[0] != "urn:a-b:c"
    assert len({*one, *urigrep.find("urn:a-b:c")}) == 1


def test_bytes_like(tmp_path):
    encoded = TEXT.encode()
    expected = urigrep.find(encoded)
    file = tmp_path / "text"
    file.write_bytes(encoded)
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert urigrep.find(mapped) == expected
    views = (lambda text: memoryview(bytearray(text)), lambda text: memoryview(bytearray(text)).toreadonly())
    for of in (memoryview, bytearray, *views):
        assert urigrep.find(of(encoded)) == expected
        assert list(urigrep.finditer(of(encoded))) == expected
    every_other = bytes(b for pair in zip(encoded, bytes(len(encoded))) for b in pair)
    assert urigrep.find(memoryview(every_other)[::2]) == expected
    for wrong in (None, 3, ["http://a.example"]):
        with pytest.raises(TypeError):
            urigrep.find(wrong)


def test_a_view_may_be_read_only_where_its_array_is_not():
    numpy = pytest.importorskip("numpy")
    encoded = b"http://a.example " * 10_000
    array = numpy.frombuffer(encoded, dtype=numpy.uint8).copy()
    view = array.view()
    view.flags.writeable = False
    matches = urigrep.finditer(view)
    array[:] = 0
    assert sum(1 for _ in matches) == 10_000


def test_a_buffer_outlives_its_name():
    matches = urigrep.finditer(b"http://a.example " * 10_000)
    assert sum(1 for _ in matches) == 10_000
    view = memoryview(b"urn:a-b:c " * 100_000)
    matches = urigrep.finditer(view)
    view.release()
    assert sum(1 for _ in matches) == 100_000


def test_lone_surrogates():
    text = "\ud800 http://a.example/\udfff <http://b.example/\udc80c> urn:a-b:c\ud83d\ude00"
    found = urigrep.find(text)
    assert [text[m.start : m.end] for m in found][0] == "http://a.example/"
    assert all(m.start < m.end <= len(text) for m in found)
    assert list(urigrep.finditer(text)) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert found[-1].uri == "urn:a-b:c"
    steps = [step for _, steps in urigrep.explain(text) for step in steps]
    assert any(step.text == "\udfff" for step in steps)

    class Lies(str):
        def encode(self, *arguments):
            return b"http://lie.example/"

    assert urigrep.find(Lies(text)) == found


def test_options():
    text = "jo@a.example www.b.example HTTP://c.example myapp://d hxxp://e[.]example urn:a-b:c"
    uris = lambda **options: [m.uri for m in urigrep.find(text, **options)]
    assert uris(email=True, kind="email") == ["mailto:jo@a.example"]
    assert uris(abbreviated=True, assume_scheme="http", domain="b.example") == ["http://www.b.example"]
    assert uris(known_schemes=True) == ["HTTP://c.example", "urn:a-b:c"]
    assert uris(scheme=["!http", "!urn"]) == ["myapp://d"]
    assert uris(regexp=[r"^HTTP", r":c$"]) == ["HTTP://c.example", "urn:a-b:c"]
    assert uris(regexp="^http", ignore_case=True, invert_match=True, refang=True)[0] == "myapp://d"
    assert uris(email=False, kind=None) == uris()
    assert uris(max_uri=9) == uris(max_uri="9")


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"emial": True}, TypeError, "emial"),
        ({"hidden": True}, TypeError, "hidden"),
        ({"email": "yes"}, TypeError, "True or False"),
        ({"scheme": True}, TypeError, "a value"),
        ({"kind": "link"}, urigrep.OptionError, "link"),
        ({"regexp": "("}, urigrep.OptionError, "regexp"),
        ({"kind": "email"}, urigrep.OptionError, "no URI can match"),
        ({"grammar": "rfc1"}, ValueError, "rfc1"),
    ],
)
def test_wrong_options(options, error, says):
    with pytest.raises(error, match=says) as raised:
        urigrep.Finder(**options)
    assert "\n" not in str(raised.value)


def test_threads_share_a_finder():
    finder = urigrep.Finder(email=True)
    text = TEXT * 2_000
    expected = finder.find(text)
    shared, results = finder.finditer(text), []

    def work():
        assert finder.find(text) == expected
        results.extend(shared)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == len(expected) and {m.span() for m in results} == {m.span() for m in expected}


def test_other_threads_run_during_a_search():
    text = ("x" * 100 + " http://a.example/b ") * 400_000
    ticks, stop = 0, threading.Event()

    def search():
        urigrep.find(text, kind="urn")
        stop.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not stop.is_set():
        ticks += 1
        stop.wait(0.0001)
    thread.join()
    assert ticks > 3


pieces = st.one_of(
    st.sampled_from(["http://a.example/", "<urn:isbn:0451450523>", "jo@b.example", "www.c.example", "😀", "é", "\n", " ", "(", ")."]),
    st.text(st.characters(), max_size=8),
    st.text(st.characters(categories=["Cs"]), max_size=2),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=40).map("".join))
def test_offsets_are_those_of_slices(text):
    found = urigrep.find(text, email=True, abbreviated=True, embedded=True)
    assert list(urigrep.finditer(text, email=True, abbreviated=True, embedded=True)) == found
    for m in found:
        assert 0 <= m.start < m.end <= len(text)
        if "decoded" not in m.flags:
            assert text[m.start : m.end] == m.text
        for start, end in m.ranges:
            assert m.start <= start < end <= m.end
    encoded = text.encode("utf-8", "surrogatepass")
    in_bytes = urigrep.find(encoded, email=True, abbreviated=True, embedded=True)
    assert [m.uri for m in in_bytes] == [m.uri for m in found]
    assert [encoded[m.start : m.end].decode("utf-8", "surrogatepass") for m in in_bytes] == [
        text[m.start : m.end] for m in found
    ]


def test_finditer_of_a_long_text_is_find():
    text = "".join(f"😀{'é' * (n % 700)} <http://a.example/{n}/\n{'x' * (n % 90)}> " for n in range(3_000))
    assert len(text) > 1_000_000
    assert list(urigrep.finditer(text)) == urigrep.find(text)
    # longer than a window
    long = "a" * 100_000 + " http://a.example/" + "b" * 300_000 + " urn:a-b:c"
    assert [len(m.uri) for m in urigrep.finditer(long)] == [300_017, 9]


def test_finders_with_expressions_are_forgotten():
    """Each takes megabytes, and the last 64 were kept."""
    code = """if True:
        import resource, urigrep
        def find(number):
            urigrep.find("http://a.example/", regexp=r"[\\w]{1,200}a{%d}" % number)
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for number in range(10):
            find(number)
        before = peak()
        for number in range(60):
            find(number)
        print(peak() - before)
    """
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert int(ran.stdout) < 100 << 10


def test_a_buffer_of_objects_has_no_text():
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError):
        urigrep.find(numpy.array([b"http://a.example/x"], dtype=object))
