//! What is known of names: the class of a NID, the syntax of NSSs, and flags (corpus/names).

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use crate::tsv::{check_vectors, root, rows};
use proptest::prelude::*;
use urigrep::grammar::HostType;
use urigrep::identifier::identity;
use urigrep::namespace::NamespaceClass;
use urigrep::options::{HostMapping, Identifiers};
use urigrep::reference::Normalizer;
use urigrep::registry::namespace;
use urigrep::{Finder, Flag, Iri, Uri, Urn};

#[test]
fn class_vectors() {
    check_vectors("names/class.tsv", 4, 2, |nid| {
        let urn = format!("urn:{nid}:a");
        let class = Urn::parse(&urn).expect("a NID").namespace_class();
        assert_eq!(class, NamespaceClass::for_nid(nid));
        class.name().to_owned()
    });
}

#[test]
fn nss_vectors() {
    check_vectors("names/nss.tsv", 4, 2, |text| {
        let urn = Urn::parse(text).expect("a vector is a URN");
        assert!(urn.check_nss().is_ok() || namespace(urn.nid().as_bytes()).is_some(), "{text}");
        match urn.check_nss() {
            Ok(()) => "ok".to_owned(),
            Err(fault) => {
                assert!(fault.offset() <= urn.assigned_name().len(), "{fault}");
                format!("{}@{}", fault.kind().name(), fault.offset())
            }
        }
    });
}

#[test]
fn identifier_vectors() {
    let finder = Finder::builder().identifiers(Identifiers::All).build();
    check_vectors("names/identifiers.tsv", 4, 2, |text| {
        let identifier = match Uri::parse(text) {
            Ok(uri) => uri.identifier(),
            Err(_) => finder.find(text.as_bytes()).expect("a match").identifier(),
        };
        identifier.map_or("none".to_owned(), |identifier| identifier.to_string())
    });
}

/// At least twenty identifiers have four spellings or more and a resolver, and one key each.
#[test]
fn every_identifier_has_one_key() {
    let rows = rows(&root().join("corpus/names/identifiers.tsv"), 4);
    let mut spellings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in &rows {
        spellings.entry(&row[2]).or_default().push(&row[1]);
    }
    spellings.remove("none");
    let full = spellings
        .values()
        .filter(|texts| texts.len() >= 5 && texts.iter().any(|text| text.starts_with("http")));
    assert!(full.count() >= 20);
    for canonical in spellings.keys() {
        let uri = Uri::parse(canonical).expect("a canonical form is a URI");
        let again = uri.identifier().expect("it has an identifier");
        assert_eq!(again.canonical(), *canonical);
        assert_eq!(urigrep::normalize(uri), *canonical);
        assert_eq!(identity(uri, &Normalizer::new()), *canonical);
    }
}

#[test]
fn flag_vectors() {
    check_vectors("names/flags.tsv", 4, 2, |text| {
        let iri = Iri::parse(text).expect("a vector is an IRI");
        let mapped = iri.to_uri_with(HostMapping::idna().unwrap_or_default()).expect("a URI");
        let uri = Uri::parse(&mapped).expect("a URI");
        let both = Flag::ALL
            .iter()
            .copied()
            .filter(|&flag| uri.flags().contains(flag) || iri.flags().contains(flag));
        let names: Vec<_> = both
            .map(|flag| match uri.rare_ip() {
                Some(address) if flag == Flag::RareIp => format!("{flag} {address}"),
                _ => flag.to_string(),
            })
            .collect();
        if names.is_empty() { "none".to_owned() } else { names.join(",") }
    });
}

// ---------------------------------------------------------------------------------------------
// Properties

/// How many of `ends` make a URN of `start` whose name is what its namespace asks for.
fn valid(start: &str, ends: &[String]) -> usize {
    let is_valid = |end: &&String| {
        let text = format!("{start}{end}");
        Urn::parse(&text).expect("a URN").check_nss().is_ok()
    };
    ends.iter().filter(is_valid).count()
}

fn ends(last: &str) -> Vec<String> {
    last.chars().map(String::from).collect()
}

/// The parts of an IPv4 address, the last of which holds what the others leave.
fn address_parts(address: u32, count: u32) -> Vec<u32> {
    let mut parts: Vec<u32> = (1..count).map(|i| address >> (32 - 8 * i) & 0xFF).collect();
    parts.push(address & (u32::MAX >> (8 * (count - 1))));
    parts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_check_digit_is_right(
        nine in "[0-9]{9}", more in "[0-9]{9}", seven in "[0-9]{4}-[0-9]{3}", lei in "[0-9A-Z]{18}",
        eidr in "([0-9A-F]{4}-){5}",
    ) {
        prop_assert_eq!(valid(&format!("urn:isbn:{nine}"), &ends("0123456789X")), 1);
        prop_assert_eq!(valid(&format!("urn:isbn:978{more}"), &ends("0123456789")), 1);
        prop_assert_eq!(valid(&format!("urn:isbn:979{more}"), &ends("0123456789")), 1);
        prop_assert_eq!(valid(&format!("urn:issn:{seven}"), &ends("0123456789X")), 1);
        let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        prop_assert_eq!(valid(&format!("urn:eidr:10.5240:{eidr}"), &ends(letters)), 1);
        let pairs: Vec<_> = (2..=98).map(|pair| format!("{pair:02}")).collect();
        prop_assert_eq!(valid(&format!("urn:lei:{lei}"), &pairs), 1);
    }

    #[test]
    fn every_uuid_and_oid_is_one(uuid in "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
        oid in "[0-2](\\.(0|[1-9][0-9]{0,12})){0,9}") {
        prop_assert_eq!(valid("urn:uuid:", &[uuid]), 1);
        prop_assert_eq!(valid("urn:oid:", &[oid]), 1);
    }

    #[test]
    fn faults_stand_in_the_name(
        nid in prop::sample::select(&["doi", "eidr", "epc", "gsma", "ietf", "isbn", "iso", "issn", "lei",
            "lex", "nbn", "ogc", "oid", "service", "uuid", "EPC", "acme"][..]),
        nss in "[a-z0-9](std:|iso:|id:|sgtin:|imei:|10\\.|[a-z0-9:/;.@X-]|%[0-9A-F]{2}){0,24}",
    ) {
        let text = format!("urn:{nid}:{nss}");
        let urn = Urn::parse(&text).expect("a URN");
        if let Err(fault) = urn.check_nss() {
            let name = urn.assigned_name().len() - nss.len()..=urn.assigned_name().len();
            prop_assert!(name.contains(&fault.offset()), "{}: {}", text, fault);
            prop_assert!(urn.to_uri().flags().contains(Flag::UrnNssInvalid));
        }
    }

    #[test]
    fn every_form_of_an_address_means_it(
        address in any::<u32>(), count in 1..=4_u32, forms in prop::collection::vec(0..3, 4),
    ) {
        let form = |(part, form): (u32, &i32)| match form {
            0 => format!("{part}"),
            1 => format!("0x{part:X}"),
            _ => format!("0{part:o}"),
        };
        let parts = address_parts(address, count).into_iter().zip(&forms).map(form);
        let text = format!("http://{}/", parts.collect::<Vec<_>>().join("."));
        let uri = Uri::parse(&text).expect("a URI");
        let expected = Ipv4Addr::from_bits(address);
        match uri.host_type() {
            Some(HostType::Ipv4) => prop_assert_eq!(uri.rare_ip(), None),
            _ => prop_assert_eq!(uri.rare_ip(), Some(expected), "{}", text),
        }
    }
}
