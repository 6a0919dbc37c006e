//! The checkout of documents, and the forge URLs of its files: [`Repository`].

use std::path::{Path, PathBuf};

use crate::audit::paths;

/// A Git checkout with its place on a forge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repository {
    /// Root directory of the checkout.
    pub directory: PathBuf,
    /// Remotes as `github.com/owner/name`, in lower case.
    pub remotes: Vec<String>,
    /// Names of branches that mean the checked-out files.
    pub branches: Vec<String>,
    /// The directories of the submodules that are not checked out, relative to its own
    /// (gitmodules(5)).
    pub(in crate::audit) submodules: Vec<PathBuf>,
}

/// Result of resolving a forge URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ForgePlace {
    /// A path in the checkout, still percent-encoded.
    Path(String),
    /// A page of the forge, another branch, or another repository.
    Other,
}

/// Path segments of a forge that precede a branch and a file.
const VIEWS: [&str; 8] = ["blob", "tree", "raw", "edit", "blame", "blob_plain", "src", "rendered"];

impl Repository {
    /// Returns a repository in `directory` with remotes such as `git@github.com:a/b.git`.
    ///
    /// ```
    /// use urigrep::audit::Repository;
    /// let repository = Repository::new("", ["git@github.com:a/b.git"], ["main"]);
    /// assert_eq!(repository.remotes, ["github.com/a/b"]);
    /// ```
    pub fn new<'a>(
        directory: impl Into<PathBuf>,
        remotes: impl IntoIterator<Item = &'a str>,
        branches: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self {
            directory: directory.into(),
            remotes: remotes.into_iter().filter_map(remote).collect(),
            branches: branches.into_iter().map(str::to_owned).collect(),
            submodules: Vec::new(),
        }
    }

    /// Sets the directories of the submodules that are not checked out.
    pub(super) fn with_submodules(self, submodules: Vec<PathBuf>) -> Self {
        Self { submodules, ..self }
    }

    /// True for a path in a submodule that is not checked out: its files are those of another
    /// repository.
    pub(in crate::audit) fn is_in_submodule(&self, path: &Path) -> bool {
        !self.submodules.is_empty()
            && paths::below(&self.directory, path)
                .is_some_and(|below| self.submodules.iter().any(|it| below.starts_with(it)))
    }

    /// Resolves the URL `host` + `path`, if it belongs to this repository.
    pub(crate) fn place(&self, host: &str, path: &str) -> Option<ForgePlace> {
        let (rest, is_raw) = self.after_name(host, path)?;
        Some(if is_raw { self.at_branch(rest) } else { self.view(rest) })
    }

    /// True for the URL of the front page, on which the forge shows the README.
    pub(crate) fn is_front_page(&self, host: &str, path: &str) -> bool {
        self.after_name(host, path) == Some(("", false))
    }

    /// Returns what follows the owner and the name in a URL of this repository, and true if its
    /// host serves files as they are.
    fn after_name<'p>(&self, host: &str, path: &'p str) -> Option<(&'p str, bool)> {
        let host = host.to_ascii_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host);
        let (host, is_raw) = match host {
            "raw.githubusercontent.com" => ("github.com", true),
            host => (host, false),
        };
        // Forges ignore the case of owner and name.
        let rest = self.remotes.iter().find_map(|remote| {
            let name = remote.strip_prefix(host)?.strip_prefix('/')?;
            let path = path.strip_prefix('/')?;
            let start = path.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name))?;
            let rest = path.get(start.len()..)?;
            rest.strip_prefix('/').or_else(|| rest.is_empty().then_some(""))
        })?;
        Some((rest, is_raw))
    }

    /// Returns the name in the URL of a page of the wiki that this repository is:
    /// `/owner/name/wiki/Page`, and `/owner/name/-/wikis/page` on GitLab.
    pub(crate) fn wiki_page<'p>(&self, host: &str, path: &'p str) -> Option<&'p str> {
        self.remotes.iter().find_map(|remote| {
            let name = remote.strip_suffix(".wiki")?;
            let start = name.strip_prefix(host.to_ascii_lowercase().as_str())?;
            let of_path = path.get(..start.len())?;
            let rest = path.get(start.len()..).filter(|_| of_path.eq_ignore_ascii_case(start))?;
            rest.strip_prefix("/wiki/").or_else(|| rest.strip_prefix("/-/wikis/"))
        })
    }

    /// Resolves the path after the repository's name, such as `blob/main/docs/a.md`.
    pub(crate) fn view(&self, rest: &str) -> ForgePlace {
        let rest = rest.strip_prefix("-/").unwrap_or(rest);
        let Some((view, rest)) = rest.split_once('/') else {
            return ForgePlace::Other;
        };
        match view {
            // Codeberg writes `src/branch/main/docs/a.md`.
            "src" | "raw" if rest.starts_with("branch/") => {
                self.at_branch(rest.strip_prefix("branch/").unwrap_or(rest))
            }
            "src" | "raw" if rest.starts_with("tag/") || rest.starts_with("commit/") => {
                ForgePlace::Other
            }
            view if VIEWS.contains(&view) => self.at_branch(rest),
            _ => ForgePlace::Other,
        }
    }

    fn at_branch(&self, rest: &str) -> ForgePlace {
        let rest = rest.strip_prefix("refs/heads/").unwrap_or(rest);
        let inside = self.branches.iter().find_map(|branch| {
            let after = rest.strip_prefix(branch.as_str())?;
            after.strip_prefix('/').or_else(|| after.is_empty().then_some(""))
        });
        inside.map_or(ForgePlace::Other, |path| ForgePlace::Path(path.to_owned()))
    }
}

/// Returns `github.com/owner/name` for `https://github.com/Owner/name.git` and
/// `git@github.com:Owner/name`.
pub(super) fn remote(address: &str) -> Option<String> {
    let address = address.trim().trim_end_matches('/');
    let place = match address.split_once("://") {
        Some((_, rest)) => rest.to_owned(),
        None => address.replacen(':', "/", 1),
    };
    let place = place.rsplit_once('@').map_or(place.as_str(), |(_, place)| place);
    let place = place.strip_suffix(".git").unwrap_or(place);
    let (host, path) = place.split_once('/')?;
    let host = host.split(':').next()?;
    (host.contains('.') && path.contains('/'))
        .then(|| format!("{host}/{path}").to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let this = Repository::new("", ["https://github.com/O/r.git"], ["main", "HEAD"]);
        let path = |text: &str| Some(ForgePlace::Path(text.to_owned()));
        assert_eq!(this.place("github.com", "/o/R/blob/main/a/b.md"), path("a/b.md"));
        assert_eq!(this.place("github.com", "/O/r/tree/HEAD"), path(""));
        assert_eq!(this.place("raw.githubusercontent.com", "/O/r/main/x"), path("x"));
        assert_eq!(this.place("raw.githubusercontent.com", "/O/r/refs/heads/main/x"), path("x"));
        assert_eq!(this.place("github.com", "/O/r/blob/v1/x"), Some(ForgePlace::Other));
        assert_eq!(this.place("github.com", "/O/r/issues"), Some(ForgePlace::Other));
        assert_eq!(this.place("github.com", "/O/r"), Some(ForgePlace::Other));
        assert_eq!(this.place("github.com", "/O/rest/blob/main/a"), None);
        assert_eq!(this.place("gitlab.com", "/O/r/blob/main/a"), None);
        let that = Repository::new(
            "",
            ["git@gitlab.com:g/s/p.git", "ssh://git@codeberg.org/o/r"],
            ["main"],
        );
        assert_eq!(that.place("gitlab.com", "/g/s/p/-/blob/main/x"), path("x"));
        assert_eq!(that.place("codeberg.org", "/o/r/src/branch/main/x"), path("x"));
        assert_eq!(that.place("codeberg.org", "/o/r/raw/branch/main/x"), path("x"));
        assert_eq!(that.place("codeberg.org", "/o/r/src/tag/main/x"), Some(ForgePlace::Other));
    }
}
