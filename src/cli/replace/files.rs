//! Changes one input: finds its URIs, and applies the edits.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use urigrep::Finding;
use urigrep::change::{self, Changed, Edit, FileSnapshot, MAX_CHANGED_BYTES, Refusal, Replacement};
use urigrep::search::{
    Flow, Hit, Input, Level, Needs, Positions, Problem, ProblemKind, Search, Selection, Sink,
    describe,
};

use super::transform::Transformation;
use crate::cli::tree_files::TreeFiles;

/// An input with its changes.
pub struct ChangedInput {
    pub input: Input,
    /// The offset of the old bytes in the input.
    pub offset: u64,
    /// The old bytes; those of a file can be replaced.
    pub source: FileSource,
    pub edits: Vec<Edit>,
    pub changed: Changed,
    /// Changes that were refused before the text was read, by reason.
    pub refused: Vec<Refusal>,
    /// Number of namespaces and other names that were not changed.
    pub names: u64,
    /// Rejected candidates that would change if they were URIs.
    pub rejected: u64,
    pub problems: Vec<Problem>,
}

/// The old bytes of an input.
pub enum FileSource {
    File(Box<FileSnapshot>),
    Stdin(Vec<u8>),
    /// It was not read: nothing changes.
    Unread,
}

impl FileSource {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::File(file) => file.bytes(),
            Self::Stdin(bytes) => bytes,
            Self::Unread => &[],
        }
    }
}

/// Selects whether secrets in words that are not URIs are replaced, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordTreatment {
    Kept,
    Redacted,
}

/// Selects which edits of a text must be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trials {
    /// All edits must be read back.
    Whole,
    /// As many edits as a bounded number of reads can prove.
    Parts,
}

/// The settings of a replacement: the selection, and the change.
#[derive(Clone)]
pub struct Replacer {
    pub search: Search,
    /// The URIs to change.
    pub selection: Selection,
    pub transformation: Transformation,
    pub words: WordTreatment,
    pub files: TreeFiles,
}

impl Replacer {
    /// Changes the text of an input; nothing is written.
    pub fn change(&self, input: &Input) -> ChangedInput {
        let Some(path) = input.path() else { return self.change_stdin(input, Vec::new()) };
        let mut found = FoundEdits::new(self);
        let source = self.search_file(path, input, &mut found);
        self.changed(input, source, found)
    }

    /// Changes standard input as a whole, of which some was read.
    pub fn change_stdin(&self, input: &Input, head: Vec<u8>) -> ChangedInput {
        let mut found = FoundEdits::new(self);
        let source = read_stdin(head).map(|bytes| {
            self.search.reader(bytes.as_slice(), input, &mut found);
            FileSource::Stdin(bytes)
        });
        self.changed(input, source, found)
    }

    fn changed(
        &self,
        input: &Input,
        source: Result<FileSource, String>,
        mut found: FoundEdits<'_>,
    ) -> ChangedInput {
        let source = source.unwrap_or_else(|message| {
            found.problems.push(Problem::new(ProblemKind::Read, input.display_path(), message));
            FileSource::Unread
        });
        self.add_words(b"", source.bytes(), &mut found.edits);
        let changed = change::apply(&self.search, input, source.bytes(), &found.edits);
        self.force(found.into_changed(input, 0, source, changed))
    }

    /// Changes a part of a plain text that depends on nothing else, except for secrets that the
    /// text `before` it names. With [`Trials::Whole`], `None` if some edit is not read back.
    pub fn change_part(
        &self,
        before: &[u8],
        offset: u64,
        part: &[u8],
        trials: Trials,
    ) -> Option<ChangedInput> {
        let mut found = FoundEdits::new(self);
        // Not standard input, which would be unpacked if it looked like an archive.
        self.search.reader(part, &Input::in_tree("-"), &mut found);
        self.add_words(before, part, &mut found.edits);
        let changed = match trials {
            Trials::Whole => change::apply_all_to_text(&self.search, part, &found.edits)?,
            Trials::Parts => change::apply_to_text(&self.search, part, &found.edits),
        };
        let source = FileSource::Stdin(part.to_vec());
        Some(self.force(found.into_changed(&Input::stdin(), offset, source, changed)))
    }

    /// Removes the secrets of edits that were refused.
    fn force(&self, changed: ChangedInput) -> ChangedInput {
        let ChangedInput { source, edits, changed: made, .. } = &changed;
        match self.words {
            _ if made.refused().is_empty() => changed,
            WordTreatment::Kept => changed,
            WordTreatment::Redacted => {
                let made = change::force_redactions(source.bytes(), edits, made.clone());
                ChangedInput { changed: made, ..changed }
            }
        }
    }

    /// Sorts the edits, and adds those of secrets in words.
    fn add_words(&self, before: &[u8], text: &[u8], edits: &mut Vec<Edit>) {
        match self.words {
            WordTreatment::Kept => edits.sort_by_key(Edit::bytes),
            WordTreatment::Redacted => {
                *edits = change::with_redactions(before, text, std::mem::take(edits));
            }
        }
    }

    /// Searches a file, and reads it again if it changes: few files do.
    fn search_file(
        &self,
        path: &Path,
        input: &Input,
        found: &mut FoundEdits<'_>,
    ) -> Result<FileSource, String> {
        let file = File::open(path).map_err(|error| describe(&error))?;
        self.search.reader(file, input, found);
        // Secrets may stand in words that are not URIs.
        let is_needed = !found.edits.is_empty() || self.words == WordTreatment::Redacted;
        // A file that was left out as binary is never changed, so its size is not a reason to fail.
        if is_needed && !found.is_binary {
            let file = self.files.read(input, path).map_err(|error| error.to_string())?;
            Ok(FileSource::File(Box::new(file)))
        } else {
            Ok(FileSource::Unread)
        }
    }
}

/// Reads all of standard input, of which some was read.
fn read_stdin(head: Vec<u8>) -> Result<Vec<u8>, String> {
    let mut bytes = head;
    // One byte more tells an input that is too large from one that just fits.
    let mut stdin =
        io::stdin().lock().take((MAX_CHANGED_BYTES + 1).saturating_sub(bytes.len() as u64));
    stdin.read_to_end(&mut bytes).map_err(|error| describe(&error))?;
    if bytes.len() as u64 > MAX_CHANGED_BYTES { Err(too_large()) } else { Ok(bytes) }
}

pub fn too_large() -> String {
    format!("larger than {} MiB; change a file instead", MAX_CHANGED_BYTES >> 20)
}

/// Collects the edits of an input.
struct FoundEdits<'r> {
    replacer: &'r Replacer,
    edits: Vec<Edit>,
    refused: Vec<Refusal>,
    names: u64,
    rejected: u64,
    problems: Vec<Problem>,
    is_binary: bool,
}

impl<'r> FoundEdits<'r> {
    fn new(replacer: &'r Replacer) -> Self {
        Self {
            replacer,
            edits: Vec::new(),
            refused: Vec::new(),
            names: 0,
            rejected: 0,
            problems: Vec::new(),
            is_binary: false,
        }
    }

    fn into_changed(
        self,
        input: &Input,
        offset: u64,
        source: FileSource,
        changed: Changed,
    ) -> ChangedInput {
        ChangedInput {
            input: input.clone(),
            offset,
            source,
            edits: self.edits,
            changed,
            refused: self.refused,
            names: self.names,
            rejected: self.rejected,
            problems: self.problems,
        }
    }

    fn add(&mut self, hit: &Hit<'_>, to: Replacement) {
        let input = hit.input();
        // Its offsets are those of the member or the stream, and not of the file.
        if input.level() == Level::Member || input.stream().is_some() {
            self.refused.push(Refusal::Member)
        } else {
            self.edits.push(Edit::new(hit.bytes(), hit.finding().as_bytes(), to))
        }
    }
}

impl Sink for FoundEdits<'_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let transformation = &self.replacer.transformation;
        match transformation.of_match(hit) {
            Ok(Some(_)) if transformation.keeps(hit) => self.names += 1,
            Ok(Some(to)) => self.add(hit, to),
            Ok(None) => {}
            Err(refusal) => self.refused.push(refusal),
        }
        Flow::Continue
    }

    fn rejected(&mut self, hit: &Hit<'_>) -> Flow {
        let Replacer { transformation, selection, .. } = self.replacer;
        if let Some(to) = transformation.of_rejected(hit) {
            self.add(hit, to);
        }
        if let Finding::Rejected(rejected) = hit.finding() {
            self.rejected += u64::from(transformation.misses(rejected, selection));
        }
        Flow::Continue
    }

    fn problem(&mut self, problem: &Problem) {
        self.problems.push(problem.clone());
    }

    fn finish(&mut self, _: &Input, result: &urigrep::search::SearchResult) {
        self.is_binary |= result.end.is_left_out();
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().positions(Positions::Ignored)
    }
}
