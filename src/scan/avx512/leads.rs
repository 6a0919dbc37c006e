//! Finds possible candidates of other triggers than colons (D7). Each trigger has a bit, which is
//! looked up for a byte and for both its neighbours.

use core::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_mask_blend_epi8, _mm512_movepi8_mask, _mm512_set1_epi8,
    _mm512_test_epi8_mask,
};

use super::super::avx2;
use super::super::batch::CandidateBatch;
use super::super::trigger_set::TriggerSet;
use super::block::WantedTriggers;
use super::table::{ByteLookup, table};
use super::{colons, steps, words};
use crate::chunk::is_alphanumeric;

const COLON: u8 = 1;
const DOT: u8 = 2;
const AT: u8 = 4;
const BRACKET: u8 = 8;
/// Last letters of labels: `N` of `ISBN` and `ISSN`, `D_OR_V` of `PMID`, `ORCID`, and `arXiv`, and
/// `C` of `PMC`.
const N: u8 = 16;
const D_OR_V: u8 = 32;
const C: u8 = 64;
const LABELS: u8 = N | D_OR_V | C;

const BEFORE: ByteLookup = table!(before);
const HERE: ByteLookup = table!(here);
const AFTER: ByteLookup = table!(after);
/// Bits of bytes above ASCII, which the lookup cannot tell from ASCII.
const BEFORE_OTHERS: u8 = COLON | DOT | AT | BRACKET;
const AFTER_OTHERS: u8 = COLON | DOT | AT | LABELS;

const fn before(byte: u8) -> u8 {
    let label = if is_alphanumeric(byte) { DOT } else { 0 };
    let letter = match byte | 0x20 {
        b'b' | b's' => N,
        b'i' => D_OR_V,
        b'm' => C,
        _ => 0,
    };
    COLON | AT | BRACKET | label | letter
}

const fn here(byte: u8) -> u8 {
    match byte {
        b':' => COLON,
        b'.' => DOT,
        b'@' => AT,
        b'[' | b'(' | b'{' => BRACKET,
        b'n' | b'N' => N,
        b'd' | b'D' | b'v' | b'V' => D_OR_V,
        b'c' | b'C' => C,
        _ => 0,
    }
}

const fn after(byte: u8) -> u8 {
    // `key: value` has most colons of most texts.
    let colon = if byte == b' ' { 0 } else { COLON };
    let label = if is_alphanumeric(byte) { DOT | AT } else { 0 };
    let opens = match byte {
        b'.' | b'@' | b'd' | b'D' | b'a' | b'A' => BRACKET,
        _ => 0,
    };
    // `ISBNs` is a label too.
    let continues = byte.is_ascii_alphabetic() && byte | 0x20 != b's';
    let ends = if continues { 0 } else { LABELS };
    colon | label | opens | ends
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn fill(haystack: &[u8], leads: TriggerSet, batch: &mut CandidateBatch) {
    if leads.other_dots {
        return avx2::leads::fill(haystack, leads, batch);
    }
    let wanted = _mm512_set1_epi8(wanted(leads) as i8);
    match leads {
        // The loop over words finds hosts. It does not know brackets, which need other colons.
        // Identifiers use it only together with addresses, that is, for mail: in code most dots are
        // refused at once, so its fixed cost does not pay.
        TriggerSet { plain_colons: true, hosts: true, later_dots, at, .. }
            if !later_dots || at == b'@' =>
        {
            let wanted = WantedTriggers { ats: at == b'@', identifiers: later_dots };
            words::fill(haystack, wanted, batch);
        }
        TriggerSet { plain_colons: true, .. } => {
            steps::fill(haystack, batch, |before, here, after| {
                worth(wanted, before, here, after) | colons::worth(before, here, after)
            })
        }
        _ => steps::fill(haystack, batch, |before, here, after| worth(wanted, before, here, after)),
    }
}

fn wanted(leads: TriggerSet) -> u8 {
    let kinds = [
        (!leads.plain_colons, COLON),
        (leads.dot == b'.', DOT),
        (leads.at == b'@', AT),
        (leads.brackets, BRACKET),
        (leads.labels, LABELS),
    ];
    kinds.into_iter().filter(|(is_wanted, _)| *is_wanted).fold(0, |all, (_, kind)| all | kind)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn worth(wanted: __m512i, before: __m512i, here: __m512i, after: __m512i) -> u64 {
    let others = _mm512_movepi8_mask(here);
    let here = _mm512_and_si512(HERE.look_up(here), wanted);
    let around = _mm512_and_si512(
        with_others(BEFORE.look_up(before), before, BEFORE_OTHERS),
        with_others(AFTER.look_up(after), after, AFTER_OTHERS),
    );
    _mm512_test_epi8_mask(here, around) & !others
}

/// Replaces what was looked up by `others` for all bytes above ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn with_others(found: __m512i, bytes: __m512i, others: u8) -> __m512i {
    _mm512_mask_blend_epi8(_mm512_movepi8_mask(bytes), found, _mm512_set1_epi8(others as i8))
}
