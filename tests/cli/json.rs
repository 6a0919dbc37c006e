//! JSON Lines, member by member.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::support::{Dir, Ran, pipe};

pub fn objects(ran: &Ran) -> Vec<Value> {
    ran.out().lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

#[test]
fn a_match() {
    let dir = Dir::new();
    dir.file("a.txt", "x\n<HTTP://u@Example.com:80/a?q=#>\n");
    let ran = dir.run(["--json", "--stats", "a.txt"]);
    let line = ran.out().lines().next().unwrap();
    let wanted = concat!(
        r#"{"type":"match","path":"a.txt","line":2,"column":2,"start":3,"end":32,"#,
        r#""text":"HTTP://u@Example.com:80/a?q=#","uri":"HTTP://u@Example.com:80/a?q=#","#,
        r#""scheme":"http","kind":"uri","wrapper":"angle","flags":[],"#,
        r#""normalized":"http://u@example.com/a?q=#","#,
        r#""components":{"userinfo":"u","host":"Example.com","host_type":"reg-name","port":"80","#,
        r#""path":"/a","query":"q=","fragment":""}}"#
    );
    assert_eq!(line, wanted);
    let summary = objects(&ran).pop().unwrap();
    for (member, value) in [
        ("files", 1),
        ("skipped", 0),
        ("bytes", 34),
        ("matches", 1),
        ("unique", 1),
        ("rejected", 0),
        ("errors", 0),
    ] {
        assert_eq!(summary[member], json!(value), "{member}");
    }
    assert!(summary["seconds"].is_f64() && summary["type"] == "summary");
}

#[test]
fn kinds_and_ranges() {
    let text = "<http://a.example/\n b-\n c>\nurn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6?+r?=q#f http://b\u{fc}cher.example/\n";
    let ran = pipe(["--json"], text);
    let all = objects(&ran);
    assert_eq!(all.len(), 3, "{ran:?}");
    assert_eq!(all[0]["path"], "<stdin>");
    assert_eq!(all[0]["text"], "http://a.example/\n b-\n c");
    assert_eq!(all[0]["uri"], "http://a.example/b-c");
    assert_eq!(all[0]["alternative"], "http://a.example/bc");
    assert_eq!(all[0]["ranges"], json!([[1, 18], [20, 22], [24, 25]]));
    assert_eq!(all[0]["flags"], json!(["rejoined"]));
    assert_eq!(
        all[1]["urn"],
        json!({"nid": "uuid", "nss": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "r": "r", "q": "q", "f": "f",
               "assigned_name": "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "namespace": "formal"})
    );
    assert_eq!((&all[1]["line"], &all[1]["column"]), (&json!(4), &json!(1)));
    assert_eq!(all[2]["kind"], "iri");
    assert_eq!(all[2]["iri"], "http://b\u{fc}cher.example/");
    assert_eq!(all[2]["uri"], "http://xn--bcher-kva.example/");
    assert!(
        all[0].get("urn").is_none()
            && all[1].get("ranges").is_none()
            && all[1].get("iri").is_none()
    );
}

#[test]
fn text_is_the_source() {
    let mut text =
        b"\xff\xff \0 http://a.example/\xe9 \xf0\x9f\x98\x80 mailto:a@b.example\r\n".to_vec();
    text.extend_from_slice(
        "日本http://c.example/。 (https://d.example/x_(y)) <urn:isbn:0451450523>\n".as_bytes(),
    );
    let ran = pipe(["--json"], &text);
    let mut found = 0;
    for object in objects(&ran).iter().filter(|object| object["type"] == "match") {
        let range =
            object["start"].as_u64().unwrap() as usize..object["end"].as_u64().unwrap() as usize;
        assert_eq!(&text[range.clone()], object["text"].as_str().unwrap().as_bytes());
        let before = &text[..range.start];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column =
            range.start - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1) + 1;
        assert_eq!((&object["line"], &object["column"]), (&json!(line), &json!(column)));
        found += 1;
    }
    assert_eq!(found, 5, "{ran:?}");
}

#[test]
fn errors_rejected_and_bytes() {
    let dir = Dir::new();
    let name = OsStr::from_bytes(b"a\xff.txt");
    dir.file(name, "http://a.example/ urn:x");
    let ran =
        dir.run([OsStr::new("--json"), OsStr::new("--stats"), name, OsStr::new("missing.txt")]);
    assert_eq!(ran.status, Some(2));
    let all = objects(&ran);
    assert_eq!(all.len(), 3, "{ran:?}");
    assert!(all.iter().any(|object| object["path"] == json!({"bytes": "Yf8udHh0"})));
    let error = all.iter().find(|object| object["type"] == "error").unwrap();
    assert_eq!(
        error,
        &json!({"type": "error", "path": "missing.txt", "message": "No such file or directory"})
    );
    assert_eq!((&all[2]["errors"], &all[2]["files"]), (&json!(1), &json!(1)));
    assert_eq!(ran.stderr, "urigrep: missing.txt: No such file or directory\n");

    let all = objects(&pipe(["--json", "--stats", "--invalid"], b"http://a.example/ \xff urn:x"));
    let wanted = json!({"type": "rejected", "path": "<stdin>", "line": 1, "column": 21, "start": 20, "end": 25,
                        "text": "urn:x", "reason": "nid-too-short", "at": 5});
    assert_eq!(all[0], wanted);
    assert_eq!(all.len(), 2);
    assert_eq!((&all[1]["rejected"], &all[1]["matches"]), (&json!(1), &json!(1)));
}

#[test]
fn a_summary_is_there_when_it_is_asked_for() {
    let ran = pipe(["--json", "--stats"], "");
    assert_eq!(ran.status, Some(1));
    assert_eq!(objects(&ran).len(), 1);
    pipe(["--json"], "").is(1, "");
}

#[test]
fn flags_and_what_they_come_from() {
    let text =
        "http://0x7f.1/ http://p\u{430}ypal.com/ urn:isbn:0451450524 http://a.example/\u{5d0}b";
    let ran = pipe(["--json"], text);
    let objects = objects(&ran);
    let flags: Vec<_> = objects.iter().map(|object| object["flags"].to_string()).collect();
    assert_eq!(
        flags[..4],
        [r#"["rare-ip"]"#, r#"["mixed-script-host"]"#, r#"["urn-nss-invalid"]"#, r#"["bidi"]"#]
    );
    assert_eq!(objects[0]["components"]["host_address"], "127.0.0.1");
    assert_eq!(objects[2]["urn"]["namespace"], "formal");
    assert_eq!(objects[2]["urn"]["fault"]["reason"], "nss-check-digit");
    assert_eq!(objects[2]["urn"]["fault"]["at"], 18);
}
