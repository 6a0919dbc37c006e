//! The columns of a table of hits.

use urigrep::search::HitField;

/// The columns in order. Their order is part of the format, so append new ones.
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
            assert_eq!(count(field), 1, "{}", field.name());
        }
    }
}
