#!/usr/bin/env python3
"""Measures the bounds that SECURITY.md promises, and fails when one is not met.

    tests/faults/bounds.py [--long] [COMMAND]

COMMAND is the command to measure, target/release/urigrep by default. Peaks of resident memory may be
64 MiB and 8 MiB a thread, whatever the input; while something is unpacked that looks back further than
8 MiB, as `xz -9` does, its window comes to that, 64 MiB at most and one at a time. The output must be the same
for any number of threads.
Inputs are generated, some hundred megabytes in a temporary directory. A minute; --long takes GiBs where
the short form takes a quarter of them.
"""

import base64
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile

KIB, MIB = 1 << 10, 1 << 20
LONG = "--long" in sys.argv
ARGS = [arg for arg in sys.argv[1:] if arg != "--long"]
COMMAND = os.path.abspath(ARGS[0] if ARGS else "target/release/urigrep")
FAILED = []


def allowed(threads):
    return 64 + 8 * threads


def measure(args, feed=None, drop=False):
    """Peak in MiB, status, and standard output of a run. A process counts from the size of this one, so
    peaks below some 15 MiB are not told apart."""
    process = subprocess.Popen([COMMAND, *args], stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if feed:
        def write():
            try:
                feed(process.stdin)
                process.stdin.close()
            except BrokenPipeError:
                pass
        threading.Thread(target=write, daemon=True).start()
    if drop:
        out = b""
        while process.stdout.read(MIB):
            pass
    else:
        out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), out


def row(name, threads, args, feed=None, window=0, drop=False):
    peak, status, out = measure([f"-j{threads}", *args], feed, drop)
    most = allowed(threads) + window
    fine = peak <= most and status in (0, 1, 2)
    if not fine:
        FAILED.append(name)
    print(f"{name:42} -j{threads} {peak:7.1f} MiB of {most:3} status {status} {'' if fine else '  NOT MET'}",
          flush=True)
    return out


def lines(piece):
    """So many bytes of a line that never ends."""
    block = piece * (MIB // len(piece))

    def feed(to):
        for _ in range(1024 if LONG else 256):
            to.write(block)
    return feed


def hard_markdown():
    return {"links": b"[a](b) ", "stars": b"*a **b ", "brackets": b"[", "code": b"`a` ", "references": b"&amp;",
            "quotes": b"> a\n\n", "lists": b"- a\n"}


def mails():
    head = b"From: a@b.example\nDate: x\nMIME-Version: 1.0\n"
    encoded = b"Content-Transfer-Encoding: "
    html = b'<a href="http://a.example/&amp;">x</a>\n'
    return {
        "base64": head + b"Content-Type: text/html\n" + encoded + b"base64\n\n" + base64.encodebytes(html * 80000),
        "quoted": head + b"Content-Type: text/html\n" + encoded + b"quoted-printable\n\n"
                  + b'=3Ca=20href=3D"http://a.example/=26amp;">\n' * 100000,
        "charset": head + b"Content-Type: text/plain; charset=gbk\n\n" + b"\xb0\xa1http://a.example/\xb0\xa1 \n" * 180000,
        "deep": head + b"Content-Type: message/rfc822\n\n" * 130000,
        "parts": head + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: text/html\n\n<a href=x>\n" * 90000,
    }


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def generate(top):
    for name, piece in hard_markdown().items():
        for copy in range(3):
            write(top / "markdown" / f"{name}{copy}.md", piece * (512 * KIB // len(piece)))
    # as many marks as a document that large may have
    sparse = b"[a](b) words, words\n"
    for copy in range(3):
        write(top / "markdown" / f"sparse{copy}.md", (sparse + b"w" * 89 + b"\n") * (4 * MIB // (len(sparse) + 90)))
    html = {"links": b'<a href="/b?x&amp;y">', "references": b"&amp;&#65;", "attributes": b"<p a=b c=d e=f>", "open": b"<"}
    for name, piece in html.items():
        for copy in range(4):
            write(top / "html" / f"{name}{copy}.html", b"<!doctype html>" + piece * ((12 * MIB - 20) // len(piece)))
    for name, message in mails().items():
        for copy in range(3):
            write(top / "mail" / f"{name}{copy}.eml", message[:4 * MIB])
    locations = b"Content-Location: http://l.example/" + b"a" * 100_000 + b"\n"
    with open(top / "mailbox", "wb") as out:
        for copy in range(20):
            for message in mails().values():
                # as large as all threads may read at once, and larger
                for size in (40 * KIB, 250 * KIB, 500 * KIB, 600 * KIB):
                    out.write(b"From a@b.example Wed Mar  2 23:56:19 2005\n")
                    out.write(locations + message[:size].rstrip(b"\n") + b"\n\n")
    text = top / "text"
    with open(text, "wb") as out:
        for index in range(400 if LONG else 80):
            out.write(b"x" * 1_000_000 + b" http://a.example/%d\n" % index)
    write(top / "bomb.gz.gz", gzip.compress(gzip.compress(bytes(1024 * MIB if LONG else 256 * MIB), 1), 1))
    for tool, level, suffix, copies in [("xz", "-9", "xz", 2), ("xz", "-6", "xz", 5), ("zstd", "-19", "zst", 3), ("bzip2", "-9", "bz2", 1)]:
        if shutil.which(tool) is None:
            print(f"SKIPPED {tool}: it is not there")
            continue
        name = f"{tool}{level}.{suffix}"
        (top / "packed").mkdir(exist_ok=True)
        with open(top / "packed" / name, "wb") as out:
            subprocess.run([tool, "-q", level, "-c", text], stdout=out, check=True)
        for copy in range(1, copies):
            (top / "packed" / f"{copy}{name}").hardlink_to(top / "packed" / name)


def zip_of_large_members(path):
    """Members as long as those that are unpacked ahead, packed to nothing and not at all."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for index in range(60):
            data = base64.b64encode(os.urandom(3 * MIB // 2)) if index % 2 else b"http://a.example/ " * (2 * MIB // 18)
            out.writestr(f"{index}.txt", data[:2 * MIB])


def many_uris(path, number):
    with open(path, "wb") as out:
        for first in range(0, number, 1000):
            out.write(b"".join(b"http://a.example/%d some words behind it\n" % uri for uri in range(first, first + 1000)))


def many_threads(path, number):
    with open(path, "wb") as out:
        for message in range(number):
            out.write(b"From a@b.example Wed Mar  2 23:56:19 2005\nMessage-ID: <%d@a.example>\n\nhttp://a.example/%d\n\n" % (message, message))


FILES = 200_000


def many_files(top):
    for folder in range(FILES // 1000):
        first = top / "many" / str(folder) / "0"
        write(first, b"http://a.example/\n")
        for name in range(1, 1000):
            os.link(first, first.with_name(str(name)))


def main():
    with tempfile.TemporaryDirectory(prefix="urigrep-bounds-") as name:
        top = pathlib.Path(name)
        for piece in [b"x", b"http://a.example/", b"a:b c:d ", b"data:text/plain,", b"<", b"["]:
            row(f"a line without end of {piece.decode()!r}", 1, ["-c"], lines(piece))
        # in another process, so that this one stays small
        child = os.fork()
        if child == 0:
            generate(top)
            many_files(top)
            zip_of_large_members(top / "large.zip")
            many_uris(top / "uris", 10_000_000 if LONG else 2_500_000)
            many_uris(top / "uris2", 10_000_000 if LONG else 2_500_000)
            many_threads(top / "threads", 1_200_000)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            sys.exit("no inputs could be made")
        for threads in (1, 8):
            row("a file of long lines", threads, ["-c", top / "text"])
            row("a bomb, twice packed", threads, ["-c", top / "bomb.gz.gz"])
            row("a zip of large members", threads, ["-c", top / "large.zip"])
            row("large windows: xz -9, zstd -19", threads, ["-c", "-z", top / "packed"], window=64)
            for kind in ("markdown", "html", "mail"):
                row(f"hard documents: {kind}", threads, ["-c", top / kind])
            row("a hard mailbox", threads, ["-c", top / "mailbox"])
            row("threads of mail", threads, ["-c", "--dedupe=thread", top / "threads"])
            row("different URIs, counted", threads, ["-c", "--stats", top / "uris", top / "uris2"])
        # last, as their output makes this process larger
        for threads in (1, 8):
            for order in ([], ["--sort", "path"]):
                name = " ".join([f"{FILES} files", *order])
                if row(name, threads, ["-o", *order, top / "many"]).count(b"\n") != FILES:
                    FAILED.append(name)
        for name, args in [("--json", ["--json"]), ("SARIF", ["--format=sarif"])]:
            for threads in (1, 8):
                row(f"different URIs, {name}", threads, [*args, top / "uris", top / "uris2"], drop=True)
        # in KiB, of addresses: an allocation that fails ends no process by a signal
        limited = ["sh", "-c", 'ulimit -v 100000; exec "$0" "$@"', COMMAND]
        for args in (["--json"], ["--json", "-j1"], ["--stats", "-c"], ["--format=sarif"], ["--dedupe=thread", "--json"], ["--unique"], ["--top=5"]):
            for path in (top / "uris", top / "threads"):
                ran = subprocess.run([*limited, *args, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                fine = ran.returncode in (0, 2)
                print(f"{'ulimit -v 100000 ' + ' '.join(args) + ' ' + path.name:42} status {ran.returncode} {'' if fine else '  NOT MET'}", flush=True)
                if not fine:
                    FAILED.append(f"ulimit -v {args}")
        trees = [top / kind for kind in ("markdown", "html", "mail", "mailbox")]
        outputs = []
        for threads in (1, 2, 8):
            _, _, out = measure([f"-j{threads}", "-z", "-n", *trees])
            out += measure([f"-j{threads}", "-b", trees[-1]])[2]
            outputs.append((len(out), hash(tuple(sorted(out.split(b"\n"))))))
        same = all(out == outputs[0] for out in outputs)
        print(f"{'the same for -j1, -j2 and -j8, sorted':42} {outputs[0][0]} bytes {'' if same else '  NOT MET'}")
        if not same:
            FAILED.append("the same for any number of threads")
    if FAILED:
        print("NOT MET:", ", ".join(FAILED))
        sys.exit(1)


main()
