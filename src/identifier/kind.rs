//! The kinds of identifiers.

use crate::named::named_enum;

named_enum! {
    "urigrep::identifier::IdentifierKind", "kinds of identifiers";
    /// The namespace of an [`Identifier`](super::Identifier).
    #[derive(PartialOrd, Ord)]
    pub enum IdentifierKind {
        /// A DOI name (ISO 26324), without regard to the case of ASCII letters. Its value is in
        /// lower case: `10.1000/182`.
        Doi = "doi",
        /// An ISBN (ISO 2108). Its value has thirteen digits: `9780306406157`.
        Isbn = "isbn",
        /// An ISSN (ISO 3297): `0378-5955`.
        Issn = "issn",
        /// An Archival Resource Key (draft-kunze-ark) without hyphens, which have no meaning there:
        /// `12148/btv1b8449691v`.
        Ark = "ark",
        /// A National Bibliography Number (RFC 8458) with its prefix in lower case:
        /// `de:101:1-201102033592`.
        Nbn = "nbn",
        /// A handle (RFC 3650) that is not a DOI: `2027/mdp.39015`.
        Handle = "handle",
        /// An ORCID iD of a person: `0000-0002-1825-0097`.
        Orcid = "orcid",
        /// An arXiv identifier with its version, if it has one: `2101.00001v2`. Versions are
        /// different texts, so they are different identifiers.
        Arxiv = "arxiv",
        /// An identifier of PubMed: `12345678`.
        Pmid = "pmid",
        /// An identifier of PubMed Central: `PMC3531190`.
        Pmcid = "pmcid",
        /// A Software Hash Identifier (ISO/IEC 18670) without the qualifiers that only say where
        /// the object was found: `1:cnt:94a9ed024d3859793618152ea559a168bbcbb5e2`.
        Swhid = "swhid",
        /// Any other URN, as its namespace and its name: `ietf:rfc:8141`. Also a URN whose name is
        /// not valid in its namespace, such as an ISBN with a wrong check digit.
        Urn = "urn",
    }
}
