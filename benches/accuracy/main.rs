//! How often the right span is found: urigrep and its peers on labelled documents, and on
//! the links that parsers derive from real Markdown and HTML.
//!
//! ```text
//! cargo bench --bench accuracy                        # the labelled documents
//! cargo bench --bench accuracy -- --list urigrep      # and every wrong span of one tool
//! cargo bench --bench accuracy -- [--sample N] TREE…  # trees of Markdown and HTML
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

mod disagree;
mod documents;
mod labels;
mod peers;
mod places;
mod score;
mod trees;
mod truth;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo bench --bench accuracy -- [--list PEER] [--sample N] [TREE]...";

/// What the command line asks for.
struct Arguments {
    list: Option<String>,
    sample: usize,
    trees: Vec<PathBuf>,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments { list: None, sample: 5, trees: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            // what cargo passes
            "--bench" => {}
            "--list" => arguments.list = Some(value()?),
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
        if arguments.trees.is_empty() {
            documents::run(arguments.list.as_deref())
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
