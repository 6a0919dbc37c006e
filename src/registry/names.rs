//! The names in the lists of `data/`, as tables built at compile time.

use super::list::{self, list, table};
use super::{NamespaceInfo, NamespaceKind, SchemeInfo, SchemeStatus};

const SCHEME_LIST: &str = list!("schemes.tsv");
const NAMESPACE_LIST: &str = list!("namespaces.tsv");

/// The known URI schemes (D1.2).
pub(super) static SCHEMES: &[SchemeInfo] = &{
    let empty = SchemeInfo { name: "", status: SchemeStatus::Permanent, reference: "" };
    table!(SCHEME_LIST, empty, record => {
        let (name, record) = list::split(record, b'\t');
        let (status, reference) = list::split(record, b'\t');
        let status = match status.as_bytes() {
            b"permanent" => SchemeStatus::Permanent,
            b"provisional" => SchemeStatus::Provisional,
            b"historical" => SchemeStatus::Historical,
            _ => SchemeStatus::Unregistered,
        };
        SchemeInfo { name, status, reference }
    })
};

/// The registered URN namespaces (RFC 8141 section 6).
pub(super) static NAMESPACES: &[NamespaceInfo] = &{
    let empty = NamespaceInfo { name: "", kind: NamespaceKind::Formal, reference: "" };
    table!(NAMESPACE_LIST, empty, record => {
        let (name, record) = list::split(record, b'\t');
        let (kind, reference) = list::split(record, b'\t');
        let kind = match kind.as_bytes() {
            b"informal" => NamespaceKind::Informal,
            _ => NamespaceKind::Formal,
        };
        NamespaceInfo { name, kind, reference }
    })
};

/// The names of all known schemes, each before a line feed. Separate from [`SCHEMES`], so that a
/// program that never needs a reference does not contain these.
pub(super) const SCHEME_NAMES: &str =
    match str::from_utf8(&list::first_fields::<{ SCHEME_NAMES_LEN }>(SCHEME_LIST)) {
        Ok(names) => names,
        Err(_) => "",
    };
pub(super) const SCHEME_COUNT: usize = list::count(SCHEME_LIST);
const SCHEME_NAMES_LEN: usize = list::first_fields_len(SCHEME_LIST);

pub(super) const NAMESPACE_NAMES: &[&str] =
    &table!(NAMESPACE_LIST, "", record => list::split(record, b'\t').0);

/// Top-level domains and public suffixes of one label (D7), lower-case U-labels.
pub(super) const TLD_NAMES: &[&str] = &table!(TLD_LIST, "", record => record);
pub(super) const TLD_LIST: &str = list!("tlds.txt");
