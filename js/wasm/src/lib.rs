//! The library for JavaScript: functions with C names over one input and two outputs.
//!
//! `js/src/engine.js` is the other side of this border. It writes a text to the address that
//! [`input`] returns, calls one of the other functions, and reads what they left: the numbers at
//! [`records`], and the text at [`output`]. All offsets count UTF-16 code units, as JavaScript
//! does. What a page calls often (`find`) answers in numbers, because a string is made from them
//! only where its text differs from the searched one. Everything else answers in JSON.
//!
//! No function has undefined behaviour for any argument: handles are indices, lengths are checked.
//! So nothing here is unsafe but the C names themselves.
//!
//! With `--cfg urigrep_lite`, this is the module of `urigrep/lite`, which does without `full` and
//! what the library leaves out then.

#![cfg_attr(not(test), deny(clippy::expect_used, clippy::panic, clippy::unwrap_used))]
#![cfg_attr(urigrep_lite, allow(dead_code, reason = "`full` is the only caller of some"))]
#![allow(unsafe_code, reason = "the names of exported functions must be unique in a program")]

mod engine;
mod find;
#[cfg(not(urigrep_lite))]
mod full;
mod json;
mod options;
mod output;
mod utf16;

use std::sync::{Mutex, MutexGuard, PoisonError};

use engine::Engine;

static ENGINE: Mutex<Engine> = Mutex::new(Engine::new());

fn engine() -> MutexGuard<'static, Engine> {
    ENGINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the address of the input, at which the caller may write `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    engine().input(length)
}

/// Returns the address of the numbers that the last call left.
#[unsafe(no_mangle)]
pub extern "C" fn records() -> *const u32 {
    engine().records().as_ptr()
}

/// Returns the address of the text that the last call left; UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    engine().output().as_ptr()
}

/// Returns the length of that text in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    engine().output().len()
}

/// Leaves the names of kinds and flags, in the order of their numbers.
#[unsafe(no_mangle)]
pub extern "C" fn names() {
    engine().names();
}

/// Builds a finder from the options in the input, one per line. Returns its handle, or -1 and
/// leaves a message.
#[unsafe(no_mangle)]
pub extern "C" fn finder_new(length: usize) -> i32 {
    engine().finder_new(length)
}

/// Frees a finder.
#[unsafe(no_mangle)]
pub extern "C" fn finder_free(finder: usize) {
    engine().finder_free(finder);
}

/// Returns 1 if no text without a colon has a match, so that the caller need not copy it.
#[unsafe(no_mangle)]
pub extern "C" fn finder_needs_colon(finder: usize) -> u32 {
    engine().finder_needs_colon(finder).into()
}

/// Finds the URIs of the input. Returns their number, and leaves [`find::WORDS`] numbers for each.
#[unsafe(no_mangle)]
pub extern "C" fn find(finder: usize, length: usize) -> usize {
    engine().find(finder, length)
}

/// Returns 1 if the input has a match.
#[unsafe(no_mangle)]
pub extern "C" fn test(finder: usize, length: usize) -> u32 {
    engine().test(finder, length).into()
}

/// Leaves the input as HTML. It starts with the value of `rel` and the names of the schemes, whose
/// lengths are `rel` and `schemes`.
#[unsafe(no_mangle)]
pub extern "C" fn linkify(finder: usize, rel: usize, schemes: usize, length: usize) {
    engine().linkify(finder, [rel, schemes, length]);
}
