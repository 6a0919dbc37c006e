//! The proof that the work on adversarial texts grows with their length only.

use std::time::Duration;

use urigrep::Finder;
use urigrep::internal::work_counter;

use super::adversarial::generators;
use super::finders::modes;
use super::streamed;
use crate::timing::time;

/// Texts of three sizes, each twice as long as the one before.
const SIZES: [usize; 3] = [16 << 10, 32 << 10, 64 << 10];

/// Steps for each byte, at most; all that runs of bytes take is counted (`slice.rs`).
const MAX_STEPS: u64 = 128;

/// And of readers, which look ahead for the end of a construct up to a bound: as in the hunt for
/// slow texts.
#[cfg(feature = "search")]
const MAX_READER_STEPS: u64 = 600;

/// The work for a text: bytes looked at (in builds that count them), and the time.
type Work = (Option<u64>, Duration);

fn work(search: impl FnOnce()) -> Work {
    let _ = work_counter::take();
    let ((), taken) = time(search);
    (work_counter::take(), taken)
}

fn search(finder: &Finder, text: &[u8]) -> Work {
    work(|| assert!(finder.findings(text).count() <= text.len()))
}

/// What is wrong with the work for texts of these lengths, if anything is.
fn fault(lengths: [usize; 3], works: [Work; 3], most_steps: u64) -> Option<String> {
    for (lengths, works) in lengths.windows(2).zip(works.windows(2)) {
        // The count has no noise; 2.3 leaves room for what comes once a text.
        if let &[(Some(small), _), (Some(large), _)] = works
            && large as f64 > 2.3 * small as f64 + 65536.0
        {
            return Some(format!("{small} steps for {} bytes, then {large}", lengths[0]));
        }
    }
    let ([_, _, length], [(_, first), _, (count, last)]) = (lengths, works);
    if let Some(count) = count
        && count > most_steps * length as u64 + 65536
    {
        return Some(format!("{count} steps for {length} bytes"));
    }
    // A slow machine is no fault, a quadratic search is.
    let is_slow = last > Duration::from_secs(2) && last > first * 8;
    is_slow.then(|| format!("{first:?}, then {last:?} for {length} bytes"))
}

/// True if the longest text takes so little that its work cannot have grown faster than its length:
/// what is quadratic takes thousands of steps a byte at this size.
#[cfg(feature = "search")]
fn is_cheap(length: usize, (count, time): Work) -> bool {
    count.is_some_and(|count| count <= 12 * length as u64) && time < Duration::from_millis(100)
}

fn report(wrong: &[String]) {
    assert!(wrong.is_empty(), "work is not linear:\n{}", wrong.join("\n"));
}

#[test]
fn work_is_linear() {
    let texts = SIZES.map(generators);
    let mut wrong = Vec::new();
    // Shorter than the texts, unlike the default limit: a walk that goes to it for each candidate
    // shows.
    let limited = ("max-uri-4k", Finder::builder().max_uri(4 << 10));
    let modes = modes().into_iter().map(|(mode, builder, _)| (mode, builder));
    for (mode, builder) in modes.chain([limited]) {
        let finder = builder.build();
        for (at, (name, _)) in texts[0].iter().enumerate() {
            let texts = [0, 1, 2].map(|size| texts[size][at].1.as_slice());
            let works = texts.map(|text| search(&finder, text));
            let fault = fault(texts.map(<[u8]>::len), works, MAX_STEPS);
            wrong.extend(fault.map(|fault| format!("{mode}/{name}: {fault}")));
        }
    }
    report(&wrong);
}

/// Every text in every frame, and what is made to be slow in documents. The work is that of the
/// reader and of the search in what it gives.
#[cfg(feature = "search")]
#[test]
fn work_of_readers_is_linear() {
    use super::readers::{documents, frames};

    let finder = Finder::new();
    let texts = SIZES.map(|size| {
        let mut texts = generators(size / 2);
        texts.extend(documents(size / 2));
        texts
    });
    let mut wrong = Vec::new();
    for frame in frames() {
        let read = |text: &[u8]| {
            work(|| {
                let (_, bytes) = frame.reader.search(&finder, text);
                assert!(bytes <= 16 * text.len() + 64, "{bytes} bytes from {}", text.len());
            })
        };
        for (at, (name, _)) in texts[0].iter().enumerate() {
            let text = |size: usize| (frame.around)(&texts[size][at].1);
            let longest = text(2);
            let last = read(&longest);
            // Most texts are: hundreds of texts in dozens of frames take minutes otherwise.
            if is_cheap(longest.len(), last) {
                continue;
            }
            let shorter = [text(0), text(1)];
            let [first, second] = shorter.each_ref().map(|text| read(text));
            let lengths = [shorter[0].len(), shorter[1].len(), longest.len()];
            let fault = fault(lengths, [first, second, last], MAX_READER_STEPS);
            wrong.extend(fault.map(|fault| format!("{}/{name}: {fault}", frame.name)));
        }
    }
    report(&wrong);
}

/// A long URI that goes on behind a far escape, with thousands of candidates in it, none of which
/// is to be explained apart: an hour of the hunt found these.
#[test]
fn work_of_explanations_is_linear() {
    let finder = Finder::new();
    let texts: [(&str, &str, &str, &str); 3] = [
        ("<title>===\n", r"http:\/\/a", "data:,", r"\%\;"),
        ("", "sip:a@bftp://a/", r"\%41data:,\%", "ftp://a/msgid \"[...][...]&#&#((info:doi/"),
        (
            "",
            "ws://a\u{200B}",
            r"\%\%data:,data:,",
            r"isbn\&a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ),
    ];
    let mut wrong = Vec::new();
    for (head, unit, second, tail) in texts {
        let texts = SIZES.map(|size| {
            let rows = [unit, second].map(|row| row.repeat(size / 2 / row.len()));
            [head, &rows[0], &rows[1], tail].concat()
        });
        let works = texts.each_ref().map(|text| {
            work(|| {
                for finding in finder.findings(text.as_bytes()) {
                    assert!(finder.explain(&finding).len() <= text.len());
                }
            })
        });
        let fault = fault(texts.each_ref().map(String::len), works, MAX_STEPS);
        wrong.extend(fault.map(|fault| format!("{unit}/{second}: {fault}")));
    }
    report(&wrong);
}

#[test]
fn streamed_work_is_linear() {
    // A window is searched again when more text comes: that must not multiply the work.
    let finder = Finder::new();
    let mut wrong = Vec::new();
    for (name, text) in generators(128 << 10) {
        let whole = search(&finder, &text).0;
        let (_, taken) = time(|| streamed(&finder, &text, 16 << 10));
        let count = work_counter::take();
        if let (Some(whole), Some(count)) = (whole, count)
            && count > 12 * whole + (1 << 20)
        {
            wrong.push(format!("{name}: {whole} steps in one piece, {count} in windows of 16 KiB"));
        }
        if taken > Duration::from_secs(10) {
            wrong.push(format!("{name}: {taken:?}"));
        }
    }
    assert!(wrong.is_empty(), "streaming is not linear:\n{}", wrong.join("\n"));
}
