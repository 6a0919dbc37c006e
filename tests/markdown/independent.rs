//! Destinations as an independent reader sees them: `markdown_reader.py`, by markdown-it-py.
//!
//! Skipped where that is not installed; `URIGREP_PYTHON` names the interpreter that has it. One
//! file of [`EVERY`] is read, all with `URIGREP_ALL`. Each difference must be of a kind that
//! [`Difference::explain`] knows.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use urigrep::document::Format;

use super::parts::{Given, read};

/// All take minutes.
const EVERY: usize = 16;

type Destinations = BTreeMap<String, Vec<String>>;

fn python() -> Option<PathBuf> {
    let named = std::env::var_os("URIGREP_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| "python3".into());
    let modules = "import markdown_it, mdit_py_plugins";
    let status = Command::new(&python).args(["-c", modules]).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success()).then_some(python)
}

/// Every Markdown file of the sources in cargo's registry.
fn files() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let (mut found, mut dirs) =
        (Vec::new(), Vec::from_iter(home.map(|it| it.join("registry/src"))));
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                dirs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    let every = if std::env::var_os("URIGREP_ALL").is_some() { 1 } else { EVERY };
    found.into_iter().step_by(every).collect()
}

fn destinations(parts: &[Given]) -> Destinations {
    let mut found = Destinations::new();
    for kind in ["link", "image", "autolink", "definition"] {
        found.insert(kind.into(), Vec::new());
    }
    for part in parts {
        if part.role == "destination"
            && let Some(list) = found.get_mut(&part.element)
        {
            list.push(String::from_utf8_lossy(&part.text).into_owned());
        }
    }
    found
}

/// A destination that is in one list more often than in the other.
struct Difference<'d> {
    destination: &'d str,
    kind: &'d str,
    /// How often we have it more than they.
    more: i64,
}

impl Difference<'_> {
    /// Why both are right.
    fn explain(&self, parts: &[Given], document: &str) -> Option<&'static str> {
        let holds = |part: &Given| String::from_utf8_lossy(&part.text).contains(self.destination);
        if self.more < 0 && parts.iter().any(|part| part.role == "metadata" && holds(part)) {
            return Some("front matter, which is a thematic break and a heading to CommonMark");
        }
        if self.more < 0
            && parts.iter().any(|part| part.role == "code" && holds(part))
            && document.contains('$')
        {
            return Some("formula, which is text to CommonMark");
        }
        if self.more > 0 && document.lines().any(|line| line.trim_start().starts_with(": ")) {
            return Some("definition list, which is indented code to CommonMark");
        }
        None
    }
}

fn differences<'d>(ours: &'d Destinations, theirs: &'d Destinations) -> Vec<Difference<'d>> {
    let mut found = Vec::new();
    for (kind, theirs) in theirs {
        let mut count: BTreeMap<&str, i64> = BTreeMap::new();
        for destination in ours.get(kind).into_iter().flatten() {
            *count.entry(destination).or_default() += 1;
        }
        // an empty one is no part
        for destination in theirs.iter().filter(|it| !it.is_empty()) {
            *count.entry(destination).or_default() -= 1;
        }
        for (destination, count) in count.into_iter().filter(|&(_, count)| count != 0) {
            found.push(Difference { destination, kind, more: count });
        }
    }
    found
}

#[test]
fn destinations_are_those_of_markdown_it() {
    let Some(python) = python() else {
        eprintln!("SKIPPED: no Python with markdown-it-py and mdit-py-plugins (URIGREP_PYTHON)");
        return;
    };
    let files = files();
    if files.is_empty() {
        eprintln!("SKIPPED: no Markdown in cargo's registry");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/markdown/markdown_reader.py");
    let list: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the interpreter runs");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(list.as_bytes()));
    let output = child.wait_with_output().expect("the reader runs");
    writer.join().expect("no panic").expect("the reader takes all paths");
    assert!(output.status.success(), "the reader failed");
    let lines = String::from_utf8(output.stdout).expect("JSON in UTF-8");
    assert_eq!(lines.lines().count(), files.len());

    let (mut total, mut explained, mut report) = (0, BTreeMap::new(), String::new());
    for (path, line) in files.iter().zip(lines.lines()) {
        let theirs: Destinations = serde_json::from_str(line).expect("an object of lists");
        total += theirs.values().map(Vec::len).sum::<usize>();
        let bytes = fs::read(path).expect("a readable file");
        let parts = read(Format::MARKDOWN, &bytes);
        let ours = destinations(&parts);
        for difference in differences(&ours, &theirs) {
            match difference.explain(&parts, &String::from_utf8_lossy(&bytes)) {
                Some(why) => *explained.entry(why).or_insert(0) += difference.more.abs(),
                None => {
                    report += &format!(
                        "{}: {:+} {} {:?}\n",
                        path.display(),
                        difference.more,
                        difference.kind,
                        difference.destination
                    );
                }
            }
        }
    }
    eprintln!("{total} destinations in {} files; explained: {explained:?}", files.len());
    assert!(total > 0, "no destination");
    assert!(report.is_empty(), "{report}");
}
