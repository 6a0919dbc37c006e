//! The finder, its peers and the limit on real text, one thread, in memory.
//!
//! ```text
//! benches/corpora.sh && cargo bench --bench throughput
//! cargo bench --bench throughput -- 'dense|mail/urigrep'
//! URIGREP_KERNEL=avx2 cargo bench --bench throughput -- kind-
//! ```
//!
//! - `urigrep`: the default options, counting matches;
//! - `linkify`: kind Url, what it finds by `scheme://`;
//! - `squeeze`: squeeze-lib's URI finder with its default, over the lines that have a `:`;
//! - `colons`: memchr counting `:`, the least that any of them has to read.
//!
//! # Bias
//!
//! The counts are printed first: the tools look for different things. linkify and squeeze want
//! UTF-8, so what is none is replaced before for all of them. The texts of `corpora.sh` are what
//! one machine has; `adversarial` is a row of the worst of `tests/invariants/linear.rs` in the
//! manner of a text, and shows who has which weakness.
//!
//! The rows `kind-…` are lists of one kind of URI, in URIs per second: an upper bound, because
//! every branch is predicted. There `urigrep` also takes the URI of each match, which it may have
//! to decode or encode. linkify finds no URI without `//`, and ends others where we read on, so its
//! rows are not all the same work.

mod corpora;
mod kinds;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use linkify::{LinkFinder, LinkKind};
use squeeze::Finder as _;
use squeeze::uri::URI;
use urigrep::Finder;
use urigrep::options::Kernel;

/// URIs of a list of one kind.
const COUNT: usize = 20_000;
const CORPORA: [&str; 7] = ["prose", "man", "changelog", "mail", "code", "sparse", "dense"];
fn texts() -> Vec<(String, String)> {
    let lossy = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let real =
        CORPORA.iter().filter_map(|&name| Some((name.to_owned(), lossy(corpora::read(name)?))));
    let mut texts: Vec<_> = real.collect();
    texts.push(("adversarial".to_owned(), adversarial()));
    texts.extend(
        kinds::KINDS.iter().map(|(name, uri)| (format!("kind-{name}"), kinds::list(uri, COUNT))),
    );
    texts
}

/// What costs most for its length: half-open wrappers, brackets, schemes and dots without an end.
fn adversarial() -> String {
    let rows = [
        "http://a/((((((((((((((((",
        "<http://a/\n  b\n  c ",
        "http://a/...............",
        "a:b:c:d:e:f:g:h:i:j:",
        "http://a.b,http://c.d,http://e.f",
        "http:http:http:http:",
        "https://[::::::::::::",
        "http://a/%%%%%%%%%%%%%%",
        "urn:a:b?c?d?e?f",
        "http://a/\u{e9}\u{3002}\u{e9}\u{3002}\u{e9}",
        "****************http://a/****************",
    ];
    let mut text = String::with_capacity(4 << 20);
    let mut seed = 1usize;
    while text.len() < 4 << 20 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        text.push_str(rows[(seed >> 33) % rows.len()]);
        text.push(if seed >> 62 == 0 { '\n' } else { ' ' });
    }
    text
}

fn squeezed(finder: &URI, text: &str) -> usize {
    let mut count = 0;
    for line in text.split('\n') {
        if memchr::memchr(b':', line.as_bytes()).is_none() {
            continue;
        }
        let mut from = 0;
        while let Some(found) = finder.find(&line[from..]) {
            count += 1;
            from += found.end.max(1);
        }
    }
    count
}

/// Returns the kernel that `URIGREP_KERNEL` names, by default the fastest of the machine.
fn kernel() -> Kernel {
    match std::env::var("URIGREP_KERNEL") {
        Ok(name) => name.parse().expect("a kernel"),
        Err(_) => Kernel::Auto,
    }
}

fn throughput(criterion: &mut Criterion) {
    let finder = Finder::builder().kernel(kernel()).build();
    let mut linkify = LinkFinder::new();
    linkify.kinds(&[LinkKind::Url]);
    let squeeze = URI::default();
    for (name, text) in texts() {
        println!(
            "{name}: {} bytes, {} colons; matches: urigrep {}, linkify {}, squeeze {}",
            text.len(),
            memchr::memchr_iter(b':', text.as_bytes()).count(),
            finder.find_iter(text.as_bytes()).count(),
            linkify.links(&text).count(),
            squeezed(&squeeze, &text),
        );
        let mut group = criterion.benchmark_group(&name);
        group.sample_size(10);
        group.throughput(if name.starts_with("kind-") {
            Throughput::Elements(COUNT as u64)
        } else {
            Throughput::Bytes(text.len() as u64)
        });
        let bytes = text.as_bytes();
        group.bench_function(BenchmarkId::from_parameter("urigrep"), |b| {
            if name.starts_with("kind-") {
                b.iter(|| finder.find_iter(black_box(bytes)).map(|m| m.uri().len()).sum::<usize>());
            } else {
                b.iter(|| finder.find_iter(black_box(bytes)).count());
            }
        });
        group.bench_function(BenchmarkId::from_parameter("linkify"), |b| {
            b.iter(|| linkify.links(black_box(&text)).count());
        });
        group.bench_function(BenchmarkId::from_parameter("squeeze"), |b| {
            b.iter(|| squeezed(&squeeze, black_box(&text)));
        });
        group.bench_function(BenchmarkId::from_parameter("colons"), |b| {
            b.iter(|| memchr::memchr_iter(b':', black_box(bytes)).count());
        });
        group.finish();
    }
}

criterion_group!(benches, throughput);
criterion_main!(benches);
