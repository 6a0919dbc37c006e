//! `--template`: a user-defined line per match.
//!
//! `{name}` is a field; `{{` and `}}` are braces; `\n`, `\t`, `\r`, `\0` and `\\` mean the same as
//! in C. The template is parsed once. A line feed follows each finding, unless the template ends
//! with one or with a NUL.

use std::fmt;

use urigrep::reference::Normalizer;
use urigrep::search::{FieldValue, Flow, Hit, HitField, HitFields, Level, Needs};

use super::Summary;
use super::fields::{field_named, field_names, needs_of, unknown_field};
use super::{Printer, number};
use urigrep::internal::output::escape::Escaping;
use urigrep::internal::output::report::Report;

/// Returns the help of `--template`, with every field.
pub fn help() -> String {
    format!(
        "Print TEMPLATE for each match, such as '{{file}}:{{line}} {{scheme}} {{host}} {{uri}}'. The fields are {}. \
         `path` is the path of the file (also `file`), `uri.path` that of the URI, `stream` the place in a compressed file \
         or archive, `shown_path` the path as it is printed otherwise (`a.zip!/b.txt`). A field that a match does not have is empty; with --invalid, only the place, `text`, `reason`, and \
         `at` have values. `{{{{` and `}}}}` are braces; \\n, \\t, \\r, \\0, and \\\\ are read as in C. A line feed \
         follows each match, unless the template ends with one or with \\0.",
        field_names()
    )
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    HitField(HitField),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<TemplatePart>,
    /// It contains `{path}`, which is the path of the file, although URIs have paths, too.
    has_ambiguous_path: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The byte offset of the fault in the text.
    pub at: usize,
    pub kind: TemplateErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateErrorKind {
    HitField(String),
    Open,
    Close,
    /// A backslash before another character.
    Escape,
    Empty,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TemplateErrorKind::HitField(name) => {
                f.write_str(&unknown_field(name))?;
            }
            TemplateErrorKind::Open => {
                f.write_str("unclosed `{`; write `{{` for the character")?;
            }
            TemplateErrorKind::Close => {
                f.write_str("unmatched `}`; write `}}` for the character")?;
            }
            TemplateErrorKind::Escape => {
                f.write_str("unknown escape; the escapes are \\n, \\t, \\r, \\0, and \\\\")?;
            }
            TemplateErrorKind::Empty => return f.write_str("the template is empty"),
        }
        write!(f, " (at byte {})", self.at)
    }
}

impl std::error::Error for TemplateError {}

impl Template {
    /// Parses a template for a line, with or without a line end.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut template = Self::parse_part(text)?;
        match template.parts.last_mut() {
            // With NUL at its end, a record is for `xargs -0`, which would take the line feed as
            // the start of the next one.
            Some(TemplatePart::Text(text)) if text.ends_with(['\n', '\0']) => {}
            Some(TemplatePart::Text(text)) => text.push('\n'),
            _ => template.parts.push(TemplatePart::Text("\n".to_owned())),
        }
        Ok(template)
    }

    /// Parses a template that is part of a line.
    pub fn parse_part(text: &str) -> Result<Self, TemplateError> {
        let fault = |at, kind| Err(TemplateError { at, kind });
        if text.is_empty() {
            return fault(0, TemplateErrorKind::Empty);
        }
        let (mut parts, mut plain) = (Vec::new(), String::new());
        let mut has_ambiguous_path = false;
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let special = rest.find(['{', '}', '\\']).unwrap_or(rest.len());
            plain.push_str(&rest[..special]);
            at += special;
            let mut chars = rest[special..].chars();
            let next = (chars.next(), chars.next());
            match next {
                (None, _) => break,
                (Some('{'), Some('{')) => plain.push('{'),
                (Some('}'), Some('}')) => plain.push('}'),
                (Some('\\'), Some('n')) => plain.push('\n'),
                (Some('\\'), Some('t')) => plain.push('\t'),
                (Some('\\'), Some('r')) => plain.push('\r'),
                (Some('\\'), Some('0')) => plain.push('\0'),
                (Some('\\'), Some('\\')) => plain.push('\\'),
                (Some('\\'), _) => return fault(at, TemplateErrorKind::Escape),
                (Some('}'), _) => return fault(at, TemplateErrorKind::Close),
                _ => {
                    let Some((name, _)) = rest[special + 1..].split_once('}') else {
                        return fault(at, TemplateErrorKind::Open);
                    };
                    has_ambiguous_path |= name == "path";
                    let Some(field) = field_named(name) else {
                        return fault(at + 1, TemplateErrorKind::HitField(name.to_owned()));
                    };
                    if !plain.is_empty() {
                        parts.push(TemplatePart::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(TemplatePart::HitField(field));
                    // The name and its two braces.
                    at += name.len() + 2;
                    continue;
                }
            }
            at += 2;
        }
        if !plain.is_empty() {
            parts.push(TemplatePart::Text(plain));
        }
        Ok(Self { parts, has_ambiguous_path })
    }

    /// True if it contains `{path}`, which a user may mean as the path of the URI.
    pub fn has_ambiguous_path(&self) -> bool {
        self.has_ambiguous_path
    }

    /// Its text, if it has no field.
    pub fn constant_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [TemplatePart::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub fn has(&self, field: HitField) -> bool {
        self.parts.contains(&TemplatePart::HitField(field))
    }

    pub fn needs(&self) -> Needs {
        needs_of(|field| self.has(field))
    }

    pub fn write(
        &self,
        hit: &Hit<'_>,
        normalizer: &Normalizer,
        escaping: Escaping,
        out: &mut Vec<u8>,
    ) {
        let fields = HitFields::from(hit);
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => out.extend_from_slice(text.as_bytes()),
                TemplatePart::HitField(field) => match fields.value(*field, normalizer) {
                    FieldValue::Number(value) => number(value, out),
                    value => {
                        if let Some(text) = value.into_text() {
                            escaping.push(&text, out);
                        }
                    }
                },
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Templated {
    template: Template,
    normalizer: Normalizer,
    escaping: Escaping,
}

impl Templated {
    /// Creates a printer for this template; `normalizer` makes `{normalized}`.
    pub fn new(template: Template, normalizer: Normalizer, escaping: Escaping) -> Self {
        Self { template, normalizer, escaping }
    }
}

impl Report<Summary> for Templated {}

impl Printer for Templated {
    fn needs(&self, _: Level) -> Needs {
        self.template.needs()
    }

    fn fork(&self) -> Option<Box<dyn Printer>> {
        Some(Box::new(self.clone()))
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        self.template.write(hit, &self.normalizer, self.escaping, out);
        Flow::Continue
    }
}
