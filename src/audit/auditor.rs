//! Audits inputs: reads each as a document, runs the checks, and filters the findings.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use super::answers::{IgnoredTargets, MovedPaths};
use super::collect::Collected;
use super::members::Audited;
use super::orphans::LinkedDocuments;
use super::own::OwnChecks;
use super::{current_directory, judge, paths, vendored};
use crate::audit::sites::hidden_menus;
use crate::audit::target::web;
use crate::audit::{
    Answers, AuditOptions, AuditOutcome, CHECKS, Check, DocumentContext, FileTree, Filter,
    KnownFindings, LinkContext, ORPHAN, Orphans, Overlay, OwnFinding, Patterns, UNKNOWN_DIRECTIVE,
    Vendored, WEB_CHECKS,
};
use crate::search::{
    Input, Problem, ProblemKind, Root, Search, Visit, WalkError, catch_panic, describe,
};
use crate::setters::setters;

/// Larger files are not audited: a document is held in memory.
pub(super) const MAX_DOCUMENT_BYTES: u64 = 1 << 30;

/// Treatment of text files in directories that are not documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OtherFiles {
    /// Skip them.
    #[default]
    LeftOut,
    /// Audit them as plain text.
    Audited,
}

/// Treatment of passwords, tokens, and keys in findings and source lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Secrets {
    /// Show them.
    #[default]
    Shown,
    /// Redact them; in the text of a document, by asterisks.
    Redacted,
    /// Redact them in file names, too.
    RedactedInNames,
}

/// Returns the known findings of the document at a path.
type Known = Box<dyn Fn(&Path) -> KnownFindings + Send + Sync>;

/// Audits files, directories, and standard input. It is immutable and may be shared between
/// threads.
///
/// ```
/// use urigrep::audit::{AuditOutcome, Auditor};
///
/// # let directory = std::env::temp_dir().join(format!("urigrep-auditor-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory).unwrap();
/// # std::fs::write(directory.join("a.md"), "See [the manual](manual.md).").unwrap();
/// let auditor = Auditor::builder().build();
/// let mut ids = Vec::new();
/// auditor.for_each([&directory], |outcome| {
///     if let AuditOutcome::Audited(document) = outcome {
///         ids.extend(document.findings().iter().map(|finding| finding.finding.check.id));
///     }
/// })?;
/// assert_eq!(ids, ["missing-target"]);
/// # std::fs::remove_dir_all(&directory).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Auditor {
    pub(super) settings: AuditorBuilder,
    pub(super) files: FileTree,
    /// Number of hidden documents that were audited as parts of others.
    pub(super) hidden_parts_read: AtomicU64,
}

impl fmt::Debug for Auditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auditor")
            .field("search", &self.settings.search)
            .field("options", &self.settings.options)
            .field("filter", &self.settings.filter)
            .finish_non_exhaustive()
    }
}

/// Builder of an [`Auditor`].
#[derive(Default)]
pub struct AuditorBuilder {
    pub(super) search: Search,
    pub(super) options: AuditOptions,
    options_by_path: Vec<(Patterns, AuditOptions)>,
    pub(super) filter: Filter,
    pub(super) others: OtherFiles,
    vendored: Vendored,
    ignored_targets: IgnoredTargets,
    orphans: Orphans,
    pub(super) secrets: Secrets,
    pub(super) known: Option<Known>,
    pub(super) own: OwnChecks,
    pub(super) answers: Option<Box<dyn Answers>>,
    renames: Option<MovedPaths<Option<PathBuf>>>,
    former: Option<MovedPaths<Vec<PathBuf>>>,
    overlay: Option<Overlay>,
    boundary: Option<PathBuf>,
    pub(super) lines: Option<Box<TakesLines>>,
}

/// True if a finding in these lines of a file is reported: the first one and the last one.
type TakesLines = dyn Fn(&Path, u64, u64) -> bool + Send + Sync;

impl fmt::Debug for AuditorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditorBuilder").finish_non_exhaustive()
    }
}

impl AuditorBuilder {
    setters! {
        /// Finds and reads files and finds the URIs in text; [`Search::default`] by default.
        search: Search => search;
        /// Options of the checks.
        options: AuditOptions => options;
        /// Filter of the findings; by default, warnings and errors pass.
        filter: Filter => filter;
        /// Treatment of text files that are not documents; skipped by default.
        other_files: OtherFiles => others;
        /// Treatment of directories of other projects and of test data; left out by default.
        vendored: Vendored => vendored;
        /// Treatment of links to missing files that a `.gitignore` names; not judged by default.
        ignored_targets: IgnoredTargets => ignored_targets;
        /// Treatment of documents that no other document links to; ignored by default.
        orphans: Orphans => orphans;
        /// Treatment of secrets; shown by default.
        secrets: Secrets => secrets;
    }

    /// Sets other options for the documents of some paths; of several matches, the last wins.
    #[must_use]
    pub fn options_at(mut self, paths: Patterns, options: AuditOptions) -> Self {
        self.options_by_path.push((paths, options));
        self
    }

    /// Suppresses the findings that `known` returns for the path of a document.
    #[must_use]
    pub fn known(mut self, known: impl Fn(&Path) -> KnownFindings + Send + Sync + 'static) -> Self {
        self.known = Some(Box::new(known));
        self
    }

    /// Sets where moved files are looked up: `renames` returns the new path of a missing file, if
    /// it knows one. Version control does, for example.
    #[must_use]
    pub fn renames(
        mut self,
        renames: impl Fn(&Path) -> Option<PathBuf> + Send + Sync + 'static,
    ) -> Self {
        self.renames = Some(MovedPaths(Box::new(renames)));
        self
    }

    /// Sets where files were before they were moved: `former` returns the former paths of a file,
    /// newest first. The links of a moved document are also looked up from there.
    #[must_use]
    pub fn former_paths(
        mut self,
        former: impl Fn(&Path) -> Vec<PathBuf> + Send + Sync + 'static,
    ) -> Self {
        self.former = Some(MovedPaths(Box::new(former)));
        self
    }

    /// Sets texts that replace files. If one changes, [`Auditor::forget`] must be called.
    #[must_use]
    pub fn overlay(self, overlay: Overlay) -> Self {
        Self { overlay: Some(overlay), ..self }
    }

    /// Reads no target of a link outside this directory, wherever symbolic links lead: whether such
    /// a file exists is checked, its anchors and lines are not. By default, all files are read.
    #[must_use]
    pub fn boundary(self, directory: impl Into<PathBuf>) -> Self {
        Self { boundary: Some(directory.into()), ..self }
    }

    /// Reports only findings in some lines: `takes` gets the path of a document, and the first and
    /// the last line of a finding, from 1.
    #[must_use]
    pub fn only_lines(
        mut self,
        takes: impl Fn(&Path, u64, u64) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.lines = Some(Box::new(takes));
        self
    }

    /// Adds a check of links. `probe` looks at each link and returns what is wrong with it:
    /// nothing, a message, or several findings.
    ///
    /// [`Check::named`] makes checks that are known only when the program runs.
    ///
    /// ```
    /// use urigrep::audit::{Auditor, Check, OwnFinding};
    /// let check = Check::named("plain-http").summary("a link that is not encrypted").build();
    /// let auditor = Auditor::builder().check(check, |link| {
    ///     let uri = link.uri()?;
    ///     (uri.scheme() == "http").then(|| OwnFinding::new("it is not encrypted").hint("write `https`"))
    /// });
    /// assert!(auditor.build().checks().any(|check| check.id == "plain-http"));
    /// ```
    #[must_use]
    pub fn check<I: IntoIterator<Item: Into<OwnFinding>>>(
        mut self,
        check: &'static Check,
        probe: impl Fn(&LinkContext<'_>) -> I + Send + Sync + 'static,
    ) -> Self {
        self.own.add_link(check, probe);
        self
    }

    /// Adds a check of whole documents. `probe` returns the faults of a document.
    ///
    /// ```
    /// use urigrep::audit::{AuditOutcome, Auditor, Check};
    /// use urigrep::search::Input;
    /// let check = Check::named("no-links").build();
    /// let auditor = Auditor::builder()
    ///     .check_document(check, |document| {
    ///         (document.links().count() == 0).then_some("it leads nowhere")
    ///     })
    ///     .build();
    /// let outcome = auditor.audit_text(&Input::in_tree("a.md"), b"# Only words".to_vec());
    /// let AuditOutcome::Audited(document) = outcome else { panic!() };
    /// assert_eq!(document.to_string(), "a.md:1:1: warning[no-links]: it leads nowhere\n");
    /// ```
    #[must_use]
    pub fn check_document<I: IntoIterator<Item: Into<OwnFinding>>>(
        mut self,
        check: &'static Check,
        probe: impl Fn(&DocumentContext<'_>) -> I + Send + Sync + 'static,
    ) -> Self {
        self.own.add_document(check, probe);
        self
    }

    /// Sets the source of answers about URLs, which enables the checks for dead links. Without it,
    /// no URL is resolved.
    #[must_use]
    pub fn answers(mut self, answers: impl Answers + 'static) -> Self {
        self.answers = Some(Box::new(answers));
        self
    }

    /// Builds the auditor.
    #[must_use]
    pub fn build(mut self) -> Auditor {
        let files = FileTree::new(self.search.clone(), self.options.clone());
        let files = files
            .with_former(self.former.take())
            .with_renames(self.renames.take())
            .with_overlay(self.overlay.take());
        let files = files.with_boundary(self.boundary.take()).with_ignored(self.ignored_targets);
        let files = files.with_options(self.options_by_path.clone());
        Auditor { files, settings: self, hidden_parts_read: AtomicU64::new(0) }
    }
}

impl Default for Auditor {
    /// An auditor with the default options.
    fn default() -> Self {
        AuditorBuilder::default().build()
    }
}

impl Auditor {
    /// Returns a builder.
    #[must_use]
    pub fn builder() -> AuditorBuilder {
        AuditorBuilder::default()
    }

    /// Returns the search that finds and reads the documents.
    pub fn search(&self) -> &Search {
        &self.settings.search
    }

    /// Returns the filter of the findings.
    pub fn filter(&self) -> &Filter {
        &self.settings.filter
    }

    /// Returns all checks: the built-in ones, that of disabling comments, and the added ones.
    ///
    /// ```
    /// let auditor = urigrep::audit::Auditor::builder().build();
    /// assert!(auditor.checks().any(|check| check.id == "missing-target"));
    /// ```
    pub fn checks(&self) -> impl Iterator<Item = &'static Check> {
        let own = self.settings.own.checks();
        // The settings of a site report moved links, too.
        let is_asked = self.settings.answers.is_some();
        let asked =
            WEB_CHECKS.iter().copied().filter(move |it| is_asked || it.id == web::MOVED_LINK.id);
        let orphan = (self.settings.orphans == Orphans::Reported).then_some(&ORPHAN);
        CHECKS.iter().copied().chain([&UNKNOWN_DIRECTIVE]).chain(orphan).chain(asked).chain(own)
    }

    /// Audits everything that a walk over these roots finds, on all threads, and passes the outcomes
    /// to `each`, ordered by path. A root is a path, or a [`Root`].
    ///
    /// [`run`](Self::run) also does work in the threads, and can stop early.
    ///
    /// # Errors
    /// If a glob or file type of the walk is invalid.
    pub fn for_each<R: Into<Root>>(
        &self,
        roots: impl IntoIterator<Item = R>,
        mut each: impl FnMut(AuditOutcome),
    ) -> Result<(), WalkError> {
        self.run(
            roots,
            |outcome| outcome,
            |outcome| {
                each(outcome);
                ControlFlow::Continue(())
            },
        )
    }

    /// Audits everything that a walk over these roots finds, on all threads. `work` turns each
    /// outcome into a result in the thread that audited it. `take` receives the results ordered by
    /// path; a file below several roots is reported once.
    ///
    /// With [`Answers`] about URLs, the calling thread judges documents and runs `work` on them.
    /// Worker threads keep reading while it waits for answers. They stay a bounded number of
    /// documents ahead and keep no text of these.
    ///
    /// # Errors
    /// If a glob or file type of the walk is invalid.
    pub fn run<R: Into<Root>, T: Send>(
        &self,
        roots: impl IntoIterator<Item = R>,
        work: impl Fn(AuditOutcome) -> T + Sync,
        mut take: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), WalkError> {
        let roots: Vec<Root> = with_hidden(roots.into_iter().map(Into::into));
        let is_only_root = roots.len() <= 1;
        let walked = roots.clone();
        // Announce the roots before the walk starts: a document that a link reads early is kept
        // only if it will be audited itself.
        self.announce(&roots);
        // Only several roots can reach a file twice. With one root, skip making every path
        // absolute.
        let identity = |visit: &Visit| match visit {
            Visit::Search(input) if !is_only_root => input.path().map(paths::absolute),
            _ => None,
        };
        let audit = |visit: Visit| match visit {
            Visit::Search(input) => {
                if let Some(directory) = self.vendored(&input, &walked) {
                    return vec![AuditStage::Done(work(AuditOutcome::Vendored(directory)))];
                }
                let stage = |audited| match audited {
                    Audited::Outcome(outcome) => AuditStage::Done(work(outcome)),
                    Audited::Waiting(collected) => AuditStage::Waiting(collected),
                };
                self.collect_with_parts(&input).into_iter().map(stage).collect()
            }
            Visit::Problem(problem) => vec![AuditStage::Done(work(AuditOutcome::Failed(problem)))],
            Visit::Skip(_) => vec![AuditStage::Done(work(AuditOutcome::LeftOut))],
        };
        if self.settings.orphans == Orphans::Reported {
            self.files.set_linked(LinkedDocuments::read(self, roots.clone())?);
        }
        let mut taken = HashSet::new();
        self.settings.search.map_inputs(
            roots,
            |visit| (identity(&visit), audit(visit)),
            |(identity, stages): (_, Vec<AuditStage<'_, T>>)| {
                // Here, and not before the work: results arrive in order, so the first root always
                // wins.
                if !identity.is_none_or(|identity| taken.insert(identity)) {
                    return ControlFlow::Continue(());
                }
                for stage in stages {
                    take(match stage {
                        AuditStage::Done(result) => result,
                        AuditStage::Waiting(collected) => work(self.judge_caught(Some(*collected))),
                    })?;
                }
                ControlFlow::Continue(())
            },
        )?;
        // Last, because documents find the settings above them.
        for problem in self.files.unread_settings() {
            if take(work(AuditOutcome::Failed(problem))).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the directory for which an input of these roots is left out; `None` if it is
    /// audited, or is not a document anyway.
    fn vendored(&self, input: &Input, roots: &[Root]) -> Option<&'static str> {
        let is_own = self.settings.vendored == Vendored::Audited || self.leaves_out(input);
        let directory = if is_own { None } else { vendored::directory_of(input, roots) };
        directory.filter(|directory| !vendored::is_chapter(directory, input))
    }

    /// Announces the tree that single documents belong to, as [`run`](Self::run) does: the fixes of
    /// links look for files in it.
    pub fn expect<R: Into<Root>>(&self, roots: impl IntoIterator<Item = R>) {
        self.announce(&with_hidden(roots.into_iter().map(Into::into)));
    }

    fn announce(&self, roots: &[Root]) {
        self.files.expect(roots.iter().filter_map(|root| match root {
            Root::Stdin => None,
            Root::CurrentDirectory => Some(Path::new(".")),
            Root::Path(path) => Some(path.as_path()),
        }));
    }

    /// Audits one input. A panic is reported as a failure.
    ///
    /// ```
    /// use urigrep::audit::{AuditOutcome, Auditor};
    /// use urigrep::search::Input;
    /// let outcome = Auditor::builder().build().audit(&Input::file("no/such/file.md"));
    /// assert!(matches!(outcome, AuditOutcome::Failed(_)));
    /// ```
    pub fn audit(&self, input: &Input) -> AuditOutcome {
        let mut audited = self.collect_all(input);
        match (audited.pop(), audited.is_empty()) {
            (Some(Audited::Outcome(outcome)), true) => outcome,
            (Some(Audited::Waiting(collected)), true) => self.judge_caught(Some(*collected)),
            (None, _) => AuditOutcome::LeftOut,
            (Some(_), false) => {
                let message = "it holds several documents: `Auditor::run` audits all of them";
                let path = input.display_path();
                AuditOutcome::Failed(Problem::new(ProblemKind::Unread, path, message))
            }
        }
    }

    /// Audits a text as if it were that of an input: to try a change, for example.
    ///
    /// ```
    /// use urigrep::audit::{AuditOutcome, Auditor};
    /// use urigrep::search::Input;
    /// let auditor = Auditor::builder().build();
    /// let text = b"[none](none.md)".to_vec();
    /// let AuditOutcome::Audited(document) = auditor.audit_text(&Input::in_tree("a.md"), text) else {
    ///     panic!()
    /// };
    /// assert_eq!(document.findings().len(), 1);
    /// ```
    pub fn audit_text(&self, input: &Input, text: Vec<u8>) -> AuditOutcome {
        match self.collect_bytes_caught(input, text) {
            Ok(collected) => self.judge_caught(collected),
            Err(problem) => AuditOutcome::Failed(problem),
        }
    }

    /// Audits the bytes of a file as if they were those of an input, with the files that are
    /// attached to it or packed in it, each of which has an outcome of its own.
    ///
    /// ```
    /// use urigrep::audit::Auditor;
    /// use urigrep::search::Input;
    /// let auditor = Auditor::builder().build();
    /// let outcomes = auditor.audit_bytes(&Input::in_tree("a.md"), b"[none](none.md)".to_vec());
    /// assert_eq!(outcomes.len(), 1);
    /// ```
    pub fn audit_bytes(&self, input: &Input, bytes: Vec<u8>) -> Vec<AuditOutcome> {
        let outcome = |audited| match audited {
            Audited::Outcome(outcome) => outcome,
            Audited::Waiting(collected) => self.judge_caught(Some(*collected)),
        };
        self.collect_opened(input, bytes).into_iter().map(outcome).collect()
    }

    /// Forgets what is cached of the text of one file: it has changed. Documents that depend on it
    /// ([`AuditedDocument::depends_on`](crate::audit::AuditedDocument::depends_on)) must be audited
    /// again. If files were added, removed, or renamed, a new auditor must be built.
    pub fn forget(&self, path: &Path) {
        self.files.forget(path);
    }

    /// Collects an input and catches panics; `None` if the input is skipped.
    pub(super) fn collect_caught(&self, input: &Input) -> Result<Option<Collected<'_>>, Problem> {
        // Unwinding is safe here: only caches are shared, and a panic leaves them consistent.
        caught(input, || self.collect(input))
    }

    /// Like [`collect_caught`](Self::collect_caught), for a member of an archive.
    pub(super) fn collect_bytes_caught(
        &self,
        input: &Input,
        bytes: Vec<u8>,
    ) -> Result<Option<Collected<'_>>, Problem> {
        caught(input, || self.collect_bytes(input, bytes))
    }

    pub(super) fn judge_caught(&self, collected: Option<Collected<'_>>) -> AuditOutcome {
        let Some(collected) = collected else { return AuditOutcome::LeftOut };
        let input = collected.input.clone();
        match caught(&input, || judge::judge(self, collected)) {
            Ok(document) => AuditOutcome::Audited(Box::new(document)),
            Err(problem) => AuditOutcome::Failed(problem),
        }
    }
}

/// State of a document when its worker is done with it.
enum AuditStage<'a, T> {
    Done(T),
    /// Must wait for answers about its URLs.
    Waiting(Box<Collected<'a>>),
}

/// Hidden directories with documents that a forge shows.
pub(super) const FORGES: [&str; 2] = [".github", ".gitlab"];

/// Adds hidden directories whose documents a forge shows, and hidden files with the menu of a site,
/// before the root that holds them: the walk skips hidden directories.
pub(super) fn with_hidden(roots: impl Iterator<Item = Root>) -> Vec<Root> {
    let mut all = Vec::new();
    for root in roots {
        let directory = match &root {
            Root::CurrentDirectory => Some(Path::new("")),
            Root::Path(path) => Some(path.as_path()),
            Root::Stdin => None,
        };
        // `.github/CONTRIBUTING.md` and the like.
        let places = directory.into_iter().flat_map(|it| FORGES.map(|forge| it.join(forge)));
        all.extend(places.filter(|place| place.is_dir()).map(Root::Path));
        all.extend(directory.into_iter().flat_map(hidden_menus).map(Root::Path));
        all.push(root);
    }
    all
}

/// Runs `work` and turns its error or panic into a [`Problem`].
pub(super) fn caught<T>(input: &Input, work: impl FnOnce() -> io::Result<T>) -> Result<T, Problem> {
    let (kind, message) = match catch_panic(|| current_directory::unchanged(work)) {
        Ok(Ok(result)) => return Ok(result),
        Ok(Err(error)) => (ProblemKind::Read, not_read(&error)),
        Err(message) => (ProblemKind::Panic, message),
    };
    Err(Problem::new(kind, input.display_path(), message))
}

fn not_read(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::FileTooLarge => format!("not audited: {error}"),
        _ => describe(error),
    }
}
