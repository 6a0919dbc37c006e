//! The checks there are, by their names.

use urigrep::audit::{CHECKS, Check, Spellings};

use super::comments::UNKNOWN_DIRECTIVE;

/// Every check: those of the library, and that of the comments that are for us.
pub fn all() -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().copied().chain([&UNKNOWN_DIRECTIVE])
}

/// The check of this name.
pub fn named(id: &str) -> Option<&'static Check> {
    all().find(|check| check.id == id)
}

/// The name of a check that this one is most likely a slip of.
pub fn nearest(id: &str) -> Option<&'static str> {
    let names = Spellings::new(all().map(|check| check.id));
    let nearest = names.nearest(id)?;
    named(nearest).map(|check| check.id)
}

/// The check of this name, or a message that says there is none.
pub fn required(id: &str) -> Result<&'static Check, String> {
    named(id).ok_or_else(|| {
        let hint = match nearest(id) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "--list-checks prints those that there are".to_owned(),
        };
        format!("there is no check `{id}`; {hint}")
    })
}

/// Every check with what it is for, as text.
pub fn list() -> String {
    let mut text = String::new();
    for check in all() {
        let Check {
            id,
            severity,
            summary,
            rationale,
        } = check;
        text += &format!("{id} ({severity}): {summary}\n");
        for line in wrapped(rationale) {
            text += &format!("    {line}\n");
        }
    }
    text
}

/// Lines of at most so many characters, if the words allow.
fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 96;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different() {
        let mut ids: Vec<_> = all().map(|check| check.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(
            required("unknown-directiv")
                .unwrap_err()
                .contains("`unknown-directive`?")
        );
        assert!(required("x").unwrap_err().contains("--list-checks"));
    }
}
