//! Records which rules decided a candidate, in order.

use alloc::vec::Vec;

use crate::span::Span;

/// A rule that decided something, with the text that it acted on.
///
/// ```
/// use urigrep::Finder;
/// let (finder, text) = (Finder::new(), b"(see http://a.example/b).");
/// let finding = finder.findings(text).next().unwrap();
/// let steps = finder.explain(&finding);
/// assert_eq!(steps[0].rule, "D1.2");
/// assert_eq!(steps[0].text, b"http");
/// assert!(steps.iter().any(|step| step.rule == "D4.2"), "the bracket ended it");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<'h> {
    /// Number of the rule in the delimiting rules, such as `D4.2`; for later steps, the name of a
    /// flag or a fault.
    pub rule: &'static str,
    /// The decision of the rule.
    pub what: &'static str,
    /// Byte span in the haystack on which it acted.
    pub span: Span,
    /// The text of that span.
    pub text: &'h [u8],
}

/// Collects steps if they are requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace(Option<Vec<Note>>);

type Note = (&'static str, &'static str, Span);

impl Trace {
    pub fn on() -> Self {
        Self(Some(Vec::new()))
    }

    pub fn is_on(&self) -> bool {
        // `urigrep/lite` explains nothing.
        !cfg!(urigrep_lite) && self.0.is_some()
    }

    /// Discards the steps of a failed attempt.
    pub fn restart(&mut self) {
        if let Some(steps) = &mut self.0 {
            steps.clear();
        }
    }

    pub fn note(&mut self, rule: &'static str, what: &'static str, span: Span) {
        if self.is_on()
            && let Some(steps) = &mut self.0
        {
            steps.push((rule, what, span));
        }
    }

    pub fn into_steps(self, haystack: &[u8]) -> Vec<Step<'_>> {
        let step = |(rule, what, span): Note| {
            let text = haystack.get(span.range()).unwrap_or_default();
            Step { rule, what, span, text }
        };
        self.0.unwrap_or_default().into_iter().map(step).collect()
    }
}
