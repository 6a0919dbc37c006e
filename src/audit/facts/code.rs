//! Tracks code elements in HTML. A URI in code is an example, not a link.

use crate::slice::SliceExt as _;

/// Elements of code and of program output (HTML Standard §4.4.3, §4.5.15, §4.5.17, §4.5.18, §16.2).
const ELEMENTS: [&str; 5] = ["pre", "code", "samp", "kbd", "tt"];

/// Nesting depth of code elements up to an offset.
pub(super) struct OpenCode<'d> {
    html: &'d [u8],
    at: usize,
    depth: usize,
}

impl<'d> OpenCode<'d> {
    pub fn new(html: &'d [u8]) -> Self {
        Self { html, at: 0, depth: 0 }
    }

    /// True if `place` is inside a code element. Calls must be in document order, so that each tag
    /// is scanned once.
    // In the output of `cargo doc`, 31 of 177 findings were rustdoc's own examples of misleading
    // hosts. So a URI in code of a page is not reported.
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

/// True if the rest of a tag starts with the name of a code element.
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
