//! Scan and delimit: the fast loop finds what the naive one does, the common case gives what all
//! the rules do, spans are ordered, whatever is emitted parses, windows change nothing.

use urigrep::finder::Rest;
use urigrep::finder::{Resume, Window};
use urigrep::options::{
    Abbreviated, Charset, Detection, Email, Embedded, Kernel, Lax, Refang, Rejoin, Schemes,
    Shortcut, Unwrap,
};
use urigrep::{Finder, FinderBuilder, Finding, Flag, Uri};

/// A builder with the options that the bits of `choice` turn on.
fn builder(choice: u16) -> FinderBuilder {
    let on = |bit: u16| choice >> bit & 1 == 1;
    let mut builder = Finder::builder().rejoin(match choice & 3 {
        0 => Rejoin::Wrapped,
        1 => Rejoin::Never,
        2 => Rejoin::Hyphen,
        _ => Rejoin::Always,
    });
    if on(2) {
        builder = builder.schemes(Schemes::Known);
    }
    if on(3) {
        builder = builder.charset(Charset::Ascii);
    }
    if on(4) {
        builder = builder.lax(Lax::Reject);
    }
    if on(5) {
        builder = builder.refang(Refang::Read);
    }
    if on(6) {
        builder = builder.abbreviated(Abbreviated::Report);
    }
    if on(7) {
        builder = builder.email(Email::Report);
    }
    if on(8) {
        builder = builder.detection(Detection::Uts58);
    }
    if on(9) {
        builder = builder.unwrap(Unwrap::Redirectors);
    }
    if on(10) {
        builder = builder.max_uri(64);
    }
    builder
}

/// All there is to know about a finding.
fn shown(finding: &Finding<'_>, base: usize) -> String {
    let span = finding.span();
    let place = (span.start() + base, span.end() + base);
    match finding {
        Finding::Match(m) => {
            let ranges: Vec<_> =
                m.ranges().iter().map(|r| (r.start() + base, r.end() + base)).collect();
            let (kind, wrapper, flags) = (m.kind(), m.wrapper(), m.flags());
            format!("{place:?} {kind} {wrapper} {flags:?} {} {ranges:?}", m.uri())
        }
        Finding::Relative(_) => unreachable!("no format said that this is a reference"),
        Finding::Rejected(r) => format!("{place:?} {} {}", r.reason().name(), r.at()),
    }
}

fn all(finder: &Finder, text: &[u8]) -> Vec<String> {
    finder.findings(text).map(|found| shown(&found, 0)).collect()
}

/// Asserts it all, with the options of `choice`, and with the text cut into pieces of `cut` bytes,
/// or into [`MAX_PIECES`] if that gives more.
pub fn check(choice: u16, cut: usize, text: &[u8]) {
    let finder = builder(choice).build();
    let expected = all(&finder, text);
    let naive = builder(choice).kernel(Kernel::Portable).shortcut(Shortcut::Avoided).build();
    assert_eq!(expected, all(&naive, text), "the naive twins differ");
    valid(&finder, text);
    assert_eq!(
        expected,
        windows(&finder, text, cut.max(1).max(text.len() / MAX_PIECES)),
        "in pieces of {cut}"
    );
    let embedded = builder(choice).embedded(Embedded::Report).build();
    drop(all(&embedded, text));
    for finding in finder.findings(text).take(4) {
        drop(finder.explain(&finding));
    }
}

/// A window is searched again when the next piece comes.
const MAX_PIECES: usize = 512;

fn valid(finder: &Finder, text: &[u8]) {
    urigrep::internal::work_counter::take();
    let mut end = 0;
    for finding in finder.findings(text) {
        let span = finding.span();
        assert!(!span.is_empty() && span.end() <= text.len() && span.start() >= end);
        end = span.end();
        if let Finding::Match(m) = &finding {
            assert!(Uri::parse(&m.uri()).is_ok(), "{}", m.uri());
            assert_eq!(m.parsed().as_str(), m.uri());
            let decoded = m.flags().contains(Flag::Decoded);
            assert!(decoded || *m.text() == *m.as_bytes());
        }
    }
    if let Some(steps) = urigrep::internal::work_counter::take() {
        assert!(steps <= 4000 * (text.len() as u64 + 16), "{steps} steps");
    }
}

fn windows(finder: &Finder, text: &[u8], cut: usize) -> Vec<String> {
    let (mut found, mut window, mut base) = (Vec::new(), Vec::new(), 0);
    let mut resume = Resume::default();
    let mut pieces = text.chunks(cut);
    loop {
        let piece = pieces.next();
        window.extend_from_slice(piece.unwrap_or_default());
        let mut findings = finder.find_in(
            Window::resumed(&window, resume),
            if piece.is_none() { Rest::End } else { Rest::More },
        );
        found.extend(findings.by_ref().map(|finding| shown(&finding, base)));
        let progress = findings.progress();
        if piece.is_none() {
            return found;
        }
        window.drain(..progress.consumed);
        (base, resume) = (base + progress.consumed, progress.resume);
    }
}
