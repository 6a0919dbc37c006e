//! Text for JavaScript: [`Output`].

use crate::utf16;

/// A text whose length in UTF-16 code units is known, so that JavaScript decodes it once and slices
/// it.
#[derive(Default)]
pub struct Output {
    text: String,
    units: usize,
}

/// Where a text stands in an [`Output`], in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub start: usize,
    pub length: usize,
}

impl Output {
    pub const fn new() -> Self {
        Self { text: String::new(), units: 0 }
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.units = 0;
    }

    pub fn set(&mut self, text: &str) {
        self.clear();
        self.push(text);
    }

    pub fn push(&mut self, text: &str) -> Place {
        let place = Place { start: self.units, length: utf16::units(text.as_bytes()) };
        self.text.push_str(text);
        self.units += place.length;
        place
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }
}
