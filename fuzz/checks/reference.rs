//! Resolution and normalization: targets are URIs, normal forms are fixed points.

use urigrep::redirect::unwrap;
use urigrep::reference::equivalent;
use urigrep::{Uri, UriRef, normalize, resolve};

/// Asserts it for a base and a reference.
pub fn check(base: &str, reference: &str) {
    let Ok(base) = Uri::parse(base) else { return };
    let normal = normalize(base).into_string();
    let again = Uri::parse(&normal).unwrap_or_else(|error| panic!("{normal:?}: {error}"));
    assert_eq!(normalize(again), normal, "normalizing {base:?} twice");
    assert!(equivalent(base, again).is_some(), "{base:?} and its normal form {normal:?}");
    if let Some(inner) = unwrap(base) {
        assert!(Uri::parse(&inner).is_ok(), "{inner:?}");
    }
    let Ok(reference) = UriRef::parse(reference) else {
        return;
    };
    let target = resolve(base, reference);
    let target = Uri::parse(&target).unwrap_or_else(|error| panic!("{target:?}: {error}"));
    assert_eq!(target.fragment(), reference.fragment());
    if let Some(absolute) = reference.to_uri() {
        assert_eq!(target.scheme(), absolute.scheme());
    }
}
