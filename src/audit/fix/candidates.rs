//! References to a file, in the style of the author, and the proof that one leads somewhere.

use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use crate::Finder;
use crate::audit::sites::{ForgePlace, ResourceRule, WikiRule, antora};
use crate::audit::target::{Destination, LinkTarget, only_prefix, start_of_addresses};
use crate::audit::{AuditFinding, LinkContext, PathStatus, Severity, checks, paths};
use crate::document::{Format, LinkOrigin};
use crate::percent::{PercentSet, encode};

static FINDER: LazyLock<Finder> = LazyLock::new(Finder::new);

/// A claim that a fix need not prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unproved {
    Nothing,
    /// The anchor, if the page has unknown anchors.
    Anchor,
}

impl LinkContext<'_> {
    /// True if the link would pass all checks with this reference, and lead to a file.
    pub(in crate::audit) fn would_pass(&self, reference: &str) -> bool {
        self.would_pass_but(reference, Unproved::Nothing)
    }

    /// Like [`would_pass`](Self::would_pass), without the claims that need no proof.
    fn would_pass_but(&self, reference: &str, unproved: Unproved) -> bool {
        // The checks of the new reference must not search for fixes in turn.
        if self.page.is_trial {
            return false;
        }
        let Some(facts) = self.page.facts.with_reference(&self.link, reference, &FINDER) else {
            return false;
        };
        let page = self.page.with_facts(&facts);
        let Some(link) = facts.links().next() else { return false };
        let context = LinkContext::new(link, &page);
        // `a.png/` is not the address of a picture.
        let is_address = |target: &LinkTarget<'_>| {
            let path = reference.split(['?', '#']).next().unwrap_or_default();
            !path.ends_with('/') || target.path.as_deref().is_none_or(is_page)
        };
        let leads_to_file = match context.destination() {
            Destination::Target(target) => match target.entry {
                PathStatus::File => is_address(target),
                PathStatus::Directory => true,
                _ => false,
            },
            _ => false,
        };
        let mut is_faulty = false;
        checks::check_link(&context, &mut |finding| {
            // A note about the spelling is not a fault, but an unchecked anchor proves nothing.
            is_faulty |= finding.severity > Severity::Note
                || finding.check.id == "unchecked-target" && unproved == Unproved::Nothing;
        });
        leads_to_file && !is_faulty
    }

    /// Checks the link as if this reference were its destination.
    pub(in crate::audit) fn check_as(&self, reference: &str, sink: &mut dyn FnMut(AuditFinding)) {
        let facts = self.page.facts.with_reference(&self.link, reference, &FINDER);
        let Some(facts) = facts.filter(|_| !self.page.is_trial) else { return };
        let page = self.page.with_facts(&facts);
        for link in facts.links() {
            checks::check_link(&LinkContext::new(link, &page), sink);
        }
    }

    /// Returns the path of the reference, and its query and fragment.
    pub(in crate::audit) fn split(&self) -> (&str, &str) {
        self.written.split_at(self.written.find(['?', '#']).unwrap_or(self.written.len()))
    }

    /// Returns references to a file that pass: first in the style of the author, then others.
    pub(in crate::audit) fn references_to(&self, file: &Path) -> Option<String> {
        let certain = self.references_but(file, Unproved::Nothing);
        // The file proves the path. An anchor that cannot be checked stays unchecked.
        certain.or_else(|| {
            if self.split().1.starts_with('#') {
                self.references_but(file, Unproved::Anchor)
            } else {
                None
            }
        })
    }

    fn references_but(&self, file: &Path, unproved: Unproved) -> Option<String> {
        let (old, tail) = self.split();
        if self.absolute().is_some()
            && let Some(url) = self.url_of(old, file)
        {
            let reference = format!("{url}{tail}");
            return self.would_pass_but(&reference, unproved).then_some(reference);
        }
        let (scheme, old) = local_path(old);
        let file = paths::without_dots(file);
        let path = match (self.published_at_root(&file), old.starts_with('/')) {
            (Some(address), false) => address,
            (_, true) if !self.needs_relative(&file) => self.rooted(&file)?,
            _ => relative(self.page.directory(), &file)?,
        };
        let path = if old.starts_with("./") && !path.starts_with("..") {
            format!("./{path}")
        } else {
            path
        };
        if let Some(path) = self.below_content(&file) {
            let reference = format!("{path}{tail}");
            return self.would_pass_but(&reference, unproved).then_some(reference);
        }
        let mut styles = self.antora_id(&file).into_iter().chain(styles(&path)).collect::<Vec<_>>();
        if self.is_resource_id(old) {
            // Antora resolves no path to a file of another family, such as `../images/a.png`.
            styles.retain(|path| !path.starts_with("../"));
        }
        // A wiki shows the source at the name with its extension.
        if self.page.site.rules().wiki != WikiRule::None {
            styles.retain(|path| !is_page(Path::new(path)) && !path.ends_with('/'));
        }
        if old.ends_with('/') {
            match self.address(&file, old) {
                Some(address) => {
                    styles.retain(|path| !path.ends_with('/'));
                    styles.push(address);
                }
                None => styles.push(format!("{path}/")),
            }
        }
        // The extension, or its absence, says how the author names pages.
        let style = |path: &str| {
            let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            (name.rsplit_once('.').map(|(_, extension)| extension.to_owned()), path.ends_with('/'))
        };
        styles.sort_by_key(|path| style(path) != style(old));
        if self.link.origin == LinkOrigin::DocumentName {
            // The name of a document has an extension or none, as the author writes it.
            styles.retain(|path| style(path) == style(old));
        }
        styles
            .into_iter()
            .map(|path| format!("{scheme}{path}{tail}"))
            .find(|reference| self.would_pass_but(reference, unproved))
    }

    /// Returns the URL of a file on the forge, like this one of another file. Its author wrote a
    /// URL because the document is shown elsewhere, too, where a path leads nowhere.
    fn url_of(&self, old: &str, file: &Path) -> Option<String> {
        let repository = self.page.site.repository.as_ref()?;
        let (_, uri) = self.absolute()?;
        let ForgePlace::Path(inside) = repository.place(uri.host()?, uri.path())? else {
            return None;
        };
        let start = old.strip_suffix(inside.as_str())?;
        let below = paths::below(&repository.directory, file)?;
        Some(format!("{start}{}", encoded(below.components())?))
    }

    /// Returns the relative address of a file's page, `../a/`. It starts at the page,
    /// and not at the document: the audit of a tree may accept both, but a browser does not.
    fn address(&self, file: &Path, old: &str) -> Option<String> {
        let start = start_of_addresses(self);
        if old.starts_with('/') || paths::are_same(&start, self.page.directory()) {
            return None;
        }
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let page = match is_page(file) {
            true if matches!(stem, "index" | "_index" | "README") => paths::parent(file),
            true => file.with_extension(""),
            false => file.to_path_buf(),
        };
        Some(format!("{}/", relative(&start, &page)?))
    }

    /// Returns `@/a.md` for a document of Zola, which resolves no other path of one.
    fn below_content(&self, file: &Path) -> Option<String> {
        let prefix = only_prefix(self).filter(|_| file.extension().is_some_and(|it| it == "md"))?;
        let mut content = self.page.site.content.iter();
        let below = content.find_map(|content| paths::below(content, file))?;
        Some(format!("{prefix}{}", encoded(below.components())?))
    }

    /// True for a path that Antora reads as a resource id.
    fn is_resource_id(&self, path: &str) -> bool {
        let page = self.page;
        page.site.rules().resources == ResourceRule::Antora
            && antora::resource(page.path, &[], &[], self.link.element, path).is_some()
    }

    /// Returns the resource id of a file, where Antora reads one.
    fn antora_id(&self, file: &Path) -> Option<String> {
        if self.page.site.rules().resources != ResourceRule::Antora {
            return None;
        }
        let page = paths::without_dots(self.page.path);
        let id = antora::id_of(&page, &self.page.site.content, self.link.element, file)?;
        // The reader of AsciiDoc adds `./`, because `a:b` alone would have a scheme.
        let is_marked = id.contains([':', '$', '@']);
        Some(if is_marked { format!("./{id}") } else { id })
    }

    /// Returns the address of a file in a directory that the site publishes at its root, such as
    /// `public`: no path with the name of that directory leads to it.
    fn published_at_root(&self, file: &Path) -> Option<String> {
        let site = &self.page.site;
        // A forge shows the documents at the top of a checkout.
        let is_of_forge = site.repository.as_ref().is_some_and(|it| {
            site.is_guessed() && paths::are_same(&it.directory, self.page.directory())
        });
        if is_of_forge || !self.page.is_source() {
            return None;
        }
        // An unknown generator may build pages from files of other names.
        let is_named = |name: &&&str| {
            if site.is_guessed() { matches!(**name, "public" | "static") } else { **name != "." }
        };
        let names = || site.rules().statics.iter().filter(is_named);
        let statics = site.roots.iter().filter(|root| names().any(|name| root.ends_with(name)));
        let mut statics = statics.filter(|root| !site.content.contains(root));
        let below = statics.find_map(|root| paths::below(root, file))?;
        Some(format!("{}{}", site.base, encoded(below.components())?))
    }

    /// True for a document whose path the generator resolves in links only if it is relative.
    fn needs_relative(&self, file: &Path) -> bool {
        let is_document = || {
            let extension = file.extension().and_then(|it| it.to_str()).unwrap_or_default();
            Format::from_extension(extension).is_some_and(Format::is_source)
        };
        self.page.site.leaves_rooted && self.page.is_source() && is_document()
    }

    /// Returns the path of a file from a root of the site.
    fn rooted(&self, file: &Path) -> Option<String> {
        let site = &self.page.site;
        // Several roots may contain the file: `/docs/a` is below the checkout, and `/a` below
        // `docs`. The one whose path starts like the old link is meant.
        let old: Vec<&str> = self.split().0.trim_matches('/').split('/').collect();
        let alike = |below: &PathBuf| {
            below.iter().zip(&old).take_while(|(name, old)| name.to_str() == Some(old)).count()
        };
        let below = site.below(file);
        // The directory of a language may be a root, too: links name all languages or none.
        let of_language = |name: Option<&str>| {
            name.is_some_and(|name| site.languages.iter().any(|it| it == name))
        };
        let fits = |below: &PathBuf| {
            let first = below.iter().next().and_then(|name| name.to_str());
            (alike(below), of_language(first) == of_language(old.first().copied()))
        };
        let below = below.rev().chain(site.mounted_at_root(file)).max_by_key(fits)?;
        let base = site.base.trim_matches('/');
        let base = if base.is_empty() || !self.written.trim_start_matches('/').starts_with(base) {
            String::new()
        } else {
            format!("/{base}")
        };
        Some(format!("{base}/{}", encoded(below.components())?))
    }
}

/// True for a file that the site turns into a page.
fn is_page(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    extension.starts_with("htm") || Format::from_extension(extension).is_some_and(Format::is_source)
}

/// Splits off the scheme of a local path. Org marks a file by `file:`, and without it reads a name
/// of a heading. MyST has `path:` and `project:`.
pub(super) fn local_path(path: &str) -> (&str, &str) {
    let length = ["file:", "path:", "project:"].iter().find(|it| path.starts_with(**it));
    path.split_at(length.map_or(0, |it| it.len()))
}

/// Returns a path, and the addresses that generators derive from it.
fn styles(path: &str) -> Vec<String> {
    let mut styles = vec![path.to_owned()];
    let Some((stem, _)) = path.rsplit_once('.').filter(|(_, extension)| !extension.contains('/'))
    else {
        return styles;
    };
    styles.extend([stem.to_owned(), format!("{stem}/"), format!("{stem}.html")]);
    if let Some(directory) = stem.strip_suffix("index").filter(|it| it.ends_with('/')) {
        styles.push(directory.to_owned());
    }
    styles
}

/// Returns the path from a directory to a file, percent-encoded.
pub(super) fn relative(directory: &Path, file: &Path) -> Option<String> {
    // From a directory of the checkout, its other files have paths such as `../docs/a.md`.
    let leads_up = [directory, file].iter().any(|path| path.starts_with(".."));
    if directory.is_absolute() != file.is_absolute() || leads_up {
        let (directory, file) = (paths::absolute(directory), paths::absolute(file));
        return relative_between(&directory, &file);
    }
    relative_between(directory, file)
}

fn relative_between(directory: &Path, file: &Path) -> Option<String> {
    let same = directory.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = directory.components().skip(same);
    let mut path: PathBuf = up.map(|_| Component::ParentDir).collect();
    path.extend(file.components().skip(same));
    encoded(path.components())
}

fn encoded<'c>(components: impl Iterator<Item = Component<'c>>) -> Option<String> {
    let names: Option<Vec<String>> = components
        .map(|component| {
            Some(encode(component.as_os_str().to_str()?, PercentSet::Segment).into_owned())
        })
        .collect();
    let path = names?.join("/");
    // `a:b` alone would be read as a scheme (RFC 3986 §4.2).
    let is_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    Some(if is_scheme { format!("./{path}") } else { path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let path = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        for (from, to, expected) in [
            ("", "a.md", "a.md"),
            ("docs", "docs/a b.md", "a%20b.md"),
            ("docs/x", "docs/a.md", "../a.md"),
            ("docs/x", "guide/y/a.md", "../../guide/y/a.md"),
            ("/a/b", "/a/c.md", "../c.md"),
            ("", "a:b", "./a:b"),
        ] {
            assert_eq!(path(from, to).as_deref(), Some(expected), "{from} {to}");
        }
    }
}
