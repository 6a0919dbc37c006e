//! Attributes of a document, `:name: value`, and their use in targets, `{name}`.

use memchr::{memchr, memmem};

use crate::hash::HashMap;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Longer values are not inserted.
const MAX_VALUE_BYTES: usize = 512;
/// Values are inserted up to this many times the size of the document. Each use of a value costs
/// its length, so without a bound a hostile document takes quadratic time.
const MAX_EXPANSION: usize = 4;

/// Most attributes that a document gets from others. Only hostile trees have more.
const MAX_GIVEN: usize = 1_000;

pub(super) struct Attributes {
    values: HashMap<Vec<u8>, Vec<u8>>,
    budget: usize,
}

impl Attributes {
    pub fn new(document_bytes: usize) -> Self {
        // A short document may use one value many times, so the size alone would be too little.
        let budget = document_bytes.saturating_mul(MAX_EXPANSION).saturating_add(1 << 16);
        Self { values: HashMap::default(), budget }
    }

    /// Sets the attributes that others set before the document. The directory of pictures is that of
    /// the page that includes it, so it says nothing about this one.
    pub fn with_given(mut self, given: &[(String, String)]) -> Self {
        for (name, value) in given.iter().filter(|(name, _)| name != "imagesdir").take(MAX_GIVEN) {
            self.set(name.as_bytes(), value.as_bytes());
        }
        self
    }

    pub fn set(&mut self, name: &[u8], value: &[u8]) {
        if value.len() > MAX_VALUE_BYTES {
            // From here on the former value would be wrong.
            self.values.remove(name);
            return;
        }
        // Asciidoctor inserts values where an attribute is set, not where it is used. So no
        // attribute can refer to itself, and the expansion needs no recursion.
        let expanded = self.filled_in(value);
        if expanded.len() <= MAX_VALUE_BYTES {
            self.values.insert(name.to_vec(), expanded);
        }
    }

    /// Returns a text with the values of the attributes in it.
    pub fn filled_in(&self, text: &[u8]) -> Vec<u8> {
        let mut filled_in = Vec::new();
        let mut at = 0;
        while let Some((start, end)) = next_use(text.clamped(at..)) {
            filled_in.extend_from_slice(text.clamped(at..at + start));
            let used = text.clamped(at + start..at + end);
            let known = self.values.get(used.clamped(1..used.len() - 1));
            filled_in.extend_from_slice(known.map_or(used, |known| known));
            at += end;
        }
        filled_in.extend_from_slice(text.clamped(at..));
        filled_in
    }

    pub fn unset(&mut self, name: &[u8]) {
        self.values.remove(name);
    }

    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.values.get(name).map(Vec::as_slice)
    }

    /// Appends the bytes at `span` with the values of attributes. A use of an attribute that the
    /// document does not define stays as written.
    pub fn expand(&mut self, bytes: &[u8], span: Span, piece: &mut DerivedText) {
        let mut at = span.start();
        while let Some((start, end)) = next_use(bytes.part(at..span.end())) {
            let used = Span::new(at + start, at + end);
            let name = bytes.part(used.start() + 1..used.end() - 1);
            let value = self.values.get(name).filter(|value| value.len() <= self.budget);
            if let Some(value) = value {
                piece.copy(bytes.part(at..used.start()), at);
                piece.replace(without_text(value), used, RunOrigin::Decoded);
                self.budget -= value.len();
            } else if OWN_VERSIONS.contains(&name) && bytes.get(used.end()) == Some(&b'@') {
                // Its name stays, so that the id is a reference.
                piece.copy(bytes.part(at..used.start()), at);
                piece.copy(name, used.start() + 1);
            } else if name == ATTACHMENTS.0
                && used.start() == span.start()
                && bytes.get(used.end()) == Some(&b'/')
            {
                let used = Span::new(used.start(), used.end() + 1);
                piece.replace(ATTACHMENTS.1, used, RunOrigin::Decoded);
                at = used.end();
                continue;
            } else {
                piece.copy(bytes.part(at..used.end()), at);
            }
            at = used.end();
        }
        piece.copy(bytes.part(at..span.end()), at);
    }
}

/// The attributes of a page that Antora sets to its version, before the `@` of a resource id.
const OWN_VERSIONS: [&[u8]; 2] = [b"page-component-version", b"page-version"];

/// The attribute of a page that Antora sets to the directory of the attachments of its module, and
/// the start of the ids of these (Antora, "Page Attributes").
const ATTACHMENTS: (&[u8], &[u8]) = (b"attachmentsdir", b"./attachment$");

/// Returns the URL of a value that is a whole link, `https://a.example[text]`, or the macro of one.
fn without_text(value: &[u8]) -> &[u8] {
    let is_url = memmem::find(value, b"://").is_some();
    let value = value.strip_prefix(b"link:").filter(|_| is_url).unwrap_or(value);
    match memchr(b'[', value) {
        Some(at)
            if value.ends_with(b"]") && memmem::find(value.clamped(..at), b"://").is_some() =>
        {
            value.clamped(..at)
        }
        _ => value,
    }
}

/// Returns the start and the end of the next `{name}`.
fn next_use(text: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(found) = memchr(b'{', text.clamped(at..)) {
        let start = at + found;
        let inside = text.clamped(start + 1..);
        let name =
            inside.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if name > 0 && inside.get(name) == Some(&b'}') {
            return Some((start, start + name + 2));
        }
        at = start + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(attributes: &mut Attributes, text: &str) -> String {
        let mut piece = DerivedText::default();
        attributes.expand(text.as_bytes(), Span::new(0, text.len()), &mut piece);
        String::from_utf8_lossy(piece.text()).into_owned()
    }

    #[test]
    fn values_are_inserted() {
        let mut attributes = Attributes::new(0);
        attributes.set(b"host", b"a.example");
        attributes.set(b"url", b"https://{host}/{none}");
        assert_eq!(expanded(&mut attributes, "{url}/b{c"), "https://a.example/{none}/b{c");
        attributes.unset(b"url");
        assert_eq!(expanded(&mut attributes, "{url}{}"), "{url}{}");
        assert_eq!(expanded(&mut attributes, "{page-version}@a::b"), "page-version@a::b");
        assert_eq!(expanded(&mut attributes, "{page-version}/b"), "{page-version}/b");
        assert_eq!(expanded(&mut attributes, "{attachmentsdir}/b.zip"), "./attachment$b.zip");
        assert_eq!(expanded(&mut attributes, "a/{attachmentsdir}/b"), "a/{attachmentsdir}/b");
        attributes.set(b"site", b"link:https://a.example/[A]");
        assert_eq!(expanded(&mut attributes, "{site}"), "https://a.example/");
        attributes.set(b"attachmentsdir", b"files");
        assert_eq!(expanded(&mut attributes, "{attachmentsdir}/b.zip"), "files/b.zip");
    }

    #[test]
    fn expansion_is_bounded() {
        let mut attributes = Attributes::new(10);
        attributes.set(b"a", &[b'x'; 500]);
        let uses = "{a}".repeat(1000);
        assert!(expanded(&mut attributes, &uses).len() < 70_000);
    }
}
