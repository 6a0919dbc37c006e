//! Flags that say what is printed, and how.

use clap::Args;

use super::values::{CountKey, GroupBy, OutputFormat, ProgressMode, Sort, When};
use crate::cli::hyperlink;
use crate::cli::output::Template;

/// What is printed of each match, and around it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputFlags {
    #[arg(
        short = 'n',
        long,
        overrides_with = "no_line_number",
        help = "Print the number of the line that each match starts in, counted from 1."
    )]
    pub line_number: bool,

    #[arg(short = 'N', long, help = "Do not print line numbers.")]
    pub no_line_number: bool,

    #[arg(
        long,
        help = "Print the column of each match: bytes from the start of its line, counted from 1."
    )]
    pub column: bool,

    #[arg(
        short = 'b',
        long,
        help = "Print the offset of each match: bytes from the start of the file, counted from 0."
    )]
    pub byte_offset: bool,

    #[arg(
        short = 'H',
        long,
        overrides_with = "no_filename",
        help = "Print the path with each match.",
        long_help = "Print the path with each match. This is the default when more than one file or \
                     a directory is searched."
    )]
    pub with_filename: bool,

    #[arg(short = 'I', long, overrides_with = "with_filename", help = "Do not print paths.")]
    pub no_filename: bool,

    #[arg(
        long,
        value_name = "WHAT",
        help = "Print a line with sender, date and subject above the matches of each message.",
        long_help = "Print matches of mail under a line that says which message they stand in: its Message-ID, date, \
                     sender and subject."
    )]
    pub group_by: Option<GroupBy>,

    #[arg(
        long,
        overrides_with = "no_heading",
        help = "Print each path once, on a line above its matches; the default on a terminal."
    )]
    pub heading: bool,

    #[arg(long, help = "Print each path on the line of its match; the default elsewhere.")]
    pub no_heading: bool,

    #[arg(long, help = "Print each match as `path:line:column:uri`, which editors read.")]
    pub vimgrep: bool,

    #[arg(
        long,
        help = "Print below each match the rules that decided where it starts and ends.",
        long_help = "Print below each match, or with --invalid below each rejected candidate, the rules that \
                     decided where it starts and ends, in order, each with the text that it acted on; and below \
                     them what a reader should beware of, by the names of the flags in JSON."
    )]
    pub explain: bool,

    #[arg(
        short = 'o',
        long,
        help = "Print only the matches; accepted for habit's sake, as it is always done."
    )]
    pub only_matching: bool,

    #[arg(
        short = '0',
        long,
        help = "End paths and matches in a NUL byte, for `xargs -0` and the like.",
        long_help = "End paths and matches in a NUL byte, for `xargs -0` and the like; --files-from reads such a list, too."
    )]
    pub null: bool,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "Use colours; by default on a terminal.",
        long_help = "Use colours, and links where there are any. The environment variable NO_COLOR, \
                     when not empty, turns `auto` off."
    )]
    pub color: When,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "Show on standard error how far a long search is; by default on a terminal.",
        long_help = "Show on standard error, once a search takes more than a second, how many files and bytes were \
                     read, how fast, and how long it will take, where only files are named. `auto` does so when \
                     standard error is a terminal and the output is no pipe. Elsewhere than on a terminal \
                     `always` prints a line a second."
    )]
    pub progress: ProgressMode,

    #[arg(long, value_name = "FORMAT", value_parser = hyperlink::parse,
        help = "Link paths by FORMAT: none, default, vscode, ... or a text such as `file://{host}{path}`.",
        long_help = hyperlink::HELP)]
    pub hyperlink_format: Option<hyperlink::HyperlinkFormat>,

    #[arg(
        long,
        value_name = "BY",
        default_value = "none",
        hide_default_value = true,
        help = "Print files in this order; by default as they are found, which is fastest."
    )]
    pub sort: Sort,

    #[arg(
        long,
        overrides_with = "block_buffered",
        help = "Write each match at once, also of files.",
        long_help = "Write each match at once, also of files. Without this flag, matches are written in blocks, and \
                     before each wait for more of a pipe or a terminal, so that nothing that is certain waits for its \
                     writer. A match is certain when its line is complete, unless the wrapper around it may go on in the \
                     next line; with --json, --format and --explain, the last one of a line waits for that line, too."
    )]
    pub line_buffered: bool,

    #[arg(
        long,
        overrides_with = "line_buffered",
        help = "Write matches in blocks only, also of a pipe whose writer pauses."
    )]
    pub block_buffered: bool,
}

/// What is printed in place of matches.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output modes")]
pub struct ModeFlags {
    #[arg(long, overrides_with = "format", help = "Print JSON Lines; short for `--format json`.")]
    pub json: bool,

    #[arg(
        long,
        value_name = "FORMAT",
        overrides_with = "json",
        help = "Print matches in this format; as text by default.",
        long_help = "Print matches in this format; as text by default. In tables, a cell that a spreadsheet would take \
                     for a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) gets an apostrophe \
                     before it; what is not UTF-8, and NUL, is written \\xHH; and in TSV, tabs, line ends and \
                     backslashes are written \\t, \\n, \\r and \\\\. New columns come last."
    )]
    pub format: Option<OutputFormat>,

    #[arg(
        long,
        value_name = "TEMPLATE",
        value_parser = template,
        help = "Print each match by TEMPLATE, such as '{path}:{line} {scheme} {host} {uri}'.",
        long_help = crate::cli::output::template::help()
    )]
    pub template: Option<Template>,

    #[arg(
        short = 'r',
        long,
        value_name = "TEMPLATE",
        value_parser = replacement,
        help = "Print TEMPLATE in place of each match, such as '{host}{uri.path}'; files stay as they are.",
        long_help = "Print TEMPLATE in place of each match, with the path and the numbers before it as usual. Its fields \
                     are those of --template. Files stay as they are."
    )]
    pub replace: Option<Template>,

    #[arg(
        short = 'A',
        long,
        value_name = "NUM",
        help = "Print the line of each match, and NUM lines after it.",
        long_help = "Print the line of each match, and NUM lines after it, also in compressed files and archives. A line \
                     of more than 1 MiB is printed in pieces."
    )]
    pub after_context: Option<usize>,

    #[arg(
        short = 'B',
        long,
        value_name = "NUM",
        help = "Print the line of each match, and NUM lines before it."
    )]
    pub before_context: Option<usize>,

    #[arg(
        short = 'C',
        long,
        value_name = "NUM",
        help = "Print the line of each match, and NUM lines around it."
    )]
    pub context: Option<usize>,

    #[arg(long, alias = "passthrough", help = "Print all lines, with the matches in colour.")]
    pub passthru: bool,

    #[arg(long, help = "Print the files that would be searched, and search none.")]
    pub files: bool,

    #[arg(short = 'c', long, overrides_with_all = ["files_with_matches", "files_without_match"],
        help = "Print the number of matches of each file that has any.")]
    pub count: bool,

    #[arg(long, help = "Print with --count also the files without a match.")]
    pub include_zero: bool,

    #[arg(short = 'l', long, overrides_with_all = ["count", "files_without_match"],
        help = "Print the paths of files with a match, and nothing else.")]
    pub files_with_matches: bool,

    #[arg(long, overrides_with_all = ["count", "files_with_matches"],
        help = "Print the paths of files without a match, and nothing else.")]
    pub files_without_match: bool,

    #[arg(short = 'q', long, help = "Print nothing and stop at the first match, with status 0.")]
    pub quiet: bool,

    #[arg(short = 'm', long, value_name = "NUM", help = "Stop in each file after NUM matches.")]
    pub max_count: Option<u64>,

    #[arg(
        long,
        conflicts_with_all = ["count", "files_with_matches", "files_without_match", "invalid"],
        help = "Print each URI once over the run, where it stands first; at the end.",
        long_help = "Print each URI once over the run, at the end: the match that comes first by path, then by \
                     offset. URIs are the same when their normal spelling is (see --normalize); with \
                     --no-fragment, fragments do not count. What is printed is held in memory until then, which \
                     grows with the number of different URIs, not of matches. Never under headings."
    )]
    pub unique: bool,

    #[arg(
        long,
        value_name = "NUM",
        conflicts_with_all = [
            "unique", "count", "files_with_matches", "files_without_match", "invalid", "explain",
        ],
        help = "Print the NUM most frequent URIs of the run, with their counts; at the end.",
        long_help = "Print the NUM most frequent URIs of the run in their normal spelling, with their counts, at the \
                     end. Those that are equally frequent come in the order of their spelling. Memory grows with \
                     the number of different URIs."
    )]
    pub top: Option<usize>,

    #[arg(
        long,
        value_name = "KEY",
        conflicts_with_all = [
            "unique", "count", "files_with_matches", "files_without_match", "invalid", "explain",
        ],
        help = "Print how many matches there are by host, domain, scheme, nid, file, tld or message.",
        long_help = "Print how many matches there are by KEY, the most frequent first, at the end; --top NUM prints NUM of \
                     them. As text, and with --json, --format csv and --format tsv. Matches without such a part, such as \
                     URNs without a host, are not counted."
    )]
    pub count_by: Option<CountKey>,

    #[arg(
        long,
        help = "Print after the matches how many there were, and how much was searched and skipped."
    )]
    pub stats: bool,
}

fn replacement(text: &str) -> Result<Template, String> {
    let mut pairs = text.as_bytes().windows(2);
    if pairs.any(|pair| matches!(pair, [b'$', b'0'..=b'9' | b'{'])) {
        return Err("it has fields such as {uri} and {host}, and no groups such as $1".to_owned());
    }
    Template::parse_part(text).map_err(|error| error.to_string())
}

fn template(text: &str) -> Result<Template, String> {
    Template::parse(text).map_err(|error| error.to_string())
}
