//! Searches files, directories, standard input, mailboxes and archives, with all cores and bounded
//! memory.
//!
//! [`Search`] holds the finder and the way inputs are read. Results come as an iterator of
//! [`OwnedHit`]s, or a [`Sink`] receives them as borrowed [`Hit`]s. The search prints nothing and
//! writes no files.
//!
//! ```
//! use urigrep::search::Search;
//!
//! # let directory = std::env::temp_dir().join(format!("urigrep-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&directory).unwrap();
//! # std::fs::write(directory.join("a.md"), "See [the site](http://a.example/).").unwrap();
//! let search = Search::builder().threads(2).build()?;
//! for hit in search.paths([&directory])? {
//!     println!("{}:{}: {}", hit.path_lossy(), hit.line(), hit.uri());
//!     # assert_eq!((hit.line(), hit.uri()), (1, "http://a.example/"));
//! }
//! # std::fs::remove_dir_all(&directory).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
pub(crate) mod auxiliary;
mod builder;
mod cancel;
mod context;
mod defanged;
mod document;
mod fields;
pub(crate) mod git_directory;
mod hit;
mod hits;
pub(crate) mod input;
mod input_shape;
mod input_text;
mod limits;
mod line_filter;
mod link_labels;
mod literals;
mod locked;
mod mail_context;
mod mailbox;
mod mbox_part;
mod memory_admission;
mod memory_budget;
pub(crate) mod opened;
mod owned;
pub(crate) mod panics;
mod parallel;
mod problem;
mod progress;
mod query;
mod recent;
#[cfg(feature = "serde")]
mod record;
mod redacted;
mod result;
mod searcher;
mod selection;
mod sink;
mod sinks;
mod source;
mod state;
mod stats;
mod stream;
mod text_shape;
pub(crate) mod tree;

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use rayon::ThreadPool;

use crate::Finder;

pub use archive::Compressed;
pub(crate) use auxiliary::{MAX_SETTINGS_BYTES, read_regular};
#[cfg(feature = "online")]
pub(crate) use auxiliary::{read_regular_text, regular_metadata};
pub use builder::{SearchBuilder, SearchError};
pub use cancel::CancelToken;
pub use context::{ContextLine, ContextLines};
pub use defanged::DefangedHit;
#[cfg(feature = "reports")]
pub(crate) use fields::field_groups;
pub use fields::{FieldValue, HitField, HitFields, JsonPlace};
pub(crate) use git_directory::GitDirectory;
pub use hit::{Hit, MailHit};
pub use hits::{Hits, NextHit};
#[cfg(feature = "reports")]
pub(crate) use input::percent_encoded;
pub use input::{Input, InputKind, Level, Origin, RedactedNames, encoded_path, stdin_is_readable};
pub use input_text::InputText;
pub use limits::Limits;
pub use mail_context::Envelope;
pub use mbox_part::MboxPart;
pub use memory_budget::MemoryBudget;
pub use owned::{OwnedHit, OwnedMail};
pub(crate) use panics::{catch_panic, panic_for_test};
pub use problem::{Problem, ProblemKind, describe};
pub use progress::Progress;
pub use query::{Dedupe, HitKind, Mail, Markup, References, Rejections, Report, UnknownKind};
#[cfg(feature = "reports")]
pub(crate) use record::FieldJson;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use record::PlaceRecord;
#[cfg(feature = "serde")]
pub use record::{Bytes, FieldObject, HitRecord, IdentifierRecord, UrnRecord};
pub use redacted::RedactedHit;
pub use result::{End, SearchResult};
pub use selection::{
    DateRange, InvalidDateRange, Regexps, Resolvers, Selection, SelectionBuilder, SelectionError,
};
pub use sink::{
    Flow, Labels, Needs, ParallelSink, PartNumbers, Positions, Recorder, Sink, SkippedPart,
};
pub use sinks::{Flush, InputSink, Sinks};
pub use source::charset::{TextEncoding, UnknownEncoding};
pub use source::counted::ByteCounter;
pub(crate) use source::line_counter::LineCounter;
pub use source::line_counter::{Position, count_characters};
pub use source::preprocessed::Preprocessor;
pub use stats::{SkippedParts, Stats};
pub use stream::Binary;
pub use text_shape::TextShape;
use tree::dot_ignore::DotIgnore;
pub(crate) use tree::ignore_rules::{IgnoreDecision, IgnoreRules};
pub use tree::walk::{Order, Root, Visit};
pub use tree::walk_options::{WalkError, WalkOptions, file_types};

pub use crate::threads::shared_pool;

use locked::LockedSinks;
use searcher::{SearchSettings, Searcher, Splitting};
use sink::PlainSink;
use state::MemoryLane;
use tree::schedule::Schedule;
use tree::walk::CompiledWalk;

/// The configuration of a search: the finder, and the way inputs are read. It is immutable, so
/// several threads can share it.
#[derive(Clone, Debug)]
pub struct Search {
    settings: SearchSettings,
    walk: CompiledWalk,
    order: Order,
}

impl Default for Search {
    /// A search for all URIs with the default options, with one thread per core.
    fn default() -> Self {
        SearchBuilder::default().build_with(CompiledWalk::default())
    }
}

impl Search {
    /// Returns a search with the default options, like [`Search::default`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a builder for other options.
    pub fn builder() -> SearchBuilder {
        SearchBuilder::default()
    }

    /// The finder.
    ///
    /// ```
    /// let search = urigrep::search::Search::default();
    /// assert!(search.finder().find(b"see http://a.example/").is_some());
    /// ```
    pub fn finder(&self) -> &Finder {
        &self.settings.query.finder
    }

    /// The pool whose threads help the calling one, if any.
    pub(crate) fn helpers(&self) -> Option<Arc<ThreadPool>> {
        self.settings.threads.helpers()
    }

    /// Returns the hits of these files and directories; without any, there are none. Background
    /// threads find them as the iterator is read. The hits of an input come in order. Those of
    /// several inputs may be mixed, unless the order is [`Order::Path`].
    ///
    /// # Errors
    /// If the walk can't start. [`SearchBuilder::build`] has checked its globs and types. Later
    /// problems are in [`Hits::problems`].
    ///
    /// ```
    /// use urigrep::search::Search;
    /// let mut hits = Search::default().paths(["no/such/file"]).unwrap();
    /// assert!(hits.next().is_none());
    /// assert_eq!(hits.problems().len(), 1);
    /// ```
    pub fn paths<R: Into<Root>>(
        &self,
        roots: impl IntoIterator<Item = R>,
    ) -> Result<Hits, WalkError> {
        let roots = roots.into_iter().map(Into::into).collect();
        Ok(Hits::of_paths(self.clone(), roots))
    }

    /// Returns the hits in the bytes of `reader`, as [`Search::reader`] finds them. A background
    /// thread finds them as the iterator is read.
    ///
    /// ```
    /// use urigrep::search::{Input, Search};
    /// let mut hits = Search::default().hits(b"see urn:example:a".as_slice(), Input::named("a"));
    /// assert_eq!(hits.next().unwrap().uri(), "urn:example:a");
    /// ```
    #[doc(alias = "read")]
    pub fn hits(&self, reader: impl Read + Send + 'static, input: Input) -> Hits {
        Hits::of_reader(self.clone(), reader, input)
    }

    /// Searches these files and directories with all threads, and passes the hits to one sink, one
    /// input at a time.
    ///
    /// An input occupies the sink from its first hit until it is finished. Meanwhile other threads
    /// search inputs without hits, or wait. [`Search::run_parallel`] has a sink for each thread.
    ///
    /// # Errors
    /// If the walk can't start; [`SearchBuilder::build`] has checked its globs and types.
    ///
    /// ```
    /// use urigrep::search::{Flow, Hit, Search, Sink};
    /// struct Count(u64);
    /// impl Sink for Count {
    ///     fn hit(&mut self, _: &Hit<'_>) -> Flow {
    ///         self.0 += 1;
    ///         Flow::Continue
    ///     }
    /// }
    /// let mut count = Count(0);
    /// let stats = Search::default().run(["Cargo.toml"], &mut count).unwrap();
    /// assert_eq!(stats.matches, count.0);
    /// ```
    pub fn run<R: Into<Root>>(
        &self,
        roots: impl IntoIterator<Item = R>,
        sink: &mut (impl Sink + Send),
    ) -> Result<Stats, WalkError> {
        self.run_parallel(roots, &LockedSinks::new(sink))
    }

    /// Searches these files and directories with all threads, and calls `each` with every hit, one
    /// input at a time. [`Search::run`] takes a [`Sink`], which also gets problems.
    ///
    /// # Errors
    /// If the walk can't start; [`SearchBuilder::build`] has checked its globs and types.
    ///
    /// ```
    /// use urigrep::search::{Flow, Search};
    /// let mut uris = Vec::new();
    /// let stats = Search::new().for_each(["Cargo.toml"], |hit| {
    ///     uris.push(hit.uri().to_string());
    ///     Flow::Continue
    /// })?;
    /// assert_eq!(stats.matches, uris.len() as u64);
    /// # Ok::<(), urigrep::search::WalkError>(())
    /// ```
    pub fn for_each<R: Into<Root>>(
        &self,
        roots: impl IntoIterator<Item = R>,
        each: impl FnMut(&Hit<'_>) -> Flow + Send,
    ) -> Result<Stats, WalkError> {
        struct Each<F>(F);

        impl<F: FnMut(&Hit<'_>) -> Flow> Sink for Each<F> {
            fn hit(&mut self, hit: &Hit<'_>) -> Flow {
                (self.0)(hit)
            }
        }

        self.run(roots, &mut Each(each))
    }

    /// Searches these files and directories with all threads, each of which has its own sinks.
    ///
    /// # Errors
    /// If the walk can't start; [`SearchBuilder::build`] has checked its globs and types.
    pub fn run_parallel<R: Into<Root>>(
        &self,
        roots: impl IntoIterator<Item = R>,
        sinks: &impl Sinks,
    ) -> Result<Stats, WalkError> {
        let roots: Vec<_> = roots.into_iter().map(Into::into).collect();
        Ok(Schedule::new(&self.settings, sinks).run(&roots, &self.walk, self.order))
    }

    /// True if the walk of a directory would search a file of this path, by its options: hidden
    /// files, types, and globs. Neither the file nor any ignore file is read, so the path need not
    /// exist.
    ///
    /// ```
    /// use urigrep::search::{Search, WalkOptions};
    /// let mut options = WalkOptions::default();
    /// options.globs = vec!["*.md".into()];
    /// let search = Search::builder().walk(options).build().unwrap();
    /// assert!(search.takes_path("docs/a.md") && !search.takes_path("docs/a.txt"));
    /// assert!(!search.takes_path(".github/a.md"));
    /// ```
    pub fn takes_path(&self, path: impl AsRef<Path>) -> bool {
        self.walk.takes_path(path.as_ref(), None)
    }

    /// True if a walk would find a file of this path by its options, or because a rule with `!` of
    /// an ignore file names it, which applies to hidden files too. Rules that exclude files don't
    /// count here.
    ///
    /// ```
    /// use urigrep::internal::DotIgnore;
    /// use urigrep::search::Search;
    /// let mut rules = DotIgnore::default();
    /// assert!(Search::default().takes_path_by("docs/a.md", &mut rules));
    /// ```
    #[doc(hidden)]
    pub fn takes_path_by(&self, path: impl AsRef<Path>, rules: &mut DotIgnore) -> bool {
        self.walk.takes_path(path.as_ref(), Some(rules))
    }

    /// True if files that `.gitignore` and other ignore files name are searched.
    ///
    /// ```
    /// assert!(!urigrep::search::Search::default().reads_ignored_files());
    /// ```
    pub fn reads_ignored_files(&self) -> bool {
        self.walk.reads_ignored_files()
    }

    /// Passes all results of a walk over these roots to `take`, by path. All of them are found
    /// before the first is passed on, so their paths are in memory at once.
    ///
    /// # Errors
    /// If the walk can't start; [`SearchBuilder::build`] has checked its globs and types.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urigrep::search::{Search, Visit};
    /// let mut files = 0;
    /// let take = |visit| {
    ///     files += usize::from(matches!(visit, Visit::Search(_)));
    ///     ControlFlow::Continue(())
    /// };
    /// Search::default().inputs(["Cargo.toml"], take).unwrap();
    /// assert_eq!(files, 1);
    /// ```
    pub fn inputs<R: Into<Root>>(
        &self,
        roots: impl IntoIterator<Item = R>,
        take: impl FnMut(Visit) -> ControlFlow<()>,
    ) -> Result<(), WalkError> {
        let roots: Vec<_> = roots.into_iter().map(Into::into).collect();
        let (threads, cancel) = (self.settings.threads.count, self.settings.cancel.as_ref());
        tree::schedule::in_order(&roots, &self.walk, threads, cancel, take);
        Ok(())
    }

    /// Applies `work` to all results of a walk over these roots, in all threads, and passes its
    /// results to `take`, by path. So a caller can read inputs in other ways than by searching
    /// them. All paths are found before the first is worked on, so they are in memory at once.
    ///
    /// # Errors
    /// If the walk can't start; [`SearchBuilder::build`] has checked its globs and types.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urigrep::search::{Search, Visit};
    /// let mut paths = Vec::new();
    /// let path = |visit: Visit| match visit {
    ///     Visit::Search(input) => input.path().map(std::path::PathBuf::from),
    ///     _ => None,
    /// };
    /// let take = |path| {
    ///     paths.extend(path);
    ///     ControlFlow::Continue(())
    /// };
    /// Search::default().map_inputs(["Cargo.toml"], path, take).unwrap();
    /// assert_eq!(paths, [std::path::PathBuf::from("Cargo.toml")]);
    /// ```
    pub fn map_inputs<R: Into<Root>, T: Send>(
        &self,
        roots: impl IntoIterator<Item = R>,
        work: impl Fn(Visit) -> T + Sync,
        take: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), WalkError> {
        let roots: Vec<_> = roots.into_iter().map(Into::into).collect();
        let (threads, cancel) = (&self.settings.threads, self.settings.cancel.as_ref());
        tree::schedule::map_in_order(&roots, &self.walk, threads, cancel, work, take);
        Ok(())
    }

    /// Searches the bytes of `reader` as a stream with bounded memory: compressed, an archive,
    /// mail, a document, or text.
    ///
    /// ```
    /// use urigrep::search::{Flow, Hit, Input, Search, Sink};
    /// struct Print;
    /// impl Sink for Print {
    ///     fn hit(&mut self, hit: &Hit<'_>) -> Flow {
    ///         println!("{}", hit.uri());
    ///         Flow::Continue
    ///     }
    /// }
    /// let stats = Search::default().reader(std::io::empty(), &Input::named("nothing"), &mut Print);
    /// assert_eq!(stats.files, 1);
    /// ```
    pub fn reader(&self, reader: impl Read, input: &Input, sink: &mut dyn Sink) -> Stats {
        let mut searcher = Searcher::new(&self.settings, Splitting::Never, MemoryLane::Heavy);
        searcher.search_reader(reader, input, &mut PlainSink(sink)).stats
    }
}
