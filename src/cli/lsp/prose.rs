//! The text of a hover, in the format that the client shows: [`Prose`].
//!
//! An editor renders Markdown, and may load pictures. So any text from a document, and any file
//! name, must be shown literally: each value is a code span or is escaped.

use serde_json::Value;

/// The format of a text that the client shows (LSP 3.17, `MarkupKind`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContentFormat {
    #[default]
    Markdown,
    PlainText,
}

impl ContentFormat {
    /// Chooses the format that a client prefers, of those that it knows.
    pub fn choose(offered: Option<&Value>) -> Self {
        let mut offered = offered.and_then(Value::as_array).into_iter().flatten();
        let known = offered.find_map(|format| match format.as_str() {
            Some("markdown") => Some(Self::Markdown),
            Some("plaintext") => Some(Self::PlainText),
            _ => None,
        });
        known.unwrap_or_default()
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::PlainText => "plaintext",
        }
    }
}

/// Text of lines.
#[derive(Clone, Debug)]
pub struct Prose {
    pub format: ContentFormat,
    pub text: String,
}

impl Prose {
    pub fn new(format: ContentFormat) -> Self {
        Self { format, text: String::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a line with a value between our own words.
    pub fn line(&mut self, before: &str, value: &str, after: &str) {
        self.text.push_str(before);
        match self.format {
            ContentFormat::Markdown => self.text.push_str(&code(value)),
            ContentFormat::PlainText => self.text.push_str(value),
        }
        self.text.push_str(after);
        self.text.push('\n');
    }

    /// Adds a line that ends with a message, whose values are between backticks.
    pub fn words(&mut self, before: &str, message: &str) {
        self.text.push_str(before);
        match self.format {
            ContentFormat::Markdown => self.text.push_str(&message_text(message)),
            ContentFormat::PlainText => self.text.push_str(message),
        }
        self.text.push('\n');
    }
}

/// Returns a code span (CommonMark 6.1). It is delimited by more backticks than occur in a row
/// inside.
fn code(value: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for c in value.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    // A line end could end the block, and CommonMark has no empty code span.
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.trim().is_empty() {
        return escaped(&value);
    }
    let marks = "`".repeat(longest + 1);
    // One space on both sides is removed.
    let is_padded = value.starts_with(['`', ' ']) || value.ends_with(['`', ' ']);
    let space = if is_padded { " " } else { "" };
    format!("{marks}{space}{value}{space}{marks}")
}

/// Returns text without the meaning of its marks (CommonMark 2.4).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>&~|#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c.is_control() { ' ' } else { c });
    }
    escaped
}

/// Returns a message with its values as code. A value may have backticks, too: then some of its
/// pieces are outside of the code, and are escaped as all text is.
fn message_text(message: &str) -> String {
    let pieces: Vec<&str> = message.split('`').collect();
    let last = pieces.len() - 1;
    let text = pieces.iter().enumerate().map(|(index, piece)| match index % 2 {
        0 => escaped(piece),
        _ if index == last => format!("\\`{}", escaped(piece)),
        _ if piece.is_empty() => "\\`\\`".to_owned(),
        _ => code(piece),
    });
    text.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_text() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`![i](b)`"), "`` a`![i](b)` ``");
        assert_eq!(code("a\n\n# b"), "`a  # b`");
        assert_eq!(message_text("no file `a`; b"), "no file `a`; b");
        assert_eq!(message_text("no `a`![i](b)``"), "no `a`!\\[i\\](b)\\`\\`");
        assert_eq!(message_text("<b> `c"), "\\<b\\> \\`c");
    }

    #[test]
    fn the_first_known_format_is_preferred() {
        use serde_json::json;
        let choose = |value: Value| ContentFormat::choose(Some(&value));
        assert_eq!(choose(json!(["plaintext", "markdown"])), ContentFormat::PlainText);
        assert_eq!(choose(json!(["asciidoc", "markdown"])), ContentFormat::Markdown);
        assert_eq!(ContentFormat::choose(None), ContentFormat::Markdown);
    }
}
