//! Exit statuses, wrong flags, help.

use crate::support::{Dir, pipe};

const A: &str = "see http://a.example/1.\n";

#[test]
fn match_none_error() {
    let dir = Dir::new();
    dir.file("yes", A).file("no", "nothing");
    dir.run(["yes"]).is(0, "http://a.example/1\n");
    dir.run(["no"]).is(1, "");
    let ran = dir.run(["yes", "missing.txt"]);
    assert_eq!((ran.status, ran.out()), (Some(2), "yes:1:http://a.example/1\n"));
    assert_eq!(ran.stderr, "urigrep: missing.txt: No such file or directory\n");
}

#[test]
fn quiet_is_0_at_the_first_match() {
    let dir = Dir::new();
    dir.file("yes", A).file("no", "nothing");
    dir.run(["-q", "yes"]).is(0, "");
    dir.run(["-q", "no"]).is(1, "");
    dir.run(["-q", "--json", "yes"]).is(0, "");
    let ran = dir.run(["-q", "missing.txt", "yes"]);
    assert_eq!((ran.status, ran.out()), (Some(0), ""));
    assert_eq!(dir.run(["-q", "missing.txt", "no"]).status, Some(2));
}

#[test]
fn wrong_flags_name_the_right_ones() {
    for (args, said) in [
        (&["--no-such-flag"][..], "--no-such-flag"),
        (&["--colum"], "--column"),
        (&["--kind", "url"], "uri, iri, lax, urn"),
        (&["--kind", "uri,url"], "uri, iri, lax, urn"),
        (&["--rejoin", "maybe"], "never, wrapped, hyphen, always"),
        (&["--format", "xml"], "text, json"),
        (&["--sort", "size"], "none, path"),
        (&["--color", "yes"], "auto, never, always, ansi"),
        (&["--scheme", "ht tp"], "a scheme is a letter"),
        (&["--scheme", "http,,ftp"], "a scheme is a letter"),
        (&["--nid=-x"], "2 to 32"),
        (&["--nid", "a"], "2 to 32"),
        (&["--host", "[a"], "--host"),
        (&["-e", "a("], "unclosed group"),
        (&["-i"], "--regexp"),
        (&["-v"], "--regexp"),
        (&["--max-uri", "0"], "1 byte"),
        (&["--max-filesize", "big"], "512K"),
        (&["-m", "x"], "--max-count"),
        (&["-j", "-1"], "-1"),
        (&["-t", "nosuchtype"], "--type-list"),
        (&["-g", "{a"], "--glob"),
        (&["-uuuu"], "-uuu"),
        (&["--hyperlink-format", "foo"], "vscode"),
        (&["--template", "a", "-c"], "--count"),
        (&["--template", "a", "-l"], "--files-with-matches"),
        (&["--format", "sarif", "--files-without-match"], "--files-without-match"),
        (&["--invalid", "--kind", "uri"], "--kind"),
    ] {
        let ran = pipe(args, "http://a.example/");
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn later_flags_win() {
    let ran = pipe(["-n", "-N", "-n", "--no-line-number"], A);
    ran.is(0, "http://a.example/1\n");
    pipe(["-N", "-n"], A).is(0, "1:http://a.example/1\n");
    pipe(["-c", "-l", "-c"], A).is(0, "1\n");
    pipe(["--json", "--format", "text"], A).is(0, "http://a.example/1\n");
    pipe(["--max-uri", "2", "--max-uri", "1M", "-o", "-o"], A).is(0, "http://a.example/1\n");
}

#[test]
fn hint_for_users_of_grep() {
    let dir = Dir::new();
    dir.file("a", A);
    for pattern in ["https?://", "example", "example.com"] {
        let ran = dir.run([pattern, "a"]);
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains("-e"), "{pattern}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1);
    }
    assert!(!dir.run(["docs/missing.md", "a"]).stderr.contains("-e"));
    assert!(!dir.run(["a", "https?://"]).stderr.contains("-e"));
}

#[test]
fn help_and_version() {
    let short = pipe(["-h"], "");
    let long = pipe(["--help"], "");
    assert_eq!((short.status, long.status), (Some(0), Some(0)));
    assert!(long.stdout.len() > short.stdout.len());
    for heading in ["Output:", "Selection:", "Recognition:", "Files:"] {
        assert!(long.out().contains(heading), "{heading}");
    }
    for heading in ["Select", "Print", "Files", "Verbs"] {
        assert!(short.out().contains(heading), "{heading}");
    }
    assert!(long.out().contains("Exit status:"));
    let version = pipe(["-V"], "");
    version.is(0, concat!("urigrep ", env!("CARGO_PKG_VERSION"), "\n"));
    assert!(pipe(["--type-list"], "").out().contains("markdown: "));
}
