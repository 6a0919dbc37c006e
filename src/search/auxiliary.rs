//! The files that are read beside the inputs: ignore rules, settings, baselines, link targets.
//!
//! They may come with a hostile tree, so nothing else in the crate reads a whole file: a FIFO would never end, and
//! `/dev/zero` or `/proc/self/pagemap` behind a link would take all memory.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// A file of settings, or of a person's own flags, has no more bytes.
pub const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// When it is something else, or larger, or can't be read.
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Before it is opened: to open a FIFO waits for its writer, and a device may do anything.
    if !fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    // The size that the system tells is not to be trusted: those of /proc are 0.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("larger than {most} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
/// Also when it is not UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> Result<String> {
    let text = String::from_utf8(read_regular(path, most)?);
    text.map_err(|_| Error::new(ErrorKind::InvalidData, "not valid UTF-8"))
}
