//! The scoreboard of peers' suites: what their own tests ask for, and what urigrep says.
//!
//! Nothing of a suite is in this repository. A checkout is read where it is given, its test tables
//! are taken apart by a small reader each, and what deviates must be waived, with rule and reason,
//! in `waivers.toml`.

mod c_like;
mod case;
mod json;
mod lines;
mod ruby;
mod tokens;
mod waivers;
mod yaml;

use std::fs;
use std::path::{Path, PathBuf};

use case::{Case, compare};
use waivers::Waivers;

use crate::show::visible;

/// The tests of a peer.
trait Suite {
    /// The cases of the checkout in `directory`.
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String>;
}

/// All suites, by name; a folder of checkouts has them under these.
fn all() -> Vec<(&'static str, Box<dyn Suite>)> {
    vec![
        ("linkify", Box::new(c_like::Linkify)),
        ("linkify-it", Box::new(lines::LinkifyIt)),
        ("xurls", Box::new(c_like::Xurls)),
        ("twitter-text", Box::new(yaml::TwitterText)),
        ("gnome-terminal", Box::new(c_like::GnomeTerminal)),
        ("vscode", Box::new(c_like::LinkComputer)),
        ("mozilla", Box::new(c_like::MozTxtToHtml)),
        ("ghostty", Box::new(c_like::Ghostty)),
        ("kitty", Box::new(c_like::Kitty)),
        ("cmark-gfm", Box::new(lines::CmarkGfm)),
        ("mastodon", Box::new(ruby::Mastodon)),
        ("purl-spec", Box::new(json::PurlSpec)),
        ("ada", Box::new(json::UrlTestData)),
        ("go-urn", Box::new(c_like::GoUrn)),
    ]
}

/// Where the checkouts are.
#[derive(Debug, Default)]
pub struct Checkouts {
    /// A folder that has them by the names of the suites.
    pub folder: Option<PathBuf>,
    /// Single ones, by the name of the suite.
    pub single: Vec<(String, PathBuf)>,
}

impl Checkouts {
    pub fn is_empty(&self) -> bool {
        self.folder.is_none() && self.single.is_empty()
    }

    fn of(&self, suite: &str) -> Option<PathBuf> {
        let single = self.single.iter().find(|(name, _)| name == suite);
        let in_folder = || self.folder.as_ref().map(|folder| folder.join(suite));
        single.map(|(_, path)| path.clone()).or_else(in_folder)
    }
}

/// Prints the scoreboard, and every deviation that nothing waives. With `list`, prints the waived
/// ones of that suite too.
pub fn run(checkouts: &Checkouts, list: Option<&str>) -> Result<(), String> {
    let suites = all();
    let unknown = |(name, _): &&(String, PathBuf)| !suites.iter().any(|(suite, _)| suite == name);
    if let Some((name, _)) = checkouts.single.iter().find(unknown) {
        return Err(format!("no suite {name}"));
    }
    let mut waivers = Waivers::load()?;
    let mut table = format!(
        "{:<16}{:>7}{:>8}{:>8}{:>11}{:>10}\n",
        "suite", "cases", "agree", "waived", "deviating", "agreement"
    );
    let mut deviating = 0;
    for (name, suite) in &suites {
        let Some(directory) = checkouts.of(name).filter(|directory| directory.is_dir()) else {
            eprintln!("accuracy: SKIPPED, the suite of {name} is absent");
            continue;
        };
        let cases = suite.cases(&directory)?;
        if cases.is_empty() {
            eprintln!("accuracy: SKIPPED, no cases of {name} in {}", directory.display());
            continue;
        }
        let tally = tally(name, &cases, &mut waivers, list == Some(name));
        deviating += tally.deviating;
        table += &format!(
            "{name:<16}{:>7}{:>8}{:>8}{:>11}{:>9.1}%\n",
            cases.len(),
            tally.agree,
            tally.waived,
            tally.deviating,
            100.0 * tally.agree as f64 / cases.len() as f64
        );
        for stale in waivers.stale(name) {
            eprintln!("accuracy: {name}: nothing deviates as the waiver of {stale} says");
        }
    }
    print!("{table}");
    if deviating > 0 {
        return Err(format!("{deviating} deviations that no waiver explains"));
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Tally {
    agree: usize,
    waived: usize,
    deviating: usize,
}

fn tally(suite: &str, cases: &[Case], waivers: &mut Waivers, list: bool) -> Tally {
    let mut tally = Tally::default();
    for case in cases {
        let Err(got) = compare(case) else {
            tally.agree += 1;
            continue;
        };
        let waived = waivers.of(suite, case);
        if waived.is_some() {
            tally.waived += 1
        } else {
            tally.deviating += 1
        }
        if list || waived.is_none() {
            println!("{suite} {}", case.id());
            println!("    text  {}", visible(&case.text));
            println!("    want  {}", visible(&case.expect.to_string()));
            println!("    got   {}", visible(&got));
            if let Some(why) = waived {
                println!("    waived, {why}");
            }
        }
    }
    tally
}

/// A file of a checkout; one that is absent has no cases.
fn read(directory: &Path, path: &str) -> String {
    fs::read_to_string(directory.join(path)).unwrap_or_default()
}
