//! What `urigrep/lite` does without: reasons, and functions on one URI.

mod explain;
mod reference;

use crate::engine;

/// Leaves matches, rejected candidates, and the rules that decided them.
#[unsafe(no_mangle)]
pub extern "C" fn explain(finder: usize, length: usize) {
    engine().answer_by(finder, length, explain::explain);
}

/// Leaves the components of the URI reference in the input.
#[unsafe(no_mangle)]
pub extern "C" fn parse(length: usize) {
    engine().answer(length, reference::parse);
}

/// Leaves the normal form of the URI in the input.
#[unsafe(no_mangle)]
pub extern "C" fn normalize(length: usize) {
    engine().answer(length, reference::normalize);
}

/// Leaves what the second part of the input refers to if the first one, of `base` bytes, is the
/// base URI.
#[unsafe(no_mangle)]
pub extern "C" fn resolve(base: usize, length: usize) {
    engine().answer(length, |text| {
        let (base, reference) = text.split_at_checked(base).unwrap_or((text, ""));
        reference::resolve(base, reference)
    });
}

/// Leaves the input without secrets.
#[unsafe(no_mangle)]
pub extern "C" fn redact(length: usize) {
    engine().answer(length, |text| finder::redact_text(text).into_owned());
}
