//! The record of a folder: its coders and their connections ("Folder" in 7zFormat.txt).

use super::cursor::HeaderCursor;
use super::{ArchiveProblem, HeaderResult, SEVEN_ZIP};

/// Limit on the coders or streams of a folder; the C library of the LZMA SDK reads 4.
const MAX_ITEMS: u64 = 32;

#[derive(Clone, Copy, Debug)]
pub(super) struct Coder<'h> {
    pub method: u64,
    pub properties: &'h [u8],
}

#[derive(Debug)]
pub(super) struct FolderRecord<'h> {
    pub coders: Vec<Coder<'h>>,
    /// The numbers of the coders from the packed stream on, where each reads the output of the one
    /// before. `None` if a coder reads several streams, as BCJ2 does.
    pub chain: Option<Vec<usize>>,
    /// Output streams of the coders, each of which has a size.
    pub outputs: u64,
    /// The output that no other coder reads.
    pub last: usize,
    /// Number of packed streams in the file that they read.
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
            // A longer id would not fit into the number below, and two methods would look the same.
            if length > 8 || flags & RESERVED != 0 {
                return Err(SEVEN_ZIP.corrupt("a coder is malformed"));
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
        // Each output is bound to an input, except the one that is the folder ("NumBindPairs").
        let bound = outputs.checked_sub(1).ok_or_else(wrong)?;
        let mut pairs = Vec::new();
        for _ in 0..bound {
            pairs.push((cursor.number()?, cursor.number()?));
        }
        // The other inputs are packed streams, whose indices are written only if there are several.
        let packed = inputs.checked_sub(bound).ok_or_else(wrong)?;
        if packed > 1 {
            cursor.numbers(packed)?;
        }
        let last = (0..outputs)
            .find(|number| pairs.iter().all(|(_, output)| output != number))
            .ok_or_else(wrong)?;
        // Only a chain can be unpacked as one stream. BCJ2, for example, joins four.
        let is_chain = packed == 1 && inputs == count && outputs == count;
        let chain = is_chain.then(|| chain(last, &pairs, count)).transpose()?;
        Ok(Self { coders, chain, outputs, last: last as usize, packed })
    }
}

/// Returns the numbers of coders with one stream each, from the packed one to `last`. Each pair is
/// an input and the output that it reads.
fn chain(last: u64, pairs: &[(u64, u64)], count: u64) -> HeaderResult<Vec<usize>> {
    let (mut chain, mut at) = (Vec::new(), last);
    for _ in 0..count {
        // The pairs are untrusted: they may point to a coder that does not exist, or form a cycle.
        // The loop is bounded by the number of coders.
        if at >= count {
            return Err(wrong());
        }
        chain.push(at as usize);
        match pairs.iter().find(|(input, _)| *input == at) {
            Some((_, output)) => at = *output,
            None => break,
        }
    }
    if chain.len() as u64 != count {
        return Err(wrong());
    }
    chain.reverse();
    Ok(chain)
}

fn at_most(count: u64) -> HeaderResult<u64> {
    if count > MAX_ITEMS { Err(wrong()) } else { Ok(count) }
}

fn wrong() -> ArchiveProblem {
    SEVEN_ZIP.corrupt("its coders do not fit together")
}
