//! The topics that a topic includes: `<include from="lib.topic" element-id="install"/>`
//! (Writerside).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use crate::audit::answers::cache::Cache;
use crate::audit::facts::topics::attribute;
use crate::audit::sites::{is_in_tree, text};
use crate::audit::target::joined;
use crate::hash::HashSet;
use crate::slice::SliceExt as _;

/// Maximum number of topics that one topic includes.
const MAX_INCLUDED: usize = 256;
/// Longest tag `<include …>`.
const MAX_TAG_BYTES: usize = 512;

/// Maximum size in bytes of all topics that one topic includes. The ids of 80 topics of 1 MB took
/// 500 MB.
const MAX_BYTES: usize = 2 << 20;
/// Bytes of an id beside its text.
const ID_BYTES: usize = 48;

/// The topics that a topic includes, and the ids of their elements.
#[derive(Debug, Default)]
pub struct IncludedTopics {
    pub paths: Vec<PathBuf>,
    ids: Vec<Arc<TopicIds>>,
    /// True if there are more topics than may be read.
    is_partial: bool,
}

/// The ids of the elements of a topic.
#[derive(Debug)]
pub(super) struct TopicIds {
    ids: HashSet<String>,
    /// Bytes of the topic.
    text: usize,
}

impl TopicIds {
    fn read(topic: &Path) -> Self {
        let text = text(topic);
        Self { ids: ids(&text).map(str::to_owned).collect(), text: text.len() }
    }

    /// Returns its bytes in memory.
    fn bytes(&self) -> usize {
        self.ids.iter().map(|id| ID_BYTES + id.len()).sum()
    }
}

impl IncludedTopics {
    /// Reads the topics that this one includes, by their names: beside it, or at the places that
    /// `by_name` returns. Many topics may include the same one, so its ids are in a cache.
    pub(super) fn read(
        topic: &Path,
        by_name: impl Fn(&str) -> Arc<[PathBuf]>,
        topics: &Cache<PathBuf, TopicIds>,
    ) -> Self {
        let mut this = Self::default();
        let directory = topic.parent().unwrap_or(Path::new(""));
        let text = text(topic);
        let mut names = included(&text).into_iter();
        let (mut seen, mut bytes) = (HashSet::default(), 0);
        for name in names.by_ref().take(MAX_INCLUDED) {
            let beside = joined(directory, name);
            let named = by_name(name);
            let mut places = beside.into_iter().chain(named.iter().cloned());
            let Some(place) = places.find(|it| it.is_file() && is_in_tree(directory, it)) else {
                continue;
            };
            if !seen.insert(place.clone()) {
                continue;
            }
            let read = topics.get(place.as_path(), || {
                let read = TopicIds::read(&place);
                let bytes = place.as_os_str().len() + read.bytes();
                (read, bytes)
            });
            bytes += read.text;
            if bytes > MAX_BYTES {
                this.is_partial = true;
                return this;
            }
            this.ids.push(read);
            this.paths.push(place);
        }
        this.is_partial = names.next().is_some();
        this
    }

    /// True if an element of an included topic has this id, or may have it.
    pub(in crate::audit) fn may_have(&self, id: &str) -> bool {
        self.is_partial || self.ids.iter().any(|topic| topic.ids.contains(id))
    }

    /// Returns the bytes of the ids.
    pub(super) fn bytes(&self) -> usize {
        self.ids.iter().map(|topic| topic.bytes()).sum()
    }
}

/// Returns the names of the topics in `<include from="…"`, each once.
fn included(topic: &str) -> BTreeSet<&str> {
    let starts = memmem::find_iter(topic.as_bytes(), "<include");
    let mut tag_end = 0;
    let of_tag = |at: usize| {
        // A `<include` inside a tag starts no tag.
        if at < tag_end {
            return None;
        }
        let end = topic.floor_char_boundary(at.saturating_add(MAX_TAG_BYTES));
        let tag = topic.clamped(at..end).split('>').next()?;
        tag_end = at + tag.len();
        std::str::from_utf8(attribute(tag.as_bytes(), b"from")?).ok()
    };
    starts.filter_map(of_tag).collect()
}

/// Returns the ids of the elements of a topic, and the anchors that it names.
fn ids(topic: &str) -> impl Iterator<Item = &str> {
    let values = [" id=\"", "{id=\"", " anchor=\""]
        .into_iter()
        .flat_map(|attribute| topic.split(attribute).skip(1));
    values.filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_that_are_included() {
        let topic = "<include from=\"a.topic\" element-id=\"b\"/>\n<include\n element-id=\"c\" from=\"d.md\"/><included from='e'>";
        assert_eq!(included(topic).into_iter().collect::<Vec<_>>(), ["a.topic", "d.md"]);
        let topic = "<chapter title=\"x\" id=\"y\"><p element-id=\"z\" anchor=\"a\">";
        assert_eq!(ids(topic).collect::<Vec<_>>(), ["y", "a"]);
    }
}
