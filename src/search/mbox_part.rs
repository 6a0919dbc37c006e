//! A part of a large mbox: the messages that start in a range of its bytes.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom, Take};
use std::ops::Range;
use std::path::Path;

use crate::document::mbox::{self, Rest};

/// Bytes per read.
const WINDOW: usize = 1 << 20;
/// Upper bound on the line that starts a message, with the blank line before it.
const START_MAX: usize = 4 << 10;

/// The messages of an mbox that start in a range of its bytes. Consecutive ranges yield each
/// message once, so that several machines can read one mailbox.
///
/// A message starts at a line `From …` with a valid date. With `Content-Length`, as in the dialect
/// mboxcl2, such a line may belong to the message before it. Then a range may start within a
/// message.
///
/// ```
/// use std::io::Read;
/// use urigrep::search::MboxPart;
/// # let file = std::env::temp_dir().join(format!("urigrep-part-{}", std::process::id()));
/// # std::fs::write(&file, "From a@a.example Wed Mar  2 23:56:19 2005\n\n1\n\nFrom b@a.example Wed Mar  2 23:57:00 2005\n\n2\n").unwrap();
/// let mut second = MboxPart::open(&file, 10..80)?;
/// assert_eq!(second.start(), 46);
/// let mut text = String::new();
/// second.read_to_string(&mut text)?;
/// assert!(text.starts_with("From b@a.example"));
/// # std::fs::remove_file(&file).unwrap();
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct MboxPart {
    reader: Take<File>,
    start: u64,
}

impl MboxPart {
    /// Finds the messages.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn open(path: impl AsRef<Path>, range: Range<u64>) -> Result<Self> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let start = first_message(&mut file, range.start, length)?;
        let end = first_message(&mut file, range.end, length)?;
        file.seek(SeekFrom::Start(start))?;
        Ok(Self { reader: file.take(end.saturating_sub(start)), start })
    }

    /// The offset in the file of the first message. Add it to offsets within the part.
    pub fn start(&self) -> u64 {
        self.start
    }
}

impl Read for MboxPart {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        self.reader.read(out)
    }
}

/// Returns the start of the first message at or after `from`.
fn first_message(file: &mut File, from: u64, length: u64) -> Result<u64> {
    if from == 0 || from >= length {
        return Ok(from.min(length));
    }
    // The line break before a message is part of the pattern.
    let mut base = from - 1;
    file.seek(SeekFrom::Start(base))?;
    let mut window = Vec::new();
    loop {
        let count = file.take(WINDOW as u64).read_to_end(&mut window)?;
        let rest = if count < WINDOW { Rest::End } else { Rest::More };
        if let Some(found) = mbox::start(&window, 0, rest) {
            return Ok(base + found as u64);
        }
        if rest == Rest::End {
            return Ok(length);
        }
        // The start of a message may be cut at the end of a window, so the last bytes are read
        // again.
        let dropped = window.len().saturating_sub(START_MAX);
        window.drain(..dropped);
        base += dropped as u64;
    }
}
