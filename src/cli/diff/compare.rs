//! Compares the places of both sides.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::places::{KnownUris, SidePlaces, UriPlace};
use crate::cli::flags::diff::ChangeKind;

/// A difference: the place on each side that has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<'p> {
    pub old: Option<&'p UriPlace>,
    pub new: Option<&'p UriPlace>,
}

impl Change<'_> {
    pub fn kind(&self) -> ChangeKind {
        match (self.old, self.new) {
            (Some(_), Some(_)) => ChangeKind::Moved,
            (Some(_), None) => ChangeKind::Removed,
            _ => ChangeKind::Added,
        }
    }
}

/// The differences between two sides, in the order of files and lines, and the number of equal
/// URIs.
#[derive(Debug, Default)]
pub struct Comparison<'p> {
    pub changes: Vec<Change<'p>>,
    pub same: u64,
}

/// Compares the sides. An occurrence of a URI is the same as one in the same file, on the same
/// line if possible; the rest has moved from one file to another, or was removed or added.
pub fn compare<'p>(known: &KnownUris, old: &'p SidePlaces, new: &'p SidePlaces) -> Comparison<'p> {
    let mut comparison = Comparison::default();
    let (old_by_uri, new_by_uri) = (by_uri(old), by_uri(new));
    for (number, uri) in known.uris.iter().enumerate() {
        let places = |by_uri: &[Vec<&'p UriPlace>]| by_uri.get(number).cloned().unwrap_or_default();
        let mut rest = UnmatchedPlaces { old: places(&old_by_uri), new: places(&new_by_uri) };
        let key = |side: &'p SidePlaces, place: &UriPlace| {
            side.files.get(place.file as usize).map_or(&[][..], |file| &file.key)
        };
        let (key_of_old, key_of_new) =
            (|place: &UriPlace| key(old, place), |place: &UriPlace| key(new, place));
        let line = |place: &UriPlace| (place.line, place.page.clone());
        let in_line = rest.pair(
            |old| (key_of_old(old), Some(line(old))),
            |new| (key_of_new(new), Some(line(new))),
        );
        let in_file = rest.pair(key_of_old, key_of_new);
        comparison.same += (in_line.len() + in_file.len()) as u64;
        let moved = if uri.is_relative {
            // In another directory, it has another target.
            rest.pair(|old| directory(key_of_old(old)), |new| directory(key_of_new(new)))
        } else {
            rest.pair(|_| (), |_| ())
        };
        let moved = moved.into_iter().map(|(old, new)| Change { old: Some(old), new: Some(new) });
        let removed = rest.old.iter().map(|&old| Change { old: Some(old), new: None });
        let added = rest.new.iter().map(|&new| Change { old: None, new: Some(new) });
        comparison.changes.extend(moved.chain(removed).chain(added));
    }
    comparison.changes.sort_by_cached_key(|change| {
        let (side, place) = match (change.old, change.new) {
            (_, Some(place)) => (new, place),
            (Some(place), None) => (old, place),
            (None, None) => return None,
        };
        let file = side.files.get(place.file as usize)?;
        let page = place.page.clone();
        Some((file.key.clone(), place.line, page, change.kind(), place.uri))
    });
    comparison
}

/// The places by the number of their URI.
fn by_uri(side: &SidePlaces) -> Vec<Vec<&UriPlace>> {
    let mut by_uri: Vec<Vec<&UriPlace>> = Vec::new();
    for place in &side.places {
        let at = place.uri as usize;
        if by_uri.len() <= at {
            by_uri.resize_with(at + 1, Vec::new);
        }
        by_uri[at].push(place);
    }
    for places in &mut by_uri {
        let path = |place: &UriPlace| side.files.get(place.file as usize).map(|file| &file.key);
        // `pair` takes the places of both sides in turn: the first occurrence is the partner of the
        // first.
        places.sort_by(|a, b| (path(a), a.line).cmp(&(path(b), b.line)));
    }
    by_uri
}

fn directory(key: &[u8]) -> &[u8] {
    &key[..memchr::memrchr(b'/', key).unwrap_or(0)]
}

/// The places of one URI that have no partner yet.
struct UnmatchedPlaces<'p> {
    old: Vec<&'p UriPlace>,
    new: Vec<&'p UriPlace>,
}

impl<'p> UnmatchedPlaces<'p> {
    /// Takes out pairs with the same key, in order.
    fn pair<K: Ord>(
        &mut self,
        key_of_old: impl Fn(&'p UriPlace) -> K,
        key_of_new: impl Fn(&'p UriPlace) -> K,
    ) -> Vec<(&'p UriPlace, &'p UriPlace)> {
        let mut pairs = Vec::new();
        if self.old.is_empty() || self.new.is_empty() {
            return pairs;
        }
        let mut waiting: BTreeMap<K, VecDeque<&UriPlace>> = BTreeMap::new();
        for &old in &self.old {
            waiting.entry(key_of_old(old)).or_default().push_back(old);
        }
        self.new.retain(|&new| {
            let old = waiting.get_mut(&key_of_new(new)).and_then(VecDeque::pop_front);
            pairs.extend(old.map(|old| (old, new)));
            old.is_none()
        });
        if !pairs.is_empty() {
            // By address: two places with the same values are a URI that is twice in a line.
            let left: HashSet<*const UriPlace> =
                waiting.into_values().flatten().map(std::ptr::from_ref).collect();
            self.old.retain(|&old| left.contains(&std::ptr::from_ref(old)));
        }
        pairs
    }
}
