//! The destinations of the HTML files of this machine, by this reader and by Python's.
//!
//! `URIGREP_HTML_TREES` names other trees (`a:b`), and `URIGREP_HTML_FILES` how many files of each
//! are read at most. Differences are explained, or the test fails.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use urigrep::document::{Content, Role};

use super::support::{Keep, read};

/// A destination: element, attribute, value.
type Row = (String, String, String);

fn ours(document: &[u8]) -> Vec<Row> {
    let kept = read(document, Keep::Parts).parts;
    let is_one = |attribute: &str| {
        // those that hold several, or text around one, are not in the script
        !matches!(attribute, "srcset" | "imagesrcset" | "ping" | "profile" | "archive" | "content")
    };
    let own = kept
        .iter()
        .filter(|part| part.content == Content::Reference && part.role == Role::Destination);
    own.filter_map(|part| {
        let (element, attribute) = (part.element.clone()?, part.attribute.clone()?);
        let value = String::from_utf8_lossy(part.text.trim_ascii()).into_owned();
        let style = matches!(
            attribute.as_str(),
            "style" | "fill" | "stroke" | "filter" | "mask" | "cursor"
        ) || attribute.starts_with("marker")
            || attribute == "clip-path";
        (is_one(&attribute) && !style && element != "xml-stylesheet")
            .then_some((element, attribute, value))
    })
    .collect()
}

/// Why Python may find more in a file.
fn explained(document: &[u8], extra: &[Row]) -> Option<&'static str> {
    let opens = |name: &[u8]| memchr::memmem::find(document, name).is_some();
    let text_only = opens(b"<textarea") || opens(b"<title") || opens(b"<iframe") || opens(b"<xmp");
    (extra.is_empty() && text_only)
        .then_some("a tag in title, textarea, iframe or xmp, which is text by the standard")
}

fn trees() -> Vec<PathBuf> {
    if let Some(list) = env::var_os("URIGREP_HTML_TREES") {
        return env::split_paths(&list).collect();
    }
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    vec![home.join(".cargo/registry/src"), PathBuf::from("/usr/share/doc")]
}

/// Up to `limit` files of HTML below `root`, evenly picked.
fn files(root: &Path, limit: usize) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let is_html = path.extension().is_some_and(|e| e == "html" || e == "htm" || e == "svg");
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && is_html && path.to_str().is_some_and(|p| !p.contains('\n'))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    let step = found.len().div_ceil(limit.max(1)).max(1);
    found.into_iter().step_by(step).collect()
}

fn theirs(files: &[PathBuf]) -> Option<BTreeMap<PathBuf, Option<Vec<Row>>>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/html/html_parser.py");
    let mut child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let names: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(names.as_bytes()));
    let output = child.wait_with_output().expect("the script runs");
    writer.join().expect("no panic").expect("the script reads its input");
    assert!(output.status.success(), "the script fails");
    let rows = String::from_utf8(output.stdout).expect("JSON");
    let parse =
        |line: &str| -> (PathBuf, Option<Vec<Row>>) { serde_json::from_str(line).expect("a row") };
    Some(rows.lines().map(parse).collect())
}

/// What is in `these` and not in `those`, as often as it is.
fn without(these: &[Row], those: &[Row]) -> Vec<Row> {
    let mut counts: BTreeMap<&Row, usize> = BTreeMap::new();
    for row in those {
        *counts.entry(row).or_default() += 1;
    }
    let left = these.iter().filter(|row| match counts.get_mut(row) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    left.cloned().collect()
}

#[test]
fn destinations_are_those_of_python() {
    let limit = env::var("URIGREP_HTML_FILES").ok().and_then(|n| n.parse().ok());
    let mut picked: Vec<PathBuf> = Vec::new();
    for tree in trees() {
        let found = files(&tree, limit.unwrap_or(200));
        if found.is_empty() {
            eprintln!("SKIPPED {}: no HTML there", tree.display());
        }
        picked.extend(found);
    }
    if picked.is_empty() {
        return;
    }
    let Some(theirs) = theirs(&picked) else {
        eprintln!("SKIPPED: no python3");
        return;
    };
    let (mut total, mut report, mut reasons) = (0, String::new(), BTreeMap::new());
    for path in &picked {
        let document = fs::read(path).expect("a readable file");
        let ours = ours(&document);
        total += ours.len();
        let Some(theirs) = &theirs[path] else {
            *reasons.entry("Python's parser gives up").or_insert(0) += ours.len();
            continue;
        };
        let (missing, extra) = (without(theirs, &ours), without(&ours, theirs));
        if missing.is_empty() && extra.is_empty() {
            continue;
        }
        match explained(&document, &extra) {
            Some(reason) => *reasons.entry(reason).or_insert(0) += missing.len() + extra.len(),
            None => {
                let show = |rows: &[Row]| format!("{:?}", rows.iter().take(3).collect::<Vec<_>>());
                report += &format!(
                    "{}\n  missing {}\n  extra {}\n",
                    path.display(),
                    show(&missing),
                    show(&extra)
                );
            }
        }
    }
    println!("{total} destinations in {} files; explained: {reasons:?}", picked.len());
    assert!(total > 0, "no destination was read");
    assert!(report.is_empty(), "unlike Python:\n{report}");
}
