//! Recognizes placeholders, defanged hosts, and other text that is not an authority (D4.6, D4.8,
//! D4.9).

use super::byte_class::{is_triplet, starts_with};
use super::char_reference::{self, CharReference};
use super::email;
use crate::byte_table::ByteTable;
use crate::error::Reason;
use crate::grammar::table::is_uri_byte;
use crate::registry::{ListLookup, slots, words};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Maximum length of a name in a placeholder.
const MAX_NAME_LENGTH: usize = 48;
/// Maximum length of a class of a pattern, with its brackets and the next byte.
const MAX_CLASS_LENGTH: usize = 24;
/// Maximum length of a wiki template.
const MAX_TEMPLATE_LENGTH: usize = 256;

/// Texts in or directly after an authority that rule it out, in any case. A longer sign precedes
/// its own prefixes.
#[rustfmt::skip]
const SIGNS: [(&str, Reason); 24] = [
    ("${", Reason::Template), ("$(", Reason::Template), ("$", Reason::Template),
    ("%s", Reason::Template), ("%d", Reason::Template), ("%(", Reason::Template),
    ("%%", Reason::Template), ("%", Reason::InvalidHost), ("{", Reason::Template),
    ("*", Reason::Template), ("[user", Reason::Template), ("[.]", Reason::Defanged),
    ("[dot]", Reason::Defanged), ("[:]", Reason::Defanged), ("[:", Reason::Template),
    ("(.)", Reason::Defanged), ("(dot)", Reason::Defanged), ("[.", Reason::Defanged),
    ("(.", Reason::Defanged), ("(?", Reason::Escaped), ("[/]", Reason::Defanged), ("\\.", Reason::Escaped),
    ("\\-", Reason::Escaped), ("@", Reason::InvalidHost),
];

/// True for the first byte of any of [`SIGNS`]. No sign starts with a letter, so letters of a host
/// never reach the list.
static STARTS_SIGN: ByteTable<bool> = {
    let mut starts = ByteTable::filled(false);
    let mut rest: &[(&str, Reason)] = &SIGNS;
    while let [(sign, _), others @ ..] = rest {
        if let [first, ..] = sign.as_bytes() {
            assert!(!first.is_ascii_alphabetic());
            starts = starts.with(*first, true);
        }
        rest = others;
    }
    starts
};

/// Returns why the text in or directly after an authority rules it out, if it does.
pub(crate) fn no_host_reason(rest: &[u8]) -> Option<Reason> {
    // Most authorities end at a `/` or a space, which start no sign.
    let first = rest.first()?;
    if !STARTS_SIGN.get(*first) {
        return None;
    }
    if starts_class(rest) {
        return Some(Reason::Template);
    }
    let starts = |(sign, _): &&(&str, Reason)| {
        sign.as_bytes().first() == Some(first) && starts_with(rest, sign.as_bytes())
    };
    let (sign, reason) = SIGNS.iter().find(starts)?;
    let after = rest.part(sign.len()..);
    let applies = match *sign {
        "$" => match after {
            [first, ..] if first.is_ascii_alphabetic() || *first == b'_' => true,
            // The group of a pattern, `http://a.example$1`; a price has more digits or a unit
            [b'0'..=b'9', next @ ..] => !next.first().is_some_and(u8::is_ascii_alphanumeric),
            _ => false,
        },
        "%s" | "%d" => true,
        // Half of a defanged dot: `example[.com`
        "[." | "(." => after.first().is_some_and(u8::is_ascii_alphanumeric),
        // A group of RTF or subtitles, or a wiki macro, follows a complete host.
        "{" => after.first() != Some(&b'\\') && !wiki_macro(rest),
        // Triplets are characters of the host, so this is not one. At the end of the text, the sign
        // is only trimmed (D4.3).
        "%" => !after.is_empty(),
        _ => true,
    };
    applies.then_some(*reason)
}

/// True for a class of a pattern inside a host: `is[1-9]-ssl.example`.
fn starts_class(rest: &[u8]) -> bool {
    // The bound keeps the work per host constant.
    let Some(inside) = rest.clamped(..MAX_CLASS_LENGTH).strip_prefix(b"[") else { return false };
    let class = inside.leading(|b| b.is_ascii_alphanumeric() || b == b'-');
    let continues = match inside.part(class..) {
        [b']', b'-' | b'.', next, ..] | [b']', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    };
    continues && inside.part(..class).contains(&b'-')
}

/// True if the dot of a host was defanged around the end of the authority. `rest` starts with half
/// of a bracket (`example.]com`) or with a space (`example [.] com`).
pub(crate) fn half_defanged(before: Option<u8>, rest: &[u8]) -> bool {
    const SPACED: [&[u8]; 5] = [b" [.] ", b" [dot] ", b" (dot) ", b" (.) ", b" dot "];
    match rest {
        [b']' | b')' | b'}', next, ..] => before == Some(b'.') && next.is_ascii_alphanumeric(),
        [b' ', b'[' | b'(' | b'd' | b'D', ..] => SPACED.iter().any(|dot| starts_with(rest, dot)),
        _ => false,
    }
}

/// A part of a host in square brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BracketedPart {
    /// The labels in the brackets; empty if the brackets contain a word for a dot.
    pub name: Span,
    /// True if a dot precedes them in the host that is meant, and none in the text.
    pub is_dotted: bool,
    /// Length with the brackets.
    pub length: usize,
}

/// Returns why `rest` shows that `host` is incomplete or a template: a placeholder or a part of the
/// host in brackets follows.
pub(crate) fn placeholder_after_host(host: &[u8], rest: &[u8]) -> Option<Reason> {
    no_host_reason(rest)
        .or_else(|| bracketed_part(host, rest).map(|_| Reason::Defanged))
        .or_else(|| fills_label(host, rest).then_some(Reason::Template))
}

/// D4.8: true if `rest` starts with a name in brackets, and the host continues after it:
/// `api-[env].a.example`. A label of AsciiDoc follows a complete host.
fn fills_label(host: &[u8], rest: &[u8]) -> bool {
    let Some(inside) = rest.clamped(..MAX_NAME_LENGTH + 4).strip_prefix(b"[") else { return false };
    let name = inside.leading(is_of_name);
    let continues = matches!(
        inside.part(name..),
        [b']', b'.' | b'-', next, ..] if next.is_ascii_alphanumeric()
    );
    let top = host.tail(host.tail(MAX_NAME_LENGTH).trailing(|b| b != b'.'));
    continues
        && name > 0
        && host.iter().any(u8::is_ascii_alphabetic)
        && !email::is_top(top)
        && !top.eq_ignore_ascii_case(b"localhost")
}

/// Words for a dot that [`SIGNS`] does not list.
const DOT_WORDS: [&[u8]; 5] = [b"punkt", b"point", b"punto", b"ponto", b"period"];

/// D4.6: returns the part of a host in brackets at the start of `rest`: `evil.[com]/a`,
/// `evil[com]`, `evil[.com]/a`, `x.[evil].com`, `evil[punkt]de`. `before` ends with the start of
/// the host.
///
/// A label of AsciiDoc or a wiki follows a complete host: `https://a.example[Example]`.
pub(crate) fn bracketed_part(before: &[u8], rest: &[u8]) -> Option<BracketedPart> {
    let inside = rest.clamped(..MAX_NAME_LENGTH + 2).strip_prefix(b"[")?;
    let in_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    let end = inside.leading(in_name);
    let after = inside.part(end..).strip_prefix(b"]")?;
    let has_dot = inside.first() == Some(&b'.');
    let name = inside.part(usize::from(has_dot)..end);
    let has_letter = |name: &[u8]| name.first().is_some_and(u8::is_ascii_alphabetic);
    let is_name = has_letter(name) && name.last() != Some(&b'.');
    let top = |name: &[u8]| {
        let top = name.tail(name.trailing(|b| b.is_ascii_alphanumeric() || b == b'-'));
        email::is_top(top)
    };
    let host = before.tail(before.tail(MAX_NAME_LENGTH).trailing(in_name));
    let part = |name: Span, is_dotted| Some(BracketedPart { name, is_dotted, length: end + 2 });
    let whole = Span::new(1, 1 + end);
    // The rest of a host, or text that may follow a host.
    let label = after.clamped(..MAX_NAME_LENGTH).leading(in_name);
    let continues = matches!(after.first(), Some(b'/' | b':' | b'?'))
        || matches!(after, [b'.', next, ..] if next.is_ascii_alphanumeric());
    match host.last() {
        // IPv6, or nothing that could be completed
        None => None,
        // `x.[evil].com`, `evil.[com]/a`
        Some(b'.') if is_name && !has_dot && (continues || top(name)) => part(whole, false),
        Some(b'.') => None,
        // `evil[.com]`
        Some(_) if is_name && has_dot => part(whole, false),
        // The host has a top-level domain, or is an address or a name of this machine.
        Some(_) if top(host) || host.iter().all(|b| !b.is_ascii_alphabetic()) => None,
        Some(_) if DOT_WORDS.iter().any(|dot| dot.eq_ignore_ascii_case(name)) => {
            let is_host = top(after.part(..label));
            if is_host { part(Span::new(0, 0), true) } else { None }
        }
        Some(_) if is_name && top(name) && !host.eq_ignore_ascii_case(b"localhost") => {
            part(whole, true)
        }
        Some(_) => None,
    }
}

/// True if `rest`, which starts with a percent sign, is a placeholder: `%s`, `%1$s`, `%name%`.
pub(crate) fn percent_placeholder(rest: &[u8]) -> bool {
    let after = rest.part(1..);
    let digits = after.clamped(..3).leading(|b| b.is_ascii_digit());
    match after.part(digits..) {
        // `s` is not a hexadecimal digit, so this cannot be a triplet.
        [b's', ..] if digits == 0 => true,
        // A verb of C, Java, Go, or Objective-C, if no name continues after it.
        [verb, next @ ..] if digits == 0 && is_verb(*verb, next.first().copied()) => true,
        // Zero-padded: as triplets these would be control characters, which no URI contains in
        // practice.
        [b'd', ..] if digits == 2 => after.first() == Some(&b'0'),
        // `%1$s` of Java and C. Without a number the `$` starts a variable, which another rule
        // decides.
        [b'$', b's' | b'd' | b'@', ..] => digits > 0,
        // `%(name)s` of Python
        [b'(', name @ ..] if digits == 0 => {
            let length = name.clamped(..MAX_NAME_LENGTH).leading(is_of_name);
            length > 0 && matches!(name.part(length..), [b')', b's' | b'd' | b'i' | b'r', ..])
        }
        _ => {
            let is_of_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
            let length = after.clamped(..MAX_NAME_LENGTH).leading(is_of_name);
            let [first, ..] = after else { return false };
            let closes = after.get(length) == Some(&b'%') && !is_triplet(after.part(length..));
            // A triplet before another percent sign looks alike. So a name that starts like a
            // triplet must be longer than one.
            closes && length > usize::from(is_triplet(rest)) + 1 && !first.is_ascii_digit()
        }
    }
}

/// True for the bytes of the name of a placeholder or a setting.
pub(super) fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// True if `verb`, followed by `next`, formats a number or an object: `%d`, `%i`, `%v`, `%n`, `%@`.
fn is_verb(verb: u8, next: Option<u8>) -> bool {
    let ends = next.is_none_or(|b| !b.is_ascii_alphanumeric());
    match verb {
        b'@' => next.is_none_or(|b| b"/\"?&.-_ )".contains(&b)),
        b'd' | b'i' | b'n' | b'u' | b'v' => ends || next == Some(b'%'),
        _ => false,
    }
}

/// True if `rest`, which starts with `$`, is a variable of a shell, program, or pattern: `$1`,
/// `$ID`, `$name` at the end of its segment.
pub(crate) fn variable(rest: &[u8]) -> bool {
    let name = rest.part(1..);
    let length =
        name.clamped(..MAX_NAME_LENGTH).leading(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (name, after) = name.split_at(length);
    let ends = matches!(
        after.first(),
        None | Some(b'/' | b'"' | b'\'' | b'?' | b'&' | b'.' | b' ' | b'\n' | b'`' | b'-')
    );
    match name {
        // One digit is a group of a pattern or an argument of a shell. More of them are a price,
        // `US$50`.
        [b'1'..=b'9'] => ends,
        [first, ..] => {
            (first.is_ascii_uppercase() || *first == b'_')
                && name.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
                // One capital may be OData's or a currency, so two are needed.
                && length > 1
                && ends
        }
        [] => false,
    }
}

/// Names after a `$` that a standard defines for the path or the query: OData 4.01 (part 2), the
/// operations of FHIR, the fields of Domino, JSON Schema, and the libraries of SvelteKit.
#[rustfmt::skip]
const STANDARD_NAMES: [&[u8]; 42] = [
    b"all", b"anchor", b"app", b"apply", b"batch", b"compute", b"count", b"crossjoin", b"defs", b"delta", b"document",
    b"each", b"entity", b"env", b"everything", b"expand", b"export", b"file", b"filter", b"first", b"format", b"import",
    b"it", b"lib", b"links", b"lookup", b"match", b"meta", b"metadata", b"orderby", b"ref", b"root", b"schema", b"search",
    b"select", b"service", b"skip", b"this", b"top", b"validate", b"value", b"web",
];

/// True if the `$` before `rest` starts a name in small letters that may be a variable: a segment
/// before another one, `/$id/x`, the number of a version, `/v$version/x`, or a value, `?id=$id`.
/// The last segment may be a page about that name:
/// `https://docs.angularjs.org/api/ng/service/$http`.
#[inline]
pub(crate) fn may_be_variable(before: &[u8], rest: &[u8]) -> bool {
    // Most are the parameters of OData, after `?` and `&`.
    let (is_value, needs_version) = match before {
        [.., b'='] => (true, false),
        [.., b'/' | b'-' | b'_'] | [.., b'/' | b'-' | b'_' | b'.', b'v' | b'V'] => (false, false),
        // `tool$version.zip`, but `Map$entry`
        [.., byte] if byte.is_ascii_alphanumeric() || *byte == b'.' => (false, true),
        _ => return false,
    };
    let length =
        rest.clamped(..MAX_NAME_LENGTH).leading(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (name, after) = rest.split_at(length);
    let continues = match after {
        [b'/' | b'?' | b'&', ..] => true,
        [b'.' | b'-' | b':', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    };
    let letter = name.strip_prefix(b"_").unwrap_or(name).first();
    letter.is_some_and(u8::is_ascii_lowercase)
        && (is_value || continues)
        && (!needs_version || name.ends_with_ignore_case(b"version"))
        && !STANDARD_NAMES.contains(&name)
}

/// True if `rest` starts with a macro of Jira or Confluence that ends a text: `{code}`.
pub(crate) fn wiki_macro(rest: &[u8]) -> bool {
    const MACROS: [&[u8]; 6] =
        [b"{code}", b"{noformat}", b"{quote}", b"{color}", b"{panel}", b"{info}"];
    MACROS.iter().any(|name| rest.starts_with(name))
}

/// True if `rest` starts with a wiki template that annotates the URI before it: `{{dead
/// link|date=May}}`.
pub(crate) fn wiki_template(rest: &[u8]) -> bool {
    let near = rest.clamped(..MAX_TEMPLATE_LENGTH);
    let Some(end) = crate::memmem::find(near, b"}}") else { return false };
    let Some(inside) = near.part(..end).strip_prefix(b"{{") else { return false };
    let (name, after) = inside.split_at(inside.leading(|b| b.is_ascii_alphabetic()));
    match after {
        // An annotation of a wiki is in the line of its URI. Braces over several lines are a
        // program.
        _ if name.is_empty() || memchr::memchr(b'\n', inside).is_some() => false,
        [b' ', letter, ..] => letter.is_ascii_alphabetic(),
        // `{{dead link|date=May}}` has named parameters. `{{name|filter}}` belongs to a template
        // engine, so the URI is a template (D4.8).
        [b'|', parameters @ ..] => parameters.contains(&b'='),
        _ => false,
    }
}

/// True if the text after a URI makes it a template: `<name>`, a template tag, or `\"%` of a string
/// that a program assembles.
pub(crate) fn placeholder_follows(rest: &[u8]) -> bool {
    const OPENERS: [&[u8]; 6] = [b"\\\"%", b"<?=", b"<?php", b"<%=", b"<% ", b"<*>"];
    OPENERS.iter().any(|opener| rest.starts_with(opener)) || angle_placeholder(rest)
}

/// True if `rest` starts with `<name>` or `&lt;name&gt;` and the name is not an HTML tag.
pub(crate) fn angle_placeholder(rest: &[u8]) -> bool {
    let (inner, close) = match rest.first() {
        Some(b'<') if rest.get(1) == Some(&b'<') => (rest.part(2..), &b">>"[..]),
        Some(b'<') => (rest.part(1..), &b">"[..]),
        _ if char_reference::read(rest) == Some(CharReference::Hard('<')) => {
            let Some(semicolon) = memchr::memchr(b';', rest) else {
                return false;
            };
            (rest.part(semicolon + 1..), &b"&gt;"[..])
        }
        _ => return false,
    };
    let is_name =
        |b: u8| b.is_ascii_alphanumeric() || b >= 0x80 || matches!(b, b'_' | b'-' | b'.' | b' ');
    let (name, after) = inner.split_at(inner.clamped(..MAX_NAME_LENGTH).leading(is_name));
    name.first().is_some_and(|&b| b.is_ascii_alphabetic() || b >= 0x80)
        && name.last().is_some_and(|&b| b != b' ')
        && after.starts_with(close)
        && !is_html_tag(name)
        && !KEYS.contains(&name)
}

/// Names of keys in the mappings of editors, which end a command: `:!open https://a.example/<CR>`.
const KEYS: [&[u8]; 8] = [b"CR", b"cr", b"Cr", b"Enter", b"Return", b"Esc", b"Tab", b"NL"];

/// Maximum length of a tag, the name in it, and its end tag.
const MAX_TAGGED_LENGTH: usize = 160;

/// HTML elements that may occur in a URI, and often mark a part for the reader to fill in.
pub(crate) const NAME_ELEMENTS: [&str; 4] = ["code", "em", "i", "var"];

/// Elements that may occur in a URI, and change how letters look. Not those of notes,
/// `<sup>1</sup>`.
pub(crate) const LOOK_ELEMENTS: [&str; 11] =
    ["b", "big", "font", "kbd", "mark", "samp", "small", "span", "strong", "tt", "u"];

/// True if `rest` starts with a name in an inline element of HTML that is a part of the URI before
/// it: `https://a.example/<em>name</em>/x`.
pub(crate) fn tagged_name(uri: &[u8], rest: &[u8]) -> bool {
    let Some(tag) = rest.clamped(..MAX_TAGGED_LENGTH).strip_prefix(b"<") else { return false };
    let (name, tag) = tag.split_at(tag.leading(|b| b.is_ascii_alphanumeric()));
    let mut known = NAME_ELEMENTS.iter().chain(&LOOK_ELEMENTS);
    if !known.any(|known| known.as_bytes().eq_ignore_ascii_case(name)) {
        return false;
    }
    let attributes = tag.leading(|b| !matches!(b, b'<' | b'>' | b'\n'));
    let Some(inside) = tag.part(attributes..).strip_prefix(b">") else { return false };
    let (inside, end) = inside.split_at(inside.leading(is_uri_byte));
    let after = end.strip_prefix(b"</").and_then(|end| end.strip_prefix(name));
    let Some(after) = after.and_then(|after| after.strip_prefix(b">")) else { return false };
    // Some elements mark a part for the reader to fill in, others a word of the text after the URI.
    let is_name = NAME_ELEMENTS.iter().any(|known| known.as_bytes() == name);
    let joins = is_name && uri.last().is_some_and(|b| b"/=-_?&:@#".contains(b));
    let continues = match after {
        [b'/' | b'?' | b'#' | b'&' | b'=', ..] => true,
        [b'.' | b'-' | b'_', next, ..] | [next, ..] => next.is_ascii_alphanumeric(),
        [] => false,
    };
    inside.first().is_some_and(u8::is_ascii_alphanumeric) && (joins || continues)
}

fn is_html_tag(name: &[u8]) -> bool {
    TAGS.holds(name)
}

/// Elements of HTML, current and obsolete.
#[rustfmt::skip]
static TAGS: ListLookup<{ slots(142) }> = ListLookup::new(words![
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base",
    "basefont", "bdi", "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button",
    "canvas", "caption", "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd",
    "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed", "fieldset",
    "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4",
    "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img", "input",
    "ins", "isindex", "kbd", "keygen", "label", "legend", "li", "link", "listing", "main", "map",
    "mark", "marquee", "math", "menu", "menuitem", "meta", "meter", "nav", "nobr", "noembed",
    "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param",
    "picture", "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp",
    "script", "search", "section", "select", "slot", "small", "source", "spacer", "span", "strike",
    "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template",
    "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul", "var",
    "video", "wbr", "xmp",
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_known() {
        assert!(is_html_tag(b"BR") && !is_html_tag(b"name"));
    }

    #[test]
    fn the_longest_sign_counts() {
        for (at, (sign, _)) in SIGNS.iter().enumerate() {
            let mut later = SIGNS.iter().skip(at + 1);
            assert!(later.all(|(other, _)| !other.starts_with(sign)), "{sign}");
        }
    }

    #[test]
    fn signs_of_no_host() {
        assert_eq!(no_host_reason(b"{host}/"), Some(Reason::Template));
        assert_eq!(no_host_reason(b"$HOST/"), Some(Reason::Template));
        assert_eq!(no_host_reason(b"$ 5"), None);
        assert_eq!(no_host_reason(b"[DOT]com"), Some(Reason::Defanged));
        assert_eq!(no_host_reason(b"*.example"), Some(Reason::Template));
        assert_eq!(no_host_reason(b", and"), None);
        assert!(angle_placeholder(b"<name>") && angle_placeholder(b"&lt;your id&gt;"));
        assert!(
            !angle_placeholder(b"<br>")
                && !angle_placeholder(b"</a>")
                && !angle_placeholder(b"<a href=")
        );
    }
}
