//! Schedules requests by host: [`HostQueues`]. It has no clock and no threads: every call takes
//! the time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::options::RemoteOptions;
use crate::audit::Fault;

/// Failures in a row without any answer after which a host is not asked again. Otherwise, a host
/// with a thousand links that never answers would take hours.
const MAX_FAILURES: u32 = 4;

/// Pauses in a row after which a host is not asked again.
const MAX_PAUSES: u32 = 5;

/// Longest pause that is waited for. A host that asks for more is not asked again in this run.
pub(super) const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Bounds of the interval after a host has asked for fewer requests.
const SLOWEST_INTERVAL: Duration = Duration::from_secs(10);
const INTERVAL_AFTER_PAUSE: Duration = Duration::from_millis(500);

/// The outcome of a request, as far as the queue of its host must know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feedback {
    /// It answered.
    Answered,
    /// It asked for a pause of this length.
    Paused(Duration),
    /// It should not be asked for this time, through no fault of its own.
    Held(Duration),
    /// It did not answer. If it does not exist, it is not asked again.
    Failed(Fault),
}

/// Reason why a host is not asked any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// It failed too often, the last time in this way.
    Failed(Fault),
    /// It asked for pauses that are too long or too many.
    Paused,
}

/// Identifies a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HostId(usize);

/// Result of [`HostQueues::pop`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Popped<J> {
    /// This job can start now.
    Job(HostId, J),
    /// Nothing can start before this time.
    At(Instant),
    /// Nothing can start before a job ends or arrives.
    Nothing,
}

/// A queue of jobs per host.
#[derive(Debug)]
pub(super) struct HostQueues<J> {
    ids: HashMap<String, HostId>,
    hosts: Vec<Host<J>>,
    /// The hosts that may start a job, by time; each at most once.
    ready: BinaryHeap<Reverse<(Instant, HostId)>>,
    /// Jobs that wait on their own, such as before another attempt.
    delayed: BinaryHeap<Reverse<Delayed<J>>>,
    added: u64,
    host_connections: usize,
    host_interval: Duration,
}

#[derive(Debug)]
struct Host<J> {
    waiting: VecDeque<J>,
    active: usize,
    is_ready: bool,
    next: Instant,
    interval: Duration,
    failures: u32,
    pauses: u32,
    closed: Option<Closed>,
}

#[derive(Debug)]
struct Delayed<J> {
    at: Instant,
    order: u64,
    host: HostId,
    job: J,
}

// Ordered by time only; jobs have no order.
impl<J> PartialEq for Delayed<J> {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.order) == (other.at, other.order)
    }
}

impl<J> Eq for Delayed<J> {}

impl<J> PartialOrd for Delayed<J> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<J> Ord for Delayed<J> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}

impl<J> HostQueues<J> {
    pub fn new(options: &RemoteOptions) -> Self {
        Self {
            ids: HashMap::new(),
            hosts: Vec::new(),
            ready: BinaryHeap::new(),
            delayed: BinaryHeap::new(),
            added: 0,
            host_connections: options.host_connections.max(1),
            host_interval: options.host_interval,
        }
    }

    /// Adds a job that may start after `wait`. Returns it if its host is not asked any more.
    pub fn push(
        &mut self,
        host: &str,
        job: J,
        now: Instant,
        wait: Duration,
    ) -> Result<(), (J, Closed)> {
        let id = self.id(host, now);
        if let Some(closed) = self.hosts.get(id.0).and_then(|host| host.closed) {
            return Err((job, closed));
        }
        if wait.is_zero() {
            if let Some(host) = self.hosts.get_mut(id.0) {
                host.waiting.push_back(job);
            }
            self.schedule(id, now);
        } else {
            self.added += 1;
            let delayed = Delayed { at: now + wait, order: self.added, host: id, job };
            self.delayed.push(Reverse(delayed));
        }
        Ok(())
    }

    fn id(&mut self, host: &str, now: Instant) -> HostId {
        if let Some(&id) = self.ids.get(host) {
            return id;
        }
        let id = HostId(self.hosts.len());
        self.hosts.push(Host {
            waiting: VecDeque::new(),
            active: 0,
            is_ready: false,
            next: now,
            interval: self.host_interval,
            failures: 0,
            pauses: 0,
            closed: None,
        });
        self.ids.insert(host.to_owned(), id);
        id
    }

    /// Lists a host as ready if it can start a job.
    fn schedule(&mut self, id: HostId, now: Instant) {
        let limit = self.host_connections;
        let Some(host) = self.hosts.get_mut(id.0) else { return };
        if !host.is_ready && !host.waiting.is_empty() && host.active < limit {
            host.is_ready = true;
            self.ready.push(Reverse((host.next.max(now), id)));
        }
    }

    /// Returns the next job that can start now.
    pub fn pop(&mut self, now: Instant) -> Popped<J> {
        while self.delayed.peek().is_some_and(|Reverse(delayed)| delayed.at <= now) {
            let Some(Reverse(delayed)) = self.delayed.pop() else { break };
            // In front of the others: a second attempt decides about a first one, and perhaps about
            // the whole host.
            if let Some(host) = self.hosts.get_mut(delayed.host.0) {
                host.waiting.push_front(delayed.job);
            }
            self.schedule(delayed.host, now);
        }
        let next_delayed = self.delayed.peek().map(|Reverse(delayed)| delayed.at);
        while let Some(&Reverse((at, id))) = self.ready.peek() {
            // A pause may have begun after the host was listed.
            let next = self.hosts.get(id.0).map_or(at, |host| host.next);
            if at.max(next) > now {
                if next > at {
                    self.ready.pop();
                    self.ready.push(Reverse((next, id)));
                    continue;
                }
                return Popped::At(next_delayed.map_or(at, |delayed| delayed.min(at)));
            }
            self.ready.pop();
            let Some(host) = self.hosts.get_mut(id.0) else { continue };
            host.is_ready = false;
            let Some(job) = host.waiting.pop_front() else { continue };
            host.active += 1;
            host.next = now + host.interval;
            self.schedule(id, now);
            return Popped::Job(id, job);
        }
        next_delayed.map_or(Popped::Nothing, Popped::At)
    }

    /// Ends a job. If its host is not asked any more, returns the reason and the waiting jobs.
    pub fn finish(
        &mut self,
        id: HostId,
        feedback: Feedback,
        now: Instant,
    ) -> Option<(Closed, Vec<J>)> {
        let base = self.host_interval;
        let host = self.hosts.get_mut(id.0)?;
        host.active = host.active.saturating_sub(1);
        let closed = host.take(feedback, base, now);
        if closed.is_none() {
            self.schedule(id, now);
        }
        let closed = closed?;
        Some((closed, self.remove(id)))
    }

    /// Removes the waiting jobs of a host.
    fn remove(&mut self, id: HostId) -> Vec<J> {
        let mut jobs: Vec<J> =
            self.hosts.get_mut(id.0).into_iter().flat_map(|host| host.waiting.drain(..)).collect();
        let delayed = std::mem::take(&mut self.delayed).into_iter();
        let (own, others): (Vec<_>, Vec<_>) =
            delayed.partition(|Reverse(delayed)| delayed.host == id);
        self.delayed = others.into();
        jobs.extend(own.into_iter().map(|Reverse(delayed)| delayed.job));
        jobs
    }

    /// Returns the number of hosts with waiting or running jobs.
    pub fn busy_hosts(&self) -> usize {
        self.hosts.iter().filter(|host| host.active > 0 || !host.waiting.is_empty()).count()
    }

    /// Removes all waiting jobs.
    pub fn drain(&mut self) -> Vec<J> {
        let mut all: Vec<J> =
            self.hosts.iter_mut().flat_map(|host| host.waiting.drain(..)).collect();
        all.extend(std::mem::take(&mut self.delayed).into_iter().map(|Reverse(it)| it.job));
        all
    }
}

impl<J> Host<J> {
    /// Takes the result of a request, and returns the reason if the host is not asked any more.
    fn take(&mut self, feedback: Feedback, base: Duration, now: Instant) -> Option<Closed> {
        match feedback {
            Feedback::Answered => {
                (self.failures, self.pauses) = (0, 0);
                // Slowly back to the old rate: a tenth per answer.
                self.interval = (self.interval * 9 / 10).max(base);
            }
            Feedback::Held(time) => self.next = self.next.max(now + time),
            Feedback::Paused(pause) => {
                self.pauses += 1;
                self.failures = 0;
                let slower = (self.interval * 2).clamp(INTERVAL_AFTER_PAUSE, SLOWEST_INTERVAL);
                self.interval = slower.max(base);
                self.next = self.next.max(now + pause.min(MAX_PAUSE));
                if pause > MAX_PAUSE || self.pauses >= MAX_PAUSES {
                    self.closed = Some(Closed::Paused);
                }
            }
            Feedback::Failed(fault) => {
                self.failures += 1;
                if fault == Fault::NoHost || self.failures >= MAX_FAILURES {
                    self.closed = Some(Closed::Failed(fault));
                }
            }
        }
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queues() -> (HostQueues<u32>, Instant) {
        (HostQueues::new(&RemoteOptions::new()), Instant::now())
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_host_has_two_connections_and_an_interval() {
        let (mut queues, start) = queues();
        for job in 0..3 {
            queues.push("a", job, start, Duration::ZERO).unwrap();
        }
        let Popped::Job(a, 0) = queues.pop(start) else { panic!() };
        assert_eq!(queues.pop(start), Popped::At(start + 50 * MS));
        assert!(matches!(queues.pop(start + 50 * MS), Popped::Job(_, 1)));
        assert_eq!(queues.pop(start + 100 * MS), Popped::Nothing);
        queues.finish(a, Feedback::Answered, start + 100 * MS);
        assert!(matches!(queues.pop(start + 100 * MS), Popped::Job(_, 2)));
    }

    #[test]
    fn hosts_do_not_wait_for_each_other() {
        let (mut queues, start) = queues();
        for host in ["a", "a", "b"] {
            queues.push(host, 0, start, Duration::ZERO).unwrap();
        }
        let popped = (0..2).filter(|_| matches!(queues.pop(start), Popped::Job(..))).count();
        assert_eq!(popped, 2);
        assert_eq!(queues.busy_hosts(), 2);
    }

    #[test]
    fn a_pause_is_kept() {
        let (mut queues, start) = queues();
        for job in 0..3 {
            queues.push("a", job, start, Duration::ZERO).unwrap();
        }
        let Popped::Job(a, _) = queues.pop(start) else { panic!() };
        let pause = Duration::from_secs(7);
        assert_eq!(queues.finish(a, Feedback::Paused(pause), start), None);
        queues.push("a", 9, start, pause).unwrap();
        assert_eq!(queues.pop(start + pause - MS), Popped::At(start + pause));
        assert!(matches!(queues.pop(start + pause), Popped::Job(_, 9)));
        // Slower than before.
        assert_eq!(queues.pop(start + pause + 50 * MS), Popped::At(start + pause + 500 * MS));
    }

    #[test]
    fn a_host_that_never_answers_is_given_up() {
        let (mut queues, start) = queues();
        let mut now = start;
        for job in 0..10 {
            queues.push("a", job, start, Duration::ZERO).unwrap();
        }
        queues.push("b", 99, start, MS).unwrap();
        let closed = loop {
            match queues.pop(now) {
                Popped::Job(host, 0..99) => {
                    let failed = Feedback::Failed(Fault::Timeout);
                    if let Some(closed) = queues.finish(host, failed, now) {
                        break closed;
                    }
                }
                Popped::Job(..) => {}
                Popped::At(at) => now = at,
                Popped::Nothing => panic!(),
            }
        };
        assert_eq!(closed.0, Closed::Failed(Fault::Timeout));
        assert_eq!(closed.1.len(), 10 - MAX_FAILURES as usize);
        assert_eq!(queues.push("a", 1, now, Duration::ZERO), Err((1, closed.0)));
        // One long pause suffices, too.
        queues.push("c", 1, now, Duration::ZERO).unwrap();
        queues.push("c", 2, now, Duration::ZERO).unwrap();
        let Popped::Job(c, 1) = queues.pop(now) else { panic!() };
        let long = Feedback::Paused(Duration::from_secs(3600));
        assert_eq!(queues.finish(c, long, now), Some((Closed::Paused, vec![2])));
    }

    #[test]
    fn a_second_attempt_comes_first() {
        let (mut queues, start) = queues();
        for job in 0..3 {
            queues.push("a", job, start, Duration::ZERO).unwrap();
        }
        let Popped::Job(a, 0) = queues.pop(start) else { panic!() };
        assert_eq!(queues.finish(a, Feedback::Held(MS * 1000), start), None);
        queues.push("a", 0, start, MS * 1000).unwrap();
        let Popped::Job(a, 0) = queues.pop(start + MS * 1000) else { panic!() };
        let missing = Feedback::Failed(Fault::NoHost);
        let closed = queues.finish(a, missing, start + MS * 1000);
        assert_eq!(closed, Some((Closed::Failed(Fault::NoHost), vec![1, 2])));
    }
}
