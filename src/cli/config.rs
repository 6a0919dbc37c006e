//! What the flags come to: every decision of a run, made once.

use std::io::{IsTerminal, stdout};
use std::thread::available_parallelism;

use urigrep::{
    Abbreviated, AssumedScheme, Charset, Detection, Email, Embedded, Finder, Fragment, Lax,
    Normalizer, Refang, Rejoin, Schemes, Unwrap,
};

use urigrep::container::archive;
use urigrep::container::document::Format;
use urigrep::container::document::mail::Headers;

use super::documents::{Documents, Mail, Markup, References};
use super::escape::Escaping;
use super::flags::SearchFlags;
use super::flags::output::{ModeFlags, OutputFlags};
use super::flags::rewrite::RewriteFlags;
use super::flags::values::{
    AssumeMode, DedupeMode, Format as OutputFormat, GroupBy, MailMode, MarkupMode, RejoinMode,
    Sort, When,
};
use super::flags::walk::WalkFlags;
use super::format;
use super::hyperlink;
use super::limits::Limits;
use super::messages::Repeats;
use super::operands::{Operand, Prefix, operands, total};
use super::output::{
    Colors, Count, Csv, Distinct, Field, Form, Grouping, Json, Layout, Links, Mode, PathPlace,
    PathStyle, Paths, Register, Sarif, Spelling, Table, Templated, Terminator, Text, Top, Which,
    Zeros,
};
use super::progress::{self, Total};
use super::query::{Query, Report};
use super::search::Binaries;
use super::select::Selection;
use super::streams::Compressed;
use super::subject::Levels;

/// Whether the numbers of the run are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stats {
    /// They are.
    Printed,
    /// They are not.
    Omitted,
}

/// Every decision of a run.
#[derive(Debug)]
pub struct Config {
    /// What is searched, as far as the command line says.
    pub operands: Vec<Operand>,
    /// How paths below `.` are printed.
    pub prefix: Prefix,
    /// What is looked for.
    pub query: Query,
    /// What is printed.
    pub mode: Mode,
    /// What stands between the output of two files.
    pub separator: &'static [u8],
    /// How many matches are wanted of a file.
    pub limit: Option<u64>,
    /// Whether the numbers of the run are printed.
    pub stats: Stats,
    /// Which files of a directory are searched.
    pub walk: WalkFlags,
    /// What happens to binary files of a directory.
    pub binaries: Binaries,
    /// How much one of them may unpack to.
    pub archive_limits: archive::ArchiveLimits,
    /// What happens to compressed files of a directory.
    pub compressed: Compressed,
    /// The order of files.
    pub sort: Sort,
    /// How many threads search.
    pub threads: usize,
    /// How much there is to read, when it is shown how far the run is.
    pub progress: Option<Total>,
}

/// What standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Audience {
    Terminal,
    Program,
}

impl Audience {
    fn of_stdout() -> Self {
        if stdout().is_terminal() {
            Self::Terminal
        } else {
            Self::Program
        }
    }
}

/// How many files are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    OnlyStdin,
    One,
    Many,
}

impl Config {
    /// Decides.
    ///
    /// # Errors
    /// When flags contradict each other; the message says which and why.
    pub fn new(flags: &SearchFlags) -> Result<Self, String> {
        let (operands, prefix) = operands(&flags.paths);
        let number = match operands.as_slice() {
            [Operand::Stdin] => Number::OnlyStdin,
            [Operand::File(_)] => Number::One,
            _ => Number::Many,
        };
        let audience = Audience::of_stdout();
        let layouts = Levels {
            file: layout(flags, number, audience),
            // An archive is like a directory.
            member: layout(flags, Number::Many, audience),
        };
        let format = format::chosen(flags)?;
        let limits = Limits::new(&flags.walk.limit);
        let mode = mode(flags, format, layouts.clone(), audience);
        Ok(Self {
            archive_limits: limits.archive,
            prefix,
            query: query(flags, &limits)?,
            separator: match format {
                OutputFormat::Text
                    if layouts.member.place == PathPlace::Heading && !is_list(&flags.modes) =>
                {
                    b"\n"
                }
                _ => mode.printer().separator(),
            },
            mode,
            limit: flags.modes.max_count,
            stats: if flags.modes.stats {
                Stats::Printed
            } else {
                Stats::Omitted
            },
            walk: walk(&flags.walk)?,
            binaries: binaries(&flags.walk),
            compressed: if flags.walk.search_compressed {
                Compressed::Unpacked
            } else {
                Compressed::AsItStands
            },
            sort: flags.output.sort,
            threads: threads(flags.walk.threads),
            progress: progress::is_shown(flags.output.progress).then(|| total(&operands)),
            operands,
        })
    }
}

fn query(flags: &SearchFlags, limits: &Limits) -> Result<Query, String> {
    Ok(Query {
        finder: finder(flags),
        selection: Selection::new(&flags.select, limits)?,
        report: report(flags),
        documents: Documents {
            limits: limits.mail,
            message: limits.message,
            markup: markup(flags.walk.markup),
            charsets: flags.walk.encoding.unwrap_or_default(),
            mail: match flags.walk.mail {
                MailMode::Auto => Mail::Detect,
                MailMode::Always => Mail::Always,
                MailMode::Never => Mail::Never,
            },
            headers: if flags.walk.headers {
                Headers::Identifiers
            } else {
                Headers::Text
            },
            repeats: match flags.walk.dedupe {
                Some(DedupeMode::Message) => Repeats::NotInMessage,
                Some(DedupeMode::Thread) => Repeats::NotInThread,
                None if flags.walk.all_parts => Repeats::All,
                None => Repeats::NotInParts,
            },
            references: if flags.rewrite.resolve {
                References::Resolved {
                    retrieval: flags.rewrite.base.clone(),
                }
            } else {
                References::AsTheyAre
            },
        },
    })
}

fn report(flags: &SearchFlags) -> Report {
    if flags.select.invalid {
        Report::Rejected
    } else {
        Report::Matches
    }
}

fn finder(flags: &SearchFlags) -> Finder {
    let limits = Limits::new(&flags.walk.limit);
    let flags = &flags.recognize;
    let rejoin = match flags.rejoin {
        RejoinMode::Never => Rejoin::Never,
        RejoinMode::Wrapped => Rejoin::Wrapped,
        RejoinMode::Hyphen => Rejoin::Hyphen,
        RejoinMode::Always => Rejoin::Always,
    };
    Finder::builder()
        .schemes(given(flags.known_schemes, Schemes::Known))
        .charset(given(flags.ascii, Charset::Ascii))
        .lax(given(flags.strict, Lax::Reject))
        .embedded(given(flags.embedded, Embedded::Report))
        .refang(given(flags.refang, Refang::Read))
        .unwrap(given(flags.unwrap, Unwrap::Redirectors))
        .rejoin(rejoin)
        .abbreviated(given(flags.abbreviated, Abbreviated::Report))
        .assume_scheme(match flags.assume_scheme {
            AssumeMode::Https => AssumedScheme::Https,
            AssumeMode::Http => AssumedScheme::Http,
        })
        .email(given(flags.email, Email::Report))
        .detection(given(flags.uts58, Detection::Uts58))
        .grammar(flags.grammar)
        .max_uri(flags.max_uri)
        .max_wrapper(limits.wrapper)
        .build()
}

/// An option that a flag turns on.
fn given<T: Default>(flag: bool, on: T) -> T {
    if flag { on } else { T::default() }
}

/// True when each record is about a file, not about a match.
fn is_list(modes: &ModeFlags) -> bool {
    modes.count || modes.files_with_matches || modes.files_without_match
}

fn mode(
    flags: &SearchFlags,
    format: OutputFormat,
    layouts: Levels<Layout>,
    audience: Audience,
) -> Mode {
    let modes = &flags.modes;
    if modes.quiet {
        return Mode::Quiet;
    }
    let fragment = given(flags.rewrite.no_fragment, Fragment::Removed);
    let normalizer = Normalizer::new().fragment(fragment);
    let each = || match format {
        OutputFormat::Text => mode_of_each(flags, layouts.clone(), audience),
        _ => structured(flags, format, normalizer, audience),
    };
    let mode = if let Some(number) = modes.top {
        let colors = path_style(&flags.output, audience).colors;
        Mode::Top(Top::new(number, normalizer, colors))
    } else if modes.unique {
        Mode::Unique(Box::new(each()), Register::new(normalizer))
    } else if counts_distinct(flags, format) {
        Mode::Counting(Box::new(each()), Distinct::new(normalizer))
    } else {
        each()
    };
    if flags.rewrite.redact {
        Mode::Redacted(Box::new(mode))
    } else {
        mode
    }
}

/// True when the number of different URIs is printed in the end, and all are seen.
fn counts_distinct(flags: &SearchFlags, format: OutputFormat) -> bool {
    let modes = &flags.modes;
    let in_part = modes.files_with_matches || modes.files_without_match || flags.select.invalid;
    let numbers = matches!(format, OutputFormat::Json | OutputFormat::Sarif);
    (modes.stats || numbers) && !in_part
}

/// What is printed of each match, for programs.
fn structured(
    flags: &SearchFlags,
    format: OutputFormat,
    normalizer: Normalizer,
    audience: Audience,
) -> Mode {
    let escaping = path_style(&flags.output, audience).escaping;
    match (format, &flags.modes.template) {
        (OutputFormat::Csv, _) => Mode::Csv(Csv::new(Table::Commas, normalizer, escaping)),
        (OutputFormat::Tsv, _) => Mode::Csv(Csv::new(Table::Tabs, normalizer, escaping)),
        (OutputFormat::Sarif, _) => Mode::Sarif(Sarif::new(report(flags), normalizer)),
        (OutputFormat::Template, Some(template)) => {
            Mode::Template(Templated::new(template.clone(), normalizer, escaping))
        }
        _ => {
            let explaining = flags.output.explain.then(|| finder(flags));
            Mode::Json(Json::new(explaining))
        }
    }
}

/// What is printed of each match or file.
fn mode_of_each(flags: &SearchFlags, layouts: Levels<Layout>, audience: Audience) -> Mode {
    let (modes, output) = (&flags.modes, &flags.output);
    let explaining = output.explain.then(|| finder(flags));
    let style = path_style(output, audience);
    let terminator = |otherwise: u8| if output.null { 0 } else { otherwise };
    if modes.count {
        return Mode::Count(Count {
            places: Levels {
                file: layouts.file.place,
                member: layouts.member.place,
            },
            style,
            terminator: terminator(b':'),
            zeros: if modes.include_zero {
                Zeros::Shown
            } else {
                Zeros::Hidden
            },
        });
    }
    if is_list(modes) {
        let which = if modes.files_with_matches {
            Which::With
        } else {
            Which::Without
        };
        return Mode::Paths(Paths {
            which,
            style,
            terminator: terminator(b'\n'),
        });
    }
    let grouping = match output.group_by {
        Some(GroupBy::Message) => Grouping::Messages,
        None => Grouping::None,
    };
    Mode::Text(Text::new(
        layouts,
        if output.null {
            Terminator::Nul
        } else {
            Terminator::Text
        },
        spelling(&flags.rewrite),
        style,
        explaining,
        grouping,
    ))
}

fn spelling(flags: &RewriteFlags) -> Spelling {
    let form = match flags {
        RewriteFlags { raw: true, .. } => Form::Raw,
        RewriteFlags { readable: true, .. } => Form::Readable,
        RewriteFlags { map_iri: true, .. } => Form::Mapped,
        RewriteFlags {
            normalize: true, ..
        } => Form::Normal,
        _ => Form::Intended,
    };
    Spelling {
        form,
        fragment: given(flags.no_fragment, Fragment::Removed),
    }
}

/// What is printed around a match, when so many files are searched.
fn layout(flags: &SearchFlags, number: Number, audience: Audience) -> Layout {
    let place = match path_place(&flags.output, number, audience) {
        // What is printed at the end comes from anywhere.
        PathPlace::Heading if flags.modes.unique => PathPlace::EachLine,
        place => place,
    };
    Layout {
        place,
        fields: fields(&flags.output, place, number, audience),
    }
}

fn path_place(output: &OutputFlags, number: Number, audience: Audience) -> PathPlace {
    let shown = output.with_filename || output.vimgrep || number == Number::Many;
    if !shown || (output.no_filename && !output.vimgrep) {
        return PathPlace::Nowhere;
    }
    let heading = match (output.heading, output.no_heading) {
        (true, _) => true,
        (_, true) => false,
        _ => audience == Audience::Terminal,
    };
    if heading && !output.vimgrep {
        PathPlace::Heading
    } else {
        PathPlace::EachLine
    }
}

/// The numbers before a match: a line number wherever there is a path, and on a terminal.
fn fields(
    output: &OutputFlags,
    place: PathPlace,
    number: Number,
    audience: Audience,
) -> Vec<Field> {
    let line = match (output.line_number || output.vimgrep, output.no_line_number) {
        (true, _) => true,
        (_, true) => false,
        _ => {
            output.column
                || place != PathPlace::Nowhere
                || (audience == Audience::Terminal && number != Number::OnlyStdin)
        }
    };
    let fields = [
        (line, Field::Line),
        (output.column || output.vimgrep, Field::Column),
        (output.byte_offset, Field::Offset),
    ];
    fields
        .into_iter()
        .filter(|(shown, _)| *shown)
        .map(|(_, field)| field)
        .collect()
}

fn path_style(output: &OutputFlags, audience: Audience) -> PathStyle {
    style(output.color, output.hyperlink_format.as_ref(), audience)
}

/// How paths are printed on standard output, by these flags.
pub fn style_of_stdout(color: When, links: Option<&hyperlink::Format>) -> PathStyle {
    style(color, links, Audience::of_stdout())
}

fn style(color: When, links: Option<&hyperlink::Format>, audience: Audience) -> PathStyle {
    let colors = match color {
        When::Never => Colors::Off,
        When::Always | When::Ansi => Colors::Ansi,
        When::Auto if audience == Audience::Program => Colors::Off,
        When::Auto => {
            let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
            let dumb = set("TERM").is_none_or(|term| term == "dumb");
            if set("NO_COLOR").is_some() || dumb {
                Colors::Off
            } else {
                Colors::Ansi
            }
        }
    };
    let format = match (links, audience) {
        _ if colors == Colors::Off => hyperlink::Format::default(),
        (Some(format), _) => format.clone(),
        (None, Audience::Terminal) => hyperlink::Format::on_terminal(),
        (None, Audience::Program) => hyperlink::Format::default(),
    };
    let host = if format.is_none() {
        String::new()
    } else {
        hyperlink::host()
    };
    let escaping = match audience {
        Audience::Terminal => Escaping::Terminal,
        Audience::Program => Escaping::None,
    };
    PathStyle {
        escaping,
        colors,
        links: Links { format, host },
    }
}

/// Which files are documents.
pub fn markup(mode: MarkupMode) -> Markup {
    match mode {
        MarkupMode::Auto => Markup::Detect,
        MarkupMode::Never => Markup::Never,
        MarkupMode::Html => Markup::Always(Format::Html),
        MarkupMode::Markdown => Markup::Always(Format::Markdown),
    }
}

/// The walking flags with `-u` spelled out.
///
/// # Errors
/// When there are too many `-u`.
pub fn walk(flags: &WalkFlags) -> Result<WalkFlags, String> {
    if flags.unrestricted > 3 {
        return Err("-u is given at most three times: -u, -uu or -uuu".to_owned());
    }
    let mut flags = flags.clone();
    flags.no_ignore |= flags.unrestricted >= 1;
    flags.hidden |= flags.unrestricted >= 2;
    Ok(flags)
}

/// What happens to binary files of a directory.
pub fn binaries(flags: &WalkFlags) -> Binaries {
    if flags.text || flags.binary || flags.unrestricted >= 3 {
        Binaries::Search
    } else {
        Binaries::Skip
    }
}

/// How many threads there are.
pub fn threads(asked: usize) -> usize {
    // More threads than this only wait for each other.
    const MOST: usize = 256;
    match asked {
        0 => available_parallelism().map_or(1, |threads| threads.get()),
        threads => threads.min(MOST),
    }
}
