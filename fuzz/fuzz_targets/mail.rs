#![no_main]

#[path = "../checks/mail.rs"]
mod check;
#[path = "../checks/maps.rs"]
mod maps;
#[path = "../message.rs"]
mod message;
#[path = "../checks/parts.rs"]
mod parts;
#[path = "../text.rs"]
mod text;

use arbitrary::{Arbitrary, Unstructured};

/// As in a text, the first byte of the seeds is even, and the others are the text.
#[derive(Debug)]
enum Mail {
    Text(text::Text),
    Kept(message::Entity, Vec<(u16, u8)>),
}

libfuzzer_sys::fuzz_target!(|input: (u16, Mail)| {
    let at = usize::from(input.0);
    match input.1 {
        Mail::Text(text) => check::check(at, text.bytes()),
        Mail::Kept(entity, damage) => {
            let mut written = entity.written();
            check::check_kept(&written.bytes, &written.uris);
            for (at, byte) in damage {
                let at = usize::from(at) % written.bytes.len();
                written.bytes[at] = byte;
            }
            check::check(at, &written.bytes);
        }
    }
});

impl<'a> Arbitrary<'a> for Mail {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(match u8::arbitrary(u)? % 2 {
            0 => Self::Text(u.arbitrary()?),
            _ => Self::Kept(u.arbitrary()?, u.arbitrary()?),
        })
    }
}
