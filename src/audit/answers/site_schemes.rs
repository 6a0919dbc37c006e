//! Schemes that only a site knows, such as `craft5:` and `kb:`: a program of the site replaces them
//! when it builds pages.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::sample::{sources_below, usual};
use crate::audit::sites::{entries, text};
use crate::registry;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Minimum number of links with such a scheme. A misspelled one is copied less often.
const MANY_LINKS: usize = 10;
/// Minimum number of documents with such links.
const MANY_DOCUMENTS: usize = 3;
/// Longer names are not prefixes written by hand.
const MAX_SCHEME: usize = 24;

/// Returns the unregistered schemes, in lower case, that many links of the documents below these
/// directories have, and those that are keys in programs beside the settings.
pub(super) fn find(directories: &[PathBuf], settings: Option<&Path>) -> HashSet<String> {
    let is_usual =
        |[links, documents]: [usize; 2]| links >= MANY_LINKS && documents >= MANY_DOCUMENTS;
    let documents = sources_below(directories);
    let mut found =
        usual(documents, |text| Box::new(schemes(text.as_bytes()).map(Cow::Owned)), is_usual);
    found.extend(settings.map_or_else(Vec::new, keys));
    found
}

/// Returns the keys in quotation marks of the programs in the directory of the settings of
/// VitePress or VuePress: `'craft5': { base: … }`.
fn keys(settings: &Path) -> Vec<String> {
    let mut found = Vec::new();
    if !settings.is_dir() {
        return found;
    }
    let programs = [settings.to_owned(), settings.join("plugins")];
    for entry in programs.iter().flat_map(|directory| entries(directory)) {
        let path = entry.path();
        if !path.extension().is_some_and(|it| it == "js" || it == "ts") {
            continue;
        }
        let text = text(&path);
        let keys = text.lines().filter_map(|line| {
            let line = line.trim_start();
            let mark = line.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
            let (key, rest) = line.clamped(1..).split_once(mark)?;
            rest.trim_start().starts_with(':').then(|| key.to_ascii_lowercase())
        });
        found.extend(keys.filter(|key| !registry::is_scheme(key.as_bytes())));
    }
    found
}

/// Returns the unregistered schemes of destinations: after `](`, `<`, a quotation mark, or `]: `.
fn schemes(text: &[u8]) -> impl Iterator<Item = String> {
    let colons = memchr::memchr_iter(b':', text);
    colons.filter_map(|colon| {
        let before = text.clamped(..colon).tail(MAX_SCHEME + 1);
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
        let length = before.iter().rev().take_while(|byte| is_of_name(byte)).count();
        let start = colon - length;
        let scheme = text.clamped(start..colon);
        let open = text.get(start.checked_sub(1)?)?;
        let is_open = match open {
            b'(' => text.clamped(..start).ends_with(b"]("),
            b' ' => text.clamped(..start).ends_with(b"]: "),
            open => b"<\"'".contains(open),
        };
        // `"a": b` is a key, and `::` belongs to code.
        let next = text.get(colon + 1)?;
        let is_open = is_open && !next.is_ascii_whitespace() && !b"\"':".contains(next);
        let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic) && length > 1;
        if !is_open || !is_scheme || length > MAX_SCHEME {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        (!registry::is_scheme(&scheme)).then(|| String::from_utf8(scheme).ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_of_destinations() {
        let text =
            b"[a](kb:b) <Repo:c> [d]: e5:f\n\"g-h:i\" (no:j) k:l http://m \"n\": o [p](q::r) \
            [s](https://t) [u](v:) [w](:x)";
        assert_eq!(schemes(text).collect::<Vec<_>>(), ["kb", "repo", "e5", "g-h"]);
    }
}
