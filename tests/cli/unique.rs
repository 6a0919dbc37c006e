//! --unique, --top, --normalize, --no-fragment, and the numbers of different URIs.

use serde_json::{Value, json};

use crate::support::{Dir, pipe};

/// Three files; what is unique comes from the first by path, then by offset.
fn tree() -> Dir {
    let dir = Dir::new();
    dir.file("b.txt", "HTTP://a.example http://b.example/#1 http://b.example/#2\n")
        .file("a/z.txt", "x http://c.example/ urn:isbn:0\nhttp://a.example:80/ http://c.example/\n")
        .file("c.txt", "http://a.example/ http://a.example/ URN:ISBN:0\n");
    dir
}

const FIRSTS: &str = "a/z.txt:1:http://c.example/\n\
     a/z.txt:1:urn:isbn:0\n\
     a/z.txt:2:http://a.example:80/\n\
     b.txt:1:http://b.example/#1\n\
     b.txt:1:http://b.example/#2\n";

#[test]
fn unique_keeps_the_first_by_path_and_offset() {
    let dir = tree();
    for threads in ["1", "4"] {
        for sort in ["none", "path"] {
            let ran = dir.run(["--unique", "-j", threads, "--sort", sort]);
            ran.is(0, FIRSTS);
        }
    }
    // What is named comes in the same order.
    dir.run(["--unique", "c.txt", "b.txt", "a/z.txt"]).is(0, FIRSTS);
    dir.run(["--unique", "-I", "-N", "--no-fragment", "--normalize"])
        .is(0, "http://c.example/\nurn:isbn:0\nhttp://a.example/\nhttp://b.example/\n");
    pipe(["--unique"], "http://b.example/ http://a.example/ http://b.example")
        .is(0, "http://b.example/\nhttp://a.example/\n");
    pipe(["--unique"], "nothing").is(1, "");
    // Each file's share is limited before.
    dir.run(["--unique", "-m1", "-I", "-N"]).is(0, "http://c.example/\nHTTP://a.example\n");
    assert_eq!(dir.run(["--unique", "-q"]).status, Some(0));
    dir.run(["--unique", "--heading", "c.txt", "b.txt"]).is(
        0,
        "b.txt:1:HTTP://a.example\nb.txt:1:http://b.example/#1\nb.txt:1:http://b.example/#2\nc.txt:1:URN:ISBN:0\n",
    );
}

#[test]
fn unique_in_json() {
    let dir = tree();
    let ran = dir.run(["--unique", "--json", "--stats", "--no-fragment"]);
    let all: Vec<Value> =
        ran.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let normalized: Vec<&Value> = all[..4].iter().map(|object| &object["normalized"]).collect();
    assert_eq!(
        normalized,
        ["http://c.example/", "urn:isbn:0", "http://a.example/", "http://b.example/"]
    );
    assert_eq!(all[3]["uri"], "http://b.example/#1");
    assert_eq!(all.len(), 5);
    assert_eq!((&all[4]["matches"], &all[4]["unique"]), (&json!(10), &json!(4)));
}

#[test]
fn top_counts() {
    let dir = tree();
    let all = "4 http://a.example/\n2 http://c.example/\n2 urn:isbn:0\n1 http://b.example/#1\n1 http://b.example/#2\n";
    for threads in ["1", "4"] {
        dir.run(["--top", "9", "-j", threads]).is(0, all);
    }
    dir.run(["--top", "2"]).is(0, "4 http://a.example/\n2 http://c.example/\n");
    dir.run(["--top=9", "--no-fragment", "b.txt"])
        .is(0, "2 http://b.example/\n1 http://a.example/\n");
    dir.run(["--top", "0"]).is(0, "");
    pipe(["--top", "3"], "http://a.example/ ".repeat(10) + "http://b.example/")
        .is(0, "10 http://a.example/\n 1 http://b.example/\n");
    pipe(["--top", "3"], "nothing").is(1, "");
    for args in [
        &["--top", "3", "-c"][..],
        &["--top", "3", "--unique"],
        &["--unique", "-l"],
        &["--unique", "--invalid"],
    ] {
        let ran = pipe(args, "http://a.example/");
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains("--top") || ran.stderr.contains("--unique"), "{ran:?}");
    }
}

#[test]
fn numbers_of_different_uris() {
    let dir = tree();
    for (args, wanted) in [
        (&["--stats"][..], "10 matches\n5 different URIs\n"),
        (&["--stats", "--unique"], "10 matches\n5 different URIs\n"),
        (&["--stats", "--top", "1"], "10 matches\n5 different URIs\n"),
        (&["--stats", "--no-fragment", "-c"], "10 matches\n4 different URIs\n"),
        (&["--stats", "-l"], "matches\n3 files with matches\n"),
    ] {
        let ran = dir.run(args);
        let lines: Vec<&str> = ran.out().lines().map(str::trim_start).collect();
        assert!(lines.join("\n").contains(wanted.trim_end()), "{args:?}: {}", ran.out());
    }
    let ran = dir.run(["--json", "--stats"]);
    let summary: Value = serde_json::from_str(ran.out().lines().last().unwrap()).unwrap();
    assert_eq!((&summary["matches"], &summary["unique"]), (&json!(10), &json!(5)));
}

#[test]
fn normal_spelling() {
    let text =
        "HTTPS://B\u{fc}cher.example:443/%7Ea/../b?#c <URN:ISBN:0\n-1> http://a.example/[x]#y\n";
    pipe(["--normalize"], text)
        .is(0, "https://xn--bcher-kva.example/b?#c\nurn:isbn:0-1\nhttp://a.example/%5Bx%5D#y\n");
    pipe(["--no-fragment"], text).is(
        0,
        "HTTPS://B\u{fc}cher.example:443/%7Ea/../b?\nURN:ISBN:0-1\nhttp://a.example/%5Bx%5D\n",
    );
    pipe(["--normalize", "--no-fragment"], "HTTP://a.example#b").is(0, "http://a.example/\n");
    // Of two spellings that exclude each other the last one counts.
    pipe(["--normalize", "--raw"], "HTTP://a.example").is(0, "HTTP://a.example\n");
    pipe(["--raw", "--normalize"], "HTTP://a.example").is(0, "http://a.example/\n");
    let ran = pipe(["--json", "--no-fragment"], "HTTP://a.example#b");
    let found: Value = serde_json::from_str(ran.out().lines().next().unwrap()).unwrap();
    assert_eq!(
        (&found["uri"], &found["normalized"]),
        (&json!("HTTP://a.example#b"), &json!("http://a.example/"))
    );
}

#[test]
fn a_base_is_an_absolute_uri() {
    let text = "http://a.example/ ../b";
    pipe(["--resolve", "--base", "http://c.example/d/e"], text).is(0, "http://a.example/\n");
    let ran = pipe(["--resolve", "--base", "c/d"], text);
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    assert!(ran.stderr.contains("the base must be an absolute URI"), "{ran:?}");
}

/// RFC 8141 §3.1 ignores r-, q- and f-component; what is printed would lose them.
#[test]
fn urns_are_told_apart_by_their_components() {
    let dir = Dir::new();
    dir.file("a", "urn:example:a urn:EXAMPLE:a urn:example:a?+x urn:example:a#f\n");
    dir.run(["--unique", "a"]).is(0, "urn:example:a\nurn:example:a?+x\nurn:example:a#f\n");
}
