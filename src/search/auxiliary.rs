//! Reads the files beside the inputs: ignore rules, settings, baselines, and link targets.
//!
//! They may come with a hostile tree, so nothing else in the crate reads a whole file. A FIFO would
//! never end, and `/dev/zero` or `/proc/self/pagemap` behind a link would take all memory.

use std::fs::{self, File, Metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The largest settings file, or file of default flags, that is read.
pub const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// Returns the metadata of a regular file.
///
/// Call it before opening the file. Opening a FIFO waits for its writer, and opening a device may
/// have side effects.
///
/// # Errors
/// If it is not a regular file but a directory, say, or its metadata can't be read.
pub fn regular_metadata(path: &Path) -> Result<Metadata> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        Ok(metadata)
    } else {
        Err(Error::new(ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// If it is not a regular file, is larger, or can't be read.
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Files in /proc claim to be regular and empty, so that is what they are here. Reading
    // `/proc/kmsg` waits for the kernel to say something, and `/proc/self/pagemap` has no end.
    if regular_metadata(path)?.len() == 0 {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::new();
    // The file may grow meanwhile, so the read itself is limited to one byte more than allowed.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("larger than {most} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// Reads a regular file of at most `most` bytes as text.
///
/// # Errors
/// If [`read_regular`] fails, or the text is not UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> Result<String> {
    let text = String::from_utf8(read_regular(path, most)?);
    text.map_err(|_| Error::new(ErrorKind::InvalidData, "not valid UTF-8"))
}
