//! Text output: one line per match, for people and for pipes.
use std::borrow::Cow;

use urigrep::finder::{Certainty, Relative};
use urigrep::internal::output::escape::{Escaping, visible};
use urigrep::internal::output::report::Report;
use urigrep::readable::Shown;
use urigrep::reference::{Fragment, Normalizer};
use urigrep::search::{DefangedHit, Flow, Hit, Input, Level, Needs, Positions};
use urigrep::{Finder, Finding, Flag, Flags, Match, Reason, Rejected, Uri, defang};

use super::bytes;
use super::path::{Colors, LINE, MATCH, MESSAGE, WARNING};
use super::{Levels, PathStyle, Printer, Summary, Template, explain, few_needs, number};
use crate::cli::flags::values::hosts;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPlace {
    Nowhere,
    /// On a line above the matches of its file.
    Heading,
    EachLine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineField {
    Line,
    Column,
    Offset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UriSpelling {
    pub form: UriForm,
    pub fragment: Fragment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriForm {
    Intended,
    Raw,
    Readable,
    /// The URI that an IRI maps to.
    Mapped,
    /// The normal form of its URI.
    Normal,
}

impl UriSpelling {
    #[inline]
    fn spell<'m>(self, hit: &'m Hit<'_>, m: &'m Match<'_>) -> Cow<'m, [u8]> {
        if let Some(defanged) = hit.defanged() {
            return self.unclickable(hit, defanged);
        }
        let whole = match self.form {
            UriForm::Intended => Cow::Borrowed(m.intended_bytes()),
            UriForm::Raw => Cow::Borrowed(raw(hit)),
            UriForm::Readable => bytes(m.parsed().readable_with(Shown::InText, hosts())),
            UriForm::Mapped => Cow::Borrowed(m.parsed().as_str().as_bytes()),
            UriForm::Normal => bytes(Normalizer::new().normalize(m.parsed())),
        };
        self.cut(whole)
    }

    /// Spells a relative reference, or the URI that it resolves to.
    fn of_relative<'m>(self, hit: &'m Hit<'_>, relative: &'m Relative<'_>) -> Cow<'m, [u8]> {
        if let Some(defanged) = hit.defanged() {
            return self.unclickable(hit, defanged);
        }
        let target = hit.target().and_then(|target| Uri::parse(target).ok());
        let whole = match (self.form, target) {
            (UriForm::Raw, _) => Cow::Borrowed(raw(hit)),
            (UriForm::Readable, Some(target)) => {
                bytes(target.readable_with(Shown::InText, hosts()))
            }
            (UriForm::Normal, Some(target)) => bytes(Normalizer::new().normalize(target)),
            (_, Some(target)) => bytes(Cow::Borrowed(target.as_str())),
            // Without a base there is no target, and a reference has no normal form that would hold
            // for every base.
            (UriForm::Mapped | UriForm::Normal, None) => {
                bytes(Cow::Borrowed(relative.reference().as_str()))
            }
            (_, None) => bytes(relative.intended()),
        };
        self.cut(whole)
    }

    /// Spells the defanged form of a hit.
    #[cold]
    fn unclickable<'m>(self, hit: &'m Hit<'_>, by: &'m DefangedHit) -> Cow<'m, [u8]> {
        let uri = hit.parsed().and_then(|uri| Uri::parse(uri.as_str()).ok());
        let whole = match (self.form, uri) {
            (UriForm::Raw, _) => return self.cut(Cow::Borrowed(by.text())),
            (UriForm::Readable, Some(uri)) => {
                Cow::Owned(defang(&uri.readable_with(Shown::InText, hosts())).into_owned())
            }
            (UriForm::Normal, _) => Cow::Borrowed(by.normalized().unwrap_or_default()),
            (UriForm::Mapped | UriForm::Readable, _) => Cow::Borrowed(by.uri().unwrap_or_default()),
            (UriForm::Intended, _) => Cow::Borrowed(by.iri().or(by.uri()).unwrap_or_default()),
        };
        self.cut(bytes(whole))
    }

    #[inline]
    fn cut(self, whole: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
        match self.fragment {
            Fragment::Removed => without_fragment(whole),
            _ => whole,
        }
    }
}

/// The bytes of the input, or the redacted text in their place.
fn raw<'h>(hit: &'h Hit<'_>) -> &'h [u8] {
    hit.redacted().unwrap_or(hit.source())
}

/// Cuts a URI or IRI at its first `#`, which starts the fragment (RFC 3986 §3.5).
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

#[derive(Clone, Debug)]
pub struct Layout {
    pub place: PathPlace,
    pub fields: Vec<LineField>,
}

impl Layout {
    fn counts_lines(&self) -> bool {
        let counted = |field: &LineField| matches!(field, LineField::Line | LineField::Column);
        self.fields.iter().any(counted)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextLook {
    Unknown,
    /// Only the match, in its intended form.
    Bare,
    /// With additions, or in another form.
    Dressed,
}

#[derive(Clone, Debug)]
pub struct TextOptions {
    pub layouts: Levels<Layout>,
    /// NUL follows a path in place of a colon or line end, and NUL follows a match, too.
    pub null: bool,
    /// Printed in place of the match.
    pub replacement: Option<Template>,
    pub spelling: UriSpelling,
    pub style: PathStyle,
    /// The finder that explains the rules of each finding.
    pub explaining: Option<Finder>,
    pub by_message: bool,
}

#[derive(Clone, Debug)]
pub struct Text {
    options: TextOptions,
    // State of one file:
    look: TextLook,
    message: Option<String>,
    target: Option<Vec<u8>>,
}

/// A longer rejected text is cut here and marked.
const REJECTED_MAX: usize = 1024;

impl Text {
    pub fn new(options: TextOptions) -> Self {
        Self { options, look: TextLook::Unknown, message: None, target: None }
    }

    fn layout(&self, input: &Input) -> &Layout {
        self.options.layouts.at(input.level())
    }

    fn terminator(&self, place: PathPlace) -> u8 {
        match place {
            _ if self.options.null => 0,
            PathPlace::Heading => b'\n',
            _ => b':',
        }
    }

    #[inline]
    fn line_end(&self) -> u8 {
        if self.options.null { 0 } else { b'\n' }
    }

    #[cold]
    fn heading(&mut self, input: &Input, out: &mut Vec<u8>) {
        self.target = self.options.style.target(input);
        let layout = self.layout(input);
        let place = layout.place;
        let TextOptions { spelling, style, explaining, by_message, .. } = &self.options;
        // Most runs in pipes print nothing but the URI. Deciding that once per file keeps all of
        // these tests out of the loop over matches.
        let is_bare = spelling.form == UriForm::Intended
            && spelling.fragment == Fragment::Kept
            && style.escaping == Escaping::None
            && style.colors == Colors::Off
            && !by_message
            && self.options.replacement.is_none()
            && explaining.is_none()
            && place != PathPlace::EachLine
            && layout.fields.is_empty();
        self.look = if is_bare { TextLook::Bare } else { TextLook::Dressed };
        if place == PathPlace::Heading {
            style.linked(self.target.as_deref(), (1, 1), out, |out| style.path(input, out));
            out.push(self.terminator(place));
        }
    }

    /// Appends a line about the message of a match, if the last match was in another.
    fn group(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) {
        let Some(mail) = hit.mail() else {
            return;
        };
        let envelope = mail.envelope();
        let id = envelope.message_id.as_ref().map(|id| format!("<{id}>"));
        let about = [&id, &envelope.date, &envelope.from, &envelope.subject];
        let about: Vec<&str> = about.into_iter().flatten().map(String::as_str).collect();
        let line = about.join("  ");
        // Messages are compared by their printed line: a message without an ID is still set off
        // from the next one.
        if self.message.as_ref() == Some(&line) {
            return;
        }
        self.options.style.colors.paint(MESSAGE, out, |out| visible(line.as_bytes(), out));
        out.push(b'\n');
        self.message = Some(line);
    }

    fn explain(&self, hit: &Hit<'_>, out: &mut Vec<u8>) {
        let Some(finder) = &self.options.explaining else {
            return;
        };
        let escaping = self.options.style.escaping;
        let own = match hit.finding() {
            Finding::Match(m) => m.flags(),
            Finding::Relative(_) | Finding::Rejected(_) => Flags::default(),
        };
        for step in finder.explain(hit.finding()) {
            explain::step(&step, hit.step_text(&step), escaping, out);
        }
        if let Finding::Rejected(_) = hit.finding() {
            return;
        }
        // Some are those of the input, not of the text that was searched, and references have no
        // steps.
        for flag in hit.flags().iter().filter(|&flag| !own.contains(flag)) {
            explain::note(flag.name(), flag.meaning(), escaping, out);
            out.push(b'\n');
        }
    }

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
            // Without positions, a link leads to the start of the file.
            hit.position().map_or((1, 1), |position| (position.line, position.column));
        // In a page of a PDF or a cell of a workbook, a line number would count line feeds of a
        // binary file.
        let place = hit.place().filter(|place| place.replaces_line());
        // Under a heading with a link to the file, the numbers need a link only if that leads to
        // the line.
        let own_link = each_line || self.options.style.links.format.has_line();
        let target = self.target.as_deref().filter(|_| own_link);
        self.options.style.linked(target, (line, column), out, |out| {
            if each_line {
                self.options.style.path(hit.input(), out);
            }
            for (index, field) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(b':');
                } else if each_line {
                    out.push(terminator);
                }
                match field {
                    LineField::Line if let Some(place) = place => {
                        let place = place.to_string();
                        let colors = self.options.style.colors;
                        colors.paint(LINE, out, |out| visible(place.as_bytes(), out));
                    }
                    LineField::Line => {
                        self.options.style.colors.paint(LINE, out, |out| number(line, out))
                    }
                    LineField::Column => number(column, out),
                    LineField::Offset => number(hit.start(), out),
                }
            }
        });
        out.push(if fields.is_empty() { terminator } else { b':' });
    }

    fn rejected(&self, hit: &Hit<'_>, rejected: &Rejected<'_>, out: &mut Vec<u8>) {
        let text = hit.redacted().unwrap_or(rejected.as_bytes());
        self.options.style.colors.paint(MATCH, out, |out| match self.options.spelling.form {
            UriForm::Raw => self.options.style.escaping.push(text, out),
            // Rejected text may contain anything, including line ends, and is only for people.
            _ => match text.get(..REJECTED_MAX) {
                Some(head) if head.len() < text.len() => {
                    visible(head, out);
                    out.extend_from_slice("…".as_bytes());
                }
                _ => visible(text, out),
            },
        });
        let reason = rejected.reason();
        let words = match reason {
            Reason::Defanged => format!("{reason}; use `--refang` to read it"),
            Reason::TooLong => "the URI is longer than `--max-uri` allows".to_owned(),
            _ => reason.to_string(),
        };
        match self.options.style.escaping {
            // People read the reasons below each other; programs want one line per candidate.
            Escaping::Terminal => {
                out.push(b'\n');
                explain::note(&format!("{}:", reason.name()), &words, Escaping::Terminal, out);
            }
            Escaping::None => {
                out.extend_from_slice(format!(": {}: {words}", reason.name()).as_bytes());
            }
        }
    }

    /// The general case: a line with all requested additions. Not inlined, to keep the common case
    /// small.
    #[inline(never)]
    fn dressed(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) {
        if self.options.by_message {
            self.group(hit, out);
        }
        self.prefix(hit, out);
        let TextOptions { spelling, style, .. } = &self.options;
        let text = match hit.finding() {
            Finding::Match(m) => Some(spelling.spell(hit, m)),
            Finding::Relative(relative) => Some(spelling.of_relative(hit, relative)),
            Finding::Rejected(rejected) => {
                self.rejected(hit, rejected, out);
                None
            }
        };
        match (&self.options.replacement, text) {
            (Some(template), Some(_)) => style.colors.paint(MATCH, out, |out| {
                let normalizer = Normalizer::new().fragment(spelling.fragment);
                template.write(hit, &normalizer, style.escaping, out);
            }),
            (None, Some(text)) => {
                style.colors.paint(MATCH, out, |out| style.escaping.push(&text, out));
                // Only for people; a program gets the bytes of the input.
                if style.escaping == Escaping::Terminal && hit.flags().contains(Flag::Elided) {
                    out.extend_from_slice("…".as_bytes());
                }
                if style.escaping == Escaping::Terminal {
                    warn_of_look(hit.flags(), style.colors, out);
                }
            }
            (_, None) => {}
        }
        out.push(self.line_end());
        self.explain(hit, out);
    }
}

/// Marks a URI that looks as if it led elsewhere. `urigrep rule NAME` explains the names.
fn warn_of_look(flags: Flags, colors: Colors, out: &mut Vec<u8>) {
    let misleading = [Flag::MixedScriptHost, Flag::MisleadingUserinfo];
    for flag in misleading.into_iter().filter(|flag| flags.contains(*flag)) {
        out.extend_from_slice(b"  ");
        colors.text(WARNING, &format!("⚠ {}", flag.name()), out);
    }
}

impl Report<Summary> for Text {
    fn close(&self, summary: &Summary, out: &mut Vec<u8>) {
        // The legend explains rule numbers to a person; a program that parses the output does not
        // expect it.
        let is_read = self.options.style.escaping == Escaping::Terminal;
        if self.options.explaining.is_some() && is_read && summary.stats.matched > 0 {
            explain::legend(out);
        }
    }
}

impl Printer for Text {
    fn needs(&self, level: Level) -> Needs {
        let TextOptions { layouts, style, replacement, explaining, .. } = &self.options;
        let needs = replacement.as_ref().map_or_else(few_needs, Template::needs);
        let counts_lines = layouts.at(level).counts_lines() || style.links.format.has_line();
        let needs = if counts_lines { needs.positions(Positions::Bytes) } else { needs };
        if explaining.is_some() { needs.certainty(Certainty::Whole) } else { needs }
    }

    /// Before the first match, the path of its file has not been printed.
    fn fork(&self) -> Option<Box<dyn Printer>> {
        match self.look {
            TextLook::Unknown => None,
            TextLook::Bare | TextLook::Dressed => Some(Box::new(self.clone())),
        }
    }

    fn begin(&mut self) {
        self.look = TextLook::Unknown;
        self.message = None;
        self.target = None;
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        if self.look == TextLook::Unknown {
            self.heading(hit.input(), out);
        }
        match hit.finding() {
            Finding::Match(m) if self.look == TextLook::Bare && hit.defanged().is_none() => {
                // The common case in a pipe: two copies and no branch on options.
                let text = m.intended_bytes();
                out.reserve(text.len() + 1);
                out.extend_from_slice(text);
                out.push(self.line_end());
            }
            _ => self.dressed(hit, out),
        }
        Flow::Continue
    }
}
