//! Unpacks a folder as one stream.

use std::io::{BufRead, BufReader, Read, SeekFrom};

use super::method::{CoderMethod, Unread};
use super::record::CoderLayout;
use super::streams::Folder;
use crate::container::archive::stream::{Gives, Stream};
use crate::container::archive::walk::{ArchiveWalk, Halt, ReadSeek, Walked};
use crate::container::archive::{ArchiveFormat, ArchiveProblem};

/// How much is read of a file, or between two coders, at a time.
const ROOM: u64 = 32 << 10;

pub(super) enum OpenedFolder<'s> {
    Stream(Box<dyn BufRead + 's>),
    Encrypted,
    Unread(Unread),
    /// It was damaged, which was reported.
    Lost,
}

pub(super) fn open<'l: 's, 's>(
    walk: &mut ArchiveWalk<'l, '_>,
    file: &'s mut dyn ReadSeek,
    folder: &Folder<'_>,
) -> Walked<OpenedFolder<'s>> {
    let coders = &folder.record.coders;
    let mut methods = Vec::new();
    for coder in coders {
        methods.push(CoderMethod::of(coder));
    }
    if methods.contains(&Ok(CoderMethod::Encrypted)) {
        return Ok(OpenedFolder::Encrypted);
    }
    let methods = match methods.into_iter().collect::<Result<Vec<_>, _>>() {
        Ok(methods) => methods,
        Err(unread) => return Ok(OpenedFolder::Unread(unread)),
    };
    let CoderLayout::Chain(chain) = &folder.record.shape else {
        return Ok(OpenedFolder::Unread("packed in several streams".into()));
    };
    // Writers put filters before one that packs; the memory of several decoders would add up.
    if methods.iter().filter(|method| method.packs()).count() > 1 {
        return Ok(OpenedFolder::Unread("packed more than once".into()));
    }
    let length = file.seek(SeekFrom::End(0))?;
    let end = folder.at.checked_add(folder.packed);
    if end.is_none_or(|end| end > length) {
        return Err(Halt::Problem(ArchiveProblem::Truncated(ArchiveFormat::SevenZip)));
    }
    file.seek(SeekFrom::Start(folder.at))?;
    let packed = Read::take(file, folder.packed);
    let mut source = buffered(packed, folder.packed);
    for &number in chain {
        let (Some(method), Some(&size)) = (methods.get(number), folder.sizes.get(number)) else {
            continue;
        };
        source = coder(walk, *method, source, size)?;
    }
    Ok(OpenedFolder::Stream(source))
}

/// The output of one coder. That of a filter was counted when it was unpacked.
fn coder<'l: 's, 's>(
    walk: &mut ArchiveWalk<'l, '_>,
    method: CoderMethod,
    source: Box<dyn BufRead + 's>,
    size: u64,
) -> Walked<Box<dyn BufRead + 's>> {
    let decoder = match method {
        CoderMethod::Raw(raw) => {
            let limits = walk.hold(raw.window(size))?;
            raw.open(source, size, &limits)
        }
        CoderMethod::Framed(format) => match walk.decoder(format, source)? {
            Some(decoder) => decoder,
            None => Box::new(std::io::empty()),
        },
        CoderMethod::Copy | CoderMethod::Encrypted => return Ok(Box::new(source.take(size))),
    };
    let gives = match method.packs() {
        true => Gives::Unpacked(ArchiveFormat::SevenZip),
        false => Gives::Same,
    };
    let unpacked = Stream::new(decoder.take(size), gives, walk.ledger);
    Ok(buffered(unpacked, size))
}

fn buffered<'s>(source: impl Read + 's, size: u64) -> Box<dyn BufRead + 's> {
    let room = size.clamp(1, ROOM) as usize;
    Box::new(BufReader::with_capacity(room, source))
}
