//! Mail: what is decoded maps to what made it, and no sender hides a URI.

use std::ops::ControlFlow;

use memchr::memmem;
use urigrep::Span;
use urigrep::decode::{self, DelSp, MimeCharset, Quads};
use urigrep::document::mbox::{self, Next, Rest};
use urigrep::document::{EventSink, Source, mail};
use urigrep::offset_map::OffsetMap;

use super::maps;
use super::parts::Parts;

type Decoder<'d> = dyn Fn(&[u8], &mut Vec<u8>, &mut OffsetMap) + Sync + 'd;

/// Everything that undoes an encoding of mail.
const DECODERS: [&Decoder<'static>; 9] = [
    &|source, text, map| {
        decode::base64(source, Quads::Anywhere, text, map);
    },
    &|source, text, map| {
        decode::base64(source, Quads::AfterDamage, text, map);
    },
    &decode::quoted_printable,
    &|source, text, map| {
        decode::encoded_words(source, text, map);
    },
    &|source, text, map| decode::flowed(source, DelSp::No, text, map),
    &|source, text, map| decode::flowed(source, DelSp::Yes, text, map),
    &decode::uudecode,
    &decode::ydecode,
    &|source, text, map| {
        mbox::unquote(source, text, map);
    },
];

/// A charset of each kind that there is, and of each that shifts.
pub const CHARSETS: [&str; 16] = [
    "utf-8",
    "utf-7",
    "utf-16",
    "utf-16be",
    "utf-16le",
    "utf-32",
    "utf-32be",
    "iso-8859-1",
    "koi8-r",
    "windows-1251",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "gb18030",
    "big5",
    "euc-kr",
];

/// Asserts it of every decoder.
pub fn decoders(source: &[u8]) {
    let (mut text, mut map) = (Vec::new(), OffsetMap::new());
    let mut check = |decoder: &Decoder<'_>| {
        text.clear();
        map.clear();
        decoder(source, &mut text, &mut map);
        maps::check(source, &text, &map);
    };
    for decoder in DECODERS {
        check(decoder);
    }
    for label in CHARSETS {
        let charset = MimeCharset::for_label(label.as_bytes()).expect("a known charset");
        check(&|source, text, map| {
            let _ = charset.decode(source, text, map);
        });
    }
    for parameter in decode::parameters(source) {
        maps::check(source, &parameter.value, &parameter.map);
    }
    let mut end = 0;
    for file in decode::inline_files(source) {
        assert!(end <= file.whole.start() && file.data.end() <= file.whole.end());
        end = file.whole.end();
    }
}

/// What is planted, so that the search can tell it from everything else.
const PLANTED: &str = "https://planted.example/0123456789";
/// The most bytes of text for a byte of a message: decoded three times over and given as it stands
/// too.
const MAX: usize = 16;

/// So much of a message goes through every decoder.
const DECODED: usize = 4096;

/// Asserts that any bytes are read as a message and as an mbox, and that a URI on a line of its own
/// at `at` is found, whatever stands around it, or is in what is told to be broken or skipped.
pub fn check(at: usize, message: &[u8]) {
    decoders(&message[..message.len().min(DECODED)]);
    let (head, tail) = message.split_at(at.min(message.len()));
    let planted = [head, b"\n", PLANTED.as_bytes(), b"\n", tail].concat();
    let place = Span::new(head.len() + 1, head.len() + 1 + PLANTED.len());
    for read in [mail::read, messages] {
        let parts = Parts::of(&planted, MAX, read);
        // what undoes line breaks may join it to the line before
        let found = parts.found.iter().any(|found| found.uri.contains(PLANTED));
        let rejected = |bytes: &Vec<u8>| memmem::find(bytes, PLANTED.as_bytes()).is_some();
        let skipped = |span: &Span| span.start() <= place.start() && place.end() <= span.end();
        assert!(
            found || parts.rejected.iter().any(rejected) || parts.skipped.iter().any(skipped),
            "it is hidden: {:?}",
            String::from_utf8_lossy(&planted)
        );
    }
}

/// Asserts that all of `uris` are found, in their order, in a message that keeps the rules.
pub fn check_kept(message: &[u8], uris: &[String]) {
    for read in [mail::read, messages] {
        let parts = Parts::of(message, MAX, read);
        let found: Vec<_> = parts.found.iter().map(|found| &found.uri).collect();
        assert!(
            found.iter().copied().eq(uris),
            "{found:?}, but {uris:?} in {:?}",
            String::from_utf8_lossy(message)
        );
        let starts = parts.found.iter().map(|found| found.part.start());
        assert!(starts.is_sorted(), "{:?}", String::from_utf8_lossy(message));
        assert!(parts.skipped.is_empty());
    }
}

/// Reads all messages of an mbox; they are the whole of it, in order.
fn messages(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let mut from = 0;
    while let Next::Message(message) = mbox::next(source.bytes, from, Rest::End) {
        assert_eq!(
            (message.envelope.start(), message.envelope.end()),
            (from, message.content.start())
        );
        assert!(message.content.end() > from);
        from = message.content.end();
        message.read(source.bytes, sink)?;
    }
    assert_eq!(from, source.bytes.len());
    ControlFlow::Continue(())
}
