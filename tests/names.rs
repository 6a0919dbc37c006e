//! What is known of names: the class of a NID, the syntax of NSSs, and flags (corpus/names).

use tsv::check_vectors;
use urigrep::{Flag, Iri, NamespaceClass, Uri, Urn};

mod tsv;

#[test]
fn class_vectors() {
    check_vectors("names/class.tsv", 4, 2, |nid| {
        let urn = format!("urn:{nid}:a");
        let class = Urn::parse(&urn).expect("a NID").namespace_class();
        assert_eq!(class, NamespaceClass::of(nid));
        class.name().to_owned()
    });
}

#[test]
fn nss_vectors() {
    check_vectors("names/nss.tsv", 4, 2, |text| {
        let urn = Urn::parse(text).expect("a vector is a URN");
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
fn flag_vectors() {
    check_vectors("names/flags.tsv", 4, 2, |text| {
        let iri = Iri::parse(text).expect("a vector is an IRI");
        let mapped = iri.to_uri().expect("a URI");
        let uri = Uri::parse(&mapped).expect("a URI");
        let both = Flag::ALL
            .into_iter()
            .filter(|&flag| uri.flags().contains(flag) || iri.flags().contains(flag));
        let names: Vec<_> = both
            .map(|flag| match uri.rare_ip() {
                Some(address) if flag == Flag::RareIp => format!("{flag} {address}"),
                _ => flag.to_string(),
            })
            .collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(",")
        }
    });
}
