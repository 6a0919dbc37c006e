//! Unpacks streams within bounds. The library of objects unpacks without one.

use std::borrow::Cow;

use hayro_syntax::Filter;
use hayro_syntax::object::{Dict, Object, Stream};
use memchr::memmem;

use super::resources::{SharedResources, after_space, is_space, reference, unescaped};
use super::unpack::{Unpacked, base85, hexadecimal, inflated, inflated_size};
use crate::document::nested;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};

/// Most bytes of one unpacked stream. The text of a long page takes 1 MB.
const MAX_BYTES: u64 = 64 << 20;
/// Most bytes that all streams of objects may unpack to.
const MAX_OBJECT_BYTES: u64 = 256 << 20;
/// Most packed bytes of a stream whose size is not known before it is unpacked (LZW).
const MAX_PACKED: usize = 64 << 10;
/// Bytes that a byte may unpack to (LZW).
const MAX_EXPANSION: u64 = 2_000;
/// Most bytes of a dictionary that are read.
const DICTIONARY: usize = 4 << 10;

/// Bytes in which the ends of streams are searched: of any file, and for each byte of a file. In a
/// file without damage, they are those of its streams.
const FREE_END_BYTES: usize = 64 << 20;
const MAX_END_RATIO: usize = 16;
/// White space between a dictionary and its stream.
const DICTIONARY_END: usize = 16;

/// The unpacked bytes of a stream.
pub(super) struct Decoded<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// True if the stream is damaged or cut; `bytes` are those before the damage.
    pub is_cut: bool,
}

impl<'a> Decoded<'a> {
    const fn whole(bytes: Cow<'a, [u8]>) -> Self {
        Self { bytes, is_cut: false }
    }
}

/// Returns the unpacked bytes of a stream, unless they are too many or an image.
pub(super) fn decoded<'a>(stream: &Stream<'a>) -> Option<Decoded<'a>> {
    let filters = stream.filters();
    let raw = stream.raw_data();
    // The library supports these. Their unpacked size is bounded by their packed size.
    let is_of_library = |filter: &Filter| {
        !matches!(filter, Filter::FlateDecode | Filter::AsciiHexDecode | Filter::Ascii85Decode)
    };
    if filters.is_empty() {
        return stream.decoded_data().ok().map(Decoded::whole);
    }
    // Writers of empty pages leave a stream of nothing, which every reader takes as it is.
    if raw.is_empty() {
        return Some(Decoded::whole(raw));
    }
    if filters.iter().any(is_of_library) {
        // Each packer multiplies the size, so the packed size says nothing about what two of them
        // unpack to. Filters before them only spell their bytes as text.
        let packers = filters
            .iter()
            .filter(|filter| **filter != Filter::Crypt)
            .skip_while(|it| matches!(it, Filter::AsciiHexDecode | Filter::Ascii85Decode));
        let is_within = packers.count() <= 1 && raw.len() <= MAX_PACKED;
        return is_within.then(|| stream.decoded_data().ok().map(Decoded::whole)).flatten();
    }
    let mut decoded = Decoded::whole(raw);
    for filter in &filters {
        let bytes = match filter {
            Filter::AsciiHexDecode => hexadecimal(&decoded.bytes),
            Filter::Ascii85Decode => base85(&decoded.bytes),
            _ => {
                let unpacked = inflated(&decoded.bytes, MAX_BYTES.min(nested::left()))?;
                nested::spend(unpacked.bytes.len() as u64);
                decoded.is_cut |= unpacked.is_cut;
                unpacked.bytes
            }
        };
        decoded.bytes = Cow::Owned(bytes);
    }
    if !has_predictor(stream) {
        return Some(decoded);
    }
    // Its size is known to be bounded now.
    let is_cut = decoded.is_cut;
    stream.decoded_data().ok().map(|bytes| Decoded { bytes, is_cut })
}

/// True if the bytes of a stream were changed before they were packed (ISO 32000-2, 7.4.4.4).
fn has_predictor(stream: &Stream<'_>) -> bool {
    [&b"DecodeParms"[..], b"DP"].iter().any(|key| {
        let parameters = match stream.dict().get::<Object<'_>>(*key) {
            Some(Object::Dict(parameters)) => vec![parameters],
            Some(Object::Array(list)) => list.iter::<Dict<'_>>().take(8).collect(),
            _ => return false,
        };
        parameters.iter().any(|it| it.get::<i32>(b"Predictor").is_some_and(|kind| kind > 1))
    })
}

/// True if the streams that contain objects unpack to a bounded number of bytes. Passes these
/// objects to `resources`.
///
/// The library unpacks them when it opens a file, however large they are. Their dictionaries are
/// not parsed here: the words in them are enough to be careful.
pub(super) fn is_affordable(bytes: &[u8], resources: &mut SharedResources) -> bool {
    let mut left = MAX_OBJECT_BYTES.min(nested::left());
    let mut end = 0;
    let mut ends = memmem::find_iter(bytes, b"endstream");
    let mut next_end = 0;
    for at in memmem::find_iter(bytes, b"stream") {
        // `endstream`, or a word in the data of the last stream.
        if at < end || bytes.clamped(..at).ends_with(b"end") {
            continue;
        }
        let before = bytes.clamped(..at).tail(DICTIONARY);
        let open = object_start(before).unwrap_or(0);
        let dictionary = before.clamped(open..);
        // `#` may spell a letter of a name, as in `/Obj#53tm` (7.3.5).
        let dictionary = &*unescaped(dictionary);
        let has = |word: &[u8]| memmem::find(dictionary, word).is_some();
        let has_key = |key: &[u8]| values(dictionary, key).next().is_some();
        // The library does not ask for the type.
        let is_of_objects = has(b"ObjStm") || has(b"XRef") || has_key(b"/First") || has_key(b"/W");
        if !is_of_objects {
            continue;
        }
        // A line end follows the keyword, by the standard CR LF or LF (7.3.8.1); CR alone occurs.
        let start = at + 6 + bytes.clamped(at + 6..).leading(|byte| matches!(byte, b'\r' | b'\n'));
        while next_end < start {
            next_end = ends.next().unwrap_or(bytes.len());
        }
        let (text, length) = (bytes.clamped(start..), next_end.saturating_sub(start));
        let Some(unpacked) = unpacked_objects(text, length, dictionary, left) else {
            return false;
        };
        left -= unpacked.size;
        nested::spend(unpacked.size);
        match (first_object(dictionary), unpacked.text) {
            (None, _) => {}
            (Some(Ok(first)), Some((text, end))) => resources.add_stream(&text, first, end),
            _ => resources.set_unread(),
        }
        end = start;
    }
    true
}

/// A stream of objects, or of their places.
struct UnpackedObjects<'a> {
    /// The number of bytes that the library will unpack, at most.
    size: u64,
    /// These bytes, and where they seem to end; `None` if only the library knows them.
    text: Option<(Cow<'a, [u8]>, usize)>,
}

/// Unpacks a stream of objects that starts a text and seems to end at `end`; `None` if it may be
/// larger than `left`.
fn unpacked_objects<'a>(
    text: &'a [u8],
    end: usize,
    dictionary: &[u8],
    left: u64,
) -> Option<UnpackedObjects<'a>> {
    let count = |word: &[u8]| memmem::find_iter(dictionary, word).count();
    // A filter within a filter multiplies the size, and only the outer one is undone below. `Fl` is
    // the start of `FlateDecode`, and its short form.
    let flates = count(b"Fl");
    let others = count(b"LZW") + count(b"/RL") + count(b"RunLength");
    if flates + others > 1 {
        return None;
    }
    if others > 0 {
        let size = (end as u64).saturating_mul(MAX_EXPANSION);
        return (size <= left).then_some(UnpackedObjects { size, text: None });
    }
    // These filters only spell their bytes as text.
    let has = |words: [&[u8]; 2]| words.iter().any(|word| count(word) > 0);
    let packed = match (has([b"ASCIIHex", b"/AHx"]), has([b"ASCII85", b"/A85"])) {
        (false, false) => Cow::Borrowed(text),
        (true, false) => Cow::Owned(hexadecimal(text.clamped(..end))),
        (false, true) => Cow::Owned(base85(text.clamped(..end))),
        (true, true) => return None,
    };
    let mut size = inflated_size(&packed, left)?;
    if let Cow::Owned(_) = packed {
        // Several streams may seem to have one end.
        size = size.saturating_add(end as u64);
    }
    let is_named = [&b"/Filter"[..], b"/F"].iter().any(|key| names_other(dictionary, key));
    let text = if is_named || count(b"Predictor") > 0 {
        None
    } else if flates == 0 {
        let end = end.min(packed.len());
        Some((packed, end))
    } else {
        inflated(&packed, left).map(|Unpacked { bytes, .. }| {
            let end = bytes.len();
            (bytes.into(), end)
        })
    };
    (size <= left).then_some(UnpackedObjects { size, text })
}

/// Returns what follows each occurrence of a key.
fn values<'d>(dictionary: &'d [u8], key: &'d [u8]) -> impl Iterator<Item = &'d [u8]> {
    memmem::find_iter(dictionary, key)
        .map(move |at| dictionary.clamped(at + key.len()..))
        .filter(|value| !value.first().is_some_and(u8::is_ascii_alphanumeric))
        .map(after_space)
}

/// True if the value of a key, or a part of it, is in another object.
fn names_other(dictionary: &[u8], key: &[u8]) -> bool {
    values(dictionary, key).any(|value| {
        let list = value.clamped(..memchr::memchr(b']', value).unwrap_or_default());
        let has_reference = |pair: &[u8]| matches!(pair, [space, b'R'] if is_space(*space));
        reference(value).is_some() || list.starts_with(b"[") && list.windows(2).any(has_reference)
    })
}

/// Returns the place of the first object in a stream of objects (ISO 32000-2, 7.5.7), or that it
/// cannot be known without a parser.
fn first_object(dictionary: &[u8]) -> Option<Result<usize, ()>> {
    let mut values = values(dictionary, b"/First");
    let value = values.next()?;
    let digits = value.strip_prefix(b"+").unwrap_or(value);
    let digits = digits.clamped(..digits.leading(|byte| byte.is_ascii_digit()));
    let place = lossy(digits).parse().map_err(|_| ());
    let is_plain = values.next().is_none() && reference(value).is_none();
    Some(if is_plain { place } else { Err(()) })
}

/// True if the ends of streams are near their starts. The library searches the rest of a file for
/// the end of each stream that is not where its length says, so a file without these ends would
/// take quadratic time.
pub(super) fn has_ends(bytes: &[u8]) -> bool {
    let mut left = bytes.len().saturating_mul(MAX_END_RATIO).saturating_add(FREE_END_BYTES);
    // The streams since the last end, and the sum of their starts.
    let (mut open, mut starts) = (0_usize, 0_usize);
    for at in memmem::find_iter(bytes, b"stream").chain([bytes.len()]) {
        let before = bytes.clamped(..at);
        if at == bytes.len() || before.ends_with(b"end") {
            let distances = open.saturating_mul(at).saturating_sub(starts);
            left = match left.checked_sub(distances) {
                Some(left) => left,
                None => return false,
            };
            (open, starts) = (0, 0);
        } else if before.tail(DICTIONARY_END).trim_ascii_end().ends_with(b">>") {
            (open, starts) = (open + 1, starts.saturating_add(at));
        }
    }
    true
}

/// Returns the place of the last word `obj`, which any white space may precede (ISO 32000-2,
/// 7.3.10).
fn object_start(before: &[u8]) -> Option<usize> {
    memmem::rfind_iter(before, b"obj").find(|&at| {
        let last = at.checked_sub(1).and_then(|last| before.get(last));
        last.is_some_and(u8::is_ascii_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// The objects of a stream are found however it is packed.
    #[test]
    fn objects_of_streams_are_read() {
        let fonts = "/F 3 0 R".repeat(8_000);
        let objects = format!("5 0 <</Font<<{fonts}>>>>");
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(objects.as_bytes()).expect("packed");
        let packed = packer.finish().expect("packed");
        let digits: String = packed.iter().map(|byte| format!("{byte:02x}")).collect();
        let objects = objects.as_bytes();
        for (entries, data, is_shared) in [
            ("/First 4/Filter/FlateDecode", &packed[..], true),
            ("/First+4/Filter/Fl", &packed, true),
            ("/First 4", objects, true),
            ("/First 4/Filter[/AHx/Fl]", digits.as_bytes(), true),
            ("/First 8 0 R", objects, true),
            ("/First 4/X/First 9", objects, true),
            ("/First 4/Filter[8 0 R]", &packed, true),
            ("/First 4/Filter/LZW", b"", true),
            ("/FirstPage 4", objects, false),
        ] {
            let pages = "7 0 obj <</Resources 5 0 R>> endobj\n".repeat(2_000);
            let start = format!("1 0 obj <<{entries}/N 1>>stream\n");
            let end = format!("\nendstream endobj\n{pages}");
            let file = [start.as_bytes(), data, end.as_bytes()].concat();
            let mut resources = SharedResources::default();
            assert!(is_affordable(&file, &mut resources), "{entries}");
            resources.add_file(&file);
            assert_eq!(!resources.are_affordable(file.len()), is_shared, "{entries}");
        }
    }

    fn fits(bytes: &[u8]) -> bool {
        is_affordable(bytes, &mut SharedResources::default())
    }

    #[test]
    fn streams_of_objects_take_linear_time() {
        for part in ["1 0 obj<</First 1>>stream ", "1 0 obj<</First 1/Filter/AHx>>stream% "] {
            let start = std::time::Instant::now();
            let _ = fits(part.repeat(50_000).as_bytes());
            assert!(start.elapsed().as_secs() < 10, "{part} {:?}", start.elapsed());
        }
    }

    #[test]
    fn streams_have_ends() {
        let streams = |count: usize, stream: &str| has_ends(stream.repeat(count).as_bytes());
        assert!(streams(100_000, "1 0 obj <</Length 1>>\nstream\na\nendstream\n"));
        // Words in a text.
        assert!(streams(100_000, "a stream of words\n"));
        assert!(streams(1_000, "1 0 obj <<>>stream\na\n"));
        assert!(!streams(4_000, "1 0 obj <<>>stream\na of 40 bytes, about...........\n"));
    }

    #[test]
    fn bombs_are_refused() {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..300 {
            packer.write_all(&vec![b' '; 1 << 20]).expect("packed");
        }
        let bomb = packer.finish().expect("packed");
        let start = b"%PDF-1.5\n1 0 obj <</Type/ObjStm/Filter/FlateDecode>> stream\n";
        assert!(!fits(&[&start[..], &bomb, b"\nendstream"].concat()));
        // The library also unpacks data without the header of zlib.
        let bare = [&start[..], bomb.clamped(2..), b"\nendstream"].concat();
        assert!(!fits(&bare));
        let spelled = b"%PDF-1.5\n1 0 obj <</Type/ObjStm/Filter[/AHx/FlateDecode]>> stream\n";
        let digits: String = bomb.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(!fits(&[&spelled[..], digits.as_bytes(), b">\nendstream"].concat()));
        let spelled = String::from_utf8_lossy(&start[..]).replace("/Type/ObjStm", "/First 9");
        assert!(!fits(&[spelled.as_bytes(), &bomb, b"\nendstream"].concat()));
        let spelled = b"1 0 obj <</Type/ObjStm/Filter[/#46lateDecode/FlateDecode]>> stream\nx";
        assert!(!fits(spelled));
        let twice =
            b"1 0 obj <</Type/ObjStm/Filter[/FlateDecode/FlateDecode]>> stream\nx\nendstream";
        assert!(!fits(twice));
        // The library of Quartz writes a word in each line. The text before the object is ignored.
        assert!(fits(b"#Fl#Fl#\n7\n0\nobj\n<<\n/Filter\n/FlateDecode\n>>\nstream\nx\nendstream"));
        assert!(fits(
            b"%PDF-1.5\n1 0 obj <</Type/ObjStm/Filter/FlateDecode>> stream\nx\nendstream"
        ));
    }
}
