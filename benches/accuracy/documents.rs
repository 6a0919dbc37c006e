//! The labelled documents: tables and lists.

use std::collections::BTreeMap;

use urigrep::Finder;

use crate::checksum::checksum;
use crate::labels::{self, Document, Label, Origin};
use crate::peers::{self, Peer};
use crate::score::{Scope, Score, Wrong, score};
use crate::show::{context, line_of, visible};

/// Prints both tables of the documents of this project, and what is wrong with the spans of `list`.
pub fn run(list: Option<&str>) -> Result<(), String> {
    print(&labels::load()?, &peers::all(), list)
}

/// Prints both tables, and what is wrong with the spans of `list`.
pub fn print(documents: &[Document], peers: &[Peer], list: Option<&str>) -> Result<(), String> {
    if let Some(name) = list {
        let names: Vec<_> = peers.iter().map(|peer| peer.name).collect();
        let peer = peers.iter().find(|peer| peer.name == name);
        let peer = peer.ok_or_else(|| format!("no tool {name}; there are {}", names.join(", ")))?;
        print_wrong(documents, peer);
    }
    let count: usize = documents.iter().map(|document| document.labels.len()).sum();
    println!("{count} labels in {} documents", documents.len());
    for peer in peers {
        println!("  {:<15} {}", peer.name, peer.settings);
    }
    print_table("All labels", documents, peers, Scope::All);
    print_table("Labels with scheme://, in one line", documents, peers, Scope::Plain);
    Ok(())
}

/// Precision, recall and F1 in per cent, a row for each kind and a group of columns for each tool.
fn print_table(title: &str, documents: &[Document], peers: &[Peer], scope: Scope) {
    let mut rows: BTreeMap<(usize, &str), Vec<Score>> = BTreeMap::new();
    for document in documents {
        let origin = match document.origin {
            Origin::Corpus => (1, "= corpus"),
            Origin::Apart => (1, "= benches/accuracy"),
            Origin::Package => (1, "= packages"),
        };
        for (column, peer) in peers.iter().enumerate() {
            let (score, _) = score(document, &peer.find(&document.text, &document.name()), scope);
            for key in [(0, document.kind.as_str()), origin, (2, "= all")] {
                rows.entry(key).or_insert_with(|| vec![Score::default(); peers.len()])[column] +=
                    score;
            }
        }
    }
    print!("\n{title}\n{:<20}{:>6}", "kind", "labels");
    for peer in peers {
        print!("{:>21}", peer.name);
    }
    print!("\n{:<26}", "");
    for _ in peers {
        print!("{:>9}{:>6}{:>6}", "P", "R", "F1");
    }
    println!();
    for ((_, name), scores) in rows {
        print!("{name:<20}{:>6}", scores[0].labelled);
        for score in scores {
            let [p, r, f1] = [score.precision(), score.recall(), score.f1()].map(|x| x * 100.0);
            print!("{p:>9.1}{r:>6.1}{f1:>6.1}");
        }
        println!();
    }
}

fn print_wrong(documents: &[Document], peer: &Peer) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for document in documents {
        let (_, wrong) = score(document, &peer.find(&document.text, &document.name()), Scope::All);
        for wrong in &wrong {
            *counts.entry(wrong.name()).or_default() += 1;
            print_one(document, wrong);
        }
        if peer.name == "urigrep" {
            print_values(document, &mut counts);
        }
    }
    println!("wrong spans of {}: {counts:?}\n", peer.name);
}

fn print_one(document: &Document, wrong: &Wrong) {
    let (Wrong::Missed(span) | Wrong::Extra(span) | Wrong::Differs(span, _)) = wrong;
    let (path, line) = (document.path.display(), line_of(&document.text, span.start));
    println!("{path}:{line}: {}", wrong.name());
    println!("    in     {}", context(&document.text, span));
    if let Wrong::Differs(label, found) = wrong {
        println!("    label  {}", visible(document.slice(label)));
        for span in found {
            println!("    found  {}", visible(document.slice(span)));
        }
    }
}

/// Where the span is right, but not the URI made of it.
fn print_values(document: &Document, counts: &mut BTreeMap<&str, usize>) {
    let hosts = urigrep::options::HostMapping::idna().unwrap_or_default();
    let finder = Finder::builder().host_mapping(hosts).build();
    for found in finder.find_iter(document.text.as_bytes()) {
        let label = document.labels.iter().find(|label| label.span == found.range());
        let is_same = |label: &Label| match document.origin {
            // of a URI that is not written in one piece a package has the checksum
            Origin::Package => {
                let forms = std::iter::once(found.uri()).chain(found.iri().map(Into::into));
                let mut sums = forms.map(|form| checksum(form.as_bytes()));
                label.uri == document.slice(&label.span) || sums.any(|sum| sum == label.uri)
            }
            Origin::Corpus | Origin::Apart => label.uri == found.uri(),
        };
        if let Some(label) = label.filter(|label| !is_same(label)) {
            *counts.entry("(another URI of the right span)").or_default() += 1;
            let line = line_of(&document.text, found.start());
            println!("{}:{line}: another URI", document.path.display());
            println!("    label  {}\n    found  {}", label.uri, found.uri());
        }
    }
}
