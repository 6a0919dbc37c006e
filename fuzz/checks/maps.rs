//! Offset maps: every decoded byte stands, in order, in the bytes that made it.

use urigrep::Span;
use urigrep::offset_map::OffsetMap;

/// Asserts it for the `text` that a decoder made of `source`.
pub fn check(source: &[u8], text: &[u8], map: &OffsetMap) {
    assert_eq!(map.len(), text.len());
    let mut last = Span::new(0, 0);
    for (at, byte) in text.iter().enumerate() {
        let span = map.source(Span::new(at, at + 1));
        assert!(
            last.start() <= span.start() && last.end() <= span.end(),
            "{at}: {last:?} {span:?}"
        );
        assert!(!span.is_empty() && span.end() <= source.len(), "{at}: {span:?}");
        if map.is_copied(Span::new(at, at + 1)) {
            assert_eq!(source[span.start()], *byte);
        }
        last = span;
    }
}
