//! A large file over all threads, a piece at a time, and one thread that takes what comes of them in order.
//!
//! The thread that does so works on pieces as the others do while there is nothing for it to take. A piece
//! and what was made of it go from thread to thread together.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;

use super::search::End;

/// Pieces a thread that are worked on or wait to be taken.
const SHARE: usize = 3;

/// How a file is cut.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Where the first piece starts.
    pub from: u64,
    /// How long a piece is.
    pub piece: u64,
    /// Where the file ends.
    pub end: u64,
}

/// What the threads share.
struct Desk<B, P> {
    state: Mutex<State<B, P>>,
    /// There is a buffer to fill, or nothing more to do.
    free: Condvar,
    /// A piece is ready, or a thread gave up.
    done: Condvar,
    cut: Cut,
}

struct State<B, P> {
    /// Where the next piece starts that nobody has begun.
    next: u64,
    buffers: Vec<B>,
    /// What was made of pieces, by where they start.
    ready: Vec<(u64, P)>,
    /// Nothing more is to be done.
    over: bool,
}

/// Gives each piece of a file, by where it starts and with a buffer for it, to `work` in some thread, and what it
/// makes of it to `take` in this one, in order; `take` gives the buffer back.
pub fn run<B: Default + Send, P: Send>(
    pool: &ThreadPool,
    cut: Cut,
    work: impl Fn(B, u64) -> P + Sync,
    take: impl FnMut(P) -> Result<B, End>,
) -> End {
    let threads = pool.current_num_threads();
    let desk = Desk {
        state: Mutex::new(State {
            next: cut.from,
            buffers: (0..SHARE * threads).map(|_| B::default()).collect(),
            ready: Vec::new(),
            over: false,
        }),
        free: Condvar::new(),
        done: Condvar::new(),
        cut,
    };
    pool.in_place_scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| desk.help(&work));
        }
        let _over = Over(&desk);
        match desk.lead(&work, take) {
            Ok(()) => End::Complete,
            Err(end) => end,
        }
    })
}

/// When this is dropped, by a panic too, no thread waits for another.
struct Over<'d, B, P>(&'d Desk<B, P>);

impl<B, P> Drop for Over<'_, B, P> {
    fn drop(&mut self) {
        self.0.state().over = true;
        self.0.free.notify_all();
        self.0.done.notify_all();
    }
}

impl<B, P> Desk<B, P> {
    fn state(&self) -> MutexGuard<'_, State<B, P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A buffer and where the piece starts that is to be put there, if there is both.
    fn begin(&self, state: &mut State<B, P>) -> Option<(B, u64)> {
        if state.next >= self.cut.end {
            return None;
        }
        let buffer = state.buffers.pop()?;
        let base = state.next;
        state.next += self.cut.piece;
        Some((buffer, base))
    }

    /// Works on pieces until there are no more.
    fn help(&self, work: impl Fn(B, u64) -> P) {
        let mut state = self.state();
        while !state.over && state.next < self.cut.end {
            let Some((buffer, base)) = self.begin(&mut state) else {
                state = self
                    .free
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            let panics = Over(self);
            let made = work(buffer, base);
            std::mem::forget(panics);
            state = self.state();
            state.ready.push((base, made));
            self.done.notify_one();
        }
    }

    /// Takes what is made of all pieces.
    fn lead(
        &self,
        work: impl Fn(B, u64) -> P,
        mut take: impl FnMut(P) -> Result<B, End>,
    ) -> Result<(), End> {
        let mut base = self.cut.from;
        let mut state = self.state();
        while base < self.cut.end && !state.over {
            if let Some(at) = state.ready.iter().position(|(at, _)| *at == base) {
                let (_, made) = state.ready.swap_remove(at);
                drop(state);
                let buffer = take(made)?;
                base += self.cut.piece;
                state = self.state();
                state.buffers.push(buffer);
                self.free.notify_one();
            } else if let Some((buffer, base)) = self.begin(&mut state) {
                drop(state);
                let made = work(buffer, base);
                state = self.state();
                state.ready.push((base, made));
            } else {
                state = self
                    .done
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
        Ok(())
    }
}
