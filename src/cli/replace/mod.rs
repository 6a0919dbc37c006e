//! `urigrep replace`: changes URIs in files and in standard input.

mod files;
mod prefix;
mod stream;
mod transform;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;
use urigrep::Uri;
use urigrep::change::{DiffNames, Refusal, SecretBlocks, TextDivider, has_diff, unified_diff};
use urigrep::internal::NO_DIFF;
use urigrep::internal::catch_panic;
use urigrep::reference::Normalizer;
use urigrep::search::{
    Binary, Bytes, Compressed, Input, Mail, Markup, Problem, ProblemKind, Report, Root, Search,
    TextEncoding, Visit, describe,
};

use super::config::{self, walk_error};
use super::diagnostics::{Diagnostics, complain};
use super::error::CliError;
use super::flags::SearchFlags;
use super::flags::replace::ReplaceFlags;
use super::flags::select::SelectFlags;
use super::git::MovedFiles;
use super::limits::limits;
use super::patch;
use super::roots::existing;
use super::selection::selection;
use super::status::Status;
use super::stdout::{Stdout, failed_output, is_broken_pipe, target};
use super::tree_files::TreeFiles;
use files::{ChangedInput, FileSource, Replacer, WordTreatment};
use prefix::PrefixRule;
use transform::{Names, Transformation};
use urigrep::internal::output::json::push;

const NO_PATTERN: &str = "FROM and TO come before the paths";

pub fn run(flags: &ReplaceFlags) -> Status {
    if flags.walk.type_list {
        return config::print_types(&flags.walk);
    }
    replace(flags).unwrap_or_else(|error| {
        complain(&error.to_string());
        Status::Error
    })
}

fn refuse_in_place(select: &SelectFlags) -> Result<(), CliError> {
    // `sed -i` and `perl -i` write files in place. Here `-i` is the flag of grep, so that habit
    // would print a diff and change nothing.
    if select.ignore_case && select.regexp.is_empty() && select.regexp_files.is_empty() {
        let message = "ignores case in --regexp, which is not given; --write changes the files";
        return Err(CliError::invalid("-i", message));
    }
    Ok(())
}

fn refuse_bad_values(flags: &ReplaceFlags) -> Result<(), CliError> {
    // A URI with every component shows a bad value before the first file is touched. For each URI
    // of the files, an error only means that the change does not apply to it.
    if let Ok(sample) = urigrep::UriBuf::parse("https://user@www.example:8080/a?b=c#d")
        && let Err(error) = flags.transform.apply(sample.as_uri())
    {
        return Err(CliError::general(format!("the new value is not valid in a URI: {error}")));
    }
    Ok(())
}

/// Returns a search that reads everything as text.
fn text_search(flags: &SearchFlags) -> Result<Search, CliError> {
    // No part of a text is a document or an archive, whatever it looks like.
    config::search_with(flags, |builder| {
        builder
            .report(Report::All)
            .markup(Markup::Never)
            .mail(Mail::Never)
            .encoding(TextEncoding::Raw)
            .binary(Binary::Search)
            .compressed(Compressed::AsStored)
    })
}

fn replace(flags: &ReplaceFlags) -> Result<Status, CliError> {
    refuse_in_place(&flags.select)?;
    let (prefix, paths) = prefix_and_paths(flags)?;
    let roots = flags.scope.roots(paths)?;
    if flags.how.write && roots.iter().any(|root| matches!(root, Root::Stdin)) {
        return Err(CliError::needs("--write", "a file or directory"));
    }
    refuse_bad_values(flags)?;
    let lines = flags.scope.lines(&roots, MovedFiles::AreTheSame)?;
    let is_stream = lines.is_none() && matches!(roots.as_slice(), [Root::Stdin]);
    let search = search_flags(flags)?;
    let replacer = Replacer {
        // Words have no lines.
        words: if flags.rewrite.redact && lines.is_none() {
            WordTreatment::Redacted
        } else {
            WordTreatment::Kept
        },
        selection: selection(&search, &limits(&flags.walk.limit))?,
        search: config::search_with(&search, |builder| {
            // Secrets are removed from rejected candidates, and those that stay are counted.
            let builder = builder.report(Report::All);
            match lines {
                Some(lines) => lines.limit(builder),
                None => builder,
            }
        })?,
        files: TreeFiles::new(&roots, flags.walk.follow),
        transformation: Transformation {
            prefix,
            edits: flags.transform.clone(),
            rewrite: flags.rewrite.clone(),
            normalizer: Normalizer::new(),
            names: if flags.select.role.is_empty() { Names::Kept } else { Names::Changed },
        },
    };
    let (existing, problems) = existing(&roots, |_| NO_PATTERN);
    let mut output = ReplaceOutput::new(flags)?;
    for problem in &problems {
        output.diagnostics.report(problem);
    }
    let blocks = match replacer.words {
        WordTreatment::Redacted => SecretBlocks::Kept,
        WordTreatment::Kept => SecretBlocks::Divided,
    };
    if is_stream && let Some(divider) = TextDivider::new(&replacer.search, blocks) {
        let as_text = text_search(&search)?;
        let lines = Replacer { search: as_text, ..replacer.clone() };
        stream::change_stdin(&replacer, &lines, divider, &mut output);
        return Ok(output.finish(&replacer.transformation));
    }
    let work = |visit| match visit {
        Visit::Search(input) => Some(change_caught(&replacer, &input)),
        Visit::Problem(problem) => Some(Err(problem)),
        Visit::Skip(_) => None,
    };
    let take = |changed| {
        match changed {
            Some(Ok(changed)) => output.take(changed),
            Some(Err(problem)) => output.diagnostics.report(&problem),
            None => {}
        }
        // Who reads the output may go, but the files are to be changed all the same.
        if output.stdout.is_closed() && !flags.how.write {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let walked = replacer.search.map_inputs(existing, work, take);
    walked.map_err(|error| walk_error(&error))?;
    Ok(output.finish(&replacer.transformation))
}

fn change_caught(replacer: &Replacer, input: &Input) -> Result<ChangedInput, Problem> {
    catch_panic(|| replacer.change(input))
        .map_err(|message| Problem::new(ProblemKind::Panic, input.display_path(), message))
}

/// Splits the arguments: with a transformation, all are paths.
fn prefix_and_paths(
    flags: &ReplaceFlags,
) -> Result<(Option<PrefixRule>, &[std::ffi::OsString]), CliError> {
    if flags.has_transformation() {
        return Ok((None, &flags.arguments));
    }
    let [from, to, paths @ ..] = flags.arguments.as_slice() else {
        return Err(CliError::general(
            "replace needs FROM and TO, or a transformation such as --set host=new.example; \
             `urigrep replace --help` lists them",
        ));
    };
    // `urigrep replace https://old.example notes.md`: the link would lead to `notes.md`.
    if paths.is_empty() && has_scheme(from) && !has_scheme(to) && Path::new(to).exists() {
        let message = format!("TO is missing before the path `{}`", to.display());
        return Err(CliError::general(message));
    }
    let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
    Ok((Some(PrefixRule::new(&from, &to).map_err(CliError::general)?), paths))
}

fn has_scheme(argument: &OsStr) -> bool {
    argument.to_str().is_some_and(|text| Uri::parse(text).is_ok())
}

/// Returns the flags of the search that finds the URIs.
fn search_flags(flags: &ReplaceFlags) -> Result<SearchFlags, CliError> {
    if flags.walk.encoding.is_some() {
        return Err(CliError::invalid(
            "--encoding",
            "replace changes files in ASCII-compatible encodings, UTF-16, and UTF-32, which are recognized",
        ));
    }
    if flags.select.invalid {
        return Err(CliError::invalid(
            "--invalid",
            "`urigrep --invalid` lists rejected candidates",
        ));
    }
    let mut search = SearchFlags::of_verb(&flags.select, &flags.recognize, &flags.walk)?;
    // A URI that both alternatives of a message have is changed in both.
    search.walk.dedupe = None;
    search.walk.all_parts = true;
    Ok(search)
}

/// Prints or writes the changes, and counts them.
struct ReplaceOutput<'f> {
    flags: &'f ReplaceFlags,
    colors: super::output::Colors,
    stdout: Stdout,
    diagnostics: Diagnostics,
    changes: u64,
    files: u64,
    is_stdin_changed: bool,
    refused: BTreeMap<&'static str, u64>,
    names: u64,
    rejected: u64,
    /// Files that were changed: another path may lead to the same.
    written: HashSet<PathBuf>,
    /// True if a diff with what `--redact` removes was printed.
    shows_secrets: bool,
}

#[derive(Serialize)]
struct ReplaceRecord<'a> {
    r#type: &'static str,
    path: Bytes<'a>,
    start: u64,
    end: u64,
    from: Cow<'a, str>,
    to: &'a str,
    /// The reason why the change was not made.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'static str>,
}

impl<'f> ReplaceOutput<'f> {
    fn new(flags: &'f ReplaceFlags) -> Result<Self, CliError> {
        let target = target().map_err(|error| CliError::general(describe(&error)))?;
        Ok(Self {
            flags,
            colors: config::style_of_stdout(flags.how.color, None).colors,
            stdout: Stdout::new(target, b""),
            diagnostics: Diagnostics::default(),
            changes: 0,
            files: 0,
            is_stdin_changed: false,
            refused: BTreeMap::new(),
            names: 0,
            rejected: 0,
            written: HashSet::new(),
            shows_secrets: false,
        })
    }

    fn take(&mut self, changed: ChangedInput) {
        for problem in &changed.problems {
            self.diagnostics.report(problem);
        }
        let refused = changed.changed.refused().iter().map(|(_, reason)| *reason);
        for reason in changed.refused.iter().copied().chain(refused) {
            *self.refused.entry(reason.meaning()).or_default() += 1;
        }
        self.names += changed.names;
        self.rejected += changed.rejected;
        if self.flags.how.write && !self.write(&changed) {
            return;
        }
        let applied = changed.changed.applied().len() as u64;
        self.changes += applied;
        // Standard input comes in parts.
        let is_stdin = matches!(changed.source, FileSource::Stdin(_));
        if applied > 0 && !(is_stdin && self.is_stdin_changed) {
            self.files += 1;
            self.is_stdin_changed |= is_stdin;
        }
        let mut out = Vec::new();
        match (&changed.source, self.flags.how.quiet) {
            (_, true) => {}
            _ if self.flags.how.json => records(&changed, self.flags.rewrite.redact, &mut out),
            (FileSource::Stdin(_), _) => out.extend_from_slice(changed.changed.bytes()),
            (FileSource::Unread, _) => {}
            (FileSource::File(_), _) if self.flags.how.write => {}
            (FileSource::File(_), _) if applied > 0 && !has_diff(&changed.changed) => {
                let message = format!("{NO_DIFF}; `-w` changes it, and `--json` shows the changes");
                self.diagnostics.note(changed.input.display_path(), &message);
            }
            (FileSource::File(file), _) => {
                let names = DiffNames { path: changed.input.display_path() };
                self.shows_secrets |= self.flags.rewrite.redact;
                let diff = unified_diff(names, file.bytes(), &changed.changed);
                patch::paint(&diff, self.colors, &mut out);
            }
        }
        if !out.is_empty() {
            self.stdout.write(&out);
        }
    }

    /// Writes a changed file; false if that failed.
    fn write(&mut self, changed: &ChangedInput) -> bool {
        let (FileSource::File(file), false) =
            (&changed.source, changed.changed.applied().is_empty())
        else {
            return true;
        };
        // A symbolic link may lead to a file that was changed before. A second change could start
        // from the first one: `a.example` becomes `a.example/b`, and then `a.example/b/b`.
        if !self.written.insert(file.target().to_owned()) {
            return false;
        }
        let written = super::signals::shielded(|| file.replace(changed.changed.bytes()));
        let Err(error) = written else { return true };
        let path = changed.input.display_path();
        self.diagnostics.report(&Problem::new(ProblemKind::Read, path, error.to_string()));
        false
    }

    fn finish(self, transformation: &Transformation) -> Status {
        if let Some(error) = self.stdout.take_failure()
            && !is_broken_pipe(&error)
        {
            self.diagnostics.report(&failed_output(&error));
        }
        if self.shows_secrets && self.changes > 0 {
            let message = "the diff shows the secrets in the lines that it removes; for the text without them, \
                           use `urigrep replace --redact < FILE`";
            self.diagnostics.note(b"", message);
        }
        for (reason, count) in &self.refused {
            let uris = super::audit::counted(*count, "URI");
            let secrets = if self.flags.rewrite.redact { ", so secrets may stay" } else { "" };
            self.diagnostics.note(b"", &format!("{uris} not changed{secrets}: {reason}"));
        }
        if self.names > 0 && !self.flags.how.quiet {
            let names = super::audit::counted(self.names, "name");
            let message = format!(
                "{names} of namespaces, document types, and schemas not changed; `--role metadata` changes them"
            );
            self.diagnostics.note(b"", &message);
        }
        if self.rejected > 0 && !self.flags.how.quiet {
            let rejected = super::audit::counted(self.rejected, "rejected candidate");
            let message = format!(
                "{rejected} not changed, such as templates with `%s`; `urigrep --invalid` lists them"
            );
            self.diagnostics.note(b"", &message);
        }
        let is_reference = transformation.prefix.as_ref().is_some_and(|it| it.is_relative);
        // After a failure it would be untrue that there is nothing to change.
        let has_failed = self.diagnostics.errors() > 0 || !self.refused.is_empty();
        let is_known = !has_failed || self.changes > 0;
        if !self.flags.how.quiet
            && is_known
            && (self.shows_summary() || self.changes == 0 && is_reference)
        {
            self.diagnostics.note(b"", &self.summary(transformation));
        }
        match (self.diagnostics.errors(), self.refused.is_empty(), self.changes) {
            (0, true, 0) => Status::NoMatch,
            (0, true, _) => Status::Match,
            _ => Status::Error,
        }
    }

    /// True unless the output goes to a program that reads it, or is the changed text itself.
    fn shows_summary(&self) -> bool {
        self.flags.how.write || std::io::stdout().is_terminal()
    }

    fn summary(&self, transformation: &Transformation) -> String {
        let (uris, files) =
            (super::audit::counted(self.changes, "URI"), super::audit::counted(self.files, "file"));
        let is_reference = transformation.prefix.as_ref().is_some_and(|it| it.is_relative);
        match (self.changes, self.flags.how.write) {
            (0, _) if is_reference => {
                "nothing to change; FROM has no scheme, so only relative references were compared: to change a host, use \
                 `--host OLD --set host=NEW`"
                    .to_owned()
            }
            (0, _) => "nothing to change".to_owned(),
            (_, true) => format!("{uris} changed in {files}"),
            (_, false) => format!("{uris} would change in {files}; --write changes them"),
        }
    }
}

/// Appends a record per change.
fn records(changed: &ChangedInput, is_redacted: bool, out: &mut Vec<u8>) {
    let refused: BTreeMap<usize, Refusal> = changed.changed.refused().iter().copied().collect();
    let applied: HashSet<usize> = changed.changed.applied().iter().map(|it| it.edit).collect();
    for (index, edit) in changed.edits.iter().enumerate() {
        let refused = refused.get(&index).map(|reason| reason.name());
        if refused.is_none() && !applied.contains(&index) {
            continue;
        }
        let [start, end] = edit.bytes().map(|at| changed.offset + at);
        push(
            &ReplaceRecord {
                r#type: "change",
                path: Bytes(changed.input.display_path()),
                start,
                end,
                // The original text is the secret, so it must not be shown.
                from: if is_redacted {
                    edit.to().text().into()
                } else {
                    String::from_utf8_lossy(edit.from())
                },
                to: edit.to().text(),
                refused,
            },
            out,
        );
    }
}
