#!/usr/bin/env python3
"""Generated messages: what Python's email package decodes, and what urigrep finds.

Each message is made of types, charsets, transfer encodings, and faults, and each part has URIs of its own.
A URI in a part as Python decodes it must be found. Every difference gets a class from the rules
below; one without a class fails the test.

usage: differential.py [--count N] [--seed N] [--keep DIR] URIGREP
"""

import base64
import collections
import email
import email.policy
import json
import pathlib
import quopri
import random
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import differences  # noqa: E402

TYPES = [
    "text/plain", "TEXT/PLAIN", "text/html", "text/csv", "text/calendar", "text/markdown", "text/x-unknown",
    "application/json", "application/xml", "application/octet-stream", "image/png", "message/delivery-status", "", "nonsense",
]
CHARSETS = ["utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-16", "utf-16le", "utf-7", "koi8-r", "shift_jis", "iso-2022-jp", "cp037", "x-unknown", ""]
ENCODINGS = ["7bit", "8bit", "quoted-printable", "base64", "binary", "", "x-uuencode", "uuencode"]
FAULTS = [
    "none", "none", "none", "comment", "quoted", "upper", "folded", "twice", "unknown-encoding", "padding", "junk-line",
    "no-blank-line", "lone-cr", "lf-only", "boundary-space", "no-close", "preamble", "overlong-line", "trailing-space",
]
URI = re.compile(r"https://u\d+\.example/[a-z0-9/?=.-]*[a-z0-9/]")


class Message:
    def __init__(self, rng):
        self.rng = rng
        self.number = 0
        self.traits = []

    def uri(self):
        self.number += 1
        return f"https://u{self.number}.example/{self.rng.choice(['', 'a', 'a/b', 'a?b=c', 'long/' * 12 + 'z'])}"

    def text(self, kind):
        one, two = self.uri(), self.uri()
        if kind.lower() == "text/html":
            return f'<p>see <a href="{one}">here</a> or {two} now</p>\r\n'
        if kind == "text/csv":
            return f"name,url\r\na,{one}\r\nb,{two}\r\n"
        if kind == "text/calendar":
            return f"BEGIN:VCALENDAR\r\nURL:{one}\r\nDESCRIPTION:{two}\r\nEND:VCALENDAR\r\n"
        if kind == "application/json":
            return json.dumps({"url": one, "text": f"see {two} now"}) + "\r\n"
        return f"see {one} or\r\n{two} now\r\n"

    def leaf(self):
        rng = self.rng
        kind, charset, encoding, fault = (rng.choice(it) for it in (TYPES, CHARSETS, ENCODINGS, FAULTS))
        self.traits.append((kind, charset, encoding, fault))
        text = self.text(kind)
        codec = {"": "utf-8", "x-unknown": "utf-8"}.get(charset, charset)
        body = text.encode(codec, "replace")
        wide = charset in ("utf-16", "utf-16le", "cp037")
        if wide and encoding not in ("base64", "binary", "quoted-printable"):
            encoding = "base64"
        if encoding == "base64":
            body = base64.encodebytes(body).replace(b"\n", b"\r\n")
            if fault == "padding":
                body = body.rstrip(b"=\r\n") + b"\r\n"
            if fault == "junk-line":
                body = body[:76] + b"\r\n" + body[76:] if len(body) < 100 else body[:78] + b"!!\r\n" + body[78:]
        elif encoding == "quoted-printable":
            if wide:
                body = b"=\r\n".join(b"".join(b"=%02X" % byte for byte in body[at : at + 24]) for at in range(0, len(body), 24))
            else:
                body = quopri.encodestring(body, quotetabs=False).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        elif encoding in ("uuencode", "x-uuencode"):
            lines = [body[at : at + 45] for at in range(0, len(body), 45)]
            import binascii

            body = b"begin 644 a.txt\r\n" + b"".join(binascii.b2a_uu(line).replace(b"\n", b"\r\n") for line in lines) + b"`\r\nend\r\n"
        label = encoding
        if fault == "comment" and label:
            label = f"(c) {label}"
        if fault == "quoted" and label:
            label = f'"{label}"'
        if fault == "upper":
            label = label.upper()
        if fault == "trailing-space" and label:
            label += "  "
        if fault == "unknown-encoding" and encoding in ("7bit", "8bit", ""):
            label = "x-nonsense"
        headers = []
        if kind:
            parameter = f"; charset={charset}" if charset else ""
            if fault == "folded":
                parameter = parameter.replace("; ", ";\r\n\t")
            headers.append(f"Content-Type: {kind}{parameter}")
        if label:
            headers.append(f"Content-Transfer-Encoding: {label}")
        if fault == "twice" and label:
            headers.append(f"Content-Transfer-Encoding: {label}")
        if fault == "overlong-line" and encoding in ("7bit", "8bit", ""):
            body = b"x" * 1200 + b" " + body
        return headers, body, fault

    def entity(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.5:
            headers, body, fault = self.leaf()
            blank = b"" if fault == "no-blank-line" and depth == 2 else b"\r\n"
            return "".join(line + "\r\n" for line in headers).encode() + blank + body
        fault = rng.choice(FAULTS)
        self.traits.append(("multipart", "", "", fault))
        boundary = rng.choice(["b", "a b", "=_x", "-", "b" * 70]) + str(depth)
        subtype = rng.choice(["mixed", "alternative", "related", "digest-like"])
        out = [f'Content-Type: multipart/{subtype}; boundary="{boundary}"\r\n\r\n'.encode()]
        if fault == "preamble":
            out.append(b"preamble " + self.uri().encode() + b"\r\n")
        space = b"  " if fault == "boundary-space" else b""
        for _ in range(rng.randint(1, 3)):
            out.append(b"--" + boundary.encode() + space + b"\r\n" + self.entity(depth - 1) + b"\r\n")
        if fault != "no-close":
            out.append(b"--" + boundary.encode() + b"--\r\n")
        return b"".join(out)

    def make(self):
        text = b"From: a@b.example\r\nSubject: test\r\nMIME-Version: 1.0\r\n" + self.entity(2)
        faults = {trait[3] for trait in self.traits}
        # The bytes of UTF-16 are no line ends, so it has line feeds.
        has_wide = any(trait[1].startswith("utf-16") for trait in self.traits)
        if "lone-cr" in faults and not has_wide and self.rng.random() < 0.3:
            text = text.replace(b"\r\n", b"\r")
            self.traits.append(("all", "", "", "lone-cr"))
        elif "lf-only" in faults:
            text = text.replace(b"\r\n", b"\n")
        return text


def leaves(part):
    """Yields the text of each leaf as Python decodes it, with its type."""
    if part.is_multipart():
        for child in part.get_payload():
            yield from leaves(child)
        # Python keeps the text before and after the parts.
        yield part, (part.preamble or "") + (part.epilogue or "")
        return
    data = part.get_payload(decode=True)
    data = data if data is not None else b""
    charset = part.get_content_charset() or "utf-8"
    try:
        text = data.decode(charset, "replace")
    except LookupError:
        text = data.decode("latin-1")
    yield part, text


def why_missing(part, uri, message):
    """The class of a URI that Python sees and urigrep does not, or None."""
    kind = part.get_content_type()
    data = part.get_payload(decode=True) if not part.is_multipart() else b""
    if kind.startswith("image/") and data and b"\0" in data:
        return "a picture that holds UTF-16"
    if kind == "application/octet-stream" and data and b"\0" in data[:2] + data[2:4] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "binary data"
    # Python undoes an encoding only if its label is exact, and never in a message that it takes apart. We do.
    label = str(part.get("Content-Transfer-Encoding", ""))
    if uri.endswith("=3") or label.lower() not in ("quoted-printable", "base64") and b"=3D" in message and "=3" in uri:
        return "Python does not undo quoted-printable here"
    return None


def main():
    arguments = differences.arguments(seed=5322)
    rng = random.Random(arguments.seed)
    classes, failed = collections.Counter(), []
    for first in range(0, arguments.count, 1000):
        messages = {}
        with tempfile.TemporaryDirectory() as folder:
            for number in range(first, min(first + 1000, arguments.count)):
                made = Message(rng)
                text = made.make()
                messages[f"{number}.eml"] = (text, made.traits)
                pathlib.Path(folder, f"{number}.eml").write_bytes(text)
            found = collections.defaultdict(set)
            for hit in differences.hits(arguments.urigrep, folder):
                if "uri" in hit:
                    found[hit["path"].removeprefix("./").split("!/")[0]].add(hit["uri"])
        for name, (text, traits) in messages.items():
            parsed = email.message_from_bytes(text, policy=email.policy.compat32)
            seen = set()
            for part, decoded in leaves(parsed):
                for uri in URI.findall(decoded):
                    seen.add(uri)
                    # In text that is damaged, a URI may go on with other characters.
                    if uri in found[name] or any(it.startswith(uri) for it in found[name]):
                        classes["both"] += 1
                        continue
                    reason = why_missing(part, uri, text)
                    classes[f"only Python: {reason}"] += 1
                    if reason is None:
                        failed.append((name, uri, traits))
                        differences.keep(arguments.keep, name, text)
            for uri in found[name] - seen:
                if URI.fullmatch(uri):
                    classes["only urigrep: Python does not decode it, or not so"] += 1
    differences.finish(classes, failed)


if __name__ == "__main__":
    main()
