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
    pipe(["--at", "*"], "http://a.example/").is(1, "");
    pipe(["--at", "!url"], "http://a.example/").is(0, "http://a.example/\n");
    assert_eq!(pipe(["--at", "[a"], "").status, Some(2));
}
