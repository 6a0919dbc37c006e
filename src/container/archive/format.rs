//! Detects the format of some bytes: by the first of them, or by name if those say nothing.
//!
//! A magic number counts only with enough of the header to rule out chance: text that happens to
//! start with `BZh9` or `!<arch>` stays text.

use std::fmt;

/// A format of compressed data or of an archive.
///
/// ```
/// use urigrep::container::archive::ArchiveFormat;
///
/// assert_eq!(ArchiveFormat::detect(b"\x1f\x8b\x08\0\0\0\0\0"), Some(ArchiveFormat::Gzip));
/// assert_eq!(ArchiveFormat::detect(b"http://a.example/"), None);
/// assert_eq!(ArchiveFormat::of_name(b"notes.BR"), Some(ArchiveFormat::Brotli));
/// assert_eq!(ArchiveFormat::Xz.name(), "xz");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArchiveFormat {
    /// gzip, RFC 1952.
    Gzip,
    /// zlib, RFC 1950; by name only.
    Zlib,
    /// Zstandard, RFC 8878.
    Zstd,
    /// xz.
    Xz,
    /// The format before xz, `.lzma`; by name only.
    Lzma,
    /// lzip.
    Lzip,
    /// bzip2.
    Bzip2,
    /// LZ4 frames.
    Lz4,
    /// Brotli, RFC 7932; by name only.
    Brotli,
    /// The output of `compress`, `.Z`.
    Compress,
    /// A zip archive.
    Zip,
    /// A tar archive.
    Tar,
    /// An ar archive, of which a Debian package is one.
    Ar,
    /// A 7z archive; in a stream, which cannot seek to its end, of 4 MiB at most.
    SevenZip,
}

/// How many first bytes [`ArchiveFormat::detect`] looks at.
pub const HEAD: usize = 512;

const BZIP2_BLOCK: &[u8] = b"\x31\x41\x59\x26\x53\x59";
const BZIP2_END: &[u8] = b"\x17\x72\x45\x38\x50\x90";

const SEVEN_ZIP: &[u8] = b"7z\xbc\xaf\x27\x1c";

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
            // Skippable frames, with which both Zstandard and LZ4 may start.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Self::Zip,
            _ if head.starts_with(SEVEN_ZIP) => Self::SevenZip,
            _ if super::members::ar::is_start(head) => Self::Ar,
            _ if super::members::tar::is_header(head) => Self::Tar,
            _ => return None,
        })
    }

    /// The format of a file name, if it is one without a magic number; ASCII case is ignored.
    pub fn of_name(name: &[u8]) -> Option<Self> {
        let at = name.iter().rposition(|&byte| byte == b'.')?;
        let named = [
            (&b"br"[..], Self::Brotli),
            (b"lzma", Self::Lzma),
            (b"tlz", Self::Lzma),
            (b"zlib", Self::Zlib),
            (b"zz", Self::Zlib),
        ];
        let extension = name.get(at + 1..)?;
        named
            .into_iter()
            .find(|(of, _)| of.eq_ignore_ascii_case(extension))
            .map(|(_, format)| format)
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
            || super::members::ar::may_be_start(head)
            || super::members::tar::may_be_header(head)
    }

    /// True for formats with members, false for single streams.
    pub fn is_archive(self) -> bool {
        matches!(self, Self::Zip | Self::Tar | Self::Ar | Self::SevenZip)
    }

    /// Its name in lower case, as in [`MemberPath::stream`](super::MemberPath::stream).
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zlib => "zlib",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Lzma => "lzma",
            Self::Lzip => "lzip",
            Self::Bzip2 => "bzip2",
            Self::Lz4 => "lz4",
            Self::Brotli => "brotli",
            Self::Compress => "compress",
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::Ar => "ar",
            Self::SevenZip => "7z",
        }
    }
}

impl fmt::Display for ArchiveFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// UTF-8, perhaps cut within a character, without control characters but white space and escape.
fn is_text(head: &[u8]) -> bool {
    let utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    utf8 && !head.iter().any(|&byte| byte < 0x20 && !matches!(byte, b'\t'..=b'\r' | 0x1b))
}
