//! The fields of a hit: the columns of a table, and what a template can name. JSON has them as members.

use std::borrow::Cow;

use urigrep::search::{Hit, HitKind};
use urigrep::{Finding, Flag, HostType, Match, NamespaceClass, Normalizer, Shown, Uri, Wrapper};

use crate::cli::flags::values::hosts;

/// A field of a hit.
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

/// Every field by its name.
pub const FIELDS: [(&str, Field); 35] = [
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

/// The columns of a table, in order; they keep their places, and new ones come last.
pub const COLUMNS: [Field; 16] = [
    Field::Path,
    Field::Line,
    Field::Column,
    Field::Start,
    Field::End,
    Field::Kind,
    Field::Scheme,
    Field::Host,
    Field::Uri,
    Field::Text,
    Field::Wrapper,
    Field::Flags,
    Field::Normalized,
    Field::Reason,
    Field::Role,
    Field::Stream,
];

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue<'a> {
    /// The hit has no such thing.
    Absent,
    Number(u64),
    Text(Cow<'a, [u8]>),
}

impl<'a> From<Cow<'a, str>> for FieldValue<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    }
}

impl<'a> From<&'a str> for FieldValue<'a> {
    fn from(text: &'a str) -> Self {
        Cow::Borrowed(text).into()
    }
}

impl From<String> for FieldValue<'_> {
    fn from(text: String) -> Self {
        Cow::<str>::Owned(text).into()
    }
}

impl<'a> From<&'a [u8]> for FieldValue<'a> {
    fn from(text: &'a [u8]) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<u64> for FieldValue<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<'a, T: Into<FieldValue<'a>>> From<Option<T>> for FieldValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

impl Field {
    /// The field of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = FIELDS.iter().find(|(known, _)| *known == name);
        found.map(|(_, field)| *field)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = FIELDS.iter().find(|(_, field)| *field == self);
        found.map_or("", |(name, _)| name)
    }

    /// What the hit has of it; `normalizer` makes normal forms.
    pub fn value<'a>(self, hit: &'a Hit<'a>, normalizer: &Normalizer) -> FieldValue<'a> {
        let position = hit.position();
        let uri = hit.parsed();
        let matched = match hit.finding() {
            Finding::Match(m) => Some(m),
            _ => None,
        };
        let rejected = match hit.finding() {
            Finding::Rejected(rejected) => Some(rejected),
            _ => None,
        };
        let urn = || matched.and_then(Match::urn);
        // Also of a URN that only an older grammar accepts.
        let nid = || matched.and_then(Match::nid);
        match self {
            Self::Path => hit.input().file_path().into(),
            Self::Stream => hit.input().stream().into(),
            Self::Line => position.map_or(0, |position| position.line).into(),
            Self::Column => position.map_or(0, |position| position.column).into(),
            Self::Start => hit.start().into(),
            Self::End => hit.bytes()[1].into(),
            Self::Text => FieldValue::Text(hit.text()),
            Self::Uri => uri.map(|uri| uri.as_str()).into(),
            Self::Iri => hit.iri().into(),
            Self::Normalized => match uri.and_then(|uri| uri.scheme()) {
                Some(_) => hit.normalized(normalizer).into(),
                None => FieldValue::Absent,
            },
            Self::Readable => {
                let uri = uri.and_then(|uri| Uri::parse(uri.as_str()).ok());
                uri.map(|uri| uri.readable_with(Shown::InText, hosts()))
                    .into()
            }
            Self::Alternative => matched.and_then(Match::alternative).into(),
            Self::Kind => hit.kind().map(HitKind::name).into(),
            Self::Wrapper => hit.wrapper().map(Wrapper::name).into(),
            Self::Flags => {
                let names: Vec<_> = hit.flags().iter().map(Flag::name).collect();
                names.join(" ").into()
            }
            Self::Scheme => uri
                .and_then(|uri| uri.scheme())
                .map(str::to_ascii_lowercase)
                .into(),
            Self::Userinfo => uri.and_then(|uri| uri.userinfo()).into(),
            Self::Host => uri.and_then(|uri| uri.host()).into(),
            Self::HostType => uri
                .and_then(|uri| uri.host_type())
                .map(HostType::name)
                .into(),
            Self::Port => uri.and_then(|uri| uri.port()).into(),
            Self::UriPath => uri.map(|uri| uri.path()).into(),
            Self::Query => uri.and_then(|uri| uri.query()).into(),
            Self::Fragment => uri.and_then(|uri| uri.fragment()).into(),
            Self::Nid => nid().into(),
            Self::Nss => {
                let nss = |nid: &str| uri.and_then(|uri| uri.path().get(nid.len() + 1..));
                nid().and_then(nss).into()
            }
            Self::AssignedName => urn().map(|urn| urn.assigned_name()).into(),
            Self::RComponent => urn().and_then(|urn| urn.r_component()).into(),
            Self::QComponent => urn().and_then(|urn| urn.q_component()).into(),
            Self::FComponent => urn().and_then(|urn| urn.f_component()).into(),
            Self::Namespace => nid().map(|nid| NamespaceClass::of(nid).name()).into(),
            Self::Reason => rejected.map(|rejected| rejected.reason().name()).into(),
            Self::At => rejected.map(|rejected| rejected.at() as u64).into(),
            Self::Role => hit.role().map(|role| role.name()).into(),
            Self::Element => hit.element().into(),
            Self::Attribute => hit.attribute().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use urigrep::search::{Bytes, Flow, HitRecord, Input, Search, Sink};

    use super::*;

    #[test]
    fn every_field_has_one_name() {
        for (index, (name, field)) in FIELDS.iter().enumerate() {
            let others = &FIELDS[..index];
            assert!(
                others
                    .iter()
                    .all(|(other, same)| other != name && same != field)
            );
            assert_eq!((Field::named(name), field.name()), (Some(*field), *name));
        }
    }

    struct Compare(u64);

    impl Sink for Compare {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            let json = serde_json::to_value(HitRecord::new(hit)).unwrap();
            for (name, field) in FIELDS {
                let of = |object: &str, name: &str| json.get(object)?.get(name).cloned();
                let member = match name {
                    "readable" | "normalized" => continue,
                    "uri.path" => of("components", "path"),
                    "nid" | "nss" | "assigned_name" | "namespace" => of("urn", name),
                    "r_component" | "q_component" | "f_component" => of("urn", &name[..1]),
                    _ => json.get(name).cloned().or_else(|| of("components", name)),
                };
                let value = match field.value(hit, &Normalizer::new()) {
                    FieldValue::Absent => None,
                    FieldValue::Number(number) => Some(number.into()),
                    FieldValue::Text(text) if field == Field::Flags => {
                        let text = String::from_utf8(text.into_owned()).unwrap();
                        Some(text.split_whitespace().collect::<Vec<_>>().into())
                    }
                    FieldValue::Text(text) => Some(serde_json::to_value(Bytes(&text)).unwrap()),
                };
                assert_eq!(member, value, "{name} of {json}");
            }
            self.0 += 1;
            Flow::Continue
        }
    }

    #[test]
    fn json_says_the_same() {
        let text = "[x](http://u@a.example:80/b/../c?q#f) <img src=a.png> urn:isbn:0451450523#x \
                    <http://b.example/\n  c-\nd> http://\u{e9}.example/\u{e9} http:\\/\\/c.example\\/";
        let mut compare = Compare(0);
        Search::default().reader(text.as_bytes(), &Input::named("a.md"), &mut compare);
        assert_eq!(compare.0, 6);
    }
}
