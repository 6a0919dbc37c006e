//! URI references in JSON: parsed, normalized, resolved.

use finder::grammar::Rule;
use finder::{Flag, Grammar, Identifier, Iri, IriRef, ParseError, Uri, UriRef};

use crate::json::Json;
use crate::utf16::units;

/// The components in the answer of [`parse`]: those of RFC 3986 §3, and of RFC 8141 §2 for a URN.
const COMPONENTS: [Rule; 10] = [
    Rule::Scheme,
    Rule::Authority,
    Rule::Userinfo,
    Rule::Host,
    Rule::Port,
    Rule::Path,
    Rule::Query,
    Rule::Fragment,
    Rule::Nid,
    Rule::Nss,
];

/// Returns the components of a URI, an IRI, a URN, or a relative reference, or an error.
pub fn parse(text: &str) -> String {
    let parsed = match Grammar::Rfc3986.parse_reference(text) {
        Ok(parsed) => parsed,
        Err(error) => return failed(text, error),
    };
    let iri = Iri::parse(text).ok();
    let mapped = iri.map(|iri| iri.to_uri());
    let uri = mapped.as_deref().and_then(|mapped| Uri::parse(mapped).ok());
    let flags = uri.map(|uri| uri.flags()).unwrap_or_default();
    let flags = flags.union(iri.map(|iri| iri.flags()).unwrap_or_default());
    let mut json = Json::default();
    json.open('{');
    // The rules of RFC 8141 are in upper case, and JavaScript's names are not.
    json.member("kind", &parsed.form().name().to_ascii_lowercase());
    for rule in COMPONENTS {
        json.optional(&rule.name().to_ascii_lowercase(), parsed.get(rule));
    }
    json.texts("flags", flags.iter().map(Flag::name));
    json.name("identifier");
    match uri.and_then(|uri| uri.identifier()) {
        Some(identifier) => push_identifier(&identifier, &mut json),
        None => json.null(),
    }
    json.close('}');
    json.into_string()
}

fn push_identifier(identifier: &Identifier, json: &mut Json) {
    json.open('{');
    json.member("kind", identifier.kind().name());
    json.member("value", identifier.value());
    json.member("canonical", identifier.canonical());
    json.close('}');
}

/// Returns the normal form of a URI or an IRI.
pub fn normalize(text: &str) -> String {
    let uri = match Iri::parse(text) {
        Ok(iri) => iri.to_uri(),
        Err(error) => return failed(text, error),
    };
    match Uri::parse(&uri) {
        Ok(uri) => reference(finder::normalize(uri).as_str()),
        Err(error) => failed(&uri, error),
    }
}

/// Returns the target of a reference; both may be IRIs.
pub fn resolve(base: &str, relative: &str) -> String {
    let base = match Iri::parse(base) {
        Ok(iri) => iri.to_uri(),
        Err(error) => return failed(base, error),
    };
    let relative = match IriRef::parse(relative) {
        Ok(relative) => relative.to_uri_ref(),
        Err(error) => return failed(relative, error),
    };
    match (Uri::parse(&base), UriRef::parse(&relative)) {
        (Ok(base), Ok(relative)) => reference(finder::resolve(base, relative).as_str()),
        (Err(error), _) => failed(&base, error),
        (_, Err(error)) => failed(&relative, error),
    }
}

fn reference(text: &str) -> String {
    let mut json = Json::default();
    json.open('{');
    json.member("uri", text);
    json.close('}');
    json.into_string()
}

fn failed(text: &str, error: ParseError) -> String {
    let before = text.as_bytes().get(..error.offset()).unwrap_or(text.as_bytes());
    let mut json = Json::default();
    json.open('{');
    json.member("input", text);
    json.member("reason", error.kind().name());
    json.member("message", &error.kind().to_string());
    json.number("at", units(before));
    json.close('}');
    json.into_string()
}
