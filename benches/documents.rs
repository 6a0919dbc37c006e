//! The finder and linkify on the documents of corpus/, scaled up to a few MiB each.
//!
//! `cargo bench --bench documents`. The counts of both are printed first: they look for
//! different things (linkify knows no URN, IRI repair or rejoining, and takes any word
//! before `://`), so read the throughput together with them. The documents were written
//! for the tests of this project, not to flatter either.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use linkify::{LinkFinder, LinkKind};
use urigrep::Finder;

const SIZE: usize = 4 << 20;

/// Every document of the corpus, repeated up to [`SIZE`].
fn documents() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents");
    let mut documents = Vec::new();
    for entry in fs::read_dir(folder).expect("corpus/documents is part of the project") {
        let path = entry.expect("a readable folder").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        if name.ends_with(".labels.tsv") || text.is_empty() {
            continue;
        }
        documents.push((name, text.repeat(SIZE / text.len() + 1)));
    }
    documents.sort();
    assert!(!documents.is_empty(), "no document to measure");
    documents
}

fn linkify() -> LinkFinder {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    finder
}

fn throughput(criterion: &mut Criterion) {
    let finder = Finder::new();
    let peer = linkify();
    let documents = documents();
    for (name, text) in &documents {
        let (ours, theirs) = (
            finder.find_iter(text.as_bytes()).count(),
            peer.links(text).count(),
        );
        println!(
            "{name}: {} bytes, urigrep {ours} matches, linkify {theirs}",
            text.len()
        );
    }
    let mut group = criterion.benchmark_group("documents");
    group.sample_size(10);
    for (name, text) in &documents {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("urigrep", name), text, |bencher, text| {
            bencher.iter(|| finder.find_iter(black_box(text.as_bytes())).count());
        });
        group.bench_with_input(BenchmarkId::new("linkify", name), text, |bencher, text| {
            bencher.iter(|| peer.links(black_box(text)).count());
        });
    }
    group.finish();
}

criterion_group!(benches, throughput);
criterion_main!(benches);
