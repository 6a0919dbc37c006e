//! Titles with an id of their own, `[#a]` above `== B`: Asciidoctor derives none from these
//! (`Section.generate_id`).

use crate::document::asciidoc::attributes::Attributes;
use crate::document::asciidoc::reader::{id_in, is_block_title, is_style};
use crate::document::asciidoc::title_text::plain_title;
use crate::hash::HashMap;

/// Returns how many titles of each text have an id of their own.
pub(super) fn titles(text: &str) -> HashMap<String, usize> {
    let mut found: HashMap<String, usize> = HashMap::default();
    let none = Attributes::new(0);
    let mut has_id = false;
    // The delimiter of an open listing, literal, comment, or passthrough block.
    let mut open: Option<&str> = None;
    let mut before = "";
    for line in text.lines().map(str::trim_end) {
        if let Some(delimiter) = open {
            open = open.filter(|_| line != delimiter);
            continue;
        }
        // A row below a text as long as it makes that a title (AsciiDoc, "Setext-style").
        let is_underline = line.len().abs_diff(before.chars().count()) <= 1
            && !is_style(before.as_bytes())
            && !is_block_title(before.as_bytes());
        let delimiter = delimiter(line).filter(|_| !is_underline);
        before = line;
        if delimiter.is_some() {
            (open, has_id) = (delimiter, false);
            continue;
        }
        let marks = line.len() - line.trim_start_matches('=').len();
        if let Some(title) = line.get(marks..).and_then(|it| it.strip_prefix(' '))
            && (2..=6).contains(&marks)
        {
            let title = title.trim_start();
            if has_id || title.starts_with("[[") || title.starts_with("[#") {
                let count = found.entry(plain_title(title, &none)).or_default();
                *count += 1;
            }
            has_id = false;
        } else if is_style(line.as_bytes()) {
            has_id |= is_id(line);
        } else if !line.is_empty() {
            has_id = false;
        }
    }
    found
}

/// Returns the line that ends the block which this one starts, if the block's text is not read
/// (AsciiDoc, "Delimiters").
fn delimiter(line: &str) -> Option<&str> {
    let is_row = |mark: u8| line.len() >= 4 && line.bytes().all(|byte| byte == mark);
    if line.starts_with("```") {
        return Some("```");
    }
    b"-./+".iter().any(|&mark| is_row(mark)).then_some(line)
}

/// True for attributes of a block with an id.
fn is_id(line: &str) -> bool {
    let inside = line.get(1..line.len() - 1).unwrap_or_default();
    line.starts_with("[[") || line.starts_with("[#") || id_in(inside.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_with_ids() {
        let text = "= A\n\n[#b]\n== B\n\n[[c]]\n[.d]\n=== C `c`\n\n[.e]\n== E\n\n[id=f]\ntext\n\n== F\n\n== [[g]]G\n\n[role=x,id=h]\n\n== H\n\n----\n[#i]\n== I\n----\n\n== I\n\n```ruby\n[#j]\n== J\n```\n\nTitle\n-----\n\n[#k]\n== K\n";
        let found = titles(text);
        let mut names: Vec<&str> = found.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["B", "C c", "G", "H", "K"]);
    }
}
