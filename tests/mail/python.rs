//! Python's `email` package as an independent reader: part by part, the text must be the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use urigrep::document::Role;
use urigrep::document::mail::Headers;
use urigrep::document::mbox::{self, Next, Rest};

use super::seen::Seen;

#[derive(Debug, Deserialize)]
struct Message {
    path: PathBuf,
    index: usize,
    parts: Vec<(String, String, String)>,
    defects: Vec<String>,
}

/// Where messages lie on this machine, and in the folder that `URIGREP_MAIL` names.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let add = |folder: &Path, files: &mut Vec<PathBuf>| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.extend(entries.map(|entry| entry.path()).filter(|path| path.is_file()));
    };
    if let Some(folder) = std::env::var_os("URIGREP_MAIL") {
        add(Path::new(&folder), &mut files);
    }
    let registries =
        std::fs::read_dir(home.join(".cargo/registry/src")).into_iter().flatten().flatten();
    for registry in registries {
        for crate_ in std::fs::read_dir(registry.path()).into_iter().flatten().flatten() {
            let name = crate_.file_name().to_string_lossy().into_owned();
            if name.starts_with("mail-parser-") {
                for folder in ["rfc", "thirdparty", "malformed", "exchange", "legacy"] {
                    add(&crate_.path().join("resources/eml").join(folder), &mut files);
                }
            } else if name.starts_with("mailparse-") {
                add(&crate_.path().join("tests/files"), &mut files);
            } else if name.starts_with("lettre-") {
                add(&crate_.path().join("testdata"), &mut files);
            }
        }
    }
    let versions = std::fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten().flatten();
    for version in versions {
        for library in std::fs::read_dir(version.path().join("lib")).into_iter().flatten().flatten()
        {
            add(&library.path().join("test/test_email/data"), &mut files);
        }
    }
    let is_message = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("eml" | "txt" | "mbox"))
    };
    files.retain(is_message);
    files.sort();
    files
}

/// What does not count: ends of lines, and white space there (RFC 2045 §6.7 rule 3).
fn normal(text: &str) -> String {
    let lines: Vec<&str> =
        text.split('\n').map(|line| line.trim_end_matches(['\r', ' ', '\t'])).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Files of which Python says something else, by the end of the path, and why.
const EXPLAINED: [(&str, &str); 8] = [
    (
        "malformed/003.eml",
        "one boundary for levels inside each other, so parts are numbered otherwise",
    ),
    ("malformed/013.eml", "the same"),
    ("rfc/008.eml", "a message in base64 is decoded here"),
    ("thirdparty/002.eml", "Python stops at a padding, here what follows is decoded"),
    ("thirdparty/003.eml", "a message in quoted-printable is decoded here"),
    ("files/nested.eml", "deeper than 64 levels"),
    ("data/msg_15.txt", "Python leaves base64 as it is where something is wrong"),
    ("data/msg_37.txt", "Python takes two delimiters in a row for one"),
];

#[test]
fn python_reads_the_same() {
    let files = files();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/email_reader.py");
    let output = match Command::new("python3").arg(script).args(&files).output() {
        Ok(output) if !files.is_empty() => output,
        _ => {
            eprintln!("SKIPPED: no Python or no messages on this machine; nothing was compared");
            return;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut read: BTreeMap<PathBuf, Vec<Message>> = BTreeMap::new();
    for line in output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let message: Message = serde_json::from_slice(line).expect("JSON");
        read.entry(message.path.clone()).or_default().push(message);
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for (path, messages) in &read {
        let data = std::fs::read(path).expect("the file");
        let ours = ours(&data);
        if ours.len() != messages.len() {
            wrong.push(format!(
                "{}: {} messages, Python has {}",
                path.display(),
                ours.len(),
                messages.len()
            ));
            continue;
        }
        for (message, seen) in messages.iter().zip(&ours) {
            for (number, kind, text) in &message.parts {
                // HTML is not given as it stands
                if kind == "text/html" {
                    continue;
                }
                compared += 1;
                let same = |given: &&super::seen::Given| {
                    given.number == *number && !given.is_header && given.role == Role::Text
                };
                let texts: Vec<String> = seen
                    .given
                    .iter()
                    .filter(same)
                    .map(|given| normal(&String::from_utf8_lossy(&given.text)))
                    .collect();
                let want = normal(text);
                let known = EXPLAINED.iter().any(|(end, _)| path.to_string_lossy().ends_with(end));
                if !known && !want.is_empty() && !texts.contains(&want) {
                    wrong.push(format!(
                        "{} message {} part {number} {kind} {:?}\n  want {:?}\n   got {:?}",
                        path.display(),
                        message.index,
                        message.defects,
                        cut(&want),
                        texts.iter().map(|text| cut(text)).collect::<Vec<_>>()
                    ));
                }
            }
        }
    }
    eprintln!("{compared} parts of {} files", read.len());
    assert!(compared > 0);
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}

fn ours(data: &[u8]) -> Vec<Seen> {
    if !mbox::is_mbox(data) {
        return vec![Seen::of(data, Headers::Text)];
    }
    let (mut from, mut all) = (0, Vec::new());
    while let Next::Message(message) = mbox::next(data, from, Rest::End) {
        let mut seen = Seen::default();
        let _ = message.read(data, &mut seen);
        all.push(seen);
        from = message.content.end();
    }
    all
}
