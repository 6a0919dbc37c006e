//! Places of the anchors of a document, found once for many links: [`AnchorPlaces`].

use std::sync::OnceLock;

use super::Facts;
use crate::Span;
use crate::audit::{Anchors, Slugs};
use crate::document::{HeadingPlaces, SharedText};
use crate::hash::HashMap;

/// The places of the anchors of a document; [`Facts::anchor_places`] returns them.
///
/// A document may have as many links as headings, so nothing here looks at all headings again for
/// another link.
#[derive(Debug)]
pub struct AnchorPlaces {
    slugs: Slugs,
    /// Those of [`Facts::placed_anchors`].
    placed: HashMap<String, Span>,
    /// Other spellings of headings.
    respelled: OnceLock<Respelled>,
}

/// The other spellings by which links may name a heading.
#[derive(Debug)]
struct Respelled {
    headings: HeadingPlaces,
    /// Names of the document itself: another spelling of these is no heading.
    named: Anchors,
}

impl AnchorPlaces {
    pub(super) fn new(facts: &Facts, slugs: Slugs) -> Self {
        let mut placed = HashMap::default();
        for (name, span) in facts.placed_anchors(slugs) {
            placed.entry(name).or_insert(span);
        }
        Self { slugs, placed, respelled: OnceLock::new() }
    }

    /// Returns the place of an anchor; `None` if the document has none of this name. The facts must
    /// be those that these places are of.
    pub fn get(&self, facts: &Facts, anchor: &str) -> Option<Span> {
        if let Some(span) = self.placed.get(anchor) {
            return Some(*span);
        }
        let format = facts.format?;
        let respelled = self.respelled.get_or_init(|| {
            let text = || facts.source_text.clone();
            let headings = format.heading_places(&facts.outline(&text), self.slugs);
            // The source text is not used here: its lines may define the anchor.
            let mut names = facts.outline(&SharedText::default);
            names.headings.clear();
            Respelled { headings, named: format.anchors(names, self.slugs) }
        });
        if respelled.named.contains(anchor) {
            return None;
        }
        let index = respelled.headings.get(anchor, self.slugs)?;
        facts.headings.get(index).map(|(_, (_, span))| *span)
    }
}
