//! The record of a folder: its coders and how they are connected ("Folder" in 7zFormat.txt).

use super::corrupt;
use super::number::{HeaderCursor, HeaderResult};
use crate::container::archive::ArchiveProblem;

/// The most coders or streams of a folder; the C library of the LZMA SDK reads 4.
const MOST: u64 = 32;

#[derive(Clone, Copy, Debug)]
pub(super) struct Coder<'h> {
    pub method: u64,
    pub properties: &'h [u8],
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum CoderLayout {
    /// Each reads the output of the one before: their numbers, from the packed stream on.
    Chain(Vec<usize>),
    /// Some read several streams, as BCJ2 does.
    Graph,
}

#[derive(Debug)]
pub(super) struct FolderRecord<'h> {
    pub coders: Vec<Coder<'h>>,
    pub shape: CoderLayout,
    /// Output streams of the coders, each of which has a size.
    pub outputs: u64,
    /// The output that no other coder reads.
    pub last: u64,
    /// Streams of the file that they read.
    pub packed: u64,
}

/// The bits of the first byte of a coder with the length of its method.
const LENGTH: u8 = 0x0f;
const HAS_COUNTS: u8 = 0x10;
const HAS_PROPERTIES: u8 = 0x20;
const RESERVED: u8 = 0xc0;

impl<'h> FolderRecord<'h> {
    pub fn parse(cursor: &mut HeaderCursor<'h>) -> HeaderResult<Self> {
        let count = at_most(cursor.number()?)?;
        let mut coders = Vec::new();
        let (mut inputs, mut outputs) = (0, 0);
        for _ in 0..count {
            let flags = cursor.byte()?;
            let length = flags & LENGTH;
            if length > 8 || flags & RESERVED != 0 {
                return Err(corrupt("a coder is malformed"));
            }
            let method = cursor.bytes(length.into())?;
            let method = method.iter().fold(0, |id, &byte| id << 8 | u64::from(byte));
            let (mut takes, mut gives) = (1, 1);
            if flags & HAS_COUNTS != 0 {
                (takes, gives) = (at_most(cursor.number()?)?, at_most(cursor.number()?)?);
            }
            (inputs, outputs) = (at_most(inputs + takes)?, at_most(outputs + gives)?);
            let mut properties = &[][..];
            if flags & HAS_PROPERTIES != 0 {
                let length = cursor.number()?;
                properties = cursor.bytes(length)?;
            }
            coders.push(Coder { method, properties });
        }
        let bound = outputs.checked_sub(1).ok_or_else(wrong)?;
        let mut pairs = Vec::new();
        for _ in 0..bound {
            pairs.push((cursor.number()?, cursor.number()?));
        }
        let packed = inputs.checked_sub(bound).ok_or_else(wrong)?;
        if packed > 1 {
            cursor.numbers(packed)?;
        }
        let last = (0..outputs)
            .find(|number| pairs.iter().all(|(_, output)| output != number))
            .ok_or_else(wrong)?;
        let shape = if packed == 1 && inputs == count && outputs == count {
            CoderLayout::Chain(chain(last, &pairs, count)?)
        } else {
            CoderLayout::Graph
        };
        Ok(Self { coders, shape, outputs, last, packed })
    }
}

/// The numbers of coders with one stream each, from the packed one to `last`. Each pair is an input and
/// the output that it reads.
fn chain(last: u64, pairs: &[(u64, u64)], count: u64) -> HeaderResult<Vec<usize>> {
    let (mut chain, mut at) = (Vec::new(), last);
    for _ in 0..count {
        chain.push(usize::try_from(at).map_err(|_| wrong())?);
        match pairs.iter().find(|(input, _)| *input == at) {
            Some((_, output)) => at = *output,
            None => break,
        }
    }
    let is_number = |&number: &usize| (number as u64) < count;
    if chain.len() as u64 != count || !chain.iter().all(is_number) {
        return Err(wrong());
    }
    chain.reverse();
    Ok(chain)
}

fn at_most(count: u64) -> HeaderResult<u64> {
    if count > MOST { Err(wrong()) } else { Ok(count) }
}

fn wrong() -> ArchiveProblem {
    corrupt("its coders do not fit together")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> HeaderResult<FolderRecord<'_>> {
        FolderRecord::parse(&mut HeaderCursor(bytes))
    }

    #[test]
    fn one_coder() {
        let record = parse(b"\x01\x23\x03\x01\x01\x05\x5d\0\0\x10\0").unwrap();
        assert_eq!(record.coders[0].method, 0x030101);
        assert_eq!(record.coders[0].properties, b"\x5d\0\0\x10\0");
        assert_eq!(record.shape, CoderLayout::Chain(vec![0]));
        assert_eq!((record.outputs, record.last, record.packed), (1, 0, 1));
    }

    #[test]
    fn a_filter_before_and_after() {
        // As 7-Zip and as py7zr order them.
        for (pair, chain) in [([0, 1], [1, 0]), ([1, 0], [0, 1])] {
            let record = [&b"\x02\x04\x03\x03\x01\x03\x21\x21\x01\x16"[..], &pair].concat();
            let record = parse(&record).unwrap();
            assert_eq!(record.coders[0].method, 0x03030103);
            assert_eq!(record.shape, CoderLayout::Chain(chain.to_vec()));
            assert_eq!(record.last as usize, chain[1]);
        }
    }

    #[test]
    fn bcj2() {
        // 7-Zip: BCJ2 of four streams, and three of LZMA.
        let lzma = b"\x23\x03\x01\x01\x05\x5d\0\0\x10\0";
        let mut record = b"\x04\x14\x03\x03\x01\x1b\x04\x01".to_vec();
        record.extend(lzma.repeat(3));
        record.extend(b"\0\x01\x01\x02\x02\x03\x04\x05\x06\x03");
        let record = parse(&record).unwrap();
        assert_eq!(record.shape, CoderLayout::Graph);
        assert_eq!((record.outputs, record.last, record.packed), (4, 0, 4));
    }

    #[test]
    fn nonsense() {
        for bytes in [
            &b""[..],
            b"\0",
            b"\x21",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x01\x0f",
            b"\x01\x81\x21",
            b"\x01\x01",
            // Counts that do not add up.
            b"\x01\x11\x21\0\0",
            b"\x01\x11\x21\x01\x21\0\0",
            // Coders that read their own output, or a missing one.
            b"\x02\x01\x21\x01\x21\0\0",
            b"\x02\x01\x21\x01\x21\x01\x01",
            b"\x02\x01\x21\x01\x21\0\x07",
            b"\x03\x01\x21\x01\x21\x01\x21\x01\x02\x02\x01",
        ] {
            assert!(parse(bytes).is_err(), "{bytes:x?}");
        }
    }
}
