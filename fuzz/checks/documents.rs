//! Readers of documents: parts stand in the document, in order, and nothing is hidden.

use std::env;
use std::sync::OnceLock;

use urigrep::Span;
use urigrep::document::FORMATS;

use super::parts::{Found, Parts};

/// What is planted, so that the search can tell it from everything else.
const PLANTED: &str = "https://planted.example/0123456789";

/// Most steps that a reader takes for each byte, and bytes that count in addition for the shortest
/// texts.
const MAX_STEPS: u64 = 1000;
const FREE_BYTES: u64 = 64;

/// Formats in which nothing joins the planted URI with the text before it.
const MARKED_UP: [&str; 3] = ["html", "markdown", "mail"];

/// The only format that is asked for, if any.
fn chosen() -> Option<&'static str> {
    static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
    CHOSEN.get_or_init(|| env::var("URIGREP_FUZZ_FORMAT").ok()).as_deref()
}

/// Asserts it for every format, with a URI planted at `at`.
pub fn check(at: usize, text: &[u8]) {
    let (head, tail) = text.split_at(at.min(text.len()));
    let planted = [head, b" ", PLANTED.as_bytes(), b" ", tail].concat();
    for &format in FORMATS.iter().filter(|it| chosen().is_none_or(|name| it.name() == name)) {
        let parts = Parts::of(&planted, 4, |source, sink| format.read(source, sink));
        let most_steps = MAX_STEPS * (planted.len() as u64 + FREE_BYTES);
        assert!(parts.steps <= most_steps, "{format:?} took {} steps", parts.steps);
        // Such a file shows only what its format says; bytes between its objects are no text.
        if format.is_binary() {
            continue;
        }
        // in a tag its quotation marks may be those of the text around it, and in `<URL:…>` with a
        // line break it is joined with what is before it (D3.2)
        let found = |found: &Found| found.uri.contains(PLANTED);
        let skipped = |span: &Span| span.start() <= head.len() && head.len() < span.end();
        // a `<…>` with a line break and a space is rejected as a whole (D3.2)
        let rejected = |text: &Vec<u8>| memchr::memmem::find(text, PLANTED.as_bytes()).is_some();
        // `\verb.` takes the text up to the next full stop as it stands, and that of the host is
        // one
        let is_verbatim =
            format.name() == "latex" && memchr::memmem::find(head, b"\\verb").is_some();
        // `\bin8` of RTF takes the next eight bytes, whatever they are
        let is_data = format.name() == "rtf" && memchr::memmem::find(head, b"\\bin").is_some();
        let begins = |text: &Vec<u8>| memchr::memmem::find(text, b"https://planted").is_some();
        // in calendars a line that starts with a space goes on with the one before, so that another
        // URI may end here
        let stands = |text: &Vec<u8>| memchr::memmem::find(text, PLANTED.as_bytes()).is_some();
        assert!(
            parts.found.iter().any(found)
                || !MARKED_UP.contains(&format.name()) && parts.texts.iter().any(stands)
                || is_verbatim && parts.texts.iter().any(begins)
                || is_data
                || parts.skipped.iter().any(skipped)
                || parts.rejected.iter().any(rejected),
            "{format:?} hides it: {:?}",
            String::from_utf8_lossy(&planted)
        );
    }
}
