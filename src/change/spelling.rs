//! Ways to write a text in a document: [`Spelling`].

use std::borrow::Cow;

use crate::document::Format;
use crate::document::format::EscapeStyle;
use crate::slice::SliceExt as _;

/// A way to write a URI in the source of a document.
///
/// Whether a place understands a spelling is not known in advance. The document is read again, and
/// the first spelling that gives the wanted text is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Spelling {
    /// As it is.
    Plain,
    /// With character references for `&`, quotes, `<`, and `>` (HTML Standard, section 13.1.4).
    Html,
    /// With a backslash before the punctuation of markup (CommonMark section 2.4).
    Backslash,
    /// Between `<` and `>` (CommonMark section 6.3).
    Angle,
    /// With `\/` for `/`, as some writers of JSON do (RFC 8259 section 7).
    EscapedSlash,
    /// With `\u0026` for `&` and similar (RFC 8259 section 7).
    UnicodeEscape,
    /// As [`EscapedSlash`](Self::EscapedSlash) and [`UnicodeEscape`](Self::UnicodeEscape) together.
    JsonEscapes,
    /// With a backslash before `%` and `#`, as TeX needs it in arguments.
    TexArgument,
    /// With a backslash before all special characters of TeX that a URI may have.
    Tex,
    /// In quoted-printable (RFC 2045 section 6.7).
    QuotedPrintable,
    /// As [`Html`](Self::Html), in quoted-printable.
    HtmlQuotedPrintable,
}

/// The line in which a text is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePlace {
    /// Bytes before the text; of a line that is too long already, only that many.
    pub column: usize,
    /// The line ends of the document.
    pub end: &'static str,
}

impl LinePlace {
    /// Looks at a bounded part of the source, because each edit of a long line asks for its place.
    pub fn at(start: usize, source: &[u8]) -> Self {
        let before = source.clamped(start.saturating_sub(MAX_LINE + 1)..start);
        let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        // Lines of messages have at most 998 characters (RFC 5322 section 2.1.1).
        let first_end = memchr::memchr(b'\n', source.clamped(..4096));
        let is_crlf = first_end.is_some_and(|at| at > 0 && source.get(at - 1) == Some(&b'\r'));
        Self { column, end: if is_crlf { "\r\n" } else { "\n" } }
    }
}

use Spelling::{
    Angle, Backslash, EscapedSlash, Html, HtmlQuotedPrintable, JsonEscapes, Plain, QuotedPrintable,
    Tex, TexArgument, UnicodeEscape,
};

/// The order in which spellings are tried in most documents.
const USUAL: [Spelling; 8] =
    [Plain, Html, Backslash, Angle, EscapedSlash, UnicodeEscape, JsonEscapes, Tex];

/// The order for TeX. A bare `%` in a link is read back, but in an argument of another command it
/// is a comment for TeX, such as in `\footnote{\href{…}{…}}`.
const TEX: [Spelling; 4] = [TexArgument, Plain, Tex, Backslash];

/// The order for pages: a bare `&` is an error there, even where browsers repair it.
const PAGE: [Spelling; 5] = [Html, Plain, EscapedSlash, UnicodeEscape, JsonEscapes];

/// The order for messages: readers accept a bare `=` in quoted-printable, but it is an error.
const MESSAGE: [Spelling; 4] = [HtmlQuotedPrintable, QuotedPrintable, Html, Plain];

impl Spelling {
    /// Spellings that the finder reads in any text.
    pub(super) const ESCAPES: [Self; 4] = [EscapedSlash, JsonEscapes, UnicodeEscape, Html];

    /// Returns the spellings to try in a document, most likely first.
    pub(super) fn candidates(format: Option<Format>) -> &'static [Self] {
        match format.map(Format::escapes) {
            Some(EscapeStyle::References) => &PAGE,
            Some(EscapeStyle::Tex) => &TEX,
            Some(EscapeStyle::QuotedPrintable) => &MESSAGE,
            Some(EscapeStyle::None) | None => &USUAL,
        }
    }

    /// True for a style that is only used if the old text has it.
    pub(super) fn is_of_old_text_only(self) -> bool {
        matches!(self, EscapedSlash | UnicodeEscape | JsonEscapes | Tex)
    }

    /// Writes a text in this spelling.
    pub(super) fn write<'t>(self, text: &'t str, line: &LinePlace) -> Cow<'t, str> {
        match self {
            Plain => Cow::Borrowed(text),
            Html => html(text),
            Backslash => escaped(text, |c| match c {
                '(' | ')' | '[' | ']' | '*' | '_' | '~' | '`' | '\\' | '<' | '>' | '|' => {
                    Some(format!("\\{c}"))
                }
                _ => None,
            }),
            Angle => Cow::Owned(format!("<{text}>")),
            EscapedSlash => Cow::Owned(text.replace('/', "\\/")),
            UnicodeEscape => unicode_escapes(text),
            JsonEscapes => Cow::Owned(unicode_escapes(text).replace('/', "\\/")),
            TexArgument => escaped(text, |c| matches!(c, '%' | '#').then(|| format!("\\{c}"))),
            Tex => escaped(text, |c| {
                matches!(c, '%' | '#' | '&' | '_' | '$').then(|| format!("\\{c}"))
            }),
            QuotedPrintable => Cow::Owned(quoted_printable(text, line)),
            HtmlQuotedPrintable => Cow::Owned(quoted_printable(&html(text), line)),
        }
    }
}

fn unicode_escapes(text: &str) -> Cow<'_, str> {
    escaped(text, |c| match c {
        // Those that mean something to HTML: writers escape them so that JSON may be part of a
        // page.
        '&' | '<' | '>' | '\'' | '"' => Some(format!("\\u{:04x}", u32::from(c))),
        _ => None,
    })
}

fn html(text: &str) -> Cow<'_, str> {
    escaped(text, |c| {
        let reference = match c {
            '&' => "&amp;",
            // `&apos;` is not in HTML 4.
            '\'' => "&#39;",
            '"' => "&quot;",
            '<' => "&lt;",
            '>' => "&gt;",
            _ => return None,
        };
        Some(reference.to_owned())
    })
}

fn escaped(text: &str, escape: impl Fn(char) -> Option<String>) -> Cow<'_, str> {
    if !text.chars().any(|c| escape(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match escape(c) {
            Some(escape) => out.push_str(&escape),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Longest line of quoted-printable without the `=` that continues it (RFC 2045 section 6.7, rule
/// 5).
const MAX_LINE: usize = 75;

fn quoted_printable(text: &str, line: &LinePlace) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = line.column;
    for byte in text.bytes() {
        let unit = match byte {
            // Rules 1 and 2 of RFC 2045 section 6.7. A URI has no white space, which rule 3 is
            // about.
            b'=' | 0x7F.. | ..=0x1F => format!("={byte:02X}"),
            byte => char::from(byte).to_string(),
        };
        // A line that was too long already stays so: only added text is wrapped.
        if at + unit.len() > MAX_LINE && !out.is_empty() {
            out.push('=');
            out.push_str(line.end);
            at = 0;
        }
        at += unit.len();
        out.push_str(&unit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let uri = "http://a/?b=1&c='(d_)'";
        let write = |spelling: Spelling| {
            spelling.write(uri, &LinePlace { column: 0, end: "\n" }).into_owned()
        };
        assert_eq!(write(Plain), uri);
        assert_eq!(write(Html), "http://a/?b=1&amp;c=&#39;(d_)&#39;");
        assert_eq!(write(Backslash), r"http://a/?b=1&c='\(d\_\)'");
        assert_eq!(write(Angle), "<http://a/?b=1&c='(d_)'>");
        assert_eq!(write(EscapedSlash), r"http:\/\/a\/?b=1&c='(d_)'");
        assert_eq!(write(UnicodeEscape), r"http://a/?b=1\u0026c=\u0027(d_)\u0027");
        assert_eq!(Tex.write("a%20b_c#d", &LinePlace { column: 0, end: "\n" }), r"a\%20b\_c\#d");
        assert_eq!(write(QuotedPrintable), "http://a/?b=3D1&c=3D'(d_)'");
        assert_eq!(write(HtmlQuotedPrintable), "http://a/?b=3D1&amp;c=3D&#39;(d_)&#39;");
    }

    /// The naive twin looks at all of the line.
    #[test]
    fn the_place_in_a_line() {
        let source = ["ab\r\n", &"x".repeat(200), "\n", &"y".repeat(60)].concat();
        for start in 0..source.len() {
            let place = LinePlace::at(start, source.as_bytes());
            let before = &source[..start];
            let naive = start - before.rfind('\n').map_or(0, |at| at + 1);
            assert_eq!((place.column, place.end), (naive.min(MAX_LINE + 1), "\r\n"), "{start}");
        }
    }

    #[test]
    fn quoted_lines_are_short() {
        let text = "http://a.example/".to_owned() + &"=x".repeat(90);
        let written = quoted_printable(&text, &LinePlace { column: 20, end: "\r\n" });
        assert!(written.lines().all(|line| line.len() <= MAX_LINE + 1), "{written}");
        assert_eq!(written.replace("=\r\n", "").replace("=3D", "="), text);
    }
}
