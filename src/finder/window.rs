//! Windows of a text, and how far a search got in one.

/// Part of a longer text, and the position at which the search resumes in it.
#[derive(Clone, Copy, Debug)]
pub struct Window<'h> {
    pub(super) bytes: &'h [u8],
    pub(super) resume: Resume,
    pub(super) until: usize,
    pub(super) certainty: Certainty,
}

/// The parts of a finding that must be certain before it is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certainty {
    /// The whole finding.
    #[default]
    Whole,
    /// All but the flag [`MaybeWrapped`](crate::Flag::MaybeWrapped), which depends on the next
    /// line. With this, the last finding of a line need not wait for the next one.
    Span,
}

impl<'h> Window<'h> {
    /// Creates the first window of a text.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Window};
    /// let window = Window::new(b"urn:example:a");
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn new(bytes: &'h [u8]) -> Self {
        Self::resumed(bytes, Resume::default())
    }

    /// Creates a later window, which starts at the first byte that was not consumed.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Resume, Window};
    /// let window = Window::resumed(b"urn:example:a", Resume::default());
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn resumed(bytes: &'h [u8], resume: Resume) -> Self {
        Self { bytes, resume, until: usize::MAX, certainty: Certainty::Whole }
    }

    /// Limits the search to candidates whose colon (dot, `@`) is before `until`; the rules still
    /// see all bytes.
    ///
    /// This lets several threads search one large window in pieces.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Window};
    /// let window = Window::new(b"urn:example:a urn:example:b").until(10);
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn until(self, until: usize) -> Self {
        Self { until, ..self }
    }

    /// Sets the parts of a finding that must be certain.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Certainty, Rest, Window};
    /// let window = Window::new(b"http://a.example/whose-path-fills-the-line-so-that-it-may-go-on-in-the-next\n");
    /// assert_eq!(Finder::new().find_in(window, Rest::More).count(), 0);
    /// assert_eq!(Finder::new().find_in(window.certainty(Certainty::Span), Rest::More).count(), 1);
    /// ```
    pub fn certainty(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }
}

impl<'h> From<&'h [u8]> for Window<'h> {
    fn from(bytes: &'h [u8]) -> Self {
        Self::new(bytes)
    }
}

/// The rest of a text after a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rest {
    /// More bytes, not read yet.
    More,
    /// Nothing: the text ends here.
    End,
}

/// The progress of a search through a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes at the start of the window that no later finding needs.
    pub consumed: usize,
    /// State with which to resume in the remaining bytes.
    pub resume: Resume,
}

/// Position and state with which to resume in the next [`Window`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    pub(super) at: usize,
    /// End of the last finding; no scheme starts before it.
    pub(super) floor: usize,
    pub(super) state: ResumeState,
}

impl Resume {
    /// Returns the byte offset in the window at which the search resumes.
    #[cfg(feature = "search")]
    pub(crate) fn offset(self) -> usize {
        self.at
    }

    /// Resumes at byte `at` of the window.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Resume, Window};
    /// let window = Window::resumed(b"urn:example:a urn:example:b", Resume::at(14));
    /// assert_eq!(Finder::new().find_in(window, Rest::End).count(), 1);
    /// ```
    pub fn at(at: usize) -> Self {
        Self { at, floor: 0, state: ResumeState::Search }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ResumeState {
    #[default]
    Search,
    /// In the rest of a rejected run (D4.7), which is skipped.
    SkipRun,
}
