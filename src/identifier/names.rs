//! Identifiers that are names with their own syntax.
//!
//! Arguments are encoded as in a URI.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;

use super::canonical::{Identifier, QueryRole};
use super::kind::IdentifierKind;
use super::numbers;
use crate::grammar::Urn;
use crate::memmem;
use crate::percent;
use crate::reference::Normalizer;

/// `10.1000/182`, or `10/aabbe` as a short DOI. ASCII letters have no case (ISO 26324 §4.2).
pub(super) fn doi(text: &str) -> Option<Identifier> {
    let text = without_label(text, "doi:");
    let name = decoded(text)?.to_ascii_lowercase();
    let (prefix, suffix) = name.split_once('/')?;
    let is_registrant = prefix.strip_prefix("10.").is_some_and(|registrant| {
        registrant
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    });
    let fits = (is_registrant || prefix == "10") && !suffix.is_empty();
    fits.then(|| Identifier::new(IdentifierKind::Doi, name))
}

/// A naming authority and a local name (RFC 3650 §2). Only the authority has no case for all
/// handles; the local name has none in some of them. A handle of the authority `10` is a DOI.
pub(super) fn handle(text: &str) -> Option<Identifier> {
    let text = without_label(text, "hdl:");
    let name = decoded(text)?;
    let (authority, local) = name.split_once('/')?;
    if authority == "10" || authority.starts_with("10.") {
        return doi(text);
    }
    let is_authority = authority.starts_with(|c: char| c.is_ascii_digit())
        && authority.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
    let value = || format!("{}/{local}", authority.to_ascii_lowercase());
    (is_authority && !local.is_empty()).then(|| Identifier::new(IdentifierKind::Handle, value()))
}

/// `12148/btv1b8449691v`, maybe after a `/`. Hyphens have no meaning, and neither have delimiters
/// at the end (draft-kunze-ark, "Normalization and Lexical Equivalence").
pub(super) fn ark(text: &str) -> Option<Identifier> {
    let text = text.strip_prefix('/').unwrap_or(text);
    let (naan, name) = text.split_once('/')?;
    let naan = naan.to_ascii_lowercase();
    // A naming authority has five or more betanumeric characters: no vowels, and no `l`.
    let is_beta = |b: u8| b.is_ascii_digit() || b"bcdfghjkmnpqrstvwxz".contains(&b);
    let is_naan =
        naan.len() >= 5 && naan.bytes().all(is_beta) && naan.bytes().any(|b| b.is_ascii_digit());
    let mut name = name.replace('-', "");
    for hyphen in HYPHENS {
        if memmem::find(name.as_bytes(), b"%E2%80%").is_some() {
            name = without(&name, hyphen);
        }
    }
    let name = name.trim_matches(['/', '.']);
    (is_naan && !name.is_empty())
        .then(|| Identifier::new(IdentifierKind::Ark, format!("{naan}/{name}")))
}

fn without(text: &str, part: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = memmem::split_once(rest, part) {
        out.push_str(before);
        rest = after;
    }
    out + rest
}

/// U+2010 to U+2015, which typesetters put in place of a hyphen.
const HYPHENS: [&str; 6] =
    ["%E2%80%90", "%E2%80%91", "%E2%80%92", "%E2%80%93", "%E2%80%94", "%E2%80%95"];

/// `?`, `??`, and `?info` at the end of an ARK ask for its description ("inflections").
pub(super) fn ark_query(query: Option<&str>) -> QueryRole {
    match query {
        None | Some("" | "?" | "info") => QueryRole::OfIdentifier,
        Some(_) => QueryRole::Apart,
    }
}

/// `2101.00001v2`, or `hep-th/9901001` as before April 2007. The class of a subject, as in
/// `math.GT/0309136`, is not part of an identifier (arXiv, "Understanding the arXiv identifier").
pub(super) fn arxiv(text: &str) -> Option<Identifier> {
    let name = decoded(without_label(text, "arxiv:"))?.to_ascii_lowercase();
    let (paper, version) = match name.rsplit_once('v') {
        Some((paper, version)) if is_number(version, 1..=3) => (paper, format!("v{version}")),
        _ => (&*name, String::new()),
    };
    let (archive, number) = paper.split_once('/').unwrap_or(("", paper));
    let value = if archive.is_empty() {
        let (month, sequence) = number.split_once('.')?;
        let fits = is_month(month) && is_number(month, 4..=4) && is_number(sequence, 4..=5);
        fits.then(|| format!("{number}{version}"))
    } else {
        let (archive, class) = archive.split_once('.').unwrap_or((archive, "xx"));
        let is_archive =
            archive.len() > 1 && archive.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        let fits = is_archive && class.len() == 2 && is_month(number) && is_number(number, 7..=7);
        fits.then(|| format!("{archive}/{number}{version}"))
    };
    value.filter(|_| !paper.is_empty()).map(|value| Identifier::new(IdentifierKind::Arxiv, value))
}

/// True if the third and fourth digit are a month.
fn is_month(number: &str) -> bool {
    matches!(number.as_bytes(), [_, _, b'0', b'1'..=b'9', ..] | [_, _, b'1', b'0'..=b'2', ..])
}

fn is_number(text: &str, digits: core::ops::RangeInclusive<usize>) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// `1:cnt:` and forty hexadecimal digits. Of the qualifiers, `lines` and `bytes` name a part of the
/// object; the others say where it was found (ISO/IEC 18670 §6).
pub(super) fn swhid(text: &str) -> Option<Identifier> {
    const TYPES: [&str; 6] = ["cnt", "dir", "rev", "rel", "snp", "ori"];
    let mut parts = text.split(';');
    let core = parts.next()?;
    let (object, hash) = core.strip_prefix("1:")?.split_once(':')?;
    let fits =
        TYPES.contains(&object) && hash.len() == 40 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    let mut value = core.to_ascii_lowercase();
    let is_of_part = |part: &&str| ["lines=", "bytes="].iter().any(|name| part.starts_with(name));
    for part in parts.filter(is_of_part) {
        value.extend([";", part]);
    }
    fits.then(|| Identifier::new(IdentifierKind::Swhid, value))
}

/// The name in a URN, by the rules of its namespace if it is valid there.
pub(super) fn urn(text: &str) -> Option<Identifier> {
    let urn = Urn::parse(text).ok()?;
    if urn.check_nss().is_ok()
        && let Some(identifier) = registered(urn)
    {
        return Some(identifier);
    }
    let normal = Normalizer::new().normalize(urn.to_uri());
    let name = Urn::parse(&normal).ok()?.assigned_name().get("urn:".len()..)?.to_owned();
    Some(Identifier::new(IdentifierKind::Urn, name))
}

fn registered(urn: Urn<'_>) -> Option<Identifier> {
    let nss = urn.nss();
    match urn.nid().to_ascii_lowercase().as_str() {
        "isbn" => numbers::isbn(nss),
        "issn" => numbers::issn(nss),
        "doi" => doi(nss),
        // The prefix, before the first hyphen, has no case; the rest belongs to the national
        // library (RFC 8458 §4).
        "nbn" => {
            let (prefix, name) = nss.split_once('-')?;
            let value = format!("{}-{name}", prefix.to_ascii_lowercase());
            Some(Identifier::new(IdentifierKind::Nbn, value))
        }
        // RFC 7972 §2: an EIDR is a DOI with a colon in place of its slash.
        "eidr" => doi(&nss.replacen(':', "/", 1)),
        _ => None,
    }
}

/// Removes the label of a name, which resolvers accept before it.
fn without_label<'t>(text: &'t str, label: &str) -> &'t str {
    match text.split_at_checked(label.len()) {
        Some((start, name)) if start.eq_ignore_ascii_case(label) => name,
        _ => text,
    }
}

/// Decodes percent triplets. Returns `None` if the result is not text: identifiers consist of
/// graphic characters.
pub(super) fn decoded(text: &str) -> Option<Cow<'_, str>> {
    let decoded = match percent::decode(text) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).ok()?),
    };
    (!decoded.contains(char::is_control)).then_some(decoded)
}
