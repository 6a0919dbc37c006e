//! Hits as the objects of the command's JSON.
//!
//! The structs below are the format: their fields in their order.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::document::Role;
use crate::finder::Step;
use crate::grammar::HostType;
use crate::namespace::{NamespaceClass, NssFault};
use crate::reference::Normalizer;
use crate::search::{DefangedHit, Envelope, Hit, HitKind, Input, OwnedHit};
use crate::{Finder, Finding, Flag, Flags, Uri, UriRef, Urn, normalize};

/// A string, or `{"bytes": base64}` for what is not UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => {
                let mut object = serializer.serialize_struct("Bytes", 1)?;
                object.serialize_field("bytes", &STANDARD.encode(self.0))?;
                object.end()
            }
        }
    }
}

/// Bytes that a record may own.
#[derive(Clone, Debug, Default)]
struct TextBytes<'a>(Cow<'a, [u8]>);

impl Serialize for TextBytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes(&self.0).serialize(serializer)
    }
}

/// A hit as an object of JSON Lines: a match, or a rejected candidate. Members that are absent are left out.
///
/// ```
/// use urigrep::search::{Flow, Hit, HitRecord, Input, Search, Sink};
/// struct Json(String);
/// impl Sink for Json {
///     fn hit(&mut self, hit: &Hit<'_>) -> Flow {
///         self.0 = serde_json::to_string(&HitRecord::new(hit)).unwrap();
///         Flow::StopAll
///     }
/// }
/// let mut json = Json(String::new());
/// Search::default().reader(b"tel:110".as_slice(), &Input::named("a"), &mut json);
/// assert!(json.0.starts_with(r#"{"type":"match","path":"a","line":1,"column":1,"start":0,"end":7,"text":"tel:110","#));
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct HitRecord<'a> {
    r#type: &'static str,
    path: Bytes<'a>,
    line: u64,
    column: u64,
    start: u64,
    end: u64,
    text: TextBytes<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iri: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrapper: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<FlagNames>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alternative: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normalized: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<Components<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urn: Option<UrnRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mail: Option<MailRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<Bytes<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explain: Vec<StepRecord<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct FlagNames(Flags);

impl Serialize for FlagNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Flag::name))
    }
}

#[derive(Clone, Debug, Serialize)]
struct Components<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    userinfo: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_address: Option<Ipv4Addr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<&'a str>,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'a str>,
}

/// A URN, as `urn` in the object of a match or of a parsed text.
#[derive(Clone, Debug, Default, Serialize)]
pub struct UrnRecord<'a> {
    nid: &'a str,
    nss: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    r: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    f: Option<&'a str>,
    assigned_name: &'a str,
    namespace: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<NssFaultRecord>,
}

/// Why the flag `urn-nss-invalid` is set.
#[derive(Clone, Debug, Serialize)]
struct NssFaultRecord {
    reason: &'static str,
    at: usize,
    message: String,
}

#[derive(Clone, Debug, Serialize)]
struct MailRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
    parts: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<Cow<'a, str>>,
}

#[derive(Clone, Debug, Serialize)]
struct StepRecord<'a> {
    rule: &'static str,
    what: &'static str,
    start: u64,
    end: u64,
    text: Bytes<'a>,
}

impl<'a> HitRecord<'a> {
    /// The record of a hit. Its normal form is the one that the hit [knows](Hit::with_normalized), else the default one.
    pub fn new(hit: &'a Hit<'a>) -> Self {
        let [start, end] = hit.bytes();
        let (line, column) =
            hit.position().map_or((0, 0), |position| (position.line, position.column));
        let record = Self {
            line,
            column,
            start,
            end,
            kind: hit.kind().map(HitKind::name),
            role: hit.role().map(Role::name),
            element: hit.element(),
            attribute: hit.attribute(),
            mail: hit
                .mail()
                .map(|mail| MailRecord::new(mail.envelope(), mail.parts(), mail.header())),
            ..Self::of_text(hit.input(), hit.text())
        };
        let record = match hit.finding() {
            Finding::Match(m) => Self {
                wrapper: Some(m.wrapper().name()),
                alternative: m.alternative(),
                normalized: hit.normalized(&Normalizer::new()),
                urn: UrnRecord::of(m.parsed(), m.urn(), m.nid(), || m.nss_fault()),
                components: Some(Components {
                    host_address: m.parsed().rare_ip(),
                    ..Components::new(m.parsed().into())
                }),
                ..record.with_uri(hit, m.parsed().into())
            },
            Finding::Relative(relative) => {
                let parsed = hit.parsed().unwrap_or_else(|| relative.reference());
                Self {
                    wrapper: Some(relative.wrapper().name()),
                    normalized: match hit.target() {
                        Some(_) => hit.normalized(&Normalizer::new()),
                        None => None,
                    },
                    components: Some(Components::new(parsed)),
                    ..record.with_uri(hit, parsed)
                }
            }
            Finding::Rejected(rejected) => Self {
                r#type: "rejected",
                reason: Some(rejected.reason().name()),
                at: Some(rejected.at()),
                ..record
            },
        };
        match hit.defanged() {
            Some(defanged) => record.defanged(defanged),
            None => record,
        }
    }

    /// The same with nothing in it that can be clicked.
    fn defanged(self, by: &'a DefangedHit) -> Self {
        let components = self.components.map(|components| Components {
            host: by.host(),
            host_address: None,
            path: by.path().unwrap_or_default(),
            query: by.query(),
            fragment: by.fragment(),
            ..components
        });
        Self {
            uri: by.uri(),
            iri: by.iri().map(Cow::Borrowed),
            alternative: by.alternative(),
            components,
            ..self
        }
    }

    /// A record of which nothing is known but its input and its text.
    fn of_text(input: &'a Input, text: Cow<'a, [u8]>) -> Self {
        Self {
            r#type: "match",
            path: Bytes(input.file_path()),
            text: TextBytes(text),
            stream: input.stream().map(Bytes),
            ..Self::default()
        }
    }

    fn with_uri(self, hit: &'a Hit<'a>, parsed: UriRef<'a>) -> Self {
        Self {
            uri: Some(parsed.as_str()),
            iri: hit.iri(),
            scheme: parsed.scheme().map(str::to_ascii_lowercase),
            flags: Some(FlagNames(hit.flags())),
            ranges: hit.ranges(),
            ..self
        }
    }

    /// The same with the rules that decided, as `finder` explains them; it is the one that found the hit.
    #[must_use]
    pub fn explained(self, hit: &'a Hit<'a>, finder: &Finder) -> Self {
        if let Finding::Relative(_) = hit.finding() {
            return self;
        }
        let record = |step: Step<'a>| {
            let [start, end] = hit.bytes_of(step.span);
            StepRecord {
                rule: step.rule,
                what: step.what,
                start,
                end,
                text: Bytes(hit.step_text(&step)),
            }
        };
        Self { explain: finder.explain(hit.finding()).into_iter().map(record).collect(), ..self }
    }
}

impl<'a> From<&'a OwnedHit> for HitRecord<'a> {
    fn from(hit: &'a OwnedHit) -> Self {
        let parsed = hit.parsed();
        let m = hit.matched();
        Self {
            line: hit.line(),
            column: hit.column(),
            start: hit.start(),
            end: hit.end(),
            uri: Some(hit.uri()),
            iri: hit.iri().map(Cow::Borrowed),
            scheme: parsed.and_then(|uri| uri.scheme()).map(str::to_ascii_lowercase),
            kind: Some(hit.kind().name()),
            wrapper: Some(hit.wrapper().name()),
            flags: Some(FlagNames(hit.flags())),
            ranges: hit.ranges().to_vec(),
            alternative: m.and_then(|m| m.alternative()),
            normalized: Uri::parse(hit.uri()).ok().map(normalize),
            components: parsed.map(|parsed| Components {
                host_address: m.and_then(|m| m.parsed().rare_ip()),
                ..Components::new(parsed)
            }),
            urn: m.and_then(|m| UrnRecord::of(m.parsed(), m.urn(), m.nid(), || m.nss_fault())),
            role: hit.role().map(Role::name),
            element: hit.element(),
            attribute: hit.attribute(),
            mail: hit.mail().map(|mail| {
                MailRecord::new(mail.envelope(), mail.parts(), mail.header().map(Cow::Borrowed))
            }),
            ..Self::of_text(hit.input(), Cow::Borrowed(hit.text()))
        }
    }
}

impl Serialize for OwnedHit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        HitRecord::from(self).serialize(serializer)
    }
}

impl<'a> Components<'a> {
    fn new(uri: UriRef<'a>) -> Self {
        Self {
            userinfo: uri.userinfo(),
            host: uri.host(),
            host_type: uri.host_type().map(HostType::name),
            host_address: None,
            port: uri.port(),
            path: uri.path(),
            query: uri.query(),
            fragment: uri.fragment(),
        }
    }
}

impl<'a> MailRecord<'a> {
    fn new(envelope: &'a Envelope, parts: &'a [String], header: Option<Cow<'a, str>>) -> Self {
        Self {
            message_id: envelope.message_id.as_deref(),
            date: envelope.date.as_deref(),
            from: envelope.from.as_deref(),
            subject: envelope.subject.as_deref(),
            parts,
            header,
        }
    }
}

impl<'a> UrnRecord<'a> {
    /// A URN by RFC 8141, and what its namespace finds wrong with its name.
    pub fn new(urn: &Urn<'a>, fault: Option<NssFault>) -> Self {
        Self {
            r: urn.r_component(),
            q: urn.q_component(),
            f: urn.f_component(),
            fault: fault.map(|fault| NssFaultRecord {
                reason: fault.kind().name(),
                at: fault.offset(),
                message: fault.to_string(),
            }),
            ..Self::by_older_grammar(urn.nid(), urn.nss(), urn.assigned_name())
        }
    }

    /// A URN that an older grammar accepts: its query and its fragment are components like any.
    pub fn by_older_grammar(nid: &'a str, nss: &'a str, assigned_name: &'a str) -> Self {
        let namespace = NamespaceClass::of(nid).name();
        Self { nid, nss, assigned_name, namespace, ..Self::default() }
    }

    /// The URN by RFC 8141, else the one by an older grammar.
    fn of(
        uri: Uri<'a>,
        urn: Option<Urn<'a>>,
        nid: Option<&'a str>,
        fault: impl FnOnce() -> Option<NssFault>,
    ) -> Option<Self> {
        if let Some(urn) = urn {
            return Some(Self::new(&urn, fault()));
        }
        let nid = nid?;
        let path = uri.path();
        let nss = path.get(nid.len() + 1..)?;
        let assigned_name = uri.as_str().get(..uri.scheme().len() + 1 + path.len())?;
        Some(Self::by_older_grammar(nid, nss, assigned_name))
    }
}
