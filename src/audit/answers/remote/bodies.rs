//! Memory for the bodies of all answers that are read at the same time: [`BodyBudget`].

use crate::threads::lock;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Bytes of all bodies together beyond their first [`UNCOUNTED_BYTES`].
const MAX_BYTES: usize = 32 << 20;

/// Bytes of each body that need no room: most pages are shorter, so they never wait for a long one.
const UNCOUNTED_BYTES: usize = 128 << 10;

/// Largest number of bytes by which a body grows at once.
const MAX_STEP: usize = 1 << 20;

/// Room for the decoded bodies of all answers. Without it, each of a hundred threads could hold a
/// page of the largest size.
#[derive(Debug)]
pub(super) struct BodyBudget {
    state: Mutex<BodyState>,
    freed: Condvar,
}

#[derive(Debug)]
struct BodyState {
    free: usize,
    /// True while a body grows beyond the budget. If all bodies waited for each other, none would
    /// end, so one of them may always go on, up to its own limit.
    has_overdraft: bool,
}

impl Default for BodyBudget {
    fn default() -> Self {
        let state = BodyState { free: MAX_BYTES, has_overdraft: false };
        Self { state: Mutex::new(state), freed: Condvar::new() }
    }
}

/// The part of a body that was kept.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub bytes: Vec<u8>,
    /// True if the body is longer than its limit, ends early, or found no room in time. Such a body
    /// is not evidence, so `bytes` is empty.
    pub is_cut: bool,
    /// Bytes that were read, also of a body that was dropped.
    pub read: u64,
    pub room: Room,
}

impl BodyBudget {
    /// Reads a body of at most `max_bytes`, and waits for room until `deadline`.
    pub fn read(
        self: &Arc<Self>,
        mut body: impl Read,
        max_bytes: usize,
        deadline: Instant,
    ) -> Body {
        let mut held = Held { budget: Arc::clone(self), bytes: 0, has_overdraft: false };
        let mut bytes = Vec::new();
        let cut = |read: usize| Body { is_cut: true, read: read as u64, ..Body::default() };
        // One byte more shows that there is more. The limit is on decoded bytes, so a small body
        // that unpacks to gigabytes is cut like a long one.
        while bytes.len() <= max_bytes {
            let step =
                bytes.len().clamp(UNCOUNTED_BYTES, MAX_STEP).min(max_bytes + 1 - bytes.len());
            let is_first = bytes.is_empty();
            if !is_first && !held.grow(step, deadline) || bytes.try_reserve_exact(step).is_err() {
                return cut(bytes.len());
            }
            match body.by_ref().take(step as u64).read_to_end(&mut bytes) {
                Ok(count) if count < step => {
                    let is_counted = held.bytes > 0 || held.has_overdraft;
                    let room = Room { _held: is_counted.then(|| Arc::new(held)) };
                    return Body { read: bytes.len() as u64, bytes, is_cut: false, room };
                }
                Ok(_) => {}
                Err(_) => return cut(bytes.len()),
            }
        }
        cut(bytes.len())
    }

    fn state(&self) -> MutexGuard<'_, BodyState> {
        lock(&self.state)
    }
}

/// Room that a body takes until it is dropped.
#[derive(Debug)]
struct Held {
    budget: Arc<BodyBudget>,
    bytes: usize,
    has_overdraft: bool,
}

impl Held {
    /// Takes more room; false if there was none before the deadline.
    fn grow(&mut self, bytes: usize, deadline: Instant) -> bool {
        let budget = Arc::clone(&self.budget);
        let mut state = budget.state();
        loop {
            if self.has_overdraft {
                return true;
            }
            if let Some(free) = state.free.checked_sub(bytes) {
                state.free = free;
                self.bytes += bytes;
                return true;
            }
            if !state.has_overdraft {
                (state.has_overdraft, self.has_overdraft) = (true, true);
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = budget.freed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        state.free += self.bytes;
        if self.has_overdraft {
            state.has_overdraft = false;
        }
        self.budget.freed.notify_all();
    }
}

/// Room in a budget, given back when the last copy is dropped.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    _held: Option<Arc<Held>>,
}

// Where its bytes are counted says nothing about an answer.
impl PartialEq for Room {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Room {}

#[cfg(test)]
mod tests {
    use std::io;
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(50)
    }

    /// The room that is left.
    fn free(budget: &BodyBudget) -> usize {
        budget.state().free
    }

    #[test]
    fn short_bodies_need_no_room() {
        let budget = Arc::new(BodyBudget::default());
        let body = budget.read(&b"abc"[..], 1 << 20, soon());
        assert_eq!((&body.bytes[..], body.is_cut, free(&budget)), (&b"abc"[..], false, MAX_BYTES));
        let body = budget.read(&b""[..], 0, soon());
        assert_eq!((body.bytes.len(), body.is_cut), (0, false));
    }

    #[test]
    fn a_body_is_whole_or_cut_at_its_limit() {
        let budget = Arc::new(BodyBudget::default());
        for length in [UNCOUNTED_BYTES - 1, UNCOUNTED_BYTES, UNCOUNTED_BYTES + 1, 3 << 20] {
            let text = vec![b'x'; length];
            assert_eq!(budget.read(&text[..], length, soon()).bytes, text);
            let cut = budget.read(&text[..], length - 1, soon());
            assert!(cut.is_cut && cut.bytes.is_empty() && cut.read == length as u64);
        }
        let broken = io::repeat(b'x').take(9).chain(Broken);
        assert!(budget.read(broken, 1 << 20, soon()).is_cut);
        assert_eq!(free(&budget), MAX_BYTES);
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }

    #[test]
    fn room_is_given_back_with_the_last_copy() {
        let budget = Arc::new(BodyBudget::default());
        let body = budget.read(io::repeat(b'x').take(1 << 20), 1 << 20, soon());
        let copy = body.room.clone();
        drop(body);
        assert!(free(&budget) < MAX_BYTES);
        drop(copy);
        assert_eq!(free(&budget), MAX_BYTES);
    }

    #[test]
    fn one_body_goes_on_without_room_and_others_wait() {
        let budget = Arc::new(BodyBudget::default());
        budget.state().free = 0;
        let long = || io::repeat(b'x').take(1 << 20);
        let first = budget.read(long(), 1 << 20, soon());
        assert!(!first.is_cut);
        // Nobody gives room back in time.
        assert!(budget.read(long(), 1 << 20, soon()).is_cut);
        let own = Arc::clone(&budget);
        let later = Instant::now() + Duration::from_secs(60);
        let waiting = thread::spawn(move || own.read(long(), 1 << 20, later).is_cut);
        drop(first);
        assert!(!waiting.join().unwrap());
    }

    #[test]
    fn many_endless_bodies_end() {
        let budget = Arc::new(BodyBudget::default());
        let later = Instant::now() + Duration::from_secs(60);
        let threads: Vec<_> = (0..40)
            .map(|_| {
                let own = Arc::clone(&budget);
                thread::spawn(move || own.read(io::repeat(b'x'), 8 << 20, later).is_cut)
            })
            .collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
        assert_eq!(free(&budget), MAX_BYTES);
    }
}
