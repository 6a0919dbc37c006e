//! The pages of a database, and the b-trees of rows in them (§1.6).

use std::ops::ControlFlow;

use super::START;
use super::payload::{Payload, varint};
use crate::slice::SliceExt as _;
use crate::work_counter;

/// Bytes of the header of a database, before the b-tree of its first page.
const HEADER_BYTES: usize = 100;

/// The pages of a database. Each is read once, so that time is linear although a damaged file may
/// point anywhere.
pub(super) struct DatabasePages<'d> {
    bytes: &'d [u8],
    size: usize,
    /// Bytes of a page that hold content (§1.3.4).
    usable: usize,
    /// Of texts: 1 for UTF-8, 2 and 3 for UTF-16 with the lower and the higher byte first
    /// (§1.3.13).
    pub encoding: u32,
    /// A bit for each page that was read.
    read: Vec<u64>,
    /// Pages that could not be read.
    pub damaged: usize,
}

/// Kinds of pages of a b-tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PageKind {
    InnerTable,
    InnerIndex,
    LeafTable,
    LeafIndex,
}

/// Receives a row and its rowid, which tables `WITHOUT ROWID` lack.
type RowSink<'s> = dyn FnMut(&Payload<'_>, Option<i64>) -> ControlFlow<()> + 's;

impl<'d> DatabasePages<'d> {
    /// Returns the pages of a database; `None` if its header is damaged.
    pub fn parse(bytes: &'d [u8]) -> Option<Self> {
        if !bytes.starts_with(START) {
            return None;
        }
        let size = match big_endian::<2>(bytes, 16)? {
            // This size does not fit into the two bytes, so 1 stands for it (§1.3.2).
            1 => 1 << 16,
            size => size as usize,
        };
        // Extensions may reserve bytes at the end of each page (§1.3.4).
        let usable = size.checked_sub(usize::from(*bytes.get(20)?))?;
        // §1.3.2 and §1.3.4 give these bounds.
        if !size.is_power_of_two() || size < 512 || usable < 480 {
            return None;
        }
        let read = vec![0; bytes.len() / size / 64 + 1];
        // The encoding of all texts (§1.3.13).
        let encoding = big_endian::<4>(bytes, 56)?;
        Some(Self { bytes, size, usable, encoding, read, damaged: 0 })
    }

    /// Returns the offset of a page that was not read before, and marks it as read.
    fn enter(&mut self, number: u32) -> Option<usize> {
        // Pages are numbered from 1.
        let index = (number as usize).checked_sub(1)?;
        let start = index.checked_mul(self.size)?;
        let word = self.read.get_mut(index / 64)?;
        let bit = 1 << (index % 64);
        let is_new = *word & bit == 0 && start < self.bytes.len();
        *word |= bit;
        work_counter::add(self.size);
        is_new.then_some(start)
    }

    /// Passes the rows of the b-tree with this root to `sink`, in their order.
    pub fn for_each_row(&mut self, root: u32, sink: &mut RowSink<'_>) -> ControlFlow<()> {
        let mut pending = vec![root];
        while let Some(number) = pending.pop() {
            match self.enter(number) {
                Some(start) => self.page(start, &mut pending, sink)?,
                None => self.damaged += 1,
            }
        }
        ControlFlow::Continue(())
    }

    /// Reads the rows of one page, and notes the pages below it.
    fn page(
        &mut self,
        start: usize,
        pending: &mut Vec<u32>,
        sink: &mut RowSink<'_>,
    ) -> ControlFlow<()> {
        let page = self.bytes.clamped(start..start + self.size);
        let header = if start == 0 { HEADER_BYTES } else { 0 };
        let Some((kind, cells)) = page_header(page, header) else {
            self.damaged += 1;
            return ControlFlow::Continue(());
        };
        let is_inner = matches!(kind, PageKind::InnerTable | PageKind::InnerIndex);
        // The header of an inner page also names the page after its last cell (§1.6).
        let pointers = header + if is_inner { 12 } else { 8 };
        let mut below = Vec::new();
        // Pointers of a damaged page may all lead to one long cell.
        let mut left = self.size;
        for cell in 0..cells {
            let Some(at) = big_endian::<2>(page, pointers + 2 * cell) else { break };
            let mut at = at as usize;
            if is_inner {
                below.extend(big_endian::<4>(page, at));
                at += 4;
            }
            // Its cells have a key and no payload, unlike those of an index (§1.6).
            if kind == PageKind::InnerTable {
                continue;
            }
            let Some((payload, rowid)) = self.cell(start, at, kind) else {
                self.damaged += 1;
                break;
            };
            left = match left.checked_sub(payload.local()) {
                Some(left) => left,
                None => {
                    self.damaged += 1;
                    break;
                }
            };
            sink(&payload, rowid)?;
        }
        if is_inner {
            below.extend(big_endian::<4>(page, header + 8));
        }
        // The page that was added last is read first, so rows come in the order of their keys.
        pending.extend(below.into_iter().rev());
        ControlFlow::Continue(())
    }

    /// Returns the payload of the cell at `at` of the page, and its rowid.
    fn cell(
        &mut self,
        start: usize,
        at: usize,
        kind: PageKind,
    ) -> Option<(Payload<'d>, Option<i64>)> {
        let page = self.bytes.clamped(start..start + self.size);
        let (total, mut at) = varint(page, at)?;
        let mut rowid = None;
        if kind == PageKind::LeafTable {
            let (number, next) = varint(page, at)?;
            (rowid, at) = (Some(number.cast_signed()), next);
        }
        let total = usize::try_from(total).ok()?;
        let local = self.local_bytes(total, kind);
        let mut payload = Payload::new(self.bytes);
        let end = at.checked_add(local).filter(|end| *end <= page.len())?;
        payload.push(start + at, local);
        if local < total {
            self.overflow(big_endian::<4>(page, end)?, total - local, &mut payload);
        }
        Some((payload, rowid))
    }

    /// Returns the number of bytes of a payload that are in its cell (§1.6, "overflow").
    fn local_bytes(&self, total: usize, kind: PageKind) -> usize {
        let usable = self.usable;
        let most = match kind {
            PageKind::LeafTable | PageKind::InnerTable => usable - 35,
            PageKind::LeafIndex | PageKind::InnerIndex => (usable - 12) * 64 / 255 - 23,
        };
        if total <= most {
            return total;
        }
        let least = (usable - 12) * 32 / 255 - 23;
        let local = least + (total - least) % (usable - 4);
        if local <= most { local } else { least }
    }

    /// Adds the content of overflow pages. If the chain breaks off, only the content before that is
    /// added.
    fn overflow(&mut self, first: u32, mut left: usize, payload: &mut Payload<'_>) {
        let mut next = first;
        while left > 0 {
            let Some(start) = self.enter(next) else {
                self.damaged += 1;
                return;
            };
            // An overflow page starts with the number of the next one (§1.6).
            let page = self.bytes.clamped(start..start + self.usable);
            let Some(number) = big_endian::<4>(page, 0) else { return };
            let length = left.min(page.len() - 4);
            payload.push(start + 4, length);
            (next, left) = (number, left - length);
            if length == 0 {
                return;
            }
        }
    }
}

/// Returns the kind of a page and its number of cells.
fn page_header(page: &[u8], at: usize) -> Option<(PageKind, usize)> {
    let kind = match page.get(at)? {
        0x02 => PageKind::InnerIndex,
        0x05 => PageKind::InnerTable,
        0x0a => PageKind::LeafIndex,
        0x0d => PageKind::LeafTable,
        _ => return None,
    };
    Some((kind, big_endian::<2>(page, at + 3)? as usize))
}

/// Returns a number of up to four bytes, the highest first.
fn big_endian<const BYTES: usize>(bytes: &[u8], at: usize) -> Option<u32> {
    let number: [u8; BYTES] = bytes.get(at..at.checked_add(BYTES)?)?.try_into().ok()?;
    Some(number.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}
