#![no_main]

#[path = "../checks/reference.rs"]
mod check;
#[path = "../text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|text: text::Text| {
    if let Ok(text) = std::str::from_utf8(text.bytes()) {
        // neither has a line break
        let (base, reference) = text.split_once('\n').unwrap_or((text, ""));
        check::check(base, reference);
    }
});
