//! The state behind the exported functions: [`Engine`].

use finder::Finder;
use finder::linkify::Linkifier;

use crate::output::Output;
use crate::{find, options};

/// Input, finders, and what the last call left.
///
/// Buffers are kept between calls, so that a page that calls often does not allocate. The caller
/// drops the whole instance when they have grown large: WebAssembly cannot give memory back.
#[derive(Default)]
pub struct Engine {
    input: Vec<u8>,
    finders: Vec<Option<Finder>>,
    records: Vec<u32>,
    output: Output,
}

impl Engine {
    pub const fn new() -> Self {
        Self { input: Vec::new(), finders: Vec::new(), records: Vec::new(), output: Output::new() }
    }

    pub fn input(&mut self, length: usize) -> *mut u8 {
        if self.input.len() < length {
            self.input.resize(length, 0);
        }
        self.input.as_mut_ptr()
    }

    pub fn records(&self) -> &[u32] {
        &self.records
    }

    pub fn output(&self) -> &[u8] {
        self.output.as_bytes()
    }

    pub fn names(&mut self) {
        self.output.set(&find::names());
    }

    pub fn finder_new(&mut self, length: usize) -> i32 {
        let finder = match options::finder(text(&self.input, 0, length)) {
            Ok(finder) => finder,
            Err(message) => {
                self.output.set(&message);
                return -1;
            }
        };
        let free = self.finders.iter().position(Option::is_none);
        let at = free.unwrap_or_else(|| {
            self.finders.push(None);
            self.finders.len() - 1
        });
        if let Some(slot) = self.finders.get_mut(at) {
            *slot = Some(finder);
        }
        i32::try_from(at).unwrap_or(-1)
    }

    pub fn finder_free(&mut self, handle: usize) {
        if let Some(slot) = self.finders.get_mut(handle) {
            *slot = None;
        }
    }

    pub fn finder_needs_colon(&self, handle: usize) -> bool {
        by_handle(&self.finders, handle).is_some_and(Finder::needs_colon)
    }

    pub fn find(&mut self, handle: usize, length: usize) -> usize {
        let Self { input, finders, records, output } = self;
        records.clear();
        output.clear();
        if let Some(finder) = by_handle(finders, handle) {
            find::find(finder, bytes(input, 0, length), records, output);
        }
        records.len() / find::WORDS
    }

    pub fn test(&self, handle: usize, length: usize) -> bool {
        let finder = by_handle(&self.finders, handle);
        finder.is_some_and(|finder| finder.is_match(bytes(&self.input, 0, length)))
    }

    /// `lengths` are those of `rel`, of the names of schemes, and of the whole input.
    pub fn linkify(&mut self, handle: usize, lengths: [usize; 3]) {
        let [rel, schemes, length] = lengths;
        let input = &self.input;
        let names = text(input, rel, rel + schemes).split(',').filter(|name| !name.is_empty());
        let Some(finder) = by_handle(&self.finders, handle) else {
            return;
        };
        let linkifier =
            Linkifier::new().finder(finder.clone()).schemes(names).rel(text(input, 0, rel));
        self.output.set(&linkifier.to_html(text(input, rel + schemes, length)));
    }

    /// Leaves the answer to the input.
    pub fn answer(&mut self, length: usize, answer: impl FnOnce(&str) -> String) {
        self.output.set(&answer(text(&self.input, 0, length)));
    }

    /// Leaves the answer of a finder to the input.
    pub fn answer_by(
        &mut self,
        handle: usize,
        length: usize,
        answer: impl FnOnce(&Finder, &[u8]) -> String,
    ) {
        if let Some(finder) = by_handle(&self.finders, handle) {
            self.output.set(&answer(finder, bytes(&self.input, 0, length)));
        }
    }
}

fn by_handle(finders: &[Option<Finder>], handle: usize) -> Option<&Finder> {
    finders.get(handle)?.as_ref()
}

/// Returns a part of the input, in which half a surrogate pair is not UTF-8.
fn bytes(input: &[u8], start: usize, end: usize) -> &[u8] {
    input.get(start..end).unwrap_or_default()
}

/// Returns a part of the input that JavaScript encoded, so it is UTF-8; anything else would be a
/// bug on the other side, and reads as an empty text.
fn text(input: &[u8], start: usize, end: usize) -> &str {
    str::from_utf8(bytes(input, start, end)).unwrap_or_default()
}
