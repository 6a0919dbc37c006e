//! Known findings that are no longer reported: `--baseline`.
//!
//! An entry is a path, a check, a hash of the subject of the finding, a count, and, for people, the
//! URI without its secrets. It has no line number, so that it stays valid when lines move. Paths
//! are relative to the directory of the file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use urigrep::audit::{AuditedDocument, FindingKey, KnownFindings};
use urigrep::change::write_at_once;
use urigrep::internal::paths;
use urigrep::internal::{read_regular, regular_metadata};
use urigrep::search::{Input, describe};
use urigrep::{redact, redact_text};

use crate::cli::error::CliError;
use urigrep::internal::output::escape::visible;
use urigrep::internal::output::json::append;

const VERSION: u32 = 1;
/// The first bytes of a baseline.
const START: &[u8; 11] = b"{\"version\":";
/// The largest baseline that is read: about half a million findings.
const MAX_BASELINE_BYTES: u64 = 64 << 20;

#[derive(Clone, Debug)]
pub struct Baseline {
    file: PathBuf,
    directory: PathBuf,
    /// In the order of the paths.
    known: Vec<KnownEntry>,
}

/// An entry as it is kept: a file may have half a million of them.
#[derive(Clone, Debug)]
struct KnownEntry {
    path: Box<str>,
    key: FindingKey,
    count: u64,
}

/// An entry as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineEntry<'b> {
    #[serde(borrow)]
    path: Cow<'b, str>,
    #[serde(borrow)]
    check: Cow<'b, str>,
    #[serde(borrow)]
    hash: Cow<'b, str>,
    count: u64,
    /// For people: the hash identifies the finding.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    uri: Option<Cow<'b, str>>,
}

/// The findings of a document to write.
#[derive(Clone, Debug, Default)]
pub struct BaselineFindings(BTreeMap<FindingKey, (u64, Option<String>)>);

impl BaselineFindings {
    pub fn from_document(document: &AuditedDocument) -> Self {
        let mut findings = Self::default();
        for located in document.findings() {
            let finding = &located.finding;
            let entry = findings.0.entry(FindingKey::from_finding(finding)).or_insert_with(|| {
                let shown =
                    finding.uri.as_deref().map(|uri| redact_text(&redact(uri)).into_owned());
                (0, shown)
            });
            entry.0 += 1;
        }
        findings
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    #[serde(deserialize_with = "entries")]
    findings: Vec<KnownEntry>,
}

/// Reads the entries one by one: only what is kept of each takes memory.
fn entries<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<KnownEntry>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<KnownEntry>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of findings")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(entry) = from.next_element::<BaselineEntry<'de>>()? {
                let key = FindingKey::new(entry.check, entry.hash);
                all.push(KnownEntry { path: entry.path.into(), key, count: entry.count });
            }
            Ok(all)
        }
    }
    from.deserialize_seq(Entries)
}

impl Baseline {
    pub fn empty(file: &Path) -> Self {
        Self { file: file.to_owned(), directory: paths::parent(file), known: Vec::new() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it can't be read, or is not a baseline; the message names the file.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let failed = |message: String| CliError::file(path, message);
        let bytes = read_regular(path, MAX_BASELINE_BYTES).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                failed(format!("{}; --write-baseline creates it", describe(&error)))
            }
            _ => failed(describe(&error)),
        })?;
        let file: BaselineFile = serde_json::from_slice(&bytes)
            .map_err(|error| failed(format!("not a baseline: {error}")))?;
        // Entries of another version can't be compared with the findings of this one.
        if file.version != VERSION {
            return Err(failed(format!(
                "baseline version {} is not supported; this urigrep reads version {VERSION}",
                file.version
            )));
        }
        let mut known = file.findings;
        known.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { known, ..Self::empty(path) })
    }

    pub fn known_findings(&self, path: &Path) -> KnownFindings {
        let name = self.name(path);
        let first = self.known.partition_point(|entry| *entry.path < *name);
        let entries = self.known.iter().skip(first).take_while(|entry| *entry.path == *name);
        let mut known = KnownFindings::default();
        entries.for_each(|entry| known.add(entry.key.clone(), entry.count));
        known
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    pub fn name_of(&self, input: &Input) -> String {
        self.name(input.path().unwrap_or(Path::new("-")))
    }

    fn name(&self, path: &Path) -> String {
        let path = paths::below(&self.directory, path).unwrap_or_else(|| paths::absolute(path));
        let names: Vec<_> = path
            .components()
            .map(|name| {
                let mut shown = Vec::new();
                // JSON has no bytes, and names need not be UTF-8. Escaping keeps different names
                // different.
                visible(name.as_os_str().as_encoded_bytes(), &mut shown);
                String::from_utf8_lossy(&shown).into_owned()
            })
            .collect();
        // A baseline is shared between systems, so it always has `/`. The root of an absolute path
        // is a component `/` of its own.
        names.join("/").replace("//", "/")
    }

    /// Replaces the findings in the file with these. Each entry is a line, in order, so that a diff
    /// of the file is readable.
    ///
    /// # Errors
    /// If it can't be written; the message names the file.
    pub fn write(&self, findings: &BTreeMap<String, BaselineFindings>) -> Result<u64, CliError> {
        let mut text = format!("{{\"version\":{VERSION},\"findings\":[").into_bytes();
        let mut sum = 0;
        let mut separator: &[u8] = b"\n";
        for (path, BaselineFindings(findings)) in findings {
            for (key, (count, uri)) in findings {
                let count = *count;
                let entry = BaselineEntry {
                    path: path.into(),
                    check: key.check().into(),
                    hash: key.hash().into(),
                    count,
                    uri: uri.as_deref().map(Cow::Borrowed),
                };
                text.extend_from_slice(separator);
                append(&entry, &mut text);
                separator = b",\n";
                sum += count;
            }
        }
        text.extend_from_slice(b"\n]}\n");
        self.check_replaceable()?;
        write_at_once(&self.file, &text)
            .map_err(|error| CliError::file(&self.file, error.to_string()))?;
        Ok(sum)
    }

    /// Checks that writing replaces nothing but a baseline. The path may come from the settings of
    /// a hostile tree, and a link there may lead to any file of the user.
    fn check_replaceable(&self) -> Result<(), CliError> {
        let Ok(target) = fs::canonicalize(&self.file) else {
            return Ok(());
        };
        let parent = paths::parent(&self.file);
        if !fs::canonicalize(parent).is_ok_and(|parent| target.starts_with(parent)) {
            return Err(CliError::file(
                &self.file,
                "it is a link to another directory, and was not written",
            ));
        }
        let mut start = [0; START.len()];
        // Opening a pipe would wait for a writer.
        let file = regular_metadata(&self.file).and_then(|_| File::open(&self.file));
        let length = file.and_then(|mut file| file.read(&mut start));
        match length {
            // An empty file holds nothing that could be lost.
            Ok(0) => Ok(()),
            Ok(_) if start == *START => Ok(()),
            _ => Err(CliError::file(
                &self.file,
                "it is not a baseline, and was not replaced; remove it, or name another file",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_file() {
        let baseline = Baseline::empty(Path::new("x/baseline.json"));
        assert_eq!(baseline.name(Path::new("x/a/../b.md")), "b.md");
        assert!(baseline.name(Path::new("y.md")).starts_with('/'));
        assert!(baseline.name(Path::new("y.md")).ends_with("/y.md"));
    }
}
