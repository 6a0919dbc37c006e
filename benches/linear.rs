//! Time and throughput on every adversarial text at 1, 2 and 4 MiB: twice the text, twice the time.
//!
//! ```text
//! cargo bench --bench linear                    # every finder, every reader of documents, audits
//! cargo bench --bench linear -- --slowest 1     # prints the slowest text of each only
//! cargo bench --bench linear -- --quick         # at 128, 256 and 512 KiB
//! cargo bench --bench linear -- uts58 mail      # those whose name has one of these words
//! cargo bench --bench linear -- --slower 4      # on a machine that has other work to do
//! ```
//!
//! It fails where twice the text takes more than 2.3 times as long, and where less is read a second
//! than 20 MB of the texts that the design names, by the default rules, 4 MB of any other text by
//! any reader, and 1 MB of links that are audited; `--slower N` asks for an Nth of that. The short
//! times of `--quick` are full of the work of others: there, four times the text may take thirteen
//! times as long, where a quadratic search takes sixteen. What seems to fail is measured again, a
//! few times, and the least time of each size counts; of long times, that which the thread had a
//! processor for, where the kernel tells (Linux). A few milliseconds are noise. That the work is
//! linear is proved without a clock in `tests/invariants/linear.rs`.

#[path = "../tests/invariants/adversarial.rs"]
mod adversarial;
#[allow(dead_code, reason = "shared with tests/invariants")]
#[path = "../tests/invariants/finders.rs"]
mod finders;
#[path = "../tests/invariants/readers.rs"]
mod readers;
#[path = "../tests/timing/mod.rs"]
mod timing;

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use timing::{NOISE, time};
use urigrep::audit::{self, Anchors, AuditOptions, PathStatus, Profile, Slugs, TargetLookup};
use urigrep::document::Format;
use urigrep::{Finder, redact, redact_text};

const SIZES: [usize; 3] = [1 << 20, 2 << 20, 4 << 20];
const QUICK: [usize; 3] = [128 << 10, 256 << 10, 512 << 10];
/// What twice the text may take.
const TWICE: f64 = 2.3;
/// What four times the text may take, where times are short.
const FOUR_TIMES: f64 = 13.0;
/// And for an audit, of which much is linear that takes long.
const FOUR_TIMES_AUDITED: f64 = 8.0;
/// Megabytes that are to be read in a second, by the default rules, of the texts that the design
/// names.
const LEAST: f64 = 20.0;
/// And of any other, by any reader.
const LEAST_OF_ALL: f64 = 4.0;
/// And of an audit: every nine bytes are a link that leads nowhere, of which some fifty rules are
/// asked.
const LEAST_AUDITED: f64 = 1.0;
/// And of one URI of such a size that is redacted, which is scanned a dozen times.
const LEAST_REDACTED: f64 = 1.0;
/// How often what seems wrong is measured again.
const AGAIN: usize = 6;

/// The times of one text in three sizes.
struct Row {
    name: String,
    times: [Duration; 3],
    /// Bytes of the largest.
    length: usize,
    gates: Gates,
}

impl Row {
    /// Measures until all is well, or it was tried often enough.
    fn measured(name: String, length: usize, gates: Gates, run: impl Fn(usize)) -> Self {
        let mut row = Self { name, times: [Duration::MAX; 3], length, gates };
        for _ in 0..=AGAIN {
            for (size, least) in row.times.iter_mut().enumerate() {
                *least = time(|| run(size)).1.min(*least);
            }
            if row.is_right() {
                break;
            }
        }
        row
    }

    fn ratios(&self) -> [f64; 2] {
        let [one, two, four] = self.times.map(|time| time.as_secs_f64());
        [two / one.max(1e-9), four / two.max(1e-9)]
    }

    fn is_linear(&self) -> bool {
        let [one, two, four] = self.times;
        let within = |whole: Duration, part: Duration, most| whole <= part.mul_f64(most) + NOISE;
        match self.gates.growth {
            Growth::Twice => within(two, one, TWICE) && within(four, two, TWICE),
            Growth::FourTimes(most) => within(four, one, most),
        }
    }

    /// Megabytes a second, of the largest.
    fn rate(&self) -> f64 {
        self.length as f64 / self.times[2].as_secs_f64().max(1e-9) / 1e6
    }

    fn is_fast(&self) -> bool {
        self.rate() >= self.gates.least
    }

    fn is_right(&self) -> bool {
        self.is_linear() && self.is_fast()
    }

    fn print(&self) {
        let [one, two, four] = self.times.map(|time| time.as_secs_f64() * 1e3);
        let [first, second] = self.ratios();
        let linear = if self.is_linear() { "" } else { "  NOT LINEAR" };
        let slow = if self.is_fast() { "" } else { "  TOO SLOW" };
        let (name, rate) = (&self.name, self.rate());
        println!(
            "{name:40} {one:6.1} ms {two:6.1} ms {four:6.1} ms {first:5.2} {second:5.2} {rate:7.0}{linear}{slow}"
        );
    }
}

/// What fails.
#[derive(Clone, Copy)]
struct Gates {
    /// Megabytes a second.
    least: f64,
    growth: Growth,
}

/// Between which sizes the growth is judged.
#[derive(Clone, Copy)]
enum Growth {
    Twice,
    /// With what four times the text may take.
    FourTimes(f64),
}

/// What is asked for on the command line.
struct Asked {
    slowest: usize,
    sizes: [usize; 3],
    /// How many times slower than a quiet machine with optimization this one may be.
    slower: f64,
    growth: Growth,
    words: Vec<String>,
}

impl Asked {
    fn new() -> Self {
        // cargo gives its own flag
        let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
        let mut asked = Self {
            slowest: usize::MAX,
            sizes: SIZES,
            slower: 1.0,
            growth: Growth::Twice,
            words: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut number = || words.next().unwrap_or_default();
            match word.as_str() {
                "--slowest" => asked.slowest = number().parse().expect("--slowest takes a number"),
                "--slower" => asked.slower = number().parse().expect("--slower takes a number"),
                "--quick" => {
                    asked.sizes = QUICK;
                    asked.growth = Growth::FourTimes(FOUR_TIMES);
                }
                _ => asked.words.push(word),
            }
        }
        asked
    }

    /// What is asked of the text of this index in this mode.
    fn gates(&self, mode: &str, index: usize) -> Gates {
        let named = mode == "default" && index < adversarial::NAMED;
        let least = match mode {
            "redact" => LEAST_REDACTED,
            _ if mode.starts_with("audit") => LEAST_AUDITED,
            _ if named => LEAST,
            _ => LEAST_OF_ALL,
        };
        let growth = match self.growth {
            Growth::FourTimes(_) if mode.starts_with("audit") => {
                Growth::FourTimes(FOUR_TIMES_AUDITED)
            }
            growth => growth,
        };
        Gates { least: least / self.slower, growth }
    }

    fn wants(&self, mode: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| mode.contains(word.as_str()))
    }
}

/// Texts of one mode, by name, in three sizes.
type Texts = [Vec<(&'static str, Vec<u8>)>; 3];

fn rows(mode: &str, asked: &Asked, texts: &Texts, run: impl Fn(&[u8])) -> Vec<Row> {
    let names = texts[2].iter().enumerate();
    names
        .map(|(index, (name, largest))| {
            let name = format!("{mode}/{name}");
            Row::measured(name, largest.len(), asked.gates(mode, index), |size| {
                run(&texts[size][index].1)
            })
        })
        .collect()
}

fn main() -> ExitCode {
    let asked = Asked::new();
    let (mut count, mut wrong, mut worst) = (0, 0, f64::INFINITY);
    let mut take = |mut rows: Vec<Row>| {
        rows.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
        for (index, row) in rows.iter().enumerate() {
            if index < asked.slowest || !row.is_right() {
                row.print();
            }
            count += 1;
            wrong += usize::from(!row.is_right());
            worst = row.rate().min(worst);
        }
    };
    let sizes = asked.sizes.map(|size| format!("{} KiB", size >> 10));
    let [one, two, four] = &sizes;
    println!("{:40} {one:>9} {two:>9} {four:>9} {:>5} {:>5} {:>7}", "text", "2/1", "4/2", "MB/s");
    let texts = asked.sizes.map(adversarial::generators);
    for (mode, builder, _) in finders::modes() {
        if asked.wants(mode) {
            let finder = builder.build();
            take(rows(mode, &asked, &texts, |text| {
                black_box(finder.findings(text).count());
            }));
        }
    }
    drop(texts);
    let finder = Finder::new();
    for frame in readers::frames() {
        if asked.wants(frame.name) {
            // larger documents are searched as text
            let scale = asked.sizes[2].div_ceil(frame.reader.largest());
            let texts = asked.sizes.map(|size| documents(&frame, size / scale));
            take(rows(frame.name, &asked, &texts, |text| {
                black_box(frame.reader.search(&finder, text));
            }));
        }
    }
    let texts = asked.sizes.map(adversarial::links);
    for profile in Profile::ALL {
        let mode = format!("audit-{profile}");
        if asked.wants(&mode) {
            let options = AuditOptions::new().profile(*profile).root("");
            take(rows(&mode, &asked, &texts, |text| {
                let facts = audit::read(Some(Format::MARKDOWN), text, &finder);
                let mut count = 0;
                audit::check(Path::new("d/a.md"), &facts, &options, &TwoFiles, &mut |_| count += 1);
                black_box(count);
            }));
        }
    }
    if asked.wants("redact") {
        let texts = asked.sizes.map(adversarial::secrets);
        take(rows("redact", &asked, &texts, |text| {
            let text = String::from_utf8_lossy(text);
            black_box((redact(&text), redact_text(&text)));
        }));
    }
    println!("{count} texts, the worst at {:.0} MB/s; {wrong} wrong", worst);
    if wrong == 0 && count > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A tree of `d/b.md` and `d/b.html`.
struct TwoFiles;

impl TargetLookup for TwoFiles {
    fn look(&self, path: &Path) -> PathStatus {
        match path.to_str() {
            Some("d/b.md" | "d/b.html") => PathStatus::File,
            Some("" | "d") => PathStatus::Directory,
            _ => PathStatus::Missing { nearest: None },
        }
    }

    fn anchors(&self, _: &Path) -> Option<Arc<Anchors>> {
        static ANCHORS: LazyLock<Arc<Anchors>> =
            LazyLock::new(|| Arc::new(Anchors::read(Format::MARKDOWN, b"# x", Slugs::default())));
        Some(ANCHORS.clone())
    }
}

/// Every text in this frame.
fn documents(frame: &readers::Frame, size: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut texts = adversarial::generators(size);
    texts.extend(readers::documents(size));
    for (_, text) in &mut texts {
        *text = (frame.around)(text);
    }
    texts
}
