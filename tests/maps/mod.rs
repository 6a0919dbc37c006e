//! Maps from a text back to its source: runs, layers, and the transcoder of UTF-16 and UTF-32.

use proptest::collection::vec;
use proptest::prelude::*;
use urigrep::Span;
use urigrep::decode::{Encoding, Transcoder};
use urigrep::offset_map::{Layers, OffsetMap, Unit};

/// One piece of a text: how long it is, in the text and in the source, and how it was made.
#[derive(Clone, Debug)]
enum Piece {
    Copied(usize),
    Replaced(usize, usize),
    Quads(usize),
    Dropped(usize),
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop_oneof![
        (0usize..9).prop_map(Piece::Copied),
        (0usize..4, 1usize..7).prop_map(|(text, source)| Piece::Replaced(text, source)),
        (0usize..4).prop_map(Piece::Quads),
        (0usize..4).prop_map(Piece::Dropped),
    ];
    vec(piece, 0..12)
}

/// The map of the pieces, and the source span of each byte, kept naively.
fn build(pieces: &[Piece]) -> (OffsetMap, Vec<Span>) {
    let (mut map, mut naive, mut source) = (OffsetMap::new(), Vec::new(), 0);
    for piece in pieces {
        source += match *piece {
            Piece::Copied(len) => {
                map.copy(len, source);
                naive.extend((source..source + len).map(|at| Span::new(at, at + 1)));
                len
            }
            Piece::Replaced(text, len) => {
                let span = Span::new(source, source + len);
                map.replace(text, span);
                naive.extend(std::iter::repeat_n(span, text));
                len
            }
            Piece::Quads(quads) => {
                let span = Span::new(source, source + 4 * quads);
                map.units(3 * quads, span, Unit { text: 3, source: 4 });
                let first = |at: usize| source + at / 3 * 4 + at % 3;
                naive.extend((0..3 * quads).map(|at| Span::new(first(at), first(at) + 2)));
                4 * quads
            }
            Piece::Dropped(len) => len,
        };
    }
    (map, naive)
}

fn spans(len: usize) -> impl Iterator<Item = Span> {
    (0..len).flat_map(move |start| (start + 1..=len).map(move |end| Span::new(start, end)))
}

proptest! {
    #[test]
    fn every_byte_maps_to_what_made_it(pieces in pieces()) {
        let (map, naive) = build(&pieces);
        prop_assert_eq!(map.len(), naive.len());
        for span in spans(naive.len()) {
            let made = &naive[span.range()];
            let hull = Span::new(made[0].start(), made[made.len() - 1].end());
            prop_assert_eq!(map.source(span), hull);
            let ranges = map.ranges(span);
            prop_assert!(ranges.windows(2).all(|pair| pair[0].end() < pair[1].start()));
            for byte in made {
                let holds = |range: &Span| range.start() <= byte.start() && byte.end() <= range.end();
                prop_assert!(ranges.iter().any(holds));
            }
            let total: usize = ranges.iter().map(|range| range.len()).sum();
            prop_assert!(total <= hull.len());
            prop_assert!(!map.is_copied(span) || hull.len() == span.len());
        }
    }

    #[test]
    fn layers_lead_through(upper in pieces(), lower in pieces()) {
        let ((upper, above), (lower, under)) = (build(&upper), build(&lower));
        let below = Layers::new(&lower);
        let both = below.under(&upper);
        for (at, middle) in above.iter().enumerate() {
            if middle.end() <= under.len() && !middle.is_empty() {
                let expected = Span::new(under[middle.start()].start(), under[middle.end() - 1].end());
                let byte = Span::new(at, at + 1);
                prop_assert_eq!(both.source(byte), expected);
                let ranges = both.ranges(byte);
                prop_assert_eq!(ranges.first().map(|range| range.start()), Some(expected.start()));
                prop_assert_eq!(ranges.last().map(|range| range.end()), Some(expected.end()));
            }
        }
    }

    #[test]
    fn owned_layers_are_the_same(top in pieces(), middle in pieces(), from in 0usize..20, len in 0usize..20) {
        let ((top, _), (middle, _)) = (build(&top), build(&middle));
        let stream = Layers::copied(7);
        let middle = stream.under(&middle);
        let layers = middle.under(&top);
        let text = Span::new(from.min(top.len()), (from + len).min(top.len()));
        let owned = layers.to_owned_layers(text);
        for span in spans(text.end()).filter(|span| span.start() >= text.start()) {
            prop_assert_eq!(owned.layers().source(span), layers.source(span));
            prop_assert_eq!(owned.layers().ranges(span), layers.ranges(span));
            prop_assert_eq!(owned.layers().is_copied(span), layers.is_copied(span));
        }
    }
}

/// Sources that are too long for a packed run, and more units than one has room for.
#[test]
fn long_sources_and_many_units() {
    let (mut map, mut pushed, mut at) = (OffsetMap::new(), Vec::new(), 7);
    for len in [2, 30 << 20, 1 << 26, 1, 1 << 28] {
        pushed.push((map.len(), at, len));
        match len {
            0x1e0_0000 => map.copy(len, at),
            _ => map.replace(3, Span::new(at, at + len)),
        }
        at += len;
    }
    for unit in 0..=255 {
        map.units(1, Span::new(at, at + 3), Unit { text: unit, source: 3 });
        at += 3;
    }
    for (text, source, len) in pushed {
        let end = if len == 30 << 20 { source + 1 } else { source + len };
        assert_eq!(map.source(Span::new(text, text + 1)), Span::new(source, end));
    }
    assert_eq!(map.source(Span::new(map.len() - 1, map.len())), Span::new(at - 3, at));
}

const ALL: [Encoding; 4] =
    [Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be];

fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    let utf16 = |f: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(f).collect();
    let utf32 = |f: fn(u32) -> [u8; 4]| text.chars().flat_map(|c| f(c as u32)).collect();
    match encoding {
        Encoding::Utf16Le => utf16(u16::to_le_bytes),
        Encoding::Utf16Be => utf16(u16::to_be_bytes),
        Encoding::Utf32Le => utf32(u32::to_le_bytes),
        _ => utf32(u32::to_be_bytes),
    }
}

fn decode(encoding: Encoding, source: &[u8], chunk: usize) -> (Transcoder, Vec<u8>) {
    let (mut transcoder, mut out) = (Transcoder::new(encoding, 0), Vec::new());
    for part in source.chunks(chunk) {
        transcoder.push(part, &mut out);
    }
    transcoder.finish(&mut out);
    (transcoder, out)
}

proptest! {
    #[test]
    fn unicode_decodes_and_maps_back(text in "[a-z é中😀\n]{0,40}", chunk in 1usize..9) {
        for encoding in ALL {
            let source = encode(&text, encoding);
            let (transcoder, out) = decode(encoding, &source, chunk);
            prop_assert_eq!(std::str::from_utf8(&out), Ok(text.as_str()));
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let expected = encode(&text[..at], encoding).len() as u64;
                prop_assert_eq!(transcoder.source_of(at as u64), expected);
            }
        }
    }

    #[test]
    fn any_bytes_decode(source in vec(any::<u8>(), 0..60)) {
        for encoding in ALL {
            let (transcoder, out) = decode(encoding, &source, 60);
            prop_assert!(std::str::from_utf8(&out).is_ok());
            prop_assert_eq!(transcoder.source_of(out.len() as u64), source.len() as u64);
        }
    }
}

#[test]
fn encodings_show_by_mark_and_by_zeros() {
    let text = "see http://a.example/ please";
    for encoding in ALL {
        assert_eq!(Encoding::detect(&encode(text, encoding)), Some((encoding, 0)));
        let marked = encode(&format!("\u{feff}{text}"), encoding);
        assert_eq!(Encoding::detect(&marked).map(|(found, _)| found), Some(encoding));
    }
    assert_eq!(Encoding::detect(b"http://a.example/1\n\0\nhttp://a.example/2"), None);
    assert_eq!(Encoding::detect(&[0; 64]), None);
}
