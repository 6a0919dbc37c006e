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

/// What is typed, and what is shown when Tab is pressed.
const COMPLETED: [[&str; 2]; 12] = [
    // flags, of verbs too
    ["urigrep --passt", "--passthru"],
    ["urigrep audit --list-", "--list-checks"],
    // verbs
    ["urigrep norm", "normalize"],
    // values, also after a comma
    ["urigrep --format sar", "sarif"],
    ["urigrep --scheme http,mailt", "http,mailto"],
    ["urigrep audit --check missing-target,undefined-ref", "missing-target,undefined-reference"],
    ["urigrep audit --site mdb", "mdbook"],
    ["urigrep audit --slugs github-sl", "github-slugger"],
    ["urigrep audit --severity warn", "warning"],
    ["urigrep -t markd", "markdown"],
    ["urigrep --limit unpac", "unpacked="],
    // files
    ["urigrep not", "notes.txt"],
];

#[test]
fn tab_completes_in_real_shells() {
    let press = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/press.py");
    let program = Path::new(env!("CARGO_BIN_EXE_urigrep")).parent().unwrap();
    let path = format!("{}:{}", program.display(), env::var("PATH").unwrap_or_default());
    for shell in &SHELLS {
        if !has("python3") || !has(shell.name) {
            eprintln!("SKIPPED: completions of {} need {0} and python3", shell.name);
            continue;
        }
        let dir = Dir::new();
        let script = pipe(["--generate", &format!("complete-{}", shell.name)], "");
        dir.file("notes.txt", "").file("completions", script.out());
        let output = Command::new("python3")
            // Nothing is written into the source tree.
            .arg("-B")
            .arg(&press)
            .args([shell.start, &shell.read.replace("SCRIPT", "completions")])
            .args(COMPLETED.as_flattened())
            .current_dir(dir.path())
            .env("PATH", &path)
            .env("HOME", dir.path())
            .output()
            .expect("python3 runs");
        let wrong = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {wrong}", shell.name);
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
