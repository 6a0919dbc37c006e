//! Flags for output.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use urigrep::search::HitField;

use super::values::{self, CountKey, GroupBy, OutputFormat, ProgressMode, Sort, When};
use super::words;
use crate::cli::complete::one_of;
use crate::cli::hyperlink;
use crate::cli::output::{Template, field_named, unknown_field};

/// The output for each match.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputFlags {
    #[arg(
        short = 'n',
        long,
        overrides_with = "no_line_number",
        help = "Print the line number of each match, from 1.",
        long_help = "Print the line number of each match, from 1. This is the default with --column, wherever paths are \
                     printed, and on a terminal, unless standard input is searched."
    )]
    pub line_number: bool,

    #[arg(short = 'N', long, help = "Do not print line numbers.")]
    pub no_line_number: bool,

    #[arg(long, help = "Print the column of each match, in bytes from 1.")]
    pub column: bool,

    #[arg(short = 'b', long, help = "Print the byte offset of each match, from 0.")]
    pub byte_offset: bool,

    #[arg(
        short = 'H',
        long,
        overrides_with = "no_filename",
        help = "Print the path with each match.",
        long_help = "Print the path with each match, and the line number unless -N is given. This is the default if a \
                     directory or more than one file is searched, also in a pipe; -I leaves out both there."
    )]
    pub with_filename: bool,

    #[arg(short = 'I', long, overrides_with = "with_filename", help = "Do not print paths.")]
    pub no_filename: bool,

    #[arg(
        long,
        value_name = "WHAT",
        help = "Print Message-ID, date, sender, and subject above the matches of each message.",
        long_help = "Print, above the matches of each mail message, a line with its Message-ID, date, sender, and subject."
    )]
    pub group_by: Option<GroupBy>,

    #[arg(
        long,
        overrides_with = "no_heading",
        help = "Print each path once, above its matches; the default on a terminal."
    )]
    pub heading: bool,

    #[arg(
        long,
        help = "Print the path on each line; the default if the output is not a terminal."
    )]
    pub no_heading: bool,

    #[arg(
        long,
        help = "Print each match as `path:line:column:uri`, the format that editors read."
    )]
    pub vimgrep: bool,

    #[arg(
        long,
        help = "Print below each match the rules that decided where it starts and ends.",
        long_help = "Print, below each match (with --invalid, below each rejected candidate), the rules that decided where \
                     it starts and ends, in order, each with the text that it applied to. The flags of the match follow, \
                     by their names in JSON."
    )]
    pub explain: bool,

    #[arg(
        short = 'o',
        long,
        help = "Print only the matches. This is always on; the flag is accepted for compatibility."
    )]
    pub only_matching: bool,

    #[arg(
        short = '0',
        long,
        help = "End each path and match with a NUL byte, for `xargs -0`.",
        long_help = "End each path and match with a NUL byte, for `xargs -0`. --files-from reads such a list."
    )]
    pub null: bool,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to use colours: auto, never, always, or ansi.",
        long_help = "When to use colours and hyperlinks. `auto` uses them on a terminal, unless the environment variable \
                     NO_COLOR is set and not empty."
    )]
    pub color: When,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to show progress on standard error: auto, always, or never.",
        long_help = "When to show progress on standard error, after the first second: files, bytes, rate, and the time left \
                     if only files are named. `auto` shows it if standard error is a terminal and standard output is not a \
                     pipe. If standard error is not a terminal, `always` prints one line per second."
    )]
    pub progress: ProgressMode,

    #[arg(long, value_name = "FORMAT", value_parser = hyperlink::parse,
        help = "Hyperlink paths: none, default, vscode, ..., or a format such as `file://{host}{path}`.",
        long_help = hyperlink::HELP)]
    pub hyperlink_format: Option<hyperlink::HyperlinkFormat>,

    #[arg(
        long,
        value_name = "BY",
        default_value = "none",
        hide_default_value = true,
        help = "The order of files: none (as found, the fastest) or path."
    )]
    pub sort: Sort,

    #[arg(
        long,
        overrides_with = "block_buffered",
        help = "Flush after each match.",
        long_help = "Flush after each match. By default, matches are written in blocks, and before each read from a pipe or \
                     terminal that may block. A match is printed once its line is complete, unless its wrapper may \
                     continue on the next line; with --json, --format, and --explain, the last match of a line waits for \
                     the next line."
    )]
    pub line_buffered: bool,

    #[arg(
        long,
        overrides_with = "line_buffered",
        help = "Write matches in blocks only, even if the input is a pipe that pauses."
    )]
    pub block_buffered: bool,
}

/// Output that replaces the matches.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output modes")]
pub struct ModeFlags {
    #[arg(
        long,
        overrides_with = "format",
        help = "Print JSON Lines; the same as `--format json`.",
        long_help = "Print JSON Lines; the same as `--format json`. If both are given, the last one wins. Each match has \
                     its path, position, and all forms of its URI, with or without -n, -H, --normalize, and the like."
    )]
    pub json: bool,

    #[arg(
        long,
        value_name = "FORMAT",
        overrides_with = "json",
        help = "The output format: text, json, csv, tsv, or sarif.",
        long_help = "The output format; text by default. In tables, a cell that a spreadsheet would evaluate as a formula \
                     (it starts with `=`, `+`, `-`, `@`, a tab, or a carriage return) is prefixed with an apostrophe. \
                     Bytes that are not UTF-8, and NUL, are written \\xHH. In TSV, tabs, line ends, and backslashes are \
                     written \\t, \\n, \\r, and \\\\. New columns are added at the end."
    )]
    pub format: Option<OutputFormat>,

    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = field,
        add = one_of(words::fields),
        help = "With --format csv or tsv, the columns to print, such as `path,line,uri`.",
        long_help = "With --format csv or tsv, print only these columns, in this order, such as `path,line,uri`. Their names \
                     are those of the fields of --template."
    )]
    pub columns: Vec<HitField>,

    #[arg(
        long,
        value_name = "TEMPLATE",
        value_parser = template,
        help = "Print TEMPLATE for each match, such as '{file}:{line} {scheme} {host} {uri}'.",
        long_help = crate::cli::output::template::help()
    )]
    pub template: Option<Template>,

    #[arg(
        short = 'r',
        long,
        value_name = "TEMPLATE",
        value_parser = replacement,
        help = "Print TEMPLATE instead of each match, such as '{host}{uri.path}'; files are not changed.",
        long_help = "Print TEMPLATE instead of each match, after the path and line number. Its fields are those of \
                     --template. Files are not changed."
    )]
    pub replace: Option<Template>,

    #[arg(
        short = 'A',
        long,
        value_name = "NUM",
        value_parser = values::number::<usize>,
        help = "Print the lines that match, and NUM lines after each.",
        long_help = "Print the lines that match, and NUM lines after each. A line of more than 1 MiB is printed in pieces. Documents \
                     without lines, such as PDF, print their matches alone."
    )]
    pub after_context: Option<usize>,

    #[arg(
        short = 'B',
        long,
        value_name = "NUM",
        value_parser = values::number::<usize>,
        help = "Print the lines that match, and NUM lines before each."
    )]
    pub before_context: Option<usize>,

    #[arg(
        short = 'C',
        long,
        value_name = "NUM",
        value_parser = values::number::<usize>,
        help = "Print the lines that match, and NUM lines before and after each."
    )]
    pub context: Option<usize>,

    #[arg(long, alias = "passthrough", help = "Print all lines, and highlight the matches.")]
    pub passthru: bool,

    #[arg(
        long,
        conflicts_with_all = [
            "count", "files_with_matches", "files_without_match", "unique", "top", "count_by", "invalid", "explain",
        ],
        help = "List the files that would be searched, and exit."
    )]
    pub files: bool,

    #[arg(
        long,
        requires = "files",
        help = "With --files, list the files that would be skipped by type.",
        long_help = "With --files, list the files that a search would skip because of their type or content: binary files, \
                     special files such as sockets, archives without -z, and formats without a reader (PST, RAR). JSON and \
                     tables give the reason. Each file is opened, so this takes about as long as a search. Ignored and \
                     hidden files are not listed."
    )]
    pub unread: bool,

    #[arg(short = 'c', long, overrides_with_all = ["files_with_matches", "files_without_match"],
        conflicts_with_all = ["explain", "group_by"],
        help = "Print the number of matches per file.",
        long_help = "Print the number of matches per file. Of -c, -l, and --files-without-match, the last one wins.")]
    pub count: bool,

    #[arg(long, help = "With --count, also print files without matches.")]
    pub include_zero: bool,

    #[arg(short = 'l', long, overrides_with_all = ["count", "files_without_match"],
        conflicts_with_all = ["explain", "group_by"],
        help = "Print only the paths of files with a match.")]
    pub files_with_matches: bool,

    #[arg(long, overrides_with_all = ["count", "files_with_matches"],
        conflicts_with_all = ["explain", "group_by"],
        help = "Print only the paths of files without a match.")]
    pub files_without_match: bool,

    #[arg(
        short = 'q',
        long,
        help = "Print nothing; exit with status 0 at the first match, even after an error."
    )]
    pub quiet: bool,

    #[arg(
        short = 'm',
        long,
        value_name = "NUM",
        value_parser = values::number::<u64>,
        help = "Stop searching a file after NUM matches."
    )]
    pub max_count: Option<u64>,

    #[arg(
        long,
        conflicts_with_all = ["files_with_matches", "files_without_match", "invalid"],
        help = "Print each URI once, at its first position.",
        long_help = "Print each URI once: the match that is first by path, then by offset. Two URIs are the same if their normal \
                     forms are equal (see --normalize); with --no-fragment, fragments are ignored. Files are searched in \
                     the order of their paths. Memory grows with the number of distinct URIs, by up to 64 bytes each. With \
                     --count and --count-by, distinct URIs are counted. Headings are not used."
    )]
    pub unique: bool,

    #[arg(
        long,
        value_name = "NUM",
        value_parser = values::number::<usize>,
        conflicts_with_all = [
            "count", "files_with_matches", "files_without_match", "invalid", "explain",
        ],
        help = "Print the NUM most frequent URIs with their counts.",
        long_help = "Print the NUM most frequent URIs with their counts, in their normal form, at the end of the run. URIs \
                     with equal counts are sorted alphabetically. Memory grows with the number of distinct URIs."
    )]
    pub top: Option<usize>,

    #[arg(
        long,
        value_name = "KEY",
        conflicts_with_all = [
            "count", "files_with_matches", "files_without_match", "invalid", "explain",
        ],
        help = "Count matches by KEY, such as host, domain, or file.",
        long_help = "Count matches by KEY, or with --unique distinct URIs, and print the counts, the highest first, at \
                     the end of the run. --top NUM prints only the first NUM. Works with --json, --format csv, and \
                     --format tsv. Matches without the key, such as the host of a URN, are not counted."
    )]
    pub count_by: Option<CountKey>,

    #[cfg(feature = "pick")]
    #[arg(
        long,
        conflicts_with_all = [
            "json", "format", "template", "count", "files", "files_with_matches", "files_without_match", "quiet", "top",
            "count_by", "invalid", "report",
        ],
        help = "Choose matches on the terminal, to open, copy, or print them.",
        long_help = "List each URI once on the terminal: type to filter, Tab marks, Enter prints the marked ones (or the one \
                     under the cursor), Ctrl-O opens it (xdg-open, open), Ctrl-Y copies it through the terminal (OSC 52), Esc \
                     leaves. Standard input and output may be pipes. The status is 1 if nothing was chosen."
    )]
    pub pick: bool,

    #[arg(long, help = "Print statistics after the matches.")]
    pub stats: bool,

    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["invalid", "defang", "files"],
        help = "Also write a page with charts and a table of all matches to FILE, such as report.html.",
        long_help = "Also write a page to FILE, such as report.html: charts of hosts, domains, schemes, namespaces, files, \
                     roles, ports, flags, and days of mail, and a table to sort and filter. It is one file that needs no \
                     network. Of more than 20,000 different URIs, the table has the most frequent ones."
    )]
    pub report: Option<PathBuf>,
}

fn replacement(text: &str) -> Result<Template, String> {
    let mut pairs = text.as_bytes().windows(2);
    if pairs.any(|pair| matches!(pair, [b'$', b'0'..=b'9' | b'{'])) {
        return Err(
            "use fields such as {uri} and {host}; groups such as $1 do not exist here".to_owned()
        );
    }
    Template::parse_part(text).map_err(|error| error.to_string())
}

fn field(name: &str) -> Result<HitField, String> {
    field_named(name).ok_or_else(|| unknown_field(name))
}

fn template(text: &str) -> Result<Template, String> {
    Template::parse(text).map_err(|error| error.to_string())
}
