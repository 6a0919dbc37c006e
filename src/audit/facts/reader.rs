//! Reads a document into [`Facts`].

use std::ops::ControlFlow;

use memchr::memmem;

use super::code::OpenCode;
use super::front_matter;
use super::{
    Facts, KeptLabel, Label, LabelDefinition, LabelKind, Link, LinkKind, SharedText, SpannedText,
    UndefinedLabel, topics,
};
use crate::audit::finding::is_among;
use crate::audit::target::duplicate::folded;
use crate::document::mail::Scratch;
use crate::document::mbox;
use crate::document::{
    self, CodeParts, Content, Dialect, Event, Format, LinkOrigin, MarkupFamily, NameSpace, Part,
    Role, Source, Wants, html,
};
use crate::hash::{HashMap, HashSet};
use crate::offset_map::Layers;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::{Finder, Finding, Span};

/// Reads a document of a dialect; `bytes` must equal the text that `text` returns.
pub(in crate::audit) fn read(
    format: Option<Format>,
    dialect: &Dialect,
    bytes: &[u8],
    text: impl FnOnce() -> SharedText,
    finder: &Finder,
) -> Facts {
    let mut reader = FactsReader {
        bytes,
        finder,
        destinations: Destinations::default(),
        facts: Facts { format, ..Facts::default() },
    };
    match format {
        // A reader of facts never stops early, so the result can be ignored.
        Some(format) => {
            // Reserve enough for most documents, to avoid moving the lists while they grow.
            reader.facts.links.expect(bytes.len() / 512);
            reader.destinations.expected = bytes.len() / 512;
            reader.facts.labels.expect(bytes.len() / 512);
            reader.facts.names.expect(bytes.len() / 512);
            if format.is_page() {
                reader.front_matter_of_page();
            }
            if format.is_message() && mbox::is_mbox(bytes) {
                let _ = mbox::read_all(bytes, &mut Scratch::default(), &mut reader);
            } else {
                let _ = format.read(Source::new(bytes).in_dialect(dialect), &mut reader);
            }
            let is_topic = format.is_source() || format.family() == MarkupFamily::Xml;
            if is_topic && topics::may_be_in(bytes) {
                topics::add(bytes, finder, &mut reader.facts);
            }
            reader.facts.is_of_page = is_of_page(bytes);
            if format.is_source() {
                reader.facts.address = format.page_address(bytes);
                reader.facts.source_text = text();
            } else {
                reader.facts.is_template = is_template(bytes);
                reader.facts.is_whole_page = is_whole_page(bytes);
            }
        }
        None => {
            for finding in finder.findings(bytes) {
                reader.found(&finding, bytes, None);
            }
        }
    }
    reader.finish()
}

/// True for text that starts with template syntax, such as `{% extends "base.html" %}`.
fn is_template(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    [&b"{%"[..], b"{{", b"{#", b"<%"].iter().any(|opener| start.starts_with(opener))
}

/// True for front matter with keys that only a page of a site has, such as a title.
pub(in crate::audit) fn is_of_page(bytes: &[u8]) -> bool {
    const KEYS: &str =
        "date id layout menu order permalink sidebar_label sidebar_position slug title weight";
    /// Lines that are read. Front matter is longer only if it holds content.
    const MAX_LINES: usize = 32;
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    let fence = lines.next().filter(|line| [&b"---"[..], b"+++"].contains(line));
    let Some(fence) = fence else { return false };
    lines.take(MAX_LINES).take_while(|line| *line != fence).any(|line| {
        let key = line.split(|&byte| matches!(byte, b':' | b'=')).next().unwrap_or_default();
        let key = std::str::from_utf8(key.trim_ascii_end()).unwrap_or_default();
        key.len() < line.len() && is_among(KEYS, key)
    })
}

/// True for text that starts with a document type or the element `html`, after comments perhaps.
fn is_whole_page(bytes: &[u8]) -> bool {
    const HEAD_BYTES: usize = 1024;
    let head = bytes.clamped(..HEAD_BYTES.min(bytes.len())).to_ascii_lowercase();
    [&b"<!doctype html"[..], b"<html"].iter().any(|start| memmem::find(&head, start).is_some())
}

/// Finds the link of a destination by its span.
#[derive(Default)]
struct Destinations {
    all: Vec<(Span, usize)>,
    expected: usize,
    /// Number of destinations already in the index, which is built on the first distant lookup.
    indexed: usize,
    by_span: HashMap<Span, usize>,
}

impl Destinations {
    fn add(&mut self, span: Span, link: usize) {
        if self.all.is_empty() {
            self.all.reserve(self.expected);
        }
        self.all.push((span, link));
    }

    fn link_at(&mut self, span: Span) -> Option<usize> {
        // In HTML and for inline links, the text closely follows its destination. Reference links
        // may be far away and need the index.
        let mut last = self.all.iter().rev().take(4);
        if let Some(&(_, link)) = last.find(|(destination, _)| *destination == span) {
            return Some(link);
        }
        self.by_span.extend(self.all.iter().skip(self.indexed).copied());
        self.indexed = self.all.len();
        self.by_span.get(&span).copied()
    }
}

/// Returns labels whose definitions only a template engine completes (`[a]: {{ site.url }}/b`), and
/// those right below. Until then, CommonMark reads all of them as one paragraph.
// Jekyll fills in `{{ site.url }}` before Markdown is parsed, so these labels are defined on the
// site (docs/measurements/2026-11-25-audit-precision.md).
fn filled_in(bytes: &[u8]) -> HashSet<String> {
    let mut labels = HashSet::default();
    let mut end = 0;
    for at in memmem::find_iter(bytes, b"]: {") {
        if at < end || !matches!(bytes.get(at + 4), Some(b'{' | b'%')) {
            continue;
        }
        // A label has at most 999 characters (CommonMark §6.3), and a character at most 4 bytes.
        let before = bytes.clamped(..at).tail(4 * 999);
        let start = at - before.len() + memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        end = start;
        for line in bytes.clamped(start..).split_inclusive(|&byte| byte == b'\n') {
            let label = line.trim_ascii().strip_prefix(b"[");
            let Some((label, close)) = label.and_then(|it| Some((it, memmem::find(it, b"]:")?)))
            else {
                break;
            };
            labels.insert(folded(&lossy(label.clamped(..close))));
            end += line.len();
        }
    }
    labels
}

/// True if the source has an image in Markdown or HTML.
fn has_image(source: &[u8]) -> bool {
    memchr::memchr2_iter(b'!', b'<', source).any(|at| {
        let rest = source.clamped(at..);
        [&b"!["[..], b"<img", b"<IMG"].iter().any(|start| rest.starts_with(start))
    })
}

struct FactsReader<'r> {
    bytes: &'r [u8],
    finder: &'r Finder,
    destinations: Destinations,
    facts: Facts,
}

impl FactsReader<'_> {
    fn found(&mut self, finding: &Finding<'_>, text: &[u8], part: Option<&Part<'_>>) {
        // A rejected URI in running text is just text, so it is not a link.
        if !matches!(finding, Finding::Rejected(_)) {
            let span = finding.span();
            let span = part.map_or(span, |part| part.source.source(span));
            self.facts.links.push(Some(finding), span, text, part);
        }
    }

    /// True if a word character or a closing bracket directly precedes the span.
    fn is_glued(&self, span: Span) -> bool {
        let before = span.start().checked_sub(1).and_then(|at| self.bytes.get(at));
        before
            .is_some_and(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b']' | b')'))
    }

    fn written(&self, span: Span) -> String {
        let bytes = self.bytes.get(span.range()).unwrap_or_default();
        lossy(bytes).into_owned()
    }

    fn finish(self) -> Facts {
        let mut facts = self.facts;
        if !facts.undefined.is_empty() {
            let filled_in = filled_in(self.bytes);
            facts.undefined.retain(|it| !filled_in.contains(&folded(&it.label)));
        }
        // Only URIs in text can repeat a link; most documents have none, so skip the work for them.
        if facts.links.iter().any(|link| link.role != Role::Destination) {
            facts.drop_repeated(self.bytes);
        }
        for (index, (_, label)) in facts.labels.iter().enumerate() {
            if let Some(link) = label.link {
                facts.links.set_label(link as usize, index);
            }
        }
        facts
    }
}

impl Facts {
    /// Drops URIs in a link's text that repeat the link, and URIs in code.
    fn drop_repeated(&mut self, bytes: &[u8]) {
        let facts = self;
        let mut code = OpenCode::new(bytes);
        let is_html = facts.format.is_some_and(Format::is_page);
        let mut around: Vec<(Span, usize)> = Vec::new();
        for (index, (_, label)) in facts.labels.iter().enumerate() {
            if label.link.is_some() {
                around.push((label.span, index));
            }
        }
        around.sort_unstable();
        let label = |span: Span| {
            let after = around.partition_point(|(label, _)| label.start() <= span.start());
            let &(label, index) = around.get(after.checked_sub(1)?)?;
            (span.end() <= label.end()).then_some(facts.label(index)?)
        };
        let says_the_same = |link: &Link<'_>, label: &Label<'_>| {
            let to = label.link.and_then(|to| facts.links.get(to));
            label.text.trim() == link.written || to.is_some_and(|to| to.written == link.written)
        };
        let mut keeps = Vec::with_capacity(facts.links.len());
        for link in facts.links.iter() {
            let repeats = || label(link.span).is_some_and(|label| says_the_same(&link, &label));
            let mut is_shown = || is_html && is_notable(&link) && code.holds(link.span.start());
            keeps.push(link.role == Role::Destination || !repeats() && !is_shown());
        }
        if keeps.iter().all(|&keeps| keeps) {
            return;
        }
        // Labels refer to links by index, so renumber them.
        let mut moved = Vec::with_capacity(keeps.len());
        let mut next = 0_u32;
        for &keep in &keeps {
            moved.push(next);
            next += u32::from(keep);
        }
        facts.links.retain(&keeps);
        for label in facts.labels.items_mut() {
            label.link = label.link.and_then(|link| moved.get(link as usize).copied());
        }
    }
}

/// True if marks stand around the URI of a reference, besides white space (D3.8).
fn is_wrapped(finding: &Finding<'_>, text: &[u8]) -> bool {
    finding.span().start() > text.leading(|byte| byte <= b' ')
}

/// True if a check may complain about this URI. Common URIs need no look at the code elements
/// around them, so most pages are never scanned for code.
fn is_notable(link: &Link<'_>) -> bool {
    match &link.kind {
        LinkKind::Absolute(parsed) => {
            let is_common =
                ["http:", "https:", "mailto:"].iter().any(|it| parsed.uri.starts_with(it));
            !is_common || parsed.nss_fault.is_some() || !parsed.flags.is_empty()
        }
        _ => true,
    }
}

/// Documents that Sphinx makes.
const GENERATED_DOCUMENTS: [&str; 5] = ["self", "genindex", "modindex", "py-modindex", "search"];

impl document::EventSink for FactsReader<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            event => {
                self.note(event);
                ControlFlow::Continue(())
            }
        }
    }

    fn wants(&self) -> Wants {
        Wants::all().code(CodeParts::Skipped).identifiers(self.finder.identifiers())
    }
}

/// Returns a name as a reference: no `%` in it starts an escape.
fn literal(name: &[u8]) -> Vec<u8> {
    lossy(name).replace('%', "%25").into_bytes()
}

impl FactsReader<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        // An attached file is audited as a document of its own.
        if part.stream.is_some_and(|stream| stream.file.is_some()) {
            return ControlFlow::Continue(());
        }
        if self.facts.format.is_some_and(Format::is_page) && self.facts.redirect.is_none() {
            self.facts.redirect = html::redirect(part);
        }
        match part.role {
            Role::Comment => self.facts.comments.push(SpannedText {
                text: lossy(part.text).into_owned(),
                span: part.source.source(Span::new(0, part.text.len())),
            }),
            Role::Metadata => self.front_matter(part),
            Role::Code | Role::String => {}
            _ => match part.content {
                Content::Reference => {
                    let respelled = if self.facts.format.is_some_and(Format::is_page) {
                        html::respelled(part.text)
                    } else {
                        self.literal_name(part)
                    };
                    let read = respelled.as_deref().unwrap_or(part.text);
                    let finding = self.finder.reference(read);
                    // A label refers to its destination by the span of the whole part, which may be
                    // longer than the reference in it.
                    let whole = part.source.source(Span::new(0, part.text.len()));
                    self.destinations.add(whole, self.facts.links.len());
                    let finding = finding.as_ref();
                    if respelled.is_some() {
                        let written = lossy(part.text);
                        self.facts.links.push_written(finding, whole, &written, Some(part));
                        return ControlFlow::Continue(());
                    }
                    if let Some(finding) = finding.filter(|it| is_wrapped(it, part.text)) {
                        // Browsers read the marks as a part of the reference (WHATWG URL §4.4), so
                        // checks must see them.
                        let written = lossy(part.text.trim_ascii());
                        self.facts.links.push_written(Some(finding), whole, &written, Some(part));
                        return ControlFlow::Continue(());
                    }
                    let span = match finding.map(Finding::span) {
                        Some(within) if within.len() < part.text.len() => {
                            part.source.source(within)
                        }
                        _ => whole,
                    };
                    self.facts.links.push(finding, span, part.text, Some(part));
                }
                Content::Value | Content::Text | Content::Autolinks => {
                    if !self.finder.may_find(part.text) {
                        return ControlFlow::Continue(());
                    }
                    let value = match part.content {
                        Content::Value => self.finder.value(part.text),
                        _ => None,
                    };
                    if let Some(found) = value {
                        self.found(&Finding::Match(found), part.text, Some(part));
                        return ControlFlow::Continue(());
                    }
                    for finding in self.finder.findings(part.text) {
                        self.found(&finding, part.text, Some(part));
                    }
                }
            },
        }
        ControlFlow::Continue(())
    }

    /// Returns the name of a file as a reference, where the format has names and not URIs: `%20` in
    /// it is no space.
    fn literal_name(&self, part: &Part<'_>) -> Option<Vec<u8>> {
        if !part.text.contains(&b'%') {
            return None;
        }
        self.facts.format?.is_file_name(part).then(|| literal(part.text))
    }

    /// Keeps the links in strings of front matter.
    fn front_matter(&mut self, part: &Part<'_>) {
        let is_source = self.facts.format.is_some_and(Format::is_source);
        // Empty lines may be before TOML (Zola).
        let starts = |fence: &[u8]| match fence {
            b"+++" => self.bytes.trim_ascii_start().starts_with(fence),
            _ => self.bytes.starts_with(fence),
        };
        let is_first = self.facts.links.len() == 0;
        if !is_source || !is_first || !starts(b"---") && !starts(b"+++") {
            return;
        }
        let links = front_matter::destinations(part.text)
            .into_iter()
            .map(|it| (it, LinkOrigin::FrontMatter));
        let values = front_matter::values(part.text).into_iter().map(|it| {
            let is_of_citations = front_matter::is_of_citations(part.text.clamped(it.clone()));
            // Quarto itself reads these; what other keys mean is known only to the theme.
            let origin =
                if is_of_citations { LinkOrigin::QuartoFile } else { LinkOrigin::FrontMatterValue };
            (it, origin)
        });
        let mut found: Vec<_> = links.chain(values).collect();
        found.sort_by_key(|(range, _)| range.start);
        for (range, origin) in found {
            let text = part.text.clamped(range.clone());
            let span = part.source.source(Span::new(range.start, range.end));
            if let Some(finding) = self.finder.reference(text) {
                self.keep_of_front_matter(&finding, origin, text, span);
            }
        }
    }

    /// Keeps the links of Markdown in the front matter of a page. Its addresses and tags are read
    /// as those of text, because HTML has no front matter.
    fn front_matter_of_page(&mut self) {
        let bytes = self.bytes;
        let Some(whole) = front_matter::of_page(bytes) else { return };
        let text = bytes.part(whole.range());
        for range in front_matter::destinations(text) {
            let is_of_markdown = text.clamped(..range.start).ends_with(b"](");
            let span = Span::new(whole.start() + range.start, whole.start() + range.end);
            let text = text.clamped(range);
            match self.finder.reference(text) {
                Some(finding @ Finding::Relative(_)) if is_of_markdown => {
                    self.keep_of_front_matter(&finding, LinkOrigin::FrontMatter, text, span);
                }
                _ => {}
            }
        }
    }

    fn keep_of_front_matter(
        &mut self,
        finding: &Finding<'_>,
        origin: LinkOrigin,
        text: &[u8],
        span: Span,
    ) {
        let part = Part {
            content: Content::Reference,
            origin,
            ..Part::of_text(text, Layers::copied(span.start()), Role::Destination)
        };
        self.facts.links.push(Some(finding), span, text, Some(&part));
    }

    /// Keeps the name of a document as a link to it.
    fn refer_to_document(&mut self, name: &str, span: Span) {
        if GENERATED_DOCUMENTS.contains(&name) {
            return;
        }
        if name.contains(['*', '?']) {
            self.facts.document_globs.push(name.to_owned());
            return;
        }
        self.refer_by(LinkOrigin::DocumentName, name, span);
    }

    /// Keeps a name as a link of this origin.
    fn refer_by(&mut self, origin: LinkOrigin, name: &str, span: Span) {
        let text = name.as_bytes();
        let part = Part {
            content: Content::Reference,
            origin,
            ..Part::of_text(text, Layers::copied(span.start()), Role::Destination)
        };
        // Sphinx looks up the literal text.
        let reference = if name.contains('%') { literal(text) } else { text.to_vec() };
        // A name that is not a path, as with spaces, is rare, and no fault.
        if let Some(finding @ Finding::Relative(_)) = &self.finder.reference(&reference) {
            self.facts.links.push_written(Some(finding), span, name, Some(&part));
        }
    }

    fn note(&mut self, event: &Event<'_>) {
        let facts = &mut self.facts;
        match *event {
            Event::Base { reference, span } => {
                let text = reference.to_owned();
                facts.base.get_or_insert(SpannedText { text, span });
            }
            Event::Define { space: NameSpace::Anchor, name, span } => facts.names.push(name, span),
            Event::Heading { level, text, span } => {
                facts.headings.push(text, (level, span));
            }
            // An attached file is audited as a document of its own.
            Event::Label { stream: Some(_), .. } => {}
            Event::Label { text, destination, span, .. } => {
                let source = self.bytes.get(span.range()).unwrap_or_default();
                // If source and text are equally long, the label has no markup, and so no image.
                let may_have_image = source.len() != text.len();
                let kind = if may_have_image && has_image(source) {
                    LabelKind::Image
                } else {
                    LabelKind::Text
                };
                let link = self.destinations.link_at(destination);
                let link = link.and_then(|link| u32::try_from(link).ok());
                facts.labels.push(text, KeptLabel { span, kind, link });
            }
            Event::Define { space: NameSpace::Label, name: label, span } => {
                let whole = self.written(span);
                // The definition is `[label]: value` or `.. _label: value`.
                let after = whole.split_once(label).map_or("", |(_, after)| after);
                let value = after.split_once(':').map_or("", |(_, value)| value);
                self.facts.definitions.push(LabelDefinition {
                    label: label.to_owned(),
                    value: value.trim().to_owned(),
                    span,
                });
            }
            Event::Refer { space: NameSpace::Document, name, span, .. } => {
                self.refer_to_document(name, span);
            }
            Event::Refer { space: NameSpace::OtherProject, name, span, .. } => {
                // `python:a` looks like a URI, but is not meant as one.
                let name = name.rsplit(':').next().unwrap_or_default();
                self.refer_by(LinkOrigin::OtherProject, name, span);
            }
            Event::Refer { space: NameSpace::Title, name, span, .. } => {
                facts.title_references.push(SpannedText { text: name.to_owned(), span });
            }
            Event::Refer { space: NameSpace::Page, name, span, .. } => {
                facts.wikilinks.push(SpannedText { text: name.to_owned(), span });
            }
            Event::Unread { file: "", message }
                if facts.format.is_some_and(|it| !it.is_message()) =>
            {
                facts.unread.push(message.to_owned());
            }
            Event::Refer { space: NameSpace::Unlinked, name, span, .. } => {
                facts.malformed.push(SpannedText { text: name.to_owned(), span });
            }
            // `a[i][j]` is an index expression, not a reference.
            Event::Refer { space: NameSpace::Label | NameSpace::Shortcut, span, .. }
                if self.is_glued(span) => {}
            Event::Refer {
                space:
                    space @ (NameSpace::Label
                    | NameSpace::Shortcut
                    | NameSpace::CrossReference
                    | NameSpace::Term
                    | NameSpace::Substitution
                    | NameSpace::Note
                    | NameSpace::Attachment),
                name: label,
                scope,
                span,
            } => {
                // Only the label is kept: references may contain each other, so that all of them
                // together are much longer than the document.
                let label = label.to_owned();
                self.facts.undefined.push(UndefinedLabel { space, label, scope, span });
            }
            _ => {}
        }
    }
}
