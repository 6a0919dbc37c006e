//! `urigrep registry`, and that a path called like a verb is still reached.

use std::collections::HashSet;

use crate::support::Dir;

#[test]
fn an_entry_of_either_table() {
    let dir = Dir::new();
    dir.run(["registry", "schemes", "URN"])
        .is(0, "urn  permanent  RFC 8141; IANA registry urn-namespaces\n");
    dir.run(["registry", "namespaces", "Urn-7"]).is(0, "urn-7  informal  IANA\n");
    dir.run(["registry", "namespaces", "uuid", "--json"]).is(
        0,
        "{\"type\":\"namespace\",\"name\":\"uuid\",\"status\":\"formal\",\"reference\":\"RFC 9562\"}\n",
    );
}

#[test]
fn the_whole_of_either_table() {
    let dir = Dir::new();
    for (table, more_than) in [("schemes", 400), ("namespaces", 90)] {
        let text = dir.run(["registry", table]);
        let json = dir.run(["registry", table, "--json"]);
        assert_eq!((text.status, json.status), (Some(0), Some(0)));
        assert!(text.out().lines().count() > more_than, "{table}");
        let mut widths = HashSet::new();
        for (line, object) in text.out().lines().zip(json.out().lines()) {
            let object: serde_json::Value = serde_json::from_str(object).expect("JSON");
            let name = object["name"].as_str().expect("a name");
            assert!(line.starts_with(&format!("{name} ")), "{line}");
            widths.insert(line.len() - object["reference"].as_str().expect("a reference").len());
        }
        assert_eq!(widths.len(), 1, "columns are aligned");
    }
}

#[test]
fn a_name_that_is_not_there() {
    let dir = Dir::new();
    for (args, said) in [
        (["schemes", "htttp"], "urigrep: unknown URI scheme `htttp`; did you mean `http`?\n"),
        (["schemes", "mail-to"], "urigrep: unknown URI scheme `mail-to`; did you mean `mailto`?\n"),
        (["namespaces", "q9q9q9"], "urigrep: unknown URN namespace `q9q9q9`\n"),
    ] {
        let ran = dir.run(["registry", args[0], args[1]]);
        assert_eq!((ran.status, ran.out()), (Some(1), ""));
        assert_eq!(ran.stderr, said);
    }
    let ran = dir.run(["registry", "tables"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("schemes, namespaces"), "{}", ran.stderr);
}

#[test]
fn a_path_called_like_a_verb() {
    let dir = Dir::new();
    dir.file("registry", "http://a.example/");
    dir.run(["./registry"]).is(0, "http://a.example/\n");
    dir.run(["-N", "registry"]).is(0, "http://a.example/\n");
    assert_eq!(dir.run(["registry"]).status, Some(2));
}
