#!/usr/bin/env python3
"""Mutated Office files, books, PDF, RTF, and TNEF: each ends soon, in bounded memory, and what is lost is told.

    tests/formats/damage.py [--count N] [--seed N] [--files DIRECTORY] [--keep DIRECTORY] [--format NAME]... COMMAND

Changed are the documents of corpus/documents, or the files below DIRECTORY (up to 80 kB, by their extension): bytes,
a cut at the end or in the middle, a piece that is repeated, or one of another file. Of each, the command must end with
a status of 0, 1, or 2, in 10 s of processor time and 512 MiB of address space. When a URI of the whole file is missing
and no error is printed for the file, it is silent. A silent file fails if an independent reader says that the file is
damaged (zipfile; the checksums of TNEF), or still reads that link (pypdf, if it is installed).
"""

import argparse
import collections
import contextlib
import io
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile

FORMATS = ["docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "rtf", "pdf", "tnef"]
CORPUS = pathlib.Path(__file__).parents[2] / "corpus/documents"
LARGEST = 80_000
BATCH = 200
SECONDS = 10
ADDRESS_SPACE = 512 << 20

try:
    import pypdf
except ImportError:
    pypdf = None


def packed(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members:
            archive.writestr(name, text)
    return out.getvalue()


def of_corpus(name):
    """The documents of a format in the corpus; spreadsheets and slides of OpenDocument are with the text documents."""
    table = tomllib.loads((CORPUS / f"{'odt' if name in ('ods', 'odp') else name}.toml").read_text())
    for document in table["document"]:
        if "members" in document:
            yield packed(document["members"])
        elif "hex" in document:
            yield bytes.fromhex(document["hex"].replace("\n", ""))
        # without that it is a text of this name
        elif document.get("text", "").startswith(("%PDF", "{")):
            yield document["text"].encode()


def of_files(directory, name):
    for path in sorted(directory.rglob(f"*.{name}")):
        if path.is_file() and path.stat().st_size <= LARGEST:
            yield path.read_bytes()


def mutated(rnd, data, other):
    data = bytearray(data)
    kind = rnd.randrange(8)
    at = rnd.randrange(len(data) + 1)
    length = rnd.choice([1, 4, 20, 100, 1000])
    if kind < 4 and data:
        for _ in range(rnd.choice([1, 1, 2, 5, 40])):
            where = rnd.randrange(len(data))
            data[where] = rnd.choice([0, 0xff, data[where] ^ 1 << rnd.randrange(8), rnd.randrange(256)])
    elif kind == 4:
        del data[at:]
    elif kind == 5:
        del data[at:at + length]
    elif kind == 6:
        data[at:at] = data[at:at + length]
    else:
        start = rnd.randrange(len(other) + 1)
        data[at:at + rnd.choice([0, length])] = other[start:start + length]
    # of an empty file nothing can be lost
    return bytes(data) or b"\0"


def limits(seconds):
    def apply():
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    return apply


class Ran:
    """What the command says of each file of a directory, and what it took."""

    def __init__(self, command, directory, names, seconds):
        self.uris, self.told = collections.defaultdict(set), set()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen([command, "-j1", "--json", "--no-config", *names], cwd=directory, stdout=out,
                                       stderr=err, preexec_fn=limits(seconds))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            self.status = os.waitstatus_to_exitcode(status)
            self.seconds = usage.ru_utime + usage.ru_stime
            self.memory = usage.ru_maxrss >> 10
            out.seek(0)
            err.seek(0)
            self.panicked = b"panicked" in err.read()
            for line in out:
                with contextlib.suppress(ValueError):
                    self.add(json.loads(line))

    def add(self, record):
        path = record.get("path", "")
        name = path.split("!/")[0] if isinstance(path, str) else ""
        if record["type"] == "match":
            self.uris[name].add(record.get("uri", ""))
        elif record["type"] == "error":
            self.told.add(name)

    def failed(self):
        return self.status not in (0, 1, 2) or self.panicked


def zip_is_damaged(data):
    try:
        return zipfile.ZipFile(io.BytesIO(data)).testzip() is not None
    except Exception:  # whatever it says of damage
        return True


def tnef_is_damaged(data):
    """MS-OXTNEF 2.1.2: level, id, length, data, sum of its bytes."""
    if data[:4] != bytes.fromhex("789f3e22"):
        return True
    at = 6
    while at < len(data):
        length = int.from_bytes(data[at + 5:at + 9], "little")
        body = data[at + 9:at + 9 + length]
        checksum = data[at + 9 + length:at + 11 + length]
        # real programs write wrong sums behind the properties of attachments
        is_summed = data[at + 1:at + 5] != bytes.fromhex("05900600")
        is_wrong = sum(body) & 0xffff != int.from_bytes(checksum, "little")
        if data[at] not in (1, 2) or len(checksum) < 2 or is_summed and is_wrong:
            return True
        at += 11 + length
    return False


def links_of_pypdf(data):
    found = set()
    with contextlib.suppress(Exception):
        for page in pypdf.PdfReader(io.BytesIO(data)).pages:
            for note in page.get("/Annots") or []:
                with contextlib.suppress(Exception):
                    found.add(str(note.get_object()["/A"]["/URI"]))
    return found


def fault(name, data, missing):
    """Why an independent reader says that what is missing should have been found, or told."""
    # hardly anything is left
    if len(data) < 30:
        return None
    if name == "tnef":
        return "a checksum is wrong" if tnef_is_damaged(data) else None
    if name not in ("rtf", "pdf"):
        return "zipfile says it is damaged" if zip_is_damaged(data) else None
    # RTF has no sums: a changed word is another word
    links = links_of_pypdf(data) if name == "pdf" and pypdf else set()
    return next((f"pypdf reads {uri}" for uri in missing & links), None)


def check(name, args, seeds):
    counts, seconds, memory, faults = collections.Counter(), 0.0, 0, []
    tmp = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=tmp) as directory:
        directory = pathlib.Path(directory)

        def whole(seed):
            (directory / f"s.{name}").write_bytes(seed)
            ran = Ran(args.command, directory, [f"s.{name}"], SECONDS)
            return ran.uris[f"s.{name}"], bool(ran.told)
        before = [whole(seed) for seed in seeds]
        for start in range(0, args.count, BATCH):
            cases = {}
            for number in range(start, min(start + BATCH, args.count)):
                rnd = random.Random(f"{args.seed} {name} {number}")
                which = rnd.randrange(len(seeds))
                file = f"{number}.{name}"
                cases[file] = (which, mutated(rnd, seeds[which], rnd.choice(seeds)))
                (directory / file).write_bytes(cases[file][1])
            ran = Ran(args.command, directory, list(cases), SECONDS)
            memory = max(memory, ran.memory)
            alone = {}
            # which of them it was, and which takes longest
            if ran.failed() or ran.seconds > 2:
                alone = {file: Ran(args.command, directory, [file], SECONDS) for file in cases}
                seconds = max(seconds, *(it.seconds for it in alone.values()))
            for file, (which, data) in cases.items():
                it = alone.get(file, ran)
                uris, told_before = before[which]
                why = None
                if alone and it.failed():
                    counts["failed"] += 1
                    why = f"status {it.status}, {it.seconds:.1f} s"
                elif file in it.told:
                    counts["told"] += 1
                elif uris <= it.uris[file]:
                    counts["nothing lost"] += 1
                else:
                    counts["silent"] += 1
                    if not told_before:
                        why = fault(name, data, uris - it.uris[file])
                if why:
                    faults.append((file, why))
                    if args.keep:
                        args.keep.mkdir(parents=True, exist_ok=True)
                        (args.keep / file).write_bytes(data)
                        (args.keep / f"{file}.whole").write_bytes(seeds[which])
                (directory / file).unlink()
    print(f"{name}: {len(seeds)} files, {args.count} mutations, " +
          ", ".join(f"{counts[it]} {it}" for it in ("nothing lost", "told", "silent", "failed")) +
          f", {len(faults)} faults; longest {'below 2' if not seconds else f'{seconds:.2f}'} s, {memory} MiB", flush=True)
    for file, why in faults[:20]:
        print(f"  {file}: {why}")
    return faults


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--count", type=int, default=10_000)
    args.add_argument("--seed", type=int, default=46)
    args.add_argument("--files", type=pathlib.Path)
    args.add_argument("--keep", type=pathlib.Path)
    args.add_argument("--format", action="append", choices=FORMATS)
    args.add_argument("command", type=os.path.abspath)
    args = args.parse_args()
    __import__("logging").disable()
    __import__("warnings").simplefilter("ignore")
    failed = False
    for name in args.format or FORMATS:
        seeds = list(of_files(args.files, name) if args.files else of_corpus(name))
        if not seeds:
            sys.exit(f"no files of {name}")
        failed |= bool(check(name, args, seeds))
    sys.exit(failed)


main()
