//! The files of reports: [`create`] for pages, and [`create_report`].

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use memchr::memmem;
use urigrep::document::Format;
use urigrep::internal::is_markdown_report;
use urigrep::internal::output::page::POLICY;
use urigrep::search::describe;

use super::error::CliError;

/// The content security policy is in the first bytes of a page.
const POLICY_WITHIN: u64 = 1024;

/// Creates the file of a page, and replaces an earlier page. Another file stays: `--report a.md` is
/// meant as a report about `a.md`.
///
/// # Errors
/// If another file has this name, or the file can't be created.
pub fn create(path: &Path) -> Result<File, CliError> {
    create_unless(path, |start| !is_page(start))
}

/// Creates the file of a report in any format. A document in its place stays: `audit --output a.md`
/// is meant as an audit of `a.md`.
///
/// # Errors
/// If a document that is not a report has this name, or the file can't be created.
pub fn create_report(path: &Path) -> Result<File, CliError> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_document = extension.and_then(Format::from_extension).is_some_and(Format::is_markup);
    create_unless(path, |start| is_document && !is_page(start) && !is_markdown_report(start))
}

fn is_page(start: &[u8]) -> bool {
    memmem::find(start, POLICY.as_bytes()).is_some()
}

/// Creates a file, unless a file exists whose first bytes show that it must be kept.
fn create_unless(path: &Path, is_kept: impl Fn(&[u8]) -> bool) -> Result<File, CliError> {
    let mut start = Vec::new();
    // Opening a pipe waits for its other end.
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = File::open(path)
    {
        // A file that cannot be read is reported by the write below.
        drop(file.take(POLICY_WITHIN).read_to_end(&mut start));
    }
    if !start.is_empty() && is_kept(&start) {
        let message = "it exists and is not a report; name another file, or remove this one";
        return Err(CliError::file(path, message));
    }
    File::create(path).map_err(|error| CliError::file(path, describe(&error)))
}
