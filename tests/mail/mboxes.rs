//! Messages in an mbox, of each dialect, and however it is cut into windows.

use proptest::prelude::*;
use urigrep::document::mail;
use urigrep::document::mbox::{self, Cursor, Next, Quotes, Rest};

use super::seen::Seen;

const FROM: &str = "From a@a.example Wed Mar  2 23:56:19 2005\n";

/// The contents of all messages.
fn split(mbox: &[u8]) -> Vec<String> {
    let (mut from, mut contents) = (0, Vec::new());
    while let Next::Message(message) = mbox::next(mbox, from, Rest::End) {
        contents.push(String::from_utf8_lossy(&mbox[message.content.range()]).into_owned());
        from = message.content.end();
    }
    assert_eq!(from, mbox.len(), "all of it is in some message");
    contents
}

#[test]
fn envelopes_are_told_by_their_dates() {
    let lines = [
        ("From jim@a.example Wed Mar  2 23:56:19 2005", true),
        ("From jim at a.example  Wed Mar  2 23:56:19 2005", true),
        ("\u{feff}From jim@a.example Wed Mar  2 23:56:19 2005", true),
        ("From - Tue Mar 01 00:00:00 2005", true),
        ("From MAILER-DAEMON Fri Jul  8 12:08:34 2011\r", true),
        ("From \"a b\"@a.example Sat Jan 31 01:02 1998 +0100", true),
        ("From a@a.example Sat Jan 31 01:02:03 EST 1998", true),
        ("From a@a.example Sat Jan 31 01:02:03 +0100 1998", true),
        ("From a@a.example Sat Jan 31 01:02:03 1998 remote from b", true),
        ("From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001", true),
        ("From Sat Sat Jan 31 01:02:03 1998", true),
        ("From here on it is easy.", false),
        ("From Mon to Fri we work", false),
        ("From a@a.example Sat Jan 31", false),
        ("From a@a.example 31 Jan 1998 01:02:03", false),
        ("from a@a.example Wed Mar  2 23:56:19 2005", false),
        (">From a@a.example Wed Mar  2 23:56:19 2005", false),
    ];
    for (line, is) in lines {
        assert_eq!(mbox::is_mbox(line.as_bytes()), is, "{line}");
        assert!(
            !mail::is_message(format!("{line}\nSubject: a\nTo: b\n").as_bytes()) || !is,
            "{line}"
        );
    }
}

#[test]
fn each_dialect_is_split() {
    let first = format!("{FROM}Subject: 1\n\nFrom here on\n\n");
    let second = format!("{FROM}Subject: 2\n\n>From {FROM}\n");
    let contents =
        ["Subject: 1\n\nFrom here on\n\n".to_owned(), format!("Subject: 2\n\n>From {FROM}\n")];
    assert_eq!(split(format!("{first}{second}").as_bytes()), contents);

    // mboxcl2: what the length covers may have lines of any kind
    let body = format!("{FROM}Subject: inner\n\ntext\n");
    let first = format!("{FROM}Content-Length: {}\n\n{body}", body.len());
    let mbox = format!("{first}\n{FROM}Subject: 2\n\n");
    assert_eq!(split(mbox.as_bytes()).len(), 2);
    // a length that leads nowhere does not count
    let mbox = mbox.replace("Content-Length: ", "Content-Length: 1");
    assert_eq!(split(mbox.as_bytes()).len(), 3);

    let mbox = format!("{FROM}Subject: 1\n\na\n\n{FROM}Subject: 2\n\nb\n").replace('\n', "\r\n");
    assert_eq!(split(mbox.as_bytes()), ["Subject: 1\r\n\r\na\r\n\r\n", "Subject: 2\r\n\r\nb\r\n"]);
    assert_eq!(split(b""), Vec::<String>::new());
    assert_eq!(split(b"no mbox\n"), ["no mbox\n"]);
}

#[test]
fn quoted_lines_are_unquoted_and_map_back() {
    let mbox = format!(
        "{FROM}Subject: 1\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=\n>From x\n>>From y\n"
    );
    let Next::Message(message) = mbox::next(mbox.as_bytes(), 0, Rest::End) else {
        panic!("a message");
    };
    let mut seen = Seen::default();
    let _ = message.read(mbox.as_bytes(), &mut seen);
    let body = seen.given.last().unwrap();
    assert_eq!(body.text, b"http://a.example/From x\n>From y\n");
    let start = mbox.find("http").unwrap();
    assert_eq!((body.span.start(), body.span.end()), (start, mbox.len()));
}

proptest! {
    #[test]
    fn windows_of_any_size_give_the_same(
        pieces in proptest::collection::vec(0usize..7, 0..12),
        step in 1usize..60,
    ) {
        let length = FROM.len() + 2;
        let declared = format!("{FROM}Content-Length: {length}\n\n{FROM}a\n\n");
        let lines = [FROM, "Subject: a\n", "\n", "From here\n", ">From b\n", "Content-Length: 9\n", &declared];
        let mbox: String = pieces.iter().map(|&piece| lines[piece]).collect();
        let mbox = mbox.as_bytes();
        let (mut from, mut end, mut contents) = (0, 0, Vec::new());
        loop {
            let rest = if end == mbox.len() { Rest::End } else { Rest::More };
            match mbox::next(&mbox[..end], from, rest) {
                Next::Message(message) => {
                    contents.push(String::from_utf8_lossy(&mbox[message.content.range()]).into_owned());
                    from = message.content.end();
                }
                Next::Unfinished => end = (end + step).min(mbox.len()),
                Next::End => break,
            }
        }
        prop_assert_eq!(&contents, &split(mbox));

        // the same where what was read is dropped, and a message goes on where it was left
        let (mut cursor, mut dropped, mut end, mut again) = (Cursor::default(), 0, 0, Vec::new());
        loop {
            let rest = if end == mbox.len() { Rest::End } else { Rest::More };
            let window = &mbox[dropped..end];
            match cursor.next(window, rest) {
                Next::Message(message) => {
                    let content = &window[message.content.range()];
                    again.push(String::from_utf8_lossy(content).into_owned());
                    let quoted = content.starts_with(b">From ") || content.windows(7).any(|bytes| bytes == b"\n>From ");
                    prop_assert!(!quoted || message.quotes == Quotes::Possible);
                    let done = cursor.from;
                    cursor.drop(done);
                    dropped += done;
                }
                Next::Unfinished => end = (end + step).min(mbox.len()),
                Next::End => break,
            }
        }
        prop_assert_eq!(again, contents);
    }
}
