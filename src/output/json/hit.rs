//! Hits as lines of JSON, like [`HitRecord`](crate::search::HitRecord), which serde writes.
//!
//! A search may print a hit per line of its input. Through serde and `serde_json`, that took twenty
//! times as long as finding it: each byte of a string was looked at, and each member passed five
//! layers. The names and their order come from the same table of fields.

use std::sync::LazyLock;

use super::append;
use super::string::push_string;
use crate::reference::Normalizer;
use crate::search::{FieldJson, FieldValue, Hit, HitField, HitFields, JsonPlace, field_groups};

/// The fields that are members of one object, in order.
struct MemberGroup {
    place: JsonPlace,
    members: Vec<HitMember>,
}

struct HitMember {
    field: HitField,
    /// The comma before it, its name, and the colon.
    name: Vec<u8>,
}

static GROUPS: LazyLock<Vec<MemberGroup>> = LazyLock::new(|| {
    let group = |fields: &'static [HitField]| MemberGroup {
        place: fields.first().map_or(JsonPlace::Absent, |field| field.json()),
        members: fields.iter().filter_map(|&field| HitMember::new(field)).collect(),
    };
    field_groups().map(group).collect()
});

impl HitMember {
    fn new(field: HitField) -> Option<Self> {
        let mut name = b",".to_vec();
        push_string(field.json().member()?, &mut name);
        name.push(b':');
        Some(Self { field, name })
    }
}

/// Appends a hit as an object on a line of its own.
pub fn push_hit(hit: &Hit<'_>, normalizer: &Normalizer, out: &mut Vec<u8>) {
    let fields = HitFields::from(hit);
    let kind: &[u8] =
        if fields.is_rejected() { br#"{"type":"rejected""# } else { br#"{"type":"match""# };
    out.extend_from_slice(kind);
    let writer = MemberWriter { fields, normalizer };
    for group in GROUPS.iter() {
        match group.place {
            JsonPlace::Hit(_) => writer.members(group, out),
            JsonPlace::Components(_) if fields.has_components() => {
                writer.object(b",\"components\":", group, out);
            }
            JsonPlace::Urn(_) if fields.is_urn() => writer.object(b",\"urn\":", group, out),
            JsonPlace::Mail(_) if fields.is_in_mail() => writer.object(b",\"mail\":", group, out),
            _ => {}
        }
    }
    out.extend_from_slice(b"}\n");
}

struct MemberWriter<'h> {
    fields: HitFields<'h>,
    normalizer: &'h Normalizer,
}

impl MemberWriter<'_> {
    fn object(&self, name: &[u8], group: &MemberGroup, out: &mut Vec<u8>) {
        out.extend_from_slice(name);
        let start = out.len();
        self.members(group, out);
        // The comma before the first member is where the object opens.
        match out.get_mut(start) {
            Some(comma) => *comma = b'{',
            None => out.push(b'{'),
        }
        out.push(b'}');
    }

    fn members(&self, group: &MemberGroup, out: &mut Vec<u8>) {
        for HitMember { field, name } in &group.members {
            if self.fields.lacks(*field) {
                continue;
            }
            let start = out.len();
            out.extend_from_slice(name);
            // Each arm owns its value, so most have nothing to drop.
            match self.fields.value(*field, self.normalizer) {
                FieldValue::Number(number) => {
                    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
                }
                FieldValue::Text(text) => push_string(&text, out),
                FieldValue::Flags(flags) if flags.is_empty() => out.extend_from_slice(b"[]"),
                FieldValue::Bytes(bytes) => match std::str::from_utf8(&bytes) {
                    Ok(text) => push_string(text, out),
                    Err(_) => append(&FieldJson(&FieldValue::Bytes(bytes)), out),
                },
                // Whether a field is absent may show only once it is computed, so its name is taken
                // back.
                value if value.is_left_out() => out.truncate(start),
                value => append(&FieldJson(&value), out),
            }
        }
    }
}
