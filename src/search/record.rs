//! Hits as the objects of the command's JSON, from the table of [fields](HitField).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::document::{Place, PlaceValue};
use crate::finder::Step;
use crate::namespace::{NamespaceClass, NssFault};
use crate::reference::Normalizer;
use crate::search::fields::{JsonPlace, field_groups};
use crate::search::{FieldValue, Hit, HitField, HitFields, OwnedHit};
use crate::{Finder, Finding, Flag, Flags, Identifier, Urn};

/// A string, or `{"bytes": base64}` for bytes that are not UTF-8.
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

/// A hit as an object of JSON Lines: a match, or a rejected candidate. Members that are absent are
/// left out.
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
#[derive(Clone)]
pub struct HitRecord<'a> {
    fields: HitFields<'a>,
    normalizer: Normalizer,
    steps: Vec<StepRecord<'a>>,
}

impl<'a> HitRecord<'a> {
    /// Creates the record of a hit. Its normal form is the one that the hit
    /// [has](Hit::with_normalized), else the default one.
    pub fn new(hit: &'a Hit<'a>) -> Self {
        Self::from_fields(HitFields::from(hit))
    }

    fn from_fields(fields: HitFields<'a>) -> Self {
        Self { fields, normalizer: Normalizer::new(), steps: Vec::new() }
    }

    /// Adds the rules that decided, as explained by `finder`, which must be the one that found the
    /// hit.
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
        Self { steps: finder.explain(hit.finding()).into_iter().map(record).collect(), ..self }
    }
}

impl std::fmt::Debug for HitRecord<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HitRecord").finish_non_exhaustive()
    }
}

impl<'a> From<&'a OwnedHit> for HitRecord<'a> {
    fn from(hit: &'a OwnedHit) -> Self {
        Self::from_fields(HitFields::from(hit))
    }
}

/// Writes the fields of one [place](JsonPlace) per object, in the order of the table.
impl Serialize for HitRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let kind = if self.fields.is_rejected() { "rejected" } else { "match" };
        map.serialize_entry("type", kind)?;
        for fields in field_groups() {
            let members = RecordMembers { record: self, fields };
            // A group has at least the field that starts it.
            match fields[0].json() {
                JsonPlace::Hit(_) => members.serialize_into(&mut map)?,
                JsonPlace::Components(_) if self.fields.has_components() => {
                    map.serialize_entry("components", &members)?;
                }
                JsonPlace::Urn(_) if self.fields.is_urn() => {
                    map.serialize_entry("urn", &members)?
                }
                JsonPlace::Mail(_) if self.fields.is_in_mail() => {
                    map.serialize_entry("mail", &members)?;
                }
                _ => {}
            }
        }
        if !self.steps.is_empty() {
            map.serialize_entry("explain", &self.steps)?;
        }
        map.end()
    }
}

/// The members of an object that are these fields of a hit.
struct RecordMembers<'r> {
    record: &'r HitRecord<'r>,
    fields: &'static [HitField],
}

impl RecordMembers<'_> {
    fn serialize_into<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        for &field in self.fields {
            if let Some(name) = field.json().member() {
                let value = self.record.fields.value(field, &self.record.normalizer);
                serialize_field(map, name, &value)?;
            }
        }
        Ok(())
    }
}

impl Serialize for RecordMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.serialize_into(&mut map)?;
        map.end()
    }
}

/// An object of these fields. Fields that the hit does not have are left out.
pub struct FieldObject<'a> {
    /// The hit.
    pub fields: HitFields<'a>,
    /// The fields, in order.
    pub names: &'static [HitField],
    /// The normalizer for the normal form.
    pub normalizer: Normalizer,
}

impl Serialize for FieldObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for &field in self.names {
            match self.fields.value(field, &self.normalizer) {
                FieldValue::Flags(flags) if flags.is_empty() => {}
                value => serialize_field(&mut map, field.name(), &value)?,
            }
        }
        map.end()
    }
}

fn serialize_field<M: SerializeMap>(
    map: &mut M,
    name: &'static str,
    value: &FieldValue<'_>,
) -> Result<(), M::Error> {
    if value.is_left_out() { Ok(()) } else { map.serialize_entry(name, &FieldJson(value)) }
}

/// The value of a field as JSON.
pub(crate) struct FieldJson<'v>(pub &'v FieldValue<'v>);

impl Serialize for FieldJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            FieldValue::Absent => serializer.serialize_none(),
            FieldValue::Number(number) => number.serialize(serializer),
            FieldValue::Text(text) => text.serialize(serializer),
            FieldValue::Bytes(bytes) => Bytes(bytes).serialize(serializer),
            FieldValue::Flags(flags) => FlagNames(*flags).serialize(serializer),
            FieldValue::Texts(texts) => texts.serialize(serializer),
            FieldValue::Ranges(ranges) => ranges.serialize(serializer),
            FieldValue::Fault(fault) => NssFaultRecord::from(*fault).serialize(serializer),
            FieldValue::Identifier(identifier) => {
                IdentifierRecord::from(identifier).serialize(serializer)
            }
            FieldValue::Place(place) => PlaceRecord(place).serialize(serializer),
        }
    }
}

/// What a URI identifies, as in the member `identifier` of a match or of a parsed text.
#[derive(Clone, Debug, Serialize)]
pub struct IdentifierRecord {
    kind: &'static str,
    value: String,
    canonical: String,
}

impl From<&Identifier> for IdentifierRecord {
    fn from(identifier: &Identifier) -> Self {
        Self {
            kind: identifier.kind().name(),
            value: identifier.value().to_owned(),
            canonical: identifier.canonical().to_owned(),
        }
    }
}

/// A place in a document, as an object of its members.
#[doc(hidden)]
#[derive(Debug)]
pub struct PlaceRecord<'a>(pub &'a Place<'a>);

impl Serialize for PlaceRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.0.members() {
            match value {
                PlaceValue::Number(number) => map.serialize_entry(name, &number)?,
                PlaceValue::Text(text) => map.serialize_entry(name, text)?,
            }
        }
        map.end()
    }
}

#[derive(Clone, Copy, Debug)]
struct FlagNames(Flags);

impl Serialize for FlagNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Flag::name))
    }
}

/// A URN, as in the member `urn` of a match or of a parsed text.
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

/// The reason for the flag `urn-nss-invalid`.
#[derive(Clone, Debug, Serialize)]
struct NssFaultRecord {
    reason: &'static str,
    at: usize,
    message: String,
}

#[derive(Clone, Debug, Serialize)]
struct StepRecord<'a> {
    rule: &'static str,
    what: &'static str,
    start: u64,
    end: u64,
    text: Bytes<'a>,
}

impl From<NssFault> for NssFaultRecord {
    fn from(fault: NssFault) -> Self {
        Self { reason: fault.kind().name(), at: fault.offset(), message: fault.to_string() }
    }
}

impl Serialize for OwnedHit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        HitRecord::from(self).serialize(serializer)
    }
}

impl<'a> UrnRecord<'a> {
    /// Creates the record of a URN by RFC 8141, with the fault that its namespace finds in it.
    pub fn new(urn: &Urn<'a>, fault: Option<NssFault>) -> Self {
        Self {
            r: urn.r_component(),
            q: urn.q_component(),
            f: urn.f_component(),
            fault: fault.map(NssFaultRecord::from),
            ..Self::by_older_grammar(urn.nid(), urn.nss(), urn.assigned_name())
        }
    }

    /// Creates the record of a URN that only an older grammar accepts. Its query and fragment are
    /// ordinary components.
    pub fn by_older_grammar(nid: &'a str, nss: &'a str, assigned_name: &'a str) -> Self {
        let namespace = NamespaceClass::for_nid(nid).name();
        Self { nid, nss, assigned_name, namespace, ..Self::default() }
    }
}
