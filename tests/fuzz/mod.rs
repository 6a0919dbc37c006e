//! What the fuzz targets assert, on every text of corpus/ and on what fuzzers found (fuzz/crashes).

#[path = "../../fuzz/checks/mod.rs"]
mod checks;
#[cfg(feature = "search")]
#[path = "../../fuzz/message.rs"]
mod message;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `dir`.
fn files(dir: &Path) -> Vec<PathBuf> {
    let (mut files, mut dirs) = (Vec::new(), vec![dir.to_owned()]);
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                dirs.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The lines of the texts of corpus/, and its texts.
fn texts() -> Vec<Vec<u8>> {
    let whole = files(&root().join("corpus"))
        .into_iter()
        .map(|path| fs::read(path).expect("a readable file"));
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for text in whole {
        for line in text.split(|&byte| byte == b'\n' || byte == b'\t') {
            texts.push(line.to_vec());
        }
        texts.push(text);
    }
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 1000, "corpus/ holds hardly any text");
    texts
}

/// What a fuzzer found for `target`.
fn crashes(target: &str) -> Vec<Vec<u8>> {
    let found = files(&root().join("fuzz/crashes").join(target));
    found.into_iter().map(|path| fs::read(path).expect("a readable file")).collect()
}

fn strings(target: &str) -> Vec<String> {
    let texts = texts().into_iter().chain(crashes(target));
    texts.filter_map(|text| String::from_utf8(text).ok()).collect()
}

#[test]
fn scan() {
    for (at, text) in texts().into_iter().chain(crashes("scan")).enumerate() {
        let choices = if text.len() < 4096 { [0, at as u16, 0x03f0] } else { [0, 0, 0x0060] };
        for choice in choices {
            checks::scan::check(choice, 1 + at % 97, &text);
        }
    }
}

#[test]
fn grammar() {
    for text in strings("grammar") {
        checks::grammar::check(&text);
    }
}

#[test]
fn urn() {
    for text in strings("urn") {
        checks::urn::check(&text);
    }
}

#[test]
fn redact() {
    for text in strings("redact").iter().filter(|text| text.len() < 4096) {
        checks::redact::check(text);
    }
}

#[test]
fn reference() {
    let texts = strings("reference");
    for (at, text) in texts.iter().enumerate() {
        checks::reference::check(text, &texts[(at * 31 + 7) % texts.len()]);
        checks::reference::check("http://a.example/b/c/d;p?q", text);
    }
}

#[cfg(feature = "search")]
#[test]
fn mail() {
    for (at, text) in texts().into_iter().chain(crashes("mail")).enumerate() {
        checks::mail::check(at * 131 % (text.len() + 1), &text);
    }
}

/// Messages as the target makes them, of the same random bytes in every run.
#[cfg(feature = "search")]
#[test]
fn mail_that_keeps_the_rules() {
    let mut seed = 5322_u64;
    let mut uris = 0;
    for round in 0..4000 {
        let bytes: Vec<u8> = (0..32 + round % 512)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 33) as u8
            })
            .collect();
        let mut bytes = arbitrary::Unstructured::new(&bytes);
        let Ok(entity) = bytes.arbitrary::<message::Entity>() else {
            continue;
        };
        let written = entity.written();
        uris += written.uris.len();
        checks::mail::check_kept(&written.bytes, &written.uris);
    }
    assert!(uris > 4000, "{uris} URIs are hardly any");
}

#[cfg(feature = "search")]
#[test]
fn archives() {
    let texts = texts();
    for (at, text) in texts.iter().chain(&crashes("archives")).enumerate() {
        checks::archives::check(at as u8, text);
        let packing = checks::archives::Packing::ALL[at % checks::archives::Packing::ALL.len()];
        let texts = [text, &texts[(at * 31 + 7) % texts.len()][..]];
        let damage = [((at * 7) as u16, at as u8), ((at * 77) as u16, 0)];
        checks::archives::check_packed(packing, (at / 16) as u8, &texts, at * 131, &damage);
    }
}

#[cfg(feature = "search")]
#[test]
fn documents() {
    for (at, text) in texts().into_iter().chain(crashes("documents")).enumerate() {
        checks::documents::check(at * 131 % (text.len() + 1), &text);
    }
}
