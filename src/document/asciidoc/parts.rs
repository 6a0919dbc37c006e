//! What a document of AsciiDoc includes, and the attributes that it sets: without its text, because
//! an audit asks for them of all documents of a tree.

use memchr::memchr;

use super::attributes::Attributes;
use crate::document::Format;
use crate::document::lines::TextLine;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

/// Longest value that is kept.
const MAX_VALUE_BYTES: usize = 512;
/// Most attributes of a document that are kept.
const MAX_ENTRIES: usize = 1_000;

/// The files that a document includes, and the attributes that it sets for what follows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentParts {
    /// The targets of `include::`, with the values of the attributes that the document sets.
    pub includes: Vec<String>,
    /// Names of attributes, and their values.
    pub entries: Vec<(String, String)>,
}

impl DocumentParts {
    pub fn read(bytes: &[u8]) -> Self {
        let mut this = Self::default();
        let mut attributes = Attributes::new(bytes.len());
        let mut at = 0;
        // Few lines start with either mark.
        let starts = |at: usize| matches!(bytes.get(at), Some(b':' | b'i'));
        while at < bytes.len() {
            if !starts(at) {
                at = memchr(b'\n', bytes.clamped(at..)).map_or(bytes.len(), |it| at + it + 1);
                continue;
            }
            let line = TextLine::at(bytes, at);
            at = line.next;
            if let Some(target) = included(bytes, line).filter(|it| it.len() <= MAX_VALUE_BYTES) {
                let target = attributes.filled_in(bytes.part(target.range()));
                this.includes.push(lossy(&target).into_owned());
            } else if let Some((name, value)) = entry(bytes.part(line.start..line.end)) {
                let value = value.trim_ascii();
                // A value that continues on the next line is not inserted.
                let is_whole = value.len() <= MAX_VALUE_BYTES && !value.ends_with(b"\\");
                if is_whole && !name.contains(&b'!') && this.entries.len() < MAX_ENTRIES {
                    attributes.set(name, value);
                    let value = attributes.get(name).unwrap_or_default();
                    this.entries.push((lossy(name).into_owned(), lossy(value).into_owned()));
                }
            }
        }
        this
    }
}

/// Returns the target of a line that includes a file, `include::a.rb[tag=b]`.
pub(super) fn included(bytes: &[u8], line: TextLine) -> Option<Span> {
    const NAME: &[u8] = b"include::";
    let text = bytes.part(line.start..line.end);
    let rest = text.strip_prefix(NAME).filter(|_| text.ends_with(b"]"))?;
    let start = line.start + NAME.len();
    let length = memchr(b'[', rest).filter(|&length| length > 0)?;
    Some(Span::new(start, start + length))
}

/// True for the target of an include that may define anchors: code does not. The extension may be the
/// value of an attribute.
pub(crate) fn may_be_document(target: &[u8]) -> bool {
    let format = Format::from_file_name(target);
    target.ends_with(b"}") || format.is_none_or(Format::has_attributes)
}

/// True for a text that includes others which may define anchors.
pub(crate) fn includes_documents(bytes: &[u8]) -> bool {
    included_targets(bytes).any(may_be_document)
}

/// Returns the targets of the lines that may include a file, each line read once.
pub(crate) fn included_targets(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|&byte| byte == b'\n');
    let targets = lines.filter_map(|line| line.trim_ascii_start().strip_prefix(b"include::"));
    targets.map(|target| target.clamped(..memchr(b'[', target).unwrap_or(target.len())))
}

/// Returns the name and the value of a line that sets an attribute, `:name: value`. `!` in the name
/// unsets it.
pub(super) fn entry(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = text.strip_prefix(b":")?;
    let length =
        rest.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'!'));
    let (name, after) = (rest.clamped(..length), rest.clamped(length..));
    let value = after.strip_prefix(b":")?;
    let is_entry = !name.is_empty() && value.first().is_none_or(|&byte| byte == b' ');
    is_entry.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_document() {
        let text = b"= A\n:dir: b\n:!c:\n:d: {dir}/e\n\ninclude::{dir}/f.adoc[]\ninclude:: x\n----\ninclude::{g}/h.rb[]\n----\n";
        let parts = DocumentParts::read(text);
        assert_eq!(parts.includes, ["b/f.adoc", "{g}/h.rb"]);
        let entry = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(parts.entries, [entry("dir", "b"), entry("d", "b/e")]);
    }
}
