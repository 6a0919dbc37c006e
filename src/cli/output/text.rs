//! Text: a line a match, for people and for pipes.

use std::borrow::Cow;
use std::io::Write;

use urigrep::finder::Relative;
use urigrep::readable::Shown;
use urigrep::reference::Fragment;
use urigrep::search::{Flow, Hit, Input, Level, Positions};
use urigrep::{Finder, Finding, Match, Reason, Rejected, Uri, normalize};

use super::path::{Colors, LINE, MATCH, MESSAGE};
use super::{Levels, PathStyle, Printer, number};
use crate::cli::escape::{Escaping, visible};
use crate::cli::flags::values::hosts;

/// Where the path is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPlace {
    /// Nowhere.
    Nowhere,
    /// On a line above the matches of its file.
    Heading,
    /// Before each match.
    EachLine,
}

/// A number that is printed before a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineField {
    /// The line.
    Line,
    /// The column.
    Column,
    /// The byte offset.
    Offset,
}

/// How a match is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UriSpelling {
    /// In which form.
    pub form: UriForm,
    /// With its fragment or without.
    pub fragment: Fragment,
}

/// A form to print a match in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriForm {
    /// As its author meant it.
    Intended,
    /// As it stands in the source.
    Raw,
    /// As people read it.
    Readable,
    /// As the URI that an IRI maps to.
    Mapped,
    /// As the normal spelling of its URI.
    Normal,
}

impl UriSpelling {
    /// The match, so spelled.
    #[inline]
    fn of<'m>(self, hit: &'m Hit<'_>, m: &'m Match<'_>) -> Cow<'m, [u8]> {
        let whole = match self.form {
            UriForm::Intended => Cow::Borrowed(m.intended_bytes()),
            UriForm::Raw => Cow::Borrowed(raw(hit)),
            UriForm::Readable => bytes(m.parsed().readable_with(Shown::InText, hosts())),
            UriForm::Mapped => Cow::Borrowed(m.parsed().as_str().as_bytes()),
            UriForm::Normal => bytes(normalize(m.parsed())),
        };
        self.cut(whole)
    }

    /// The relative reference, or the URI that it stands for, so spelled.
    fn of_relative<'m>(self, hit: &'m Hit<'_>, relative: &'m Relative<'_>) -> Cow<'m, [u8]> {
        let target = hit.target().and_then(|target| Uri::parse(target).ok());
        let whole = match (self.form, target) {
            (UriForm::Raw, _) => Cow::Borrowed(raw(hit)),
            (UriForm::Readable, Some(target)) => {
                bytes(target.readable_with(Shown::InText, hosts()))
            }
            (UriForm::Normal, Some(target)) => bytes(normalize(target)),
            (_, Some(target)) => bytes(Cow::Borrowed(target.as_str())),
            (UriForm::Mapped | UriForm::Normal, None) => {
                bytes(Cow::Borrowed(relative.reference().as_str()))
            }
            (_, None) => bytes(relative.intended()),
        };
        self.cut(whole)
    }

    #[inline]
    fn cut(self, whole: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
        match self.fragment {
            Fragment::Removed => without_fragment(whole),
            _ => whole,
        }
    }
}

/// The bytes of the input, or what is displayed in their place.
fn raw<'h>(hit: &'h Hit<'_>) -> &'h [u8] {
    hit.redacted().unwrap_or(hit.source())
}

fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// In a URI or IRI the first `#` starts the fragment (RFC 3986 §3.5).
fn without_fragment(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let end = memchr::memchr(b'#', &text).unwrap_or(text.len());
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

/// What is printed around a match.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Where the path is.
    pub place: PathPlace,
    /// The numbers before the match, in this order.
    pub fields: Vec<LineField>,
}

/// What follows a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// A colon, or a line end after a heading.
    Text,
    /// A NUL.
    Nul,
}

impl Layout {
    fn counts_lines(&self) -> bool {
        let counted = |field: &LineField| matches!(field, LineField::Line | LineField::Column);
        self.fields.iter().any(counted)
    }
}

/// What matches stand together under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Nothing but their file.
    None,
    /// A line about their message.
    Messages,
}

/// How the lines of a file look, once that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// No line of it was printed.
    Unknown,
    /// The match as it was meant, and nothing else.
    Bare,
    /// More, or something else.
    Dressed,
}

/// Prints lines.
#[derive(Clone, Debug)]
pub struct Text {
    layouts: Levels<Layout>,
    terminator: Terminator,
    spelling: UriSpelling,
    style: PathStyle,
    explaining: Option<Finder>,
    grouping: Grouping,
    // The state of one file:
    look: Look,
    message: Option<String>,
    target: Option<Vec<u8>>,
}

/// A rejected text is cut here, and marked so.
const REJECTED_MAX: usize = 1024;

impl Text {
    /// Prints lines of these layouts.
    pub fn new(
        layouts: Levels<Layout>,
        terminator: Terminator,
        spelling: UriSpelling,
        style: PathStyle,
        explaining: Option<Finder>,
        grouping: Grouping,
    ) -> Self {
        Self {
            layouts,
            terminator,
            spelling,
            style,
            explaining,
            grouping,
            look: Look::Unknown,
            message: None,
            target: None,
        }
    }

    fn layout(&self, input: &Input) -> &Layout {
        self.layouts.of(input.level())
    }

    /// What follows a path.
    fn terminator(&self, place: PathPlace) -> u8 {
        match (self.terminator, place) {
            (Terminator::Nul, _) => 0,
            (Terminator::Text, PathPlace::Heading) => b'\n',
            (Terminator::Text, _) => b':',
        }
    }

    /// Before the first line of a file.
    #[cold]
    fn heading(&mut self, input: &Input, out: &mut Vec<u8>) {
        self.target = self.style.target(input);
        let layout = self.layout(input);
        let place = layout.place;
        let is_bare = self.spelling.form == UriForm::Intended
            && self.spelling.fragment == Fragment::Kept
            && self.style.escaping == Escaping::None
            && self.style.colors == Colors::Off
            && self.grouping == Grouping::None
            && self.explaining.is_none()
            && place != PathPlace::EachLine
            && layout.fields.is_empty();
        self.look = if is_bare { Look::Bare } else { Look::Dressed };
        if place == PathPlace::Heading {
            let style = &self.style;
            style.linked(self.target.as_deref(), (1, 1), out, |out| style.path(input, out));
            out.push(self.terminator(place));
        }
    }

    /// A line about the message of a match, when the last one stood in another.
    fn group(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) {
        let Some(mail) = hit.mail() else {
            return;
        };
        let envelope = mail.envelope();
        let id = envelope.message_id.as_ref().map(|id| format!("<{id}>"));
        let about = [&id, &envelope.date, &envelope.from, &envelope.subject];
        let about: Vec<&str> = about.into_iter().flatten().map(String::as_str).collect();
        let line = about.join("  ");
        if self.message.as_ref() == Some(&line) {
            return;
        }
        self.style.colors.paint(MESSAGE, out, |out| visible(line.as_bytes(), out));
        out.push(b'\n');
        self.message = Some(line);
    }

    /// The rules behind a finding, a line each.
    fn explain(&self, hit: &Hit<'_>, out: &mut Vec<u8>) {
        let Some(finder) = &self.explaining else {
            return;
        };
        for step in finder.explain(hit.finding()) {
            // Writing to a vector does not fail.
            drop(write!(out, "    {:<5} {}", step.rule, step.what));
            let text = hit.step_text(&step);
            if !text.is_empty() {
                out.extend_from_slice(b": ");
                visible(text, out);
            }
            out.push(b'\n');
        }
    }

    /// What is printed before a match, if anything is.
    #[inline]
    fn prefix(&self, hit: &Hit<'_>, out: &mut Vec<u8>) {
        let layout = self.layout(hit.input());
        if layout.place == PathPlace::EachLine || !layout.fields.is_empty() {
            self.path_and_numbers(layout, hit, out);
        }
    }

    /// Path and numbers, all in one link.
    fn path_and_numbers(
        &self,
        Layout { place, fields }: &Layout,
        hit: &Hit<'_>,
        out: &mut Vec<u8>,
    ) {
        let each_line = *place == PathPlace::EachLine;
        let terminator = self.terminator(*place);
        let (line, column) =
            hit.position().map_or((1, 1), |position| (position.line, position.column));
        let own_link = each_line || self.style.links.format.has_line();
        let target = self.target.as_deref().filter(|_| own_link);
        self.style.linked(target, (line, column), out, |out| {
            if each_line {
                self.style.path(hit.input(), out);
            }
            for (index, field) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(b':');
                } else if each_line {
                    out.push(terminator);
                }
                match field {
                    LineField::Line => self.style.colors.paint(LINE, out, |out| number(line, out)),
                    LineField::Column => number(column, out),
                    LineField::Offset => number(hit.start(), out),
                }
            }
        });
        out.push(if fields.is_empty() { terminator } else { b':' });
    }

    fn rejected(&self, hit: &Hit<'_>, rejected: &Rejected<'_>, out: &mut Vec<u8>) {
        let text = hit.redacted().unwrap_or(rejected.as_bytes());
        self.style.colors.paint(MATCH, out, |out| match self.spelling.form {
            UriForm::Raw => self.style.escaping.push(text, out),
            // It may hold anything, line ends included, and is for people.
            _ => match text.get(..REJECTED_MAX) {
                Some(head) if head.len() < text.len() => {
                    visible(head, out);
                    out.extend_from_slice("…".as_bytes());
                }
                _ => visible(text, out),
            },
        });
        let reason = rejected.reason();
        // Writing to a vector does not fail.
        drop(match reason {
            Reason::Defanged => write!(out, ": {}: {reason}; `--refang` reads it", reason.name()),
            Reason::TooLong => {
                write!(out, ": {}: the URI is longer than `--max-uri` allows", reason.name())
            }
            _ => write!(out, ": {}: {reason}", reason.name()),
        });
    }

    /// A line with all that was asked for. Apart, so that a bare one takes no longer for it.
    #[inline(never)]
    fn dressed(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) {
        if self.grouping == Grouping::Messages {
            self.group(hit, out);
        }
        match hit.finding() {
            Finding::Match(m) => {
                self.prefix(hit, out);
                let text = self.spelling.of(hit, m);
                self.style.colors.paint(MATCH, out, |out| self.style.escaping.push(&text, out));
            }
            Finding::Relative(relative) => {
                self.prefix(hit, out);
                let text = self.spelling.of_relative(hit, relative);
                self.style.colors.paint(MATCH, out, |out| self.style.escaping.push(&text, out));
            }
            Finding::Rejected(rejected) => {
                self.prefix(hit, out);
                self.rejected(hit, rejected, out);
            }
        }
        out.push(b'\n');
        self.explain(hit, out);
    }
}

impl Printer for Text {
    fn positions(&self, level: Level) -> Positions {
        if self.layouts.of(level).counts_lines() || self.style.links.format.has_line() {
            Positions::Bytes
        } else {
            Positions::Ignored
        }
    }

    fn begin(&mut self) {
        self.look = Look::Unknown;
        self.message = None;
        self.target = None;
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        if self.look == Look::Unknown {
            self.heading(hit.input(), out);
        }
        match hit.finding() {
            Finding::Match(m) if self.look == Look::Bare => {
                let text = m.intended_bytes();
                out.reserve(text.len() + 1);
                out.extend_from_slice(text);
                out.push(b'\n');
            }
            _ => self.dressed(hit, out),
        }
        Flow::Continue
    }
}
