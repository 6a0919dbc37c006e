//! Registered names: URI schemes, URN namespaces, top-level domains, and the Unicode properties
//! that determine where a link or a host ends.
//!
//! The lists in `data/` are generated. To refresh them, put newer copies of the registries and of
//! the UTS #58 data into two folders, set the dates at the top of `generate.py`, and run
//!
//! ```sh
//! pip install idna==3.19 unicodedata2==17.0.1 fonttools==4.61.1
//! python3 src/registry/generate.py --registries DIR --uts58 DIR
//! ```
//!
//! Its output names the counts. Schemes that IANA does not list are maintained by hand in
//! `unregistered.tsv`, each with its source. The generator fails if one has been registered since.
//!
//! ```
//! use urigrep::registry::{self, SchemeStatus};
//! let http = registry::scheme(b"HTTP").expect("registered");
//! assert_eq!((http.name, http.status), ("http", SchemeStatus::Permanent));
//! assert!(registry::scheme(b"todo").is_none());
//! assert_eq!(registry::namespace(b"ISBN").expect("registered").name, "isbn");
//! ```

mod list;
mod lookup;
mod name_filter;
mod names;
#[cfg(any(test, target_family = "wasm"))]
mod packed_ranges;
pub(crate) mod punycode;
mod range_table;
pub(crate) mod references;
#[cfg(test)]
mod tests;
mod unicode;

use crate::named::named_enum;
use crate::slice::SliceExt;
use lookup::{MAX_NAME, NameLookup};
use name_filter::NameFilter;
use names::{
    NAMESPACE_NAMES, NAMESPACES, SCHEME_COUNT, SCHEME_NAMES, SCHEMES, TLD_LIST, TLD_NAMES,
};

pub(crate) use lookup::{ListLookup, slots, words};
pub(crate) use unicode::{
    HostTerm, LinkTerm, host_term, is_default_ignorable, is_unseen, link_email, link_term,
    opener_of, script,
};

/// Schemes that match without `//` if their own syntax follows (D1.6), and the wrapping ones
/// (`jar:`): those for which `crate::scheme` has a recognizer.
#[rustfmt::skip]
pub(crate) const OPAQUE: [&str; 56] = [
    "about", "acct", "ark", "arxiv", "bitcoin", "blob", "callto", "cid", "cpe", "data", "did",
    "doi", "ethereum", "facetime", "fax", "feed", "file", "geo", "hdl", "im", "info", "isbn", "jar",
    "javascript", "jdbc", "lightning", "magnet", "mailto", "matrix", "mid", "ms-settings", "news",
    "ni", "nih", "nntp", "openpgp4fpr", "pkg", "pmid", "pres", "service", "sip", "sips",
    "skype", "sms", "spotify", "steam", "stun", "swh", "tag", "tel", "turn", "turns", "unix", "urn",
    "view-source", "xmpp",
];

/// A known URI scheme.
///
/// ```
/// let s3 = urigrep::registry::scheme(b"s3").expect("in wide use");
/// assert_eq!(s3.status, urigrep::registry::SchemeStatus::Unregistered);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemeInfo {
    /// The scheme in lower case.
    pub name: &'static str,
    /// Its status with IANA.
    pub status: SchemeStatus,
    /// Its definition: IANA's reference, or our source if it is unregistered.
    pub reference: &'static str,
}

named_enum! {
    "urigrep::registry::SchemeStatus", "statuses";
    /// The status of a scheme (RFC 7595).
    ///
    /// ```
    /// use urigrep::registry::SchemeStatus;
    /// assert_eq!(SchemeStatus::Provisional.to_string(), "provisional");
    /// ```
    pub enum SchemeStatus {
        /// Registered after review.
        Permanent = "permanent",
        /// Registered on request.
        Provisional = "provisional",
        /// Registered, no longer in use.
        Historical = "historical",
        /// In wide use, but not registered.
        Unregistered = "unregistered",
    }
}

/// A registered URN namespace.
///
/// ```
/// let uuid = urigrep::registry::namespace(b"uuid").expect("registered");
/// assert_eq!(uuid.reference, "RFC 9562");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamespaceInfo {
    /// The namespace identifier (NID) in lower case.
    pub name: &'static str,
    /// Formal or informal.
    pub kind: NamespaceKind,
    /// Its definition, or who registered it.
    pub reference: &'static str,
}

named_enum! {
    "urigrep::registry::NamespaceKind", "kinds of namespaces";
    /// The kind of a URN namespace (RFC 8141 section 5).
    ///
    /// ```
    /// use urigrep::registry::NamespaceKind;
    /// assert_eq!(NamespaceKind::Informal.to_string(), "informal");
    /// ```
    pub enum NamespaceKind {
        /// A name of its own, after review.
        Formal = "formal",
        /// `urn-` and a number.
        Informal = "informal",
    }
}

static SCHEME_LOOKUP: ListLookup<{ slots(SCHEME_COUNT) }> = ListLookup::new(SCHEME_NAMES);
static NAMESPACE_LOOKUP: NameLookup<{ slots(NAMESPACE_NAMES.len()) }> =
    NameLookup::new(NAMESPACE_NAMES);
static TLD_LOOKUP: ListLookup<{ slots(TLD_NAMES.len()) }> = ListLookup::new(TLD_LIST);
static TLD_FILTER: NameFilter = NameFilter::new(TLD_NAMES);

/// Returns the scheme with this name, in any case, if it is known (D1.2): listed by IANA with any
/// status, or in wide use. Logarithmic in the number of schemes.
///
/// ```
/// assert_eq!(urigrep::registry::scheme(b"HTTP").map(|s| s.name), Some("http"));
/// assert_eq!(urigrep::registry::scheme(b"note"), None);
/// ```
pub fn scheme(name: &[u8]) -> Option<&'static SchemeInfo> {
    let order = |scheme: &SchemeInfo| {
        let lower = name.iter().map(u8::to_ascii_lowercase);
        scheme.name.bytes().cmp(lower)
    };
    SCHEMES.binary_search_by(order).ok().and_then(|at| SCHEMES.get(at))
}

/// True if [`scheme`] knows this name. Constant time.
#[inline]
pub(crate) fn is_scheme(name: &[u8]) -> bool {
    SCHEME_LOOKUP.holds(name)
}

/// Returns all known schemes, sorted by name.
///
/// ```
/// assert!(urigrep::registry::schemes().iter().any(|s| s.name == "https"));
/// ```
pub fn schemes() -> &'static [SchemeInfo] {
    SCHEMES
}

/// Returns the registered URN namespace with this identifier, in any case. Constant time.
///
/// ```
/// assert!(urigrep::registry::namespace(b"IETF").is_some());
/// assert!(urigrep::registry::namespace(b"x-private").is_none());
/// ```
pub fn namespace(nid: &[u8]) -> Option<&'static NamespaceInfo> {
    NAMESPACE_LOOKUP.find(nid).map(|at| &NAMESPACES[at])
}

/// Returns all registered URN namespaces, sorted by identifier.
///
/// ```
/// assert!(urigrep::registry::namespaces().len() > 90);
/// ```
pub fn namespaces() -> &'static [NamespaceInfo] {
    NAMESPACES
}

/// True for a top-level domain (or a public suffix of one label), in any case, as a U-label.
/// `xn--…` is not decoded. Constant time.
///
/// ```
/// use urigrep::registry::tld;
/// assert!(tld("com") && tld("ORG") && tld("рф") && tld("РФ"));
/// assert!(!tld("txt") && !tld(""));
/// ```
pub fn tld(label: &str) -> bool {
    if label.is_ascii() {
        return TLD_LOOKUP.holds(label.as_bytes());
    }
    let mut lower = [0; MAX_NAME];
    let mut len = 0;
    for c in label.chars().map(small_letter) {
        if len + c.len_utf8() > MAX_NAME {
            return false;
        }
        len += c.encode_utf8(&mut lower[len..]).len();
    }
    TLD_LOOKUP.holds(&lower[..len])
}

/// Returns the small letter of a capital of Latin with marks, of the scripts whose names are
/// listed, and of the Kelvin sign. The standard library knows all scripts, by tables that are
/// larger than the list.
pub(crate) fn small_letter(c: char) -> char {
    let code = u32::from(c);
    let small = match c {
        '\u{212a}' => u32::from('k'),
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ω' | 'А'..='Я' => code + 0x20,
        'Ѐ'..='Џ' => code + 0x50,
        'Ā'..='ķ' | 'Ŋ'..='ŷ' | 'Ș'..='ț' | 'Ҋ'..='ҿ' => code | 1,
        'Ĺ'..='ň' | 'Ź'..='ž' => code + code % 2,
        'Ա'..='Ֆ' => code + 0x30,
        'Ა'..='Ჰ' => code - 0xbc0,
        _ => code,
    };
    char::from_u32(small).unwrap_or(c)
}

/// False for most ASCII labels that are not a top-level domain; labels with `xn--` always pass. The
/// label is the first `length` bytes of `text`.
#[inline]
pub(crate) fn may_start_with_tld(text: &[u8], length: usize) -> bool {
    // In WebAssembly, a page would have to load the 4 KiB of the filter, so only the list is
    // searched.
    let may_hold = cfg!(target_family = "wasm") || TLD_FILTER.may_hold(text, length);
    may_hold && TLD_LOOKUP.holds(text.part(..length)) || has_ace_prefix(text)
}

/// Like [`may_start_with_tld`], but without consulting the list, so more labels pass. `start` holds
/// the first eight bytes of a text, the first one in the lowest bits.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[inline]
pub(crate) fn may_be_tld(start: u64, length: usize) -> bool {
    let is_ace = start as u32 | ACE_FOLD == ACE_PREFIX;
    TLD_FILTER.may_hold_word(start, length) | is_ace
}

/// The prefix of an A-label (RFC 3490 §5), as one word, because most labels are tested.
const ACE_PREFIX: u32 = u32::from_le_bytes(*b"xn--");
/// Folds its letters to lower case.
const ACE_FOLD: u32 = 0x2020;

#[inline]
fn has_ace_prefix(label: &[u8]) -> bool {
    let start = label.first_chunk().map(|start| u32::from_le_bytes(*start) | ACE_FOLD);
    start == Some(ACE_PREFIX)
}

/// Like [`tld_label`], for the bytes of a label.
pub(crate) fn tld_bytes(label: &[u8]) -> bool {
    // Most labels are ASCII and need no string.
    if label.is_ascii() && !has_ace_prefix(label) {
        TLD_LOOKUP.holds(label)
    } else {
        core::str::from_utf8(label).is_ok_and(tld_label)
    }
}

/// Like [`tld`], for a label that may also be an A-label (`xn--…`).
pub(crate) fn tld_label(label: &str) -> bool {
    match label.split_at_checked(4) {
        Some((prefix, encoded)) if has_ace_prefix(prefix.as_bytes()) => {
            punycode::decode(encoded.as_bytes()).is_some_and(|label| tld(&label))
        }
        _ => tld(label),
    }
}
