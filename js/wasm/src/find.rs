//! Matches as numbers: [`find`].

use std::borrow::Cow;

use finder::{Finder, Flag, Kind, Match};

use crate::json::Json;
use crate::output::Output;
use crate::utf16::Offsets;

/// Numbers per match: start, end, kind, flags, then start and length of the URI and of the IRI in
/// the output, and in the URI the length of the scheme and start and length of the host.
pub const WORDS: usize = 11;

/// In place of a start: the text is that of the match, or there is none.
const NOWHERE: usize = u32::MAX as usize;

/// Returns the names of kinds and flags: a number in the records is the place of its name here.
pub fn names() -> String {
    let mut json = Json::default();
    json.open('{');
    json.texts("kinds", Kind::ALL.iter().map(|kind| kind.name()));
    json.texts("flags", Flag::ALL.iter().map(|flag| flag.name()));
    json.close('}');
    json.into_string()
}

/// Appends the matches of a text to `records`, and the texts that differ from it to `output`.
pub fn find(finder: &Finder, text: &[u8], records: &mut Vec<u32>, output: &mut Output) {
    let mut offsets = Offsets::new(text);
    for m in finder.find_iter(text) {
        let start = offsets.advance(m.start());
        let end = offsets.at(m.end());
        let uri = match m.uri() {
            Cow::Borrowed(_) => (NOWHERE, 0),
            Cow::Owned(uri) => push(&uri, output),
        };
        let iri = match m.iri() {
            Some(iri) if iri.as_bytes() != m.as_bytes() => push(iri, output),
            _ => (NOWHERE, 0),
        };
        let host = host(&m).unwrap_or((NOWHERE, 0));
        let numbers: [usize; WORDS] = [
            start,
            end,
            m.kind() as usize,
            m.flags().bits() as usize,
            uri.0,
            uri.1,
            iri.0,
            iri.1,
            m.scheme_as_written().len(),
            host.0,
            host.1,
        ];
        // No text in the memory of WebAssembly is longer than 4 GiB.
        records.extend(numbers.map(|number| number as u32));
    }
}

fn push(text: &str, output: &mut Output) -> (usize, usize) {
    let place = output.push(text);
    (place.start, place.length)
}

/// Returns start and length of the host in the URI, which is ASCII.
fn host(m: &Match<'_>) -> Option<(usize, usize)> {
    let uri = m.parsed();
    let host = uri.host()?;
    // Both are slices of one string, so this is where the host starts in it.
    let start = host.as_ptr().addr() - uri.as_str().as_ptr().addr();
    Some((start, host.len()))
}
