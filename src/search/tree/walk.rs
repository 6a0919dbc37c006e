//! Walks from paths to the files to search, with the `ignore` crate.

use std::collections::HashSet;
use std::fmt;
#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, Error, WalkBuilder};

use crate::search::tree::dot_ignore::DotIgnore;
use crate::search::tree::global_excludes::may_have_global_excludes;
use crate::search::tree::ignore_guard::{Admission, IgnoreGuard, Refused, WhyRefused};
use crate::search::tree::plain_rules::PlainRules;
use crate::search::{Input, Origin, Problem, ProblemKind, describe};

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

/// The files of directories to search, by the rules of ripgrep.
///
/// ```
/// use urigrep::search::WalkOptions;
/// let mut options = WalkOptions::default();
/// options.hidden = true;
/// options.globs = vec!["*.md".into()];
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkOptions {
    /// Only files of one of these types, such as `markdown`.
    pub types: Vec<String>,
    /// No files of these types.
    pub types_not: Vec<String>,
    /// Additional globs of types, such as `notes:*.note`.
    pub types_added: Vec<String>,
    /// Only paths that match, or with `!` before the glob do not; the last glob that matches decides.
    pub globs: Vec<String>,
    /// The same with letters of either case.
    pub iglobs: Vec<String>,
    /// Hidden files too.
    pub hidden: bool,
    /// Also files that `.gitignore`, `.ignore` and git's exclude files name.
    pub no_ignore: bool,
    /// Follows symbolic links. Each directory is entered once, and the order is [`Order::Path`].
    pub follow: bool,
    /// Maximum depth of directories; 1 means the files of a directory itself.
    pub max_depth: Option<usize>,
    /// Skips larger files (in bytes).
    pub max_filesize: Option<u64>,
    /// Does not enter directories of another file system.
    pub one_file_system: bool,
}

/// The reason why a walk can't start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalkError {
    /// No file type has this name.
    UnknownType(String),
    /// The file types conflict.
    Types(String),
    /// A glob is invalid.
    Glob(String),
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType(name) => write!(f, "unknown file type `{name}`"),
            Self::Types(message) | Self::Glob(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for WalkError {}

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
    /// True if a walk would find a file of this path, by its options and by rules that keep what is hidden.
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
        let rules = match options.no_ignore {
            true => RulesApplied::None,
            false => paths.iter().map(|root| filter.admits_root(root)).max().unwrap_or_default(),
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
    ) -> impl Iterator<Item = Found> + use<> {
        let Refused { directory, why } = refused;
        let (rules, reported) = match why {
            WhyRefused::Costly => (RulesApplied::Plain, None),
            WhyRefused::Unreadable(file, reason) => {
                let file = displayed(&file, hides_dot).as_os_str().as_encoded_bytes().to_vec();
                let message = format!("{reason}: no ignore rules are applied in this directory");
                let problem = Box::new(Problem::new(ProblemKind::Read, file, message));
                let kind = FoundKind::Problem(problem);
                (RulesApplied::None, Some(Found { path: directory.clone(), kind }))
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
            builder.build().flat_map(move |entry| found(entry, hides_dot))
        });
        reported.into_iter().chain(entries.into_iter().flatten())
    }
}

impl WalkOptions {
    /// Checks the options, and builds the shared parts of every walk.
    pub(crate) fn compile(self) -> Result<CompiledWalk, WalkError> {
        Ok(CompiledWalk { types: self.file_types()?, overrides: self.overrides()?, options: self })
    }

    /// Returns the selected file types, or `None` if none are named.
    fn file_types(&self) -> Result<Option<Types>, WalkError> {
        // Building the table of all types takes a millisecond, so it is skipped if possible.
        if self.types.is_empty() && self.types_not.is_empty() && self.types_added.is_empty() {
            return Ok(None);
        }
        let mut builder = types(&self.types_added)?;
        for name in &self.types {
            builder.select(name);
        }
        for name in &self.types_not {
            builder.negate(name);
        }
        builder.build().map(Some).map_err(|error| match error {
            Error::UnrecognizedFileType(name) => WalkError::UnknownType(name),
            other => WalkError::Types(other.to_string()),
        })
    }

    fn overrides(&self) -> Result<Option<Override>, WalkError> {
        if self.globs.is_empty() && self.iglobs.is_empty() {
            return Ok(None);
        }
        let error = |error: Error| WalkError::Glob(error.to_string());
        // `-g` globs are relative to the current directory, as in ripgrep, not to each root.
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let mut builder = OverrideBuilder::new(here);
        for glob in &self.globs {
            builder.add(glob).map_err(error)?;
        }
        // The builder applies its setting to the globs that are added afterwards, so `--iglob`
        // comes last.
        builder.case_insensitive(true).map_err(error)?;
        for glob in &self.iglobs {
            builder.add(glob).map_err(error)?;
        }
        builder.build().map(Some).map_err(error)
    }
}

/// Returns the default types and the added ones.
fn types(added: &[String]) -> Result<TypesBuilder, WalkError> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for definition in added {
        let added = builder.add_def(definition);
        added.map_err(|error| WalkError::Types(format!("{definition}: {error}")))?;
    }
    Ok(builder)
}

/// Returns the names of all file types with their globs, including the `added` ones, such as
/// `notes:*.note`.
///
/// # Errors
/// If an added type is invalid.
pub fn file_types(added: &[String]) -> Result<Vec<(String, Vec<String>)>, WalkError> {
    let definitions = types(added)?.definitions().into_iter();
    Ok(definitions
        .map(|definition| (definition.name().to_owned(), definition.globs().to_vec()))
        .collect())
}

impl TreeWalk {
    pub fn visits(self) -> impl Iterator<Item = Visit> {
        let hides_dot = self.hides_dot;
        self.found().map(move |found| found.visit(hides_dot))
    }

    /// Returns all entries of a walk in one thread. The contents of directories with refused rules
    /// are in their places.
    pub fn found(self) -> impl Iterator<Item = Found> {
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
            let entry = entry.into_iter().flat_map(move |entry| found(entry, hides_dot));
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
    ) -> Vec<Found> {
        let refused = filter.take_refused().into_iter();
        refused.flat_map(|refused| compiled.unruled(refused, filter, hides_dot)).collect()
    }
}

/// The way in which a walk applies the rules of ignore files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum RulesApplied {
    /// By `ignore`.
    #[default]
    Compiled,
    /// One by one.
    Plain,
    None,
}

/// Decides which directories the walk enters.
#[derive(Debug)]
pub(crate) struct EntryFilter {
    guard: IgnoreGuard,
    plain: PlainRules,
    roots: Vec<PathBuf>,
    /// The directories entered so far, by device and inode, if links are followed.
    entered: Option<Mutex<HashSet<(u64, u64)>>>,
}

impl EntryFilter {
    fn new(options: &WalkOptions, roots: &[&Path]) -> Self {
        let entered = options
            .follow
            .then(|| Mutex::new(roots.iter().filter_map(|root| identity(root)).collect()));
        Self {
            guard: IgnoreGuard::new(roots.iter().copied()),
            plain: PlainRules::default(),
            roots: roots.iter().map(|root| root.to_path_buf()).collect(),
            entered,
        }
    }

    /// Returns how the rules of a root can be applied.
    fn admits_root(&self, root: &Path) -> RulesApplied {
        match root.is_dir().then(|| self.guard.admits_root(root)) {
            None | Some(Admission::Admitted) => RulesApplied::Compiled,
            Some(Admission::Costly) => RulesApplied::Plain,
            Some(Admission::Unreadable) => RulesApplied::None,
        }
    }

    fn admits(&self, entry: &DirEntry, rules: RulesApplied) -> bool {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        // What the user named is searched in any case.
        if rules == RulesApplied::Plain
            && entry.depth() > 0
            && self.plain.exclude(&self.guard, entry.path(), is_directory)
        {
            return false;
        }
        if !is_directory {
            return true;
        }
        // `ignore` would read the rules of this directory on entering it. A refused one is left out
        // here, and walked afterwards.
        if rules == RulesApplied::Compiled && self.guard.admits(entry.path()) != Admission::Admitted
        {
            return false;
        }
        let Some(entered) = &self.entered else { return true };
        // The walk itself reports unreadable paths.
        identity(entry.path()).is_none_or(|identity| {
            entered.lock().unwrap_or_else(PoisonError::into_inner).insert(identity)
        })
    }

    fn take_refused(&self) -> Vec<Refused> {
        self.guard.take_refused()
    }

    fn is_root(&self, directory: &Path) -> bool {
        self.roots.iter().any(|root| root == directory)
    }

    /// Returns the maximum depth for a walk from this directory, if a walk from its root has the
    /// maximum `most`.
    fn depth_below(&self, directory: &Path, most: Option<usize>) -> Option<usize> {
        let below = |root: &PathBuf| Some(directory.strip_prefix(root).ok()?.components().count());
        // A directory may be below several roots. The nearest one allows the deepest walk.
        let depth = self.roots.iter().filter_map(below).min().unwrap_or(0);
        most.map(|most| most.saturating_sub(depth))
    }
}

/// Returns the device and the inode of a path, which identify a directory.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

/// A path that a walk found, before it becomes an input. There may be millions of them.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub path: PathBuf,
    kind: FoundKind,
}

#[derive(Clone, Debug)]
enum FoundKind {
    /// It was named by the user.
    Root,
    /// It is in a directory.
    InTree,
    /// It is not a regular file.
    Special,
    Problem(Box<Problem>),
}

impl Found {
    pub fn visit(self, hides_dot: bool) -> Visit {
        match self.kind {
            FoundKind::Root => Visit::Search(Input::file(self.path)),
            FoundKind::InTree => Visit::Search(self.in_tree(hides_dot)),
            FoundKind::Special => Visit::Skip(self.in_tree(hides_dot)),
            FoundKind::Problem(problem) => Visit::Problem(*problem),
        }
    }

    fn in_tree(self, hides_dot: bool) -> Input {
        let displayed = displayed(&self.path, hides_dot).to_owned();
        Input::found(self.path, displayed, Origin::Tree)
    }

    /// Returns the visit in memory of the calling thread. Memory that one thread allocates and
    /// another frees slows both down.
    pub fn visit_by_copy(&self, hides_dot: bool) -> Visit {
        self.clone().visit(hides_dot)
    }
}

/// Returns the visit for an entry of the walk; `None` for directories and for links that are not
/// followed.
pub(crate) fn visits(
    entry: Result<DirEntry, Error>,
    hides_dot: bool,
) -> impl Iterator<Item = Visit> {
    found(entry, hides_dot).map(move |found| found.visit(hides_dot))
}

pub(crate) fn found(
    entry: Result<DirEntry, Error>,
    hides_dot: bool,
) -> impl Iterator<Item = Found> {
    let (path, kind, problem) = match entry {
        Ok(entry) => {
            let problem = entry.error().and_then(|error| soft_problem(error, hides_dot));
            let kind = kind(&entry);
            (entry.into_path(), kind, problem)
        }
        Err(error) => {
            let path = error_path(&error).unwrap_or(Path::new("")).to_owned();
            (path, None, problem(&error, hides_dot))
        }
    };
    let problem = problem
        .map(|problem| Found { path: path.clone(), kind: FoundKind::Problem(Box::new(problem)) });
    problem.into_iter().chain(kind.map(|kind| Found { path, kind }))
}

fn kind(entry: &DirEntry) -> Option<FoundKind> {
    let kind = entry.file_type()?;
    // A single-threaded walk enters a named link to a directory, but still reports it as a link.
    if kind.is_dir() || kind.is_symlink() && entry.depth() == 0 && entry.path().is_dir() {
        return None;
    }
    if entry.depth() == 0 {
        return Some(FoundKind::Root);
    }
    // A link that is not followed leads to something that is walked anyway, or is outside of the
    // tree.
    if kind.is_symlink() {
        return None;
    }
    Some(if kind.is_file() { FoundKind::InTree } else { FoundKind::Special })
}

fn displayed(path: &Path, hides_dot: bool) -> &Path {
    match hides_dot {
        true => path.strip_prefix("./").unwrap_or(path),
        false => path,
    }
}

/// Returns the problem for an error of the walk; `None` for a link back to a directory that
/// contains it.
fn problem(error: &Error, hides_dot: bool) -> Option<Problem> {
    let message = match innermost(error) {
        // With links that are followed, a loop is harmless: its directory was entered before.
        Error::Loop { .. } => return None,
        Error::Io(error) => describe_inner(error),
        other => other.to_string(),
    };
    let path = error_path(error)
        .map_or(&b""[..], |path| displayed(path, hides_dot).as_os_str().as_encoded_bytes());
    Some(Problem::new(ProblemKind::Read, path, message))
}

/// Returns the first path in an error.
fn error_path(error: &Error) -> Option<&Path> {
    match error {
        Error::WithPath { path, .. } => Some(path),
        Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => error_path(err),
        _ => None,
    }
}

/// Returns the innermost error, without its path.
fn innermost(error: &Error) -> &Error {
    match error {
        Error::WithPath { err, .. }
        | Error::WithDepth { err, .. }
        | Error::WithLineNumber { err, .. } => innermost(err),
        error => error,
    }
}

/// Returns the message of the system's error. The walk wraps it in one that repeats the path.
fn describe_inner(error: &std::io::Error) -> String {
    let inner =
        error.get_ref().and_then(|inner| inner.source()).and_then(|inner| inner.downcast_ref());
    describe(inner.unwrap_or(error))
}

/// Reports an ignore file that can't be read. Invalid lines in it are not our concern.
fn soft_problem(error: &Error, hides_dot: bool) -> Option<Problem> {
    match error {
        Error::Partial(errors) => errors.iter().find_map(|error| soft_problem(error, hides_dot)),
        _ if error.io_error().is_some() => problem(error, hides_dot),
        _ => None,
    }
}
