//! What holds of normal forms and equivalence, whatever the URI.

use proptest::prelude::*;
use urigrep::identifier::identity;
use urigrep::reference::{Fragment, NormalForm, Normalizer, Rung, Tracking, compare, equivalent};
use urigrep::{Uri, UriRef, Urn, normalize, resolve};

use super::strings;
use crate::cases::cases;

/// URIs of every family of scheme, and those of `strings`.
fn uri() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        "urn:Example:",
        "urn:uuid:",
        "URN:",
        "mailto:",
        "mailto:A@B,",
        "doi:10.1/",
        "data:,",
        "tel:",
        "file:",
        "file://localhost",
        "news:",
    ]);
    prop_oneof![
        3 => strings::uri(),
        1 => (special, strings::bare_path(), prop_oneof![Just(""), Just("?Q=1&%41=B"), Just("#f%2d")])
            .prop_map(|(head, path, tail)| format!("{head}{path}{tail}")),
    ]
}

fn normalizers() -> Vec<Normalizer> {
    let mut all = Vec::new();
    for form in [NormalForm::Syntax, NormalForm::Scheme] {
        for fragment in [Fragment::Kept, Fragment::Removed] {
            for tracking in [Tracking::Kept, Tracking::Removed] {
                all.push(Normalizer::new().form(form).fragment(fragment).tracking(tracking));
            }
        }
    }
    all
}

/// True when a segment of the path is a dot segment only after decoding.
fn has_encoded_dots(path: &str) -> bool {
    path.split('/').any(|segment| {
        let decoded = segment.replace("%2E", ".").replace("%2e", ".");
        segment.contains('%') && (decoded == "." || decoded == "..")
    })
}

/// Starts of URIs that identify something.
const IDENTIFYING: [&str; 16] = [
    "doi:10.1/",
    "DOI:10/",
    "https://doi.org/10.1/",
    "http://hdl.handle.net/2.3/a",
    "hdl:2.3/",
    "ark:/12148/",
    "https://a.example/ark:12148/b-",
    "https://n2t.net/",
    "https://n2t.net/ark:/12148/",
    "https://arxiv.org/abs/2101.00001",
    "urn:nbn:DE:1-",
    "urn:isbn:0306406152",
    "https://nbn-resolving.org/urn:nbn:de:1-",
    "swh:1:cnt:94a9ed024d3859793618152ea559a168bbcbb5e2;lines=",
    "info:hdl/2.3/",
    "urn:x-y:",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn normal_is_normal_and_a_uri(text in uri()) {
        let Ok(uri) = Uri::parse(&text) else { return Ok(()) };
        for normalizer in normalizers() {
            let once = normalizer.normalize(uri).into_owned();
            let parsed = Uri::parse(&once);
            prop_assert!(parsed.is_ok(), "{:?}: {}", normalizer, once);
            prop_assert_eq!(normalizer.normalize(parsed.unwrap()), once.as_str(), "{:?}", normalizer);
            prop_assert!(Urn::parse(&text).is_err() || Urn::parse(&once).is_ok(), "{}", once);
        }
    }

    #[test]
    fn an_identity_is_its_own(head in prop::sample::select(&IDENTIFYING[..]), path in strings::bare_path(), text in uri()) {
        for text in [format!("{head}{path}"), format!("{head}{path}?a#b"), text] {
            let Ok(uri) = Uri::parse(&text) else { continue };
            for normalizer in normalizers() {
                let key = identity(uri, &normalizer).into_owned();
                let parsed = Uri::parse(&key);
                prop_assert!(parsed.is_ok(), "{}: {}", text, key);
                prop_assert_eq!(identity(parsed.unwrap(), &normalizer), key.as_str(), "{}", text);
            }
        }
    }

    #[test]
    fn normal_is_equivalent(text in uri()) {
        let Ok(uri) = Uri::parse(&text) else { return Ok(()) };
        let syntax = Normalizer::new().form(NormalForm::Syntax).normalize(uri).into_owned();
        let scheme = normalize(uri).into_string();
        let (syntax, scheme) = (Uri::parse(&syntax).unwrap(), Uri::parse(&scheme).unwrap());
        prop_assert!(equivalent(uri, syntax) <= Some(Rung::Syntax) && equivalent(uri, syntax).is_some());
        prop_assert!(equivalent(uri, scheme).is_some());
        // What a dot segment, a triplet or a port says stays where it was.
        prop_assert_eq!(uri.query().is_some(), scheme.query().is_some());
        prop_assert_eq!(uri.fragment().is_some(), scheme.fragment().is_some());
        prop_assert_eq!(uri.userinfo().is_some(), scheme.userinfo().is_some());
    }

    #[test]
    fn equivalence_is_symmetric_and_tells_where_not(a in uri(), b in uri()) {
        let (Ok(a), Ok(b)) = (Uri::parse(&a), Uri::parse(&b)) else { return Ok(()) };
        prop_assert_eq!(equivalent(a, b), equivalent(b, a));
        prop_assert_eq!(equivalent(a, a), Some(Rung::String));
        if let Err(difference) = compare(a, b) {
            prop_assert!(difference.a() <= a.as_str().len() && difference.b() <= b.as_str().len());
            let turned = compare(b, a).unwrap_err();
            prop_assert_eq!(turned.component(), difference.component());
            prop_assert_eq!((turned.a(), turned.b()), (difference.b(), difference.a()));
        }
    }

    /// A base in its normal form gives the same targets. It does where dots are dots: an encoded
    /// `..` is a segment like any other for resolving, and the last segment of a base goes even
    /// when it is a `..`. And where a `..` can't take back what the rules of a scheme look at, as
    /// it can the NID at the start of a rootless path.
    #[test]
    fn a_normal_base_gives_the_same_targets(base in uri(), reference in strings::reference()) {
        let (Ok(base), Ok(r)) = (Uri::parse(&base), UriRef::parse(&reference)) else { return Ok(()) };
        let path = base.path();
        let hierarchical = base.authority().is_some() || path.starts_with('/');
        if !hierarchical || has_encoded_dots(path) || path.ends_with("/..") {
            return Ok(());
        }
        let normal = normalize(base).into_string();
        let direct = resolve(base, r);
        let through = resolve(Uri::parse(&normal).unwrap(), r);
        let (direct, through) = (Uri::parse(&direct).unwrap(), Uri::parse(&through).unwrap());
        prop_assert_eq!(normalize(direct), normalize(through));
    }
}

/// The exceptions of the property above are real ones.
#[test]
fn where_normal_bases_differ() {
    for (base, reference) in
        [("http://a/b/%2e%2e/c", "../g"), ("http://a/b/c/..", "g"), ("urn:uuid:a/../F/b", ".")]
    {
        let base = Uri::parse(base).unwrap();
        let reference = UriRef::parse(reference).unwrap();
        let normal = normalize(base).into_string();
        let direct = resolve(base, reference);
        let through = resolve(Uri::parse(&normal).unwrap(), reference);
        assert_ne!(
            normalize(Uri::parse(&direct).unwrap()),
            normalize(Uri::parse(&through).unwrap()),
            "{base}"
        );
    }
}
