//! A large file over all threads, a piece at a time, and one thread that takes what comes of them in order.
//!
//! The others work on pieces ahead of it, and what they make of a piece is kept until its turn comes. It takes
//! longer to keep something than to tell it at once, so they leave the next piece that nobody has begun to the
//! thread that tells. That one works ahead, too, when the piece that it needs is not ready.

use std::panic;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::search::End;

/// Pieces a helping thread that are worked on or wait to be taken.
const SHARE: usize = 3;
/// Pieces for which it is worth it to begin a thread.
const WORTH: u64 = 8;

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

/// A piece whose turn has come.
pub enum Turn<P> {
    /// What was made of it.
    Made(P),
    /// Nobody has worked on it; it starts here.
    Open(u64),
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
    /// Where the next piece starts that nobody has begun, behind the one that was left.
    next: u64,
    /// The piece that was left to the thread that takes.
    left: Option<u64>,
    buffers: Vec<B>,
    /// What was made of pieces, by where they start.
    ready: Vec<(u64, P)>,
    /// Threads that wait for a buffer,
    hungry: usize,
    /// and whether the one that takes waits for a piece: to wake nobody takes a while, too.
    waits: bool,
    /// Nothing more is to be done.
    over: bool,
}

/// Gives pieces of a file, by where they start and with a buffer, to `work` in other threads, and to `take` in this
/// one, in order, what is made of them, or the piece itself; `take` gives the buffer back.
///
/// There are `threads` in all, or as many as the system gives and the file is worth.
pub fn run<B: Default + Send, P: Send>(
    threads: usize,
    cut: Cut,
    work: impl Fn(B, u64) -> P + Sync,
    take: impl FnMut(Turn<P>) -> Result<Option<B>, End>,
) -> End {
    let pieces = cut.end.saturating_sub(cut.from) / cut.piece;
    let worth = usize::try_from(pieces / WORTH).unwrap_or(usize::MAX);
    let helpers = threads.saturating_sub(1).min(worth);
    let desk = Desk {
        state: Mutex::new(State {
            next: cut.from,
            left: None,
            buffers: (0..SHARE * helpers).map(|_| B::default()).collect(),
            ready: Vec::new(),
            hungry: 0,
            waits: false,
            over: false,
        }),
        free: Condvar::new(),
        done: Condvar::new(),
        cut,
    };
    thread::scope(|scope| {
        let help = || desk.help(&work);
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, help).ok();
        let helpers: Vec<_> = (0..helpers).map_while(spawn).collect();
        let over = Over(&desk);
        let end = match desk.lead(&work, take) {
            Ok(()) => End::Complete,
            Err(end) => end,
        };
        drop(over);
        for helper in helpers {
            // who called hears of it as if it had happened here
            helper
                .join()
                .unwrap_or_else(|payload| panic::resume_unwind(payload));
        }
        end
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

impl<B, P> State<B, P> {
    /// Leaves the next piece to the thread that takes, unless one is left to it.
    fn leave(&mut self, cut: Cut) {
        if self.left.is_none() && self.next < cut.end {
            self.left = Some(self.next);
            self.next += cut.piece;
        }
    }

    /// A buffer and where the piece starts that nobody has begun, if there is both.
    fn begin(&mut self, cut: Cut) -> Option<(B, u64)> {
        if self.next >= cut.end {
            return None;
        }
        let buffer = self.buffers.pop()?;
        let base = self.next;
        self.next += cut.piece;
        Some((buffer, base))
    }
}

impl<B, P> Desk<B, P> {
    fn state(&self) -> MutexGuard<'_, State<B, P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on pieces until there are no more.
    fn help(&self, work: impl Fn(B, u64) -> P) {
        let mut state = self.state();
        while !state.over && state.next < self.cut.end {
            state.leave(self.cut);
            let Some((buffer, base)) = state.begin(self.cut) else {
                if state.next >= self.cut.end {
                    return;
                }
                state.hungry += 1;
                let wait = self.free.wait(state);
                state = wait.unwrap_or_else(PoisonError::into_inner);
                state.hungry -= 1;
                continue;
            };
            drop(state);
            let panics = Over(self);
            let made = work(buffer, base);
            std::mem::forget(panics);
            state = self.state();
            state.ready.push((base, made));
            if state.waits {
                self.done.notify_one();
            }
        }
    }

    /// Takes what is made of all pieces.
    fn lead(
        &self,
        work: impl Fn(B, u64) -> P,
        mut take: impl FnMut(Turn<P>) -> Result<Option<B>, End>,
    ) -> Result<(), End> {
        let mut base = self.cut.from;
        let mut state = self.state();
        while base < self.cut.end && !state.over {
            state.leave(self.cut);
            let turn = if let Some(at) = state.ready.iter().position(|(at, _)| *at == base) {
                Turn::Made(state.ready.swap_remove(at).1)
            } else if state.left == Some(base) {
                state.left = None;
                Turn::Open(base)
            } else if let Some((buffer, base)) = state.begin(self.cut) {
                drop(state);
                let made = work(buffer, base);
                state = self.state();
                state.ready.push((base, made));
                continue;
            } else {
                state.waits = true;
                let wait = self.done.wait(state);
                state = wait.unwrap_or_else(PoisonError::into_inner);
                state.waits = false;
                continue;
            };
            drop(state);
            let buffer = take(turn)?;
            base += self.cut.piece;
            state = self.state();
            state.buffers.extend(buffer);
            if state.hungry > 0 {
                self.free.notify_one();
            }
        }
        Ok(())
    }
}
