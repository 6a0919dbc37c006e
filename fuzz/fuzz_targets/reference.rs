#![no_main]

#[path = "../checks/reference.rs"]
mod check;
#[path = "../text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|input: (text::Text, text::Text)| {
    let (base, reference) = (input.0.bytes(), input.1.bytes());
    if let (Ok(base), Ok(reference)) = (std::str::from_utf8(&base), std::str::from_utf8(&reference)) {
        check::check(base, reference);
    }
});
