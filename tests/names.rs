//! URN namespaces: the class of a NID and the syntax of NSSs (corpus/names).

use tsv::check_vectors;
use urigrep::{NamespaceClass, Urn};

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
