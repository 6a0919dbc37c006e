//! Decodes the references of XML (XML 1.0 §4), with a map to the source.

use memchr::{memchr, memmem};

use crate::hash::HashMap;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::registry::references::{self, named};
use crate::slice::{ByteRuns as _, SliceExt as _, hexadecimal, lossy};
use crate::span::Span;
use crate::work_counter;

/// Longest name of a reference. A longer one is text, because its end is missing.
const MAX_NAME_LENGTH: usize = 64;
/// Longest text of an entity that is inserted. A document could otherwise grow without bound.
const MAX_ENTITY_LENGTH: usize = 1024;
/// Most bytes that entities insert into one document.
const MAX_INSERTED: usize = 1 << 20;

/// The entities that a document declares with a text.
#[derive(Debug, Default)]
pub(in crate::document) struct Entities {
    texts: HashMap<Vec<u8>, Vec<u8>>,
    inserted: usize,
}

impl Entities {
    /// Reads the declarations of a document type: `<!ENTITY name "text">`.
    pub fn declare(&mut self, doctype: &[u8]) {
        for at in memmem::find_iter(doctype, b"<!ENTITY") {
            let rest = doctype.clamped(at + 8..).trim_ascii_start();
            let name = rest.leading(|byte| !byte.is_ascii_whitespace());
            let (name, value) = (rest.clamped(..name), rest.clamped(name..).trim_ascii_start());
            let Some((&quote @ (b'"' | b'\''), inside)) = value.split_first() else {
                continue;
            };
            let inside = inside.clamped(..MAX_ENTITY_LENGTH + 1);
            let Some(end) = memchr(quote, inside) else {
                continue;
            };
            let text = inside.clamped(..end);
            // Markup in an entity is not read: its text is in the declaration.
            if memchr(b'<', text).is_none() {
                let mut decoded = DerivedText::default();
                self.decode(text, 0, &mut decoded);
                // The first declaration is binding (§4.2).
                let text = decoded.text().clamped(..MAX_ENTITY_LENGTH).to_vec();
                self.texts.entry(name.to_vec()).or_insert(text);
            }
        }
    }

    /// Appends `raw`, which is at `at` in the source, decoded.
    pub fn decode(&mut self, raw: &[u8], at: usize, into: &mut DerivedText) {
        self.expand(raw, at, into, Self::text);
    }

    fn expand(
        &mut self,
        raw: &[u8],
        at: usize,
        into: &mut DerivedText,
        text_of: impl Fn(&mut Self, &[u8]) -> Option<Vec<u8>>,
    ) {
        work_counter::add(raw.len());
        let mut done = 0;
        for start in memchr::memchr_iter(b'&', raw) {
            // This `&` is in a reference that was decoded.
            if start < done {
                continue;
            }
            let rest = raw.clamped(start + 1..);
            let Some(length) = memchr(b';', rest.clamped(..MAX_NAME_LENGTH)) else {
                continue;
            };
            let Some(text) = text_of(self, rest.clamped(..length)) else {
                continue;
            };
            into.copy(raw.part(done..start), at + done);
            done = start + length + 2;
            into.replace(&text, Span::new(at + start, at + done), RunOrigin::Decoded);
        }
        into.copy(raw.clamped(done..), at + done);
    }

    /// Appends `raw` with the declared entities inserted; other references stay.
    pub fn insert(&mut self, raw: &[u8], at: usize, into: &mut DerivedText) {
        self.expand(raw, at, into, Self::declared);
    }

    /// Returns the text of a reference, given without `&` and `;`.
    fn text(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        if let Some(number) = name.strip_prefix(b"#") {
            let code = match number.strip_prefix(b"x") {
                Some(digits) => hexadecimal(digits)?,
                // `parse` takes a sign, which no reference has (§4.1).
                None if number.starts_with(b"+") => return None,
                None => lossy(number).parse().ok()?,
            };
            return Some(char::from_u32(code)?.to_string().into_bytes());
        }
        if self.texts.contains_key(name) {
            return self.declared(name);
        }
        // XHTML and DocBook declare the names of HTML in files that are not read.
        let mut utf8 = [0; 8];
        Some(references::as_str(named(name)?, &mut utf8).as_bytes().to_vec())
    }

    /// Returns the text that the document declares, up to a bound for all of them.
    fn declared(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let text = self.texts.get(name)?;
        // Counted also beyond the limit, so that shorter entities do not follow a longer one that
        // was left out.
        self.inserted += text.len();
        (self.inserted <= MAX_INSERTED).then(|| text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(doctype: &str, text: &str) -> String {
        let mut entities = Entities::default();
        entities.declare(doctype.as_bytes());
        let mut into = DerivedText::default();
        entities.decode(text.as_bytes(), 0, &mut into);
        lossy(into.text()).into_owned()
    }

    #[test]
    fn references() {
        assert_eq!(decoded("", "a&amp;b&#38;c&#x26;d&quot;&apos;"), "a&b&c&d\"'");
        // Everything else is copied.
        assert_eq!(
            decoded("", "?a=1&b=2;&;&#;&#x110000;& &nothing;"),
            "?a=1&b=2;&;&#;&#x110000;& &nothing;"
        );
        assert_eq!(decoded("", "&eacute;"), "\u{e9}");
    }

    #[test]
    fn declared_entities() {
        let declared =
            "<!ENTITY base 'http://a.example'><!ENTITY page \"&base;/b\"><!ENTITY base 'x'>";
        assert_eq!(decoded(declared, "&page;?c"), "http://a.example/b?c");
        assert_eq!(decoded("<!ENTITY a SYSTEM 'b.xml'>", "&a;"), "&a;");
    }

    #[test]
    fn bombs_stay_small() {
        let mut declared = "<!ENTITY a0 'aaaaaaaaaa'>".to_owned();
        for level in 1..40 {
            let before = level - 1;
            let ten = format!("&a{before};").repeat(10);
            declared.push_str(&format!("<!ENTITY a{level} '{ten}'>"));
        }
        assert!(decoded(&declared, &"&a39;".repeat(10_000)).len() < 3 << 20);
    }
}
