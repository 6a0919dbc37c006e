//! Suites in JSON.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::case::{Case, Cases, Expect, Reads};
use super::{Suite, read};

/// purl-spec: what is a package URL, and what is none.
pub struct PurlSpec;

impl Suite for PurlSpec {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut all = Vec::new();
        for folder in ["tests/spec", "tests/types"] {
            let Ok(entries) = fs::read_dir(directory.join(folder)) else { continue };
            let mut names: Vec<_> =
                entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
            names.sort();
            for name in names {
                let tests: Value = parse(&read(directory, &format!("{folder}/{name}")))?;
                let mut cases = Cases::of(&name);
                for test in tests["tests"].as_array().into_iter().flatten() {
                    // those whose input is no string build a package URL from its parts
                    if let Some(text) = test["input"].as_str() {
                        let valid = test["expected_failure"] != Value::Bool(true);
                        cases.add(text, Reads::Uris, Expect::Whole(valid));
                    }
                }
                all.extend(cases.done());
            }
        }
        Ok(all)
    }
}

/// The tests of the WHATWG's URL parser, as ada has them: what it serializes is a URL, whatever the
/// scheme, so it is read in `<URL:…>`; an absolute input that it fails on is none. Those with white
/// space are left out.
pub struct UrlTestData;

impl Suite for UrlTestData {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let tests: Value = parse(&read(directory, "tests/wpt/urltestdata.json"))?;
        let mut cases = Cases::of("urltestdata.json");
        let one_word = |text: &&str| !text.contains(|c: char| c.is_whitespace() || c.is_control());
        for test in tests.as_array().into_iter().flatten() {
            if let Some(href) = test["href"].as_str().filter(one_word) {
                let want = Expect::First(Some(href.to_owned()));
                cases.add(format!("<URL:{href}>"), Reads::Uris, want);
            } else if let Some(input) = test["input"].as_str().filter(one_word)
                && test["failure"] == Value::Bool(true)
                && input.contains(':')
            {
                cases.add(input, Reads::Uris, Expect::Whole(false));
            }
        }
        Ok(cases.done())
    }
}

fn parse(text: &str) -> Result<Value, String> {
    if text.is_empty() {
        Ok(Value::Null)
    } else {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}
