//! A hunt for texts that take long: evolution of texts that are made of what the rules look for, by
//! the steps that the search takes for each byte.
//!
//! A text is as good as its steps a byte in one of the ways; the best of each way have children.
//! What is too slow, or grows faster than its length, is reported. The same seed and number of
//! texts give the same hunt on any machine. One that is given its time instead goes by the clock as
//! well, for what no step counts:
//!
//! ```text
//! URIGREP_HUNT_TEXTS=30000 cargo test --test library -- hunt::     # .ci/run
//! CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true URIGREP_HUNT_NANOSECONDS=1100 URIGREP_HUNT_SECONDS=3600 \
//!     cargo test --release --test library -- hunt::    # .ci/slow
//! URIGREP_HUNT_WAYS=default,mail URIGREP_HUNT_SEED=7 …             # those whose name has one of these words
//! ```

mod fragments;
mod genome;
#[cfg(feature = "serde")]
mod searches;
#[cfg(feature = "serde")]
mod settings_of_trees;
#[cfg(feature = "serde")]
mod trees;
mod ways;

use std::time::{Duration, Instant};

use genome::{Genome, Random};
use urigrep::internal::work_counter;
use ways::Way;

use crate::timing::time;

/// Long enough for what is quadratic to be seen, short enough for thousands a minute.
const LENGTH: usize = 8 << 10;
/// The best of a way that have children.
const BEST: usize = 6;
/// Steps for each byte and look; what takes more is too slow.
const MAX_STEPS: f64 = 600.0;
/// Twice the text takes so many times the steps a byte, at most.
const GROWTH: f64 = 1.15;
/// The lengths at which growth is judged, above all bounds of look-aheads.
const LENGTHS: [usize; 3] = [64 << 10, 128 << 10, 256 << 10];
/// One megabyte a second takes 1,000, and a tenth more where steps are counted, which
/// `URIGREP_HUNT_NANOSECONDS` asks for; what tests are compiled with takes several times as long.
const MAX_NANOSECONDS: u64 = 8000;

#[derive(Clone)]
struct Found {
    genome: Genome,
    /// For each byte.
    steps: f64,
    nanoseconds: f64,
}

fn measure(way: &Way, genome: &Genome, length: usize) -> (f64, f64) {
    measure_text(way, &genome.text(length))
}

fn measure_text(way: &Way, text: &[u8]) -> (f64, f64) {
    measure_by(&way.run, text)
}

fn measure_by(run: &ways::Run, text: &[u8]) -> (f64, f64) {
    let _ = work_counter::take();
    let ((), time) = time(|| run(text));
    let bytes = text.len().max(1) as f64;
    (work_counter::take().unwrap_or(0) as f64 / bytes, time.as_nanos() as f64 / bytes)
}

fn fastest(way: &Way, genome: &Genome, length: usize) -> f64 {
    (0..4).map(|_| measure(way, genome, length).1).fold(f64::INFINITY, f64::min)
}

/// What is wrong with a text in this way, if anything is; `most_nanoseconds` for each byte and
/// look, if time counts.
fn fault(way: &Way, genome: &Genome, most_nanoseconds: Option<f64>) -> Option<String> {
    let looks = f64::from(way.looks);
    let mut steps = Vec::new();
    for length in LENGTHS {
        steps.push(measure(way, genome, length).0);
        let last = steps.last().copied().unwrap_or_default();
        if last > MAX_STEPS * looks {
            return Some(format!("{last:.0} steps a byte for {length} bytes"));
        }
    }
    if let Some(wider) = &way.wider {
        let wide = measure_by(wider, &genome.text(LENGTHS[2])).0;
        if wide > MAX_STEPS * looks {
            return Some(format!("{wide:.0} steps a byte for a higher limit of a URI's length"));
        }
    }
    // once is no growth: a unit may be as long as the shortest text
    if steps.windows(2).all(|pair| pair[1] > pair[0] * GROWTH + 2.0) {
        return Some(format!("{steps:.1?} steps a byte"));
    }
    // long enough for the time on the processor to be known
    let most = most_nanoseconds? * looks;
    let time = fastest(way, genome, LENGTHS[2]);
    (time > most).then(|| format!("{time:.0} ns a byte"))
}

/// What makes one text better than another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Steps,
    /// For what no step counts. Other work on the machine is in it, so no two hunts are the same.
    Time,
}

impl Goal {
    fn of(self, found: &Found) -> f64 {
        match self {
            Self::Steps => found.steps,
            Self::Time => found.nanoseconds,
        }
    }
}

/// The best texts of a way so far, by each goal.
#[derive(Default)]
struct Best {
    by_steps: Vec<Found>,
    by_time: Vec<Found>,
}

/// Takes a text in, if it is one of the best; true when it is the best.
fn take(best: &mut Vec<Found>, goal: Goal, found: &Found) -> bool {
    let at = best.partition_point(|other| goal.of(other) >= goal.of(found));
    if at >= BEST || best.iter().any(|other| other.genome == found.genome) {
        return false;
    }
    best.insert(at, found.clone());
    best.truncate(BEST);
    at == 0
}

struct Hunt {
    ways: Vec<Way>,
    best: Vec<Best>,
    random: Random,
    goals: &'static [Goal],
}

impl Hunt {
    fn new(ways: Vec<Way>, seed: u64, goals: &'static [Goal]) -> Self {
        let best = ways.iter().map(|_| Best::default()).collect();
        Self { ways, best, random: Random::new(seed), goals }
    }

    fn some(&mut self, way: usize) -> Option<Genome> {
        let of = if self.random.one_in(4) { self.random.below(self.ways.len()) } else { way };
        let best = match self.goals[self.random.below(self.goals.len())] {
            Goal::Steps => &self.best[of].by_steps,
            Goal::Time => &self.best[of].by_time,
        };
        let at = self.random.below(best.len());
        best.get(at).map(|found| found.genome.clone())
    }

    /// Tries one text in one way, and gives it when it is the best there.
    fn step(&mut self) -> Option<(usize, Found)> {
        let at = self.random.below(self.ways.len());
        let genome = match (self.random.one_in(8), self.some(at), self.some(at)) {
            (false, Some(parent), Some(other)) => parent.changed(&other, &mut self.random),
            _ => Genome::random(&mut self.random),
        };
        let way = &self.ways[at];
        let (steps, nanoseconds) = measure(way, &genome, LENGTH);
        let mut found = Found { genome, steps, nanoseconds };
        let Best { by_steps, by_time } = &mut self.best[at];
        let mut is_best = take(by_steps, Goal::Steps, &found);
        if self.goals.contains(&Goal::Time) {
            let worst = by_time.get(BEST - 1).map_or(0.0, |worst| worst.nanoseconds);
            if nanoseconds > worst {
                found.nanoseconds = nanoseconds.min(fastest(way, &found.genome, LENGTH));
            }
            is_best |= take(by_time, Goal::Time, &found);
        }
        is_best.then_some((at, found))
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The ways that were asked for.
fn wanted() -> Vec<Way> {
    let words = std::env::var("URIGREP_HUNT_WAYS").unwrap_or_default();
    let mut ways = ways::ways();
    #[cfg(feature = "serde")]
    ways.extend(searches::searches());
    ways.retain(|way| words.split(',').any(|word| way.name.contains(word)));
    ways
}

/// Steps and time for a text that somebody looks into: `URIGREP_HUNT_TEXT=file`, which holds what a
/// genome writes, `0x1e` between its four parts; or nothing but a unit.
#[test]
#[ignore = "for a text that somebody looks into"]
fn one_text() {
    let file = std::env::var_os("URIGREP_HUNT_TEXT").expect("URIGREP_HUNT_TEXT");
    let file = std::fs::read(file).expect("a readable file");
    let mut parts: Vec<&[u8]> = file.split(|&byte| byte == 0x1e).collect();
    if parts.len() == 1 {
        parts = vec![b"", parts[0]];
    }
    parts.resize(4, b"");
    for way in wanted() {
        let rates = LENGTHS.map(|length| {
            let (steps, nanoseconds) = measure_text(&way, &genome::text(&parts, length));
            format!("{steps:7.1} steps {nanoseconds:6.0} ns")
        });
        eprintln!("{:30} {}", way.name, rates.join(" "));
    }
}

#[test]
fn no_text_is_slow() {
    let seconds = number("URIGREP_HUNT_SECONDS").map(Duration::from_secs);
    let texts = number("URIGREP_HUNT_TEXTS").unwrap_or(2000);
    let (goals, most_nanoseconds): (&[Goal], _) = match seconds {
        Some(_) => {
            let most = number("URIGREP_HUNT_NANOSECONDS").unwrap_or(MAX_NANOSECONDS);
            (&[Goal::Steps, Goal::Time], Some(most as f64))
        }
        None => (&[Goal::Steps], None),
    };
    let mut hunt = Hunt::new(wanted(), number("URIGREP_HUNT_SEED").unwrap_or(3986), goals);
    let start = Instant::now();
    let mut wrong = Vec::new();
    let mut reported = vec![0.0_f64; hunt.ways.len()];
    let mut count = 0;
    while seconds.map_or(count < texts, |seconds| start.elapsed() < seconds) {
        count += 1;
        let Some((way, found)) = hunt.step() else { continue };
        let by_time = most_nanoseconds.map_or(0.0, |most| found.nanoseconds / most);
        let limits = if hunt.ways[way].wider.is_some() { ways::WIDER as f64 } else { 1.0 };
        let badness =
            (found.steps * limits / MAX_STEPS).max(by_time) / f64::from(hunt.ways[way].looks);
        if badness > 0.4 && badness > reported[way] * 1.3 {
            reported[way] = badness;
            if let Some(fault) = fault(&hunt.ways[way], &found.genome, most_nanoseconds) {
                let at = start.elapsed().as_secs();
                let line = format!("{}: {fault}: {}", hunt.ways[way].name, found.genome.shown());
                eprintln!("{at} s, {count}: {line}");
                wrong.push(line);
            }
        }
    }
    for (way, best) in hunt.ways.iter().zip(&hunt.best) {
        // the children of what was looked into are a little worse each
        let last = best.by_time.first().into_iter().chain(best.by_steps.first());
        for found in last.filter(|_| seconds.is_some()) {
            if let Some(fault) = fault(way, &found.genome, most_nanoseconds) {
                wrong.push(format!("{}: {fault}: {}", way.name, found.genome.shown()));
            }
        }
        for (goal, best) in [("steps", &best.by_steps), ("time", &best.by_time)] {
            if seconds.is_some()
                && let Some(Found { genome, steps, nanoseconds }) = best.first()
            {
                let shown = genome.shown();
                eprintln!(
                    "{goal:5} {:32} {steps:6.1} steps {nanoseconds:6.0} ns  {shown}",
                    way.name
                );
            }
        }
    }
    eprintln!("{count} texts");
    assert!(wrong.is_empty(), "too slow:\n{}", wrong.join("\n"));
}
