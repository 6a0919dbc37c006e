//! Resolves flags into the configuration of one run.

use std::io::{IsTerminal, stdout};

use urigrep::Finder;
use urigrep::audit::Spellings;
use urigrep::document::mail::Headers;
use urigrep::options::{
    Abbreviated, AssumedScheme, Charset, Detection, Email, Embedded, Identifiers, Lax, Refang,
    Rejoin, Schemes, Unwrap,
};
use urigrep::reference::{Fragment, Normalizer};
use urigrep::registry::{namespaces, schemes};
use urigrep::search::{
    Binary, ByteCounter, Compressed, ContextLines, Dedupe, Mail, Markup, Order, Preprocessor,
    References, Rejections, Report, Root, Search, SearchBuilder, SearchError, WalkError,
    WalkOptions,
};

use super::diagnostics::{Messages, complain};
use super::error::CliError;
use super::escape::Escaping;
use super::flags::SearchFlags;
use super::flags::output::{ModeFlags, OutputFlags};
use super::flags::rewrite::RewriteFlags;
use super::flags::values::{
    AssumeMode, DedupeMode, MailMode, MarkupMode, OutputFormat, RejoinMode, Sort, When, hosts,
};
use super::flags::walk::{WalkFlags, type_list};
use super::format;
use super::git::{ChangedLines, MovedFiles};
use super::hyperlink::{self, HyperlinkFormat};
use super::layout::{Number, layout};
use super::limits::limits;
use super::output::{
    Colors, Context, ContextOptions, Count, CountOptions, Counted, Csv, Distinct, Json, JsonEnding,
    Layout, Levels, LinkStyle, ListedFiles, Mode, PageReport, PathList, PathPlace, PathStyle,
    Paths, Register, Sarif, TableFormat, Tally, TallyFormat, TallyOf, TallyOptions, Template,
    Templated, Text, TextOptions, UriForm, UriSpelling,
};
use super::progress::{self, Total};
use super::roots::total;
use super::selection::selection;
use super::status::Status;
use super::stdout::print;

#[derive(Debug)]
pub struct Config {
    pub roots: Vec<Root>,
    pub search: Search,
    pub mode: Mode,
    /// The separator between the output of two files.
    pub separator: &'static [u8],
    /// True if statistics are printed.
    pub stats: bool,
    /// The total number of bytes to read, if progress is shown.
    pub progress: Option<Total>,
    pub buffering: Buffering,
    pub messages: Messages,
    /// `--files`: the files are listed, not searched.
    pub lists_files: Option<PathList>,
    /// Notes for the user about flags that are valid but suspicious.
    pub notes: Vec<String>,
    pub bytes_read: ByteCounter,
    /// A page to write at the end.
    pub page: Option<PageReport>,
}

/// When matches are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Buffering {
    /// In blocks, and before each wait for more of a stream.
    #[default]
    Auto,
    /// Each match.
    Line,
    Block,
}

impl Config {
    /// Resolves the flags.
    ///
    /// # Errors
    /// If flags conflict; the message says which and why.
    pub fn new(flags: &SearchFlags) -> Result<Self, CliError> {
        let lists_here = flags.modes.files && flags.scope.files_from.is_none();
        let roots = match flags.paths.is_empty() && lists_here {
            true => vec![Root::CurrentDirectory],
            false => flags.scope.roots(&flags.paths)?,
        };
        let lines = flags.scope.lines(&roots, MovedFiles::AreTheSame)?;
        let number = match roots.as_slice() {
            [Root::Stdin] => Number::OnlyStdin,
            [Root::Path(path)] if !path.is_dir() => Number::One,
            _ => Number::Many,
        };
        let on_terminal = stdout().is_terminal();
        let layouts = Levels {
            file: layout(flags, number, on_terminal),
            // An archive has several members, so it is treated like a directory.
            member: layout(flags, Number::Many, on_terminal),
        };
        let format = format::chosen(flags)?;
        let page = match &flags.modes.report {
            Some(file) => Some(PageReport::new(file, normalizer(flags))?),
            None => None,
        };
        let mode = mode(flags, format, layouts.clone(), on_terminal, page.clone());
        let progress = progress::is_shown(flags.output.progress).then(|| total(&roots));
        let bytes_read = ByteCounter::default();
        // Without a progress line, nothing counts bytes.
        let counter = progress.is_some().then(|| bytes_read.clone());
        Ok(Self {
            search: search(flags, rejections(flags, format), counter, lines)?,
            separator: match format {
                OutputFormat::Text
                    if layouts.member.place == PathPlace::Heading && !is_list(&flags.modes) =>
                {
                    b"\n"
                }
                _ => mode.printer().separator(),
            },
            mode,
            stats: flags.modes.stats,
            progress,
            buffering: match (flags.output.line_buffered, flags.output.block_buffered) {
                (true, _) => Buffering::Line,
                (_, true) => Buffering::Block,
                _ => Buffering::Auto,
            },
            messages: match flags.input.no_messages {
                true => Messages::Hidden,
                false => Messages::Shown,
            },
            lists_files: flags.modes.files.then(|| path_list(flags, format, on_terminal)),
            notes: notes(flags),
            page,
            bytes_read,
            roots,
        })
    }
}

/// Notes about unknown names, which may be misspelled, and about an ambiguous field name.
fn notes(flags: &SearchFlags) -> Vec<String> {
    let schemes = || schemes().iter().map(|known| known.name);
    let namespaces = || namespaces().iter().map(|known| known.name);
    let scheme = |name: &String| unknown_name("scheme", name, schemes());
    let nid = |name: &String| unknown_name("namespace", name, namespaces());
    let templates = [&flags.modes.template, &flags.modes.replace];
    let is_ambiguous = templates.into_iter().flatten().any(Template::has_ambiguous_path);
    let path = is_ambiguous.then(|| {
        "{path} is the path of the file; write {file} to be clear, or {uri.path} for the path of the URI"
            .to_owned()
    });
    let schemes = flags.select.scheme.iter().filter_map(|entry| scheme(entry.value()));
    let nids = flags.select.nid.iter().filter_map(|entry| nid(entry.value()));
    schemes.chain(nids).chain(path).collect()
}

fn unknown_name<'n>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Option<String> {
    if known.clone().any(|known| known == name) {
        return None;
    }
    let near = Spellings::new(known).nearest(name).map(str::to_owned);
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Some(format!("`{name}` is not a registered {kind}{hint}"))
}

/// Builds the search that the flags describe.
///
/// # Errors
/// If flags conflict, or a value is invalid; the message names them.
pub fn search(
    flags: &SearchFlags,
    rejections: Rejections,
    counter: Option<ByteCounter>,
    lines: Option<ChangedLines>,
) -> Result<Search, CliError> {
    search_with(flags, |builder| {
        let mut builder = builder.rejections(rejections);
        if let Some(counter) = counter {
            builder = builder.byte_counter(counter);
        }
        if let Some(lines) = lines {
            builder = lines.limit(builder);
        }
        builder
    })
}

/// Like [`search`], with further settings.
///
/// # Errors
/// If flags conflict, or a value is invalid; the message names them.
pub fn search_with(
    flags: &SearchFlags,
    set: impl FnOnce(SearchBuilder) -> SearchBuilder,
) -> Result<Search, CliError> {
    let limits = limits(&flags.walk.limit);
    let mut builder = Search::builder()
        .finder(finder(flags))
        .selection(selection(flags, &limits)?)
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
        .order(match flags.modes.unique {
            // "The first match of a URI" needs an order of files that is the same in every run.
            true => Order::Path,
            false => order(flags.output.sort),
        })
        .binary(binary(&flags.walk))
        .compressed(match flags.walk.search_compressed {
            true => Compressed::Unpacked,
            false => Compressed::AsStored,
        })
        .threads(flags.walk.threads);
    if let Some(count) = flags.modes.max_count {
        builder = builder.max_count(count);
    }
    if let Some(command) =
        flags.input.pre.as_ref().filter(|command| !command.as_os_str().is_empty())
    {
        let globs = Preprocessor::new(command).globs(&flags.input.pre_glob);
        builder = builder.preprocessor(
            globs.map_err(|error| CliError::invalid("--pre-glob", error.to_string()))?,
        );
    }
    set(builder).build().map_err(|error| search_error(&error))
}

/// Converts the error to one about the flag that caused it.
pub fn search_error(error: &SearchError) -> CliError {
    match error {
        SearchError::Walk(error) => walk_error(error),
        other => CliError::general(other.to_string()),
    }
}

/// Converts the error of a walk to one about the flag that caused it.
pub fn walk_error(error: &WalkError) -> CliError {
    match error {
        WalkError::UnknownType(_) => {
            CliError::general(format!("{error}; --type-list prints all types"))
        }
        WalkError::Glob(message) => CliError::invalid("--glob", message.as_str()),
        other => CliError::general(other.to_string()),
    }
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

/// Outputs that print the number of rejected candidates need an exact count.
fn rejections(flags: &SearchFlags, format: OutputFormat) -> Rejections {
    let has_number = flags.modes.stats || format == OutputFormat::Sarif;
    match has_number || flags.select.no_prefilter {
        true => Rejections::Counted,
        false => Rejections::Ignored,
    }
}

/// Builds the finder that the flags describe.
pub fn finder(flags: &SearchFlags) -> Finder {
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
        .identifiers(match (flags.identifiers || flags.abbreviated, flags.doi) {
            (true, _) => Identifiers::All,
            (false, true) => Identifiers::Doi,
            (false, false) => Identifiers::Skip,
        })
        .detection(given(flags.uts58, Detection::Uts58))
        .grammar(flags.grammar)
        .host_mapping(hosts())
        .max_uri(flags.max_uri)
        .max_wrapper(limits.wrapper)
        .build()
}

/// Returns `on` if the flag is set.
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
    on_terminal: bool,
    page: Option<PageReport>,
) -> Mode {
    let modes = &flags.modes;
    let normalizer = normalizer(flags);
    let each = || match format {
        OutputFormat::Text => mode_of_each(flags, layouts.clone(), on_terminal),
        _ => structured(flags, format, normalizer, on_terminal),
    };
    let mode = if modes.quiet {
        Mode::Quiet
    } else if let Some(of) = tally_of(modes) {
        Mode::Tally(Tally::new(TallyOptions {
            of,
            number: modes.top.unwrap_or(usize::MAX),
            counted: counted(modes),
            normalizer,
            format: tally_format(format),
            style: path_style(&flags.output, on_terminal),
            place: layouts.file.place,
        }))
    } else if modes.count {
        Mode::Count(Count::new(CountOptions {
            places: Levels { file: layouts.file.place, member: layouts.member.place },
            style: path_style(&flags.output, on_terminal),
            terminator: terminator(&flags.output, b':'),
            include_zero: modes.include_zero,
            counted: counted(modes),
            normalizer,
            format: tally_format(format),
        }))
    } else if is_list(modes) {
        let with_match = modes.files_with_matches;
        let files = if with_match { ListedFiles::WithMatch } else { ListedFiles::WithoutMatch };
        Mode::Paths(Paths { files, list: path_list(flags, format, on_terminal) })
    } else if modes.unique {
        Mode::Unique(Box::new(each()), Register::new(normalizer))
    } else if counts_distinct(flags, format) {
        Mode::Counting(Box::new(each()), Distinct::new(normalizer))
    } else {
        each()
    };
    // Modes that print no matches can also count different URIs.
    let mode = match mode {
        Mode::Count(count) if counts_distinct(flags, format) => {
            Mode::Counting(Box::new(Mode::Count(count)), Distinct::new(normalizer))
        }
        mode => mode,
    };
    let mode = match page {
        Some(page) => Mode::Paged(Box::new(mode), page),
        None => mode,
    };
    let mode = match flags.rewrite.defang {
        true => Mode::Defanged(Box::new(mode), normalizer),
        false => mode,
    };
    match flags.rewrite.redact {
        Some(names) => Mode::Redacted(Box::new(mode), names.into()),
        None => mode,
    }
}

fn normalizer(flags: &SearchFlags) -> Normalizer {
    Normalizer::new().fragment(given(flags.rewrite.no_fragment, Fragment::Removed))
}

/// The format of counts and lists of files.
fn tally_format(format: OutputFormat) -> TallyFormat {
    match format {
        OutputFormat::Json => TallyFormat::Json,
        OutputFormat::Csv => TallyFormat::Table(TableFormat::Csv),
        OutputFormat::Tsv => TallyFormat::Table(TableFormat::Tsv),
        _ => TallyFormat::Text,
    }
}

fn path_list(flags: &SearchFlags, format: OutputFormat, on_terminal: bool) -> PathList {
    PathList {
        style: path_style(&flags.output, on_terminal),
        terminator: terminator(&flags.output, b'\n'),
        format: tally_format(format),
    }
}

fn counted(modes: &ModeFlags) -> Counted {
    if modes.unique { Counted::DistinctUris } else { Counted::Matches }
}

/// Returns the keys to count in place of printing matches.
fn tally_of(modes: &ModeFlags) -> Option<TallyOf> {
    match (modes.count_by, modes.top) {
        (Some(by), _) => Some(TallyOf::Part(by)),
        (None, Some(_)) => Some(TallyOf::Uris),
        (None, None) => None,
    }
}

/// True if the number of different URIs is printed at the end, and all matches are seen.
fn counts_distinct(flags: &SearchFlags, format: OutputFormat) -> bool {
    let modes = &flags.modes;
    let in_part = modes.files_with_matches || modes.files_without_match || flags.select.invalid;
    (modes.stats || modes.report.is_some() || format == OutputFormat::Sarif) && !in_part
}

/// Returns the printer of a format for programs.
fn structured(
    flags: &SearchFlags,
    format: OutputFormat,
    normalizer: Normalizer,
    on_terminal: bool,
) -> Mode {
    let escaping = path_style(&flags.output, on_terminal).escaping;
    match (format, &flags.modes.template) {
        (OutputFormat::Csv, _) => Mode::Csv(Csv::new(TableFormat::Csv, normalizer, escaping)),
        (OutputFormat::Tsv, _) => Mode::Csv(Csv::new(TableFormat::Tsv, normalizer, escaping)),
        (OutputFormat::Sarif, _) => Mode::Sarif(Sarif::new(report(flags), normalizer)),
        (OutputFormat::Template, Some(template)) => {
            Mode::Template(Templated::new(template.clone(), normalizer, escaping))
        }
        _ => {
            let explaining = flags.output.explain.then(|| finder(flags));
            let ending = match flags.modes.stats {
                true => JsonEnding::Summary,
                false => JsonEnding::Record,
            };
            Mode::Json(Json::new(normalizer, explaining, ending))
        }
    }
}

/// The byte that ends a path or a line.
fn terminator(output: &OutputFlags, otherwise: u8) -> u8 {
    if output.null { 0 } else { otherwise }
}

fn mode_of_each(flags: &SearchFlags, layouts: Levels<Layout>, on_terminal: bool) -> Mode {
    let (modes, output) = (&flags.modes, &flags.output);
    let explaining = output.explain.then(|| finder(flags));
    let style = path_style(output, on_terminal);
    if let Some(lines) = context_lines(modes) {
        return Mode::Context(Context::new(ContextOptions {
            lines,
            layouts,
            style,
            null: output.null,
        }));
    }
    Mode::Text(Text::new(TextOptions {
        layouts,
        null: output.null,
        replacement: modes.replace.clone(),
        spelling: spelling(&flags.rewrite),
        style,
        explaining,
        by_message: output.group_by.is_some(),
    }))
}

/// Returns the lines to print, if lines are printed.
fn context_lines(modes: &ModeFlags) -> Option<ContextLines> {
    let ModeFlags { after_context, before_context, context, passthru, .. } = modes;
    if *passthru {
        return Some(ContextLines::All);
    }
    let is_given = [after_context, before_context, context].iter().any(|lines| lines.is_some());
    let lines = |own: &Option<usize>| own.or(*context).unwrap_or(0);
    let (before, after) = (lines(before_context), lines(after_context));
    is_given.then_some(ContextLines::Around { before, after })
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

fn path_style(output: &OutputFlags, on_terminal: bool) -> PathStyle {
    style(output.color, output.hyperlink_format.as_ref(), on_terminal)
}

pub fn style_of_stdout(color: When, links: Option<&HyperlinkFormat>) -> PathStyle {
    style(color, links, stdout().is_terminal())
}

fn style(color: When, links: Option<&HyperlinkFormat>, on_terminal: bool) -> PathStyle {
    let colors = match color {
        When::Never => Colors::Off,
        When::Always | When::Ansi => Colors::Ansi,
        When::Auto if !on_terminal => Colors::Off,
        When::Auto => {
            let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
            let dumb = set("TERM").is_none_or(|term| term == "dumb");
            if set("NO_COLOR").is_some() || dumb { Colors::Off } else { Colors::Ansi }
        }
    };
    let format = match links {
        _ if colors == Colors::Off => HyperlinkFormat::default(),
        Some(format) => format.clone(),
        None if on_terminal => HyperlinkFormat::on_terminal(),
        None => HyperlinkFormat::default(),
    };
    let host = if format.is_none() { String::new() } else { hyperlink::host() };
    let escaping = if on_terminal { Escaping::Terminal } else { Escaping::None };
    PathStyle { escaping, colors, links: LinkStyle { format, host } }
}

pub fn markup(mode: MarkupMode) -> Markup {
    match mode {
        MarkupMode::Auto => Markup::Auto,
        MarkupMode::Never => Markup::Never,
        MarkupMode::Always(format) => Markup::Always(format),
    }
}

/// Returns the options of the walk.
///
/// # Errors
/// If there are too many `-u`.
pub fn walk(flags: &WalkFlags) -> Result<WalkOptions, CliError> {
    if flags.unrestricted > 3 {
        return Err(CliError::invalid("-u", "may be repeated up to three times: -u, -uu, -uuu"));
    }
    let mut options = WalkOptions::default();
    options.types = flags.types.clone();
    options.types_not = flags.type_not.clone();
    options.types_added = flags.type_add.clone();
    options.globs = flags.glob.clone();
    options.iglobs = flags.iglob.clone();
    options.no_ignore = flags.no_ignore || flags.untrusted || flags.unrestricted >= 1;
    options.hidden = flags.hidden || flags.unrestricted >= 2;
    options.follow = flags.follow;
    options.max_depth = flags.max_depth;
    options.max_filesize = flags.max_filesize;
    options.one_file_system = flags.one_file_system;
    Ok(options)
}

pub fn binary(flags: &WalkFlags) -> Binary {
    match flags.text || flags.binary || flags.unrestricted >= 3 {
        true => Binary::Search,
        false => Binary::Skip,
    }
}

/// `--type-list`.
pub fn print_types(flags: &WalkFlags) -> Status {
    match type_list(flags) {
        Ok(list) => print(&list),
        Err(error) => {
            complain(&walk_error(&error).to_string());
            Status::Error
        }
    }
}
