//! Packs archives for tests, by hand: what no tool makes can be made too.

use std::io::Write;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// As a zip packs it (RFC 1951).
pub fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn tar_member(out: &mut Vec<u8>, name: &[u8], kind: u8, bytes: &[u8]) {
    out.extend(tar_header(name, kind, bytes.len()));
    out.extend(bytes);
    out.resize(out.len().next_multiple_of(512), 0);
}

/// The header of a member that may have this many bytes.
pub fn tar_header(name: &[u8], kind: u8, size: usize) -> [u8; 512] {
    let mut header = [0; 512];
    let name = &name[..name.len().min(100)];
    header[..name.len()].copy_from_slice(name);
    header[100..108].copy_from_slice(b"0000644\0");
    let size = format!("{size:011o}\0");
    header[124..136].copy_from_slice(size.as_bytes());
    header[148..156].fill(b' ');
    header[156] = kind;
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

pub fn tar(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in members {
        tar_member(&mut out, name.as_bytes(), b'0', bytes);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// With long names in members of their own.
pub fn tar_gnu(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in members {
        let long = [name.as_bytes(), b"\0"].concat();
        tar_member(&mut out, b"././@LongLink", b'L', &long);
        tar_member(&mut out, name.as_bytes(), b'0', bytes);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// With pax headers.
pub fn tar_pax(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in members {
        let record = |length: usize| format!("{length} path={name}\n");
        let length = (1..).find(|&length| record(length).len() == length).unwrap();
        let records = format!("11 comment=\n{}", record(length));
        let records = records.replacen("11 comment=\n", "12 comment=\n", 1);
        tar_member(&mut out, b"pax", b'x', records.as_bytes());
        tar_member(&mut out, b"short", b'0', bytes);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn ar_member(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len());
    out.extend(header.into_bytes());
    out.extend(bytes);
    if bytes.len() % 2 == 1 {
        out.push(b'\n');
    }
}

pub fn ar(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        ar_member(&mut out, &format!("{name}/"), bytes);
    }
    out
}

pub fn ar_bsd(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let named = [name.as_bytes(), bytes].concat();
        ar_member(&mut out, &format!("#1/{}", name.len()), &named);
    }
    out
}

pub fn ar_gnu(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    let names: String = members.iter().map(|(name, _)| format!("{name}/\n")).collect();
    ar_member(&mut out, "//", names.as_bytes());
    let mut at = 0;
    for (name, bytes) in members {
        ar_member(&mut out, &format!("/{at}"), bytes);
        at += name.len() + 2;
    }
    out
}

/// With nothing but a table of symbols.
pub fn ar_table(table: &[u8]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    ar_member(&mut out, "/", table);
    out
}

/// With empty members, all of which have the name that this table starts with.
pub fn ar_with_table(names: &[u8], count: usize) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    let header = |name: &str, size: usize| {
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644)
    };
    out.extend(header("//", names.len()).into_bytes());
    out.extend(names);
    for _ in 0..count {
        out.extend(header("/0", 0).into_bytes());
    }
    out
}

pub fn deb(control: &[u8], data: &[u8]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    ar_member(&mut out, "debian-binary", b"2.0\n");
    ar_member(&mut out, "control.tar.gz", control);
    ar_member(&mut out, "data.tar.gz", data);
    out
}

/// How a member of a zip is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zipped {
    Stored,
    Deflated,
    /// Deflated, with the sizes after the bytes.
    SizesFollow,
    Encrypted,
}

/// The part of a header that is both before a member and in the directory.
fn common(how: Zipped, crc: u32, packed: usize, unpacked: usize, name: &str) -> Vec<u8> {
    let flags: u16 = match how {
        Zipped::Stored | Zipped::Deflated => 0,
        Zipped::SizesFollow => 8,
        Zipped::Encrypted => 1,
    };
    let method: u16 = if how == Zipped::Stored { 0 } else { 8 };
    let mut out = Vec::new();
    out.extend(20u16.to_le_bytes());
    out.extend(flags.to_le_bytes());
    out.extend(method.to_le_bytes());
    out.extend([0; 4]);
    out.extend(crc.to_le_bytes());
    out.extend((packed as u32).to_le_bytes());
    out.extend((unpacked as u32).to_le_bytes());
    out.extend((name.len() as u16).to_le_bytes());
    out.extend(0u16.to_le_bytes());
    out
}

fn central(out: &mut Vec<u8>, common: &[u8], offset: usize, name: &str) {
    out.extend(b"PK\x01\x02\x14\0");
    out.extend(common);
    out.extend([0; 2 + 2 + 2 + 4]);
    out.extend((offset as u32).to_le_bytes());
    out.extend(name.as_bytes());
}

fn end(out: &mut Vec<u8>, directory: &[u8], count: usize) {
    let offset = out.len() as u32;
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend((count as u16).to_le_bytes());
    out.extend((count as u16).to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(offset.to_le_bytes());
    out.extend([0; 2]);
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

pub fn zip<'m>(members: impl IntoIterator<Item = (&'m str, &'m [u8], Zipped)>) -> Vec<u8> {
    let (mut out, mut directory, mut count) = (Vec::new(), Vec::new(), 0);
    for (name, bytes, how) in members {
        let packed = match how {
            Zipped::Stored => bytes.to_vec(),
            _ => deflated(bytes),
        };
        let crc = crc(bytes);
        let fields = common(how, crc, packed.len(), bytes.len(), name);
        central(&mut directory, &fields, out.len(), name);
        count += 1;
        out.extend(b"PK\x03\x04");
        if how == Zipped::SizesFollow {
            out.extend(common(how, 0, 0, 0, name));
        } else {
            out.extend(&fields);
        }
        out.extend(name.as_bytes());
        out.extend(&packed);
        if how == Zipped::SizesFollow {
            out.extend(b"PK\x07\x08");
            out.extend(crc.to_le_bytes());
            out.extend((packed.len() as u32).to_le_bytes());
            out.extend((bytes.len() as u32).to_le_bytes());
        }
    }
    end(&mut out, &directory, count);
    out
}

/// A zip of one member that is packed already, by this method.
pub fn zip_of(name: &str, method: u16, packed: &[u8], unpacked: &[u8]) -> Vec<u8> {
    let mut fields = common(Zipped::Deflated, crc(unpacked), packed.len(), unpacked.len(), name);
    fields[4..6].copy_from_slice(&method.to_le_bytes());
    let mut out = [b"PK\x03\x04", &fields[..], name.as_bytes(), packed].concat();
    let mut directory = Vec::new();
    central(&mut directory, &fields, 0, name);
    end(&mut out, &directory, 1);
    out
}

/// The same zip with these bytes between its members and its directory.
pub fn zip_with(zip: &[u8], between: &[u8]) -> Vec<u8> {
    let end = zip.len() - 22;
    let offset = u32::from_le_bytes(*zip[end + 16..].first_chunk().unwrap());
    let (members, rest) = zip.split_at(offset as usize);
    let mut out = [members, between, rest].concat();
    let at = out.len() - 22 + 16;
    out[at..at + 4].copy_from_slice(&(offset + between.len() as u32).to_le_bytes());
    out
}

/// The members of a zip, without its directory.
pub fn zip_members(zip: &[u8]) -> &[u8] {
    let offset = u32::from_le_bytes(*zip[zip.len() - 22 + 16..].first_chunk().unwrap());
    &zip[..offset as usize]
}

/// A directory that names one member so many times.
pub fn zip_overlapping(bytes: &[u8], count: usize) -> Vec<u8> {
    let packed = deflated(bytes);
    let fields = common(Zipped::Deflated, crc(bytes), packed.len(), bytes.len(), "x");
    let mut out = b"PK\x03\x04".to_vec();
    out.extend(&fields);
    out.push(b'x');
    out.extend(packed);
    let mut directory = Vec::new();
    for _ in 0..count {
        central(&mut directory, &fields, 0, "x");
    }
    end(&mut out, &directory, count);
    out
}

/// An archive with this header; `packed` is between it and the first bytes.
pub fn seven_zip(packed: &[u8], header: &[u8]) -> Vec<u8> {
    let mut out = b"7z\xbc\xaf\x27\x1c\0\x04\0\0\0\0".to_vec();
    out.extend((packed.len() as u64).to_le_bytes());
    out.extend((header.len() as u64).to_le_bytes());
    out.extend(crc(header).to_le_bytes());
    out.extend(packed);
    out.extend(header);
    seven_zip_start(&mut out);
    out
}

/// Sums up the first bytes.
pub fn seven_zip_start(archive: &mut [u8]) {
    let sum = crc(&archive[12..32]);
    archive[8..12].copy_from_slice(&sum.to_le_bytes());
}
