//! Address patterns of redirects and generators: [`AddressPatterns`].

use regex::{Regex, RegexBuilder};

use super::key::key;
use super::redirects::SiteRedirect;
use super::{PageRedirect, SitePage};
use crate::audit::sites::NameRule;
use crate::audit::sites::address_bounds::{filled_in, is_bounded};
use crate::hash::HashMap;

/// Largest number of nodes that one lookup visits. If a node has both a literal and a parameter,
/// both must be tried, which is exponential in the worst case. Real patterns need a handful of
/// visits.
const MAX_VISITS: usize = 256;

/// A trie of patterns by segment: a lookup takes time in the length of the address, independent of
/// the number of patterns.
#[derive(Debug, Default)]
pub struct AddressPatterns {
    root: Node,
    len: usize,
}

#[derive(Debug, Default)]
struct Node {
    literal: HashMap<String, Node>,
    /// `:name(v[0-9.]+|next)`: one segment that a regular expression matches.
    matching: Vec<(Regex, Node)>,
    /// `:name`: exactly one segment.
    any: Option<Box<Node>>,
    /// `*`: any number of segments.
    rest: Option<Target>,
    end: Option<Target>,
}

#[derive(Clone, Debug)]
struct Target {
    /// Names of the parameters, in pattern order.
    names: Vec<String>,
    to: TargetPlace,
    is_permanent: bool,
    /// True for a pattern of files (`a.md`) instead of addresses.
    is_of_sources: bool,
}

#[derive(Clone, Debug)]
enum TargetPlace {
    Path(String),
    Unknown,
    /// Anything, which a generator may create.
    Generated,
    /// A page that a generator may create.
    GeneratedPage,
}

impl AddressPatterns {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds everything below a path, as pages that a generator creates.
    pub fn add_below(&mut self, path: &str) {
        self.add_all_below(path, TargetPlace::Generated, true);
    }

    /// Adds the addresses of pages below a path. Links to sources, pictures, and hosts without a
    /// scheme (`crbug.com`) are left out.
    pub fn add_pages_below(&mut self, path: &str) {
        self.add_all_below(path, TargetPlace::GeneratedPage, false);
    }

    fn add_all_below(&mut self, path: &str, to: TargetPlace, is_of_sources: bool) {
        // A level for each segment would take a deep stack to drop.
        if !is_bounded(path) {
            return;
        }
        let mut node = &mut self.root;
        for segment in path.split('/') {
            node = node.literal.entry(segment.to_owned()).or_default();
        }
        let target = Target { names: Vec::new(), to, is_permanent: true, is_of_sources };
        node.rest.get_or_insert(target);
        self.len += 1;
    }

    /// Adds the pages of a pattern, as pages that a generator creates.
    pub fn add_generated(&mut self, pattern: &str) {
        let redirect = SiteRedirect { from: pattern.to_owned(), to: None, is_permanent: true };
        self.add_to(&redirect, TargetPlace::Generated, NameRule::Exact);
    }

    /// Adds a redirect. The first of equal patterns wins.
    pub fn add(&mut self, redirect: &SiteRedirect, rule: NameRule) {
        let mut all = vec![redirect.clone()];
        // Each choice multiplies them. Of a pattern with too many, the last choices are any name.
        while let Some(choices) =
            all.iter().map(|it| Choice::first(&it.from)).collect::<Option<Vec<_>>>()
            && choices.iter().map(|choice| choice.names.len()).sum::<usize>() <= MAX_NAMES
        {
            all = choices.iter().zip(&all).flat_map(|(choice, it)| choice.redirects(it)).collect();
        }
        all.iter().for_each(|it| self.add_plain(it, rule));
    }

    fn add_plain(&mut self, redirect: &SiteRedirect, rule: NameRule) {
        let to = redirect.to.clone().map_or(TargetPlace::Unknown, TargetPlace::Path);
        self.add_to(redirect, to, rule);
    }

    fn add_to(&mut self, redirect: &SiteRedirect, to: TargetPlace, rule: NameRule) {
        let mut names = Vec::new();
        let mut node = &mut self.root;
        let (mut has_rest, mut depth) = (false, 0);
        // Links are matched by path only, so conditions on the query are ignored.
        let path = redirect.from.split(['?', '#']).next().unwrap_or_default();
        if !is_bounded(path) {
            return;
        }
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            depth += 1;
            match Segment::new(segment) {
                Segment::Literal(literal) => {
                    let literal = key(literal, rule);
                    // Keys do not include index names, so such a segment matches nothing more.
                    if !literal.is_empty() {
                        node = node.literal.entry(literal).or_default();
                    }
                }
                Segment::Matching(name, pattern) => {
                    names.push(name.to_owned());
                    node = node.matching(pattern);
                }
                Segment::Any(name) => {
                    names.push(name.to_owned());
                    node = node.any.get_or_insert_default();
                }
                Segment::Rest(name) => {
                    names.push(name.to_owned());
                    has_rest = true;
                    // Servers accept `*` only at the end; ignore anything after it.
                    break;
                }
            }
        }
        // `/*` redirects the whole site, so no link to it could be judged.
        if has_rest && depth == 1 {
            return;
        }
        let is_of_sources = is_source(path);
        let is_permanent = redirect.is_permanent;
        let target = Target { names, to, is_permanent, is_of_sources };
        let place = if has_rest { &mut node.rest } else { &mut node.end };
        if place.is_none() {
            *place = Some(target);
            self.len += 1;
        }
    }

    /// Returns the page at an address with this key. Links to sources (`a.md`) are not requests, so
    /// redirects of addresses do not apply to them.
    pub fn at(&self, key: &str, address: &str) -> Option<SitePage> {
        let segments: Vec<&str> = key.split('/').filter(|segment| !segment.is_empty()).collect();
        let mut walk = Walk {
            is_source: is_source(address),
            is_page: is_page(address),
            visits: 0,
            values: Vec::new(),
        };
        walk.find(&self.root, &segments)
    }
}

/// Most patterns that are tried for one segment, and the size of each. Others match any segment.
const MAX_PATTERNS: usize = 16;
const PATTERN_SIZE: usize = 64 << 10;

impl Node {
    /// Returns the node after a segment that matches a pattern.
    fn matching(&mut self, pattern: &str) -> &mut Self {
        // A string of JSON or JavaScript has two backslashes for one.
        let whole = format!("^(?:{})$", pattern.replace(r"\\", r"\"));
        let known = self.matching.iter().position(|(regex, _)| regex.as_str() == whole);
        let index = known.or_else(|| {
            let regex = RegexBuilder::new(&whole).size_limit(PATTERN_SIZE).build();
            let regex = regex.ok().filter(|_| self.matching.len() < MAX_PATTERNS)?;
            self.matching.push((regex, Self::default()));
            Some(self.matching.len() - 1)
        });
        match index.and_then(|index| self.matching.get_mut(index)) {
            Some((_, node)) => node,
            None => self.any.get_or_insert_default(),
        }
    }
}

/// True for the name of a source of pages.
fn is_source(path: &str) -> bool {
    [".md", ".mdx", ".markdown"].iter().any(|extension| path.ends_with(extension))
}

/// True for an address that a page may have: its name has no extension, or one that templates
/// write.
fn is_page(address: &str) -> bool {
    const EXTENSIONS: [&str; 9] = ["atom", "css", "htm", "html", "js", "json", "rss", "txt", "xml"];
    let name = address.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_none_or(|(_, extension)| {
        // A version, `v1.2`.
        extension.starts_with(|c: char| !c.is_ascii_alphabetic()) || EXTENSIONS.contains(&extension)
    })
}

/// A segment that is one of some names: `:version(v6|v7)`, or `(v5|next)?`, which may be absent.
struct Choice<'s> {
    before: &'s str,
    name: &'s str,
    names: Vec<&'s str>,
    after: &'s str,
}

/// Largest number of redirects that the choices of one make.
const MAX_NAMES: usize = 64;

impl<'s> Choice<'s> {
    fn first(from: &'s str) -> Option<Self> {
        let mut start = 0;
        from.split('/').find_map(|segment| {
            let before = from.get(..start)?;
            start += segment.len() + 1;
            let (name, rest) = segment.split_once('(')?;
            let (inside, mark) = rest.rsplit_once(')')?;
            let mut names: Vec<&str> = inside.split('|').collect();
            // The rest of a regular expression has other characters.
            let is_name = |it: &&str| {
                !it.is_empty()
                    && it.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            };
            let is_choice = names.iter().all(is_name) && names.len() <= MAX_NAMES;
            names.extend((mark == "?").then_some(""));
            let is_whole = matches!(mark, "" | "?") && (name.is_empty() || name.starts_with(':'));
            let after = from.get(start - 1..).unwrap_or_default();
            (is_choice && is_whole).then_some(Self { before, name, names, after })
        })
    }

    /// Returns a redirect for each name.
    fn redirects(&self, redirect: &SiteRedirect) -> Vec<SiteRedirect> {
        let with = |name: &str| {
            let from = format!("{}{name}{}", self.before, self.after);
            let to = redirect.to.as_ref().map(|to| match self.name {
                "" => to.clone(),
                parameter => to.replace(parameter, name),
            });
            SiteRedirect { from, to, is_permanent: redirect.is_permanent }
        };
        self.names.iter().map(|name| with(name)).collect()
    }
}

enum Segment<'s> {
    Literal(&'s str),
    /// A name, and a regular expression for the whole segment.
    Matching(&'s str, &'s str),
    Any(&'s str),
    Rest(&'s str),
}

impl<'s> Segment<'s> {
    /// Parses `a`, `:name`, `:name(\\d+)`, `(\\d+)`, `*`, `:name*`, `:name(.*)`, or `(.*)`.
    fn new(segment: &'s str) -> Self {
        if segment.starts_with(':') {
            let end = segment.find(['(', '*', '+', '?']).unwrap_or(segment.len());
            let (name, rest) = segment.split_at(end);
            let name = name.trim_start_matches(':');
            return match rest {
                "" | "?" => Self::Any(name),
                rest if rest.ends_with(['*', '+']) || rest.contains(".*") => Self::Rest(name),
                rest => match in_parentheses(rest) {
                    Some(pattern) => Self::Matching(name, pattern),
                    None => Self::Any(name),
                },
            };
        }
        let is_open = segment.contains(".*") || segment.contains(".+");
        if segment == "*" || segment.starts_with('(') && (is_open || segment.ends_with(['*', '+']))
        {
            return Self::Rest("splat");
        }
        if let Some(pattern) = in_parentheses(segment) {
            return Self::Matching("", pattern);
        }
        // `a-:name` and `a*` match some single segment.
        if segment.contains([':', '*', '(']) { Self::Any("") } else { Self::Literal(segment) }
    }
}

fn in_parentheses(text: &str) -> Option<&str> {
    text.strip_prefix('(')?.strip_suffix(')').filter(|pattern| !pattern.is_empty())
}

struct Walk<'a> {
    is_source: bool,
    is_page: bool,
    visits: usize,
    values: Vec<&'a [&'a str]>,
}

impl<'a> Walk<'a> {
    fn find(&mut self, node: &Node, segments: &'a [&'a str]) -> Option<SitePage> {
        self.visits += 1;
        if self.visits > MAX_VISITS {
            return Some(SitePage::Elsewhere);
        }
        let Some((first, after)) = segments.split_first() else {
            let target = node.end.as_ref().or(node.rest.as_ref());
            return self.page(target?, &[]);
        };
        if let Some(next) = node.literal.get(*first)
            && let Some(found) = self.find(next, after)
        {
            return Some(found);
        }
        let matching = node.matching.iter().filter(|(regex, _)| regex.is_match(first));
        for next in matching.map(|(_, next)| next).chain(node.any.as_deref()) {
            self.values.push(segments.get(..1).unwrap_or_default());
            let found = self.find(next, after);
            self.values.pop();
            if found.is_some() {
                return found;
            }
        }
        self.page(node.rest.as_ref()?, segments)
    }

    /// Returns the destination of a target, with its parameters filled in.
    fn page(&self, target: &Target, rest: &[&str]) -> Option<SitePage> {
        if self.is_source && !target.is_of_sources {
            return None;
        }
        let to = match &target.to {
            TargetPlace::Path(to) => to,
            TargetPlace::Unknown => return Some(SitePage::Elsewhere),
            TargetPlace::Generated => return Some(SitePage::MaybeGenerated),
            TargetPlace::GeneratedPage => {
                return self.is_page.then_some(SitePage::MaybeGenerated);
            }
        };
        let values = self.values.iter().copied().chain([rest]);
        // Replace longer names first, because `:a` is a prefix of `:ab`.
        let mut named: Vec<_> = target.names.iter().zip(values).collect();
        named.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let (whole, path_of_target) = (to, to.split(['?', '#']).next().unwrap_or_default());
        let filled = named.into_iter().try_fold(path_of_target.to_owned(), |to, (name, value)| {
            let value = value.join("/");
            let to = filled_in(&to, &format!(":{name}*"), &value)?;
            filled_in(&to, &format!(":{name}"), &value)
        });
        let Some(to) = filled else { return Some(SitePage::Elsewhere) };
        Some(if to.starts_with('/') && !to.contains([':', '*', '$', '(']) {
            let is_move = target.is_permanent && path_of_target.len() == whole.len();
            SitePage::Redirect(PageRedirect { to, is_move })
        } else {
            SitePage::Elsewhere
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_matched_one_by_one() {
        let mut patterns = AddressPatterns::default();
        for (from, to) in [
            ("/docs/:version/why", "/why"),
            ("/moved/*", "/docs/:splat"),
            ("/old", "/new"),
            ("/p/:id(\\d+)", "/q/:id"),
            ("/j/:id(\\\\d+)", "/q/:id"),
            ("/v/:path*", "https://b.dev/:path*"),
            ("/c/:v(v6|v7)/a", "/c/:v/b"),
            ("/d/(v5|next)?/e/:path*", "https://b.dev"),
            ("/n/(\\d+)", "/m"),
            ("/r/:v(v[0-9.]+|next)/:path*", "/s"),
            ("/*", "/gone"),
        ] {
            let to = Some(to.to_owned());
            let redirect =
                SiteRedirect { from: from.to_owned(), to, is_permanent: from != "/moved/*" };
            patterns.add(&redirect, NameRule::Exact);
        }
        patterns.add_below("tags");
        patterns.add_pages_below("made");
        let to = |path: &str| {
            let is_move = !path.starts_with("/docs/");
            Some(SitePage::Redirect(PageRedirect { to: path.to_owned(), is_move }))
        };
        for (address, expected) in [
            ("docs/1.0/why", to("/why")),
            ("docs/nothing", None),
            ("docs/1.0/why/not", None),
            ("moved/a/b", to("/docs/a/b")),
            ("moved", to("/docs/")),
            ("old", to("/new")),
            ("old.md", None),
            ("made/a", Some(SitePage::MaybeGenerated)),
            ("made/v1.2", Some(SitePage::MaybeGenerated)),
            ("made/a.md", None),
            ("made/a.example", None),
            ("p/7", to("/q/7")),
            ("j/7", to("/q/7")),
            ("j/seven", None),
            ("v/x/y", Some(SitePage::Elsewhere)),
            ("c/v6/a", to("/c/v6/b")),
            ("c/v8/a", None),
            ("d/next/e/f", Some(SitePage::Elsewhere)),
            ("d/e/f", Some(SitePage::Elsewhere)),
            ("d/f", None),
            ("n/1", to("/m")),
            ("n/1/2", None),
            ("n/a", None),
            ("r/v1.2/a/b", to("/s")),
            ("r/other/a", None),
            ("tags/a/b", Some(SitePage::MaybeGenerated)),
            ("other", None),
        ] {
            let key = key(address, NameRule::Exact);
            assert_eq!(patterns.at(&key, address), expected, "{address}");
        }
    }
}
