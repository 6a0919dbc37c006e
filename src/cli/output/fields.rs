//! The fields of a hit: the columns of a table, and what a template can name. JSON has them as members.

use std::borrow::Cow;

use urigrep::grammar::HostType;
use urigrep::namespace::NamespaceClass;
use urigrep::readable::Shown;
use urigrep::reference::Normalizer;
use urigrep::search::{Hit, HitKind};
use urigrep::{Finding, Flag, Match, Uri, UriRef, Wrapper};

use crate::cli::flags::values::hosts;

/// A field of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitField {
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
pub const FIELDS: [(&str, HitField); 35] = [
    ("path", HitField::Path),
    ("line", HitField::Line),
    ("column", HitField::Column),
    ("start", HitField::Start),
    ("end", HitField::End),
    ("text", HitField::Text),
    ("uri", HitField::Uri),
    ("iri", HitField::Iri),
    ("normalized", HitField::Normalized),
    ("readable", HitField::Readable),
    ("alternative", HitField::Alternative),
    ("kind", HitField::Kind),
    ("wrapper", HitField::Wrapper),
    ("flags", HitField::Flags),
    ("scheme", HitField::Scheme),
    ("userinfo", HitField::Userinfo),
    ("host", HitField::Host),
    ("host_type", HitField::HostType),
    ("port", HitField::Port),
    ("uri.path", HitField::UriPath),
    ("query", HitField::Query),
    ("fragment", HitField::Fragment),
    ("nid", HitField::Nid),
    ("nss", HitField::Nss),
    ("assigned_name", HitField::AssignedName),
    ("r_component", HitField::RComponent),
    ("q_component", HitField::QComponent),
    ("f_component", HitField::FComponent),
    ("namespace", HitField::Namespace),
    ("reason", HitField::Reason),
    ("at", HitField::At),
    ("role", HitField::Role),
    ("element", HitField::Element),
    ("attribute", HitField::Attribute),
    ("stream", HitField::Stream),
];

/// The columns of a table, in order; they keep their places, and new ones come last.
pub const COLUMNS: [HitField; 16] = [
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

impl HitField {
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
}

/// A hit, as the values of its fields.
pub struct HitFields<'a> {
    hit: &'a Hit<'a>,
    uri: Option<UriRef<'a>>,
}

impl<'a> HitFields<'a> {
    /// The fields of a hit.
    pub fn new(hit: &'a Hit<'a>) -> Self {
        Self { uri: hit.parsed(), hit }
    }

    /// The value of a field; `normalizer` makes normal forms.
    pub fn value(&self, field: HitField, normalizer: &Normalizer) -> FieldValue<'a> {
        let Self { hit, uri } = *self;
        let position = hit.position();
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
        match field {
            HitField::Path => hit.input().file_path().into(),
            HitField::Stream => hit.input().stream().into(),
            HitField::Line => position.map_or(0, |position| position.line).into(),
            HitField::Column => position.map_or(0, |position| position.column).into(),
            HitField::Start => hit.start().into(),
            HitField::End => hit.bytes()[1].into(),
            HitField::Text => FieldValue::Text(hit.text()),
            HitField::Uri => uri.map(|uri| uri.as_str()).into(),
            HitField::Iri => hit.iri().into(),
            HitField::Normalized => match uri.and_then(|uri| uri.scheme()) {
                Some(_) => hit.normalized(normalizer).into(),
                None => FieldValue::Absent,
            },
            HitField::Readable => {
                let uri = uri.and_then(|uri| Uri::parse(uri.as_str()).ok());
                uri.map(|uri| uri.readable_with(Shown::InText, hosts())).into()
            }
            HitField::Alternative => matched.and_then(Match::alternative).into(),
            HitField::Kind => hit.kind().map(HitKind::name).into(),
            HitField::Wrapper => hit.wrapper().map(Wrapper::name).into(),
            HitField::Flags => {
                let names: Vec<_> = hit.flags().iter().map(Flag::name).collect();
                names.join(" ").into()
            }
            HitField::Scheme => {
                uri.and_then(|uri| uri.scheme()).map(str::to_ascii_lowercase).into()
            }
            HitField::Userinfo => uri.and_then(|uri| uri.userinfo()).into(),
            HitField::Host => uri.and_then(|uri| uri.host()).into(),
            HitField::HostType => uri.and_then(|uri| uri.host_type()).map(HostType::name).into(),
            HitField::Port => uri.and_then(|uri| uri.port()).into(),
            HitField::UriPath => uri.map(|uri| uri.path()).into(),
            HitField::Query => uri.and_then(|uri| uri.query()).into(),
            HitField::Fragment => uri.and_then(|uri| uri.fragment()).into(),
            HitField::Nid => nid().into(),
            HitField::Nss => {
                let nss = |nid: &str| uri.and_then(|uri| uri.path().get(nid.len() + 1..));
                nid().and_then(nss).into()
            }
            HitField::AssignedName => urn().map(|urn| urn.assigned_name()).into(),
            HitField::RComponent => urn().and_then(|urn| urn.r_component()).into(),
            HitField::QComponent => urn().and_then(|urn| urn.q_component()).into(),
            HitField::FComponent => urn().and_then(|urn| urn.f_component()).into(),
            HitField::Namespace => nid().map(|nid| NamespaceClass::of(nid).name()).into(),
            HitField::Reason => rejected.map(|rejected| rejected.reason().name()).into(),
            HitField::At => rejected.map(|rejected| rejected.at() as u64).into(),
            HitField::Role => hit.role().map(|role| role.name()).into(),
            HitField::Element => hit.element().into(),
            HitField::Attribute => hit.attribute().into(),
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
            assert!(others.iter().all(|(other, same)| other != name && same != field));
            assert_eq!((HitField::named(name), field.name()), (Some(*field), *name));
        }
    }

    struct Compare(u64);

    impl Sink for Compare {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            let json = serde_json::to_value(HitRecord::new(hit)).unwrap();
            let fields = HitFields::new(hit);
            for (name, field) in FIELDS {
                let of = |object: &str, name: &str| json.get(object)?.get(name).cloned();
                let member = match name {
                    "readable" | "normalized" => continue,
                    "uri.path" => of("components", "path"),
                    "nid" | "nss" | "assigned_name" | "namespace" => of("urn", name),
                    "r_component" | "q_component" | "f_component" => of("urn", &name[..1]),
                    _ => json.get(name).cloned().or_else(|| of("components", name)),
                };
                let value = match fields.value(field, &Normalizer::new()) {
                    FieldValue::Absent => None,
                    FieldValue::Number(number) => Some(number.into()),
                    FieldValue::Text(text) if field == HitField::Flags => {
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
