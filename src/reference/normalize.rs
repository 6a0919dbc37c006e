//! Maps all spellings of a URI to one: RFC 3986 §6.2.2 and §6.2.3, RFC 8141 §3.1.
//!
//! The result is a URI equivalent to the input. Normalizing it again changes nothing.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::string::ToString;
use core::net::Ipv6Addr;

use super::dots::{Dots, PathWriter};
use super::scheme_rules::{Family, is_tracking, nss_has_no_case};
use super::spell::{LetterCase, SpellingRules, Triplets, spell};
use crate::edit::UriBuf;
use crate::grammar::{HostType, Uri, table};
use crate::named::named_enum;
use crate::slice::SliceExt;

named_enum! {
    "urigrep::reference::NormalForm", "normal forms";
    /// The rung of the ladder in RFC 3986 §6.2 up to which a URI is normalized.
    #[derive(Default)]
    pub enum NormalForm {
        /// Syntax-based (§6.2.2): normalizes the case of the scheme, the host and the digits of
        /// percent triplets, decodes triplets of unreserved characters, and removes dot segments.
        Syntax = "syntax",
        /// Scheme-based, too (§6.2.3): default and empty ports, empty paths, and rules from the
        /// scheme's own document; IPv6 addresses by RFC 5952.
        #[default]
        Scheme = "scheme",
    }
}

named_enum! {
    "urigrep::reference::Fragment", "ways to treat a fragment";
    /// The treatment of a fragment.
    #[derive(Default)]
    pub enum Fragment {
        /// Keep it: a part of a document is not the document.
        #[default]
        Kept = "kept",
        /// Remove it; the rest names the document (RFC 3986 §6.1).
        Removed = "removed",
    }
}

named_enum! {
    "urigrep::reference::Tracking", "ways to treat tracking parameters";
    /// The treatment of query parameters in `http` and `https` that only track where a visitor came
    /// from.
    ///
    /// These are `utm_*` and a short list: `_hsenc`, `_hsmi`, `dclid`, `fbclid`, `gbraid`, `gclid`,
    /// `gclsrc`, `igsh`, `igshid`, `li_fat_id`, `mc_cid`, `mc_eid`, `mkt_tok`, `msclkid`, `ttclid`,
    /// `twclid`, `wbraid`, `yclid` and `ysclid`, in any case. No standard considers two URIs the
    /// same if they differ in them.
    #[derive(Default)]
    pub enum Tracking {
        /// Keep them.
        #[default]
        Kept = "kept",
        /// Remove them, and the query if no other parameter is left.
        Removed = "removed",
    }
}

/// Normalizes URIs.
///
/// ```
/// use urigrep::reference::{Fragment, NormalForm, Normalizer, Tracking};
/// use urigrep::Uri;
/// let uri = Uri::parse("HTTP://Example.com:80/%7Ejoe/../a?utm_source=b&c=%3a#d")?;
/// let syntax = Normalizer::new().form(NormalForm::Syntax);
/// assert_eq!(syntax.normalize(uri), "http://example.com:80/a?utm_source=b&c=%3A#d");
/// let short = Normalizer::new().fragment(Fragment::Removed).tracking(Tracking::Removed);
/// assert_eq!(short.normalize(uri), "http://example.com/a?c=%3A");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Normalizer {
    form: NormalForm,
    pub(super) fragment: Fragment,
    tracking: Tracking,
}

impl Normalizer {
    /// Creates a normalizer for all of RFC 3986 §6.2.2 and §6.2.3 that keeps fragments and all
    /// query parameters.
    ///
    /// ```
    /// use urigrep::reference::{Fragment, NormalForm, Normalizer, Tracking};
    /// let written_out = Normalizer::new()
    ///     .form(NormalForm::Scheme)
    ///     .fragment(Fragment::Kept)
    ///     .tracking(Tracking::Kept);
    /// assert_eq!(Normalizer::new(), written_out);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the rung of the ladder.
    ///
    /// ```
    /// use urigrep::Uri;
    /// use urigrep::reference::{NormalForm, Normalizer};
    /// let syntax = Normalizer::new().form(NormalForm::Syntax);
    /// assert_eq!(syntax.normalize(Uri::parse("HTTP://A:80")?), "http://a:80");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn form(self, form: NormalForm) -> Self {
        Self { form, ..self }
    }

    /// Sets the treatment of a fragment.
    ///
    /// ```
    /// use urigrep::Uri;
    /// use urigrep::reference::{Fragment, Normalizer};
    /// let document = Normalizer::new().fragment(Fragment::Removed);
    /// assert_eq!(document.normalize(Uri::parse("s:a#b")?), "s:a");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn fragment(self, fragment: Fragment) -> Self {
        Self { fragment, ..self }
    }

    /// Sets the treatment of tracking parameters.
    ///
    /// ```
    /// use urigrep::Uri;
    /// use urigrep::reference::{Normalizer, Tracking};
    /// let clean = Normalizer::new().tracking(Tracking::Removed);
    /// assert_eq!(clean.normalize(Uri::parse("http://a/?fbclid=b")?), "http://a/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn tracking(self, tracking: Tracking) -> Self {
        Self { tracking, ..self }
    }

    /// Returns the normal spelling; borrowed if the URI already has it.
    ///
    /// Two URIs with the same normal spelling are [`equivalent`](crate::reference::equivalent). Dot
    /// segments are removed only from hierarchical paths, that is, after an authority or a leading
    /// `/`: in `data:,a/../b` they are data. If a path would then start with `//` and read as a
    /// host, it gets a `/.` prefix (RFC 3986 §3.3). Triplets in a `urn` are not decoded, as RFC
    /// 8141 §3.1 requires.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use urigrep::reference::Normalizer;
    /// use urigrep::Uri;
    /// let normalizer = Normalizer::new();
    /// for (uri, normal) in [
    ///     ("http://a.example", "http://a.example/"),
    ///     ("file://localhost/etc/./hosts", "file:///etc/hosts"),
    ///     ("mailto:Joe@Example.COM?Subject=Hi", "mailto:Joe@example.com?subject=Hi"),
    ///     ("URN:ISBN:0-395-36341-%7e", "urn:isbn:0-395-36341-%7E"),
    /// ] {
    ///     assert_eq!(normalizer.normalize(Uri::parse(uri)?), normal);
    /// }
    /// let normal = normalizer.normalize(Uri::parse("http://a.example/")?);
    /// assert!(matches!(normal, Cow::Borrowed(_)));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn normalize<'a>(&self, uri: Uri<'a>) -> Cow<'a, str> {
        if self.is_surely_normal(uri) {
            return Cow::Borrowed(uri.as_str());
        }
        // `file:/x` grows by two bytes, and a path by `/.` or `/`.
        let mut out = String::with_capacity(uri.as_str().len() + 4);
        self.write(uri, &mut out);
        if out == uri.as_str() { Cow::Borrowed(uri.as_str()) } else { Cow::Owned(out) }
    }

    /// A cheap test for a web URL that already has its normal spelling, as nearly all have. If it
    /// returns false, the URL may still have it.
    fn is_surely_normal(&self, uri: Uri<'_>) -> bool {
        let (text, parts) = (uri.as_str().as_bytes(), uri.parts());
        let path = text.part(parts.path());
        let has_dot_segment = || {
            // Both `.` and `..` follow a slash (RFC 3986 §3.3).
            memchr::memchr_iter(b'.', path)
                .any(|at| at.checked_sub(1).is_some_and(|before| path.get(before) == Some(&b'/')))
        };
        let has_capital = || {
            let host = parts.host().map(|host| text.part(host)).unwrap_or_default();
            host.iter().fold(false, |any, byte| any | byte.is_ascii_uppercase())
        };
        (text.starts_with(b"https:") || text.starts_with(b"http:"))
            && parts.host_type == Some(HostType::RegName)
            && parts.port().is_none()
            && path.first() == Some(&b'/')
            && self.tracking == Tracking::Kept
            && (self.fragment == Fragment::Kept || uri.fragment().is_none())
            && memchr::memchr(b'%', text).is_none()
            && !has_capital()
            && !has_dot_segment()
    }

    fn write(&self, uri: Uri<'_>, out: &mut String) {
        out.push_str(uri.scheme());
        out.make_ascii_lowercase();
        let mut family = Family::for_scheme(out);
        let spelling = match family {
            Family::Urn => SpellingRules::new(Triplets::Kept, LetterCase::Kept),
            _ => SpellingRules::new(Triplets::Decoded, LetterCase::Kept),
        };
        let tracking = match out.as_str() {
            // `utm_*` and its relatives are a convention of the web. In other schemes these names
            // may mean anything.
            "http" | "https" => self.tracking,
            _ => Tracking::Kept,
        };
        // Syntax-based normalization knows no scheme except `urn`, which forbids decoding triplets.
        if self.form == NormalForm::Syntax && family != Family::Urn {
            family = Family::Unknown;
        }
        out.push(':');

        let has_authority = self.authority(uri, family, spelling, out);
        self.path(uri.path(), family, spelling, has_authority, out);
        if let Some(query) = uri.query() {
            match (tracking, family) {
                (Tracking::Removed, _) => untracked(query, spelling, out),
                (_, Family::Mailto) => header_fields(query, spelling, out),
                _ => {
                    out.push('?');
                    spell(query, spelling, out);
                }
            }
        }
        if let (Some(fragment), Fragment::Kept) = (uri.fragment(), self.fragment) {
            out.push('#');
            spell(fragment, spelling, out);
        }
    }

    /// Writes the authority, and returns whether there is one.
    pub(super) fn authority(
        &self,
        uri: Uri<'_>,
        family: Family,
        spelling: SpellingRules,
        out: &mut String,
    ) -> bool {
        let (Some(host), Some(host_type)) = (uri.host(), uri.host_type()) else {
            // `file:/x` and `file:///x` are the same (RFC 8089 §2). The form with `//` is the
            // normal one.
            let local = family == Family::File && uri.path().starts_with('/');
            if local {
                out.push_str("//");
            }
            return local;
        };
        out.push_str("//");
        if let Some(userinfo) = uri.userinfo() {
            spell(userinfo, spelling, out);
            out.push('@');
        }
        let start = out.len();
        match host_type {
            HostType::Ipv6 if self.form == NormalForm::Scheme => address(host, out),
            _ => spell(host, spelling.with(LetterCase::Lower), out),
        }
        // With a userinfo or a port, `localhost` names a server, not the absent host.
        let bare = uri.userinfo().is_none() && uri.port().is_none();
        if family == Family::File && bare && out.get(start..) == Some("localhost") {
            out.truncate(start);
        }
        if let Some(port) = uri.port()
            && !(self.form == NormalForm::Scheme && is_implied(port, family))
        {
            out.push(':');
            out.push_str(port);
        }
        true
    }

    pub(super) fn path(
        &self,
        path: &str,
        family: Family,
        spelling: SpellingRules,
        has_authority: bool,
        out: &mut String,
    ) {
        match family {
            Family::Urn => self.assigned_name(path, spelling, out),
            Family::Mailto => addresses(path, spelling, out),
            Family::Doi => spell(path, spelling.with(LetterCase::Lower), out),
            Family::Host(_) if path.is_empty() && has_authority => out.push('/'),
            // Only a path that starts with `/` is hierarchical. In `data:,a/../b` or
            // `mailto:a/../b`, dots are data.
            _ if path.starts_with('/') => {
                let mut writer = PathWriter::new(out, Dots::Rfc3986);
                writer.push_with(path, |piece, out| spell(piece, spelling, out));
                writer.finish(has_authority);
            }
            _ => spell(path, spelling, out),
        }
    }

    /// Writes NID and NSS (RFC 8141 §3.1). Only scheme-based normalization applies their rules.
    fn assigned_name(&self, path: &str, spelling: SpellingRules, out: &mut String) {
        // Syntax-based normalization keeps the case of the NID: its equivalence is a rule of the
        // scheme.
        let split = match self.form {
            NormalForm::Scheme => path.split_once(':').filter(|(nid, _)| is_nid(nid)),
            NormalForm::Syntax => None,
        };
        let Some((nid, nss)) = split else {
            spell(path, spelling, out);
            return;
        };
        let start = out.len();
        spell(nid, spelling.with(LetterCase::Lower), out);
        let no_case = out.get(start..).is_some_and(nss_has_no_case);
        out.push(':');
        let letters = if no_case { LetterCase::Lower } else { LetterCase::Kept };
        spell(nss, spelling.with(letters), out);
    }
}

/// Returns the normal spelling of `uri` by RFC 3986 §6.2.2 and §6.2.3, like
/// [`Normalizer::normalize`], which borrows a URI that already has it.
///
/// ```
/// use urigrep::{Uri, normalize};
/// let uri = Uri::parse("eXAMPLE://a/./b/../b/%63/%7bfoo%7d")?;
/// assert_eq!(normalize(uri), "example://a/b/c/%7Bfoo%7D");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[doc(alias = "canonicalize")]
pub fn normalize(uri: Uri<'_>) -> UriBuf {
    // A normal form is always a URI, so the fallback is unreachable.
    UriBuf::parse(Normalizer::new().normalize(uri)).unwrap_or_else(|_| uri.into())
}

/// True if the text before the first `:` of the path may be a NID; `urn:/A:b` has none.
fn is_nid(text: &str) -> bool {
    table::LDH.skip(text.as_bytes(), 0) == text.len()
}

/// Writes an IPv6 address in brackets by RFC 5952.
fn address(host: &str, out: &mut String) {
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        // The grammar accepted the address, so it parses. If the standard library is stricter
        // somewhere, the host stays as it is.
        .and_then(|host| host.parse::<Ipv6Addr>().ok());
    match address {
        // The standard library writes the form of RFC 5952: lower case, without leading zeros, and
        // `::` for the longest run of zeros.
        Some(address) => {
            out.push('[');
            out.push_str(&address.to_string());
            out.push(']');
        }
        None => out.push_str(host),
    }
}

/// True for a port that means the same as no port (RFC 3986 §3.2.3).
fn is_implied(port: &str, family: Family) -> bool {
    // A port is any number of digits (RFC 3986 §3.2.3), so `080` is 80.
    let number = port.trim_start_matches('0');
    port.is_empty() || matches!(family, Family::Host(default) if number == default)
}

/// Writes `to = addr-spec *("," addr-spec )` with lower-case domains (RFC 6068 §2).
fn addresses(to: &str, spelling: SpellingRules, out: &mut String) {
    for (index, address) in to.split(',').enumerate() {
        if index > 0 {
            out.push(',');
        }
        match address.rsplit_once('@') {
            // A domain contains no `/`, so this is not an address.
            Some((local, domain)) if !domain.contains('/') => {
                spell(local, spelling, out);
                out.push('@');
                spell(domain, spelling.with(LetterCase::Lower), out);
            }
            _ => spell(address, spelling, out),
        }
    }
}

/// Writes `hfields = "?" hfield *( "&" hfield )` with lower-case names (RFC 6068 §2).
fn header_fields(query: &str, spelling: SpellingRules, out: &mut String) {
    for (index, field) in query.split('&').enumerate() {
        out.push(if index == 0 { '?' } else { '&' });
        let end = field.find('=').unwrap_or(field.len());
        let (name, value) = (field.part(..end), field.part(end..));
        spell(name, spelling.with(LetterCase::Lower), out);
        spell(value, spelling, out);
    }
}

fn untracked(query: &str, spelling: SpellingRules, out: &mut String) {
    let mut mark = '?';
    for parameter in query.split('&') {
        let start = out.len();
        out.push(mark);
        spell(parameter, spelling, out);
        // The normal spelling is compared, so that `%75tm_source` is removed, too.
        let name = out.get(start + 1..).and_then(|text| text.split('=').next());
        if name.is_some_and(is_tracking) {
            out.truncate(start);
        } else {
            mark = '&';
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The cheap test says yes only where the writer changes nothing.
        #[test]
        fn what_is_surely_normal_is_written_as_it_is(
            uri in "(http|https|HTTP|ws|file):(//(u@)?[aA.1]{0,3}(:80?)?)?(/|[.]|[.][.]|//|b|%41|[.]b){0,6}([?](utm_x=1|a))?(#f)?",
            fragment in prop::sample::select(vec![Fragment::Kept, Fragment::Removed]),
            tracking in prop::sample::select(vec![Tracking::Kept, Tracking::Removed]),
            form in prop::sample::select(vec![NormalForm::Syntax, NormalForm::Scheme]),
        ) {
            if let Ok(uri) = Uri::parse(&uri) {
                let normalizer = Normalizer::new().fragment(fragment).tracking(tracking).form(form);
                let mut written = String::new();
                normalizer.write(uri, &mut written);
                prop_assert!(!normalizer.is_surely_normal(uri) || written == uri.as_str(), "{written}");
            }
        }
    }

    #[test]
    fn most_uris_are_surely_normal() {
        let is = |uri| Normalizer::new().is_surely_normal(Uri::parse(uri).unwrap());
        assert!(is("https://www.example.org/a.b/page.html?c=/../d#e") && is("http://a.example/"));
        assert!(
            !is("http://a.example") && !is("http://a.example/b/../c") && !is("http://A.example/")
        );
    }
}
