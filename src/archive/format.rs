//! Detects the format of some bytes: by the first of them, or by name if those say nothing.
//!
//! A magic number counts only with enough of the header to rule out chance: text that happens to
//! start with `BZh9` or `!<arch>` stays text.

use crate::named::named_enum;
use crate::slice::SliceExt as _;

named_enum! {
    "urigrep::archive::ArchiveFormat", "formats";
    /// A format of compressed data or of an archive. Its name is that in
    /// [`MemberPath::stream`](super::MemberPath::stream).
    ///
    /// ```
    /// use urigrep::archive::ArchiveFormat;
    ///
    /// assert_eq!(ArchiveFormat::detect(b"\x1f\x8b\x08\0\0\0\0\0"), Some(ArchiveFormat::Gzip));
    /// assert_eq!(ArchiveFormat::detect(b"http://a.example/"), None);
    /// assert_eq!(ArchiveFormat::of_name(b"notes.BR"), Some(ArchiveFormat::Brotli));
    /// assert_eq!(ArchiveFormat::Xz.name(), "xz");
    /// ```
    pub enum ArchiveFormat {
        /// gzip, RFC 1952.
        Gzip = "gzip",
        /// zlib, RFC 1950; by name only.
        Zlib = "zlib",
        /// Zstandard, RFC 8878.
        Zstd = "zstd",
        /// xz.
        Xz = "xz",
        /// The format before xz, `.lzma`; by name only.
        Lzma = "lzma",
        /// lzip.
        Lzip = "lzip",
        /// bzip2.
        Bzip2 = "bzip2",
        /// LZ4 frames.
        Lz4 = "lz4",
        /// Brotli, RFC 7932; by name only.
        Brotli = "brotli",
        /// The output of `compress`, `.Z`.
        Compress = "compress",
        /// A zip archive.
        Zip = "zip",
        /// A tar archive.
        Tar = "tar",
        /// An ar archive, of which a Debian package is one.
        Ar = "ar",
        /// A 7z archive; in a stream, which cannot seek to its end, of 4 MiB at most.
        SevenZip = "7z",
        /// A WARC file: records of a crawl, among them WET and WAT files.
        Warc = "warc",
    }
}

/// How many first bytes [`ArchiveFormat::detect`] looks at.
pub const HEAD: usize = 512;

const BZIP2_BLOCK: &[u8] = b"\x31\x41\x59\x26\x53\x59";
pub(super) const BZIP2_END: &[u8] = b"\x17\x72\x45\x38\x50\x90";

const SEVEN_ZIP: &[u8] = b"7z\xbc\xaf\x27\x1c";

/// Extensions of formats without a magic number.
const NAMED: [(&[u8], ArchiveFormat); 5] = [
    (b"br", ArchiveFormat::Brotli),
    (b"lzma", ArchiveFormat::Lzma),
    (b"tlz", ArchiveFormat::Lzma),
    (b"zlib", ArchiveFormat::Zlib),
    (b"zz", ArchiveFormat::Zlib),
];

/// Extensions that nothing but these formats has.
const PROMISED: [(&[u8], ArchiveFormat); 14] = [
    (b"gz", ArchiveFormat::Gzip),
    (b"tgz", ArchiveFormat::Gzip),
    (b"zst", ArchiveFormat::Zstd),
    (b"tzst", ArchiveFormat::Zstd),
    (b"xz", ArchiveFormat::Xz),
    (b"txz", ArchiveFormat::Xz),
    (b"bz2", ArchiveFormat::Bzip2),
    (b"tbz", ArchiveFormat::Bzip2),
    (b"tbz2", ArchiveFormat::Bzip2),
    (b"lz4", ArchiveFormat::Lz4),
    (b"lz", ArchiveFormat::Lzip),
    (b"zip", ArchiveFormat::Zip),
    (b"7z", ArchiveFormat::SevenZip),
    (b"tar", ArchiveFormat::Tar),
];

/// The longest magic number, with the rest of the header that is checked.
const MAGIC_MAX: usize = 10;
const MAGICS: [&[u8]; 10] = [
    SEVEN_ZIP,
    b"\x1f\x8b\x08",
    b"\x1f\x9d",
    b"\x28\xb5\x2f\xfd",
    b"\xfd7zXZ\0",
    b"LZIP",
    b"BZh",
    b"\x04\x22\x4d\x18",
    b"\x02\x21\x4c\x18",
    b"PK",
];

impl ArchiveFormat {
    /// The format of data that starts with `head`: its first [`HEAD`] bytes, or all of it.
    pub fn detect(head: &[u8]) -> Option<Self> {
        Some(match head {
            [0x1f, 0x8b, 8, flags, ..] if flags & 0xe0 == 0 => Self::Gzip,
            [0x1f, 0x9d, flags, ..] if flags & 0x60 == 0 && (9..=16).contains(&(flags & 0x1f)) => {
                Self::Compress
            }
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'L', b'Z', b'I', b'P', 0 | 1, ..] => Self::Lzip,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(BZIP2_BLOCK) || rest.starts_with(BZIP2_END) =>
            {
                Self::Bzip2
            }
            [0x04, 0x22, 0x4d, 0x18, ..] | [0x02, 0x21, 0x4c, 0x18, ..] => Self::Lz4,
            [_, _, _, _, ..] if is_skippable(head) => return behind_skippable(head),
            _ if super::members::zip::is_start(head) => Self::Zip,
            _ if head.starts_with(SEVEN_ZIP) => Self::SevenZip,
            _ if super::members::ar::is_start(head) => Self::Ar,
            _ if super::members::warc::is_start(head) => Self::Warc,
            _ if super::members::tar::is_header(head) => Self::Tar,
            _ => return None,
        })
    }

    /// The format of a file name, if it is one without a magic number; ASCII case is ignored.
    pub fn of_name(name: &[u8]) -> Option<Self> {
        named(name, &NAMED)
    }

    /// The format that the name of a file promises, where its first bytes are neither of any format nor text: their
    /// magic number may be damaged.
    pub fn promised(head: &[u8], name: &[u8]) -> Option<Self> {
        let format = named(name, &PROMISED)?;
        let is_none = Self::guess(head, name).is_none() && !is_text(head);
        // A tar without members is nothing but zeros.
        let is_empty = format == Self::Tar && head.iter().all(|&byte| byte == 0);
        (is_none && !is_empty).then_some(format)
    }

    /// True if the name may decide, so that [`HEAD`] first bytes have to be seen.
    #[cfg(feature = "search")]
    pub(crate) fn may_be_named(name: &[u8]) -> bool {
        named(name, &NAMED).or_else(|| named(name, &PROMISED)).is_some()
    }

    /// The format by the first bytes, or by the name if those are not text.
    pub fn guess(head: &[u8], name: &[u8]) -> Option<Self> {
        Self::detect(head).or_else(|| Self::of_name(name).filter(|_| !is_text(head)))
    }

    /// True if more bytes after `head` could make it a format. A reader of a terminal need not wait for
    /// [`HEAD`] bytes: the first line of a text is enough.
    pub fn is_open(head: &[u8]) -> bool {
        let magic = |magic: &&[u8]| magic.starts_with(head) || head.starts_with(magic);
        (head.len() < MAGIC_MAX && MAGICS.iter().any(magic))
            || (head.len() < HEAD && is_skippable(head))
            || super::members::zip::may_be_start(head)
            || super::members::ar::may_be_start(head)
            || super::members::warc::may_be_start(head)
            || super::members::tar::may_be_header(head)
    }

    /// True for formats with members, false for single streams.
    pub fn is_archive(self) -> bool {
        matches!(self, Self::Zip | Self::Tar | Self::Ar | Self::SevenZip | Self::Warc)
    }
}

/// True for the magic number of a skippable frame, or the start of one.
fn is_skippable(head: &[u8]) -> bool {
    let (first, rest) = head.split_first().map_or((0x50, head), |(first, rest)| (*first, rest));
    let magic = [0x2a, 0x4d, 0x18];
    matches!(first, 0x50..=0x5f) && (rest.starts_with(&magic) || magic.starts_with(rest))
}

/// The format of what starts with skippable frames, as both Zstandard and LZ4 may (RFC 8878 section 3.1.2). Where
/// the first frame with data is too far away to be seen, it is taken for Zstandard, whose decoder reads both.
fn behind_skippable(mut head: &[u8]) -> Option<ArchiveFormat> {
    while let (true, Some(rest)) = (is_skippable(head), head.get(4..)) {
        let length = rest.first_chunk().map(|length| u32::from_le_bytes(*length));
        let after = length.and_then(|length| rest.get(4..)?.get(usize::try_from(length).ok()?..));
        match after {
            Some(after) if !after.is_empty() => head = after,
            _ => return Some(ArchiveFormat::Zstd),
        }
    }
    let format =
        if head.len() < 4 { Some(ArchiveFormat::Zstd) } else { ArchiveFormat::detect(head) };
    format.filter(|format| matches!(format, ArchiveFormat::Zstd | ArchiveFormat::Lz4))
}

/// The format of a file name by its extension; ASCII case is ignored.
fn named(name: &[u8], extensions: &[(&[u8], ArchiveFormat)]) -> Option<ArchiveFormat> {
    let at = name.iter().rposition(|&byte| byte == b'.')?;
    let extension = name.get(at + 1..)?;
    extensions.iter().find(|(of, _)| of.eq_ignore_ascii_case(extension)).map(|(_, format)| *format)
}

/// True if what follows the magic number is text: no header of the format, which has other bytes.
pub(super) fn is_text_behind_magic(head: &[u8]) -> bool {
    let length = match head {
        // Version, flags and the size of blocks are such (LZ4 Frame Format 1.6, "Frame Descriptor").
        [0x04, 0x22, 0x4d, 0x18, flags, size, ..]
            if flags & 0xc2 == 0x40 && size & 0x8f == 0 && *size >= 0x40 =>
        {
            return false;
        }
        [0x04 | 0x02, 0x22 | 0x21, ..] | [0x28, 0xb5, ..] => 4,
        // With the length of the frame.
        _ if is_skippable(head) => 8,
        [0x1f, 0x8b, ..] => 4,
        [0x1f, ..] => 3,
        [b'L', b'Z', ..] => 5,
        [0xfd, ..] | [b'7', ..] => 6,
        _ => MAGIC_MAX,
    };
    let rest = head.clamped(length..);
    !rest.is_empty() && is_text(rest)
}

/// UTF-8, perhaps cut within a character, without control characters but white space and escape.
fn is_text(head: &[u8]) -> bool {
    let utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    utf8 && !head.iter().any(|&byte| byte < 0x20 && !matches!(byte, b'\t'..=b'\r' | 0x1b))
}
