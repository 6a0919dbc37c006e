//! Recognizes repositories as git and ssh write them (D7): `git@host.example:owner/name.git`.

use super::decode::{self, DecodedExtent, RunSpelling};
use super::domain::{self, ScriptBoundary};
use super::unschemed::Unschemed;
use crate::grammar::table::is_unreserved;
use crate::kind::Kind;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// The user name that all hosts of repositories share. With another name, as in
/// `jo@host.example:dir`, the text may be a repository, a file for scp, or an address and a colon.
const USER: &[u8] = b"git@";
/// Most bytes of a path that are searched for a sign that it is one.
const MAX_PATH_LENGTH: usize = 256;

/// The address of a repository. Offsets are into the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RepositoryAddress {
    at: usize,
    /// The colon between host and path.
    colon: usize,
}

impl RepositoryAddress {
    /// Returns the repository whose host starts at `haystack[host]`.
    pub fn at_host(haystack: &[u8], host: usize) -> Option<Self> {
        let before = haystack.part(..host).strip_suffix(USER)?;
        // `ssh://git@…` is a URI, and a longer name is another user.
        if before.last().is_some_and(|&b| is_unreserved(b) || b >= 0x80 || b"/+%:@".contains(&b)) {
            return None;
        }
        let domain = domain::read(haystack, host, ScriptBoundary::Splits)?;
        let path = haystack.part(domain.end..).strip_prefix(b":")?.clamped(..MAX_PATH_LENGTH);
        // Other characters need quoting in a shell, and hosts of repositories do not allow them in
        // names.
        let in_path = |b: u8| is_unreserved(b) || matches!(b, b'/' | b'%' | b'+');
        let path = path.part(..path.leading(in_path));
        let is_path = path.contains(&b'/') || path.ends_with(b".git");
        let fits = is_path && domain::is_tld(haystack.part(domain.top..domain.end));
        fits.then_some(Self { at: before.len(), colon: domain.end })
    }

    pub fn unschemed(self) -> Unschemed {
        let Self { at, .. } = self;
        Unschemed { at, rest: at, scheme: "ssh://", kind: Kind::Abbreviated, end: None }
    }

    /// Makes the URI that git takes for the same repository:
    /// `ssh://git@host.example/owner/name.git`.
    pub fn derive(self, haystack: &[u8], most: usize, derived: &mut DerivedText) -> DecodedExtent {
        derived.restart(most.min(decode::MAX_RESERVED_BYTES) + decode::LOOKAHEAD_BYTES);
        let Self { at, colon } = self;
        derived.replace(b"ssh://", Span::new(at, at), RunOrigin::Assumed);
        derived.copy(haystack.part(at..colon), at);
        let path = colon + 1;
        // An absolute path has its slash already.
        let slash: &[u8] = if haystack.get(path) == Some(&b'/') { b"" } else { b"/" };
        derived.replace(slash, Span::new(colon, path), RunOrigin::Assumed);
        decode::append(haystack, path, RunSpelling::default(), most, derived)
    }
}
