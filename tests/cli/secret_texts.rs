//! `replace --redact` shows no secret of a text, wherever it stands
//! (corpus/names/secret-texts.tsv).

use super::planted::{CAPITAL, DIGITS, SMALL, Vault, assert_hidden};
use crate::cases::cases;
use crate::support::{Dir, pipe};
use crate::tsv::{root, rows, unescape};

/// Texts that are changed together: a few, because a quotation mark may open what another closes.
const TOGETHER: usize = 20;

fn token(vault: &mut Vault, kind: usize) -> String {
    let alphanumeric = format!("{SMALL}{CAPITAL}{DIGITS}");
    let capital = format!("{CAPITAL}{DIGITS}");
    let (prefix, alphabet, length) = [
        ("ghp_", &alphanumeric, 36),
        ("AKIA", &capital, 16),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", &alphanumeric, 40),
        ("glpat-", &alphanumeric, 20),
    ][kind % 4];
    // Some consist of letters only, which is no token.
    match length {
        16 => format!("{prefix}{}", vault.of(alphabet, length)),
        _ => format!("{prefix}{}", vault.any(length)),
    }
}

/// A password of letters and digits; a long one makes a long word, which is shortened.
fn password(vault: &mut Vault, kind: usize) -> String {
    let length = [10, 20, 180][kind % 3];
    match length {
        10 => {
            let before = vault.secrets.len();
            let parts = [(SMALL, 3), (DIGITS, 2), (SMALL, 4), (DIGITS, 2)];
            let password = parts.map(|(letters, length)| vault.of(letters, length)).concat();
            vault.secrets.truncate(before);
            vault.secrets.push(password.clone());
            password
        }
        _ => vault.any(length),
    }
}

#[test]
fn no_secret_stays_in_a_text() {
    let rows = rows(&root().join("corpus/names/secret-texts.tsv"), 1);
    for seed in 0..cases(1) {
        let mut vault = Vault { state: u64::from(seed) + 3, secrets: Vec::new() };
        let mut kind = seed as usize;
        let mut texts = Vec::new();
        for _ in 0..3 {
            for row in &rows {
                let mut text = unescape(&row[0]);
                kind += 1;
                while text.contains("{T}") {
                    text = text.replacen("{T}", &token(&mut vault, kind), 1);
                }
                while text.contains("{P}") {
                    text = text.replacen("{P}", &password(&mut vault, kind), 1);
                }
                texts.push(text);
            }
        }
        let dir = Dir::new();
        for texts in texts.chunks(TOGETHER) {
            let text = texts.join("\n\n") + "\n";
            let ran = pipe(["replace", "--redact"], &text);
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            assert_hidden(&vault, &ran, &"standard input");
            assert_hidden(&vault, &pipe(["replace", "--redact", "--json"], &text), &"records");
            dir.file("a.txt", &text);
            let written = dir.run(["replace", "--redact", "-w", "a.txt"]);
            assert_eq!(written.status, Some(0), "{}", written.stderr);
            assert_eq!(std::fs::read(dir.join("a.txt")).expect("a file"), ran.stdout);
        }
    }
}

/// The records of words and URIs come in the order of the text.
#[test]
fn records_are_in_order() {
    let line = "token=c0ffee1234abcd https://joe:hunter2x@a.example/ password: hunter2x3\n";
    let ran = pipe(["replace", "--redact", "--json"], line.repeat(3));
    let start = |line: &str| {
        let record: serde_json::Value = serde_json::from_str(line).expect("an object");
        record["start"].as_u64().expect("an offset")
    };
    let starts: Vec<u64> = ran.out().lines().map(start).collect();
    assert_eq!(starts.len(), 9);
    assert!(starts.is_sorted(), "{starts:?}");
}

/// A document of markup that would be read differently loses its secrets all the same, and keeps
/// words that may be ordinary ones.
#[test]
fn markup_keeps_no_secret() {
    let dir = Dir::new();
    let token = ["gh", "p_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2"].concat();
    dir.file("a.md", format!("[{token}](https://joe:hunter2x@a.example/) \\\"{token}\\\"\n"));
    dir.file(
        "a.html",
        format!("<p title='{token}'><code>f(x)</code><a accesskey=\"n\">{token}</a>"),
    );
    let ran = dir.run(["replace", "--redact", "-w", "a.md", "a.html"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect("a file");
    assert_eq!(read("a.md"), "[REDACTED](https://REDACTED@a.example/) \\\"REDACTED\\\"\n");
    assert_eq!(
        read("a.html"),
        "<p title='REDACTED'><code>f(x)</code><a accesskey=\"n\">REDACTED</a>"
    );
}
