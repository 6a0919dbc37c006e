//! ReadMe, whose documents name each other by schemes of their own (ReadMe, "Linking Across Your
//! Docs"; "Bi-Directional Sync").

/// Schemes of pages, of the reference, and of other documents.
pub(in crate::audit) const SCHEMES: [&str; 5] = ["blog", "changelog", "doc", "page", "ref"];

/// File with the order of the pages in a directory.
pub(in crate::audit) const ORDER: &str = "_order.yaml";
