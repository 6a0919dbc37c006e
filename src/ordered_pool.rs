//! Items over several threads, and one thread that takes the results in order.
//!
//! Helpers work on items ahead of the taker, and keep the results until their turn comes. The taker works ahead, too,
//! when the item that it needs is not ready.
//!
//! Rayon has no ordered hand-over with bounded memory; see docs/decisions/.

use std::collections::VecDeque;
use std::panic;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

pub enum Turn<T, R> {
    Done(R),
    /// Nobody has; the taker is to do it itself.
    Open(T),
}

/// How many helpers there are, and how far ahead of the taker they may be.
#[derive(Clone, Copy, Debug)]
pub struct PoolSize {
    /// Threads beside the one that takes.
    pub helpers: usize,
    /// Items for each helper that are worked on or wait to be taken.
    pub ahead: usize,
    /// Items that are taken from the iterator in a row: while it works, no thread gets on.
    pub at_once: usize,
    pub taker: Taker,
}

/// What the taker does beside taking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taker {
    /// The next open item is left to it: to keep a result costs more than to use it at once.
    Shares,
    /// An item only where it would wait otherwise: to take a result is most of the work.
    Takes,
}

struct OrderedPool<I: Iterator, B, R> {
    state: Mutex<PoolState<I, B, R>>,
    /// Signals the helpers: there is a buffer to use, or nothing more to do.
    buffer_free: Condvar,
    /// Signals the taker: a result is ready, or a thread gave up.
    result_ready: Condvar,
}

struct PoolState<I: Iterator, B, R> {
    items: I,
    at_once: usize,
    /// Those that were taken from the iterator, and that nobody works on.
    fetched: VecDeque<I::Item>,
    taker: Taker,
    /// The number of the next open item, behind the one that is left to the taker.
    next: u64,
    /// The next item was the last.
    is_exhausted: bool,
    /// The item that is left to the taker, and its number.
    left_to_taker: Option<(u64, I::Item)>,
    buffers: Vec<B>,
    results: WaitingResults<R>,
    /// How many helpers wait for a buffer. Waking a thread takes a while, so it is done only when one waits.
    waiting_helpers: usize,
    taker_waits: bool,
    is_over: bool,
}

/// Gives each item with a buffer to `work` in helping threads, and the results in the order of the items to `take` in
/// this thread, or an item itself that nobody has worked on. `take` gives the buffer back.
///
/// # Errors
/// The one that `take` returns; then nothing more is begun.
pub fn run_ordered<I, B, R, E>(
    size: PoolSize,
    items: I,
    work: impl Fn(B, I::Item) -> R + Sync,
    take: impl FnMut(Turn<I::Item, R>) -> Result<Option<B>, E>,
) -> Result<(), E>
where
    I: Iterator<Item: Send> + Send,
    B: Default + Send,
    R: Send,
{
    let pool = OrderedPool {
        state: Mutex::new(PoolState {
            items,
            at_once: size.at_once,
            fetched: VecDeque::with_capacity(size.at_once),
            taker: size.taker,
            next: 0,
            is_exhausted: false,
            left_to_taker: None,
            buffers: (0..size.ahead * size.helpers).map(|_| B::default()).collect(),
            results: WaitingResults { first: 0, results: VecDeque::new() },
            waiting_helpers: 0,
            taker_waits: false,
            is_over: false,
        }),
        buffer_free: Condvar::new(),
        result_ready: Condvar::new(),
    };
    thread::scope(|scope| {
        let help = || pool.help(&work);
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, help).ok();
        let helpers: Vec<_> = (0..size.helpers).map_while(spawn).collect();
        let over = EndOnDrop(&pool);
        let result = pool.take_all(&work, take);
        drop(over);
        for helper in helpers {
            // A panic of a helper is one of the caller.
            helper.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
        }
        result
    })
}

/// The results that wait for their turn.
struct WaitingResults<R> {
    /// The number of the item whose turn it is.
    first: u64,
    /// By their numbers, from that one on.
    results: VecDeque<Option<R>>,
}

impl<R> WaitingResults<R> {
    fn keep(&mut self, number: u64, result: R) {
        // No more wait than threads may be ahead.
        let at = usize::try_from(number - self.first).unwrap_or_default();
        if self.results.len() <= at {
            self.results.resize_with(at + 1, || None);
        }
        if let Some(place) = self.results.get_mut(at) {
            *place = Some(result);
        }
    }

    /// The result whose turn it is, if it is there.
    fn ready(&mut self) -> Option<R> {
        self.results.front_mut()?.take()
    }

    /// Goes on to the next turn.
    fn turn(&mut self) {
        self.first += 1;
        self.results.pop_front();
    }
}

/// Ends the work of all threads when it is dropped, also by a panic, so that no thread waits for another.
struct EndOnDrop<'p, I: Iterator, B, R>(&'p OrderedPool<I, B, R>);

impl<I: Iterator, B, R> Drop for EndOnDrop<'_, I, B, R> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.buffer_free.notify_all();
        self.0.result_ready.notify_all();
    }
}

impl<I: Iterator, B, R> PoolState<I, B, R> {
    /// The next item and its number.
    fn next_item(&mut self) -> Option<(u64, I::Item)> {
        if self.is_exhausted {
            return None;
        }
        if self.fetched.is_empty() {
            self.fetched.extend(self.items.by_ref().take(self.at_once));
        }
        let item = self.fetched.pop_front();
        self.is_exhausted = item.is_none();
        let number = self.next;
        self.next += 1;
        item.map(|item| (number, item))
    }

    /// Leaves the next item to the taker, unless one is left to it.
    fn leave_one(&mut self) {
        if self.left_to_taker.is_none() {
            self.left_to_taker = self.next_item();
        }
    }

    /// A buffer and the next item, if there is both.
    fn begin(&mut self) -> Option<(B, u64, I::Item)> {
        let buffer = self.buffers.pop()?;
        match self.next_item() {
            Some((number, item)) => Some((buffer, number, item)),
            None => {
                self.buffers.push(buffer);
                None
            }
        }
    }
}

impl<I: Iterator, B, R> OrderedPool<I, B, R> {
    fn lock(&self) -> MutexGuard<'_, PoolState<I, B, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on items until there are no more.
    fn help(&self, work: impl Fn(B, I::Item) -> R) {
        let mut state = self.lock();
        while !state.is_over && !state.is_exhausted {
            if state.taker == Taker::Shares {
                state.leave_one();
            }
            let Some((buffer, number, item)) = state.begin() else {
                if state.is_exhausted {
                    break;
                }
                state.waiting_helpers += 1;
                let wait = self.buffer_free.wait(state);
                state = wait.unwrap_or_else(PoisonError::into_inner);
                state.waiting_helpers -= 1;
                continue;
            };
            drop(state);
            let on_panic = EndOnDrop(self);
            let result = work(buffer, item);
            std::mem::forget(on_panic);
            state = self.lock();
            state.results.keep(number, result);
            if state.taker_waits {
                self.result_ready.notify_one();
            }
        }
    }

    /// Takes the results of all items.
    fn take_all<E>(
        &self,
        work: impl Fn(B, I::Item) -> R,
        mut take: impl FnMut(Turn<I::Item, R>) -> Result<Option<B>, E>,
    ) -> Result<(), E> {
        let mut number = 0;
        let mut state = self.lock();
        while !state.is_over {
            if state.taker == Taker::Shares || state.next == number {
                state.leave_one();
            }
            let turn = if let Some(result) = state.results.ready() {
                Turn::Done(result)
            } else if let Some((_, item)) = state.left_to_taker.take_if(|(left, _)| *left == number)
            {
                Turn::Open(item)
            } else if state.is_exhausted && number + 1 >= state.next {
                break;
            } else if let Some((buffer, number, item)) = state.begin() {
                drop(state);
                let result = work(buffer, item);
                state = self.lock();
                state.results.keep(number, result);
                continue;
            } else {
                state.taker_waits = true;
                let wait = self.result_ready.wait(state);
                state = wait.unwrap_or_else(PoisonError::into_inner);
                state.taker_waits = false;
                continue;
            };
            drop(state);
            let buffer = take(turn)?;
            number += 1;
            state = self.lock();
            state.results.turn();
            state.buffers.extend(buffer);
            if state.waiting_helpers > 0 {
                self.buffer_free.notify_one();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_order_for_every_size() {
        let sizes = (0..4).flat_map(|helpers| (1..4).map(move |ahead| (helpers, ahead)));
        for (helpers, ahead) in sizes {
            let at_once = 1 + 7 * (ahead - 1);
            for taker in [Taker::Shares, Taker::Takes] {
                for count in [0_u64, 1, 2, 3, 50] {
                    let size = PoolSize { helpers, ahead, at_once, taker };
                    let mut taken = Vec::new();
                    let work = |buffer: Vec<u8>, item: u64| (buffer, 2 * item);
                    let result: Result<(), ()> = run_ordered(size, 0..count, work, |turn| {
                        let (buffer, doubled) = match turn {
                            Turn::Done((buffer, doubled)) => (Some(buffer), doubled),
                            Turn::Open(item) => (None, 2 * item),
                        };
                        taken.push(doubled);
                        Ok(buffer)
                    });
                    assert_eq!(result, Ok(()));
                    assert!(taken.into_iter().eq((0..count).map(|item| 2 * item)));
                }
            }
        }
    }

    #[test]
    fn an_error_ends_it() {
        let size = PoolSize { helpers: 2, ahead: 2, at_once: 1, taker: Taker::Shares };
        let mut taken = 0;
        let result = run_ordered(
            size,
            0..,
            |_: (), item: u64| item,
            |_| {
                taken += 1;
                if taken < 10 { Ok(Some(())) } else { Err("enough") }
            },
        );
        assert_eq!((result, taken), (Err("enough"), 10));
    }
}
