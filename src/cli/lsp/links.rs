//! `textDocument/documentLink`: every URI in every text, and the links to files.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use urigrep::Finding;
use urigrep::audit::{Link, PathStatus, ResolvedDocument, ResolvedTarget};
use urigrep::percent::{PercentSet, encode};
use urigrep::search::{Flow, Hit, Search, Sink};

use super::dispatch::View;
use super::file_uri::uri_of;
use super::folder::Folder;
use super::types::DocumentLink;

pub fn links(view: View<'_>) -> Vec<DocumentLink> {
    let text = view.document.text.as_str();
    let mut targets: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for (span, target) in files(view) {
        targets.insert((span.start, span.end), target);
    }
    each_hit(view, |span, hit| {
        // Org's `file:a.org` is a URI, too, but no editor can open it: RFC 8089 section 2 wants an
        // absolute path.
        let is_relative = hit.parsed().is_some_and(|uri| {
            uri.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"))
                && !uri.path().starts_with('/')
        });
        if matches!(hit.finding(), Finding::Match(_)) && !is_relative {
            let target = targets.entry((span.start, span.end));
            target.or_insert_with(|| hit.uri().into_owned());
        }
    });
    let link = |((start, end), target)| {
        let range = view.document.lines.range(text.as_bytes(), start..end);
        DocumentLink { range, target }
    };
    targets.into_iter().map(link).collect()
}

/// Returns the links of the document that lead to files in the workspace.
fn files(view: View<'_>) -> Vec<(Range<usize>, String)> {
    let (Some((folder, _)), Some(document)) = (view.place(), resolve(view)) else {
        return Vec::new();
    };
    let target = |(link, target): (Link<'_>, Option<&ResolvedTarget>)| {
        Some((link.span.range(), folder_uri(folder, target?)?))
    };
    let wikilinks = document.wikilinks().iter().filter_map(|link| {
        Some((link.text.span.range(), folder_uri(folder, link.target.as_ref()?)?))
    });
    document.links().filter_map(target).chain(wikilinks).collect()
}

/// Returns the URI of a target in a folder.
fn folder_uri(folder: &Folder, target: &ResolvedTarget) -> Option<String> {
    let is_there = matches!(target.status, PathStatus::File | PathStatus::Directory);
    let path = folder.path_of(&target.path);
    if !is_there || !folder.has(&path) {
        return None;
    }
    let mut uri = uri_of(&path);
    if let Some(fragment) = &target.fragment {
        uri.push('#');
        uri.push_str(&encode(fragment, PercentSet::Fragment));
    }
    Some(uri)
}

/// Returns the links of a document in the tree.
pub fn resolve(view: View<'_>) -> Option<Arc<ResolvedDocument>> {
    let (folder, path) = view.place()?;
    folder.resolve(path)
}

/// Passes each finding of a search of the document, with its span.
pub fn each_hit(view: View<'_>, take: impl FnMut(Range<usize>, &Hit<'_>)) {
    let other = Search::default();
    let search = view.folder.map_or(&other, |folder| folder.auditor.search());
    let text = view.document.text.as_bytes();
    search.reader(text, &view.document.input(), &mut LinkHits(take));
}

struct LinkHits<F>(F);

impl<F: FnMut(Range<usize>, &Hit<'_>)> Sink for LinkHits<F> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let [start, end] = hit.bytes().map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        (self.0)(start..end, hit);
        Flow::Continue
    }
}
