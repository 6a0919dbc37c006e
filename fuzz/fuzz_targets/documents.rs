#![no_main]

#[path = "../checks/documents.rs"]
mod check;
#[allow(dead_code, reason = "shared with mail")]
#[path = "../checks/parts.rs"]
mod parts;
#[path = "../text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|input: (u16, text::Text)| {
    let (at, text) = input;
    check::check(usize::from(at), text.bytes());
});
