//! What the flags and `urigrep.toml` come to: every decision of an audit, made once.

use std::path::{Path, PathBuf};

use urigrep::audit::{Options, Slugs};

use super::baseline::Baseline;
use super::file::{self, Settings};
use super::filter::Filter;
use super::report::{Checkstyle, Csv, Github, Json, Quiet, Report, Sarif, Text};
use super::values::{CheckWord, Exclusion};
use crate::cli::config;
use crate::cli::roots::roots;
use crate::cli::verbs::audit::{AuditFlags, CheckFlags, ReportFlags, ReportFormat};
use urigrep::search::{Root, Search};

/// Every decision of an audit.
pub struct Plan {
    /// What is audited.
    pub roots: Vec<Root>,
    /// How files are found and read.
    pub search: Search,
    /// What happens to text files of directories that are no documents.
    pub others: Others,
    /// What the checks are told.
    pub options: Options,
    /// Which findings are reported.
    pub filter: Filter,
    /// What becomes of known findings.
    pub known: Known,
    /// How findings are reported.
    pub report: Box<dyn Report>,
    /// Whether secrets are shown.
    pub secrets: Secrets,
}

/// What happens to text files of directories that are no documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// They are audited, as plain text.
    Audited,
    LeftOut,
}

/// What becomes of secrets in what is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// They are shown.
    Shown,
    /// They are taken out.
    Redacted,
}

/// What becomes of findings that are known.
#[derive(Debug)]
pub enum Known {
    /// None are.
    Nothing,
    /// They are not reported.
    LeftOut(Baseline),
    /// All that are found are written here, and none is reported.
    Written(Baseline),
}

impl Plan {
    /// Decides.
    ///
    /// # Errors
    /// When a flag or `urigrep.toml` is wrong.
    pub fn new(flags: &AuditFlags) -> Result<Self, String> {
        let roots = match flags.paths.as_slice() {
            // Standard input may be anything in a workflow, and nobody audits it by chance.
            [] => vec![Root::CurrentDirectory],
            paths => roots(paths),
        };
        let search = Search::builder()
            .markup(config::markup(flags.walk.markup))
            .binary(config::binary(&flags.walk))
            .walk(config::walk(&flags.walk)?)
            .threads(flags.walk.threads)
            .build()
            .map_err(|error| config::search_error(&error))?;
        let settings = settings(&flags.checks, &roots)?;
        let filter = filter(&flags.checks, settings.filter, settings.severity)?;
        let known = known(&flags.checks, settings.baseline)?;
        let root = flags.checks.root.clone().or(settings.root);
        if let Some(root) = root.as_deref().filter(|root| !root.is_dir()) {
            return Err(format!("the root {} is no directory", root.display()));
        }
        let slugs = flags.checks.slugs.or(settings.slugs);
        let options = Options::new().slugs(slugs.unwrap_or_default());
        Ok(Self {
            roots,
            search,
            others: match flags.checks.all_files {
                true => Others::Audited,
                false => Others::LeftOut,
            },
            options: match root {
                Some(root) => options.root(root),
                None => options,
            },
            report: match known {
                Known::Written(_) => Box::new(Quiet),
                _ => report(&flags.report, &filter),
            },
            filter,
            known,
            secrets: match flags.report.redact {
                true => Secrets::Redacted,
                false => Secrets::Shown,
            },
        })
    }

    /// Whose rules make anchors of headings.
    pub fn slugs(&self) -> Slugs {
        self.options.slugs
    }
}

fn settings(flags: &CheckFlags, roots: &[Root]) -> Result<Settings, String> {
    let file = match (&flags.config, flags.no_config) {
        (_, true) => None,
        (Some(file), false) => Some(file.clone()),
        (None, false) => {
            let first = roots.first();
            file::find(match first {
                Some(Root::Path(path)) => path,
                _ => Path::new("."),
            })
        }
    };
    file.map_or_else(|| Ok(Settings::default()), |file| file::read(&file))
}

fn filter(
    flags: &CheckFlags,
    mut filter: Filter,
    severity: Option<urigrep::audit::Severity>,
) -> Result<Filter, String> {
    filter.least = flags.severity.or(severity).unwrap_or(filter.least);
    let words = || flags.check.iter();
    let only: Vec<_> = words()
        .filter_map(|word| match word {
            CheckWord::Only(check) => Some(check.id),
            CheckWord::Not(_) => None,
        })
        .collect();
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
        result.map_err(|message| format!("--exclude: {message}"))?;
    }
    Ok(filter)
}

fn known(flags: &CheckFlags, configured: Option<PathBuf>) -> Result<Known, String> {
    let file = flags.baseline.clone().or(configured);
    match (file, flags.write_baseline) {
        (None, true) => Err("--write-baseline needs the file of --baseline FILE".to_owned()),
        (None, false) => Ok(Known::Nothing),
        (Some(file), true) => Ok(Known::Written(Baseline::empty(&file))),
        (Some(file), false) => Baseline::read(&file).map(Known::LeftOut),
    }
}

fn report(flags: &ReportFlags, filter: &Filter) -> Box<dyn Report> {
    if flags.quiet {
        return Box::new(Quiet);
    }
    let format = match flags.json {
        true => ReportFormat::Json,
        false => flags.format.unwrap_or_default(),
    };
    let style = config::style_of_stdout(flags.color, flags.hyperlink_format.as_ref());
    match format {
        ReportFormat::Text => Box::new(Text::new(style)),
        ReportFormat::Json => Box::new(Json),
        ReportFormat::Sarif => Box::new(Sarif::new(filter)),
        ReportFormat::Github => Box::new(Github),
        ReportFormat::Checkstyle => Box::new(Checkstyle),
        ReportFormat::Csv => Box::new(Csv::new(style.escaping)),
    }
}
