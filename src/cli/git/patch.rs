//! Reads the output of `git diff`: [`read`].

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::path_of;

/// A change of the new side of a file in a patch.
#[derive(Debug, PartialEq, Eq)]
pub enum PatchChange {
    /// Lines that were added or changed.
    Lines(PathBuf, RangeInclusive<u64>),
    /// Git counts no lines of such a file, so all of it has changed.
    Binary(PathBuf),
    Renamed {
        from: PathBuf,
        to: PathBuf,
    },
}

/// Passes the changes of a patch on, in its order. Paths are relative to the top of the checkout.
///
/// # Errors
/// If the patch can't be read.
pub fn read(mut patch: impl BufRead, mut on: impl FnMut(PatchChange)) -> io::Result<()> {
    let mut file: Option<PathBuf> = None;
    let (mut old_name, mut new_name) = (PathBuf::new(), PathBuf::new());
    // The lines of a hunk come after its header, which counts them: one may look like a header.
    let (mut removed, mut added) = (0_u64, 0_u64);
    let mut read = Vec::new();
    loop {
        read.clear();
        if patch.read_until(b'\n', &mut read)? == 0 {
            return Ok(());
        }
        let line = read.strip_suffix(b"\n").unwrap_or(&read);
        if removed > 0 || added > 0 {
            match line.first() {
                Some(b'-') => removed = removed.saturating_sub(1),
                Some(b'+') => added = added.saturating_sub(1),
                // This line says that the last line end of the file is missing; it is counted on
                // neither side.
                Some(b'\\') => {}
                // A line of context is on both sides.
                _ => (removed, added) = (removed.saturating_sub(1), added.saturating_sub(1)),
            }
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            // git puts a tab after a name that has a space in it.
            file = new_side(name.strip_suffix(b"\t").unwrap_or(name));
        } else if let Some(name) = line.strip_prefix(b"rename from ") {
            old_name = path_of(&unquoted(name));
        } else if let Some(name) = line.strip_prefix(b"rename to ") {
            new_name = path_of(&unquoted(name));
            on(PatchChange::Renamed { from: old_name.clone(), to: new_name.clone() });
        } else if let Some(names) = line.strip_prefix(b"Binary files ") {
            on(PatchChange::Binary(
                match binary(names.strip_suffix(b" differ").unwrap_or(names)) {
                    BinaryName::Same(name) => name,
                    BinaryName::Removed => continue,
                    BinaryName::Renamed => new_name.clone(),
                },
            ));
        } else if let Some(header) = line.strip_prefix(b"@@ -") {
            let header = String::from_utf8_lossy(header);
            let mut places = header.split(' ');
            let place = |place: Option<&str>| {
                let place = place.unwrap_or_default().trim_start_matches('+');
                // git leaves out a count of one.
                let (start, count) = place.split_once(',').unwrap_or((place, "1"));
                (start.parse().unwrap_or(0_u64), count.parse().unwrap_or(0_u64))
            };
            let (_, old_count) = place(places.next());
            let (start, new_count) = place(places.next());
            (removed, added) = (old_count, new_count);
            // A hunk that only removes lines has none on the new side.
            if let (Some(file), 1..) = (&file, new_count) {
                on(PatchChange::Lines(file.clone(), start..=start.saturating_add(new_count - 1)));
            }
        }
    }
}

/// The name of a file on the new side, which is `b/NAME`; `None` for `/dev/null`.
fn new_side(name: &[u8]) -> Option<PathBuf> {
    unquoted(name).strip_prefix(b"b/").map(path_of)
}

/// The names in `OLD and NEW` of a binary file.
enum BinaryName {
    Same(PathBuf),
    Removed,
    /// A rename; the previous lines have both names.
    Renamed,
}

fn binary(names: &[u8]) -> BinaryName {
    const AND: &[u8] = b" and ";
    if let Some(name) = names.strip_prefix(b"/dev/null and ") {
        return new_side(name).map_or(BinaryName::Removed, BinaryName::Same);
    }
    if names.ends_with(b" and /dev/null") {
        return BinaryName::Removed;
    }
    // A name may have ` and ` in it. `a/NAME and b/NAME` is that of NAME twice, so its middle is
    // known.
    let half = names.len().saturating_sub(AND.len()) / 2;
    let (old, rest) = names.split_at(half);
    let new = rest.strip_prefix(AND).and_then(new_side);
    match new {
        Some(new) if unquoted(old).strip_prefix(b"a/").map(path_of).as_ref() == Some(&new) => {
            BinaryName::Same(new)
        }
        _ => BinaryName::Renamed,
    }
}

/// Decodes a name that git prints in quotes, as a string of C.
fn unquoted(name: &[u8]) -> Cow<'_, [u8]> {
    let Some(quoted) = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) else {
        return Cow::Borrowed(name);
    };
    let (mut decoded, mut rest) = (Vec::with_capacity(quoted.len()), quoted);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            decoded.push(byte);
            continue;
        }
        let octal = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
        if octal > 0 {
            let digits = rest[..octal].iter().map(|digit| u32::from(digit - b'0'));
            decoded.push(digits.fold(0, |value, digit| value * 8 + digit) as u8);
            rest = &rest[octal..];
        } else if let Some((&letter, after)) = rest.split_first() {
            rest = after;
            decoded.push(match letter {
                b'a' => 0x07,
                b'b' => 0x08,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 0x0B,
                b'f' => 0x0C,
                b'r' => b'\r',
                other => other,
            });
        }
    }
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_a_patch() {
        let patch = b"diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1,2 @@ x\n--- y\n+++ b/c\n+z\n\
                      @@ -9,2 +9,0 @@\n-q\n-r\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-s\n\
                      +++ \"b/\\303\\251\\t\\\"q\"\n@@ -1 +7 @@\n-s\n\\ No newline at end of file\n+t\n\
                      +++ b/context\n@@ -1,3 +1,3 @@\n-s\n x\n y\n+t\n+++ b/next\n@@ -0,0 +2 @@\n+t\n\
                      Binary files a/x and y.pdf and b/x and y.pdf differ\n\
                      Binary files \"a/\\t and \" and \"b/\\t and \" differ\n\
                      Binary files /dev/null and b/new and old differ\nBinary files a/gone and /dev/null differ\n\
                      rename from a/o and\nrename to a/p\nBinary files a/a/o and and b/a/p differ\n";
        let mut changes = Vec::new();
        read(&patch[..], |change| changes.push(change)).expect("bytes in memory");
        let lines = |path: &str, lines| PatchChange::Lines(path.into(), lines);
        let expected = [
            lines("a b", 1..=2),
            lines("\u{e9}\t\"q", 7..=7),
            lines("context", 1..=3),
            lines("next", 2..=2),
            PatchChange::Binary("x and y.pdf".into()),
            PatchChange::Binary("\t and ".into()),
            PatchChange::Binary("new and old".into()),
            PatchChange::Renamed { from: "a/o and".into(), to: "a/p".into() },
            PatchChange::Binary("a/p".into()),
        ];
        assert_eq!(changes, expected);
    }
}
