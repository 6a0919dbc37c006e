//! `urigrep registry`: the tables of URI schemes, URN namespaces, and document formats, or one
//! entry of them.
use clap::{Args, ValueEnum};
use serde::Serialize;
use urigrep::internal::output::json::push;
use urigrep::registry::{namespaces, schemes};

use super::formats;
use super::look::ColorFlag;
use crate::cli::diagnostics::complain;
use crate::cli::status::Status;
use crate::cli::stdout::print;

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 found, 1 not found, 2 error.",
    after_long_help = "\
Exit status:
  0  the entries were printed
  1  no such entry
  2  an error

Examples:
  urigrep registry schemes magnet
  urigrep registry namespaces isbn
  urigrep registry formats --json"
)]
pub struct RegistryFlags {
    #[arg(value_name = "TABLE", help = "Which table to print.")]
    table: RegistryTable,

    #[arg(value_name = "NAME", help = "Print only the entry of this name; case is ignored.")]
    name: Option<String>,

    #[arg(long, help = "Print one JSON object per line.")]
    json: bool,

    #[command(flatten)]
    color: ColorFlag,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum RegistryTable {
    /// URI schemes: those of IANA, and some in wide use that IANA does not list.
    Schemes,
    /// URN namespaces: the formal and informal ones of IANA.
    Namespaces,
    /// Document formats that are read: see --markup.
    Formats,
}

/// An entry of a table, and its JSON object.
#[derive(Clone, Copy, Serialize)]
struct RegistryEntry {
    r#type: &'static str,
    name: &'static str,
    status: &'static str,
    reference: &'static str,
}

impl RegistryTable {
    fn entries(self) -> Vec<RegistryEntry> {
        match self {
            Self::Schemes => schemes()
                .iter()
                .map(|info| RegistryEntry {
                    r#type: "scheme",
                    name: info.name,
                    status: info.status.name(),
                    reference: info.reference,
                })
                .collect(),
            // Document formats have other columns.
            Self::Formats => Vec::new(),
            Self::Namespaces => namespaces()
                .iter()
                .map(|info| RegistryEntry {
                    r#type: "namespace",
                    name: info.name,
                    status: info.kind.name(),
                    reference: info.reference,
                })
                .collect(),
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Schemes => "URI scheme",
            Self::Namespaces => "URN namespace",
            Self::Formats => "document format",
        }
    }
}

impl RegistryFlags {
    pub fn run(&self) -> Status {
        if self.table == RegistryTable::Formats {
            let known = |name: &String| formats::names().find(|it| it.eq_ignore_ascii_case(name));
            let wanted = match self.name.as_ref().map(|name| known(name).ok_or(name)) {
                Some(Err(name)) => return self.unknown(name, formats::names()),
                Some(Ok(name)) => Some(name),
                None => None,
            };
            return self.print(&formats::table(wanted, self.json));
        }
        let mut entries = self.table.entries();
        if let Some(name) = &self.name {
            let Some(&entry) = entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
            else {
                return self.unknown(name, entries.iter().map(|entry| entry.name));
            };
            entries = vec![entry];
        }
        self.print(&if self.json { lines(&entries) } else { columns(&entries) })
    }

    fn print(&self, lines: &str) -> Status {
        if self.json {
            return print(lines.as_bytes());
        }
        let mut out = Vec::new();
        self.color.look().table(lines, &mut out);
        print(&out)
    }

    fn unknown<'n>(&self, name: &str, names: impl Iterator<Item = &'n str>) -> Status {
        let hint = nearest(&name.to_ascii_lowercase(), names)
            .map(|near| format!("; did you mean `{near}`?"))
            .unwrap_or_default();
        complain(&format!("unknown {} `{name}`{hint}", self.table.noun()));
        Status::NoMatch
    }
}

fn lines(entries: &[RegistryEntry]) -> String {
    let mut lines = Vec::new();
    entries.iter().for_each(|entry| push(entry, &mut lines));
    String::from_utf8_lossy(&lines).into_owned()
}

fn columns(entries: &[RegistryEntry]) -> String {
    let width = |text: fn(&RegistryEntry) -> &str| {
        let widths = entries.iter().map(|entry| text(entry).len());
        widths.max().unwrap_or_default()
    };
    let (names, statuses) = (width(|entry| entry.name), width(|entry| entry.status));
    let line = |entry: &RegistryEntry| {
        let RegistryEntry { name, status, reference, .. } = entry;
        format!("{name:names$}  {status:statuses$}  {reference}\n")
    };
    entries.iter().map(line).collect()
}

/// Returns the name with the smallest edit distance from `wanted`, if that is small.
fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const MAX_LENGTH: usize = 64;
    // The distance takes time proportional to the product of both lengths. A long argument is not a
    // typing error.
    if wanted.len() > MAX_LENGTH {
        return None;
    }
    let most = 1 + wanted.len() / 4;
    names
        .map(|name| (edits(wanted.as_bytes(), name.as_bytes()), name))
        .filter(|(edits, _)| *edits <= most)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// The Levenshtein distance.
fn edits(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (y, above) in b.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(x != y);
            diagonal = *above;
            left = replaced.min(left + 1).min(diagonal + 1);
            *above = left;
        }
        row[0] = i + 1;
    }
    row.last().copied().unwrap_or_default()
}
