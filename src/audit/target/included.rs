//! Anchors that a topic gets from others: `<include from="lib.topic" element-id="install"/>` (Writerside).

use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::audit::link_context::AuditedPage;
use crate::audit::sites::text;
use crate::slice::SliceExt as _;

/// Most includes of one topic that are followed.
const MOST_INCLUDES: usize = 256;

/// True for an anchor of a topic that this one includes.
pub(super) fn has(page: &AuditedPage<'_>, topic: &Path, anchor: &str) -> bool {
    if page.site.searched.is_empty() || anchor.is_empty() {
        return false;
    }
    let own = text(topic);
    let mut names = included(&own);
    names.dedup();
    names.iter().take(MOST_INCLUDES).any(|name| {
        let beside = topic.with_file_name(name);
        let places = [beside].into_iter().chain(by_name(page, name));
        places.into_iter().any(|place| {
            page.files.anchors(&place).is_some_and(|it| it.contains(anchor))
                || has_element(&text(&place), anchor)
        })
    })
}

fn by_name(page: &AuditedPage<'_>, name: &str) -> Vec<PathBuf> {
    page.files.files_named(&page.site, name)
}

/// Returns the names of the topics in `<include from="…"`.
fn included(topic: &str) -> Vec<&str> {
    let starts = memmem::find_iter(topic.as_bytes(), "<include");
    let of_tag = |at: usize| {
        let tag = topic.clamped(at..).split('>').next()?;
        tag.split_once("from=\"")?.1.split('"').next()
    };
    starts.filter_map(of_tag).collect()
}

/// True if an element of a topic has this id.
fn has_element(topic: &str, anchor: &str) -> bool {
    ["id=\"", "anchor=\""].iter().any(|attribute| topic.contains(&format!("{attribute}{anchor}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_that_are_included() {
        let topic = "<include from=\"a.topic\" element-id=\"b\"/>\n<include\n element-id=\"c\" from=\"d.md\"/><included from='e'>";
        assert_eq!(included(topic), ["a.topic", "d.md"]);
        assert!(
            has_element("<chapter title=\"x\" id=\"y\">", "y")
                && !has_element("<p id=\"yy\">", "y")
        );
    }
}
