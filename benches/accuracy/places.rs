//! Labelled places of packages: `places/KIND.tsv` says where they are and what is wanted, and holds
//! nothing of them.
//!
//! A row has the package and its version, a file of it, a range of bytes, the checksum of what must
//! be there, and what is wanted, as ranges of that: `5-29`. A range that a checksum follows,
//! `5-60:…`, has a URI that is not written in one piece. `*` after them means that readers
//! disagree, and the place counts for nobody. A folder of sources has the files as `PACKAGE/FILE`,
//! `/` in the name of a package as `+`.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::checksum::checksum;
use crate::documents;
use crate::labels::{Document, Label, Origin};
use crate::peers;

/// Prints the tables of what is there, and what is wrong with the spans of `list`.
pub fn run(sources: &Path, list: Option<&str>) -> Result<(), String> {
    let mut found = Vec::new();
    let (mut absent, mut changed) = (0, 0);
    for (kind, row) in rows()? {
        let place =
            Place::parse(&kind, &row).ok_or_else(|| format!("{kind}.tsv: a wrong row: {row}"))?;
        match place.read(sources) {
            Read::Document(document) => found.push(document),
            Read::Absent => absent += 1,
            Read::Changed => changed += 1,
        }
    }
    if absent + changed > 0 {
        eprintln!(
            "accuracy: SKIPPED {absent} places whose files are absent, {changed} where another text is"
        );
    }
    let mut peers = peers::all();
    peers.insert(1, peers::as_files());
    documents::print(&found, &peers, list)
}

/// The rows of all tables, and the kind of each.
fn rows() -> Result<Vec<(String, String)>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/accuracy/places");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut tables: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "tsv")).collect();
    tables.sort();
    let mut rows = Vec::new();
    for path in tables {
        let kind = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        rows.extend(text.lines().map(|row| (kind.clone(), row.to_owned())));
    }
    Ok(rows)
}

struct Place<'r> {
    kind: &'r str,
    /// Below the folder of sources.
    path: PathBuf,
    bytes: Range<usize>,
    checksum: &'r str,
    /// Each with the checksum of its URI, where that is not what is written.
    wants: Vec<(Range<usize>, Option<&'r str>)>,
    is_disputed: bool,
}

enum Read {
    Document(Document),
    Absent,
    Changed,
}

impl<'r> Place<'r> {
    fn parse(kind: &'r str, row: &'r str) -> Option<Self> {
        let mut columns = row.split('\t');
        let (package, file) = (columns.next()?, columns.next()?);
        let bytes = columns.next()?.parse().ok()?..columns.next()?.parse().ok()?;
        let checksum = columns.next()?;
        let mut wants: Vec<_> = columns.next()?.split_whitespace().collect();
        let is_disputed = wants.last() == Some(&"*");
        wants.retain(|want| *want != "*");
        let parse = |want: &'r str| {
            let (span, uri) =
                want.split_once(':').map_or((want, None), |(span, uri)| (span, Some(uri)));
            let (start, end) = span.split_once('-')?;
            Some((start.parse().ok()?..end.parse().ok()?, uri))
        };
        let wants = wants.into_iter().map(parse).collect::<Option<Vec<_>>>()?;
        let path = Path::new(&package.replace('/', "+")).join(file.trim_start_matches('/'));
        Some(Self { kind, path, bytes, checksum, wants, is_disputed })
    }

    fn read(self, sources: &Path) -> Read {
        let Ok(file) = fs::read(sources.join(&self.path)) else {
            return Read::Absent;
        };
        let text = file.get(self.bytes.clone()).unwrap_or_default();
        let text = match std::str::from_utf8(text) {
            Ok(text) if checksum(text.as_bytes()) == self.checksum => text.to_owned(),
            _ => return Read::Changed,
        };
        let label = |(span, uri): (Range<usize>, Option<&str>)| {
            let uri = uri.or_else(|| text.get(span.clone())).unwrap_or_default().to_owned();
            Label { span, uri }
        };
        let (labels, disputed) = if self.is_disputed {
            (Vec::new(), std::iter::once(0..text.len()).collect())
        } else {
            (self.wants.into_iter().map(label).collect(), Vec::new())
        };
        let kind = self.kind.to_owned();
        Read::Document(Document {
            path: self.path,
            kind,
            origin: Origin::Package,
            labels,
            disputed,
            text,
        })
    }
}
