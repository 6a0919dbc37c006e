//! Differences between two texts as a unified diff, which `patch` and `git apply` read.

use std::borrow::Cow;
use std::ops::Range;

use super::apply::{AppliedEdit, Changed};
use crate::decode::Transcoder;
use crate::slice::SliceExt as _;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The reason why a change is not shown as a diff, and the way out.
pub const NO_DIFF: &str = "not in the diff, which cannot hold UTF-16 and UTF-32";

/// True if `patch` and `git apply` can read the diff of a changed text. That of UTF-16 or UTF-32 is
/// for people only, and `git apply` refuses a whole patch for one hunk that does not fit its file.
pub fn has_diff(changed: &Changed) -> bool {
    changed.encoding().is_none()
}

/// The names of a file in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffNames<'n> {
    /// The path, without a prefix.
    pub path: &'n [u8],
}

/// A run of changed lines: 0-based line numbers of both texts.
struct ChangedLines {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the unified diff of a text and its changed form, empty without edits. `applied` are the
/// places that changed, in order.
///
/// ```
/// use urigrep::change::{self, DiffNames, Edit, Replacement, unified_diff};
/// use urigrep::search::{Input, Search};
/// let text = b"a\nhttp://a.example/\nb\n";
/// let to = Replacement::Uri("https://a.example/".to_owned());
/// let edit = Edit::new([2, 19], "http://a.example/", to);
/// let changed = change::apply(&Search::default(), &Input::named("a.txt"), text, &[edit]);
/// let diff = unified_diff(DiffNames { path: b"a.txt" }, text, &changed);
/// let diff = String::from_utf8(diff).unwrap();
/// assert!(diff.ends_with("@@ -1,3 +1,3 @@\n a\n-http://a.example/\n+https://a.example/\n b\n"));
/// ```
pub fn unified_diff(names: DiffNames<'_>, old: &[u8], changed: &Changed) -> Vec<u8> {
    let mut diff = Vec::new();
    if changed.applied().is_empty() {
        return diff;
    }
    let readable = Readable::new(old, changed);
    let (old, new) = (&*readable.old, &*readable.new);
    let (old_lines, new_lines) = (line_starts(old), line_starts(new));
    for (sign, prefix) in [("---", &b"a/"[..]), ("+++", b"b/")] {
        diff.extend_from_slice(sign.as_bytes());
        diff.push(b' ');
        let path = names.path.strip_prefix(b"./").unwrap_or(names.path);
        let prefix = if path.starts_with(b"/") { &b""[..] } else { prefix };
        push_name(prefix, path, &mut diff);
        diff.push(b'\n');
    }
    let runs = changed_lines(&readable.applied, &old_lines, &new_lines);
    // Changes whose contexts meet are one hunk.
    for hunk in runs.chunk_by(|one, next| next.old.start <= one.old.end + 2 * CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let before = first.old.start.min(CONTEXT);
        let after = (old_lines.len() - 1 - last.old.end).min(CONTEXT);
        let of_old = first.old.start - before..last.old.end + after;
        let of_new = first.new.start - before..last.new.end + after;
        let header = format!("@@ -{} +{} @@\n", place(&of_old), place(&of_new));
        diff.extend_from_slice(header.as_bytes());
        let mut at = of_old.start;
        for run in hunk {
            push_lines(b' ', old, &old_lines, at..run.old.start, &mut diff);
            push_lines(b'-', old, &old_lines, run.old.clone(), &mut diff);
            push_lines(b'+', new, &new_lines, run.new.clone(), &mut diff);
            at = run.old.end;
        }
        push_lines(b' ', old, &old_lines, at..of_old.end, &mut diff);
    }
    diff
}

/// Appends a name as git does ("Generating patch text with -p"): quoted as in C if it has a
/// character that would end the line, or that `patch` would not read as part of the name. A hostile
/// name must not add lines to the diff.
fn push_name(prefix: &[u8], path: &[u8], out: &mut Vec<u8>) {
    let is_special = |byte: &u8| byte.is_ascii_control() || matches!(byte, b'"' | b'\\');
    if !path.iter().any(is_special) {
        out.extend_from_slice(prefix);
        out.extend_from_slice(path);
        // Without it, `patch` ends a name at a space.
        if path.contains(&b' ') {
            out.push(b'\t');
        }
        return;
    }
    out.push(b'"');
    out.extend_from_slice(prefix);
    for &byte in path {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            byte if byte.is_ascii_control() => {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
            }
            byte => out.push(byte),
        }
    }
    out.push(b'"');
}

/// Both texts in a form that can be shown. A diff of UTF-16 is one of its text, for people only.
struct Readable<'t> {
    old: Cow<'t, [u8]>,
    new: Cow<'t, [u8]>,
    applied: Cow<'t, [AppliedEdit]>,
}

impl<'t> Readable<'t> {
    fn new(old: &'t [u8], changed: &'t Changed) -> Self {
        let (new, applied) = (changed.bytes(), changed.applied());
        let Some(encoding) = changed.encoding() else {
            return Self {
                old: Cow::Borrowed(old),
                new: Cow::Borrowed(new),
                applied: Cow::Borrowed(applied),
            };
        };
        let mut texts = (Vec::new(), Vec::new());
        let mut readers = (Transcoder::new(encoding, 0), Transcoder::new(encoding, 0));
        let mut at = (0, 0);
        let mut moved = Vec::new();
        for edit in applied {
            // Edits start and end between characters, so the decoders have no incomplete ones.
            let mut offset = |old_at: usize, new_at: usize| {
                readers.0.push(old.part(at.0..old_at), &mut texts.0);
                readers.1.push(new.part(at.1..new_at), &mut texts.1);
                at = (old_at, new_at);
                (texts.0.len(), texts.1.len())
            };
            let (old_start, new_start) = offset(edit.old.start, edit.new.start);
            let (old_end, new_end) = offset(edit.old.end, edit.new.end);
            let (old, new) = (old_start..old_end, new_start..new_end);
            moved.push(AppliedEdit { edit: edit.edit, old, new });
        }
        readers.0.push(old.clamped(at.0..), &mut texts.0);
        readers.1.push(new.clamped(at.1..), &mut texts.1);
        Self { old: Cow::Owned(texts.0), new: Cow::Owned(texts.1), applied: Cow::Owned(moved) }
    }
}

/// Returns the starts of all lines, and the end of the text.
fn line_starts(text: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text).map(|at| at + 1));
    if starts.last() != Some(&text.len()) {
        starts.push(text.len());
    }
    starts
}

/// Returns the runs of lines with edits. Edits in the same lines are one run.
fn changed_lines(
    applied: &[AppliedEdit],
    old_starts: &[usize],
    new_starts: &[usize],
) -> Vec<ChangedLines> {
    let line = |starts: &[usize], at: usize| starts.partition_point(|start| *start <= at) - 1;
    let lines = |starts: &[usize], range: &Range<usize>| {
        let last = range.end.saturating_sub(1).max(range.start);
        line(starts, range.start)..line(starts, last) + 1
    };
    let mut runs: Vec<ChangedLines> = Vec::new();
    for edit in applied {
        let (old, new) = (lines(old_starts, &edit.old), lines(new_starts, &edit.new));
        match runs.last_mut() {
            Some(last) if old.start <= last.old.end || new.start <= last.new.end => {
                last.old.end = last.old.end.max(old.end);
                last.new.end = last.new.end.max(new.end);
            }
            _ => runs.push(ChangedLines { old, new }),
        }
    }
    runs
}

/// Formats a range of lines: the first line, from 1, and their number if it is not 1.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        1 => format!("{}", lines.start + 1),
        // By convention, an empty range names the line before it.
        0 => format!("{},0", lines.start),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn push_lines(sign: u8, text: &[u8], starts: &[usize], lines: Range<usize>, diff: &mut Vec<u8>) {
    for line in lines {
        let (Some(&start), Some(&end)) = (starts.get(line), starts.get(line + 1)) else { return };
        diff.push(sign);
        let line = text.part(start..end);
        diff.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            diff.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}
