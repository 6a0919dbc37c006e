//! Bytes that are no text, and text without end.

use std::io::Write;
use std::process::Stdio;

use super::tree::Tree;
use crate::support::{Dir, command, finish, pipe, spawn};

#[test]
fn invalid_utf8_and_nul() {
    let tree = Tree::new();
    let text =
        b"http://a.example/1\n\0\nhttp://a.example/2\xff \xfe\xe2\x82<http://a.example/3\xc3>\n";
    tree.dir.file("m-bad/nul", text);
    // in a tree it is binary: skipped, and counted
    tree.survives(&[], 0, &[]);
    let ran = tree.dir.run(["--json", "--stats"]);
    assert!(ran.out().contains(r#""files":12,"skipped":1,"#), "{ran:?}");
    for way in [&["-a", "-b"][..], &["-b", "m-bad/nul"]] {
        let ran = tree.dir.run([way, &["-I", "-N", "-e", "a.example/[123]$"]].concat());
        let all = "1:http://a.example/1\n";
        assert!(ran.out().contains(&all[2..]), "{way:?}: {ran:?}");
        assert!(ran.out().contains("21:http://a.example/2\n"), "{way:?}: {ran:?}");
        assert!(ran.out().contains(":http://a.example/3\n"), "{way:?}: {ran:?}");
    }
}

/// Offsets and all four encodings are in tests/cli/input.rs; here, that a broken one harms nobody.
#[test]
fn utf16_and_utf32() {
    let tree = Tree::new();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let mut odd = wide("\u{feff}http://a.example/1 ");
    // a surrogate by itself, and half a character at the end
    odd.extend_from_slice(b"\x00\xd8");
    odd.extend(wide(" http://a.example/2 "));
    odd.push(b'x');
    tree.dir.file("m-bad/wide", odd);
    tree.dir.file("m-bad/utf32", [&b"\xff\xfe\0\0"[..], b"h\0\0\0\xff\xff\xff\xffx"].concat());
    let ran = tree.survives(&[], 0, &[]);
    for uri in ["http://a.example/1", "http://a.example/2"] {
        assert!(ran.out().contains(&format!("m-bad/wide:1:{uri}\n")), "{ran:?}");
    }
}

/// A mark before ASCII makes ideographs of all of it, so it is not believed.
#[test]
fn a_byte_order_mark_that_is_wrong() {
    for mark in [&b"\xff\xfe"[..], b"\xfe\xff"] {
        let tree = Tree::new();
        let text = b"http://a.example/1 and http://a.example/2\n";
        tree.dir.file("m-bad/marked", [mark, text].concat());
        let said = "urigrep: m-bad/marked: its byte order mark is wrong: it is searched as bytes";
        let ran = tree.survives(&[], 2, &[said]);
        for uri in ["http://a.example/1", "http://a.example/2"] {
            assert!(ran.out().contains(&format!("m-bad/marked:1:{uri}\n")), "{ran:?}");
        }
    }
    let dir = Dir::new();
    let wide: Vec<u8> = "http://a.example/\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    dir.file("marked", [&b"\xff\xfe"[..], &wide].concat());
    dir.run(["-IN", "marked"]).is(0, "http://a.example/\n");
}

/// A line that does not end is searched in a fixed window. tests/faults/bounds.py measures a GiB of
/// it.
#[test]
fn a_line_without_end() {
    let mut child = spawn(command(["-b"]).stdin(Stdio::piped()));
    let mut to = child.stdin.take().unwrap();
    let blocks = if cfg!(debug_assertions) { 32 } else { 256 };
    let writer = std::thread::spawn(move || {
        let block = vec![b'x'; 1 << 20];
        for _ in 0..blocks {
            to.write_all(&block).unwrap();
            to.write_all(b" http://a.example/ ").unwrap();
        }
    });
    let ran = finish(child);
    writer.join().unwrap();
    let step = (1 << 20) + 19;
    for (index, line) in ran.out().lines().enumerate() {
        assert_eq!(line, format!("{}:http://a.example/", index * step + (1 << 20) + 1));
    }
    assert_eq!(ran.out().lines().count(), blocks);
    assert_eq!(ran.status, Some(0));
}

#[test]
fn nothing_at_all() {
    let tree = Tree::new();
    tree.dir.file("m-bad/empty", "").file("m-bad/gap", [0; 4096]);
    tree.survives(&[], 0, &[]);
    pipe([""; 0], "").is(1, "");
}
