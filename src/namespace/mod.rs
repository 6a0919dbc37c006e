//! Knowledge about a URN's namespace: the class of its NID (RFC 8141 §5), and whether its NSS
//! follows the registered syntax of the namespace.
//!
//! A namespace is checked only if its registration fixes a syntax, and only to that extent: what a
//! registration allows is never a fault. URNs with an unknown NID are not checked. Takes time
//! linear in the NSS, without allocation.

mod book;
mod class;
mod fault;
mod number;
mod parts;
mod product;

pub(crate) use book::{isbn as check_isbn, issn as check_issn};
pub use class::NamespaceClass;
pub use fault::{NssFault, NssFaultKind};
pub(crate) use number::fits_mod_11_2;

use crate::grammar::Urn;
use fault::NssFaultAt;

/// The syntax that a namespace requires of its NSS.
struct NssSyntax {
    /// Lower case.
    nid: &'static str,
    /// Description of a valid NSS, for messages.
    form: &'static str,
    /// The offset in `Err` counts from the start of the NSS.
    check: fn(&[u8]) -> Result<(), NssFaultAt>,
}

/// Returns a text for messages. `urigrep/lite` leaves these texts out.
const fn message(text: &'static str) -> &'static str {
    if cfg!(urigrep_lite) { "" } else { text }
}

/// Every namespace that is checked, with the document that defines its syntax, sorted by NID.
static SYNTAXES: &[NssSyntax] = &[
    // DOI Foundation registration: the DOI name itself (ISO 26324).
    NssSyntax {
        nid: "doi",
        form: message("a DOI is `10.`, a number, `/` and a name"),
        check: parts::doi,
    },
    // RFC 7972 §2
    NssSyntax {
        nid: "eidr",
        form: message(
            "a content EIDR has five groups of four hexadecimal digits and a check character",
        ),
        check: number::eidr,
    },
    // GS1 EPC Tag Data Standard §6; RFC 5134 for the sister namespace.
    NssSyntax {
        nid: "epc",
        form: message("an EPC is its scheme, then the digits of the GS1 key, separated by dots"),
        check: product::epc,
    },
    // RFC 7254 §4
    NssSyntax {
        nid: "gsma",
        form: message("an IMEI has groups of 8, 6, and 1 digits, separated by hyphens"),
        check: number::gsma,
    },
    // RFC 2648 §2, RFC 3553 §3, RFC 6924 §2
    NssSyntax {
        nid: "ietf",
        form: message(
            "it is `rfc:`, `std:`, `bcp:` or `fyi:` with a number, or `id:`, `mtg:` or `params:` with a name",
        ),
        check: parts::ietf,
    },
    // ISO 2108; RFC 3187 §3 and the International ISBN Agency's registration after it
    NssSyntax {
        nid: "isbn",
        form: message("an ISBN has 10 digits, or 13 that start with 978 or 979"),
        check: book::isbn,
    },
    // RFC 5141 §2.2
    NssSyntax {
        nid: "iso",
        form: message(
            "it is `std:`, an originator such as `iso-iec:`, and the number of the document",
        ),
        check: parts::iso,
    },
    // ISO 3297; RFC 3044 §3 and the ISSN International Centre's registration after it
    NssSyntax {
        nid: "issn",
        form: message("an ISSN has two groups of four digits, separated by a hyphen"),
        check: book::issn,
    },
    // ISO 17442
    NssSyntax {
        nid: "lei",
        form: message("an LEI has 18 letters and digits and two check digits"),
        check: number::lei,
    },
    // RFC 9676 §3
    NssSyntax {
        nid: "lex",
        form: message(
            "it consists of jurisdiction, authority, measure, and details, separated by colons",
        ),
        check: parts::lex,
    },
    // RFC 8458 §4
    NssSyntax {
        nid: "nbn",
        form: message(
            "it is a country code, maybe more codes after colons, a hyphen and the number",
        ),
        check: parts::nbn,
    },
    // RFC 5165 §2
    NssSyntax {
        nid: "ogc",
        form: message("it is the type of a resource, a colon and its name"),
        check: parts::ogc,
    },
    // RFC 3061 §2
    NssSyntax {
        nid: "oid",
        form: message(
            "an object identifier consists of numbers without leading zeros, separated by dots",
        ),
        check: number::oid,
    },
    // RFC 5031 §3
    NssSyntax {
        nid: "service",
        form: message(
            "a service consists of labels of letters, digits, and inner hyphens, separated by dots",
        ),
        check: parts::service,
    },
    // RFC 9562 §4
    NssSyntax {
        nid: "uuid",
        form: message(
            "a UUID has groups of 8, 4, 4, 4, and 12 hexadecimal digits, separated by hyphens",
        ),
        check: number::uuid,
    },
];

impl Urn<'_> {
    /// The class of the namespace identifier (RFC 8141 §5).
    ///
    /// ```
    /// use urigrep::namespace::NamespaceClass;
    /// use urigrep::Urn;
    /// assert_eq!(Urn::parse("urn:ISBN:0451450523")?.namespace_class(), NamespaceClass::Formal);
    /// assert_eq!(Urn::parse("urn:x-acme:a")?.namespace_class(), NamespaceClass::Experimental);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn namespace_class(&self) -> NamespaceClass {
        NamespaceClass::for_nid(self.nid())
    }

    /// Checks that the NSS follows the syntax of its namespace, including check digits.
    ///
    /// It checks `doi`, `eidr`, `epc`, `gsma`, `ietf`, `isbn`, `iso`, `issn`, `lei`, `lex`, `nbn`,
    /// `ogc`, `oid`, `service` and `uuid`, each as far as its registration fixes a syntax. URNs of
    /// other namespaces always pass. A URN that fails is still a URN, because RFC 8141 §2 does not
    /// involve namespaces. So [`Urn::parse`] does not call this.
    ///
    /// ```
    /// use urigrep::namespace::NssFaultKind;
    /// use urigrep::Urn;
    /// assert!(Urn::parse("urn:isbn:0-395-36341-1")?.check_nss().is_ok());
    /// let fault = Urn::parse("urn:isbn:0-395-36341-2")?.check_nss().unwrap_err();
    /// assert_eq!((fault.offset(), fault.kind()), (21, NssFaultKind::CheckDigit));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first fault: its byte offset in the URN, and its kind. A missing part is
    /// reported where it should be.
    pub fn check_nss(&self) -> Result<(), NssFault> {
        let mut syntaxes = SYNTAXES.iter();
        let Some(syntax) = syntaxes.find(|s| s.nid.eq_ignore_ascii_case(self.nid())) else {
            return Ok(());
        };
        let start = self.assigned_name().len() - self.nss().len();
        (syntax.check)(self.nss().as_bytes())
            .map_err(|(at, kind)| NssFault::new(start + at, kind, syntax.form))
    }
}
