//! Text output: which lines, in which form.

use crate::support::{Dir, pipe};

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("a.txt", "\n  http://a.example/1 http://a.example/2\nurn:isbn:0451450523\n")
        .file("d/b.txt", "x <http://b.example/\n  y>")
        .file("none.txt", "nothing");
    dir
}

#[test]
fn one_file_or_stdin() {
    let dir = dir();
    dir.run(["a.txt"]).is(0, "http://a.example/1\nhttp://a.example/2\nurn:isbn:0451450523\n");
    dir.run(["-n", "a.txt"])
        .is(0, "2:http://a.example/1\n2:http://a.example/2\n3:urn:isbn:0451450523\n");
    dir.run(["-n", "--column", "-b", "-m1", "a.txt"]).is(0, "2:3:3:http://a.example/1\n");
    dir.run(["-b", "-m2", "a.txt"]).is(0, "3:http://a.example/1\n22:http://a.example/2\n");
    dir.run(["-H", "-m1", "a.txt"]).is(0, "a.txt:2:http://a.example/1\n");
    dir.run(["-HN", "-m1", "a.txt"]).is(0, "a.txt:http://a.example/1\n");
    dir.run(["--vimgrep", "-m1", "a.txt"]).is(0, "a.txt:2:3:http://a.example/1\n");
    pipe([""; 0], "http://a.example/").is(0, "http://a.example/\n");
    pipe(["-"], "http://a.example/").is(0, "http://a.example/\n");
    pipe(["-H"], "http://a.example/").is(0, "<stdin>:1:http://a.example/\n");
}

#[test]
fn more_than_one_file() {
    let dir = dir();
    let all = "a.txt:2:http://a.example/1\na.txt:2:http://a.example/2\na.txt:3:urn:isbn:0451450523\n\
               d/b.txt:1:http://b.example/y\n";
    dir.run(["--sort", "path"]).is(0, all);
    dir.run(["--sort=path", "a.txt", "d/b.txt"]).is(0, all);
    dir.run(["--sort=path", "a.txt", "d"]).is(0, all);
    dir.run(["d"]).is(0, "d/b.txt:1:http://b.example/y\n");
    dir.run(["./d/"]).is(0, "./d/b.txt:1:http://b.example/y\n");
    dir.run(["-I", "d"]).is(0, "http://b.example/y\n");
    dir.run(["-N", "d"]).is(0, "d/b.txt:http://b.example/y\n");
    dir.run(["-0", "d"]).is(0, "d/b.txt\x001:http://b.example/y\x00");
    dir.run(["--heading", "--sort=path"]).is(
        0,
        "a.txt\n2:http://a.example/1\n2:http://a.example/2\n3:urn:isbn:0451450523\n\n\
         d/b.txt\n1:http://b.example/y\n",
    );
}

#[test]
fn raw_is_what_stands_in_the_source() {
    dir().run(["--raw", "d/b.txt"]).is(0, "http://b.example/\n  y\n");
}

#[test]
fn counts() {
    let dir = dir();
    dir.run(["-c", "a.txt"]).is(0, "3\n");
    dir.run(["-c", "none.txt"]).is(1, "");
    dir.run(["-c", "--include-zero", "none.txt"]).is(1, "0\n");
    dir.run(["-c", "--sort=path"]).is(0, "a.txt:3\nd/b.txt:1\n");
    dir.run(["-c", "-m2", "--sort=path"]).is(0, "a.txt:2\nd/b.txt:1\n");
    dir.run(["-c0", "--include-zero", "--sort=path"])
        .is(0, "a.txt\x003\nd/b.txt\x001\nnone.txt\x000\n");
    dir.run(["-cI", "--sort=path"]).is(0, "3\n1\n");
    dir.run(["-m0"]).is(1, "");
}

#[test]
fn paths() {
    let dir = dir();
    dir.run(["-l", "--sort=path"]).is(0, "a.txt\nd/b.txt\n");
    dir.run(["-l0", "--sort=path"]).is(0, "a.txt\x00d/b.txt\x00");
    dir.run(["--files-without-match"]).is(0, "none.txt\n");
    dir.run(["--files-without-match", "a.txt"]).is(1, "");
    dir.run(["-l", "none.txt"]).is(1, "");
}

#[test]
fn colours_and_links() {
    let dir = dir();
    let ran = dir.run(["--color=always", "d"]);
    ran.is(0, "\x1b[35md/b.txt\x1b[0m:\x1b[32m1\x1b[0m:\x1b[1m\x1b[31mhttp://b.example/y\x1b[0m\n");
    let ran = dir.run(["--color=always", "--hyperlink-format=vscode", "--column", "d"]);
    let path = dir.path().to_str().unwrap();
    let link = format!("\x1b]8;;vscode://file{path}/d/b.txt:1:4\x1b\\\x1b[35md/b.txt");
    assert!(ran.out().starts_with(&link), "{ran:?}");
    assert!(ran.out().contains("4\x1b]8;;\x1b\\:\x1b[1m"), "{ran:?}");
    dir.run(["--hyperlink-format=vscode", "d"]).is(0, "d/b.txt:1:http://b.example/y\n");
}

#[test]
fn rejected() {
    let ran = pipe(["--invalid", "-n"], "http://a.example/\nurn:x\nGET http://{host}/x\n");
    assert_eq!(ran.status, Some(0));
    let lines: Vec<_> = ran.out().lines().collect();
    assert_eq!(lines.len(), 2, "{ran:?}");
    assert!(lines[0].starts_with("2:urn:x: nid-too-short: "), "{ran:?}");
    assert!(lines[1].starts_with("3:http://{host}/x: template: "), "{ran:?}");
    pipe(["--invalid"], "http://a.example/").is(1, "");
}

#[test]
fn stats() {
    let ran = dir().run(["--stats", "--sort=path"]);
    for line in ["4 matches", "2 files with matches", "3 files searched", "0 errors"] {
        assert!(ran.out().lines().any(|found| found.trim_start() == line), "{line}: {ran:?}");
    }
}

#[test]
fn explain_names_the_rules() {
    let text = "see.http://a.example/x[1], https://b.example:80x/";
    pipe(["--explain"], text).is(
        0,
        "http://a.example/x\n    \
         D1.3  the longest known suffix of a longer word: http\n    \
         D2.4  a character that ends every URI: SPACE\n    \
         D4.3  a soft character: ,\n    \
         D2.3  a label: [1]\n",
    );
    for (text, step) in [
        ("<http://a.example/>", "D3.1  an angle bracket opens before it: <\n"),
        ("< http://a.example/>", "D3.1  an angle bracket opens before it: < \n"),
        ("<URL: http://a.example/>", "D3.1  an angle bracket opens before it: <URL: \n"),
        ("see URI:http://a.example/", "D3.1  after a prefix: URI:\n"),
        ("(http://a.example/)", "D3.7  a bracket or mark opens before it: (\n"),
        ("(URL: http://a.example/)", "D3.7  a bracket or mark opens before it: (URL: \n"),
    ] {
        let ran = pipe(["--explain"], text);
        assert!(ran.out().contains(&format!("    {step}")), "{ran:?}");
    }
    let ran = pipe(["--explain", "--invalid"], text);
    assert!(ran.out().contains("\n    D4.9  rejected: no port number: "), "{}", ran.out());
}

#[test]
fn readable_and_mapped() {
    let text = "see http://bücher.example/ü and http://xn--bcher-kva.example/%C3%BC%20. or \
                urn:example:%61%C3%BC";
    pipe(["--readable"], text)
        .is(0, "http://bücher.example/ü\nhttp://bücher.example/ü%20\nurn:example:%61ü\n");
    pipe(["--map-iri"], text).is(
        0,
        "http://xn--bcher-kva.example/%C3%BC\nhttp://xn--bcher-kva.example/%C3%BC%20\n\
         urn:example:%61%C3%BC\n",
    );
    // The last of those that say how a match is spelled.
    pipe(["--readable", "--raw", "--map-iri", "--readable"], "http://a.example/%7E")
        .is(0, "http://a.example/~\n");
    pipe(["--readable", "--raw"], "http://a.example/%7E").is(0, "http://a.example/%7E\n");
}

#[test]
fn explain_names_the_flags() {
    let ran = pipe(["--explain"], "http://www.bank.example.com@0x7f.1/ urn:issn:0317-8472");
    let steps: Vec<_> = ran.out().lines().filter(|line| line.starts_with("    ")).collect();
    for step in [
        "    misleading-userinfo  the userinfo before `@` looks like the host: \
         http://www.bank.example.com@0x7f.1/",
        "    rare-ip  the host is an IPv4 address in a rare form: \
         http://www.bank.example.com@0x7f.1/",
        "    urn-nss-invalid  the name does not follow the syntax of its namespace: urn:issn:0317-8472",
        "    nss-check-digit  the check digit does not fit the other digits: 2",
        "    nss-check-digit  an ISSN has two groups of four digits, separated by a hyphen: \
         urn:issn:0317-8472",
    ] {
        assert!(steps.contains(&step), "{step}\n{}", ran.out());
    }
}

/// Those of the delimiting rules, of the URI, of the document, and of what is printed.
#[test]
fn explain_names_all_flags() {
    for (text, flags) in [
        ("see https://a.example/foo-\nbar.html", &["maybe-wrapped"][..]),
        ("see http://a.example/?q={x}", &["template"]),
        ("<http://a.example/\n b>", &["rejoined"]),
        ("http://j:p@a.example/%00", &["has-credentials", "percent-nul"]),
    ] {
        let ran = pipe(["--explain"], text);
        let json = pipe(["--template={flags}"], text);
        assert_eq!(json.out().trim_end().split(' ').collect::<Vec<_>>(), flags, "{text}");
        for flag in flags {
            assert!(ran.out().contains(&format!("\n    {flag} ")), "{text}: {}", ran.out());
        }
    }
    let html = "<a href='http://a.example/?a&amp;b'>x</a> <a href='c?d&amp;e'>y</a>";
    let ran = pipe(["--explain", "--markup=html"], html);
    assert_eq!(ran.out().matches("\n    decoded  escapes were decoded").count(), 2, "{ran:?}");
    let ran = pipe(["--explain", "--redact"], "http://j:p@a.example/");
    assert!(ran.out().contains("\n    redacted  secrets"), "{ran:?}");
}

/// The forms override each other; a fragment is left out of any of them.
#[test]
fn the_last_form_counts() {
    let text = "http://a.example/%7E\u{e9}#b";
    for (flags, line) in [
        (&["--normalize", "--map-iri"][..], "http://a.example/%7E%C3%A9#b"),
        (&["--map-iri", "--normalize"], "http://a.example/~%C3%A9#b"),
        (&["--normalize", "--readable"], "http://a.example/~\u{e9}#b"),
        (&["--readable", "--raw"], text),
        (&["--no-fragment"], "http://a.example/%7E\u{e9}"),
        (&["--no-fragment", "--map-iri"], "http://a.example/%7E%C3%A9"),
        (&["--no-fragment", "--readable"], "http://a.example/~\u{e9}"),
        (&["--no-fragment", "--normalize"], "http://a.example/~%C3%A9"),
        (&["--no-fragment", "--raw"], text),
    ] {
        pipe(flags, text).is(0, &format!("{line}\n"));
    }
}
