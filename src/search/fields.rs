//! The fields of a hit, declared once for JSON, tables, templates, SARIF, Arrow columns, and the
//! JSON Schema.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use crate::document::{Format, Place, Role};
use crate::grammar::HostType;
use crate::namespace::{NamespaceClass, NssFault};
use crate::options::HostMapping;
use crate::readable::Shown;
use crate::reference::Normalizer;
use crate::search::{DefangedHit, Envelope, Hit, HitKind, Input, OwnedHit};
use crate::{
    Finding, Flags, Identifier, Kind, Match, OwnedMatch, Rejected, Uri, UriRef, Urn, Wrapper,
    defang,
};

/// The object of the JSON output that holds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonPlace {
    /// A member of the object of the hit.
    Hit(&'static str),
    /// A member of `components`.
    Components(&'static str),
    /// A member of `urn`.
    Urn(&'static str),
    /// A member of `mail`.
    Mail(&'static str),
    /// Not part of the JSON output.
    Absent,
}

#[cfg(feature = "serde")]
impl JsonPlace {
    /// Its name in that object.
    pub(crate) const fn member(self) -> Option<&'static str> {
        match self {
            Self::Hit(name) | Self::Components(name) | Self::Urn(name) | Self::Mail(name) => {
                Some(name)
            }
            Self::Absent => None,
        }
    }
}

macro_rules! hit_fields {
    ($($(#[doc = $doc:literal])+ $Field:ident = $name:literal, $place:expr;)+) => {
        /// A field of a hit. The order is that of the members of JSON.
        ///
        /// ```
        /// use urigrep::search::HitField;
        /// let field = HitField::named("host").unwrap();
        /// assert_eq!(field.name(), "host");
        /// assert!(HitField::ALL.contains(&field));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum HitField { $($(#[doc = $doc])+ $Field,)+ }

        impl HitField {
            /// All fields.
            pub const ALL: &'static [Self] = &[$(Self::$Field,)+];

            /// The field of this name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$Field),)+
                    _ => None,
                }
            }

            /// Its name in templates, and as a column.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Field => $name,)+
                }
            }

            /// Where JSON has it.
            pub const fn json(self) -> JsonPlace {
                match self {
                    $(Self::$Field => $place,)+
                }
            }

            /// What it is, in one sentence.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$Field => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

hit_fields! {
    /// The path of the file.
    Path = "path", JsonPlace::Hit("path");
    /// The line it starts in, from 1.
    Line = "line", JsonPlace::Hit("line");
    /// The column it starts at, in bytes, from 1.
    Column = "column", JsonPlace::Hit("column");
    /// The offset of its first byte, from 0.
    Start = "start", JsonPlace::Hit("start");
    /// The offset after its last byte.
    End = "end", JsonPlace::Hit("end");
    /// The text as it is in the input, after decoding.
    Text = "text", JsonPlace::Hit("text");
    /// The URI or relative reference.
    Uri = "uri", JsonPlace::Hit("uri");
    /// The IRI, if it is one.
    Iri = "iri", JsonPlace::Hit("iri");
    /// The scheme in lower case.
    Scheme = "scheme", JsonPlace::Hit("scheme");
    /// The kind of match.
    Kind = "kind", JsonPlace::Hit("kind");
    /// What delimits it.
    Wrapper = "wrapper", JsonPlace::Hit("wrapper");
    /// What else is worth knowing.
    Flags = "flags", JsonPlace::Hit("flags");
    /// The ranges of the input that make it up, if there are several.
    Ranges = "ranges", JsonPlace::Hit("ranges");
    /// Another reading of where it ends.
    Alternative = "alternative", JsonPlace::Hit("alternative");
    /// The normal form.
    Normalized = "normalized", JsonPlace::Hit("normalized");
    /// The URI as people read it.
    Readable = "readable", JsonPlace::Absent;
    /// What it identifies, such as a DOI or an ISBN, in one spelling.
    Identifier = "identifier", JsonPlace::Hit("identifier");
    /// The userinfo.
    Userinfo = "userinfo", JsonPlace::Components("userinfo");
    /// The host.
    Host = "host", JsonPlace::Components("host");
    /// The type of the host.
    HostType = "host_type", JsonPlace::Components("host_type");
    /// The address that a host in a rare form means.
    HostAddress = "host_address", JsonPlace::Components("host_address");
    /// The port.
    Port = "port", JsonPlace::Components("port");
    /// The path of the URI.
    UriPath = "uri.path", JsonPlace::Components("path");
    /// The query.
    Query = "query", JsonPlace::Components("query");
    /// The fragment.
    Fragment = "fragment", JsonPlace::Components("fragment");
    /// The namespace identifier of a URN.
    Nid = "nid", JsonPlace::Urn("nid");
    /// The namespace-specific string of a URN.
    Nss = "nss", JsonPlace::Urn("nss");
    /// The r-component of a URN.
    RComponent = "r_component", JsonPlace::Urn("r");
    /// The q-component of a URN.
    QComponent = "q_component", JsonPlace::Urn("q");
    /// The f-component of a URN.
    FComponent = "f_component", JsonPlace::Urn("f");
    /// The assigned-name of a URN.
    AssignedName = "assigned_name", JsonPlace::Urn("assigned_name");
    /// The class of the namespace of a URN.
    Namespace = "namespace", JsonPlace::Urn("namespace");
    /// Why the namespace of a URN does not allow it.
    Fault = "fault", JsonPlace::Urn("fault");
    /// Why a candidate was rejected.
    Reason = "reason", JsonPlace::Hit("reason");
    /// The offset in the text at which a candidate fails.
    At = "at", JsonPlace::Hit("at");
    /// The format of the document.
    Format = "format", JsonPlace::Hit("format");
    /// The place in the document: a page, a cell, a column.
    Place = "place", JsonPlace::Hit("place");
    /// The text of the link.
    Label = "label", JsonPlace::Hit("label");
    /// The role of the part of a document.
    Role = "role", JsonPlace::Hit("role");
    /// The element that the part belongs to.
    Element = "element", JsonPlace::Hit("element");
    /// The attribute whose value the part is.
    Attribute = "attribute", JsonPlace::Hit("attribute");
    /// The Message-ID of the message.
    MessageId = "message_id", JsonPlace::Mail("message_id");
    /// The date of the message.
    Date = "date", JsonPlace::Mail("date");
    /// The sender of the message.
    From = "from", JsonPlace::Mail("from");
    /// The subject of the message.
    Subject = "subject", JsonPlace::Mail("subject");
    /// The numbers of the parts of the message that hold it.
    Parts = "parts", JsonPlace::Mail("parts");
    /// The header field of the message.
    Header = "header", JsonPlace::Mail("header");
    /// The place in a compressed file or archive.
    Stream = "stream", JsonPlace::Hit("stream");
}

/// Returns the fields in order, cut where another object of the JSON starts.
#[cfg(feature = "serde")]
pub(crate) fn field_groups() -> impl Iterator<Item = &'static [HitField]> {
    let object = |field: &HitField| std::mem::discriminant(&field.json());
    HitField::ALL.chunk_by(move |a, b| object(a) == object(b))
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// The hit has no such field.
    Absent,
    /// A number.
    Number(u64),
    /// A text.
    Text(Cow<'a, str>),
    /// Bytes of the input, or of the name of a file, which need not be UTF-8.
    Bytes(Cow<'a, [u8]>),
    /// Flags.
    Flags(Flags),
    /// Texts.
    Texts(&'a [String]),
    /// Ranges of bytes.
    Ranges(Cow<'a, [[u64; 2]]>),
    /// Why a URN is not allowed by its namespace.
    Fault(NssFault),
    /// A place in a document.
    Place(&'a Place<'a>),
    /// What a URI identifies.
    Identifier(Identifier),
}

/// Spells ASCII letters in lower case, without a copy if they are.
fn lowercase(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

impl<'a> FieldValue<'a> {
    /// True if JSON has no member for this value.
    #[cfg(feature = "serde")]
    pub(crate) fn is_left_out(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Ranges(ranges) => ranges.is_empty(),
            _ => false,
        }
    }

    /// Converts the value to one text, with spaces between the entries of a list. Returns `None` if
    /// it is absent.
    pub fn into_text(self) -> Option<Cow<'a, [u8]>> {
        let owned = |text: String| Some(Cow::Owned(text.into_bytes()));
        match self {
            Self::Absent => None,
            Self::Number(number) => owned(number.to_string()),
            Self::Text(text) => Some(bytes(text)),
            Self::Bytes(bytes) => Some(bytes),
            Self::Flags(flags) if flags.is_empty() => Some(Cow::Borrowed(b"")),
            Self::Flags(flags) => {
                let names: Vec<_> = flags.iter().map(|flag| flag.name()).collect();
                owned(names.join(" "))
            }
            Self::Texts(texts) => owned(texts.join(" ")),
            Self::Ranges(ranges) if ranges.is_empty() => None,
            Self::Ranges(ranges) => {
                let ranges: Vec<_> =
                    ranges.iter().map(|[start, end]| format!("{start}-{end}")).collect();
                owned(ranges.join(" "))
            }
            Self::Fault(fault) => owned(fault.to_string()),
            Self::Place(place) => owned(place.to_string()),
            Self::Identifier(identifier) => owned(identifier.canonical().to_owned()),
        }
    }
}

impl<'a> From<Cow<'a, str>> for FieldValue<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(text)
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
        Self::Bytes(Cow::Borrowed(text))
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

/// Fields that a hit surely does not have, a bit for each. Most hits have a third of the fields, so
/// a cheap answer for the others is most of the answer.
#[derive(Clone, Copy)]
struct AbsentFields(u64);

impl AbsentFields {
    const OF_URNS: Self = Self::of(&[
        HitField::Nid,
        HitField::Nss,
        HitField::RComponent,
        HitField::QComponent,
        HitField::FComponent,
        HitField::AssignedName,
        HitField::Namespace,
        HitField::Fault,
    ]);
    const OF_REJECTED: Self = Self::of(&[HitField::Reason, HitField::At]);
    const OF_MAIL: Self = Self::of(&[
        HitField::MessageId,
        HitField::Date,
        HitField::From,
        HitField::Subject,
        HitField::Parts,
        HitField::Header,
    ]);
    const OF_DOCUMENTS: Self = Self::of(&[
        HitField::Format,
        HitField::Place,
        HitField::Label,
        HitField::Role,
        HitField::Element,
        HitField::Attribute,
    ]);

    const fn of(mut fields: &[HitField]) -> Self {
        let mut bits = 0;
        while let [field, rest @ ..] = fields {
            bits |= 1 << *field as u64;
            fields = rest;
        }
        Self(bits)
    }

    /// Adds `fields` if `has` is false.
    fn unless(self, has: bool, fields: Self) -> Self {
        if has { self } else { Self(self.0 | fields.0) }
    }

    #[inline]
    fn has(self, field: HitField) -> bool {
        self.0 >> field as u64 & 1 == 1
    }
}

impl<'a> From<&'a Hit<'a>> for HitFields<'a> {
    fn from(hit: &'a Hit<'a>) -> Self {
        let uri = hit.parsed();
        let is_rejected = matches!(hit.finding(), Finding::Rejected(_));
        let absent = absent_from(uri, matched(hit).map(Match::kind))
            .unless(is_rejected, AbsentFields::OF_REJECTED)
            .unless(hit.format().is_some(), AbsentFields::OF_DOCUMENTS)
            .unless(hit.mail().is_some(), AbsentFields::OF_MAIL);
        Self { source: FieldSource::Hit(hit), uri, defanged: hit.defanged(), absent }
    }
}

impl<'a> From<&'a OwnedHit> for HitFields<'a> {
    fn from(hit: &'a OwnedHit) -> Self {
        let uri = hit.parsed();
        let absent = absent_from(uri, hit.matched().map(OwnedMatch::kind))
            .unless(false, AbsentFields::OF_REJECTED)
            .unless(hit.mail().is_some(), AbsentFields::OF_MAIL);
        Self { source: FieldSource::Owned(hit), uri, defanged: None, absent }
    }
}

/// Returns the fields that a URI does not have, and those of URNs unless the kind of the match may
/// be that of one.
fn absent_from(uri: Option<UriRef<'_>>, kind: Option<Kind>) -> AbsentFields {
    let has = |part: fn(&UriRef<'_>) -> bool| uri.as_ref().is_some_and(part);
    AbsentFields(0)
        .unless(matches!(kind, Some(Kind::Urn | Kind::Abbreviated)), AbsentFields::OF_URNS)
        .unless(has(|uri| uri.userinfo().is_some()), AbsentFields::of(&[HitField::Userinfo]))
        .unless(has(|uri| uri.port().is_some()), AbsentFields::of(&[HitField::Port]))
        .unless(has(|uri| uri.query().is_some()), AbsentFields::of(&[HitField::Query]))
        .unless(has(|uri| uri.fragment().is_some()), AbsentFields::of(&[HitField::Fragment]))
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
        match self.lacks(field) {
            true => FieldValue::Absent,
            false => self.possible_value(field, normalizer),
        }
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
            (HitField::Namespace, _) => NamespaceClass::of(nid).name().into(),
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
            HitField::HostAddress => FieldValue::Absent,
            HitField::Identifier => self.identifier().map_or(FieldValue::Absent, |identifier| {
                FieldValue::Identifier(identifier.defanged())
            }),
            HitField::UriPath => by.path().unwrap_or_default().into(),
            HitField::Query => by.query().into(),
            HitField::Fragment => by.fragment().into(),
            HitField::Readable => defang(&self.readable()?).into_owned().into(),
            HitField::Label => defang(&self.label()?).into_owned().into(),
            _ => return None,
        })
    }
}

fn matched<'a>(hit: &'a Hit<'a>) -> Option<&'a Match<'a>> {
    match hit.finding() {
        Finding::Match(m) => Some(m),
        _ => None,
    }
}
