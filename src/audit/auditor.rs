//! Audits inputs: reads each as a document, runs the checks over it, and keeps the findings that are wanted.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::Path;

use super::directives::Directives;
use super::early::ReadDocument;
use super::link_context::AuditedPage;
use super::other_files::is_no_document;
use super::recent::RecentLookup;
use super::{checks, paths, redacting, target};
use crate::audit::{
    AuditCounts, AuditFinding, AuditOptions, AuditOutcome, AuditedDocument, CHECKS, Check, Facts,
    FileTree, Filter, FilterVerdict, KnownFindings, LinkContext, LocatedFinding, Patterns,
    Severity, TargetLookup, UNKNOWN_DIRECTIVE,
};
use crate::document::Format;
use crate::search::{
    Input, InputText, LineCounter, Origin, Problem, ProblemKind, RedactedNames, Root, Search,
    Visit, WalkError, catch_panic, describe, panic_for_test,
};
use crate::setters::setters;

/// So many findings of one document are listed; the others are counted.
const LISTED_MAX: usize = 10_000;

/// A larger file is not audited: all of a document is in memory.
pub(super) const LARGEST: u64 = 1 << 30;

/// What happens to text files of directories that are none of HTML, CSS and Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OtherFiles {
    /// They are left out.
    #[default]
    LeftOut,
    /// They are audited as plain text.
    Audited,
}

/// Whether findings and source lines show passwords, tokens and keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Secrets {
    /// They are shown.
    #[default]
    Shown,
    /// They are replaced, in the text of the document by asterisks.
    Redacted,
    /// They are replaced in the names of files, too.
    RedactedInNames,
}

/// Which findings of the document at a path are known already.
type Known = Box<dyn Fn(&Path) -> KnownFindings + Send + Sync>;

type OwnProbe = dyn Fn(&LinkContext<'_>) -> Option<String> + Send + Sync;

struct OwnCheck {
    check: &'static Check,
    probe: Box<OwnProbe>,
}

/// Audits files, directories and standard input. It is immutable and can be used by several threads.
///
/// ```
/// use std::ops::ControlFlow;
/// use urigrep::audit::{AuditOutcome, Auditor};
///
/// # let directory = std::env::temp_dir().join(format!("urigrep-auditor-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory).unwrap();
/// # std::fs::write(directory.join("a.md"), "See [the manual](manual.md).").unwrap();
/// let auditor = Auditor::builder().build();
/// let mut ids = Vec::new();
/// auditor.run([&directory], |outcome| outcome, |outcome| {
///     if let AuditOutcome::Audited(document) = outcome {
///         ids.extend(document.findings().iter().map(|finding| finding.finding.check.id));
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(ids, ["missing-target"]);
/// # std::fs::remove_dir_all(&directory).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Auditor {
    settings: AuditorBuilder,
    files: FileTree,
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

/// Options of an [`Auditor`].
#[derive(Default)]
pub struct AuditorBuilder {
    search: Search,
    options: AuditOptions,
    options_by_path: Vec<(Patterns, AuditOptions)>,
    filter: Filter,
    others: OtherFiles,
    secrets: Secrets,
    known: Option<Known>,
    own: Vec<OwnCheck>,
}

impl fmt::Debug for AuditorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditorBuilder").finish_non_exhaustive()
    }
}

impl AuditorBuilder {
    setters! {
        /// How files are found and read, and what finds URIs in their text; [`Search::default`] by default.
        search: Search => search;
        /// What the checks go by.
        options: AuditOptions => options;
        /// Which findings are reported; warnings and errors by default.
        filter: Filter => filter;
        /// Whether text files that are none of HTML, CSS and Markdown are audited, too.
        other_files: OtherFiles => others;
        /// Whether secrets are shown; they are by default.
        secrets: Secrets => secrets;
    }

    /// What the checks go by in the documents of some paths; of several, the last counts.
    #[must_use]
    pub fn options_at(mut self, paths: Patterns, options: AuditOptions) -> Self {
        self.options_by_path.push((paths, options));
        self
    }

    /// Leaves out the findings that `known` gives for the path of a document.
    #[must_use]
    pub fn known(mut self, known: impl Fn(&Path) -> KnownFindings + Send + Sync + 'static) -> Self {
        self.known = Some(Box::new(known));
        self
    }

    /// Adds a check: `probe` looks at each link, and says what is wrong with it.
    ///
    /// ```
    /// use urigrep::audit::{Auditor, Check, Severity};
    /// static PLAIN_HTTP: Check = Check {
    ///     id: "plain-http",
    ///     severity: Severity::Warning,
    ///     summary: "a link that is not encrypted",
    ///     rationale: "Everyone on the way can read and change what it leads to.",
    /// };
    /// let auditor = Auditor::builder().check(&PLAIN_HTTP, |link| {
    ///     let uri = link.uri()?;
    ///     (uri.scheme() == "http").then(|| format!("`{uri}` is not encrypted"))
    /// });
    /// assert!(auditor.build().checks().any(|check| check.id == "plain-http"));
    /// ```
    #[must_use]
    pub fn check(
        mut self,
        check: &'static Check,
        probe: impl Fn(&LinkContext<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let probe = Box::new(probe);
        self.own.push(OwnCheck { check, probe });
        self
    }

    /// The auditor.
    #[must_use]
    pub fn build(self) -> Auditor {
        let files = FileTree::new(self.search.clone(), self.options.clone());
        Auditor { files: files.with_options(self.options_by_path.clone()), settings: self }
    }
}

impl Auditor {
    /// A builder, to choose options.
    #[must_use]
    pub fn builder() -> AuditorBuilder {
        AuditorBuilder::default()
    }

    /// Every check: those of the library, that of the comments that turn checks off, and the added ones.
    ///
    /// ```
    /// let auditor = urigrep::audit::Auditor::builder().build();
    /// assert!(auditor.checks().any(|check| check.id == "missing-target"));
    /// ```
    pub fn checks(&self) -> impl Iterator<Item = &'static Check> {
        let own = self.settings.own.iter().map(|own| own.check);
        CHECKS.iter().copied().chain([&UNKNOWN_DIRECTIVE]).chain(own)
    }

    /// Audits everything that a walk over these roots finds, in all threads. Each outcome is given to `work` in the
    /// thread that audited it, and what `work` makes of it to `take`, by path. A file that several roots lead to is
    /// taken once.
    ///
    /// # Errors
    /// When a glob or file type of the walk makes no sense.
    pub fn run<R: Into<Root>, T: Send>(
        &self,
        roots: impl IntoIterator<Item = R>,
        work: impl Fn(AuditOutcome) -> T + Sync,
        mut take: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), WalkError> {
        let roots: Vec<Root> = roots.into_iter().map(Into::into).collect();
        let is_only_root = roots.len() <= 1;
        self.files.expect(roots.iter().filter_map(|root| match root {
            Root::Stdin => None,
            Root::CurrentDirectory => Some(Path::new(".")),
            Root::Path(path) => Some(path.as_path()),
        }));
        let identity = |visit: &Visit| match visit {
            Visit::Search(input) if !is_only_root => input.path().map(paths::absolute),
            _ => None,
        };
        let audit = |visit: Visit| match visit {
            Visit::Search(input) => self.audit(&input),
            Visit::Problem(problem) => AuditOutcome::Failed(problem),
            Visit::Skip => AuditOutcome::LeftOut,
        };
        let mut taken = HashSet::new();
        self.settings.search.map_inputs(
            roots,
            |visit| (identity(&visit), work(audit(visit))),
            |(identity, result)| match identity.is_none_or(|identity| taken.insert(identity)) {
                true => take(result),
                false => ControlFlow::Continue(()),
            },
        )
    }

    /// Audits one input, whatever happens there.
    ///
    /// ```
    /// use urigrep::audit::{AuditOutcome, Auditor};
    /// use urigrep::search::Input;
    /// let outcome = Auditor::builder().build().audit(&Input::file("no/such/file.md"));
    /// assert!(matches!(outcome, AuditOutcome::Failed(_)));
    /// ```
    pub fn audit(&self, input: &Input) -> AuditOutcome {
        // What is shared is caches, which a panic leaves as they were.
        let (kind, message) = match catch_panic(|| self.read(input)) {
            Ok(Ok(outcome)) => return outcome,
            Ok(Err(error)) => (ProblemKind::Read, not_read(&error)),
            Err(message) => (ProblemKind::Panic, message),
        };
        AuditOutcome::Failed(Problem::new(kind, input.display_path(), message))
    }

    fn read(&self, input: &Input) -> io::Result<AuditOutcome> {
        if input.path().is_some_and(|path| !self.settings.filter.takes_path(path)) {
            return Ok(AuditOutcome::LeftOut);
        }
        // To open each file of a large checkout takes longer than its documents.
        if input.origin() == Origin::Tree
            && self.settings.others == OtherFiles::LeftOut
            && input.extension().is_some_and(is_no_document)
        {
            return Ok(AuditOutcome::LeftOut);
        }
        let is_wanted = |format: Option<Format>| {
            format.is_some()
                || input.origin() == Origin::Named
                || self.settings.others == OtherFiles::Audited
        };
        let early = input.path().and_then(|path| self.files.early_document(path));
        let (document, text) = match early {
            Some(document) => (document, None),
            None => match self.settings.search.read_text(input, LARGEST, is_wanted)? {
                Some(text) => (self.read_document(input, &text), Some(text)),
                None => return Ok(AuditOutcome::LeftOut),
            },
        };
        Ok(AuditOutcome::Audited(Box::new(self.document(input, &document, text)?)))
    }

    fn read_document(&self, input: &Input, text: &InputText) -> ReadDocument {
        panic_for_test(text.bytes());
        let path = input.path().unwrap_or(Path::new(""));
        ReadDocument::new(path, text, self.settings.search.finder())
    }

    /// The text of a document, which is not there if it was read early: most need it no more.
    fn text(&self, input: &Input, text: Option<InputText>) -> io::Result<InputText> {
        let read = || self.settings.search.read_text(input, LARGEST, |_| true);
        let gone = || io::Error::new(ErrorKind::InvalidData, "it is no longer what it was");
        text.map_or_else(|| read()?.ok_or_else(gone), Ok)
    }

    /// Audits a document, whose text is there unless it was read early.
    fn document(
        &self,
        input: &Input,
        ReadDocument { facts, bytes }: &ReadDocument,
        mut text: Option<InputText>,
    ) -> io::Result<AuditedDocument> {
        let mut counts = AuditCounts { documents: 1, bytes: *bytes, ..AuditCounts::default() };
        counts.links = facts.links().len() as u64;
        // References of standard input are relative to the current directory.
        let path = input.path().unwrap_or(Path::new("-"));
        let profile = self.files.site(path, facts.format()).map(|site| site.profile);
        let directives = match facts.comments() {
            comments if Directives::are_in(comments) => {
                let checks: Vec<_> = self.checks().collect();
                let read = self.text(input, text.take())?;
                Directives::read(comments, text.insert(read).bytes(), &checks)
            }
            _ => Directives::default(),
        };
        let wanted = self.findings(path, facts, &directives, &mut counts);
        let (findings, text) = match wanted.is_empty() {
            true => Default::default(),
            false => {
                let text = self.text(input, text)?;
                self.shown(located(wanted, &text), text, facts)
            }
        };
        counts.faulty = u64::from(!findings.is_empty());
        for finding in &findings {
            counts.severities.add(finding.severity);
        }
        let input = match self.settings.secrets {
            Secrets::RedactedInNames => input.redacted(RedactedNames::All),
            _ => None,
        }
        .unwrap_or_else(|| input.clone());
        Ok(AuditedDocument::new(input, text, findings, counts).with_profile(profile))
    }

    /// Findings and their text, without secrets if those are not shown.
    fn shown(
        &self,
        mut findings: Vec<LocatedFinding>,
        text: InputText,
        facts: &Facts,
    ) -> (Vec<LocatedFinding>, Vec<u8>) {
        if self.settings.secrets == Secrets::Shown {
            return (findings, text.into_bytes());
        }
        for finding in &mut findings {
            let written = text.bytes().get(finding.finding.span.range());
            redacting::finding(written.unwrap_or_default(), &mut finding.finding);
        }
        let finder = self.settings.search.finder();
        let masked = redacting::text(text.bytes(), facts.links(), finder);
        (findings, masked)
    }

    /// The findings that are wanted, by offset; the others are counted.
    fn findings(
        &self,
        path: &Path,
        facts: &Facts,
        directives: &Directives,
        counts: &mut AuditCounts,
    ) -> Vec<(AuditFinding, Severity)> {
        let mut known = match &self.settings.known {
            Some(known) => known(path),
            None => KnownFindings::default(),
        };
        let mut wanted = Vec::new();
        let mut sink = |finding: AuditFinding| {
            counts.unrooted += u64::from(target::unchecked::is_of_root(&finding));
            let verdict = self.settings.filter.verdict(&finding, path);
            if verdict != FilterVerdict::Off && known.take(&finding) {
                counts.suppressed.baseline += 1;
                return;
            }
            match verdict {
                FilterVerdict::Off => {}
                FilterVerdict::Excluded => counts.suppressed.excluded += 1,
                FilterVerdict::Mild => counts.suppressed.severity += 1,
                FilterVerdict::Reported(_) if directives.disable(&finding) => {
                    counts.suppressed.comment += 1;
                }
                FilterVerdict::Reported(_) if wanted.len() >= LISTED_MAX => counts.unlisted += 1,
                FilterVerdict::Reported(severity) => wanted.push((finding, severity)),
            }
        };
        let files = RecentLookup::new(&self.files);
        checks::check(path, facts, &self.settings.options, &files, &mut sink);
        self.check_own(path, facts, &files, &mut sink);
        directives.mistakes().cloned().for_each(sink);
        let takes = |id: &str| {
            let check = self.checks().find(|check| check.id == id);
            check.is_some_and(|check| self.settings.filter.takes_check(check))
        };
        let stale = known.iter().filter(|(key, _)| takes(key.check()));
        counts.stale += stale.map(|(_, count)| count).sum::<u64>();
        wanted.sort_by_key(|(finding, _)| (finding.span.start(), finding.span.end()));
        wanted
    }

    fn check_own(
        &self,
        path: &Path,
        facts: &Facts,
        files: &dyn TargetLookup,
        sink: &mut dyn FnMut(AuditFinding),
    ) {
        if self.settings.own.is_empty() {
            return;
        }
        let page = AuditedPage::new(path, facts, &self.settings.options, files);
        for own in &self.settings.own {
            let links = facts.links();
            links
                .map(|link| LinkContext::new(link, &page))
                .filter(|link| !link.is_code_path())
                .filter_map(|link| Some(link.finding(own.check, (own.probe)(&link)?)))
                .for_each(&mut *sink);
        }
    }
}

/// The findings with their lines and columns. They come by offset, so that each line is counted once.
fn located(findings: Vec<(AuditFinding, Severity)>, text: &InputText) -> Vec<LocatedFinding> {
    let mut counter = LineCounter::with_characters();
    let locate = |(finding, severity): (AuditFinding, Severity)| {
        let (start, end) = (finding.span.start(), finding.span.end());
        LocatedFinding {
            severity,
            start: counter.position(text.bytes(), 0, start, text),
            // The next finding may start before the end of this one.
            end: counter.clone().position(text.bytes(), 0, end, text),
            bytes: [text.source(start), text.source(end)],
            finding,
        }
    };
    findings.into_iter().map(locate).collect()
}

fn not_read(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::FileTooLarge => format!("not audited: {error}"),
        _ => describe(error),
    }
}
