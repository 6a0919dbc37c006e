//! The library finds what the command prints, and serializes it to the same JSON.

use serde_json::Value;
use urigrep::Finder;
use urigrep::container::document::mail::Headers;
use urigrep::options::HostMapping;
use urigrep::search::{Compressed, Order, OwnedHit, Search, SearchBuilder};

use crate::support::pack::tar;
use crate::support::{Dir, Ran};

fn search() -> SearchBuilder {
    // As the command does.
    let hosts = HostMapping::idna().expect("the command has the feature");
    Search::builder()
        .finder(Finder::builder().host_mapping(hosts).build())
        .compressed(Compressed::Unpacked)
}

fn json(hits: impl Iterator<Item = OwnedHit>) -> Vec<String> {
    let json = hits.map(|hit| serde_json::to_string(&hit).expect("an object"));
    json.collect()
}

/// The matches that the command prints.
fn printed(ran: &Ran) -> Vec<String> {
    let lines = ran.out().lines().map(str::to_owned);
    lines.filter(|line| line.starts_with(r#"{"type":"match""#)).collect()
}

/// A tree with text, Markdown, HTML, a mailbox and an archive of all of them.
fn tree() -> Dir {
    let dir = Dir::new();
    let mail = "From a@b.example Wed Mar  2 23:56:19 2005\nMessage-ID: <1@b.example>\nSubject: x\n\
                Content-Type: multipart/alternative; boundary=y\n\n--y\nContent-Type: text/plain\n\
                Content-Transfer-Encoding: quoted-printable\n\nhttp://m.example/=20a http://n.example/=\nb\n\
                --y\nContent-Type: text/html\n\n<a href=http://m.example/>x</a>\n--y--\n";
    let files: [(&str, &str); 4] = [
        (
            "a.txt",
            "http://u:p@a.example:80/x?y#z <http://b.example/\n c> urn:isbn:0451450523 \u{fc}\n",
        ),
        (
            "b.md",
            "[x](../y.html \"t\") <http://c.example/> `doi:10.1000/182` http://\u{e9}.example/\u{e9}\n",
        ),
        ("c.html", "<base href=http://d.example/><a href=e&amp;f>x</a><!-- tel:301-405-2721 -->"),
        ("m.mbox", mail),
    ];
    let entries: Vec<_> =
        files.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())).collect();
    for (name, text) in files {
        dir.file(name, text);
    }
    dir.file("z.tar", tar(&entries));
    dir
}

#[test]
fn json_of_owned_hits_is_that_of_the_command() {
    let dir = tree();
    for threads in [1, 3] {
        let hits = search()
            .threads(threads)
            .order(Order::Path)
            .build()
            .unwrap()
            .paths([dir.path()])
            .unwrap();
        let ran = dir.run(["-z", "--json", "--sort", "path", dir.path().to_str().unwrap()]);
        let found = json(hits);
        assert!(found.len() > 20, "{}", found.len());
        assert_eq!(found, printed(&ran));
    }
}

#[test]
fn without_an_order_too_and_with_headers() {
    let dir = tree();
    let build = || search().headers(Headers::Identifiers).threads(3).build().unwrap();
    let mut hits = build().paths([dir.path()]).unwrap();
    let mut found = json(hits.by_ref());
    let ran = dir.run(["-z", "--json", "--headers", dir.path().to_str().unwrap()]);
    let mut wanted = printed(&ran);
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    let summary: Value = serde_json::from_str(ran.out().lines().last().unwrap()).unwrap();
    assert_eq!(summary["files"], hits.stats().files);
    assert_eq!(summary["matches"], hits.stats().matches);
    // A search that is given up ends.
    drop(build().paths([dir.path()]).unwrap().next());
}
