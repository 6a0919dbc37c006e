//! Places in documents: `place` and `label` of JSON, text output, and `--at`.

use crate::support::{Dir, pipe};

const TABLE: &str =
    "id,url,note\n1,http://a.example/x,hi\n2,\"http://b.example/\",\"see http://c.example/\"\n";

#[test]
fn fields_of_a_table_have_places() {
    let dir = Dir::new();
    dir.file("t.csv", TABLE);
    let ran = dir.run(["--template", "{line} {place} {format} {uri}", "t.csv"]);
    ran.is(
        0,
        "2 row 2:url csv http://a.example/x\n3 row 3:url csv http://b.example/\n3 row 3:note csv http://c.example/\n",
    );
    // People know the line of a file in which rows are lines.
    dir.run(["-n", "-m1", "t.csv"]).is(0, "2:http://a.example/x\n");
    let ran = dir.run(["--json", "-m1", "t.csv"]);
    assert!(ran.out().contains(r#""format":"csv","place":{"row":2,"column":"url"},"role":"text""#));
}

#[test]
fn places_are_selected() {
    let dir = Dir::new();
    dir.file("t.csv", TABLE);
    for (glob, uris) in [
        ("url", "http://a.example/x\nhttp://b.example/\n"),
        ("U*", "http://a.example/x\nhttp://b.example/\n"),
        ("!url", "http://c.example/\n"),
        ("row 3:*", "http://b.example/\nhttp://c.example/\n"),
    ] {
        dir.run(["--at", glob, "t.csv"]).is(0, uris);
    }
    dir.run(["--at", "no", "t.csv"]).is(1, "");
    // Text has no places.
    let ran = pipe(["--at", "*"], "http://a.example/");
    assert_eq!((ran.status, ran.out()), (Some(1), ""));
    assert!(ran.stderr.contains("--at selects nothing"), "{}", ran.stderr);
    pipe(["--at", "!url"], "http://a.example/").is(0, "http://a.example/\n");
    assert_eq!(pipe(["--at", "[a"], "").status, Some(2));
}

#[test]
fn data_is_read_where_a_search_asks_for_places_or_roles() {
    let dir = Dir::new();
    dir.file("a.json", r#"{"items": [{"link": "http://a.example/"}, "http:\/\/b.example\/"]}"#);
    dir.file("b.yaml", "site:\n  url: http://c.example/ # http://d.example/\n");
    dir.file("c.toml", "[package]\nhomepage = \"http://e.example/\"\n");
    // As text, nothing has a place.
    assert!(!dir.run(["--json", "a.json"]).out().contains("place"));
    // An output that names the place asks for it, and one of a program's roles is not all text.
    let ran = dir.run(["--template", "{place} {uri}", "a.json"]);
    ran.is(0, "/items/0/link http://a.example/\n/items/1 http://b.example/\n");
    let ran = dir.run(["--format", "csv", "--columns", "place,role", "b.yaml"]);
    ran.is(0, "place,role\nsite.url,destination\nsite.url,comment\n");
    dir.run(["--count-by", "role", "b.yaml"]).is(0, "1 comment\n1 destination\n");
    dir.run(["--count-by", "format", "a.json"]).is(0, "2 json\n");
    for glob in ["site.url", "url", "site.*"] {
        dir.run(["--at", glob, "b.yaml"]).is(0, "http://c.example/\nhttp://d.example/\n");
    }
    dir.run(["--at", "/items/*/link", "a.json"]).is(0, "http://a.example/\n");
    let ran = dir.run(["--markup", "json", "--template", "{place} {uri}", "a.json"]);
    ran.is(0, "/items/0/link http://a.example/\n/items/1 http://b.example/\n");
    dir.run(["--role", "comment", "b.yaml"]).is(0, "http://d.example/\n");
    for (file, line) in [
        ("b.yaml", "site.url http://c.example/\n"),
        ("c.toml", "package.homepage http://e.example/\n"),
    ] {
        dir.run(["--role=destination", "--template", "{place} {uri}", file]).is(0, line);
    }
}

#[test]
fn cells_and_fields_have_places() {
    let dir = Dir::new();
    dir.file(
        "n.ipynb",
        r#"{"cells": [{"cell_type": "raw", "source": ""}, {"cell_type": "markdown", "source": ["a\n", "<http://a.example/>"]}]}"#,
    );
    dir.run(["--template", "{place} {uri}", "n.ipynb"]).is(0, "cell 2:2 http://a.example/\n");
    dir.file("r.bib", "@misc{knuth,\n  url = {http://b.example/}\n}\n");
    dir.run(["--template", "{place} {role} {uri}", "r.bib"])
        .is(0, "knuth.url destination http://b.example/\n");
    dir.file("r.ris", "TY  - JOUR\nID  - lee\nUR  - http://c.example/\n");
    dir.run(["--at", "lee.UR", "r.ris"]).is(0, "http://c.example/\n");
}

#[test]
fn programs_are_read_where_a_search_asks_for_roles() {
    let dir = Dir::new();
    dir.file("src/a.rs", "/// See [b](http://b.example/).\nconst C: &str = \"http://c.example/\"; // http://d.example/\n");
    dir.file("src/run", "#!/usr/bin/env python3\n# http://e.example/\nf = 'http://f.example/'\n");
    for (role, file, uris) in [
        ("comment", "src/a.rs", "http://b.example/\nhttp://d.example/\n"),
        ("string", "src/a.rs", "http://c.example/\n"),
        ("comment", "src/run", "http://e.example/\n"),
        ("string", "src/run", "http://f.example/\n"),
    ] {
        dir.run(["--role", role, file]).is(0, uris);
    }
    dir.run(["--role", "code", "src"]).is(1, "");
    // A template that names the fields reads the program too; otherwise, programs are text.
    let ran = dir.run(["--template", "{format} {role}", "src/a.rs"]);
    ran.is(0, "rust comment\nrust string\nrust comment\n");
    let ran = dir.run(["--json", "src/a.rs"]);
    assert!(
        ran.out().contains("http://c.example/") && !ran.out().contains("\"role\":"),
        "{}",
        ran.out()
    );
}
