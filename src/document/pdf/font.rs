//! Fonts: the text and the width of the codes in strings (ISO 32000-2, 9.6, 9.7, 9.10).

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::rc::Rc;

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};
use hayro_cmap::{BfString, CMap};
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};

use super::glyphs::{GlyphText, standard_width, text_of_glyph_name};
use super::stream::decoded;
use crate::hash::HashMap;
use crate::slice::lossy;

/// Codes of fonts with two bytes; larger ranges are clamped.
const MAX_CODES: usize = 1 << 16;
/// Entries of an array of widths that are read.
const MAX_WIDTHS: usize = 1 << 17;
/// Most bytes of dictionaries and tables of all fonts that are read, and the bytes that each width
/// counts as. Reading that much takes about four seconds. In tests, which are not optimized, it is
/// less.
const MAX_WORK: usize = if cfg!(test) { 8 << 20 } else { 512 << 20 };
const WIDTH_WORK: usize = 8;

/// A font.
pub(super) struct Font {
    /// The text of codes, by the font itself.
    unicode: Option<CMap>,
    /// The text of codes of one byte, by the names of their glyphs.
    names: HashMap<u32, GlyphText>,
    /// The text of the other codes of one byte.
    encoding: Option<&'static Encoding>,
    widths: HashMap<u32, f32>,
    default_width: Option<f32>,
    /// Name of a standard font, whose widths are known.
    name: String,
    /// Bytes of a code.
    pub code_bytes: usize,
    /// Identifies the font by its name: a page may have one face as several fonts.
    pub face: u32,
}

/// Fonts that were read, by object.
pub(super) struct Fonts {
    known: HashMap<(u32, i32), Rc<Font>>,
    budget: FontBudget,
}

impl Default for Fonts {
    fn default() -> Self {
        Self { known: HashMap::default(), budget: FontBudget(MAX_WORK) }
    }
}

impl Fonts {
    /// True if the total size of the fonts was too large, so that some were not read.
    pub const fn is_spent(&self) -> bool {
        self.budget.0 == 0
    }

    /// Returns a font; `None` once the fonts of the file are too large together.
    pub fn get(&mut self, dictionary: &Dict<'_>) -> Option<Rc<Font>> {
        // To look up a font, the library passes over its dictionary.
        self.budget.spend(dictionary.data().len())?;
        let key = dictionary
            .obj_id()
            .map(|ObjectIdentifier { obj_number, gen_number, .. }| (obj_number, gen_number));
        if let Some(font) = key.and_then(|key| self.known.get(&key)) {
            return Some(Rc::clone(font));
        }
        let font = Rc::new(Font::new(dictionary, &mut self.budget));
        if let Some(key) = key {
            self.known.insert(key, Rc::clone(&font));
        }
        Some(font)
    }
}

/// The work that the fonts of a file may still cause, in bytes. Without it, fonts that share their
/// widths or their table of characters would take quadratic time.
struct FontBudget(usize);

impl FontBudget {
    fn spend(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.saturating_sub(bytes);
        (self.0 > 0).then_some(())
    }
}

impl Font {
    fn new(dictionary: &Dict<'_>, budget: &mut FontBudget) -> Self {
        let kind = dictionary.get::<Name<'_>>(b"Subtype");
        // Codes of composite fonts may have any length (9.7.6.2). Nearly all writers use two bytes.
        let is_composite = kind.is_some_and(|kind| kind.as_ref() == b"Type0");
        let unicode = dictionary.get::<Stream<'_>>(b"ToUnicode");
        let unicode = unicode.and_then(|stream| decoded(&stream));
        let unicode = unicode.filter(|it| budget.spend(it.bytes.len()).is_some());
        let unicode = unicode.and_then(|it| CMap::parse(&it.bytes, |_| None));
        let name = dictionary.get::<Name<'_>>(b"BaseFont");
        let name = name.map(|name| lossy(name.as_ref()).into_owned()).unwrap_or_default();
        let mut font = Self {
            unicode,
            names: HashMap::default(),
            encoding: None,
            widths: HashMap::default(),
            default_width: None,
            face: face(&name),
            name,
            code_bytes: if is_composite { 2 } else { 1 },
        };
        if is_composite {
            font.read_composite(dictionary, budget);
        } else {
            font.read_simple(dictionary);
        }
        font
    }

    fn read_simple(&mut self, dictionary: &Dict<'_>) {
        // Widths start at this code (9.6.2).
        let first = dictionary.get::<i32>(b"FirstChar").unwrap_or_default();
        if let Some(widths) = dictionary.get::<Array<'_>>(b"Widths") {
            // Codes of simple fonts have one byte.
            for (code, width) in (first..).zip(widths.iter::<f32>().take(256)) {
                if let Ok(code) = u32::try_from(code) {
                    self.widths.insert(code, width);
                }
            }
        }
        // Glyphs of Type 3 fonts have widths in units of their own; most are thousandths.
        if let Some(matrix) = dictionary.get::<Array<'_>>(b"FontMatrix") {
            let scale = matrix.iter::<f32>().next().unwrap_or(0.001) * 1000.;
            for width in self.widths.values_mut() {
                *width *= scale;
            }
        }
        let descriptor = dictionary.get::<Dict<'_>>(b"FontDescriptor");
        self.default_width = descriptor.and_then(|it| it.get::<f32>(b"MissingWidth"));
        // A name is a whole encoding; a dictionary has a base and differences from it (9.6.5).
        if let Some(name) = dictionary.get::<Name<'_>>(b"Encoding") {
            self.encoding = encoding(name.as_ref());
            return;
        }
        let Some(encoding) = dictionary.get::<Dict<'_>>(b"Encoding") else { return };
        let base = encoding.get::<Name<'_>>(b"BaseEncoding");
        self.encoding = base.and_then(|name| self::encoding(name.as_ref()));
        let Some(differences) = encoding.get::<Array<'_>>(b"Differences") else { return };
        let mut code = 0;
        for entry in differences.iter::<Object<'_>>().take(1024) {
            match entry {
                Object::Number(number) => code = u32::try_from(number.as_i64()).unwrap_or_default(),
                Object::Name(name) => {
                    if let Some(text) = text_of_glyph_name(name.as_ref()) {
                        self.names.insert(code, text);
                    }
                    code = code.saturating_add(1);
                }
                _ => {}
            }
        }
    }

    fn read_composite(&mut self, dictionary: &Dict<'_>, budget: &mut FontBudget) {
        let descendants = dictionary.get::<Array<'_>>(b"DescendantFonts");
        let Some(descendant) = descendants.and_then(|it| it.iter::<Dict<'_>>().next()) else {
            return;
        };
        // The standard's default is 1000 (9.7.4.3).
        self.default_width = Some(descendant.get::<f32>(b"DW").unwrap_or(1000.));
        let Some(widths) = descendant.get::<Array<'_>>(b"W") else { return };
        // `c [w w …]`, or `first last w`.
        let mut pending = Vec::new();
        for entry in widths.iter::<Object<'_>>().take(MAX_WIDTHS) {
            match entry {
                Object::Array(list) => {
                    let first = pending.last().copied().unwrap_or(0.) as u32;
                    for (code, width) in (first..).zip(list.iter::<f32>().take(MAX_CODES)) {
                        if budget.spend(WIDTH_WORK).is_none() {
                            return;
                        }
                        self.set_width(code, width);
                    }
                    pending.clear();
                }
                Object::Number(number) => pending.push(number.as_f32()),
                _ => {}
            }
            if let [first, last, width] = *pending.as_slice() {
                let last = (last as u32).min(MAX_CODES as u32);
                for code in first as u32..=last {
                    if budget.spend(WIDTH_WORK).is_none() {
                        return;
                    }
                    self.set_width(code, width);
                }
                pending.clear();
            }
        }
    }

    fn set_width(&mut self, code: u32, width: f32) {
        if self.widths.len() < MAX_CODES {
            self.widths.insert(code, width);
        }
    }

    /// Returns the width of a code in thousandths of the size.
    pub fn width(&self, code: u32) -> f32 {
        let width = self.widths.get(&code).copied().or(self.default_width);
        width.unwrap_or_else(|| standard_width(&self.name, code))
    }

    /// Returns the text of a code.
    pub fn text(&self, code: u32) -> GlyphText {
        // The order of 9.10.2: the table of the font, then the names of its glyphs, then its
        // encoding.
        match self.unicode.as_ref().and_then(|cmap| cmap.lookup_bf_string(code)) {
            Some(BfString::Char(c)) => return GlyphText::new([c]),
            Some(BfString::String(text)) => return GlyphText::new(text.chars()),
            None => {}
        }
        if let Some(text) = self.names.get(&code) {
            return *text;
        }
        // Codes of one byte are mostly Latin 1. Codes of two bytes are unknown.
        match (self.code_bytes, self.encoding, u8::try_from(code)) {
            (1, Some(encoding), Ok(code)) => {
                let code = [code];
                let (text, _) = encoding.decode_without_bom_handling(&code);
                GlyphText::new(text.chars())
            }
            (1, ..) => GlyphText::new(char::from_u32(code)),
            _ => GlyphText::default(),
        }
    }
}

/// Returns an encoding by its name (ISO 32000-2, annex D).
fn encoding(name: &[u8]) -> Option<&'static Encoding> {
    match name {
        b"MacRomanEncoding" => Some(MACINTOSH),
        b"WinAnsiEncoding" => Some(WINDOWS_1252),
        _ => None,
    }
}

/// Returns the base name of a font, without the marks of a subset (`ABCDEF+`, `~1e`).
fn face(name: &str) -> u32 {
    let name = match name.split_once('+') {
        // Six letters mark a part of a font (9.9.2); a `+` elsewhere is part of the name.
        Some((mark, name)) if mark.len() == 6 => name,
        _ => name,
    };
    let name = name.split_once('~').map_or(name, |(name, _)| name);
    BuildHasherDefault::<DefaultHasher>::default().hash_one(name) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_and_encodings() {
        assert_eq!(face("ABCDEF+Courier"), face("QWERTY+Courier~51"));
        assert_ne!(face("Courier"), face("Times-Roman"));
        let tilde = |name: &str, code| {
            let encoding = encoding(name.as_bytes())?;
            Some(encoding.decode_without_bom_handling(&[code]).0.into_owned())
        };
        assert_eq!(tilde("MacRomanEncoding", 0xf7).as_deref(), Some("\u{2dc}"));
        assert_eq!(tilde("WinAnsiEncoding", 0x98).as_deref(), Some("\u{2dc}"));
        assert_eq!(tilde("StandardEncoding", 0xf7), None);
    }
}
