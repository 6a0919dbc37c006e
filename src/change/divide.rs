//! Plain text that arrives in pieces, and where it may be divided: [`TextDivider`].
//!
//! A text is divided at lines into which nothing continues: no URI (D3), no private key, and no
//! element that names a secret. So its parts give the same edits and the same changed text as the
//! whole. `tests/change/divide.rs` compares both.

use memchr::{memchr_iter, memrchr};

use crate::delimit::{LineDependency, end_dependency, line_dependency};
use crate::redact::texts::{columns, passages};
use crate::search::Search;
use crate::slice::SliceExt as _;

/// The most lines to try in the search for one at which the text may be divided.
const MAX_LINES_TRIED: usize = 32;

/// Selects whether a text is divided within secrets that may take several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretBlocks {
    /// Such blocks do not matter.
    Divided,
    /// A private key and an element that names a secret stay together.
    Kept,
}

/// Divides plain text at lines into which nothing continues.
#[derive(Clone, Copy, Debug)]
pub struct TextDivider {
    max_wrapper: usize,
    secrets: SecretBlocks,
}

impl TextDivider {
    /// Returns `None` if a URI that the search finds may continue into any line: with
    /// [`Rejoin::Hyphen`](crate::options::Rejoin) and more, and if URIs without a scheme are found.
    pub fn new(search: &Search, secrets: SecretBlocks) -> Option<Self> {
        let finder = search.finder();
        let is_known = finder.has_independent_lines();
        is_known.then(|| Self { max_wrapper: finder.max_wrapper(), secrets })
    }

    /// Returns the last offset up to `near` at which the text may be divided, whatever follows it;
    /// `None` if there is none nearby. The text is all of it, or starts at such an offset.
    pub fn end(&self, text: &[u8], near: usize) -> Option<usize> {
        let mut near = near;
        for _ in 0..MAX_LINES_TRIED {
            let line = memrchr(b'\n', text.clamped(..near))? + 1;
            let dependency = if line == text.len() {
                end_dependency(text, self.max_wrapper)
            } else {
                line_dependency(text, line, 0, self.max_wrapper)
            };
            near = match dependency {
                Some(LineDependency::Line) => line - 1,
                Some(LineDependency::Wrapper(opener)) if !is_closed(text.clamped(opener..line)) => {
                    opener
                }
                Some(LineDependency::Wrapper(_)) | None => {
                    match self.open_block(text.clamped(..line)) {
                        Some(open) => open,
                        None => return Some(line),
                    }
                }
            };
        }
        None
    }

    /// Returns an offset near the middle at which a text may be divided.
    pub fn half(&self, text: &[u8]) -> Option<usize> {
        let middle = text.len() / 2;
        let behind = || {
            let lines = memchr_iter(b'\n', text.clamped(middle..)).take(MAX_LINES_TRIED);
            lines.into_iter().find_map(|end| self.end(text, middle + end + 1))
        };
        self.end(text, middle).or_else(behind).filter(|half| *half < text.len())
    }

    fn open_block(&self, text: &[u8]) -> Option<usize> {
        match self.secrets {
            SecretBlocks::Divided => None,
            SecretBlocks::Kept => passages::unfinished_secret(text),
        }
    }

    /// Returns the text on which secrets in the next part may depend: the end of a text, with the
    /// `Bearer` in the line before a token, and the headers of the tables that are open there.
    pub fn context(text: &[u8]) -> Vec<u8> {
        let near = text.len().saturating_sub(passages::BYTES_BEFORE);
        let open = columns::open(text);
        let rows = open.into_iter().flatten().map(|table| table.row);
        let start = rows.fold(near, usize::min);
        // A truncated line would be a different row, and a line that is too long is not a row.
        let from = start.saturating_sub(columns::MAX_ROW_LENGTH);
        let line = memrchr(b'\n', text.clamped(from..start)).map(|line| from + line + 1);
        let start = match line.or((from == 0).then_some(0)) {
            Some(line) => line,
            // A truncated word would be a different one.
            None => {
                let tail = text.clamped(start..);
                start + tail.iter().position(u8::is_ascii_whitespace).unwrap_or(tail.len())
            }
        };
        let mut context = Vec::new();
        for table in open.into_iter().flatten().filter(|table| table.header.start() < start) {
            context.extend_from_slice(text.clamped(table.header.range()));
            context.push(b'\n');
        }
        context.extend_from_slice(text.clamped(start..));
        context
    }
}

/// True if the wrapper at the start of a text is closed in it, not only in its first line. A `>` at
/// the start of a line may be the mark of a quotation in mail (D3.5).
fn is_closed(wrapper: &[u8]) -> bool {
    let closer = match wrapper.first() {
        Some(b'<') => b'>',
        Some(b'"') => b'"',
        _ => return false,
    };
    memchr_iter(closer, wrapper).filter(|at| *at > 0).any(|at| {
        let line = wrapper.clamped(..at).rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_mark = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        !line.iter().all(is_mark) && line.last() != Some(&b'\\')
    })
}
