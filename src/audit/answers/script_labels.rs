//! Labels that are not in a document of a site: those that a script writes into documents, such as
//! `'(contributions-themes)=\n'` in a program of Python, or `.. _a:` in a template; those of
//! documentation in code; and those of texts that documents include.

use std::collections::HashSet;
use std::path::PathBuf;

use memchr::memmem;

use super::sample::{programs_below, texts_below};
use crate::audit::Overlay;
use crate::audit::sites::text;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Maximum length of a label. The bound keeps time linear.
const MAX_LABEL: usize = 100;

/// Stands for a label that a program computes.
pub(super) const COMPUTED: &str = "";

/// Returns the labels in programs, templates, and texts below these directories; [`COMPUTED`] is
/// among them if a program has others.
pub(super) fn find(directories: &[PathBuf], overlay: &Overlay) -> HashSet<String> {
    let mut found = HashSet::new();
    for path in programs_below(directories).into_iter().chain(texts_below(directories)) {
        let text = overlay.text(&path).unwrap_or_else(|| text(&path));
        // MyST.
        for end in memmem::find_iter(text.as_bytes(), b")=") {
            let before = text.as_bytes().clamped(..end).tail(MAX_LABEL);
            let Some(open) = memchr::memrchr(b'(', before) else { continue };
            let starts = matches!(
                before.clamped(..open),
                [] | [.., b'"' | b'\'' | b'\n'] | [.., b'\\', b'n']
            );
            let is_comparison = text.as_bytes().get(end + ")=".len()) == Some(&b'=');
            add(before.clamped(open + 1..), starts && !is_comparison, &mut found);
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
        // Sphinx compares labels in lower case.
        found.insert(String::from_utf8_lossy(label).to_lowercase());
    } else if starts && label.iter().any(|byte| b"{%$\"'".contains(byte)) {
        found.insert(COMPUTED.to_owned());
    }
}
