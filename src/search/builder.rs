//! Makes a [`Search`].

use std::fmt;
use std::num::NonZero;
use std::thread::available_parallelism;

use crate::Finder;
use crate::container::document::mail::Headers;
use crate::search::Search;
use crate::search::archive::Compressed;
use crate::search::limits::Limits;
use crate::search::query::{Dedupe, Mail, Markup, Query, References, Report};
use crate::search::searcher::SearchSettings;
use crate::search::selection::Selection;
use crate::search::source::charset::TextEncoding;
use crate::search::source::counted::ByteCounter;
use crate::search::stream::Binary;
use crate::search::tree::walk::{Order, WalkError, WalkOptions, WalkRules};

/// More threads than this only wait for each other.
const THREADS_MAX: usize = 256;

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
    query: Query,
    walk: WalkOptions,
    order: Order,
    binary: Binary,
    compressed: Compressed,
    threads: Option<usize>,
    max_count: Option<u64>,
    byte_counter: Option<ByteCounter>,
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
    /// What finds; [`Finder::new`] by default.
    #[must_use]
    pub fn finder(mut self, finder: Finder) -> Self {
        self.query.finder = finder;
        self
    }

    /// Which matches are wanted; all by default.
    #[must_use]
    pub fn selection(mut self, selection: Selection) -> Self {
        self.query.selection = selection;
        self
    }

    /// Whether matches are reported, or rejected candidates, or both.
    #[must_use]
    pub fn report(mut self, report: Report) -> Self {
        self.query.report = report;
        self
    }

    /// Which files are read as mail.
    #[must_use]
    pub fn mail(mut self, mail: Mail) -> Self {
        self.query.mail = mail;
        self
    }

    /// What is taken of the headers of mail.
    #[must_use]
    pub fn headers(mut self, headers: Headers) -> Self {
        self.query.headers = headers;
        self
    }

    /// Which repetitions in mail are left out.
    #[must_use]
    pub fn dedupe(mut self, dedupe: Dedupe) -> Self {
        self.query.dedupe = dedupe;
        self
    }

    /// Which files are read as documents of markup.
    #[must_use]
    pub fn markup(mut self, markup: Markup) -> Self {
        self.query.markup = markup;
        self
    }

    /// What becomes of relative references in documents.
    #[must_use]
    pub fn references(mut self, references: References) -> Self {
        self.query.references = references;
        self
    }

    /// How bytes are read as text.
    #[must_use]
    pub fn encoding(mut self, encoding: TextEncoding) -> Self {
        self.query.encoding = encoding;
        self
    }

    /// What one input may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.query.limits = limits;
        self
    }

    /// Which files of directories are searched.
    #[must_use]
    pub fn walk(mut self, options: WalkOptions) -> Self {
        self.walk = options;
        self
    }

    /// The order of inputs.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// What happens to binary files of directories; named ones are always searched.
    #[must_use]
    pub fn binary(mut self, binary: Binary) -> Self {
        self.binary = binary;
        self
    }

    /// What happens to compressed files and archives of directories; named ones are always unpacked.
    #[must_use]
    pub fn compressed(mut self, compressed: Compressed) -> Self {
        self.compressed = compressed;
        self
    }

    /// How many threads search, 256 at most; by default, and with 0, as many as the machine has cores.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How many hits are wanted of an input.
    #[must_use]
    pub fn max_count(mut self, count: u64) -> Self {
        self.max_count = Some(count);
        self
    }

    /// Counts the bytes that are read, for a display of progress.
    #[must_use]
    pub fn byte_counter(mut self, counter: ByteCounter) -> Self {
        self.byte_counter = Some(counter);
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
    pub(super) fn build_with(self, walk: WalkRules) -> Search {
        let threads = match self.threads {
            None | Some(0) => available_parallelism().map_or(1, NonZero::get),
            Some(threads) => threads.min(THREADS_MAX),
        };
        Search {
            settings: SearchSettings {
                query: self.query,
                binary: self.binary,
                compressed: self.compressed,
                threads,
                max_count: self.max_count,
                byte_counter: self.byte_counter,
            },
            walk,
            order: self.order,
        }
    }
}
