//! OSC 8 links from a printed path to the file, in ripgrep's formats.

use std::io::Write;

pub const HELP: &str = "\
Hyperlink each path to its file with OSC 8 escape sequences, if colours are used. FORMAT is none, default, \
cursor, file, grep+, kitty, macvim, textmate, vscode, vscode-insiders, vscodium, or a format that contains \
{path}, such as `file://{host}{path}`. {line} and {column} count from 1. The default is `default` on a terminal, \
else `none`.";

const ALIASES: [(&str, &str); 11] = [
    ("none", ""),
    ("default", "file://{host}{path}"),
    ("cursor", "cursor://file{path}:{line}:{column}"),
    ("file", "file://{host}{path}"),
    ("grep+", "grep+://{path}:{line}"),
    ("kitty", "file://{host}{path}#{line}"),
    ("macvim", "mvim://open?url=file://{path}&line={line}&column={column}"),
    ("textmate", "txmt://open?url=file://{path}&line={line}&column={column}"),
    ("vscode", "vscode://file{path}:{line}:{column}"),
    ("vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"),
    ("vscodium", "vscodium://file{path}:{line}:{column}"),
];

#[derive(Clone, Debug, PartialEq, Eq)]
enum HyperlinkPart {
    Text(String),
    Path,
    Line,
    Column,
    Host,
}

/// A parsed format; without parts, there are no hyperlinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HyperlinkFormat {
    parts: Vec<HyperlinkPart>,
}

pub fn parse(text: &str) -> Result<HyperlinkFormat, String> {
    let format = match ALIASES.iter().find(|(alias, _)| *alias == text) {
        Some(&(_, format)) => format,
        // A misspelled alias has neither, and gets the list of aliases instead of an error about
        // its syntax.
        None if text.contains(['{', ':']) => text,
        None => {
            let names: Vec<_> = ALIASES.iter().map(|(alias, _)| *alias).collect();
            return Err(format!(
                "the formats are {}, or a text that contains {{path}}",
                names.join(", ")
            ));
        }
    };
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}').map(|close| open + close) else {
            return Err("unclosed `{`".to_owned());
        };
        if open > 0 {
            parts.push(HyperlinkPart::Text(rest[..open].to_owned()));
        }
        parts.push(match &rest[open..=close] {
            "{path}" => HyperlinkPart::Path,
            "{line}" => HyperlinkPart::Line,
            "{column}" => HyperlinkPart::Column,
            "{host}" => HyperlinkPart::Host,
            other => {
                return Err(format!(
                    "unknown variable {other}; the variables are {{path}}, {{line}}, {{column}}, and {{host}}"
                ));
            }
        });
        rest = &rest[close + 1..];
    }
    if !rest.is_empty() {
        parts.push(HyperlinkPart::Text(rest.to_owned()));
    }
    let format = HyperlinkFormat { parts };
    format.check().map(|()| format)
}

impl HyperlinkFormat {
    pub fn on_terminal() -> Self {
        parse("default").unwrap_or_default()
    }

    pub fn is_none(&self) -> bool {
        self.parts.is_empty()
    }

    /// True if the links of two lines differ.
    pub fn has_line(&self) -> bool {
        self.parts.contains(&HyperlinkPart::Line)
    }

    fn check(&self) -> Result<(), String> {
        if self.is_none() {
            return Ok(());
        }
        if !self.parts.contains(&HyperlinkPart::Path) {
            return Err("the format needs {path}".to_owned());
        }
        // Without the line, a column means nothing to an editor, and the links to one file would
        // differ for no reason.
        if self.parts.contains(&HyperlinkPart::Column) && !self.has_line() {
            return Err("{column} needs {line}".to_owned());
        }
        let scheme = match self.parts.first() {
            Some(HyperlinkPart::Text(text)) => {
                text.split(':').next().filter(|scheme| scheme.len() < text.len())
            }
            _ => None,
        };
        if scheme.is_none_or(|scheme| super::flags::values::scheme(scheme).is_err()) {
            return Err(
                "the format must start with a scheme and a colon, such as `file:`".to_owned()
            );
        }
        // A control character would end the escape sequence of the link early.
        if self.parts.iter().any(
            |part| matches!(part, HyperlinkPart::Text(text) if text.contains(char::is_control)),
        ) {
            return Err("the format contains a control character".to_owned());
        }
        Ok(())
    }

    /// Appends the start of a link to the place; `path` is percent-encoded.
    pub fn open(&self, path: &[u8], host: &str, line: u64, column: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b]8;;");
        for part in &self.parts {
            // Writing to a vector does not fail.
            match part {
                HyperlinkPart::Text(text) => out.extend_from_slice(text.as_bytes()),
                HyperlinkPart::Path => out.extend_from_slice(path),
                HyperlinkPart::Line => drop(write!(out, "{line}")),
                HyperlinkPart::Column => drop(write!(out, "{column}")),
                HyperlinkPart::Host => out.extend_from_slice(host.as_bytes()),
            }
        }
        out.extend_from_slice(b"\x1b\\");
    }

    pub fn close(out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b]8;;\x1b\\");
    }
}

/// Returns the host name, if it is cheap to get and safe in a URI.
pub fn host() -> String {
    // Reading this file needs neither `unsafe` nor a process. Elsewhere the host is empty, which a
    // `file:` URI allows (RFC 8089 §2).
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    // The name goes into a URI unencoded.
    let safe = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    if safe { name.to_owned() } else { String::new() }
}
