//! The mounts of a site, by the paths that they show: [`MountTable`].
//!
//! Settings of a megabyte contain thousands of mounts, and each link looks up those that may show
//! it. So a lookup iterates over the names of the path, not over the mounts.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::mounts::{MAX_NAMES, Mount};
use crate::audit::paths;
use crate::hash::{HashMap, HashSet};

/// Maximum number of mounts looked up at one path. A link below it is probed in each of their
/// sources.
const MAX_SOURCES: usize = 64;

/// The mounts of a site.
#[derive(Clone, Debug, Default)]
pub(super) struct MountTable {
    all: Vec<Mount>,
    /// The mounts at a path, in order.
    by_target: HashMap<PathBuf, MountsAt>,
    /// The same, by the target in lower case, as Hugo lowers all paths.
    by_lower: HashMap<PathBuf, MountsAt>,
    /// The mounts of a file, by the address of its page.
    by_address: HashMap<PathBuf, MountsAt>,
    /// Sources shown below a path other than `/`.
    sources: HashSet<PathBuf>,
    /// First names of the targets.
    first_names: HashSet<OsString>,
    /// Number of names in the deepest target.
    depth: usize,
}

/// Indices of the mounts at one path.
#[derive(Clone, Debug, Default)]
struct MountsAt {
    mounts: Vec<usize>,
    /// True if there are more.
    has_more: bool,
}

impl MountsAt {
    fn add(&mut self, mount: usize) {
        if self.mounts.len() < MAX_SOURCES { self.mounts.push(mount) } else { self.has_more = true }
    }
}

/// The other fields follow from the mounts.
impl PartialEq for MountTable {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

/// Sites are compared for each directory, and an `Arc` of this compares its pointer first.
impl Eq for MountTable {}

impl MountTable {
    pub fn new(all: Vec<Mount>) -> Self {
        let mut table = Self::default();
        for (index, mount) in all.iter().enumerate() {
            table.by_target.entry(mount.target.clone()).or_default().add(index);
            table.by_lower.entry(lower(&mount.target)).or_default().add(index);
            table.depth = table.depth.max(mount.target.components().count());
            let Some(first) = mount.target.iter().next() else { continue };
            table.first_names.insert(first.to_owned());
            table.sources.insert(mount.source.clone());
            if let Some(address) = mount.address() {
                table.by_address.entry(address).or_default().add(index);
            }
        }
        Self { all, ..table }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Mount> {
        self.all.iter()
    }

    /// Returns the mounts that show a path below `/`, in order.
    fn around(&self, path: &Path) -> impl Iterator<Item = &MountsAt> {
        self.ancestors(path).filter_map(|path| self.by_target.get(path))
    }

    /// Returns the directories of a path that a target may be.
    fn ancestors<'p>(&self, path: &'p Path) -> impl Iterator<Item = &'p Path> {
        // No target is deeper, and a link may consist of thousands of names.
        let deeper = path.components().count().saturating_sub(self.depth.min(MAX_NAMES));
        path.ancestors().skip(deeper)
    }

    /// Returns the source files of a path below `/`, in the order of the mounts.
    pub fn shown(&self, path: &Path) -> Vec<PathBuf> {
        let mut mounts: Vec<usize> =
            self.around(path).flat_map(|it| it.mounts.iter().copied()).collect();
        mounts.sort_unstable();
        let mounts = mounts.into_iter().filter_map(|index| self.all.get(index));
        mounts.filter_map(|mount| mount.shown(path)).collect()
    }

    /// Returns the paths of a file below the directories that are mounted at `/`.
    pub fn at_root(&self, file: &Path) -> impl Iterator<Item = PathBuf> {
        let mounts = self.by_target.get(Path::new("")).into_iter().flat_map(|it| &it.mounts);
        let mounts = mounts.filter_map(|index| self.all.get(*index));
        mounts.filter_map(move |mount| paths::below(&mount.source, file))
    }

    /// True for a path in a mount whose source is absent, and for the address of its page.
    pub fn is_absent(&self, path: &Path, is_absent: &dyn Fn(&Path) -> bool) -> bool {
        let at_address = self.by_address.get(path);
        let lower = lower(path);
        let at = self.ancestors(&lower).filter_map(|path| self.by_lower.get(path));
        at.chain(at_address).any(|at| {
            let mounts = at.mounts.iter().filter_map(|index| self.all.get(*index));
            let mut mounts = mounts.filter(|mount| !mount.target.as_os_str().is_empty());
            // The sources that are not looked up may be absent.
            mounts.any(|mount| at.has_more || is_absent(&mount.source))
        })
    }

    /// True for the first name of an address below which another directory is shown.
    pub fn has_first_name(&self, name: &OsStr) -> bool {
        self.first_names.contains(name)
    }

    /// True for a directory shown below another address than `/`.
    pub fn has_source(&self, path: &Path) -> bool {
        self.sources.contains(path)
    }
}

fn lower(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mount(source: &str, target: &str) -> Mount {
        Mount { source: source.into(), target: target.into(), is_of_content: true }
    }

    /// The naive twin compares a path with every mount.
    #[test]
    fn mounts_are_found_by_the_names_of_a_path() {
        let all = ["", "a", "a/b", "a/b/c.md", "a/_index.md", "d/e", "a", "d/index.html", "f.x/g"];
        let all: Vec<Mount> =
            all.iter().enumerate().map(|(at, target)| mount(&format!("s{at}"), target)).collect();
        let table = MountTable::new(all.clone());
        for path in ["", "a", "a/b", "a/b/c", "a/b/c.md", "a/bc", "d", "d/e/f/g", "f.x", "h/i"] {
            let path = Path::new(path);
            let shown: Vec<PathBuf> = all.iter().filter_map(|mount| mount.shown(path)).collect();
            assert_eq!(table.shown(path), shown, "{path:?}");
            for absent in ["s1", "s2", "s3", "s4", "s5", "s7", "s8"] {
                let is = |source: &Path| source == Path::new(absent);
                let is_held = |mount: &Mount| {
                    !mount.target.as_os_str().is_empty()
                        && mount.may_hold(path)
                        && is(&mount.source)
                };
                assert_eq!(table.is_absent(path, &is), all.iter().any(is_held), "{path:?}");
            }
        }
        assert!(table.has_first_name(OsStr::new("d")) && !table.has_first_name(OsStr::new("e")));
        assert!(table.has_source(Path::new("s1")) && !table.has_source(Path::new("s0")));
    }

    #[test]
    fn sources_beyond_the_bound_may_be_absent() {
        let all: Vec<Mount> = (0..=MAX_SOURCES).map(|at| mount(&at.to_string(), "a")).collect();
        let table = MountTable::new(all);
        assert_eq!(table.shown(Path::new("a/b")).len(), MAX_SOURCES);
        assert!(table.is_absent(Path::new("a/b"), &|_| false));
        assert!(!table.is_absent(Path::new("b"), &|_| true));
    }
}
