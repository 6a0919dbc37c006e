//! Builds a [`Search`].

use std::fmt;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;

use rayon::ThreadPool;

use crate::Finder;
use crate::document::mail::Headers;
use crate::search::line_filter::LineFilter;
use crate::search::searcher::SearchSettings;
use crate::search::tree::walk::CompiledWalk;
use crate::search::{
    Binary, ByteCounter, CancelToken, Compressed, Dedupe, Limits, Mail, Markup, Order,
    Preprocessor, Progress, References, Rejections, Report, Search, Selection, TextEncoding,
    WalkError, WalkOptions,
};
use crate::setters::setters;

/// Beyond this, threads mostly wait for each other.
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

/// The reason why a [`Search`] can't be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The walk can't start.
    Walk(WalkError),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Walk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SearchError {
    /// Its message is that of the inner error, so the sources are those of the inner error, too.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Walk(error) => error.source(),
        }
    }
}

/// ```
/// use urigrep::search::{Search, SearchError, WalkOptions};
/// fn count(path: &str) -> Result<usize, SearchError> {
///     let search = Search::builder().build()?;
///     // This fails with a `WalkError`.
///     Ok(search.paths([path])?.count())
/// }
/// # assert!(count("Cargo.toml").is_ok());
/// ```
impl From<WalkError> for SearchError {
    fn from(error: WalkError) -> Self {
        Self::Walk(error)
    }
}

impl SearchBuilder {
    setters! {
        /// The finder; [`Finder::new`] by default.
        finder: Finder => settings.query.finder;
        /// The matches to report; all by default.
        selection: Selection => settings.query.selection;
        /// Selects matches, rejected candidates, or both for the report; [`Report::Matches`] by
        /// default.
        report: Report => settings.query.report;
        /// Treatment of rejected candidates that are not reported; [`Rejections::Counted`] by
        /// default.
        rejections: Rejections => settings.query.rejections;
        /// The files to read as mail; [`Mail::Auto`] by default.
        mail: Mail => settings.query.mail;
        /// The headers of mail to search; [`Headers::Text`] by default.
        headers: Headers => settings.query.headers;
        /// The repetitions in mail to leave out; [`Dedupe::Parts`] by default.
        dedupe: Dedupe => settings.query.dedupe;
        /// The files to read as markup documents; [`Markup::Auto`] by default.
        markup: Markup => settings.query.markup;
        /// Treatment of relative references in documents; [`References::AsWritten`] by default.
        references: References => settings.query.references;
        /// The encoding of text; [`TextEncoding::Unicode`] by default.
        encoding: TextEncoding => settings.query.encoding;
        /// Limits on the resources of one input.
        limits: Limits => settings.query.limits;
        /// The files of directories to search.
        walk: WalkOptions => walk;
        /// The order of inputs; [`Order::Any`] by default.
        order: Order => order;
        /// Treatment of binary files in directories; [`Binary::Skip`] by default. Named ones are
        /// always searched.
        binary: Binary => settings.binary;
        /// Treatment of compressed files and archives in directories; [`Compressed::AsStored`] by
        /// default. Named ones are always unpacked.
        #[doc(alias = "archive")]
        #[doc(alias = "archives")]
        compressed: Compressed => settings.compressed;
        /// The number of threads, at most 256. The default, and 0, mean one per core.
        ///
        /// One of them is the calling thread. The others belong to a pool that all searches of the
        /// process share.
        threads: usize => settings.threads.count;
    }

    /// Searches in the threads of this pool and in the calling thread. This overrides
    /// [`threads`](Self::threads).
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

    /// Stops searching an input after this many hits.
    #[must_use]
    pub fn max_count(mut self, count: u64) -> Self {
        self.settings.max_count = Some(count);
        self
    }

    /// Searches only some lines of files, such as those that changed: `takes` gets the path of a
    /// file, and the first and last line of a range, from 1. Inputs without a path have no hits.
    ///
    /// ```
    /// use urigrep::search::Search;
    /// let takes = |path: &std::path::Path, first: u64, last: u64| {
    ///     path.ends_with("README.md") && first <= 9 && 1 <= last
    /// };
    /// let search = Search::builder().only_lines(takes).build()?;
    /// assert!(search.paths(["README.md"])?.all(|hit| hit.line() <= 9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn only_lines(
        mut self,
        takes: impl Fn(&Path, u64, u64) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.settings.query.lines = Some(LineFilter::new(takes));
        self
    }

    /// Searches the output of another program for each file, in place of the file.
    #[must_use]
    pub fn preprocessor(mut self, preprocessor: Preprocessor) -> Self {
        self.settings.preprocessor = Some(preprocessor);
        self
    }

    /// Counts the bytes that are read, for a progress display.
    #[must_use]
    pub fn byte_counter(mut self, counter: ByteCounter) -> Self {
        self.settings.byte_counter = Some(counter);
        self
    }

    /// Shows how far the search is. It counts bytes, too, in place of a
    /// [`byte_counter`](Self::byte_counter).
    #[must_use]
    pub fn progress(mut self, progress: Progress) -> Self {
        self.settings.byte_counter = Some(progress.bytes_read());
        self.settings.progress = Some(progress);
        self
    }

    /// Ends the search once the token is cancelled, even within a file without hits.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.settings.cancel = Some(token);
        self
    }

    /// Builds the search.
    ///
    /// # Errors
    /// If a glob or file type of the walk is invalid.
    pub fn build(mut self) -> Result<Search, SearchError> {
        let walk = std::mem::take(&mut self.walk).compile().map_err(SearchError::Walk)?;
        Ok(self.build_with(walk))
    }

    /// Builds the search with these rules in place of the options of the walk.
    pub(super) fn build_with(self, walk: CompiledWalk) -> Search {
        let Self { mut settings, order, .. } = self;
        settings.threads.count = match (&settings.threads.pool, settings.threads.count) {
            // The calling thread searches, too.
            (Some(pool), _) => pool.current_num_threads() + 1,
            (None, 0) => available_parallelism().map_or(1, NonZero::get),
            (None, count) => count.min(MAX_THREADS),
        };
        settings.query.make_prefilter();
        Search { settings, walk, order }
    }
}
