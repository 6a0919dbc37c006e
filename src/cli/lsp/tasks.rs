//! Requests that take the whole tree, a few at a time: [`Tasks`].

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use serde_json::Value;
use urigrep::internal::catch_panic;

use super::dispatch::Task;
use super::message::Failure;
use super::server::ServerEvent;

/// Each task reads the tree with all threads of the process, and holds what it found until the
/// client has taken it.
const MAX_RUNNING: usize = 4;
/// A waiting task holds the text of its document. An editor waits for the answer to one.
const MAX_WAITING: usize = 64;

/// The tasks that run, and those that wait for them, by the ids of their requests.
#[derive(Default)]
pub struct Tasks {
    running: Vec<(Value, Arc<AtomicBool>)>,
    waiting: VecDeque<(Value, Task)>,
}

impl Tasks {
    /// Starts a task, now or when others are done.
    ///
    /// # Errors
    /// If too many wait already, or the system allows no more threads.
    pub fn start(
        &mut self,
        id: Value,
        task: Task,
        events: &Sender<ServerEvent>,
    ) -> Result<(), (Value, Failure)> {
        if self.waiting.len() >= MAX_WAITING {
            return Err((id, Failure::refused("too many requests wait for an answer")));
        }
        self.waiting.push_back((id, task));
        self.start_next(events)
    }

    /// Forgets a task that is done, and starts the next one.
    ///
    /// # Errors
    /// If that cannot start.
    pub fn finished(
        &mut self,
        id: &Value,
        events: &Sender<ServerEvent>,
    ) -> Result<(), (Value, Failure)> {
        if let Some(index) = self.running.iter().position(|(running, _)| running == id) {
            self.running.swap_remove(index);
        }
        self.start_next(events)
    }

    fn start_next(&mut self, events: &Sender<ServerEvent>) -> Result<(), (Value, Failure)> {
        if self.running.len() >= MAX_RUNNING {
            return Ok(());
        }
        let Some((id, task)) = self.waiting.pop_front() else { return Ok(()) };
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (own, cancelled, events) = (id.clone(), Arc::clone(&is_cancelled), events.clone());
        let run = move || {
            let result = catch_panic(|| task(&cancelled));
            let mut result = result.unwrap_or_else(|message| Err(Failure::internal(message)));
            if cancelled.load(Ordering::Relaxed) {
                result = Err(Failure::cancelled());
            }
            // Sending fails only while the server ends.
            let _ = events.send(ServerEvent::Answer { id: own, result });
        };
        match thread::Builder::new().spawn(run) {
            Ok(_) => self.running.push((id, is_cancelled)),
            Err(error) => return Err((id, Failure::internal(error.to_string()))),
        }
        Ok(())
    }

    /// Cancels the task of a request; true if it had not started and gets no other answer.
    pub fn cancel(&mut self, id: &Value) -> bool {
        for (_, is_cancelled) in self.running.iter().filter(|(running, _)| running == id) {
            is_cancelled.store(true, Ordering::Relaxed);
        }
        let index = self.waiting.iter().position(|(waiting, _)| waiting == id);
        index.and_then(|index| self.waiting.remove(index)).is_some()
    }

    /// Cancels all tasks, and returns the ids of those that had not started.
    pub fn cancel_all(&mut self) -> Vec<Value> {
        for (_, is_cancelled) in &self.running {
            is_cancelled.store(true, Ordering::Relaxed);
        }
        self.waiting.drain(..).map(|(id, _)| id).collect()
    }
}
