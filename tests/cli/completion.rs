//! Completions, by pressing Tab under a pseudoterminal in real shells.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::support::{Dir, has, pipe};

/// How a shell is started, and how it reads a script of completions.
struct Shell {
    name: &'static str,
    start: &'static str,
    read: &'static str,
}

const SHELLS: [Shell; 4] = [
    Shell { name: "bash", start: "bash --noprofile --norc -i", read: "source SCRIPT" },
    Shell {
        name: "zsh",
        start: "zsh -f -i",
        read: "autoload -U compinit && compinit -u -D && source SCRIPT",
    },
    Shell { name: "fish", start: "fish --no-config -i", read: "source SCRIPT" },
    Shell { name: "elvish", start: "elvish -norc", read: "eval (slurp < SCRIPT)" },
];

/// What a shell shows after a command line and Tab; `None` where the shell is not installed.
fn pressed(dir: &Dir, shell: &Shell, typed: &str) -> Option<String> {
    if !has("python3") || !has(shell.name) {
        eprintln!("SKIPPED: completions of {} need {0} and python3", shell.name);
        return None;
    }
    let script = pipe(["--generate", &format!("complete-{}", shell.name)], "");
    dir.file("completions", script.out());
    let press = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/press.py");
    let program = Path::new(env!("CARGO_BIN_EXE_urigrep")).parent().unwrap();
    let path = format!("{}:{}", program.display(), env::var("PATH").unwrap_or_default());
    let setup = shell.read.replace("SCRIPT", "completions");
    let output = Command::new("python3")
        // Nothing is written into the source tree.
        .arg("-B")
        .arg(press)
        .args([shell.start, &setup, typed])
        .current_dir(dir.path())
        .env("PATH", path)
        .env("HOME", dir.path())
        .output()
        .expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What is shown, without the sequences that move the cursor and set colours.
fn plain(shown: &str) -> String {
    let mut plain = String::new();
    let mut rest = shown;
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = match rest.chars().next() {
            Some('[') => {
                rest.find(|c: char| c.is_ascii_alphabetic() || c == '~').map(|end| end + 1)
            }
            Some(']') => rest.find(['\u{7}', '\\']).map(|end| end + 1),
            _ => Some(1),
        };
        rest = rest.get(end.unwrap_or(rest.len())..).unwrap_or_default();
    }
    plain + rest
}

#[test]
fn tab_completes_in_real_shells() {
    let dir = Dir::new();
    dir.file("notes.txt", "");
    for shell in &SHELLS {
        for (typed, expected) in [
            // flags, of verbs too
            ("urigrep --passt", "--passthru"),
            ("urigrep audit --list-", "--list-checks"),
            // verbs
            ("urigrep norm", "normalize"),
            // values, also after a comma
            ("urigrep --format sar", "sarif"),
            ("urigrep --scheme http,mailt", "http,mailto"),
            (
                "urigrep audit --check missing-target,undefined-ref",
                "missing-target,undefined-reference",
            ),
            ("urigrep audit --site mdb", "mdbook"),
            ("urigrep audit --slugs github-sl", "github-slugger"),
            ("urigrep audit --severity warn", "warning"),
            ("urigrep -t markd", "markdown"),
            ("urigrep --limit unpac", "unpacked="),
            // files
            ("urigrep not", "notes.txt"),
        ] {
            let Some(shown) = pressed(&dir, shell, typed) else { break };
            let shown = plain(&shown);
            let rest = expected.rsplit(',').next().unwrap_or(expected);
            let is_shown = shown.contains(expected)
                // A shell may print only what is missing.
                || shown.replace([' ', '\r', '\n', '\u{8}'], "").contains(&rest.replace(' ', ""));
            assert!(is_shown, "{}: {typed:?} shows {shown:?}", shell.name);
        }
    }
}

/// What the shells ask, without a shell.
#[test]
fn answers_to_shells() {
    let ask = |words: &[&str]| {
        let mut command = crate::support::command(std::iter::once(&"--").chain(words));
        let ran =
            crate::support::finish(crate::support::spawn(command.env("URIGREP_COMPLETE", "fish")));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let lines =
            ran.out().lines().map(|line| line.split('\t').next().unwrap_or(line).to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(ask(&["urigrep", "--scheme", "!mailt"]), ["!mailto"]);
    assert!(ask(&["urigrep", "--kind", "uri,"]).contains(&"uri,email".to_owned()));
    assert!(ask(&["urigrep", "--limit", ""]).contains(&"depth=".to_owned()));
    assert!(
        ask(&["urigrep", "audit", "--check", "-missing-t"]).contains(&"-missing-target".to_owned())
    );
    assert!(ask(&["urigrep", "--host-type", "ipv"]).contains(&"ipv6".to_owned()));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell", "nushell"] {
        let script = pipe(["--generate", &format!("complete-{shell}")], "");
        assert!(script.out().contains("URIGREP_COMPLETE"), "{shell}: {script:?}");
    }
}
