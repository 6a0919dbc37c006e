//! One input of a search: a file, standard input, or a member of an archive.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs::File;
#[cfg(unix)]
use std::io::Seek;
use std::io::{Read, Result};
use std::path::{Path, PathBuf};

use crate::archive::MemberPath;
use crate::redact::{redact_text, redacted_text};

/// How a file came to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It was named; it is searched whatever it looks like.
    Named,
    /// It was found in a directory; binary files are skipped there.
    Tree,
}

/// Which names [`Input::redacted`] takes secrets out of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RedactedNames {
    /// Those of the members of archives, which their authors chose. The path of a file stays one that can be opened.
    #[default]
    Members,
    /// Those of files, too.
    All,
}

/// One input of a search.
///
/// ```
/// use urigrep::search::Input;
/// let input = Input::named("notes.md");
/// assert_eq!(input.display_path(), b"notes.md");
/// assert_eq!(input.extension(), Some("md"));
/// ```
#[derive(Clone, Debug)]
pub struct Input {
    source: InputSource,
}

#[derive(Clone, Debug)]
enum InputSource {
    Stdin,
    /// A reader of the caller's.
    Reader {
        name: String,
    },
    File {
        path: PathBuf,
        displayed: PathBuf,
        origin: Origin,
    },
    Member(Box<MemberSource>),
}

#[derive(Clone, Debug)]
struct MemberSource {
    archive: Input,
    place: MemberPath,
    displayed: Vec<u8>,
    name: Vec<u8>,
    index: u64,
}

/// Whether an input is a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// It is a file, or all that is compressed in one.
    File,
    /// It is one of the members of an archive.
    Member,
}

/// How the bytes of an input arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// All at once: a regular file of about this many bytes.
    File(u64),
    /// As somebody writes them: a pipe, a terminal, a device.
    Stream,
}

pub(crate) struct OpenInput {
    /// The bytes; a regular file ends where it ended when it was opened.
    pub reader: Box<dyn Read + Send>,
    pub kind: InputKind,
    /// A large regular file once more for positioned reads, and the offset where the input starts in it.
    pub large: Option<(File, u64)>,
}

/// A larger file is read and searched by all threads.
const LARGE: u64 = 2 << 20;

impl Input {
    /// Standard input.
    pub const fn stdin() -> Self {
        Self { source: InputSource::Stdin }
    }

    /// A reader of one's own, by the name that is displayed; its extension may say what format it is in.
    pub fn named(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { source: InputSource::Reader { name } }
    }

    /// A file that was named.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::found(path.clone(), path, Origin::Named)
    }

    /// A file of a directory, which is skipped when it is binary.
    pub fn in_tree(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::found(path.clone(), path, Origin::Tree)
    }

    pub(crate) fn found(path: PathBuf, displayed: PathBuf, origin: Origin) -> Self {
        Self { source: InputSource::File { path, displayed, origin } }
    }

    /// The member at `place` of this archive, which `index` others come before.
    pub(crate) fn member(&self, place: &MemberPath, name: &[u8], index: u64) -> Self {
        Self {
            source: InputSource::Member(Box::new(MemberSource {
                archive: self.clone(),
                displayed: self.display_path_in(place),
                place: place.clone(),
                name: name.to_vec(),
                index,
            })),
        }
    }

    pub(crate) fn display_path_in(&self, place: &MemberPath) -> Vec<u8> {
        [self.display_path(), place.members()].concat()
    }

    /// The same as it is displayed without secrets in these names; `None` when they hold none. It is for display: its
    /// path may be none any more.
    ///
    /// ```
    /// use urigrep::search::{Input, RedactedNames};
    /// let input = Input::named("a?token=c0ffee");
    /// assert_eq!(input.redacted(RedactedNames::All).unwrap().display_path(), b"a?token=REDACTED");
    /// assert!(input.redacted(RedactedNames::Members).is_none());
    /// ```
    pub fn redacted(&self, names: RedactedNames) -> Option<Self> {
        let source = match (&self.source, names) {
            (InputSource::Member(member), _) => {
                let archive = member.archive.redacted(names);
                let place = member.place.redacted();
                if archive.is_none() && place.is_none() {
                    return None;
                }
                let archive = archive.unwrap_or_else(|| member.archive.clone());
                let place = place.unwrap_or_else(|| member.place.clone());
                InputSource::Member(Box::new(MemberSource {
                    displayed: archive.display_path_in(&place),
                    archive,
                    place,
                    name: member.name.clone(),
                    index: member.index,
                }))
            }
            (InputSource::Reader { name }, RedactedNames::All) => match redact_text(name) {
                Cow::Borrowed(_) => return None,
                Cow::Owned(name) => InputSource::Reader { name },
            },
            (InputSource::File { path, displayed, origin }, RedactedNames::All) => {
                let redacted = |path: &Path| {
                    let redacted = redacted_text(path.as_os_str().as_encoded_bytes())?;
                    Some(PathBuf::from(String::from_utf8_lossy(&redacted).into_owned()))
                };
                InputSource::File {
                    displayed: redacted(displayed)?,
                    // Links to it would show the secret.
                    path: redacted(path).unwrap_or_else(|| path.clone()),
                    origin: *origin,
                }
            }
            _ => return None,
        };
        Some(Self { source })
    }

    /// The path as it is displayed, with the members of archives after `!/`; the bytes of a file name need not be UTF-8.
    pub fn display_path(&self) -> &[u8] {
        match &self.source {
            InputSource::Stdin => b"<stdin>",
            InputSource::Reader { name } => name.as_bytes(),
            InputSource::File { displayed, .. } => OsStr::as_encoded_bytes(displayed.as_os_str()),
            InputSource::Member(member) => &member.displayed,
        }
    }

    /// The path of its file as it is displayed, without members.
    pub fn file_path(&self) -> &[u8] {
        match &self.source {
            InputSource::Member(member) => member.archive.display_path(),
            _ => self.display_path(),
        }
    }

    /// Where in its file it is, such as `gzip` or `zip!/dir/a.txt`; `None` for a whole file.
    pub fn stream(&self) -> Option<&[u8]> {
        match &self.source {
            InputSource::Member(member) => Some(member.place.stream()),
            _ => None,
        }
    }

    /// Whether it is a file of its own, or a member of an archive.
    pub fn level(&self) -> Level {
        match &self.source {
            InputSource::Member(member) if !member.place.members().is_empty() => Level::Member,
            _ => Level::File,
        }
    }

    /// How many streams of the same file come before it.
    pub fn index(&self) -> u64 {
        match &self.source {
            InputSource::Member(member) => member.index,
            _ => 0,
        }
    }

    /// The name of its file or member, which may say what format it is in; empty for standard input.
    pub fn name(&self) -> &[u8] {
        match &self.source {
            InputSource::Stdin => b"",
            InputSource::Reader { name } => name.as_bytes(),
            InputSource::File { path, .. } => {
                path.file_name().unwrap_or_default().as_encoded_bytes()
            }
            InputSource::Member(member) => &member.name,
        }
    }

    /// What follows the last dot of its name.
    pub fn extension(&self) -> Option<&str> {
        let name = self.name();
        let dot = name.iter().rposition(|&byte| byte == b'.')?;
        std::str::from_utf8(&name[dot + 1..]).ok()
    }

    /// The path of its file; `None` for standard input and readers.
    pub fn path(&self) -> Option<&Path> {
        match &self.source {
            InputSource::Stdin | InputSource::Reader { .. } => None,
            InputSource::File { path, .. } => Some(path),
            InputSource::Member(member) => member.archive.path(),
        }
    }

    /// The `file:` URI of its file (RFC 8089); `None` for what has no path, and for members of archives.
    ///
    /// ```
    /// # #[cfg(unix)]
    /// assert_eq!(urigrep::search::Input::file("/a b").file_uri().unwrap(), "file:///a%20b");
    /// ```
    pub fn file_uri(&self) -> Option<String> {
        match self.level() {
            Level::Member => None,
            Level::File => Some(format!("file://{}", encoded_path(self.path()?)?)),
        }
    }

    /// How it came to be searched.
    pub fn origin(&self) -> Origin {
        match &self.source {
            InputSource::Stdin | InputSource::Reader { .. } => Origin::Named,
            InputSource::File { origin, .. } => *origin,
            InputSource::Member(member) => member.archive.origin(),
        }
    }

    /// True for a regular file, which can be read again from its start.
    pub(crate) fn is_regular_file(&self) -> bool {
        let metadata = self.path().and_then(|path| std::fs::metadata(path).ok());
        metadata.is_some_and(|metadata| metadata.is_file())
    }

    pub(crate) fn open(&self) -> Result<OpenInput> {
        match &self.source {
            InputSource::Stdin => open_stdin(),
            InputSource::Reader { .. } => Err(std::io::ErrorKind::Unsupported.into()),
            InputSource::File { path, .. } => open_file(File::open(path)?, 0),
            InputSource::Member(member) => member.archive.open(),
        }
    }
}

/// The absolute path, percent-encoded as in a `file:` URI; `None` when there is no current directory.
///
/// ```
/// # #[cfg(unix)]
/// assert_eq!(urigrep::search::encoded_path("/a b".as_ref()).unwrap(), "/a%20b");
/// ```
pub fn encoded_path(path: &Path) -> Option<String> {
    let absolute = std::path::absolute(path).ok()?;
    Some(percent_encoded(absolute.as_os_str().as_encoded_bytes()))
}

/// A path of a URI: all but unreserved characters and `/` is percent-encoded.
#[doc(hidden)]
pub fn percent_encoded(path: &[u8]) -> String {
    let mut out = String::new();
    for &byte in path {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            // Writing to a string does not fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

/// The input that `file` is from the offset `at` on.
fn open_file(file: File, at: u64) -> Result<OpenInput> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(OpenInput { reader: Box::new(file), kind: InputKind::Stream, large: None });
    }
    let left = metadata.len().saturating_sub(at);
    let large = match left > LARGE {
        true => Some((file.try_clone()?, at)),
        false => None,
    };
    Ok(OpenInput { reader: Box::new(file.take(left)), kind: InputKind::File(left), large })
}

#[cfg(unix)]
fn stdin_file() -> Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(std::io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(unix)]
fn open_stdin() -> Result<OpenInput> {
    let mut file = stdin_file()?;
    // Another process may have read some of it before; a pipe has no offset.
    let at = file.stream_position().unwrap_or(0);
    open_file(file, at)
}

#[cfg(not(unix))]
fn open_stdin() -> Result<OpenInput> {
    Ok(OpenInput { reader: Box::new(std::io::stdin()), kind: InputKind::Stream, large: None })
}

/// True when standard input is a file, a pipe or a socket, so that it is meant to be read.
#[cfg(unix)]
pub fn stdin_is_readable() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let metadata = stdin_file().and_then(|file| file.metadata());
    metadata.is_ok_and(|metadata| {
        let kind = metadata.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

/// True when standard input is not a terminal.
#[cfg(not(unix))]
pub fn stdin_is_readable() -> bool {
    use std::io::IsTerminal;
    !std::io::stdin().is_terminal()
}
