//! Texts that a fuzzer makes: any bytes, or pieces that the rules and formats know, and any bytes
//! between.

use arbitrary::{Arbitrary, Result, Unstructured};

/// A text.
#[derive(Debug)]
pub struct Text(Vec<u8>);

/// Its first byte is even when the others are the text, as in the seeds that `run.sh` makes; else
/// they say which pieces it has.
impl<'a> Arbitrary<'a> for Text {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        if u8::arbitrary(u)? % 2 == 0 {
            return Ok(Self(u.bytes(u.len())?.to_vec()));
        }
        let mut bytes = Vec::new();
        while !u.is_empty() && bytes.len() < MAX {
            match u.arbitrary()? {
                Piece::Known(at) => bytes.extend_from_slice(known(at)),
                Piece::Row(at, count) => bytes.extend(known(at).repeat(count.into())),
                Piece::Bytes(any) => bytes.extend_from_slice(any),
            }
        }
        bytes.truncate(MAX);
        Ok(Self(bytes))
    }
}

/// No text is longer.
const MAX: usize = 64 << 10;

#[derive(Arbitrary, Debug)]
enum Piece<'a> {
    /// One of [`KNOWN`].
    Known(u8),
    /// A row of one of them.
    Row(u8, u8),
    /// Anything.
    Bytes(&'a [u8]),
}

/// What decides where a URI starts and ends, and what is special in documents and mail.
const KNOWN: &[&str] = &[
    "http://",
    "https://a.example/",
    "ftp://",
    "urn:",
    "urn:isbn:0451450523",
    "mailto:a@b.example",
    "data:,",
    "tel:+1-2",
    "doi:10.1000/",
    "file:///",
    "jar:",
    "git+https://",
    "x://",
    "hxxp://a[.]example",
    "a.example",
    "www.",
    "jo@b.example",
    "[::1]",
    "[v1.x]",
    ":80",
    ":",
    "//",
    "/",
    "?",
    "?+",
    "?=",
    "#",
    "%",
    "%41",
    "%zz",
    "@",
    ".",
    "..",
    "...",
    "…",
    ",",
    ";",
    "!",
    "'",
    "\"",
    "`",
    "<",
    ">",
    "<URL:",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "{{",
    "${",
    "|",
    "\\",
    "\\/",
    "\\-",
    "\\u0026",
    "&amp;",
    "&lt;",
    "&#x2F;",
    "&quot;",
    "*",
    "_",
    "~~",
    "+",
    "=",
    "- ",
    "-\n",
    "\n",
    "\r\n",
    "\n\n",
    "\n> ",
    "\n * ",
    "\n// ",
    " ",
    "\t",
    "\u{a0}",
    "é",
    "。",
    "（",
    "）",
    "\u{200b}",
    "\u{2014}",
    "<a href=\"",
    "</a>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<base href='",
    "](",
    "](<",
    "[x]: ",
    "```\n",
    "    ",
    "\n--b\n",
    "\n--b--\n",
    "Subject: ",
    "Message-ID: <",
    "Content-Type: text/plain",
    "Content-Type: text/html",
    "Content-Type: multipart/mixed; boundary=b\n\n",
    "Content-Type: message/rfc822\n\n",
    "Content-Type: application/octet-stream",
    "Content-Type: application/pkcs7-mime",
    "; charset=utf-16",
    "; charset=utf-7",
    "; charset=iso-2022-jp",
    "; charset=shift_jis",
    "; charset=gb18030",
    "; charset=koi8-r",
    "; format=flowed",
    "; delsp=yes",
    "; name*0*=utf-8''",
    "; name=\"a.md\"",
    "Content-Transfer-Encoding: base64\n\n",
    "Content-Transfer-Encoding: quoted-printable\n\n",
    "Content-Base: http://b.example/\n",
    "=?utf-8?q?",
    "=?utf-8?b?",
    "?=",
    "=3D",
    "=\n",
    "aHR0cDovL2EuZXhhbXBsZS8=\n",
    " \n",
    "From a Wed Mar  2 23:56:19 2005\n",
    ">From ",
    "begin 644 a\n",
    "`\nend\n",
    "=ybegin line=9 size=9 name=a\n",
    "=yend size=9\n",
    "-----BEGIN PGP MESSAGE-----\n",
    "\x1b$B",
];

impl Text {
    /// Its bytes, 64 KiB at most.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

fn known(at: u8) -> &'static [u8] {
    KNOWN[usize::from(at) % KNOWN.len()].as_bytes()
}
