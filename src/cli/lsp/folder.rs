//! One folder of the workspace, audited as `urigrep audit` in it would: [`Folder`].
//!
//! An auditor caches what it knows about the tree. While only texts change, it drops only these
//! texts from its cache. If files come or go, a new auditor starts: a new generation. The open
//! documents are judged at once, and the others in the background.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use urigrep::audit::{AuditOutcome, Auditor, ResolvedDocument};
use urigrep::internal::paths;
use urigrep::search::{CancelToken, Input, Root};

use super::background::{Job, JobScope, RunningJob};
use super::last::LastDocument;
use super::report::DocumentReport;
use super::settings;
use crate::cli::audit::plan::{AuditPlan, Editor};
use crate::cli::git::RenamedFiles;

/// Delay before changed names of the site are applied, so that several changes count as one.
const NAMES_PAUSE: Duration = Duration::from_millis(300);

/// Which documents of a folder are audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderKind {
    /// All: the client opened the folder.
    Opened,
    /// Those that are open. The folder is the directory of a document outside of all opened
    /// folders, which may be that of the user with everything in it.
    Loose,
}

pub struct Folder {
    /// Absolute, as the client names it.
    root: PathBuf,
    /// True for the folder that is the current directory. Its paths are relative, so messages are
    /// those of `urigrep audit` without a PATH.
    is_current: bool,
    kind: FolderKind,
    pub auditor: Arc<Auditor>,
    last: LastDocument,
    editor: Editor,
    generation: u64,
    /// The documents of the tree, once a walk over it is complete.
    documents: Option<HashSet<PathBuf>>,
    reports: HashMap<PathBuf, DocumentReport>,
    /// By document, the documents whose findings depend on its text.
    dependents: HashMap<PathBuf, BTreeSet<PathBuf>>,
    /// Documents to audit in the background.
    stale: BTreeSet<PathBuf>,
    /// Those of them that the server has not looked through for open ones. Apart, since it looks
    /// after each message, and a large tree may be stale as a whole.
    newly_stale: BTreeSet<PathBuf>,
    /// Documents that changed while the background was at work: it may have read the old text.
    changed: BTreeSet<PathBuf>,
    job: Option<RunningJob>,
    /// The time at which a new generation starts.
    restart: Option<Instant>,
    /// The start of the last audit of all documents, the open ones included, and its duration.
    walk: (Instant, Duration),
    /// When a document of the folder was last opened, changed, or asked about.
    pub used: Instant,
}

impl Folder {
    /// Opens a folder. Returns what is wrong with its settings, if they are invalid; then it has
    /// the default ones. Another thread asks git which files were renamed, and then calls `history_is_known`.
    pub fn open(
        root: PathBuf,
        is_current: bool,
        kind: FolderKind,
        arguments: &[OsString],
        closing: CancelToken,
        history_is_known: impl FnOnce() + Send + 'static,
    ) -> (Self, Option<String>) {
        let editor = Editor { boundary: Some(root.clone()), closing, ..Editor::default() };
        let (renamed, near) = (Arc::clone(&editor.renamed), root.clone());
        let asking = thread::Builder::new().spawn(move || {
            let _ = renamed.set(RenamedFiles::read(&near));
            history_is_known();
        });
        let unasked = asking.err().map(|error| {
            // A folder that waits for its history would be busy forever.
            let _ = editor.renamed.set(RenamedFiles::default());
            format!("git is not asked which files were renamed: no thread for it: {error}")
        });
        let mut folder = Self {
            root,
            is_current,
            kind,
            auditor: Arc::new(Auditor::builder().overlay(editor.overlay.clone()).build()),
            last: LastDocument::default(),
            editor,
            generation: 0,
            documents: None,
            reports: HashMap::new(),
            dependents: HashMap::new(),
            stale: BTreeSet::new(),
            newly_stale: BTreeSet::new(),
            changed: BTreeSet::new(),
            job: None,
            restart: None,
            walk: (Instant::now(), Duration::ZERO),
            used: Instant::now(),
        };
        let problem = folder.renew(arguments).err().or(unasked);
        (folder, problem)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// True for a path in the folder.
    pub fn has(&self, path: &Path) -> bool {
        path.starts_with(&self.root)
    }

    /// True for a path in the folder that does not lead out of it.
    pub fn may_read(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        // A document that was never saved is not a file.
        self.has(path)
            && real(path).zip(real(&self.root)).is_none_or(|(path, root)| path.starts_with(root))
    }

    /// Returns the name that the audit has for an absolute path.
    pub fn name_of(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.root) {
            Ok(below) if self.is_current => below.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// Returns the absolute path of a name of the audit.
    pub fn path_of(&self, name: &Path) -> PathBuf {
        // `..` may lead out of the folder, and `has` must see that.
        paths::absolute(&self.root.join(clean(name)))
    }

    pub fn input(&self, path: &Path) -> Input {
        Input::in_tree(self.name_of(path))
    }

    /// Returns the open documents that are not files yet, as the audit names them. A walk over the
    /// folder does not find them.
    pub fn unsaved(&self) -> Vec<PathBuf> {
        let paths = self.editor.overlay.paths().into_iter();
        paths.filter(|path| !path.exists()).map(|path| self.name_of(&path)).collect()
    }

    pub fn kind(&self) -> FolderKind {
        self.kind
    }

    /// Returns the roots of a walk over the documents of the folder.
    pub fn walk_roots(&self) -> Vec<Root> {
        match (self.kind, self.is_current) {
            (FolderKind::Opened, true) => vec![Root::CurrentDirectory],
            (FolderKind::Opened, false) => vec![Root::Path(self.root.clone())],
            (FolderKind::Loose, _) => {
                let open = self.editor.overlay.paths().into_iter();
                open.filter(|path| path.is_file()).map(Root::Path).collect()
            }
        }
    }

    /// Starts a new generation: another auditor, which knows nothing yet.
    ///
    /// # Errors
    /// If the settings are invalid; the old auditor stays.
    pub fn renew(&mut self, arguments: &[OsString]) -> Result<(), String> {
        self.restart = None;
        self.last.forget();
        self.cancel();
        self.generation += 1;
        // Which documents there are is known after the next walk.
        self.documents = None;
        let mut flags = settings::flags(arguments)?;
        if !self.is_current {
            flags.paths = vec![self.root.clone().into_os_string()];
        }
        flags.report.quiet = true;
        let plan = AuditPlan::beside(&flags, Some(&self.editor));
        self.auditor = Arc::new(plan.map_err(|error| error.to_string())?.auditor);
        self.auditor.expect(self.walk_roots());
        Ok(())
    }

    /// Starts a new generation if files were renamed: fixes of links lead to where they are now.
    pub fn apply_history(&mut self) {
        if self.editor.renamed.get().is_some_and(|renamed| !renamed.is_empty()) {
            self.restart.get_or_insert(Instant::now());
        }
    }

    /// Starts a new generation after a while. A build may write files all the time, and an editor
    /// may open thousands of new documents, so half of the time at least is free of walks.
    pub fn renew_after(&mut self, delay: Duration) {
        let (started, took) = self.walk;
        self.last.forget();
        let due = (Instant::now() + delay).max(started + 2 * took);
        // An earlier date stays: files that change all the time must not put it off forever.
        self.restart.get_or_insert(due);
    }

    pub fn restart_due(&self) -> Option<Instant> {
        self.restart
    }

    /// Replaces the text of a file, or restores it.
    pub fn set_text(&mut self, path: &Path, text: Option<&str>) {
        let name = self.name_of(path);
        match text {
            Some(text) => self.editor.overlay.set(&name, text.as_bytes().to_vec()),
            None => {
                let has_names = self.reports.get(&name).is_some_and(|it| it.site_names.is_some());
                if has_names && self.is_unsaved(path) {
                    self.renew_after(NAMES_PAUSE);
                }
                self.editor.overlay.remove(&name);
            }
        }
        self.auditor.forget(&name);
        self.last.forget();
        if self.job.is_some() {
            self.changed.insert(name);
        }
    }

    /// True for an open document whose text is not that of its file. No walk finds a document
    /// without a file, so it is forgotten after each walk, and must not start another.
    fn is_unsaved(&self, path: &Path) -> bool {
        let text = self.editor.overlay.get(&self.name_of(path));
        text.is_some_and(|text| fs::read(path).is_ok_and(|file| file != *text))
    }

    /// Audits a document now; `None` if `urigrep audit` would not audit it.
    pub fn audit(&self, path: &Path) -> Option<Arc<AuditOutcome>> {
        let name = self.name_of(path);
        // Ignored and hidden documents are not part of the tree. One that was never saved may
        // become a part of it.
        let is_outside = self.documents.as_ref().is_some_and(|known| !known.contains(&name));
        if is_outside && path.exists() {
            return None;
        }
        Some(self.last.audited(&name, || self.auditor.audit(&Input::in_tree(&name))))
    }

    /// Returns a document with the targets of its links; `None` if it cannot be read.
    pub fn resolve(&self, path: &Path) -> Option<Arc<ResolvedDocument>> {
        let name = self.name_of(path);
        let resolve = || self.auditor.resolve(&Input::in_tree(&name)).ok().flatten();
        self.last.resolved(&name, resolve)
    }

    /// Records a report. Documents whose findings depend on this one become stale if its anchors
    /// changed.
    pub fn record(&mut self, name: PathBuf, report: DocumentReport) {
        let old = self.forget_report(&name);
        if old.as_ref().is_some_and(|it| it.anchors.is_some() && it.anchors != report.anchors) {
            self.stale_dependents(&name);
        }
        // The auditor still knows the former names of the site.
        let has_new_names = match (old.and_then(|old| old.site_names), report.site_names) {
            (Some(old), Some(new)) => old != new,
            (None, Some(_)) => self.is_unsaved(&self.path_of(&name)),
            (_, None) => false,
        };
        if has_new_names {
            self.renew_after(NAMES_PAUSE);
        }
        for other in &report.depends_on {
            self.dependents.entry(clean(other)).or_default().insert(name.clone());
        }
        self.reports.insert(name, report);
    }

    fn forget_report(&mut self, name: &Path) -> Option<DocumentReport> {
        let old = self.reports.remove(name)?;
        for other in &old.depends_on {
            if let Some(dependents) = self.dependents.get_mut(other) {
                dependents.remove(name);
            }
        }
        Some(old)
    }

    /// Marks a closed document, and its dependents, for an audit in the background.
    pub fn mark_stale(&mut self, path: &Path) {
        let name = self.name_of(path);
        self.stale_dependents(&name);
        self.newly_stale.insert(name);
    }

    /// Marks the documents that depend on the text of a file for an audit.
    pub fn stale_dependents(&mut self, name: &Path) {
        self.last.forget();
        // Settings may name a file absolutely that documents name relatively.
        let absolute = paths::absolute(name);
        for key in [name, absolute.as_path()] {
            self.newly_stale.extend(self.dependents.get(key).into_iter().flatten().cloned());
        }
    }

    /// Takes out those documents that became stale since the last call and for whose paths this
    /// holds, and returns the paths.
    pub fn take_newly_stale(&mut self, holds: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let mut taken = Vec::new();
        for name in std::mem::take(&mut self.newly_stale) {
            let path = self.path_of(&name);
            if holds(&path) {
                taken.push(path);
            } else {
                self.stale.insert(name);
            }
        }
        taken
    }

    /// Starts the audit of the whole tree, after that of the open documents, which began at
    /// `started`.
    ///
    /// # Errors
    /// If it cannot start.
    pub fn start_all(
        &mut self,
        started: Instant,
        start: impl FnOnce(Job) -> io::Result<RunningJob>,
    ) -> io::Result<()> {
        self.cancel();
        self.stale.clear();
        self.newly_stale.clear();
        self.changed.clear();
        self.walk = (started, started.elapsed());
        if self.kind == FolderKind::Opened {
            self.job = Some(start(self.job(JobScope::Trees(self.walk_roots())))?);
        }
        Ok(())
    }

    /// Starts the audit of the stale documents, unless the background is at work.
    ///
    /// # Errors
    /// If it cannot start; then they are not stale anymore, so that it is reported once.
    pub fn start_stale(
        &mut self,
        start: impl FnOnce(Job) -> io::Result<RunningJob>,
    ) -> io::Result<()> {
        if self.job.is_some() {
            return Ok(());
        }
        if self.kind == FolderKind::Loose {
            self.stale.clear();
        }
        if let Some(documents) = &self.documents {
            self.stale.retain(|name| documents.contains(name));
        }
        if !self.stale.is_empty() {
            let stale = std::mem::take(&mut self.stale).into_iter().collect();
            self.job = Some(start(self.job(JobScope::Documents(stale)))?);
        }
        Ok(())
    }

    fn job(&self, scope: JobScope) -> Job {
        Job {
            auditor: Arc::clone(&self.auditor),
            folder: self.root.clone(),
            generation: self.generation,
            scope,
        }
    }

    pub fn cancel(&mut self) {
        self.job = None;
    }

    pub fn is_busy(&self) -> bool {
        let knows_history = self.editor.renamed.get().is_some();
        let is_stale = !self.stale.is_empty() || !self.newly_stale.is_empty();
        self.job.is_some() || self.restart.is_some() || is_stale || !knows_history
    }

    pub fn is_current_generation(&self, generation: u64) -> bool {
        self.generation == generation
    }

    /// Ends a job. `documents` are those of the tree, if it was walked. Returns the documents that
    /// are gone, and those to judge again because they changed meanwhile.
    pub fn finish(&mut self, documents: Option<HashSet<PathBuf>>) -> (Vec<PathBuf>, Vec<PathBuf>) {
        self.job = None;
        let changed = std::mem::take(&mut self.changed);
        self.last.forget();
        for name in &changed {
            self.auditor.forget(name);
            self.stale_dependents(name);
        }
        let changed = changed.iter().map(|name| self.path_of(name)).collect();
        let Some(documents) = documents else { return (Vec::new(), changed) };
        self.walk.1 = self.walk.0.elapsed();
        let is_gone = |name: &&PathBuf| !documents.contains(*name);
        let gone: Vec<PathBuf> = self.reports.keys().filter(is_gone).cloned().collect();
        for name in &gone {
            self.forget_report(name);
        }
        self.documents = Some(documents);
        (gone.iter().map(|name| self.path_of(name)).collect(), changed)
    }
}

/// Returns a name without `.`, as documents are recorded.
pub fn clean(name: &Path) -> PathBuf {
    name.components().filter(|it| *it != Component::CurDir).collect()
}
