//! Maps the host of an IRI to that of a URI (RFC 3987 §3.1) and back: [`HostMapping`].

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::iri::encode;
use crate::error::ParseError;

/// The way a host with characters beyond ASCII becomes the host of a URI (RFC 3987 §3.1).
///
/// The default is [`PERCENT_ENCODED`](Self::PERCENT_ENCODED) regardless of the compiled features,
/// so that another crate that enables a feature cannot change your results. [`idna`](Self::idna)
/// gives the names that the DNS uses.
///
/// ```
/// use urigrep::Iri;
/// use urigrep::options::HostMapping;
/// let iri = Iri::parse("http://bücher.example/")?;
/// assert_eq!(iri.to_uri(), "http://b%C3%BCcher.example/");
/// if let Ok(idna) = HostMapping::idna() {
///     assert_eq!(iri.to_uri_with(idna)?, "http://xn--bcher-kva.example/");
/// }
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HostMapping(HostMethod);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum HostMethod {
    #[default]
    PercentEncoded,
    #[cfg(feature = "idna")]
    Idna,
}

impl HostMapping {
    /// Percent-encodes each byte of UTF-8, as in the other components.
    ///
    /// ```
    /// use urigrep::options::HostMapping;
    /// assert_eq!(HostMapping::default(), HostMapping::PERCENT_ENCODED);
    /// ```
    pub const PERCENT_ENCODED: Self = Self(HostMethod::PercentEncoded);

    /// Maps to A-labels by UTS #46: non-transitional, without checking the length of labels or
    /// their hyphens.
    ///
    /// A host with percent triplets is not yet a domain name, and is percent-encoded.
    ///
    /// ```
    /// use urigrep::options::{HostMapping, MissingFeature};
    /// let idna: Result<HostMapping, MissingFeature> = HostMapping::idna();
    /// assert_eq!(idna.is_ok(), cfg!(feature = "idna"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the crate was compiled without its feature `idna`.
    pub const fn idna() -> Result<Self, MissingFeature> {
        #[cfg(feature = "idna")]
        return Ok(Self(HostMethod::Idna));
        #[cfg(not(feature = "idna"))]
        Err(MissingFeature { name: "idna" })
    }

    /// Appends the mapped `host`, which starts at byte `start` of the IRI.
    pub(super) fn write(
        self,
        host: &str,
        #[cfg_attr(not(feature = "idna"), expect(unused_variables))] start: usize,
        out: &mut String,
    ) -> Result<(), ParseError> {
        match self.0 {
            HostMethod::PercentEncoded => encode(host, out),
            #[cfg(feature = "idna")]
            HostMethod::Idna => return idna::write(host, start, out),
        }
        Ok(())
    }

    /// Returns a host with A-labels in readable form, if this mapping produced it.
    pub(crate) fn unicode(self, host: &str) -> Cow<'_, str> {
        match self.0 {
            HostMethod::PercentEncoded => Cow::Borrowed(host),
            #[cfg(feature = "idna")]
            HostMethod::Idna => idna::unicode(host),
        }
    }
}

/// A requested option needs a feature with which the crate was not compiled.
///
/// ```
/// # #[cfg(not(feature = "idna"))] {
/// let error = urigrep::options::HostMapping::idna().unwrap_err();
/// assert_eq!(error.name(), "idna");
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MissingFeature {
    name: &'static str,
}

impl MissingFeature {
    /// Name of the missing feature.
    ///
    /// ```
    /// if let Err(error) = urigrep::options::HostMapping::idna() {
    ///     assert_eq!(error.name(), "idna");
    /// }
    /// ```
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Display for MissingFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "urigrep was compiled without its feature `{}`", self.name)
    }
}

impl core::error::Error for MissingFeature {}

#[cfg(feature = "idna")]
mod idna {
    use alloc::borrow::Cow;
    use alloc::string::String;

    use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

    use super::encode;
    use crate::error::{ErrorKind, ParseError};
    use crate::grammar::table;
    use crate::registry::{HostTerm, host_term, is_default_ignorable};
    use crate::security::is_one_script;

    pub(super) fn write(host: &str, start: usize, out: &mut String) -> Result<(), ParseError> {
        let Some(wide) = host.bytes().position(|byte| !byte.is_ascii()) else {
            out.push_str(host);
            return Ok(());
        };
        // UTS #46 would take the triplets as text of a label, and not as the bytes that they stand
        // for.
        if host.contains('%') {
            encode(host, out);
            return Ok(());
        }
        // UTS #46 maps some characters to ASCII that would end the host (U+2100 to `a/c`), and some
        // to nothing (U+00AD). A URI that reads differently from its IRI is worse than an error, so
        // these hosts are checked after the mapping.
        match Uts46::new().to_ascii(
            host.as_bytes(),
            // The list of the WHATWG lets `{` and `"` pass, and that of STD3 refuses `_`, which a
            // `reg-name` may contain. The test of the result decides instead.
            AsciiDenyList::EMPTY,
            Hyphens::Allow,
            DnsLength::Ignore,
        ) {
            Ok(name)
                if !name.is_empty() && table::REG_NAME.skip(name.as_bytes(), 0) == name.len() =>
            {
                out.push_str(&name);
                Ok(())
            }
            _ => Err(ParseError::new(start + wide, ErrorKind::HostCharacter)),
        }
    }

    /// Returns the host with U-labels, if that is the same host and no label mixes scripts.
    pub(super) fn unicode(host: &str) -> Cow<'_, str> {
        let uts46 = Uts46::new();
        let (unicode, valid) =
            uts46.to_unicode(host.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
        // An ASCII result differs from the host at most in the case of its letters.
        if valid.is_err() || unicode.is_ascii() {
            return Cow::Borrowed(host);
        }
        // Map back and compare. A U-label that maps to another host would show a different name
        // than the one that is opened.
        let back = uts46.to_ascii(
            unicode.as_bytes(),
            AsciiDenyList::URL,
            Hyphens::Allow,
            DnsLength::Ignore,
        );
        let same = back.is_ok_and(|back| back.eq_ignore_ascii_case(host));
        // Show only characters that a host may contain visibly, and no mix of scripts: a deceptive
        // host stays in its ASCII form.
        let plain =
            |c: char| c.is_ascii() || host_term(c) == HostTerm::Allowed && !is_default_ignorable(c);
        if same && unicode.chars().all(plain) && unicode.split('.').all(is_one_script) {
            Cow::Owned(unicode.into_owned())
        } else {
            Cow::Borrowed(host)
        }
    }
}
