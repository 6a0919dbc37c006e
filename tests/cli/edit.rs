//! `urigrep parse` as trurl, for every scheme; verbs that read standard input.

use crate::support::pipe;

#[test]
fn parts_are_printed() {
    for (args, uri, expected) in [
        (&["--get", "{host} {query:q}"][..], "http://a.example/?x=1&q=b+c%26d", "a.example b c&d"),
        (
            &["--get", "{{{scheme}}}\\t{user}:{password}@{port}"],
            "http://u:p@a.example:8/",
            "{http}\tu:p@8",
        ),
        (
            &["--get", "{path}|{query:subject}"],
            "mailto:jo@a.example?subject=a+b%20c",
            "jo@a.example|a+b c",
        ),
        (&["--get", "{nid} {nss} {fragment}"], "urn:isbn:0451450523#x", "isbn 0451450523 x"),
        (&["--get", "{query:xt}"], "magnet:?xt=urn:btih:abc&dn=x", "urn:btih:abc"),
        (&["--get", "{path}"], "data:text/plain,a%20b", "text/plain,a%20b"),
        (&["--get", "{port}", "--default-port"], "https://a.example/", "443"),
        (&["--get", "{host}"], "http://b\u{fc}cher.example/", "xn--bcher-kva.example"),
        (&["--get", "{normalized}"], "HTTP://A.example", "http://a.example/"),
        (&["--get", "a{query:none}b"], "http://a.example/", "ab"),
    ] {
        let args: Vec<&str> = ["parse"].iter().chain(args).copied().chain([uri]).collect();
        pipe(&args, "").is(0, &format!("{expected}\n"));
    }
}

#[test]
fn parts_are_changed() {
    for (args, uri, expected) in [
        (
            &["--set", "host=b.example", "--set", "port=81"][..],
            "http://a.example/x",
            "http://b.example:81/x",
        ),
        (
            &["--set", "host=b\u{fc}cher.example"],
            "http://a.example/",
            "http://xn--bcher-kva.example/",
        ),
        (&["--set", "port=", "--set", "fragment="], "http://a.example:80/#x", "http://a.example/"),
        // The port of the old scheme goes with it, unless it is another or was asked for.
        (&["--set", "scheme=https"], "http://a.example:80/", "https://a.example/"),
        (&["--set", "scheme=https"], "http://a.example:8080/", "https://a.example:8080/"),
        (
            &["--set", "scheme=https", "--set", "port=80"],
            "http://a.example:80/",
            "https://a.example:80/",
        ),
        (
            &["--set", "user=jo", "--set", "password=a:b"],
            "ftp://a.example/",
            "ftp://jo:a%3Ab@a.example/",
        ),
        (&["--set", "password="], "ftp://jo:x@a.example/", "ftp://jo@a.example/"),
        (&["--set", "path=/a b/c"], "http://a.example/", "http://a.example/a%20b/c"),
        (&["--set", "path=isbn:1"], "urn:issn:2#x", "urn:isbn:1#x"),
        (
            &["--append", "path=b c", "--append", "query=q=x&y"],
            "http://a.example/a/?z",
            "http://a.example/a/b%20c?z&q=x%26y",
        ),
        (
            &["--append", "path=b@a.example", "--append", "query=subject=x y"],
            "mailto:a@a.example",
            "mailto:a@a.example,b@a.example?subject=x%20y",
        ),
        (&["--append", "path=c"], "urn:example:a", "urn:example:a:c"),
        (
            &["--trim", "query=utm_*"],
            "http://a.example/?utm_source=a&id=3&utm_x=b",
            "http://a.example/?id=3",
        ),
        (&["--trim", "query=*"], "http://a.example/?a=1#b", "http://a.example/#b"),
        (
            &["--sort-query"],
            "http://a.example/?c=1&b=2&a=3&b=1",
            "http://a.example/?a=3&b=2&b=1&c=1",
        ),
        (
            &["--replace-query", "b=9", "--replace-query", "z=1"],
            "http://a.example/?c=1&b=2",
            "http://a.example/?c=1&b=9",
        ),
        (&["--default-port"], "https://a.example/", "https://a.example:443/"),
        (&["--default-port"], "urn:example:a", "urn:example:a"),
        (
            &["--iterate", "host=a.x b.x", "--iterate", "port=1 2"],
            "http://q/",
            "http://a.x:1/\nhttp://a.x:2/\nhttp://b.x:1/\nhttp://b.x:2/",
        ),
    ] {
        let args: Vec<&str> = ["parse"].iter().chain(args).copied().chain([uri]).collect();
        pipe(&args, "").is(0, &format!("{expected}\n"));
    }
    for (args, message) in [
        (&["--set", "foo=x"][..], "unknown part `foo`"),
        (&["--set", "host"], "PART=VALUE"),
        (&["--get", "{foo}"], "unknown field `foo`"),
        (&["--get", "{host"], "unclosed"),
        (&["--trim", "path=x"], "only a query can be trimmed"),
        (&["--append", "host=x"], "only a path or a query"),
        (&["--set", "port=x"], "port"),
        (&["--set", "host="], "http"),
    ] {
        let args: Vec<&str> =
            ["parse"].iter().chain(args).copied().chain(["http://u@a.example/"]).collect();
        let ran = pipe(&args, "");
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn package_urls_have_rules() {
    let ran = pipe(["parse", "--json", "pkg:NPM/%40acme/x@1?B=c"], "");
    let purl = r#""purl":{"type":"npm","namespace":"@acme","name":"x","version":"1","qualifiers":{"b":"c"},"canonical":"pkg:npm/%40acme/x@1?b=c"}"#;
    assert!(ran.status == Some(0) && ran.out().contains(purl), "{ran:?}");
    let ran = pipe(["parse", "pkg:swift/x@1"], "");
    assert!(
        ran.out().contains("  fault   as a package URL: packages of this type need a namespace\n")
    );
}

#[test]
fn lines_of_standard_input() {
    pipe(["normalize"], "HTTP://A.example/%7e\n\n urn:ISBN:1 \r\n")
        .is(0, "http://a.example/~\nurn:isbn:1\n");
    pipe(["normalize", "-"], "HTTP://A.example").is(0, "http://a.example/\n");
    pipe(["normalize", "s:A", "-"], "t:B\n").is(0, "s:A\nt:B\n");
    let ran = pipe(["normalize"], "no uri\nhttp://a.example\n");
    assert_eq!((ran.status, ran.out()), (Some(2), "http://a.example/\n"));
    pipe(["resolve", "http://a.example/b/c"], "d\n../e\n#f\n")
        .is(0, "http://a.example/b/d\nhttp://a.example/e\nhttp://a.example/b/c#f\n");
    pipe(["compare", "-"], "s:a s:a\nHTTP://a.example\thttp://a.example/\n")
        .is(0, "string\nscheme\n");
    let ran = pipe(["compare", "http://a.example/", "-"], "HTTP://a.example\nhttp://b.example\n");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(pipe(["compare"], "one\n").stderr.contains("expected two URIs per line"));
    assert_eq!(pipe(["compare", "s:a"], "").status, Some(2));
    pipe(["parse", "--get", "{host}"], "http://a.example/\nhttp://b.example/\n")
        .is(0, "a.example\nb.example\n");
    let ran = pipe(["parse"], "http://a.example/\nno uri\n");
    assert!(ran.status == Some(1) && ran.out().contains("rfc3986: invalid"), "{ran:?}");
    for verb in [&["parse"][..], &["normalize"], &["resolve", "s:a"], &["compare"]] {
        assert_eq!(pipe(verb, "").status, Some(2), "{verb:?}");
    }
}
