//! A tree of good files, to which faulty ones are added: the output of the good ones must not
//! change.

use crate::support::{Dir, Ran};

/// The faulty files are below this directory, or are it.
pub const BAD: &str = "m-bad";

/// A tree whose clean output is known. Its files come before and after the faulty ones.
pub struct Tree {
    pub dir: Dir,
    clean: Vec<Vec<Vec<u8>>>,
}

/// The ways to run: in one thread and in four, in order and not; as text and as JSON.
const WAYS: [&[&str]; 5] = [
    &["-j1", "--sort=path"],
    &["-j4", "--sort=path"],
    &["-j4"],
    &["-j4", "--sort=path", "--json"],
    &["-j1", "--json"],
];

impl Tree {
    /// Twelve files, and what their output is by themselves.
    pub fn new() -> Self {
        let dir = Dir::new();
        for (index, name) in ["a", "b/c", "l", "n", "o/p/q", "z"].iter().enumerate() {
            dir.file(
                format!("{name}.txt"),
                format!("{index} http://a.example/{index}, <http://b.example/\n{index}>\nurn:x:{index}\n"),
            )
            .file(
                format!("{name}.html"),
                format!("<a href='/{index}?a&amp;b'>http://c.example/{index}</a>"),
            );
        }
        let mut tree = Self { dir, clean: Vec::new() };
        tree.clean = WAYS
            .iter()
            .map(|way| {
                let ran = tree.dir.run(way.iter().chain(&["-z"]));
                assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
                good(&ran, way)
            })
            .collect();
        assert!(tree.clean.iter().all(|lines| lines.len() >= 24));
        tree
    }

    /// Runs in every way, each of which must end with this status and say this (lines in any order;
    /// a `*` at the end stands for anything). The last text output is given back.
    #[track_caller]
    pub fn survives(&self, flags: &[&str], status: i32, said: &[&str]) -> Ran {
        self.survives_as(|way| self.dir.run(way), flags, status, said)
    }

    /// The same, where the command is run by `run`.
    #[track_caller]
    pub fn survives_as(
        &self,
        run: impl Fn(&[&str]) -> Ran,
        flags: &[&str],
        status: i32,
        said: &[&str],
    ) -> Ran {
        let mut text = None;
        for (way, clean) in WAYS.iter().zip(&self.clean) {
            let args = [way, &["-z"][..], flags].concat();
            let ran = run(&args);
            assert_eq!(ran.status, Some(status), "{args:?}: {}", ran.stderr);
            let mut lines: Vec<_> = ran.stderr.lines().collect();
            lines.sort_unstable();
            let is_said = lines.len() == said.len()
                && lines.iter().zip(said).all(|(line, said)| match said.strip_suffix('*') {
                    Some(start) => line.starts_with(start),
                    None => line == said,
                });
            assert!(is_said, "{args:?}: {lines:#?} is not {said:#?}");
            assert!(good(&ran, way) == *clean, "{args:?}: the others' output differs");
            if way.contains(&"--json") {
                let objects = ran.stdout.split(|&byte| byte == b'\n');
                let objects = objects.filter(|line| !line.is_empty()).map(|line| {
                    serde_json::from_slice::<serde_json::Value>(line).expect("an object in UTF-8")
                });
                let errors = objects.filter(|object| object["type"] == "error").count();
                assert_eq!(errors, said.len(), "{args:?}: an object an error");
            } else {
                text = Some(ran);
            }
        }
        text.expect("a way is text")
    }
}

/// The lines about the good files, in the order that they have or in any.
fn good(ran: &Ran, way: &[&str]) -> Vec<Vec<u8>> {
    let starts: [&[u8]; 2] = if way.contains(&"--json") {
        [br#"{"type":"match","path":""#, br#"{"type":"rejected","path":""#]
    } else {
        [b"", b""]
    };
    let lines = ran.stdout.split(|&byte| byte == b'\n');
    let mut lines: Vec<_> = lines
        .filter(|line| {
            starts.iter().any(|start| {
                line.strip_prefix(*start)
                    .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(BAD.as_bytes()))
            })
        })
        .map(<[u8]>::to_vec)
        .collect();
    if !way.contains(&"--sort=path") {
        lines.sort_unstable();
    }
    lines
}
