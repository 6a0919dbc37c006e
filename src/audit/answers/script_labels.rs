//! Labels that a script of the tree writes into documents: `'(contributions-themes)=\n'` in a program of
//! Python, or `.. _a:` in a template. The documents exist only after a build.

use std::collections::HashSet;
use std::path::PathBuf;

use memchr::memmem;

use super::sample::programs_below;
use crate::audit::sites::text;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Maximum length of a label. The bound keeps time linear.
const MAX_LABEL: usize = 100;

/// Returns the labels in programs and templates below these directories.
pub(super) fn of(directories: &[PathBuf]) -> HashSet<String> {
    let mut found = HashSet::new();
    for path in programs_below(directories) {
        let text = text(&path);
        // MyST.
        for end in memmem::find_iter(text.as_bytes(), b")=") {
            let before = text.as_bytes().clamped(..end).tail(MAX_LABEL);
            let Some(open) = memchr::memrchr(b'(', before) else { continue };
            let starts =
                matches!(before.clamped(..open).last(), None | Some(b'"' | b'\'' | b'\n' | b'n'));
            add(before.clamped(open + 1..), starts, &mut found);
        }
        // reStructuredText.
        for at in memmem::find_iter(text.as_bytes(), b".. _") {
            let rest = text.as_bytes().clamped(at + ".. _".len()..);
            let rest = rest.clamped(..MAX_LABEL);
            let Some(end) = memchr::memchr(b':', rest) else { continue };
            add(rest.clamped(..end), true, &mut found);
        }
    }
    found
}

fn add(label: &[u8], starts: bool, found: &mut HashSet<String>) {
    let is_of_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    if starts && !label.is_empty() && label.iter().all(is_of_label) {
        found.insert(String::from_utf8_lossy(label).into_owned());
    }
}
