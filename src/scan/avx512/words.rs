//! Finds dots and `@`s besides colons (D7), in text where most dots are in words that are not
//! hosts. The bytes of words are kept as bits, so that a few shifts find the start of a word and
//! its last label.

use core::arch::x86_64::{__m512i, _mm512_maskz_loadu_epi8};

use super::super::batch::{CandidateBatch, FoundDots};
use super::super::dotted_name::{SIGNS, is_spelled_out, is_www, may_be_address};
use super::super::prefetch::prefetch;
use super::block::{
    Block512, BlockBits, BlockBytes, LANES, MAX_VECTORS, PreviousBlock, WantedTriggers,
};
use super::{VECTOR, bit_numbers, load, load_before};
use crate::byte_table::{ByteTable, byte_table};
use crate::chunk::is_alphanumeric;
use crate::registry;
use crate::slice::SliceExt;

static IS_EDGE: ByteTable<bool> = byte_table!(byte => is_alphanumeric(byte) || byte >= 0x80);

static IS_SIGN: ByteTable<bool> = byte_table!(byte => {
    let [a, b, c, d, e] = SIGNS;
    byte == a || byte == b || byte == c || byte == d || byte == e
});

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn fill(haystack: &[u8], wanted: WantedTriggers, batch: &mut CandidateBatch) {
    // The scanner then skips its own test of dots.
    batch.set_dots(FoundDots::Sifted);
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit && !batch.is_full() {
        if at.saturating_add(1) >= haystack.len() {
            return batch.reach(haystack.len());
        }
        at = if wanted.identifiers {
            block::<true>(haystack, at, wanted.ats, batch)
        } else {
            block::<false>(haystack, at, wanted.ats, batch)
        };
        batch.reach(at);
    }
}

/// Pushes the candidates of a block from `at` on while there is room. Returns the end of the
/// processed text.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn block<const IDENTIFIERS: bool>(
    haystack: &[u8],
    at: usize,
    ats: bool,
    batch: &mut CandidateBatch,
) -> usize {
    let text = haystack.part(at - 1..).clamped(..2 + MAX_VECTORS * VECTOR);
    // The first and the last byte are only neighbours of others.
    let length = text.len() - 2;
    let (count, rest) = (length / VECTOR, length % VECTOR);
    let mut bytes = BlockBytes::NONE;
    bytes.set::<IDENTIFIERS>(0, load_before(haystack, at));
    for (n, here) in text.part(1..).as_chunks::<VECTOR>().0.part(..count).iter().enumerate() {
        prefetch(here, 0);
        bytes.set::<IDENTIFIERS>(n + 1, load(here));
    }
    if rest > 0 {
        let last = load_first(text.part(1 + count * VECTOR..), rest + 1);
        bytes.set::<IDENTIFIERS>(count + 1, last);
    }
    // Marks the byte after the block as a neighbour. A dot at the end of the text may be one
    // between labels, because the text may continue.
    let behind = length + usize::from(rest > 0);
    if rest > 0 || text.get(1 + length).is_some_and(|&byte| IS_EDGE.get(byte)) {
        bytes.set_edge(behind);
    }
    let vectors = length.div_ceil(VECTOR);
    let mut found = Block512::NONE;
    let mut before = PreviousBlock::before(&bytes);
    let mut words = Offsets::NONE;
    let (mut word_count, mut sign_count) = (0, 0);
    let mut done = 0;
    for n in 0..vectors {
        if word_count + sign_count > Offsets::MANY {
            break;
        }
        // Words are examined only after this loop. Reading their bits directly after storing them
        // would wait for the stores.
        if n % LANES == 0 {
            found.step::<IDENTIFIERS>(&bytes, n, ats, &mut before);
        }
        let (Some(ends), Some(signs)) = (found.ends.get(n), found.signs.get(n)) else { break };
        word_count = bit_numbers::push(&mut words.0, word_count, (VECTOR * n) as u16, *ends);
        sign_count += signs.count_ones() as usize;
        done = VECTOR * (n + 1);
    }
    let end = at + done.min(length);
    // A word may continue beyond all these vectors, so it is kept for the rules.
    let last = done.min(behind) - 1;
    word_count = words.push_if(word_count, last + 1, found.names.up_to(last) >> 63 != 0);
    let bits = WordBatch { block: &found, base: at, end: at + last + 1 };
    // Two passes: the first refuses most words with a few loads, and only the rest is tested for
    // spelled-out addresses.
    word_count = words.sift(word_count, |end| bits.sift(haystack, end));
    word_count = words.sift(word_count, |dot| bits.sift_again(haystack, dot));
    for n in 0..word_count {
        found.add_sign(words.get(n, word_count));
    }
    for (n, signs) in found.signs.iter().take(done / VECTOR).enumerate() {
        let inside = if n == count { !(u64::MAX << rest) } else { u64::MAX };
        batch.push_by(at + VECTOR * n, |found, count, base| {
            bit_numbers::push(found, count, base, signs & inside)
        });
    }
    end
}

/// Offsets in a block, in ascending order. Their count is a local variable of the caller: in
/// memory, each push would wait for the one before it.
struct Offsets([u16; 2 * VECTOR]);

impl Offsets {
    /// Most words and signs after which another vector may be processed: a batch has room for one
    /// more vector, and for a word before and after it.
    const MANY: usize = VECTOR - 2;
    const NONE: Self = Self([0; 2 * VECTOR]);

    #[inline(always)]
    fn push_if(&mut self, count: usize, place: usize, is_one: bool) -> usize {
        if let Some(free) = self.0.get_mut(count) {
            *free = place as u16;
        }
        count.wrapping_add(usize::from(is_one))
    }

    /// Replaces each offset by the result of `sift`, and drops it if the result says so. No branch
    /// depends on the text: about 100 instructions per word are cheaper than mispredicted branches.
    #[inline(always)]
    fn sift(&mut self, count: usize, sift: impl Fn(usize) -> (usize, bool)) -> usize {
        let mut kept = 0;
        for next in 0..count {
            let (place, is_kept) = sift(self.get(next, count));
            kept = self.push_if(kept, place, is_kept);
        }
        kept
    }

    /// Returns offset number `next` of `count`; beyond them, an offset greater than all others.
    #[inline(always)]
    fn get(&self, next: usize, count: usize) -> usize {
        match self.0.get(next) {
            Some(&place) if next < count => usize::from(place),
            _ => usize::MAX,
        }
    }
}

/// The words of a block, and its place in the text.
struct WordBatch<'s> {
    block: &'s Block512,
    base: usize,
    end: usize,
}

impl WordBatch<'_> {
    /// Returns the first dot of the word that ends at `end`, and false if no rule starts a host
    /// there. That is the case if neither the last label is a top-level domain nor the first one
    /// `www`, or if the word is part of something longer. The result follows no pattern, so no
    /// branch depends on it.
    #[inline(always)]
    fn sift(&self, haystack: &[u8], end: usize) -> (usize, bool) {
        let last = end.wrapping_sub(1);
        let (name, dots) = (self.block.names.up_to(last), self.block.dots.up_to(last));
        let length = (!name).leading_zeros();
        if length >= BlockBits::KNOWN {
            return self.sift_long(last);
        }
        // Moves the dots of the word down to bit 0, so that trailing zeros count from its start.
        let inside = dots.wrapping_shr(length.wrapping_neg());
        let start = end.wrapping_sub(length as usize);
        let first_dot = start.wrapping_add(inside.trailing_zeros() as usize & 63);
        let label = dots.leading_zeros() as usize;
        let end = self.base.wrapping_add(end);
        // Eight bytes are loaded from the start of the label on, whatever its length; the filter of
        // top-level domains masks the rest. Near the end of the text there are fewer, and the rules
        // decide.
        let Some(top) = haystack.get(end.wrapping_sub(label)..).and_then(<[u8]>::first_chunk)
        else {
            return (first_dot, inside != 0);
        };
        let before = |at: usize| haystack.get(..at).and_then(<[u8]>::last_chunk);
        let places = [start, first_dot].map(|place| before(self.base.wrapping_add(place)));
        let [Some(before), Some(first)] = places else {
            return (first_dot, inside != 0);
        };
        let has_tld = registry::may_be_tld(u64::from_le_bytes(*top), label);
        let is_open = (end >= self.end) | haystack.get(end).is_none_or(|&byte| byte >= 0x80);
        let is_address = may_be_address(top.first(), haystack.get(end));
        let is_known = is_open | has_tld | is_address | may_be_www(first);
        let may_start = (inside != 0) & is_known & !is_part(before);
        (first_dot, may_start)
    }

    /// Decides the same for words longer than the known bits.
    #[cold]
    fn sift_long(&self, last: usize) -> (usize, bool) {
        let mut first_dot = None;
        for at in (0..=last).rev().take_while(|&at| self.block.names.up_to(at) >> 63 != 0) {
            if self.block.dots.up_to(at) >> 63 != 0 {
                first_dot = Some(at);
            }
        }
        (first_dot.unwrap_or(last), first_dot.is_some())
    }

    /// Returns false for the dot of a host in a spelled-out address: `jo at a.example`. Most
    /// remaining words before a host are such addresses.
    #[inline(always)]
    fn sift_again(&self, haystack: &[u8], dot: usize) -> (usize, bool) {
        let length = (!self.block.names.up_to(dot.wrapping_sub(1))).leading_zeros();
        let start = dot.wrapping_sub(length as usize);
        let before = haystack.clamped(..self.base.wrapping_add(start));
        if length >= BlockBits::KNOWN || !before.ends_with(b" at ") {
            return (dot, true);
        }
        let first = haystack.clamped(before.len()..self.base.wrapping_add(dot));
        (dot, is_www(first) || !self.is_spelled_out(before, start))
    }

    /// Returns [`is_spelled_out`] for the text before the name at `name`, using the bits of the
    /// block where they suffice.
    #[inline(always)]
    fn is_spelled_out(&self, before: &[u8], name: usize) -> bool {
        let last = name.wrapping_sub(b" at ".len() + 1);
        let length = (!self.block.names.up_to(last)).leading_zeros();
        let rest = before.clamped(..before.len().saturating_sub(b" at ".len() + length as usize));
        let continues = rest.last().is_some_and(|byte| matches!(byte, b'.' | b'_' | b'+'));
        if continues || !(1..BlockBits::KNOWN).contains(&length) {
            return is_spelled_out(before);
        }
        let inner = !(u64::MAX >> (length - 1));
        !self.block.letters.up_to(last) & inner != 0
            || rest.last().is_some_and(|sign| matches!(sign, b'<' | b':' | b'['))
            || rest.ends_with(b"From ")
            || rest.ends_with(b"From: ")
    }
}

/// True if the last of these bytes make a following name part of something longer.
#[inline(always)]
fn is_part(before: &[u8; 4]) -> bool {
    let &[_, a, b, sign] = before;
    let is_path = (sign == b'/') & ((b != b'/') | (a == b':'));
    let is_repository = u32::from_le_bytes(*before) == u32::from_le_bytes(*b"git@");
    IS_SIGN.get(sign) & !is_repository | is_path
}

/// True if these bytes end in `www`, possibly with a digit.
#[inline(always)]
fn may_be_www(before: &[u8; 4]) -> bool {
    const WWW: u32 = u32::from_le_bytes(*b"www\0");
    // Setting bit 0x20 makes letters lower case. Compares the last three bytes, and the three
    // before the last, which may be a digit.
    let before = u32::from_le_bytes(*before) | 0x2020_2020;
    (before >> 8 == WWW) | (before & 0x00FF_FFFF == WWW)
}

/// Loads the first `count` bytes of a text, at most a vector, followed by zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_first(bytes: &[u8], count: usize) -> __m512i {
    let count = count.min(bytes.len()).min(VECTOR);
    let known = if count > 0 { u64::MAX >> (VECTOR - count) } else { 0 };
    // SAFETY: only bytes whose mask bit is set are read: the first `count`, which exist.
    unsafe { _mm512_maskz_loadu_epi8(known, bytes.as_ptr().cast()) }
}
