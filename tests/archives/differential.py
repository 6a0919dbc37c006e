#!/usr/bin/env python3
"""Mutated archives by independent decoders, those of Python: what they read, the command reads, or it says that it could not.

    tests/archives/differential.py [--count N] [--seed N] [--keep DIRECTORY] COMMAND

Archives of texts with URIs are changed at random: bits, bytes, pieces that are removed, repeated or put elsewhere, two
archives after each other or one in another. Each is read by the decoders of Python. For each URI in what they give, the
command prints a match, or it prints an error for that file. And where Python says that it is damaged, so does the
command, or it has found every URI of the archive before it was changed. Fails with the archives that are otherwise.
"""

import argparse
import bz2
import gzip
import io
import json
import lzma
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

# as the texts have them: mutations may join others with what is around them
URI = re.compile(rb"(?<= )http://u\.example/[0-9]+/(?= )")
BATCH = 500


def text(rnd):
    """Lines with URIs, and between them what compresses well, or not at all."""
    lines = []
    for _ in range(rnd.choice([1, 3, 10, 40])):
        filler = rnd.choice([b"word " * rnd.randrange(8), b"%x" % rnd.getrandbits(400), b""])
        lines.append(filler + b" http://u.example/%d/ \n" % rnd.randrange(10 ** 6))
    return b"".join(lines)


def zipped(rnd, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for number in range(rnd.randrange(1, 4)):
            name = rnd.choice(["a%d", "d/b%d.txt", "c%d/"]) % number
            archive.writestr(name, text(rnd))
        if rnd.random() < 0.2:
            archive.comment = b" http://u.example/%d/ " % rnd.randrange(10 ** 6)
    return out.getvalue()


def streamed(rnd):
    """A zip that was written to a pipe: sizes follow the members."""
    class Pipe(io.RawIOBase):
        def __init__(self):
            self.bytes = b""

        def writable(self):
            return True

        def write(self, data):
            self.bytes += bytes(data)
            return len(data)
    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(rnd.randrange(1, 4)):
            archive.writestr("s%d" % number, text(rnd))
    return out.bytes


def tarred(rnd, how):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=how) as archive:
        for number in range(rnd.randrange(1, 4)):
            body = text(rnd)
            member = tarfile.TarInfo(rnd.choice(["a%d", "d/b%d.txt", "e" * 90 + "/" + "f" * 80 + "%d"]) % number)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return out.getvalue()


MAKERS = {
    "gz": lambda rnd: gzip.compress(text(rnd), rnd.choice([0, 1, 9])),
    "bz2": lambda rnd: bz2.compress(text(rnd), rnd.choice([1, 9])),
    "xz": lambda rnd: lzma.compress(text(rnd), check=rnd.choice([lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256])),
    "lzma": lambda rnd: lzma.compress(text(rnd), format=lzma.FORMAT_ALONE),
    "zz": lambda rnd: zlib.compress(text(rnd)),
    "zip": lambda rnd: rnd.choice([lambda: zipped(rnd, rnd.choice([0, 8, 12])), lambda: streamed(rnd)])(),
    "tar": lambda rnd: tarred(rnd, rnd.choice([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])),
    "tgz": lambda rnd: gzip.compress(tarred(rnd, tarfile.GNU_FORMAT)),
    "tbz": lambda rnd: bz2.compress(tarred(rnd, tarfile.USTAR_FORMAT)),
}


def mutated(rnd, data, other):
    data = bytearray(data)
    for _ in range(rnd.choice([0, 1, 1, 1, 2, 5])):
        at, length = rnd.randrange(len(data) + 1), rnd.choice([1, 1, 2, 8, 100])
        kind = rnd.randrange(8)
        if kind < 3 and data:
            bit = rnd.randrange(len(data) * 8)
            data[bit // 8] ^= 1 << bit % 8
        elif kind == 3:
            data[at:at + length] = bytes(rnd.choice([0, 0xff, rnd.randrange(256)]) for _ in range(length))
        elif kind == 4:
            del data[at:at + length]
        elif kind == 5:
            piece = data[at:at + length]
            where = rnd.randrange(len(data) + 1)
            data[where:where] = piece
        elif kind == 6:
            where = rnd.choice([0, at, len(data), len(data)])
            data[where:where] = rnd.choice([other, b" http://u.example/%d/ " % rnd.randrange(10 ** 6), b"\0" * 512])
        else:
            del data[rnd.randrange(len(data) + 1):]
    return bytes(data)


def independent(kind, data):
    """What the decoders of Python read of it, and whether they say that it is damaged."""
    try:
        if kind in ("gz", "tgz"):
            return read(gzip.GzipFile(fileobj=io.BytesIO(data)), kind)
        if kind in ("bz2", "tbz"):
            return read(bz2.BZ2File(io.BytesIO(data)), kind)
        if kind == "xz":
            return read(lzma.LZMAFile(io.BytesIO(data), format=lzma.FORMAT_XZ), kind)
        if kind == "lzma":
            # it may be filled up, and has no checksum
            data = data.rstrip(b"\0")
            return read(lzma.LZMAFile(io.BytesIO(data), format=lzma.FORMAT_ALONE), kind)
        if kind == "zz":
            stream = zlib.decompressobj()
            given = stream.decompress(data)
            return given, not stream.eof or bool(stream.unused_data.strip(b"\0"))
        if kind == "zip":
            return unzipped(data)
        return untarred(data)
    except Exception:  # whatever they say of damage
        return b"", True


MAGICS = {"gz": b"\x1f\x8b", "tgz": b"\x1f\x8b", "bz2": b"BZh", "tbz": b"BZh", "xz": b"\xfd7zXZ", "zip": b"PK"}


def is_other(kind, data):
    """True for text, and for what starts like another format: it is read as such."""
    try:
        if not re.search(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]", data[:512].decode().encode()):
            return True
    except UnicodeDecodeError:
        pass
    # hardly anything is left
    if kind == "lzma" or len(data.strip(b"\0")) < 16:
        return True
    # nothing says what it is: a name does not
    if kind != "zip" and not data.startswith(MAGICS.get(kind, b"")):
        return True
    others = {magic for magic in MAGICS.values() if magic != MAGICS.get(kind)}
    return any(data.startswith(magic) for magic in others) or (kind != "tar" and data[257:262] == b"ustar")


def read(stream, kind):
    given, damaged = b"", False
    try:
        while piece := stream.read(256):
            given += piece
    except Exception:
        damaged = True
    if kind in ("tgz", "tbz") and not damaged and given[257:262] == b"ustar":
        return untarred(given)
    return given, damaged


def unzipped(data):
    given, damaged = b"", False
    archive = zipfile.ZipFile(io.BytesIO(data))
    for member in archive.infolist():
        try:
            given += archive.read(member)
        except Exception:
            damaged = True
    return given + archive.comment, damaged


def untarred(data):
    given, damaged = b"", False
    archive = tarfile.open(fileobj=io.BytesIO(data), mode="r:", errorlevel=2)
    for member in archive:
        if member.isfile():
            given += archive.extractfile(member).read()
    return given, damaged


def ours(command, directory, flags):
    """The URIs that the command finds in each file, and the files that it says something of."""
    ran = subprocess.run([command, "-z", "--json", *flags, "-I", "."], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if ran.returncode not in (0, 1, 2):
        sys.exit(f"it ended with {ran.returncode} in {directory}")
    found, told = {}, set()
    for line in ran.stdout.splitlines():
        record = json.loads(line)
        path = record.get("path", "")
        if isinstance(path, dict):
            path = __import__("base64").b64decode(path["bytes"]).decode("latin1")
        name = path.removeprefix("./").split("!/")[0]
        if record["type"] == "match":
            found.setdefault(name, set()).add(record.get("uri", "").encode())
        elif record["type"] == "error":
            told.add(name)
    return found, told


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--count", type=int, default=10_000)
    args.add_argument("--seed", type=int, default=3986)
    args.add_argument("--keep", type=pathlib.Path)
    args.add_argument("command", type=os.path.abspath)
    args = args.parse_args()
    # whatever Python thinks of the archives
    __import__("warnings").simplefilter("ignore")
    lost, made = [], 0
    while made < args.count:
        rnd = random.Random(args.seed * 1_000_003 + made)
        with tempfile.TemporaryDirectory(prefix="urigrep-differential-") as directory:
            cases = {}
            for number in range(min(BATCH, args.count - made)):
                kind = rnd.choice(list(MAKERS))
                whole = MAKERS[kind](rnd)
                data = mutated(rnd, whole, MAKERS[rnd.choice(list(MAKERS))](rnd))
                name = f"{number}.{kind}"
                cases[name] = (kind, whole, data)
                pathlib.Path(directory, name).write_bytes(data)
            made += len(cases)
            all_found, all_told = ours(args.command, directory, ["-a"])
            found, told = ours(args.command, directory, [])
            for name, (kind, whole, data) in cases.items():
                given, damaged = independent(kind, data)
                missing = set(URI.findall(given)) - all_found.get(name, set())
                if missing and name not in all_told:
                    lost.append((args.seed, made, name, f"{len(missing)} URIs are lost"))
                elif damaged and name not in told and not is_other(kind, data):
                    before, _ = independent(kind, whole)
                    if kind == "zip":
                        # a comment has no checksum
                        comment = zipfile.ZipFile(io.BytesIO(whole)).comment
                        before = before.removesuffix(comment)
                    if set(URI.findall(before)) - found.get(name, set()):
                        lost.append((args.seed, made, name, "damage is not told"))
                if args.keep and lost and lost[-1][:3] == (args.seed, made, name):
                    args.keep.mkdir(exist_ok=True)
                    (args.keep / f"{made}-{name}").write_bytes(data)
    for case in lost[:20]:
        print(*case)
    print(f"{made} archives, {len(lost)} with something lost and nothing said")
    sys.exit(bool(lost))


main()
