//! The options of a walk: file types, globs, and limits.

use std::fmt;
use std::path::PathBuf;

use ignore::Error;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

/// The files of directories to search, by the rules of ripgrep.
///
/// ```
/// use urigrep::search::WalkOptions;
/// let mut options = WalkOptions::default();
/// options.hidden = true;
/// options.globs = vec!["*.md".into()];
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkOptions {
    /// Only files of one of these types, such as `markdown`.
    pub types: Vec<String>,
    /// No files of these types.
    pub types_not: Vec<String>,
    /// Additional globs of types, such as `notes:*.note`.
    pub types_added: Vec<String>,
    /// Only paths that match, or with `!` before the glob do not; the last glob that matches
    /// decides.
    pub globs: Vec<String>,
    /// The same with letters of either case.
    pub iglobs: Vec<String>,
    /// Hidden files too.
    pub hidden: bool,
    /// Also files that `.gitignore`, `.ignore` and git's exclude files name.
    pub no_ignore: bool,
    /// Follows symbolic links. Each directory is entered once, and the order is
    /// [`Order::Path`](super::walk::Order::Path).
    pub follow: bool,
    /// Maximum depth of directories; 1 means the files of a directory itself.
    pub max_depth: Option<usize>,
    /// Skips larger files (in bytes).
    pub max_filesize: Option<u64>,
    /// Does not enter directories of another file system.
    pub one_file_system: bool,
}

/// The reason why a walk can't start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalkError {
    /// No file type has this name.
    UnknownType(String),
    /// The file types conflict.
    Types(String),
    /// A glob is invalid.
    Glob(String),
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType(name) => write!(f, "unknown file type `{name}`"),
            Self::Types(message) | Self::Glob(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for WalkError {}

impl WalkOptions {
    /// Returns the selected file types, or `None` if none are named.
    pub(super) fn file_types(&self) -> Result<Option<Types>, WalkError> {
        // Building the table of all types takes a millisecond, so it is skipped if possible.
        if self.types.is_empty() && self.types_not.is_empty() && self.types_added.is_empty() {
            return Ok(None);
        }
        let mut builder = types(&self.types_added)?;
        for name in &self.types {
            builder.select(name);
        }
        for name in &self.types_not {
            builder.negate(name);
        }
        builder.build().map(Some).map_err(|error| match error {
            Error::UnrecognizedFileType(name) => WalkError::UnknownType(name),
            other => WalkError::Types(other.to_string()),
        })
    }

    pub(super) fn overrides(&self) -> Result<Option<Override>, WalkError> {
        if self.globs.is_empty() && self.iglobs.is_empty() {
            return Ok(None);
        }
        let error = |error: Error| WalkError::Glob(error.to_string());
        // `-g` globs are relative to the current directory, as in ripgrep, not to each root.
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let mut builder = OverrideBuilder::new(here);
        for glob in &self.globs {
            builder.add(glob).map_err(error)?;
        }
        // The builder applies its setting to the globs that are added afterwards, so `--iglob`
        // comes last.
        builder.case_insensitive(true).map_err(error)?;
        for glob in &self.iglobs {
            builder.add(glob).map_err(error)?;
        }
        builder.build().map(Some).map_err(error)
    }
}

/// Returns the default types and the added ones.
fn types(added: &[String]) -> Result<TypesBuilder, WalkError> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for definition in added {
        let added = builder.add_def(definition);
        added.map_err(|error| WalkError::Types(format!("{definition}: {error}")))?;
    }
    Ok(builder)
}

/// Returns the names of all file types with their globs, including the `added` ones, such as
/// `notes:*.note`.
///
/// # Errors
/// If an added type is invalid.
pub fn file_types(added: &[String]) -> Result<Vec<(String, Vec<String>)>, WalkError> {
    let definitions = types(added)?.definitions().into_iter();
    Ok(definitions
        .map(|definition| (definition.name().to_owned(), definition.globs().to_vec()))
        .collect())
}
