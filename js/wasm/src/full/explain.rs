//! Why a text is a match, or is none: [`explain`].

use finder::{Finder, Finding, Flag};

use crate::json::Json;
use crate::utf16::Offsets;

/// Returns a list of the findings of a text: matches and rejected candidates, each with the rules
/// that decided it.
pub fn explain(finder: &Finder, text: &[u8]) -> String {
    let (mut json, mut offsets) = (Json::default(), Offsets::new(text));
    json.open('[');
    for finding in finder.findings(text) {
        let span = finding.span();
        json.open('{');
        json.number("start", offsets.advance(span.start()));
        json.number("end", offsets.at(span.end()));
        match &finding {
            Finding::Match(m) => {
                json.member("uri", &m.uri());
                json.member("kind", m.kind().name());
                json.member("wrapper", m.wrapper().name());
                json.texts("flags", m.flags().iter().map(Flag::name));
                json.optional("identifier", m.identifier().as_ref().map(|id| id.canonical()));
            }
            Finding::Rejected(rejected) => {
                json.member("reason", rejected.reason().name());
                json.member("message", &rejected.reason().to_string());
                json.number("at", offsets.at(span.start() + rejected.at()));
            }
            // Only `Finder::reference` returns one.
            Finding::Relative(_) => {}
        }
        json.name("steps");
        json.open('[');
        for step in finder.explain(&finding) {
            json.open('{');
            json.member("rule", step.rule);
            json.member("what", step.what);
            json.number("start", offsets.at(step.span.start()));
            json.number("end", offsets.at(step.span.end()));
            json.close('}');
        }
        json.close(']');
        json.close('}');
    }
    json.close(']');
    json.into_string()
}
