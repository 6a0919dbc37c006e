//! Dots and `@`s as well as colons (D7), where most dots are in words that are no hosts: what is part of a word is kept as
//! bits, so that where a word starts and what its last label is takes a few shifts.

use core::arch::x86_64::{__m512i, _mm512_maskz_loadu_epi8};

use super::super::batch::{CandidateBatch, FoundDots};
use super::super::dotted_name::{SIGNS, is_spelled_out, is_www};
use super::super::prefetch::prefetch;
use super::block::{Block512, BlockBits, BlockBytes, LANES, MOST, PreviousBlock, Wanted};
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
pub(super) fn fill(haystack: &[u8], wanted: Wanted, batch: &mut CandidateBatch) {
    batch.set_dots(FoundDots::Sifted);
    let mut at = batch.end().max(1);
    let limit = batch.limit();
    while at < limit && !batch.is_full() {
        if at.saturating_add(1) >= haystack.len() {
            return batch.reach(haystack.len());
        }
        at = match wanted.identifiers {
            true => block::<true>(haystack, at, wanted.ats, batch),
            false => block::<false>(haystack, at, wanted.ats, batch),
        };
        batch.reach(at);
    }
}

/// Pushes what is worth a look of a block from `at` on, as far as there is room, and gives where it came to.
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
    let text = haystack.part(at - 1..).clamped(..2 + MOST * VECTOR);
    // the last byte is only looked at as what is behind another
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
    // what is behind the last one; a dot at the end of the text may be one between labels
    let behind = length + usize::from(rest > 0);
    if rest > 0 || text.get(1 + length).is_some_and(|&byte| IS_EDGE.of(byte)) {
        bytes.set_edge(behind);
    }
    let vectors = length.div_ceil(VECTOR);
    let mut found = Block512::NONE;
    let mut before = PreviousBlock::of(&bytes);
    let mut words = Offsets::NONE;
    let (mut word_count, mut sign_count) = (0, 0);
    let mut done = 0;
    for n in 0..vectors {
        if word_count + sign_count > Offsets::MANY {
            break;
        }
        // what was stored last is not asked yet: it would be waited for
        if n % LANES == 0 {
            found.step::<IDENTIFIERS>(&bytes, n, ats, &mut before);
        }
        let (Some(ends), Some(signs)) = (found.ends.get(n), found.signs.get(n)) else { break };
        word_count = bit_numbers::push(&mut words.0, word_count, (VECTOR * n) as u16, *ends);
        sign_count += signs.count_ones() as usize;
        done = VECTOR * (n + 1);
    }
    let end = at + done.min(length);
    // a word that may go on behind all that
    let last = done.min(behind) - 1;
    word_count = words.push_if(word_count, last + 1, found.names.up_to(last) >> 63 != 0);
    let bits = WordBatch { block: &found, base: at, end: at + last + 1 };
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

/// Offsets in a block, in order. How many there are is kept apart, as a variable of its own: in memory each would wait for
/// the one before it.
struct Offsets([u16; 2 * VECTOR]);

impl Offsets {
    /// So many words and signs leave room in a batch for those of one more vector, and for a word before and behind it.
    const MANY: usize = VECTOR - 2;
    const NONE: Self = Self([0; 2 * VECTOR]);

    #[inline(always)]
    fn push_if(&mut self, count: usize, place: usize, is_one: bool) -> usize {
        if let Some(free) = self.0.get_mut(count) {
            *free = place as u16;
        }
        count.wrapping_add(usize::from(is_one))
    }

    /// Puts others in the place of some, in the same order, and takes out the rest, with no branch that depends on which.
    #[inline(always)]
    fn sift(&mut self, count: usize, sift: impl Fn(usize) -> (usize, bool)) -> usize {
        let mut kept = 0;
        for next in 0..count {
            let (place, is_kept) = sift(self.get(next, count));
            kept = self.push_if(kept, place, is_kept);
        }
        kept
    }

    /// The `next` one of so many; behind them one that is behind all others.
    #[inline(always)]
    fn get(&self, next: usize, count: usize) -> usize {
        match self.0.get(next) {
            Some(&place) if next < count => usize::from(place),
            _ => usize::MAX,
        }
    }
}

/// The words of a block of text.
struct WordBatch<'s> {
    block: &'s Block512,
    base: usize,
    end: usize,
}

impl WordBatch<'_> {
    /// The first dot of the word that ends at `end`; and false where no rule starts a host: the last label is no top-level
    /// domain nor the first one `www`, or it is a part of something longer. No branch depends on that, as it follows no pattern.
    #[inline(always)]
    fn sift(&self, haystack: &[u8], end: usize) -> (usize, bool) {
        let last = end.wrapping_sub(1);
        let (name, dots) = (self.block.names.up_to(last), self.block.dots.up_to(last));
        let length = (!name).leading_zeros();
        if length >= BlockBits::KNOWN {
            return self.sift_long(last);
        }
        let inside = dots.wrapping_shr(length.wrapping_neg());
        let start = end.wrapping_sub(length as usize);
        let first_dot = start.wrapping_add(inside.trailing_zeros() as usize & 63);
        let label = dots.leading_zeros() as usize;
        let end = self.base.wrapping_add(end);
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
        let may_start = (inside != 0) & (is_open | has_tld | may_be_www(first)) & !is_part(before);
        (first_dot, may_start)
    }

    /// The same for a word of which more has to be looked at than one step knows.
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

    /// False for the dot of a host in an address that is spelled out, as most that are left are: `jo at a.example`.
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

    /// [`is_spelled_out`], of what is before the name at `name`.
    #[inline(always)]
    fn is_spelled_out(&self, before: &[u8], name: usize) -> bool {
        let last = name.wrapping_sub(b" at ".len() + 1);
        let length = (!self.block.names.up_to(last)).leading_zeros();
        let rest = before.clamped(..before.len().saturating_sub(b" at ".len() + length as usize));
        let goes_on = rest.last().is_some_and(|byte| matches!(byte, b'.' | b'_' | b'+'));
        if goes_on || !(1..BlockBits::KNOWN).contains(&length) {
            return is_spelled_out(before);
        }
        let inner = !(u64::MAX >> (length - 1));
        !self.block.letters.up_to(last) & inner != 0
            || rest.last().is_some_and(|sign| matches!(sign, b'<' | b':' | b'['))
            || rest.ends_with(b"From ")
            || rest.ends_with(b"From: ")
    }
}

/// Whether what these bytes end in makes a name that follows it a part of something longer.
#[inline(always)]
fn is_part(&[_, a, b, sign]: &[u8; 4]) -> bool {
    let is_path = (sign == b'/') & ((b != b'/') | (a == b':'));
    IS_SIGN.of(sign) | is_path
}

/// Whether `www`, perhaps with a digit, ends these bytes.
#[inline(always)]
fn may_be_www(before: &[u8; 4]) -> bool {
    const WWW: u32 = u32::from_le_bytes(*b"www\0");
    let before = u32::from_le_bytes(*before) | 0x2020_2020;
    (before >> 8 == WWW) | (before & 0x00FF_FFFF == WWW)
}

/// The first `count` bytes of a text, a vector at most, and zeros behind them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_first(bytes: &[u8], count: usize) -> __m512i {
    let count = count.min(bytes.len()).min(VECTOR);
    let known = if count > 0 { u64::MAX >> (VECTOR - count) } else { 0 };
    // SAFETY: of the bytes of a vector only those are read whose bits are set: the first `count`, which are there.
    unsafe { _mm512_maskz_loadu_epi8(known, bytes.as_ptr().cast()) }
}
