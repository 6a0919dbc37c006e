//! The fields of a hit: the columns of a table, and what a template can name. JSON has them as members.

use std::borrow::Cow;

use urigrep::grammar::HostType;
use urigrep::namespace::NamespaceClass;
use urigrep::readable::Shown;
use urigrep::reference::Normalizer;
use urigrep::search::{DefangedHit, Envelope, Hit, HitKind};
use urigrep::{Finding, Flag, Match, Uri, UriRef, Wrapper, defang};

use crate::cli::flags::values::hosts;

macro_rules! hit_fields {
    ($($Field:ident = $name:literal,)+) => {
        /// A field of a hit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum HitField { $($Field,)+ }

        impl HitField {
            pub const ALL: &'static [Self] = &[$(Self::$Field,)+];

            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$Field),)+
                    _ => None,
                }
            }

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Field => $name,)+
                }
            }
        }
    };
}

hit_fields! {
    Path = "path",
    Line = "line",
    Column = "column",
    Start = "start",
    End = "end",
    Text = "text",
    Uri = "uri",
    Iri = "iri",
    Normalized = "normalized",
    Readable = "readable",
    Alternative = "alternative",
    Kind = "kind",
    Wrapper = "wrapper",
    Flags = "flags",
    Scheme = "scheme",
    Userinfo = "userinfo",
    Host = "host",
    HostType = "host_type",
    Port = "port",
    UriPath = "uri.path",
    Query = "query",
    Fragment = "fragment",
    Nid = "nid",
    Nss = "nss",
    AssignedName = "assigned_name",
    RComponent = "r_component",
    QComponent = "q_component",
    FComponent = "f_component",
    Namespace = "namespace",
    Reason = "reason",
    At = "at",
    Role = "role",
    Element = "element",
    Attribute = "attribute",
    Stream = "stream",
    MessageId = "message_id",
    Date = "date",
    From = "from",
    Subject = "subject",
}

/// The columns of a table, in order; they keep their places, and new ones come last.
pub const COLUMNS: [HitField; 20] = [
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
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue<'a> {
    /// The hit has no such thing.
    Absent,
    Number(u64),
    Text(Cow<'a, [u8]>),
}

pub fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

impl<'a> From<Cow<'a, str>> for FieldValue<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(bytes(text))
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

pub struct HitFields<'a> {
    hit: &'a Hit<'a>,
    uri: Option<UriRef<'a>>,
}

impl<'a> HitFields<'a> {
    pub fn new(hit: &'a Hit<'a>) -> Self {
        Self { uri: hit.parsed(), hit }
    }

    pub fn value(&self, field: HitField, normalizer: &Normalizer) -> FieldValue<'a> {
        let Self { hit, uri } = *self;
        if let Some(defanged) = hit.defanged()
            && let Some(value) = self.unclickable(field, defanged)
        {
            return value;
        }
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
            HitField::MessageId | HitField::Date | HitField::From | HitField::Subject => {
                let envelope = hit.mail().map(|mail| mail.envelope());
                let of = |field: fn(&'a Envelope) -> Option<&'a str>| envelope.and_then(field);
                match field {
                    HitField::MessageId => of(|envelope| envelope.message_id.as_deref()),
                    HitField::Date => of(|envelope| envelope.date.as_deref()),
                    HitField::From => of(|envelope| envelope.from.as_deref()),
                    _ => of(|envelope| envelope.subject.as_deref()),
                }
                .into()
            }
        }
    }

    /// The value of a field that could be clicked, as it is printed in its place.
    fn unclickable(&self, field: HitField, by: &'a DefangedHit) -> Option<FieldValue<'a>> {
        Some(match field {
            HitField::Uri => by.uri().into(),
            HitField::Iri => by.iri().into(),
            HitField::Alternative => by.alternative().into(),
            HitField::Host => by.host().into(),
            HitField::UriPath => by.path().into(),
            HitField::Query => by.query().into(),
            HitField::Fragment => by.fragment().into(),
            HitField::Readable => {
                let uri = self.uri.and_then(|uri| Uri::parse(uri.as_str()).ok())?;
                defang(&uri.readable_with(Shown::InText, hosts())).into_owned().into()
            }
            _ => return None,
        })
    }
}
