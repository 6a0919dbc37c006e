//! What the JSON objects of a search and of the verbs have in common.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use urigrep::{NamespaceClass, NssFault, Urn};

/// A string, or `{"bytes": base64}` for what is not UTF-8.
#[derive(Clone, Copy, Debug)]
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

/// A URN, as `urn` in the object of a match or of a parsed text.
#[derive(Serialize)]
pub struct UrnObject<'a> {
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
    fault: Option<NssFaultObject>,
}

/// Why the flag `urn-nss-invalid` is set.
#[derive(Serialize)]
struct NssFaultObject {
    reason: &'static str,
    at: usize,
    message: String,
}

impl<'a> UrnObject<'a> {
    /// A URN by RFC 8141, and what its namespace finds wrong with its name.
    pub fn new(urn: &Urn<'a>, fault: Option<NssFault>) -> Self {
        Self {
            r: urn.r_component(),
            q: urn.q_component(),
            f: urn.f_component(),
            fault: fault.map(|fault| NssFaultObject {
                reason: fault.kind().name(),
                at: fault.offset(),
                message: fault.to_string(),
            }),
            ..Self::older(urn.nid(), urn.nss(), urn.assigned_name())
        }
    }

    /// A URN that an older grammar accepts: its query and its fragment are components like any.
    pub fn older(nid: &'a str, nss: &'a str, assigned_name: &'a str) -> Self {
        Self {
            nid,
            nss,
            r: None,
            q: None,
            f: None,
            assigned_name,
            namespace: NamespaceClass::of(nid).name(),
            fault: None,
        }
    }
}

/// Appends an object as a line.
pub fn push(object: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    match serde_json::to_writer(&mut *out, object) {
        Ok(()) => out.push(b'\n'),
        // Strings and numbers into a vector do not fail.
        Err(_) => out.truncate(start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_bytes() {
        let mut out = Vec::new();
        push(&Bytes("é\n".as_bytes()), &mut out);
        push(&Bytes(b"\xff"), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\"é\\n\"\n{\"bytes\":\"/w==\"}\n"
        );
    }
}
