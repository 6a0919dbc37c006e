//! The verb `parse`, and `--grammar` in a search.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::{Dir, pipe};

fn parse(args: &[&str]) -> crate::support::Ran {
    pipe(["parse"].iter().chain(args), "")
}

#[test]
fn components_a_line_each() {
    parse(&["http://me:pw@h.example:80/a?#f"]).is(
        0,
        "http://me:pw@h.example:80/a?#f\n\
         rfc3986: URI\n  \
           scheme      http\n  \
           authority   me:pw@h.example:80\n  \
           userinfo    me:pw\n  \
           host        h.example (reg-name)\n  \
           port        80\n  \
           path        /a\n  \
           query       (empty)\n  \
           fragment    f\n  \
           normalized  http://me:pw@h.example/a?#f\n  \
           flags       has-credentials\n",
    );
}

/// What is worth knowing beyond the components.
#[test]
fn flags_faults_and_the_normal_form() {
    parse(&["http://0x7F.1/"]).is(
        0,
        "http://0x7F.1/\n\
         rfc3986: URI\n  \
           scheme      http\n  \
           authority   0x7F.1\n  \
           host        0x7F.1 (reg-name, read as 127.0.0.1)\n  \
           path        /\n  \
           normalized  http://0x7f.1/\n  \
           flags       rare-ip\n",
    );
    let isbn = "urn:isbn:0451450524";
    let ran = parse(&[isbn]);
    assert!(
        ran.out().contains("\n  flags   urn-nss-invalid\n  fault   the check digit does not fit"),
        "{ran:?}"
    );
    let ran = parse(&["--json", isbn, "http://0x7f.1/", "http://a.example/\u{5d0}a"]);
    let objects: Vec<serde_json::Value> =
        ran.out().lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(objects[0]["urn"]["fault"]["reason"], "nss-check-digit");
    assert_eq!(objects[0]["flags"][0], "urn-nss-invalid");
    assert_eq!(objects[1]["components"]["host_address"], "127.0.0.1");
    assert_eq!(objects[2]["flags"][0], "bidi");
}

#[test]
fn a_caret_shows_the_fault() {
    parse(&["s:a", "http://h.example/\u{e9} x"]).is(
        1,
        "s:a\nrfc3986: URI\n  scheme  s\n  path    a\n\n\
         http://h.example/\u{e9} x\n\
         rfc3986: invalid at byte 19: this character is not allowed in a URI; percent-encode it\n  \
           http://h.example/\u{e9} x\n                    ^\n",
    );
    // what a terminal would obey is spelled out, and the caret still stands below the fault
    let ran = parse(&["s:\u{1b}[m\n"]);
    assert_eq!(ran.out().lines().skip(2).collect::<Vec<_>>(), ["  s:\\x1b[m\\n", "    ^"]);
}

#[test]
fn each_grammar_in_turn() {
    let ran = parse(&["--grammar", "all", "http://a_b.example/"]);
    let verdicts: Vec<_> = ran.out().lines().filter(|line| line.starts_with(['r', 'u'])).collect();
    let no = "invalid at byte 0: a URN starts with `urn:`";
    assert_eq!(
        verdicts,
        [
            "rfc3986: URI",
            "rfc2396bis-01: hier-part",
            "url-syntax-05: opaque-URL",
            "url-1993: httpaddress",
            &format!("rfc8141: {no}"),
            &format!("rfc2141bis-01: {no}"),
            &format!("rfc2141: {no}"),
        ]
    );
    assert_eq!(ran.status, Some(0));
    assert_eq!(parse(&["--grammar=all", "a b"]).status, Some(1));
    assert_eq!(parse(&["--grammar=url-1993", "http://h/~u"]).status, Some(1));
    assert_eq!(parse(&["--grammar=url-syntax-05", "http://h/~u"]).status, Some(0));
}

#[test]
fn json_member_by_member() {
    parse(&["--json", "HTTP://u:p@H.example:/?#", "tel:1", "http://h.example/\u{e9}", "a b"]).is(
        1,
        concat!(
            r#"{"type":"parsed","input":"HTTP://u:p@H.example:/?#","grammar":"rfc3986","valid":true,"kind":"uri","#,
            r#""components":{"scheme":"HTTP","authority":"u:p@H.example:","userinfo":"u:p","host":"H.example","#,
            r#""host_type":"reg-name","port":"","path":"/","query":"","fragment":""},"normalized":"http://u:p@h.example/?#","flags":["has-credentials"]}"#,
            "\n",
            r#"{"type":"parsed","input":"tel:1","grammar":"rfc3986","valid":true,"kind":"uri","#,
            r#""components":{"scheme":"tel","path":"1"},"normalized":"tel:1","flags":[]}"#,
            "\n",
            r#"{"type":"parsed","input":"http://h.example/é","grammar":"rfc3986","valid":true,"kind":"iri","#,
            r#""components":{"scheme":"http","authority":"h.example","host":"h.example","host_type":"reg-name","#,
            r#""path":"/é"},"normalized":"http://h.example/%C3%A9","flags":[]}"#,
            "\n",
            r#"{"type":"parsed","input":"a b","grammar":"rfc3986","valid":false,"reason":"no-scheme","at":0}"#,
            "\n",
        ),
    );
    parse(&["--json", "urn:ISBN:0451450523?+a?=b#c"]).is(
        0,
        concat!(
            r#"{"type":"parsed","input":"urn:ISBN:0451450523?+a?=b#c","grammar":"rfc3986","valid":true,"kind":"urn","#,
            r#""components":{"scheme":"urn","path":"ISBN:0451450523","query":"+a?=b","fragment":"c"},"#,
            r#""urn":{"nid":"ISBN","nss":"0451450523","r":"a","q":"b","f":"c","#,
            r#""assigned_name":"urn:ISBN:0451450523","namespace":"formal"},"#,
            r#""normalized":"urn:isbn:0451450523?+a?=b#c","identifier":{"kind":"isbn","#,
            r#""value":"9780451450524","canonical":"urn:isbn:9780451450524"},"flags":[]}"#,
            "\n",
        ),
    );
    parse(&["--json", "--grammar=url-1993", "prospero://h/a%001%00b%00c"]).is(
        0,
        concat!(
            r#"{"type":"parsed","input":"prospero://h/a%001%00b%00c","grammar":"url-1993","valid":true,"kind":"uri","#,
            r#""form":"prosperolink","components":{"scheme":"prospero","host":"h","host_type":"hostname","#,
            r#""hsoname":"a","version":"1","attributes":["b","c"]},"flags":["percent-nul"]}"#,
            "\n",
        ),
    );
    let bytes = OsStr::from_bytes(b"s:a\xff");
    pipe([OsStr::new("parse"), OsStr::new("--json"), bytes], "").is(
        1,
        concat!(
            r#"{"type":"parsed","input":{"bytes":"czph/w=="},"grammar":"rfc3986","valid":false,"#,
            r#""reason":"character","at":3}"#,
            "\n",
        ),
    );
}

#[test]
fn relative_references_only_when_asked_for() {
    assert_eq!(parse(&["../a"]).status, Some(1));
    parse(&["--reference", "--json", "../a?b", "", "//h", "s:x"]).is(
        0,
        concat!(
            r#"{"type":"parsed","input":"../a?b","grammar":"rfc3986","valid":true,"kind":"reference","#,
            r#""components":{"path":"../a","query":"b"},"flags":[]}"#,
            "\n",
            r#"{"type":"parsed","input":"","grammar":"rfc3986","valid":true,"kind":"reference","#,
            r#""components":{"path":""},"flags":[]}"#,
            "\n",
            r#"{"type":"parsed","input":"//h","grammar":"rfc3986","valid":true,"kind":"reference","#,
            r#""components":{"authority":"h","host":"h","host_type":"reg-name","path":""},"flags":[]}"#,
            "\n",
            r#"{"type":"parsed","input":"s:x","grammar":"rfc3986","valid":true,"kind":"uri","#,
            r#""components":{"scheme":"s","path":"x"},"normalized":"s:x","flags":[]}"#,
            "\n",
        ),
    );
}

#[test]
fn wrong_usage_is_an_error() {
    for args in [&[][..], &["--grammar", "rfc1738", "a:b"], &["--frobnicate", "a:b"]] {
        let ran = parse(args);
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(!ran.stderr.is_empty());
    }
    let ran = parse(&["--grammar", "rfc1738", "a:b"]);
    assert!(ran.stderr.contains("url-1993") && ran.stderr.contains("`all`"), "{}", ran.stderr);
    assert_eq!(parse(&["-h"]).status, Some(0));
    assert!(parse(&["--help"]).out().contains("Exit status:"));
}

#[test]
fn a_path_called_parse_is_still_found() {
    let dir = Dir::new();
    dir.file("parse", "http://h.example/\n");
    dir.run(["./parse"]).is(0, "http://h.example/\n");
    dir.run(["-I", "parse"]).is(0, "http://h.example/\n");
    assert_eq!(dir.run(["parse"]).status, Some(2));
}

#[test]
fn a_search_by_an_older_grammar() {
    let text = "http://h.example/~u urn:example:a/b http://[::1]/ telnet://h.example/ x\n";
    let found = |grammar: &str| pipe(["--grammar", grammar], text).out().replace('\n', " ");
    assert_eq!(
        found("rfc3986"),
        "http://h.example/~u urn:example:a/b http://[::1]/ telnet://h.example/ "
    );
    assert_eq!(found("url-syntax-05"), "http://h.example/~u urn:example:a/b telnet://h.example/ ");
    assert_eq!(
        found("rfc2141"),
        "http://h.example/~u urn:example:a http://[::1]/ telnet://h.example/ "
    );
    let ran = pipe(["--grammar=url-1993", "--invalid", "--json"], text);
    let rejected: Vec<_> = ran
        .out()
        .lines()
        .filter_map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            let reason = object["reason"].as_str()?;
            Some(format!("{reason}@{}", object["at"]))
        })
        .collect();
    assert_eq!(rejected, ["path-character@17", "host-form@7", "trailing-text@18"]);
    let urns = "urn:example:a?b urn:isbn:1\n";
    pipe(["--grammar=rfc2141bis-01", "--nid", "example"], urns).is(0, "urn:example:a?b\n");
    let ran = pipe(["--grammar=rfc2141bis-01", "--json"], urns);
    let object: serde_json::Value =
        serde_json::from_str(ran.out().lines().next().unwrap()).unwrap();
    assert_eq!(
        object["urn"],
        serde_json::json!({"nid": "example", "nss": "a", "assigned_name": "urn:example:a", "namespace": "formal"})
    );
    let ran = pipe(["--grammar", "all"], text);
    assert_eq!(ran.status, Some(2), "`all` is for parse only");
}
