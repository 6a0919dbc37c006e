//! The whole of corpus/, by any number of threads and in pieces of any size: the command says the
//! same.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::thread;

use crate::support::{Ran, command, finish, spawn};

/// What changes how files are shared out or read.
const MODES: [&[&str]; 9] = [
    &[],
    &["--json"],
    &["--format=csv", "--invalid"],
    &["-n", "-b", "--column", "--rejoin=always", "--refang"],
    &["--abbreviated", "--email", "--uts58"],
    &["--embedded", "--redact"],
    &["--explain"],
    &["--unique", "--normalize"],
    &["-c", "--include-zero"],
];

fn run(args: &[&str]) -> Ran {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = finish(spawn(command(args).current_dir(here).stdin(Stdio::null())));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    ran
}

#[test]
fn the_corpus_is_the_same_for_any_number_of_threads() {
    for mode in MODES {
        let with = |threads, sort| run(&[mode, &[threads, sort, "-u", "corpus"]].concat());
        let one = with("-j1", "--sort=path");
        assert!(one.stdout.len() > 10_000 || mode == ["-c", "--include-zero"], "{mode:?}");
        let without_times = |ran: &Ran| -> Vec<String> {
            let lines = ran.out().lines().filter(|line| !line.contains("\"summary\""));
            lines.map(str::to_owned).collect()
        };
        let mut sorted = without_times(&one);
        sorted.sort();
        for threads in ["-j1", "-j2", "-j8"] {
            let ordered = with(threads, "--sort=path");
            assert_eq!(without_times(&ordered), without_times(&one), "{threads} {mode:?}");
            let mut any = without_times(&with(threads, "--sort=none"));
            any.sort();
            assert_eq!(any, sorted, "{threads} {mode:?}, in any order");
        }
    }
}

/// All texts of corpus/ that have no format of their own, which a pipe does not tell.
fn corpus() -> Vec<u8> {
    let counted = run(&["-c", "--include-zero", "--sort=path", "-g=!*.{html,md}", "-u", "corpus"]);
    let mut all = Vec::new();
    for line in counted.out().lines() {
        let (path, _) = line.rsplit_once(':').expect("a path and a number");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        all.extend(std::fs::read(path).expect("a readable file"));
        all.extend(b"\n\n");
    }
    assert!(all.len() > 100_000);
    all
}

#[test]
fn the_corpus_is_the_same_in_pieces_of_any_size() {
    let text = corpus();
    let piped = |size: usize| {
        let args = ["-n", "-b", "--column", "--email", "--abbreviated", "-"];
        let mut child = spawn(command(args).stdin(Stdio::piped()));
        let mut to = child.stdin.take().expect("a pipe");
        let text = text.clone();
        let writer = thread::spawn(move || {
            for piece in text.chunks(size) {
                to.write_all(piece).expect("a reader");
            }
        });
        let ran = finish(child);
        writer.join().expect("written");
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        ran.stdout
    };
    let whole = piped(text.len());
    assert!(whole.len() > 10_000);
    for size in [1, 2, 3, 7, 64, 4096] {
        assert!(piped(size) == whole, "in pieces of {size} bytes");
    }
}
