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

pub(super) const SCHEME_NAMES: &[&str] =
    &table!(SCHEME_LIST, "", record => list::split(record, b'\t').0);
pub(super) const NAMESPACE_NAMES: &[&str] =
    &table!(NAMESPACE_LIST, "", record => list::split(record, b'\t').0);

/// Top-level domains and public suffixes of one label (D7), lower-case U-labels.
pub(super) const TLD_NAMES: &[&str] = &table!(list!("tlds.txt"), "", record => record);
