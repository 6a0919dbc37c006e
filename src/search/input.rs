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
use crate::document::Stream;
use crate::redact::{redact_text, redacted_text};

/// The way a file came to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Named by the user: it is searched even if it is binary.
    Named,
    /// Found in a directory: it is skipped if it is binary.
    Tree,
}

/// The names that [`Input::redacted`] removes secrets from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RedactedNames {
    /// The names of archive members, which the authors of the archive chose. The path of a file
    /// stays unchanged, so that it can still be opened.
    #[default]
    Members,
    /// File names, too.
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
    /// A reader supplied by the caller.
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

/// The level of an input: a file or an archive member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// A file, or the contents of a single compressed file.
    File,
    /// A member of an archive.
    Member,
}

/// The way the bytes of an input arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// All at once: a regular file of about this many bytes.
    File(u64),
    /// As they are written: a pipe, a terminal, a device.
    Stream,
}

pub(crate) struct OpenInput {
    /// The bytes. A regular file ends at the length it had when it was opened.
    pub reader: Box<dyn Read + Send>,
    pub kind: InputKind,
    /// A second handle of a large regular file for positioned reads, and the offset at which the
    /// input starts in it.
    pub large: Option<(File, u64)>,
}

/// Size from which a file is read and searched by all threads.
const MIN_SHARED_BYTES: u64 = 2 << 20;

impl Input {
    /// Standard input.
    pub const fn stdin() -> Self {
        Self { source: InputSource::Stdin }
    }

    /// A caller's reader with a display name. The extension of the name may determine its format.
    pub fn named(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { source: InputSource::Reader { name } }
    }

    /// A file that was named.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::found(path.clone(), path, Origin::Named)
    }

    /// A file found in a directory. It is skipped if it is binary.
    pub fn in_tree(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::found(path.clone(), path, Origin::Tree)
    }

    pub(crate) fn found(path: PathBuf, displayed: PathBuf, origin: Origin) -> Self {
        Self { source: InputSource::File { path, displayed, origin } }
    }

    /// The member at `place` of this archive, after `index` other members.
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

    /// A text that was extracted from this document, such as `page 3`, or a file in it.
    pub(crate) fn extracted(&self, stream: &Stream<'_>) -> Self {
        let Stream { name, file, .. } = *stream;
        let place = match &self.source {
            InputSource::Member(member) => member.place.extracted(name, file),
            _ => MemberPath::default().extracted(name, file),
        };
        let (archive, index) = match &self.source {
            InputSource::Member(member) => (member.archive.clone(), member.index),
            _ => (self.clone(), 0),
        };
        Self {
            source: InputSource::Member(Box::new(MemberSource {
                displayed: archive.display_path_in(&place),
                archive,
                place,
                name: file.map_or_else(|| self.name().to_vec(), |file| file.as_bytes().to_vec()),
                index,
            })),
        }
    }

    /// Returns the displayed path of a file below this document; of the document itself if `file`
    /// is empty.
    pub(crate) fn display_path_of(&self, file: &str) -> Vec<u8> {
        let separator: &[u8] = if file.is_empty() { b"" } else { b"!/" };
        [self.display_path(), separator, file.as_bytes()].concat()
    }

    pub(crate) fn display_path_in(&self, place: &MemberPath) -> Vec<u8> {
        [self.display_path(), place.members()].concat()
    }

    /// Returns the input with secrets removed from these names, or `None` if they hold none. For
    /// display only; the redacted path may not exist.
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
                    // A hyperlink with the original path would show the secret.
                    path: redacted(path).unwrap_or_else(|| path.clone()),
                    origin: *origin,
                }
            }
            _ => return None,
        };
        Some(Self { source })
    }

    /// The displayed path, with archive members after `!/`. The bytes of a file name need not be
    /// UTF-8.
    pub fn display_path(&self) -> &[u8] {
        match &self.source {
            InputSource::Stdin => b"<stdin>",
            InputSource::Reader { name } => name.as_bytes(),
            InputSource::File { displayed, .. } => OsStr::as_encoded_bytes(displayed.as_os_str()),
            InputSource::Member(member) => &member.displayed,
        }
    }

    /// The displayed path of its file, without members.
    pub fn file_path(&self) -> &[u8] {
        match &self.source {
            InputSource::Member(member) => member.archive.display_path(),
            _ => self.display_path(),
        }
    }

    /// The place in its file, such as `gzip` or `zip!/dir/a.txt`; `None` for a whole file.
    pub fn stream(&self) -> Option<&[u8]> {
        match &self.source {
            InputSource::Member(member) => Some(member.place.stream()),
            _ => None,
        }
    }

    /// Returns whether it is a file or an archive member.
    pub fn level(&self) -> Level {
        match &self.source {
            InputSource::Member(member) if !member.place.members().is_empty() => Level::Member,
            _ => Level::File,
        }
    }

    /// The number of streams before it in the same file.
    pub fn index(&self) -> u64 {
        match &self.source {
            InputSource::Member(member) => member.index,
            _ => 0,
        }
    }

    /// The name of its file or member, which may determine its format; empty for standard input.
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

    /// The part of its name after the last dot.
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

    /// The `file:` URI of its file (RFC 8089); `None` for inputs without a path and for archive
    /// members.
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

    /// The way it came to be searched.
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

    /// True for standard input, which can be read only once.
    pub(crate) fn is_stdin(&self) -> bool {
        matches!(self.source, InputSource::Stdin)
    }

    pub(crate) fn open(&self) -> Result<OpenInput> {
        match &self.source {
            InputSource::Stdin => open_stdin(),
            // A caller's reader is passed beside the input, and only once.
            InputSource::Reader { .. } => Err(std::io::ErrorKind::Unsupported.into()),
            InputSource::File { path, .. } => open_file(File::open(path)?, 0),
            InputSource::Member(member) => member.archive.open(),
        }
    }
}

/// Returns the absolute path, percent-encoded as in a `file:` URI, or `None` if there is no current
/// directory.
///
/// ```
/// # #[cfg(unix)]
/// assert_eq!(urigrep::search::encoded_path("/a b".as_ref()).unwrap(), "/a%20b");
/// ```
pub fn encoded_path(path: &Path) -> Option<String> {
    let absolute = std::path::absolute(path).ok()?;
    Some(percent_encoded(absolute.as_os_str().as_encoded_bytes()))
}

/// Percent-encodes a path for a URI: all characters except unreserved ones and `/`.
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

/// Opens `file` as an input that starts at offset `at`.
fn open_file(file: File, at: u64) -> Result<OpenInput> {
    let metadata = file.metadata()?;
    // Files in /proc report a size of 0 but have contents. Read them as streams, to their actual
    // end.
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(OpenInput { reader: Box::new(file), kind: InputKind::Stream, large: None });
    }
    let left = metadata.len().saturating_sub(at);
    let large = if left > MIN_SHARED_BYTES { Some((file.try_clone()?, at)) } else { None };
    // A log that grows during the search would otherwise never end. So the input has the length
    // that the file had when it was opened.
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
    // Another process may have read part of it before. A pipe has no offset.
    let at = file.stream_position().unwrap_or(0);
    open_file(file, at)
}

#[cfg(not(unix))]
fn open_stdin() -> Result<OpenInput> {
    Ok(OpenInput { reader: Box::new(std::io::stdin()), kind: InputKind::Stream, large: None })
}

/// True if standard input is a file, a pipe, or a socket, and so is probably meant to be read.
#[cfg(unix)]
pub fn stdin_is_readable() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let metadata = stdin_file().and_then(|file| file.metadata());
    // A character device is a terminal, or `/dev/null`, which services get as standard input.
    metadata.is_ok_and(|metadata| {
        let kind = metadata.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

/// True if standard input is not a terminal.
#[cfg(not(unix))]
pub fn stdin_is_readable() -> bool {
    use std::io::IsTerminal;
    !std::io::stdin().is_terminal()
}

/// True if standard input has bytes that wait to be read. It is not read, and not waited for.
#[cfg(unix)]
pub fn stdin_has_text() -> bool {
    rustix::io::ioctl_fionread(std::io::stdin()).is_ok_and(|waiting| waiting > 0)
}

/// False: this system does not say it without a read.
#[cfg(not(unix))]
pub fn stdin_has_text() -> bool {
    false
}
