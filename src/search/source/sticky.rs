//! A reader whose first error is also that of all later reads: [`Sticky`].

use std::io::{Error, ErrorKind, Read, Result};

use crate::archive::copy_error;

/// Code that only peeks at the first bytes of an input ignores errors and leaves them to later
/// reads. But a connection reports its reset only once, and a caller's reader may return the end of
/// the input after an error. Without this wrapper, such an error would be lost.
pub(crate) struct Sticky<R> {
    inner: R,
    error: Option<Error>,
}

impl<R> Sticky<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, error: None }
    }
}

impl<R: Read> Read for Sticky<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(error) = &self.error {
            return Err(copy_error(error));
        }
        let read = self.inner.read(out);
        if let Err(error) = &read
            && error.kind() != ErrorKind::Interrupted
        {
            self.error = Some(copy_error(error));
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use crate::search::{Hits, Input, NextHit, Search};

    use super::*;

    /// Returns its results from the last to the first, then the end of the input.
    struct Scripted(Vec<Result<&'static [u8]>>);

    impl Read for Scripted {
        fn read(&mut self, out: &mut [u8]) -> Result<usize> {
            self.0.pop().unwrap_or(Ok(b""))?.read(out)
        }
    }

    #[test]
    fn an_error_is_reported_once() {
        let search = Search::builder().build().unwrap();
        let count = |mut hits: Hits| {
            let hit =
                std::iter::from_fn(|| match hits.next_within(std::time::Duration::from_secs(60)) {
                    NextHit::Hit(_) => Some(()),
                    _ => None,
                });
            (hit.count(), hits.problems().len())
        };
        let parts: Vec<Result<&[u8]>> = vec![Err(Error::other("reset")), Ok(b"http://a.example/ ")];
        assert_eq!(count(search.hits(Scripted(parts), Input::named("a"))), (1, 1));
        let parts = vec![Err(Error::other("reset"))];
        assert_eq!(count(search.hits(Scripted(parts), Input::named("a"))), (0, 1));
    }

    /// A pipe that nobody writes to.
    struct Silent(std::sync::mpsc::Receiver<()>);

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    #[test]
    fn hits_can_be_dropped_while_a_reader_waits() {
        let (writer, silent) = std::sync::mpsc::channel();
        let search = Search::builder().build().unwrap();
        drop(search.hits(Silent(silent), Input::named("a")));
        drop(writer);
    }
}
