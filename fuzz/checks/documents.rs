//! Readers of documents: parts stand in the document, in order, and nothing is hidden.

use std::ops::ControlFlow;

use urigrep::container::document::{Format, Mark, Marks, Part, Sink, Source};
use urigrep::{Finder, Span};

struct Parts<'d> {
    document: &'d [u8],
    found: Vec<String>,
    bytes: usize,
}

impl Sink for Parts<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        self.bytes += part.text.len();
        let whole = part.source.source(Span::new(0, part.text.len()));
        assert!(whole.end() <= self.document.len(), "{whole:?} is outside");
        let mut before = whole.start();
        for at in 0..part.text.len().min(256) {
            let byte = Span::new(at, at + 1);
            let source = part.source.source(byte);
            assert!(
                source.start() >= before && source.end() <= whole.end(),
                "{byte:?} {source:?}"
            );
            before = source.start();
            if part.source.is_copied(byte) {
                assert_eq!(
                    self.document.get(source.range()),
                    part.text.get(byte.range())
                );
            }
        }
        for m in Finder::new().find_iter(part.text) {
            self.found.push(m.uri().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn mark(&mut self, _: &Mark<'_>) {}

    fn marks(&self) -> Marks {
        Marks::All
    }
}

/// What is planted, so that the search can tell it from everything else.
const PLANTED: &str = "https://planted.example/0123456789";

/// Asserts it for every format, with a URI planted at `at`.
pub fn check(at: usize, text: &[u8]) {
    let (head, tail) = text.split_at(at.min(text.len()));
    let planted = [head, b" ", PLANTED.as_bytes(), b" ", tail].concat();
    for format in [Format::Html, Format::Markdown, Format::Mail] {
        let mut parts = Parts {
            document: &planted,
            found: Vec::new(),
            bytes: 0,
        };
        let flow = format.read(Source::new(&planted), &mut parts);
        assert!(flow.is_continue());
        assert!(
            parts.bytes <= 4 * planted.len() + 64,
            "{} of {}",
            parts.bytes,
            planted.len()
        );
        // in a tag its quotation marks may be those of the text around it
        assert!(
            parts.found.iter().any(|uri| uri.starts_with(PLANTED)),
            "{format:?} hides it: {:?}",
            String::from_utf8_lossy(&planted)
        );
    }
}
