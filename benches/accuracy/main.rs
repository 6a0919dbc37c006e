//! How often the right span is found: urigrep and its peers on labelled documents, and on
//! the links that parsers derive from real Markdown and HTML.
//!
//! ```text
//! cargo bench --bench accuracy                        # the labelled documents
//! cargo bench --bench accuracy -- --list urigrep      # and every wrong span of one tool
//! cargo bench --bench accuracy -- [--sample N] TREE…  # trees of Markdown and HTML
//! cargo bench --bench accuracy -- --labels FILE       # labelled excerpts of real text (`excerpts.rs`)
//! cargo bench --bench accuracy -- --places FOLDER     # labelled places of packages (`places.rs`)
//! cargo bench --bench accuracy -- --suites FOLDER     # tests of peers (`suites/mod.rs`), or --suite NAME=CHECKOUT
//! ```
//!
//! # The labelled documents
//!
//! `corpus/documents/` and `benches/accuracy/documents/`: texts of this project's own in the
//! manner of real ones, a table of the URIs next to each, made by reading, not by running a
//! tool. A span counts as right when both ends are exact. What careful readers would
//! dispute stands in `NAME.disputed.tsv`; whatever a tool reports there counts for nobody.
//!
//! # Bias
//!
//! The labels ask for what a reader calls a URI, and that is what urigrep sets out to find.
//! Its peers do not all claim as much: linkify and the regular expressions look for
//! `scheme://` (linkify also for `mailto:`) and know no `urn:`, `doi:` or `tel:`; none of
//! them joins a URI that a wrapper breaks over two lines. The first table charges them
//! for all of that. The second one is restricted to what everyone claims: labels with
//! `scheme://` in one line, and of the matches those with `scheme://`. The documents in
//! `corpus/documents/` have been used to test urigrep; those in
//! `benches/accuracy/documents/` had not been when their first scores were taken, and are
//! summed up on a line of their own. Both were written by people who knew urigrep's rules.

mod checksum;
mod disagree;
mod documents;
mod excerpts;
mod labels;
mod peers;
mod places;
mod readings;
mod score;
mod show;
mod suites;
mod trees;
mod truth;

use std::path::PathBuf;
use std::process::ExitCode;

use suites::Checkouts;

const USAGE: &str = "usage: cargo bench --bench accuracy -- [--list PEER] [--labels FILE | --places FOLDER | --suites FOLDER | \
     --suite NAME=CHECKOUT... | [--sample N] TREE...]";

/// What the command line asks for.
struct Arguments {
    list: Option<String>,
    sample: usize,
    labels: Option<PathBuf>,
    places: Option<PathBuf>,
    checkouts: Checkouts,
    trees: Vec<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        list: None,
        sample: 5,
        labels: None,
        places: None,
        checkouts: Checkouts::default(),
        trees: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            // what cargo passes
            "--bench" => {}
            "--list" => arguments.list = Some(value()?),
            "--labels" => arguments.labels = Some(value()?.into()),
            "--places" => arguments.places = Some(value()?.into()),
            "--suites" => arguments.checkouts.folder = Some(value()?.into()),
            "--suite" => {
                let value = value()?;
                let (name, path) = value.split_once('=').ok_or("--suite: not NAME=CHECKOUT")?;
                arguments.checkouts.single.push((name.to_owned(), path.into()));
            }
            "--sample" => {
                let value = value()?;
                let number = value.parse();
                arguments.sample =
                    number.map_err(|_| format!("--sample: not a number: {value}"))?;
            }
            _ if word.starts_with('-') => return Err(format!("unknown option {word}\n{USAGE}")),
            _ => arguments.trees.push(PathBuf::from(word)),
        }
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    let done = arguments().and_then(|arguments| {
        let list = arguments.list.as_deref();
        if let Some(file) = &arguments.labels {
            excerpts::run(file, list)
        } else if let Some(folder) = &arguments.places {
            places::run(folder, list)
        } else if !arguments.checkouts.is_empty() {
            suites::run(&arguments.checkouts, list)
        } else if arguments.trees.is_empty() {
            documents::run(list)
        } else {
            trees::run(&arguments.trees, arguments.sample)
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("accuracy: {why}");
            ExitCode::FAILURE
        }
    }
}
