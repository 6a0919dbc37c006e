//! Feature `serde`: the types of the core as data.
//!
//! Enums are their names, flags a list of names, and URIs strings, which are parsed again when they
//! are read. A match is the part of the command's JSON that needs no file: its members have the
//! same names there.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::edit::UriBuf;
use crate::finder::{Match, OwnedMatch};
use crate::grammar::{Grammar, Iri, IriRef, Uri, UriRef, Urn};
use crate::identifier::{Identifier, IdentifierKind};
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::span::Span;

/// Implements both traits for enums with fixed names.
macro_rules! names {
    ($($Enum:ident),+) => {$(
        impl Serialize for $Enum {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $Enum {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(NameVisitor(PhantomData))
            }
        }
    )+};
}

names!(Flag, Grammar, IdentifierKind, Kind, Wrapper);

/// Reads the name of a variant of `E`.
struct NameVisitor<E>(PhantomData<E>);

impl<E: FromStr<Err: fmt::Display>> Visitor<'_> for NameVisitor<E> {
    type Value = E;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<X: serde::de::Error>(self, name: &str) -> Result<E, X> {
        name.parse().map_err(X::custom)
    }
}

/// Implements both traits for borrowed URIs and the like. They can be read only from formats that
/// lend their strings; [`UriBuf`] is for the others.
macro_rules! texts {
    ($($Text:ident),+) => {$(
        impl Serialize for $Text<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_ref())
            }
        }

        impl<'de> Deserialize<'de> for $Text<'de> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <&'de str>::deserialize(deserializer)?;
                $Text::parse(text).map_err(D::Error::custom)
            }
        }
    )+};
}

texts!(Iri, IriRef, Uri, UriRef, Urn);

impl Serialize for UriBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for UriBuf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for Flags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Flags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FlagsVisitor;

        impl<'de> Visitor<'de> for FlagsVisitor {
            type Value = Flags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of flags")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Flags, A::Error> {
                let mut flags = Flags::default();
                while let Some(flag) = names.next_element::<Flag>()? {
                    flags = flags.with(flag);
                }
                Ok(flags)
            }
        }

        deserializer.deserialize_seq(FlagsVisitor)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Span", 2)?;
        object.serialize_field("start", &self.start())?;
        object.serialize_field("end", &self.end())?;
        object.end()
    }
}

impl Serialize for Identifier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Identifier", 3)?;
        object.serialize_field("kind", &self.kind())?;
        object.serialize_field("value", self.value())?;
        object.serialize_field("canonical", self.canonical())?;
        object.end()
    }
}

/// Bytes of a source: a string if they are UTF-8.
struct SourceText<'t>(&'t [u8]);

impl Serialize for SourceText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match core::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.serialize_bytes(self.0),
        }
    }
}

/// Implements `Serialize` for matches: `start`, `end`, `text`, `uri`, `iri`, `kind`, `wrapper`,
/// `flags`, and `identifier`. `iri` and `identifier` are left out if there are none.
macro_rules! matches {
    ($($Match:ty),+) => {$(
        impl Serialize for $Match {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let (iri, identifier) = (self.iri(), self.identifier());
                let absent = usize::from(iri.is_none()) + usize::from(identifier.is_none());
                let mut object = serializer.serialize_struct("Match", 9 - absent)?;
                object.serialize_field("start", &self.start())?;
                object.serialize_field("end", &self.end())?;
                object.serialize_field("text", &SourceText(self.as_bytes()))?;
                object.serialize_field("uri", AsRef::<str>::as_ref(&self.uri()))?;
                match iri {
                    Some(iri) => object.serialize_field("iri", AsRef::<str>::as_ref(&iri))?,
                    None => object.skip_field("iri")?,
                }
                object.serialize_field("kind", &self.kind())?;
                object.serialize_field("wrapper", &self.wrapper())?;
                object.serialize_field("flags", &self.flags())?;
                match identifier {
                    Some(identifier) => object.serialize_field("identifier", &identifier)?,
                    None => object.skip_field("identifier")?,
                }
                object.end()
            }
        }
    )+};
}

matches!(Match<'_>, OwnedMatch);

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::Finder;

    #[test]
    fn matches_are_objects() {
        let m = Finder::new().find("<https://doi.org/10.1000/182>").unwrap();
        let json = serde_json::to_string(&m).unwrap();
        assert_eq!(json, serde_json::to_string(&m.into_owned()).unwrap());
        assert_eq!(
            json,
            r#"{"start":1,"end":28,"text":"https://doi.org/10.1000/182","uri":"https://doi.org/10.1000/182","kind":"uri","wrapper":"angle","flags":[],"identifier":{"kind":"doi","value":"10.1000/182","canonical":"doi:10.1000/182"}}"#
        );
    }

    #[test]
    fn texts_are_parsed_again() {
        let uri: UriBuf = serde_json::from_str(r#""http:\/\/a.example/""#).unwrap();
        assert_eq!(serde_json::to_string(&uri).unwrap(), r#""http://a.example/""#);
        let borrowed: Uri<'_> = serde_json::from_str(r#""urn:example:a""#).unwrap();
        assert_eq!(borrowed.scheme(), "urn");
        let error = serde_json::from_str::<UriBuf>(r#""a b""#).unwrap_err();
        assert!(error.to_string().contains("scheme"), "{error}");
    }

    #[test]
    fn names_go_both_ways() {
        let flags = Flags::default().with(Flag::Elided).with(Flag::Bidi);
        let json = serde_json::to_string(&flags).unwrap();
        assert_eq!(json, r#"["elided","bidi"]"#);
        assert_eq!(serde_json::from_str::<Flags>(&json).unwrap(), flags);
        assert_eq!(serde_json::from_str::<Kind>(r#""urn""#).unwrap(), Kind::Urn);
        let error = serde_json::from_str::<Kind>(r#""url""#).unwrap_err();
        assert!(error.to_string().contains("`url` is not one of the kinds:"), "{error}");
    }
}
