//! Chooses the output and its format.

use urigrep::reference::{Fragment, Normalizer};
use urigrep::search::{ContextLines, Report};

use super::style::path_style;
use super::{finder, given};
use crate::cli::flags::SearchFlags;
use crate::cli::flags::output::{ModeFlags, OutputFlags};
use crate::cli::flags::rewrite::RewriteFlags;
use crate::cli::flags::values::OutputFormat;
use crate::cli::output::{
    Context, ContextOptions, Count, CountOptions, Counted, CsvOutput, Distinct, JsonEnding,
    JsonOutput, Layout, Levels, ListedFiles, Mode, PageReport, PathList, Paths, Register, Sarif,
    TableFormat, Tally, TallyFormat, TallyOf, TallyOptions, Templated, Text, TextOptions,
    UnreadFiles, UriForm, UriSpelling,
};

pub(super) fn report(flags: &SearchFlags) -> Report {
    if flags.select.invalid { Report::Rejected } else { Report::Matches }
}

/// True when each record is about a file, not about a match.
pub(super) fn is_list(modes: &ModeFlags) -> bool {
    modes.count || modes.files_with_matches || modes.files_without_match || modes.unread
}

pub(super) fn mode(
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
    } else if modes.unread {
        Mode::Unread(UnreadFiles { list: path_list(flags, format, on_terminal) })
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
    let mode = if flags.rewrite.defang { Mode::Defanged(Box::new(mode), normalizer) } else { mode };
    // Redacting comes last, so it is the outermost stage: every stage after it, the page too, gets
    // no secret.
    match flags.rewrite.redact {
        Some(names) => Mode::Redacted(Box::new(mode), names.into()),
        None => mode,
    }
}

pub(super) fn normalizer(flags: &SearchFlags) -> Normalizer {
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

pub(super) fn path_list(flags: &SearchFlags, format: OutputFormat, on_terminal: bool) -> PathList {
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
    // These modes stop at the first match of a file, and rejected candidates have no URI to
    // compare.
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
    let table = |table| {
        Mode::Csv(CsvOutput::new(table, normalizer, escaping).columns(&flags.modes.columns))
    };
    match (format, &flags.modes.template) {
        (OutputFormat::Csv, _) => table(TableFormat::Csv),
        (OutputFormat::Tsv, _) => table(TableFormat::Tsv),
        (OutputFormat::Sarif, _) => Mode::Sarif(Sarif::new(report(flags), normalizer)),
        (OutputFormat::Template, Some(template)) => {
            Mode::Template(Templated::new(template.clone(), normalizer, escaping))
        }
        _ => {
            let explaining = flags.output.explain.then(|| finder(flags));
            let ending = if flags.modes.stats { JsonEnding::Summary } else { JsonEnding::Record };
            Mode::Json(JsonOutput::new(normalizer, explaining, ending))
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
    let text = Text::new(TextOptions {
        layouts: layouts.clone(),
        null: output.null,
        replacement: modes.replace.clone(),
        spelling: spelling(&flags.rewrite),
        style: style.clone(),
        explaining,
        by_message: output.group_by.is_some(),
    });
    match context_lines(modes) {
        None => Mode::Text(text),
        Some(lines) => Mode::Context(Context::new(ContextOptions {
            lines,
            layouts,
            style,
            null: output.null,
            text,
        })),
    }
}

/// Returns the lines to print, if lines are printed.
fn context_lines(modes: &ModeFlags) -> Option<ContextLines> {
    let ModeFlags { after_context, before_context, context, passthru, .. } = modes;
    if *passthru {
        return Some(ContextLines::All);
    }
    // `-A 0` prints the lines of matches themselves, so 0 is not the same as no flag.
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
