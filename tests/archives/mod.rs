//! Compressed streams and archives: what real tools packed, what is cut, broken, nested, or a bomb.

mod claims;
mod damage;
mod differential;
mod seven_zip;
mod unpacked_ahead;
mod warc;

use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use crate::support::pack::{self, Zipped, ar, deb, gzip, tar, tar_header, tar_member, zip};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use proptest::prelude::*;
use urigrep::archive::{
    ArchiveFormat, ArchiveInput, ArchiveLimit, ArchiveLimits, ArchiveProblem, Member, MemberPath,
    ReadAt, Visitor, walk,
};

/// What a walk came upon.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    streams: Vec<(String, Vec<u8>)>,
    /// Names that say what the streams are.
    file_names: Vec<String>,
    skipped: Vec<String>,
    problems: Vec<(String, String)>,
}

impl Visitor for Seen {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()> {
        let mut bytes = Vec::new();
        // What was read before an error is there.
        drop(member.reader.take(1 << 20).read_to_end(&mut bytes));
        self.streams.push((lossy(member.path.stream()), bytes));
        self.file_names.push(lossy(member.name));
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, place: &MemberPath) {
        self.skipped.push(lossy(place.stream()));
    }

    fn problem(&mut self, place: &MemberPath, problem: ArchiveProblem) {
        let place = lossy(place.stream());
        self.problems.push((place, problem.to_string()));
    }
}

impl Seen {
    fn names(&self) -> Vec<&str> {
        self.streams.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn problems(&self) -> Vec<&str> {
        self.problems.iter().map(|(_, what)| what.as_str()).collect()
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Walks a pipe.
fn piped(bytes: &[u8], name: &str, limits: &ArchiveLimits) -> Seen {
    let mut seen = Seen::default();
    walk(ArchiveInput::Stream(&mut &bytes[..]), name.as_bytes(), limits, &mut seen);
    seen
}

/// Walks a file, and again with threads that unpack members ahead, which is to be the same.
#[track_caller]
fn filed(bytes: &[u8], name: &str) -> Seen {
    filed_within(bytes, name, &ArchiveLimits::default())
}

#[track_caller]
fn filed_within(bytes: &[u8], name: &str, limits: &ArchiveLimits) -> Seen {
    let mut seen = Seen::default();
    let mut file = Cursor::new(bytes);
    walk(ArchiveInput::File(&mut file), name.as_bytes(), limits, &mut seen);
    let mut shared = Seen::default();
    let pool = urigrep::search::shared_pool(2).unwrap();
    let input = ArchiveInput::Shared { file: &SharedBytes(bytes), pool: &pool };
    walk(input, name.as_bytes(), limits, &mut shared);
    assert_eq!(seen, shared);
    seen
}

struct SharedBytes<'b>(&'b [u8]);

impl ReadAt for SharedBytes<'_> {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, out: &mut [u8], at: u64) -> std::io::Result<usize> {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(self.0.len());
        let count = out.len().min(self.0.len() - at);
        out[..count].copy_from_slice(&self.0[at..at + count]);
        Ok(count)
    }
}

/// Walks it both ways, which are to be alike.
#[track_caller]
fn both(bytes: &[u8], name: &str) -> Seen {
    let (piped, filed) = (piped(bytes, name, &ArchiveLimits::default()), filed(bytes, name));
    assert_eq!(piped.streams, filed.streams);
    assert_eq!(piped.skipped, filed.skipped);
    filed
}

fn text() -> Vec<u8> {
    let line = |i: u32| {
        format!("{i} http://a.example/{}/path <http://b.example/?q={i}>\n", i * 7919 % 1000)
    };
    (0..60).map(line).collect::<String>().into_bytes()
}

/// What real tools made of it: a name, the format, the bytes.
fn packed() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let lines = include_str!("packed.tsv").lines();
    let cases: Vec<_> = lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let [name, format, base64] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three columns: {line}")
            };
            (name, format, BASE64_STANDARD.decode(base64).unwrap())
        })
        .collect();
    assert!(cases.len() >= 11, "cases are missing");
    cases
}

#[test]
fn what_real_tools_packed() {
    for (name, format, bytes) in packed() {
        let seen = both(&bytes, name);
        assert_eq!(seen.problems, [], "{format}");
        assert_eq!(seen.streams, [(format.to_owned(), text())]);
    }
}

#[test]
fn frames_that_follow_each_other() {
    for (name, format, bytes) in packed() {
        // These end with the input, or where they say.
        if matches!(format, "compress" | "brotli" | "zlib" | "lzma") {
            continue;
        }
        let seen = both(&bytes.repeat(3), name);
        if bytes.starts_with(&[2, 0x21, 0x4c, 0x18]) {
            // An old frame of LZ4 is ended by the next.
            assert!(seen.streams[0].1.starts_with(&text()), "{format}");
            continue;
        }
        assert_eq!(seen.problems, [], "{format}");
        assert_eq!(seen.streams, [(format.to_owned(), text().repeat(3))]);
    }
    let mut padded = gzip(b"http://a.example/");
    padded.extend([0; 512]);
    assert_eq!(both(&padded, "a").problems, []);
    padded.extend(b"what is this");
    let seen = both(&padded, "a");
    assert_eq!(seen.streams[0].1, b"http://a.example/");
    assert_eq!(seen.problems.len(), 1);
    let mut skipped = b"\x51\x2a\x4d\x18\x03\0\0\0abc".to_vec();
    let zstd = packed().into_iter().find(|(_, format, _)| *format == "zstd");
    skipped.extend(zstd.unwrap().2);
    assert_eq!(both(&skipped, "a").streams, [("zstd".to_owned(), text())]);
}

/// Whatever is cut, what is read is the start of the text, and that there is less is told.
#[test]
fn cut_at_every_tenth_byte() {
    for (name, format, bytes) in packed() {
        for cut in (1..bytes.len()).step_by(10) {
            let seen = both(&bytes[..cut], name);
            let [(stream, read)] = &seen.streams[..] else { panic!("{format} {cut}: {seen:?}") };
            if stream.is_empty() {
                // Too short to be known for what it is.
                assert!(cut < 12, "{format} {cut}");
                continue;
            }
            assert!(text().starts_with(read), "{format} {cut}");
            let unnoticed = matches!(format, "compress") || bytes[0] == 2;
            if !unnoticed {
                assert_eq!(seen.problems.len(), 1, "{format} {cut}: {:?}", seen.problems);
            }
        }
    }
}

fn members() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a.txt", b"http://a.example/".to_vec()),
        ("dir/b.txt", text()),
        ("dir/b.txt", b"http://again.example/".to_vec()),
        ("../x", b"http://x.example/".to_vec()),
    ]
}

const NAMES: [&str; 4] = ["a.txt", "dir/b.txt", "dir/b.txt", "../x"];

fn archives() -> Vec<(&'static str, Vec<u8>)> {
    let members = members();
    let zipped = |how: Zipped| {
        let with = members.iter().map(|(name, bytes)| (*name, &bytes[..], how));
        zip(with)
    };
    vec![
        ("tar", tar(&members)),
        ("ar", ar(&members)),
        ("zip", zipped(Zipped::Deflated)),
        ("zip", zipped(Zipped::Stored)),
        ("zip", zipped(Zipped::SizesFollow)),
    ]
}

#[test]
fn members_of_archives() {
    for (format, bytes) in archives() {
        let seen = both(&bytes, "a");
        assert_eq!(seen.problems, [], "{format}");
        assert_eq!(seen.names(), NAMES.map(|name| format!("{format}!/{name}")));
        let contents: Vec<_> = seen.streams.into_iter().map(|(_, bytes)| bytes).collect();
        assert!(contents.iter().eq(members().iter().map(|(_, bytes)| bytes)));
        let seen = both(&gzip(&bytes), "a");
        assert_eq!(seen.names(), NAMES.map(|name| format!("gzip+{format}!/{name}")));
    }
}

#[test]
fn archives_that_are_cut() {
    for (format, bytes) in archives() {
        let whole: Vec<u8> = both(&bytes, "a").streams.concat_bytes();
        for cut in (70..bytes.len()).step_by(10) {
            let seen = both(&bytes[..cut], "a");
            if seen.names() == [""] {
                // Too short to be known for what it is.
                assert!(cut < 512, "{format} {cut}");
                continue;
            }
            assert!(whole.starts_with(&seen.streams.concat_bytes()), "{format} {cut}");
            assert!(seen.problems.len() <= 1, "{format} {cut}: {:?}", seen.problems);
            // Without the directory of a zip, or the zeros after a tar, all members may be there.
            if seen.streams.len() < NAMES.len() && format == "zip" {
                assert_eq!(seen.problems.len(), 1, "{format} {cut}");
            }
        }
    }
}

/// As a disk leaves a file whose end was not written yet.
#[test]
fn archives_whose_end_is_zeros() {
    for (format, bytes) in archives().into_iter().filter(|(format, _)| *format == "zip") {
        let whole = both(&bytes, "a").streams.concat_bytes();
        for cut in 70..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[cut..].fill(0);
            let limits = ArchiveLimits::default();
            for seen in [piped(&damaged, "a", &limits), filed(&damaged, "a")] {
                let is_told = !seen.problems.is_empty();
                assert!(is_told || seen.streams.concat_bytes() == whole, "{format} {cut}");
            }
        }
    }
}

trait Concat {
    fn concat_bytes(&self) -> Vec<u8>;
}

impl Concat for Vec<(String, Vec<u8>)> {
    fn concat_bytes(&self) -> Vec<u8> {
        self.iter().flat_map(|(_, bytes)| bytes.clone()).collect()
    }
}

#[test]
fn a_member_that_is_corrupt_does_not_hide_the_next() {
    let broken = {
        let mut bytes = gzip(&text());
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0xff;
        bytes
    };
    let members = [("a.gz", broken), ("b", b"http://b.example/".to_vec())];
    let zipped = members.iter().map(|(name, bytes)| (*name, &bytes[..], Zipped::Stored));
    for (format, bytes) in [("tar", tar(&members)), ("ar", ar(&members)), ("zip", zip(zipped))] {
        let seen = both(&bytes, "a");
        let names = [format!("{format}!/a.gz+gzip"), format!("{format}!/b")];
        assert_eq!(seen.names(), names);
        assert_eq!(seen.streams[1].1, b"http://b.example/");
        assert_eq!(seen.problems.len(), 1, "{:?}", seen.problems);
        assert_eq!(seen.problems[0].0, format!("{format}!/a.gz"));
    }
    let with = members.iter().map(|(name, bytes)| (*name, &bytes[..], Zipped::Deflated));
    let mut bytes = zip(with);
    // In the packed bytes of the first member.
    bytes[60] ^= 0xff;
    let seen = filed(&bytes, "a.zip");
    assert_eq!(seen.streams.last().unwrap().1, b"http://b.example/");
    assert_eq!(seen.problems.len(), 1, "{:?}", seen.problems);
}

#[test]
fn a_member_with_another_name_in_the_directory_is_told() {
    let mut bytes = zip([("a.txt", &b"http://a.example/"[..], Zipped::Deflated)]);
    let at = bytes.windows(5).rposition(|name| name == b"a.txt").unwrap();
    bytes[at] = b'b';
    let seen = filed(&bytes, "a.zip");
    assert_eq!(seen.names(), ["zip!/b.txt"]);
    assert_eq!(
        seen.problems,
        [(
            "zip!/b.txt".to_owned(),
            "the zip data is corrupt: its header has another name".to_owned()
        )]
    );
}

#[test]
fn encrypted_members_are_skipped_and_counted() {
    let members = [("a", Zipped::Encrypted), ("b", Zipped::Deflated), ("c", Zipped::Encrypted)];
    let bytes = zip(members.map(|(name, how)| (name, &b"http://a.example/"[..], how)));
    let seen = both(&bytes, "a.zip");
    assert_eq!(
        (seen.names(), &seen.skipped[..]),
        (vec!["zip!/b"], &["zip!/a", "zip!/c"].map(String::from)[..])
    );
    assert_eq!(seen.problems(), ["2 members are encrypted and were skipped"]);
}

#[test]
fn long_names() {
    let long = format!("{}/name.txt", "d".repeat(300));
    let members = [(long.as_str(), b"http://a.example/".to_vec())];
    for (format, bytes) in [
        ("tar", pack::tar_gnu(&members)),
        ("tar", pack::tar_pax(&members)),
        ("ar", pack::ar_bsd(&members)),
        ("ar", pack::ar_gnu(&members)),
    ] {
        let seen = both(&bytes, "a");
        assert_eq!(seen.names(), [format!("{format}!/{long}")]);
        assert_eq!(seen.streams[0].1, b"http://a.example/");
    }
}

#[test]
fn a_debian_package() {
    let control = tar(&[("./control", b"Homepage: http://c.example/\n".to_vec())]);
    let data = tar(&[("./usr/doc", b"http://d.example/\n".to_vec())]);
    let seen = both(&deb(&gzip(&control), &gzip(&data)), "a.deb");
    assert_eq!(
        seen.names(),
        [
            "ar!/debian-binary",
            "ar!/control.tar.gz+gzip+tar!/control",
            "ar!/data.tar.gz+gzip+tar!/usr/doc"
        ]
    );
    assert_eq!(seen.problems, []);
}

#[test]
fn tars_after_each_other() {
    let one = tar(&[("a", b"http://a.example/".to_vec())]);
    let seen = both(&one.repeat(2), "a.tar");
    assert_eq!(seen.names(), ["tar!/a", "tar!/a"]);
    let mut trailing = one.clone();
    trailing.extend([b'x'; 600]);
    let seen = both(&trailing, "a.tar");
    assert_eq!(seen.problems(), ["unexpected data follows the tar data"]);
}

/// POSIX.1-2024, pax, "linkdata": the bytes of a hard link may follow it.
#[test]
fn hard_links_in_a_tar_may_have_bytes() {
    let mut archive = Vec::new();
    tar_member(&mut archive, b"a", b'0', b"http://a.example/");
    tar_member(&mut archive, b"with", b'1', &b"http://b.example/ ".repeat(40));
    archive.extend(tar_header(b"without", b'1', 17));
    archive.extend(tar_header(b"symbolic", b'2', 17));
    tar_member(&mut archive, b"c", b'0', b"http://c.example/");
    archive.extend(tar_header(b"last", b'1', 17));
    archive.resize(archive.len() + 1024, 0);
    let seen = both(&archive, "a.tar");
    assert_eq!(seen.names(), ["tar!/a", "tar!/with", "tar!/c"]);
    assert_eq!((seen.streams[1].1.len(), seen.problems().len()), (720, 0));
}

#[test]
fn faults_of_tars_are_told() {
    let mut long = Vec::new();
    tar_member(&mut long, b"pax", b'x', &vec![b'x'; (1 << 20) + 1]);
    tar_member(&mut long, b"a", b'0', b"http://a.example/");
    long.resize(long.len() + 1024, 0);
    let seen = both(&long, "a.tar");
    assert_eq!(seen.names(), ["tar!/a"]);
    assert_eq!(
        seen.problems(),
        ["this tar data is not read: an extended header is longer than 1 MiB, so the name of a \
          member may be cut"]
    );
    let mut sizes = tar(&[("a", b"http://a.example/".to_vec())]);
    sizes.truncate(1024);
    let mut header = tar_header(b"b", b'0', 0);
    // The sum of the bytes stays the same.
    (header[124], header[125]) = (header[124] + 0x51, header[125] - 0x30);
    (header[126], header[127]) = (header[126] - 0x20, header[127] - 1);
    sizes.extend(header);
    assert_eq!(
        both(&sizes, "a.tar").problems(),
        ["the tar data is corrupt: a header has a size that is not a number"]
    );
}

#[test]
fn deeper_than_the_limit() {
    let mut bytes = b"http://deep.example/".to_vec();
    for depth in 1..=12 {
        bytes = tar(&[("x", bytes)]);
        let seen = both(&bytes, "a");
        // What is below the limit is given as it stands: a tar does not hide what is in it.
        let text = lossy(&seen.streams[0].1);
        assert!(text.contains("http://deep.example/"), "{depth}");
        assert_eq!(seen.problems.len(), usize::from(depth > 8), "{depth}");
        assert_eq!(seen.streams.len(), 1);
    }
    assert_eq!(
        both(&bytes, "a").problems(),
        ["archives are nested more than 8 deep; the inner ones were searched without unpacking"]
    );
}

#[test]
fn limits_are_kept() {
    let bomb = gzip(&vec![0; 10 << 20]);
    let mut limits = ArchiveLimits::default();
    limits.free = 1 << 19;
    limits.ratio = 10;
    let seen = piped(&gzip(&bomb), "a", &limits);
    assert_eq!(seen.problems.len(), 1, "{:?}", seen.problems);
    assert!(seen.problems()[0].contains("more than 10 times its size"));
    assert!((1 << 18..1 << 20).contains(&seen.streams[0].1.len()));
    let mut limits = ArchiveLimits::default();
    limits.bytes = 1000;
    assert_eq!(piped(&bomb, "a", &limits).problems.len(), 1);
    let many: Vec<_> = (0..50).map(|_| ("x", Vec::new())).collect();
    let mut limits = ArchiveLimits::default();
    limits.members = 20;
    let seen = piped(&tar(&many), "a", &limits);
    assert_eq!((seen.streams.len(), seen.problems.len()), (20, 1));
    let problem = ArchiveProblem::Limit(ArchiveLimit::Members(20)).to_string();
    assert_eq!(seen.problems(), [problem]);
}

/// A dictionary that the header asks for is not made when it is too large.
#[test]
fn windows_are_limited() {
    let mut limits = ArchiveLimits::default();
    limits.window = 64 << 10;
    for (name, format, bytes) in packed() {
        if matches!(format, "xz" | "lzma" | "lzip") {
            let seen = piped(&bytes, name, &limits);
            assert_eq!(seen.problems.len(), 1, "{format}");
            assert!(seen.problems()[0].contains("too much memory"), "{:?}", seen.problems);
        }
    }
    // RFC 8878 section 3.1.1.1.2: a window of 2^41 bytes.
    let seen = both(b"\x28\xb5\x2f\xfd\0\xf8\x01\0\0", "a");
    assert!(seen.problems()[0].contains("too much memory"), "{:?}", seen.problems);
}

/// Heads that `xz -0`, `-6`, `-9`, `-T` with a filter, `lzma`, `lzip`, `zstd` and `brotli` write,
/// and the windows asked of them in KiB: one of more is refused, one of more than 8 MiB is
/// announced.
#[test]
fn windows_are_known_by_the_head() {
    const XZ: &[u8] = b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46";
    struct Heavy(usize);
    impl Visitor for Heavy {
        fn member(&mut self, mut member: Member<'_>) -> ControlFlow<()> {
            drop(std::io::copy(&mut member.reader, &mut std::io::sink()));
            ControlFlow::Continue(())
        }
        fn heavy(&mut self) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Break(())
        }
        fn skipped(&mut self, _: &MemberPath) {}
        fn problem(&mut self, _: &MemberPath, _: ArchiveProblem) {}
    }
    for (head, name, kib) in [
        (&[XZ, b"\x02\0\x21\x01\x0c"].concat()[..], "a", 256),
        (&[XZ, b"\x02\0\x21\x01\x16"].concat(), "a", 8 << 10),
        (&[XZ, b"\x02\0\x21\x01\x1c"].concat(), "a", 64 << 10),
        (&[XZ, b"\x03\xc1\x80\x01\x80\x80\x04\x04\0\x21\x01\x18"].concat(), "a", 16 << 10),
        (b"\x5d\0\0\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\0", "a.lzma", 24 << 10),
        (b"LZIP\x01\x17", "a", 8 << 10),
        (b"LZIP\x01\x3a", "a", 60 << 10),
        (b"\x28\xb5\x2f\xfd\x04\x88", "a", 128 << 10),
        (b"\x28\xb5\x2f\xfd\x60\x00\x01", "a", 1),
        (b"\x28\xb5\x2f\xfd\xa0\x00\x00\x80\x01", "a", 24 << 10),
        (b"\x0f\x80", "a.br", 16 << 10),
    ] {
        for (most, announced) in [(kib, kib > 8 << 10), (kib - 1, false)] {
            let (mut heavy, window) = (Heavy(0), most << 10);
            let mut limits = ArchiveLimits::default();
            limits.window = window;
            walk(ArchiveInput::Stream(&mut &head[..]), name.as_bytes(), &limits, &mut heavy);
            assert_eq!(heavy.0, usize::from(announced), "{head:x?} {most}");
        }
    }
}

/// The overlapping members of a small file unpack to what no file of its size should.
#[test]
fn one_member_named_a_thousand_times() {
    let bytes = pack::zip_overlapping(&vec![b'x'; 8 << 20], 2000);
    let mut seen = Seen::default();
    let mut limits = ArchiveLimits::default();
    limits.free = 64 << 20;
    walk(ArchiveInput::File(&mut Cursor::new(&bytes)), b"a.zip", &limits, &mut Limited(&mut seen));
    assert!(seen.streams.len() < 100, "{}", seen.streams.len());
    assert!(seen.problems()[0].contains("decompression bomb?"), "{:?}", seen.problems.first());
}

/// Reads everything and keeps nothing.
struct Limited<'s>(&'s mut Seen);

impl Visitor for Limited<'_> {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()> {
        drop(std::io::copy(member.reader, &mut std::io::sink()));
        self.0.streams.push((String::new(), Vec::new()));
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, _: &MemberPath) {}

    fn problem(&mut self, place: &MemberPath, problem: ArchiveProblem) {
        self.0.problem(place, problem);
    }
}

#[test]
fn text_is_no_archive() {
    for text in [
        "BZh9 is how bzip2 starts",
        "PK and so on",
        "!<arch>\nnothing like it",
        "LZIP is a program",
        "http://a.example/",
        "",
    ] {
        assert_eq!(ArchiveFormat::detect(text.as_bytes()), None, "{text}");
        assert_eq!(ArchiveFormat::guess(text.as_bytes(), b"a.br"), None, "{text}");
    }
    // The first line settles it for whoever types.
    assert!(!ArchiveFormat::needs_more(b"http://a.example/\n"));
    for (_, _, bytes) in packed() {
        let open =
            (0..bytes.len().min(512)).take_while(|&end| ArchiveFormat::needs_more(&bytes[..end]));
        let end = open.count();
        assert_eq!(ArchiveFormat::detect(&bytes[..end]), ArchiveFormat::detect(&bytes), "{end}");
    }
    for (_, bytes) in archives() {
        let open = (0..512).take_while(|&end| ArchiveFormat::needs_more(&bytes[..end])).count();
        assert_eq!(ArchiveFormat::detect(&bytes[..open]), ArchiveFormat::detect(&bytes), "{open}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Nothing panics, and nothing is told twice, whatever the bytes.
    #[test]
    fn mutations_do_no_harm(
        which in 0usize..16,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        cutting in any::<bool>(),
    ) {
        let mut all: Vec<_> = packed().into_iter().map(|(name, _, bytes)| (name, bytes)).collect();
        all.extend(archives().into_iter().map(|(_, bytes)| ("a", bytes)));
        let (name, mut bytes) = all.swap_remove(which % all.len());
        if cutting {
            bytes.truncate(cut.index(bytes.len()) + 1);
        }
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut limits = ArchiveLimits::default();
        limits.free = 1 << 20;
        limits.window = 8 << 20;
        let seen = piped(&bytes, name, &limits);
        prop_assert!(seen.problems.len() <= seen.streams.len() + seen.skipped.len() + 2);
        filed(&bytes, name);
    }
}
