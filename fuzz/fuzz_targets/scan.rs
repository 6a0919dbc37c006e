#![no_main]

#[path = "../checks/scan.rs"]
mod check;
#[path = "../text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|input: (u16, u8, text::Text)| {
    let (choice, cut, text) = input;
    check::check(choice, usize::from(cut), text.bytes());
});
