//! One flipped bit anywhere: either the same URIs are found, or something is said. As the command
//! reads a tree, where what looks binary is skipped.

use std::path::Path;

use urigrep::search::{Compressed, Flow, Hit, Input, Problem, Search, Sink};

use super::{archives, packed, text};
use crate::support::Dir;
use crate::support::pack::{Zipped, gzip, tar, zip, zip_members, zip_of};

#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    uris: Vec<String>,
    problems: usize,
}

impl Sink for Found {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.uris.push(hit.uri().into_owned());
        Flow::Continue
    }

    fn problem(&mut self, _: &Problem) {
        self.problems += 1;
    }
}

fn search() -> Search {
    Search::builder().compressed(Compressed::Unpacked).threads(1).build().unwrap()
}

fn piped(bytes: &[u8], name: &str) -> Found {
    let mut found = Found::default();
    search().reader(bytes, &Input::in_tree(name), &mut found);
    found
}

fn filed(dir: &Dir, bytes: &[u8], name: &str) -> Found {
    dir.file(name, bytes);
    let mut found = Found::default();
    search().run([Path::new(dir.path())], &mut found).unwrap();
    found
}

/// Everything with a checksum, by names that say what it is.
fn all() -> Vec<(&'static str, Vec<u8>)> {
    let mut all = Vec::new();
    for (_, format, bytes) in packed() {
        let case = match format {
            "gzip" => ("a.gz", bytes),
            "xz" => ("a.xz", bytes),
            "lzip" => ("a.lz", bytes),
            "zlib" => ("a.zz", bytes),
            "lz4" if bytes[0] == 4 => ("a.lz4", bytes),
            // RFC 8878 section 3.1.1.1.1.5
            "zstd" if bytes[4] & 4 != 0 => ("a.zst", bytes),
            "bzip2" => {
                all.push(("b.zip", zip_of("a.txt", 12, &bytes, &text())));
                ("a.bz2", bytes)
            }
            _ => continue,
        };
        all.push(case);
    }
    // so short that the end is seen where the start is looked at
    let short = zip([
        ("a", &b"http://a.example/"[..], Zipped::Stored),
        ("b", b"http://b.example/", Zipped::Deflated),
    ]);
    all.push(("short.tgz", gzip(&short)));
    for (format, bytes) in archives() {
        match format {
            "zip" => all.push(("a.zip", bytes)),
            _ => all.push(("a.tgz", gzip(&bytes))),
        }
    }
    let seven_zip = super::seven_zip::cases();
    for (name, bytes) in seven_zip {
        if ["lzma2", "lzma", "copy", "bzip2", "deflate", "x86+lzma2"].contains(&name) {
            all.push(("a.7z", bytes));
        }
    }
    all.push(("a.tbz2", tar_in_bzip2()));
    assert!(all.len() >= 18, "{}", all.len());
    all
}

/// The bytes of the bzip2 of a text, which says nothing of the name it has in a tar.
/// The members that are left look whole; only the directory tells that there was another.
#[test]
fn a_member_that_was_cut_out() {
    let how = Zipped::Deflated;
    let [before, cut, after] = ["a", "b", "c"].map(|name| format!("http://{name}.example/"));
    let whole = [("a", &before), ("b", &cut), ("c", &after)];
    let start = |count: usize| {
        let members = whole[..count].iter().map(|&(name, uri)| (name, uri.as_bytes(), how));
        zip_members(&zip(members)).len()
    };
    let mut archive = zip(whole.map(|(name, uri)| (name, uri.as_bytes(), how)));
    archive.drain(start(1)..start(2));
    let found = filed(&Dir::new(), &archive, "a.zip");
    assert_eq!(found, Found { uris: vec![before, after], problems: 1 });
}

fn tar_in_bzip2() -> Vec<u8> {
    let bzip2 = packed().into_iter().find(|(_, format, _)| *format == "bzip2").unwrap().2;
    gzip(&tar(&[("a.bz2", bzip2)]))
}

#[test]
fn one_flipped_bit() {
    let flips = std::env::var("URIGREP_CASES").ok().and_then(|cases| cases.parse().ok());
    let mut seed = 3986_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let dir = Dir::new();
    for (name, bytes) in all() {
        let path = format!("{}/{name}", bytes.len());
        let whole = piped(&bytes, name);
        assert!(whole.uris.len() > 1 && whole.problems == 0, "{name}: {whole:?}");
        let folder = Dir::new();
        assert_eq!(filed(&folder, &bytes, name), whole, "{path}");
        drop(folder);
        for _ in 0..flips.unwrap_or(300) {
            let bit = random(8 * bytes.len());
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            for found in [piped(&damaged, name), filed(&dir, &damaged, name)] {
                let is_told = found.problems > 0 || found.uris == whole.uris;
                assert!(
                    is_told,
                    "{path}: bit {bit}: {} URIs of {}",
                    found.uris.len(),
                    whole.uris.len()
                );
            }
        }
        std::fs::remove_file(dir.join(name)).unwrap();
    }
}
