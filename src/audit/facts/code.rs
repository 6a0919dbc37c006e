//! Which texts of HTML are code: there a URI shows something, and nobody follows it.

use crate::slice::SliceExt as _;

/// The elements of code and of what programs print (HTML Standard §4.4.3, §4.5.15, §4.5.17, §4.5.18, §16.2).
const ELEMENTS: [&str; 5] = ["pre", "code", "samp", "kbd", "tt"];

/// The elements of code that are open, up to a place in the document.
pub(super) struct OpenCode<'d> {
    html: &'d [u8],
    at: usize,
    depth: usize,
}

impl<'d> OpenCode<'d> {
    pub fn new(html: &'d [u8]) -> Self {
        Self { html, at: 0, depth: 0 }
    }

    /// True when what starts at `place` is in code. It is asked in the order of the document, so that each tag is looked
    /// at once.
    pub fn holds(&mut self, place: usize) -> bool {
        let skipped = self.html.clamped(self.at..place);
        for at in memchr::memchr_iter(b'<', skipped) {
            let tag = skipped.clamped(at + 1..);
            match tag.strip_prefix(b"/") {
                Some(name) if is_code(name) => self.depth = self.depth.saturating_sub(1),
                None if is_code(tag) => self.depth += 1,
                _ => {}
            }
        }
        self.at = self.at.max(place);
        self.depth > 0
    }
}

/// True for the rest of a tag that starts with the name of such an element.
fn is_code(tag: &[u8]) -> bool {
    ELEMENTS.iter().any(|name| {
        tag.clamped(..name.len()).eq_ignore_ascii_case(name.as_bytes())
            && tag.get(name.len()).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_where_its_element_does() {
        let html = "<p>0<PRE class=a><code>1</code>2</pre>3<preface>4</code><tt>5";
        let mut code = OpenCode::new(html.as_bytes());
        let held = ('0'..='5').filter(|&digit| code.holds(html.find(digit).unwrap_or_default()));
        assert_eq!(held.collect::<String>(), "125");
    }
}
