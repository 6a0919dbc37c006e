//! Pages for people: one file each, with its data, style, and script, that needs no network.
//!
//! A page is written in the order of its parts, so that data may be written as it is found.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use memchr::memmem;
use serde::Serialize;
use urigrep::search::describe;

use super::error::CliError;
use super::json::append;

/// Forbids every request, whatever the data of a page are. Earlier pages are known by it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
/// The policy is in the first bytes of a page.
const POLICY_WITHIN: u64 = 1024;
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The fixed parts of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub title: &'static str,
    /// Rules beside those that all pages share.
    pub style: &'static str,
    /// The elements of the body.
    pub body: &'static str,
    /// The script, which finds the data by their ids.
    pub script: &'static str,
}

impl Page {
    /// Appends everything before the data.
    pub fn open(&self, out: &mut Vec<u8>) {
        let Self { title, style, body, .. } = self;
        let head = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n\
             <style>\n{STYLE}{style}</style>\n</head>\n<body>\n{body}"
        );
        out.extend_from_slice(head.as_bytes());
    }

    /// Appends everything after the data.
    pub fn close(&self, out: &mut Vec<u8>) {
        let end = format!("<script>\n{SCRIPT}{}</script>\n</body>\n</html>\n", self.script);
        out.extend_from_slice(end.as_bytes());
    }
}

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

/// Appends the start of an element with data of this id.
pub fn open_data(id: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("<script type=\"application/json\" id=\"{id}\">").as_bytes());
}

/// Appends the end of an element with data.
pub fn close_data(out: &mut Vec<u8>) {
    out.extend_from_slice(b"</script>\n");
}

/// Appends JSON for an element with data: `</script>` in a string would end it.
pub fn push_json(value: &impl Serialize, out: &mut Vec<u8>) {
    let mut json = Vec::new();
    append(value, &mut json);
    for byte in json {
        match byte {
            b'<' => out.extend_from_slice(b"\\u003c"),
            byte => out.push(byte),
        }
    }
}
