//! One recognizer per scheme family, for schemes that have no `//` (D1.6).
//!
//! Running text is full of words before a colon. So a scheme without `//` matches only if a
//! recognizer for its own syntax accepts it. A recognizer may move an end to the left, which the
//! grammar may not.

mod address;
mod currency;
mod custom;
mod data;
mod media;
mod message;
mod naming;
mod nested;
mod phone;
mod publication;
mod software;
mod syntax;
mod token;
mod urn;

pub(crate) use custom::CustomSchemes;
pub use custom::Recognizer;
pub(crate) use naming::is_tagging_entity;
pub(crate) use nested::{NestedScheme, has_subprotocol, nested};
pub(crate) use syntax::placeholder;

use crate::error::Reason;
use crate::grammar::{Grammar, rfc2141};
use crate::options::Options;
use crate::slice::SliceExt;
use address::AddressScheme;
use message::MessageScheme;
use phone::PhoneScheme;

/// The input of a recognizer: a text that starts at the scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemeTarget<'t> {
    /// From the first byte of the scheme to past the end of the URI.
    pub text: &'t [u8],
    /// Offset of the `:` after the scheme in `text`.
    pub colon: usize,
    /// The end by the delimiting rules (D4.1–D4.5); `text[end..]` follows it.
    pub end: usize,
    pub quote: QuoteState,
}

/// State of a quotation mark directly before the scheme: closed directly after the run or not
/// (D3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuoteState {
    None,
    Closed,
    /// The quotation continues; a recognizer may treat that as the rest of a broken URI.
    Open,
}

impl<'t> SchemeTarget<'t> {
    /// Returns the part after the colon, up to the delimited end.
    pub fn body(&self) -> &'t [u8] {
        self.text.part(self.colon + 1..self.end)
    }

    pub fn after(&self) -> &'t [u8] {
        self.text.part(self.end..)
    }
}

/// The verdict of a recognizer on a [`SchemeTarget`]; offsets refer to its `text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recognition {
    /// It is a URI; `end` is the delimited end or lies before it.
    Match { end: usize },
    /// It is meant as a URI, but broken.
    Reject { reason: Reason, at: usize },
}

/// Maximum number of bytes after the colon that [`SchemeRecognizer::may_start`] may read.
///
/// A rejection costs at most this much work per colon, which keeps `tag:tag:tag:` linear.
pub(crate) const MAX_HEAD_BYTES: usize = 256;

/// The syntax of one scheme family.
pub(crate) trait SchemeRecognizer: Sync {
    /// True if the text after the colon, of at most [`MAX_HEAD_BYTES`] bytes, starts like a URI of
    /// this family.
    ///
    /// False means a word before a colon, which is dropped silently. So anything that may be meant
    /// as a URI must pass. `head` may contain bytes that are not URI characters.
    fn may_start(&self, head: &[u8]) -> bool;

    /// Judges a delimited text that [`SchemeRecognizer::may_start`] accepted.
    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition;
}

/// The longest name in [`built_in`]. If a longer one is added,
/// `recognizers_are_those_of_the_registry` fails.
const MAX_LENGTH: usize = "openpgp4fpr".len();

/// Returns the recognizer of a scheme without `//`, in any case: a custom one, or that of the
/// table.
///
/// [`nested`] has the wrapping schemes.
#[inline]
pub(crate) fn lookup<'o>(scheme: &[u8], options: &'o Options) -> Option<&'o dyn SchemeRecognizer> {
    match options.recognizers.get(scheme) {
        Some(custom) => Some(custom),
        None => built_in(scheme, options.grammar()),
    }
}

/// The table of recognizers. URNs are those of `grammar`.
fn built_in(scheme: &[u8], grammar: Grammar) -> Option<&'static dyn SchemeRecognizer> {
    let mut lower = [0; MAX_LENGTH];
    // A longer scheme is not in the table; this also bounds the copy.
    let lower = lower.get_mut(..scheme.len())?;
    lower.copy_from_slice(scheme);
    lower.make_ascii_lowercase();
    let recognizer: &'static dyn SchemeRecognizer = match &*lower {
        b"urn" => match grammar {
            Grammar::Rfc2141bis01 => &urn::OlderUrn(rfc2141::BIS_01),
            Grammar::Rfc2141 => &urn::OlderUrn(rfc2141::RFC_2141),
            Grammar::Rfc3986
            | Grammar::Rfc2396bis01
            | Grammar::UrlSyntax05
            | Grammar::Url1993
            | Grammar::Rfc8141 => &urn::UrnNamestring,
        },
        b"mailto" => &AddressScheme::Mailto,
        b"sip" | b"sips" => &AddressScheme::Sip,
        b"xmpp" => &AddressScheme::Xmpp,
        b"acct" => &AddressScheme::Acct,
        b"im" | b"pres" => &AddressScheme::Im,
        // `fax:` is of RFC 2806. Programs also write numbers after `callto:`.
        b"tel" | b"fax" | b"callto" => &PhoneScheme::Tel,
        b"sms" => &PhoneScheme::Sms,
        b"news" | b"nntp" => &MessageScheme::News,
        b"matrix" => &message::MATRIX,
        b"mid" => &MessageScheme::Mid,
        b"cid" => &MessageScheme::Cid,
        b"data" => &data::DataScheme,
        b"doi" => &publication::DOI,
        b"hdl" => &publication::HDL,
        b"ark" => &publication::ARK,
        b"arxiv" => &publication::ARXIV,
        b"pmid" => &publication::PMID,
        b"isbn" => &publication::ISBN,
        b"info" => &publication::INFO,
        b"tag" => &naming::TAG,
        b"did" => &naming::DID,
        b"ni" => &naming::NI,
        b"nih" => &naming::NIH,
        b"swh" => &naming::SWH,
        b"pkg" => &software::PKG,
        b"cpe" => &software::CPE,
        b"geo" => &media::GEO,
        b"magnet" => &media::MAGNET,
        b"spotify" => &media::SPOTIFY,
        b"steam" => &media::STEAM,
        b"skype" => &media::SKYPE,
        b"stun" | b"turn" | b"turns" => &media::STUN,
        b"ms-settings" => &media::MS_SETTINGS,
        b"facetime" => &media::FACETIME,
        b"openpgp4fpr" => &media::OPENPGP4FPR,
        b"bitcoin" => &currency::BITCOIN,
        b"ethereum" => &currency::ETHEREUM,
        b"lightning" => &currency::LIGHTNING,
        b"about" => &token::ABOUT,
        b"javascript" => &token::JavascriptScheme,
        b"file" | b"unix" => &token::FILE,
        _ => return None,
    };
    Some(recognizer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn looks_up_in_any_case() {
        let lookup = |scheme| built_in(scheme, Grammar::default());
        assert!(
            lookup(b"URN").is_some() && lookup(b"JavaScript").is_some() && lookup(b"im").is_some()
        );
        assert!(
            lookup(b"").is_none() && lookup(b"http").is_none() && lookup(b"javascripts").is_none()
        );
        assert_eq!(nested(b"View-Source"), Some(NestedScheme::ViewSource));
    }

    /// The scan accepts exactly the schemes that have a recognizer.
    #[test]
    fn recognizers_are_those_of_the_registry() {
        let has = |name: &str| {
            let name = name.as_bytes();
            built_in(name, Grammar::default()).is_some() || nested(name).is_some()
        };
        for name in registry::OPAQUE {
            assert!(has(name), "{name}");
        }
        for info in registry::schemes() {
            assert_eq!(has(info.name), registry::OPAQUE.contains(&info.name), "{}", info.name);
        }
    }
}
