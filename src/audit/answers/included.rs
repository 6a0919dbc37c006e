//! The topics that a topic includes: `<include from="lib.topic" element-id="install"/>`
//! (Writerside).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use crate::audit::sites::text;
use crate::audit::target::joined;
use crate::hash::HashSet;
use crate::slice::SliceExt as _;

/// Most topics that one topic includes.
const MAX_INCLUDED: usize = 256;
/// Longest tag `<include …>`.
const MAX_TAG_BYTES: usize = 512;

/// The topics that a topic includes, and the ids of their elements.
#[derive(Debug, Default)]
pub struct IncludedTopics {
    pub paths: Vec<PathBuf>,
    pub ids: HashSet<String>,
}

impl IncludedTopics {
    /// Reads the topics that this one includes, by their names: beside it, or at the places that
    /// `by_name` returns.
    pub(super) fn read(topic: &Path, by_name: impl Fn(&str) -> Arc<[PathBuf]>) -> Self {
        let mut this = Self::default();
        for name in included(&text(topic)).into_iter().take(MAX_INCLUDED) {
            let beside = joined(topic.parent().unwrap_or(Path::new("")), name);
            let named = by_name(name);
            let mut places = beside.into_iter().chain(named.iter().cloned());
            let Some(place) = places.find(|place| place.is_file()) else { continue };
            let text = text(&place);
            this.ids.extend(ids(&text).map(str::to_owned));
            this.paths.push(place);
        }
        this
    }

    /// Returns the number of paths and ids.
    pub(super) fn len(&self) -> usize {
        self.paths.len() + self.ids.len()
    }
}

/// Returns the names of the topics in `<include from="…"`, each once.
fn included(topic: &str) -> BTreeSet<&str> {
    let starts = memmem::find_iter(topic.as_bytes(), "<include");
    let of_tag = |at: usize| {
        let end = topic.floor_char_boundary(at.saturating_add(MAX_TAG_BYTES));
        let tag = topic.clamped(at..end).split('>').next()?;
        tag.split_once("from=\"")?.1.split('"').next()
    };
    starts.filter_map(of_tag).filter(|name| !name.is_empty()).collect()
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
