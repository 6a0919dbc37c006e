//! Audits that the editor does not wait for: [`Job`].

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use urigrep::audit::{AuditOutcome, Auditor};
use urigrep::internal::catch_panic;
use urigrep::search::{Input, Root};

use super::folder::clean;
use super::position::PositionEncoding;
use super::report::DocumentReport;
use super::server::ServerEvent;

/// Documents to audit.
pub struct Job {
    pub auditor: Arc<Auditor>,
    /// The folder that the results are for, and its generation.
    pub folder: PathBuf,
    pub generation: u64,
    pub scope: JobScope,
}

/// The documents of a job.
pub enum JobScope {
    /// Those with these names.
    Documents(Vec<PathBuf>),
    /// All below these directories.
    Trees(Vec<Root>),
}

/// A job that runs until it is dropped.
pub struct RunningJob(Arc<AtomicBool>);

impl Drop for RunningJob {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Job {
    /// Runs the job in its own thread, which sends its results.
    ///
    /// # Errors
    /// If the system allows no more threads.
    pub fn start(
        self,
        encoding: PositionEncoding,
        events: Sender<ServerEvent>,
    ) -> io::Result<RunningJob> {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let running = RunningJob(Arc::clone(&is_cancelled));
        thread::Builder::new().spawn(move || {
            // The audit catches panics of single documents; this catches its own.
            let documents = catch_panic(|| self.run(encoding, &events, &is_cancelled));
            let documents = documents.unwrap_or_default();
            if !is_cancelled.load(Ordering::Relaxed) {
                let Self { folder, generation, .. } = self;
                // Sending fails only while the server ends.
                let _ = events.send(ServerEvent::Finished { folder, generation, documents });
            }
        })?;
        Ok(running)
    }

    /// Returns the names of all documents, if the tree was walked to its end.
    fn run(
        &self,
        encoding: PositionEncoding,
        events: &Sender<ServerEvent>,
        is_cancelled: &AtomicBool,
    ) -> Option<HashSet<PathBuf>> {
        let send = |name: PathBuf, report| {
            let (folder, generation) = (self.folder.clone(), self.generation);
            let _ = events.send(ServerEvent::Audited { folder, generation, name, report });
        };
        let go_on = || {
            if is_cancelled.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        match &self.scope {
            JobScope::Documents(names) => {
                for name in names.iter().take_while(|_| go_on().is_continue()) {
                    let outcome = self.auditor.audit(&Input::in_tree(name));
                    // A file that is no longer a document has no findings: an empty report
                    // withdraws the old ones.
                    send(name.clone(), DocumentReport::new(&outcome, encoding).unwrap_or_default());
                }
                None
            }
            JobScope::Trees(roots) => self.walk(roots, encoding, go_on, send),
        }
    }

    /// Audits all documents below these directories.
    fn walk(
        &self,
        roots: &[Root],
        encoding: PositionEncoding,
        go_on: impl Fn() -> ControlFlow<()>,
        send: impl Fn(PathBuf, DocumentReport),
    ) -> Option<HashSet<PathBuf>> {
        let mut documents = HashSet::new();
        let work = |outcome: AuditOutcome| {
            let name = match &outcome {
                // Editors do not show the members of archives and books.
                AuditOutcome::Audited(document) if document.input().stream().is_none() => {
                    document.input().path().map(clean)
                }
                _ => None,
            };
            name.zip(DocumentReport::new(&outcome, encoding))
        };
        let take = |audited: Option<(PathBuf, DocumentReport)>| {
            if let Some((name, report)) = audited {
                documents.insert(name.clone());
                send(name, report);
            }
            go_on()
        };
        // An invalid glob was reported when the settings were read.
        self.auditor.run(roots.to_vec(), work, take).ok()?;
        Some(documents).filter(|_| go_on().is_continue())
    }
}
