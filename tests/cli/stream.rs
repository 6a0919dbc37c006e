//! Input that comes while somebody waits for the output: each match is out before the next line is
//! in.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{LIMIT, command, spawn};

/// Nobody waits longer for a match, on a machine that has nothing else to do.
const PROMPT: Duration = Duration::from_millis(100);

struct Writer {
    child: Child,
    to: ChildStdin,
    lines: Receiver<String>,
    waits: Vec<Duration>,
}

impl Writer {
    fn start(args: &[&str]) -> Self {
        let mut child = spawn(command(args).stdin(Stdio::piped()).stdout(Stdio::piped()));
        let (to, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(out).lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { child, to, lines, waits: Vec::new() }
    }

    /// Writes something, and waits until these lines are out.
    fn write(&mut self, text: &[u8], expected: &[&str]) {
        self.to.write_all(text).unwrap();
        self.to.flush().unwrap();
        let start = Instant::now();
        for &expected in expected {
            let shown = String::from_utf8_lossy(text).into_owned();
            let line = self.lines.recv_timeout(LIMIT).expect(&shown);
            assert!(line.contains(expected), "{line} for {shown}");
            self.waits.push(start.elapsed());
        }
    }

    /// Ends the input; these lines come only now.
    fn end(mut self, rest: &[&str]) {
        drop(self.to);
        for &expected in rest {
            let line = self.lines.recv_timeout(LIMIT).expect(expected);
            assert!(line.contains(expected), "{line} for {expected}");
        }
        assert!(self.lines.recv_timeout(LIMIT).is_err());
        self.child.wait().unwrap();
        // One of them may be late where other programs run.
        self.waits.sort();
        let median = self.waits[self.waits.len() / 2];
        assert!(median < PROMPT, "{median:?}");
    }
}

#[test]
fn a_log_that_grows() {
    for args in [&[][..], &["--line-buffered"], &["--redact"], &["--template", "{uri}"]] {
        let mut writer = Writer::start(args);
        writer.write(b"12:30 started: ok\n", &[]);
        writer.write(b"GET http://a.example/1 200\n", &["http://a.example/1"]);
        writer.write(b"at the end http://b.example/2\n", &["http://b.example/2"]);
        writer.write(b"(http://c.example/3), http://d.example/4\r\n", &["example/3", "example/4"]);
        writer.write(
            b"{\"a\": \"http://e.example/5\", \"b\": \"http://f.example/6\"}\n",
            &["/5", "/6"],
        );
        let long = "x".repeat(80);
        let line = format!("{long} http://g.example/{long}\n");
        writer.write(line.as_bytes(), &["http://g.example/x"]);
        writer.write(b"urn:isbn:0451450523, <http://h.example/7>\n", &["isbn", "/7"]);
        // What may go on in the next line is not certain.
        writer.write(b"see <http://i.example/\n", &[]);
        writer.write(b"  8> and so on\n", &["http://i.example/8"]);
        writer.write(b"no line end: http://j.example/9", &[]);
        writer.end(&["http://j.example/9"]);
    }
}

/// A changed text comes as it arrives, but for lines whose end decides about their start.
#[test]
fn a_log_that_grows_and_is_changed() {
    for args in [
        &["replace", "--redact"][..],
        &["replace", "--defang"],
        &["replace", "--trim", "query=utm_*"],
        &["replace", "http://a.example", "https://b.example"],
    ] {
        let is_redacted = args.contains(&"--redact");
        let mut writer = Writer::start(args);
        writer.write(b"12:30 started: ok\n", &["started"]);
        writer.write(b"\n", &[""]);
        writer.write(b"GET https://joe:pw@c.example/?utm_a=1 200\n", &["GET"]);
        writer.write(
            b"203.0.113.7 - - [29/Nov/2026:01:00:00] \"GET / HTTP/1.1\" \"curl/8.0\"\r\n",
            &["curl"],
        );
        writer.write(b"{\"a\": \"http://a.example/5\", \"b\": \"x\"}\n", &["/5"]);
        writer.write(b"see <http://a.example/\n", &[]);
        writer.write(b"  8> and so on\n", &["see", "so on"]);
        writer.write(b"-----BEGIN PRIVATE KEY-----\n", if is_redacted { &[] } else { &["BEGIN"] });
        writer.write(b"MIIE\n", if is_redacted { &[] } else { &["MIIE"] });
        let key: &[&str] = if is_redacted { &["BEGIN", "REDACTED", "END"] } else { &["END"] };
        writer.write(b"-----END PRIVATE KEY-----\n", key);
        writer.write(b"Authorization follows: Bearer\n", &["Bearer"]);
        let token = if is_redacted { "REDACTED" } else { "s3Zq9x0Yw8Vu7Ts6R" };
        writer.write(b"s3Zq9x0Yw8Vu7Ts6R\n", &[token]);
        writer.write(b"no line end: http://c.example/9", &[]);
        writer.end(&["/9"]);
    }
}

/// `yes … | urigrep replace A B | head -1`: nobody reads the rest, which has no end.
#[test]
fn an_endless_text_is_not_read_to_its_end() {
    for args in [&["replace", "http://a.example", "http://b.example"][..], &["replace", "--redact"]]
    {
        let mut child = spawn(command(args).stdin(Stdio::piped()));
        let mut to = child.stdin.take().unwrap();
        let writer = thread::spawn(move || {
            let block = b"http://a.example/x\n".repeat(1000);
            while to.write_all(&block).is_ok() {}
        });
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.ends_with("example/x\n"), "{first}");
        let status = crate::support::wait(&mut child);
        // Nothing in it is a secret.
        assert_eq!(status.code(), Some(i32::from(args.contains(&"--redact"))), "{args:?}");
        writer.join().unwrap();
    }
}

#[test]
fn a_log_that_grows_for_programs() {
    for args in [&["--json"][..], &["--format", "csv"], &["--explain", "--vimgrep"]] {
        let is_explained = args.contains(&"--explain");
        let mut writer = Writer::start(args);
        if args.contains(&"csv") {
            writer.write(b"", &["path"]);
        }
        for number in 0..5 {
            let text = format!("GET http://a.example/{number} 200\n");
            let uri = format!("http://a.example/{number}");
            if is_explained {
                writer.write(text.as_bytes(), &[&uri, "D", "D"])
            } else {
                writer.write(text.as_bytes(), &[&uri])
            }
        }
        if is_explained {
            continue;
        }
        writer.write(b"a short line http://a.example/5\n", &["http://a.example/5"]);
        let long = "x".repeat(80);
        // Whether it may be cut is known with the next line.
        writer.write(format!("http://a.example/{long}\n").as_bytes(), &[]);
        writer.write(b"http://a.example/6 and\n", &["/xxx", "http://a.example/6"]);
        drop(writer);
    }
}

#[test]
fn blocks_wait() {
    let mut writer = Writer::start(&["--block-buffered"]);
    writer.write(b"GET http://a.example/1 200\n", &[]);
    assert!(writer.lines.recv_timeout(PROMPT).is_err());
    drop(writer.to);
    assert_eq!(writer.lines.recv_timeout(LIMIT).unwrap(), "http://a.example/1");
    writer.child.wait().unwrap();
}

#[test]
fn a_compressed_log_that_grows() {
    let mut writer = Writer::start(&["-z"]);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for number in 0..5 {
        encoder.write_all(format!("GET http://a.example/{number} 200\n").as_bytes()).unwrap();
        encoder.flush().unwrap();
        let bytes = std::mem::take(encoder.get_mut());
        writer.write(&bytes, &[&format!("http://a.example/{number}")]);
    }
    writer.to.write_all(&encoder.finish().unwrap()).unwrap();
    writer.end(&[]);
}

#[test]
fn a_mailbox_that_grows() {
    let mut writer = Writer::start(&[]);
    let from = "From jo@a.example Wed Mar  2 23:56:19 2005\n";
    writer.write(from.as_bytes(), &[]);
    for number in 0..5 {
        // A message is whole when the next one starts; the last is large.
        let text = "text ".repeat(4000 * number);
        let message =
            format!("Subject: {number}\n\n<http://a.example/=\n{number}> {text}\n\n{from}");
        writer.write(message.as_bytes(), &[&format!("http://a.example/={number}")]);
    }
    writer.write(b"Subject: last\n\nhttp://b.example/\n", &[]);
    writer.end(&["http://b.example/"]);
}

#[test]
fn the_first_lines_say_what_it_is() {
    // In pieces of any size, a pipe is read as what the whole of it is.
    let mail = b"From: jo@a.example\nSubject: a\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.exa=\nmple/\n";
    let html = b"\n <!DOCTYPE html><a href='http://a.example/?b&amp;c'>x</a>";
    let text = b"From: what follows is text\nhttp://a.example/\n";
    let wide: Vec<u8> = "see http://a.example/ and".bytes().flat_map(|byte| [byte, 0]).collect();
    for (input, expected) in [
        (&mail[..], "http://a.example/"),
        (html, "http://a.example/?b&c"),
        (text, "http://a.example/"),
        (&wide, "http://a.example/"),
    ] {
        for piece in [1, 2, 5, 30, 1000] {
            let mut writer = Writer::start(&[]);
            for piece in input.chunks(piece) {
                writer.to.write_all(piece).unwrap();
                if input.len() < 40 * piece.len() {
                    thread::sleep(Duration::from_millis(3));
                }
            }
            drop(writer.to);
            let lines: Vec<_> = writer.lines.iter().collect();
            assert_eq!(lines, [expected], "in pieces of {piece} bytes");
            writer.child.wait().unwrap();
        }
    }
}
