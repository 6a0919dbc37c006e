//! Places of a document by their anchors and names, looked up once for many links: [`PlaceIndex`].

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use urigrep::audit::{AnchorPlaces, ResolvedDocument};

use super::names::folded;

/// A document may have a thousand headings and as many links to them, and to find one place takes a
/// look at all headings. So the places are indexed.
#[derive(Debug, Default)]
pub struct PlaceIndex {
    anchors: OnceLock<AnchorPlaces>,
    names: OnceLock<HashMap<String, Range<usize>>>,
}

impl PlaceIndex {
    /// Returns the place that an anchor names. All calls must be for the same document.
    pub fn of_anchor(&self, document: &ResolvedDocument, anchor: &str) -> Option<Range<usize>> {
        let anchors = self.anchors.get_or_init(|| document.facts().anchor_places(document.slugs()));
        anchors.get(document.facts(), anchor).map(|span| span.range())
    }

    /// Returns the place that a name refers to, see [`place_of_name`](super::names::place_of_name).
    pub fn of_name(&self, document: &ResolvedDocument, name: &str) -> Option<Range<usize>> {
        let names = self.names.get_or_init(|| {
            let facts = document.facts();
            let targets = facts.names().map(|(name, span)| (folded(name), span.range()));
            let headings = facts
                .headings()
                .map(|heading| (folded(&facts.heading_name(&heading)), heading.span.range()));
            first_of(targets.chain(headings))
        });
        names.get(&folded(name)).cloned()
    }
}

/// Returns the first place of each name.
fn first_of(places: impl Iterator<Item = (String, Range<usize>)>) -> HashMap<String, Range<usize>> {
    let mut first = HashMap::new();
    for (name, place) in places {
        first.entry(name).or_insert(place);
    }
    first
}
