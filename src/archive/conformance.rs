//! Tests that every row of the table of readers must pass.

use super::reader::{ArchiveReader, Contents, Detected, is_text};
use super::readers::READERS;
use super::{ArchiveFormat, HEAD_BYTES};
use crate::sniff::{Rest, Sniff};

/// The start of a file in each format: what sniffing must accept.
fn head(format: ArchiveFormat) -> Option<Vec<u8>> {
    let head: &[u8] = match format {
        ArchiveFormat::Gzip => b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03",
        ArchiveFormat::Compress => b"\x1f\x9d\x90hello\0\0\0\0\0",
        ArchiveFormat::Zstd => b"\x28\xb5\x2f\xfd\x24\0\x01\0\0\x99\xe9\xd8\x51",
        ArchiveFormat::Xz => b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46",
        ArchiveFormat::Lzip => b"LZIP\x01\x0c\0\0\0\0\0\0",
        ArchiveFormat::Bzip2 => b"BZh9\x31\x41\x59\x26\x53\x59",
        ArchiveFormat::Lz4 => b"\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0",
        ArchiveFormat::Zip => b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        ArchiveFormat::SevenZip => b"7z\xbc\xaf\x27\x1c\0\x04\0\0\0\0",
        ArchiveFormat::Ar => b"!<arch>\n",
        ArchiveFormat::Warc => b"WARC/1.1\r\nWARC-Type: warcinfo\r\n",
        ArchiveFormat::Tar => return Some(tar_header()),
        ArchiveFormat::Zlib | ArchiveFormat::Lzma | ArchiveFormat::Brotli => return None,
    };
    Some(head.to_vec())
}

fn tar_header() -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..5].copy_from_slice(b"a.txt");
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

#[test]
fn each_format_has_one_reader() {
    for &format in ArchiveFormat::ALL {
        let readers = READERS.0.iter().filter(|reader| reader.format() == format);
        assert_eq!(readers.count(), 1, "{format} needs one row in READERS");
    }
    assert_eq!(READERS.0.len(), ArchiveFormat::ALL.len());
}

/// A format that neither its first bytes nor its name identify would never be read.
#[test]
fn each_format_is_detected() {
    for reader in READERS.0 {
        let format = reader.format();
        match head(format) {
            Some(head) => {
                assert!(reader.has_magic(), "{format}");
                assert_eq!(ArchiveFormat::detect(&head), Some(format));
            }
            None => {
                assert!(!reader.has_magic(), "{format} needs a head in this test");
                assert!(!reader.extensions().is_empty(), "{format}");
            }
        }
        for extension in reader.extensions() {
            let name = format!("a.{extension}");
            let found = READERS.with_extension_of(name.as_bytes()).map(ArchiveReader::format);
            assert_eq!(found, Some(format), "{name}: extensions belong to one format");
            assert_eq!(*extension, extension.to_ascii_lowercase());
        }
    }
}

/// For every prefix, each format asks for more until it accepts, and no other format accepts
/// before.
#[test]
fn sniffing_a_prefix_never_misleads() {
    for reader in READERS.0 {
        let Some(head) = head(reader.format()) else { continue };
        let mut has_decided = false;
        for end in 0..=head.len().min(HEAD_BYTES) {
            match READERS.sniff(&head[..end], Rest::More) {
                Detected::Format(other) => {
                    assert_eq!(other.format(), reader.format(), "after {end} bytes");
                    has_decided = true;
                }
                Detected::NeedMore => assert!(!has_decided, "{} at {end}", reader.format()),
                Detected::Nothing => panic!("{} is lost after {end} bytes", reader.format()),
            }
            assert_ne!(reader.sniff(&head[..end], Rest::End), Sniff::NeedMore);
        }
    }
}

/// Text is never taken for an archive, and detection does not wait beyond its first line.
#[test]
fn text_is_no_format() {
    let texts = [
        "http://a.example/\n",
        "BZh9 is how bzip2 starts\n",
        "PK\n",
        "WARC/one\n",
        "LZIP is a program\n",
    ];
    for text in texts {
        assert!(is_text(text.as_bytes()));
        for reader in READERS.0 {
            let answer = reader.sniff(text.as_bytes(), Rest::End);
            assert_eq!(answer, Sniff::No, "{} takes {text:?}", reader.format());
        }
        assert!(!ArchiveFormat::needs_more(text.as_bytes()), "{text:?}");
    }
}

/// Any bytes, opened by any compression, end in output or in an error; nothing is lost without a
/// report.
#[test]
fn each_compression_rejects_noise() {
    use std::io::Read;
    let noise: Vec<u8> =
        (0..4096u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for reader in READERS.0 {
        let Contents::Stream(compression) = reader.contents() else { continue };
        let limits = super::ArchiveLimits::default();
        let opened = compression.open(Box::new(&noise[..]), &limits);
        let read = opened.and_then(|decoder| decoder.take(1 << 20).read_to_end(&mut Vec::new()));
        let is_bare = matches!(reader.format(), ArchiveFormat::Brotli | ArchiveFormat::Compress);
        assert!(read.is_err() || is_bare, "{}", reader.format());
    }
}
