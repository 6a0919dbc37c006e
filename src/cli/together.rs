//! A large regular file, read by all threads at once.
//!
//! What a thread has read it also searches, mostly: [`split`](super::split) gives each thread the same part
//! of the window. So reading costs as many threads as searching, and what is read is near.

use std::fs::File;
use std::io::{ErrorKind, Read, Result};
use std::os::unix::fs::FileExt;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::split::PIECE as PART;

/// Reads a file from an offset to another, whatever else moves its cursor.
#[derive(Debug)]
pub struct Together<'p> {
    file: File,
    at: u64,
    end: u64,
    pool: &'p ThreadPool,
}

impl<'p> Together<'p> {
    /// Reads the bytes of `file` from `at` up to `end`.
    pub fn new(file: File, at: u64, end: u64, pool: &'p ThreadPool) -> Self {
        Self {
            file,
            at,
            end,
            pool,
        }
    }

    /// Fills `part` from `at` on, as far as there is anything.
    fn part(&self, part: &mut [u8], at: u64) -> Result<usize> {
        let mut filled = 0;
        while filled < part.len() {
            match self.file.read_at(&mut part[filled..], at + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // what comes before it counts; who reads on gets the error
                Err(_) if filled > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Read for Together<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let room = out.len().min(left);
        let out = &mut out[..room];
        let at = |index: usize| self.at + (index * PART) as u64;
        let parts: Vec<Result<usize>> = if room <= PART {
            vec![self.part(out, self.at)]
        } else {
            self.pool.install(|| {
                let parts = out.par_chunks_mut(PART).enumerate().with_max_len(1);
                parts
                    .map(|(index, part)| self.part(part, at(index)))
                    .collect()
            })
        };
        let mut count = 0;
        for (index, part) in parts.into_iter().enumerate() {
            match part {
                Ok(read) => {
                    count += read;
                    if read < PART.min(room - index * PART) {
                        break;
                    }
                }
                Err(error) if count == 0 => return Err(error),
                Err(_) => break,
            }
        }
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use rayon::ThreadPoolBuilder;

    use super::*;

    #[test]
    fn the_same_as_in_one_read() {
        let path = std::env::temp_dir().join(format!("urigrep-together-{}", std::process::id()));
        let bytes: Vec<u8> = (0..3 * PART + 777).map(|n| (n % 251) as u8).collect();
        File::create(&path).unwrap().write_all(&bytes).unwrap();
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for (at, end) in [
            (0, bytes.len()),
            (5, bytes.len()),
            (7, 2 * PART),
            (0, 9 * PART),
            (9, 3),
        ] {
            for room in [1 << 10, PART, PART + 1, 8 * PART] {
                let mut reader =
                    Together::new(File::open(&path).unwrap(), at as u64, end as u64, &pool);
                let (mut read, mut buffer) = (Vec::new(), vec![0; room]);
                loop {
                    let count = reader.read(&mut buffer).unwrap();
                    if count == 0 {
                        break;
                    }
                    read.extend_from_slice(&buffer[..count]);
                }
                let end = end.min(bytes.len());
                assert!(read == bytes[at.min(end)..end], "{at} {end} {room}");
            }
        }
        std::fs::remove_file(&path).unwrap();
    }
}
