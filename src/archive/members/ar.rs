//! ar: headers of 60 bytes of text. Static libraries and Debian packages (deb(5)) are such archives.
//!
//! Long names are in a table of their own (System V, GNU) or before the bytes of the member (BSD).

use std::io::Read;

use super::until_zero;
use crate::archive::ArchiveFormat;
use crate::archive::stream::{MemberBytes, fill, skip};
use crate::archive::walk::{ArchiveWalk, ByteSource, Walked};
use crate::slice::SliceExt as _;

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: usize = 60;
const END: &[u8] = b"`\n";
/// Longer tables of names are not read.
const NAMES_MAX: u64 = 4 << 20;
/// Of a longer name that is as much as is read; many members may have the same one.
const NAME_MAX: usize = 1 << 10;

pub(in crate::archive) fn is_start(head: &[u8]) -> bool {
    match head.strip_prefix(MAGIC) {
        Some(header) => header.is_empty() || header.get(58..HEADER) == Some(END),
        None => false,
    }
}

pub(in crate::archive) fn may_be_start(head: &[u8]) -> bool {
    head.len() < MAGIC.len() + HEADER && (head.starts_with(MAGIC) || MAGIC.starts_with(head))
}

pub(in crate::archive) fn members(
    walk: &mut ArchiveWalk<'_, '_>,
    source: ByteSource<'_>,
) -> Walked {
    skip(source, MAGIC.len() as u64)?;
    let mut names = Vec::new();
    loop {
        let mut header = [0; HEADER];
        match fill(source, &mut header)? {
            0 => return Ok(()),
            HEADER => {}
            _ => return Err(ArchiveFormat::Ar.truncated()),
        }
        let size = std::str::from_utf8(&header[48..58])
            .ok()
            .and_then(|size| size.trim().parse::<u64>().ok());
        let Some(size) = size.filter(|_| header.ends_with(END)) else {
            return Err(ArchiveFormat::Ar.corrupt("a header is malformed").into());
        };
        let mut part = MemberBytes::new(source, size);
        match header[..16].trim_ascii_end() {
            b"//" if size <= NAMES_MAX => {
                names.clear();
                part.read_to_end(&mut names).map_err(|_| ArchiveFormat::Ar.truncated())?;
            }
            name => {
                let name = match name.strip_prefix(b"#1/").and_then(decimal) {
                    Some(length) if length <= NAMES_MAX => before(&mut part, length)?,
                    _ => full(name, &names).to_vec(),
                };
                let left = part.left();
                walk.stored(ArchiveFormat::Ar, &name, left, &mut part)?;
            }
        }
        part.rest(ArchiveFormat::Ar)?;
        // Members start at even offsets; the last need not be padded.
        skip(source, size % 2)?;
    }
}

/// A name before the bytes of its member (BSD).
fn before(part: &mut MemberBytes<'_>, length: u64) -> Walked<Vec<u8>> {
    let mut name = Vec::new();
    let read = part.take(length).read_to_end(&mut name);
    read.map_err(|_| ArchiveFormat::Ar.truncated())?;
    Ok(until_zero(&name).to_vec())
}

/// The name in a header, up to a slash, or the one in the table at its offset.
fn full<'n>(name: &'n [u8], names: &'n [u8]) -> &'n [u8] {
    let offset = name.strip_prefix(b"/").and_then(decimal);
    let start = offset.and_then(|offset| names.get(usize::try_from(offset).ok()?..));
    match start {
        Some(rest) => {
            let rest = rest.clamped(..NAME_MAX);
            let end = rest.iter().position(|&byte| byte == b'\n');
            let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
            name.strip_suffix(b"/").unwrap_or(name)
        }
        None => name.strip_suffix(b"/").unwrap_or(name),
    }
}

fn decimal(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}
