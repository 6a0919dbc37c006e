//! Collects the URIs to pick from: each once, at its first place.

use std::collections::HashSet;
use std::path::PathBuf;

use urigrep::Flag;
use urigrep::redact_text;
use urigrep::reference::{Fragment, Normalizer};
use urigrep::search::{Flow, Hit, Labels, Level, Needs, Positions, Problem, Sink};

use crate::cli::flags::SearchFlags;

/// Entries in the list; more are of no use to a person.
const MAX_ENTRIES: usize = 100_000;
/// Bytes of their URIs, of which there are four copies.
const MAX_URI_BYTES: usize = 8 << 20;

/// A URI to pick.
#[derive(Clone, Debug, Default)]
pub struct PickEntry {
    pub uri: String,
    /// `PATH:LINE`, or a place instead of the line.
    pub place: String,
    /// The file to show lines of.
    pub file: Option<PathBuf>,
    pub line: u64,
    pub label: Option<String>,
    pub flags: Vec<&'static str>,
    /// Its host is misleading.
    pub is_suspicious: bool,
}

#[derive(Debug)]
pub struct CollectedEntries {
    pub entries: Vec<PickEntry>,
    pub problems: Vec<Problem>,
    /// True if there were more than the list can hold.
    pub is_cut: bool,
    uri_bytes: usize,
    known: HashSet<String>,
    normalizer: Normalizer,
    redacts: bool,
}

impl CollectedEntries {
    pub fn for_flags(flags: &SearchFlags) -> Self {
        let fragment = if flags.rewrite.no_fragment { Fragment::Removed } else { Fragment::Kept };
        let normalizer = Normalizer::new().fragment(fragment);
        Self { redacts: flags.rewrite.redact.is_some(), ..Self::new(normalizer) }
    }

    fn new(normalizer: Normalizer) -> Self {
        Self {
            entries: Vec::new(),
            problems: Vec::new(),
            is_cut: false,
            uri_bytes: 0,
            known: HashSet::new(),
            normalizer,
            redacts: false,
        }
    }
}

impl Sink for CollectedEntries {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let Some(identity) = hit.identity(&self.normalizer) else { return Flow::Continue };
        // Not `insert`, which needs an owned copy of every repetition.
        if self.known.contains(&*identity) {
            return Flow::Continue;
        }
        let uri = hit.uri();
        let bytes = self.uri_bytes.saturating_add(uri.len());
        if self.entries.len() == MAX_ENTRIES || bytes > MAX_URI_BYTES {
            self.is_cut = true;
            return Flow::StopAll;
        }
        self.uri_bytes = bytes;
        self.known.insert(identity.into_owned());
        let line = hit.position().map_or(0, |position| position.line);
        let page = hit.place().filter(|place| place.replaces_line());
        let page = page.map_or_else(|| line.to_string(), ToString::to_string);
        let input = hit.input();
        let is_plain = input.stream().is_none() && input.level() == Level::File;
        let flags = hit.flags();
        let is_suspicious = [Flag::MixedScriptHost, Flag::MisleadingUserinfo, Flag::RareIp]
            .iter()
            .any(|flag| flags.contains(*flag));
        self.entries.push(PickEntry {
            uri: if self.redacts { redact_text(&uri).into_owned() } else { uri.into_owned() },
            place: format!("{}:{page}", String::from_utf8_lossy(input.display_path())),
            // With --redact, no lines of the file are shown: they hold what was removed.
            file: input.path().filter(|_| is_plain && !self.redacts).map(PathBuf::from),
            line,
            label: hit.label().map(|label| label.into_owned()).filter(|_| !self.redacts),
            flags: flags.iter().map(Flag::name).collect(),
            is_suspicious,
        });
        Flow::Continue
    }

    fn problem(&mut self, problem: &Problem) {
        self.problems.push(problem.clone());
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().positions(Positions::Bytes).labels(Labels::All)
    }
}

#[cfg(test)]
mod tests {
    use urigrep::search::{Input, Search};

    use super::*;

    /// A longer list was cut without a word, and took three times the memory of its URIs.
    #[test]
    fn a_list_is_bounded() {
        let uri = |number: usize| format!("http://h.dev/{number}{}\n", "a".repeat(1_000_000));
        let text: String = (0..10).map(uri).collect();
        let mut collected = CollectedEntries::new(Normalizer::new());
        Search::default().reader(text.as_bytes(), &Input::named("a"), &mut collected);
        assert_eq!((collected.entries.len(), collected.is_cut), (8, true));
        assert!(collected.uri_bytes <= MAX_URI_BYTES);
    }
}
