//! The paths of the command line, as the roots of a search.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{ErrorKind, Read, stdin};
use std::path::{Path, PathBuf};

use urigrep::decode::{Encoding, Transcoder};
use urigrep::search::{Problem, ProblemKind, Root, describe, stdin_is_readable};

use super::error::CliError;
use super::help;
use super::progress::Total;

/// Reads the paths that a file lists, one per line, or each ended by a NUL byte.
///
/// # Errors
/// If it can't be read.
pub fn listed(file: &OsStr) -> Result<Vec<OsString>, CliError> {
    let read = if file == "-" {
        let mut bytes = Vec::new();
        stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        // No check for a regular file: the user named this file, and it may be a pipe.
        fs::read(file)
    };
    let failed = |error| {
        let message = format!("{}: {}", file.display(), describe(&error));
        CliError::invalid("--files-from", message)
    };
    let bytes = in_utf8(read.map_err(failed)?).ok_or_else(|| {
        let message = "it seems to be UTF-16 without a byte order mark; write it as UTF-8";
        CliError::invalid("--files-from", format!("{}: {message}", file.display()))
    })?;
    // No path contains a NUL byte, so the list itself shows how its paths end. The output of `find
    // -print0` and of `git ls-files -z` therefore needs no flag.
    let end = if bytes.contains(&0) { 0 } else { b'\n' };
    let paths = bytes.split(|&byte| byte == end).filter(|path| !path.is_empty());
    let paths = paths.map(|path| match end {
        // A list from Windows. A name that really ends in a carriage return needs the form with NUL
        // bytes.
        b'\n' => path.strip_suffix(b"\r").unwrap_or(path),
        _ => path,
    });
    paths.map(path_of).collect()
}

/// Returns a list without its byte order mark, in UTF-8; `None` if its encoding can only be
/// guessed.
///
/// Programs of Windows write UTF-16. Its zero bytes would end a path after each character, and a
/// path of `/` alone is the whole file system.
fn in_utf8(bytes: Vec<u8>) -> Option<Vec<u8>> {
    if let Some(text) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return Some(text.to_vec());
    }
    match Encoding::detect(&bytes) {
        None => Some(bytes),
        Some((_, 0)) => None,
        Some((encoding, mark)) => {
            let mut text = Vec::with_capacity(bytes.len());
            let mut transcoder = Transcoder::new(encoding, mark as u64);
            transcoder.push(bytes.get(mark..).unwrap_or_default(), &mut text);
            transcoder.finish(&mut text);
            Some(text)
        }
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Result<OsString, CliError> {
    Ok(std::os::unix::ffi::OsStrExt::from_bytes(bytes)).map(|path: &OsStr| path.to_owned())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Result<OsString, CliError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| CliError::invalid("--files-from", "a path is not UTF-8"))?;
    Ok(text.into())
}

/// Returns the roots for these paths. Without paths, that is standard input or the current
/// directory.
pub fn roots(paths: &[OsString]) -> Vec<Root> {
    if paths.is_empty() {
        return vec![if stdin_is_readable() {
            // At a terminal, standard input holds no text, and the current directory is meant, as
            // in ripgrep.
            Root::Stdin
        } else {
            Root::CurrentDirectory
        }];
    }
    let root = |path: &OsString| match PathBuf::from(path) {
        path if path == Path::new("-") => Root::Stdin,
        path => Root::Path(path),
    };
    paths.iter().map(root).collect()
}

/// Returns the total size. Directories make it unknown until they are read.
pub fn total(roots: &[Root]) -> Total {
    let size = |root: &Root| match root {
        Root::Path(path) => {
            let metadata = fs::metadata(path).ok()?;
            metadata.is_file().then_some(metadata.len())
        }
        Root::Stdin | Root::CurrentDirectory => None,
    };
    roots.iter().map(size).sum()
}

/// Returns the existing roots, and a problem for each missing one. If the first path looks like a
/// pattern of grep, the problem has the hint that `no_pattern` makes of it.
pub fn existing(
    roots: &[Root],
    no_pattern: impl Fn(&str) -> &'static str,
) -> (Vec<Root>, Vec<Problem>) {
    let (mut problems, mut existing) = (Vec::new(), Vec::new());
    for (index, root) in roots.iter().enumerate() {
        let error = match root {
            Root::Path(path) => fs::metadata(path).err().map(|error| (path, error)),
            Root::Stdin | Root::CurrentDirectory => None,
        };
        let Some((path, error)) = error else {
            existing.push(root.clone());
            continue;
        };
        let mut message = describe(&error);
        if let Some(archive) = archive_of_member(path) {
            message.push_str(&format!(
                "; a member of an archive can't be named: search `{}` as a whole",
                archive.display()
            ));
        }
        // A pattern or a verb comes before the paths.
        if index == 0 && error.kind() == ErrorKind::NotFound {
            if let Some(verb) = verb_meant(path) {
                message.push_str(&format!("; did you mean {verb}?"));
            } else if looks_like_pattern(path, roots.len()) {
                message.push_str("; ");
                message.push_str(no_pattern(&path.to_string_lossy()));
            }
        }
        let named = match path.as_os_str().as_encoded_bytes() {
            // An empty path would leave a message that starts with a colon.
            b"" => b"''",
            named => named,
        };
        problems.push(Problem::new(ProblemKind::Read, named, message));
    }
    (existing, problems)
}

/// An error if the first path is missing and looks like a verb.
///
/// Other missing files don't stop a search, as in grep. After `urigrep redact app.log`, the search
/// would print the very tokens that must not be shown.
pub fn refuse_unknown_verb(roots: &[Root]) -> Result<(), CliError> {
    let Some(Root::Path(path)) = roots.first() else { return Ok(()) };
    let is_missing = fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    match verb_meant(path) {
        Some(verb) if is_missing => Err(CliError::general(format!(
            "no such file or verb: `{}`; did you mean {verb}?",
            path.display()
        ))),
        _ => Ok(()),
    }
}

fn verb_meant(path: &Path) -> Option<String> {
    help::verb_for(path.to_str()?)
}

/// Returns the archive of `a.zip!/b.md`, the form in which members are printed, if it exists.
fn archive_of_member(path: &Path) -> Option<PathBuf> {
    let (archive, _) = path.to_str()?.split_once("!/")?;
    Some(PathBuf::from(archive)).filter(|archive| archive.is_file())
}

/// True for a first path that a user of grep may have meant as the pattern.
fn looks_like_pattern(path: &Path, paths: usize) -> bool {
    let text = path.to_string_lossy();
    // A path with a separator was meant as a path.
    let is_word = !text.contains(['/', '\\']);
    text.contains("://")
        || text.contains(['^', '$', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '\\'])
        // A single word with a full stop is more likely a file that was misspelled.
        || (is_word && (paths > 1 || !text.contains('.')))
}
