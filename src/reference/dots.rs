//! Dot segments are taken out while a path is written (RFC 3986 §5.2.4, and its forerunners).
//!
//! The RFC moves the path from an input to an output buffer by string replacement, which is
//! quadratic. Here the path is appended piece by piece, a piece being a segment with the `/` after
//! it, and `..` takes back the piece before. Each byte is appended once and taken back at most
//! once, so the work is linear, and there is no other buffer than the one that holds the URI.

use alloc::string::String;

/// What `.` and `..` do where the documents differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dots {
    /// RFC 3986 §5.2.4: a `..` above the root is dropped, and one that takes back the first segment
    /// of a rootless path leaves a path with a root.
    Rfc3986,
    /// S3 §5.2 steps 3–7, S4 §5.2 step 6: a `..` above the root stays.
    Kept,
    /// S5 "Partial form": it is `/xxx/..` and `/.` that are removed, with the slash before them, so
    /// that none is left at the end; the first segment of a rootless path has no such slash.
    Url1993,
}

/// Appends a path to a URI, without its dot segments.
pub(super) struct PathWriter<'o> {
    out: &'o mut String,
    dots: Dots,
    start: usize,
    /// First byte that `..` may take back: after the `/` of a path that has a root.
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

    /// Appends `path`, piece by piece; what was pushed before ends in `/` or is nothing.
    pub(super) fn push(&mut self, path: &str) {
        self.push_with(path, |piece, out| out.push_str(piece));
    }

    /// As [`PathWriter::push`], with each piece as `write` spells it.
    pub(super) fn push_with(&mut self, path: &str, write: impl Fn(&str, &mut String)) {
        for piece in path.split_inclusive('/') {
            let at = self.out.len();
            write(piece, self.out);
            self.settle(at);
        }
    }

    /// Closes the path. One that starts with `//` would read as an authority where there is none
    /// (RFC 3986 §3.3), so that `/.` goes before it, which is again removed by whoever resolves it.
    pub(super) fn finish(self, has_authority: bool) {
        if !has_authority && self.out[self.start..].starts_with("//") {
            self.out.insert_str(self.start, "/.");
        }
    }

    /// Decides about the piece that was appended at `at`.
    fn settle(&mut self, at: usize) {
        let first = at == self.start;
        match &self.out[at..] {
            "/" if first => self.root = at + 1,
            "." | "./" | ".." | "../" if first && self.dots == Dots::Url1993 => {}
            "./" => self.out.truncate(at),
            "." => self.close(at),
            "../" | ".." => self.up(at),
            _ => {}
        }
    }

    /// Lets the `..` at `at` take back the piece before it.
    fn up(&mut self, at: usize) {
        let before = &self.out[self.root..at];
        let Some(before) = before.strip_suffix('/') else {
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
            Dots::Kept | Dots::Url1993 if &self.out[previous..at] == "../" => {}
            Dots::Url1993 if rootless => {}
            _ if self.out.ends_with('/') => self.out.truncate(previous),
            _ => self.close(previous),
        }
    }

    /// Ends the path at `at`, after a piece that was its last.
    fn close(&mut self, at: usize) {
        self.out.truncate(at);
        if self.dots == Dots::Url1993 && at > self.start {
            // The slash before it.
            self.out.truncate(at - 1);
        }
    }
}
