//! The library finds what the command prints, and serializes it to the same JSON.

use std::io::Read;

use serde_json::Value;
use urigrep::document::mail::Headers;
use urigrep::options::HostMapping;
use urigrep::search::{
    ByteCounter, CancelToken, Compressed, Dedupe, Flow, Hit, Input, Level, Limits, Needs, Order,
    OwnedHit, Positions, Progress, Search, SearchBuilder, Sink, TextEncoding,
};
use urigrep::{Finder, LineIndex};

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
    let ran = dir.run(["-z", "--json", "--stats", "--headers", dir.path().to_str().unwrap()]);
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

/// Gives at most so many bytes a read.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(self.0.len()).min(out.len());
        out[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[derive(Default)]
struct Seen(Vec<(u64, u64, u64, String)>);

impl Sink for Seen {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let position = hit.position().unwrap();
        self.0.push((hit.start(), position.line, position.column, hit.uri().into_owned()));
        Flow::Continue
    }
}

#[test]
fn same_for_every_chunk() {
    let mut text = b"a http://a.example/1\n<http://b.example/\n  x> data:text/plain,".to_vec();
    text.extend(std::iter::repeat_n(b'x', 9000));
    text.extend_from_slice(b"\n\n mailto:a@b.example, urn:isbn:0451450523\nhttp://c.example/");
    let found = |step: usize| {
        let mut seen = Seen::default();
        let stats = Search::default().reader(Drip(&text, step), &Input::named("a"), &mut seen);
        assert_eq!((stats.bytes, stats.matches), (text.len() as u64, seen.0.len() as u64));
        seen.0
    };
    let whole = found(usize::MAX);
    assert_eq!(whole.len(), 6, "{whole:?}");
    for step in [1, 2, 3, 7, 64, 4096] {
        assert_eq!(found(step), whole, "{step}");
    }
    let dir = Dir::new();
    dir.file("a", &text);
    let file: Vec<_> = Search::default()
        .paths([dir.join("a")])
        .unwrap()
        .map(|hit| (hit.start(), hit.line(), hit.column(), hit.uri().to_owned()))
        .collect();
    assert_eq!(file, whole);
}

/// Quiet text without an end, which cancels the search after some reads.
struct Endless(CancelToken, usize);

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.1 += 1;
        assert!(self.1 < 1000, "it goes on");
        if self.1 == 10 {
            self.0.cancel();
        }
        out.fill(b'a');
        Ok(out.len())
    }
}

#[test]
fn a_cancelled_search_ends_within_a_quiet_file() {
    let token = CancelToken::new();
    let search = search().cancel(token.clone()).build().unwrap();
    let mut seen = Seen::default();
    let stats = search.reader(Endless(token.clone(), 0), &Input::named("a"), &mut seen);
    assert_eq!((seen.0.len(), stats.matches), (0, 0));
    assert!(token.is_cancelled());
    // Nothing else is opened, and nothing is reported.
    let mut hits = search.paths(["Cargo.toml", "no/such/file"]).unwrap();
    assert_eq!((hits.by_ref().count(), hits.problems().len()), (0, 0));
}

#[test]
fn hits_of_an_endless_stream_can_be_dropped() {
    let endless = (&b"http://a.example/ "[..]).chain(std::io::repeat(b'\n'));
    let mut hits = search().build().unwrap().hits(endless, Input::named("a"));
    assert_eq!(hits.next().unwrap().uri(), "http://a.example/");
    drop(hits);
}

#[test]
fn a_tree_and_a_large_file_are_cancelled_from_another_thread() {
    let dir = Dir::new();
    dir.file("large.txt", "quiet text\n".repeat(6 << 20));
    for name in ["large.txt", "."] {
        let (token, progress) = (CancelToken::new(), Progress::default());
        let builder = search().threads(2).cancel(token.clone()).progress(progress.clone());
        let mut hits = builder.build().unwrap().paths([dir.join(name)]).unwrap();
        while progress.bytes() == 0 {
            std::thread::yield_now();
        }
        token.cancel();
        assert_eq!((hits.by_ref().count(), hits.problems().len()), (0, 0));
        assert!(progress.bytes() < 33 << 20, "{}", progress.bytes());
    }
}

#[test]
fn labels_of_encodings() {
    assert!(matches!("AUTO".parse(), Ok(TextEncoding::Guessed)));
    assert!(matches!("utf-16be".parse(), Ok(TextEncoding::Wide(_))));
    assert!(matches!("Shift_JIS".parse(), Ok(TextEncoding::Charset(_))));
    let error = "klingon".parse::<TextEncoding>().unwrap_err();
    assert!(error.to_string().contains("latin1"));
    let search = Search::builder().encoding(TextEncoding::Guessed).build().unwrap();
    let russian: &[u8] = b"\xef\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! \xea\xe0\xea \xe4\xe5\xeb\xe0 http://a.example/\xf1\xe5\xe3";
    for (text, uri) in [
        (russian, "http://a.example/%D1%81%D0%B5%D0%B3"),
        ("caf\u{e9} \u{fc}ber http://a.example/\u{e9}".as_bytes(), "http://a.example/%C3%A9"),
    ] {
        let mut seen = Seen::default();
        search.reader(text, &Input::named("a"), &mut seen);
        assert_eq!(seen.0.first().map(|hit| hit.3.as_str()), Some(uri));
    }
}

/// Where each match is by a stream, with columns in characters.
#[derive(Default)]
struct Characters(Vec<(u64, u64, u64, Option<u64>)>);

impl Sink for Characters {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        let at = hit.position().unwrap();
        self.0.push((hit.start(), at.line, at.column, at.character));
        Flow::Continue
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().positions(Positions::Characters)
    }
}

#[test]
fn columns_in_characters_for_every_chunk() {
    let text =
        "\u{e9} urn:a1:b\n\n\u{1f600}\u{e9}\turn:a1:c \u{e9} urn:a1:d\r\n\u{1f600} urn:a1:e\n"
            .repeat(200);
    let index = LineIndex::new(text.as_bytes());
    for step in [1, 2, 3, 7, 64, 4096, usize::MAX] {
        let mut seen = Characters::default();
        Search::default().reader(Drip(text.as_bytes(), step), &Input::named("a"), &mut seen);
        assert_eq!(seen.0.len(), 800);
        for (start, line, column, character) in seen.0 {
            let at = index.position(start as usize);
            assert_eq!((line, column), (at.line() as u64, at.column() as u64), "{step}");
            assert_eq!(character, Some(at.character() as u64), "{step}");
        }
    }
}

#[test]
fn every_byte_of_a_charset_leads_back() {
    let line = b"caf\xe9 http://a.example/\xfc?x\n";
    let source = line.repeat(9000);
    let search = Search::builder().encoding("latin1".parse().unwrap()).build().unwrap();
    let mut seen = Seen::default();
    search.reader(source.as_slice(), &Input::named("a"), &mut seen);
    assert_eq!(seen.0.len(), 9000);
    for (number, (start, line_number, column, uri)) in seen.0.into_iter().enumerate() {
        let place = ((number * line.len() + 5) as u64, number as u64 + 1, 6);
        assert_eq!((start, line_number, column), place);
        assert_eq!(uri, "http://a.example/%C3%BC?x");
    }
}

const FROM: &str = "From a@b.example Wed Mar  2 23:56:19 2005\n";
const QP: &str = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
    <a href=3D\"http://a.example/=\n?x=3D1&amp;y=3D=C3=A9\">see</a> http://b.example/=20\n";
const BASE64: &str = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\
    aHR0cDovL2MuZXhhbXBsZS8xIGFuZCBodHRwOi8vZC5leGFtcGxlLzIK\n";

/// Messages of all kinds: some are longer than what a thread reads at a time, some hold more than
/// it keeps, some say how long they are and hold what looks like the start of another.
fn mailbox(mut seed: u32) -> Vec<u8> {
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    let mut mailbox = String::new();
    for number in 0.. {
        let id = format!("Message-ID: <{number}@b.example>\nSubject: http://s.example/{number}\n");
        mailbox += FROM;
        mailbox += &match random(200) {
            0 => format!(
                "{id}\n{}\n",
                "http://long.example/ some text\n".repeat(random(40_000) as usize)
            ),
            1 => format!("{id}\n{}\n", "urn:a1:b ".repeat(random(60_000) as usize)),
            at => match at % 8 {
                0 => format!("{id}{QP}\n"),
                1 => format!("{id}{BASE64}\n"),
                2 => format!(
                    "{id}Content-Type: multipart/alternative; boundary=x\n\n--x\n{BASE64}\n--x\n{QP}\n\
                     --x\nContent-Type: application/octet-stream\n\n\0\0\n--x--\n\n"
                ),
                3 => {
                    let body = format!("a\n\n{FROM}{id}\nhttp://inner.example/{number}\n");
                    format!("Content-Length: {}\n{id}\n{body}\n", body.len())
                }
                4 => format!(
                    "{id}\n{}\n",
                    "http://text.example/ some text\n".repeat(random(90) as usize)
                ),
                5 => format!("{id}\n>From x http://q.example/{number}\nhttp://r.example/\n  y\n\n"),
                6 => format!("{id}\nFrom here on http://t.example/\n\n"),
                _ => format!("{id}\n\n"),
            },
        };
        if mailbox.len() > 5 << 20 {
            break;
        }
    }
    mailbox.into_bytes()
}

#[test]
fn a_mailbox_is_the_same_for_any_number_of_threads() {
    let dir = Dir::new();
    for (round, dedupe) in [Dedupe::Parts, Dedupe::Never, Dedupe::Thread].into_iter().enumerate() {
        let mailbox = mailbox(round as u32);
        dir.file("m.mbox", &mailbox);
        for (message, threads) in [(4 << 20, 2 + round % 2), (1500, 3 - round % 2)] {
            let mut limits = Limits::default();
            limits.message = message;
            let found = |threads: usize, max_count: u64| {
                let counter = ByteCounter::default();
                let builder = search().dedupe(dedupe).limits(limits).byte_counter(counter.clone());
                let search = builder.threads(threads).max_count(max_count).build().unwrap();
                let mut hits = search.paths([dir.join("m.mbox")]).unwrap();
                let all = json(hits.by_ref());
                let problems: Vec<_> = hits.problems().iter().map(ToString::to_string).collect();
                (all, hits.stats(), problems, counter.get())
            };
            let one = found(1, u64::MAX);
            assert!(one.0.len() > 1000, "{}", one.0.len());
            let many = found(threads, u64::MAX);
            let again = many.3 - mailbox.len() as u64;
            assert!(again <= 256 << 10, "only the head is read twice: {again}");
            let other = many.0.iter().zip(&one.0).find(|(many, one)| many != one);
            assert_eq!(other, None, "{dedupe:?} {message} {threads}");
            assert_eq!((many.0.len(), many.1, many.2), (one.0.len(), one.1, one.2));
            assert_eq!(found(threads, 500).0, one.0[..500], "{dedupe:?} {message} {threads}");
        }
    }
}
