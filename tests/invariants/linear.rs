//! The proof that the work on adversarial texts grows with their length only.

use std::time::{Duration, Instant};

use urigrep::{Finder, steps};

use super::adversarial::generators;
use super::{finders, streamed};

/// The work for `text`: bytes looked at (in builds that count them), and the time.
fn work(finder: &Finder, text: &[u8]) -> (Option<u64>, Duration) {
    let _ = steps::take();
    let start = Instant::now();
    let count = finder.findings(text).count();
    let time = start.elapsed();
    assert!(count <= text.len());
    (steps::take(), time)
}

#[test]
fn work_is_linear() {
    const SIZES: [usize; 3] = [64 << 10, 128 << 10, 256 << 10];
    let mut wrong = Vec::new();
    for (which, (finder, _)) in finders().into_iter().enumerate() {
        let texts = SIZES.map(generators);
        for i in 0..texts[0].len() {
            let name = texts[0][i].0;
            let (counts, times): (Vec<_>, Vec<_>) =
                texts.iter().map(|texts| work(&finder, &texts[i].1)).unzip();
            for (sizes, counts) in SIZES.windows(2).zip(counts.windows(2)) {
                // The count has no noise; 2.3 leaves room for what comes once a text.
                if let &[Some(small), Some(large)] = counts
                    && large as f64 > 2.3 * small as f64 + 65536.0
                {
                    wrong.push(format!(
                        "{name} (finder {which}): {small} steps for {} bytes, then {large}",
                        sizes[0]
                    ));
                }
            }
            if let (Some(count), Some(&size)) = (counts[2], SIZES.last())
                && count > 64 * size as u64
            {
                wrong.push(format!(
                    "{name} (finder {which}): {count} steps for {size} bytes"
                ));
            }
            // A slow machine is no fault, a quadratic search is.
            if times[2] > Duration::from_secs(2) && times[2] > times[0] * 8 {
                wrong.push(format!(
                    "{name} (finder {which}): {times:?} for {SIZES:?} bytes"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "work is not linear:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn streamed_work_is_linear() {
    // A window is searched again when more text comes: that must not multiply the work.
    let finder = Finder::new();
    let mut wrong = Vec::new();
    for (name, text) in generators(128 << 10) {
        let whole = work(&finder, &text).0;
        let start = Instant::now();
        let _ = streamed(&finder, &text, 16 << 10);
        let (count, time) = (steps::take(), start.elapsed());
        if let (Some(whole), Some(count)) = (whole, count)
            && count > 12 * whole + (1 << 20)
        {
            wrong.push(format!(
                "{name}: {whole} steps in one piece, {count} in windows of 16 KiB"
            ));
        }
        if time > Duration::from_secs(10) {
            wrong.push(format!("{name}: {time:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "streaming is not linear:\n{}",
        wrong.join("\n")
    );
}
