//! Properties of every decoder: each byte of its text maps, in order, into the bytes that made it,
//! and it says the same as another decoder.

use proptest::prelude::*;

use super::maps;
use urigrep::Span;
use urigrep::decode::{self, DelSp, MimeCharset, Quads, Words};
use urigrep::offset_map::OffsetMap;

type Decoder = fn(&[u8], &mut Vec<u8>, &mut OffsetMap);

fn run(decoder: Decoder, source: &[u8]) -> (Vec<u8>, OffsetMap) {
    let (mut text, mut map) = (Vec::new(), OffsetMap::new());
    decoder(source, &mut text, &mut map);
    (text, map)
}

/// What holds for the map of any decoder.
fn check_map(source: &[u8], text: &[u8], map: &OffsetMap) -> Result<(), TestCaseError> {
    maps::check(source, text, map);
    Ok(())
}

/// Bytes that the encodings give a meaning to, and others.
fn bytes(of: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let special = proptest::sample::select(of.as_bytes());
    proptest::collection::vec(prop_oneof![4 => special, 1 => any::<u8>()], 0..80)
}

/// Where each byte of base64 comes from, kept naively: padding ends a quad, the rest does not
/// count.
fn naive_base64(source: &[u8]) -> Vec<(u8, Span)> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut quad): (_, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    for at in 0..=source.len() {
        let byte = source.get(at);
        if let Some(value) = byte.and_then(|byte| alphabet.iter().position(|known| known == byte)) {
            quad.push((value as u32, at));
        }
        if quad.len() == 4 || matches!(byte, None | Some(b'=')) {
            let bits =
                quad.iter().fold(0, |bits, (value, _)| bits << 6 | value) << (6 * (4 - quad.len()));
            for (index, byte) in
                bits.to_be_bytes()[1..].iter().enumerate().take(quad.len().saturating_sub(1))
            {
                out.push((*byte, Span::new(quad[index].1, quad[index + 1].1 + 1)));
            }
            quad.clear();
        }
    }
    out
}

proptest! {
    #[test]
    fn base64_is_the_naive_one(source in bytes("AQgwaZ/+=\r\n aHR0cDov")) {
        let (text, map) = run(|s, t, m| { decode::base64(s, Quads::Anywhere, t, m); }, &source);
        check_map(&source, &text, &map)?;
        let naive = naive_base64(&source);
        let expected: Vec<u8> = naive.iter().map(|(byte, _)| *byte).collect();
        prop_assert_eq!(&text, &expected);
        for (at, (_, span)) in naive.iter().enumerate() {
            let found = map.source(Span::new(at, at + 1));
            prop_assert!(found.start() <= span.start() && span.end() <= found.end());
        }
    }

    #[test]
    fn base64_in_clean_lines_maps_exactly(data in proptest::collection::vec(any::<u8>(), 0..200)) {
        use base64::Engine as _;
        let encoded = base64::engine::general_purpose::STANDARD.encode(&data);
        let lines: Vec<&str> = encoded.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let source = lines.join("\r\n").into_bytes();
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        prop_assert_eq!(decode::base64(&source, Quads::Anywhere, &mut text, &mut map), None);
        prop_assert_eq!(&text, &data);
        for (at, (_, span)) in naive_base64(&source).iter().enumerate() {
            prop_assert_eq!(map.source(Span::new(at, at + 1)), *span);
        }
    }

    #[test]
    fn what_base64_loses_is_told(source in bytes("AQgwaZ/+=\r\n ")) {
        let damage = decode::base64(&source, Quads::Anywhere, &mut Vec::new(), &mut OffsetMap::new());
        let lost = damage.map(|damage| damage.lines);
        for (at, byte) in source.iter().enumerate() {
            let is_letter = byte.is_ascii_alphanumeric() || b"+/= \t\r\n\x0c".contains(byte);
            prop_assert!(is_letter || lost.is_some_and(|lost| lost.range().contains(&at)));
        }
    }

    #[test]
    fn quoted_printable_maps(source in bytes("=3dDA0 \t\r\n=http")) {
        let (text, map) = run(decode::quoted_printable, &source);
        check_map(&source, &text, &map)?;
        // the bytes that made a byte make it again
        for at in 0..text.len() {
            let span = map.source(Span::new(at, at + 1));
            let (again, _) = run(decode::quoted_printable, &source[span.range()]);
            prop_assert_eq!(again.as_slice(), if source[span.range()] == *b"=" { b"".as_slice() } else { &text[at..=at] });
        }
    }

    #[test]
    fn quoted_printable_is_what_was_encoded(data in "[a-z=é \t\n]{0,120}") {
        let encoded = quoted_printable::encode_to_str(data.as_bytes());
        let (text, _) = run(decode::quoted_printable, encoded.as_bytes());
        let text = String::from_utf8(text).unwrap().replace("\r\n", "\n");
        prop_assert_eq!(text, data);
    }

    #[test]
    fn charsets_say_what_their_whole_text_is(source in bytes("a\x1b$B(J~+-\u{e9}\u{30e9}")) {
        for label in ["iso-8859-1", "koi8-r", "windows-1251", "shift_jis", "gb18030", "gbk", "big5", "euc-kr", "euc-jp", "iso-2022-jp"] {
            let charset = MimeCharset::for_label(label.as_bytes()).unwrap();
            let (mut text, mut map) = (Vec::new(), OffsetMap::new());
            let _ = charset.decode(&source, &mut text, &mut map);
            check_map(&source, &text, &map)?;
            let whole = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (whole, _) = whole.decode_without_bom_handling(&source);
            prop_assert_eq!(std::str::from_utf8(&text).unwrap(), &whole);
        }
        for label in ["utf-7", "utf-16", "utf-16le", "utf-32be"] {
            let charset = MimeCharset::for_label(label.as_bytes()).unwrap();
            let (mut text, mut map) = (Vec::new(), OffsetMap::new());
            let _ = charset.decode(&source, &mut text, &mut map);
            check_map(&source, &text, &map)?;
            prop_assert!(std::str::from_utf8(&text).is_ok() || label == "utf-7");
        }
    }

    #[test]
    fn characters_map_to_the_bytes_that_make_them(word in "[a-zäйд]{0,20}") {
        for label in ["koi8-r", "gb18030", "utf-16le"] {
            let encoder = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let source = match label {
                "utf-16le" => word.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => encoder.encode(&word).0.into_owned(),
            };
            let charset = MimeCharset::for_label(label.as_bytes()).unwrap();
            let (mut text, mut map) = (Vec::new(), OffsetMap::new());
            let _ = charset.decode(&source, &mut text, &mut map);
            let text = String::from_utf8(text).unwrap();
            for (at, char) in text.char_indices() {
                let span = map.source(Span::new(at, at + char.len_utf8()));
                let again = match label {
                    "utf-16le" => char.to_string().encode_utf16().flat_map(u16::to_le_bytes).collect(),
                    _ => encoder.encode(char.encode_utf8(&mut [0; 4])).0.into_owned(),
                };
                // what the charset does not have was written as a reference, which is ASCII
                prop_assert_eq!(&source[span.range()], again.as_slice());
            }
        }
    }

    #[test]
    fn flowed_maps(source in bytes("> -a\r\n ")) {
        for del_sp in [DelSp::No, DelSp::Yes] {
            let (mut text, mut map) = (Vec::new(), OffsetMap::new());
            decode::flowed(&source, del_sp, &mut text, &mut map);
            check_map(&source, &text, &map)?;
            // nothing goes but breaks, spaces and marks
            let bare = |bytes: &[u8]| -> Vec<u8> { bytes.iter().copied().filter(|byte| !b"> \r\n".contains(byte)).collect() };
            prop_assert_eq!(bare(&text), bare(&source));
            prop_assert!(map.ranges(Span::new(0, text.len())).iter().map(|range| range.len()).sum::<usize>() == text.len());
        }
    }

    #[test]
    fn encoded_words_map(source in bytes("=?utf-8?QqBb?==?= _=C3=A9aHR0 \r\n")) {
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        let words = decode::encoded_words(&source, &mut text, &mut map);
        check_map(&source, &text, &map)?;
        if words == Words::None {
            prop_assert_eq!(&text, &source);
            prop_assert!(map.is_copied(Span::new(0, text.len())));
        }
    }

    #[test]
    fn encoded_words_are_what_was_encoded(text in "[a-zéЖ😀 ]{0,30}", cut in 1usize..9) {
        use base64::Engine as _;
        let b = |bytes: &[u8]| format!("=?UTF-8?B?{}?=", base64::engine::general_purpose::STANDARD.encode(bytes));
        let q = |bytes: &[u8]| {
            let letters: String = bytes.iter().map(|byte| format!("={byte:02X}")).collect();
            format!("=?utf-8*en?q?{letters}?=")
        };
        // cut inside of characters too: joined, they are whole again
        for words in [text.as_bytes().chunks(cut).map(b).collect::<Vec<_>>(), text.as_bytes().chunks(cut).map(q).collect()] {
            let source = words.join("\r\n ");
            let (mut out, mut map) = (Vec::new(), OffsetMap::new());
            decode::encoded_words(source.as_bytes(), &mut out, &mut map);
            prop_assert_eq!(std::str::from_utf8(&out).unwrap(), &text);
            check_map(source.as_bytes(), &out, &map)?;
        }
    }

    #[test]
    fn parameters_map(source in bytes("a*0=b;\"'%C3 ()\\\r\n1")) {
        for parameter in decode::parameters(&source) {
            check_map(&source, &parameter.value, &parameter.map)?;
        }
    }

    #[test]
    fn inline_files_map(source in bytes("begin 644 a\nM#end`\n =y size= name=\n")) {
        let mut end = 0;
        for file in decode::inline_files(&source) {
            prop_assert!(end <= file.whole.start() && file.whole.start() < file.data.start());
            prop_assert!(file.data.end() <= file.whole.end());
            end = file.whole.end();
        }
        for decoder in [decode::uudecode as Decoder, decode::ydecode] {
            let (text, map) = run(decoder, &source);
            check_map(&source, &text, &map)?;
        }
    }

    #[test]
    fn uuencode_is_undone(data in proptest::collection::vec(any::<u8>(), 1..200)) {
        let letter = |value: u32| char::from(b' ' + (value & 63) as u8).to_string().replace(' ', "`");
        let mut source = String::from("begin 644 a b.bin\n");
        for line in data.chunks(45) {
            source += &letter(line.len() as u32);
            for three in line.chunks(3) {
                let at = |index| three.get(index).copied().unwrap_or(0);
                let bits = u32::from_be_bytes([0, at(0), at(1), at(2)]);
                (0..4).rev().for_each(|place| source += &letter(bits >> (6 * place)));
            }
            source += "\n";
        }
        source += "`\nend\nrest";
        let file = decode::inline_files(source.as_bytes()).next().unwrap();
        prop_assert_eq!(&source[file.whole.end()..], "rest");
        let (text, map) = run(decode::uudecode, &source.as_bytes()[file.data.range()]);
        prop_assert_eq!(&text, &data);
        check_map(&source.as_bytes()[file.data.range()], &text, &map)?;
    }
}

#[test]
fn utf7_is_read() {
    // RFC 2152
    let vectors = [
        ("A+ImIDkQ.", "A≢Α."),
        ("Hi Mom -+Jjo--!", "Hi Mom -☺-!"),
        ("+ZeVnLIqe-", "日本語"),
        ("1 +- 1", "1 + 1"),
        ("a + b", "a + b"),
        ("+2D3eAA-", "\u{1f600}"),
    ];
    for (source, expected) in vectors {
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        let utf7 = MimeCharset::for_label(b"utf-7").unwrap();
        let _ = utf7.decode(source.as_bytes(), &mut text, &mut map);
        assert_eq!(std::str::from_utf8(&text), Ok(expected));
    }
}
