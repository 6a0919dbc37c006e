//! Walks from paths to the files to search, with the `ignore` crate.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::WalkBuilder;
use ignore::overrides::Override;
use ignore::types::Types;

use crate::named::named_enum;
use crate::search::tree::dot_ignore::DotIgnore;
use crate::search::tree::entry_filter::{EntryFilter, RulesApplied};
use crate::search::tree::global_excludes::may_have_global_excludes;
use crate::search::tree::ignore_guard::{Refused, WhyRefused};
use crate::search::tree::walk_entry::{EntryKind, WalkEntry, displayed, walk_entries};
use crate::search::tree::walk_options::{WalkError, WalkOptions};
use crate::search::{Input, Problem, ProblemKind};

/// The start of a walk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// Standard input.
    Stdin,
    /// The files of the current directory, whose paths are displayed without `./`.
    CurrentDirectory,
    /// A file or a directory.
    Path(PathBuf),
}

impl<P: Into<PathBuf>> From<P> for Root {
    fn from(path: P) -> Self {
        Self::Path(path.into())
    }
}

impl Root {
    /// The path, unless it is standard input.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::CurrentDirectory => Some(Path::new("./")),
            Self::Path(path) => Some(path),
        }
    }
}

/// The order of the inputs of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Any order; this is the fastest.
    #[default]
    Any,
    /// By path; standard input first.
    Path,
}

named_enum! {
    @names "urigrep::search::Order", "orders";
    Order { Any = "any", Path = "path", }
}

/// A result of a walk.
#[derive(Debug)]
pub enum Visit {
    /// An input.
    Search(Input),
    /// A special file, such as a socket, which is counted but not searched.
    Skip(Input),
    /// A path that can't be read.
    Problem(Problem),
}

/// Checked options: the table of types and the globs are built once.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledWalk {
    options: WalkOptions,
    types: Option<Types>,
    overrides: Option<Override>,
}

pub(crate) struct TreeWalk {
    pub builder: WalkBuilder,
    pub filter: Arc<EntryFilter>,
    /// The options for walking the directories whose rules were refused.
    pub compiled: CompiledWalk,
    /// True if the result of the walk depends on the order.
    pub is_ordered: bool,
    /// True if paths are displayed without a leading `./`, because the user did not type one.
    pub hides_dot: bool,
}

impl CompiledWalk {
    /// True if a walk would find a file with this path, by its options and by rules that keep
    /// hidden files.
    pub fn takes_path(&self, path: &Path, mut rules: Option<&mut DotIgnore>) -> bool {
        let components = path.components().count();
        if self.options.max_depth.is_some_and(|most| components > most) {
            return false;
        }
        // The walk judges each directory before it enters it.
        let mut is_chosen = false;
        for ancestor in path.ancestors().filter(|it| !it.as_os_str().is_empty()) {
            let is_directory = ancestor != path;
            let ruled = self.overrides.as_ref().map(|rules| rules.matched(ancestor, is_directory));
            if ruled.as_ref().is_some_and(|ruled| ruled.is_ignore()) {
                return false;
            }
            let is_listed = ruled.is_some_and(|ruled| ruled.is_whitelist());
            is_chosen |= is_listed && !is_directory;
            let name = ancestor.file_name().unwrap_or_default().as_encoded_bytes();
            let mut is_kept =
                || rules.as_mut().is_some_and(|rules| rules.keeps(ancestor, is_directory));
            if name.starts_with(b".") && !self.options.hidden && !is_listed && !is_kept() {
                return false;
            }
        }
        let types = self.types.as_ref().map(|types| types.matched(path, false));
        is_chosen || !types.is_some_and(|matched| matched.is_ignore())
    }

    pub fn reads_ignored_files(&self) -> bool {
        self.options.no_ignore
    }

    /// Returns the order that the options require.
    pub fn order(&self, order: Order) -> Order {
        // With links, a directory may be reached by several paths, but it is entered once. Which
        // path wins must not depend on threads.
        if self.options.follow { Order::Path } else { order }
    }

    pub fn walk(&self, roots: &[Root], order: Order, threads: usize) -> TreeWalk {
        let options = &self.options;
        let mut paths: Vec<_> = roots.iter().filter_map(Root::path).collect();
        if self.order(order) == Order::Path {
            paths.sort_unstable();
        }
        let filter = EntryFilter::new(options, &paths);
        // The refused rules of one root turn off rules for all roots, because that root may contain
        // the others.
        let rules = if options.no_ignore {
            RulesApplied::None
        } else {
            paths.iter().map(|root| filter.rules_for_root(root)).max().unwrap_or_default()
        };
        let mut builder = self.builder(rules == RulesApplied::Compiled, threads);
        if self.order(order) == Order::Path {
            // The paths of two entries of a directory differ only in their names. Comparing whole
            // paths saves finding the name in each.
            builder.sort_by_file_path(|a, b| a.as_os_str().cmp(b.as_os_str()));
        }
        for path in &paths {
            builder.add(path);
        }
        let filter = Arc::new(filter);
        let shared = Arc::clone(&filter);
        builder.filter_entry(move |entry| shared.admits(entry, rules));
        TreeWalk {
            builder,
            filter,
            compiled: self.clone(),
            is_ordered: options.follow,
            hides_dot: roots.contains(&Root::CurrentDirectory),
        }
    }

    /// Returns a walk with the options, with or without the rules of ignore files.
    fn builder(&self, is_ruled: bool, threads: usize) -> WalkBuilder {
        let options = &self.options;
        let mut builder = WalkBuilder::empty();
        builder
            .hidden(!options.hidden)
            .parents(is_ruled)
            .ignore(is_ruled)
            .git_ignore(is_ruled)
            // `ignore` compiles a regex to read git's configuration: 0.35 ms, an eighth of an empty
            // search. So it does that only if the configuration may name a file.
            .git_global(is_ruled && may_have_global_excludes())
            .git_exclude(is_ruled)
            .follow_links(options.follow)
            .max_depth(options.max_depth)
            .max_filesize(options.max_filesize)
            .same_file_system(options.one_file_system)
            // In `urigrep . > out.txt`, the search would otherwise read its own output.
            .skip_stdout(true)
            .threads(threads);
        if let Some(overrides) = &self.overrides {
            builder.overrides(overrides.clone());
        }
        if let Some(types) = &self.types {
            builder.types(types.clone());
        }
        builder
    }

    /// Walks the contents of a directory whose rules were refused. If no rules are applied there,
    /// that is reported.
    fn unruled(
        &self,
        refused: Refused,
        filter: &Arc<EntryFilter>,
        hides_dot: bool,
    ) -> impl Iterator<Item = WalkEntry> + use<> {
        let Refused { directory, why } = refused;
        let (rules, reported) = match why {
            WhyRefused::Costly => (RulesApplied::Plain, None),
            WhyRefused::Unreadable(file, reason) => {
                let file = displayed(&file, hides_dot).as_os_str().as_encoded_bytes().to_vec();
                let message = format!("{reason}: no ignore rules are applied in this directory");
                let problem = Box::new(Problem::new(ProblemKind::Read, file, message));
                let kind = EntryKind::Problem(problem);
                (RulesApplied::None, Some(WalkEntry { path: directory.clone(), kind }))
            }
        };
        // A root is walked in any case.
        let entries = (!filter.is_root(&directory)).then(|| {
            let mut builder = self.builder(false, 1);
            builder.add(&directory);
            builder.sort_by_file_path(|a, b| a.as_os_str().cmp(b.as_os_str()));
            builder.max_depth(filter.depth_below(&directory, self.options.max_depth));
            let shared = Arc::clone(filter);
            builder.filter_entry(move |entry| shared.admits(entry, rules));
            builder.build().flat_map(move |entry| walk_entries(entry, hides_dot))
        });
        reported.into_iter().chain(entries.into_iter().flatten())
    }
}

impl WalkOptions {
    /// Checks the options, and builds the shared parts of every walk.
    pub(crate) fn compile(self) -> Result<CompiledWalk, WalkError> {
        Ok(CompiledWalk { types: self.file_types()?, overrides: self.overrides()?, options: self })
    }
}

impl TreeWalk {
    pub fn visits(self) -> impl Iterator<Item = Visit> {
        let hides_dot = self.hides_dot;
        self.entries().map(move |entry| entry.visit(hides_dot))
    }

    /// Returns all entries of a walk in one thread. The contents of directories with refused rules
    /// are in their places.
    pub fn entries(self) -> impl Iterator<Item = WalkEntry> {
        let hides_dot = self.hides_dot;
        let Self { builder, filter, compiled, .. } = self;
        let mut walk = builder.build();
        let mut is_over = false;
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let entry = walk.next();
            is_over = entry.is_none();
            // By now the walk has passed the directories that were refused before this entry.
            let refused = filter.take_refused().into_iter();
            let unruled: Vec<_> =
                refused.map(|refused| compiled.unruled(refused, &filter, hides_dot)).collect();
            let entry = entry.into_iter().flat_map(move |entry| walk_entries(entry, hides_dot));
            Some(unruled.into_iter().flatten().chain(entry))
        })
        .flatten()
    }

    /// Returns the contents of the directories whose rules were refused, after a walk in several
    /// threads.
    pub fn refused(
        filter: &Arc<EntryFilter>,
        compiled: &CompiledWalk,
        hides_dot: bool,
    ) -> Vec<WalkEntry> {
        let refused = filter.take_refused().into_iter();
        refused.flat_map(|refused| compiled.unruled(refused, filter, hides_dot)).collect()
    }
}
