//! Resolves the flags and `urigrep.toml` into the configuration of an audit.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use urigrep::Finder;
use urigrep::audit::report::{self as format, AuditReport};
use urigrep::audit::{
    AuditOptions, Auditor, AuditorBuilder, Filter, IgnoredTargets, ORPHAN, Orphans, OtherFiles,
    Overlay, Secrets, Severity, Vendored,
};
#[cfg(not(feature = "online"))]
use urigrep::search::Problem;
use urigrep::search::{CancelToken, Root, Search};

use super::baseline::Baseline;
#[cfg(feature = "online")]
use super::online::Online;
use super::report::{
    CausesReport, QuietReport, RunReport, StatisticsForm, StatisticsReport, TextReport,
};
use super::settings::{self, AuditSettings};
use super::since::OldFindings;
#[cfg(not(feature = "online"))]
use super::tally::AuditTally;
use crate::cli::config;
use crate::cli::error::CliError;
use crate::cli::flags::audit::{AuditFlags, CheckFlags, ReportFlags, ReportFormatFlag};
use crate::cli::flags::checks::{self, CheckWord, Exclusion};
use crate::cli::flags::values::{ProgressMode, RedactMode, When, hosts};
use crate::cli::git::{
    LeftOutDocuments, MovedFiles, RenamedFiles, directories, tracked_but_ignored,
};
use crate::cli::limits;
use crate::cli::output::PathStyle;
#[cfg(not(feature = "online"))]
use crate::cli::progress::Drawing;
use crate::cli::tree_files::TreeFiles;
#[cfg(not(feature = "online"))]
use urigrep::audit::report::WebCounts;

pub struct AuditPlan {
    pub roots: Vec<Root>,
    /// The files that fixes change.
    pub files: TreeFiles,
    /// True if no path was named.
    pub no_paths: bool,
    /// True if a flag or the settings name the generator of the site.
    pub is_site_chosen: bool,
    pub auditor: Auditor,
    /// All findings are written to this baseline, and none is reported.
    pub written: Option<Baseline>,
    /// The settings file, if it may hide findings.
    pub filtering_file: Option<PathBuf>,
    pub report: RunReport,
    /// The file that gets the report; standard output by default.
    pub output: Option<PathBuf>,
    /// The file that gets a page, besides the report.
    pub page: Option<PathBuf>,
    /// The report of the page.
    pub page_report: Box<dyn AuditReport>,
    /// The file whose text standard input is.
    pub stdin_path: Option<PathBuf>,
    /// True if findings do not affect the exit status.
    pub exit_zero: bool,
    /// The lowest severity that makes the audit fail.
    pub fail_on: Option<Severity>,
    /// The revision whose findings are left out.
    pub since: Option<String>,
    /// Documents that are not audited, although git tracks them.
    pub left_out: LeftOutDocuments,
    /// The minimum coverage in percent.
    pub min_coverage: Option<u8>,
    /// The source of answers about links to the web.
    #[cfg(feature = "online")]
    pub online: Option<Online>,
    /// Whether progress is shown.
    pub progress: ProgressMode,
}

/// State of an editor that overrides the file system.
#[cfg_attr(not(feature = "lsp"), allow(dead_code, reason = "only `urigrep lsp` makes one"))]
#[derive(Clone, Debug, Default)]
pub struct Editor {
    /// Documents that are not saved.
    pub overlay: Overlay,
    /// The renames in the history, once they are known.
    pub renamed: Arc<OnceLock<RenamedFiles>>,
    /// The folder that is open: no document outside of it is read.
    pub boundary: Option<PathBuf>,
    /// Ends walks when the editor leaves.
    pub closing: CancelToken,
}

enum BaselineUse {
    Nothing,
    LeftOut(Baseline),
    /// The findings of a revision are left out.
    Since(OldFindings),
    /// All findings are written to this baseline.
    Written(Baseline),
}

impl AuditPlan {
    /// Resolves the configuration.
    ///
    /// # Errors
    /// If a flag or `urigrep.toml` is invalid.
    pub fn new(flags: &AuditFlags) -> Result<Self, CliError> {
        Self::beside(flags, None)
    }

    /// Resolves the configuration of an audit beside an editor.
    ///
    /// # Errors
    /// If a flag or `urigrep.toml` is invalid.
    pub fn beside(flags: &AuditFlags, editor: Option<&Editor>) -> Result<Self, CliError> {
        if flags.stdin_path.is_some() && flags.paths.iter().any(|path| path != "-") {
            return Err(CliError::conflict("--stdin-path", "other paths"));
        }
        let (roots, named) = roots(flags)?;
        let search = search(flags, editor)?;
        let left_out = match editor {
            // An editor shows no summary, and git is not run on an untrusted tree.
            None if !flags.walk.untrusted && flags.scope.files_from.is_none() => {
                LeftOutDocuments::count(&named, &search)
            }
            _ => LeftOutDocuments::default(),
        };
        let near = match &flags.stdin_path {
            Some(path) => vec![Root::Path(path.clone())],
            None => roots.clone(),
        };
        let settings = if flags.walk.untrusted && flags.checks.config.is_none() {
            AuditSettings::default()
        } else {
            settings(&flags.checks, &near)?
        };
        let filter = filter(&flags.checks, settings.filter, settings.severity)?;
        let known = match &flags.checks.new_since {
            // A server keeps its current directory.
            Some(revision) if editor.is_none() => {
                BaselineUse::Since(OldFindings::at(revision, flags, &near)?)
            }
            _ if flags.checks.ignore_baseline => BaselineUse::Nothing,
            _ => known(&flags.checks, settings.baseline)?,
        };
        let options = options(&flags.checks, settings.options)?;
        let is_site_chosen = options.profile.is_some();
        let mut auditor = builder(flags, search, &filter, settings.vendored).options(options);
        for (paths, by_path) in settings.by_path {
            auditor = auditor.options_at(paths, self::options(&flags.checks, by_path)?);
        }
        let near = directories(&near);
        if let Some(lines) = flags.scope.lines(&roots, MovedFiles::HaveChanged)? {
            auditor = auditor.only_lines(move |path, first, last| lines.have(path, first, last));
        }
        auditor = with_history(auditor, flags, editor, near);
        let mut written = None;
        let mut report = report(&flags.report, &filter)?;
        match known {
            BaselineUse::Nothing => {}
            BaselineUse::LeftOut(baseline) => {
                auditor = auditor.known(move |path| baseline.known_findings(path))
            }
            BaselineUse::Since(old) => {
                auditor = auditor.known(move |path| old.known_findings(path))
            }
            BaselineUse::Written(baseline) => {
                written = Some(baseline);
                report = RunReport::Documents(Box::new(QuietReport));
            }
        }
        // The hashes of a baseline cover the text as it is, so nothing may be redacted.
        if written.is_none() {
            auditor = auditor.secrets(secrets(flags.report.redact));
        }
        #[cfg(feature = "online")]
        let online = Online::new(&flags.online, &settings.online)?;
        #[cfg(feature = "online")]
        if let Some(online) = &online {
            auditor = auditor.answers(online.answers());
            if matches!(online, Online::Dump(_)) {
                report = RunReport::Documents(Box::new(QuietReport));
            }
        }
        Ok(Self {
            files: TreeFiles::new(&roots, flags.walk.follow),
            roots,
            no_paths: has_no_paths(flags),
            is_site_chosen,
            auditor: auditor.build(),
            written,
            filtering_file: settings.filtering_file,
            report,
            output: flags.report.output.clone(),
            page: flags.report.report.clone(),
            page_report: format::ReportFormat::Html.start(checks::all(), &filter),
            stdin_path: flags.stdin_path.clone(),
            exit_zero: flags.report.exit_zero,
            fail_on: flags.report.fail_on.or(settings.fail_on),
            since: flags.checks.new_since.clone(),
            left_out,
            min_coverage: flags.checks.min_coverage.or(settings.min_coverage),
            #[cfg(feature = "online")]
            online,
            progress: if flags.report.quiet { ProgressMode::Never } else { flags.report.progress },
        })
    }
}

/// Returns an auditor with what the flags alone decide.
fn builder(
    flags: &AuditFlags,
    search: Search,
    filter: &Filter,
    is_vendored: bool,
) -> AuditorBuilder {
    let mut auditor = Auditor::builder().search(search).filter(filter.clone()).other_files(
        if flags.checks.all_files { OtherFiles::Audited } else { OtherFiles::LeftOut },
    );
    if flags.checks.vendored || is_vendored {
        auditor = auditor.vendored(Vendored::Audited);
    }
    if flags.walk.untrusted {
        auditor = auditor.ignored_targets(IgnoredTargets::Judged);
    }
    if flags.checks.orphans || filter.include.checks.contains(&ORPHAN.id) {
        auditor = auditor.orphans(Orphans::Reported);
    }
    auditor
}

const fn secrets(redact: Option<RedactMode>) -> Secrets {
    match redact {
        None => Secrets::Shown,
        Some(RedactMode::Uris) => Secrets::Redacted,
        Some(RedactMode::All) => Secrets::RedactedInNames,
    }
}

/// True if no path was named.
fn has_no_paths(flags: &AuditFlags) -> bool {
    flags.paths.is_empty() && flags.scope.files_from.is_none() && flags.stdin_path.is_none()
}

/// Returns the roots of a walk, and the directories among the named paths.
fn roots(flags: &AuditFlags) -> Result<(Vec<Root>, Vec<PathBuf>), CliError> {
    let mut roots = match has_no_paths(flags) {
        _ if flags.stdin_path.is_some() => Vec::new(),
        // In a CI workflow, standard input may be anything. So it is only read if it is named.
        true => vec![Root::CurrentDirectory],
        false => flags.scope.roots(&flags.paths)?,
    };
    let walk = &flags.walk;
    let follows_rules = !walk.no_ignore && !walk.untrusted && walk.unrestricted == 0;
    let named: Vec<Root> = roots.iter().filter(|it| !matches!(it, Root::Stdin)).cloned().collect();
    let named = directories(&named);
    if follows_rules && flags.scope.files_from.is_none() {
        let directories = directories(&roots).into_iter().filter(|root| root.is_dir());
        // To git, a file that it tracks is part of the tree, whatever `.gitignore` says of it.
        let ignored: Vec<PathBuf> =
            directories.flat_map(|directory| tracked_but_ignored(&directory)).collect();
        roots.extend(ignored.into_iter().map(Root::Path));
    }
    Ok((roots, named))
}

fn search(flags: &AuditFlags, editor: Option<&Editor>) -> Result<Search, CliError> {
    Search::builder()
        .finder(Finder::builder().host_mapping(hosts()).build())
        .markup(config::markup(flags.walk.markup))
        .limits(limits::limits(&flags.walk.limit))
        .binary(config::binary(&flags.walk))
        .walk(config::walk(&flags.walk)?)
        .threads(flags.walk.threads)
        .cancel(editor.map(|editor| editor.closing.clone()).unwrap_or_default())
        .build()
        .map_err(|error| config::search_error(&error))
}

/// Lets an audit ask git where files were moved to.
fn with_history(
    auditor: AuditorBuilder,
    flags: &AuditFlags,
    editor: Option<&Editor>,
    near: Vec<PathBuf>,
) -> AuditorBuilder {
    match editor {
        // Git may take seconds, and an editor does not wait: another thread calls git.
        Some(Editor { overlay, renamed, boundary, .. }) => {
            let renamed = Arc::clone(renamed);
            let auditor = auditor.overlay(overlay.clone());
            let auditor = match boundary {
                Some(folder) => auditor.boundary(folder),
                None => auditor,
            };
            let former = Arc::clone(&renamed);
            auditor.renames(move |path| renamed.get()?.newest(path)).former_paths(move |path| {
                former.get().map_or_else(Vec::new, |renamed| renamed.former(path))
            })
        }
        // A history by strangers is not evidence.
        None if flags.walk.untrusted => auditor,
        // Git is called only if a link leads to a missing file.
        None => {
            let renamed = Arc::new(LazyLock::new(move || {
                RenamedFiles::read(near.first().map_or(Path::new("."), PathBuf::as_path))
            }));
            let former = Arc::clone(&renamed);
            auditor
                .renames(move |path| renamed.newest(path))
                .former_paths(move |path| former.former(path))
        }
    }
}

/// Without the feature, there are no requests; `online.rs` has the other half.
#[cfg(not(feature = "online"))]
impl AuditPlan {
    pub fn draw(&self, tally: &Arc<AuditTally>) -> Option<Drawing> {
        let tally = Arc::clone(tally);
        Drawing::if_shown(self.progress, move |elapsed| tally.line(elapsed))
    }

    pub fn dumped(&self) -> Vec<u8> {
        Vec::new()
    }

    pub fn dumps(&self) -> bool {
        false
    }

    pub fn web_counts(&self) -> Option<WebCounts> {
        None
    }

    pub fn archive_note(&self) -> Option<String> {
        None
    }

    pub fn save(&self) -> Vec<Problem> {
        Vec::new()
    }

    #[allow(dead_code, reason = "the Python package calls it")]
    pub fn cancel(&self) {}
}

/// True for a path, and for the address of a site.
pub fn is_site_base(base: &str) -> bool {
    match base.split_once("://") {
        Some((scheme, rest)) => {
            matches!(scheme, "http" | "https")
                && !rest.split(['/', '?', '#', ':']).next().unwrap_or_default().is_empty()
        }
        None => true,
    }
}

/// Flags override the settings.
fn options(flags: &CheckFlags, settings: AuditOptions) -> Result<AuditOptions, CliError> {
    let mut options = settings;
    options.profile = flags.site.or(options.profile);
    options.slugs = flags.slugs.or(options.slugs);
    options.base = flags.base.clone().or(options.base);
    if !flags.root.is_empty() {
        options.roots.clone_from(&flags.root);
    }
    if let Some(base) = options.base.as_deref().filter(|base| !is_site_base(base)) {
        let message = format!("not a path or an address with `https` and a host: `{base}`");
        return Err(CliError::invalid("--base", message));
    }
    match options.roots.iter().find(|root| !root.is_dir()) {
        Some(root) => {
            Err(CliError::invalid("--root", format!("not a directory: {}", root.display())))
        }
        None => Ok(options),
    }
}

fn settings(flags: &CheckFlags, roots: &[Root]) -> Result<AuditSettings, CliError> {
    let file = match (&flags.config, flags.no_config) {
        (_, true) => None,
        (Some(file), false) => Some(file.clone()),
        (None, false) => {
            let first = roots.first();
            settings::find(match first {
                Some(Root::Path(path)) => path,
                _ => Path::new("."),
            })
        }
    };
    file.map_or_else(|| Ok(AuditSettings::default()), |file| settings::read(&file))
}

fn filter(
    flags: &CheckFlags,
    mut filter: Filter,
    severity: Option<Severity>,
) -> Result<Filter, CliError> {
    let words = || flags.check.iter();
    let only = || {
        words().filter_map(|word| match word {
            CheckWord::Only(check) => Some(check),
            CheckWord::Not(_) => None,
        })
    };
    // Whoever names a check of notes wants to see them.
    let named = only().map(|check| check.severity).min();
    let least = severity.unwrap_or(filter.least);
    filter.least = flags.severity.unwrap_or(named.map_or(least, |named| least.min(named)));
    let only: Vec<_> = only().map(|check| check.id).collect();
    if !flags.check.is_empty() {
        filter.include.checks = only;
        filter.exclude.checks = words()
            .filter_map(|word| match word {
                CheckWord::Only(_) => None,
                CheckWord::Not(check) => Some(check.id),
            })
            .collect();
    }
    for exclusion in &flags.exclude {
        let exclude = &mut filter.exclude;
        let result = match exclusion {
            Exclusion::Path(glob) => exclude.add_path(Path::new("."), glob),
            Exclusion::Host(glob) => exclude.add_host(glob),
            Exclusion::Uri(expression) => exclude.add_uri(expression),
        };
        result.map_err(|error| CliError::invalid("--exclude", error.to_string()))?;
    }
    Ok(filter)
}

fn known(flags: &CheckFlags, configured: Option<PathBuf>) -> Result<BaselineUse, CliError> {
    let file = flags.baseline.clone().or(configured);
    match (file, flags.write_baseline) {
        (None, true) => Err(CliError::needs("--write-baseline", "--baseline FILE")),
        (None, false) => Ok(BaselineUse::Nothing),
        (Some(file), true) => Ok(BaselineUse::Written(Baseline::empty(&file))),
        (Some(file), false) => Baseline::read(&file).map(BaselineUse::LeftOut),
    }
}

fn report(flags: &ReportFlags, filter: &Filter) -> Result<RunReport, CliError> {
    if flags.quiet {
        return Ok(RunReport::Documents(Box::new(QuietReport)));
    }
    let format = flags.format();
    let mut style = config::style_of_stdout(flags.color, flags.hyperlink_format.as_ref());
    // The report goes to a file, even if standard output is a terminal.
    if flags.output.is_some() && !matches!(flags.color, When::Always | When::Ansi) {
        style = PathStyle::default();
    }
    if flags.statistics || flags.summary {
        let form = StatisticsForm::new(format, style.escaping).ok_or_else(|| {
            let flag = if flags.statistics { "--statistics" } else { "--summary" };
            CliError::invalid("--format", format!("{flag} is printed as text, json, or csv"))
        })?;
        return Ok(RunReport::Documents(if flags.statistics {
            Box::new(StatisticsReport::new(form))
        } else {
            Box::new(CausesReport::new(form))
        }));
    }
    let of_library = match format {
        ReportFormatFlag::Text => {
            let is_terminal = flags.output.is_none() && std::io::stdout().is_terminal();
            let size = terminal_size::terminal_size().filter(|_| is_terminal);
            let columns = size.map(|(width, _)| usize::from(width.0));
            return Ok(RunReport::Faults(TextReport::new(style).within(columns)));
        }
        ReportFormatFlag::Json => format::ReportFormat::Json,
        ReportFormatFlag::Sarif => format::ReportFormat::Sarif,
        ReportFormatFlag::Github => format::ReportFormat::Github,
        ReportFormatFlag::Checkstyle => format::ReportFormat::Checkstyle,
        ReportFormatFlag::Csv => format::ReportFormat::Csv,
        ReportFormatFlag::Gitlab => format::ReportFormat::Gitlab,
        ReportFormatFlag::Junit => format::ReportFormat::Junit,
        ReportFormatFlag::Markdown => format::ReportFormat::Markdown,
        ReportFormatFlag::Html => format::ReportFormat::Html,
    };
    let report = of_library.start_escaped(checks::all(), filter, style.escaping);
    Ok(RunReport::Documents(report))
}
