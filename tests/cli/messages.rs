//! What a command line that is wrong, or cannot do what it asks for, is told.

use crate::support::{Dir, pipe};

const TEXT: &str = "http://a.example/x\n";

/// A command line that fails with one line, which says this.
#[track_caller]
fn told(args: &[&str], said: &str) {
    let ran = pipe(args, TEXT);
    assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    assert!(ran.stderr.starts_with("urigrep: "), "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{args:?}: {}", ran.stderr);
}

#[test]
fn a_selection_that_nothing_can_match() {
    for (args, said) in [
        (&["--host", ""][..], "not empty"),
        (&["--host", "!"], "not empty"),
        (&["--domain", ""], "a domain is a name"),
        (&["--domain", "a.example/x"], "a domain is a name"),
        (&["--scheme", ""], "a scheme is a letter"),
        (&["--port", ""], "a port is a number"),
        (&["--at", ""], "the glob is empty"),
        (&["--from", ""], "the glob is empty"),
        (&["--date", "2024..2023"], "the earlier first"),
        (&["--date", "2024-05-02..2024-04"], "the earlier first"),
        (&["--date", "2024", "--mail", "never"], "--date needs mail"),
        (&["--from", "*", "--mail", "never"], "--from needs mail"),
        (&["--port", "80,!80"], "--port excludes everything"),
        (&["--flag", "bidi,!bidi"], "--flag excludes everything"),
        (&["--kind", "urn", "--port", "80"], "have no host"),
        (&["--kind", "urn", "--host-type", "ipv4"], "have no host"),
        (&["--role", "code", "--markup", "never", "--mail", "never"], "everything is text"),
        (&["--role", "!comment"], "this list takes no `!`; name the roles that you want"),
    ] {
        told(args, said);
    }
    // A range that starts within its end is not empty.
    assert!(!pipe(["--date", "2024-05..2024"], TEXT).stderr.contains("earlier"));
}

#[test]
fn what_is_missing_or_has_another_name() {
    for (args, said) in [
        (&["audit", "--offline"][..], "--offline needs --cache <FILE>"),
        (&["--unread", "."], "--unread needs --files"),
        (&["--pre-glob", "x", "."], "--pre-glob needs --pre <COMMAND>"),
        (&["parse", "--trim", "utm_*", "http://a.example/"], "such as query=utm_*"),
        (&["parse", "--append", "x", "http://a.example/"], "such as path=x"),
        (&["-m", "-1", "."], "invalid value '-1' for '-m'"),
        (&["audit", "--retry", "-1"], "invalid value '-1' for '--retry'"),
        (&["--lookalike"], "--flag mixed-script-host"),
        (&["--html"], "--report FILE.html"),
        (&["audit", "--html"], "--report FILE.html"),
        (&["audit", "--max-redirects", "5"], "--accept"),
        (&["replace", "--no-tracking"], "--trim 'query=utm_*'"),
    ] {
        told(args, said);
    }
}

/// `{at}` and `--at` are two things.
#[test]
fn a_field_that_is_empty_without_rejected_candidates() {
    let ran = pipe(["--template", "{at}{uri}"], TEXT);
    assert_eq!(ran.out(), TEXT);
    assert!(ran.stderr.contains("{place} is the place that --at selects"), "{}", ran.stderr);
    let ran = pipe(["--invalid", "--template", "{at}{text}"], TEXT);
    assert_eq!(ran.stderr, "");
}

/// A list has no key that says what its patterns are about.
#[test]
fn a_list_for_a_table_of_settings() {
    let dir = Dir::new();
    dir.file("a.md", "").file("urigrep.toml", "[audit]\nexclude = [\"a\"]\n");
    let ran = dir.run(["audit"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("[audit.exclude]"), "{}", ran.stderr);
}

#[test]
fn flags_that_would_be_ignored() {
    for (args, said) in [
        (&["--json", "--vimgrep"][..], "--json cannot be combined with --vimgrep"),
        (&["--format", "csv", "--vimgrep"], "--vimgrep"),
        (&["--template", "{uri}", "--vimgrep"], "--vimgrep"),
        (&["-C1", "--vimgrep"], "--vimgrep"),
        (&["-C1", "--normalize"], "lines are printed unchanged"),
        (&["--passthru", "--readable"], "lines are printed unchanged"),
        (&["-A1", "--resolve"], "lines are printed unchanged"),
        (&["-c", "--explain"], "--count cannot be combined with --explain"),
        (&["--unique", "--top", "2"], "--unique cannot be combined with --top; --top counts each"),
        (&["-l", "--explain"], "--explain"),
        (&["--files", "--explain"], "--explain"),
        (&["-c", "--group-by", "message"], "--group-by"),
    ] {
        told(args, said);
    }
    let dir = Dir::new();
    dir.file("a", "http://A.example/%61\n");
    dir.run(["--raw", "--normalize", "a"]).is(0, "http://a.example/a\n");
    dir.run(["--normalize", "--raw", "a"]).is(0, "http://A.example/%61\n");
    dir.run(["-c", "-l", "a"]).is(0, "a\n");
    dir.run(["-l", "-c", "a"]).is(0, "1\n");
    dir.run(["--files", "-q", "."]).is(0, "");
    dir.run(["--files", "-q", "-g", "none", "."]).is(1, "");
}

#[test]
fn a_flag_or_an_argument_that_is_missing() {
    for (args, said) in [
        (&["-v"][..], "-v needs -e RE"),
        (&["-i"], "-i needs -e RE"),
        (&["replace", "-i", "a", "b"], "--write changes the files"),
        (&["registry"], "TABLE is missing; it is one of schemes, namespaces, formats"),
        (&["registry", "scheme"], "did you mean `schemes`?"),
        (&["resolve"], "BASE is missing; usage: urigrep resolve <BASE> [REF]..."),
        (&["diff"], "OLD is missing"),
        (&["diff", "a", "b", "c"], "usage: urigrep diff"),
        (&["-c=1"], "unknown flag `-=`"),
        (&["help", "a.md"], "`urigrep --help`"),
        (&["-t", "md,rst"], "repeat the flag"),
        (&["-t", "markdwn"], "did you mean `markdown`?"),
        (&["audit", "--exclude", "uri:"], "the expression is empty"),
        (&["audit", "--exclude", "host:"], "the glob of hosts is empty"),
        (&["diff", "--cached"], "urigrep diff HEAD"),
    ] {
        told(args, said);
    }
}

/// Other checkers have these flags.
#[test]
fn flags_of_other_checkers() {
    for (flag, said) in [
        ("--no-progress", "use --progress never"),
        ("--verbose", "use --severity note"),
        ("-v", "use --severity note"),
        ("--mode", "use --color WHEN"),
        ("--exclude-mail", "not checked unless --include-mail is given"),
        ("--max-cache-age", "use --max-age DURATION"),
        ("--method", "HEAD is sent first"),
        ("--min-tls", "TLS 1.2"),
        ("--write", "use --fix"),
        ("-w", "use --fix"),
        ("--update-baseline", "--write-baseline"),
        ("--stats", "use --statistics"),
        ("--list-rules", "--list-checks"),
        ("--ignore-host", "--exclude host:GLOB"),
        ("--external", "use --online"),
        ("--explain", "`urigrep rule NAME`"),
    ] {
        told(&["audit", flag], said);
    }
    told(&["audit", "--cache", "x.jsonl"], "--cache needs --online or --offline");
}

/// JSON on standard input has no name that says what it is.
#[test]
fn a_selection_by_place_of_plain_text() {
    let json = "{\"u\":\"https://a.example/x\"}\n";
    for args in [&["--at", "u"][..], &["--role", "comment"], &["--element", "a"]] {
        let ran = pipe(args, json);
        assert_eq!((ran.status, ran.out()), (Some(1), ""), "{args:?}");
        let said = format!("in which {} selects nothing; name its format", args[0]);
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
        let quiet = pipe([args, &["-q"]].concat(), json);
        assert_eq!(quiet.stderr, "");
    }
    pipe(["--at", "u", "--markup", "json"], json).is(0, "https://a.example/x\n");
    let ran = pipe(["--date", "2024"], json);
    assert!(ran.stderr.contains("no mail was read, which --date needs"), "{}", ran.stderr);
    let mail = "From: a@b.example\nMessage-ID: <1@b.example>\nSubject: x\n\nhi\n";
    let dir = Dir::new();
    dir.file("a.eml", mail);
    assert!(dir.run(["--scheme", "mid", "a.eml"]).stderr.contains("--headers finds Message-IDs"));
    dir.run(["--scheme", "mid", "--headers", "a.eml"]).is(0, "mid:1@b.example\n");
    dir.file("x.json", json).file("notes.txt", json);
    dir.run(["--at", "u", "x.json"]).is(0, "https://a.example/x\n");
    dir.run(["--at", "v", "x.json"]).is(1, "");
    let ran = dir.run(["--at", "u", "notes.txt"]);
    assert!(ran.stderr.contains("everything is plain text"), "{}", ran.stderr);
}

/// The form in which members are printed names none.
#[test]
fn a_member_of_an_archive_as_a_path() {
    let dir = Dir::new();
    dir.file("a.zip", "PK");
    let ran = dir.run(["a.zip!/b.md"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("search `a.zip` as a whole"), "{}", ran.stderr);
}

#[test]
fn help_is_a_verb() {
    let dir = Dir::new();
    assert_eq!(dir.run(["help"]).out(), dir.run(["-h"]).out());
    assert_eq!(dir.run(["help", "audit"]).out(), dir.run(["audit", "--help"]).out());
    assert_eq!(dir.run(["help", "audit", "docs"]).out(), dir.run(["audit", "--help"]).out());
    // A file of this name is searched.
    dir.file("help", TEXT).run(["help"]).is(0, TEXT);
}

#[test]
fn flags_and_values_that_people_guess() {
    for (args, said) in [
        (&["--print0"][..], "use -0"),
        (&["--format", "{host}"], "`urigrep --template '{host}'`"),
        (&["--format", "junit"], "`urigrep audit` has this format"),
        (&["--bare"], "--abbreviated"),
        (&["--comments"], "--role comment"),
        (&["--fields"], "--columns"),
        (&["--role", "image"], "--element img selects images"),
        (&["--role", "link"], "links are `destination`"),
        (&["--host-type", "ip"], "ipv4,ipv6"),
        (&["--kind", "doi"], "--doi"),
        (&["--count-by", "day"], "{date}"),
        (&["--count-by", "query"], "{query:NAME}"),
        (&["--template", "{domain}"], "--count-by domain"),
        (&["--template", "{query:id}"], "`urigrep parse --get '{query:id}' -`"),
        (&["--passthru", "--redact"], "`urigrep replace --redact`"),
        (&["-C1", "--defang"], "`urigrep replace --defang`"),
        (&["parse", "--columns", "host"], "--get '{scheme},{host},{path}'"),
        (&["resolve", "--base", "http://a.example/"], "the base is the first argument"),
    ] {
        told(args, said);
    }
    let ran = pipe(["https://a.example/"], "");
    assert!(ran.stderr.contains("`curl -s URL | urigrep`"), "{}", ran.stderr);
}

/// `!` before the first entry of a list looks as if it were for all.
#[test]
fn selections_that_find_less_than_they_seem_to() {
    for (args, said) in [
        (&["--port", "!80,443"][..], "in --port, `!` is for one entry"),
        (&["--scheme", "https,!http"], "in --scheme, `!` is for one entry"),
        (&["--from", "shop.example"], "`*shop.example*`"),
    ] {
        let ran = pipe(args, TEXT);
        assert_eq!((ran.status, ran.out()), (Some(1), ""), "{args:?}");
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    for args in [["--port", "!80,!443"], ["--flag", "bidi,!decoded"]] {
        assert_eq!(pipe(args, TEXT).stderr, "", "{args:?}");
    }
    let ran = pipe(["--from", "*@shop.example"], TEXT);
    assert!(!ran.stderr.contains("whole addresses"), "{}", ran.stderr);
}

#[test]
fn habits_of_grep() {
    for (args, said) in [
        (&["-2"][..], "-C NUM"),
        (&["-n5"], "-C NUM"),
        (&["-y"], "-i, with -e RE"),
        (&["--binary-files", "text"], "-a"),
        (&["--label", "x"], "--template"),
        (&["-D", "skip"], "devices"),
        (&["-d", "skip"], "-d is --max-depth here"),
        (&["-E", "foo|bar"], "-E is --encoding here"),
        (&["--sort", "modified"], "--files-from"),
        (&["--sort", "pat"], "did you mean `path`?"),
        (&["-A", "a.txt"], "a number is a whole number from 0"),
        (&["audit", "--min-coverage", "200"], "a percentage is a whole number from 0 to 100"),
        (&["--markup", "htm"], "did you mean `html`?"),
    ] {
        told(args, said);
    }
    let ran = pipe(["--encoding", "foo"], TEXT);
    assert!(!ran.stderr.contains("-E is"), "{}", ran.stderr);
}
