//! 7z: headers that were made or changed by hand, with checksums that fit.

use proptest::prelude::*;
use urigrep::archive::ArchiveLimits;

use super::super::{both, filed, packed, piped, text};
use super::{case, cases, signed};
use crate::support::pack::{seven_zip, seven_zip_start};

/// Whatever a header says, it is read to an end, and what is wrong is told; members that are given
/// are no more than what there is.
#[test]
fn every_byte_of_a_header() {
    for name in ["plain-header", "lzma2", "odd", "folders"] {
        let bytes = case(name);
        let header = 32 + u64::from_le_bytes(bytes[12..20].try_into().unwrap()) as usize;
        let mut told = 0;
        for at in header..bytes.len() {
            for value in [0, 1, 0x17, 0x7f, 0x80, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x40] {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                let seen = filed(&signed(bytes), "a.7z");
                assert!(seen.streams.len() <= 10, "{name} {at} {value}");
                assert!(seen.problems.len() <= 10, "{name} {at} {value}");
                told += usize::from(!seen.problems.is_empty());
            }
        }
        assert!(told > 2 * (bytes.len() - header), "{name} {told}");
    }
}

/// A packed stream of one byte, and a folder of one coder that stores; sizes come next.
const STORED: &[u8] = b"\x06\0\x01\x09\x01\0\x07\x0b\x01\0\x01\x01\0";
/// A member `a`, and the end of the header.
const MEMBER: &[u8] = b"\x05\x01\x11\x05\0a\0\0\0\0\0";

/// What is promised and not there takes neither memory nor time.
#[test]
fn promises() {
    const MANY: &[u8] = b"\xff\xff\xff\xff\xff\xff\xff\xff\x0f";
    let headers: [&[&[u8]]; 21] = [
        // members
        &[b"\x01\x05", MANY, b"\0\0"],
        &[b"\x01\x05", MANY, b"\x0e\x01\xff\0\0"],
        &[b"\x01\x05", MANY, b"\x11\x05\0a\0\0\0\0\0"],
        &[b"\x01\x05\x01\x11", MANY, b"\0\0"],
        // packed streams
        &[b"\x01\x04\x06\0", MANY, b"\x09\x01\x01\0\0\0"],
        &[b"\x01\x04\x06\0", MANY, b"\x0a\0\0\0\0"],
        &[b"\x01\x04\x06", MANY, &STORED[2..], b"\x0c\x01\0\0", MEMBER],
        // folders, coders, sizes, streams of a folder
        &[b"\x01\x04\x07\x0b", MANY, b"\0\x01\x01\0\x0c\x01\0\0\0"],
        &[b"\x01\x04\x07\x0b\x01\0", MANY, b"\0\0\0"],
        &[b"\x01\x04\x07\x0b\x01\0\x01\x11\0", MANY, MANY, b"\0\0"],
        &[b"\x01\x04\x07\x0b\x01\0\x01\x21\0", MANY, b"\0\0"],
        &[b"\x01\x04", STORED, b"\x0c", MANY, b"\0\0\0"],
        &[b"\x01\x04", STORED, b"\x0c\x01\0\x08\x0d", MANY, b"\0\0", MEMBER],
        &[b"\x01\x04", STORED, b"\x0c\x01\0\x08\x0d", MANY, b"\x0a\x01\0\0\0"],
        // a header that is packed, and others
        &[b"\x17", STORED, b"\x0c", MANY, b"\0\0"],
        &[b"\x01\x02\x05", MANY],
        &[b"\x01\x03\x04"],
        &[b"\x01"],
        &[b"\x02"],
        &[b"\x17"],
        &[b"\x17\x06"],
    ];
    for header in headers {
        let seen = both(&seven_zip(b"x", &header.concat()), "a.7z");
        assert_eq!(seen.problems.len(), 1, "{header:x?}");
        assert!(seen.streams.is_empty(), "{header:x?}");
    }
    let header = [b"\x01\x04", STORED, b"\x0c", MANY, b"\0\0", MEMBER].concat();
    let seen = both(&seven_zip(b"x", &header), "a.7z");
    assert_eq!(seen.problems(), ["the 7z data ends too early"]);
    assert_eq!(seen.streams, [("7z!/a".to_owned(), b"x".to_vec())]);
    // where the header is
    for (offset, size) in [(u64::MAX, 1), (0, u64::MAX), (1 << 62, 1 << 62), (0, 1 << 33)] {
        let mut bytes = seven_zip(b"", &[0; 40]);
        bytes[12..20].copy_from_slice(&offset.to_le_bytes());
        bytes[20..28].copy_from_slice(&size.to_le_bytes());
        seven_zip_start(&mut bytes);
        assert_eq!(both(&bytes, "a.7z").problems().len(), 1, "{offset} {size}");
    }
}

/// A size of 1 in every width of a number.
#[test]
fn numbers_of_every_width() {
    for width in 0..=8 {
        let mut number = vec![!(0xff_u32 >> width) as u8, 1, 0, 0, 0, 0, 0, 0, 0];
        number.truncate(width + 1);
        number[usize::from(width > 0)] = 1;
        let header = [b"\x01\x04", STORED, b"\x0c", &number, b"\0\0", MEMBER].concat();
        let seen = both(&seven_zip(b"x", &header), "a.7z");
        assert_eq!(seen.streams, [("7z!/a".to_owned(), b"x".to_vec())], "{width}");
    }
}

/// A list that may come again would be walked again, with all folders: 1,122 bytes took 49 minutes.
#[test]
fn lists_come_once() {
    let folders = [b"\x07\x0b\x64\0", &b"\x01\x01\0".repeat(100)[..], b"\x0c", &[0; 100], b"\0"];
    let header = |properties: &[u8]| {
        let header = [b"\x01\x04", &folders.concat()[..], b"\x08", properties, b"\0\0\x05\x64\0\0"];
        both(&seven_zip(b"", &header.concat()), "a.7z")
    };
    let malformed = "the 7z data is corrupt: its header is malformed";
    for list in
        [b"\x09".to_vec(), [b"\x0d", &[1; 100][..]].concat(), [b"\x0a\x01", &[0; 400][..]].concat()]
    {
        assert_ne!(header(&list).problems(), [malformed]);
        assert_eq!(header(&list.repeat(2)).problems(), [malformed]);
    }
}

/// An archive of one member, by this method.
fn packed_by(method: &[u8], packed: &[u8], size: usize) -> Vec<u8> {
    let number = |number: usize| [0x80 | (number >> 8) as u8, number as u8];
    let header = [
        b"\x01\x04\x06\0\x01\x09",
        &number(packed.len())[..],
        b"\0\x07\x0b\x01\0\x01",
        &[method.len() as u8],
        method,
        b"\x0c",
        &number(size),
        b"\0\0",
        MEMBER,
    ];
    seven_zip(packed, &header.concat())
}

#[test]
fn methods_that_py7zr_does_not_write() {
    for (name, format, bytes) in packed() {
        let method = match format {
            "lz4" => b"\x04\xf7\x11\x04".as_slice(),
            "zstd" => b"\x04\xf7\x11\x01",
            "bzip2" => b"\x04\x02\x02",
            _ => continue,
        };
        let seen = both(&packed_by(method, &bytes, text().len()), name);
        assert_eq!(seen.problems, [], "{format}");
        assert_eq!(seen.streams, [("7z!/a".to_owned(), text())], "{format}");
    }
    // bl of ARM64, whose target is one word less at the second word
    let code = [0x9400_0000_u32, 0x9400_0001].map(u32::to_le_bytes);
    let plain = [0x9400_0000_u32; 2].map(u32::to_le_bytes);
    let seen = both(&packed_by(b"\x0a", &code.concat(), 8), "a.7z");
    assert_eq!(seen.streams, [("7z!/a".to_owned(), plain.concat())]);
}

/// Headers and folders that could be read, but are not.
#[test]
fn what_no_writer_makes() {
    let said = |packed: &[u8], header: &[u8]| {
        let seen = filed(&seven_zip(packed, header), "a.7z");
        assert_eq!(seen.problems.len(), 1, "{:?}", seen.problems);
        seen.problems[0].1.clone()
    };
    let large = "this 7z data is not read: its header has more than 16 MiB";
    assert_eq!(said(b"", &vec![0; (16 << 20) + 1]), large);
    let packed = [b"\x17", STORED, b"\x0c\xe1\x01\0\0\0\0"].concat();
    assert_eq!(said(b"x", &packed), large);
    // a header that is packed in itself
    let mut itself = [b"\x17", STORED, b"\x0c\x13\0\0"].concat();
    (itself[5], itself[15]) = (itself.len() as u8, itself.len() as u8);
    let said_of_it = said(&itself, &itself);
    assert_eq!(said_of_it, "the 7z data is corrupt: its header is packed too often");
    // LZMA2 twice
    let lists = b"\x01\x04\x06\0\x01\x09\x01\0\x07\x0b\x01\0\x02\x21\x21\x01\0\x21\x21\x01\0\0\x01\x0c\x01\x01\0\0";
    let twice = [&lists[..], MEMBER].concat();
    assert_eq!(said(b"x", &twice), "this 7z data is not read: it is packed more than once");
    // members and streams that are not as many
    let one = [b"\x01\x04", STORED, b"\x0c\x01\0\0"].concat();
    let more = "the 7z data is corrupt: it has more streams than members";
    assert_eq!(said(b"x", &[&one[..], b"\0"].concat()), more);
    let two = b"\x05\x02\x11\x09\0a\0\0\0b\0\0\0\0\0";
    let more = "the 7z data is corrupt: it has more members than streams";
    assert_eq!(said(b"x", &[&one[..], two].concat()), more);
}

#[test]
fn versions_and_checksums() {
    let good = case("copy");
    for (at, said) in [
        (6, "this 7z data is not read: it is of version 1"),
        (8, "the 7z data is corrupt: the checksum of its start is wrong"),
        (12, "the 7z data is corrupt: the checksum of its start is wrong"),
        (good.len() - 1, "the 7z data is corrupt: the checksum of its header is wrong"),
    ] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        assert_eq!(both(&bytes, "a.7z").problems(), [said]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Nothing panics whatever is behind the signature, or in a header.
    #[test]
    fn any_bytes_do_no_harm(
        rest in prop::collection::vec(any::<u8>(), 0..200),
        kind in prop::sample::select(vec![1u8, 0x17]),
        lists in prop::collection::vec(0u8..0x1a, 0..60),
        which in 0usize..31,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        both(&[&b"7z\xbc\xaf\x27\x1c"[..], &rest].concat(), "a.7z");
        for lists in [rest, lists] {
            let header = [&[kind][..], &lists].concat();
            both(&seven_zip(b"http://a.example/", &header), "a.7z");
        }
        let mut bytes = cases().swap_remove(which).1;
        let end = bytes.len() - 32;
        for (at, byte) in changes {
            bytes[32 + at.index(end)] = byte;
        }
        let mut limits = ArchiveLimits::default();
        limits.free = 1 << 20;
        limits.window = 8 << 20;
        piped(&signed(bytes), "a.7z", &limits);
    }
}
