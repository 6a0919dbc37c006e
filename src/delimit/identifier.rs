//! Recognizes identifiers of papers, books, journals, and authors as people write them (D7).
//!
//! A DOI is recognized by its `10.`, a number, and `/`, with or without a label or `doi.org/`
//! before it. All others need their label, because nothing distinguishes a bare number. If a
//! scheme's syntax is stricter, its recognizer decides.

use alloc::string::String;

use super::byte_class::starts_with;
use super::unschemed::Unschemed;
use crate::error::Reason;
use crate::kind::Kind;
use crate::namespace::{check_isbn, check_issn, fits_mod_11_2};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Maximum length of a remark in parentheses after a label, `ISSN (print)`.
const MAX_LABEL_REMARK_BYTES: usize = 16;

/// Maximum length of a remark in parentheses, `(print)`.
const MAX_REMARK_BYTES: usize = 24;

/// Maximum length of the subdivisions in the prefix of a DOI.
const MAX_SUBDIVISION_BYTES: usize = 32;

/// Most digits of the number in a DOI prefix; the fewest are four.
const REGISTRANT: usize = 9;
/// Longest text between a label and its value, in bytes.
const MAX_GAP: usize = 48;
/// Longest label with the text up to its first value, in bytes.
pub(super) const MAX_LABEL_LENGTH: usize = 5 + MAX_GAP;
/// Most bytes between a label and a value of its list for which an explanation looks for the label.
pub(super) const MAX_LIST_LENGTH: usize = 1024;
/// Longest value after a label: an ISBN with typographic hyphens.
const MAX_VALUE_LENGTH: usize = 64;
/// Most values after one label. Each is found by reading the list from its label.
const MAX_VALUES: usize = 32;
/// Resolvers of DOIs, often written without their scheme.
const RESOLVERS: [&[u8]; 3] = [b"dx.doi.org/", b"www.doi.org/", b"doi.org/"];

/// The kind of identifier that a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdentifierLabel {
    Isbn,
    Issn,
    Pmid,
    Pmcid,
    /// The prefix of a PMCID, which is part of the value.
    Pmc,
    Arxiv,
    Orcid,
}

const LABELS: [(&[u8], IdentifierLabel); 7] = [
    (b"isbn", IdentifierLabel::Isbn),
    (b"issn", IdentifierLabel::Issn),
    (b"pmid", IdentifierLabel::Pmid),
    (b"pmcid", IdentifierLabel::Pmcid),
    (b"pmc", IdentifierLabel::Pmc),
    (b"arxiv", IdentifierLabel::Arxiv),
    (b"orcid", IdentifierLabel::Orcid),
];

/// The text between the name of a `<meta>` and its content.
const CONTENT: [&[u8]; 2] = [b"\" content=", b"' content="];

/// The result of reading after a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LabelledValue {
    /// Text that a scheme's recognizer reads.
    Rest(Unschemed),
    /// A number and its URI.
    Whole(Span, String),
    /// A malformed number.
    Broken(Span, Reason),
}

/// Returns the DOI whose first dot is at `haystack[dot]`.
pub(super) fn doi(haystack: &[u8], dot: usize) -> Option<Unschemed> {
    let number = dot.checked_sub(2)?;
    let rest = haystack.part(dot + 1..);
    let digits = rest.clamped(..=REGISTRANT).leading(|b| b.is_ascii_digit());
    // A registrant may subdivide its prefix: `10.1000.10/123456` (D7).
    let parts = rest
        .part(digits..)
        .clamped(..MAX_SUBDIVISION_BYTES)
        .leading(|b| b.is_ascii_digit() || b == b'.');
    // JSON may escape the slash.
    let has_slash = matches!(rest.part(digits + parts..), [b'/', ..] | [b'\\', b'/', ..]);
    let is_prefix = (4..=REGISTRANT).contains(&digits) && has_slash;
    if !is_prefix {
        return None;
    }
    let before = haystack.part(..number);
    let resolver = RESOLVERS.iter().find(|host| before.ends_with_ignore_case(host));
    let at = number - resolver.map_or(0, |host| host.len());
    let before = haystack.part(..at);
    let is_start = match before {
        // A label without a space, `DOI10.1000/182`.
        [.., b'i' | b'I'] => {
            before.ends_with_ignore_case(b"doi") && is_boundary(before.part(..before.len() - 3))
        }
        _ => is_boundary(before),
    };
    let kind = Kind::Abbreviated;
    is_start.then_some(Unschemed { at, rest: number, scheme: "doi:", kind, end: None })
}

/// True if the host that ends before `rest` is a resolver and a DOI follows.
pub(super) fn is_resolved(host: &[u8], rest: &[u8]) -> bool {
    let is_host = RESOLVERS.iter().any(|known| {
        known.strip_suffix(b"/").is_some_and(|known| known.eq_ignore_ascii_case(host))
    });
    is_host && matches!(rest, [b'/', b'1', b'0', b'.', digit, ..] if digit.is_ascii_digit())
}

/// D4.7: returns the end of the first DOI in `10.1000/a,10.1000/b`.
pub(super) fn end_of_first(text: &[u8]) -> Option<usize> {
    let starts = crate::memmem::find_iter(text, b"10.");
    let next = starts.filter(|&at| {
        let is_after = matches!(text.part(..at), [.., b',' | b';' | b'|']);
        is_after && text.get(at + 3).is_some_and(u8::is_ascii_digit)
    });
    next.take(1).last().map(|at| at - 1)
}

/// Returns the first value, at or after `floor`, of the label whose last letter is at
/// `haystack[last]`, and whether the list continues after it.
pub(super) fn labelled(
    haystack: &[u8],
    last: usize,
    floor: usize,
) -> Option<(LabelledValue, ListEnd)> {
    let text = haystack.part(..=last);
    let ends = |(name, _): &&(&[u8], _)| text.ends_with_ignore_case(name);
    let &(name, label) = LABELS.iter().find(ends)?;
    let before = text.part(..text.len() - name.len());
    let is_book = matches!(label, IdentifierLabel::Isbn | IdentifierLabel::Issn);
    let is_start = match before {
        // `eISSN`, `p-ISSN`: electronic and print editions
        [rest @ .., b'e' | b'E' | b'p' | b'P'] if is_book => is_boundary(rest),
        // Any other word before the hyphen, as in `non-ISBN`, makes another word of the label.
        [rest @ .., b'-'] => is_book && matches!(rest, [.., b'e' | b'E' | b'p' | b'P']),
        _ => is_boundary(before),
    };
    let rest = haystack.part(last + 1..);
    if label == IdentifierLabel::Pmc {
        let number = is_start.then(|| pmc(text.tail(name.len()), rest))?;
        return number.map(|(length, uri)| {
            let span = Span::new(before.len(), last + 1 + length);
            (LabelledValue::Whole(span, uri), ListEnd::Here)
        });
    }
    let gap = is_start.then(|| gap(label, before.last(), rest.clamped(..MAX_GAP)))??;
    work_counter::add(gap + MAX_VALUE_LENGTH);
    let mut at = last + 1 + gap;
    let is_plural = matches!(rest.first(), Some(b's' | b'S'));
    // With only a colon in between, `pmid:1` is a URI with a scheme, which the colon finds.
    let is_uri = gap == 1 && haystack.get(at - 1) == Some(&b':');
    let mut value = value_at(haystack, at, label);
    for _ in 0..MAX_VALUES {
        let end = at + value_length(haystack, at, label);
        let next = (end > at).then(|| next_value(haystack, end, label, is_plural)).flatten();
        if at >= floor {
            let value =
                value.filter(|value| !is_uri || !matches!(value, LabelledValue::Rest(_)))?;
            return Some((value, if next.is_some() { ListEnd::Later } else { ListEnd::Here }));
        }
        at = next?;
        value = value_at(haystack, at, label);
        work_counter::add(MAX_VALUE_LENGTH);
    }
    None
}

/// Whether a list of values ends after one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListEnd {
    Here,
    Later,
}

/// Returns the value that starts at `haystack[at]`.
fn value_at(haystack: &[u8], at: usize, label: IdentifierLabel) -> Option<LabelledValue> {
    let value = haystack.part(at..).clamped(..MAX_VALUE_LENGTH);
    let rest = |scheme| {
        let rest = Unschemed { at, rest: at, scheme, kind: Kind::Abbreviated, end: None };
        Some(LabelledValue::Rest(rest))
    };
    let whole = |(length, uri)| LabelledValue::Whole(Span::new(at, at + length), uri);
    match label {
        // D7: a number that lacks a digit or two is a wrong ISBN and is reported. Far fewer digits
        // are another number.
        IdentifierLabel::Isbn => isbn(value).map(whole).or_else(|| broken(at, value, 8)),
        IdentifierLabel::Issn => issn(value).map(whole).or_else(|| broken(at, value, 7)),
        IdentifierLabel::Orcid => orcid(value).map(whole).or_else(|| broken(at, value, 15)),
        IdentifierLabel::Pmcid => pmcid(value).map(whole),
        IdentifierLabel::Pmc => None,
        // PubMed numbers articles from 1, without leading zeros.
        IdentifierLabel::Pmid if matches!(value, [b'1'..=b'9', ..]) => rest("pmid:"),
        IdentifierLabel::Arxiv => rest("arxiv:"),
        IdentifierLabel::Pmid => None,
    }
}

/// Returns the length of the value at `haystack[at]`; 0 if no list continues after it.
fn value_length(haystack: &[u8], at: usize, label: IdentifierLabel) -> usize {
    let value = haystack.part(at..).clamped(..MAX_VALUE_LENGTH);
    let digits = value.leading(|b| b.is_ascii_digit());
    let length = |found: Option<(usize, String)>| found.map_or(0, |(length, _)| length);
    match label {
        IdentifierLabel::Isbn => length(isbn(value)),
        IdentifierLabel::Issn => length(issn(value)),
        IdentifierLabel::Orcid => length(orcid(value)),
        IdentifierLabel::Pmid => digits,
        // Those before 2007 have names and are rarely listed.
        IdentifierLabel::Arxiv => match value.part(digits..) {
            [b'.', number @ ..] if digits == 4 => {
                let number = number.leading(|b| b.is_ascii_digit());
                let version = match value.part(digits + 1 + number..) {
                    [b'v', version @ ..] => 1 + version.leading(|b| b.is_ascii_digit()),
                    _ => 0,
                };
                if matches!(number, 4 | 5) { digits + 1 + number + version } else { 0 }
            }
            _ => 0,
        },
        IdentifierLabel::Pmcid | IdentifierLabel::Pmc => 0,
    }
}

/// Returns where the next value of a list starts after the one that ends at `end`.
///
/// A bare number after a comma may be any number, so it must have the shape of the identifier and
/// its check digit. A PMID has neither: it must be in quotation marks, or its label a plural.
fn next_value(
    haystack: &[u8],
    end: usize,
    label: IdentifierLabel,
    is_plural: bool,
) -> Option<usize> {
    let near = haystack.part(end..).clamped(..MAX_GAP);
    let marks = near.clamped(..2).leading(|b| b"\"'*_".contains(&b));
    let mut at = marks + spaces(near.part(marks..))?;
    // `0028-0836 (print)`
    if let [b'(', inside @ ..] = near.part(at..) {
        let word = inside
            .clamped(..MAX_REMARK_BYTES)
            .leading(|b| b.is_ascii_alphanumeric() || b" -.".contains(&b));
        (inside.get(word) == Some(&b')')).then_some(())?;
        at += word + 2;
        at += spaces(near.part(at..))?;
    }
    let divided = at;
    at += near.part(at..).clamped(..1).leading(|b| b",;/&".contains(&b));
    at += spaces(near.part(at..))?;
    const WORDS: [&[u8]; 5] = [b"and ", b"or ", b"und ", b"et ", b"y "];
    let word = WORDS.iter().find(|word| starts_with(near.part(at..), word));
    at += word.map_or(0, |word| word.len());
    let is_divided = at > divided;
    let opening = near.part(at..).clamped(..2).leading(|b| b"\"'*_".contains(&b));
    at += opening;
    // Zotero divides ISBNs by spaces alone.
    let is_spaced = label == IdentifierLabel::Isbn && marks == 0;
    if at == 0 || !is_divided && !is_spaced {
        return None;
    }
    let at = end + at;
    let value = haystack.part(at..).clamped(..MAX_VALUE_LENGTH);
    let digits = value.leading(|b| b.is_ascii_digit());
    let fits = match label {
        IdentifierLabel::Isbn => {
            isbn(value).is_some_and(|(_, uri)| check_isbn(nss_of(&uri)).is_ok())
        }
        IdentifierLabel::Issn => {
            issn(value).is_some_and(|(_, uri)| check_issn(nss_of(&uri)).is_ok())
        }
        IdentifierLabel::Orcid => orcid(value).is_some(),
        IdentifierLabel::Pmid => {
            (is_plural || marks > 0 && opening > 0)
                && (5..=8).contains(&digits)
                && ends_number(value.part(digits..))
        }
        IdentifierLabel::Arxiv => value_length(haystack, at, label) > 0,
        IdentifierLabel::Pmcid | IdentifierLabel::Pmc => false,
    };
    fits.then_some(at)
}

/// Returns the text after `urn:isbn:` or `urn:issn:`.
fn nss_of(urn: &str) -> &[u8] {
    urn.as_bytes().part("urn:isbn:".len()..)
}

/// True if `before` does not end in the middle of a word, name, or path.
fn is_boundary(before: &[u8]) -> bool {
    match before.last() {
        Some(&b) => !b.is_ascii_alphanumeric() && !b"./@%$\\-&+?#~".contains(&b),
        None => true,
    }
}

/// Returns the length of the text between a label and its value: spaces with at most one line
/// break, a colon, quotes. `before` is the byte before the label.
fn gap(label: IdentifierLabel, before: Option<&u8>, text: &[u8]) -> Option<usize> {
    let mut at = qualifier(label, text);
    at += match (before, text.part(at..)) {
        // `Serial Number (ISSN) 0028-0836`
        (Some(b'('), [b')', b' ' | b':', ..]) => 1,
        // The label is the name of an element: `<issn pub-type="epub">0028-0836</issn>`.
        (Some(b'<' | b':'), [b' ' | b'\n' | b'\t', tag @ ..]) => {
            let attributes = tag.leading(|b| !matches!(b, b'<' | b'>'));
            let is_tag = tag.get(attributes) == Some(&b'>')
                && tag.part(..attributes).contains(&b'=')
                && tag.part(..attributes).last() != Some(&b'/');
            if is_tag { 1 + attributes } else { 0 }
        }
        // The label is a name: `<meta name="citation_issn" content="0028-0836">`.
        (_, rest) => {
            CONTENT.iter().find(|next| starts_with(rest, next)).map_or(0, |next| next.len())
        }
    };
    at += text.part(at..).clamped(..3).leading(|b| b"\"'*_".contains(&b));
    at += spaces(text.part(at..))?;
    if let [b'(', inside @ ..] = text.part(at..) {
        let word = inside
            .clamped(..MAX_LABEL_REMARK_BYTES)
            .leading(|b| b.is_ascii_alphanumeric() || b" -.".contains(&b));
        let is_remark = inside.get(word) == Some(&b')') && word > 0;
        at += if is_remark { word + 2 } else { 0 };
        at += spaces(text.part(at..))?;
    }
    at += match text.part(at..) {
        [b':' | b'=' | b'#', ..] => 1,
        // U+FF1A, the fullwidth colon
        [0xEF, 0xBC, 0x9A, ..] => 3,
        _ => 0,
    };
    at += spaces(text.part(at..))?;
    at += text.part(at..).clamped(..3).leading(|b| b"\"'*_{(<>[".contains(&b));
    (at < text.len()).then_some(at)
}

/// Returns the length of a word that belongs to the label: `-13`, `10`, `-L`, ` iD`.
fn qualifier(label: IdentifierLabel, text: &[u8]) -> usize {
    let ends = |length: usize| {
        text.get(length).is_none_or(|&b| !b.is_ascii_alphanumeric() && !matches!(b, b'-' | b'.'))
    };
    let words: &[&[u8]] = match label {
        IdentifierLabel::Isbn => &[b"-10", b"-13", b"10", b"13", b" 10", b" 13", b"s"],
        IdentifierLabel::Issn => &[b"-l", b"s"],
        IdentifierLabel::Orcid => &[b" ids", b" id", b"s"],
        IdentifierLabel::Arxiv => &[b" preprint", b" e-print"],
        IdentifierLabel::Pmid | IdentifierLabel::Pmcid => &[b"s"],
        IdentifierLabel::Pmc => &[],
    };
    let word = words.iter().find(|word| starts_with(text, word) && ends(word.len()));
    word.map_or(0, |word| word.len())
}

/// Returns the length of the white space at the start of `text`; `None` if a paragraph ends in it.
fn spaces(text: &[u8]) -> Option<usize> {
    let (mut at, mut breaks) = (0, 0);
    loop {
        match text.part(at..) {
            [b'\n', ..] => (at, breaks) = (at + 1, breaks + 1),
            [b' ' | b'\t' | b'\r', ..] => at += 1,
            // U+00A0
            [0xC2, 0xA0, ..] => at += 2,
            _ => return (breaks < 2).then_some(at),
        }
    }
}

/// Rejects a value with at least `least` digits. It is meant as a number, so it is reported and not
/// dropped.
fn broken(at: usize, value: &[u8], least: usize) -> Option<LabelledValue> {
    let length = value.leading(|b| b.is_ascii_digit() || matches!(b, b'-' | b'X' | b'x'));
    let digits = value.part(..length).iter().filter(|b| b.is_ascii_digit()).count();
    let span = Span::new(at, at + length);
    (digits >= least).then_some(LabelledValue::Broken(span, Reason::SchemeSyntax))
}

/// Separators between groups of digits. One number uses only one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DigitSeparator {
    Hyphen,
    Space,
}

/// Returns the separator at the start of `text` and its length.
fn separator(text: &[u8]) -> Option<(DigitSeparator, usize)> {
    match text {
        [b'-', ..] => Some((DigitSeparator::Hyphen, 1)),
        // U+2010–U+2013, U+2212: hyphens, dashes, minus
        [0xE2, 0x80, 0x90..=0x93, ..] | [0xE2, 0x88, 0x92, ..] => Some((DigitSeparator::Hyphen, 3)),
        [b' ', ..] => Some((DigitSeparator::Space, 1)),
        // U+00A0, U+202F: no-break spaces
        [0xC2, 0xA0, ..] => Some((DigitSeparator::Space, 2)),
        [0xE2, 0x80, 0xAF, ..] => Some((DigitSeparator::Space, 3)),
        _ => None,
    }
}

/// Reads up to `most` digits in groups with separators of one kind. The number ends at the last
/// group for which `is_end` holds.
fn grouped(text: &[u8], most: usize, is_end: impl Fn(&str) -> bool) -> Option<(usize, String)> {
    let mut digits = String::with_capacity(most);
    let (mut at, mut kind, mut end) = (0, None, None);
    loop {
        let group = text.part(at..).leading(|b| b.is_ascii_digit());
        let is_last = matches!(text.part(at + group..), [b'x' | b'X', ..]);
        let length = group + usize::from(is_last);
        if length == 0 || digits.len() + length > most {
            break;
        }
        digits
            .extend(text.part(at..at + length).iter().map(|b| char::from(b.to_ascii_uppercase())));
        at += length;
        // A longer number may still follow: ten digits of an ISBN may be the start of thirteen. So
        // the last end wins.
        if is_end(&digits) {
            end = Some((at, digits.len()));
        }
        match separator(text.part(at..)) {
            Some((found, length)) if !is_last && kind.is_none_or(|kind| kind == found) => {
                kind = Some(found);
                at += length;
            }
            _ => break,
        }
    }
    let (at, count) = end?;
    digits.truncate(count);
    ends_number(text.part(at..)).then_some((at, digits))
}

/// True if neither a digit, a letter, nor a hyphen with more text continues the number.
fn ends_number(rest: &[u8]) -> bool {
    let continues =
        |rest: &[u8]| rest.first().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    match separator(rest) {
        Some((DigitSeparator::Hyphen, length)) => !continues(rest.part(length..)),
        _ => !continues(rest) && !matches!(rest, [b'.', next, ..] if next.is_ascii_digit()),
    }
}

/// Ten digits, the last of which may be `X`, or thirteen (ISO 2108). The URN namespace checks the
/// check digit.
fn isbn(text: &[u8]) -> Option<(usize, String)> {
    let is_long = |digits: &str| digits.starts_with("978") || digits.starts_with("979");
    let (length, digits) = grouped(text, 13, |digits| match digits.len() {
        10 => true,
        13 => is_long(digits) || !digits.ends_with('X'),
        _ => false,
    })?;
    Some((length, ["urn:isbn:", &digits].concat()))
}

/// Four digits, a hyphen, three digits, and a check digit or `X` (ISO 3297).
fn issn(text: &[u8]) -> Option<(usize, String)> {
    let (length, digits) = grouped(text, 8, |digits| digits.len() == 8)?;
    let (front, back) = digits.split_at_checked(4)?;
    Some((length, ["urn:issn:", front, "-", back].concat()))
}

/// Four groups of four digits with a check digit at the end (ISO 7064 MOD 11-2).
fn orcid(text: &[u8]) -> Option<(usize, String)> {
    let (length, digits) = grouped(text, 16, |digits| digits.len() == 16)?;
    let groups = || (0..16).step_by(4).filter_map(|at| digits.get(at..at + 4));
    let mut uri = String::from("https://orcid.org/");
    for (index, group) in groups().enumerate() {
        uri.push_str(if index == 0 { "" } else { "-" });
        uri.push_str(group);
    }
    fits_mod_11_2(&digits).then_some((length, uri))
}

/// The number after `PMC`, in capitals. All have at least five digits, unlike most names of
/// products with these letters.
fn pmc(name: &[u8], rest: &[u8]) -> Option<(usize, String)> {
    // One more than a PMCID has, so that a longer number is refused and not cut.
    let digits = rest.clamped(..9).leading(|b| b.is_ascii_digit());
    let after = rest.part(digits..);
    let is_file = matches!(after, [b'.', next, ..] if next.is_ascii_alphanumeric());
    let number = core::str::from_utf8(rest.part(..digits)).ok()?;
    let fits = name == b"PMC" && (5..=8).contains(&digits) && ends_number(after) && !is_file;
    fits.then(|| (digits, pmc_uri(number)))
}

fn pmc_uri(number: &str) -> String {
    ["https://pmc.ncbi.nlm.nih.gov/articles/PMC", number, "/"].concat()
}

/// `PMC` and a number, or only the number.
fn pmcid(text: &[u8]) -> Option<(usize, String)> {
    let name = if starts_with(text, b"pmc") { 3 } else { 0 };
    let digits = text.part(name..).leading(|b| b.is_ascii_digit());
    let end = name + digits;
    let number = core::str::from_utf8(text.part(name..end)).ok()?;
    let fits = (1..=8).contains(&digits) && ends_number(text.part(end..));
    fits.then(|| (end, pmc_uri(number)))
}
