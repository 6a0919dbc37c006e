//! Texts that a fuzzer makes: pieces that the rules and formats know, and any bytes between.

use arbitrary::Arbitrary;

/// A text in pieces.
#[derive(Arbitrary, Debug)]
pub struct Text(Vec<Piece>);

#[derive(Arbitrary, Debug)]
enum Piece {
    /// One of [`KNOWN`].
    Known(u8),
    /// A row of one of them.
    Row(u8, u8),
    /// Anything.
    Bytes(Vec<u8>),
}

/// What decides where a URI starts and ends, and what is special in documents and mail.
const KNOWN: [&str; 96] = [
    "http://", "https://a.example/", "ftp://", "urn:", "urn:isbn:0451450523", "mailto:a@b.example", "data:,",
    "tel:+1-2", "doi:10.1000/", "file:///", "jar:", "git+https://", "x://", "hxxp://a[.]example", "a.example",
    "www.", "jo@b.example", "[::1]", "[v1.x]", ":80", ":", "//", "/", "?", "?+", "?=", "#", "%", "%41", "%zz", "@",
    ".", "..", "...", "…", ",", ";", "!", "'", "\"", "`", "<", ">", "<URL:", "(", ")", "[", "]", "{", "}", "{{", "${",
    "|", "\\", "\\/", "\\-", "\\u0026", "&amp;", "&lt;", "&#x2F;", "&quot;", "*", "_", "~~", "+", "=", "- ", "-\n",
    "\n", "\r\n", "\n\n", "\n> ", "\n * ", "\n// ", " ", "\t", "\u{a0}", "é", "。", "（", "）", "\u{200b}", "\u{2014}",
    "<a href=\"", "</a>", "<!--", "-->", "<script>", "</script>", "<base href='", "](", "](<", "[x]: ", "```\n",
    "    ", "--b\n",
];

impl Text {
    /// Its bytes, 64 KiB at most.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Known(at) => bytes.extend_from_slice(known(*at)),
                Piece::Row(at, count) => {
                    for _ in 0..*count {
                        bytes.extend_from_slice(known(*at));
                    }
                }
                Piece::Bytes(any) => bytes.extend_from_slice(any),
            }
            if bytes.len() > 64 << 10 {
                bytes.truncate(64 << 10);
                break;
            }
        }
        bytes
    }
}

fn known(at: u8) -> &'static [u8] {
    KNOWN[usize::from(at) % KNOWN.len()].as_bytes()
}
