//! Scanning trees of Markdown and HTML as plain text, against the links of their parsers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use urigrep::{Finder, Finding, Rejected};

use crate::disagree::cause;
use crate::peers::{self, Peer};
use crate::score::Score;
use crate::show::{context, line_of, visible};
use crate::truth::{self, Link, Truth};

/// Disagreements of one cause.
#[derive(Default)]
struct Group {
    count: usize,
    /// What was wanted and what was found, each once.
    distinct: BTreeSet<(String, String)>,
    samples: Vec<String>,
}

/// What was seen.
#[derive(Default)]
struct Sum {
    files: usize,
    links: BTreeMap<&'static str, usize>,
    /// Links that the source has in another form.
    encoded: usize,
    /// Those of them whose place has a match with the same ends.
    encoded_right: usize,
    paths: usize,
    lost: usize,
    not_utf8: usize,
    scores: Vec<Score>,
    groups: BTreeMap<String, Group>,
    /// The same for what the source has in another form.
    encoded_groups: BTreeMap<String, Group>,
}

/// Scores everything below `trees` and prints the disagreements.
pub fn run(trees: &[PathBuf], sample: usize) -> Result<(), String> {
    let peers = peers::all();
    let mut sum = Sum { scores: vec![Score::default(); peers.len()], ..Sum::default() };
    for tree in trees {
        let mut files = Vec::new();
        collect(tree, &mut files)?;
        files.sort();
        for path in files {
            file(&path, &peers, &mut sum, sample);
        }
    }
    print(&sum, &peers);
    Ok(())
}

/// The Markdown and HTML files below `path`; links are not followed.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let kind = fs::symlink_metadata(path).map_err(failed)?;
    if kind.is_dir() {
        for entry in fs::read_dir(path).map_err(failed)? {
            collect(&entry.map_err(failed)?.path(), files)?;
        }
    } else if kind.is_file() && (is_markdown(path) || is_html(path)) {
        files.push(path.to_owned());
    }
    Ok(())
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|e| extensions.iter().any(|other| e.eq_ignore_ascii_case(other)))
}

fn is_markdown(path: &Path) -> bool {
    has_extension(path, &["md", "markdown", "mkd"])
}

fn is_html(path: &Path) -> bool {
    has_extension(path, &["html", "htm", "xhtml"])
}

/// The spans that overlap `span`; `spans` are in order and apart.
fn overlapping<'s>(spans: &'s [Range<usize>], span: &Range<usize>) -> &'s [Range<usize>] {
    let first = spans.partition_point(|other| other.end <= span.start);
    let last = spans.partition_point(|other| other.start < span.end);
    spans.get(first..last).unwrap_or_default()
}

fn file(path: &Path, peers: &[Peer], sum: &mut Sum, sample: usize) {
    let Ok(bytes) = fs::read(path) else {
        return;
    };
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        sum.not_utf8 += 1;
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    });
    sum.files += 1;
    let truth = if is_html(path) { truth::html(&text) } else { truth::markdown(&text) };
    let Truth { links, paths, lost } = truth;
    sum.paths += paths;
    sum.lost += lost;
    let is_verbatim = |link: &Link| link.is_verbatim(&text);
    let (links, encoded): (Vec<Link>, Vec<Link>) = links.into_iter().partition(is_verbatim);
    if links.is_empty() && encoded.is_empty() {
        return;
    }
    for (column, peer) in peers.iter().enumerate() {
        let found = peer.find(&text, "");
        sum.scores[column] += score(&links, &encoded, &found);
        if column == 0 {
            sum.encoded += encoded.len();
            sum.encoded_right += encoded.iter().filter(|link| found.contains(&link.span)).count();
            let groups = &mut sum.groups;
            disagreements(path, &text, &links, &found, groups, sample);
            let groups = &mut sum.encoded_groups;
            disagreements(path, &text, &encoded, &found, groups, sample);
        }
    }
    for link in &links {
        *sum.links.entry(link.kind).or_default() += 1;
    }
}

/// Recall over the links, precision over the matches that overlap one.
fn score(links: &[Link], encoded: &[Link], found: &[Range<usize>]) -> Score {
    let mut score = Score { labelled: links.len(), ..Score::default() };
    let mut counted = BTreeSet::new();
    for link in links {
        let near = overlapping(found, &link.span);
        score.right += usize::from(near.contains(&link.span));
        for span in near {
            let also = encoded.iter().any(|other| other.span == *span);
            if !also && counted.insert(span.start) {
                score.found += 1;
            }
        }
    }
    score
}

fn disagreements(
    path: &Path,
    text: &str,
    links: &[Link],
    found: &[Range<usize>],
    groups: &mut BTreeMap<String, Group>,
    sample: usize,
) {
    let wrong: Vec<_> = links
        .iter()
        .map(|link| (link, overlapping(found, &link.span)))
        .filter(|(link, near)| !near.contains(&link.span))
        .collect();
    if wrong.is_empty() {
        return;
    }
    let rejected: Vec<Rejected<'_>> = Finder::new()
        .findings(text.as_bytes())
        .filter_map(|finding| match finding {
            Finding::Rejected(rejected) => Some(rejected),
            Finding::Match(_) | Finding::Relative(_) => None,
        })
        .collect();
    for (link, near) in wrong {
        let rejected: Vec<_> = rejected
            .iter()
            .filter(|r| r.start() < link.span.end && link.span.start < r.end())
            .cloned()
            .collect();
        let group = groups.entry(cause(text, link, near, &rejected)).or_default();
        group.count += 1;
        let show = |span: &Range<usize>| visible(text.get(span.clone()).unwrap_or_default());
        let ours = near.iter().map(show).collect::<Vec<_>>().join("  +  ");
        let new = group.distinct.insert((link.destination.clone(), ours.clone()));
        if new && group.samples.len() < sample {
            let (path, line) = (path.display(), line_of(text, link.span.start));
            group.samples.push(format!(
                "{path}:{line} ({})\n        in      {}\n        theirs  {}\n        ours    {}",
                link.kind,
                context(text, &link.span),
                visible(&link.destination),
                if ours.is_empty() { "-" } else { &ours }
            ));
        }
    }
}

fn print(sum: &Sum, peers: &[Peer]) {
    let count: usize = sum.links.values().sum();
    println!("{count} links in {} files: {:?}", sum.files, sum.links);
    println!(
        "besides: {} that the source writes in another form (escapes, references; {} of them \
         found with both ends right), {} Rust paths, {} not located; {} files were not UTF-8",
        sum.encoded, sum.encoded_right, sum.paths, sum.lost, sum.not_utf8
    );
    println!("\n{:<16}{:>10}{:>10}{:>10}{:>11}", "", "right", "found", "recall", "precision");
    for (peer, score) in peers.iter().zip(&sum.scores) {
        println!(
            "{:<16}{:>10}{:>10}{:>10.5}{:>11.5}",
            peer.name,
            score.right,
            score.found,
            score.recall(),
            score.precision()
        );
    }
    print_groups("disagreements of urigrep", &sum.groups);
    print_groups("differences where the source has another form", &sum.encoded_groups);
}

fn print_groups(title: &str, groups: &BTreeMap<String, Group>) {
    let mut groups: Vec<_> = groups.iter().collect();
    groups.sort_by_key(|(cause, group)| (std::cmp::Reverse(group.count), *cause));
    let total: usize = groups.iter().map(|(_, group)| group.count).sum();
    println!("\n{total} {title}, in {} groups", groups.len());
    for (cause, group) in groups {
        println!("\n{} ({} distinct): {cause}", group.count, group.distinct.len());
        for sample in &group.samples {
            println!("    {sample}");
        }
    }
}
