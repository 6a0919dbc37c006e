//! The flags of `urigrep replace`.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Arg, Args, ValueHint};

use super::scope::ScopeFlags;
use super::select::{RecognizeFlags, SelectFlags};
use super::values::When;
use super::walk::WalkFlags;
use crate::cli::verbs::TransformFlags;

/// Which URIs are changed, how, and where.
#[derive(Args, Clone, Debug)]
#[command(
    args_override_self = true,
    override_usage = "urigrep replace [OPTIONS] FROM TO [PATH]...\n       urigrep replace [OPTIONS] TRANSFORMATION... [PATH]...",
    after_help = "Exit status: 0 something changed, or would; 1 nothing; 2 an error.",
    after_long_help = AFTER,
    // `-a` is --text here, as in a search.
    mut_arg("append", |arg| arg.short(None::<char>)),
    mut_args(of_replace)
)]
pub struct ReplaceFlags {
    #[arg(
        value_name = "FROM TO PATH",
        value_hint = ValueHint::AnyPath,
        help = "The start of the URIs to change and its replacement, then files and directories.",
        long_help = "FROM is the start of the URIs to change, and TO replaces it; with a transformation (--set, --redact, \
                     ...), neither is given. The rest are files and directories; by default standard input, if it is a file \
                     or a pipe, else the current directory. FROM ends at the end of a path segment or component: \
                     `http://a.example/doc` does not match `http://a.example/docs`. Both are compared in normal form."
    )]
    pub arguments: Vec<OsString>,

    #[command(flatten)]
    pub how: HowFlags,

    #[command(flatten, next_help_heading = "Transformations")]
    pub transform: TransformFlags,

    #[command(flatten)]
    pub rewrite: RewriteTextFlags,

    #[command(flatten)]
    pub select: SelectFlags,

    #[command(flatten)]
    pub recognize: RecognizeFlags,

    #[command(flatten)]
    pub scope: ScopeFlags,

    #[command(flatten)]
    pub walk: WalkFlags,
}

/// The destination of the changed text.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct HowFlags {
    #[arg(
        short = 'w',
        long,
        help = "Change the files, instead of printing a diff.",
        long_help = "Change the files, instead of printing a unified diff. Only the changed URIs are rewritten, escaped for \
                     their places. A file is replaced atomically, and keeps its permissions, line ends, and encoding. Files \
                     that are read-only, have hard links, or changed meanwhile are left alone, and named. A symbolic link \
                     stays; the file that it names changes."
    )]
    pub write: bool,

    #[arg(long, help = "Print one JSON object per change, instead of a diff.")]
    pub json: bool,

    #[arg(short = 'q', long, help = "Print nothing; see the exit status.")]
    pub quiet: bool,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to use colours: auto, never, always, or ansi."
    )]
    pub color: When,
}

/// Transformations of the text of a URI.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Transformations")]
pub struct RewriteTextFlags {
    #[arg(
        long,
        help = "Replace passwords, tokens, and keys with REDACTED, in URIs and in the words of text.",
        long_help = "Replace passwords, tokens, and keys with REDACTED: in URIs as `urigrep --redact` does, in rejected \
                     candidates, and in words of the text that are tokens of well-known services or name a secret \
                     (`token=...`). A secret that cannot be replaced is counted, and the status is 2."
    )]
    pub redact: bool,

    #[arg(long, help = "Make URIs unclickable: hxxps://evil[.]example/x.")]
    pub defang: bool,

    #[arg(
        long,
        help = "Write URIs in their normal form (RFC 3986, sections 6.2.2 and 6.2.3).",
        long_help = "Write URIs in their normal form (RFC 3986, sections 6.2.2 and 6.2.3). A relative reference stays \
                     one: `../` at its start is kept."
    )]
    pub normalize: bool,
}

impl ReplaceFlags {
    /// True if a transformation is given, so that no argument is FROM or TO.
    pub fn has_transformation(&self) -> bool {
        let RewriteTextFlags { redact, defang, normalize } = self.rewrite;
        let is_read_differently = self.recognize.refang || self.recognize.unwrap;
        redact || defang || normalize || is_read_differently || self.transform.are_given()
    }
}

/// Words the help of a flag that is shared with a search, and hides those without effect here.
fn of_replace(arg: Arg) -> Arg {
    let is_idle = ["invalid", "dedupe", "all_parts"].contains(&arg.get_id().as_str());
    let worded = |help: Option<&StyledStr>| {
        let help = help.map(ToString::to_string).unwrap_or_default();
        help.replace("Print only", "Change only").replace("print only", "change only")
    };
    let (short, long) = (worded(arg.get_help()), worded(arg.get_long_help()));
    let is_hidden = is_idle || arg.is_hide_set();
    let arg = arg.hide(is_hidden).help(short);
    if long.is_empty() { arg } else { arg.long_help(long) }
}

const AFTER: &str = "\
Standard input is printed with its URIs changed: plain text as it arrives, documents at their end.
For files, a unified diff is printed, which `patch -p1` and `git apply` read; files in UTF-16 and
UTF-32 are named instead. --write changes the files. URIs in compressed files and archives cannot
be changed, and are counted. Relative references change in the parts that they have.

Exit status:
  0  something changed, or would change with --write
  1  nothing to change
  2  an error, or a URI that could not be changed safely

Examples:
  urigrep replace https://old.example https://new.example docs      a diff
  urigrep replace -w http://a.example/v1 https://a.example/v2 .     change the files
  kubectl logs x | urigrep replace --redact                         share a log; -f works, too
  urigrep replace --trim 'query=utm_*' -w content                   without tracking
  urigrep replace --host old.example --set host=new.example src     change hosts
  urigrep replace --refang report.txt                               make URIs clickable again";
