//! Values in brackets, `[a, {b = c}]`, as YAML and TOML have them in a line: [`Brackets`].

use std::ops::ControlFlow;

use super::key_path::KeyPath;
use super::keys::role_of_key;
use super::writer::PartWriter;
use super::{Place, Role};
use crate::slice::SliceExt as _;

/// Emits the entries of brackets, each in its place. A reader passes it the brackets and texts that
/// it finds.
pub(super) struct Brackets<'w, 'd, 's> {
    writer: &'w mut PartWriter<'d, 's>,
    path: KeyPath,
    open: Vec<OpenBracket>,
}

/// A bracket that is not closed yet.
struct OpenBracket {
    /// Start of the current entry.
    entry: usize,
    /// True for an entry of a list with a key of its own: `[a: b]` (YAML 1.2 §7.4.1).
    is_pair: bool,
}

impl<'w, 'd, 's> Brackets<'w, 'd, 's> {
    /// Returns a writer for the value with this path.
    pub fn new(writer: &'w mut PartWriter<'d, 's>, path: String) -> Self {
        Self { writer, path: KeyPath::dotted(path), open: Vec::new() }
    }

    /// True once all brackets are closed.
    pub fn are_closed(&self) -> bool {
        self.open.is_empty()
    }

    /// Opens the bracket at `at`.
    pub fn open(&mut self, at: usize) -> ControlFlow<()> {
        self.flush(at)?;
        if self.writer.bytes.get(at) == Some(&b'[') {
            self.path.open_array();
        } else {
            self.path.open_object();
        }
        self.open.push(OpenBracket { entry: at + 1, is_pair: false });
        self.go_on(at + 1)
    }

    /// Closes the bracket at `at`.
    pub fn close(&mut self, at: usize) -> ControlFlow<()> {
        self.flush(at)?;
        if self.open.pop().is_some_and(|bracket| bracket.is_pair) {
            self.path.close();
        }
        self.path.close();
        self.go_on(at + 1)
    }

    /// Ends an entry at its comma.
    pub fn comma(&mut self, at: usize) -> ControlFlow<()> {
        self.flush(at)?;
        if let Some(bracket) = self.open.last_mut() {
            if std::mem::take(&mut bracket.is_pair) {
                self.path.close();
            }
            bracket.entry = at + 1;
        }
        self.path.comma();
        self.go_on(at + 1)
    }

    /// Returns the text before `at` in its entry, if it may be a key.
    pub fn key(&self, at: usize) -> Option<&'d [u8]> {
        let bracket = self.open.last().filter(|bracket| !bracket.is_pair)?;
        let is_list = !self.path.is_object();
        (is_list || self.path.expects_key()).then(|| self.writer.bytes.part(bracket.entry..at))
    }

    /// Ends a key before the colon or equals sign at `at`.
    pub fn name(&mut self, at: usize, key: &str) -> ControlFlow<()> {
        let Some(bracket) = self.open.last_mut() else { return ControlFlow::Continue(()) };
        let entry = bracket.entry;
        if !self.path.is_object() {
            bracket.is_pair = true;
            self.path.open_object();
        }
        self.flush(entry)?;
        self.path.key(key);
        // A key may be a URI.
        self.go_on(at + 1)
    }

    /// Emits a comment.
    pub fn comment(&mut self, at: usize, end: usize) -> ControlFlow<()> {
        self.flush(at)?;
        self.writer.emit_to(end, Role::Comment)
    }

    /// Emits the open entries, if brackets are missing.
    pub fn finish(mut self, at: usize) -> ControlFlow<()> {
        if !self.open.is_empty() {
            self.flush(at)?;
        }
        ControlFlow::Continue(())
    }

    fn flush(&mut self, end: usize) -> ControlFlow<()> {
        self.writer.emit_to(end, role_of_key(self.path.name()))
    }

    fn go_on(&mut self, at: usize) -> ControlFlow<()> {
        self.writer.set_place(Some(Place::Key(self.path.as_str().to_owned().into())));
        self.writer.markup(at)
    }
}
