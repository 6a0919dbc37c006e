//! Unpacks streams within bounds. The library of objects unpacks without one.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;
use memchr::memmem;

use crate::slice::{ByteRuns as _, SliceExt as _};

/// Most bytes of one unpacked stream. The text of a long page takes 1 MB.
const MOST_BYTES: u64 = 64 << 20;
/// Most bytes that all streams of objects may unpack to.
const MOST_OBJECT_BYTES: u64 = 256 << 20;
/// Most packed bytes of a stream whose size is not known before it is unpacked (LZW).
const MOST_PACKED: usize = 64 << 10;
/// Bytes of a dictionary that are looked at.
const DICTIONARY: usize = 4 << 10;

/// Returns the unpacked bytes of a stream, unless they are too many or those of an image.
pub(super) fn decoded<'a>(stream: &Stream<'a>) -> Option<Cow<'a, [u8]>> {
    let filters = stream.filters();
    let is_packed = |filter: &&Filter| {
        matches!(filter, Filter::FlateDecode | Filter::LzwDecode | Filter::RunLengthDecode)
    };
    let raw = stream.raw_data();
    let is_within = match filters.as_slice() {
        [] => true,
        [Filter::FlateDecode] => inflated_size(&raw, MOST_BYTES).is_some(),
        // One filter that packs, of a size that is bounded by what it can pack.
        filters if filters.iter().filter(is_packed).count() <= 1 => raw.len() <= MOST_PACKED,
        _ => false,
    };
    is_within.then(|| stream.decoded_data().ok()).flatten()
}

/// Returns the size of data after unpacking; `None` if it is larger than `most`.
fn inflated_size(packed: &[u8], most: u64) -> Option<u64> {
    let mut reader = ZlibDecoder::new(packed).take(most + 1);
    let mut buffer = [0; 8 << 10];
    let mut size = 0;
    loop {
        match reader.read(&mut buffer) {
            // Damage ends it; what came before counts.
            Ok(0) | Err(_) => return (size <= most).then_some(size),
            Ok(count) => size += count as u64,
        }
    }
}

/// True if the streams that hold objects unpack to a bounded number of bytes.
///
/// The library unpacks them when it opens a file, however large they are. Their dictionaries are not
/// parsed here: the words in them are enough to be careful.
pub(super) fn is_affordable(bytes: &[u8]) -> bool {
    let mut left = MOST_OBJECT_BYTES;
    let mut end = 0;
    for at in memmem::find_iter(bytes, b"stream") {
        // `endstream`, or a word in the data of the last stream.
        if at < end || bytes.clamped(..at).ends_with(b"end") {
            continue;
        }
        let before = bytes.clamped(..at).tail(DICTIONARY);
        let open = memmem::rfind(before, b" obj").unwrap_or(0);
        let dictionary = before.clamped(open..);
        let has = |word: &[u8]| memmem::find(dictionary, word).is_some();
        let is_of_objects = has(b"ObjStm") || has(b"XRef") || has(b"#");
        if !is_of_objects {
            continue;
        }
        let flates = memmem::find_iter(dictionary, b"Fl").count();
        if flates + memmem::find_iter(dictionary, b"LZW").count() > 1 {
            return false;
        }
        let start = at + 6 + bytes.clamped(at + 6..).leading(|byte| matches!(byte, b'\r' | b'\n'));
        match inflated_size(bytes.clamped(start..), left) {
            Some(size) => left -= size,
            None => return false,
        }
        end = start;
    }
    true
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn bombs_are_refused() {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..300 {
            packer.write_all(&vec![b' '; 1 << 20]).expect("packed");
        }
        let bomb = packer.finish().expect("packed");
        let start = b"%PDF-1.5\n1 0 obj <</Type/ObjStm/Filter/FlateDecode>> stream\n";
        assert!(!is_affordable(&[&start[..], &bomb, b"\nendstream"].concat()));
        let twice =
            b"1 0 obj <</Type/ObjStm/Filter[/FlateDecode/FlateDecode]>> stream\nx\nendstream";
        assert!(!is_affordable(twice));
        assert!(is_affordable(
            b"%PDF-1.5\n1 0 obj <</Type/ObjStm/Filter/FlateDecode>> stream\nx\nendstream"
        ));
    }
}
