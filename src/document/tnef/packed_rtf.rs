//! Compressed RTF (MS-OXRTFCP): LZ77 with a window that starts with words of RTF.

use std::fmt;

use super::attributes::number;
use crate::slice::SliceExt as _;
use crate::work_counter;

/// The start of the window.
const WORDS: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \
\\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\
\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const WINDOW_BYTES: usize = 4096;
const HEADER_BYTES: usize = 16;
/// A reference of two bytes makes 17, so no RTF unpacks to more.
const MAX_FACTOR: usize = 9;

/// The reason why RTF could not be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotPackedRtf;

impl fmt::Display for NotPackedRtf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its RTF is damaged and was not read")
    }
}

/// Unpacks RTF. If it is cut, the bytes before the cut are unpacked.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<u8>, NotPackedRtf> {
    let data = packed.get(HEADER_BYTES..).ok_or(NotPackedRtf)?;
    match packed.get(8..12) {
        // RTF that its program did not compress.
        Some(b"MELA") => return Ok(data.to_vec()),
        Some(b"LZFu") => {}
        _ => return Err(NotPackedRtf),
    }
    work_counter::add(data.len());
    let size = usize::try_from(number(packed.clamped(4..))).unwrap_or(usize::MAX);
    // A wrong size in the header must not reserve memory that the data cannot fill.
    let mut rtf = Vec::with_capacity(size.min(data.len() * MAX_FACTOR));
    let mut window = [0; WINDOW_BYTES];
    for (to, from) in window.iter_mut().zip(WORDS) {
        *to = *from;
    }
    let mut at = WORDS.len();
    let mut bytes = data.iter().copied();
    'all: while let Some(flags) = bytes.next() {
        for bit in 0..8 {
            let Some(first) = bytes.next() else { break 'all };
            // The lowest bit is about the next token: a byte, or a reference into the window.
            if flags & (1 << bit) == 0 {
                rtf.push(first);
                put(&mut window, &mut at, first);
                continue;
            }
            let Some(second) = bytes.next() else { break 'all };
            let reference = usize::from(u16::from_be_bytes([first, second]));
            // A reference takes two bytes itself, so shorter ones than two make no sense, and
            // lengths count from there.
            let (mut from, length) = (reference >> 4, (reference & 15) + 2);
            // A reference to the place that is written next ends the data.
            if from == at {
                break 'all;
            }
            for _ in 0..length {
                let byte = window.get(from).copied().unwrap_or_default();
                from = (from + 1) % WINDOW_BYTES;
                rtf.push(byte);
                put(&mut window, &mut at, byte);
            }
        }
    }
    Ok(rtf)
}

fn put(window: &mut [u8; WINDOW_BYTES], at: &mut usize, byte: u8) {
    if let Some(place) = window.get_mut(*at) {
        *place = byte;
    }
    *at = (*at + 1) % WINDOW_BYTES;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard_are_unpacked() {
        // MS-OXRTFCP 3.1.1 and 3.2.1.
        let simple = b"\x2d\0\0\0\x2b\0\0\0LZFu\xf1\xc5\xc7\xa7\x03\0\x0a\0rcpg125\x42\
            2\x0a\xf3 hel\x09\0 bw\x05\xb0ld}\x0a\x80\x0f\xa0";
        let rtf = b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n";
        assert_eq!(unpack(simple).as_deref(), Ok(&rtf[..]));
        let long = b"\x1a\0\0\0\x1c\0\0\0LZFu\xe2\xd4KQA\0\x04 WXYZ\x0dn}\x01\x0e\xb0";
        assert_eq!(unpack(long).as_deref(), Ok(&b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"[..]));
    }

    #[test]
    fn other_bytes_are_refused() {
        assert_eq!(unpack(b"LZFu"), Err(NotPackedRtf));
        assert_eq!(unpack(&[0; 32]), Err(NotPackedRtf));
        assert_eq!(unpack(b"............MELA"), Err(NotPackedRtf));
        assert_eq!(unpack(b"........MELA....abc").as_deref(), Ok(&b"abc"[..]));
    }
}
