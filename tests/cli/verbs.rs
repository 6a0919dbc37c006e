//! The verbs: resolve, normalize, compare.

use serde_json::{Value, json};

use crate::support::Dir;

const BASE: &str = "http://a/b/c/d;p?q";

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

#[test]
fn resolve_prints_a_line_a_reference() {
    let dir = Dir::new();
    dir.run(["resolve", BASE, "../g", "#s", "", "//h/\u{e9}"])
        .is(0, "http://a/b/g\nhttp://a/b/c/d;p?q#s\nhttp://a/b/c/d;p?q\nhttp://h/%C3%A9\n");
    dir.run(["resolve", "--", BASE, "-x", "--json"])
        .is(0, "http://a/b/c/-x\nhttp://a/b/c/--json\n");
    for (flags, wanted) in [
        (&["--grammar", "rfc3986"][..], "http://a/g http://a/b/c/d;p?y http:g http://a/b/"),
        (&["--lenient"], "http://a/g http://a/b/c/d;p?y http://a/b/c/g http://a/b/"),
        (&["--grammar=rfc2396bis-01"], "http://a/../g http://a/b/c/d;p?y http:g http://a/b/"),
        (
            &["--grammar=rfc2396bis-01", "--lenient"],
            "http://a/../g http://a/b/c/d;p?y http://a/b/c/g http://a/b/",
        ),
        (&["--grammar=url-syntax-05"], "http://a/../g http://a/b/c/?y http:g http://a/b/"),
        (&["--grammar=url-1993"], "http://a/../g http://a/b/c/?y http:g http://a/b"),
    ] {
        let verb = [&["resolve"][..], flags, &[BASE, "../../../g", "?y", "http:g", ".."]].concat();
        dir.run(verb).is(0, &format!("{}\n", wanted.replace(' ', "\n")));
    }
}

#[test]
fn resolve_knows_the_current_document() {
    let dir = Dir::new();
    let verb = ["resolve", "--grammar", "url-syntax-05", BASE, "#s", ""];
    dir.run(verb).is(0, "(current document)#s\n(current document)\n");
    let ran =
        dir.run(["resolve", "--json", "--grammar", "rfc2396bis-01", BASE, "#s", "", "mailto:a[1]"]);
    assert_eq!(
        objects(ran.out()),
        [
            json!({"type": "resolved", "base": BASE, "reference": "#s", "target": null,
                   "current_document": true, "fragment": "s"}),
            json!({"type": "resolved", "base": BASE, "reference": "", "target": null,
                   "current_document": true}),
            json!({"type": "resolved", "base": BASE, "reference": "mailto:a[1]",
                   "target": "mailto:a[1]"}),
        ]
    );
}

/// What only an older grammar accepts is read, what it does not accept is an error with its reason.
#[test]
fn arguments_are_read_by_the_grammar() {
    let dir = Dir::new();
    let by = "--grammar=url-syntax-05";
    dir.run(["resolve", by, "2web://a/b/c", "../d", "d_e:f"])
        .is(0, "2web://a/d\n2web://a/b/d_e:f\n");
    let ran = dir.run(["resolve", by, "http://a/b", "//[::1]/", "\u{e9}", "g"]);
    assert_eq!((ran.status, ran.out()), (Some(2), "http://a/g\n"));
    assert_eq!(ran.stderr.lines().count(), 2, "{ran:?}");
    dir.run(["resolve", "--grammar=rfc2141", "urn:a-b:c", "URN:d-e:f"]).is(0, "URN:d-e:f\n");
    for verb in [
        &["normalize", by, "http://[::1]/"][..],
        &["compare", by, "http://[::1]/", "http://[::1]/"],
        &["normalize", "--grammar=rfc2141", "http://a/"],
        &["normalize", "urn:x-:a"],
    ] {
        let ran = dir.run(verb);
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{verb:?}");
    }
    dir.run(["normalize", "--grammar=rfc2141bis-01", "URN:X-:a"]).is(0, "urn:x-:a\n");
    dir.run(["compare", "--grammar=rfc2141", "URN:X-:a", "urn:x-:a"]).is(0, "scheme\n");
    let ran = dir.run(["normalize", by, "2web:a"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.starts_with("urigrep: 2web:a: allowed by url-syntax-05, but not by RFC 3986: "),
        "{ran:?}"
    );
}

#[test]
fn one_wrong_argument_stops_no_other() {
    let dir = Dir::new();
    let ran = dir.run(["resolve", BASE, "g", "1:2", "h"]);
    assert_eq!((ran.status, ran.out()), (Some(2), "http://a/b/c/g\nhttp://a/b/c/h\n"));
    assert!(
        ran.stderr.starts_with("urigrep: 1:2: ") && ran.stderr.ends_with("(at byte 1)\n"),
        "{ran:?}"
    );
    let ran = dir.run(["normalize", "--json", "http://a", "b", "s:"]);
    assert_eq!(ran.status, Some(2));
    let all = objects(ran.out());
    assert_eq!(all.len(), 3);
    assert_eq!(
        all[0],
        json!({"type": "normalized", "input": "http://a", "normalized": "http://a/"})
    );
    assert_eq!((&all[1]["type"], &all[1]["input"]), (&json!("error"), &json!("b")));
    assert_eq!((&all[1]["reason"], &all[1]["at"]), (&json!("no-scheme"), &json!(0)));
    let ran = dir.run(["resolve", "a/b", "g"]);
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    let ran = dir.run(["resolve", "--lenient", "--grammar=url-1993", BASE, "g"]);
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
    assert!(ran.stderr.contains("--grammar rfc3986 or rfc2396bis-01"), "{ran:?}");
}

#[test]
fn normalize_prints_a_line_a_uri() {
    let dir = Dir::new();
    let uri = "HTTPS://B\u{fc}cher.example:443/a/../%7eb?utm_source=x&c=d#e";
    dir.run(["normalize", uri, "urn:ISBN:0-395-36341-1"])
        .is(0, "https://xn--bcher-kva.example/~b?utm_source=x&c=d#e\nurn:isbn:0-395-36341-1\n");
    dir.run(["normalize", "--no-fragment", "--no-tracking", uri])
        .is(0, "https://xn--bcher-kva.example/~b?c=d\n");
}

#[test]
fn compare_is_a_question() {
    let dir = Dir::new();
    for (b, rung) in
        [("http://a/b", "string"), ("HTTP://a/%62", "syntax"), ("http://a:80/b", "scheme")]
    {
        dir.run(["compare", "http://a/b", b]).is(0, &format!("{rung}\n"));
    }
    for (iri, uri) in
        [("http://b\u{fc}cher.example/", "http://xn--bcher-kva.example/"), ("s:\u{e9}", "s:%C3%A9")]
    {
        dir.run(["compare", iri, uri]).is(0, "syntax\n");
        dir.run(["compare", iri, iri]).is(0, "string\n");
    }
    dir.run(["compare", "urn:ex:a", "urn:EX:a#b"]).is(0, "urn\n");
    dir.run(["compare", "http://a/b", "http://a/c"])
        .is(1, "they differ in the path, at byte 9 and byte 9\n");
    let ran = dir.run(["compare", "--json", "s:a", "S:a"]);
    assert_eq!(
        objects(ran.out()),
        [json!({"type": "compared", "a": "s:a", "b": "S:a", "equivalent": true, "by": "syntax"})]
    );
    let ran = dir.run(["compare", "--json", "s:a", "s:a?"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(
        objects(ran.out()),
        [json!({"type": "compared", "a": "s:a", "b": "s:a?", "equivalent": false,
                "differs": {"component": "query", "a": 3, "b": 4}})]
    );
    let ran = dir.run(["compare", "s:a", "b"]);
    assert_eq!((ran.status, ran.out()), (Some(2), ""));
}

#[test]
fn a_path_that_is_called_like_a_verb() {
    let dir = Dir::new();
    dir.file("resolve", "http://a.example/\n");
    dir.run(["./resolve"]).is(0, "http://a.example/\n");
    dir.run(["-n", "resolve"]).is(0, "1:http://a.example/\n");
    dir.run(["--", "resolve"]).is(0, "http://a.example/\n");
    assert_eq!(dir.run(["resolve"]).status, Some(2));
    for verb in ["resolve", "normalize", "compare"] {
        let ran = dir.run([verb, "--help"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.out().contains("Exit status:"), "{ran:?}");
    }
}
