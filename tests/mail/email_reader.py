"""Reads messages with Python's email package, which shares nothing with our reader.

Takes paths of files; those that start with a From_ line are mboxes. Prints a line of JSON for each message: its
file, its number there, and for each part that is text its number, its type and its text.
"""

import codecs
import email
import email.policy
import json
import re
import sys

ENVELOPE = re.compile(
    rb"^From .*?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +"
    rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d+ +\d+:\d+.*\d{4}.*\n",
    re.M,
)


def messages(data):
    if not data.startswith(b"From "):
        return [data]
    starts = [match for match in ENVELOPE.finditer(data)]
    ends = [match.start() for match in starts[1:]] + [len(data)]
    texts = [data[match.end() : end] for match, end in zip(starts, ends)]
    return [re.sub(rb"^>(>*From )", rb"\1", text, flags=re.M) for text in texts]


def leaves(part, number, is_message):
    """Every part that has none, with its number as in IMAP."""
    payload = part.get_payload()
    if part.get_content_maintype() == "multipart" and isinstance(payload, list):
        for index, child in enumerate(payload, 1):
            yield from leaves(child, f"{number}.{index}" if number else str(index), False)
        return
    if is_message:
        number = f"{number}.1" if number else "1"
    if part.get_content_type() == "message/rfc822" and isinstance(payload, list):
        yield from leaves(payload[0], number, True)
        return
    yield number, part


def flow(text, delsp):
    """RFC 3676 section 4, written a second time."""
    out, last = [], None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        marks, body = line[:depth], line[depth:]
        stuffed = body.startswith(" ")
        if stuffed:
            body = body[1:]
        if last is not None and last == depth and body != "-- ":
            out[-1] = (out[-1][:-1] if delsp else out[-1]) + body
        else:
            if last is not None and delsp:
                out[-1] = out[-1][:-1]
            out.append((marks + " " * stuffed if depth else "") + body)
        last = depth if body.endswith(" ") and body != "-- " else None
    return "\n".join(out)


def text_of(part):
    kind = part.get_content_maintype()
    if kind not in ("text", "message") or part.is_multipart():
        return None
    data = part.get_payload(decode=True)
    if data is None:
        return None
    charset = part.get_param("charset")
    charset = email.utils.collapse_rfc2231_value(charset).strip() if charset else "utf-8"
    # what ISO 8859-1 says is read as its extension, as the Encoding Standard does
    known = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "utf-8", "ascii": "utf-8"}
    charset = known.get(charset.lower(), charset)
    try:
        codecs.lookup(charset)
        text = data.decode(charset)
    except (LookupError, UnicodeDecodeError, ValueError):
        return None
    text = text.replace("\r\n", "\n")
    if part.get_content_type() == "text/plain" and str(part.get_param("format")).lower() == "flowed":
        text = flow(text, str(part.get_param("delsp")).lower() == "yes")
    return text


def main():
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            data = file.read()
        for index, raw in enumerate(messages(data)):
            message = email.message_from_bytes(raw, policy=email.policy.compat32)
            defects = sorted({type(d).__name__ for part in message.walk() for d in part.defects})
            parts = []
            for number, part in leaves(message, "", True):
                text = text_of(part)
                if text is not None:
                    parts.append([number, part.get_content_type(), text])
            print(json.dumps({"path": path, "index": index, "parts": parts, "defects": defects}))


main()
