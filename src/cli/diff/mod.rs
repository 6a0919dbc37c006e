//! `urigrep diff`: the URIs that two files, trees, archives, or revisions differ in.

mod compare;
mod places;
mod side;

use std::collections::HashSet;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use urigrep::redact_text;
use urigrep::reference::{Fragment, Normalizer};
use urigrep::search::Bytes;

use super::config;
use super::diagnostics::{Diagnostics, complain};
use super::error::CliError;
use super::flags::SearchFlags;
use super::flags::diff::{ChangeKind, DiffFlags};
use super::output::{LINE, PATH, PathStyle};
use super::status::Status;
use super::stdout::print;
use compare::{Change, Comparison, compare};
use places::{KnownUris, PlacesSink, SidePlaces, UriPlace, align};
use side::sides;
use urigrep::internal::output::json::{SummaryRecord, push};

const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const MOVED: Style = AnsiColor::Cyan.on_default();

pub fn run(flags: &DiffFlags) -> Status {
    if flags.walk.type_list {
        return config::print_types(&flags.walk);
    }
    diff(flags).unwrap_or_else(|error| {
        complain(&error.to_string());
        Status::Error
    })
}

fn diff(flags: &DiffFlags) -> Result<Status, CliError> {
    let started = Instant::now();
    let search = SearchFlags::of_verb(&flags.select, &flags.recognize, &flags.walk)?;
    let search = config::search_with(&search, |builder| builder)?;
    let normalizer = Normalizer::new().fragment(if flags.how.no_fragment {
        Fragment::Removed
    } else {
        Fragment::Kept
    });
    let diagnostics = Diagnostics::default();
    let mut known = KnownUris::default();
    let mut both = Vec::new();
    let mut said = HashSet::new();
    let overlap = || {
        let old = flags.old.display();
        let default = "the current directory, the default of NEW";
        CliError::general(format!("`{old}` and {default}, overlap; name NEW, too"))
    };
    for side in &sides(&flags.old, flags.new.as_deref())? {
        // An archive in the tree is not searched with the tree, so it is another version of it.
        let is_alone = both.is_empty() && flags.new.is_none();
        let overlaps = is_alone && side.overlaps_current_directory();
        if overlaps && Path::new(&flags.old).is_dir() {
            return Err(overlap());
        }
        let mut sink = PlacesSink::new(&mut known, normalizer, side.prefix());
        side.search(&search, &mut sink)?;
        if sink.is_full() {
            return Err(CliError::general("out of memory for distinct URIs"));
        }
        let (places, problems) = sink.into_places();
        for problem in &problems {
            // A file that is the same in both revisions has the same problem and path on both
            // sides.
            if said.insert(problem.to_string()) {
                diagnostics.report(problem);
            }
        }
        if overlaps && !places.is_archive {
            return Err(overlap());
        }
        both.push(places);
    }
    let [old, new] = both.as_mut_slice() else { return Ok(Status::Error) };
    align(old, new);
    let mut comparison = compare(&known, old, new);
    let only = &flags.how.only;
    // Before the status is decided, so that `--only` also decides whether the sides differ.
    comparison.changes.retain(|change| only.is_empty() || only.contains(&change.kind()));
    let printer = DiffPrinter { flags, known: &known, old, new };
    let printed = if flags.how.quiet {
        Status::Match
    } else {
        print(&printer.all(&comparison, diagnostics.errors(), started.elapsed()))
    };
    // The summary is for people: a pipe gets lines only, and JSON has a summary of its own.
    if !flags.how.quiet && !flags.how.json && stdout().is_terminal() {
        diagnostics.note(b"", &DiffCounts::new(&comparison, 0).sentence());
    }
    Ok(match (printed, diagnostics.errors(), comparison.changes.is_empty()) {
        (Status::Error, _, _) | (_, 1.., _) => Status::Error,
        (_, 0, true) => Status::Match,
        // As in diff(1), the status 1 says that the sides differ.
        (_, 0, false) => Status::NoMatch,
    })
}

/// The numbers of the summary.
#[derive(Serialize)]
struct DiffCounts {
    removed: u64,
    added: u64,
    moved: u64,
    same: u64,
    errors: u64,
}

impl DiffCounts {
    fn new(comparison: &Comparison<'_>, errors: u64) -> Self {
        let count =
            |kind| comparison.changes.iter().filter(|change| change.kind() == kind).count() as u64;
        Self {
            removed: count(ChangeKind::Removed),
            added: count(ChangeKind::Added),
            moved: count(ChangeKind::Moved),
            same: comparison.same,
            errors,
        }
    }

    fn sentence(&self) -> String {
        let Self { removed, added, moved, same, .. } = self;
        format!("{removed} removed, {added} added, {moved} moved, {same} the same")
    }
}

/// A difference in JSON. A moved URI has its old place in `from`.
#[derive(Serialize)]
struct ChangeRecord<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    place: DiffPlaceRecord<'a>,
    uri: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<DiffPlaceRecord<'a>>,
}

#[derive(Serialize)]
struct DiffPlaceRecord<'a> {
    path: Bytes<'a>,
    line: u64,
    /// The place that readers of the document see instead of a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'a str>,
}

struct DiffPrinter<'d> {
    flags: &'d DiffFlags,
    known: &'d KnownUris,
    old: &'d SidePlaces,
    new: &'d SidePlaces,
}

impl DiffPrinter<'_> {
    fn all(&self, comparison: &Comparison<'_>, errors: u64, elapsed: Duration) -> Vec<u8> {
        let mut out = Vec::new();
        let style = config::style_of_stdout(self.flags.how.color, None);
        for change in &comparison.changes {
            if self.flags.how.json {
                self.record(change, &mut out)
            } else {
                self.line(change, &style, &mut out)
            }
        }
        if self.flags.how.json {
            push(&SummaryRecord::new(DiffCounts::new(comparison, errors), elapsed), &mut out);
        }
        out
    }

    fn record(&self, change: &Change<'_>, out: &mut Vec<u8>) {
        let of = Self::place_record;
        let (r#type, place, from) = match (change.old, change.new) {
            (Some(old), Some(new)) => ("moved", of(self.new, new), Some(of(self.old, old))),
            (Some(old), None) => ("removed", of(self.old, old), None),
            (None, Some(new)) => ("added", of(self.new, new), None),
            (None, None) => return,
        };
        let uri = self.uri(change);
        push(&ChangeRecord { r#type, place, uri: &uri, from }, out);
    }

    fn place_record<'p>(side: &'p SidePlaces, place: &'p UriPlace) -> DiffPlaceRecord<'p> {
        DiffPlaceRecord {
            path: Bytes(shown_path(side, place)),
            line: place.line,
            page: place.page.as_deref(),
        }
    }

    /// Appends `- PATH:LINE:URI`; a moved URI is at its new place, and its old one follows.
    fn line(&self, change: &Change<'_>, style: &PathStyle, out: &mut Vec<u8>) {
        let (sign, color) = match change.kind() {
            ChangeKind::Removed => ("-", REMOVED),
            ChangeKind::Added => ("+", ADDED),
            ChangeKind::Moved => ("~", MOVED),
        };
        style.colors.text(color, sign, out);
        out.push(b' ');
        if let Some(new) = change.new {
            Self::place(self.new, new, style, out);
        } else if let Some(old) = change.old {
            Self::place(self.old, old, style, out);
        }
        out.push(b':');
        let uri = self.uri(change);
        style.colors.paint(color, out, |out| style.escaping.push(uri.as_bytes(), out));
        if let (Some(old), Some(_)) = (change.old, change.new) {
            out.extend_from_slice(b" (from ");
            Self::place(self.old, old, style, out);
            out.push(b')');
        }
        out.push(b'\n');
    }

    fn place(side: &SidePlaces, place: &UriPlace, style: &PathStyle, out: &mut Vec<u8>) {
        let path = shown_path(side, place);
        style.colors.paint(PATH, out, |out| style.escaping.push(path, out));
        out.push(b':');
        style.colors.paint(LINE, out, |out| match &place.page {
            Some(page) => style.escaping.push(page.as_bytes(), out),
            None => out.extend_from_slice(place.line.to_string().as_bytes()),
        });
    }

    fn uri(&self, change: &Change<'_>) -> String {
        let number = change.new.or(change.old).map_or(u32::MAX, |place| place.uri);
        let uri = self.known.uris.get(number as usize);
        let text = uri.map_or("", |uri| &uri.text);
        if self.flags.how.redact { redact_text(text).into_owned() } else { text.to_owned() }
    }
}

fn shown_path<'p>(side: &'p SidePlaces, place: &UriPlace) -> &'p [u8] {
    side.files.get(place.file as usize).map_or(&[], |file| &file.shown)
}
