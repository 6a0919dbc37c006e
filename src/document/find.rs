//! Finds URIs in documents, combining a reader with a [`Finder`].
//!
//! [`Part::find`] searches one part according to its content, [`FindingReader`] searches all parts
//! of a reader, and [`Format::find`] searches a whole document.

use std::ops::ControlFlow;

use super::{Content, Event, EventSink, Format, Part, Role, Source, Wants};
use crate::finder::{Finder, Finding, Rest, Window};
use crate::kind::Wrapper;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A finding in a document. Its own offsets refer to the text of its part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartFinding<'p> {
    /// The finding.
    pub finding: Finding<'p>,
    /// The part that contains it.
    pub part: &'p Part<'p>,
}

impl<'p> PartFinding<'p> {
    /// Returns the text of the finding, decoded like its part, but neither rejoined nor repaired.
    pub fn text(&self) -> &'p [u8] {
        self.part.text.part(self.finding.span().range())
    }

    /// Returns its role: that of its part, or [`Role::Destination`] if bare URIs are links.
    pub fn role(&self) -> Role {
        self.part.role_of(&self.finding)
    }

    /// Returns the smallest span of the document that covers the finding.
    pub fn span(&self) -> Span {
        self.part.source.source(self.finding.span())
    }

    /// Returns the spans of the document that the finding was decoded from, in order.
    pub fn ranges(&self) -> Vec<Span> {
        self.part.source.ranges(self.finding.span())
    }
}

/// Receives the findings of a document. Closures that take a [`PartFinding`] implement it.
///
/// Only [`finding`](Self::finding) is required.
pub trait FindingSink {
    /// Receives the next finding; `Break` ends the reading.
    fn finding(&mut self, found: PartFinding<'_>) -> ControlFlow<()>;

    /// True if parts of this role are searched.
    fn takes(&self, role: Role) -> bool {
        let _ = role;
        true
    }

    /// Receives an event that is not a part.
    fn event(&mut self, event: &Event<'_>) {
        let _ = event;
    }

    /// Returns the content that this sink wants. The finder decides about identifiers.
    fn wants(&self) -> Wants {
        Wants::default()
    }
}

impl<F: FnMut(PartFinding<'_>) -> ControlFlow<()>> FindingSink for F {
    fn finding(&mut self, found: PartFinding<'_>) -> ControlFlow<()> {
        self(found)
    }
}

/// Searches the parts of a reader: an [`EventSink`] that feeds a [`FindingSink`].
///
/// For readers other than [`Format::find`], such as
/// [`mbox::Message::read_with`](crate::document::mbox::Message::read_with).
#[derive(Debug)]
pub struct FindingReader<'r, S> {
    /// All bytes of the stream that the parts come from.
    pub stream: &'r [u8],
    /// Finder that searches the parts.
    pub finder: &'r Finder,
    /// Sink that receives the findings.
    pub sink: &'r mut S,
}

impl<S: FindingSink> EventSink for FindingReader<'_, S> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            event => {
                self.sink.event(event);
                ControlFlow::Continue(())
            }
        }
    }

    fn wants(&self) -> Wants {
        self.sink.wants().identifiers(self.finder.identifiers())
    }
}

impl<S: FindingSink> FindingReader<'_, S> {
    #[inline]
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        // Skip a part whose findings cannot have a wanted role. In Markdown text, the role depends
        // on the finding, so it is tested again below.
        if !part.roles().iter().any(|&role| self.sink.takes(role)) {
            return ControlFlow::Continue(());
        }
        part.find(self.stream, self.finder, |finding| {
            let found = PartFinding { finding, part };
            if self.sink.takes(found.role()) {
                self.sink.finding(found)
            } else {
                ControlFlow::Continue(())
            }
        })
    }
}

impl Format {
    /// Reads a document and reports the findings of `finder`, in document order.
    ///
    /// Stops if the sink breaks. Relative references need [`Event::Base`] to be resolved. To
    /// receive other content than links, write an [`EventSink`] for [`Format::read`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urigrep::Finder;
    /// use urigrep::document::{Format, PartFinding, Role};
    ///
    /// let html = b"<a href='http://a.example/?b&amp;c'>see</a> urn:isbn:0451450523";
    /// let mut found = Vec::new();
    /// let _ = Format::HTML.find(html, &Finder::new(), &mut |hit: PartFinding<'_>| {
    ///     let text = String::from_utf8_lossy(hit.text()).into_owned();
    ///     found.push((hit.role(), hit.span().range(), text));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(found[0], (Role::Destination, 9..34, "http://a.example/?b&c".to_owned()));
    /// assert_eq!(found[1], (Role::Text, 44..63, "urn:isbn:0451450523".to_owned()));
    /// ```
    pub fn find<S: FindingSink>(
        self,
        document: &[u8],
        finder: &Finder,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let mut reader = FindingReader { stream: document, finder, sink };
        self.read(Source::new(document), &mut reader)
    }
}

impl<'p> Part<'p> {
    /// Reports the findings in this part. A reference has at most one finding, a value may be a URI
    /// as a whole, and text is searched. `stream` is the target of [`Part::source`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urigrep::document::{Content, Part, Role};
    /// use urigrep::offset_map::Layers;
    /// use urigrep::Finder;
    ///
    /// let part = Part::of_text(b"a b.html", Layers::copied(0), Role::Destination);
    /// let part = Part { content: Content::Reference, ..part };
    /// let mut count = 0;
    /// let _ = part.find(part.text, &Finder::new(), |_| {
    ///     count += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(count, 1);
    /// ```
    #[inline]
    pub fn find(
        &self,
        stream: &[u8],
        finder: &Finder,
        mut emit: impl FnMut(Finding<'p>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let whole = match self.content {
            Content::Reference => finder.reference(self.text),
            Content::Value => finder.value(self.text).map(Finding::Match),
            Content::Text | Content::Autolinks => None,
        };
        if let Some(finding) = whole {
            let span = self.source.source(finding.span());
            return emit(finding.delimited_by(wrapper_around(stream, span)));
        }
        if self.content == Content::Reference {
            return ControlFlow::Continue(());
        }
        // Most parts have no candidate, so check that before a search is set up.
        let Some(first) = finder.first_lead(self.text) else {
            return ControlFlow::Continue(());
        };
        // Iterate by reference: the iterator is large, most parts are short, and moving it would
        // copy it.
        let mut findings = finder.find_in(Window::resumed(self.text, first), Rest::End);
        for finding in findings.by_ref() {
            emit(finding)?;
        }
        ControlFlow::Continue(())
    }
}

impl<'p> Part<'p> {
    /// Returns the possible roles of findings in this part.
    pub(crate) fn roles(&self) -> &'static [Role] {
        match (self.content, self.role) {
            (Content::Autolinks, _) => &[Role::Destination, Role::Text],
            (_, role) => role.alone(),
        }
    }

    /// Returns the role of a finding in this part. Every Markdown renderer links bare URIs (GFM
    /// §6.9).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urigrep::Finder;
    /// use urigrep::document::{Format, PartFinding};
    ///
    /// let markdown = b"see https://a.example/b and urn:isbn:0451450523";
    /// let mut roles = Vec::new();
    /// let _ = Format::MARKDOWN.find(markdown, &Finder::new(), &mut |hit: PartFinding<'_>| {
    ///     roles.push(hit.part.role_of(&hit.finding).name());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(roles, ["destination", "text"]);
    /// ```
    #[inline]
    pub fn role_of(&self, finding: &Finding<'_>) -> Role {
        if self.is_autolink(finding) { Role::Destination } else { self.role }
    }

    /// Returns the element of a finding in this part.
    #[inline]
    pub(crate) fn element_of(&self, finding: &Finding<'_>) -> Option<&'p str> {
        if self.is_autolink(finding) { Some("autolink") } else { self.element }
    }

    #[inline]
    fn is_autolink(&self, finding: &Finding<'_>) -> bool {
        // `ftp:` is not in GFM §6.9, but cmark-gfm links it.
        const LINKED: [&str; 5] = ["http", "https", "ftp", "mailto", "xmpp"];
        let is_linked =
            |scheme: &str| LINKED.iter().any(|linked| scheme.eq_ignore_ascii_case(linked));
        self.content == Content::Autolinks
            && matches!(finding, Finding::Match(m) if is_linked(m.scheme_as_written()))
    }
}

/// Returns the delimiters that a format puts around the reference at `span`.
fn wrapper_around(stream: &[u8], span: Span) -> Wrapper {
    let before = span.start().checked_sub(1);
    let before = before.and_then(|at| stream.get(at));
    match (before, stream.get(span.end())) {
        (Some(b'<'), Some(b'>')) => Wrapper::Angle,
        (Some(b'"'), Some(b'"')) | (Some(b'\''), Some(b'\'')) => Wrapper::Quote,
        // In Markdown a title may follow the destination.
        (Some(b'('), Some(b')' | b' ' | b'\t' | b'\r' | b'\n')) => Wrapper::Paren,
        _ => Wrapper::None,
    }
}
