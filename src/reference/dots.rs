//! Removes dot segments while a path is written (RFC 3986 §5.2.4, and its predecessors).
//!
//! The RFC moves the path from an input to an output buffer by string replacement, which is
//! quadratic. Here the path is appended piece by piece, where a piece is a segment with the `/`
//! after it, and `..` removes the previous piece. Each byte is appended once and removed at most
//! once, so the work is linear. The only buffer is the one that holds the URI.

use alloc::string::String;

use crate::slice::SliceExt as _;

/// The effect of `.` and `..` where the documents differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dots {
    /// RFC 3986 §5.2.4: a `..` above the root is dropped. If it removes the first segment of a
    /// rootless path, the path gets a root.
    Rfc3986,
    /// S3 §5.2 steps 3–7, S4 §5.2 step 6: a `..` above the root stays.
    Kept,
    /// S5 "Partial form": it removes `/xxx/..` and `/.` with the slash before them, so no slash is
    /// left at the end. The first segment of a rootless path has no such slash.
    Url1993,
}

/// Appends a path to a URI, without its dot segments.
pub(super) struct PathWriter<'o> {
    out: &'o mut String,
    dots: Dots,
    start: usize,
    /// First byte that `..` may remove: after the `/` of a path with a root.
    root: usize,
}

impl<'o> PathWriter<'o> {
    pub(super) fn new(out: &'o mut String, dots: Dots) -> Self {
        let start = out.len();
        Self { out, dots, start, root: start }
    }

    pub(super) fn verbatim(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends `path` piece by piece. Anything pushed before must be empty or end in `/`.
    pub(super) fn push(&mut self, path: &str) {
        self.push_with(path, |piece, out| out.push_str(piece));
    }

    /// Like [`PathWriter::push`], but `write` spells each piece.
    pub(super) fn push_with(&mut self, path: &str, write: impl Fn(&str, &mut String)) {
        for piece in path.split_inclusive('/') {
            let at = self.out.len();
            write(piece, self.out);
            self.settle(at);
        }
    }

    /// Ends the path. Without an authority, a path that starts with `//` would read as one (RFC
    /// 3986 §3.3), so `/.` is put before it. Resolving the URI removes it again.
    pub(super) fn finish(self, has_authority: bool) {
        if !has_authority && self.out.part(self.start..).starts_with("//") {
            self.out.insert_str(self.start, "/.");
        }
    }

    /// Handles the piece that was appended at `at`.
    fn settle(&mut self, at: usize) {
        let first = at == self.start;
        match self.out.part(at..) {
            // The root is the first slash. `..` must not remove it.
            "/" if first => self.root = at + 1,
            // S5 removes a dot segment only with the slash before it, which the first one does not
            // have.
            "." | "./" | ".." | "../" if first && self.dots == Dots::Url1993 => {}
            "./" => self.out.truncate(at),
            "." => self.close(at),
            "../" | ".." => self.up(at),
            _ => {}
        }
    }

    /// Removes the `..` at `at` and the piece before it.
    fn up(&mut self, at: usize) {
        let before = self.out.part(self.root..at);
        let Some(before) = before.strip_suffix('/') else {
            // Nothing is left to remove. RFC 3986 drops the `..`; the older documents keep it.
            if self.dots == Dots::Rfc3986 {
                self.out.truncate(at);
            }
            return;
        };
        let previous = self.root + before.rfind('/').map_or(0, |slash| slash + 1);
        let rootless = previous == self.start;
        match self.dots {
            Dots::Rfc3986 if rootless => {
                self.out.truncate(previous);
                self.out.push('/');
                self.root = self.out.len();
            }
            // A kept `..` is not a segment that another `..` may remove.
            Dots::Kept | Dots::Url1993 if self.out.part(previous..at) == "../" => {}
            Dots::Url1993 if rootless => {}
            _ if self.out.ends_with('/') => self.out.truncate(previous),
            _ => self.close(previous),
        }
    }

    /// Ends the path at `at`, after its last piece.
    fn close(&mut self, at: usize) {
        self.out.truncate(at);
        if self.dots == Dots::Url1993 && at > self.start {
            // Remove the slash before it, too.
            self.out.truncate(at - 1);
        }
    }
}
