//! What a sender makes who wants to hide a URI, or to stop whoever looks for it (RELIABILITY.md).
//!
//! Each message holds a URI; it must be in some part, in time that is linear in the message.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Duration;

use super::seen::Seen;
use crate::timing::time;
use urigrep::document::mail::{self, Headers};
use urigrep::document::{Event, EventSink, Source};

const URI: &str = "http://hidden.example/x";
/// In base64.
const ENCODED: &str = "aHR0cDovL2hpZGRlbi5leGFtcGxlL3g=";

const IN_EBCDIC: &str = "Content-Transfer-Encoding: base64\n\niKOjl3phYYiJhISFlUuFp4GUl5OFYac=\n";
/// By gzip.
const COMPRESSED: &str = "Content-Transfer-Encoding: base64\n\nH4sIAAAAAAACA8soKSmw0tfPyExJSc3TS61IzC3ISdWvAADoZHiAFwAAAA==\n";
/// The start of a message of a mailbox.
const ENVELOPE: &str = "From a@a.example Wed Mar  2 23:56:19 2005\n";

fn nested_messages(n: usize) -> String {
    "Content-Type: message/rfc822\n\n".repeat(n) + "Subject: x\n\n" + URI
}

fn nested_multiparts(n: usize) -> String {
    let mut text = String::new();
    for level in 0..n {
        let _ = write!(text, "Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    }
    text + "\n" + URI
}

fn many_parts(n: usize) -> String {
    let mut text = String::from("Content-Type: multipart/mixed; boundary=b\n\n");
    for _ in 0..n {
        text += "--b\nContent-Type: text/plain\n\nx\n";
    }
    text + "--b\n\n" + URI + "\n--b--\n"
}

/// Boundaries that are prefixes of each other, and lines that are nearly one.
fn prefixes(n: usize) -> String {
    let mut text = String::new();
    for level in 0..60 {
        let name = "b".repeat(level + 1);
        let _ = write!(text, "Content-Type: multipart/mixed; boundary={name}\n\n--{name}\n");
    }
    text += "\n";
    for line in 0..n {
        let _ = writeln!(text, "--{}x", "b".repeat(line % 70));
    }
    text + URI
}

fn dashes(n: usize) -> String {
    String::from("Content-Type: multipart/mixed; boundary=b\n\n--b\n\n") + &"--\n".repeat(n) + URI
}

fn closings(n: usize) -> String {
    String::from("Content-Type: multipart/mixed; boundary=b\n\n") + &"--b--\n".repeat(n) + URI
}

fn header(n: usize) -> String {
    String::from("Subject: a\nX-Long: ") + &"long \n ".repeat(n) + URI + "\n\nbody"
}

fn fields(n: usize) -> String {
    "X-A: b\nSubject: =?utf-8?q?a?=\n".repeat(n) + "X-Url: " + URI + "\n\nbody"
}

fn parameters(n: usize) -> String {
    let mut text = String::from("Content-Type: text/plain");
    for index in (0..n).rev() {
        let _ = write!(text, ";\n a*{index}*=%41");
    }
    text + "; a=(((\n\n" + URI
}

fn words(n: usize) -> String {
    String::from("Subject: ") + &"=?utf-8?q?".repeat(n) + "\n\n" + URI
}

fn garbage(n: usize) -> String {
    String::from("Content-Transfer-Encoding: base64\n\n") + &"aGk!\n=\n".repeat(n) + URI
}

fn yenc(n: usize) -> String {
    String::from("Subject: a\n\n") + &"=ybegin line=1 size=1 name=a\nbegin 644 a\n".repeat(n) + URI
}

fn encoded_messages(n: usize) -> String {
    // quoted-printable of what has nothing to quote is itself
    "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n".repeat(n)
        + "\n=41\n"
        + URI
}

fn mixed_up(n: usize) -> String {
    let mut text = String::from("Content-Type: multipart/mixed; boundary=b\n\n");
    for _ in 0..n {
        text += "--b\nContent-Type: multipart/alternative; boundary=b\n\n--b--\n";
    }
    text + URI
}

type Generator = fn(usize) -> String;

const GENERATORS: [(&str, Generator, usize); 14] = [
    ("nested messages", nested_messages, 200_000),
    ("nested multiparts", nested_multiparts, 200_000),
    ("many parts", many_parts, 100_000),
    ("prefixes", prefixes, 100_000),
    ("dashes", dashes, 1_000_000),
    ("closings", closings, 500_000),
    ("header", header, 500_000),
    ("fields", fields, 100_000),
    ("parameters", parameters, 100_000),
    ("words", words, 300_000),
    ("garbage", garbage, 300_000),
    ("yenc", yenc, 60_000),
    ("encoded messages", encoded_messages, 40_000),
    ("one boundary for all", mixed_up, 40_000),
];

fn timed(generator: Generator, n: usize) -> (Seen, Duration, usize) {
    let message = generator(n);
    let (seen, taken) = time(|| Seen::of(message.as_bytes(), Headers::Identifiers));
    (seen, taken, message.len())
}

#[test]
fn the_uri_is_found_in_linear_time() {
    for (name, generator, n) in GENERATORS {
        let (seen, time, size) = timed(generator, n);
        assert!(seen.has(URI), "{name}: hidden");
        // all text, however it was read, is a few times the message at most
        let total: usize = seen.given.iter().map(|given| given.text.len()).sum();
        assert!(total <= 8 * size, "{name}: {total} bytes of text from {size}");
        // Quadratic would be 4. The machine may be busy now and then, but not each time.
        let is_linear = |_| {
            let (_, half, _) = timed(generator, n / 2);
            let (_, time, _) = timed(generator, n);
            time <= half.mul_f64(2.8) + Duration::from_millis(20)
        };
        let quick = time < Duration::from_millis(20);
        assert!(quick || (0..8).any(is_linear), "{name}: {time:?} for {size} bytes");
    }
}

#[test]
fn a_header_of_100_mb() {
    let message = header(100 << 20 >> 3);
    let seen = Seen::of(message.as_bytes(), Headers::Text);
    assert!(seen.has(URI));
}

/// Messages that are broken in other ways: URI and encoded URI, at least one of both is there.
#[test]
fn broken_messages_hide_nothing() {
    let encoded = format!("Content-Transfer-Encoding: base64\n\n{ENCODED}\n");
    let messages = [
        // no closing boundary
        format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{encoded}"),
        // a boundary that is not there, and none at all
        format!(
            "Content-Type: multipart/mixed; boundary=c\n\n--b\nContent-Type: text/plain\n{encoded}--b--\n"
        ),
        format!("Content-Type: multipart/mixed\n\n--b\nContent-Type: text/plain\n{encoded}--b--\n"),
        format!("Content-Type: multipart/mixed; boundary=\"\"\n\n{URI}"),
        // parts after the last one, before the first one
        format!("Content-Type: multipart/mixed; boundary=b\n\n--b--\n--b\n{encoded}"),
        format!("Content-Type: multipart/mixed; boundary=b\n\n{URI}\n--b--\n"),
        format!("Content-Type: multipart/mixed; boundary=b\n\n--b--\n{URI}"),
        // one that is empty, and is the line of dashes
        format!(
            "Content-Type: multipart/mixed; boundary=\"\"\n\n--\nContent-Type: text/plain\n{encoded}----\n"
        ),
        format!(
            "Content-Type: multipart/mixed; boundary=\"  \"\n\n--\nContent-Type: text/plain\n{encoded}"
        ),
        // a byte order mark before the first field, of a message and of a part
        format!("\u{feff}{encoded}"),
        format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n\u{feff}{encoded}--b--\n"),
        // charsets in which no letter is that of ASCII
        format!("Content-Type: text/plain; charset=cp037\n{IN_EBCDIC}"),
        format!("Content-Type: text/html; charset=\"IBM-1047\"\n{IN_EBCDIC}"),
        // a compressed file and a mailbox that are labelled as text, or not at all
        format!("Content-Type: text/plain\n{COMPRESSED}"),
        format!("Content-Type: text/html; charset=utf-8\n{COMPRESSED}"),
        format!("Content-Type: application/octet-stream\n{COMPRESSED}"),
        format!("Content-Type: text/plain\n\n{ENVELOPE}{encoded}"),
        format!("Content-Type: application/mbox\n\n{ENVELOPE}Subject: a\n\n{ENVELOPE}{encoded}"),
        format!("Content-Type: application/octet-stream\n\n{ENVELOPE}{encoded}"),
        format!("Content-Type: message/rfc822\n\n{ENVELOPE}{encoded}"),
        // encodings that are not what they say
        format!("Content-Transfer-Encoding: base64\n\n{URI}\n"),
        format!("Content-Transfer-Encoding: base64\n\naGk=\n--\n{URI}\n"),
        format!("Content-Transfer-Encoding: quoted-printable\n\n=\n={URI}=\n"),
        format!("Content-Transfer-Encoding: x-nonsense\n\n{URI}\n"),
        format!("Content-Type: text/plain; charset=utf-16\n\n{URI}!\n"),
        format!("Content-Type: text/plain; charset=utf-32le\n\n{URI}\n"),
        format!("Content-Type: text/plain; charset=nonsense\n\n{URI}\n"),
        // types that are not what they say
        format!("Content-Type: image/png\n\n{URI}\n"),
        format!("Content-Type: application/octet-stream\n{encoded}"),
        format!("Content-Type: multipart/encrypted; boundary=b\n\n--b\n{encoded}--b--\n"),
        format!("Content-Type: message/rfc822\n{encoded}"),
        format!("Content-Type: multipart/mixed; boundary=b\n{encoded}"),
        // headers that are none
        format!("{URI}\n"),
        format!("Subject: a\nthis is no field {URI}\nand so on\n"),
        format!("Subject: a\n{encoded}"),
        format!("\n\n{URI}"),
        format!("--b\n\n{URI}"),
        format!("Subject: =?utf-8?B?{URI}?=\n\n"),
        format!("Subject: =?utf-8?B?!{ENCODED}?=\n\n"),
        format!("Subject: =?nonsense?B?{ENCODED}?=\n\n"),
        format!("Subject: =?utf-8?X?{URI}?=\n\n"),
        format!("Message-ID: <{URI}>\n\n"),
        // lines that look like fields, and are long or have encoded words
        format!("Subject: a\n{URI}\n {}\n", "a ".repeat(1000)),
        format!("Subject: a\n<{URI}>\n {}\n", "a ".repeat(1000)),
        format!("{URI} =?utf-8?Q?a?=\n\n"),
        String::from(
            "Content-Type: text/plain; name*0*=utf-8''http%3A%2F%2F; name*1=\"hidden.example/x\"\n\n",
        ),
        String::from(
            "Content-Type: message/external-body; access-type=URL;\n URL*0=\"http://\";\n URL*1=\"hidden.example/x\"\n\n",
        ),
        // Apple's length
        format!("12\n{URI}\n\nrest"),
        format!("3\na\n{URI}"),
    ];
    for message in messages {
        for message in [message.clone(), message.replace('\n', "\r\n")] {
            let seen = Seen::of(message.as_bytes(), Headers::Text);
            assert!(seen.has(URI), "hidden in {message:?}: {seen:#?}");
        }
    }
}

/// What a message tells of what was not read.
#[derive(Default)]
struct Told(Vec<String>);

impl EventSink for Told {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Unread { file, message } = event {
            self.0.push(format!("{file}: {message}"));
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn what_is_not_read_is_told() {
    let told = |message: &str| {
        let mut told = Told::default();
        let _ = mail::read(Source::new(message.as_bytes()), &mut told);
        told.0.join("\n")
    };
    // EBCDIC of Japan
    let unknown =
        IN_EBCDIC.replace("base64\n", "base64\nContent-Type: text/plain; charset=cp930\n");
    assert!(told(&unknown).starts_with("part 1: its charset `cp930` is not known"));
    let known = unknown.replace("cp930", "cp037");
    assert_eq!(told(&known), "");
    let in_ascii = format!("Content-Type: text/plain; charset=unknown-8bit\n\ncaf\u{e9} {URI}\n");
    assert_eq!(told(&in_ascii), "");
    let piece = format!("Content-Type: message/partial; id=a; number=2; total=3\n\n{ENCODED}\n");
    assert!(told(&piece).contains("join the pieces first"), "{}", told(&piece));
}

#[test]
fn a_field_may_be_a_uri() {
    for line in ["urn:example:a", "\"urn:example:a\"", "X-urn:example:a"] {
        let message = format!("Subject: a\n{line} =?utf-8?Q?urn:example:b?=\nTo: c\n\n");
        let seen = Seen::of(message.as_bytes(), Headers::Text);
        assert!(seen.has("urn:example:a") && seen.has("urn:example:b"), "{seen:#?}");
    }
}

/// Cut anywhere, a message still gives all of its text.
#[test]
fn a_message_may_end_anywhere() {
    let message = format!(
        "From: a\nContent-Type: multipart/alternative; boundary=\"b c\"\n\npre\n--b c\nContent-Type: text/plain; \
         format=flowed; delsp=yes\n\n{URI} \nx\n--b c\nContent-Transfer-Encoding: base64\n\n{ENCODED}\n--b c--\nepi\n"
    );
    for end in 0..message.len() {
        let cut = &message.as_bytes()[..end];
        let seen = Seen::of(cut, Headers::Identifiers);
        for given in &seen.given {
            assert!(given.span.end() <= end);
        }
        let plain = message.find(URI).unwrap() + URI.len();
        assert_eq!(seen.has(URI), end >= plain, "cut at {end}");
    }
}
