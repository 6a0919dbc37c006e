//! Makes a [`Search`].

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use rayon::ThreadPool;

use crate::Finder;
use crate::document::mail::Headers;
use crate::search::searcher::SearchSettings;
use crate::search::tree::walk::CompiledWalk;
use crate::search::{
    Binary, ByteCounter, Compressed, Dedupe, Limits, Mail, Markup, Order, Preprocessor, References,
    Rejections, Report, Search, Selection, TextEncoding, WalkError, WalkOptions,
};
use crate::setters::setters;

/// More threads than this only wait for each other.
const MAX_THREADS: usize = 256;

/// Options of a [`Search`].
///
/// ```
/// use urigrep::Finder;
/// use urigrep::search::{Dedupe, Mail, Order, Search};
/// let search = Search::builder()
///     .finder(Finder::new())
///     .mail(Mail::Always)
///     .dedupe(Dedupe::Thread)
///     .order(Order::Path)
///     .threads(4)
///     .build();
/// assert!(search.is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct SearchBuilder {
    settings: SearchSettings,
    walk: WalkOptions,
    order: Order,
}

/// Why a [`Search`] can't be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The walk can't begin.
    Walk(WalkError),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Walk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SearchError {}

impl SearchBuilder {
    setters! {
        /// What finds; [`Finder::new`] by default.
        finder: Finder => settings.query.finder;
        /// Which matches are wanted; all by default.
        selection: Selection => settings.query.selection;
        /// Whether matches are reported, or rejected candidates, or both.
        report: Report => settings.query.report;
        /// Whether rejected candidates are counted where they are not reported.
        rejections: Rejections => settings.query.rejections;
        /// Which files are read as mail.
        mail: Mail => settings.query.mail;
        /// What is taken of the headers of mail.
        headers: Headers => settings.query.headers;
        /// Which repetitions in mail are left out.
        dedupe: Dedupe => settings.query.dedupe;
        /// Which files are read as documents of markup.
        markup: Markup => settings.query.markup;
        /// What becomes of relative references in documents.
        references: References => settings.query.references;
        /// How bytes are read as text.
        encoding: TextEncoding => settings.query.encoding;
        /// What one input may cost.
        limits: Limits => settings.query.limits;
        /// Which files of directories are searched.
        walk: WalkOptions => walk;
        /// The order of inputs.
        order: Order => order;
        /// What happens to binary files of directories; named ones are always searched.
        binary: Binary => settings.binary;
        /// What happens to compressed files and archives of directories; named ones are always unpacked.
        compressed: Compressed => settings.compressed;
        /// How many threads search, 256 at most; by default, and with 0, as many as the machine has cores.
        ///
        /// One of them is the calling thread. The others are those of a pool that all searches of the process share.
        threads: usize => settings.threads.count;
    }

    /// Searches in the threads of this pool and in the calling one, whatever [`threads`](Self::threads) says.
    ///
    /// ```
    /// use std::sync::Arc;
    /// let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(2).build()?);
    /// let search = urigrep::search::Search::builder().pool(Arc::clone(&pool)).build()?;
    /// # assert!(search.paths(["README.md"])?.next().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pool(mut self, pool: Arc<ThreadPool>) -> Self {
        self.settings.threads.pool = Some(pool);
        self
    }

    /// How many hits are wanted of an input.
    #[must_use]
    pub fn max_count(mut self, count: u64) -> Self {
        self.settings.max_count = Some(count);
        self
    }

    /// Searches what another program makes of files, in place of them.
    #[must_use]
    pub fn preprocessor(mut self, preprocessor: Preprocessor) -> Self {
        self.settings.preprocessor = Some(preprocessor);
        self
    }

    /// Counts the bytes that are read, for a display of progress.
    #[must_use]
    pub fn byte_counter(mut self, counter: ByteCounter) -> Self {
        self.settings.byte_counter = Some(counter);
        self
    }

    /// The search.
    ///
    /// # Errors
    /// When a glob or file type of the walk makes no sense.
    pub fn build(mut self) -> Result<Search, SearchError> {
        let walk = std::mem::take(&mut self.walk).compile().map_err(SearchError::Walk)?;
        Ok(self.build_with(walk))
    }

    /// The search, with these rules in place of the options of the walk.
    pub(super) fn build_with(self, walk: CompiledWalk) -> Search {
        let Self { mut settings, order, .. } = self;
        settings.threads.count = match (&settings.threads.pool, settings.threads.count) {
            (Some(pool), _) => pool.current_num_threads() + 1,
            (None, 0) => available_parallelism().map_or(1, NonZero::get),
            (None, count) => count.min(MAX_THREADS),
        };
        settings.query.make_prefilter();
        Search { settings, walk, order }
    }
}
