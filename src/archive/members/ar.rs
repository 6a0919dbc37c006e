//! ar: text headers of 60 bytes. Static libraries and Debian packages (deb(5)) are ar archives.
//!
//! Long names are in a separate table (System V, GNU) or before the bytes of the member (BSD).

use std::io::Read;

use super::until_zero;
use crate::archive::reader::ByteSource;
use crate::archive::reader::{ArchiveReader, Contents, MemberReader};
use crate::archive::stream::{MemberBytes, fill, skip};
use crate::archive::walker::ArchiveWalk;
use crate::archive::{ArchiveFormat, WalkResult};
use crate::slice::SliceExt as _;
use crate::sniff::{Rest, Sniff};

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER_BYTES: usize = 60;
const HEADER_END: &[u8] = b"`\n";
/// The largest table of names that is read.
const MAX_NAME_TABLE_BYTES: u64 = 4 << 20;
/// The longest name that is kept. Many members may share a long one, and each would repeat it.
const MAX_NAME_BYTES: usize = 1 << 10;

pub(in crate::archive) struct Ar;

impl ArchiveReader for Ar {
    fn format(&self) -> ArchiveFormat {
        ArchiveFormat::Ar
    }

    fn extensions(&self) -> &'static [&'static str] {
        // `.a` and `.deb` prove nothing: an object file, or any other file, may have such a name.
        &[]
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        match head.strip_prefix(MAGIC) {
            // This is an archive without members.
            Some([]) if rest == Rest::End => Sniff::Yes,
            Some(header) if header.len() < HEADER_BYTES => Sniff::need_more(rest),
            Some(header) => Sniff::yes_if(header.get(58..HEADER_BYTES) == Some(HEADER_END)),
            None if MAGIC.starts_with(head) => Sniff::need_more(rest),
            None => Sniff::No,
        }
    }

    fn contents(&self) -> Contents<'_> {
        Contents::Members(self)
    }
}

impl MemberReader for Ar {
    fn read_in_order(&self, walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
        read_members(walk, source)
    }
}

fn read_members(walk: &mut ArchiveWalk<'_, '_>, source: ByteSource<'_>) -> WalkResult {
    skip(source, MAGIC.len() as u64)?;
    let mut names = Vec::new();
    loop {
        let mut header = [0; HEADER_BYTES];
        match fill(source, &mut header)? {
            0 => return Ok(()),
            HEADER_BYTES => {}
            _ => return Err(ArchiveFormat::Ar.truncated()),
        }
        let size = std::str::from_utf8(&header[48..58])
            .ok()
            .and_then(|size| size.trim().parse::<u64>().ok());
        let Some(size) = size.filter(|_| header.ends_with(HEADER_END)) else {
            return Err(ArchiveFormat::Ar.corrupt("a header is malformed").into());
        };
        let mut part = MemberBytes::new(source, size);
        match header[..16].trim_ascii_end() {
            // GNU stores all long names in a member `//`, and a header then has `/` and the offset
            // there.
            b"//" if size <= MAX_NAME_TABLE_BYTES => {
                names.clear();
                part.read_to_end(&mut names).map_err(|_| ArchiveFormat::Ar.truncated())?;
            }
            name => {
                let name = match name.strip_prefix(b"#1/").and_then(decimal) {
                    Some(length) if length <= MAX_NAME_TABLE_BYTES => read_name(&mut part, length)?,
                    _ => full_name(name, &names).to_vec(),
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

/// Reads a name before the bytes of its member (BSD).
fn read_name(part: &mut MemberBytes<'_>, length: u64) -> WalkResult<Vec<u8>> {
    let mut name = Vec::new();
    let read = part.take(length).read_to_end(&mut name);
    read.map_err(|_| ArchiveFormat::Ar.truncated())?;
    Ok(until_zero(&name).to_vec())
}

/// Returns the name in a header, up to a slash, or the name at its offset in the table.
fn full_name<'n>(name: &'n [u8], names: &'n [u8]) -> &'n [u8] {
    let offset = name.strip_prefix(b"/").and_then(decimal);
    let start = offset.and_then(|offset| names.get(usize::try_from(offset).ok()?..));
    match start {
        Some(rest) => {
            let rest = rest.clamped(..MAX_NAME_BYTES);
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
