//! The labelled documents and their tables.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One URI of a document, as its table has it.
#[derive(Clone, Debug)]
pub struct Label {
    pub span: Range<usize>,
    pub uri: String,
}

/// Where a document is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `corpus/documents`, with which urigrep was tested.
    Corpus,
    /// `benches/accuracy/documents`, which no rule was tuned on.
    Apart,
    /// A package, of which only the place is in this repository.
    Package,
}

/// A labelled document.
#[derive(Debug)]
pub struct Document {
    /// Relative to the project.
    pub path: PathBuf,
    /// What kind of text it is.
    pub kind: String,
    pub origin: Origin,
    pub text: String,
    pub labels: Vec<Label>,
    /// Where readers disagree.
    pub disputed: Vec<Range<usize>>,
}

impl Document {
    /// The name of the file, which says what format it is in.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The text of a span; for a span that is none, an empty one.
    pub fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// True when the label has `scheme://` and stands in one line.
    pub fn is_plain(&self, label: &Label) -> bool {
        let text = self.slice(&label.span);
        has_slashes(text) && !text.contains('\n')
    }
}

/// True when the spans have a byte in common.
pub fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// True for `scheme://…`, also as JSON writes it.
pub fn has_slashes(text: &str) -> bool {
    let scheme = text.split(':').next().unwrap_or_default();
    let rest = text.get(scheme.len() + 1..).unwrap_or_default();
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    scheme.chars().all(is_scheme) && (rest.starts_with("//") || rest.starts_with("\\/\\/"))
}

const FOLDERS: [(&str, Origin); 2] =
    [("corpus/documents", Origin::Corpus), ("benches/accuracy/documents", Origin::Apart)];

/// All of them, by kind.
pub fn load() -> Result<Vec<Document>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let extra = root.join("benches/accuracy/documents");
    let kinds = read(&extra.join("kinds.tsv"))?;
    let mut documents = Vec::new();
    for (folder, origin) in FOLDERS {
        for name in names(&root.join(folder))? {
            let path = Path::new(folder).join(&name);
            let key = if origin == Origin::Apart { name.clone() } else { format!("corpus/{name}") };
            let kind = kinds
                .lines()
                .filter_map(|line| line.split_once('\t'))
                .find(|(of, _)| *of == key)
                .ok_or_else(|| format!("kinds.tsv says nothing about {key}"))?
                .1;
            let text = read(&root.join(&path))?;
            let mut labels = table(&root.join(format!("{}.labels.tsv", path.display())), &text)?;
            let disputed = extra.join(format!("{key}.disputed.tsv"));
            let disputed = if disputed.exists() { spans(&disputed, &text)? } else { Vec::new() };
            labels.retain(|label| !disputed.iter().any(|out| overlap(out, &label.span)));
            let document = Document { labels, disputed, kind: kind.to_owned(), path, origin, text };
            documents.push(document);
        }
    }
    documents.sort_by(|a, b| (&a.kind, &a.path).cmp(&(&b.kind, &b.path)));
    Ok(documents)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The names of the documents in `folder`, which are the files with a table.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".labels.tsv")?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// `start, end, line, kind, uri`, checked against the text.
fn table(path: &Path, text: &str) -> Result<Vec<Label>, String> {
    let mut labels: Vec<Label> = Vec::new();
    for row in read(path)?.lines() {
        let label = (|| {
            let mut columns = row.split('\t');
            let span = columns.next()?.parse().ok()?..columns.next()?.parse().ok()?;
            let line: usize = columns.next()?.parse().ok()?;
            let uri = columns.nth(1)?.to_owned();
            let before = text.get(..span.start)?;
            let apart = labels.last().is_none_or(|last| last.span.end <= span.start);
            let right = apart && span.start < span.end && before.matches('\n').count() + 1 == line;
            (right && text.get(span.clone()).is_some()).then_some(Label { span, uri })
        })();
        labels.push(label.ok_or_else(|| format!("{}: a wrong row: {row}", path.display()))?);
    }
    Ok(labels)
}

/// `start, end` and what readers disagree about.
fn spans(path: &Path, text: &str) -> Result<Vec<Range<usize>>, String> {
    let wrong = |row: &str| format!("{}: a wrong row: {row}", path.display());
    let span = |row: &str| -> Option<Range<usize>> {
        let mut columns = row.split('\t');
        let span = columns.next()?.parse().ok()?..columns.next()?.parse().ok()?;
        text.get(span.clone())?;
        Some(span)
    };
    let rows = read(path)?;
    let rows = rows.lines().filter(|row| !row.is_empty());
    rows.map(|row| span(row).ok_or_else(|| wrong(row))).collect()
}
