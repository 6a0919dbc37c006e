//! Tests of behaviour that the public API cannot show.

use super::{HostMapping, Uri, map_to_uri, table};
use crate::error::ErrorKind;

#[test]
fn a_uri_is_its_text_and_its_parts() {
    for text in ["s://u@[::1]:80/p?q#f", "s:", "s://@:?#", "urn:example:a?+b?=c#d"] {
        let uri = Uri::parse(text).unwrap();
        assert_eq!(Uri::with_parts(text, uri.parts()), uri);
    }
    assert!(size_of::<super::UriParts>() <= 28);
}

#[test]
fn mapping_appends_or_leaves_alone() {
    let mut out = String::from("kept ");
    map_to_uri("s:\u{e9}", HostMapping::default(), &mut out).unwrap();
    assert_eq!(out, "kept s:%C3%A9");
    assert_eq!(
        map_to_uri("s:\u{e9} ", HostMapping::default(), &mut out).unwrap_err().kind(),
        ErrorKind::Character
    );
    assert_eq!(out, "kept s:%C3%A9");
    if let Ok(idna) = HostMapping::idna() {
        let error = map_to_uri("s://\u{e9}@\u{2100}/", idna, &mut out).unwrap_err();
        assert_eq!((error.offset(), error.kind()), (7, ErrorKind::HostCharacter));
        assert_eq!(out, "kept s:%C3%A9");
    }
}

#[test]
fn classes_are_ascii_without_percent() {
    for byte in 0..=u8::MAX {
        let reserved = table::GEN_DELIMS.has(byte) || table::is_sub_delim(byte);
        assert_eq!(table::RESERVED.has(byte), reserved);
        assert!(!(reserved && table::is_unreserved(byte)), "{byte:#x}");
        let in_uri = reserved || table::is_unreserved(byte) || byte == b'%';
        assert_eq!(table::is_uri_byte(byte), in_uri, "{byte:#x}");
        assert!(byte.is_ascii_graphic() || !in_uri, "{byte:#x}");
        assert_eq!(table::HEXDIG.has(byte), byte.is_ascii_hexdigit());
        assert_eq!(table::ALPHANUM.has(byte), byte.is_ascii_alphanumeric());
        let in_scheme = byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        assert_eq!(table::is_scheme_byte(byte), in_scheme);
    }
}
