//! `urigrep rule`: a delimiting rule or a check, with its reason and an example, or a flag.

use clap::Args;
use urigrep::audit::{Check, Spellings};

use super::rule_flags;
use crate::cli::complete::one_of;
use crate::cli::diagnostics::complain;
use crate::cli::flags::{checks, words};
use crate::cli::status::Status;
use crate::cli::stdout::print;

/// The rules as documented for people. The code cites their numbers, and a test keeps both in step.
const RULES: &str = include_str!("../../../docs/delimiting.md");

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 printed, 2 no such rule.",
    after_long_help = "\
Exit status:
  0  printed
  2  no such rule, check, or flag, or an error

Examples:
  urigrep rule                  list all rules, checks, and flags
  urigrep rule D4.3             why punctuation at the end is not part of a URI
  urigrep rule missing-anchor
  urigrep rule maybe-cut        what a flag of a match says, and which rules give it"
)]
pub struct RuleFlags {
    #[arg(
        value_name = "NAME",
        add = one_of(words::rules),
        help = "The rule (D4.3), the check (missing-anchor), or the flag (maybe-cut); without NAME, list all."
    )]
    name: Option<String>,
}

impl RuleFlags {
    pub fn run(&self) -> Status {
        let Some(name) = &self.name else { return print(list().as_bytes()) };
        // A check and a flag may have the same name.
        let check = checks::all().find(|check| check.id == name).map(check_text);
        let flag = rule_flags::named(name).map(rule_flags::text);
        let found: Vec<_> = [check, flag, rule(name).map(plain)].into_iter().flatten().collect();
        if !found.is_empty() {
            return print(found.join("\n").as_bytes());
        }
        let rules = rules().map(|(number, _)| number);
        let flags = rule_flags::all().map(|(name, _)| name);
        let names = Spellings::new(checks::all().map(|check| check.id).chain(rules).chain(flags));
        // `4.2` is a number without its letter.
        let numbered = format!("D{name}");
        let nearest = match rule(&numbered) {
            Some(_) => Some(numbered.as_str()),
            None => names.nearest(name),
        };
        let hint = match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "`urigrep rule` lists all".to_owned(),
        };
        complain(&format!("no such rule, check, or flag: `{name}`; {hint}"));
        Status::Error
    }
}

/// The numbers and titles of the rules, as in the headings.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    RULES.lines().filter_map(|line| line.strip_prefix("### ")?.split_once(' '))
}

/// The numbers of all rules, and of the groups that are one rule.
pub fn numbers() -> impl Iterator<Item = &'static str> {
    let groups = RULES.lines().filter_map(|line| line.strip_prefix("## ")?.split(' ').next());
    let is_one = |group: &&str| {
        group.starts_with('D')
            && rules().all(|(number, _)| !number.starts_with(&format!("{group}.")))
    };
    rules().map(|(number, _)| number).chain(groups.filter(is_one))
}

/// Returns all rules, checks, and flags, one per line.
fn list() -> String {
    let rules = rules().map(|(number, title)| (number, title.trim().to_owned()));
    let checks = checks::all().map(|check| (check.id, check.summary.to_owned()));
    let rows: Vec<_> = rules.chain(checks).chain(rule_flags::all()).collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(name, title)| format!("{name:<width$}  {title}\n")).collect()
}

/// Returns the section of a rule, `D4.3`, or of a group of rules, `D4`, in any case.
pub fn rule(number: &str) -> Option<&'static str> {
    let is_heading = |line: &str, level: &str| {
        let heading = line.strip_prefix(level);
        let found = heading.and_then(|heading| heading.split_whitespace().next());
        found.is_some_and(|found| found.eq_ignore_ascii_case(number))
    };
    let (mut at, mut start, mut level) = (0, None, "");
    for line in RULES.split_inclusive('\n') {
        // An example may have a line that starts with `## `.
        let ends = line.starts_with("## D") || level == "### " && line.starts_with("### ");
        match start {
            Some(start) if ends => return RULES.get(start..at).map(trimmed),
            Some(_) => {}
            None => {
                level = if is_heading(line, "## ") { "## " } else { "### " };
                start = (is_heading(line, "## ") || is_heading(line, "### ")).then_some(at);
            }
        }
        at += line.len();
    }
    RULES.get(start?..).map(trimmed)
}

/// Ends the section with exactly one line break.
fn trimmed(section: &'static str) -> &'static str {
    let end = section.trim_end().len();
    section.get(..end + 1).unwrap_or(section)
}

/// Returns a section as plain text: without the marks of headings and the links to vectors, which
/// only a clone has, and with examples indented.
fn plain(section: &str) -> String {
    let mut text = String::new();
    let mut is_example = false;
    for line in section.lines() {
        if line.starts_with("```") {
            is_example = !is_example;
        } else if is_example {
            text += &format!("    {line}\n");
        } else if let Some(rest) = after_vector(line) {
            // What the vector expects beside the spans: `uri`, `rejected`, `options`.
            if let Some(expected) = rest.strip_prefix(", ") {
                text += &format!("    ({expected})\n");
            }
        } else {
            let heading = line.trim_start_matches('#').strip_prefix(' ');
            let heading = heading.filter(|_| line.starts_with("##"));
            text += heading.unwrap_or(line);
            text.push('\n');
        }
    }
    text
}

/// Returns what follows the link to a vector, in a line that starts with one.
fn after_vector(line: &str) -> Option<&str> {
    let (_, target) = line.strip_prefix("[`")?.split_once("`](../corpus/")?;
    target.split_once(')').map(|(_, rest)| rest)
}

fn check_text(check: &Check) -> String {
    let indented =
        |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    let Check { id, severity, summary, rationale, fails, passes } = check;
    let rationale = checks::wrapped(rationale).join("\n");
    format!(
        "{id} ({severity}): {summary}\n\n{rationale}\n\nFails:\n\n{}\nPasses:\n\n{}",
        indented(fails),
        indented(passes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_section() {
        assert!(rules().count() > 30);
        for (number, _) in rules() {
            let section = rule(number).unwrap_or_else(|| panic!("{number}"));
            assert!(section.starts_with(&format!("### {number} ")), "{section}");
            assert_eq!(section.matches("\n### ").count(), 0, "{section}");
            let plain = plain(section);
            assert!(!plain.contains("```") && !plain.contains("](../"), "{plain}");
        }
        assert!(rule("D4").is_some_and(|group| group.contains("### D4.3 ")));
        assert!(rule("D3.4").is_some_and(|section| section.contains("\n## g.html⟧>.\n")));
        assert_eq!(rule("D99"), None);
        assert!(numbers().any(|number| number == "D5") && numbers().all(|number| number != "D4"));
    }
}
