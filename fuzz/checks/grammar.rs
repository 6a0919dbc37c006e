//! The grammar of RFC 3986 and 3987, against fluent-uri.

use urigrep::{Finder, Grammar, Iri, IriRef, Uri, UriRef};

/// Asserts that both accept the same strings and find the same components.
pub fn check(text: &str) {
    let ours = UriRef::parse(text);
    let theirs = fluent_uri::UriRef::parse(text);
    assert_eq!(ours.is_ok(), theirs.is_ok(), "{text:?}: {ours:?} {theirs:?}");
    if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
        assert_eq!(ours.scheme(), theirs.scheme().map(|scheme| scheme.as_str()));
        let authority = theirs.authority();
        assert_eq!(ours.authority(), authority.map(|authority| authority.as_str()));
        assert_eq!(ours.host(), authority.map(|authority| authority.host()));
        assert_eq!(
            ours.userinfo(),
            authority.and_then(|authority| authority.userinfo()).map(|info| info.as_str())
        );
        assert_eq!(
            ours.port(),
            authority.and_then(|authority| authority.port()).map(|port| port.as_str())
        );
        assert_eq!(ours.path(), theirs.path().as_str());
        assert_eq!(ours.query(), theirs.query().map(|query| query.as_str()));
        assert_eq!(ours.fragment(), theirs.fragment().map(|fragment| fragment.as_str()));
    }
    let ours = IriRef::parse(text);
    let theirs = fluent_uri::IriRef::parse(text);
    assert_eq!(ours.is_ok(), theirs.is_ok(), "{text:?}: {ours:?} {theirs:?}");
    assert_eq!(Uri::parse(text).is_ok(), fluent_uri::Uri::parse(text).is_ok());
    if let Ok(iri) = Iri::parse(text)
        && let Ok(uri) = iri.to_uri_with(urigrep::options::HostMapping::idna().unwrap_or_default())
    {
        assert!(Uri::parse(&uri).is_ok(), "{text:?} maps to {uri:?}");
    }
    for &grammar in Grammar::ALL {
        if let Err(error) = grammar.parse(text) {
            assert!(error.offset() <= text.len(), "{grammar}: {error}");
        }
    }
    // what a format delimits becomes a reference that parses, or is rejected
    if let Some(urigrep::Finding::Relative(relative)) = Finder::new().reference(text.as_bytes()) {
        let reference = relative.reference();
        let parsed = UriRef::parse(reference.as_str()).expect("a reference parses");
        assert!(parsed.scheme().is_none() && parsed == reference, "{text:?}: {reference:?}");
    }
}
