//! Choices inside the search, each measured against what it was chosen over.
//!
//! ```text
//! benches/corpora.sh && cargo bench --bench scan
//! ```
//!
//! - `kernel/…`: the whole search with each kernel, and memchr counting every `:` as the limit;
//! - `scheme/…`: the longest known suffix of the scheme characters before each `://` (D1.2, D1.3): by
//!   looking the run up in the registry's hash table and then its suffixes behind `+`, `-`, `.`, or
//!   by one pass of an anchored aho-corasick automaton over the reversed names.

mod corpora;

use std::hint::black_box;

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use urigrep::options::Kernel;
use urigrep::{Finder, registry};

fn kernels(criterion: &mut Criterion) {
    for name in ["prose", "mail", "code", "sparse"] {
        let Some(bytes) = corpora::read(name) else {
            continue;
        };
        let mut group = criterion.benchmark_group(format!("kernel/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        for kernel in [Kernel::Portable, Kernel::Avx2, Kernel::Avx512] {
            let finder = Finder::builder().kernel(kernel).build();
            group.bench_function(BenchmarkId::from_parameter(format!("{kernel:?}")), |b| {
                b.iter(|| finder.find_iter(black_box(&bytes)).count());
            });
        }
        group.bench_function(BenchmarkId::from_parameter("colons"), |b| {
            b.iter(|| memchr::memchr_iter(b':', black_box(&bytes)).count());
        });
        group.finish();
    }
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The scheme characters before each `://`, from their first letter on.
fn runs(text: &[u8]) -> Vec<&[u8]> {
    let colons = memchr::memmem::find_iter(text, "://");
    colons
        .filter_map(|colon| {
            let floor = colon.saturating_sub(64);
            let run = text[floor..colon].iter().rev().take_while(|&&b| is_scheme_byte(b)).count();
            let run = &text[colon - run..colon];
            let letter = run.iter().position(u8::is_ascii_alphabetic)?;
            Some(&run[letter..])
        })
        .collect()
}

fn by_hash(run: &[u8]) -> Option<usize> {
    if registry::scheme(run).is_some() {
        return Some(run.len());
    }
    (1..run.len())
        .find(|&at| {
            matches!(run[at - 1], b'+' | b'-' | b'.') && registry::scheme(&run[at..]).is_some()
        })
        .map(|at| run.len() - at)
}

struct Reversed {
    automaton: AhoCorasick,
}

impl Reversed {
    fn new() -> Self {
        let names =
            registry::schemes().iter().map(|info| info.name.bytes().rev().collect::<Vec<u8>>());
        let automaton = AhoCorasick::builder()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(true)
            .build(names)
            .expect("the names fit");
        Self { automaton }
    }

    /// The run is reversed into `scratch`, as aho-corasick goes forward only. What is longest need
    /// not stand behind a separator; then shorter ones are not asked for, which is in its favour.
    fn find(&self, run: &[u8], scratch: &mut Vec<u8>) -> Option<usize> {
        scratch.clear();
        scratch.extend(run.iter().rev());
        let found = self.automaton.find(Input::new(&*scratch).anchored(Anchored::Yes))?;
        let at = run.len() - found.end();
        (at == 0 || matches!(run[at - 1], b'+' | b'-' | b'.')).then_some(found.end())
    }
}

fn schemes(criterion: &mut Criterion) {
    let automaton = Reversed::new();
    for name in ["dense", "code", "mail"] {
        let Some(bytes) = corpora::read(name) else {
            continue;
        };
        let runs = runs(&bytes);
        let mut scratch = Vec::new();
        let known = runs.iter().filter(|run| by_hash(run).is_some()).count();
        let same =
            runs.iter().filter(|run| by_hash(run) == automaton.find(run, &mut scratch)).count();
        println!(
            "{name}: {} runs, {known} with a known scheme, {same} with the same answer",
            runs.len()
        );
        let mut group = criterion.benchmark_group(format!("scheme/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(runs.len() as u64));
        group.bench_function("hash", |b| {
            b.iter(|| runs.iter().filter(|run| by_hash(black_box(run)).is_some()).count());
        });
        group.bench_function("aho-corasick", |b| {
            b.iter(|| {
                runs.iter()
                    .filter(|run| automaton.find(black_box(run), &mut scratch).is_some())
                    .count()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, kernels, schemes);
criterion_main!(benches);
