//! Reads the groups and control words of RTF.

use std::ops::ControlFlow;

use super::nested_text::{ApartText, INFORMATION, OuterText};
use crate::document::office::field::{self, FieldLink, FieldTarget};
use crate::document::writer::{link_content, trimmed};
use crate::document::{Content, Event, EventSink, NameSpace, Part, Place, Role, Source, html};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::percent::{self, PercentSet};
use crate::slice::{ByteRuns as _, SliceExt as _, hexadecimal, lossy};
use crate::span::Span;
use crate::work_counter;

/// The use of a group's text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupKind {
    Text,
    /// The instruction of a field.
    Instruction,
    /// The name of a bookmark.
    Bookmark,
    /// A destination that readers don't show: fonts, styles, a template, unknown destinations. A
    /// URI may hide there, and a program may open it.
    Aside,
    /// An embedded object or the data of a field, in hexadecimal. Its address may be opened with
    /// the document.
    Data,
    /// Pictures in hexadecimal, and content that another destination repeats.
    Ignored,
}

#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) kind: GroupKind,
    /// Bytes that stand for a character after `\u`, for readers without Unicode.
    skips: usize,
    /// True for the group that a field is in.
    is_field: bool,
    /// True for a replacement of HTML that is there, too (`\\htmlrtf`).
    is_repeated: bool,
    /// True for the group of a destination whose text is not part of the text around it.
    pub(super) is_apart: bool,
}

/// A field: its instruction, and the start of its result in the paragraph.
pub(super) struct RtfField {
    pub(super) instruction: DerivedText,
    start: usize,
}

/// The link of a field that has ended.
pub(super) struct FieldDestination {
    instruction: DerivedText,
    link: FieldLink,
    /// The field's result, in the text of the paragraph.
    // A copy for each of a thousand fields within each other took 240 bytes per byte of the file.
    shown: Span,
}

/// Longer labels are cut.
const MAX_LABEL_LENGTH: usize = 1 << 10;

/// Deeper groups are read as text of the last one. Real files have a dozen.
const MAX_GROUPS: usize = 1024;

pub(super) struct RtfReader<'r, 's> {
    pub(super) source: Source<'r>,
    bytes: &'r [u8],
    pub(super) sink: &'s mut dyn EventSink,
    at: usize,
    pub(super) groups: Vec<Group>,
    /// Groups that are open beyond the limit.
    pub(super) too_deep: usize,
    pub(super) fields: Vec<RtfField>,
    /// The links of the paragraph.
    pub(super) links: Vec<FieldDestination>,
    pub(super) text: DerivedText,
    /// The part that the text belongs to, if it is not the document itself.
    pub(super) story: &'static str,
    /// The texts around the current one.
    pub(super) outer: Vec<OuterText>,
    /// Texts that were within the paragraph, but are not part of it.
    pub(super) apart: Vec<ApartText>,
    bookmark: DerivedText,
    /// Text of destinations that readers don't show.
    aside: DerivedText,
    /// Hexadecimal digits of an object, and where they start.
    data: DerivedText,
    data_start: usize,
    /// Other texts that readers don't show: objects, and instructions of fields that are not links.
    pub(super) hidden: Vec<DerivedText>,
    pub(super) paragraph: u32,
    /// Characters left that only readers without Unicode show.
    skip: usize,
    high_surrogate: Option<u32>,
    /// True if the text of the document is HTML.
    pub(super) is_html: bool,
}

impl<'r, 's> RtfReader<'r, 's> {
    pub(super) fn new(source: Source<'r>, sink: &'s mut dyn EventSink) -> Self {
        Self {
            bytes: source.bytes,
            source,
            sink,
            at: 0,
            groups: Vec::new(),
            too_deep: 0,
            fields: Vec::new(),
            links: Vec::new(),
            text: DerivedText::default(),
            story: "",
            outer: Vec::new(),
            apart: Vec::new(),
            bookmark: DerivedText::default(),
            aside: DerivedText::default(),
            data: DerivedText::default(),
            data_start: 0,
            hidden: Vec::new(),
            paragraph: 1,
            skip: 0,
            high_surrogate: None,
            is_html: false,
        }
    }

    fn group(&self) -> Group {
        let kind = GroupKind::Text;
        // One character follows `\u`, unless `\uc` says otherwise.
        let outside =
            Group { kind, skips: 1, is_field: false, is_repeated: false, is_apart: false };
        self.groups.last().copied().unwrap_or(outside)
    }

    pub(super) fn read(mut self) -> ControlFlow<()> {
        work_counter::add(self.bytes.len());
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'{' => {
                    self.at += 1;
                    self.skip = 0;
                    if self.groups.len() < MAX_GROUPS {
                        let group = self.group();
                        self.groups.push(Group { is_field: false, is_apart: false, ..group });
                    } else {
                        self.too_deep += 1
                    }
                }
                b'}' => {
                    self.at += 1;
                    self.skip = 0;
                    self.close()?;
                }
                b'\\' => self.control()?,
                // Line ends of the source mean nothing: `\par` ends a paragraph.
                b'\r' | b'\n' => self.at += 1,
                _ => self.plain(),
            }
        }
        // The last brace closes the group that the file is.
        if !self.groups.is_empty() {
            let message =
                "a group in it does not end; it is damaged, and some of it may be missing";
            self.sink.note(&Event::Unread { file: "", message });
            self.end_open();
        }
        while !self.outer.is_empty() {
            self.end_apart();
        }
        if self.is_html {
            self.end_html()
        } else {
            self.groups.clear();
            self.end_paragraph()
        }
    }

    /// Keeps the content of fields and bookmarks without an end: the whole rest of the document may
    /// be in one.
    fn end_open(&mut self) {
        while !self.fields.is_empty() {
            self.end_field();
        }
        self.hidden.push(std::mem::take(&mut self.bookmark));
    }

    fn end_html(mut self) -> ControlFlow<()> {
        let layers = self.source.layers(self.text.map());
        html::read(Source::inside(self.text.text(), &layers), self.sink)?;
        let links = std::mem::take(&mut self.links);
        let place = Place::Paragraph { story: "".into(), number: self.paragraph };
        let text = std::mem::take(&mut self.text);
        links.iter().try_for_each(|link| self.emit_link(link, &text, &place))?;
        self.emit_aside()
    }

    fn close(&mut self) -> ControlFlow<()> {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return ControlFlow::Continue(());
        }
        match self.groups.pop() {
            Some(Group { is_apart: true, .. }) => {
                self.end_apart();
                // A part before all text is emitted at once.
                if self.outer.is_empty() && self.text.text().is_empty() {
                    return self.emit_apart();
                }
            }
            Some(Group { is_field: true, .. }) => self.end_field(),
            Some(Group { kind: GroupKind::Bookmark, .. }) => self.end_bookmark(),
            Some(Group { kind: GroupKind::Data, .. }) if self.group().kind != GroupKind::Data => {
                self.end_data();
            }
            Some(Group { kind: GroupKind::Aside, .. }) => {
                // Names in a table are texts of their own.
                let end = Span::new(self.at - 1, self.at);
                self.aside.replace(b"\n", end, RunOrigin::Decoded);
                let is_outermost = self.group().kind != GroupKind::Aside;
                if is_outermost && self.text.text().is_empty() {
                    return self.emit_aside();
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Emits text that readers don't show, if it may contain a URI. It comes after the text around
    /// it.
    fn emit_aside(&mut self) -> ControlFlow<()> {
        let mut hidden = std::mem::take(&mut self.hidden);
        hidden.push(std::mem::take(&mut self.aside));
        hidden.retain(|text| memchr::memchr2(b':', b'/', text.text()).is_some());
        hidden.sort_by_key(|text| text.source_end(1));
        let place = Place::Paragraph { story: "".into(), number: self.paragraph };
        hidden.iter().try_for_each(|text| {
            let source = self.source.layers(text.map());
            let part = Part::of_text(text.text(), source, Role::Metadata);
            self.sink.part(&Part { place: Some(&place), ..part })
        })
    }

    /// Keeps the bytes of an object.
    fn end_data(&mut self) {
        let digits = std::mem::take(&mut self.data);
        let value = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
        let values: Vec<u8> = digits.text().iter().filter_map(value).collect();
        let bytes = values.as_chunks().0.iter().map(|[high, low]| high << 4 | low);
        let bytes = without_zeros(&bytes.collect::<Vec<u8>>());
        let mut text = DerivedText::default();
        let whole = Span::new(self.data_start.min(self.at - 1), self.at - 1);
        text.replace(&bytes, whole, RunOrigin::Decoded);
        self.hidden.push(text);
    }

    /// Reports the name of a bookmark, which links in the document lead to.
    fn end_bookmark(&mut self) {
        let name = std::mem::take(&mut self.bookmark);
        let whole = lossy(name.text());
        if self.sink.wants().all_events() && !whole.trim().is_empty() {
            let span = self.source.layers(name.map()).source(Span::new(0, name.text().len()));
            let (space, name) = (NameSpace::Anchor, whole.trim());
            self.sink.note(&Event::Define { space, name, span });
        }
    }

    /// Reads text up to the next control character.
    fn plain(&mut self) {
        let start = self.at;
        let is_plain = |byte| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n');
        let mut length = self.bytes.clamped(start..).leading(is_plain);
        let skipped = self.skip.min(length);
        self.skip -= skipped;
        self.at = start + length;
        length -= skipped;
        let text = self.bytes.part(start + skipped..start + skipped + length);
        if let Some(into) = self.into() {
            into.copy(text, start + skipped);
        }
    }

    /// Returns the text that the current group belongs to.
    fn into(&mut self) -> Option<&mut DerivedText> {
        match self.group().kind {
            _ if self.group().is_repeated => None,
            GroupKind::Text => Some(&mut self.text),
            GroupKind::Instruction => self.fields.last_mut().map(|field| &mut field.instruction),
            GroupKind::Bookmark => Some(&mut self.bookmark),
            GroupKind::Aside => Some(&mut self.aside),
            GroupKind::Data => Some(&mut self.data),
            GroupKind::Ignored => None,
        }
    }

    fn character(&mut self, c: char, source: Span) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        let mut utf8 = [0; 4];
        let text = c.encode_utf8(&mut utf8).as_bytes();
        if let Some(into) = self.into() {
            into.replace(text, source, RunOrigin::Decoded);
        }
    }

    /// Reads a control word or symbol.
    fn control(&mut self) -> ControlFlow<()> {
        let start = self.at;
        let rest = self.bytes.clamped(start + 1..);
        let name = rest.leading(|byte| byte.is_ascii_alphabetic());
        if name == 0 {
            return self.symbol(start, rest);
        }
        let word = rest.clamped(..name);
        let number = rest.clamped(name..);
        let sign = usize::from(number.first() == Some(&b'-'));
        let digits = number.clamped(sign..).leading(|byte| byte.is_ascii_digit());
        let used = if digits > 0 { sign + digits } else { 0 };
        let value = lossy(number.clamped(..used)).parse::<i32>().ok();
        let end = start + 1 + name + used;
        // A space ends the word and belongs to it.
        let has_space = self.bytes.get(end) == Some(&b' ');
        self.at = end + usize::from(has_space);
        self.word(word, value, Span::new(start, self.at))
    }

    fn symbol(&mut self, start: usize, rest: &[u8]) -> ControlFlow<()> {
        self.at = (start + 2).min(self.bytes.len());
        let span = Span::new(start, self.at);
        match rest.first() {
            Some(b'\'') => {
                let code = hexadecimal(rest.clamped(1..3)).and_then(|it| u8::try_from(it).ok());
                self.at = (start + 4).min(self.bytes.len());
                // Bytes of other charsets are not part of URIs as URIs are written here.
                let code = char::from(code.unwrap_or(b'?'));
                self.character(code, Span::new(start, self.at));
            }
            Some(b'*') if !matches!(self.group().kind, GroupKind::Ignored | GroupKind::Data) => {
                self.set_kind(GroupKind::Aside);
            }
            Some(b'~') => self.character('\u{a0}', span),
            Some(b'_') => self.character('-', span),
            Some(b'-') => {}
            Some(b'\r' | b'\n') => return self.end_paragraph(),
            Some(&byte @ (b'\\' | b'{' | b'}')) => self.character(char::from(byte), span),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn set_kind(&mut self, kind: GroupKind) {
        if let Some(group) = self.groups.last_mut().filter(|_| self.too_deep == 0) {
            group.kind = kind;
        }
    }

    fn word(&mut self, word: &[u8], value: Option<i32>, span: Span) -> ControlFlow<()> {
        match word {
            b"par" | b"line" if self.is_html => self.character('\n', span),
            b"fromhtml" if value != Some(0) && self.text.text().is_empty() => self.is_html = true,
            b"htmltag" if self.is_html => self.set_kind(GroupKind::Text),
            b"htmlrtf" if self.is_html => {
                if let Some(group) = self.groups.last_mut().filter(|_| self.too_deep == 0) {
                    group.is_repeated = value != Some(0);
                }
            }
            b"par" | b"sect" | b"page" | b"row" | b"cell" | b"nestcell" => {
                return self.end_paragraph();
            }
            b"line" => self.character('\n', span),
            b"tab" => self.character('\t', span),
            b"emdash" => self.character('\u{2014}', span),
            b"endash" => self.character('\u{2013}', span),
            b"lquote" | b"rquote" => self.character('\'', span),
            b"ldblquote" | b"rdblquote" => self.character('"', span),
            b"uc" => {
                let skips = usize::try_from(value.unwrap_or(1)).unwrap_or_default().min(8);
                if let Some(group) = self.groups.last_mut() {
                    group.skips = skips;
                }
            }
            b"u" => self.unicode(value.unwrap_or_default(), span),
            // `\binN` is followed by N bytes of any value.
            b"bin" => {
                let length = usize::try_from(value.unwrap_or_default()).unwrap_or_default();
                let start = self.at;
                self.at = start.saturating_add(length).min(self.bytes.len());
                // An object may be in hexadecimal or so (RTF 1.9.1, "Objects").
                if self.group().kind == GroupKind::Data {
                    let whole = Span::new(start, self.at);
                    let mut text = DerivedText::default();
                    let bytes = without_zeros(self.bytes.part(whole.range()));
                    text.replace(&bytes, whole, RunOrigin::Decoded);
                    self.hidden.push(text);
                }
            }
            b"field" if self.fields.len() < MAX_GROUPS => {
                if let Some(group) = self.groups.last_mut().filter(|group| !group.is_field) {
                    group.is_field = true;
                    let start = self.text.text().len();
                    self.fields.push(RtfField { instruction: DerivedText::default(), start });
                }
            }
            // `\*` before it marks it as new, but it is known here.
            b"fldinst" => self.set_kind(GroupKind::Instruction),
            b"bkmkstart" => self.set_kind(GroupKind::Bookmark),
            b"fldrslt" | b"shptxt" => self.set_kind(GroupKind::Text),
            b"footnote" => {
                // Its number is shown there, between the words around it.
                if !self.is_html {
                    self.text.replace(b" ", span, RunOrigin::Decoded);
                }
                self.start_apart("footnotes");
            }
            b"annotation" | b"atnid" => self.start_apart("comments"),
            b"header" | b"headerl" | b"headerr" | b"headerf" => self.start_apart("header"),
            b"footer" | b"footerl" | b"footerr" | b"footerf" => self.start_apart("footer"),
            // The entries of `\info` (RTF 1.9.1, "Information Group").
            b"title" | b"subject" | b"author" | b"manager" | b"company" | b"operator"
            | b"category" | b"keywords" | b"comment" | b"doccomm" | b"hlinkbase" => {
                self.start_apart(INFORMATION);
            }
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"latentstyles" | b"listtable"
            | b"rsidtbl" | b"filetbl" => self.set_kind(GroupKind::Aside),
            b"objdata" | b"datafield" => {
                self.data_start = self.at;
                self.set_kind(GroupKind::Data);
            }
            // The properties of a picture are in its group, and not in hexadecimal.
            b"picprop" => self.set_kind(GroupKind::Aside),
            // Namespaces are not addresses; `\ud` and `\mhtmltag` repeat the text before them.
            b"pict" | b"themedata" | b"datastore" | b"xmlnstbl" | b"ud" | b"mhtmltag" => {
                self.set_kind(GroupKind::Ignored)
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Reads `\uN`: a UTF-16 code unit as a signed number.
    fn unicode(&mut self, value: i32, span: Span) {
        let unit = u32::try_from(value & 0xffff).unwrap_or_default();
        let skips = self.group().skips;
        self.skip = 0;
        match (unit, self.high_surrogate.take()) {
            (0xd800..=0xdbff, _) => self.high_surrogate = Some(unit),
            (0xdc00..=0xdfff, Some(high)) => {
                let code = 0x1_0000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
                self.character(char::from_u32(code).unwrap_or('\u{fffd}'), span);
            }
            _ => self.character(char::from_u32(unit).unwrap_or('\u{fffd}'), span),
        }
        self.skip = skips;
    }

    fn end_field(&mut self) {
        let Some(RtfField { instruction, start }) = self.fields.pop() else {
            return;
        };
        let Some(link) = field::of_instruction(instruction.text()) else {
            self.hidden.push(instruction);
            return;
        };
        let shown = Span::new(start.min(self.text.text().len()), self.text.text().len());
        let shown = trimmed(self.text.text(), shown);
        self.links.push(FieldDestination { instruction, link, shown });
    }

    pub(super) fn emit_link(
        &mut self,
        link: &FieldDestination,
        paragraph: &DerivedText,
        place: &Place<'_>,
    ) -> ControlFlow<()> {
        let is_bookmark = link.link.kind == FieldTarget::Bookmark;
        // A search looks for URIs; only an audit asks whether a bookmark is there.
        if is_bookmark && !self.sink.wants().all_events() {
            return ControlFlow::Continue(());
        }
        let shown = link.shown.start()..link.shown.end().min(link.shown.start() + MAX_LABEL_LENGTH);
        let label = lossy(paragraph.text().clamped(shown));
        let below = self.source.layers(link.instruction.map());
        let target = if is_bookmark {
            bookmark_reference(&link.link, link.instruction.text())
        } else {
            link.link.target(link.instruction.text())
        };
        let source = below.under(target.map());
        let part = Part::of_text(target.text(), source, Role::Destination);
        let content = if is_bookmark { Content::Reference } else { link_content(target.text()) };
        self.sink.part(&Part {
            content,
            element: Some("field"),
            label: Some(&*label).filter(|label| !label.is_empty()),
            place: Some(place),
            ..part
        })?;
        if self.sink.wants().all_events() && !label.is_empty() {
            let destination = part.source.source(Span::new(0, target.text().len()));
            let span = self.source.layers(paragraph.map()).source(link.shown);
            self.sink.note(&Event::Label { text: &label, destination, span, stream: None });
        }
        ControlFlow::Continue(())
    }

    fn end_paragraph(&mut self) -> ControlFlow<()> {
        if self.is_html {
            return ControlFlow::Continue(());
        }
        for field in &mut self.fields {
            field.start = 0;
        }
        if !self.outer.is_empty() {
            self.keep_apart();
            return ControlFlow::Continue(());
        }
        let text = std::mem::take(&mut self.text);
        let links = std::mem::take(&mut self.links);
        self.emit_paragraph(&ApartText { text, links, story: "" })?;
        self.emit_apart()?;
        self.paragraph = self.paragraph.saturating_add(1);
        // A group that is still open continues.
        match self.group().kind {
            GroupKind::Aside => ControlFlow::Continue(()),
            _ => self.emit_aside(),
        }
    }
}

/// Returns the texts in binary data, with a line break where a text ends.
///
/// In UTF-16 each letter of an address has a zero beside it, which is left out. Other zeros end a
/// text: what follows one is another value, and not a part of the address.
fn without_zeros(bytes: &[u8]) -> Vec<u8> {
    let is_zero = |at: Option<usize>| at.and_then(|at| bytes.get(at)) == Some(&0);
    let mut texts = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        if byte != 0 {
            texts.push(byte);
            continue;
        }
        let is_alone = !is_zero(at.checked_sub(1)) && !is_zero(Some(at + 1));
        let is_half = is_alone && (is_zero(at.checked_sub(2)) || is_zero(Some(at + 2)));
        // The zero of the last letter is beside those that end the text.
        let is_last = is_zero(at.checked_sub(2)) && !is_zero(at.checked_sub(1));
        if !is_half && !is_last && texts.last() != Some(&b'\n') {
            texts.push(b'\n');
        }
    }
    texts
}

/// Returns the reference to a bookmark of the document: `#name`.
fn bookmark_reference(link: &FieldLink, instruction: &[u8]) -> DerivedText {
    let name =
        percent::encode_rest(instruction.part(link.destination.range()), PercentSet::Fragment);
    let mut reference = DerivedText::default();
    reference.replace(format!("#{name}").as_bytes(), link.destination, RunOrigin::Decoded);
    reference
}
