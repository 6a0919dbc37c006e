//! `--template`: a line a finding, of the user's own making.
//!
//! `{name}` is a field; `{{` and `}}` are braces; `\n`, `\t`, `\r`, `\0` and `\\` are what they are in C. The
//! template is read once. A line feed follows each finding, unless the template ends with one or with a NUL.

use std::fmt;

use urigrep::{Finding, NamespaceClass, Normalizer, Shown, Uri};

use super::record::Record;
use super::{Printer, number};
use crate::cli::escape::Escaping;
use crate::cli::flags::values::hosts;
use crate::cli::search::Places;
use crate::cli::sink::{Flow, Hit};
use crate::cli::subject::{Level, Subject};

/// A field of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Path,
    Line,
    Column,
    Start,
    End,
    Text,
    Uri,
    Iri,
    Normalized,
    Readable,
    Alternative,
    Kind,
    Wrapper,
    Flags,
    Scheme,
    Userinfo,
    Host,
    HostType,
    Port,
    UriPath,
    Query,
    Fragment,
    Nid,
    Nss,
    AssignedName,
    RComponent,
    QComponent,
    FComponent,
    Namespace,
    Reason,
    At,
    Role,
    Element,
    Attribute,
    Stream,
}

/// Every field, by its name: that of the member in JSON, but for the path of the URI and its like.
const FIELDS: [(&str, Field); 35] = [
    ("path", Field::Path),
    ("line", Field::Line),
    ("column", Field::Column),
    ("start", Field::Start),
    ("end", Field::End),
    ("text", Field::Text),
    ("uri", Field::Uri),
    ("iri", Field::Iri),
    ("normalized", Field::Normalized),
    ("readable", Field::Readable),
    ("alternative", Field::Alternative),
    ("kind", Field::Kind),
    ("wrapper", Field::Wrapper),
    ("flags", Field::Flags),
    ("scheme", Field::Scheme),
    ("userinfo", Field::Userinfo),
    ("host", Field::Host),
    ("host_type", Field::HostType),
    ("port", Field::Port),
    ("uri.path", Field::UriPath),
    ("query", Field::Query),
    ("fragment", Field::Fragment),
    ("nid", Field::Nid),
    ("nss", Field::Nss),
    ("assigned_name", Field::AssignedName),
    ("r_component", Field::RComponent),
    ("q_component", Field::QComponent),
    ("f_component", Field::FComponent),
    ("namespace", Field::Namespace),
    ("reason", Field::Reason),
    ("at", Field::At),
    ("role", Field::Role),
    ("element", Field::Element),
    ("attribute", Field::Attribute),
    ("stream", Field::Stream),
];

/// The help of `--template`, with every field.
pub fn help() -> String {
    format!(
        "Print each match by TEMPLATE, such as '{{path}}:{{line}} {{scheme}} {{host}} {{uri}}'. The fields are {}. \
         `path` is that of the file, `stream` says where in a compressed file or archive it is, `uri.path` that of the URI; a field that a match does not have is empty, and \
         with --invalid, all but the place, `text`, `reason` and `at` are. `{{{{` and `}}}}` are braces; \\n, \
         \\t, \\r, \\0 and \\\\ are read as in C. A line feed follows each match, unless the template ends with \
         one or with \\0.",
        names()
    )
}

fn names() -> String {
    FIELDS.map(|(name, _)| name).join(", ")
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(Field),
}

/// A template that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Where the fault stands: a byte of the text, counted from 0.
    pub at: usize,
    /// What is wrong there.
    pub kind: TemplateErrorKind,
}

/// What is wrong with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateErrorKind {
    /// There is no such field.
    Field(String),
    /// A `{` that is never closed.
    Open,
    /// A `}` that closes nothing.
    Close,
    /// A backslash before something else.
    Escape,
    /// It would print nothing.
    Empty,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TemplateErrorKind::Field(name) => {
                write!(f, "there is no field `{name}`; there are {}", names())?;
            }
            TemplateErrorKind::Open => {
                f.write_str("this `{` is never closed; write `{{` for the character")?;
            }
            TemplateErrorKind::Close => {
                f.write_str("this `}` closes nothing; write `}}` for the character")?;
            }
            TemplateErrorKind::Escape => {
                f.write_str("the escapes are \\n, \\t, \\r, \\0 and \\\\")?;
            }
            TemplateErrorKind::Empty => return f.write_str("the template is empty"),
        }
        write!(f, " (at byte {})", self.at)
    }
}

impl std::error::Error for TemplateError {}

impl Template {
    /// Reads a template.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let fault = |at, kind| Err(TemplateError { at, kind });
        if text.is_empty() {
            return fault(0, TemplateErrorKind::Empty);
        }
        let (mut parts, mut plain) = (Vec::new(), String::new());
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
                    let Some(&(_, field)) = FIELDS.iter().find(|(known, _)| *known == name) else {
                        return fault(at + 1, TemplateErrorKind::Field(name.to_owned()));
                    };
                    if !plain.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(Part::Field(field));
                    at += name.len() + 2;
                    continue;
                }
            }
            at += 2;
        }
        if !plain.ends_with(['\n', '\0']) {
            plain.push('\n');
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self { parts })
    }

    fn has(&self, field: Field) -> bool {
        self.parts.contains(&Part::Field(field))
    }
}

/// Prints by a template.
#[derive(Clone, Debug)]
pub struct Templated {
    template: Template,
    normalizer: Normalizer,
    escaping: Escaping,
}

impl Templated {
    /// Prints by this template, with what `normalizer` makes of URIs as `{normalized}`.
    pub fn new(template: Template, normalizer: Normalizer, escaping: Escaping) -> Self {
        Self {
            template,
            normalizer,
            escaping,
        }
    }

    fn field(
        &self,
        field: Field,
        (subject, hit): (&Subject, &Hit<'_>),
        record: &Record<'_>,
        out: &mut Vec<u8>,
    ) {
        let (line, column) = record.place();
        let [start, end] = record.bytes;
        let uri = record.uri;
        // A template of a URN asks for its parts; no other does.
        let urn = || match hit.finding {
            Finding::Match(m) => m.urn(),
            _ => None,
        };
        let older = || match hit.finding {
            Finding::Match(m) => m.nid(),
            _ => None,
        };
        let standing = hit.standing;
        let text: Option<&str> = match field {
            Field::Path => return self.escaping.push(subject.located().0, out),
            Field::Stream => {
                let place = subject.located().1;
                return self
                    .escaping
                    .push(place.map_or(b"", |place| place.stream()), out);
            }
            Field::Text => return self.escaping.push(&record.text, out),
            Field::Line => return number(line, out),
            Field::Column => return number(column, out),
            Field::Start => return number(start, out),
            Field::End => return number(end, out),
            Field::At => {
                return record
                    .reason
                    .iter()
                    .for_each(|&(_, at)| number(at as u64, out));
            }
            Field::Uri => uri.map(|uri| uri.as_str()),
            Field::Iri => record.iri.as_deref(),
            Field::Normalized => {
                let normal = record.normalized(&self.normalizer).unwrap_or_default();
                return self.escaping.push(normal.as_bytes(), out);
            }
            Field::Readable => {
                if let Some(Ok(uri)) = uri.map(|uri| Uri::parse(uri.as_str())) {
                    self.escaping
                        .push(uri.readable_with(Shown::InText, hosts()).as_bytes(), out);
                }
                return;
            }
            Field::Scheme => {
                let scheme = record.scheme().unwrap_or_default();
                return out.extend_from_slice(scheme.as_bytes());
            }
            Field::Alternative => match hit.finding {
                Finding::Match(m) => m.alternative(),
                _ => None,
            },
            Field::Kind => record.words.map(|(kind, _)| kind),
            Field::Wrapper => record.words.map(|(_, wrapper)| wrapper.name()),
            Field::Flags => return out.extend_from_slice(record.flag_names().as_bytes()),
            Field::Userinfo => uri.and_then(|uri| uri.userinfo()),
            Field::Host => uri.and_then(|uri| uri.host()),
            Field::HostType => uri
                .and_then(|uri| uri.host_type())
                .map(urigrep::HostType::name),
            Field::Port => uri.and_then(|uri| uri.port()),
            Field::UriPath => uri.map(|uri| uri.path()),
            Field::Query => uri.and_then(|uri| uri.query()),
            Field::Fragment => uri.and_then(|uri| uri.fragment()),
            Field::Nid => older(),
            Field::Nss => match older() {
                Some(nid) => uri.and_then(|uri| uri.path().get(nid.len() + 1..)),
                None => None,
            },
            Field::AssignedName => urn().map(|urn| urn.assigned_name()),
            Field::RComponent => urn().and_then(|urn| urn.r_component()),
            Field::QComponent => urn().and_then(|urn| urn.q_component()),
            Field::FComponent => urn().and_then(|urn| urn.f_component()),
            Field::Namespace => older().map(|nid| NamespaceClass::of(nid).name()),
            Field::Reason => record.reason.map(|(reason, _)| reason.name()),
            Field::Role => standing.map(|standing| standing.role.name()),
            Field::Element => standing.and_then(|standing| standing.element),
            Field::Attribute => standing.and_then(|standing| standing.attribute),
        };
        self.escaping.push(text.unwrap_or_default().as_bytes(), out);
    }
}

impl Printer for Templated {
    fn places(&self, _: Level) -> Places {
        if self.template.has(Field::Line) || self.template.has(Field::Column) {
            Places::Counted
        } else {
            Places::Ignored
        }
    }

    fn hit(&mut self, subject: &Subject, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let record = Record::new(hit);
        for part in &self.template.parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text.as_bytes()),
                Part::Field(field) => self.field(*field, (subject, hit), &record, out),
            }
        }
        Flow::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let text = |text: &str| Part::Text(text.to_owned());
        for (template, parts) in [
            ("a", vec![text("a\n")]),
            ("{uri}", vec![Part::Field(Field::Uri), text("\n")]),
            ("{uri}\\0", vec![Part::Field(Field::Uri), text("\0")]),
            ("{uri}\\n", vec![Part::Field(Field::Uri), text("\n")]),
            (
                "\u{e9}{{{host}}}\\t\\\\",
                vec![text("\u{e9}{"), Part::Field(Field::Host), text("}\t\\\n")],
            ),
        ] {
            assert_eq!(
                Template::parse(template),
                Ok(Template { parts }),
                "{template}"
            );
        }
    }

    #[test]
    fn wrong_templates() {
        for (template, at, words) in [
            ("", 0, "empty"),
            ("\u{e9}{uri", 2, "never closed"),
            ("{uri} }", 6, "closes nothing"),
            ("a\\x", 1, "escapes are"),
            ("a\\", 1, "escapes are"),
            ("a {url} b", 3, "no field `url`; there are path, line, "),
            ("{}", 1, "no field ``"),
        ] {
            let error = Template::parse(template).unwrap_err();
            assert_eq!(error.at, at, "{template}");
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn every_field_has_one_name() {
        for (index, (name, field)) in FIELDS.iter().enumerate() {
            assert!(
                FIELDS[..index]
                    .iter()
                    .all(|(other, same)| other != name && same != field)
            );
            assert!(help().contains(name));
        }
    }
}
