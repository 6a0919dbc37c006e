//! The messages of `corpus/documents/mail.toml`, and what is in them.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use urigrep::document::mail::{EntityReading, Headers, Multipart};

use super::seen::Seen;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    message: Vec<Case>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    rule: String,
    text: String,
    /// `identifiers` or nothing.
    #[serde(default)]
    headers: String,
    /// Number and reading, role and field, text, and what stands in the source, `=` for the same.
    parts: Vec<[String; 4]>,
}

impl Case {
    fn run(&self) -> Vec<[String; 4]> {
        let message = self.text.as_bytes();
        let headers = match self.headers.as_str() {
            "" => Headers::Text,
            "identifiers" => Headers::Identifiers,
            other => panic!("{}: headers = {other}", self.name),
        };
        let seen = Seen::of(message, headers);
        let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        // headers as they stand are in every case: only those are listed that were decoded
        let parts = seen.given.iter().filter(|given| !given.is_header || given.header.is_some());
        let mut found: Vec<_> = parts
            .map(|given| {
                let reading = match given.reading {
                    EntityReading::Parsed => "",
                    _ => " raw",
                };
                let role = match &given.header {
                    Some(name) => format!("{} {name}", given.role.name()),
                    None => given.role.name().to_owned(),
                };
                let source = &message[given.span.range()];
                let source = if source == given.text { "=".to_owned() } else { string(source) };
                [format!("{}{reading}", given.number), role, string(&given.text), source]
            })
            .collect();
        let skipped = seen.skipped.iter().map(|(number, reason, span)| {
            [
                number.clone(),
                format!("skipped {reason:?}"),
                String::new(),
                string(&message[span.range()]),
            ]
        });
        found.extend(skipped);
        found
    }
}

#[test]
fn messages_are_read_as_labelled() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents/mail.toml");
    let text = std::fs::read_to_string(path).expect("the vectors");
    let file: File = toml::from_str(&text).expect("vectors of this form");
    assert!(!file.message.is_empty(), "no case");
    let (mut names, mut wrong) = (BTreeSet::new(), Vec::new());
    for case in &file.message {
        assert!(names.insert(&case.name), "two cases are called {}", case.name);
        let found = case.run();
        if found != case.parts {
            wrong.push(format!(
                "{} ({})\n  want {:#?}\n   got {found:#?}",
                case.name, case.rule, case.parts
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), file.message.len(), wrong.join("\n"));
}

#[test]
fn entities_say_where_they_are() {
    let message = b"Subject: outer\nContent-Base: http://a.example/\nContent-Type: multipart/alternative; boundary=b\n\n\
        --b\nContent-Location: x/y\n\none\n--b\nContent-Type: message/rfc822\n\nSubject: in\n ner\n\ntwo\n--b--\n";
    let seen = Seen::of(message, Headers::Text);
    let subjects: Vec<_> =
        seen.subjects.iter().map(|subject| subject.as_deref().unwrap()).collect();
    assert_eq!(subjects, ["outer", "outer", "outer", "in ner", "in ner"]);
    let numbers: Vec<_> = seen.multiparts.iter().map(|(number, _)| number.as_str()).collect();
    assert_eq!(numbers, ["", "1", "2", "2", "2.1"]);
    assert_eq!(seen.multiparts[0].1, None);
    assert!(seen.multiparts[1..].iter().all(|(_, kind)| *kind == Some(Multipart::Alternative)));
    let locations: Vec<_> = seen.locations.iter().map(Vec::len).collect();
    assert_eq!(locations, [1, 2, 1, 1, 1]);
    assert_eq!(seen.locations[1][0].content_base.as_deref(), Some("http://a.example/"));
    assert_eq!(seen.locations[1][1].content_location.as_deref(), Some("x/y"));
}
