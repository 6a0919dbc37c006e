//! The files of pages: [`create`].

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use memchr::memmem;
use urigrep::output::page::POLICY;
use urigrep::search::describe;

use super::error::CliError;

/// The policy is in the first bytes of a page.
const POLICY_WITHIN: u64 = 1024;

/// Creates the file of a page, and replaces an earlier page. Another file stays: `--report a.md` is
/// meant as a report about `a.md`.
///
/// # Errors
/// If another file has this name, or the file can't be created.
pub fn create(path: &Path) -> Result<File, CliError> {
    let mut start = Vec::new();
    let existing = File::open(path).and_then(|file| {
        let is_file = file.metadata()?.is_file();
        let size = if is_file { POLICY_WITHIN } else { 0 };
        file.take(size).read_to_end(&mut start)
    });
    if existing.is_ok() && !start.is_empty() && memmem::find(&start, POLICY.as_bytes()).is_none() {
        let message = "it exists and is no report; name another file, or remove this one";
        return Err(CliError::file(path, message));
    }
    File::create(path).map_err(|error| CliError::file(path, describe(&error)))
}
