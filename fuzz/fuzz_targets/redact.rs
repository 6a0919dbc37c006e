#![no_main]

#[path = "../checks/redact.rs"]
mod check;
#[path = "../text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|text: text::Text| {
    if let Ok(text) = std::str::from_utf8(text.bytes()) {
        check::check(text);
    }
});
