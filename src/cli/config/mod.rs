//! Resolves flags into the configuration of one run.

mod mode;
mod style;

use std::io::{IsTerminal, stdout};

use urigrep::audit::Spellings;
use urigrep::document::mail::Headers;
use urigrep::options::{
    Abbreviated, AssumedScheme, Charset, Detection, Email, Embedded, Identifiers, Lax, Refang,
    Rejoin, Schemes, Unwrap,
};
use urigrep::registry::{namespaces, schemes};
use urigrep::search::{
    Binary, ByteCounter, Compressed, Dedupe, HitField, Mail, Markup, Order, Preprocessor,
    References, Rejections, Root, Search, SearchBuilder, SearchError, WalkError, WalkOptions,
    file_types,
};
use urigrep::{Finder, FinderBuilder};

use crate::cli::diagnostics::{Messages, complain};
use crate::cli::error::CliError;
use crate::cli::flags::SearchFlags;
use crate::cli::flags::values::{
    AssumeMode, DedupeMode, MailMode, MarkupMode, OutputFormat, RejoinMode, Sort, divided, hosts,
};
use crate::cli::flags::walk::{WalkFlags, type_list};
use crate::cli::format;
use crate::cli::git::{LinesSince, MovedFiles};
use crate::cli::layout::{InputCount, layout};
use crate::cli::limits::limits;
use crate::cli::needed_input::NeededInput;
use crate::cli::output::{Levels, Mode, PageReport, PathList, PathPlace, Template};
use crate::cli::progress::{self, Total};
use crate::cli::roots::total;
use crate::cli::selection::{exclusions_without_effect, selection};
use crate::cli::status::Status;
use crate::cli::stdout::print;

pub use style::style_of_stdout;

use mode::{is_list, mode, normalizer, path_list, report};

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
    /// The inputs without which nothing can be selected.
    pub needed: Option<NeededInput>,
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
        // `--files` lists a tree; standard input has no path to list.
        let lists_here = flags.modes.files && flags.scope.files_from.is_none();
        let roots = if flags.paths.is_empty() && lists_here {
            vec![Root::CurrentDirectory]
        } else {
            flags.scope.roots(&flags.paths)?
        };
        let lines = flags.scope.lines(&roots, MovedFiles::AreTheSame)?;
        // As in grep, the name of a file is printed only if there may be several.
        let number = match roots.as_slice() {
            [Root::Stdin] => InputCount::OnlyStdin,
            [Root::Path(path)] if !path.is_dir() => InputCount::One,
            _ => InputCount::Many,
        };
        let on_terminal = stdout().is_terminal();
        let layouts = Levels {
            file: layout(flags, number, on_terminal),
            // An archive has several members, so it is treated like a directory.
            member: layout(flags, InputCount::Many, on_terminal),
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
            messages: if flags.input.no_messages { Messages::Hidden } else { Messages::Shown },
            lists_files: (flags.modes.files && !flags.modes.unread)
                .then(|| path_list(flags, format, on_terminal)),
            notes: notes(flags),
            needed: NeededInput::of(flags),
            page,
            bytes_read,
            roots,
        })
    }
}

/// Notes about unknown names, which may be misspelled, and about field names with two meanings.
fn notes(flags: &SearchFlags) -> Vec<String> {
    let schemes = || schemes().iter().map(|known| known.name);
    let namespaces = || namespaces().iter().map(|known| known.name);
    let scheme = |name: &String| unknown_name("scheme", name, schemes());
    let nid = |name: &String| unknown_name("namespace", name, namespaces());
    let templates = [&flags.modes.template, &flags.modes.replace];
    let has_at = templates.into_iter().flatten().any(|template| template.has(HitField::At));
    let at = (has_at && !flags.select.invalid).then(|| {
        "{at} is where a candidate of --invalid fails; {place} is the place that --at selects"
            .to_owned()
    });
    let is_ambiguous = templates.into_iter().flatten().any(Template::has_ambiguous_path);
    let path = is_ambiguous.then(|| {
        "{path} is the path of the file; write {file} to be clear, or {uri.path} for the path of the URI"
            .to_owned()
    });
    let names = |list| divided(list).into_iter().flatten();
    let schemes = names(&flags.select.scheme).filter_map(|name| scheme(&name));
    let nids = names(&flags.select.nid).filter_map(|name| nid(&name));
    let whole = names(&flags.select.from).filter_map(|name| whole_sender(&name));
    let idle = exclusions_without_effect(&flags.select);
    schemes.chain(nids).chain(whole).chain(idle).chain(path).chain(at).collect()
}

/// Returns a note for a glob of senders that no address can match: addresses contain `@`.
fn whole_sender(glob: &str) -> Option<String> {
    let may_match = glob.contains(['@', '*', '?', '[', '{', ' ']);
    (!may_match)
        .then(|| format!("--from compares whole addresses; `*{glob}*` also matches a part of one"))
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
    lines: Option<LinesSince>,
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
        .headers(if flags.walk.headers { Headers::Identifiers } else { Headers::Text })
        .dedupe(match flags.walk.dedupe {
            Some(DedupeMode::Message) => Dedupe::Message,
            Some(DedupeMode::Thread) => Dedupe::Thread,
            None if flags.walk.all_parts => Dedupe::Never,
            None => Dedupe::Parts,
        })
        .references(if flags.rewrite.resolve {
            References::Resolved { retrieval: flags.rewrite.base.clone() }
        } else {
            References::AsWritten
        })
        .walk(walk(&flags.walk)?)
        .order(if flags.modes.unique {
            // "The first match of a URI" needs an order of files that is the same in every run.
            Order::Path
        } else {
            order(flags.output.sort)
        })
        .binary(binary(&flags.walk))
        .compressed(if flags.walk.search_compressed {
            Compressed::Unpacked
        } else {
            Compressed::AsStored
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
        WalkError::UnknownType(name) => {
            let known = file_types(&[]).unwrap_or_default();
            let names = Spellings::new(known.iter().map(|(name, _)| name.as_str()));
            let advice = match (name.contains(','), names.nearest(name)) {
                // ripgrep takes no lists here either.
                (true, _) => "repeat the flag for each type; --type-list prints all".to_owned(),
                (false, Some(near)) => {
                    format!("did you mean `{near}`? --type-list prints all types")
                }
                (false, None) => "--type-list prints all types".to_owned(),
            };
            CliError::general(format!("{error}; {advice}"))
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

/// Outputs that print the number of rejected candidates need an exact count.
fn rejections(flags: &SearchFlags, format: OutputFormat) -> Rejections {
    let has_number = flags.modes.stats || format == OutputFormat::Sarif;
    if has_number || flags.select.no_prefilter { Rejections::Counted } else { Rejections::Ignored }
}

/// Builds the finder that the flags describe.
pub fn finder(flags: &SearchFlags) -> Finder {
    finder_builder(flags).build()
}

/// Returns the builder of [`finder`], for further settings.
pub fn finder_builder(flags: &SearchFlags) -> FinderBuilder {
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
}

/// Returns `on` if the flag is set.
fn given<T: Default>(flag: bool, on: T) -> T {
    if flag { on } else { T::default() }
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
    if flags.text || flags.binary || flags.unrestricted >= 3 {
        Binary::Search
    } else {
        Binary::Skip
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
