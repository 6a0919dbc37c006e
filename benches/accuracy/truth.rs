//! The absolute links of Markdown and HTML, as parsers see them, and where they stand.

use std::convert::Infallible;
use std::ops::Range;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// A link, and where its destination stands in the source.
#[derive(Clone, Debug)]
pub struct Link {
    pub span: Range<usize>,
    /// After the escapes and references of the markup are decoded.
    pub destination: String,
    /// What kind of link it is.
    pub kind: &'static str,
}

impl Link {
    /// True when the source has the destination as it is.
    pub fn is_verbatim(&self, text: &str) -> bool {
        text.get(self.span.clone()) == Some(&self.destination)
    }
}

/// The links of a file, and what was left out.
#[derive(Debug, Default)]
pub struct Truth {
    pub links: Vec<Link>,
    /// Rust paths such as `std::io`, whose `std:` is no scheme.
    pub paths: usize,
    /// Links whose place in the source could not be made out.
    pub lost: usize,
}

impl Truth {
    fn add(&mut self, span: Option<Range<usize>>, destination: &str, kind: &'static str) {
        let Some(scheme) = scheme(destination) else {
            return;
        };
        if destination[scheme.len() + 1..].starts_with(':') {
            self.paths += 1;
            return;
        }
        match span {
            Some(span) => self.links.push(Link { span, destination: destination.to_owned(), kind }),
            None => self.lost += 1,
        }
    }
}

/// The scheme of an absolute reference of two letters or more.
fn scheme(destination: &str) -> Option<&str> {
    let (scheme, _) = destination.split_once(':')?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let right = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(is_scheme);
    right.then_some(scheme)
}

/// Attributes that hold one URL.
const ATTRIBUTES: [&[u8]; 17] = [
    b"href",
    b"src",
    b"action",
    b"formaction",
    b"cite",
    b"data",
    b"poster",
    b"background",
    b"longdesc",
    b"manifest",
    b"codebase",
    b"classid",
    b"profile",
    b"icon",
    b"xlink:href",
    b"dynsrc",
    b"lowsrc",
];

/// The links of an HTML text.
pub fn html(text: &str) -> Truth {
    let mut truth = Truth::default();
    add_html(&mut truth, text, 0..text.len());
    truth.links.sort_by_key(|link| link.span.start);
    truth
}

fn add_html(truth: &mut Truth, text: &str, part: Range<usize>) {
    let Some(source) = text.get(part.clone()) else {
        return;
    };
    let mut values: Vec<(String, Span<usize>)> = Vec::new();
    let mut wanted = false;
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| {
        match event {
            CallbackEvent::AttributeName { name } => wanted = ATTRIBUTES.contains(&name),
            CallbackEvent::AttributeValue { value } if wanted => {
                values.push((String::from_utf8_lossy(value).into_owned(), span));
            }
            _ => {}
        }
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    let done = Tokenizer::new_with_emitter(source, emitter).finish();
    if done.is_err() {
        return;
    }
    for (value, span) in values {
        let value = value.trim_matches(|c: char| c.is_ascii_whitespace());
        let span = part.start + span.start..part.start + span.end;
        truth.add(attribute(text, span), value, "attribute");
    }
}

/// The value without the white space around it, if `span` really is a value.
fn attribute(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..span.start)?.chars().next_back()?;
    let after = text.get(span.end..)?.chars().next().unwrap_or('>');
    let quoted = matches!(before, '"' | '\'') && before == after;
    let bare = !matches!(before, '"' | '\'') && (after.is_ascii_whitespace() || after == '>');
    let value = text.get(span.clone())?;
    let start = span.end - value.trim_start().len();
    let end = span.start + value.trim_end().len();
    (quoted || bare).then_some(start..end)
}

/// The links of a Markdown text.
pub fn markdown(text: &str) -> Truth {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let parser = Parser::new_ext(text, options);
    let mut truth = Truth::default();
    for (_, definition) in parser.reference_definitions().iter() {
        let span = defined(text, definition.span.clone());
        truth.add(span, &definition.dest, "definition");
    }
    // Links and images that are open: kind, destination, where what is inside ends.
    let mut open: Vec<(LinkType, String, usize, bool)> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                open.push((link_type, dest_url.into_string(), range.start, false));
                continue;
            }
            Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                open.push((link_type, dest_url.into_string(), range.start, true));
                continue;
            }
            Event::End(pulldown_cmark::TagEnd::Link | pulldown_cmark::TagEnd::Image) => {
                if let Some((kind, destination, inside, image)) = open.pop() {
                    add_link(&mut truth, text, kind, &destination, inside..range.end, image);
                }
            }
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                add_html(&mut truth, text, range.clone());
            }
            _ => {}
        }
        if let Some((_, _, inside, _)) = open.last_mut() {
            *inside = (*inside).max(range.end);
        }
    }
    truth.links.sort_by_key(|link| link.span.start);
    truth.links.dedup_by(|a, b| a.span == b.span);
    truth
}

/// A link that has its destination with it; `rest` is what follows its text.
fn add_link(
    truth: &mut Truth,
    text: &str,
    link: LinkType,
    destination: &str,
    rest: Range<usize>,
    image: bool,
) {
    match link {
        LinkType::Autolink => {
            let start = rest.start.min(rest.end);
            let found = text[..rest.end].rfind(destination);
            let start = found.unwrap_or(start);
            truth.add(Some(start..start + destination.len()), destination, "autolink");
        }
        LinkType::Inline => {
            let kind = if image { "image" } else { "inline" };
            let at = text.get(rest.clone()).and_then(|rest| rest.find("]("));
            let span = at.and_then(|at| raw(text, rest.start + at + 2..rest.end));
            truth.add(span, destination, kind);
        }
        _ => {}
    }
}

/// The destination of a definition.
fn defined(text: &str, definition: Range<usize>) -> Option<Range<usize>> {
    let at = text.get(definition.clone())?.find("]:")?;
    raw(text, definition.start + at + 2..definition.end)
}

/// A destination as it is written, at the start of `rest`.
fn raw(text: &str, rest: Range<usize>) -> Option<Range<usize>> {
    let inside = text.get(rest.clone())?;
    let trimmed = inside.trim_start();
    let start = rest.end - trimmed.len();
    if let Some(bracketed) = trimmed.strip_prefix('<') {
        return Some(start + 1..start + 1 + bracketed.find('>')?);
    }
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, c) in trimmed.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' if depth == 0 => return Some(start..start + at),
            ')' => depth -= 1,
            _ if c.is_ascii_whitespace() => return Some(start..start + at),
            _ => {}
        }
    }
    Some(start..rest.end)
}
