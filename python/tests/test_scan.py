"""`scan` and `audit`: the same as the command finds, in files, mail and archives."""

import gzip
import http.server
import io
import os
import resource
import signal
import subprocess
import sys
import tarfile
import threading
import time
import zipfile

import pytest

import urigrep
from conftest import CORPUS


@pytest.mark.parametrize("of", ["documents", "html", "delimiting", "."])
def test_corpus(command_json, of):
    found = [m.as_dict() for m in urigrep.scan(CORPUS / of)]
    assert found and found == command_json(CORPUS / of)


def test_mail(command_json, mbox):
    found = list(urigrep.scan(mbox))
    assert [m.as_dict() for m in found] == command_json(mbox)
    assert len(found) == 1000
    assert found[2].mail["message_id"] == "1@a.example" and found[2].mail["from"] == "jo@a.example"
    assert found[2].uri == "http://lists.example/find?group=1&month=2"
    assert found[2].path == str(mbox) and found[2].line == 20 and "decoded" in found[2].flags


def test_archives(command_json, mbox, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(mbox, "mail/list.mbox")
        archive.writestr("b.md", "[x](http://b.example)")
    with tarfile.open(tmp_path / "c.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "a.zip", "inner/a.zip")
    (tmp_path / "d.txt.gz").write_bytes(gzip.compress(b"http://d.example"))
    found = list(urigrep.scan(tmp_path, search_compressed=True))
    assert [m.as_dict() for m in found] == command_json("-z", tmp_path)
    assert len(found) == 2 * 1001 + 1
    assert {m.stream for m in found if "b.example" in m.uri} == {"zip!/b.md", "gzip+tar!/inner/a.zip+zip!/b.md"}


def warc_record(fields, block):
    return f"WARC/1.0\r\n{fields}\r\nContent-Length: {len(block)}\r\n\r\n{block}\r\n\r\n".encode()


def test_warc(command_json, tmp_path):
    page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/b?x&amp;y>b</a> <a href=http://c.example/>c</a>"
    http = "WARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\nWARC-Target-URI: "
    records = [warc_record(f"{http}http://a.example/{n}", page) for n in range(50)]
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(b"".join(map(gzip.compress, records)))
    found = list(urigrep.scan(file))
    assert [m.as_dict() for m in found] == command_json(file)
    assert [(m.uri, m.role) for m in found[:2]] == [("/b?x&y", "destination"), ("http://c.example/", "destination")]
    assert found[-1].stream == "gzip+warc!/response/http://a.example/49" and len(found) == 100


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_parts_of_a_mailbox(mbox, parts):
    size = mbox.stat().st_size
    cuts = [size * n // parts for n in range(parts + 1)]
    found = []
    for start, end in zip(cuts, cuts[1:]):
        base, scan = urigrep.scan_mbox_part(mbox, start, end)
        found += [(m.uri, base + m.start, base + m.end, m.mail) for m in scan]
        assert not scan.problems
    assert found == [(m.uri, m.start, m.end, m.mail) for m in urigrep.scan(mbox)]


def test_order_and_problems(tmp_path):
    for name in ("b", "a", "c"):
        (tmp_path / name).write_text(f"http://{name}.example")
    scan = urigrep.scan([tmp_path / "c", str(tmp_path / "none"), tmp_path / "a"], errors="ignore")
    assert [m.host for m in scan] == ["a.example", "c.example"]
    (problem,) = scan.problems
    assert problem.kind == "read" and problem.path.endswith("none")
    assert scan.stats["files"] == 2 and scan.stats["matches"] == 2
    assert [m.host for m in urigrep.scan(tmp_path)] == ["a.example", "b.example", "c.example"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
def test_names_that_are_not_utf8(tmp_path):
    name = os.fsdecode(b"\xff.txt")
    (tmp_path / name).write_text("http://a.example")
    (m,) = urigrep.scan(tmp_path)
    assert m.path == str(tmp_path / name)


def test_wrong_paths():
    for wrong in (3, [b"/tmp"]):
        with pytest.raises(TypeError):
            urigrep.scan(wrong)
    for errors in ("warn", "raise"):
        with pytest.raises(FileNotFoundError) as raised:
            urigrep.scan(["/no/such"], errors=errors)
        assert raised.value.filename == "/no/such"
    assert list(urigrep.scan("/no/such", errors="ignore")) == []
    with pytest.raises(urigrep.OptionError):
        urigrep.scan(".", name="a.md")
    with pytest.raises(urigrep.OptionError):
        urigrep.scan(".", errors="strict")
    with pytest.raises(urigrep.OptionError):
        urigrep.scan(".", type="nonsense")


def test_bytes_and_file_objects(tmp_path, command_json):
    packed = gzip.compress(b"[x](http://a.example/b) urn:isbn:0451450523")
    (tmp_path / "a.md.gz").write_bytes(packed)
    wanted = [m.as_dict() | {"path": "a.md.gz"} for m in urigrep.scan(tmp_path / "a.md.gz")]
    for source in (packed, bytearray(packed), memoryview(packed), io.BytesIO(packed)):
        assert [m.as_dict() for m in urigrep.scan(source, name="a.md.gz")] == wanted
    with open(tmp_path / "a.md.gz", "rb") as file:
        assert [m.uri for m in urigrep.scan(file)] == [m["uri"] for m in wanted]
    # A file object that never ends, and that is given up.
    endless = type("Endless", (), {"read": lambda self, size: b"\n" * size})()
    del endless, source
    scan = urigrep.scan(type("Endless", (), {"read": lambda self, size: b"urn:a1:b\n" * (size // 9)})())
    assert next(scan).uri == "urn:a1:b"
    del scan


def test_what_could_not_be_read_warns():
    broken = b"\x1f\x8b broken"
    with pytest.warns(urigrep.UrigrepWarning, match="a.gz"):
        assert list(urigrep.scan(broken, name="a.gz")) == []
    with pytest.raises(OSError, match="a.gz"):
        list(urigrep.scan(broken, name="a.gz", errors="raise"))
    file = type("Broken", (), {"read": lambda self, size: 1 / 0})()
    with pytest.warns(urigrep.UrigrepWarning, match="ZeroDivisionError"):
        list(urigrep.scan(file))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_scan_is_not_continued_in_a_child(tmp_path):
    """A fork copies no threads: the child would wait forever."""
    code = f"""if True:
        import os, signal, time, urigrep
        scan = urigrep.scan({str(tmp_path)!r})
        next(scan)
        # Many forks, since the thread of the scan must be holding a lock at one of them.
        for taken in range(1, 200):
            next(scan)
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                for read in (lambda: next(scan), scan.read_batch, lambda: scan.problems, lambda: scan.stats):
                    try:
                        read()
                        os._exit(3)
                    except RuntimeError:
                        pass
                del scan, read
                # the child may search on its own
                os._exit(0 if len(list(urigrep.scan(b"http://a.example/"))) == 1 else 4)
            assert os.waitpid(child, 0)[1] == 0
        assert len(list(scan)) == 99_999 - taken
    """
    (tmp_path / "a.txt").write_text("http://a.example/\n" * 100_000)
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


def test_a_scan_that_is_dropped_ends(tmp_path):
    (tmp_path / "a").write_text("http://a.example\n" * 500_000)
    before = threading.active_count()
    for _ in range(5):
        assert next(urigrep.scan(tmp_path)).uri == "http://a.example"
    assert threading.active_count() == before


def test_interrupt(tmp_path):
    # a FIFO that nobody writes to: the scan waits
    os.mkfifo(tmp_path / "pipe")
    # A shell starts its background jobs, and so a run of these tests, with this signal ignored.
    program = (
        "import signal, sys, urigrep\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print(flush=True)\nlist(urigrep.scan(sys.argv[1]))"
    )
    child = subprocess.Popen([sys.executable, "-c", program, tmp_path / "pipe"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    child.stdout.readline()
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    # long enough for a slow machine: at the end of the pipe, it would be done before it looks for a signal
    time.sleep(2)
    os.close(writer)
    _, said = child.communicate(timeout=20)
    assert b"KeyboardInterrupt" in said, said


def test_audit(tmp_path):
    (tmp_path / "guide.md").write_text("See [setup](setup.md) and [b](http://a.example/).\n")
    findings, problems = urigrep.audit(tmp_path)
    assert not problems
    (finding,) = [finding for finding in findings if finding.check == "missing-target"]
    assert (finding.severity, finding.line, finding.path) == ("error", 1, str(tmp_path / "guide.md"))
    assert urigrep.audit([tmp_path], check="missing-target")[0]
    findings, problems = urigrep.audit(tmp_path / "none.md")
    assert not findings and problems[0].kind == "read"
    with pytest.raises(urigrep.OptionError):
        urigrep.audit(tmp_path, check="nonsense")


def test_audit_online(tmp_path):
    """Answers of a server on this machine, and of the cache that they are kept in."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.send_response(404 if "gone" in self.path else 200)
            self.end_headers()

        do_GET = do_HEAD

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/gone"
    (tmp_path / "a.md").write_text(f"[a]({url})\n")
    assert urigrep.audit(tmp_path) == ([], [])
    cache = tmp_path / "links.jsonl"
    options = {"allow_private": True, "cache": cache, "timeout": "5s"}
    ((finding,), problems) = urigrep.audit(tmp_path / "a.md", online=True, **options)
    assert not problems
    assert (finding.check, finding.evidence["status"]) == ("dead-link", 404)
    server.shutdown()
    ((finding,), _) = urigrep.audit(tmp_path / "a.md", offline=True, cache=cache)
    assert finding.evidence["url"] == url


def test_memory_is_flat(tmp_path):
    """Some hundred MB, and as many matches, in less memory than either takes. URIGREP_STREAM_MB makes it more."""
    megabytes = int(os.environ.get("URIGREP_STREAM_MB", "200"))
    block = b"".join(b"http://a.example/%d/and/so/on some words in between to read\n" % n for n in range(20_000))
    file = tmp_path / "large.txt"
    blocks = megabytes * 1_000_000 // len(block) + 1
    with file.open("wb") as opened:
        for _ in range(blocks):
            opened.write(block)
    program = """
import resource, sys, urigrep
import pyarrow as pa
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
before, count = peak(), 0
for m in urigrep.scan(sys.argv[1]):
    count += 1
scanned, rows, in_batches = peak() - before, 0, 0
with open(sys.argv[1], "rb") as file:
    while lines := file.readlines(8 << 20):
        batch = urigrep.find_batch(pa.array(lines), first_row=rows, columns=["row", "uri"])
        rows += len(lines)
        in_batches += len(batch)
print(scanned, peak() - before, count, in_batches)
"""
    ran = subprocess.run([sys.executable, "-c", program, file], capture_output=True, text=True, check=True)
    file.unlink()
    scanned, batched, count, in_batches = map(int, ran.stdout.split())
    print(f"{megabytes} MB, {count} matches: {scanned} MiB for scan, {batched} MiB for find_batch")
    assert count == in_batches == blocks * 20_000
    assert scanned < 96, f"{scanned} MiB"
    assert batched < 256, f"{batched} MiB"


@pytest.mark.parametrize("before", [[], [b"http://a.example/ "]])
@pytest.mark.parametrize("fault", [ValueError("boom"), 5, None, b"x" * (1 << 20)])
def test_a_reader_that_fails_once_is_told(before, fault):
    class Reader:
        def __init__(self):
            self.parts = [*before, fault]

        def read(self, size):
            part = self.parts.pop(0) if self.parts else b""
            if isinstance(part, Exception):
                raise part
            return part

    scan = urigrep.scan(Reader(), errors="ignore")
    assert len(list(scan)) == len(before)
    assert len(scan.problems) == 1
    with pytest.raises(OSError):
        list(urigrep.scan(Reader(), errors="raise"))


def test_a_cycle_at_the_end_of_python():
    code = """
import urigrep
class Reader:
    def read(self, size):
        return b""
reader = Reader()
reader.scan = urigrep.scan(reader)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("errors", ["warn", "raise", "ignore"])
def test_an_interruption_of_a_reader_is_no_problem_of_the_file(errors):
    class Reader:
        parts = [b"http://a.example/ "]

        def read(self, size):
            if self.parts:
                return self.parts.pop()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(urigrep.scan(Reader(), errors=errors))
