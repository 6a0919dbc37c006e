//! What a reader of documents gives: its bytes stand in the document, in order, and are not too
//! many.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use urigrep::document::{Event, EventSink, Part, Source, Wants};
use urigrep::internal::work_counter;
use urigrep::{Finder, Finding, Span};

/// A URI that was found.
pub struct Found {
    /// As it stands decoded.
    pub uri: String,
    /// The bytes of the document that its part stands in.
    pub part: Span,
}

/// Takes all parts of a document, and asserts it of each.
pub struct Parts<'d> {
    document: &'d [u8],
    /// The URIs in them, part by part.
    pub found: Vec<Found>,
    /// The texts of all parts.
    pub texts: Vec<Vec<u8>>,
    /// What was told to be no URI.
    pub rejected: Vec<Vec<u8>>,
    /// What was said not to be read.
    pub skipped: Vec<Span>,
    /// Bytes that the reader looked at, if this build counts them.
    pub steps: u64,
    bytes: usize,
}

impl<'d> Parts<'d> {
    /// Gives the whole document to `read`; all parts together have no more than `most` times its
    /// bytes.
    pub fn of(
        document: &'d [u8],
        most: usize,
        read: impl FnOnce(Source<'_>, &mut dyn EventSink) -> ControlFlow<()>,
    ) -> Self {
        let mut parts = Self {
            document,
            found: Vec::new(),
            texts: Vec::new(),
            rejected: Vec::new(),
            skipped: Vec::new(),
            steps: 0,
            bytes: 0,
        };
        work_counter::take();
        assert!(read(Source::new(document), &mut parts).is_continue());
        parts.steps += work_counter::take().unwrap_or_default();
        let (bytes, length) = (parts.bytes, document.len());
        assert!(bytes <= most * length + 64, "{bytes} of {length}");
        parts
    }
}

/// Made once, because most parts are short.
static FINDER: LazyLock<Finder> = LazyLock::new(Finder::new);

/// So many bytes of each part are looked up one by one.
const LOOKED_UP: usize = 4096;

impl EventSink for Parts<'_> {
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
        Wants::all()
    }
}

impl Parts<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        self.steps += work_counter::take().unwrap_or_default();
        self.bytes += part.text.len();
        self.texts.push(part.text.to_vec());
        let document = part.stream.map_or(self.document, |stream| stream.bytes);
        let whole = part.source.source(Span::new(0, part.text.len()));
        assert!(whole.end() <= document.len(), "{whole:?} is outside");
        let mut before = whole.start();
        for at in 0..part.text.len().min(LOOKED_UP) {
            let byte = Span::new(at, at + 1);
            let source = part.source.source(byte);
            assert!(source.start() >= before && source.end() <= whole.end(), "{byte:?} {source:?}");
            before = source.start();
            if part.source.is_copied(byte) {
                let stands = document.get(source.range());
                let text = part.text.get(byte.range());
                // a lone carriage return ends a line of Markdown (CommonMark §2.1), and is a line
                // feed there
                let ends_line = (stands, text) == (Some(b"\r"), Some(b"\n"));
                // and the end of a field of CSV is a unit separator (D4.11)
                let ends_field = text == Some(b"\x1f");
                assert!(stands == text || ends_line || ends_field, "{byte:?} {source:?} {part:?}");
            }
        }
        for finding in FINDER.findings(part.text) {
            match finding {
                Finding::Match(m) => {
                    self.found.push(Found { uri: m.uri().into_owned(), part: whole })
                }
                Finding::Rejected(rejected) => self.rejected.push(rejected.as_bytes().to_vec()),
                _ => {}
            }
        }
        // The finder has a bound of its own.
        work_counter::take();
        ControlFlow::Continue(())
    }

    fn note(&mut self, event: &Event<'_>) {
        if let Event::Skipped { span, .. } = event {
            self.skipped.push(*span);
        }
    }
}
