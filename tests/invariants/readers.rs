//! The ways to read a text before it is searched: as a document of each format, under each
//! encoding.
//!
//! A text goes into a frame that has it read in one way; hostile documents come with a frame of
//! their own.

use std::ops::ControlFlow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use urigrep::Finder;
use urigrep::document::mbox::{self, Next, Rest};
use urigrep::document::{Event, EventSink, FORMATS, Format, Part, Source, Wants, mail};

/// How a document is read.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    Document(Format),
    Mbox,
}

/// Searches every part.
struct Search<'f> {
    finder: &'f Finder,
    count: usize,
    bytes: usize,
}

impl EventSink for Search<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        Wants::all().headers(mail::Headers::Identifiers)
    }
}

impl Search<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        self.bytes += part.text.len();
        self.count += self.finder.findings(part.text).count();
        ControlFlow::Continue(())
    }
}

impl Reader {
    /// Reads and searches; how much was found, and in how many bytes of text.
    pub fn search(self, finder: &Finder, document: &[u8]) -> (usize, usize) {
        let mut search = Search { finder, count: 0, bytes: 0 };
        match self {
            Self::Document(format) => {
                let _ = format.read(Source::new(document), &mut search);
            }
            Self::Mbox => {
                let mut from = 0;
                while let Next::Message(message) = mbox::next(document, from, Rest::End) {
                    from = message.content.end();
                    let _ = message.read(document, &mut search);
                }
            }
        }
        (search.count, search.bytes)
    }

    /// Larger documents are searched as text.
    pub fn largest(self) -> usize {
        match self {
            Self::Document(format) => format.limits().largest,
            Self::Mbox => Format::LARGEST,
        }
    }
}

/// A way to have a text read.
pub struct Frame {
    pub name: &'static str,
    pub reader: Reader,
    /// Makes a document of a text.
    pub around: fn(&[u8]) -> Vec<u8>,
}

fn under(head: &str, text: &[u8]) -> Vec<u8> {
    [head.as_bytes(), b"\n", text].concat()
}

fn base64(text: &[u8]) -> Vec<u8> {
    let letters = BASE64_STANDARD.encode(text);
    let lines: Vec<&[u8]> = letters.as_bytes().chunks(76).collect();
    lines.join(&b"\r\n"[..])
}

/// Each format, and each layer that mail may have.
#[rustfmt::skip]
pub fn frames() -> Vec<Frame> {
    let named = |name| Format::named(name).expect(name);
    let html = Reader::Document(Format::HTML);
    let mail = Reader::Document(Format::MAIL);
    let calendar = Reader::Document(Format::CALENDAR);
    let frame = |name, reader, around: fn(&[u8]) -> Vec<u8>| Frame { name, reader, around };
    // Every format as it is, whatever is added to the table.
    let formats = FORMATS.iter();
    let formats = formats.map(|&format| frame(format.name(), Reader::Document(format), <[u8]>::to_vec));
    let layers = vec![
        frame("html-attribute", html, |text| [b"<a href=\"", text].concat()),
        frame("html-style", html, |text| [b"<style>", text].concat()),
        frame("html-charset", html, |text| [b"<meta charset=latin1>\xe9", text].concat()),
        frame("html-script", html, |text| [b"<script>", text].concat()),
        frame("mail-header", mail, |text| under("Subject: a\nX: ", text)),
        frame("mail-type", mail, |text| [b"Content-Type: text/plain; a=", text].concat()),
        frame("mail-multipart", mail, |text| under("Content-Type: multipart/mixed; boundary=b\n\n--b\n", text)),
        frame("mail-flowed", mail, |text| under("Content-Type: text/plain; format=flowed; delsp=yes\n", text)),
        frame("mail-html", mail, |text| under("Content-Type: text/html\n", text)),
        frame("mail-quoted", mail, |text| under("Content-Transfer-Encoding: quoted-printable\n", text)),
        frame("mail-base64", mail, |text| under("Content-Transfer-Encoding: base64\n", &base64(text))),
        frame("mail-not-base64", mail, |text| under("Content-Transfer-Encoding: base64\n", text)),
        frame("mail-latin1", mail, |text| under("Content-Type: text/plain; charset=iso-8859-1\n", text)),
        frame("mail-jis", mail, |text| under("Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B", text)),
        frame("mail-utf16", mail, |text| under("Content-Type: text/plain; charset=utf-16le\n", text)),
        frame("mail-utf7", mail, |text| under("Content-Type: text/plain; charset=utf-7\n", text)),
        frame("calendar-folded", calendar, |text| text.split(|&b| b == b'a').collect::<Vec<_>>().join(&b"\r\n a"[..])),
        frame("mbox", Reader::Mbox, |text| [b"From a Wed Mar  2 23:56:19 2005\n", text].concat()),
        frame("rst-directive", Reader::Document(named("rst")), |text| [b".. image:: ", text].concat()),
    ];
    formats.chain(layers).collect()
}

/// What is made to be slow in documents: a name, what comes once, and what is repeated after it.
#[rustfmt::skip]
const UNITS: &[(&str, &str, &str)] = &[
    ("lt", "", "<"), ("gt", "<!--", ">"), ("comments", "", "<!--"), ("dashes", "<!--", "-"), ("tags", "", "<p>"),
    ("depth", "", "<div><b>"), ("ends", "", "</p>"), ("attributes", "<p", " a=b"), ("names", "<p", " a:/b=\"c\""),
    ("hrefs", "", "<a href="), ("links", "", "<a href=b>"), ("quotes", "", "<a b='\""), ("scripts", "", "<script>"),
    ("script-comments", "", "<script><!--<script>"), ("titles", "", "<title></titl"), ("svg", "", "<svg>"),
    ("svg-style", "<svg>", "<style></style>"), ("cdata", "<svg>", "<![CDATA["), ("doctypes", "", "<!DOCTYPE "),
    ("instructions", "", "<?a b='"), ("bases", "", "<base href=\""), ("srcset", "<img srcset='", ","),
    ("srcset-words", "<img srcset='", "a 1x,"), ("srcdoc", "", "<iframe srcdoc='<iframe srcdoc=\""),
    ("refresh", "", "<meta http-equiv=refresh content=\"0;url="), ("css-url", "<style>", "url("),
    ("css-string", "<style>", "'a\\"), ("css-comment", "<style>", "/*"), ("css-import", "<style>", "@import "),
    ("css-escape", "<p style='url(", "\\61"), ("amp", "", "&"), ("hash", "&#", "1"), ("entities", "", "&amp;"),
    ("long-entity", "", "&CounterClockwiseContourIntegra"), ("soft", "", "a&shy;"), ("wbr", "", "a<wbr>"),
    ("headings", "", "<h1>"), ("ids", "", "<a id=b name=c>"),
    ("md-brackets", "", "["), ("md-links", "", "[a]("), ("md-nested", "", "[a](<b"), ("md-images", "", "![a]["),
    ("md-definitions", "", "[a]: b\n"), ("md-references", "[a]: b\n\n", "[a][a]"), ("md-undefined", "", "[a][b]"),
    ("md-emphasis", "", "*a_ "), ("md-ticks", "", "`a``"), ("md-fences", "", "```\n~~~\n"), ("md-quotes", "", "> "),
    ("md-lists", "", "- "), ("md-tables", "|a|\n|-|\n", "|a"), ("md-footnotes", "", "[^a]: [^a]\n"), ("md-html", "", "<a b="),
    ("md-autolinks", "", "<http:a"), ("md-escapes", "", "\\["), ("md-maths", "", "$a$$"), ("md-setext", "", "a\n=\n"),
    ("md-numbers", "", "1. a\n"), ("md-hard", "", "a  \n"), ("md-words", "[a\n", "a\n"),
    ("rst-targets", "", ".. _a: b_\n"), ("rst-references", "", "a_ "), ("rst-words", "", "a_a"), ("rst-literals", "", "``a "), ("rst-roles", "", ":a:`b"),
    ("rst-ends", "`", "a `` "), ("rst-titles", "", "a\n=\n"), ("rst-comments", "", "..\n a\n"), ("rst-directives", "", ".. image:: a\n   :target: b_\n"),
    ("rst-embedded", "", "`a <b>`_ "), ("rst-literal-blocks", "", "a::\n\n b\n"), ("rst-anonymous", "", "a__ "), ("rst-angles", "`", "<a"),
    ("rst-grids", "", "+--+\n|a |\n+--+\n\n"), ("rst-grid-lines", "+--+\n", "|a |\n"), ("rst-grid-borders", "", "+--+\n"), ("rst-grid-corners", "", "+--+--"),
    ("rst-columns", "== ==\n", "a  b\n"), ("rst-tops", "", "== ==\n"), ("rst-open-columns", "== ==\n", "a\n\n"), ("rst-many-columns", "", "== "),
    ("adoc-links", "", "link:a["), ("adoc-brackets", "", "["), ("adoc-xrefs", "", "<<a "), ("adoc-plus", "", "+a"), ("adoc-attributes", ":a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\n", "{a}[ "),
    ("adoc-colons", "", "a:b:"), ("adoc-fences", "", "----\n\n....\n"), ("adoc-titles", "", "== a\n\n"), ("adoc-anchors", "", "[[a"),
    ("org-links", "", "[[a"), ("org-targets", "", "<<a"), ("org-verbatim", "", " =a"), ("org-blocks", "", "#+begin_src\n"), ("org-abbreviations", "#+LINK: a https://a.example/\n", "[[a:b]] "),
    ("tex-urls", "", "\\url{"), ("tex-comments", "", "%\n"), ("tex-options", "", "\\url["), ("tex-begins", "", "\\begin{verbatim}\n"), ("tex-verbs", "", "\\verb|"), ("tex-percent", "://", "%20"),
    ("wiki-links", "", "[http://a "), ("wiki-elements", "", "<nowiki>"), ("wiki-parameters", "", "|url="), ("wiki-comments", "", "<!-- -->"),
    ("man-links", "", ".UR a\n"), ("man-examples", "", ".EX\n"), ("man-quotes", ".Mt ", "\"a"), ("texi-urls", "", "@url{"), ("texi-examples", "", "@example\n"), ("texi-verbs", "", "@verb{|"),
    ("typst-comments", "", "/*"), ("typst-raw", "", "`a"), ("typst-strings", "", "link(\""), ("typst-labels", "", "<a"),
    ("textile-links", "", "\"a\":"), ("textile-images", "", "!a."), ("textile-code", "", "@a"), ("textile-comments", "", "<!--"), ("doku-links", "", "[[a"), ("doku-code", "", "<code"), ("doku-percent", "", "%%a"),
    ("fields", "", "X: http://a.example/ =?utf-8?q?a?=\n"), ("folded", "X: ", "a\n "), ("types", "", "Content-Type: a; b*=c\n"),
    ("ids-of-mail", "References: ", "<a@b>"), ("words", "Subject: ", "=?utf-8?q?"), ("word-pairs", "Subject: ", "=?utf-8?b?aA==?= "),
    ("half-words", "Subject: =?utf-8?q?", "a?"), ("parameters", "Content-Type: text/plain", ";a*1*=%41"),
    ("comments-of-mail", "Content-Type: text/plain", "("), ("messages", "", "Content-Type: message/rfc822\n\n"),
    ("multiparts", "", "Content-Type: multipart/mixed; boundary=b\n\n--b\n"), ("parts", "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\na\n"),
    ("many-messages", "Content-Type: multipart/digest; boundary=b\n\n", "--b\n\nSubject: a\n\nb\n"),
    ("closed", "Content-Type: multipart/mixed; boundary=b\n\n", "--b--\n"), ("nearly", "Content-Type: multipart/mixed; boundary=bb\n\n--bb\n\n", "\n--b"),
    ("guess", "Content-Type: multipart/mixed\n\n", "--a\nb\n"), ("encoded", "", "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"),
    ("soft-breaks", "Content-Transfer-Encoding: quoted-printable\n\n", "=\n"), ("blanks", "Content-Transfer-Encoding: quoted-printable\n\n", "= \t"),
    ("blank-lines", "Content-Transfer-Encoding: quoted-printable\n\n", " "), ("padding", "Content-Transfer-Encoding: base64\n\n", "=a"),
    ("uu", "\n", "begin 644 a\n"), ("uu-lines", "\nbegin 644 a\n", "!a\n"), ("yenc", "\n", "=ybegin line=1 size=1 name=a\n"),
    ("flowed", "Content-Type: text/plain; format=flowed\n\n", "> a \n"), ("marks", "Content-Type: text/plain; format=flowed\n\n", ">"),
    ("shifts", "Content-Type: text/plain; charset=iso-2022-jp\n\n", "\x1b$B\x1b(B"), ("plus", "Content-Type: text/plain; charset=utf-7\n\n", "+"),
    ("pgp", "\n", "-----BEGIN PGP MESSAGE-----\n"), ("pkcs7", "Content-Type: application/pkcs7-mime\n\n", "Content-Type: application/pkcs7-mime\n\n"),
    ("from", "", "From a Wed Mar  2 23:56:19 2005\n"), ("from-lines", "From a Wed Mar  2 23:56:19 2005\n\n", "From a\n"),
    ("quoted-from", "From a Wed Mar  2 23:56:19 2005\n\n", "\n>>From "), ("quote-marks", "From a Wed Mar  2 23:56:19 2005\n\n", ">From >"),
    ("lengths", "", "From a Wed Mar  2 23:56:19 2005\nContent-Length: 9999999\n\na\n"), ("from-words", "", "From Wed Mar Wed Mar "),
];

/// Documents of about `n` bytes that are made to be slow.
pub fn documents(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let made = |&(name, once, unit): &(&'static str, &str, &str)| {
        let times = n.saturating_sub(once.len()) / unit.len();
        (name, [once.as_bytes(), unit.repeat(times).as_bytes()].concat())
    };
    let mut documents: Vec<_> = UNITS.iter().map(made).collect();
    let (half, third) = (n / 2, n / 3);
    documents.extend(
        [
            // each of one half against each of the other
            (
                "parameters-fields",
                format!(
                    "Content-Type: a/b{}\n{}\n",
                    ";a*1*=%41".repeat(half / 9),
                    "Content-Type: a\n".repeat(half / 16)
                ),
            ),
            (
                "md-definitions-uses",
                format!(
                    "{}{}",
                    (0..half / 16).map(|at| format!("[a{at}]: b\n")).collect::<String>(),
                    (0..half / 8).map(|at| format!("[a{at}]")).collect::<String>()
                ),
            ),
            (
                "header-parts",
                format!(
                    "Subject: a\nX: {}\nContent-Type: multipart/mixed; boundary=b\n\n{}",
                    "x".repeat(half),
                    "--b\n\na\n".repeat(half / 7)
                ),
            ),
            (
                "boundaries",
                format!(
                    "{}{}",
                    (0..60)
                        .map(|at| format!(
                            "Content-Type: multipart/mixed; boundary={at}\n\n--{at}\n"
                        ))
                        .collect::<String>(),
                    "\n--a".repeat(n / 4)
                ),
            ),
            (
                "long-boundary",
                format!(
                    "Content-Type: multipart/mixed; boundary={0}\n\n--{0}\n\n{1}",
                    "b".repeat(third / 100),
                    format!("\n--{}c", "b".repeat(third / 100)).repeat(50)
                ),
            ),
            (
                "named-anchors",
                format!("{}{}", "<a id=b>".repeat(half / 8), "<a href=#b>".repeat(half / 11)),
            ),
        ]
        .map(|(name, text)| (name, text.into_bytes())),
    );
    documents
}
