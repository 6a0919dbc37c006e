//! `rfc2141` and `rfc2141bis-01`: URNs by RFC 2141 of May 1997, and by
//! draft-ietf-urnbis-rfc2141bis-urn-01 of October 2011.
//!
//! ```text
//! RFC 2141        urn = "urn:" NID ":" NSS        NID = let-num [ 1,31 let-num-hyp ]
//! rfc2141bis-01   URI = "urn:" NID ":" NSS [ "?" query ] [ "#" fragment ]
//!                 NID = ( ALPHA / DIGIT ) 1*31( ALPHA / DIGIT / "-" )
//!                 NSS = 1*pchar
//! ```
//!
//! RFC 2141 reserves `/`, `?` and `#` for later use (§2.3.2). Here, `?` and `#` start a query and a
//! fragment of its own characters under RFC 2141, too, and an NSS has no `/`. Both documents
//! reserve the NID `urn` and forbid `%00`.

use crate::error::{ErrorKind, ParseError};
use crate::grammar::component::walk;
use crate::grammar::parsed::{Form, ParseTree, Rule};
use crate::grammar::table::{self, CharTable};
use crate::grammar::urn::{nid_run, prefix};
use crate::slice::SliceExt;

#[derive(Clone, Copy)]
pub(crate) struct UrnDialect {
    nid_min: usize,
    nss: &'static CharTable,
    tail: &'static CharTable,
}

/// draft-ietf-urnbis-rfc2141bis-urn-01, §2 and appendix B.
pub(crate) const BIS_01: UrnDialect =
    UrnDialect { nid_min: 2, nss: &table::PCHAR, tail: &table::QUERY };

/// RFC 2141 §2.
pub(crate) const RFC_2141: UrnDialect =
    UrnDialect { nid_min: 1, nss: &table::NSS_2141, tail: &table::QUERY_2141 };

impl UrnDialect {
    /// Parses all of `bytes` as a URN.
    pub(in crate::grammar) fn parse(&self, bytes: &[u8]) -> Result<ParseTree, ParseError> {
        let nid = prefix(bytes)?;
        let nid_end = self.nid(bytes, nid)?;
        let nss = nid_end + 1;
        let nss_end = walk(bytes, nss, self.nss)?;
        let mut tree = ParseTree::with_scheme(Form::Urn, nid - 1);
        tree.push(Rule::Path, nid..nss_end);
        tree.push(Rule::Nid, nid..nid_end);
        tree.push(Rule::Nss, nss..nss_end);
        let mut end = nss_end;
        // Any other byte after an empty NSS is a character that the NSS may not contain, and is
        // reported as one below.
        if nss_end == nss && matches!(bytes.get(nss), None | Some(b'?' | b'#')) {
            return Err(ParseError::new(nss, ErrorKind::EmptyNss));
        }
        let mut fault = ErrorKind::NssCharacter;
        for (mark, rule, kind) in [
            (b'?', Rule::Query, ErrorKind::QueryCharacter),
            (b'#', Rule::Fragment, ErrorKind::FragmentCharacter),
        ] {
            if bytes.get(end) == Some(&mark) {
                let start = end + 1;
                end = walk(bytes, start, self.tail)?;
                tree.push(rule, start..end);
                fault = kind;
            }
        }
        if end < bytes.len() {
            return Err(super::fault(bytes, end, fault));
        }
        // RFC 2141 §2.4 and rfc2141bis-01 §2.3.3 forbid octet 0 also in its encoded form.
        match bytes.windows(3).position(|three| three == b"%00") {
            Some(at) => Err(ParseError::new(at, ErrorKind::PercentNul)),
            None => Ok(tree),
        }
    }

    pub(crate) fn check(&self, bytes: &[u8]) -> Result<(), ParseError> {
        self.parse(bytes).map(drop)
    }

    /// Parses the NID from `start` and returns the index of the `:` after it.
    fn nid(&self, bytes: &[u8], start: usize) -> Result<usize, ParseError> {
        let end = nid_run(bytes, start)?;
        let fault = |at, kind| Err(ParseError::new(at, kind));
        match bytes.get(end) {
            Some(b':') | None if end - start < self.nid_min => fault(end, ErrorKind::NidTooShort),
            // The NID `urn` is reserved, so that it is not confused with the scheme (RFC 2141
            // §2.1).
            Some(b':') if bytes.part(start..end).eq_ignore_ascii_case(b"urn") => {
                fault(start, ErrorKind::NidReserved)
            }
            Some(b':') => Ok(end),
            Some(_) => fault(end, ErrorKind::NidCharacter),
            None => fault(end, ErrorKind::EmptyNss),
        }
    }

    /// Returns the end of a URN in running text: before the first character of its NSS in the list
    /// of excluded ones (rfc2141bis-01 §2.3.3, RFC 2141 §2.4), but after the query and the fragment
    /// that `?` and `#` start.
    ///
    /// `bytes` starts with `urn:`. [`UrnDialect::parse`] reports faults of the NID.
    pub(crate) fn end_in_text(&self, bytes: &[u8]) -> usize {
        let nid = prefix(bytes).unwrap_or(0);
        let colon = table::LDH.skip(bytes, nid);
        if bytes.get(colon) != Some(&b':') {
            return bytes.len();
        }
        // A `%` without two digits is excluded, too.
        let stop = |start, table| walk(bytes, start, table).unwrap_or_else(ParseError::offset);
        let mut end = stop(colon + 1, self.nss);
        for mark in *b"?#" {
            // Without an NSS there is no URN, so its components do not count either.
            if end > colon + 1 && bytes.get(end) == Some(&mark) {
                end = stop(end + 1, self.tail);
            }
        }
        end
    }
}
