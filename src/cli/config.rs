//! What the flags come to: every decision of a run, made once.

use std::io::{IsTerminal, stdout};

use urigrep::Finder;
use urigrep::options::{
    Abbreviated, AssumedScheme, Charset, Detection, Email, Embedded, Lax, Refang, Rejoin, Schemes,
    Unwrap,
};
use urigrep::reference::{Fragment, Normalizer};

use urigrep::container::document::Format;
use urigrep::container::document::mail::Headers;
use urigrep::search::{
    Binary, ByteCounter, Compressed, Dedupe, Limits, Mail, Markup, Order, References, Regexps,
    Report, Root, Search, SearchError, Selection, SelectionError, WalkError, WalkOptions,
};

use super::escape::Escaping;
use super::flags::SearchFlags;
use super::flags::output::{ModeFlags, OutputFlags};
use super::flags::rewrite::RewriteFlags;
use super::flags::select::SelectFlags;
use super::flags::values::{
    AssumeMode, DedupeMode, GroupBy, MailMode, MarkupMode, OutputFormat, RejoinMode, Sort, When,
};
use super::flags::walk::WalkFlags;
use super::format;
use super::hyperlink;
use super::limits::limits;
use super::output::{
    Colors, Count, Csv, Distinct, Grouping, Json, Layout, Levels, LineField, LinkStyle, Mode,
    PathPlace, PathStyle, Paths, Register, Sarif, TableFormat, Templated, Terminator, Text, Top,
    UriForm, UriSpelling, Which, Zeros,
};
use super::progress::{self, Total};
use super::roots::{roots, total};
use crate::cli::flags::values::hosts;

/// Whether the numbers of the run are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowStats {
    Yes,
    No,
}

/// Every decision of a run.
#[derive(Debug)]
pub struct Config {
    /// What is searched.
    pub roots: Vec<Root>,
    /// What is looked for, and how.
    pub search: Search,
    /// What is printed.
    pub mode: Mode,
    /// What is printed between the output of two files.
    pub separator: &'static [u8],
    pub stats: ShowStats,
    /// How much there is to read, when progress is shown.
    pub progress: Option<Total>,
    /// Counts what is read, when progress is shown.
    pub bytes_read: ByteCounter,
}

/// What standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Audience {
    Terminal,
    Program,
}

impl Audience {
    fn of_stdout() -> Self {
        if stdout().is_terminal() { Self::Terminal } else { Self::Program }
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
        let roots = roots(&flags.paths);
        let number = match roots.as_slice() {
            [Root::Stdin] => Number::OnlyStdin,
            [Root::Path(path)] if !path.is_dir() => Number::One,
            _ => Number::Many,
        };
        let audience = Audience::of_stdout();
        let layouts = Levels {
            file: layout(flags, number, audience),
            // An archive is like a directory.
            member: layout(flags, Number::Many, audience),
        };
        let format = format::chosen(flags)?;
        let mode = mode(flags, format, layouts.clone(), audience);
        let progress = progress::is_shown(flags.output.progress).then(|| total(&roots));
        let bytes_read = ByteCounter::default();
        let counter = progress.is_some().then(|| bytes_read.clone());
        Ok(Self {
            search: search(flags, counter)?,
            separator: match format {
                OutputFormat::Text
                    if layouts.member.place == PathPlace::Heading && !is_list(&flags.modes) =>
                {
                    b"\n"
                }
                _ => mode.printer().separator(),
            },
            mode,
            stats: match flags.modes.stats {
                true => ShowStats::Yes,
                false => ShowStats::No,
            },
            progress,
            bytes_read,
            roots,
        })
    }
}

/// What is looked for, and how.
fn search(flags: &SearchFlags, counter: Option<ByteCounter>) -> Result<Search, String> {
    let limits = limits(&flags.walk.limit);
    let mut builder = Search::builder()
        .finder(finder(flags))
        .selection(selection(&flags.select, &limits)?)
        .report(report(flags))
        .limits(limits)
        .markup(markup(flags.walk.markup))
        .encoding(flags.walk.encoding.unwrap_or_default())
        .mail(match flags.walk.mail {
            MailMode::Auto => Mail::Auto,
            MailMode::Always => Mail::Always,
            MailMode::Never => Mail::Never,
        })
        .headers(match flags.walk.headers {
            true => Headers::Identifiers,
            false => Headers::Text,
        })
        .dedupe(match flags.walk.dedupe {
            Some(DedupeMode::Message) => Dedupe::Message,
            Some(DedupeMode::Thread) => Dedupe::Thread,
            None if flags.walk.all_parts => Dedupe::Never,
            None => Dedupe::Parts,
        })
        .references(match flags.rewrite.resolve {
            true => References::Resolved { retrieval: flags.rewrite.base.clone() },
            false => References::AsWritten,
        })
        .walk(walk(&flags.walk)?)
        .order(order(flags.output.sort))
        .binary(binary(&flags.walk))
        .compressed(match flags.walk.search_compressed {
            true => Compressed::Unpacked,
            false => Compressed::AsStored,
        })
        .threads(flags.walk.threads);
    if let Some(count) = flags.modes.max_count {
        builder = builder.max_count(count);
    }
    if let Some(counter) = counter {
        builder = builder.byte_counter(counter);
    }
    builder.build().map_err(|error| search_error(&error))
}

/// The message of an error, with the flag that it is about.
pub fn search_error(error: &SearchError) -> String {
    match error {
        SearchError::Walk(error) => walk_error(error),
        other => other.to_string(),
    }
}

/// The message of an error, with the flag that it is about.
pub fn walk_error(error: &WalkError) -> String {
    match error {
        WalkError::UnknownType(_) => format!("{error}; --type-list prints those that there are"),
        WalkError::Glob(message) => format!("--glob: {message}"),
        other => other.to_string(),
    }
}

fn selection(flags: &SelectFlags, limits: &Limits) -> Result<Selection, String> {
    Selection::builder()
        .schemes(&flags.scheme)
        .nids(&flags.nid)
        .hosts(&flags.host)
        .kinds(flags.kind.iter().copied())
        .roles(flags.role.iter().copied())
        .regexps(&flags.regexp)
        .regexps_select(match flags.invert_match {
            true => Regexps::DoNotMatch,
            false => Regexps::Match,
        })
        .ignore_case(flags.ignore_case)
        .size_limit(limits.regexp)
        .build()
        .map_err(|error| match error {
            SelectionError::Host(message) => format!("--host: {message}"),
            SelectionError::RegexpTooLarge(_) => {
                format!("--regexp: {error}; --limit regexp=SIZE allows more")
            }
            other => format!("--regexp: {other}"),
        })
}

pub fn order(sort: Sort) -> Order {
    match sort {
        Sort::None => Order::Any,
        Sort::Path => Order::Path,
    }
}

fn report(flags: &SearchFlags) -> Report {
    if flags.select.invalid { Report::Rejected } else { Report::Matches }
}

fn finder(flags: &SearchFlags) -> Finder {
    let limits = limits(&flags.walk.limit);
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
        .host_mapping(hosts())
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
    if flags.rewrite.redact { Mode::Redacted(Box::new(mode)) } else { mode }
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
        (OutputFormat::Csv, _) => Mode::Csv(Csv::new(TableFormat::Csv, normalizer, escaping)),
        (OutputFormat::Tsv, _) => Mode::Csv(Csv::new(TableFormat::Tsv, normalizer, escaping)),
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
            places: Levels { file: layouts.file.place, member: layouts.member.place },
            style,
            terminator: terminator(b':'),
            zeros: if modes.include_zero { Zeros::Shown } else { Zeros::Hidden },
        });
    }
    if is_list(modes) {
        let which = if modes.files_with_matches { Which::With } else { Which::Without };
        return Mode::Paths(Paths { which, style, terminator: terminator(b'\n') });
    }
    let grouping = match output.group_by {
        Some(GroupBy::Message) => Grouping::Messages,
        None => Grouping::None,
    };
    Mode::Text(Text::new(
        layouts,
        if output.null { Terminator::Nul } else { Terminator::Text },
        spelling(&flags.rewrite),
        style,
        explaining,
        grouping,
    ))
}

fn spelling(flags: &RewriteFlags) -> UriSpelling {
    let form = match flags {
        RewriteFlags { raw: true, .. } => UriForm::Raw,
        RewriteFlags { readable: true, .. } => UriForm::Readable,
        RewriteFlags { map_iri: true, .. } => UriForm::Mapped,
        RewriteFlags { normalize: true, .. } => UriForm::Normal,
        _ => UriForm::Intended,
    };
    UriSpelling { form, fragment: given(flags.no_fragment, Fragment::Removed) }
}

/// What is printed around a match, when so many files are searched.
fn layout(flags: &SearchFlags, number: Number, audience: Audience) -> Layout {
    let place = match path_place(&flags.output, number, audience) {
        // What is printed at the end comes from anywhere.
        PathPlace::Heading if flags.modes.unique => PathPlace::EachLine,
        place => place,
    };
    Layout { place, fields: fields(&flags.output, place, number, audience) }
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
    if heading && !output.vimgrep { PathPlace::Heading } else { PathPlace::EachLine }
}

/// The numbers before a match: a line number wherever there is a path, and on a terminal.
fn fields(
    output: &OutputFlags,
    place: PathPlace,
    number: Number,
    audience: Audience,
) -> Vec<LineField> {
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
        (line, LineField::Line),
        (output.column || output.vimgrep, LineField::Column),
        (output.byte_offset, LineField::Offset),
    ];
    fields.into_iter().filter(|(shown, _)| *shown).map(|(_, field)| field).collect()
}

fn path_style(output: &OutputFlags, audience: Audience) -> PathStyle {
    style(output.color, output.hyperlink_format.as_ref(), audience)
}

/// How paths are printed on standard output, by these flags.
pub fn style_of_stdout(color: When, links: Option<&hyperlink::HyperlinkFormat>) -> PathStyle {
    style(color, links, Audience::of_stdout())
}

fn style(color: When, links: Option<&hyperlink::HyperlinkFormat>, audience: Audience) -> PathStyle {
    let colors = match color {
        When::Never => Colors::Off,
        When::Always | When::Ansi => Colors::Ansi,
        When::Auto if audience == Audience::Program => Colors::Off,
        When::Auto => {
            let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
            let dumb = set("TERM").is_none_or(|term| term == "dumb");
            if set("NO_COLOR").is_some() || dumb { Colors::Off } else { Colors::Ansi }
        }
    };
    let format = match (links, audience) {
        _ if colors == Colors::Off => hyperlink::HyperlinkFormat::default(),
        (Some(format), _) => format.clone(),
        (None, Audience::Terminal) => hyperlink::HyperlinkFormat::on_terminal(),
        (None, Audience::Program) => hyperlink::HyperlinkFormat::default(),
    };
    let host = if format.is_none() { String::new() } else { hyperlink::host() };
    let escaping = match audience {
        Audience::Terminal => Escaping::Terminal,
        Audience::Program => Escaping::None,
    };
    PathStyle { escaping, colors, links: LinkStyle { format, host } }
}

/// Which files are documents.
pub fn markup(mode: MarkupMode) -> Markup {
    match mode {
        MarkupMode::Auto => Markup::Auto,
        MarkupMode::Never => Markup::Never,
        MarkupMode::Html => Markup::Always(Format::Html),
        MarkupMode::Markdown => Markup::Always(Format::Markdown),
    }
}

/// Which files of directories are searched.
///
/// # Errors
/// When there are too many `-u`.
pub fn walk(flags: &WalkFlags) -> Result<WalkOptions, String> {
    if flags.unrestricted > 3 {
        return Err("-u is given at most three times: -u, -uu or -uuu".to_owned());
    }
    let mut options = WalkOptions::default();
    options.types = flags.types.clone();
    options.types_not = flags.type_not.clone();
    options.globs = flags.glob.clone();
    options.iglobs = flags.iglob.clone();
    options.no_ignore = flags.no_ignore || flags.unrestricted >= 1;
    options.hidden = flags.hidden || flags.unrestricted >= 2;
    options.follow = flags.follow;
    options.max_depth = flags.max_depth;
    options.max_filesize = flags.max_filesize;
    options.one_file_system = flags.one_file_system;
    Ok(options)
}

/// What happens to binary files of a directory.
pub fn binary(flags: &WalkFlags) -> Binary {
    match flags.text || flags.binary || flags.unrestricted >= 3 {
        true => Binary::Search,
        false => Binary::Skip,
    }
}
