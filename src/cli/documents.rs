//! One document through its reader and the finder into a [`Sink`].
//!
//! A document is read as a whole; where its parts stand in the input is for their maps to say.

use std::borrow::Cow;
use std::ops::ControlFlow;

use urigrep::container::document::{self, Content, Format, Mark, Part, Source};
use urigrep::{Base, Finding, Layers, Relative, Span, Wrapper, resolve};

use super::hyperlink::encode_path;
use super::offsets::{Offsets, Relation};
use super::pass::Pass;
use super::query::Use;
use super::sink::{Flow, Hit, Sink, Standing};
use super::subject::Subject;

/// How documents are read.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    /// Which files are documents.
    pub markup: Markup,
    /// What becomes of relative references.
    pub references: References,
}

/// Which files are documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Those whose extension or first bytes show it.
    #[default]
    Detect,
    /// None.
    Never,
    /// All, of this format.
    Always(Format),
}

/// What becomes of relative references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum References {
    /// They stay relative.
    #[default]
    AsTheyAre,
    /// They are resolved, against this base where the document names none, else against its path.
    Resolved {
        /// Where the documents were retrieved from.
        retrieval: Option<String>,
    },
}

impl Documents {
    /// The format of a document of this name that starts with `head`.
    pub fn format(&self, subject: &Subject, head: &[u8]) -> Option<Format> {
        match self.markup {
            Markup::Never => None,
            Markup::Always(format) => Some(format),
            Markup::Detect => {
                let extension = subject.path().and_then(|path| path.extension());
                extension
                    .and_then(|extension| Format::of_extension(extension.to_str()?))
                    .or_else(|| Format::of_content(head))
            }
        }
    }

    /// The base of a document whose content names `content`, if references are to be resolved.
    fn base(&self, subject: &Subject, content: Option<&str>) -> Option<Base> {
        let References::Resolved { retrieval } = &self.references else {
            return None;
        };
        let retrieval = match retrieval {
            Some(retrieval) => Cow::Borrowed(retrieval.as_str()),
            None => Cow::Owned(file_uri(subject)?),
        };
        let mut layers = Base::builder().retrieval(&retrieval);
        if let Some(content) = content {
            layers = layers.content(content);
        }
        layers.establish()
    }
}

/// The URI of a file (RFC 8089).
fn file_uri(subject: &Subject) -> Option<String> {
    let path = String::from_utf8(encode_path(subject.path()?)?).ok()?;
    Some(format!("file://{path}"))
}

/// Searches the document that is all of `window`.
pub fn read(
    format: Format,
    (window, offsets): (&[u8], &dyn Offsets),
    subject: &Subject,
    pass: &mut Pass<'_>,
    sink: &mut dyn Sink,
) -> Flow {
    let mut reading = Reading {
        base: pass.query.documents.base(subject, None),
        window,
        offsets,
        subject,
        pass,
        sink,
        flow: Flow::Continue,
    };
    // It breaks when the flow does.
    let _ = format.read(Source::new(window), &mut reading);
    reading.flow
}

/// The state of reading one document.
struct Reading<'r, 'q> {
    window: &'r [u8],
    offsets: &'r dyn Offsets,
    subject: &'r Subject,
    pass: &'r mut Pass<'q>,
    sink: &'r mut dyn Sink,
    base: Option<Base>,
    flow: Flow,
}

impl Reading<'_, '_> {
    /// Gives a finding to the sink, if it is wanted.
    fn give(&mut self, finding: &Finding<'_>, part: &Part<'_>) -> ControlFlow<()> {
        let query = self.pass.query;
        let target = match finding {
            Finding::Relative(relative) => self.target(relative),
            _ => None,
        };
        let verdict = match finding {
            Finding::Relative(relative) => query.judge_relative(relative, target.as_deref()),
            _ => query.judge(finding),
        };
        self.pass.count(verdict.counts);
        if verdict.usage == Use::Unwanted {
            return ControlFlow::Continue(());
        }
        let mapped = Mapped {
            window: self.window,
            layers: part.source,
            below: self.offsets,
        };
        let at = finding.span().start();
        let place = self.pass.lines.as_mut().map(|lines| {
            let at = part.source.source(Span::new(at, at)).start();
            lines.place(self.window, 0, at, self.offsets)
        });
        let standing = Standing {
            role: part.role,
            element: part.element,
            attribute: part.attribute,
        };
        self.flow = self.sink.hit(&Hit {
            finding,
            base: 0,
            place,
            offsets: &mapped,
            normal: None,
            standing: Some(&standing),
            target: target.as_deref(),
            shown: None,
        });
        match self.flow {
            Flow::Continue => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    /// What stands around a span of the document.
    fn around(&self, span: Span) -> Wrapper {
        let before = span.start().checked_sub(1);
        let before = before.and_then(|at| self.window.get(at));
        match (before, self.window.get(span.end())) {
            (Some(b'<'), Some(b'>')) => Wrapper::Angle,
            (Some(b'"'), Some(b'"')) | (Some(b'\''), Some(b'\'')) => Wrapper::Quote,
            (Some(b'('), Some(b')' | b' ' | b'\t' | b'\r' | b'\n')) => Wrapper::Paren,
            _ => Wrapper::None,
        }
    }

    /// The URI that a relative reference stands for.
    fn target(&self, relative: &Relative<'_>) -> Option<String> {
        let base = self.base.as_ref()?;
        Some(resolve(base.uri(), relative.reference()))
    }
}

impl document::Sink for Reading<'_, '_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let query = self.pass.query;
        if !query.selection.takes_role(part.role) {
            return ControlFlow::Continue(());
        }
        let whole = match part.content {
            Content::Reference => query.finder.reference(part.text),
            Content::Value => query.finder.value(part.text).map(Finding::Match),
            Content::Text => None,
        };
        if let Some(finding) = whole {
            let stands = part.source.source(finding.span());
            return self.give(&finding.delimited_by(self.around(stands)), part);
        }
        if part.content == Content::Reference {
            return ControlFlow::Continue(());
        }
        for finding in query.finder.findings(part.text) {
            self.give(&finding, part)?;
        }
        ControlFlow::Continue(())
    }

    fn mark(&mut self, mark: &Mark<'_>) {
        if let Mark::Base { reference, .. } = mark {
            let documents = &self.pass.query.documents;
            self.base = documents.base(self.subject, Some(reference));
        }
    }
}

/// From the text of a part to the document, and from there to the input.
struct Mapped<'m> {
    window: &'m [u8],
    layers: Layers<'m>,
    below: &'m dyn Offsets,
}

impl Mapped<'_> {
    fn in_document(&self, start: u64, end: u64) -> Span {
        // The text of a part is in memory, so its offsets are of this size.
        self.layers.source(Span::new(start as usize, end as usize))
    }
}

impl Offsets for Mapped<'_> {
    fn source(&self, at: u64) -> u64 {
        self.below.source(self.in_document(at, at).start() as u64)
    }

    fn source_end(&self, end: u64) -> u64 {
        let last = end.saturating_sub(1);
        self.below
            .source_end(self.in_document(last, end).end() as u64)
    }

    fn ranges(&self, start: u64, end: u64) -> Vec<[u64; 2]> {
        let ranges = self
            .layers
            .ranges(Span::new(start as usize, end as usize))
            .into_iter();
        ranges
            .flat_map(|span| self.below.ranges(span.start() as u64, span.end() as u64))
            .collect()
    }

    fn relation(&self, start: u64, end: u64) -> Relation {
        let copied = self
            .layers
            .is_copied(Span::new(start as usize, end as usize));
        let span = self.in_document(start, end);
        match self.below.relation(span.start() as u64, span.end() as u64) {
            Relation::Same if copied => Relation::Same,
            _ => Relation::Decoded,
        }
    }

    fn raw(&self, start: u64, end: u64) -> Option<&[u8]> {
        self.window.get(self.in_document(start, end).range())
    }
}
