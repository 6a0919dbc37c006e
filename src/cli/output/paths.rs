//! `--files-with-matches`, `--files-without-match`, `--files`: one path per file.
use serde::Serialize;
use urigrep::output::json::push;
use urigrep::output::report::Report;
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
}

impl PathList {
    /// Appends the heading of a table.
    pub fn open(&self, out: &mut Vec<u8>) {
        if let TallyFormat::Table(table) = self.format {
            table.row(self.style.escaping, [&b"path"[..]], out);
        }
    }

    pub fn path(&self, input: &Input, out: &mut Vec<u8>) {
        match self.format {
            TallyFormat::Text => {
                self.style.linked_path(input, out);
                out.push(self.terminator);
            }
            TallyFormat::Table(table) => {
                table.row(self.style.escaping, [input.display_path()], out);
            }
            TallyFormat::Json => {
                push(&FileRecord { r#type: "file", path: Bytes(input.display_path()) }, out);
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
            return ExitMatch::NoMatch;
        }
        self.list.path(input, out);
        ExitMatch::Match
    }
}
