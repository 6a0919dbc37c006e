//! `docs/reference/json.schema.json`: every line of JSON that the command prints, in every mode, is
//! what it says.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Dir, Ran, pipe};

/// A validator of as much of JSON Schema as the schema uses.
struct Schema {
    root: Value,
}

impl Schema {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/json.schema.json");
        let root = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        Self { root }
    }

    fn definition(&self, reference: &str) -> &Value {
        let name = reference.strip_prefix("#/$defs/").expect("a reference to a definition");
        self.root["$defs"].get(name).unwrap_or_else(|| panic!("no definition {name}"))
    }

    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let fail = |what: &str| Err(format!("{what}: {value}"));
        for (keyword, rule) in schema.as_object().expect("a schema") {
            match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" => {}
                "$ref" => self.check(self.definition(rule.as_str().unwrap()), value)?,
                "oneOf" => {
                    let rules = rule.as_array().unwrap();
                    let fit = rules.iter().filter(|rule| self.check(rule, value).is_ok()).count();
                    if fit != 1 {
                        return fail(&format!("{fit} of the alternatives fit"));
                    }
                }
                "const" if rule == value => {}
                "enum" if rule.as_array().unwrap().contains(value) => {}
                "type" if is_type(rule.as_str().unwrap(), value) => {}
                "minimum" if value.as_f64() >= rule.as_f64() => {}
                "minItems" if value.as_array().unwrap().len() as u64 >= rule.as_u64().unwrap() => {}
                "maxItems" if value.as_array().unwrap().len() as u64 <= rule.as_u64().unwrap() => {}
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(rule, item)?;
                    }
                }
                "required" => {
                    for name in rule.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            return fail(&format!("{name} is missing"));
                        }
                    }
                }
                "properties" => {
                    for (name, rule) in rule.as_object().unwrap() {
                        if let Some(member) = value.get(name) {
                            self.check(rule, member)?;
                        }
                    }
                }
                "additionalProperties" => {
                    let known = schema.get("properties").and_then(Value::as_object);
                    for (name, member) in value.as_object().into_iter().flatten() {
                        match rule {
                            _ if known.is_some_and(|known| known.contains_key(name)) => {}
                            Value::Bool(_) => return fail(&format!("{name} is not known")),
                            rule => self.check(rule, member)?,
                        }
                    }
                }
                "const" | "enum" | "type" | "minimum" | "minItems" | "maxItems" => {
                    return fail(&format!("not {keyword} {rule}"));
                }
                other => panic!("the schema has a keyword that nobody checks: {other}"),
            }
        }
        Ok(())
    }
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => panic!("no type {name}"),
    }
}

/// Checks every line, and says of which types they are.
fn checked(schema: &Schema, ran: &Ran) -> Vec<String> {
    assert!(ran.status.is_some_and(|status| status <= 2), "{ran:?}");
    let mut types = Vec::new();
    for line in ran.out().lines() {
        let value: Value = serde_json::from_str(line).expect(line);
        schema.check(&schema.root, &value).unwrap_or_else(|error| panic!("{error}\n{line}"));
        types.push(value["type"].as_str().unwrap().to_owned());
    }
    assert!(!types.is_empty(), "{ran:?}");
    types
}

const TEXT: &str = "<HTTP://u:p@Example.com:80/a?q=#> http://b\u{fc}cher.example/ http://a.example/{x}|y
urn:isbn:0-395-36341-1 urn:isbn:0-395-36341-2 http://0x7f.1/ http://[::1]/ hxxp://evil[.]example/x
<http://a.example/
 b-
 c> jo@a.example www.example.com/a http://$HOST/ https://a.example/?token=secret (http://a.example/x...)
";

#[test]
fn every_mode_of_a_search() {
    let schema = Schema::read();
    for args in [
        &[][..],
        &["--stats"],
        &["--invalid", "--stats"],
        &["--explain"],
        &["--invalid", "--explain"],
        &["--email", "--abbreviated", "--identifiers", "--refang", "--embedded"],
        &["--redact"],
        &["--defang"],
        &["--redact", "--defang", "--unique", "--stats"],
        &["--no-fragment", "--unwrap", "--rejoin", "always"],
        &["--grammar", "rfc2141"],
        &["--count-by", "host"],
        &["--count-by", "domain", "--top", "2"],
        &["--count-by", "nid"],
        &["--count-by", "identifier"],
        &["--count-by", "file", "--stats"],
    ] {
        let ran = pipe(["--json"].iter().chain(args), TEXT);
        if args.contains(&"domain") {
            assert!(ran.out().contains("\"count\""), "{ran:?}");
        }
        let types = checked(&schema, &ran);
        let ends_in_summary = types.last().is_some_and(|last| last == "summary");
        let is_counted = args.contains(&"--count-by");
        assert_eq!(ends_in_summary, args.contains(&"--stats") && !is_counted, "{args:?}");
    }
    // Without --stats, `jq -r .uri` has a URI of every line.
    let ran = pipe(["--json"], TEXT);
    for line in ran.out().lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        assert!(value["uri"].is_string(), "{line}");
    }
}

#[test]
fn documents_mail_archives_and_errors() {
    let (schema, dir) = (Schema::read(), Dir::new());
    dir.file(
        "a.html",
        "<a href='b.html?x=1#y'>x</a><!-- http://a.example/ --><img src=//c.example/d>",
    );
    // A finding with a fix.
    dir.file("install.md", "# a\n").file("b.md", "[a](instal.md)\n");
    dir.file("a.md", "[a](b.md#c) <http://a.example/>, `http://b.example/`");
    dir.file(
        "a.eml",
        "From: J\u{e9} <jo@a.example>\nSubject: s\nMessage-ID: <1@a.example>\nDate: Wed, 02 Mar 2005 23:56:19 +0000\n\
         Content-Type: text/plain\n\nhttp://a.example/\n",
    );
    dir.file("a.txt", b"\xff http://a.example/\xe9 \n");
    dir.file("\u{e9}.txt", "http://a.example/");
    for args in [
        &["--json", "."][..],
        &["--json", "--resolve", "--headers", "--explain", "."],
        &["--json", "--count-by", "message", "."],
        &["--json", "no/such/file", "a.md"],
        &["audit", "--json", "."],
        &["audit", "--json", "no/such/file", "."],
        &["audit", "--json", "--summary", "."],
        &["audit", "--json", "--statistics", "."],
        &["audit", "--json", "--list-checks"],
        &["diff", "--json", "a.html", "a.md"],
    ] {
        checked(&schema, &dir.run(args));
    }
}

#[test]
fn verbs() {
    let schema = Schema::read();
    let verbs: &[&[&str]] = &[
        &[
            "parse",
            "--json",
            "http://u@a.example:80/b?c=d&e#f",
            "urn:isbn:0451450523?+r?=q#f",
            "no uri",
        ],
        &["parse", "--json", "--grammar", "all", "http://a_b.example/", "urn:x-y:z", "//a/b"],
        &["parse", "--json", "--reference", "../a", "http://0x7f.1/", "http://\u{e9}/"],
        &["parse", "--json", "pkg:npm/%40a/b@1?x=y#z", "mailto:jo@a.example?subject=x"],
        &["resolve", "--json", "http://a.example/b", "../c", "#d", "http:x y"],
        &["resolve", "--json", "--grammar", "rfc2396bis-01", "http://a.example/b", "#d", ""],
        &["normalize", "--json", "HTTP://A.example/%7e", "no uri"],
        &["compare", "--json", "HTTP://a.example", "http://a.example/"],
        &["compare", "--json", "http://a.example", "http://b.example/"],
        &["compare", "--json", "urn:isbn:0451450523", "urn:isbn:9780451450524"],
        &["compare", "--json", "http://a.example", "no uri"],
        &["registry", "--json", "schemes"],
        &["registry", "--json", "formats"],
        &["registry", "--json", "namespaces", "isbn"],
    ];
    for args in verbs {
        checked(&schema, &pipe(*args, ""));
    }
    let dir = Dir::new();
    dir.file("a.txt", "http://a.example/x http://b.example/\n")
        .file("b.py", "'http://a.example/'\n");
    let replace = ["replace", "--json", "http://a.example", "http://c.example/it's", "."];
    assert_eq!(checked(&schema, &dir.run(replace)).len(), 2);
}

/// A match that a finder found in memory has no file and no lines.
#[test]
fn a_match_in_memory() {
    let schema = Schema::read();
    let text = b"see urn:isbn:0451450523, https://doi.org/10.1000/182, <http://a.example/\nb>";
    for m in urigrep::Finder::new().find_iter(text) {
        let hit = urigrep::search::OwnedHit::from(m.into_owned());
        let value = serde_json::to_value(&hit).unwrap();
        assert_eq!(schema.check(schema.definition("#/$defs/match"), &value), Ok(()));
        assert!(["path", "line", "column"].iter().all(|name| value.get(name).is_none()), "{value}");
    }
}

#[test]
fn the_document_names_every_member() {
    let schema = Schema::read();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/json.md");
    let text = fs::read_to_string(path).unwrap();
    for (name, definition) in schema.root["$defs"].as_object().unwrap() {
        let members = definition.get("properties").and_then(Value::as_object);
        for member in members.into_iter().flatten().map(|(member, _)| member) {
            assert!(text.contains(member.as_str()), "{member} of {name}");
        }
        for word in definition.get("enum").and_then(Value::as_array).into_iter().flatten() {
            let word = word.as_str().unwrap();
            assert!(text.contains(&format!("`{word}`")), "{word} of {name}");
        }
    }
}

/// Every field of a hit that JSON has is in the schema, and the other way round.
#[test]
fn fields_are_those_of_the_schema() {
    use std::collections::BTreeSet;

    use urigrep::search::{HitField, JsonPlace};

    let schema = Schema::read();
    for object in ["match", "components", "urn", "mail"] {
        let fields = HitField::ALL.iter().filter_map(|field| match field.json() {
            JsonPlace::Hit(name) if object == "match" => Some(name),
            JsonPlace::Components(name) if object == "components" => Some(name),
            JsonPlace::Urn(name) if object == "urn" => Some(name),
            JsonPlace::Mail(name) if object == "mail" => Some(name),
            _ => None,
        });
        let fields: BTreeSet<&str> = match object {
            // What a rejected candidate has is in a definition of its own.
            "match" => fields
                .filter(|name| !matches!(*name, "reason" | "at"))
                .chain(["type", "explain", "components", "urn", "mail"])
                .collect(),
            _ => fields.collect(),
        };
        let properties = schema.root["$defs"][object]["properties"].as_object().unwrap();
        let properties: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(fields, properties, "{object}");
    }
}

/// Asserts that all lines of a run are valid.
#[cfg(feature = "online")]
pub fn is_valid(ran: &Ran) {
    checked(&Schema::read(), ran);
}
