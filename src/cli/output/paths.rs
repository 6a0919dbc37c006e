//! `--files-with-matches`, `--files-without-match`, `--files`, `--unread`: one path per file.
use serde::Serialize;
use urigrep::internal::output::json::push;
use urigrep::internal::output::report::Report;
use urigrep::search::{Bytes, Flow, Hit, Input};

use super::Summary;
use super::tally::TallyFormat;
use super::{ExitMatch, PathStyle, Printer};

/// The options for listing paths.
#[derive(Clone, Debug)]
pub struct PathList {
    pub style: PathStyle,
    pub terminator: u8,
    pub format: TallyFormat,
}

#[derive(Serialize)]
struct FileRecord<'a> {
    r#type: &'static str,
    path: Bytes<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl PathList {
    /// Appends the heading of a table.
    pub fn open(&self, out: &mut Vec<u8>) {
        self.heading(&[b"path"], out);
    }

    fn heading(&self, columns: &[&[u8]], out: &mut Vec<u8>) {
        if let TallyFormat::Table(table) = self.format {
            table.row(self.style.escaping, columns.iter().copied(), out);
        }
    }

    pub fn path(&self, input: &Input, out: &mut Vec<u8>) {
        self.record(input, None, out);
    }

    /// Appends a path, and beside it a reason, which plain text leaves out.
    fn record(&self, input: &Input, reason: Option<&str>, out: &mut Vec<u8>) {
        match self.format {
            TallyFormat::Text => {
                self.style.linked_path(input, out);
                out.push(self.terminator);
            }
            TallyFormat::Table(table) => {
                let reason = reason.map(str::as_bytes);
                let cells = [input.display_path()].into_iter().chain(reason);
                table.row(self.style.escaping, cells, out);
            }
            TallyFormat::Json => {
                let path = Bytes(input.display_path());
                push(&FileRecord { r#type: "file", path, reason }, out);
            }
        }
    }
}

/// Which files are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedFiles {
    WithMatch,
    WithoutMatch,
}

#[derive(Clone, Debug)]
pub struct Paths {
    pub files: ListedFiles,
    pub list: PathList,
}

impl Report<Summary> for Paths {
    fn open(&self, out: &mut Vec<u8>) {
        self.list.open(out);
    }
}

impl Printer for Paths {
    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopInput
    }

    fn finish(&mut self, input: &Input, hits: u64, out: &mut Vec<u8>) -> ExitMatch {
        let files = if hits > 0 { ListedFiles::WithMatch } else { ListedFiles::WithoutMatch };
        if files != self.files {
            // The status tells whether a path was listed. So `--files-without-match` succeeds if a
            // file has no match, as in ripgrep.
            return ExitMatch::NoMatch;
        }
        self.list.path(input, out);
        ExitMatch::Match
    }
}

/// `--files --unread`: the files that a search leaves out, because of what their first bytes are.
#[derive(Clone, Debug)]
pub struct UnreadFiles {
    pub list: PathList,
}

impl Report<Summary> for UnreadFiles {
    fn open(&self, out: &mut Vec<u8>) {
        self.list.heading(&[b"path", b"reason"], out);
    }
}

impl Printer for UnreadFiles {
    /// The first bytes have decided before the first hit, so nothing more of the file is read.
    fn hit(&mut self, _hit: &Hit<'_>, _out: &mut Vec<u8>) -> Flow {
        Flow::StopInput
    }

    fn left_out(&mut self, input: &Input, reason: &str, out: &mut Vec<u8>) -> ExitMatch {
        self.list.record(input, Some(reason), out);
        ExitMatch::Match
    }

    fn finish(&mut self, _input: &Input, _hits: u64, _out: &mut Vec<u8>) -> ExitMatch {
        ExitMatch::NoMatch
    }
}
