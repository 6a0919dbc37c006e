//! Time and throughput on every adversarial text at 1, 2 and 4 MiB: twice the text, twice the time.
//!
//! ```text
//! cargo bench --bench linear               # the default options
//! cargo bench --bench linear -- --slowest 10
//! ```
//!
//! Each number is the least of three runs. It fails when four times the text takes more than eight times as
//! long and more than a tenth of a second; what is quicker is noise. That the work is linear is proved without a clock in
//! `tests/invariants/linear.rs`.

#[path = "../tests/invariants/adversarial.rs"]
mod adversarial;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use urigrep::Finder;

const SIZES: [usize; 3] = [1 << 20, 2 << 20, 4 << 20];

fn time(finder: &Finder, text: &[u8]) -> Duration {
    let runs = (0..3).map(|_| {
        let start = Instant::now();
        std::hint::black_box(finder.findings(text).count());
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    let slowest = words.iter().position(|word| word == "--slowest");
    let most = slowest
        .and_then(|at| words.get(at + 1)?.parse().ok())
        .unwrap_or(usize::MAX);
    let finder = Finder::new();
    let texts = SIZES.map(adversarial::generators);
    let mut rows: Vec<(&str, [Duration; 3], f64)> = (0..texts[0].len())
        .map(|index| {
            let times = [0, 1, 2].map(|size| time(&finder, &texts[size][index].1));
            let rate = texts[2][index].1.len() as f64 / times[2].as_secs_f64() / 1e6;
            (texts[0][index].0, times, rate)
        })
        .collect();
    rows.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut wrong = 0;
    println!(
        "{:24} {:>9} {:>9} {:>9} {:>6} {:>8}",
        "text", "1 MiB", "2 MiB", "4 MiB", "4/1", "MB/s"
    );
    for (index, (name, times, rate)) in rows.iter().enumerate() {
        let ratio = times[2].as_secs_f64() / times[0].as_secs_f64();
        let superlinear = ratio > 8.0 && times[2] > Duration::from_millis(100);
        wrong += usize::from(superlinear);
        if index < most || superlinear {
            let [a, b, c] = times.map(|time| time.as_secs_f64() * 1e3);
            let sign = if superlinear { "  NOT LINEAR" } else { "" };
            println!("{name:24} {a:6.1} ms {b:6.1} ms {c:6.1} ms {ratio:6.2} {rate:8.0}{sign}");
        }
    }
    if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
