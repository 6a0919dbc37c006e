//! The flags of `urigrep diff`.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

use super::select::{RecognizeFlags, SelectFlags};
use super::values::When;
use super::walk::WalkFlags;

/// Flags of a comparison.
#[derive(Args, Clone, Debug)]
#[command(
    args_override_self = true,
    override_usage = "urigrep diff [OPTIONS] OLD [NEW]",
    after_help = "Exit status: 0 no differences, 1 differences, 2 an error.",
    after_long_help = AFTER
)]
pub struct DiffFlags {
    #[arg(
        value_name = "OLD",
        value_hint = ValueHint::AnyPath,
        help = "A file, a directory, an archive, or a git revision: REV, REV:PATH, or REV..REV.",
        long_help = "A file, a directory, an archive, `-` for standard input, or something that git knows: REV:PATH is a file \
                     or directory of a revision, REV the current directory in it, A..B two revisions, and A...B what B \
                     changed since it left A."
    )]
    pub old: OsString,

    #[arg(
        value_name = "NEW",
        value_hint = ValueHint::AnyPath,
        help = "The same; the current directory by default. Must be given if OLD overlaps it."
    )]
    pub new: Option<OsString>,

    #[command(flatten)]
    pub how: DiffOutputFlags,

    #[command(flatten)]
    pub select: SelectFlags,

    #[command(flatten)]
    pub recognize: RecognizeFlags,

    #[command(flatten)]
    pub walk: WalkFlags,
}

/// The output of a comparison.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct DiffOutputFlags {
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        help = "Print only these differences: removed, added, moved; others do not count."
    )]
    pub only: Vec<ChangeKind>,

    #[arg(long, help = "Print one JSON object per difference, and a summary.")]
    pub json: bool,

    #[arg(short = 'q', long, help = "Print nothing; see the exit status.")]
    pub quiet: bool,

    #[arg(long, help = "Ignore fragments.")]
    pub no_fragment: bool,

    #[arg(long, help = "Replace passwords, tokens, and other secrets in URIs with REDACTED.")]
    pub redact: bool,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to use colours: auto, never, always, or ansi."
    )]
    pub color: When,
}

/// The kinds of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum ChangeKind {
    /// A URI of OLD that NEW does not have.
    Removed,
    /// A URI of NEW that OLD does not have.
    Added,
    /// A URI that is in another file.
    Moved,
}

const AFTER: &str = "\
Each URI is compared in its normal form, file by file, with the number of times it occurs; all
spellings of an identifier are the same, as for --unique. A line starts with `-` for a URI that was
removed, `+` for one that was added, and `~` for one that is in another file now. A relative
reference only counts as moved within its directory.

Hidden and ignored files are left out on both sides, as in a search. If the files of an archive are
in one directory (`project-1.0/`), it does not matter.

Exit status:
  0  no differences
  1  differences
  2  an error

Examples:
  urigrep diff main                        what the working tree changed since main
  urigrep diff --only removed main...HEAD  links that this branch removed
  urigrep diff v1.0:docs v2.0:docs         two revisions of a directory
  urigrep diff old.html new.html           two files
  urigrep diff app-1.0.tar.gz app-1.1.tar.gz
  curl -s https://a.example/ | urigrep diff saved.html -";
