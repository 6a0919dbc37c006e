//! Comments of a document that disable checks: [`Directives`].
//!
//! A directive is the first word of a comment: `urigrep-disable`, `urigrep-disable-line`,
//! `urigrep-disable-next-line`, `urigrep-disable-file`, or `urigrep-enable`. The ids of checks
//! follow, or nothing for all checks. A reason may follow after `--`:
//!
//! ```markdown
//! <!-- urigrep-disable-next-line placeholder -- an example -->
//! ```

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::audit::{AuditFinding, Check, Severity, SpannedText, Spellings};
use crate::{LineIndex, Span};

/// The check of the directives themselves; [`CHECKS`](super::CHECKS) are the checks of links.
pub static UNKNOWN_DIRECTIVE: Check = Check {
    id: "unknown-directive",
    severity: Severity::Warning,
    summary: "a comment for urigrep that names no check, or that urigrep does not understand",
    rationale: "A misspelled comment disables nothing, and nothing else reports it.",
    fails: "<!-- urigrep-disable nothing-such -->",
    passes: "<!-- urigrep-disable placeholder -->",
};

const PREFIX: &str = "urigrep-";
const WORDS: [&str; 5] = [
    "urigrep-disable",
    "urigrep-disable-line",
    "urigrep-disable-next-line",
    "urigrep-disable-file",
    "urigrep-enable",
];

#[derive(Clone, Debug, Default)]
pub struct Directives {
    /// By check id. Regions are sorted and do not overlap, and lines are sorted.
    regions: HashMap<&'static str, Vec<Range<usize>>>,
    lines: HashMap<&'static str, Vec<Range<usize>>>,
    mistakes: Vec<AuditFinding>,
}

impl Directives {
    /// True if one of the comments is a directive.
    pub fn are_in(comments: &[SpannedText]) -> bool {
        comments.iter().any(|comment| directive(&comment.text).is_some())
    }

    /// Reads the comments of `text`, which are in document order.
    pub fn read(comments: &[SpannedText], text: &[u8], checks: &[&'static Check]) -> Self {
        let mut this = Self::default();
        let lines = OnceCell::new();
        // Ranges of the lines of the comment, and of the next line with text.
        let around = |span: Span| {
            let lines = lines.get_or_init(|| LineIndex::new(text));
            let start = |line| lines.range(line).map_or(text.len(), |range| range.start);
            let end = lines.line(span.end()) + 1;
            // Some formats need an empty line after a comment. Only a few lines are looked at, so
            // that many comments in a line take no quadratic time.
            let is_blank = |line: &usize| {
                let content = lines.range(*line).and_then(|range| text.get(range));
                content.is_some_and(|content| content.trim_ascii().is_empty())
            };
            let next = (end..end + 3).find(|line| !is_blank(line)).unwrap_or(end);
            [start(lines.line(span.start()))..start(end), start(next)..start(next + 1)]
        };
        for comment in comments {
            if let Some((directive, words)) = directive(&comment.text) {
                let about = this.named(words, comment.span, checks);
                this.apply(directive, &about, comment.span, around);
            }
        }
        this
    }

    /// Returns the ids of the named checks, or of all checks if there are no names.
    fn named<'c>(
        &mut self,
        names: impl Iterator<Item = &'c str>,
        span: Span,
        checks: &[&'static Check],
    ) -> Vec<&'static str> {
        let mut ids = Vec::new();
        let mut is_for_all = true;
        for name in names {
            is_for_all = false;
            match checks.iter().find(|check| check.id == name) {
                Some(check) => ids.push(check.id),
                None => {
                    let spellings = Spellings::new(checks.iter().map(|check| check.id));
                    let message = format!("no such check: `{name}`");
                    self.mistake(span, message, spellings.nearest(name));
                }
            }
        }
        if is_for_all {
            ids.extend(checks.iter().map(|check| check.id));
        }
        ids
    }

    fn apply(
        &mut self,
        directive: &str,
        about: &[&'static str],
        span: Span,
        around: impl Fn(Span) -> [Range<usize>; 2],
    ) {
        match directive {
            "urigrep-disable" => about.iter().for_each(|id| self.begin(id, span.end())),
            "urigrep-disable-file" => about.iter().for_each(|id| self.begin(id, 0)),
            "urigrep-disable-line" => self.turn_off(about, &around(span)[0]),
            "urigrep-disable-next-line" => self.turn_off(about, &around(span)[1]),
            "urigrep-enable" => {
                for id in about {
                    let regions = self.regions.get_mut(id);
                    if let Some(region) = regions.and_then(|regions| regions.last_mut()) {
                        region.end = region.end.min(span.start());
                    }
                }
            }
            other => {
                let words = Spellings::new(WORDS);
                let nearest = words.nearest(other).unwrap_or("urigrep-disable");
                let message = format!("`{other}` is not a directive of urigrep");
                self.mistake(span, message, Some(nearest));
            }
        }
    }

    /// Disables checks in a line, which may precede that of an earlier comment.
    fn turn_off(&mut self, about: &[&'static str], line: &Range<usize>) {
        for id in about {
            let lines = self.lines.entry(id).or_default();
            // Keep the lines sorted, so that a lookup is a binary search.
            let at = lines.partition_point(|other| other.start <= line.start);
            lines.insert(at, line.clone());
        }
    }

    /// Disables a check from `from` to the end, unless it is already disabled.
    fn begin(&mut self, id: &'static str, from: usize) {
        let regions = self.regions.entry(id).or_default();
        match regions.last_mut() {
            Some(last) if last.end >= from => *last = last.start.min(from)..usize::MAX,
            _ => regions.push(from..usize::MAX),
        }
        // A directive for the whole file makes every other region of the check redundant.
        if from == 0 {
            *regions = std::iter::once(0..usize::MAX).collect();
        }
    }

    fn mistake(&mut self, span: Span, message: String, nearest: Option<&str>) {
        self.mistakes.push(AuditFinding {
            check: &UNKNOWN_DIRECTIVE,
            severity: UNKNOWN_DIRECTIVE.severity,
            span,
            uri: None,
            message,
            hint: nearest.map(|nearest| format!("did you mean `{nearest}`?")),
            evidence: None,
            fix: None,
        });
    }

    /// Returns the findings about the directives themselves.
    pub fn mistakes(&self) -> impl Iterator<Item = &AuditFinding> {
        self.mistakes.iter()
    }

    /// True if the check of this finding is disabled at its offset.
    pub fn disable(&self, finding: &AuditFinding) -> bool {
        self.is_off(finding.check.id, finding.span.start())
    }

    fn is_off(&self, id: &str, at: usize) -> bool {
        [&self.regions, &self.lines].iter().any(|ranges| {
            let Some(ranges) = ranges.get(id) else {
                return false;
            };
            let after = ranges.partition_point(|range| range.start <= at);
            after
                .checked_sub(1)
                .and_then(|last| ranges.get(last))
                .is_some_and(|range| range.contains(&at))
        })
    }
}

/// Returns the directive in a comment, if there is one, and the names after it.
fn directive(comment: &str) -> Option<(&str, impl Iterator<Item = &str>)> {
    let mut words = words(comment);
    Some((words.next().filter(|word| word.starts_with(PREFIX))?, words))
}

/// Splits a comment into words up to `--`, at white space and commas.
fn words(text: &str) -> impl Iterator<Item = &str> {
    // Some readers pass the marks of a comment, and others only its text. `CommentStyle` lists the
    // marks.
    let text = text.trim_start();
    let marks = ["<!--", "//", "#", "%", ".\\\"", "@comment", "@c", "/*"];
    let text = marks.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    text.split([' ', '\t', '\r', '\n', ','])
        .filter(|word| !word.is_empty())
        .take_while(|word| *word != "--" && *word != "-->")
}
