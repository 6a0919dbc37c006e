//! The flags of `urigrep audit`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use urigrep::audit::{Profile, Severity, Slugs};

use super::checks::{self, CheckWord, Exclusion};
#[cfg(feature = "online")]
use super::online::OnlineFlags;
use super::scope::ScopeFlags;
use super::values::{self, ProgressMode, RedactMode, When};
use super::walk::WalkFlags;
use super::words;
use crate::cli::complete::{one_of, one_of_excludable};
use crate::cli::hyperlink;

/// Flags of an audit.
#[derive(Args, Clone, Debug)]
#[command(
    args_override_self = true,
    after_help = "Exit status: 0 clean, 1 findings, 2 an error.",
    after_long_help = AFTER,
    // An audit prints no URIs, so these flags of mail have no effect.
    mut_arg("headers", |arg| arg.hide(true)),
    mut_arg("all_parts", |arg| arg.hide(true)),
    mut_arg("dedupe", |arg| arg.hide(true))
)]
pub struct AuditFlags {
    #[arg(
        value_name = "PATH",
        value_hint = ValueHint::AnyPath,
        help = "The files and directories to audit; the current directory by default.",
        long_help = "Audit these files and directories; the current directory without PATH, `-` is standard input. \
                     In directories, it audits files that are documents by extension or content, but no hidden or \
                     ignored ones. A file that is named here is always audited, at least as plain text."
    )]
    pub paths: Vec<OsString>,

    #[arg(
        long,
        value_name = "PATH",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["files_from", "since", "fix", "unsafe_fixes", "diff"],
        help = "Audit standard input as the text of the file PATH.",
        long_help = "Audit standard input as the text of the file PATH, which need not exist: its links, format, site, \
                     and settings are those of a file there. Editors and hooks use it for text that is not saved."
    )]
    pub stdin_path: Option<PathBuf>,

    #[command(flatten)]
    pub report: ReportFlags,

    #[command(flatten)]
    pub fixes: FixFlags,

    #[command(flatten)]
    pub checks: CheckFlags,

    #[cfg(feature = "online")]
    #[command(flatten)]
    pub online: OnlineFlags,

    #[command(flatten)]
    pub scope: ScopeFlags,

    #[command(flatten)]
    pub walk: WalkFlags,
}

/// The report of the findings.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Report")]
pub struct ReportFlags {
    #[arg(long, overrides_with = "format", help = "Print JSON Lines; short for `--format json`.")]
    pub json: bool,

    #[arg(
        long,
        value_name = "FORMAT",
        overrides_with = "json",
        help = "The format of the report."
    )]
    pub format: Option<ReportFormatFlag>,

    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        help = "Write the report to FILE instead of standard output."
    )]
    pub output: Option<PathBuf>,

    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        help = "Also write a page with all findings to FILE, such as report.html.",
        long_help = "Also write a page with all findings to FILE, such as report.html: totals, and a table to sort and \
                     filter. It is one file that needs no network."
    )]
    pub report: Option<PathBuf>,

    #[arg(long, help = "Print the number of findings per check instead of the findings.")]
    pub statistics: bool,

    #[arg(
        long,
        conflicts_with = "statistics",
        help = "Group the findings by cause, and print the setting that turns each group off.",
        long_help = "Group the findings by cause instead of listing them: the same reference, host, or directory. Each \
                     group has its size, its first finding, and, if its findings have something in common, the line of \
                     urigrep.toml that turns it off. In the \
                     number of different findings, the same fault in several languages or versions counts once."
    )]
    pub summary: bool,

    #[arg(long, help = "Exit with status 0 even if there are findings.")]
    pub exit_zero: bool,

    #[arg(
        long,
        value_name = "SEVERITY",
        conflicts_with = "exit_zero",
        add = one_of(words::severities),
        help = "The lowest severity that makes the audit fail; by default, all but unproven answers of the web.",
        long_help = "The lowest severity that makes the audit fail: with `--severity warning --fail-on error`, warnings are \
                     shown, and only errors give status 1. By default, any reported finding does, except \
                     those for which the answer of a server is not proof (redirected-link, unreachable-anchor, moved-link, \
                     unverified-link). These fail with this flag, or if urigrep.toml raises their severity to error."
    )]
    pub fail_on: Option<Severity>,

    #[arg(
        long,
        value_name = "WHERE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "uris",
        help = "Replace passwords, tokens, and keys in the report, including source lines.",
        long_help = "Replace passwords, tokens, and keys in URIs with REDACTED; with --redact=all, in the names of files, \
                     too. In source lines, a link that contains a secret is shown as asterisks."
    )]
    pub redact: Option<RedactMode>,

    #[arg(short = 'q', long, help = "Report nothing; see the exit status.")]
    pub quiet: bool,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to use colours: auto, never, always, or ansi."
    )]
    pub color: When,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to show progress on standard error: auto, always, or never.",
        long_help = "When to show progress on standard error, after the first second: documents, links, and findings; with \
                     --online also the URLs that were requested, their rate, and the time left. `auto` shows it if standard error \
                     is a terminal and standard output is not a pipe. If standard error is not a terminal, `always` prints one \
                     line per second."
    )]
    pub progress: ProgressMode,

    #[arg(long, value_name = "FORMAT", value_parser = hyperlink::parse,
        help = "Hyperlink places: none, default, vscode, ..., or a format such as `file://{host}{path}`.",
        long_help = hyperlink::HELP)]
    pub hyperlink_format: Option<hyperlink::HyperlinkFormat>,
}

impl ReportFlags {
    /// Returns the format of the report.
    pub fn format(&self) -> ReportFormatFlag {
        if self.json { ReportFormatFlag::Json } else { self.format.unwrap_or_default() }
    }
}

/// Fixes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Fixes")]
pub struct FixFlags {
    #[arg(
        long,
        help = "Fix what can be fixed safely, and report the rest.",
        long_help = "Fix what can be fixed safely, and report the rest: files that were moved (by git, or to the only file of \
                     their name), names in the wrong case, missing extensions, anchors with other hyphens or case, missing \
                     percent-encoding, and punctuation after a URL. Only the link is rewritten, and only if the \
                     new one passes all checks. Files are replaced atomically."
    )]
    pub fix: bool,

    #[arg(
        long,
        help = "Also make fixes that need review: link to the most similar file or anchor; implies --fix.",
        long_help = "Also make fixes that need review: the link to a missing file or anchor becomes one to the most similar name. \
                     This implies --fix, unless --diff is given."
    )]
    pub unsafe_fixes: bool,

    #[arg(
        long,
        help = "Print the fixes as a diff, and change nothing.",
        long_help = "Print the fixes as a unified diff, and change nothing. The status is 1 if there are any."
    )]
    pub diff: bool,
}

/// The checks, and the findings to report.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Checks")]
pub struct CheckFlags {
    #[arg(long, help = "Print all checks with their severities and reasons, and exit.")]
    pub list_checks: bool,

    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true,
        value_parser = checks::check, add = one_of_excludable(words::checks),
        help = "Report only these checks; `-NAME` excludes a check.",
        long_help = "Report only these checks; `-NAME` excludes a check, as in `--check=-placeholder,-private-host`. \
                     Notes are reported if their check is named. This \
                     overrides urigrep.toml.")]
    pub check: Vec<CheckWord>,

    #[arg(
        long,
        value_name = "SEVERITY",
        add = one_of(words::severities),
        help = "The lowest severity to report: note, warning (the default), or error.",
        long_help = "The lowest severity to report: note, warning, or error. The default is warning: what is wrong or likely \
                     wrong. Notes are worth knowing when you review a document. Hidden findings are counted."
    )]
    pub severity: Option<Severity>,

    #[arg(long, value_name = "WHAT", value_parser = checks::exclusion,
        help = "Exclude documents by a GLOB of paths, findings by `host:GLOB` or `uri:REGEX`; may be repeated.",
        long_help = "Exclude documents whose path matches GLOB, by the rules of .gitignore, and findings about URIs whose host \
                     matches `host:GLOB` or that match `uri:REGEX`. The flag may be repeated. Excluded findings are counted.")]
    pub exclude: Vec<Exclusion>,

    #[arg(
        long,
        value_name = "PROFILE",
        add = one_of(words::sites),
        help = "Resolve links as this site generator does: github, mdbook, hugo, ...; detected by default.",
        long_help = "The generator of the site, which decides where links lead and which anchors exist: \
                     github, gitlab, html, antora, astro, docusaurus, eleventy, gitbook, hugo, jekyll, mdbook, mintlify, mkdocs, quarto, \
                     rspress, rustdoc, sphinx, vitepress, wiki, writerside, zola, or any. By default, it is recognized by files of the tree (book.toml, mkdocs.yml, \
                     .vitepress, ...); without any of them it is github. The summary names it."
    )]
    pub site: Option<Profile>,

    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath,
        help = "Resolve references that start with `/` below DIR; may be repeated.",
        long_help = "Resolve references that start with `/` below DIR, instead of the directories of the site or the \
                     repository. The flag may be repeated.")]
    pub root: Vec<PathBuf>,

    #[arg(
        long,
        value_name = "PATH",
        help = "The path prefix of the site, such as /docs/, or its address.",
        long_help = "The path prefix of the site, such as /docs/, or its address, such as https://a.example/docs/. \
                     URLs on the host of the site are links of the site. By default, its settings name both."
    )]
    pub base: Option<String>,

    #[arg(
        long,
        value_name = "RULES",
        add = one_of(words::slugs),
        help = "Derive anchors from headings as blackfriday, gitbook, github, github-ascii, github-slugger, gitlab, \
                jekyll, mdbook, mkdocs, pandoc, sphinx, vitepress, or writerside does; `any` accepts all."
    )]
    pub slugs: Option<Slugs>,

    #[arg(
        long,
        value_name = "PERCENT",
        value_parser = values::percentage,
        help = "Fail if fewer than PERCENT of the links can be judged.",
        long_help = "Fail with status 1 if fewer than PERCENT of the links can be judged. The summary says how many \
                     are, and notes (--severity note) say why the others are not."
    )]
    pub min_coverage: Option<u8>,

    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        help = "Ignore the findings listed in FILE; --write-baseline creates it.",
        long_help = "Ignore the findings listed in FILE, so that only new ones are reported. An entry has a path relative to \
                     FILE, a check, a hash of the link, and a count, so it stays valid when lines move.")]
    pub baseline: Option<PathBuf>,

    #[arg(long, help = "Write all findings to the file of --baseline instead of reporting them.")]
    pub write_baseline: bool,

    #[arg(
        long,
        value_name = "REF",
        conflicts_with_all = ["baseline", "write_baseline", "since"],
        help = "Report only findings that the git revision REF does not have.",
        long_help = "Report only findings that the tree of the git revision REF does not have, such as `origin/main`: also \
                     links in unchanged files that a rename or a removal broke. The tree is written into a temporary \
                     directory and audited by the same settings. It replaces a baseline."
    )]
    pub new_since: Option<String>,

    /// Set for the audit of an old tree, whose findings are all wanted.
    #[arg(skip)]
    pub ignore_baseline: bool,

    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        help = "Read settings from FILE instead of the nearest urigrep.toml.",
        long_help = "Read settings from FILE instead of the nearest urigrep.toml, in the directory of the first PATH or above \
                     it.")]
    pub config: Option<PathBuf>,

    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        help = "Print the configuration of lychee, markdown-link-check, or htmltest as urigrep.toml, and exit.",
        long_help = "Print the configuration of another link checker as urigrep.toml, and exit: lychee.toml, \
                     .markdown-link-check.json, or .htmltest.yml. Comments name what is not translated, and what to use.")]
    pub import_config: Option<PathBuf>,

    #[arg(long, conflicts_with = "config", help = "Ignore urigrep.toml.")]
    pub no_config: bool,

    #[arg(long, help = "Audit every text file of a directory, not only documents.")]
    pub all_files: bool,

    #[arg(
        long,
        help = "Also audit directories of other projects and of test data, such as vendor and fixtures.",
        long_help = "Also audit directories of other projects and of test data: vendor, node_modules, bower_components, \
                     third_party, third-party, fixtures, __fixtures__, test-fixtures, testdata, test/data, and tests/data. \
                     By default, their files are only counted. A path that is named is always audited."
    )]
    pub vendored: bool,

    #[arg(
        long,
        help = "Also report documents that no other document links to.",
        long_help = "Also report documents that no other document and no menu of the site links to. All documents are \
                     read twice. `--check orphan` implies it."
    )]
    pub orphans: bool,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormatFlag {
    /// Each finding with its line, for people.
    #[default]
    Text,
    /// JSON Lines: one object per finding, and a summary at the end.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// The XML of Checkstyle, for build servers.
    Checkstyle,
    /// A table with a heading, and one row per finding.
    Csv,
    /// The code quality report of GitLab.
    Gitlab,
    /// The XML of JUnit, with one failed case per finding.
    Junit,
    /// A table in Markdown, for pull requests and job summaries.
    Markdown,
    /// A page with totals, to sort and filter; it needs no network.
    Html,
}

const AFTER: &str = "\
Exit status:
  0  no findings
  1  findings were reported
  2  an error; findings are still reported

Comments in a document disable all checks, or the named ones. A reason may follow `--`:
  <!-- urigrep-disable-line placeholder -- an example -->
  <!-- urigrep-disable-next-line placeholder -->
  <!-- urigrep-disable missing-target --> ... <!-- urigrep-enable missing-target -->
  <!-- urigrep-disable-file -->

urigrep.toml, in the directory of the first PATH or above it; flags override it:
  [audit]
  severity = \"warning\"
  site = \"mdbook\"           # also slugs, base
  root = [\"src\", \"public\"]
  baseline = \"baseline.json\"
  [audit.severities]
  missing-anchor = \"error\"
  private-host = \"off\"
  [[audit.override]]         # for the documents of some paths
  paths = [\"blog/\"]
  site = \"hugo\"
  severities = { placeholder = \"off\" }
  [audit.exclude]           # and [audit.include], in which every list must match
  paths = [\"vendor/\"]
  hosts = [\"*.test\"]
  uris = [\"^http://localhost\"]
  checks = [\"placeholder\"]
  [audit.online]            # for --online
  timeout = \"20s\"          # also accept, host-concurrency, include-mail, max-age, max-time, remap, ...

Examples:
  urigrep audit                         audit the current directory
  urigrep audit --severity note docs    include notes
  urigrep audit --format github docs    annotate a GitHub Actions run
  urigrep audit --online --cache links.jsonl docs
                                        ask the web, too, and each server once a day
  urigrep audit --baseline known.json --write-baseline
                                        record today's findings, to report only new ones";
