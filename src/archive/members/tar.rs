//! tar: headers of 512 bytes, each followed by the bytes of its member.
//!
//! Reads the formats v7, ustar, GNU and pax (POSIX.1-2024, `pax`, "ustar Interchange Format"). Two
//! blocks of zeros end an archive, and after them the next may follow, as when archives were
//! concatenated.

use std::io::Read;

use super::until_zero;
use crate::archive::reader::{ArchiveReader, ByteSource, Contents, MemberReader};
use crate::archive::stream::{MemberBytes, fill, skip};
use crate::archive::walker::ArchiveWalk;
use crate::archive::{ArchiveFormat, ArchiveProblem, Stop, WalkResult};
use crate::slice::SliceExt as _;
use crate::sniff::{Rest, Sniff};

const BLOCK_BYTES: usize = 512;
/// The longest name or pax header that is read.
const MAX_EXTENSION_BYTES: u64 = 1 << 20;

// Fields of the header.
const NAME: std::ops::Range<usize> = 0..100;
const MODE: std::ops::Range<usize> = 100..108;
const SIZE: std::ops::Range<usize> = 124..136;
const CHECKSUM: std::ops::Range<usize> = 148..156;
const TYPE: usize = 156;
const MAGIC: std::ops::Range<usize> = 257..263;
/// Offset of a flag in old GNU archives: more blocks of the map of a sparse file follow.
const SPARSE_MORE: usize = 482;
/// Offset of the same flag in those blocks.
const SPARSE_MORE_IN_MAP: usize = 504;
const PREFIX: std::ops::Range<usize> = 345..500;

type TarBlock = [u8; BLOCK_BYTES];

pub(in crate::archive) struct Tar;

impl ArchiveReader for Tar {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Tar
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tar"]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        match head.first_chunk() {
            // v7 has no magic number. The checksum of the header is the only test that fits all
            // variants of tar.
            Some(block) => Sniff::yes_if(is_sound(block)),
            None if may_be_header(head) => Sniff::need_more(rest),
            None => Sniff::No,
        }
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Members(self)
    }
}

impl MemberReader for Tar {
    fn read_in_order(&self, walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
        read_members(walk, source)
    }
}

/// True if these first bytes may be a header. A name has no line end and is followed by zeros, and
/// the mode is digits.
fn may_be_header(head: &[u8]) -> bool {
    let name = head.get(..NAME.end).unwrap_or(head);
    let end = name.iter().position(|&byte| byte == 0);
    let (name, zeros) = name.split_at(end.unwrap_or(name.len()));
    let mode = head.clamped(MODE.start..head.len().min(MODE.end));
    // A block of zeros, which ends an archive, has no name.
    end != Some(0)
        && !name.iter().any(|&byte| byte < 0x20)
        && zeros.iter().all(|&byte| byte == 0)
        && mode.iter().all(|&byte| matches!(byte, b'0'..=b'7' | b' ' | 0))
}

/// True if the checksum is right. It sums the bytes, with its own field counted as spaces; some old
/// programs used signed bytes.
fn is_sound(block: &TarBlock) -> bool {
    let Some(wanted) = octal(&block[CHECKSUM]) else {
        return false;
    };
    let byte = |(at, &byte): (usize, &u8)| if CHECKSUM.contains(&at) { b' ' } else { byte };
    let bytes = || block.iter().enumerate().map(byte);
    // Both sums differ only if the header has bytes above 0x7f. `block[0] != 0` excludes blocks of
    // zeros, which end an archive.
    let unsigned: i64 = bytes().map(i64::from).sum();
    let signed: i64 = bytes().map(|byte| i64::from(byte as i8)).sum();
    (wanted == unsigned as u64 || i64::try_from(wanted) == Ok(signed)) && block[0] != 0
}

/// Parses an octal number, with spaces and zeros around it.
fn octal(field: &[u8]) -> Option<u64> {
    let text = field.trim_ascii_start();
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() || !rest.iter().all(|byte| matches!(byte, b' ' | 0)) {
        return None;
    }
    digits.iter().try_fold(0u64, |number, &digit| match digit {
        b'0'..=b'7' => number.checked_mul(8)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    })
}

/// Parses a size: octal, or binary if the first bit is set (GNU).
fn number(field: &[u8]) -> Option<u64> {
    match field {
        // 0xff would start a negative number, which no size is.
        [0x80, rest @ ..] => rest
            .iter()
            .try_fold(0u64, |number, &byte| Some(number.checked_mul(256)? + u64::from(byte))),
        _ => octal(field),
    }
}

#[derive(Default)]
struct Extensions {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    /// True if a member must follow.
    is_pending: bool,
}

fn read_members(walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
    let mut extensions = Extensions::default();
    let mut ended = false;
    let mut after_link = None;
    loop {
        let mut block = [0; BLOCK_BYTES];
        let filled = match after_link.take() {
            Some(read) => {
                block = read;
                BLOCK_BYTES
            }
            None => fill(source, &mut block)?,
        };
        match filled {
            0 if ended => return Ok(()),
            BLOCK_BYTES => {}
            1.. if !extensions.is_pending && block.iter().all(|&byte| byte == 0) => return Ok(()),
            // An archive without the final zero blocks was cut or never finished.
            _ => return Err(ArchiveFormat::Tar.truncated()),
        }
        if block.iter().all(|&byte| byte == 0) {
            ended = true;
            continue;
        }
        if !is_sound(&block) {
            return Err(Stop::Problem(if ended {
                ArchiveProblem::Trailing(ArchiveFormat::Tar)
            } else {
                ArchiveFormat::Tar.corrupt("a header has a wrong checksum")
            }));
        }
        let Some(size) = number(&block[SIZE]) else {
            let message = "a header has a size that is not a number";
            return Err(Stop::Problem(ArchiveFormat::Tar.corrupt(message)));
        };
        ended = false;
        let size = extensions.size.unwrap_or(size);
        match block[TYPE] {
            b'L' | b'x' | b'K' | b'g' => {
                extend(walk, &mut extensions, block[TYPE], size, source)?;
                continue;
            }
            // POSIX.1-2024 (pax, "linkdata"): the bytes of a hard link may follow it, and its size
            // does not say whether they do. Where they do not, the next header comes at once.
            b'1' if size > 0 => {
                let mut first = [0; BLOCK_BYTES];
                let filled = fill(source, &mut first)?;
                let held = first.part(..filled);
                let is_header = |block: &TarBlock| is_sound(block) || *block == [0; BLOCK_BYTES];
                if held.is_empty() || held.len() == BLOCK_BYTES && is_header(&first) {
                    after_link = (!held.is_empty()).then_some(first);
                } else {
                    let name = extensions.name.take().unwrap_or_else(|| name(&block));
                    read_file(walk, &mut held.chain(&mut *source), &name, size)?;
                }
            }
            // Symbolic links, devices and directories have no bytes, whatever their size says.
            b'1'..=b'6' => {}
            kind => {
                if kind == b'S' {
                    skip_map(&block, source)?;
                }
                let name = extensions.name.take().unwrap_or_else(|| name(&block));
                read_file(walk, source, &name, size)?;
            }
        }
        extensions = Extensions::default();
    }
}

/// Reads a member of `size` bytes, and their padding.
fn read_file(
    walk: &mut ArchiveWalk<'_, '_>,
    source: ByteSource<'_>,
    name: &[u8],
    size: u64,
) -> WalkResult {
    let mut part = MemberBytes::new(source, size);
    // In v7, a directory is a file whose name ends in a slash. If it has bytes, it is a file.
    if size > 0 || !name.ends_with(b"/") {
        walk.stored(ArchiveFormat::Tar, name, size, &mut part)?;
    }
    part.rest(ArchiveFormat::Tar)?;
    pad(size, source)
}

fn extend(
    walk: &mut ArchiveWalk<'_, '_>,
    extensions: &mut Extensions,
    kind: u8,
    size: u64,
    source: ByteSource<'_>,
) -> WalkResult {
    extensions.is_pending = true;
    // Only long names (`L`) and headers of one member (`x`) matter here. Long link targets (`K`)
    // and global headers (`g`) are skipped.
    let is_short = size <= MAX_EXTENSION_BYTES;
    if matches!(kind, b'L' | b'x') && !is_short {
        walk.report(ArchiveFormat::Tar.unsupported(
            "an extended header is longer than 1 MiB, so the name of a member may be cut",
        ));
    }
    let is_wanted = matches!(kind, b'L' | b'x') && is_short;
    let mut bytes = Vec::new();
    let mut part = MemberBytes::new(source, size);
    if is_wanted && part.read_to_end(&mut bytes).is_err() {
        return Err(ArchiveFormat::Tar.truncated());
    }
    part.rest(ArchiveFormat::Tar)?;
    pad(size, source)?;
    if !is_wanted {
        return Ok(());
    }
    match kind {
        b'L' => extensions.name = Some(until_zero(&bytes).to_vec()),
        _ => pax(extensions, &bytes),
    }
    Ok(())
}

/// Parses records of the form `27 path=dir/a.txt` and a line end, where the number is the length of
/// the record.
fn pax(extensions: &mut Extensions, mut records: &[u8]) {
    loop {
        let digits = records.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let length = std::str::from_utf8(records.part(..digits))
            .ok()
            .and_then(|digits| digits.parse::<usize>().ok());
        let Some(record) = length.and_then(|length| records.get(digits..length)) else {
            return;
        };
        records = records.clamped(digits + record.len()..);
        let Some(text) = record.strip_prefix(b" ").and_then(|text| text.strip_suffix(b"\n")) else {
            return;
        };
        if let Some(path) = text.strip_prefix(b"path=") {
            extensions.name = Some(path.to_vec());
        // The header of a sparse file has a made-up name, `GNUSparseFile.0/a`.
        } else if let Some(path) = text.strip_prefix(b"GNU.sparse.name=") {
            extensions.name = Some(path.to_vec());
        } else if let Some(size) = text.strip_prefix(b"size=") {
            extensions.size = std::str::from_utf8(size).ok().and_then(|size| size.parse().ok());
        }
    }
}

/// Returns the name in a header: up to the first zero, after the prefix of ustar.
fn name(block: &TarBlock) -> Vec<u8> {
    let (name, prefix) = (until_zero(&block[NAME]), until_zero(&block[PREFIX]));
    // GNU tar writes `ustar` with two blanks, and has times and maps where the prefix would be.
    if &block[MAGIC] == b"ustar\0" && !prefix.is_empty() {
        return [prefix, name].join(&b'/');
    }
    name.to_vec()
}

fn skip_map(header: &TarBlock, source: ByteSource<'_>) -> WalkResult {
    // The map of a sparse file precedes its bytes and is not counted in its size.
    let mut more = header[SPARSE_MORE] != 0;
    while more {
        let mut block = [0; BLOCK_BYTES];
        if fill(source, &mut block)? < BLOCK_BYTES {
            return Err(ArchiveFormat::Tar.truncated());
        }
        more = block[SPARSE_MORE_IN_MAP] != 0;
    }
    Ok(())
}

/// Skips the padding after `size` bytes.
fn pad(size: u64, source: ByteSource<'_>) -> WalkResult {
    if skip(source, size.wrapping_neg() % BLOCK_BYTES as u64)? {
        Ok(())
    } else {
        Err(ArchiveFormat::Tar.truncated())
    }
}
