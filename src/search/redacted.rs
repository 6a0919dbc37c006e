//! A hit without secrets, and the names displayed beside it.

use std::borrow::Cow;

use crate::Finding;
use crate::document::Place;
use crate::redact::{redact, redact_text};
use crate::search::hit::Hit;
use crate::search::{Input, RedactedNames};

/// The displayed form of a hit without its [secrets](crate::redact). It covers the finding, target,
/// and text, and the names of the input, element, attribute, mail header, and place, and the label.
/// [`Hit::without_secrets`] returns the hit.
///
/// ```
/// use urigrep::search::{Flow, Hit, Input, RedactedHit, RedactedNames, Search, Sink};
/// struct Uris(Vec<String>);
/// impl Sink for Uris {
///     fn hit(&mut self, hit: &Hit<'_>) -> Flow {
///         let redacted = RedactedHit::new(hit, RedactedNames::Members);
///         self.0.push(hit.without_secrets(&redacted).uri().into_owned());
///         Flow::Continue
///     }
/// }
/// let mut uris = Uris(Vec::new());
/// Search::default().reader(b"ftp://joe:pw@a.example/".as_slice(), &Input::named("a"), &mut uris);
/// assert_eq!(uris.0, ["ftp://REDACTED@a.example/"]);
/// ```
pub struct RedactedHit<'a> {
    pub(super) finding: Option<Finding<'a>>,
    pub(super) target: Option<String>,
    pub(super) text: Option<Vec<u8>>,
    pub(super) input: Option<Input>,
    pub(super) element: Option<String>,
    pub(super) attribute: Option<String>,
    pub(super) header: Option<String>,
    pub(super) place: Option<Place<'static>>,
    pub(super) label: Option<String>,
}

impl<'a> RedactedHit<'a> {
    /// Removes the secrets from a hit and from these names.
    pub fn new(hit: &Hit<'a>, names: RedactedNames) -> Self {
        let (finding, text) = match hit.finding() {
            Finding::Match(m) => {
                let m = m.redacted();
                let text = m.as_ref().map(|m| m.text().into_owned());
                (m.map(Finding::Match), text)
            }
            Finding::Relative(relative) => {
                let relative = relative.redacted();
                let text = relative.as_ref().map(|r| r.intended().into_owned().into_bytes());
                (relative.map(Finding::Relative), text)
            }
            Finding::Rejected(rejected) => (None, rejected.redacted()),
        };
        let name = |name: Option<&str>| match redact_text(name?) {
            Cow::Borrowed(_) => None,
            Cow::Owned(name) => Some(name),
        };
        // A label that repeats the URI may lack characters that are markup, such as the `__` of
        // rewritten links. Then its secrets are not recognized, so the URI replaces it.
        let uri = || text.as_deref().map(|text| String::from_utf8_lossy(text).into_owned());
        let label = match hit.whole_label() {
            Some(label) if label.contains("://") => uri().or_else(|| name(Some(label))),
            label => name(label),
        };
        Self {
            finding,
            label,
            text,
            // A resolved reference also contains the secrets of its base.
            target: hit.target().map(|target| redact(target).into_owned()),
            input: hit.input().redacted(names),
            element: name(hit.element()),
            attribute: name(hit.attribute()),
            header: name(hit.mail().and_then(|mail| mail.whole_header())),
            place: hit.place().and_then(|place| place.changed(redact_text)),
        }
    }
}
