//! `--generate`: what it makes is what shells and `man` take.

use std::process::Command;

use crate::support::{Dir, has, pipe};

fn made(what: &str) -> String {
    let ran = pipe(["--generate", what], "");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let text = ran.out().to_owned();
    if what == "man" {
        for flag in ["format", "redact", "template", "rejoin"] {
            assert!(text.contains(&format!("\\-\\-{flag}")), "{what} lacks {flag}");
        }
    }
    text
}

fn passes(program: &str, args: &[&str], file: &str, text: &str) {
    if !has(program) {
        return;
    }
    let dir = Dir::new();
    dir.file(file, text);
    let output = Command::new(program)
        .args(args)
        .arg(file)
        .current_dir(dir.path())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{program}: {said}");
}

#[test]
fn completions() {
    passes("bash", &["-n"], "urigrep.bash", &made("complete-bash"));
    passes("zsh", &["-n"], "_urigrep", &made("complete-zsh"));
    passes("fish", &["--no-execute"], "urigrep.fish", &made("complete-fish"));
    assert!(made("complete-powershell").contains("Register-ArgumentCompleter"));
}

const VERBS: [&str; 9] =
    ["parse", "resolve", "normalize", "compare", "audit", "diff", "replace", "registry", "rule"];

#[test]
fn manual_pages() {
    let page = made("man");
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "VERBS"] {
        assert!(page.contains(&format!(".SH {section}\n")), "{section}");
    }
    let names = VERBS.iter().map(|verb| format!("man-{verb}"));
    let mut pages: Vec<String> = std::iter::once("man".to_owned()).chain(names).collect();
    if cfg!(feature = "lsp") {
        pages.push("man-lsp".to_owned());
    }
    for what in &pages {
        let page = if what == "man" {
            page.clone()
        } else {
            pipe(["--generate", what], "").out().to_owned()
        };
        for section in ["ENVIRONMENT", "FILES", "\"EXIT STATUS\"", "EXAMPLES", "\"SEE ALSO\""] {
            assert_eq!(page.matches(&format!(".SH {section}\n")).count(), 1, "{what}: {section}");
        }
        let see_also = page.rsplit("SEE ALSO").next().unwrap_or_default();
        assert_eq!(see_also.matches("(1)").count(), pages.len() - 1, "{what}");
        passes("groff", &["-man", "-Tutf8", "-ww"], "urigrep.1", &page);
        passes("mandoc", &["-T", "lint", "-W", "error"], "urigrep.1", &page);
    }
}

/// The examples of help and manual pages have flags that exist, with valid values.
#[test]
fn examples_of_pages_are_commands() {
    let mut count = 0;
    for verb in [""].iter().chain(&VERBS) {
        let args: Vec<_> = [*verb, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let help = pipe(args, "");
        let (_, examples) = help.out().split_once("Examples:\n").expect("examples");
        for line in examples.lines().filter(|line| line.contains("urigrep")) {
            // What an example is for stands behind two spaces.
            let example = line.trim_start().split("  ").next().unwrap_or_default();
            let (_, words) = example.split_once("urigrep").expect("a command");
            let dir = Dir::new();
            let line = format!("printf '' | {} {words}", env!("CARGO_BIN_EXE_urigrep"));
            let ran = Command::new("sh").arg("-c").arg(line).current_dir(dir.path()).output();
            let said = String::from_utf8_lossy(&ran.expect("a shell").stderr).into_owned();
            let is_usage =
                ["is missing", "unexpected", "unknown", "invalid value", "cannot be used"];
            assert!(!is_usage.iter().any(|word| said.contains(word)), "{example}: {said}");
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn alone() {
    let ran = pipe(["--generate", "man", "--json"], "");
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    let ran = pipe(["--generate", "docs"], "");
    assert!(ran.stderr.contains("complete-powershell"), "{}", ran.stderr);
}
