//! Comments of a document that turn checks off.
//!
//! `urigrep-disable`, `urigrep-disable-next-line`, `urigrep-disable-file` and `urigrep-enable` stand first in a
//! comment; the checks they are about follow, all checks if there are none, and after `--` a reason:
//!
//! ```markdown
//! <!-- urigrep-disable-next-line placeholder -- an example -->
//! ```

use std::collections::HashMap;
use std::ops::Range;

use urigrep::Span;
use urigrep::audit::{Check, Fault, Severity, Spellings};

use super::checks;
use super::place::Lines;

/// A comment that says nothing.
pub static UNKNOWN_DIRECTIVE: Check = Check {
    id: "unknown-directive",
    severity: Severity::Warning,
    summary: "a comment for urigrep names no check, or says nothing that urigrep knows",
    rationale: "A misspelled comment turns nothing off, and once it is misspelled nobody notices.",
};

const PREFIX: &str = "urigrep-";
const WORDS: [&str; 4] = [
    "urigrep-disable",
    "urigrep-disable-next-line",
    "urigrep-disable-file",
    "urigrep-enable",
];

/// What is turned off where.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    /// By the id of the check; regions do not overlap and come in order, nor do lines.
    regions: HashMap<&'static str, Vec<Range<usize>>>,
    lines: HashMap<&'static str, Vec<Range<usize>>>,
    /// What is wrong with the comments themselves.
    pub faults: Vec<Fault>,
}

impl Comments {
    /// Reads comments, which come in the order of the document.
    pub fn read<'c>(comments: impl Iterator<Item = (&'c str, Span)>, lines: &Lines) -> Self {
        let mut this = Self::default();
        for (text, span) in comments {
            let mut words = words(text);
            if let Some(directive) = words.next().filter(|word| word.starts_with(PREFIX)) {
                this.directive(directive, words, span, lines);
            }
        }
        this
    }

    fn directive<'c>(
        &mut self,
        directive: &'c str,
        names: impl Iterator<Item = &'c str>,
        span: Span,
        lines: &Lines,
    ) {
        let mut about = Vec::new();
        let mut is_for_all = true;
        for name in names {
            is_for_all = false;
            match checks::named(name) {
                Some(check) => about.push(check.id),
                None => self.fault(
                    span,
                    format!("there is no check `{name}`"),
                    checks::nearest(name),
                ),
            }
        }
        if is_for_all {
            about.extend(checks::all().map(|check| check.id));
        }
        match directive {
            "urigrep-disable" => about.iter().for_each(|id| self.begin(id, span.end())),
            "urigrep-disable-file" => about.iter().for_each(|id| self.begin(id, 0)),
            "urigrep-disable-next-line" => {
                let next = lines.number(span.end()) + 1;
                let line = lines.start(next)..lines.start(next + 1);
                for id in about {
                    self.lines.entry(id).or_default().push(line.clone());
                }
            }
            "urigrep-enable" => {
                for id in about {
                    let region = self
                        .regions
                        .get_mut(id)
                        .and_then(|regions| regions.last_mut());
                    if let Some(region) = region {
                        region.end = region.end.min(span.start());
                    }
                }
            }
            other => {
                let nearest = Spellings::new(WORDS);
                let nearest = nearest.nearest(other).unwrap_or("urigrep-disable");
                self.fault(
                    span,
                    format!("`{other}` says nothing to urigrep"),
                    Some(nearest),
                );
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

    fn fault(&mut self, span: Span, message: String, nearest: Option<&str>) {
        self.faults.push(Fault {
            check: &UNKNOWN_DIRECTIVE,
            span,
            uri: None,
            message,
            hint: nearest.map(|nearest| format!("did you mean `{nearest}`?")),
        });
    }

    /// True when the check is turned off where this stands.
    pub fn disable(&self, id: &str, at: usize) -> bool {
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

    fn read(text: &str) -> Comments {
        let mut comments = Vec::new();
        let mut from = 0;
        while let Some(start) = text[from..].find("<!--").map(|at| from + at) {
            let end = text[start..]
                .find("-->")
                .map_or(text.len(), |at| start + at);
            comments.push((&text[start + 4..end], Span::new(start + 4, end)));
            from = end;
        }
        Comments::read(comments.into_iter(), &Lines::of(text.as_bytes()))
    }

    /// Where each `x` of the text is turned off.
    fn off(text: &str, id: &str) -> Vec<bool> {
        let comments = read(text);
        assert_eq!(comments.faults, []);
        let marks = text.match_indices('@');
        marks.map(|(at, _)| comments.disable(id, at)).collect()
    }

    #[test]
    fn regions() {
        let id = checks::all().next().unwrap().id;
        let other = checks::all().nth(1).unwrap().id;
        let text = format!(
            "@ <!-- urigrep-disable {id} --> @ @ <!-- urigrep-disable {id} --> @ <!-- urigrep-enable --> @\n\
             <!-- urigrep-disable {id}, {other} -- why --> @ <!-- urigrep-enable {other} --> @"
        );
        assert_eq!(off(&text, id), [false, true, true, true, false, true, true]);
        assert_eq!(
            off(&text, other),
            [false, false, false, false, false, true, false]
        );
        assert_eq!(off("@\n<!-- urigrep-disable-file -->\n@", id), [true, true]);
        assert_eq!(off("@\n<!-- urigrep-enable -->\n@", id), [false, false]);
    }

    #[test]
    fn the_next_line() {
        let id = checks::all().next().unwrap().id;
        let text = "@ <!-- urigrep-disable-next-line\n --> @\n@ <!-- urigrep-disable-next-line --> @\n@ @\n@\n";
        assert_eq!(off(text, id), [false, false, true, true, true, true, false]);
        assert_eq!(off("<!-- urigrep-disable-next-line -->", id), [false; 0]);
    }

    #[test]
    fn unknown() {
        let said = |text| {
            let faults = read(text).faults;
            let said = |fault: &Fault| {
                (
                    fault.message.clone(),
                    fault.hint.clone().unwrap_or_default(),
                )
            };
            faults.iter().map(said).collect::<Vec<_>>()
        };
        assert_eq!(said("<!-- see urigrep-disable-nothing -->"), []);
        let (message, hint) = said("<!-- urigrep-disable-next-lin -->").remove(0);
        assert_eq!(
            message,
            "`urigrep-disable-next-lin` says nothing to urigrep"
        );
        assert_eq!(hint, "did you mean `urigrep-disable-next-line`?");
        let (message, _) = said("<!-- urigrep-disable nothing-such -->").remove(0);
        assert_eq!(message, "there is no check `nothing-such`");
        // a misspelled name turns off nothing else
        let id = checks::all().next().unwrap().id;
        assert!(!read("<!-- urigrep-disable nothing-such -->").disable(id, 50));
    }
}
