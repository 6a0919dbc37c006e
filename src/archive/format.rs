//! The names of the formats.

use crate::named::named_enum;

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
    /// assert_eq!(ArchiveFormat::from_name(b"notes.BR"), Some(ArchiveFormat::Brotli));
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

/// Number of leading bytes that [`ArchiveFormat::detect`] examines.
pub const HEAD_BYTES: usize = 512;
