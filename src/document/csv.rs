//! Comma-separated values (RFC 4180), also with semicolons, tabs, or bars as separators.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::format::{DocumentFormat, FormatKind, FormatLimits};
use super::{EventSink, Part, Place, Role, Source, TextParts, marked_value};
use crate::offset_map::DerivedText;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// Possible separators; the comma is the default.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Number of bytes and lines used to detect the separator.
const SAMPLE_BYTES: usize = 4096;
const SAMPLE_LINES: usize = 3;

/// The format of comma-separated values.
pub(super) struct Csv;

impl DocumentFormat for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn title(&self) -> &'static str {
        "comma-separated values"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv", "tsv", "tab"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/csv", "text/tab-separated-values"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::USUAL
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        read(source, sink)
    }
}

/// Emits each field as a separate text: the end of a field ends a URI (D4.11). Quotes stay, because
/// they delimit URIs as elsewhere.
fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let marks = marked_value::are_wanted(sink);
    // The links of a page may be relative.
    let wanted = if marks { TextParts::All } else { sink.wants().text };
    if wanted == TextParts::WithColon && memchr::memchr(b':', source.bytes).is_none() {
        return ControlFlow::Continue(());
    }
    work_counter::add(source.bytes.len());
    let fields = Fields::new(source.bytes);
    let columns = Columns::new(fields.clone());
    let mut colons = NextColon::new(source.bytes, wanted);
    for field in fields {
        if !field.span.is_empty() && colons.may_be_in(field.span) {
            let place = Place::Row { row: field.row, column: columns.name(field.column) };
            let text = source.bytes.part(field.span.range());
            if marks {
                let value = unquoted(text, field.span.start());
                let layers = source.layers(value.map());
                if marked_value::read(Source::inside(value.text(), &layers), &place, sink)? {
                    continue;
                }
            }
            let part = Part::of_text(text, source.part(field.span.start()), Role::Text);
            sink.part(&Part { place: Some(&place), ..part })?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns a field without the quotation marks around it; within them, one is doubled (RFC 4180 §2).
fn unquoted(field: &[u8], start: usize) -> DerivedText {
    let mut value = DerivedText::default();
    let Some(inside) = field.strip_prefix(b"\"") else {
        value.copy(field, start);
        return value;
    };
    let mut at = start + 1;
    let mut pieces = inside.strip_suffix(b"\"").unwrap_or(inside).split(|&byte| byte == b'"');
    while let Some(piece) = pieces.next() {
        value.copy(piece, at);
        at += piece.len() + 1;
        // An empty piece is between the two marks of a doubled one.
        if pieces.clone().next().is_some_and(<[u8]>::is_empty) {
            value.copy(b"\"", at - 1);
            at += 1;
            pieces.next();
        }
    }
    value
}

/// The first colon after the last field, if fields without one may be left out.
///
/// Most fields are numbers and words, of which a table may have millions.
struct NextColon<'t> {
    text: &'t [u8],
    wanted: TextParts,
    at: usize,
}

impl<'t> NextColon<'t> {
    fn new(text: &'t [u8], wanted: TextParts) -> Self {
        Self { text, wanted, at: memchr::memchr(b':', text).unwrap_or(text.len()) }
    }

    /// False for a field that may be left out. Fields come in order.
    fn may_be_in(&mut self, field: Span) -> bool {
        if self.at < field.start() {
            let rest = self.text.clamped(field.start()..);
            let found = memchr::memchr(b':', rest);
            self.at = found.map_or(self.text.len(), |found| field.start() + found);
        }
        self.wanted == TextParts::All || self.at < field.end()
    }
}

/// A field, with its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CsvField {
    /// Number of its row, from 1.
    row: u64,
    /// Number of its column, from 0.
    column: usize,
    span: Span,
}

/// Iterates over the fields of a table.
#[derive(Clone)]
struct Fields<'t> {
    text: &'t [u8],
    separator: u8,
    at: usize,
    row: u64,
    column: usize,
}

impl<'t> Fields<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, separator: separator(text), at: 0, row: 1, column: 0 }
    }
}

impl Iterator for Fields<'_> {
    type Item = CsvField;

    fn next(&mut self) -> Option<CsvField> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let mut is_quoted = rest.first() == Some(&b'"');
        // In a field without quotation marks around it, one is a character: `12" disk`.
        let is_quotable = is_quoted;
        let ends = |&(at, &byte): &(usize, &u8)| {
            match byte {
                // A doubled quote closes and opens again.
                b'"' if is_quotable && at > 0 => is_quoted = !is_quoted,
                b'\n' if !is_quoted => return true,
                byte if byte == self.separator && !is_quoted => return true,
                _ => {}
            }
            false
        };
        // An unclosed quote turns the rest into one field. It is still searched as text.
        let (length, end) = match rest.iter().enumerate().find(ends) {
            Some((length, &end)) => (length, end),
            None => (rest.len(), b'\n'),
        };
        let span = Span::new(self.at, self.at + length);
        let field = CsvField { row: self.row, column: self.column, span };
        self.at = span.end() + 1;
        match end {
            b'\n' => (self.row, self.column) = (self.row + 1, 0),
            _ => self.column += 1,
        }
        Some(field)
    }
}

/// The names of the columns, if the first row has them.
struct Columns(Vec<String>);

/// Further columns have numbers.
const MAX_COLUMNS: usize = 1024;

impl Columns {
    fn new(fields: Fields<'_>) -> Self {
        let text = fields.text;
        let heading = fields.take_while(|field| field.row == 1).take(MAX_COLUMNS);
        let names = heading.map(|field| column_name(text.part(field.span.range())));
        Self(names.collect::<Option<_>>().unwrap_or_default())
    }

    /// Returns the name of a column, or its number from 1.
    fn name(&self, column: usize) -> Cow<'_, str> {
        match self.0.get(column) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned((column + 1).to_string()),
        }
    }
}

/// Returns the name that a field of a heading gives its column; `None` for a value.
fn column_name(field: &[u8]) -> Option<String> {
    /// Longer texts are values.
    const MAX_LENGTH: usize = 64;
    let name = std::str::from_utf8(field).ok()?.trim();
    // Excel starts a table in UTF-8 with a byte order mark.
    let name = name.strip_prefix('\u{feff}').unwrap_or(name);
    let quoted = name.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
    // Within a quoted field, a quotation mark is doubled (RFC 4180 §2).
    let name = match quoted {
        Some(inside) => inside.replace("\"\"", "\""),
        None => name.trim_matches('"').to_owned(),
    };
    let name = name.trim();
    // A URI, a path, or an address is a value. If the first row has one, the table has no heading.
    let is_name = name.len() <= MAX_LENGTH
        && name.chars().any(char::is_alphabetic)
        && !name.contains([':', '/', '@', '\n']);
    is_name.then(|| name.to_owned())
}

/// Returns the separator that the first line declares, as Excel writes and reads it: `sep=;`.
fn declared_separator(text: &[u8]) -> Option<u8> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let (name, rest) = text.split_at_checked(b"sep=".len())?;
    match rest {
        [declared, b'\r' | b'\n', ..] if name.eq_ignore_ascii_case(b"sep=") => {
            (declared.is_ascii() && !b"\"\r\n".contains(declared)).then_some(*declared)
        }
        _ => None,
    }
}

/// Returns the most frequent separator of the first line that occurs equally often in the next
/// ones.
fn separator(text: &[u8]) -> u8 {
    if let Some(declared) = declared_separator(text) {
        return declared;
    }
    let sample = text.clamped(..SAMPLE_BYTES);
    // The last line of a cut sample may be incomplete, so it does not count.
    let is_cut = sample.len() < text.len();
    let whole = sample.split(|&byte| byte == b'\n').count() - usize::from(is_cut);
    let mut lines = sample.split(|&byte| byte == b'\n').take(whole.clamp(1, SAMPLE_LINES));
    let first = lines.next().unwrap_or_default();
    let rest: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    let count = |line: &[u8], separator| line.iter().filter(|&&byte| byte == separator).count();
    let is_even = |&(separator, columns): &(u8, usize)| {
        columns > 0 && rest.iter().all(|line| count(line, separator) == columns)
    };
    let counted =
        // Reversed, because `max_by_key` returns the last of several equal ones: the comma wins.
        SEPARATORS.into_iter().rev().map(|separator| (separator, count(first, separator)));
    counted
        .filter(is_even)
        .max_by_key(|(_, columns)| *columns)
        .map_or(b',', |(separator, _)| separator)
}

#[cfg(test)]
mod tests {
    use super::super::{Event, Wants};
    use super::*;

    /// Writes the fields with `|` between columns and `/` between rows.
    fn fields(text: &str) -> String {
        let mut written = String::new();
        let mut row = 1;
        for field in Fields::new(text.as_bytes()) {
            written.push_str(match (field.row == row, field.column) {
                (true, 0) => "",
                (true, _) => "|",
                (false, _) => "/",
            });
            row = field.row;
            written.push_str(&text[field.span.range()]);
        }
        written
    }

    #[test]
    fn a_line_that_the_sample_cuts_tells_nothing() {
        let row = format!("a;b,{};c", "x".repeat(1500));
        let text = [&row[..], &row, &row].join("\n");
        assert_eq!(separator(text.as_bytes()), b';');
    }

    #[test]
    fn fields_end() {
        for (text, expected) in [
            ("a,b\n\"c,d\",e", "a|b/\"c,d\"|e"),
            ("a;b,c\nd;e\nf;g", "a|b,c/d|e/f|g"),
            ("a\tb,c\nd\te", "a|b,c/d|e"),
            ("a \"b, c", "a \"b| c"),
            ("sep=;\r\na;b,c\nd;e;f", "sep=|\r/a|b,c/d|e|f"),
            ("sep=^\na^b,c", "sep=|/a|b,c"),
            ("sep=\na,b", "sep=/a|b"),
            ("\"a \"\"b,\"\" c\",d", "\"a \"\"b,\"\" c\"|d"),
            ("\"a\nb\",c\n,d", "\"a\nb\"|c/|d"),
            ("", ""),
        ] {
            assert_eq!(fields(text), expected, "{text:?}");
        }
    }

    /// Collects the texts of parts, as a sink that wants these.
    struct SeenTexts(TextParts, Vec<String>);

    impl EventSink for SeenTexts {
        fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            if let Event::Part(part) = event {
                self.1.push(String::from_utf8_lossy(part.text).into_owned());
            }
            ControlFlow::Continue(())
        }

        fn wants(&self) -> Wants {
            Wants::new().text(self.0)
        }
    }

    #[test]
    fn fields_without_a_colon_may_be_left_out() {
        let texts = |text: &str, wanted| {
            let mut texts = SeenTexts(wanted, Vec::new());
            let _ = read(Source::new(text.as_bytes()), &mut texts);
            texts.1
        };
        for text in ["a,b:c,d\n1,,:\n\"x,:\ny\",z\nw,u:", "a,b\n", ""] {
            let mut expected = texts(text, TextParts::All);
            expected.retain(|field| field.contains(':'));
            assert_eq!(texts(text, TextParts::WithColon), expected, "{text:?}");
        }
    }

    #[test]
    fn only_names_name_columns() {
        for (text, name) in [
            ("id,url\n1,x", "url"),
            ("\u{feff}\"a b\",\"The URL\"\n", "The URL"),
            ("a,\"u \"\"x\"\"\"\n", "u \"x\""),
            ("http://a.example/,b\n", "2"),
            ("1,2\n", "2"),
        ] {
            assert_eq!(Columns::new(Fields::new(text.as_bytes())).name(1), name, "{text:?}");
        }
    }
}
