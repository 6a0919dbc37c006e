//! The columns of a table of hits, and what fields need of a search.

use urigrep::audit::Spellings;
use urigrep::finder::Certainty;
use urigrep::search::{HitField, Labels, Needs, PartNumbers, Positions};

/// Returns the needs of a printer that prints the fields for which `prints` is true.
pub fn needs_of(prints: impl Fn(HitField) -> bool) -> Needs {
    let has_position = prints(HitField::Line) || prints(HitField::Column);
    let positions = if has_position { Positions::Bytes } else { Positions::Ignored };
    // Flags such as that for wrapped lines depend on the next line. Without them, the last match of
    // a line is printed before the next line arrives.
    let certainty = if prints(HitField::Flags) { Certainty::Whole } else { Certainty::Span };
    let has_parts = prints(HitField::Parts);
    let parts = if has_parts { PartNumbers::Listed } else { PartNumbers::Ignored };
    let labels = if prints(HitField::Label) { Labels::All } else { Labels::Known };
    Needs::new().positions(positions).certainty(certainty).part_numbers(parts).labels(labels)
}

/// Returns the field of this name.
pub fn field_named(name: &str) -> Option<HitField> {
    // `path` is clear in a table, but not beside the path of a URI.
    if name == "file" { Some(HitField::Path) } else { HitField::named(name) }
}

pub fn unknown_field(name: &str) -> String {
    // Too short for a suggestion by spelling.
    if name == "url" {
        return "unknown field `url`; did you mean `uri`?".to_owned();
    }
    // The command has both values, but in other places.
    if name == "domain" {
        return "unknown field `domain`; --count-by domain counts registered domains".to_owned();
    }
    if let Some(parameter) = name.strip_prefix("query:") {
        return format!(
            "unknown field `{name}`; `urigrep parse --get '{{query:{parameter}}}' -` prints a parameter of URIs"
        );
    }
    let names = HitField::ALL.iter().map(|field| field.name());
    match Spellings::new(names).nearest(name) {
        Some(near) => format!("unknown field `{name}`; did you mean `{near}`?"),
        None => format!("unknown field `{name}`; `urigrep --help` lists the fields of --template"),
    }
}

pub fn field_names() -> String {
    HitField::ALL.iter().map(|field| field.name()).collect::<Vec<_>>().join(", ")
}

/// The columns in order. Their order is part of the format, so append new ones. The shown path is
/// only printed on request: path and stream are columns.
pub const COLUMNS: [HitField; 48] = [
    HitField::Path,
    HitField::Line,
    HitField::Column,
    HitField::Start,
    HitField::End,
    HitField::Kind,
    HitField::Scheme,
    HitField::Host,
    HitField::Uri,
    HitField::Text,
    HitField::Wrapper,
    HitField::Flags,
    HitField::Normalized,
    HitField::Reason,
    HitField::Role,
    HitField::Stream,
    HitField::MessageId,
    HitField::Date,
    HitField::From,
    HitField::Subject,
    HitField::Userinfo,
    HitField::HostType,
    HitField::HostAddress,
    HitField::Port,
    HitField::UriPath,
    HitField::Query,
    HitField::Fragment,
    HitField::Nid,
    HitField::Nss,
    HitField::RComponent,
    HitField::QComponent,
    HitField::FComponent,
    HitField::AssignedName,
    HitField::Namespace,
    HitField::Fault,
    HitField::Iri,
    HitField::Readable,
    HitField::Alternative,
    HitField::Ranges,
    HitField::At,
    HitField::Element,
    HitField::Attribute,
    HitField::Parts,
    HitField::Header,
    HitField::Format,
    HitField::Place,
    HitField::Label,
    HitField::Identifier,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_one_column() {
        let count = |field| COLUMNS.iter().filter(|column| **column == field).count();
        for &field in HitField::ALL {
            let expected = usize::from(field != HitField::ShownPath);
            assert_eq!(count(field), expected, "{}", field.name());
        }
    }
}
