//! Addresses on a host that may be the site's, although no setting names it: [`of`].
//!
//! The host has the name of the repository or of its owner, so only notes depend on it.

use std::sync::Arc;

use super::{Destination, LinkTarget, Unchecked, joined};
use crate::UriRef;
use crate::audit::target::{generated, is_version};
use crate::audit::{LinkContext, PathStatus, Repository, Site, SitePage};

/// Maximum number of directories before the path of a page, such as those of a version and a
/// language.
const MAX_BEFORE: usize = 3;

/// Returns the site that an address may belong to: it is on its host but not below its path, or on
/// a host with the name of the repository, and no setting names one. This is the site of the page,
/// or the one that its checkout publishes.
pub(super) fn find<'s>(context: &LinkContext<'s>, reference: &UriRef<'_>) -> Option<&'s Site> {
    let own = &context.page.site;
    let site = if own.is_generated() || own.is_guessed() { own } else { own.beside.as_deref()? };
    let host = reference.host()?;
    let repository = own.repository.as_deref();
    let is_named = || repository.is_some_and(|it| is_of_repository(it, host, reference.path()));
    let is_likely = match &site.host {
        // The host of an owner also has the sites of other repositories.
        Some(own) => own.eq_ignore_ascii_case(host) && (shared(own).is_none() || is_named()),
        None => is_named(),
    };
    is_likely.then_some(site)
}

/// Resolves such an address: to the page of its path, or of its path without the first
/// directories. Other addresses may lead anywhere.
pub(super) fn destination<'s>(
    context: &LinkContext<'s>,
    site: &Site,
    reference: &UriRef<'s>,
) -> Destination<'s> {
    let files = context.page.files;
    let why = match site.host {
        Some(_) => Unchecked::Host,
        None => Unchecked::Unnamed,
    };
    let mut path = reference.path();
    path = path.strip_prefix(site.base.trim_end_matches('/')).unwrap_or(path);
    // The front page, perhaps of a version and a language.
    let is_before = |name: &str| is_version(name) || is_language(name);
    if path.split('/').all(|name| name.is_empty() || is_before(name)) {
        return Destination::Elsewhere;
    }
    for _ in 0..=MAX_BEFORE {
        let inside = path.trim_start_matches('/');
        let places = site.roots.iter().filter_map(|root| joined(root, inside));
        let found = places.filter(|_| !inside.is_empty()).find_map(|place| {
            match generated::find(site, files, &place) {
                (made, PathStatus::File) => Some(made.unwrap_or(place)),
                (_, PathStatus::Directory) => generated::index(site, files, &place),
                _ => match files.page(site, &place)? {
                    SitePage::File(page) => Some(page),
                    _ => None,
                },
            }
        });
        if let Some(found) = found {
            let fragment = reference.fragment().filter(|it| !it.is_empty());
            let Some(fragment) = fragment else { return Destination::Elsewhere };
            let anchors = files.anchors(&found);
            return if anchors.is_some_and(|anchors| anchors.contains(fragment)) {
                let path = Some(Arc::from(found));
                Destination::Target(LinkTarget::new(path, PathStatus::File, Some(fragment)))
            } else {
                Destination::Unchecked(why)
            };
        }
        let Some((_, rest)) = inside.split_once('/') else { break };
        path = rest;
    }
    Destination::Unchecked(why)
}

/// True for `en` and `pt-br`. Three letters may be a language in the name of a directory, but `api`
/// and `doc` are not.
fn is_language(name: &str) -> bool {
    let (first, rest) = name.split_once('-').unwrap_or((name, ""));
    first.len() == 2 && first.bytes().all(|byte| byte.is_ascii_lowercase()) && rest.len() <= 4
}

/// Hosts on which anyone can publish a site under a name.
const SHARED_HOSTS: [&str; 9] = [
    "codeberg.page",
    "github.io",
    "gitlab.io",
    "netlify.app",
    "pages.dev",
    "readthedocs.io",
    "rtfd.io",
    "vercel.app",
    "web.app",
];

/// Words that follow the name of the project in names of repositories.
const BESIDE: [&str; 10] = [
    ".github.io",
    "-book",
    "-docs",
    "-documentation",
    "-org",
    "-site",
    "-web",
    "-website",
    ".org",
    "hq",
];

/// True for `a.dev`, `docs.a.dev`, or `a.github.io` if the repository or its owner is called `a`.
fn is_of_repository(repository: &Repository, host: &str, path: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    // A forge's pages are not a site, even if a user has the site's name.
    if repository.remotes.iter().any(|remote| remote.split('/').next() == Some(&host)) {
        return false;
    }
    let shared = shared(&host);
    repository.remotes.iter().any(|remote| {
        let mut names = remote.rsplit('/');
        let (Some(name), Some(owner)) = (names.next(), names.next()) else { return false };
        match shared {
            // Forges publish below the name of the owner.
            Some(of) if of == owner => first.eq_ignore_ascii_case(name) || name.starts_with(of),
            // If the name is taken there, the name of the owner precedes it.
            Some(of) => is_called(name, of) || of.strip_prefix(owner) == Some(&format!("-{name}")),
            None => {
                let bare = ["www.", "docs."].iter().find_map(|it| host.strip_prefix(it));
                let bare = bare.unwrap_or(&host);
                // `vercel.com` is not the site of `vercel/next.js`.
                let is_owners =
                    COMMON.contains(&name) || name.starts_with(owner) || owner.starts_with(name);
                is_owners && is_host_of(owner, bare)
                    || !COMMON.contains(&name) && is_host_of(name, bare)
            }
        }
    })
}

/// Names of repositories that say nothing about their project.
const COMMON: [&str; 6] = ["blog", "book", "docs", "documentation", "site", "website"];

/// Returns the name below a shared host.
fn shared(host: &str) -> Option<&str> {
    SHARED_HOSTS.iter().find_map(|it| host.strip_suffix(it)?.strip_suffix('.'))
}

/// True for `a.dev` and `a.b.dev`, and for `a-rs` at `a.rs`.
fn is_host_of(name: &str, host: &str) -> bool {
    let joined = |text: &str| text.replace(['.', '-'], "");
    let own = host.split('.').next().unwrap_or_default();
    joined(name) == joined(host) || is_called(name, own) || is_called(own, name)
}

/// True for a repository with this name, or for the repository of its site.
fn is_called(repository: &str, name: &str) -> bool {
    let rest = repository.strip_prefix(name).filter(|_| !name.is_empty());
    rest.is_some_and(|rest| rest.is_empty() || BESIDE.contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_repositories() {
        let is = |remote: &str, host: &str, path: &str| {
            let repository = Repository::new("", [remote], ["main"]);
            is_of_repository(&repository, host, path)
        };
        for (remote, host, path) in [
            ("https://github.com/kestrel/kestrel", "Kestrel.org", "/a"),
            ("https://github.com/kestrel-rs/website", "kestrel.rs", "/a"),
            ("https://github.com/kestrelhq/docs", "docs.kestrel.dev", "/a"),
            ("https://github.com/birds/kestrel-website", "www.kestrel.dev", "/a"),
            ("https://github.com/birds/kestrel", "kestrel.readthedocs.io", "/en/latest/a"),
            ("https://github.com/birds/kestrel", "birds-kestrel.readthedocs.io", "/en/latest/a"),
            ("https://github.com/birds/kestrel-docs", "kestrel.birds.org", "/a"),
            ("https://github.com/birds/kestrel", "kestrel-book.birds.org", "/a"),
            ("https://github.com/birds/kestrel", "birds.github.io", "/kestrel/a"),
            ("https://github.com/birds/birds.github.io", "birds.github.io", "/a"),
        ] {
            assert!(is(remote, host, path), "{remote} {host}");
        }
        for (remote, host, path) in [
            ("https://github.com/birds/kestrel", "forum.kestrel.org", "/a"),
            ("https://github.com/birds/kestrel", "kestrels.org", "/a"),
            ("https://github.com/birds/kestrel", "other-kestrel.readthedocs.io", "/a"),
            ("https://github.com/birds/kestrel", "birds.github.io", "/other/a"),
            ("https://github.com/birds/kestrel", "github.com", "/birds/kestrel"),
            ("https://github.com/github/docs", "github.com", "/birds/kestrel"),
            ("https://github.com/birds/kestrel", "birds.com", "/kestrel"),
            ("https://github.com/birds/docs", "docs.python.org", "/3/"),
        ] {
            assert!(!is(remote, host, path), "{remote} {host}");
        }
    }
}
