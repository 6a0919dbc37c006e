//! `label` in a search: the texts of links that stand behind their destinations.

use super::json::objects;
use crate::support::{Dir, pipe};

const LABELLED: [&str; 2] = ["--template", "{uri} [{label}]"];

/// A message with a page, and two attached files of the same name.
fn message(number: usize) -> String {
    format!(
        "From jim@a.example  Wed Mar  2 23:56:19 2005\nMessage-ID: <{number}@a.example>\n\
         Content-Type: multipart/mixed; boundary=b\n\n\
         --b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n\
         <a href=3D\"http://a.example/=\n{number}\">the\n <b>si=\nte</b> {number}</a>\n\
         --b\nContent-Type: text/markdown\nContent-Disposition: attachment; filename=a.md\n\n\
         [one](http://b.example/{number})\n\
         --b\nContent-Type: text/markdown\nContent-Disposition: attachment; filename=a.md\n\n\
         [two](http://b.example/{number})\n\
         --b--\n\n"
    )
}

fn expected(number: usize) -> String {
    format!(
        "http://a.example/{number} [the site {number}]\n\
         http://b.example/{number} [one]\nhttp://b.example/{number} [two]\n"
    )
}

#[test]
fn messages_have_labels_for_any_number_of_threads_and_any_source() {
    let dir = Dir::new();
    dir.file("a.eml", message(1).split_once('\n').expect("an envelope").1);
    let template = [&LABELLED[..], &["--all-parts"]].concat();
    dir.run([&template[..], &["a.eml"]].concat()).is(0, &expected(1));
    // Enough for several chunks.
    let mailbox: String = (0..1500).map(message).collect();
    let all: String = (0..1500).map(expected).collect();
    dir.file("a.mbox", &mailbox);
    for threads in ["1", "2", "7"] {
        dir.run([&template[..], &["--threads", threads, "a.mbox"]].concat()).is(0, &all);
    }
    pipe(template.iter().copied(), &mailbox).is(0, &all);
}

#[test]
fn labels_are_printed_where_they_are_asked_for() {
    let dir = Dir::new();
    dir.file("a.md", "[the *site*](http://a.example/) and [b][x]\n\n[x]: http://b.example/\n");
    dir.run([&LABELLED[..], &["a.md"]].concat())
        .is(0, "http://a.example/ [the site]\nhttp://b.example/ [b]\n");
    let all = objects(&dir.run(["--json", "a.md"]));
    assert_eq!((&all[0]["label"], &all[1]["label"]), (&"the site".into(), &"b".into()));
    let table = dir.run(["--format=csv", "a.md"]);
    assert!(table.out().contains(",the site,"), "{}", table.out());
    // A hit that is not the destination has none, nor has one of text.
    dir.file("b.html", "<a href=http://a.example/ title=http://t.example/>http://c.example/</a>");
    dir.run([&LABELLED[..], &["b.html"]].concat()).is(
        0,
        "http://a.example/ [http://c.example/]\nhttp://t.example/ []\nhttp://c.example/ []\n",
    );
    // Secrets in a label are as secret as those in the URI.
    dir.file("c.md", "[http://u:secret@a.example/](http://u:secret@a.example/)\n");
    let redacted = dir.run(["--redact", "--json", "c.md"]);
    assert!(!redacted.out().contains("secret"), "{}", redacted.out());
    // What is selected does not change the label.
    dir.run([&LABELLED[..], &["--host=b.example", "a.md"]].concat())
        .is(0, "http://b.example/ [b]\n");
}
