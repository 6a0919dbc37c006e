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

#[test]
fn manual_page() {
    let page = made("man");
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "\"EXIT STATUS\"", "EXAMPLES"] {
        assert!(page.contains(&format!(".SH {section}\n")), "{section}");
    }
    for verb in ["parse", "resolve", "normalize", "compare", "registry"] {
        assert!(page.contains(&format!(".SS \"urigrep {verb} ")), "{verb}");
    }
    passes("groff", &["-man", "-Tutf8", "-ww"], "urigrep.1", &page);
    passes("mandoc", &["-T", "lint", "-W", "error"], "urigrep.1", &page);
}

#[test]
fn alone() {
    let ran = pipe(["--generate", "man", "--json"], "");
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    let ran = pipe(["--generate", "docs"], "");
    assert!(ran.stderr.contains("complete-powershell"), "{}", ran.stderr);
}
