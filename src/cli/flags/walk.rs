//! Flags for files: selection of files, and the way they are read.

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueHint};

use urigrep::search::{TextEncoding, WalkError, file_types};

use crate::cli::complete::one_of;
use crate::cli::limits::{self, Limit};

use super::values::{self, DedupeMode, MailMode, MarkupMode};
use super::words;

/// Which files of a directory are searched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Files")]
pub struct WalkFlags {
    #[arg(
        short = 't',
        long = "type",
        value_name = "TYPE",
        add = one_of(words::types),
        help = "Read only files of this type, such as `markdown`; may be repeated."
    )]
    pub types: Vec<String>,

    #[arg(
        short = 'T',
        long,
        value_name = "TYPE",
        add = one_of(words::types),
        help = "Skip files of this type; may be repeated."
    )]
    pub type_not: Vec<String>,

    #[arg(long, help = "Print the file types and their globs, and exit.")]
    pub type_list: bool,

    #[arg(
        long,
        value_name = "TYPE:GLOB",
        help = "Add a glob to a file type, such as 'notes:*.note'; may be repeated.",
        long_help = "Add a glob to a new or known file type for this run, such as 'notes:*.note'; -t selects it. \
                     `all:include:rust,html` combines types."
    )]
    pub type_add: Vec<String>,

    #[arg(
        short = 'g',
        long,
        value_name = "GLOB",
        allow_hyphen_values = true,
        help = "Read only files whose path matches GLOB; `!GLOB` excludes them; may be repeated.",
        long_help = "Read only files whose path matches GLOB, by the rules of .gitignore. This overrides ignore files. \
                     `!GLOB` excludes files that match. The flag may be repeated; the last GLOB that matches decides."
    )]
    pub glob: Vec<String>,

    #[arg(
        long,
        value_name = "GLOB",
        allow_hyphen_values = true,
        help = "The same as --glob, but ignores case."
    )]
    pub iglob: Vec<String>,

    #[arg(short = '.', long, help = "Also read hidden files and directories.")]
    pub hidden: bool,

    #[arg(long, help = "Also read files that .gitignore, .ignore, and git's exclude files name.")]
    pub no_ignore: bool,

    #[arg(
        long,
        help = "Trust no settings: ignore urigrep.toml and all ignore files.",
        long_help = "Ignore settings: urigrep.toml, the file named by URIGREP_CONFIG_PATH, and all ignore files, as \
                     --no-config and --no-ignore do. Use it for trees that you do not trust, whose settings \
                     could hide matches. Comments that disable a check still count."
    )]
    pub untrusted: bool,

    #[arg(short = 'u', long, action = ArgAction::Count,
        help = "Read more: -u is --no-ignore, -uu adds --hidden, -uuu adds --binary.")]
    pub unrestricted: u8,

    #[arg(
        short = 'L',
        long,
        help = "Follow symbolic links; read each directory once.",
        long_help = "Follow symbolic links. Each directory is read once, under its first path in the order of --sort \
                     path. The output is in that order."
    )]
    pub follow: bool,

    #[arg(
        short = 'd',
        long,
        alias = "maxdepth",
        value_name = "NUM",
        value_parser = values::number::<usize>,
        help = "Descend at most NUM levels; 1 reads only the files of a directory itself."
    )]
    pub max_depth: Option<usize>,

    #[arg(long, value_name = "SIZE", value_parser = values::size,
        help = "In directories, skip files larger than SIZE bytes (K, M, and G are powers of 1024).")]
    pub max_filesize: Option<u64>,

    #[arg(long, help = "Stay on one file system.")]
    pub one_file_system: bool,

    #[arg(
        short = 'z',
        long,
        alias = "search-zip",
        help = "In directories, also search compressed files and archives. Named ones are always searched.",
        long_help = "In directories, also search the contents of compressed files and archives, recognized by their first bytes: \
                     gzip, zstd, xz, lzip, bzip2, lz4, compress (.Z), zip, 7z, tar, ar, deb and warc; brotli, lzma and zlib \
                     by the extensions br, lzma, and zz. Files named on the command line, and standard input, are always \
                     unpacked. Members are shown as archive.zip!/dir/a.txt; binary ones are skipped without -a. Nothing is \
                     written to disk. --limit bounds how much one file may unpack to."
    )]
    pub search_compressed: bool,

    #[arg(
        short = 'a',
        long,
        help = "In directories, search binary files as if they were text.",
        long_help = "In directories, search binary files as if they were text. A file is binary if its first 8 KiB contain a \
                     NUL byte. Files named on the command line are always searched."
    )]
    pub text: bool,

    #[arg(long, help = "In directories, also search binary files; the same as --text.")]
    pub binary: bool,

    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "auto",
        hide_default_value = true,
        value_parser = MarkupMode::parser(),
        hide_possible_values = true,
        help = "Read documents as what they are (auto), as text (never), or everything as FORMAT (html, markdown, …).",
        long_help = "Selects the files that are read as documents, and their format. In a document, entities and \
                     escapes are decoded, and relative references in links are found, too. Folded lines of \
                     iCalendar and vCard are unfolded, and a field of a .csv file ends a URI; `url()` and `@import` of a .css file \
                     are links. HTML of more than 12 MiB, and markup, CSS, calendars and .csv of more than 4 MiB are searched as text. `urigrep registry formats` lists all formats."
    )]
    pub markup: MarkupMode,

    #[arg(
        short = 'E',
        long,
        value_name = "ENCODING",
        value_parser = values::encoding,
        add = one_of(words::encodings),
        help = "Read files as ENCODING, such as latin1, gbk, or utf-16le; `auto` guesses, `none` reads bytes.",
        long_help = "Read files as ENCODING, a label of the Encoding Standard such as latin1, windows-1251, shift_jis, gbk \
                     or utf-16le. `auto` guesses from the first bytes of each file; `none` does not decode. By default, \
                     files are read as UTF-8 or another superset of ASCII; UTF-16 and UTF-32 are recognized by their byte order \
                     mark or their zeros. In mail and HTML, this applies to the file, not to its parts."
    )]
    pub encoding: Option<TextEncoding>,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "When to read files as mail: auto (mbox, Maildir, MH, .eml), always, or never.",
        long_help = "When to read files as mail. `auto` recognizes mbox files, Maildir, MH, .eml, and .emlx by name, place, or \
                     first lines. In mail, quoted-printable, base64, charsets, and format=flowed are decoded, HTML parts are \
                     read as HTML, and a URI in several parts of a message is printed once. Messages larger than 4 MiB are \
                     searched as text."
    )]
    pub mail: MailMode,

    #[arg(
        long,
        help = "Also print identifiers in mail headers: Message-ID as mid:, Content-ID as cid:."
    )]
    pub headers: bool,

    #[arg(
        long,
        conflicts_with = "dedupe",
        help = "Print a URI once per part of a message, not once per message."
    )]
    pub all_parts: bool,

    #[arg(
        long,
        value_name = "SCOPE",
        help = "Print each URI once per message, or once per thread of a mailbox."
    )]
    pub dedupe: Option<DedupeMode>,

    #[arg(
        long,
        value_name = "NAME=VALUE,...",
        value_delimiter = ',',
        value_parser = limits::parse,
        add = one_of(words::limits),
        help = "Limit the work and memory for one input: depth, members, ratio, unpacked, window, message, ...",
        long_help = LIMITS
    )]
    pub limit: Vec<Limit>,

    #[arg(
        short = 'j',
        long,
        value_name = "NUM",
        value_parser = values::number::<usize>,
        default_value = "0",
        hide_default_value = true,
        help = "Use NUM threads; 0, the default, uses one per processor."
    )]
    pub threads: usize,
}

/// The program whose output is read, and messages.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Files")]
pub struct InputFlags {
    #[arg(
        long,
        value_name = "COMMAND",
        value_hint = ValueHint::ExecutablePath,
        help = "Search the output of `COMMAND PATH` instead of each file.",
        long_help = "Search the output of `COMMAND PATH` instead of each file; --pre-glob restricts it to some files. Standard \
                     input is searched as it is. Offsets and lines refer to the output. The command runs once per file, which \
                     is slow."
    )]
    pub pre: Option<PathBuf>,

    #[arg(
        long,
        value_name = "GLOB",
        requires = "pre",
        help = "Use --pre only for files whose path matches GLOB; may be repeated."
    )]
    pub pre_glob: Vec<String>,

    #[arg(long, help = "Print no messages about unreadable files; the exit status is still 2.")]
    pub no_messages: bool,
}

const LIMITS: &str = "\
Limit the work and memory for one input; K, M, and G are powers of 1024. Exceeding a limit is an error; the input up to that point \
is searched.
  depth=8        nesting of archives; deeper ones are searched without unpacking
  members=4M     members of archives
  ratio=1000     unpacked size relative to the file, beyond 4 GiB
  unpacked=SIZE  total unpacked bytes of a file; no limit by default
  window=64M     memory of decoders; zstd --long needs 128M
  message=4M     bytes of a message read as mail; larger ones are searched as text
  mime-depth=64  nesting of multiparts; deeper ones are searched without decoding
  parts=10000    parts of a message; later ones are searched without decoding
  wrapper=4K     bytes in <...> or quotes whose line breaks are removed
  regexp=10M     compiled size of the expressions of --regexp
The length of a URI is limited by --max-uri; a longer one is rejected, which --invalid shows.";

/// Returns every file type with its globs, one per line.
///
/// # Errors
/// If an added type is invalid.
pub fn type_list(flags: &WalkFlags) -> Result<Vec<u8>, WalkError> {
    let line = |(name, globs): (String, Vec<String>)| format!("{name}: {}\n", globs.join(", "));
    let lines = file_types(&flags.type_add)?.into_iter().map(line);
    Ok(lines.collect::<String>().into_bytes())
}
