//! One pass of the search over one input, window after window.

use urigrep::finder::Rest;
use urigrep::{Finding, Progress, Resume, Window};

use super::lines::Lines;
use super::offsets::Offsets;
use super::query::{Counts, Query, Use};
use super::sink::{Flow, Hit, Sink};
use super::tally::Unread;

/// The state between two windows.
pub struct Pass<'q> {
    /// What is looked for.
    pub query: &'q Query,
    /// Absolute offset of the window.
    pub base: u64,
    /// How far the window was searched.
    pub progress: Progress,
    /// Matches that were selected.
    pub matches: u64,
    /// Candidates that were rejected.
    pub rejected: u64,
    /// Parts of mail that were not read.
    pub unread: Unread,
    /// What counts lines, if they are counted.
    pub lines: Option<Lines>,
    /// The limits that were reached, for people.
    pub reached: Vec<String>,
}

impl<'q> Pass<'q> {
    /// A pass that has not begun; places are counted if there are `lines`.
    pub fn new(query: &'q Query, lines: Option<Lines>) -> Self {
        let progress = Progress {
            consumed: 0,
            resume: Resume::default(),
        };
        Self {
            query,
            base: 0,
            progress,
            matches: 0,
            rejected: 0,
            unread: Unread::default(),
            lines,
            reached: Vec::new(),
        }
    }

    /// A message was not read as one.
    pub fn too_large(&mut self) {
        let most = self.query.documents.message;
        self.reach(&format!(
            "a message of more than {most} bytes was searched as text"
        ));
    }

    /// Notes that a limit was reached, once for the input.
    pub fn reach(&mut self, limit: &str) {
        if !self.reached.iter().any(|known| known == limit) {
            self.reached.push(limit.to_owned());
        }
    }

    /// Searches a window.
    pub fn over(
        &mut self,
        window: &[u8],
        at_eof: bool,
        offsets: &dyn Offsets,
        sink: &mut dyn Sink,
    ) -> Flow {
        self.over_until((window, usize::MAX), at_eof, offsets, sink)
    }

    /// The same up to a byte of the window.
    pub fn over_until(
        &mut self,
        (window, until): (&[u8], usize),
        at_eof: bool,
        offsets: &dyn Offsets,
        sink: &mut dyn Sink,
    ) -> Flow {
        let resumed = Window::resumed(window, self.progress.resume).until(until);
        let mut findings = self
            .query
            .finder
            .find_in(resumed, if at_eof { Rest::End } else { Rest::More });
        for finding in findings.by_ref() {
            let flow = self.take((window, 0), &finding, offsets, sink);
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.progress = findings.progress();
        Flow::Continue
    }

    /// Counts a finding, and gives it to the sink if it is wanted; its offsets count from `window[from]`.
    #[inline(always)]
    pub fn take(
        &mut self,
        place: (&[u8], usize),
        finding: &Finding<'_>,
        offsets: &dyn Offsets,
        sink: &mut dyn Sink,
    ) -> Flow {
        let verdict = self.query.judge(finding);
        self.count(verdict.counts);
        match verdict.usage {
            Use::Wanted => self.give(place, finding, offsets, sink),
            Use::Unwanted => Flow::Continue,
        }
    }

    /// Counts a finding.
    #[inline]
    pub fn count(&mut self, counts: Counts) {
        match counts {
            Counts::Match => self.matches += 1,
            Counts::Rejected => self.rejected += 1,
            Counts::Nothing => {}
        }
    }

    /// Gives a finding that is wanted to the sink; its offsets count from `window[from]`.
    #[inline(always)]
    pub fn give(
        &mut self,
        (window, from): (&[u8], usize),
        finding: &Finding<'_>,
        offsets: &dyn Offsets,
        sink: &mut dyn Sink,
    ) -> Flow {
        let base = self.base;
        let place = self
            .lines
            .as_mut()
            .map(|lines| lines.place(window, base, from + finding.span().start(), offsets));
        sink.hit(&Hit {
            finding,
            base: base + from as u64,
            place,
            offsets,
            normal: None,
            standing: None,
            target: None,
            shown: None,
        })
    }

    /// Leaves what was searched behind: how many bytes of the window.
    pub fn advance(&mut self, window: &[u8], offsets: &dyn Offsets) -> usize {
        let consumed = std::mem::take(&mut self.progress.consumed);
        if let Some(lines) = &mut self.lines {
            lines.count_to(window, self.base, consumed, offsets);
        }
        self.base += consumed as u64;
        consumed
    }
}
