//! Elements of other topics that a topic of Writerside names: `<include from="a.topic"
//! element-id="b"/>` and `<a href="a.md" anchor="b"/>` (Writerside, "Reuse content", "Links").

use memchr::memmem;

use super::Facts;
use super::menu::comments;
use crate::document::LinkOrigin;
use crate::slice::{ByteRuns as _, SliceExt as _, span_within};
use crate::{Finder, Finding};

/// Longest tag in bytes. The bound keeps time linear.
const MAX_TAG_BYTES: usize = 1024;

/// True for a text that may have such elements.
pub(super) fn may_be_in(bytes: &[u8]) -> bool {
    [&b"element-id=\""[..], b" anchor=\""].iter().any(|it| memmem::find(bytes, it).is_some())
}

/// Adds the files and elements that the tags of a topic name.
pub(super) fn add(bytes: &[u8], finder: &Finder, facts: &mut Facts) {
    let comments = comments(bytes);
    let mut code = CodeLines::default();
    let mut tag_end = 0;
    for at in memchr::memchr_iter(b'<', bytes) {
        // A `<` inside a tag starts no tag.
        if at < tag_end {
            continue;
        }
        let tag = bytes.clamped(at..);
        let tag = tag.clamped(..MAX_TAG_BYTES.min(tag.len()));
        let is_include = tag.starts_with(b"<include");
        if !is_include && !tag.starts_with(b"<a ") {
            continue;
        }
        let Some(end) = memchr::memchr(b'>', tag) else { continue };
        tag_end = at + end;
        let tag = tag.clamped(..end);
        let next = comments.partition_point(|comment| comment.end <= at);
        let is_hidden = comments.get(next).is_some_and(|comment| comment.start <= at);
        // Inside a span of code, a tag is an example.
        let before = bytes.clamped(at.saturating_sub(1)..at);
        if is_hidden || before == b"`" || code.holds(bytes, at) {
            continue;
        }
        let (file, id) = if is_include {
            (attribute(tag, b"from"), attribute(tag, b"element-id"))
        } else {
            (attribute(tag, b"href"), attribute(tag, b"anchor"))
        };
        // Writerside accepts that the element is missing.
        let is_optional = attribute(tag, b"nullable") == Some(b"true");
        if let Some(file) = file.filter(|_| is_include && !is_optional) {
            push(facts, finder, bytes, file, file, LinkOrigin::TopicInclude);
        }
        if let Some(id) = id.filter(|it| is_name(it) && !is_optional) {
            let file = file.unwrap_or_default();
            // An address, or a link with a fragment of its own.
            if file.contains(&b'#') || memmem::find(file, b"://").is_some() {
                continue;
            }
            let whole = [file, b"#", id].concat();
            push(facts, finder, bytes, id, &whole, LinkOrigin::TopicElement);
        }
    }
}

fn push(
    facts: &mut Facts,
    finder: &Finder,
    bytes: &[u8],
    place: &[u8],
    written: &[u8],
    origin: LinkOrigin,
) {
    let Ok(text) = std::str::from_utf8(written) else { return };
    if let Some(span) = span_within(place, bytes)
        && let Some(finding) = finder.reference(written)
        && !matches!(finding, Finding::Rejected(_))
    {
        facts.links.push_destination(&finding, span, text, origin);
    }
}

/// True for a name, and not a variable such as `%id%`.
fn is_name(id: &[u8]) -> bool {
    !id.is_empty() && !id.iter().any(|byte| b"%#$ ".contains(byte))
}

/// Returns the value of an attribute of a tag.
pub(in crate::audit) fn attribute<'t>(tag: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let found = memmem::find_iter(tag, name).find_map(|at| {
        let is_whole = tag.clamped(..at).last().is_some_and(u8::is_ascii_whitespace);
        let value = tag.clamped(at + name.len()..).strip_prefix(b"=\"")?;
        is_whole.then(|| value.clamped(..memchr::memchr(b'"', value).unwrap_or(0)))
    });
    found.filter(|it| !it.is_empty())
}

/// Tells which offsets of a Markdown text are in fenced code.
#[derive(Default)]
struct CodeLines {
    at: usize,
    fence: Option<(u8, usize)>,
}

impl CodeLines {
    /// True if an offset is in a fence. Offsets must be ascending.
    fn holds(&mut self, bytes: &[u8], place: usize) -> bool {
        while self.at < place {
            let rest = bytes.clamped(self.at..);
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            if self.at + end > place {
                break;
            }
            let line = rest.clamped(..end).trim_ascii();
            let mark = line.first().copied().filter(|it| matches!(it, b'`' | b'~'));
            let count = mark.map_or(0, |mark| line.leading(|byte| byte == mark));
            match (mark.filter(|_| count >= 3), self.fence) {
                (Some(mark), None) => self.fence = Some((mark, count)),
                (Some(mark), Some((own, least)))
                    if mark == own && count >= least && line.len() == count =>
                {
                    self.fence = None;
                }
                _ => {}
            }
            self.at += end;
        }
        self.fence.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_topics() {
        let text = "<include from=\"a.topic\" element-id=\"b\"/>\n<a href=\"c.md\" anchor=\"d\">x</a> <a anchor=\"e\"/>\n\
            ```xml\n<include from=\"f\" element-id=\"g\"/>\n```\n`<include from=\"h\" element-id=\"i\"/>`\n\
            <!-- <include from=\"j\" element-id=\"k\"/> -->\n<include nullable=\"true\" from=\"l\" element-id=\"m\"/>\n\
            <include element-id=\"%n%\"\n from=\"o.md\"/> <a href=\"https://p.dev\" anchor=\"q\"/>";
        let mut facts = Facts::default();
        add(text.as_bytes(), &Finder::new(), &mut facts);
        let found: Vec<String> = facts.links().map(|it| it.written.to_owned()).collect();
        assert_eq!(found, ["a.topic", "a.topic#b", "c.md#d", "#e", "o.md"]);
    }
}
