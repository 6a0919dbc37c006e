//! From a delimited text to a URI that parses: repair, mapping, grammar (D2.2, D2.3).

use super::byte_class::is_triplet;
use crate::error::{ErrorKind, ParseError, Reason};
use crate::grammar::{Grammar, IriRef, Parts, Uri, UriRef, map_to_uri};
use crate::kind::Kind;

/// A delimited text that the grammar accepts.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub kind: Kind,
    pub parts: Parts,
    /// The URI, when it is not the text itself.
    pub uri: Option<String>,
}

/// Why a delimited text is no URI, and where in it.
pub(crate) type FinishError = (Reason, usize);

/// Gives `text` its URI. `host_end` is where its authority ends.
pub(crate) fn finish(text: &[u8], host_end: usize) -> Result<Finished, FinishError> {
    if let Ok(uri) = Uri::from_bytes(text) {
        let kind = if uri.scheme().eq_ignore_ascii_case("urn") {
            Kind::Urn
        } else {
            Kind::Uri
        };
        return Ok(Finished {
            kind,
            parts: uri.parts(),
            uri: None,
        });
    }
    let iri = std::str::from_utf8(text).map_err(|error| (Reason::NonAscii, error.valid_up_to()))?;
    let (repaired, lax) = repair(iri, host_end);
    let mut uri = String::with_capacity(repaired.len() * 2);
    map_to_uri(&repaired, &mut uri).map_err(reason)?;
    let parsed = Uri::parse(&uri).map_err(reason)?;
    let parts = parsed.parts();
    let kind = if lax == Repaired::Yes {
        Kind::Lax
    } else {
        Kind::Iri
    };
    Ok(Finished {
        kind,
        parts,
        uri: Some(uri),
    })
}

/// Gives `text`, which has no scheme, the URI that it has with `prefix` before it (D7).
pub(crate) fn finish_with_prefix(
    prefix: &str,
    text: &[u8],
    host_end: usize,
) -> Result<Finished, FinishError> {
    let whole = [prefix.as_bytes(), text].concat();
    let finished = finish(&whole, prefix.len() + host_end)
        .map_err(|(reason, at)| (reason, at.saturating_sub(prefix.len())))?;
    let uri = match finished.uri {
        Some(uri) => uri,
        None => String::from_utf8(whole).map_err(|_| (Reason::NonAscii, 0))?,
    };
    Ok(Finished {
        uri: Some(uri),
        ..finished
    })
}

/// Gives `text`, which has no scheme, the relative reference that it is (RFC 3986 §4.2, RFC 3987 §2.2).
pub(super) fn finish_relative(text: &[u8], host_end: usize) -> Result<Finished, FinishError> {
    let utf8 =
        std::str::from_utf8(text).map_err(|error| (Reason::NonAscii, error.valid_up_to()))?;
    if let Ok(reference) = UriRef::parse(utf8) {
        return Ok(Finished {
            kind: Kind::Uri,
            parts: reference.parts(),
            uri: None,
        });
    }
    let (mut repaired, lax) = repair(utf8, host_end);
    let mut kind = match lax {
        Repaired::Yes => Kind::Lax,
        Repaired::No => Kind::Iri,
    };
    // "a path segment that contains a colon character [...] must be preceded by a dot-segment" (§4.2)
    let colon = |error: &ParseError| error.kind() == ErrorKind::FirstSegmentColon;
    if UriRef::parse(&repaired).is_err_and(|error| colon(&error))
        || IriRef::parse(&repaired).is_err_and(|error| colon(&error))
    {
        repaired.insert_str(0, "./");
        kind = Kind::Lax;
    }
    let iri = IriRef::parse(&repaired).map_err(reason)?;
    let uri = iri.to_uri_ref().map_err(reason)?.into_owned();
    let parts = UriRef::parse(&uri).map_err(reason)?.parts();
    Ok(Finished {
        kind,
        parts,
        uri: Some(uri),
    })
}

/// What an older `grammar`, if one was chosen, says of `text`, which has `prefix` before it when it
/// has no scheme.
#[inline]
pub(super) fn judge(grammar: Grammar, prefix: &str, text: &[u8]) -> Result<(), FinishError> {
    if grammar == Grammar::Rfc3986 {
        return Ok(());
    }
    let verdict = if prefix.is_empty() {
        grammar.judge(text)
    } else {
        grammar.judge(&[prefix.as_bytes(), text].concat())
    };
    verdict.map_err(|error| {
        let at = error.offset().saturating_sub(prefix.len());
        (error.kind().into(), at)
    })
}

fn reason(error: ParseError) -> FinishError {
    let reason = match error.kind() {
        ErrorKind::PortCharacter => Reason::InvalidPort,
        ErrorKind::HostCharacter | ErrorKind::UserinfoCharacter => Reason::InvalidHost,
        kind => Reason::Grammar(kind),
    };
    (reason, error.offset())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Repaired {
    Yes,
    No,
}

/// D2.3: percent-encodes what authors write though no RFC allows it.
fn repair(iri: &str, host_end: usize) -> (String, Repaired) {
    let (head, tail) = iri.split_at_checked(host_end).unwrap_or((iri, ""));
    let mut out = String::with_capacity(iri.len() + 16);
    out.push_str(head);
    let mut fragments = 0;
    let mut repaired = Repaired::No;
    for (at, c) in tail.char_indices() {
        let escape = match c {
            '[' => "%5B",
            ']' => "%5D",
            '{' => "%7B",
            '}' => "%7D",
            '^' => "%5E",
            // only UTS #58 lets these through
            '"' => "%22",
            '\\' => "%5C",
            '`' => "%60",
            '|' => "%7C",
            '<' => "%3C",
            '>' => "%3E",
            '%' if !is_triplet(tail.as_bytes().get(at..).unwrap_or_default()) => "%25",
            // only a format that delimits lets it through
            ' ' => "%20",
            '#' => {
                fragments += 1;
                if fragments > 1 { "%23" } else { "" }
            }
            _ => "",
        };
        if escape.is_empty() {
            out.push(c);
        } else {
            out.push_str(escape);
            repaired = Repaired::Yes;
        }
    }
    (out, repaired)
}
