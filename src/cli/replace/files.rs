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

/// An input with its changes.
pub struct ChangedInput {
    pub input: Input,
    /// The old bytes; those of a file can be replaced.
    pub source: FileSource,
    pub edits: Vec<Edit>,
    pub changed: Changed,
    /// Changes that were refused before the text was read, by reason.
    pub refused: Vec<Refusal>,
    /// Names of namespaces and the like that stayed.
    pub names: u64,
    /// Rejected candidates that would change if they were URIs.
    pub rejected: u64,
    pub problems: Vec<Problem>,
}

/// The old bytes of an input.
pub enum FileSource {
    File(FileSnapshot),
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

/// The settings of a replacement: what is selected, and how it changes.
pub struct Replacer {
    pub search: Search,
    /// The URIs to change.
    pub selection: Selection,
    pub transformation: Transformation,
    pub words: WordTreatment,
}

impl Replacer {
    /// Changes the text of an input; nothing is written.
    pub fn change(&self, input: &Input) -> ChangedInput {
        let mut found = FoundEdits::new(self);
        let source = match input.path() {
            Some(path) => self.search_file(path, input, &mut found),
            None => read_stdin().map(|bytes| {
                self.search.reader(bytes.as_slice(), input, &mut found);
                FileSource::Stdin(bytes)
            }),
        };
        let FoundEdits { mut edits, refused, names, rejected, mut problems, .. } = found;
        let source = source.unwrap_or_else(|message| {
            problems.push(Problem::new(ProblemKind::Read, input.display_path(), message));
            FileSource::Unread
        });
        edits.sort_by_key(Edit::bytes);
        if self.words == WordTreatment::Redacted {
            // Places that have an edit are left out, and the lists are halved to find them. So the
            // edits are sorted before each step.
            let values = change::redacted_values(source.bytes(), &edits);
            edits.extend(values);
            edits.sort_by_key(Edit::bytes);
            let words = change::redacted_words(source.bytes(), &edits);
            edits.extend(words);
        }
        let changed = change::apply(&self.search, input, source.bytes(), &edits);
        ChangedInput {
            input: input.clone(),
            source,
            edits,
            changed,
            refused,
            names,
            rejected,
            problems,
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
        match is_needed && !found.is_binary {
            true => {
                let file = FileSnapshot::read(path).map_err(|error| error.to_string())?;
                Ok(FileSource::File(file))
            }
            false => Ok(FileSource::Unread),
        }
    }
}

fn read_stdin() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    // One byte more tells an input that is too large from one that just fits.
    let mut stdin = io::stdin().lock().take(MAX_CHANGED_BYTES + 1);
    stdin.read_to_end(&mut bytes).map_err(|error| describe(&error))?;
    match bytes.len() as u64 > MAX_CHANGED_BYTES {
        true => Err(format!("larger than {} MiB; change a file instead", MAX_CHANGED_BYTES >> 20)),
        false => Ok(bytes),
    }
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

    fn add(&mut self, hit: &Hit<'_>, to: Replacement) {
        let input = hit.input();
        // Its offsets are those of the member or the stream, and not of the file.
        match input.level() == Level::Member || input.stream().is_some() {
            true => self.refused.push(Refusal::Member),
            false => self.edits.push(Edit::new(hit.bytes(), hit.finding().as_bytes(), to)),
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
