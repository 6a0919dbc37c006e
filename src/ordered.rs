//! Processes items in a rayon pool and returns the results in the order of the items.
//!
//! Rayon has parallel iterators and scopes, but no ordered hand-over with bounded memory for
//! waiting results. This module adds only that: a queue of items, jobs that take from its front,
//! and the calling thread. That thread pulls items, consumes results, and works itself instead of
//! waiting. No job waits for anything, so a pool that is busy with other work only helps less. See
//! docs/decisions/0001-ordered-hand-over.md.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::threads::lock;
use rayon::{ScopeFifo, ThreadPool};

/// One item as the consumer receives it.
pub enum Item<T, R> {
    /// The result of an item.
    Done(R),
    /// An item that no helper has started; the consumer processes it.
    NotStarted(T),
}

/// Options of an ordered run: the helpers, and how far they may work ahead of the consumer.
#[derive(Clone, Copy, Debug)]
pub struct OrderedOptions<'p> {
    /// The pool whose threads help.
    pub pool: Option<&'p ThreadPool>,
    /// Maximum number of helpers.
    pub helpers: usize,
    /// Items per helper that are waiting, in progress, or done but not consumed. It bounds the
    /// memory.
    pub ahead: usize,
    pub consumer: Consumer,
}

/// The work of the calling thread besides consuming results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumer {
    /// It processes items, too. Storing a result costs more than using it at once, so the next item
    /// that no helper has started is left to it.
    Works,
    /// It processes an item only instead of waiting, because consuming a result is most of the
    /// work.
    OnlyConsumes,
}

/// Items pulled in a row. Fewer would wake helpers more often; but nothing is consumed meanwhile.
const MAX_PULLED: usize = 32;

/// Passes each item with a buffer to `work` on helper threads, and the results, in the order of the
/// items, to `consume` on this thread. If no helper has started an item, `consume` receives the
/// item itself. `consume` returns the buffer.
///
/// # Errors
/// Returns the error of `consume`; nothing more is started after it.
pub fn run_ordered<T, B, R, E>(
    options: OrderedOptions<'_>,
    items: impl Iterator<Item = T>,
    work: impl Fn(B, T) -> R + Sync,
    mut consume: impl FnMut(Item<T, R>) -> Result<Option<B>, E>,
) -> Result<(), E>
where
    T: Send,
    B: Default + Send,
    R: Send,
{
    // Without helpers there is no queue and no lock: the consumer processes each item itself.
    let Some(pool) = options.pool.filter(|_| options.helpers > 0) else {
        for item in items {
            consume(Item::NotStarted(item))?;
        }
        return Ok(());
    };
    let queue = Queue::new();
    // In place, because the consumer is this thread: a sink need not be `Send`.
    pool.in_place_scope_fifo(|scope| {
        // Ends the run even if `consume` panics, so that helpers stop.
        let _over = EndOnDrop(&queue);
        let mut driver = Driver { options, queue: &queue, items: items.fuse(), pulled: 0 };
        driver.run(scope, &work, consume)
    })
}

/// State shared by the threads.
struct Queue<T, B, R> {
    state: Mutex<QueueState<T, B, R>>,
    /// Signals the consumer that the awaited result is ready, or that a helper panicked.
    result_ready: Condvar,
}

struct QueueState<T, B, R> {
    /// Items that no thread has started, with their numbers.
    waiting: VecDeque<(u64, T)>,
    /// The item that is left to the consumer.
    reserved: Option<(u64, T)>,
    /// Number of the next item to consume.
    turn: u64,
    /// Results by number, starting with the next one to consume.
    results: VecDeque<Option<R>>,
    buffers: Vec<B>,
    /// Current number of helpers.
    helpers: usize,
    consumer_waits: bool,
    is_over: bool,
}

impl<T, B, R> Queue<T, B, R> {
    fn new() -> Self {
        let state = QueueState {
            waiting: VecDeque::new(),
            reserved: None,
            turn: 0,
            results: VecDeque::new(),
            buffers: Vec::new(),
            helpers: 0,
            consumer_waits: false,
            is_over: false,
        };
        Self { state: Mutex::new(state), result_ready: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T, B, R>> {
        // `work` and `consume` run without the lock, so a panic in them cannot leave the state half
        // changed.
        lock(&self.state)
    }
}

impl<T, B: Default, R> Queue<T, B, R> {
    /// Works on items until none are waiting. The thread is then free for other jobs of the pool.
    fn help(&self, work: impl Fn(B, T) -> R) {
        let mut state = self.lock();
        while !state.is_over
            && let Some((number, item)) = state.waiting.pop_front()
        {
            let buffer = state.buffers.pop().unwrap_or_default();
            drop(state);
            // The scope passes a panic on to the caller, but only after the consumer returns. So
            // the consumer must not wait for this result.
            let on_panic = EndOnDrop(self);
            let result = work(buffer, item);
            std::mem::forget(on_panic);
            state = self.lock();
            state.keep(number, result);
            // Wake the consumer only for the result it waits for. Others are picked up without
            // waking it.
            if state.consumer_waits && number == state.turn {
                self.result_ready.notify_one();
            }
        }
        state.helpers -= 1;
    }
}

impl<T, B, R> QueueState<T, B, R> {
    fn keep(&mut self, number: u64, result: R) {
        // At most as many results wait as items may be ahead.
        let at = usize::try_from(number - self.turn).unwrap_or_default();
        if self.results.len() <= at {
            self.results.resize_with(at + 1, || None);
        }
        if let Some(place) = self.results.get_mut(at) {
            *place = Some(result);
        }
    }

    /// Returns the item whose turn it is, if no helper has started it.
    fn take_not_started(&mut self) -> Option<T> {
        let turn = self.turn;
        let reserved = self.reserved.take_if(|(number, _)| *number == turn);
        let is_first = self.waiting.front().is_some_and(|(number, _)| *number == turn);
        reserved
            .or_else(|| if is_first { self.waiting.pop_front() } else { None })
            .map(|(_, item)| item)
    }
}

/// Ends the work of all threads on drop, so that no thread waits for another.
struct EndOnDrop<'q, T, B, R>(&'q Queue<T, B, R>);

impl<T, B, R> Drop for EndOnDrop<'_, T, B, R> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.result_ready.notify_all();
    }
}

/// State of the calling thread.
struct Driver<'q, I, T, B, R> {
    options: OrderedOptions<'q>,
    queue: &'q Queue<T, B, R>,
    items: std::iter::Fuse<I>,
    /// Number of items pulled, which is the number of the next one.
    pulled: u64,
}

impl<'q, I, T, B, R> Driver<'q, I, T, B, R>
where
    I: Iterator<Item = T>,
    T: Send,
    B: Default + Send,
    R: Send,
{
    fn run<'s, W: Fn(B, T) -> R + Sync, E>(
        &mut self,
        scope: &ScopeFifo<'s>,
        work: &'s W,
        mut consume: impl FnMut(Item<T, R>) -> Result<Option<B>, E>,
    ) -> Result<(), E>
    where
        'q: 's,
        T: 's,
        B: 's,
        R: 's,
    {
        let mut turn = 0;
        loop {
            self.pull(turn, scope, work);
            if turn == self.pulled {
                return Ok(());
            }
            let Some(item) = self.next_in_order(work) else {
                // A helper panicked; the scope propagates the panic.
                return Ok(());
            };
            let buffer = consume(item)?;
            turn += 1;
            let mut state = self.queue.lock();
            state.turn = turn;
            state.results.pop_front();
            state.buffers.extend(buffer);
        }
    }

    /// Pulls items and wakes helpers if there is room for enough items.
    fn pull<'s, W: Fn(B, T) -> R + Sync>(&mut self, turn: u64, scope: &ScopeFifo<'s>, work: &'s W)
    where
        'q: 's,
        T: 's,
        B: 's,
        R: 's,
    {
        let most = self.options.ahead * self.options.helpers;
        let room = most.saturating_sub(usize::try_from(self.pulled - turn).unwrap_or(most));
        // Pull in batches: a few free places are not worth a lock and the wake-up of helpers.
        if room == 0 || room < MAX_PULLED.min(most / 4) {
            return;
        }
        let first = self.pulled;
        // The iterator runs outside the lock, because it may be slow.
        let items: Vec<T> = self.items.by_ref().take(room.min(MAX_PULLED)).collect();
        self.pulled += items.len() as u64;
        let mut state = self.queue.lock();
        state.waiting.extend((first..).zip(items));
        if self.options.consumer == Consumer::Works && state.reserved.is_none() {
            state.reserved = state.waiting.pop_front();
        }
        // Start only as many jobs as there are items. A job ends when nothing is waiting, so
        // `helpers` counts the live ones.
        let missing = self.options.helpers.saturating_sub(state.helpers).min(state.waiting.len());
        state.helpers += missing;
        drop(state);
        let queue = self.queue;
        for _ in 0..missing {
            scope.spawn_fifo(move |_| queue.help(work));
        }
    }

    /// Returns the item whose turn it is, or its result, and works on other items until then.
    /// Returns `None` if a helper panicked.
    fn next_in_order(&self, work: impl Fn(B, T) -> R) -> Option<Item<T, R>> {
        let mut state = self.queue.lock();
        loop {
            // Reserve one item for this thread before the helpers take them all.
            if self.options.consumer == Consumer::Works && state.reserved.is_none() {
                state.reserved = state.waiting.pop_front();
            }
            if let Some(result) = state.results.front_mut().and_then(Option::take) {
                return Some(Item::Done(result));
            }
            if let Some(item) = state.take_not_started() {
                return Some(Item::NotStarted(item));
            }
            if state.is_over {
                return None;
            }
            // Do not sleep while there is work: process a later item, and store its result like a
            // helper.
            if let Some((number, item)) = state.waiting.pop_front() {
                let buffer = state.buffers.pop().unwrap_or_default();
                drop(state);
                let result = work(buffer, item);
                state = self.queue.lock();
                state.keep(number, result);
                continue;
            }
            state.consumer_waits = true;
            let wait = self.queue.result_ready.wait(state);
            state = wait.unwrap_or_else(PoisonError::into_inner);
            state.consumer_waits = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    fn pool(threads: usize) -> ThreadPool {
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    #[test]
    fn in_order_for_every_size() {
        let pool = pool(3);
        let sizes = (0..4).flat_map(|helpers| [1, 2, 3, 40].map(|ahead| (helpers, ahead)));
        for (helpers, ahead) in sizes {
            for consumer in [Consumer::Works, Consumer::OnlyConsumes] {
                for count in [0_u64, 1, 2, 3, 50, 500] {
                    let options = OrderedOptions { pool: Some(&pool), helpers, ahead, consumer };
                    let mut taken = Vec::new();
                    let work = |buffer: Vec<u8>, item: u64| (buffer, 2 * item);
                    let result: Result<(), ()> = run_ordered(options, 0..count, work, |item| {
                        let (buffer, doubled) = match item {
                            Item::Done((buffer, doubled)) => (Some(buffer), doubled),
                            Item::NotStarted(item) => (None, 2 * item),
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
        let pool = pool(2);
        let consumer = Consumer::Works;
        let options = OrderedOptions { pool: Some(&pool), helpers: 2, ahead: 2, consumer };
        let mut taken = 0;
        let result = run_ordered(
            options,
            0..,
            |_: (), item: u64| item,
            |_| {
                taken += 1;
                if taken < 10 { Ok(Some(())) } else { Err("enough") }
            },
        );
        assert_eq!((result, taken), (Err("enough"), 10));
    }

    /// However slow the consumer is, at most `ahead` results wait.
    #[test]
    fn what_waits_is_bounded() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let pool = pool(2);
        let consumer = Consumer::OnlyConsumes;
        let options = OrderedOptions { pool: Some(&pool), helpers: 2, ahead: 3, consumer };
        let (made, mut taken) = (AtomicUsize::new(0), 0);
        let work = |_: (), _| made.fetch_add(1, Ordering::SeqCst);
        let result: Result<(), ()> = run_ordered(options, 0..200, work, |_| {
            assert!(made.load(Ordering::SeqCst) <= taken + 6);
            taken += 1;
            Ok(None)
        });
        assert_eq!((result, taken), (Ok(()), 200));
    }

    #[test]
    fn a_panic_of_a_helper_is_one_of_the_caller() {
        let pool = pool(2);
        let consumer = Consumer::OnlyConsumes;
        let options = OrderedOptions { pool: Some(&pool), helpers: 2, ahead: 4, consumer };
        let work = |_: (), item: u64| assert_ne!(item, 20, "twenty");
        let run = || {
            run_ordered::<_, _, _, ()>(options, 0..1000, work, |item| match item {
                Item::Done(()) => Ok(None),
                Item::NotStarted(item) => {
                    work((), item);
                    Ok(None)
                }
            })
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }

    /// A search inside a job of the same pool gets no help, but finishes.
    #[test]
    fn nested_in_a_busy_pool() {
        let pool = pool(1);
        let consumer = Consumer::Works;
        let options = OrderedOptions { pool: Some(&pool), helpers: 1, ahead: 2, consumer };
        let sum = pool.install(|| {
            let mut sum = 0;
            let result: Result<(), ()> = run_ordered(
                options,
                0..100_u64,
                |_: (), item| item,
                |item| {
                    sum += match item {
                        Item::Done(item) | Item::NotStarted(item) => item,
                    };
                    Ok(None)
                },
            );
            result.map(|()| sum)
        });
        assert_eq!(sum, Ok(4950));
    }
}
