#!/usr/bin/env python3
"""Writes a mailing list's archive of synthetic messages in mbox form, and what URIs it holds.

usage: make.py MESSAGES MBOX MANIFEST [SEED]

The messages are in the manner of real mailers: how they choose an encoding, wrap lines, quote, and make
HTML. The manifest has a line for each URI of each message, once a message: Message-ID, tab, URI. The bytes
are put together by hand, not by the `email` package, which is the independent reader (read.py).
"""

import base64
import html
import quopri
import random
import sys
from datetime import datetime, timedelta, timezone

WORDS = """the of and to in is that for on with as this by from are we it be not or have you can if
patch build version release server list archive question answer thanks regards please see below attached
compiler kernel module test failed works here again maybe later before after window package update""".split()
NON_ASCII = ["café", "größer", "naïve", "東京", "Привет", "señor", "façade", "żółw", "—", "“quoted”", "…"]
HOSTS = ["www.example.com", "docs.example.org", "a.example", "lists.example.net", "bugs.example.edu", "ftp.example.org"]
NAMES = [("Ann Lee", "ann@a.example"), ("Bjørn Åse", "bjorn@b.example"), ("José Núñez", "jose@c.example"),
         ("Ivan Petrov", "ivan@d.example"), ("田中 太郎", "tanaka@e.example"), ("Mary O'Neil", "mary@f.example")]


class Message:
    """What is written, and which URIs are in it."""

    def __init__(self, rng, number, when, previous):
        self.rng = rng
        self.number = number
        self.when = when
        self.previous = previous
        self.name, self.address = rng.choice(NAMES)
        self.id = f"{when:%Y%m%d%H%M%S}.{number}@{self.address.split('@')[1]}"
        self.uris = []

    # What people write

    def words(self, count, wide):
        chosen = self.rng.choices(WORDS, k=count)
        if wide:
            chosen[self.rng.randrange(count)] = self.rng.choice(wide)
        return " ".join(chosen)

    def uri(self):
        """A URI that no other message has, of a shape that is often seen."""
        rng, n = self.rng, f"{self.number}-{len(self.uris)}"
        host = rng.choice(HOSTS)
        long = "/".join(rng.choices(WORDS, k=rng.randrange(8, 20)))
        made = rng.choice([
            f"http://{host}/{n}",
            f"https://{host}/{n}/",
            f"https://{host}/wiki/Page_(number)_{n}",
            f"https://{host}/search?q={n}&hl=en&start=10",
            f"https://{host}/a.php?id={n}&x=%C3%A9#part-2",
            f"https://{host}/{long}/{n}.html",
            f"http://{host}:8080/~user/{n}",
            f"ftp://{host}/pub/{n}.tar.gz",
            f"urn:example:{n}",
            f"https://doi.org/10.1000/{n}",
            f"https://{host}/?eq=a=b=c{n}=",
        ])
        self.uris.append(made)
        return made

    def sentence(self, wide):
        """Some text, and the URIs in it at places where they are often put."""
        rng = self.rng
        if rng.random() < 0.5:
            return self.words(rng.randrange(5, 14), wide) + "."
        uri = self.uri()
        before, after = self.words(rng.randrange(2, 6), wide), self.words(rng.randrange(2, 6), wide)
        return rng.choice([
            f"{before} {uri} {after}.",
            f"{before} <{uri}> {after}.",
            f"{before} ({uri}), {after}.",
            f"{before}: {uri}",
            f"{before} \"{uri}\" {after}.",
        ])

    def paragraphs(self, count, wide):
        return [[self.sentence(wide) for _ in range(self.rng.randrange(1, 4))] for _ in range(count)]

    # How it is written down

    def header(self, *more):
        subject = self.words(4, NON_ASCII if self.number % 5 == 0 else None)
        date = self.when.strftime("%a, %d %b %Y %H:%M:%S +0000")
        lines = [f"From: {encoded(self.name)} <{self.address}>", "To: list@lists.example.net",
                 f"Subject: {encoded(subject)}", f"Date: {date}", f"Message-ID: <{self.id}>"]
        if self.previous:
            lines += [f"In-Reply-To: <{self.previous}>", f"References: <{self.previous}>"]
        return lines + list(more)

    def list_header(self):
        unsubscribe = f"https://lists.example.net/unsubscribe/{self.number}"
        archived = f"https://lists.example.net/archive/{self.number}"
        post = f"mailto:list-{self.number}@lists.example.net"
        self.uris += [unsubscribe, archived, post]
        return [f"List-Unsubscribe: <{unsubscribe}>,\n\t<{post}>", f"Archived-At: <{archived}>"]


def encoded(text):
    """RFC 2047, in both encodings, split where it is long."""
    if text.isascii():
        return text
    if len(text) % 2:
        return "=?UTF-8?B?" + base64.b64encode(text.encode()).decode() + "?="
    try:
        raw, charset = text.encode("iso-8859-1"), "iso-8859-1"
    except UnicodeEncodeError:
        raw, charset = text.encode(), "utf-8"
    out = "".join(chr(b) if chr(b).isalnum() and b < 128 else "_" if b == 32 else f"={b:02X}" for b in raw)
    return f"=?{charset}?Q?{out}?="


def wrapped(text, width):
    """Lines of words; a word that is longer stands alone."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return lines + [line]


def qp(text, charset="utf-8"):
    return quopri.encodestring(text.encode(charset)).decode("ascii")


def b64(text, charset="utf-8"):
    raw = base64.b64encode(text.encode(charset)).decode("ascii")
    return "\n".join(raw[at:at + 76] for at in range(0, len(raw), 76)) + "\n"


def as_html(message, paragraphs, quote):
    """The paragraphs, with links where there are URIs, as the editor of a mailer makes them."""
    out = []
    for sentences in paragraphs:
        text = html.escape(" ".join(sentences), quote=quote)
        for uri in message.uris:
            shown = html.escape(uri, quote=quote)
            if shown in text:
                # Each stands once, and none is the start of another and more: a hyphen or the like follows
                text = text.replace(shown, f"\0{shown}\1", 1)
        text = text.replace("\0", "<a href=\"\2").replace("\1", "\3</a>")
        while "\2" in text:
            start = text.index("\2")
            end = text.index("\3", start)
            link = text[start + 1:end]
            text = f"{text[:start]}{link}\">{link}{text[end + 1:]}"
        out.append(f"<p>{text}</p>")
    return "\n".join(out)


def plain_text(paragraphs, width=72):
    return "\n\n".join("\n".join(wrapped(" ".join(s), width)) for s in paragraphs) + "\n"


def mutt(m):
    """One part, as it is; long lines are the author's."""
    body = plain_text(m.paragraphs(3, None))
    return m.header(*m.list_header(), "MIME-Version: 1.0", "Content-Type: text/plain; charset=us-ascii",
                    "Content-Disposition: inline", "User-Agent: Mutt/1.5.9i"), body


def mutt_8bit(m):
    body = plain_text(m.paragraphs(3, ["café", "größer", "señor"]))
    return m.header("MIME-Version: 1.0", "Content-Type: text/plain; charset=iso-8859-1",
                    "Content-Transfer-Encoding: 8bit", "User-Agent: Mutt/2.2.9"), (body, "iso-8859-1")


def thunderbird(m):
    """format=flowed (RFC 3676): a space at the end of a line, also inside what it quotes."""
    lines = []
    for sentences in m.paragraphs(3, None):
        flowed = wrapped(" ".join(sentences), 70)
        depth = "> " if m.previous and m.rng.random() < 0.3 else ""
        for at, line in enumerate(flowed):
            soft = " " if at + 1 < len(flowed) else ""
            stuffed = line if depth or not line.startswith((">", " ", "From ")) else " " + line
            lines.append(f"{depth}{stuffed}{soft}")
        lines.append("")
    lines += ["-- ", m.name if m.name.isascii() else "Jo"]
    return m.header("MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8; format=flowed",
                    "Content-Transfer-Encoding: 7bit", "User-Agent: Mozilla Thunderbird"), "\n".join(lines) + "\n"


def thunderbird_delsp(m):
    """DelSp=yes: a long URI is cut with a space that is not part of it."""
    lines = []
    for sentences in m.paragraphs(2, None):
        text, line = " ".join(sentences), ""
        while text:
            line, text = text[:66], text[66:]
            # a line that ends or starts in a space of its own would not come back as it was
            while text and (line.endswith(" ") or text.startswith((" ", ">", "From "))):
                line, text = line + text[0], text[1:]
            lines.append(line + (" " if text else ""))
        lines.append("")
    return m.header("MIME-Version: 1.0", "Content-Type: text/plain; charset=us-ascii; format=flowed; delsp=yes",
                    "Content-Transfer-Encoding: 7bit"), "\n".join(lines) + "\n"


def gmail(m):
    """Both forms; base64 when there is something beyond ASCII."""
    wide = NON_ASCII if m.number % 2 else None
    paragraphs = m.paragraphs(3, wide)
    text, page = plain_text(paragraphs, 76), f"<div dir=\"ltr\">{as_html(m, paragraphs, False)}</div>\n"
    boundary = f"000000000000{m.number:012x}"
    encoding, encode = ("base64", b64) if wide else ("quoted-printable", qp)
    return m.header("MIME-Version: 1.0", f"Content-Type: multipart/alternative; boundary=\"{boundary}\""), (
        f"--{boundary}\nContent-Type: text/plain; charset=\"UTF-8\"\nContent-Transfer-Encoding: {encoding}\n\n"
        f"{encode(text)}\n--{boundary}\nContent-Type: text/html; charset=\"UTF-8\"\n"
        f"Content-Transfer-Encoding: {encoding}\n\n{encode(page)}\n--{boundary}--\n")


def outlook(m):
    """Windows-1252, quoted-printable, a page of its own, and pictures by cid:."""
    paragraphs = m.paragraphs(3, ["café", "“quoted”", "größer", "…"])
    text = plain_text(paragraphs, 10_000)
    boundary = f"_000_{m.number:08X}outlook_"
    page = ("<html xmlns:o=\"urn:schemas-microsoft-com:office:office\" xmlns=\"http://www.w3.org/TR/REC-html40\">\n"
            "<head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=Windows-1252\"></head>\n"
            f"<body lang=\"EN-US\">{as_html(m, paragraphs, True)}</body></html>\n")
    m.uris += ["urn:schemas-microsoft-com:office:office", "http://www.w3.org/TR/REC-html40"]
    return m.header("MIME-Version: 1.0", "X-Mailer: Microsoft Outlook 16.0", "Content-Language: en-US",
                    f"Content-Type: multipart/alternative;\n\tboundary=\"{boundary}\""), (
        f"\n--{boundary}\nContent-Type: text/plain; charset=\"Windows-1252\"\n"
        f"Content-Transfer-Encoding: quoted-printable\n\n{qp(text, 'cp1252')}\n--{boundary}\n"
        f"Content-Type: text/html; charset=\"Windows-1252\"\nContent-Transfer-Encoding: quoted-printable\n\n"
        f"{qp(page, 'cp1252')}\n--{boundary}--\n")


def apple(m):
    """The alternative's second form is a page with a picture, which is attached to it."""
    paragraphs = m.paragraphs(2, ["façade", "—"])
    outer, inner = f"Apple-Mail=_{m.number:08X}", f"Apple-Mail=_{m.number + 1:08X}i"
    picture = base64.b64encode(m.rng.randbytes(900)).decode()
    picture = "\n".join(picture[at:at + 76] for at in range(0, len(picture), 76))
    cid = f"cid:{m.number}.image@apple.example"
    page = (f"<html><head></head><body style=\"word-wrap: break-word;\">{as_html(m, paragraphs, False)}"
            f"<img src=\"{cid}\"></body></html>")
    m.uris.append(cid)
    return m.header("Mime-Version: 1.0 (Mac OS X Mail 16.0)",
                    f"Content-Type: multipart/alternative;\n boundary=\"{outer}\""), (
        f"\n--{outer}\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/plain;\n\tcharset=utf-8\n\n"
        f"{qp(plain_text(paragraphs, 10_000))}\n--{outer}\nContent-Type: multipart/related;\n"
        f"\ttype=\"text/html\";\n\tboundary=\"{inner}\"\n\n\n--{inner}\nContent-Transfer-Encoding: quoted-printable\n"
        f"Content-Type: text/html;\n\tcharset=utf-8\n\n{qp(page)}\n--{inner}\nContent-Transfer-Encoding: base64\n"
        f"Content-Disposition: inline;\n\tfilename=a.png\nContent-Type: image/png;\n\tname=\"a.png\"\n"
        f"Content-Id: <{cid[4:]}>\n\n{picture}\n\n--{inner}--\n\n--{outer}--\n")


def digest(m):
    """Mailman's MIME digest: messages inside a message."""
    outer, inner = f"===============OUTER{m.number}==", f"===============INNER{m.number}=="
    parts = []
    for at in range(3):
        body = plain_text(m.paragraphs(1, None))
        parts.append(f"--{inner}\nContent-Type: message/rfc822\n\nFrom: ann@a.example\nSubject: part {at}\n"
                     f"Message-ID: <{m.id}.{at}>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\n\n"
                     f"{body}\n")
    listinfo = f"https://lists.example.net/listinfo/{m.number}"
    m.uris.append(listinfo)
    return m.header("MIME-Version: 1.0", f"Content-Type: multipart/mixed; boundary=\"{outer}\""), (
        f"--{outer}\nContent-Type: text/plain; charset=\"us-ascii\"\nContent-Description: Masthead\n\n"
        f"To subscribe, visit\n\t{listinfo}\n\n--{outer}\nContent-Type: multipart/digest; boundary=\"{inner}\"\n\n"
        f"{''.join(parts)}--{inner}--\n\n--{outer}--\n")


def attached(m):
    """A text, and a log that is attached in base64."""
    boundary = f"----=_Part_{m.number}"
    body, log = plain_text(m.paragraphs(2, None)), "".join(f"{at} GET {m.uri()} 200\n" for at in range(4))
    return m.header("MIME-Version: 1.0", f"Content-Type: multipart/mixed; \n\tboundary=\"{boundary}\""), (
        f"This is a multi-part message in MIME format.\n--{boundary}\nContent-Type: text/plain\n\n{body}\n"
        f"--{boundary}\nContent-Type: text/plain; name=\"access.log\"\nContent-Transfer-Encoding: base64\n"
        f"Content-Disposition: attachment; filename=\"access.log\"\n\n{b64(log)}--{boundary}--\n")


def old(m):
    """From before MIME; the archive calls the address by its name."""
    return m.header(), plain_text(m.paragraphs(3, None)) + "\nFrom here on, thanks.\n"


MAILERS = [mutt, mutt, mutt_8bit, thunderbird, thunderbird_delsp, gmail, gmail, outlook, apple, digest, attached, old]


def main():
    count, mbox, manifest = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    when = datetime(2025, 1, 1, tzinfo=timezone.utc)
    step = timedelta(seconds=365 * 86400 / max(count, 1))
    previous = None
    with open(mbox, "wb") as out, open(manifest, "w", encoding="utf-8") as facts:
        for number in range(count):
            message = Message(rng, number, when + number * step, previous if rng.random() < 0.6 else None)
            head, body = rng.choice(MAILERS)(message)
            body, charset = body if isinstance(body, tuple) else (body, "utf-8")
            raw = ("\n".join(head) + "\n\n").encode() + body.encode(charset)
            # mboxrd
            raw = b"".join(b">" + line if line.lstrip(b">").startswith(b"From ") else line
                           for line in raw.splitlines(keepends=True))
            user, _, host = message.address.partition("@")
            sender = f"{user} at {host}" if number % 3 == 0 else message.address
            out.write(f"From {sender}  {message.when:%a %b %d %H:%M:%S %Y}\n".encode() + raw)
            out.write(b"\n" if raw.endswith(b"\n") else b"\n\n")
            for uri in dict.fromkeys(message.uris):
                facts.write(f"{message.id}\t{uri}\n")
            previous = message.id


if __name__ == "__main__":
    main()
