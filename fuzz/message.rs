//! Messages that keep the rules, however deep: what is in them must be found, decoded, and in
//! order.

use arbitrary::Arbitrary;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// A message, or a part of one.
#[derive(Arbitrary, Debug)]
pub enum Entity {
    /// A text, with a URI on a line of its own at its end.
    Leaf(Leaf),
    /// A multipart of this kind.
    Multipart(u8, Vec<Entity>),
    /// A message in a message, encoded as a whole or not, with a subject.
    Message(Transfer, Subject, Box<Entity>),
}

#[derive(Arbitrary, Debug)]
pub struct Leaf {
    media: Media,
    charset: Charset,
    transfer: Transfer,
    text: Vec<u8>,
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Media {
    Plain,
    Flowed,
    Html,
    Markdown,
    File,
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
enum Charset {
    Utf8,
    Latin1,
    Utf16,
    Jis,
}

#[derive(Arbitrary, Clone, Copy, Debug, PartialEq)]
pub enum Transfer {
    Identity,
    Base64,
    QuotedPrintable,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Subject {
    Plain,
    B,
    Q,
}

/// Levels inside of each other; the reader knows 64, and a multipart may be in a message at each.
const MAX_DEPTH: usize = 24;
/// Messages inside of each other that are encoded as a whole; the reader knows as many.
const MAX_ENCODED: usize = 4;
/// What keeps its meaning in every format and charset.
const CALM: [&str; 8] = ["a", "b", " ", "\n", "\n\n", "é", "word ", "."];

/// What was written.
#[derive(Default)]
pub struct Written {
    /// The message.
    pub bytes: Vec<u8>,
    /// The URIs in it.
    pub uris: Vec<String>,
    boundaries: usize,
}

impl Entity {
    /// The message.
    pub fn written(&self) -> Written {
        let mut written = Written::default();
        written.bytes.extend(b"MIME-Version: 1.0\n");
        self.write(0, 0, &mut written);
        written
    }

    /// Writes the rest of the header, and the body.
    fn write(&self, depth: usize, encoded: usize, out: &mut Written) {
        match self {
            _ if depth >= MAX_DEPTH => out.bytes.extend(b"\n"),
            Self::Leaf(leaf) => leaf.write(out),
            Self::Multipart(kind, parts) => {
                let kinds =
                    ["mixed", "alternative", "related", "digest", "signed", "report", "x-any"];
                let kind = kinds[usize::from(*kind) % kinds.len()];
                let boundary = format!("limit {}", out.boundaries);
                out.boundaries += 1;
                let head = format!("Content-Type: multipart/{kind};\n boundary=\"{boundary}\"\n\n");
                out.bytes.extend(head.bytes());
                for part in parts {
                    out.bytes.extend(format!("\n--{boundary}\n").bytes());
                    part.write(depth + 1, encoded, out);
                }
                // without a part there is no delimiter either, and the text is what it is
                if !parts.is_empty() {
                    out.bytes.extend(format!("\n--{boundary}--\n").bytes());
                }
            }
            Self::Message(transfer, subject, entity) => {
                let plain = *transfer == Transfer::Identity || encoded == MAX_ENCODED;
                let transfer = if plain { Transfer::Identity } else { *transfer };
                out.bytes.extend(b"Content-Type: message/rfc822\n");
                let mut inner = Written {
                    uris: std::mem::take(&mut out.uris),
                    boundaries: out.boundaries,
                    bytes: Vec::new(),
                };
                subject.write(&mut inner);
                entity.write(depth + 1, encoded + usize::from(!plain), &mut inner);
                (out.uris, out.boundaries) = (inner.uris, inner.boundaries);
                transfer.write(&inner.bytes, &mut out.bytes);
            }
        }
    }
}

impl Written {
    /// The next URI.
    fn uri(&mut self) -> &str {
        let number = self.uris.len();
        self.uris.push(format!("https://u{number}.example/path"));
        &self.uris[number]
    }
}

impl Subject {
    fn write(self, out: &mut Written) {
        let uri = out.uri();
        let subject = match self {
            Self::Plain => uri.to_owned(),
            Self::B => format!("=?utf-8?B?{}?=", BASE64_STANDARD.encode(uri)),
            Self::Q => {
                let letters: String = uri.bytes().map(|byte| format!("={byte:02X}")).collect();
                format!("=?iso-8859-1*en?q?{letters}?=")
            }
        };
        out.bytes.extend(format!("Subject: {subject}\n").bytes());
    }
}

impl Leaf {
    fn write(&self, out: &mut Written) {
        let mut text: String =
            self.text.iter().map(|&at| CALM[usize::from(at) % CALM.len()]).collect();
        text += "\n\n";
        text += out.uri();
        text += "\n";
        // a file says nothing of a charset
        let charset = if self.media == Media::File { Charset::Utf8 } else { self.charset };
        let (label, bytes) = match charset {
            Charset::Utf8 => ("utf-8", text.into_bytes()),
            Charset::Latin1 => ("iso-8859-1", text.chars().map(|char| char as u8).collect()),
            Charset::Utf16 => {
                ("utf-16be", text.encode_utf16().flat_map(u16::to_be_bytes).collect())
            }
            // to the two bytes of a character and back, but not back and to at once, which is an
            // error
            Charset::Jis => {
                let shifted = text.replace('é', "\x1b$B0!\x1b(B");
                ("iso-2022-jp", shifted.replace("\x1b(B\x1b$B", "").into_bytes())
            }
        };
        let media = match self.media {
            Media::Plain => "text/plain",
            Media::Flowed => "text/plain; format=flowed; delsp=yes",
            Media::Html => "text/html",
            Media::Markdown => "text/markdown",
            Media::File => "application/octet-stream; name=\"a.txt\"",
        };
        out.bytes.extend(format!("Content-Type: {media}; charset={label}\n").bytes());
        // lines of UTF-16 are no lines of a message
        let wide = charset == Charset::Utf16 && self.transfer == Transfer::Identity;
        let transfer = if wide { Transfer::Base64 } else { self.transfer };
        transfer.write(&bytes, &mut out.bytes);
    }
}

impl Transfer {
    /// Writes the field, the end of the header, and the body.
    fn write(self, body: &[u8], out: &mut Vec<u8>) {
        let name = match self {
            Self::Identity => "8bit",
            Self::Base64 => "base64",
            Self::QuotedPrintable => "quoted-printable",
        };
        out.extend(format!("Content-Transfer-Encoding: {name}\n\n").bytes());
        match self {
            Self::Identity => out.extend(body),
            Self::Base64 => {
                for line in BASE64_STANDARD.encode(body).as_bytes().chunks(76) {
                    out.extend(line);
                    out.push(b'\n');
                }
            }
            Self::QuotedPrintable => {
                for line in body.chunks(24) {
                    for byte in line {
                        match byte {
                            b'a'..=b'z' | b'/' | b':' => out.push(*byte),
                            _ => out.extend(format!("={byte:02X}").bytes()),
                        }
                    }
                    out.extend(b"=\n");
                }
            }
        }
    }
}
