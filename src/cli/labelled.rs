//! Text of a legacy charset that is searched as UTF-8, some lines at a time.
//!
//! In all of these charsets a line feed is one byte and no part of a character, so lines can be decoded
//! on their own; a line without end is cut where the piece gets too large.

use std::collections::VecDeque;
use std::io::{Read, Result};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use memchr::memrchr;
use urigrep::decode::{Charset, Encoding};
use urigrep::{OffsetMap, Span};

use super::offsets::{Feed, Offsets, Relation};

/// What is read at a time, and the longest line that is decoded as a whole.
const CHUNK: usize = 64 << 10;
const LONGEST: usize = 1 << 20;

/// By what bytes are read as text.
#[derive(Clone, Copy, Debug, Default)]
pub enum Charsets {
    /// As UTF-8 or what contains ASCII; UTF-16 and UTF-32 by their marks and zeros.
    #[default]
    Unicode,
    /// As they are.
    Raw,
    /// As one of Unicode, whatever they look like.
    Wide(Encoding),
    /// As this one.
    Labelled(Charset),
    /// By what they look like.
    Guessed,
}

/// Reads the value of `--encoding`.
pub fn parse(label: &str) -> std::result::Result<Charsets, String> {
    let wide = match label.to_ascii_lowercase().as_str() {
        "auto" => return Ok(Charsets::Guessed),
        "none" => return Ok(Charsets::Raw),
        "utf-8" | "utf8" => return Ok(Charsets::Raw),
        "utf-16" | "utf-16le" => Some(Encoding::Utf16Le),
        "utf-16be" => Some(Encoding::Utf16Be),
        "utf-32" | "utf-32le" => Some(Encoding::Utf32Le),
        "utf-32be" => Some(Encoding::Utf32Be),
        _ => None,
    };
    if let Some(encoding) = wide {
        return Ok(Charsets::Wide(encoding));
    }
    let known = Charset::for_label(label.as_bytes());
    known.map(Charsets::Labelled).ok_or_else(|| {
        "an encoding is `auto`, `none` or a label of the Encoding Standard, such as latin1, \
         windows-1251, shift_jis, gbk or utf-16le"
            .to_owned()
    })
}

/// What a text that starts with `head` seems to be written in; `None` for UTF-8 and ASCII.
pub fn guess(head: &[u8]) -> Option<Charset> {
    if std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(head, true);
    let encoding = detector.guess(None, Utf8Detection::Allow);
    Charset::for_label(encoding.name().as_bytes())
}

/// Lines that were decoded together, and where they start.
struct Piece {
    text: u64,
    source: u64,
    map: OffsetMap,
}

/// Decodes what a reader gives.
pub struct Labelled<R> {
    reader: R,
    charset: Charset,
    raw: Vec<u8>,
    text: Vec<u8>,
    given: usize,
    pieces: VecDeque<Piece>,
    text_end: u64,
    source_end: u64,
    ended: bool,
}

impl<R: Read> Labelled<R> {
    /// Decodes what `reader` gives from `charset`.
    pub fn new(reader: R, charset: Charset) -> Self {
        Self {
            reader,
            charset,
            raw: Vec::new(),
            text: Vec::new(),
            given: 0,
            pieces: VecDeque::new(),
            text_end: 0,
            source_end: 0,
            ended: false,
        }
    }

    /// Decodes the next lines, if they have come.
    fn piece(&mut self) -> Result<()> {
        let before = self.raw.len();
        self.raw.resize(before + CHUNK, 0);
        let count = self
            .reader
            .read(self.raw.get_mut(before..).unwrap_or_default());
        self.raw.truncate(before + *count.as_ref().unwrap_or(&0));
        self.ended = count? == 0;
        let lines = memrchr(b'\n', &self.raw).map_or(0, |newline| newline + 1);
        let end = if self.ended || (lines == 0 && self.raw.len() >= LONGEST) {
            self.raw.len()
        } else {
            lines
        };
        if end == 0 {
            return Ok(());
        }
        self.text.clear();
        self.given = 0;
        let mut map = OffsetMap::new();
        let source = self.raw.get(..end).unwrap_or_default();
        // what is not valid becomes U+FFFD, and ends a URI
        let _ = self.charset.decode(source, &mut self.text, &mut map);
        self.pieces.push_back(Piece {
            text: self.text_end,
            source: self.source_end,
            map,
        });
        self.text_end += self.text.len() as u64;
        self.source_end += end as u64;
        self.raw.drain(..end);
        Ok(())
    }
}

impl<R: Read> Read for Labelled<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        while self.given == self.text.len() && !self.ended {
            self.piece()?;
        }
        let rest = self.text.get(self.given..).unwrap_or_default();
        let count = rest.len().min(out.len());
        for (to, from) in out.iter_mut().zip(rest) {
            *to = *from;
        }
        self.given += count;
        Ok(count)
    }
}

impl<R> Labelled<R> {
    /// The piece that holds the text byte `at`, and where in it that stands.
    fn at(&self, at: u64) -> Option<(&Piece, usize)> {
        let index = self.pieces.partition_point(|piece| piece.text <= at);
        let piece = self.pieces.get(index.checked_sub(1)?)?;
        Some((piece, (at - piece.text) as usize))
    }
}

impl<R> Offsets for Labelled<R> {
    fn source(&self, at: u64) -> u64 {
        match self.at(at) {
            Some((piece, at)) => piece.source + piece.map.source(Span::new(at, at)).start() as u64,
            None => self.source_end,
        }
    }

    fn source_end(&self, end: u64) -> u64 {
        let Some(last) = end.checked_sub(1) else {
            return 0;
        };
        match self.at(last) {
            Some((piece, at)) => {
                piece.source + piece.map.source(Span::new(at, at + 1)).end() as u64
            }
            None => self.source_end,
        }
    }

    fn relation(&self, start: u64, end: u64) -> Relation {
        let same = self.at(start).is_some_and(|(piece, at)| {
            let span = Span::new(at, at + (end - start) as usize);
            span.end() <= piece.map.len() && piece.map.is_copied(span)
        });
        if same {
            Relation::Same
        } else {
            Relation::Decoded
        }
    }
}

impl<R: Read> Feed for Labelled<R> {
    fn forget(&mut self, at: u64) {
        while self.pieces.get(1).is_some_and(|next| next.text <= at) {
            self.pieces.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_leads_back() {
        let line = b"caf\xe9 http://a.example/\xfc?x\n";
        let source = line.repeat(9000);
        let mut feed = Labelled::new(source.as_slice(), Charset::for_label(b"latin1").unwrap());
        let mut text = String::new();
        feed.read_to_string(&mut text).unwrap();
        assert_eq!(text, "caf\u{e9} http://a.example/\u{fc}?x\n".repeat(9000));
        let chars = text.char_indices().enumerate();
        for (index, (at, c)) in chars.step_by(97) {
            let (at, end) = (at as u64, (at + c.len_utf8()) as u64);
            assert_eq!(feed.source(at), index as u64);
            assert_eq!(feed.source_end(end), index as u64 + 1);
            let relation = if c.is_ascii() {
                Relation::Same
            } else {
                Relation::Decoded
            };
            assert_eq!(feed.relation(at, end), relation);
        }
        assert_eq!(feed.source(text.len() as u64), source.len() as u64);
    }

    #[test]
    fn labels() {
        assert!(matches!(parse("AUTO"), Ok(Charsets::Guessed)));
        assert!(matches!(
            parse("utf-16be"),
            Ok(Charsets::Wide(Encoding::Utf16Be))
        ));
        assert!(matches!(parse("Shift_JIS"), Ok(Charsets::Labelled(_))));
        assert!(parse("klingon").unwrap_err().contains("latin1"));
        assert!(guess("caf\u{e9} \u{fc}ber".as_bytes()).is_none());
        let russian = b"\xef\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! \xea\xe0\xea \xe4\xe5\xeb\xe0 \xf1\xe5\xe3\xee\xe4\xed\xff";
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        let _ = guess(russian).unwrap().decode(russian, &mut text, &mut map);
        assert!(
            String::from_utf8(text)
                .unwrap()
                .starts_with("\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}")
        );
    }
}
