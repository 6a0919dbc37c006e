//! Compressed streams and archives: any bytes end soon and within the limits; what was packed is
//! read back.

use std::io::Cursor;
use std::ops::ControlFlow;

use urigrep::archive::{
    ArchiveFormat, ArchiveInput, ArchiveLimits, ArchiveProblem, HEAD_BYTES, Member, MemberPath,
    Visitor, walk,
};

use super::pack::{self, Zipped};

/// Little enough that a fuzzer gets there.
fn limits() -> ArchiveLimits {
    let mut limits = ArchiveLimits::default();
    limits.free = 256 << 10;
    limits.ratio = 20;
    limits.bytes = 1 << 20;
    limits.members = 500;
    limits.window = 8 << 20;
    limits
}

/// What a walk gave.
#[derive(Debug, Default)]
struct Seen {
    /// Where each stream is, and its bytes.
    streams: Vec<(Vec<u8>, Vec<u8>)>,
    problems: Vec<ArchiveProblem>,
    skipped: usize,
}

impl Visitor for Seen {
    fn member(&mut self, member: Member<'_>) -> ControlFlow<()> {
        let mut bytes = Vec::new();
        // what came before an error is there
        drop(member.reader.read_to_end(&mut bytes));
        // and no more comes after it
        let ended = member.reader.read(&mut [0; 16]);
        assert!(ended.is_err() || ended.is_ok_and(|count| count == 0));
        self.streams.push((member.path.members().to_vec(), bytes));
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, _: &MemberPath) {
        self.skipped += 1;
    }

    fn problem(&mut self, _: &MemberPath, problem: ArchiveProblem) {
        assert!(!problem.to_string().is_empty());
        self.problems.push(problem);
    }
}

fn seen(input: ArchiveInput<'_>, name: &str) -> Seen {
    let mut seen = Seen::default();
    walk(input, name.as_bytes(), &limits(), &mut seen);
    seen
}

fn piped(bytes: &[u8], name: &str) -> Seen {
    seen(ArchiveInput::Stream(&mut &*bytes), name)
}

fn filed(bytes: &[u8], name: &str) -> Seen {
    seen(ArchiveInput::File(&mut Cursor::new(bytes)), name)
}

/// Names that promise the formats which no first bytes tell, and one that promises nothing.
const NAMES: [&str; 4] = ["a", "a.br", "a.lzma", "a.zlib"];

/// Asserts that any bytes, in a file of one of [`NAMES`], are read to an end, which stays within
/// the limits.
pub fn check(name: u8, bytes: &[u8]) {
    let name = NAMES[usize::from(name) % NAMES.len()];
    for seen in [piped(bytes, name), filed(bytes, name)] {
        let given: usize = seen.streams.iter().map(|(_, bytes)| bytes.len()).sum();
        // the bytes of members of a stored archive stand in the input, and in a directory many
        // times
        let most = limits().bytes + (32 << 10) + limits().members * bytes.len() as u64;
        assert!(given as u64 <= most, "{given} bytes of {}", bytes.len());
        assert!(seen.streams.len() as u64 <= limits().members + 1);
        // a hundred that are told, and how many more there are
        assert!(seen.problems.len() <= 102);
    }
    if ArchiveFormat::guess(&bytes[..bytes.len().min(HEAD_BYTES)], b"a").is_none() {
        let seen = piped(bytes, "a");
        assert_eq!(seen.streams, [(Vec::new(), bytes.to_vec())]);
        assert!(seen.problems.is_empty());
    }
}

/// How to pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Tar,
    GnuTar,
    PaxTar,
    Ar,
    BsdAr,
    GnuAr,
    Zip,
    StoredZip,
    /// With the sizes behind each member.
    StreamedZip,
}

impl Packing {
    pub const ALL: [Self; 9] = [
        Self::Tar,
        Self::GnuTar,
        Self::PaxTar,
        Self::Ar,
        Self::BsdAr,
        Self::GnuAr,
        Self::Zip,
        Self::StoredZip,
        Self::StreamedZip,
    ];

    /// The archive of these members, whose names are theirs.
    pub fn pack(self, members: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let zip =
            |how: Zipped| pack::zip(members.iter().map(|(name, bytes)| (*name, &bytes[..], how)));
        match self {
            Self::Tar => pack::tar(members),
            Self::GnuTar => pack::tar_gnu(members),
            Self::PaxTar => pack::tar_pax(members),
            Self::Ar => pack::ar(members),
            Self::BsdAr => pack::ar_bsd(members),
            Self::GnuAr => pack::ar_gnu(members),
            Self::Zip => zip(Zipped::Deflated),
            Self::StoredZip => zip(Zipped::Stored),
            Self::StreamedZip => zip(Zipped::SizesFollow),
        }
    }
}

/// Names of members; each format has room for them.
const MEMBERS: [&str; 6] = ["a", "b.txt", "c/d", "../e", "f.md", "g h"];

/// Asserts that texts which were packed, and the archive compressed so many times, are read back;
/// that of an archive which is cut they are read as far as it goes; and that damage is no harm, and
/// told where there is a checksum.
pub fn check_packed(
    packing: Packing,
    gzipped: u8,
    texts: &[&[u8]],
    cut: usize,
    damage: &[(u16, u8)],
) {
    // what is an archive itself would be unpacked
    let is_text = |text: &&&[u8]| {
        MEMBERS.iter().all(|name| {
            ArchiveFormat::guess(&text[..text.len().min(HEAD_BYTES)], name.as_bytes()).is_none()
        })
    };
    let members: Vec<_> =
        std::iter::zip(MEMBERS, texts.iter().filter(is_text).map(|text| text.to_vec())).collect();
    if members.is_empty() {
        return;
    }
    let mut archive = packing.pack(&members);
    for _ in 0..gzipped % 4 {
        archive = pack::gzip(&archive);
    }
    let expected: Vec<_> =
        members.into_iter().map(|(name, text)| ([b"!/", name.as_bytes()].concat(), text)).collect();
    for seen in [piped(&archive, "a"), filed(&archive, "a")] {
        assert_eq!(seen.streams, expected, "{packing:?}");
        assert!(seen.problems.is_empty(), "{:?}", seen.problems);
    }
    let cut = &archive[..cut % archive.len()];
    if cut.len() > HEAD_BYTES {
        let seen = piped(cut, "a");
        let whole: Vec<u8> = expected.iter().flat_map(|(_, text)| text.clone()).collect();
        let read: Vec<u8> = seen.streams.iter().flat_map(|(_, text)| text.clone()).collect();
        assert!(whole.starts_with(&read), "{packing:?} cut at {}", cut.len());
    }
    for &(at, byte) in damage {
        let at = usize::from(at) % archive.len();
        archive[at] = byte;
    }
    check(0, &archive);
    // gzip has a checksum of everything but its header
    if !gzipped.is_multiple_of(4) && archive.starts_with(b"\x1f\x8b\x08") {
        for seen in [piped(&archive, "a.gz"), filed(&archive, "a.gz")] {
            assert!(
                seen.streams == expected || !seen.problems.is_empty(),
                "{packing:?}: nothing is told of {archive:?}: {seen:?}"
            );
        }
    }
}
