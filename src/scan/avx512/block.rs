//! Classifies the bytes of a block for the search of words, one bit each, and finds possible
//! candidates by arithmetic on the bits of eight vectors at once.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi64, _mm512_alignr_epi64, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_cmpeq_epi64_mask, _mm512_cmplt_epu64_mask, _mm512_loadu_si512,
    _mm512_mask_add_epi64, _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8,
    _mm512_set1_epi64, _mm512_setzero_si512, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_storeu_si512, _mm512_test_epi8_mask,
};

use super::super::colon::kinds_after;
use super::super::dotted_name::is_label;
use super::table::{ByteLookup, table};
use super::{VECTOR, equals};
use crate::chunk::is_alphanumeric;

/// Vectors per block: a row of a thousand bytes.
pub(super) const MAX_VECTORS: usize = 16;
/// Vectors whose bits are processed at once.
pub(super) const LANES: usize = 8;

/// Triggers to find besides colons and dots.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedTriggers {
    pub ats: bool,
    /// Last letters of labels, and dots of DOIs.
    pub identifiers: bool,
}

/// The sign of a byte, which one instruction moves into a mask.
const LETTER: u8 = 0x80;
/// Becomes the sign when doubled once or twice.
const ALPHANUMERIC: u8 = 0x40;
const LABEL: u8 = 0x20;
/// May follow the colon of a scheme.
const FOLLOWS: u8 = 4;
/// The last three letters of `ISBN` and `ISSN`, in any order, and the `10` of a DOI.
const BOOK: u8 = 8;
/// The last three letters of `PMID`, `PMCID`, `PMC`, `ORCID`, and `arXiv`, in any order.
const PAPER: u8 = 16;

const KIND: ByteLookup = table!(kind);

const fn kind(byte: u8) -> u8 {
    let letter = if byte.is_ascii_alphabetic() { LETTER } else { 0 };
    let alphanumeric = if is_alphanumeric(byte) { ALPHANUMERIC } else { 0 };
    let label = if is_label(byte) { LABEL } else { 0 };
    let follows = if kinds_after(byte) != 0 { FOLLOWS } else { 0 };
    let identifier = match byte.to_ascii_lowercase() {
        b's' | b'b' | b'n' | b'1' | b'0' => BOOK,
        b'm' | b'c' | b'x' | b'i' | b'd' | b'v' | b'p' => PAPER,
        _ => 0,
    };
    letter | alphanumeric | label | follows | identifier
}

/// Bits of the vector before a block, of its vectors, and of the one after it.
type VectorRow = [u64; 1 + MAX_VECTORS + 1];

/// The class of each byte of a block, regardless of its neighbours.
pub(super) struct BlockBytes {
    /// Bytes above ASCII. The lookup gives them the bits of other bytes, so these bits must be
    /// masked out.
    others: VectorRow,
    labels: VectorRow,
    letters: VectorRow,
    alphanumeric: VectorRow,
    follows: VectorRow,
    full_stops: VectorRow,
    colons: VectorRow,
    slashes: VectorRow,
    ats: VectorRow,
    books: VectorRow,
    papers: VectorRow,
}

impl BlockBytes {
    pub const NONE: Self = {
        let none = [0; 1 + MAX_VECTORS + 1];
        Self {
            others: none,
            labels: none,
            letters: none,
            alphanumeric: none,
            follows: none,
            full_stops: none,
            colons: none,
            slashes: none,
            ats: none,
            books: none,
            papers: none,
        }
    };

    /// Sets the bits of a vector; number 0 is the one before the block.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub fn set<const IDENTIFIERS: bool>(&mut self, vector: usize, bytes: __m512i) {
        let kinds = KIND.look_up(bytes);
        let are = |kind: u8| _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(kind as i8));
        let set = |row: &mut VectorRow, bits| {
            if let Some(place) = row.get_mut(vector) {
                *place = bits;
            }
        };
        // Moving a sign runs on another execution port than tests and compares, and those are the
        // busier ones. So three of the classes are read as signs.
        let twice = _mm512_add_epi16(kinds, kinds);
        let four_times = _mm512_add_epi16(twice, twice);
        set(&mut self.others, _mm512_movepi8_mask(bytes));
        set(&mut self.labels, _mm512_movepi8_mask(four_times));
        set(&mut self.letters, _mm512_movepi8_mask(kinds));
        set(&mut self.alphanumeric, _mm512_movepi8_mask(twice));
        set(&mut self.follows, are(FOLLOWS));
        set(&mut self.full_stops, equals(bytes, b'.'));
        set(&mut self.colons, equals(bytes, b':'));
        set(&mut self.slashes, equals(bytes, b'/'));
        set(&mut self.ats, equals(bytes, b'@'));
        if IDENTIFIERS {
            set(&mut self.books, are(BOOK));
            set(&mut self.papers, are(PAPER));
        }
    }

    /// True if the block contains a byte above ASCII.
    #[inline(always)]
    fn have_others(&self) -> bool {
        self.others.iter().fold(0, |any, others| any | others) != 0
    }

    /// Marks the byte at `at` of the block as a possible byte of a label.
    #[inline(always)]
    pub fn set_edge(&mut self, at: usize) {
        if let Some(place) = self.alphanumeric.get_mut(1 + at / VECTOR) {
            *place |= 1 << (at % VECTOR);
        }
    }
}

/// One bit for each byte of a block, preceded by zeros.
pub(super) struct BlockBits([[u8; 8]; 1 + MAX_VECTORS]);

impl BlockBits {
    /// Minimum number of known bits up to and including any bit.
    pub const KNOWN: u32 = 57;
    const NONE: Self = Self([[0; 8]; 1 + MAX_VECTORS]);

    /// Returns the bits up to `last`, which becomes the highest bit.
    #[inline(always)]
    pub fn up_to(&self, last: usize) -> u64 {
        let bits = self.0.as_flattened().get(1 + last / 8..);
        let bits = bits.and_then(|bits| bits.first_chunk()).copied().unwrap_or_default();
        u64::from_le_bytes(bits) << (7 - last % 8)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn set(&mut self, first: usize, bits: __m512i) {
        let place = self.0.as_flattened_mut().get_mut(8 * (1 + first)..);
        if let Some(place) = place.and_then(|place| place.first_chunk_mut::<VECTOR>()) {
            // SAFETY: `place` is as long as a vector, and the store needs no alignment.
            unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), bits) }
        }
    }
}

/// The class of each byte of a block, given its neighbours.
pub(super) struct Block512 {
    /// Labels and the dots between them.
    pub names: BlockBits,
    pub dots: BlockBits,
    pub letters: BlockBits,
    /// Bytes directly after words that may be hosts.
    pub ends: [u64; MAX_VECTORS],
    /// Colons, `@`s, possible identifiers, and later the dots of hosts.
    pub signs: [u64; MAX_VECTORS],
}

impl Block512 {
    pub const NONE: Self = Self {
        names: BlockBits::NONE,
        dots: BlockBits::NONE,
        letters: BlockBits::NONE,
        ends: [0; MAX_VECTORS],
        signs: [0; MAX_VECTORS],
    };

    /// Processes the eight vectors from `first` on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn step<const IDENTIFIERS: bool>(
        &mut self,
        bytes: &BlockBytes,
        first: usize,
        ats: bool,
        before: &mut PreviousBlock,
    ) {
        let here = |row: &VectorRow| lanes(row, 1 + first);
        let behind = |row: &VectorRow| lanes(row, 2 + first);
        let top = _mm512_set1_epi64(i64::MIN);
        let others = here(&bytes.others);
        let labels = without(here(&bytes.labels), others);
        let letters = without(here(&bytes.letters), others);
        let edges = or(here(&bytes.alphanumeric), others);
        let edges_after = next(edges, or(behind(&bytes.alphanumeric), behind(&bytes.others)));
        let edges_before = previous(edges, shifted_in(edges, before.edges));
        let dots = and(here(&bytes.full_stops), and(edges_before, edges_after));
        // A top-level domain neither starts with a digit nor has a single character. In a block
        // with non-ASCII text, digits are allowed, because they may start a label in another
        // script.
        let after_dots = previous(dots, shifted_in(dots, before.dots));
        // The bit that follows the last of a lane is in another lane. Here and below it is assumed
        // to be set, which can only add candidates.
        let long = or(_mm512_srli_epi64::<1>(or(labels, others)), top);
        let starts = if bytes.have_others() { labels } else { letters };
        let worthy = and(after_dots, and(starts, long));
        // Adding 1 at the first bit of a label carries through its ones to the bit after it. So one
        // addition finds the end of every last label, without a loop over words.
        let (sum, continues) = add(labels, worthy, before.worthy);
        // The last number of an address is a candidate if a port or a path follows (D7).
        let digits = without(without(edges, others), letters);
        let numbers = and(after_dots, digits);
        let (number_ends, number_continues) = add(labels, numbers, before.number);
        let is_followed = or(here(&bytes.colons), here(&bytes.slashes));
        let number_ends = and(without(number_ends, labels), is_followed);
        // The ends of last labels, and text of another script directly after a dot, about which
        // only the rules can decide.
        let ends = or(without(without(sum, labels), dots), and(after_dots, others));
        let ends = or(ends, number_ends);
        // Takes fewer steps than `colons::worth`, at the price of a few more candidates. Drops
        // colons before a digit that no letter precedes.
        let digits_after = _mm512_srli_epi64::<1>(digits);
        let letters_before = or(_mm512_slli_epi64::<1>(letters), _mm512_set1_epi64(1));
        let follows = or(_mm512_srli_epi64::<1>(without(here(&bytes.follows), others)), top);
        let colons =
            without(and(here(&bytes.colons), follows), without(digits_after, letters_before));
        let mut signs = colons;
        if ats {
            signs = or(signs, and(here(&bytes.ats), edges_after));
        }
        if IDENTIFIERS {
            // All of the last three bytes must have the class.
            let all = |row: &VectorRow| {
                let (here, before) = (here(row), lanes(row, first));
                let one = or(_mm512_slli_epi64::<1>(here), _mm512_srli_epi64::<63>(before));
                let two = or(_mm512_slli_epi64::<2>(here), _mm512_srli_epi64::<62>(before));
                (here, and(one, two))
            };
            let ((book, books), (paper, papers)) = (all(&bytes.books), all(&bytes.papers));
            // `ISBNs` is a label too; its `s` has the class of books.
            let other_letters_after =
                without(behind(&bytes.letters), or(behind(&bytes.others), behind(&bytes.books)));
            let letters_after = next(without(letters, book), other_letters_after);
            let found = and(letters, or(and(book, books), and(paper, papers)));
            let dois = and(here(&bytes.full_stops), and(books, edges_after));
            signs = or(signs, or(without(found, letters_after), dois));
        }
        *before = PreviousBlock { edges, dots, worthy: continues, number: number_continues };
        self.names.set(first, or(labels, dots));
        self.dots.set(first, dots);
        self.letters.set(first, letters);
        store(&mut self.ends, first, ends);
        store(&mut self.signs, first, signs);
    }

    /// Marks the byte at `at` as a candidate.
    #[inline(always)]
    pub fn add_sign(&mut self, at: usize) {
        if let Some(signs) = self.signs.get_mut(at / VECTOR) {
            *signs |= 1 << (at % VECTOR);
        }
    }
}

/// Ends of the eight vectors before the current ones.
pub(super) struct PreviousBlock {
    edges: __m512i,
    dots: __m512i,
    /// 1 if a last label that may be a top-level domain continues.
    worthy: u16,
    /// The same for the last number of an address.
    number: u16,
}

impl PreviousBlock {
    /// Returns the state before the first vectors of a block.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn before(bytes: &BlockBytes) -> Self {
        let edges = or(lanes(&bytes.alphanumeric, 0), lanes(&bytes.others, 0));
        // Rotates the first lane to the last
        let edges = _mm512_alignr_epi64::<1>(edges, edges);
        Self { edges, dots: _mm512_setzero_si512(), worthy: 0, number: 0 }
    }
}

/// Adds pairs of lanes with carry from lane to lane, and returns the carry out of the last one.
/// AVX-512 has no such addition, so the carries are computed as a mask.
#[inline]
#[target_feature(enable = "avx512f")]
fn add(a: __m512i, b: __m512i, carried: u16) -> (__m512i, u16) {
    let sum = _mm512_add_epi64(a, b);
    let carries = u16::from(_mm512_cmplt_epu64_mask(sum, a)) << 1 | carried;
    // A carry into a lane of all ones passes through it. Adding the masks as integers lets carries
    // pass through any number of such lanes.
    let full = u16::from(_mm512_cmpeq_epi64_mask(sum, _mm512_set1_epi64(-1)));
    let into = full + (carries & 0xFF);
    let sum = _mm512_mask_add_epi64(sum, (into ^ full) as u8, sum, _mm512_set1_epi64(1));
    (sum, (carries | into) >> 8)
}

/// Returns the lanes before those of `here`: the last one of `before`, then all but the last one of
/// `here`.
#[inline]
#[target_feature(enable = "avx512f")]
fn shifted_in(here: __m512i, before: __m512i) -> __m512i {
    _mm512_alignr_epi64::<7>(here, before)
}

/// Returns the preceding bit of each bit.
#[inline]
#[target_feature(enable = "avx512f")]
fn previous(here: __m512i, before: __m512i) -> __m512i {
    or(_mm512_slli_epi64::<1>(here), _mm512_srli_epi64::<63>(before))
}

/// Returns the following bit of each bit.
#[inline]
#[target_feature(enable = "avx512f")]
fn next(here: __m512i, behind: __m512i) -> __m512i {
    or(_mm512_srli_epi64::<1>(here), _mm512_slli_epi64::<63>(behind))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn and(a: __m512i, b: __m512i) -> __m512i {
    _mm512_and_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn or(a: __m512i, b: __m512i) -> __m512i {
    _mm512_or_si512(a, b)
}

/// Returns the bits of `a` that are not in `b`.
#[inline]
#[target_feature(enable = "avx512f")]
fn without(a: __m512i, b: __m512i) -> __m512i {
    _mm512_andnot_si512(b, a)
}

/// Returns the bits of eight vectors from `first` on.
#[inline]
#[target_feature(enable = "avx512f")]
fn lanes(row: &VectorRow, first: usize) -> __m512i {
    match row.get(first..).and_then(|row| row.first_chunk::<LANES>()) {
        // SAFETY: `lanes` is as long as a vector, and the load needs no alignment.
        Some(lanes) => unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) },
        None => _mm512_setzero_si512(),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(row: &mut [u64; MAX_VECTORS], first: usize, bits: __m512i) {
    if let Some(place) = row.get_mut(first..).and_then(|row| row.first_chunk_mut::<LANES>()) {
        // SAFETY: `place` is as long as a vector, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), bits) }
    }
}
