//! A large file, read in order, by all threads at once.

use std::io::{Read, Result};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::large::Source;

/// Bytes that a thread reads at a time.
const PART: usize = 128 << 10;

/// Reads a source from its start.
#[derive(Debug)]
pub struct Together<'p, S> {
    source: &'p S,
    at: u64,
    pool: &'p ThreadPool,
}

impl<'p, S: Source> Together<'p, S> {
    /// Reads `source`.
    pub fn new(source: &'p S, pool: &'p ThreadPool) -> Self {
        Self {
            source,
            at: 0,
            pool,
        }
    }
}

impl<S: Source> Read for Together<'_, S> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let room = out.len();
        let read = |index: usize, part: &mut [u8]| {
            let at = self.at + (index * PART) as u64;
            self.source.read_at(part, at)
        };
        let parts: Vec<_> = if room <= PART {
            vec![read(0, out)]
        } else {
            self.pool.install(|| {
                let parts = out.par_chunks_mut(PART).enumerate().with_max_len(1);
                parts.map(|(index, part)| read(index, part)).collect()
            })
        };
        let mut count = 0;
        for (index, (read, result)) in parts.into_iter().enumerate() {
            count += read;
            match result {
                // what comes before it counts; who reads on gets the error
                Err(error) if count == 0 => return Err(error),
                Ok(()) if read == PART.min(room - index * PART) => {}
                _ => break,
            }
        }
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::super::pieces::tests::Bytes;
    use super::*;

    #[test]
    fn the_same_as_in_one_read() {
        let bytes: Vec<u8> = (0..3 * PART + 777).map(|n| (n % 251) as u8).collect();
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for length in [0, 7, PART, 2 * PART, bytes.len()] {
            for room in [1 << 10, PART, PART + 1, 8 * PART] {
                let source = Bytes(&bytes[..length]);
                let mut reader = Together::new(&source, &pool);
                let (mut read, mut buffer) = (Vec::new(), vec![0; room]);
                loop {
                    let count = reader.read(&mut buffer).unwrap();
                    if count == 0 {
                        break;
                    }
                    read.extend_from_slice(&buffer[..count]);
                }
                assert!(read == bytes[..length], "{length} {room}");
            }
        }
    }
}
