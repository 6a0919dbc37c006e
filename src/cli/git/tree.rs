//! Lists the files of a stored tree, within bounds: [`list_tree`], [`check_tree`].
//!
//! A tree may hold one directory any number of times, so that a repository of some kilobytes names
//! 10^10 files, or one large file a million times. Git would go through them all, and would keep
//! them in memory to compare them.

use std::io::{BufRead, Read};
use std::process::Command;

use super::{not_run, streamed};

/// Maximum number of files; the same as for members of an archive.
const MAX_FILES: u64 = 4 << 20;
/// Maximum bytes of all names, since names may have any length.
const MAX_LIST_BYTES: u64 = 1 << 30;
/// Bytes of all files of a tree that are read or written.
pub const MAX_TREE_BYTES: u64 = 16 << 30;

/// Use of the contents of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeContents {
    /// The contents will be written to disk, so their bytes count.
    Written,
    Unread,
}

/// Passes on the entries of a tree, as `git ls-tree -r -z` prints them. `asked` is a command for
/// its repository.
///
/// # Errors
/// If git fails, or the tree is too large.
pub fn list_tree(
    mut asked: Command,
    tree: &str,
    contents: TreeContents,
    mut on: impl FnMut(&[u8]),
) -> Result<(), String> {
    asked.args(["ls-tree", "-r", "-z", "--full-tree"]);
    if contents == TreeContents::Written {
        asked.arg("--long");
    }
    streamed(asked.arg(tree), |listed| {
        let (mut entry, mut files, mut bytes) = (Vec::new(), 0, 0);
        let mut left = MAX_LIST_BYTES;
        loop {
            entry.clear();
            let read = listed.by_ref().take(left).read_until(0, &mut entry);
            left -= read.map_err(|error| not_run(&error))? as u64;
            let Some((0, listed)) = entry.split_last() else {
                return if left > 0 { Ok(()) } else { Err(too_large(tree)) };
            };
            files += 1;
            bytes += size(listed).unwrap_or(0);
            if files > MAX_FILES || bytes > MAX_TREE_BYTES {
                return Err(too_large(tree));
            }
            on(listed);
        }
    })
}

/// Makes sure that git can go through a tree.
///
/// # Errors
/// As for [`list_tree`].
pub fn check_tree(asked: Command, tree: &str) -> Result<(), String> {
    list_tree(asked, tree, TreeContents::Unread, |_| {})
}

/// Makes sure that all files of a tree can be written.
///
/// # Errors
/// As for [`list_tree`].
pub fn check_contents(
    asked: impl Fn() -> Result<Command, String>,
    tree: &str,
) -> Result<(), String> {
    // Git opens each file for its size, so they are counted first.
    check_tree(asked()?, tree)?;
    list_tree(asked()?, tree, TreeContents::Written, |_| {})
}

/// Returns the size in `MODE TYPE ID SIZE`, if it is there.
fn size(entry: &[u8]) -> Option<u64> {
    let about = entry.split(|byte| *byte == b'\t').next()?;
    let mut fields = about.split(|byte| *byte == b' ').filter(|field| !field.is_empty());
    std::str::from_utf8(fields.nth(3)?).ok()?.parse().ok()
}

fn too_large(tree: &str) -> String {
    let gigabytes = MAX_TREE_BYTES >> 30;
    format!("the tree of `{tree}` has more than {MAX_FILES} files or {gigabytes} GiB")
}
