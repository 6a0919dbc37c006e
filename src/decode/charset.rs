//! Decodes charsets by label to UTF-8 (RFC 2978; the labels of the Encoding Standard, EBCDIC, and a
//! few more).

use encoding_rs::Encoding as Legacy;

use super::ebcdic::CodePage;
use super::unicode::{Encoding, Transcoder};
use super::utf7::utf7;
use crate::offset_map::{OffsetMap, Unit};
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

/// A charset that can be decoded.
///
/// ```
/// use urigrep::decode::MimeCharset;
/// use urigrep::offset_map::OffsetMap;
/// use urigrep::Span;
/// let latin1 = MimeCharset::for_label(b"ISO-8859-1").unwrap();
/// let (mut text, mut map) = (Vec::new(), OffsetMap::new());
/// latin1.decode(b"caf\xe9!", &mut text, &mut map);
/// assert_eq!(text, "café!".as_bytes());
/// assert_eq!(map.source(Span::new(3, 6)), Span::new(3, 5)); // `é!`
/// assert!(MimeCharset::for_label(b"x-unknown").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MimeCharset(CharsetKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CharsetKind {
    /// US-ASCII and UTF-8: copied, even if invalid.
    Utf8,
    Utf7,
    /// UTF-16 or UTF-32; `None` if the byte order mark decides.
    Wide(Option<Encoding>),
    SingleByte(&'static Legacy),
    MultiByte(&'static Legacy),
    Ebcdic(&'static CodePage),
}

impl From<Encoding> for MimeCharset {
    fn from(encoding: Encoding) -> Self {
        Self(CharsetKind::Wide(Some(encoding)))
    }
}

/// Tells whether a whole text was valid in its charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Validity {
    /// Valid.
    Valid,
    /// Some bytes became U+FFFD, or the text also makes sense undecoded, so its label may be wrong.
    Doubtful,
}

impl MimeCharset {
    /// Returns the charset of a label; ASCII case is ignored.
    pub fn for_label(label: &[u8]) -> Option<Self> {
        let label = label.trim_ascii();
        // Most mail has one of these labels. For others, the label is copied to be compared.
        if label.eq_ignore_ascii_case(b"utf-8") || label.eq_ignore_ascii_case(b"us-ascii") {
            return Some(Self(CharsetKind::Utf8));
        }
        let label = label.to_ascii_lowercase();
        let kind = match label.as_slice() {
            b"ascii" | b"utf8" => CharsetKind::Utf8,
            b"utf-7" | b"unicode-1-1-utf-7" | b"x-utf-7" | b"csutf7" | b"cp65000" => {
                CharsetKind::Utf7
            }
            b"utf-16" => CharsetKind::Wide(None),
            b"utf-16le" => CharsetKind::Wide(Some(Encoding::Utf16Le)),
            b"utf-16be" => CharsetKind::Wide(Some(Encoding::Utf16Be)),
            b"utf-32" | b"utf-32be" => CharsetKind::Wide(Some(Encoding::Utf32Be)),
            b"utf-32le" => CharsetKind::Wide(Some(Encoding::Utf32Le)),
            // Names of Windows' code pages, which mail uses and the Encoding Standard does not
            // list.
            b"cp932" => CharsetKind::MultiByte(encoding_rs::SHIFT_JIS),
            b"cp936" => CharsetKind::MultiByte(encoding_rs::GBK),
            b"cp949" => CharsetKind::MultiByte(encoding_rs::EUC_KR),
            b"cp950" => CharsetKind::MultiByte(encoding_rs::BIG5),
            label => {
                let Some(legacy) = Legacy::for_label_no_replacement(label) else {
                    return CodePage::for_label(label).map(|page| Self(CharsetKind::Ebcdic(page)));
                };
                match legacy {
                    _ if legacy == encoding_rs::UTF_8 => CharsetKind::Utf8,
                    // Labels such as `ucs-2`, which do not give the byte order.
                    _ if legacy == encoding_rs::UTF_16LE => CharsetKind::Wide(None),
                    _ if legacy == encoding_rs::UTF_16BE => {
                        CharsetKind::Wide(Some(Encoding::Utf16Be))
                    }
                    _ if legacy.is_single_byte() => CharsetKind::SingleByte(legacy),
                    _ => CharsetKind::MultiByte(legacy),
                }
            }
        };
        Some(Self(kind))
    }

    /// True for EBCDIC, in which no text has the bytes that it has in ASCII.
    pub(crate) const fn is_ebcdic(self) -> bool {
        matches!(self.0, CharsetKind::Ebcdic(_))
    }

    /// True if `source` needs no decoding.
    pub fn is_text(self, source: &[u8]) -> bool {
        match self.0 {
            CharsetKind::Utf8 => true,
            // Only what follows a `+` differs from ASCII (RFC 2152).
            CharsetKind::Utf7 => memchr::memchr(b'+', source).is_none(),
            CharsetKind::Wide(_) | CharsetKind::Ebcdic(_) => source.is_empty(),
            CharsetKind::SingleByte(_) => source.is_ascii(),
            CharsetKind::MultiByte(legacy) if legacy == encoding_rs::ISO_2022_JP => {
                Legacy::iso_2022_jp_ascii_valid_up_to(source) == source.len()
            }
            CharsetKind::MultiByte(_) => source.is_ascii(),
        }
    }

    /// Appends `source` as UTF-8 to `text`, and the position of each byte to `map`.
    pub fn decode(self, source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) -> Validity {
        work_counter::add(source.len());
        let start = text.len();
        match self.0 {
            CharsetKind::Utf8 => {
                // Invalid UTF-8 is copied, too. The search works on bytes and reports offsets in
                // them.
                text.extend_from_slice(source);
                map.copy(source.len(), 0);
                return Validity::Valid;
            }
            CharsetKind::Utf7 => utf7(source, text, map),
            CharsetKind::Wide(encoding) => {
                wide(encoding, source, text, map);
                // A wrong label must not hide a URI: as UTF-16, ASCII text decodes to valid
                // ideographs without an error.
                if reads_as_it_stands(source) {
                    return Validity::Doubtful;
                }
            }
            CharsetKind::Ebcdic(page) => {
                page.decode(source, text, map);
                // The letters of EBCDIC are not UTF-8, so the label is wrong.
                if std::str::from_utf8(source).is_ok() {
                    return Validity::Doubtful;
                }
            }
            CharsetKind::SingleByte(legacy) => single_byte(legacy, source, text, map),
            CharsetKind::MultiByte(legacy) => multi_byte(legacy, source, text, map),
        }
        let made = text.clamped(start..);
        match memchr::memmem::find(made, "\u{fffd}".as_bytes()) {
            Some(_) => Validity::Doubtful,
            None => Validity::Valid,
        }
    }
}

/// True if text labelled as 16 or 32 bits wide may be plain ASCII: real wide text has zeros between
/// its ASCII bytes.
fn reads_as_it_stands(source: &[u8]) -> bool {
    /// Length of the shortest URIs.
    const ROW: usize = 5;
    let is_text = || memchr::memchr(0, source).is_none() && std::str::from_utf8(source).is_ok();
    let mut rows = source.split(|byte| !byte.is_ascii_graphic());
    rows.any(|row| row.len() >= ROW) || is_text()
}

/// Decodes UTF-16 and UTF-32; a byte order mark overrides the label (RFC 2781 §4.1).
fn wide(encoding: Option<Encoding>, source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    let (encoding, mark) = match (encoding, Encoding::detect(source)) {
        (_, Some((found, mark))) if mark > 0 => (found, mark),
        (Some(encoding), _) | (None, Some((encoding, _))) => (encoding, 0),
        // RFC 2781 §4.3: text labelled UTF-16 without a byte order mark is big-endian.
        (None, None) => (Encoding::Utf16Be, 0),
    };
    let mut transcoder = Transcoder::new(encoding, mark as u64);
    transcoder.push(source.clamped(mark..), text);
    transcoder.finish(text);
    transcoder.append_to(map);
}

fn single_byte(legacy: &'static Legacy, source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    // Decode each of the 128 upper bytes lazily: most texts contain few of them.
    let mut table = [None; 128];
    let decoded = |byte: u8| {
        let byte = [byte];
        let (text, _) = legacy.decode_without_bom_handling(&byte);
        text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        // Copy runs of ASCII in bulk. Most texts in these charsets are mostly ASCII.
        if byte.is_ascii() {
            let length = Legacy::ascii_valid_up_to(source.clamped(at..));
            copy(source, Span::new(at, at + length), text, map);
            at += length;
            continue;
        }
        let entry = table.get_mut(usize::from(byte & 0x7f));
        let char = entry.map_or(char::REPLACEMENT_CHARACTER, |entry| {
            *entry.get_or_insert_with(|| decoded(byte))
        });
        let made = push(char, text);
        let unit = Unit { text: made, source: 1 };
        map.units(made.into(), Span::new(at, at + 1), unit);
        at += 1;
    }
}

/// Decodes non-ASCII text byte by byte, because only then does the decoder show where each
/// character ends.
fn multi_byte(legacy: &'static Legacy, source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
    let mut shift =
        if legacy == encoding_rs::ISO_2022_JP { ShiftState::Ascii } else { ShiftState::Never };
    // With BOM handling, the decoder would switch to UTF-8 or UTF-16 at a mark, whatever the label
    // says.
    let mut decoder = legacy.new_decoder_without_bom_handling();
    // Start of the incomplete character.
    let mut open = None;
    let mut at = 0;
    loop {
        let byte = source.get(at);
        if open.is_none() {
            let rest = source.clamped(at..);
            let length = match shift {
                ShiftState::Never => Legacy::ascii_valid_up_to(rest),
                // Keep one byte for the decoder: it must see the text between two shifts.
                ShiftState::Ascii => Legacy::iso_2022_jp_ascii_valid_up_to(rest).saturating_sub(1),
                ShiftState::Other => 0,
            };
            if length > 0 {
                copy(source, Span::new(at, at + length), text, map);
                at += length;
                continue;
            }
        }
        let input = byte.map(std::slice::from_ref).unwrap_or_default();
        // The byte that ended an invalid sequence may have begun another one.
        let start = *open.get_or_insert(if byte.is_some() { at } else { at.saturating_sub(1) });
        // A single input byte yields at most a few characters, far less than this.
        let mut room = [0; 16];
        let (_, _, written, _) = decoder.decode_to_utf8(input, &mut room, byte.is_none());
        at += input.len();
        shift = shift.after(source.part(..at));
        let made = room.part(..written);
        if !made.is_empty() {
            text.extend_from_slice(made);
            match (made.len(), at - start) {
                (1, 1) => map.copy(1, start),
                (made, read) => {
                    let unit = Unit { text: made as u8, source: read.min(255) as u8 };
                    map.units(made, Span::new(start, at), unit);
                }
            }
            open = None;
        }
        if byte.is_none() {
            break;
        }
    }
}

/// The meaning of ASCII bytes in the current shift state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShiftState {
    /// Always ASCII.
    Never,
    /// ASCII, until another set is shifted in (RFC 1468).
    Ascii,
    /// Characters of the set that is shifted in.
    Other,
}

impl ShiftState {
    /// Returns the state after `source`, of which one more byte was read.
    fn after(self, source: &[u8]) -> Self {
        match (self, source) {
            (Self::Never, _) => self,
            // `ESC ( B` shifts back to ASCII; any other escape shifts something else in.
            (_, [.., 0x1b, b'(', b'B']) => Self::Ascii,
            (_, [.., 0x1b]) => Self::Other,
            _ => self,
        }
    }
}

fn copy(source: &[u8], span: Span, text: &mut Vec<u8>, map: &mut OffsetMap) {
    text.extend_from_slice(source.part(span.range()));
    map.copy(span.len(), span.start());
}

fn push(char: char, text: &mut Vec<u8>) -> u8 {
    let mut utf8 = [0; 4];
    let bytes = char.encode_utf8(&mut utf8).as_bytes();
    text.extend_from_slice(bytes);
    bytes.len() as u8
}
