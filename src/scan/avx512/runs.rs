//! Classifies the bytes of a run, 64 bytes per step.

use core::arch::x86_64::{_mm512_movepi8_mask, _mm512_or_si512, _mm512_slli_epi16};

use super::super::plain_bytes::{in_host, in_path};
use super::super::run_masks::RunMasks;
use super::table::{ByteLookup, table};
use super::{equals, load, load_some};

/// Not allowed in a host.
const HOST: u8 = 1 << 7;
/// Not allowed in a path.
const PATH: u8 = 1 << 6;

const fn lacking(byte: u8) -> u8 {
    let host = if in_host(byte) { 0 } else { HOST };
    let path = if in_path(byte) { 0 } else { PATH };
    host | path
}

const LACKING: ByteLookup = table!(lacking);

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub(super) fn masks(text: &[u8], at: usize) -> RunMasks {
    let rest = text.get(at..).unwrap_or_default();
    let bytes = match rest.first_chunk() {
        Some(bytes) => load(bytes),
        None => load_some(rest, rest.len()),
    };
    let lacking = LACKING.look_up(bytes);
    // A byte above ASCII is in neither class; its own sign says so.
    RunMasks {
        host: _mm512_movepi8_mask(_mm512_or_si512(lacking, bytes)),
        path: _mm512_movepi8_mask(_mm512_or_si512(_mm512_slli_epi16(lacking, 1), bytes)),
        hyphens: equals(bytes, b'-'),
    }
}
