//! The resolved links of a document, for programs that follow or rewrite them:
//! [`ResolvedDocument`].

use std::io;
use std::iter::once;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::auditor::{Auditor, caught, with_hidden};
use super::collect::{document_path, is_apart, menu_at};
use super::link_context::AuditedPage;
use super::target::{LinkTarget, decoded, index_of, wikilink};
use crate::audit::answers::PageFiles;
use crate::audit::sites::WikiRule;
use crate::audit::{
    Facts, Link, LinkAddresses, LinkContext, Nowhere, PathStatus, Slugs, SpannedText, TargetLookup,
};
use crate::document::Format;
use crate::document::markdown::slug::SlugRule;
use crate::search::{Input, InputText, Problem, Root, Visit, WalkError};

/// A document with the destinations of its links, resolved by the rules of its site.
#[derive(Clone, Debug)]
pub struct ResolvedDocument {
    text: InputText,
    facts: Facts,
    /// The path that its links start at, if it is not its own.
    stand_in: Option<PathBuf>,
    slugs: Slugs,
    targets: Vec<Option<ResolvedTarget>>,
    wikilinks: Vec<ResolvedWikilink>,
    uses_wikilinks: bool,
    addresses: LinkAddresses,
}

/// A `[[wikilink]]` in a tree that uses them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResolvedWikilink {
    /// The text between the brackets, `page#heading|label`, and its span.
    pub text: SpannedText,
    /// The file that the name finds, and the anchor of the heading; `None` without such a file.
    pub target: Option<ResolvedTarget>,
    rule: WikiRule,
}

impl ResolvedWikilink {
    /// Returns the offset at which the name of the page may start: behind the label, if that is first.
    pub fn name_start(&self) -> usize {
        match (self.rule, self.text.text.find('|')) {
            (WikiRule::Gollum, Some(at)) if !self.parts().0.is_empty() => {
                // The name of a picture has options behind it.
                let is_after = |text: &str| text.contains(self.parts().0);
                if self.text.text.get(at..).is_some_and(is_after) { at } else { 0 }
            }
            _ => 0,
        }
    }

    /// Returns the name of the page and the heading.
    pub fn parts(&self) -> (&str, &str) {
        wikilink::parts(&self.text.text, self.rule)
    }
}

/// The place in the tree that a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResolvedTarget {
    /// The file or directory, as the document names it; an index page stands for its directory.
    pub path: PathBuf,
    /// Whether a file or directory is at the path.
    pub status: PathStatus,
    /// The fragment, percent-decoded.
    pub fragment: Option<String>,
}

impl ResolvedDocument {
    /// Returns the text that the spans of the facts refer to.
    pub fn text(&self) -> &[u8] {
        self.text.bytes()
    }

    /// Returns the links, names, and headings.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the path of a document at which the links would mean the same: that of the document,
    /// or of one that need not exist for the menu of a site, whose links start elsewhere.
    ///
    /// ```
    /// use std::path::Path;
    /// use urigrep::audit::Auditor;
    /// use urigrep::search::Input;
    /// let auditor = Auditor::builder().build();
    /// let document = auditor.resolve(&Input::in_tree("README.md")).unwrap().unwrap();
    /// assert_eq!(document.start(Path::new("README.md")), "README.md");
    /// ```
    pub fn start<'p>(&'p self, path: &'p Path) -> &'p Path {
        self.stand_in.as_deref().unwrap_or(path)
    }

    /// Returns the rules that turn headings into anchors here.
    pub fn slugs(&self) -> Slugs {
        self.slugs
    }

    /// Returns the forms of addresses in the site of the document.
    pub fn addresses(&self) -> LinkAddresses {
        self.addresses
    }

    /// Returns the `[[wikilinks]]`, if the tree uses them.
    pub fn wikilinks(&self) -> &[ResolvedWikilink] {
        &self.wikilinks
    }

    /// True if the documents of the tree link to each other by `[[name]]`.
    pub fn uses_wikilinks(&self) -> bool {
        self.uses_wikilinks
    }

    /// Returns the links, each with its place in the tree, if it leads to one.
    pub fn links(&self) -> impl Iterator<Item = (Link<'_>, Option<&ResolvedTarget>)> {
        self.facts.links().zip(self.targets.iter().map(Option::as_ref))
    }
}

impl Auditor {
    /// Resolves the links of an input; `None` if it is not a document that is audited.
    ///
    /// # Errors
    /// If it cannot be read.
    ///
    /// ```
    /// use urigrep::audit::{Auditor, PathStatus};
    /// use urigrep::search::Input;
    /// let auditor = Auditor::builder().build();
    /// let document = auditor.resolve(&Input::in_tree("README.md")).unwrap().unwrap();
    /// let targets = document.links().filter_map(|(_, target)| target);
    /// assert!(targets.into_iter().any(|target| target.status == PathStatus::File));
    /// ```
    pub fn resolve(&self, input: &Input) -> Result<Option<ResolvedDocument>, Problem> {
        caught(input, || self.resolve_uncaught(input))
    }

    /// Resolves the links of a text as if it were that of an input.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn resolve_text(
        &self,
        input: &Input,
        text: Vec<u8>,
    ) -> Result<Option<ResolvedDocument>, Problem> {
        caught(input, || {
            let text = self.settings.search.text_of(input, text);
            Ok(text.map(|text| self.resolve_read(input, text)))
        })
    }

    /// Resolves the links of all documents that [`run`](Self::run) would audit, on all threads.
    /// `work` turns each into a result, and `take` receives these by path. Inputs that cannot be
    /// read are skipped.
    ///
    /// # Errors
    /// If a glob or file type of the walk is invalid.
    pub fn resolve_all<R: Into<Root>, T: Send>(
        &self,
        roots: impl IntoIterator<Item = R>,
        work: impl Fn(&Path, ResolvedDocument) -> T + Sync,
        mut take: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), WalkError> {
        let resolve = |visit| match visit {
            Visit::Search(input) => {
                let document = self.resolve(&input).ok().flatten()?;
                Some(work(input.path()?, document))
            }
            Visit::Problem(_) | Visit::Skip(_) => None,
        };
        let roots = with_hidden(roots.into_iter().map(Into::into));
        self.settings.search.map_inputs(roots, resolve, |resolved| match resolved {
            Some(resolved) => take(resolved),
            None => ControlFlow::Continue(()),
        })
    }

    fn resolve_uncaught(&self, input: &Input) -> io::Result<Option<ResolvedDocument>> {
        if self.leaves_out(input) {
            return Ok(None);
        }
        let text = match menu_at(input) {
            Some(_) => self.files.read_text(input, |_| true)?,
            None => self.read_text(input)?,
        };
        let document = text.map(|text| self.resolve_read(input, text));
        // Whatever else has the name of a menu is not a document.
        Ok(document.filter(|it| it.stand_in.is_some() || !self.is_other(input)))
    }

    fn resolve_read(&self, input: &Input, text: InputText) -> ResolvedDocument {
        let menu = self.read_menu(input, &text);
        let (stand_in, facts) = match menu {
            Some((page, document)) => (Some(page), document.facts),
            None => (None, self.read_document(input, &text).facts),
        };
        let own = document_path(input);
        let path = stand_in.as_deref().unwrap_or(&own);
        let files: &dyn TargetLookup = if is_apart(input, &facts) { &Nowhere } else { &self.files };
        let page = AuditedPage::new(path, &facts, &self.settings.options, PageFiles::new(files));
        let targets = facts.links().map(|link| {
            let context = LinkContext::new(link, &page);
            context.target().map(|target| resolved(target, &page))
        });
        let targets = targets.collect();
        let slugs = page.site.slugs;
        let texts = page.facts.wikilinks();
        let is_extended = page.facts.format().is_some_and(Format::is_extended_by_sites);
        let uses_wikilinks = is_extended && page.files.has_wikilinks(&page.site);
        let wikilinks = if uses_wikilinks {
            let resolved = |text: &SpannedText| ResolvedWikilink {
                text: text.clone(),
                target: wikilink_target(&page, &text.text),
                rule: page.site.rules().wiki,
            };
            texts.iter().map(resolved).collect()
        } else {
            Vec::new()
        };
        let addresses = LinkAddresses::for_page(&page);
        drop(page);
        ResolvedDocument {
            text,
            facts,
            stand_in,
            slugs,
            targets,
            wikilinks,
            uses_wikilinks,
            addresses,
        }
    }
}

fn wikilink_target(page: &AuditedPage<'_>, text: &str) -> Option<ResolvedTarget> {
    let (name, heading) = wikilink::parts(text, page.site.rules().wiki);
    let path = match name {
        "" => page.path.to_owned(),
        name => page.files.page_named(&page.site, page.path, name)?,
    };
    // `a#b#c` is the heading `c` below `b`.
    let heading = heading.rsplit('#').next().filter(|heading| !heading.is_empty());
    let rules = SlugRule::for_slugs(page.site.slugs);
    let anchor = |heading: &str| rules.iter().flat_map(|rule| rule.anchors(once(heading))).next();
    let fragment = heading.map(|heading| anchor(heading).unwrap_or_else(|| heading.to_owned()));
    Some(ResolvedTarget { path, status: PathStatus::File, fragment })
}

fn resolved(target: &LinkTarget<'_>, page: &AuditedPage<'_>) -> ResolvedTarget {
    let path = target.path.as_deref().unwrap_or(page.path);
    let fragment = target.fragment.map(|it| decoded(it).unwrap_or_else(|| it.to_owned()));
    let index = match target.entry {
        PathStatus::Directory => index_of(page, path),
        _ => None,
    };
    match index {
        Some(path) => ResolvedTarget { path, status: PathStatus::File, fragment },
        None => ResolvedTarget { path: path.to_owned(), status: target.entry.clone(), fragment },
    }
}
