//! Inputs larger than the window.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread;

use crate::support::{Dir, command, finish, has, pipe, spawn};

/// A text with a URI of `length` bytes that starts at `at`, and others around it.
fn text(at: usize, length: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() + 60 < at {
        text.extend_from_slice(
            format!("line http://a.example/{} and more\n", text.len()).as_bytes(),
        );
    }
    text.resize(at, b' ');
    text.extend_from_slice(b"data:text/plain;base64,");
    text.resize(at + length, b'A');
    text.extend_from_slice(b"\nhttp://z.example/\n");
    text
}

#[test]
fn a_uri_across_every_seam() {
    let dir = Dir::new();
    for (at, length) in [
        (1 << 19, 300_000),
        ((1 << 20) - 5, 300_000),
        ((1 << 20) - 100, 200),
        (3_000_000, 1_000_000),
    ] {
        let text = text(at, length);
        dir.file("a", &text);
        let named = dir.run(["-n", "-b", "a"]);
        assert_eq!(named.status, Some(0));
        let uri = std::str::from_utf8(&text[at..at + length]).unwrap();
        let line = text[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let wanted =
            format!("{line}:{at}:{uri}\n{}:{}:http://z.example/\n", line + 1, at + length + 1);
        assert!(named.out().ends_with(&wanted), "at {at}, {length} long");
        for line in named.out().lines() {
            let mut parts = line.splitn(3, ':');
            let (_, start, uri) = (parts.next(), parts.next().unwrap(), parts.next().unwrap());
            assert!(text[start.parse::<usize>().unwrap()..].starts_with(uri.as_bytes()));
        }
        // The same in a pipe, where reads are short, and for any number of threads.
        assert!(pipe(["-n", "-b"], &text).stdout == named.stdout);
        for threads in ["-j1", "-j3", "-j4"] {
            assert!(dir.run([threads, "-n", "-b", "a"]).stdout == named.stdout, "{threads}");
        }
    }
}

#[test]
fn data_uris_come_out_whole() {
    let mut html = b"<img src=\"data:image/png;base64,".to_vec();
    html.resize(300_000, b'Q');
    html.extend_from_slice(b"\"> http://a.example/");
    let ran = pipe([""; 0], &html);
    let lines: Vec<_> = ran.out().lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0].len(), lines[1]), (300_000 - 10, "http://a.example/"));
}

#[test]
fn too_long_is_rejected_and_not_cut() {
    let mut text = b"data:text/plain,".to_vec();
    text.resize(3 << 20, b'A');
    text.extend_from_slice(b" http://a.example/");
    pipe([""; 0], &text).is(0, "http://a.example/\n");
    let ran = pipe(["--invalid"], &text);
    assert!(ran.out().starts_with("data:text/plain,AAAA") && ran.out().contains(": too-long: "));
    assert_eq!(ran.out().lines().count(), 1);
    let ran = pipe(["-c", "--max-uri=4M"], &text);
    ran.is(0, "2\n");
}

#[test]
fn everything_is_the_same_for_any_number_of_threads() {
    let dir = Dir::new();
    // Nothing here repeats in a power of two, so that seams fall anywhere.
    let pieces: [&[u8]; 9] = [
        b"http://a.example/b(c)d, ",
        b"<http://b.example/\n  rest> ",
        b"urn:example:a?b http://[::1/ ",
        b"word: c:\\windows std::string \n",
        b"https://c.example/?u=http://d.example/,http://e.example/ ",
        b"\xff\0 mailto:a@b.example\r\n",
        b"data:text/plain,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        b"http://f.example/%zz{x} tel:301-405-2721 12 \n\n",
        b"<URL:ftp://g.example/a-\nb> \"http://h.example/\"\n",
    ];
    let mut text = Vec::new();
    let mut seed = 12345_u32;
    while text.len() < 9 << 20 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(pieces[(seed >> 16) as usize % pieces.len()]);
    }
    dir.file("a", &text);
    for flags in [
        &["--vimgrep", "-b"][..],
        &["--invalid", "-n"],
        &["--embedded"],
        &["-m", "100000"],
        &["-e", "c.exa"],
    ] {
        let args = |threads| {
            [threads].into_iter().chain(flags.iter().copied()).chain(["a"]).collect::<Vec<_>>()
        };
        let one = dir.run(args("-j1"));
        assert!(one.out().lines().count() > 10_000, "{flags:?}");
        for threads in ["-j2", "-j3", "-j7"] {
            assert!(dir.run(args(threads)).stdout == one.stdout, "{threads} {flags:?}");
        }
        let args = flags.iter().copied().chain(["-j4", "--sort=path", "-I"]).collect::<Vec<_>>();
        let one_args =
            args.iter().copied().filter(|&arg| arg != "-j4").chain(["-j1"]).collect::<Vec<_>>();
        assert!(dir.run(args).stdout == dir.run(one_args).stdout, "{flags:?}");
    }
}

/// Dense, so that each chunk has records that are made ahead, some that are made in their turn, and
/// others in vain.
#[test]
fn records_are_the_same_for_any_number_of_threads() {
    let dir = Dir::new();
    let mut text = Vec::new();
    for number in 0.. {
        let filler = "x".repeat(number % 23);
        text.extend_from_slice(format!("http://a.example/{number}{filler}\n").as_bytes());
        if text.len() > 5 << 19 {
            break;
        }
    }
    // Long, as it is in each object: so more than can wait comes of a chunk.
    let name = "n".repeat(250);
    dir.file(&name, &text);
    for (flags, threads) in [
        &["--json"][..],
        &["--format=csv"],
        &["--format=sarif"],
        &["--template={line}:{column} {uri}"],
        &["-n", "--column", "-H", "--color=always"],
        &["-b", "--null"],
        &["--count"],
        &["--unique"],
        &["--max-count=70000", "-n"],
    ]
    .into_iter()
    .zip(["-j2", "-j4", "-j3"].into_iter().cycle())
    {
        let run = |threads| dir.run([&[threads], flags, &[&name]].concat());
        let one = run("-j1");
        assert_eq!(one.status, Some(0));
        assert!(run(threads).stdout == one.stdout, "{threads} {flags:?}");
    }
}

/// The peak of resident memory in KiB, of a run with this standard input.
fn peak(args: &[&str], feed: impl FnOnce(&mut dyn Write) + Send + 'static) -> Option<u64> {
    if !has("sh") || !fs::exists("/proc/self/status").is_ok_and(|there| there) {
        eprintln!("SKIPPED: this test needs /proc");
        return None;
    }
    let mut child = spawn(command(args).stdin(Stdio::piped()));
    let mut to = child.stdin.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let feeder = thread::spawn(move || {
        feed(&mut to);
        // The peak is read while the command still waits for more.
        let status = fs::read_to_string(status).unwrap();
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        peak.split_whitespace().nth(1).unwrap().parse().unwrap()
    });
    let ran = finish(child);
    assert!(ran.status.is_some_and(|status| status < 2), "{}", ran.stderr);
    Some(feeder.join().unwrap())
}

#[test]
fn a_long_line_takes_little_memory() {
    for piece in [&b"x"[..], b"http://a.example/", b"a:b c:d "] {
        let block = piece.repeat((1 << 20) / piece.len());
        let peak = peak(&["-q", "-e", "nomatch"], move |to| {
            for _ in 0..200 {
                to.write_all(&block).unwrap();
            }
        });
        assert!(peak.is_none_or(|peak| peak < 64 << 10), "{peak:?} KiB");
    }
}
