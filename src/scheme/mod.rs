//! One recognizer a scheme family, for schemes that have no `//` (D1.6).
//!
//! Running text is full of words before a colon. A scheme without `//` is matched
//! only by a recognizer that knows the scheme's own syntax; it may move an end to
//! the left, which the grammar may not.

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
pub(crate) use nested::{NestedScheme, has_subprotocol, nested};

use crate::error::Reason;
use crate::grammar::{Grammar, rfc2141};
use crate::options::Options;
use crate::slice::SliceExt;
use address::AddressScheme;
use message::MessageScheme;
use phone::PhoneScheme;

/// What a recognizer looks at: a text that starts at the scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemeTarget<'t> {
    /// From the first byte of the scheme on, past the end of the URI.
    pub text: &'t [u8],
    /// Where the `:` after the scheme is in `text`.
    pub colon: usize,
    /// Where the delimiting rules put the end (D4.1–D4.5); `text[end..]` follows it.
    pub end: usize,
    pub quote: QuoteState,
}

/// Whether the quotation mark right before the scheme was closed right behind the run (D3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuoteState {
    None,
    Closed,
    /// What is quoted goes on: a recognizer may take that for the rest of a broken URI.
    Open,
}

impl<'t> SchemeTarget<'t> {
    /// The part after the colon, up to the delimited end.
    pub fn body(&self) -> &'t [u8] {
        self.text.part(self.colon + 1..self.end)
    }

    pub fn after(&self) -> &'t [u8] {
        self.text.part(self.end..)
    }
}

/// What a recognizer says of a [`SchemeTarget`]; offsets are into its `text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recognition {
    /// It is one; `end` is the delimited end or lies before it.
    Match { end: usize },
    /// It is meant to be one, and is broken.
    Reject { reason: Reason, at: usize },
}

/// The longest look that [`SchemeRecognizer::opens`] may take past the colon.
///
/// A "no" costs at most this much work a colon, which keeps `tag:tag:tag:` linear.
pub(crate) const HEAD: usize = 256;

/// The syntax of one scheme family.
pub(crate) trait SchemeRecognizer: Sync {
    /// Whether the text after the colon, of at most [`HEAD`] bytes, starts like one of ours.
    ///
    /// False means that this is a word before a colon, which is dropped in silence: anything that
    /// may be meant as a URI must pass. `head` may hold bytes that are no URI characters.
    fn opens(&self, head: &[u8]) -> bool;

    /// The verdict on a delimited text that [`SchemeRecognizer::opens`] let through.
    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition;
}

/// The longest name in [`built_in`].
const LONGEST: usize = "javascript".len();

/// The recognizer of a scheme without `//`, in any case: one that the program brought, or that of the table.
///
/// The wrapping schemes have [`nested`].
#[inline]
pub(crate) fn lookup<'o>(scheme: &[u8], options: &'o Options) -> Option<&'o dyn SchemeRecognizer> {
    match options.recognizers.get(scheme) {
        Some(custom) => Some(custom),
        None => built_in(scheme, options.grammar),
    }
}

/// The one table of recognizers. URNs are those of `grammar`.
fn built_in(scheme: &[u8], grammar: Grammar) -> Option<&'static dyn SchemeRecognizer> {
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..scheme.len())?;
    lower.copy_from_slice(scheme);
    lower.make_ascii_lowercase();
    let recognizer: &'static dyn SchemeRecognizer = match &*lower {
        b"urn" => match grammar {
            Grammar::Rfc2141bis01 => &urn::OlderUrn(rfc2141::BIS_01),
            Grammar::Rfc2141 => &urn::OlderUrn(rfc2141::RFC_2141),
            _ => &urn::UrnNamestring,
        },
        b"mailto" => &AddressScheme::Mailto,
        b"sip" | b"sips" => &AddressScheme::Sip,
        b"xmpp" => &AddressScheme::Xmpp,
        b"acct" => &AddressScheme::Acct,
        b"im" | b"pres" => &AddressScheme::Im,
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

    /// What the scan lets through is what there are recognizers for.
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
