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

/// A URI to pick.
#[derive(Clone, Debug, Default)]
pub struct PickEntry {
    pub uri: String,
    /// `PATH:LINE`, or what replaces the line.
    pub place: String,
    /// The file to show lines of.
    pub file: Option<PathBuf>,
    pub line: u64,
    pub label: Option<String>,
    pub flags: Vec<&'static str>,
    /// It looks like what it is not.
    pub is_suspicious: bool,
}

#[derive(Debug)]
pub struct CollectedEntries {
    pub entries: Vec<PickEntry>,
    pub problems: Vec<Problem>,
    known: HashSet<String>,
    normalizer: Normalizer,
    redacts: bool,
}

impl CollectedEntries {
    pub fn new(flags: &SearchFlags) -> Self {
        let fragment = match flags.rewrite.no_fragment {
            true => Fragment::Removed,
            false => Fragment::Kept,
        };
        Self {
            entries: Vec::new(),
            problems: Vec::new(),
            known: HashSet::new(),
            normalizer: Normalizer::new().fragment(fragment),
            redacts: flags.rewrite.redact.is_some(),
        }
    }
}

impl Sink for CollectedEntries {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let Some(identity) = hit.identity(&self.normalizer) else { return Flow::Continue };
        if !self.known.insert(identity.into_owned()) {
            return Flow::Continue;
        }
        let uri = hit.uri();
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
            uri: match self.redacts {
                true => redact_text(&uri).into_owned(),
                false => uri.into_owned(),
            },
            place: format!("{}:{page}", String::from_utf8_lossy(input.display_path())),
            // With --redact, no lines of the file are shown: they hold what was removed.
            file: input.path().filter(|_| is_plain && !self.redacts).map(PathBuf::from),
            line,
            label: hit.label().map(|label| label.into_owned()).filter(|_| !self.redacts),
            flags: flags.iter().map(Flag::name).collect(),
            is_suspicious,
        });
        match self.entries.len() < MAX_ENTRIES {
            true => Flow::Continue,
            false => Flow::StopAll,
        }
    }

    fn problem(&mut self, problem: &Problem) {
        self.problems.push(problem.clone());
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().positions(Positions::Bytes).labels(Labels::All)
    }
}
