//! Reads the fields of a hit.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use super::absent::AbsentFields;
use super::field::HitField;
use super::value::FieldValue;
use crate::document::{Format, Place, Role};
use crate::grammar::HostType;
use crate::namespace::{NamespaceClass, NssFault};
use crate::options::HostMapping;
use crate::readable::Shown;
use crate::reference::Normalizer;
use crate::search::{DefangedHit, Envelope, Hit, HitKind, Input, OwnedHit};
use crate::{
    Finding, Flags, Identifier, Match, OwnedMatch, Rejected, Uri, UriRef, Urn, Wrapper, defang,
};

/// A hit, borrowed from a search or owned.
#[derive(Clone, Copy)]
enum FieldSource<'a> {
    Hit(&'a Hit<'a>),
    Owned(&'a OwnedHit),
}

/// Reads the fields of a hit.
///
/// ```
/// use urigrep::reference::Normalizer;
/// use urigrep::search::{HitField, HitFields, Input, Search};
/// let mut hits = Search::default().hits(b"http://a.example/b".as_slice(), Input::named("a"));
/// let hit = hits.next().unwrap();
/// let fields = HitFields::from(&hit);
/// let host = fields.value(HitField::Host, &Normalizer::new()).into_text();
/// assert_eq!(host.as_deref(), Some(&b"a.example"[..]));
/// ```
#[derive(Clone, Copy)]
pub struct HitFields<'a> {
    source: FieldSource<'a>,
    uri: Option<UriRef<'a>>,
    defanged: Option<&'a DefangedHit>,
    absent: AbsentFields,
}

impl<'a> From<&'a Hit<'a>> for HitFields<'a> {
    fn from(hit: &'a Hit<'a>) -> Self {
        let uri = hit.parsed();
        let is_rejected = matches!(hit.finding(), Finding::Rejected(_));
        let absent = AbsentFields::lacked_by(uri, matched(hit).map(Match::kind))
            .unless(is_rejected, AbsentFields::OF_REJECTED)
            .unless(hit.format().is_some(), AbsentFields::OF_DOCUMENTS)
            .unless(hit.mail().is_some(), AbsentFields::OF_MAIL);
        Self { source: FieldSource::Hit(hit), uri, defanged: hit.defanged(), absent }
    }
}

impl<'a> From<&'a OwnedHit> for HitFields<'a> {
    fn from(hit: &'a OwnedHit) -> Self {
        let uri = hit.parsed();
        let absent = AbsentFields::lacked_by(uri, hit.matched().map(OwnedMatch::kind))
            // Owned hits are made of matches and references only.
            .unless(false, AbsentFields::OF_REJECTED)
            .unless(hit.mail().is_some(), AbsentFields::OF_MAIL);
        Self { source: FieldSource::Owned(hit), uri, defanged: None, absent }
    }
}

/// Calls the same method on either source.
macro_rules! either {
    ($self:ident, $hit:ident => $value:expr) => {
        match $self.source {
            FieldSource::Hit($hit) => $value,
            FieldSource::Owned($hit) => $value,
        }
    };
}

/// The components of a URN by RFC 8141, or the two that older grammars know.
enum UrnView<'a> {
    Newest(Urn<'a>),
    Older(&'a str),
}

// Only the JSON record needs these.
#[cfg(feature = "serde")]
impl<'a> HitFields<'a> {
    /// True if the hit has components: it is a match or a relative reference.
    pub(crate) fn has_components(&self) -> bool {
        self.uri.is_some()
    }

    /// True if the hit is a URN.
    pub(crate) fn is_urn(&self) -> bool {
        self.urn().is_some()
    }

    /// True if the hit is in a message.
    pub(crate) fn is_in_mail(&self) -> bool {
        self.envelope().is_some()
    }

    pub(crate) fn is_rejected(&self) -> bool {
        self.rejected().is_some()
    }
}

impl<'a> HitFields<'a> {
    /// Returns the value of a field. `normalizer` makes the normal form, unless the hit already
    /// [has](Hit::with_normalized) one.
    #[inline]
    pub fn value(&self, field: HitField, normalizer: &Normalizer) -> FieldValue<'a> {
        if self.lacks(field) { FieldValue::Absent } else { self.possible_value(field, normalizer) }
    }

    /// True for a field that it surely does not have. False decides nothing.
    #[inline]
    pub(crate) fn lacks(&self, field: HitField) -> bool {
        self.absent.has(field)
    }

    fn possible_value(&self, field: HitField, normalizer: &Normalizer) -> FieldValue<'a> {
        if let Some(defanged) = self.defanged
            && let Some(value) = self.defanged_value(field, defanged)
        {
            return value;
        }
        let uri = self.uri;
        match field {
            // A text in memory may have no name.
            HitField::Path => Some(self.input().file_path()).filter(|path| !path.is_empty()).into(),
            HitField::Stream => self.input().stream().into(),
            HitField::ShownPath => {
                Some(self.input().display_path()).filter(|path| !path.is_empty()).into()
            }
            HitField::Line => self.line_and_column().map(|[line, _]| line).into(),
            HitField::Column => self.line_and_column().map(|[_, column]| column).into(),
            HitField::Start => either!(self, hit => hit.start()).into(),
            HitField::End => self.end().into(),
            HitField::Text => match (self.text(), uri) {
                // Most URIs are what the text says, and known to be UTF-8.
                (text, Some(uri)) if *text == *uri.as_str().as_bytes() => uri.as_str().into(),
                (text, _) => FieldValue::Bytes(text),
            },
            HitField::Uri => uri.map(|uri| uri.as_str()).into(),
            HitField::Iri => self.iri().into(),
            HitField::Normalized => self.normalized(normalizer),
            HitField::Readable => self.readable().map(Cow::into_owned).into(),
            HitField::Identifier => {
                self.identifier().map_or(FieldValue::Absent, FieldValue::Identifier)
            }
            HitField::Alternative => self.alternative().into(),
            HitField::Kind => self.kind().map(HitKind::name).into(),
            HitField::Wrapper => self.wrapper().map(Wrapper::name).into(),
            HitField::Flags => self.flags().map_or(FieldValue::Absent, FieldValue::Flags),
            HitField::Ranges => FieldValue::Ranges(self.ranges()),
            HitField::Scheme => uri.and_then(|uri| uri.scheme()).map(lowercase).into(),
            HitField::Userinfo => uri.and_then(|uri| uri.userinfo()).into(),
            HitField::Host => uri.and_then(|uri| uri.host()).into(),
            HitField::HostType => uri.and_then(|uri| uri.host_type()).map(HostType::name).into(),
            HitField::HostAddress => self.rare_ip().map(|address| address.to_string()).into(),
            HitField::Port => uri.and_then(|uri| uri.port()).into(),
            HitField::UriPath => uri.map(|uri| uri.path()).into(),
            HitField::Query => uri.and_then(|uri| uri.query()).into(),
            HitField::Fragment => uri.and_then(|uri| uri.fragment()).into(),
            HitField::Nid
            | HitField::Nss
            | HitField::RComponent
            | HitField::QComponent
            | HitField::FComponent
            | HitField::AssignedName
            | HitField::Namespace
            | HitField::Fault => self.urn_value(field),
            HitField::Reason => self.rejected().map(|rejected| rejected.reason().name()).into(),
            HitField::At => self.rejected().map(|rejected| rejected.at() as u64).into(),
            HitField::Format => either!(self, hit => hit.format()).map(Format::name).into(),
            HitField::Place => self.place().map_or(FieldValue::Absent, FieldValue::Place),
            HitField::Label => self.label().into(),
            HitField::Role => either!(self, hit => hit.role()).map(Role::name).into(),
            HitField::Element => either!(self, hit => hit.element()).into(),
            HitField::Attribute => either!(self, hit => hit.attribute()).into(),
            HitField::MessageId => self.envelope_value(|envelope| &envelope.message_id),
            HitField::Date => self.envelope_value(|envelope| &envelope.date),
            HitField::From => self.envelope_value(|envelope| &envelope.from),
            HitField::Subject => self.envelope_value(|envelope| &envelope.subject),
            HitField::Parts => self.parts().map_or(FieldValue::Absent, FieldValue::Texts),
            HitField::Header => match self.source {
                FieldSource::Hit(hit) => hit.mail().and_then(|mail| mail.header()).into(),
                FieldSource::Owned(hit) => hit.mail().and_then(|mail| mail.header()).into(),
            },
        }
    }

    fn input(&self) -> &'a Input {
        either!(self, hit => hit.input())
    }

    /// `None` if lines were not counted.
    fn line_and_column(&self) -> Option<[u64; 2]> {
        match self.source {
            FieldSource::Hit(hit) => hit.position().map(|at| [at.line, at.column]),
            FieldSource::Owned(hit) => (hit.line() > 0).then(|| [hit.line(), hit.column()]),
        }
    }

    fn end(&self) -> u64 {
        match self.source {
            FieldSource::Hit(hit) => hit.bytes()[1],
            FieldSource::Owned(hit) => hit.end(),
        }
    }

    fn text(&self) -> Cow<'a, [u8]> {
        match self.source {
            FieldSource::Hit(hit) => hit.text(),
            FieldSource::Owned(hit) => Cow::Borrowed(hit.text()),
        }
    }

    fn iri(&self) -> Option<Cow<'a, str>> {
        match self.source {
            FieldSource::Hit(hit) => hit.iri(),
            FieldSource::Owned(hit) => hit.iri().map(Cow::Borrowed),
        }
    }

    /// A relative reference without a base has no normal form.
    fn normalized(&self, normalizer: &Normalizer) -> FieldValue<'a> {
        if self.uri.and_then(|uri| uri.scheme()).is_none() {
            return FieldValue::Absent;
        }
        match self.source {
            // The URI was read already.
            FieldSource::Hit(hit) if hit.known_normalized().is_none() && matched(hit).is_some() => {
                let uri = self.uri.and_then(|uri| uri.to_uri());
                uri.map(|uri| normalizer.normalize(uri)).into()
            }
            FieldSource::Hit(hit) => hit.normalized(normalizer).into(),
            FieldSource::Owned(hit) => {
                Uri::parse(hit.uri()).ok().map(|uri| normalizer.normalize(uri)).into()
            }
        }
    }

    fn readable(&self) -> Option<Cow<'a, str>> {
        let uri = self.uri?.to_uri()?;
        let hosts = HostMapping::idna().unwrap_or_default();
        Some(uri.readable_with(Shown::InText, hosts))
    }

    fn identifier(&self) -> Option<Identifier> {
        self.uri?.to_uri()?.identifier()
    }

    fn alternative(&self) -> Option<&'a str> {
        match self.source {
            FieldSource::Hit(hit) => matched(hit).and_then(Match::alternative),
            FieldSource::Owned(hit) => hit.matched().and_then(OwnedMatch::alternative),
        }
    }

    fn kind(&self) -> Option<HitKind> {
        match self.source {
            FieldSource::Hit(hit) => hit.kind(),
            FieldSource::Owned(hit) => Some(hit.kind()),
        }
    }

    fn wrapper(&self) -> Option<Wrapper> {
        match self.source {
            FieldSource::Hit(hit) => hit.wrapper(),
            FieldSource::Owned(hit) => Some(hit.wrapper()),
        }
    }

    fn flags(&self) -> Option<Flags> {
        self.uri?;
        Some(either!(self, hit => hit.flags()))
    }

    fn ranges(&self) -> Cow<'a, [[u64; 2]]> {
        match self.source {
            FieldSource::Hit(_) if self.uri.is_none() => Cow::Borrowed(&[]),
            FieldSource::Hit(hit) => Cow::Owned(hit.ranges()),
            FieldSource::Owned(hit) => Cow::Borrowed(hit.ranges()),
        }
    }

    fn rare_ip(&self) -> Option<Ipv4Addr> {
        let is_match = match self.source {
            FieldSource::Hit(hit) => matched(hit).is_some(),
            FieldSource::Owned(hit) => hit.matched().is_some(),
        };
        self.uri.filter(|_| is_match)?.to_uri()?.rare_ip()
    }

    fn rejected(&self) -> Option<&'a Rejected<'a>> {
        match self.source {
            FieldSource::Hit(hit) => match hit.finding() {
                Finding::Rejected(rejected) => Some(rejected),
                _ => None,
            },
            FieldSource::Owned(_) => None,
        }
    }

    fn urn(&self) -> Option<UrnView<'a>> {
        let (urn, nid) = match self.source {
            FieldSource::Hit(hit) => (matched(hit)?.urn(), matched(hit)?.nid()),
            FieldSource::Owned(hit) => (hit.matched()?.urn(), hit.matched()?.nid()),
        };
        urn.map(UrnView::Newest).or_else(|| nid.map(UrnView::Older))
    }

    fn urn_value(&self, field: HitField) -> FieldValue<'a> {
        let Some(urn) = self.urn() else {
            return FieldValue::Absent;
        };
        let nid = match &urn {
            UrnView::Newest(urn) => urn.nid(),
            UrnView::Older(nid) => nid,
        };
        match (field, &urn) {
            (HitField::Nid, _) => nid.into(),
            (HitField::Namespace, _) => NamespaceClass::for_nid(nid).name().into(),
            (HitField::Nss, UrnView::Newest(urn)) => urn.nss().into(),
            (HitField::Nss, UrnView::Older(nid)) => {
                self.uri.and_then(|uri| uri.path().get(nid.len() + 1..)).into()
            }
            (HitField::AssignedName, UrnView::Newest(urn)) => urn.assigned_name().into(),
            (HitField::AssignedName, UrnView::Older(_)) => self.scheme_and_path().into(),
            (HitField::RComponent, UrnView::Newest(urn)) => urn.r_component().into(),
            (HitField::QComponent, UrnView::Newest(urn)) => urn.q_component().into(),
            (HitField::FComponent, UrnView::Newest(urn)) => urn.f_component().into(),
            (HitField::Fault, UrnView::Newest(_)) => {
                self.fault().map_or(FieldValue::Absent, FieldValue::Fault)
            }
            _ => FieldValue::Absent,
        }
    }

    fn fault(&self) -> Option<NssFault> {
        match self.source {
            FieldSource::Hit(hit) => matched(hit)?.nss_fault(),
            FieldSource::Owned(hit) => hit.matched()?.nss_fault(),
        }
    }

    fn scheme_and_path(&self) -> Option<&'a str> {
        let uri = self.uri?;
        uri.as_str().get(..uri.scheme()?.len() + 1 + uri.path().len())
    }

    fn envelope(&self) -> Option<&'a Envelope> {
        match self.source {
            FieldSource::Hit(hit) => hit.mail().map(|mail| mail.envelope()),
            FieldSource::Owned(hit) => hit.mail().map(|mail| mail.envelope()),
        }
    }

    fn envelope_value(&self, field: fn(&Envelope) -> &Option<String>) -> FieldValue<'a> {
        self.envelope().and_then(|envelope| field(envelope).as_deref()).into()
    }

    fn place(&self) -> Option<&'a Place<'a>> {
        match self.source {
            FieldSource::Hit(hit) => hit.place(),
            FieldSource::Owned(hit) => hit.place(),
        }
    }

    fn label(&self) -> Option<Cow<'a, str>> {
        match self.source {
            FieldSource::Hit(hit) => hit.label(),
            FieldSource::Owned(hit) => hit.label().map(Cow::Borrowed),
        }
    }

    fn parts(&self) -> Option<&'a [String]> {
        match self.source {
            FieldSource::Hit(hit) => hit.mail().map(|mail| mail.parts()),
            FieldSource::Owned(hit) => hit.mail().map(|mail| mail.parts()),
        }
    }

    /// Returns the defanged value of a field that could be clicked on otherwise.
    fn defanged_value(&self, field: HitField, by: &'a DefangedHit) -> Option<FieldValue<'a>> {
        Some(match field {
            HitField::Uri => by.uri().into(),
            HitField::Iri => by.iri().into(),
            HitField::Alternative => by.alternative().into(),
            HitField::Host => by.host().into(),
            // It would name the host in a form that a reader can visit.
            HitField::HostAddress => FieldValue::Absent,
            HitField::Identifier => self.identifier().map_or(FieldValue::Absent, |identifier| {
                FieldValue::Identifier(identifier.defanged())
            }),
            HitField::UriPath => by.path().unwrap_or_default().into(),
            HitField::Query => by.query().into(),
            HitField::Fragment => by.fragment().into(),
            HitField::Readable => defang(&self.readable()?).into_owned().into(),
            // The text of a link is often its URL.
            HitField::Label => defang(&self.label()?).into_owned().into(),
            _ => return None,
        })
    }
}

/// Spells ASCII letters in lower case, without a copy if they are.
fn lowercase(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

fn matched<'a>(hit: &'a Hit<'a>) -> Option<&'a Match<'a>> {
    match hit.finding() {
        Finding::Match(m) => Some(m),
        _ => None,
    }
}
