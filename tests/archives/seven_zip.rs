//! 7z: what py7zr wrote.

#[path = "seven_zip_made.rs"]
mod made;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use urigrep::archive::{ArchiveInput, ArchiveLimits, Visitor, walk};

use super::{Limited, Seen, both, filed, piped, text};
use crate::support::pack::{gzip, seven_zip, tar};

/// The archives of seven_zip.tsv.
pub(super) fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let lines = include_str!("seven_zip.tsv").lines();
    let cases: Vec<_> = lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (name, base64) = line.split_once('\t').expect("two columns");
            (name, BASE64_STANDARD.decode(base64).unwrap())
        })
        .collect();
    assert_eq!(cases.len(), 31);
    cases
}

fn case(wanted: &str) -> Vec<u8> {
    let mut cases = cases().into_iter();
    cases.find(|(name, _)| *name == wanted).expect("a case").1
}

/// What is in those that are named by their methods. The last has what filters change.
fn members() -> Vec<(String, Vec<u8>)> {
    let mut code: Vec<u8> = (0..900)
        .map(|i| match i % 9 {
            0 => 0xe8,
            4 => 0,
            _ => (i * 7 % 251) as u8,
        })
        .collect();
    // branches of IA-64 and of PowerPC, at every offset from what they are aligned to
    let ia64 = *b"\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x50\0";
    code.extend(ia64.repeat(16));
    code.extend(b"\x48\0\0\x01\0".repeat(4));
    vec![
        ("7z!/a.txt".to_owned(), b"http://a.example/".to_vec()),
        ("7z!/dir/b.txt".to_owned(), text()),
        ("7z!/dir/é 𝄞.txt".to_owned(), b"http://c.example/\n".to_vec()),
        ("7z!/code".to_owned(), code),
    ]
}

const METHODS: [&str; 19] = [
    "lzma2",
    "lzma",
    "copy",
    "bzip2",
    "deflate",
    "zstd",
    "brotli",
    "x86+lzma2",
    "x86+lzma",
    "x86+bzip2",
    "arm+lzma2",
    "armt+lzma2",
    "ppc+lzma2",
    "sparc+lzma2",
    "ia64+lzma2",
    "delta+lzma2",
    "delta+lzma",
    "delta+x86+lzma2",
    "plain-header",
];

#[test]
fn every_method() {
    for method in METHODS {
        let seen = both(&case(method), "a.7z");
        assert_eq!(seen.problems, [], "{method}");
        assert_eq!(seen.streams, members(), "{method}");
    }
}

#[test]
fn methods_that_are_not_read() {
    for (name, said) in [("ppmd", "PPMd"), ("deflate64", "Deflate64")] {
        let seen = both(&case(name), "a.7z");
        let said = format!("this 7z data is not read: it is packed by {said}, as are 3 after it");
        assert_eq!(seen.problems, [("7z!/a.txt".to_owned(), said)]);
        assert!(seen.streams.is_empty());
    }
    // one method for another that nobody knows, in a header that stands as it is
    let mut bytes = case("plain-header");
    let at = bytes.windows(3).rposition(|window| window == [0x21, 0x21, 1]);
    bytes[at.unwrap() + 1] = 0x7f;
    let seen = both(&signed(bytes), "a.7z");
    let said = "this 7z data is not read: it is packed by method 7F, as are 3 after it";
    assert_eq!(seen.problems(), [said]);
}

/// Each folder stands for itself.
#[test]
fn folders() {
    let seen = both(&case("folders"), "a.7z");
    let names = [0, 2, 3].map(|i| [format!("7z!/{i}-a.txt"), format!("7z!/{i}-b.txt")]);
    assert_eq!(seen.names(), names.concat());
    for (i, pair) in [0, 2, 3].into_iter().zip(seen.streams.chunks(2)) {
        assert_eq!(pair[0].1, format!("http://{i}.example/").into_bytes());
        assert_eq!(pair[1].1, text());
    }
    assert_eq!(seen.problems.len(), 1);
    // the first folder breaks, and is told once; the others do not
    let mut bytes = case("folders");
    bytes[32] = 0x7f;
    let seen = both(&bytes, "a.7z");
    assert_eq!(seen.streams.last().unwrap().1, text());
    let places = seen.problems.iter().map(|(place, _)| place.as_str());
    assert!(places.eq(["7z!/0-a.txt", "7z!/1-a.txt"]), "{:?}", seen.problems);
}

#[test]
fn members_without_bytes() {
    let seen = both(&case("odd"), "a.7z");
    assert_eq!(seen.problems, []);
    let mut streams = seen.streams;
    streams.sort();
    let expected = [("7z!/sub/empty.txt", ""), ("7z!/sub/z.txt", "http://z.example/")];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    assert_eq!(streams, expected);
    let seen = both(&case("nothing"), "a.7z");
    assert_eq!((seen.streams, seen.problems), (vec![], vec![]));
    assert_eq!(both(&case("many"), "a.7z").streams.len(), 400);
}

#[test]
fn encrypted() {
    let seen = both(&case("encrypted"), "a.7z");
    let names = members().into_iter().map(|(name, _)| name);
    assert!(names.eq(seen.skipped.iter().cloned()));
    assert_eq!(seen.problems(), ["4 members are encrypted and were skipped"]);
    let seen = both(&case("encrypted-header"), "a.7z");
    assert_eq!(seen.skipped, ["7z"]);
    assert_eq!(seen.problems(), ["this 7z data is not read: the list of its members is encrypted"]);
}

#[test]
fn inside_each_other() {
    let seen = both(&case("nested"), "a.7z");
    let name = "7z!/in.tar.gz+gzip+tar!/in/t.txt".to_owned();
    assert_eq!((seen.streams, seen.problems), (vec![(name, text())], vec![]));
    let seen = both(&case("seven-in-seven"), "a.7z");
    assert_eq!(seen.names()[0], "7z!/in.7z+7z!/a.txt");
    assert_eq!((seen.streams.len(), seen.problems.len()), (4, 0));
    let inside = gzip(&tar(&[("x.7z", case("lzma2")), ("y", b"http://y.example/".to_vec())]));
    let seen = both(&inside, "a.tgz");
    assert_eq!(seen.names()[0], "gzip+tar!/x.7z+7z!/a.txt");
    assert_eq!((seen.streams.len(), seen.problems.len()), (5, 0));
}

/// What is large is not held for the header at its end, and what comes after it is searched.
#[test]
fn large_ones_in_streams() {
    let mut large = case("lzma2");
    large.resize(5 << 20, 0);
    let said =
        "this 7z data is not read: its header is at the end, so it can be read only from a file";
    let seen = piped(&large, "a.7z", &ArchiveLimits::default());
    assert_eq!((seen.problems(), seen.streams.len()), (vec![said], 0));
    // bytes after the header do not matter
    assert_eq!(filed(&large, "a.7z").streams, members());
    let inside = tar(&[("x.7z", large), ("y", b"http://y.example/".to_vec())]);
    let seen = both(&inside, "a.tar");
    assert_eq!((seen.problems(), seen.names()), (vec![said], vec!["tar!/y"]));
}

/// The header is at the end: without it nothing is known.
#[test]
fn cut_at_every_byte() {
    for name in ["plain-header", "lzma", "folders", "encrypted"] {
        let bytes = case(name);
        for cut in 6..bytes.len() {
            let seen = both(&bytes[..cut], "a.7z");
            assert_eq!(seen.problems(), ["the 7z data ends too early"], "{name} {cut}");
            assert!(seen.streams.is_empty());
        }
    }
}

/// Of packed bytes that are changed, what comes before is kept, and what is wrong after it is told.
#[test]
fn damage_at_every_byte() {
    for method in METHODS {
        let bytes = case(method);
        let packed = 32 + u64::from_le_bytes(bytes[12..20].try_into().unwrap()) as usize;
        for at in (32..packed).step_by(3) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x55;
            let seen = both(&bytes, "a.7z");
            // what nothing is told of is there as it was
            let told = |name: &String| seen.problems.iter().any(|(place, _)| place == name);
            for (name, bytes) in &seen.streams {
                let is_right = members().contains(&(name.clone(), bytes.clone()));
                assert!(is_right || told(name), "{method} {at} {name}");
            }
            let is_whole = seen.streams.len() == members().len();
            assert!(is_whole || !seen.problems.is_empty(), "{method} {at}");
        }
    }
    let mut bytes = case("copy");
    bytes[35] ^= 1;
    let seen = both(&bytes, "a.7z");
    let said = "the 7z data is corrupt: the checksum is wrong".to_owned();
    assert_eq!(seen.problems, [("7z!/a.txt".to_owned(), said)]);
    assert_eq!(seen.streams[1..], members()[1..]);
}

/// The same with checksums that fit, so that what reads the header is asked.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let header = 32 + number(12);
    let end = header + number(20);
    let made = seven_zip(&bytes[32..header], &bytes[header..end]);
    bytes.splice(.., made);
    bytes
}

#[test]
fn bombs() {
    let mut limits = ArchiveLimits::default();
    limits.free = 1 << 20;
    limits.ratio = 100;
    let bytes = case("bomb");
    let mut seen = Seen::default();
    let mut file = std::io::Cursor::new(&bytes);
    walk(ArchiveInput::File(&mut file), b"a.7z", &limits, &mut Limited(&mut seen));
    assert_eq!(seen.problems.len(), 1);
    assert!(seen.problems()[0].contains("more than 100 times its size"));
    let mut limits = ArchiveLimits::default();
    limits.members = 20;
    let seen = piped(&case("many"), "a.7z", &limits);
    assert_eq!((seen.streams.len(), seen.problems.len()), (20, 1));
}

/// A dictionary need not be larger than what is unpacked; if that is too large, it is not made.
#[test]
fn dictionaries() {
    struct Heavy(Seen, usize);
    impl Visitor for Heavy {
        fn member(&mut self, member: super::Member<'_>) -> std::ops::ControlFlow<()> {
            self.0.member(member)
        }
        fn heavy(&mut self) -> std::ops::ControlFlow<()> {
            self.1 += 1;
            std::ops::ControlFlow::Continue(())
        }
        fn skipped(&mut self, _: &super::MemberPath) {}
        fn problem(&mut self, place: &super::MemberPath, problem: super::ArchiveProblem) {
            self.0.problem(place, problem);
        }
    }
    let walked = |name: &str, window: u32| {
        let mut limits = ArchiveLimits::default();
        limits.window = window;
        let mut heavy = Heavy(Seen::default(), 0);
        let mut file = std::io::Cursor::new(case(name));
        walk(ArchiveInput::File(&mut file), b"a.7z", &limits, &mut heavy);
        heavy
    };
    // it asks for 96 MiB, and unpacks to about 10
    let Heavy(seen, asked) = walked("window", 64 << 20);
    assert_eq!((seen.problems.len(), seen.streams.len(), asked), (0, 1, 1));
    let Heavy(seen, asked) = walked("window", 8 << 20);
    let said = "this 7z data is not read: it needs too much memory to unpack";
    assert_eq!((seen.problems(), asked), (vec![said], 0));
    let Heavy(seen, asked) = walked("lzma2", 64 << 20);
    assert_eq!((seen.streams, asked), (members(), 0));
}
