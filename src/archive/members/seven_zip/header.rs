//! The header at the end of an archive. The first bytes hold its offset ("SignatureHeader" in
//! 7zFormat.txt).

use std::io::{Read, SeekFrom};

use flate2::Crc;

use super::super::claims::Claims;
use super::cursor::HeaderCursor;
use super::lists::Streams;
use super::{OpenedFolder, SEVEN_ZIP, START_BYTES, id, malformed, open};
use crate::archive::stream::fill;
use crate::archive::walk::ReadSeek;
use crate::archive::walker::ArchiveWalk;
use crate::archive::{Stop, WalkResult};

/// Largest header that is read, enough for about a hundred thousand members.
const MAX_HEADER_BYTES: u64 = 16 << 20;
/// A larger header counts like the memory of decoders.
const LIGHT_HEADER_BYTES: u64 = 4 << 20;
/// Limit on how often a header may be packed; once is usual.
const MAX_PACKINGS: usize = 4;

struct PackedSpan {
    at: u64,
    size: u64,
    crc: Option<u32>,
}

/// Reads and unpacks the header, and returns it without its first byte, its type. Returns `None` if
/// there is no member, if a packed header has no folder, or if the header is encrypted, which is
/// reported.
pub(super) fn read(
    walk: &mut ArchiveWalk<'_, '_>,
    file: &mut dyn ReadSeek,
    claims: &mut Claims,
) -> WalkResult<Option<Vec<u8>>> {
    let span = read_start(file)?;
    claims.add(0..START_BYTES);
    if span.size == 0 {
        return Ok(None);
    }
    let length = file.seek(SeekFrom::End(0))?;
    let end = span.at.checked_add(span.size);
    // The checksum of the start header only proves that it is intact, not that the file is
    // complete.
    if end.is_none_or(|end| end > length) {
        return Err(SEVEN_ZIP.truncated());
    }
    claims.add(span.at..span.at + span.size);
    file.seek(SeekFrom::Start(span.at))?;
    claim_memory(walk, span.size)?;
    let mut bytes = read_span(file, &span)?;
    // A header may itself be packed, and the result may be a packed header again. The bound keeps a
    // crafted archive from nesting without end.
    for _ in 0..MAX_PACKINGS {
        let mut header = HeaderCursor(&bytes);
        match header.byte()? {
            id::HEADER => {
                bytes.remove(0);
                return Ok(Some(bytes));
            }
            id::ENCODED_HEADER => {}
            _ => return Err(malformed().into()),
        }
        let mut streams = Streams::parse(&mut header)?;
        let Some(folder) = streams.folder()? else {
            return Ok(None);
        };
        claims.add(folder.span());
        let span = PackedSpan { at: 0, size: folder.size(), crc: folder.digest };
        claim_memory(walk, span.size)?;
        let unpacked = walk.releasing_windows(|walk| match open(walk, file, &folder)? {
            OpenedFolder::Stream(mut source) => read_span(&mut source, &span).map(Some),
            OpenedFolder::Encrypted => Ok(None),
            OpenedFolder::Unread(how) => {
                Err(SEVEN_ZIP.unsupported(&format!("its header is {how}")).into())
            }
            OpenedFolder::Lost => Err(Stop::ReadFailed),
        })?;
        match unpacked {
            Some(unpacked) => bytes = unpacked,
            None => {
                walk.report_encrypted_archive(SEVEN_ZIP);
                // The header maps the members. Without it, no byte can be assigned, so all count as
                // claimed.
                claims.add(0..u64::MAX);
                return Ok(None);
            }
        }
    }
    Err(SEVEN_ZIP.corrupt("its header is packed too often").into())
}

fn read_start(file: &mut dyn ReadSeek) -> WalkResult<PackedSpan> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = [0; START_BYTES as usize];
    if fill(file, &mut start)? < start.len() {
        return Err(SEVEN_ZIP.truncated());
    }
    let [_, _, _, _, _, _, major, _, rest @ ..] = start;
    let (crc, place) = rest.split_at(4);
    if major != 0 {
        return Err(SEVEN_ZIP.unsupported(&format!("it is of version {major}")).into());
    }
    if crc != crc32(place).to_le_bytes() {
        return Err(SEVEN_ZIP.corrupt("the checksum of its start is wrong").into());
    }
    let mut numbers = place.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number));
    let (offset, size) = (numbers.next(), numbers.next());
    let at = offset.and_then(|offset| offset.checked_add(START_BYTES));
    let (Some(at), Some(size)) = (at, size) else {
        return Err(SEVEN_ZIP.truncated());
    };
    let crc = place.last_chunk().map(|crc| u32::from_le_bytes(*crc));
    Ok(PackedSpan { at, size, crc })
}

fn claim_memory(walk: &mut ArchiveWalk<'_, '_>, size: u64) -> WalkResult {
    if size > MAX_HEADER_BYTES {
        return Err(SEVEN_ZIP
            .unsupported(&format!("its header has more than {} MiB", MAX_HEADER_BYTES >> 20))
            .into());
    }
    if size > LIGHT_HEADER_BYTES && u64::from(walk.reserve_window(size)?.window) < size {
        return Err(SEVEN_ZIP.unsupported("it needs too much memory to unpack").into());
    }
    Ok(())
}

/// Reads all bytes of a span that starts at the position of `source`.
fn read_span(source: &mut (impl Read + ?Sized), span: &PackedSpan) -> WalkResult<Vec<u8>> {
    // The vector grows with the bytes that are present, not with the declared size.
    let mut bytes = Vec::new();
    source.take(span.size).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < span.size {
        return Err(SEVEN_ZIP.truncated());
    }
    if span.crc.is_some_and(|crc| crc != crc32(&bytes)) {
        return Err(SEVEN_ZIP.corrupt("the checksum of its header is wrong").into());
    }
    Ok(bytes)
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
