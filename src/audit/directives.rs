//! Comments of a document that turn checks off: [`Directives`].
//!
//! `urigrep-disable`, `urigrep-disable-next-line`, `urigrep-disable-file` and `urigrep-enable` come first in a
//! comment; the ids of checks follow, or none for all checks, and after `--` a reason:
//!
//! ```markdown
//! <!-- urigrep-disable-next-line placeholder -- an example -->
//! ```

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::facts::SpannedText;
use super::finding::{AuditFinding, Check, Severity};
use super::spellings::Spellings;
use crate::line_index::LineIndex;
use crate::span::Span;

/// The check of directives themselves; [`CHECKS`](super::CHECKS) are those of links.
pub static UNKNOWN_DIRECTIVE: Check = Check {
    id: "unknown-directive",
    severity: Severity::Warning,
    summary: "a comment for urigrep names no check, or says nothing that urigrep knows",
    rationale: "A misspelled comment turns nothing off, and once it is misspelled nobody notices.",
};

const PREFIX: &str = "urigrep-";
const WORDS: [&str; 4] =
    ["urigrep-disable", "urigrep-disable-next-line", "urigrep-disable-file", "urigrep-enable"];

/// Where which checks are turned off.
#[derive(Clone, Debug, Default)]
pub struct Directives {
    /// By the id of the check; regions do not overlap and come in order, nor do lines.
    regions: HashMap<&'static str, Vec<Range<usize>>>,
    lines: HashMap<&'static str, Vec<Range<usize>>>,
    mistakes: Vec<AuditFinding>,
}

impl Directives {
    /// Reads the comments of `text`, which come in its order, about these checks.
    pub fn read(comments: &[SpannedText], text: &[u8], checks: &[&'static Check]) -> Self {
        let mut this = Self::default();
        let lines = OnceCell::new();
        let next_line = |span: Span| {
            let lines = lines.get_or_init(|| LineIndex::new(text));
            let start = |line| lines.range(line).map_or(text.len(), |range| range.start);
            let next = lines.line(span.end()) + 1;
            start(next)..start(next + 1)
        };
        for comment in comments {
            let mut words = words(&comment.text);
            if let Some(directive) = words.next().filter(|word| word.starts_with(PREFIX)) {
                let about = this.named(words, comment.span, checks);
                this.apply(directive, &about, comment.span, next_line);
            }
        }
        this
    }

    /// The ids of the checks of these names; of all checks, if there are no names.
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
                    let message = format!("there is no check `{name}`");
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
        next_line: impl Fn(Span) -> Range<usize>,
    ) {
        match directive {
            "urigrep-disable" => about.iter().for_each(|id| self.begin(id, span.end())),
            "urigrep-disable-file" => about.iter().for_each(|id| self.begin(id, 0)),
            "urigrep-disable-next-line" => {
                let line = next_line(span);
                for id in about {
                    self.lines.entry(id).or_default().push(line.clone());
                }
            }
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
                let message = format!("`{other}` says nothing to urigrep");
                self.mistake(span, message, Some(nearest));
            }
        }
    }

    /// Turns a check off from here to the end, unless it is off already.
    fn begin(&mut self, id: &'static str, from: usize) {
        let regions = self.regions.entry(id).or_default();
        match regions.last_mut() {
            Some(last) if last.end >= from => *last = last.start.min(from)..usize::MAX,
            _ => regions.push(from..usize::MAX),
        }
        if from == 0 {
            *regions = std::iter::once(0..usize::MAX).collect();
        }
    }

    fn mistake(&mut self, span: Span, message: String, nearest: Option<&str>) {
        self.mistakes.push(AuditFinding {
            check: &UNKNOWN_DIRECTIVE,
            span,
            uri: None,
            message,
            hint: nearest.map(|nearest| format!("did you mean `{nearest}`?")),
        });
    }

    /// What is wrong with the comments themselves.
    pub fn mistakes(&self) -> impl Iterator<Item = &AuditFinding> {
        self.mistakes.iter()
    }

    /// True when the check of this finding is turned off there.
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

/// The words of a comment up to `--`; commas separate, too.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_start().trim_start_matches("<!--");
    text.split([' ', '\t', '\r', '\n', ','])
        .filter(|word| !word.is_empty())
        .take_while(|word| *word != "--" && *word != "-->")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::CHECKS;

    fn read(text: &str) -> Directives {
        let mut comments = Vec::new();
        let mut from = 0;
        while let Some(start) = text[from..].find("<!--").map(|at| from + at) {
            let end = text[start..].find("-->").map_or(text.len(), |at| start + at);
            comments.push(SpannedText {
                text: text[start + 4..end].to_owned(),
                span: Span::new(start + 4, end),
            });
            from = end;
        }
        Directives::read(&comments, text.as_bytes(), CHECKS)
    }

    /// Whether each `@` of the text is turned off.
    fn off(text: &str, id: &str) -> Vec<bool> {
        let directives = read(text);
        assert_eq!(directives.mistakes, []);
        let marks = text.match_indices('@');
        marks.map(|(at, _)| directives.is_off(id, at)).collect()
    }

    #[test]
    fn regions() {
        let id = CHECKS[0].id;
        let other = CHECKS[1].id;
        let text = format!(
            "@ <!-- urigrep-disable {id} --> @ @ <!-- urigrep-disable {id} --> @ <!-- urigrep-enable --> @\n\
             <!-- urigrep-disable {id}, {other} -- why --> @ <!-- urigrep-enable {other} --> @"
        );
        assert_eq!(off(&text, id), [false, true, true, true, false, true, true]);
        assert_eq!(off(&text, other), [false, false, false, false, false, true, false]);
        assert_eq!(off("@\n<!-- urigrep-disable-file -->\n@", id), [true, true]);
        assert_eq!(off("@\n<!-- urigrep-enable -->\n@", id), [false, false]);
    }

    #[test]
    fn the_next_line() {
        let id = CHECKS[0].id;
        let text = "@ <!-- urigrep-disable-next-line\n --> @\n@ <!-- urigrep-disable-next-line --> @\n@ @\n@\n";
        assert_eq!(off(text, id), [false, false, true, true, true, true, false]);
        assert_eq!(off("<!-- urigrep-disable-next-line -->", id), [false; 0]);
    }

    #[test]
    fn unknown() {
        let said = |text| {
            let said = |finding: &AuditFinding| {
                (finding.message.clone(), finding.hint.clone().unwrap_or_default())
            };
            read(text).mistakes().map(said).collect::<Vec<_>>()
        };
        assert_eq!(said("<!-- see urigrep-disable-nothing -->"), []);
        let (message, hint) = said("<!-- urigrep-disable-next-lin -->").remove(0);
        assert_eq!(message, "`urigrep-disable-next-lin` says nothing to urigrep");
        assert_eq!(hint, "did you mean `urigrep-disable-next-line`?");
        let (message, _) = said("<!-- urigrep-disable nothing-such -->").remove(0);
        assert_eq!(message, "there is no check `nothing-such`");
        // a misspelled name turns off nothing else
        let id = CHECKS[0].id;
        assert!(!read("<!-- urigrep-disable nothing-such -->").is_off(id, 50));
    }
}
