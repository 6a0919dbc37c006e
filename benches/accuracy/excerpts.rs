//! Labelled excerpts of real text (JSON Lines), which stay outside of the repository: a table by
//! genre.
//!
//! A row has the `text`, the URIs that are `want`ed at one place of it, its `genre` and its
//! `weight`. Other URIs of the text are not labelled: what is found counts where it overlaps the
//! place, and nowhere else. Where nothing is wanted, the whole text is the place, except for what
//! `unlabelled.tsv` leaves out.

use std::collections::BTreeMap;
use std::fs;
use std::ops::{AddAssign, Range};
use std::path::Path;

use serde::Deserialize;

use crate::checksum::checksum;
use crate::labels::overlap;
use crate::peers;
use crate::readings::{Found, Reading};
use crate::show::visible;

/// One labelled place.
#[derive(Debug, Deserialize)]
struct Excerpt {
    genre: String,
    from: String,
    text: String,
    want: Vec<String>,
    weight: f64,
    #[serde(default)]
    note: String,
}

impl Excerpt {
    /// True where careful readers disagree, so that either answer will do.
    fn is_arguable(&self) -> bool {
        self.note.contains("arguable") || self.note.contains("debatable")
    }

    /// Where `want` is in the text. An excerpt has its place near the middle, so of several
    /// occurrences that one is meant. A URI that is broken or escaped in the text is found by its
    /// longest beginning.
    fn place(&self, want: &str) -> Range<usize> {
        let middle = self.text.len() / 2;
        let after_scheme = want.find(':').map_or(want.len(), |colon| colon + 1);
        let mut lengths = want.char_indices().map(|(at, _)| at).rev().chain([after_scheme]);
        let beginnings = std::iter::once(want.len()).chain(lengths.by_ref());
        for length in beginnings.take_while(|&length| length >= after_scheme.min(want.len())) {
            let Some(beginning) = want.get(..length).filter(|part| !part.is_empty()) else { break };
            let nearest = self
                .text
                .match_indices(beginning)
                .map(|(start, _)| start..start + length)
                .min_by_key(|place| (place.start + length / 2).abs_diff(middle));
            if let Some(place) = nearest {
                return place;
            }
        }
        middle..middle
    }

    /// True when `found` answers what is wanted at `place`. Joining a bare URI over a break is
    /// welcome; a flag is enough.
    fn is_answered_by(&self, found: &Found, want: &str, place: &Range<usize>) -> bool {
        let flagged = self.note == "bare-break"
            && found.maybe_wrapped
            && found.span.as_ref().is_some_and(|span| span.start == place.start);
        found.is(want) || flagged
    }
}

/// Sums of weights.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    places: usize,
    right: f64,
    found: f64,
    wanted: f64,
}

impl Sum {
    fn precision(self) -> f64 {
        share(self.right, self.found)
    }

    fn recall(self) -> f64 {
        share(self.right, self.wanted)
    }

    fn f1(self) -> f64 {
        share(2.0 * self.right, self.found + self.wanted)
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.places += other.places;
        self.right += other.right;
        self.found += other.found;
        self.wanted += other.wanted;
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 1.0 } else { part / whole }
}

/// Where the excerpts of one checksum hold URIs besides the place where nothing is wanted.
type Unlabelled = BTreeMap<String, Vec<Range<usize>>>;

/// Prints the table, and with `list` every wrong place of that tool.
pub fn run(file: &Path, list: Option<&str>) -> Result<(), String> {
    if !file.exists() {
        eprintln!("accuracy: SKIPPED, there are no labels: {} is absent", file.display());
        return Ok(());
    }
    let unlabelled = unlabelled()?;
    let excerpts = load(file)?;
    let readings = Reading::all(peers::all());
    let mut sums: BTreeMap<&str, Vec<Sum>> = BTreeMap::new();
    let (mut arguable, mut unreadable) = (0, 0);
    for excerpt in &excerpts {
        if excerpt.is_arguable() {
            arguable += 1;
            continue;
        }
        let other =
            unlabelled.get(&checksum(excerpt.text.as_bytes())).map_or(&[][..], |spans| spans);
        let row =
            sums.entry(&excerpt.genre).or_insert_with(|| vec![Sum::default(); readings.len()]);
        for (sum, reading) in row.iter_mut().zip(&readings) {
            let Some(found) = reading.find(&excerpt.genre, &excerpt.text) else {
                unreadable += 1;
                break;
            };
            let (one, wrong) = judge(excerpt, &found, other);
            *sum += one;
            if list == Some(reading.name) && !wrong.is_empty() {
                print_wrong(excerpt, &wrong);
            }
        }
    }
    print_table(&sums, &readings);
    println!(
        "\nleft out: {arguable} places where either answer will do, {unreadable} parts of messages whose encoding the \
         excerpt does not show"
    );
    Ok(())
}

fn load(file: &Path) -> Result<Vec<Excerpt>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let wrong = |line: usize, error| format!("{}:{}: {error}", file.display(), line + 1);
    let rows = text.lines().enumerate();
    rows.map(|(line, row)| serde_json::from_str(row).map_err(|error| wrong(line, error))).collect()
}

fn unlabelled() -> Result<Unlabelled, String> {
    let mut spans = Unlabelled::new();
    for row in include_str!("unlabelled.tsv").lines().filter(|row| !row.starts_with('#')) {
        let parsed = (|| {
            let mut columns = row.split('\t');
            let sum = columns.next()?.to_owned();
            Some((sum, columns.next()?.parse().ok()?..columns.next()?.parse().ok()?))
        })();
        let (sum, span) = parsed.ok_or_else(|| format!("unlabelled.tsv: a wrong row: {row}"))?;
        spans.entry(sum).or_default().push(span);
    }
    Ok(spans)
}

/// What was wanted, and what was found in its place.
struct Wrong<'e> {
    want: Option<&'e str>,
    place: Range<usize>,
    got: Vec<String>,
}

fn judge<'e>(
    excerpt: &'e Excerpt,
    found: &[Found],
    other: &[Range<usize>],
) -> (Sum, Vec<Wrong<'e>>) {
    let mut sum = Sum { places: 1, ..Sum::default() };
    let mut wrong = Vec::new();
    if excerpt.want.is_empty() {
        let is_other = |span: &Range<usize>| other.iter().any(|other| overlap(other, span));
        let extra = found.iter().filter(|one| !one.span.as_ref().is_some_and(is_other));
        for one in extra {
            sum.found += excerpt.weight;
            let place = one.span.clone().unwrap_or_default();
            wrong.push(Wrong { want: None, place, got: vec![one.uri.clone()] });
        }
    }
    for want in &excerpt.want {
        let place = excerpt.place(want);
        sum.wanted += excerpt.weight;
        if found.iter().any(|one| excerpt.is_answered_by(one, want, &place)) {
            sum.found += excerpt.weight;
            sum.right += excerpt.weight;
            continue;
        }
        let is_near = |one: &&Found| one.span.as_ref().is_some_and(|span| overlap(span, &place));
        let got: Vec<_> = found.iter().filter(is_near).map(|one| one.uri.clone()).collect();
        sum.found += excerpt.weight * got.len() as f64;
        wrong.push(Wrong { want: Some(want), place, got });
    }
    (sum, wrong)
}

fn print_wrong(excerpt: &Excerpt, wrong: &[Wrong<'_>]) {
    for Wrong { want, place, got } in wrong {
        let part = |range: Range<usize>| excerpt.text.get(range).unwrap_or_default();
        let (before, after) = (part(0..place.start), part(place.end..excerpt.text.len()));
        let note =
            if excerpt.note.is_empty() { String::new() } else { format!(" ({})", excerpt.note) };
        println!("{} {}{note}, weight {}", excerpt.genre, excerpt.from, excerpt.weight);
        println!("    in    {}", visible(&format!("{before}⟦{}⟧{after}", part(place.clone()))));
        println!("    want  {}", want.map_or("-".to_owned(), visible));
        println!(
            "    got   {}",
            if got.is_empty() { "-".to_owned() } else { visible(&got.join("  +  ")) }
        );
    }
}

/// Genres of one sort, which have a mean of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Real,
    Default,
    Probe,
}

impl Sort {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Real, "real text, read as text"),
        (Self::Default, "real text, read in its format"),
        (Self::Probe, "probes"),
    ];

    fn of(genre: &str) -> Self {
        if genre.starts_with("probe:") {
            Self::Probe
        } else if genre.ends_with("-default") {
            Self::Default
        } else {
            Self::Real
        }
    }
}

/// Precision, recall and F1 of urigrep and F1 of its peers in per cent; weighted.
fn print_table(sums: &BTreeMap<&str, Vec<Sum>>, readings: &[Reading]) {
    for (sort, title) in Sort::ALL {
        let rows: Vec<_> = sums.iter().filter(|(genre, _)| Sort::of(genre) == sort).collect();
        if rows.is_empty() {
            continue;
        }
        print!("\n{title:<32}{:>8}{:>7}{:>7}", "places", "P", "R");
        for reading in readings {
            print!("{:>9}", reading.name);
        }
        println!();
        let mut means = vec![0.0; readings.len()];
        let mut places = 0;
        for (genre, row) in &rows {
            let f1: Vec<_> = row.iter().map(|sum| sum.f1()).collect();
            for (mean, f1) in means.iter_mut().zip(&f1) {
                *mean += f1 / rows.len() as f64;
            }
            places += row[0].places;
            let [precision, recall] = [row[0].precision(), row[0].recall()].map(|x| x * 100.0);
            print!("{genre:<32}{:>8}{precision:>7.1}{recall:>7.1}", row[0].places);
            print_f1(&f1);
        }
        print!("{:<32}{places:>8}{:>14}", "= macro mean", "");
        print_f1(&means);
    }
}

fn print_f1(f1: &[f64]) {
    for f1 in f1 {
        print!("{:>9.1}", f1 * 100.0);
    }
    println!();
}
