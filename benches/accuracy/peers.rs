//! The tools, each with its best settings.

use std::ops::Range;

use linkify::{LinkFinder, LinkKind};
use regex::Regex;
use squeeze::scanner::Scanner;
use squeeze::uri::URI;
use urigrep::UriRef;
use urigrep::search::Search;

use crate::readings;

/// The text, and the name of its file.
type Find = dyn Fn(&str, &str) -> Vec<Range<usize>>;

/// A tool that finds URIs in a text.
pub struct Peer {
    pub name: &'static str,
    /// The settings, for the legend.
    pub settings: &'static str,
    find: Box<Find>,
}

impl Peer {
    /// The spans it reports, in order.
    pub fn find(&self, text: &str, name: &str) -> Vec<Range<usize>> {
        let mut found = (self.find)(text, name);
        found.sort_by_key(|span| (span.start, span.end));
        found.dedup();
        found
    }
}

/// John Gruber's pattern of 2010 for web URLs, without its part for names without a scheme;
/// the most copied of those that pair brackets and drop punctuation.
const GRUBER: &str = r#"(?xi) \b (?:https?|ftp|wss?)://
(?: [^\s()<>]+ | \( (?: [^\s()<>]+ | \( [^\s()<>]+ \) )* \) )+
(?: \( (?: [^\s()<>]+ | \( [^\s()<>]+ \) )* \) | [^\s`!()\[\]{};:'".,<>?«»“”‘’] )"#;

/// Any scheme, up to what stands around URIs.
const SIMPLE: &str = r#"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s<>"'`()\[\]{}]+[^\s<>"'`()\[\]{}.,;:!?]"#;

fn squeeze(name: &'static str, settings: &'static str, strict: bool) -> Peer {
    let mut finder = URI::default();
    finder.strict = strict;
    let scanner = Scanner::new(vec![Box::new(finder)]);
    let find = move |text: &str, _: &str| {
        let mut found = Vec::new();
        scanner.scan_buffer_matches(text, |_, span| {
            found.push(span);
            false
        });
        found
    };
    Peer { name, settings, find: Box::new(find) }
}

fn regex(name: &'static str, settings: &'static str, regex: Regex) -> Peer {
    let find =
        move |text: &str, _: &str| regex.find_iter(text).map(|found| found.range()).collect();
    Peer { name, settings, find: Box::new(find) }
}

/// urigrep as the command reads files with its default options: by their names in their formats.
pub fn as_files() -> Peer {
    let search = Search::builder().finder(readings::finder()).threads(1).build();
    let search = search.unwrap_or_default();
    let find = move |text: &str, name: &str| {
        let found = readings::as_file(&search, name, text).into_iter();
        // relative references are no URIs
        let absolute =
            found.filter(|found| UriRef::parse(&found.uri).is_ok_and(|uri| uri.scheme().is_some()));
        absolute.filter_map(|found| found.span).collect()
    };
    let settings = "the default options of the command, which reads formats by the names of files";
    Peer { name: "as-files", settings, find: Box::new(find) }
}

/// All tools that read plain text; urigrep is the first.
pub fn all() -> Vec<Peer> {
    let finder = readings::finder();
    let ours = move |text: &str, _: &str| {
        let matches = finder.find_iter(text.as_bytes());
        matches.map(|found| found.range()).collect()
    };
    let mut links = LinkFinder::new();
    links.kinds(&[LinkKind::Url]);
    links.url_must_have_scheme(true);
    let linkify = move |text: &str, _: &str| {
        let spans = links.links(text).map(|link| link.start()..link.end());
        spans.collect()
    };
    vec![
        Peer { name: "urigrep", settings: "the default options", find: Box::new(ours) },
        squeeze("squeeze", "squeeze-lib 1, its URI finder, any scheme, lax (its default)", false),
        squeeze("squeeze-strict", "the same, strict", true),
        Peer {
            name: "linkify",
            settings: "linkify 0.11, kind Url, with a scheme, IRIs (its default)",
            find: Box::new(linkify),
        },
        regex(
            "regex",
            "John Gruber's pattern for http, https, ftp, ws, wss",
            Regex::new(GRUBER).expect("a valid pattern"),
        ),
        regex(
            "regex-any",
            "any scheme://, up to white space, brackets and quotes, no punctuation last",
            Regex::new(SIMPLE).expect("a valid pattern"),
        ),
    ]
}
