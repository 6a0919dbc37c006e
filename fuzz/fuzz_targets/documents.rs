#![no_main]

#[path = "../checks/documents.rs"]
mod check;
#[path = "../text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|input: (u16, text::Text)| {
    let (at, text) = input;
    check::check(usize::from(at), &text.bytes());
});
