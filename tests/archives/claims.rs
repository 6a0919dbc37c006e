//! Bytes of an archive that no member claims are searched, or something is said of them; text that
//! starts like an archive is text.

use super::{both, filed, piped};
use crate::support::pack::{
    Zipped, ar_bsd, gzip, seven_zip, tar, zip, zip_members, zip_of, zip_with,
};
use crate::timing::time;
use urigrep::archive::{ArchiveFormat, ArchiveLimits};

const HIDDEN: &[u8] = b" http://hidden.example/ ";

fn one(name: &str, text: &str) -> Vec<u8> {
    zip([(name, text.as_bytes(), Zipped::Deflated)])
}

/// Before, between and behind the members, in the comment, and in what the directory does not list.
#[test]
fn zips_hide_nothing() {
    let (a, b) = (one("a", "http://a.example/"), one("b", "http://b.example/"));
    let with_comment = {
        let mut zip = a.clone();
        let at = zip.len() - 2;
        zip[at..].copy_from_slice(&(HIDDEN.len() as u16).to_le_bytes());
        [&zip, HIDDEN].concat()
    };
    let members =
        |names: &[&str]| -> Vec<String> { names.iter().map(|name| format!("zip{name}")).collect() };
    for (zip, names) in [
        ([&a[..], &b].concat(), members(&["!/a", "!/b"])),
        ([&a[..], &b, &a].concat(), members(&["!/a", "!/b", "!/a"])),
        ([&a[..], HIDDEN].concat(), members(&["!/a", ""])),
        ([&a[..], HIDDEN, &b].concat(), members(&["!/a", "", "!/b"])),
        (zip_with(&a, HIDDEN), members(&["!/a", ""])),
        (zip_with(&a, zip_members(&b)), members(&["!/a", "!/b"])),
        (zip_with(&a, &[HIDDEN, zip_members(&b)].concat()), members(&["!/a", "", "!/b"])),
        (zip_with(&a, &[0; 1000]), members(&["!/a"])),
        ([&a[..], &[0; 1000]].concat(), members(&["!/a"])),
        (with_comment, members(&["!/a", ""])),
        // what starts like a member, and is none
        (
            zip_with(&a, b"PK\x03\x04 http://a.example/ is text, as is PK\x01"),
            members(&["!/a", ""]),
        ),
        (
            zip_with(&a, &[b"PK\x03\x04", HIDDEN, zip_members(&b)].concat()),
            members(&["!/a", "", "!/b"]),
        ),
    ] {
        let seen = both(&zip, "a.zip");
        assert_eq!(
            (seen.names(), seen.problems()),
            (names.iter().map(String::as_str).collect(), vec![])
        );
        // a file that is longer than what a directory is sought in
        let long = [&zip[..], &vec![b' '; 100 << 10], b"http://end.example/"].concat();
        let seen = both(&long, "a.zip");
        assert!(seen.streams.last().unwrap().1.ends_with(b"http://end.example/"));
        assert_eq!(seen.problems, []);
    }
    // behind the end of the packed bytes of a member
    let packed = [crate::support::pack::deflated(b"http://a.example/"), HIDDEN.to_vec()].concat();
    let seen = both(&zip_of("a", 8, &packed, b"http://a.example/"), "a.zip");
    assert_eq!(seen.problems(), ["unexpected data follows the zip data"]);
    // a directory in no order
    let mut sizes = [1, 2, 3].map(|name| one(&name.to_string(), "http://a.example/")).concat();
    sizes.extend(HIDDEN);
    assert_eq!(both(&sizes, "a").names(), ["zip!/1", "zip!/2", "zip!/3", "zip"]);
}

/// A name that ends in a slash is that of a directory only if it has no bytes.
#[test]
fn directories_with_bytes() {
    for (how, name) in
        [(Zipped::Stored, "b/"), (Zipped::Deflated, "b/"), (Zipped::SizesFollow, "b/")]
    {
        let seen = both(&zip([(name, HIDDEN, how), ("c/", b"", how)]), "a.zip");
        assert_eq!(seen.names(), ["zip!/b/"], "{how:?}");
    }
    let seen = both(&tar(&[("b/", HIDDEN.to_vec()), ("c/", Vec::new())]), "a.tar");
    assert_eq!(seen.names(), ["tar!/b/"]);
    // a table of symbols is what calls itself so
    let seen = both(&crate::support::pack::ar_table(HIDDEN), "a.a");
    assert_eq!(seen.streams, [("ar!/".to_owned(), HIDDEN.to_vec())]);
}

#[test]
fn a_7z_hides_nothing() {
    let header = b"\x01\x04\x06\0\x01\x09\x11\0\x07\x0b\x01\0\x01\x01\0\x0c\x11\0\0\x05\x01\x11\x05\0a\0\0\0\0\0";
    let plain = seven_zip(b"http://a.example/", header);
    assert_eq!(both(&plain, "a.7z").names(), ["7z!/a"]);
    let behind = [&plain[..], HIDDEN].concat();
    let between = seven_zip(&[b"http://a.example/", HIDDEN].concat(), header);
    let empty = [&seven_zip(b"", b"")[..], HIDDEN].concat();
    for (archive, names) in
        [(behind, &["7z!/a", "7z"][..]), (between, &["7z!/a", "7z"]), (empty, &["7z"])]
    {
        let seen = both(&archive, "a.7z");
        assert_eq!((seen.names(), seen.problems()), (names.to_vec(), vec![]));
        assert_eq!(seen.streams.last().unwrap().1, HIDDEN);
    }
}

/// Whatever reads one stream says so when more follows it.
#[test]
fn behind_a_single_stream() {
    for (name, format, bytes) in super::packed() {
        if format == "compress" || bytes[0] == 2 {
            continue;
        }
        let seen = both(&[&bytes[..], HIDDEN].concat(), name);
        assert_eq!(seen.problems.len(), 1, "{format}: {:?}", seen.problems);
        assert_eq!(seen.streams, [(format.to_owned(), super::text())], "{format}");
    }
}

/// Each is searched as text; where it may be damage, that is said too.
#[test]
fn text_that_starts_like_an_archive() {
    for (start, told) in [
        (&b"PK\x05\x06"[..], 0),
        (b"PK\x03\x04", 0),
        (b"\x50\x2a\x4d\x18\0\0\0\0", 0),
        (b"\x50\x2a\x4d\x18\x18\0\0\0", 1),
        (b"\x5f\x2a\x4d\x18", 1),
        (b"\x28\xb5\x2f\xfd", 1),
        (b"\x1f\x8b\x08\0", 1),
        (b"\x04\x22\x4d\x18", 1),
        (b"LZIP\x01", 1),
        (b"BZh91AY&SY", 1),
        (b"7z\xbc\xaf\x27\x1c", 1),
        (b"\xfd7zXZ\0", 1),
        (b"!<arch>\n", 0),
    ] {
        for text in [HIDDEN.to_vec(), HIDDEN.repeat(2000)] {
            let bytes = [start, &text].concat();
            let seen = both(&bytes, "a");
            assert_eq!(seen.streams, [(String::new(), bytes)], "{start:x?}");
            let told = if start[0] == 0x50 && start.len() == 8 && start[4] > 0 && text.len() > 24 {
                0
            } else {
                told
            };
            assert_eq!(seen.problems.len(), told, "{start:x?}: {:?}", seen.problems);
        }
    }
    // in a member, too
    let member = [b"PK\x05\x06", HIDDEN].concat();
    let seen = both(&tar(&[("a", member.clone())]), "a.tar");
    assert_eq!((&seen.streams[0].1, seen.problems.len()), (&member, 0));
}

/// A skippable frame says nothing of what follows it.
#[test]
fn skippable_frames() {
    for (_, format, bytes) in super::packed() {
        if !matches!(format, "zstd" | "lz4") || bytes[0] == 2 {
            continue;
        }
        for length in [0_u32, 4, 600, 100_000] {
            let skipped = vec![b'x'; length as usize];
            let frame = [&b"\x53\x2a\x4d\x18"[..], &length.to_le_bytes(), &skipped].concat();
            let seen = both(&[&frame[..], &bytes].concat(), "a");
            assert_eq!((&seen.streams[0].1, seen.problems()), (&super::text(), vec![]), "{format}");
        }
    }
}

/// Damage to its first bytes does not make a file what it is not called.
#[test]
fn a_name_that_promises() {
    for (name, bytes) in
        [("a.gz", gzip(HIDDEN)), ("a.zip", one("a", "x")), ("a.tar", tar(&[("a", vec![1])]))]
    {
        let mut bytes = bytes;
        bytes[0] ^= 0x80;
        let seen = both(&bytes, name);
        assert_eq!(seen.problems.len(), 1, "{name}");
        assert!(
            seen.problems()[0]
                .ends_with("its name has the extension, but its bytes are not in this format"),
            "{name}"
        );
        assert_eq!(both(&bytes, "a").problems, []);
        assert_eq!(ArchiveFormat::promised(b"a text", name.as_bytes()), None);
    }
    assert_eq!(both(&[0; 10240], "a.tar").problems, []);
    assert_eq!(both(b"", "a.gz").problems, []);
}

/// Long names are cut where they are shown, and are not copied for each member.
#[test]
fn long_names_are_cut() {
    let long = "n".repeat(60_000);
    let seen = filed(&zip([(&long[..], HIDDEN, Zipped::Stored)]), "a");
    let name = seen.names()[0].to_owned();
    assert!(name.len() < 1100 && name.contains('…'), "{}", name.len());
    let seen = piped(&ar_bsd(&[(&long, HIDDEN.to_vec())]), "a", &ArchiveLimits::default());
    assert!(seen.names()[0].len() < 1100);
    // two members with a name of 4 MiB for each
    let table = crate::support::pack::ar_with_table(&[b'n'; 4 << 20], 20_000);
    let (read, taken) = time(|| both(&table, "a"));
    assert_eq!(read.streams.len(), 20_000);
    assert!(taken.as_secs() < 20, "each name is copied");
}
