//! Flags that say which files are searched, and how they are read.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args};

use urigrep::search::{TextEncoding, WalkError, file_types};

use crate::cli::limits::{self, Limit};

use super::values::{self, DedupeMode, MailMode, MarkupMode};

/// Which files of a directory are searched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Files")]
pub struct WalkFlags {
    #[arg(
        short = 't',
        long = "type",
        value_name = "TYPE",
        help = "Search only files of this type, such as `markdown`; may be repeated."
    )]
    pub types: Vec<String>,

    #[arg(
        short = 'T',
        long,
        value_name = "TYPE",
        help = "Do not search files of this type; may be repeated."
    )]
    pub type_not: Vec<String>,

    #[arg(long, help = "Print the file types and the globs they stand for, and exit.")]
    pub type_list: bool,

    #[arg(
        long,
        value_name = "TYPE:GLOB",
        help = "Add a glob to a file type, such as 'notes:*.note'; may be repeated.",
        long_help = "Add a glob to a file type, which may be a new one, such as 'notes:*.note', for this run; -t selects \
                     it. `all:include:rust,html` makes a type of others."
    )]
    pub type_add: Vec<String>,

    #[arg(
        short = 'g',
        long,
        value_name = "GLOB",
        allow_hyphen_values = true,
        help = "Search only files whose path matches GLOB, or none of those with `!GLOB`; may be repeated.",
        long_help = "Search only files whose path matches GLOB, by the rules of .gitignore, whatever the ignore \
                     files say. `!GLOB` leaves the files that match out. The flag may be repeated; the last \
                     GLOB that matches decides."
    )]
    pub glob: Vec<String>,

    #[arg(
        long,
        value_name = "GLOB",
        allow_hyphen_values = true,
        help = "Search like --glob, but match letters of either case."
    )]
    pub iglob: Vec<String>,

    #[arg(short = '.', long, help = "Search hidden files and directories too.")]
    pub hidden: bool,

    #[arg(long, help = "Search files that .gitignore, .ignore and git's exclude files name, too.")]
    pub no_ignore: bool,

    #[arg(short = 'u', long, action = ArgAction::Count,
        help = "Search more: -u is --no-ignore, -uu also --hidden, -uuu also --binary.")]
    pub unrestricted: u8,

    #[arg(
        short = 'L',
        long,
        help = "Follow symbolic links; each directory is searched once.",
        long_help = "Follow symbolic links. Each directory is searched once, under the path that comes first in \
                     the order of --sort path, which is then the order of the output too."
    )]
    pub follow: bool,

    #[arg(
        short = 'd',
        long,
        alias = "maxdepth",
        value_name = "NUM",
        help = "Descend at most NUM directories; 1 is the files of a directory itself."
    )]
    pub max_depth: Option<usize>,

    #[arg(long, value_name = "SIZE", value_parser = values::size,
        help = "Skip files of more than SIZE bytes in directories; K, M and G are powers of 1024.")]
    pub max_filesize: Option<u64>,

    #[arg(long, help = "Do not descend into directories of another file system.")]
    pub one_file_system: bool,

    #[arg(
        short = 'z',
        long,
        alias = "search-zip",
        help = "Search compressed files and archives in directories too; those that are named always are.",
        long_help = "Search what is in compressed files and archives in directories, known by their first bytes: \
                     gzip, zstd, xz, lzip, bzip2, lz4, compress (.Z), zip, 7z, tar, ar, deb and warc; brotli, lzma and zlib \
                     by the extensions br, lzma and zz. Those that are named on the command line, and standard input, are \
                     always unpacked. Members are shown as archive.zip!/dir/a.txt; binary ones are skipped without -a. \
                     Nothing is written to disk. --limit says how much one file may unpack to."
    )]
    pub search_compressed: bool,

    #[arg(
        short = 'a',
        long,
        help = "Search binary files in directories as if they were text.",
        long_help = "Search binary files in directories as if they were text. A file is binary when there is a NUL \
                     byte in its first 8 KiB. Binary files that are named on the command line are always searched."
    )]
    pub text: bool,

    #[arg(long, help = "Search binary files in directories too; the same as --text.")]
    pub binary: bool,

    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "auto",
        hide_default_value = true,
        value_parser = MarkupMode::parser(),
        hide_possible_values = true,
        help = "Read documents as what they are (auto), as text (never), or everything as FORMAT: html, markdown, …",
        long_help = "Which files are read as documents, whose format says what is a link: then entities and escapes \
                     are decoded, and relative references are found too, where there are links. Folded lines of \
                     iCalendar and vCard are unfolded, and a field of a .csv file ends a URI; `url()` and `@import` of a .css file \
                     are links. HTML, CSS, calendars and .csv of more than 4 MiB and Markdown of more than 512 KiB are searched as text. `urigrep registry formats` lists all formats."
    )]
    pub markup: MarkupMode,

    #[arg(
        short = 'E',
        long,
        value_name = "ENCODING",
        value_parser = values::encoding,
        help = "Read files as ENCODING, such as latin1, gbk or utf-16le; `auto` guesses, `none` reads bytes.",
        long_help = "Read files as ENCODING, a label of the Encoding Standard such as latin1, windows-1251, shift_jis, gbk \
                     or utf-16le. `auto` guesses from the first bytes of each file; `none` reads the bytes as they are. \
                     Without this flag, files are UTF-8 or something that contains ASCII, and UTF-16 and UTF-32 are told \
                     by their marks or zeros. In mail and HTML this is about the file, not about its parts."
    )]
    pub encoding: Option<TextEncoding>,

    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        help = "Read mail as mail: auto (mbox, Maildir, MH, .eml), always or never.",
        long_help = "Read mail as mail: mbox files, Maildir, MH, .eml and .emlx, by name, place or first lines (auto). Then \
                     quoted-printable, base64, charsets and format=flowed are undone, HTML parts are read as \
                     HTML, and a URI that stands in several parts of a message is printed once. Messages of more than \
                     4 MiB are searched as text."
    )]
    pub mail: MailMode,

    #[arg(
        long,
        help = "Print also the identifiers in headers of mail: Message-ID and the like as mid:, Content-ID as cid:."
    )]
    pub headers: bool,

    #[arg(
        long,
        conflicts_with = "dedupe",
        help = "Print a URI that stands in several parts of a message for each of them."
    )]
    pub all_parts: bool,

    #[arg(
        long,
        value_name = "SCOPE",
        help = "Print each URI once in a message, or once in a thread of a mailbox."
    )]
    pub dedupe: Option<DedupeMode>,

    #[arg(
        long,
        value_name = "NAME=VALUE,...",
        value_delimiter = ',',
        value_parser = limits::parse,
        help = "Set limits of what one input may cost: depth, members, ratio, unpacked, window, message, ...",
        long_help = LIMITS
    )]
    pub limit: Vec<Limit>,

    #[arg(
        short = 'j',
        long,
        value_name = "NUM",
        default_value = "0",
        hide_default_value = true,
        help = "Use NUM threads; 0, the default, is one a processor."
    )]
    pub threads: usize,
}

/// What a search takes in place of the files as they are.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Files")]
pub struct InputFlags {
    #[arg(
        long,
        value_name = "FILE",
        help = "Search the files that are listed in FILE, a line each; `-` is standard input.",
        long_help = "Search the files and directories that are listed in FILE, a line each, as if they were named; `-` is \
                     standard input. With -0, each ends in a NUL byte, as `git ls-files -z` and `find -print0` print them."
    )]
    pub files_from: Option<OsString>,

    #[arg(
        long,
        value_name = "COMMAND",
        help = "Search what `COMMAND PATH` prints, in place of each file, such as a text of its pages.",
        long_help = "Search what `COMMAND PATH` prints, in place of each file. --pre-glob says of which files; of standard \
                     input none. Offsets and lines are those of what it prints. It runs once a file, which takes time."
    )]
    pub pre: Option<PathBuf>,

    #[arg(
        long,
        value_name = "GLOB",
        requires = "pre",
        help = "Use --pre for files whose path matches GLOB only; may be repeated."
    )]
    pub pre_glob: Vec<String>,

    #[arg(
        long,
        help = "Print no messages about files that can't be read; the exit status is 2 all the same."
    )]
    pub no_messages: bool,
}

const LIMITS: &str = "\
Set limits of what one input may cost; K, M and G are powers of 1024. What is over a limit is an error of its file, and \
what comes before it is searched all the same.
  depth=8        archives inside each other; deeper ones as they stand
  members=4M     members of archives
  ratio=1000     times its size that a file unpacks to, beyond 4 GiB
  unpacked=SIZE  bytes that a file unpacks to in all; no limit by default
  window=64M     memory of decoders; zstd --long needs 128M
  message=4M     bytes of a message read as mail; a larger one is text
  mime-depth=64  multiparts inside each other; deeper ones as they stand
  parts=10000    parts of a message; what follows as it stands
  wrapper=4K     bytes in <...> or quotes whose line breaks are removed
  regexp=10M     what the expressions of --regexp compile to
The length of a URI is limited by --max-uri; a longer one is rejected, which --invalid shows.";

/// Every file type and its globs, a line each.
///
/// # Errors
/// When a type that is added makes no sense.
pub fn type_list(flags: &WalkFlags) -> Result<Vec<u8>, WalkError> {
    let line = |(name, globs): (String, Vec<String>)| format!("{name}: {}\n", globs.join(", "));
    let lines = file_types(&flags.type_add)?.into_iter().map(line);
    Ok(lines.collect::<String>().into_bytes())
}
