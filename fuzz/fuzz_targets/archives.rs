#![no_main]

#[path = "../checks/archives.rs"]
mod check;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/support/pack.rs"]
mod pack;

use arbitrary::{Arbitrary, Unstructured};

/// As in a text, the first byte of the seeds is even; the second says how the file is called, the
/// others are in it.
#[derive(Debug)]
enum Archive<'a> {
    Bytes(u8, &'a [u8]),
    Packed(Packed<'a>),
}

#[derive(Arbitrary, Debug)]
struct Packed<'a> {
    packing: u8,
    gzipped: u8,
    cut: u16,
    damage: Vec<(u16, u8)>,
    texts: Vec<&'a [u8]>,
}

libfuzzer_sys::fuzz_target!(|input: Archive<'_>| {
    match input {
        Archive::Bytes(name, bytes) => check::check(name, bytes),
        Archive::Packed(packed) => {
            let packing =
                check::Packing::ALL[usize::from(packed.packing) % check::Packing::ALL.len()];
            let Packed { gzipped, cut, texts, damage, .. } = packed;
            check::check_packed(packing, gzipped, &texts, cut.into(), &damage);
        }
    }
});

impl<'a> Arbitrary<'a> for Archive<'a> {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(match u8::arbitrary(u)? % 2 {
            0 => Self::Bytes(u.arbitrary()?, u.bytes(u.len())?),
            _ => Self::Packed(u.arbitrary()?),
        })
    }
}
