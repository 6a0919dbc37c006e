//! Flags that say which inputs, and which of their lines, are read.

use std::ffi::OsString;

use clap::{Args, ValueHint};
use urigrep::search::Root;

use crate::cli::error::CliError;
use crate::cli::git::{LinesSince, MovedFiles, directories};
use crate::cli::roots::{listed, roots};

/// A list of inputs, and the lines that changed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files")]
pub struct ScopeFlags {
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        help = "Read the files listed in FILE, one per line; `-` is standard input.",
        long_help = "Read the files and directories listed in FILE, one per line, as if they were named on the command \
                     line; `-` is standard input. If the list has NUL bytes, each path ends with one, as in the output of \
                     `git ls-files -z` and `find -print0`."
    )]
    pub files_from: Option<OsString>,

    #[arg(
        long,
        value_name = "REF",
        help = "Read only lines that changed since the git revision REF.",
        long_help = "Read only lines that changed since the git revision REF, such as `main` or `HEAD~3`, and all lines of \
                     files that git does not track yet. In a renamed file, only changed lines count; an audit also reads all lines \
                     of a file that was moved to another directory. Other files are not read. `urigrep diff` also shows what was removed."
    )]
    pub since: Option<String>,
}

impl ScopeFlags {
    /// Returns the paths of the command line, followed by those of the list.
    ///
    /// # Errors
    /// If the list can't be read.
    pub fn paths(&self, paths: &[OsString]) -> Result<Vec<OsString>, CliError> {
        let mut paths = paths.to_vec();
        if let Some(file) = &self.files_from {
            paths.extend(listed(file)?);
        }
        Ok(paths)
    }

    /// Returns the roots of these paths and of the list.
    ///
    /// # Errors
    /// If the list can't be read.
    pub fn roots(&self, paths: &[OsString]) -> Result<Vec<Root>, CliError> {
        let paths = self.paths(paths)?;
        Ok(match (paths.as_slice(), &self.files_from, &self.since) {
            // An empty list names nothing; it is not the same as no list.
            ([], Some(_), _) => Vec::new(),
            // Git has no revision of standard input.
            ([], None, Some(_)) => vec![Root::CurrentDirectory],
            (paths, _, _) => roots(paths),
        })
    }

    /// Returns the changed lines of the files below these roots, if a flag restricts the search to
    /// them.
    ///
    /// # Errors
    /// If git fails.
    pub fn lines(&self, roots: &[Root], moved: MovedFiles) -> Result<Option<LinesSince>, CliError> {
        let Some(revision) = &self.since else { return Ok(None) };
        if roots.contains(&Root::Stdin) {
            return Err(CliError::invalid("--since", "standard input has no revisions"));
        }
        LinesSince::since(revision, &directories(roots), moved).map(Some)
    }
}
