//! The rules of an ignore file within bounded memory: [`IgnoreRules`].
//!
//! `ignore` compiles all globs of a file into one set, whose caches grow with the number of its
//! regexes times their length: 2,000 ordinary globs take gigabytes. So beyond a cost, globs are
//! kept as text and compared one by one, as git does.

use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::search::auxiliary::read_regular;
use crate::slice::SliceExt as _;

/// The largest ignore file that is read.
pub(super) const MAX_RULES_BYTES: u64 = 1 << 20;

/// Limit on the cost of compiled rules; each unit takes 48 bytes of memory.
pub(super) const MAX_COST: u64 = 500_000;

/// Decision of rules about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IgnoreDecision {
    Nothing,
    Ignored,
    Kept,
}

impl<T> From<Match<T>> for IgnoreDecision {
    fn from(matched: Match<T>) -> Self {
        match matched {
            Match::None => Self::Nothing,
            Match::Ignore(_) => Self::Ignored,
            Match::Whitelist(_) => Self::Kept,
        }
    }
}

/// The rules of one file, for paths relative to its directory.
#[derive(Debug)]
pub(crate) enum IgnoreRules {
    Compiled(Gitignore),
    Plain(Vec<IgnoreRule>),
}

/// A glob as text (gitignore, "Pattern format").
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IgnoreRule {
    glob: Box<[u8]>,
    is_kept: bool,
    is_for_directories: bool,
}

impl IgnoreRules {
    /// Reads a file; one that is missing, special, or too large has no rules.
    pub fn read(file: &Path) -> Self {
        Self::parse(&read_regular(file, MAX_RULES_BYTES).unwrap_or_default())
    }

    pub fn parse(text: &[u8]) -> Self {
        if cost(text) > MAX_COST {
            return Self::Plain(lines(text).filter_map(IgnoreRule::parse).collect());
        }
        // Git skips invalid lines, too.
        let mut rules = GitignoreBuilder::new("");
        for line in String::from_utf8_lossy(text).lines() {
            let _ = rules.add_line(None, line);
        }
        Self::Compiled(rules.build().unwrap_or_else(|_| Gitignore::empty()))
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Compiled(rules) => rules.len(),
            Self::Plain(rules) => rules.len(),
        }
    }

    /// Decides about a path by its last rule that matches.
    pub fn matched(&self, path: &Path, is_directory: bool) -> IgnoreDecision {
        match self {
            Self::Compiled(rules) => rules.matched(path, is_directory).into(),
            Self::Plain(rules) => {
                let path = path.as_os_str().as_encoded_bytes();
                let matches = |rule: &&IgnoreRule| {
                    (is_directory || !rule.is_for_directories) && path_matches(&rule.glob, path)
                };
                // The last rule that matches decides (gitignore(5)).
                match rules.iter().rev().find(matches) {
                    None => IgnoreDecision::Nothing,
                    Some(rule) if rule.is_kept => IgnoreDecision::Kept,
                    Some(_) => IgnoreDecision::Ignored,
                }
            }
        }
    }

    /// Decides about a path or the directories above it, the path first.
    pub fn matched_or_above(&self, path: &Path, is_directory: bool) -> IgnoreDecision {
        let mut paths = path.ancestors().filter(|it| !it.as_os_str().is_empty());
        // Everything above a path is a directory.
        let decisions = paths.by_ref().map(|it| self.matched(it, is_directory || it != path));
        decisions
            .into_iter()
            .find(|decision| *decision != IgnoreDecision::Nothing)
            .unwrap_or(IgnoreDecision::Nothing)
    }
}

/// Returns the number of globs that `globset` compiles to regexes, times their bytes.
pub(super) fn cost(text: &[u8]) -> u64 {
    let (mut globs, mut bytes) = (0, 0);
    // Names, paths and `*.ext` are looked up in hash tables and cost next to nothing. Ordinary
    // ignore files consist of them.
    for line in lines(text).filter(|line| is_regex(line)) {
        globs += 1;
        bytes += line.len() as u64;
    }
    globs * bytes
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"))
}

/// False for globs that are compared as text: names, paths, and `*.ext`.
fn is_regex(glob: &[u8]) -> bool {
    let rest = glob.strip_prefix(b"!").unwrap_or(glob);
    let rest = rest.strip_prefix(b"**/").unwrap_or(rest);
    let rest = rest.strip_prefix(b"*").unwrap_or(rest);
    rest.iter().any(|byte| b"*?[{".contains(byte))
}

impl IgnoreRule {
    fn parse(line: &[u8]) -> Option<Self> {
        let (is_kept, line) = match line.strip_prefix(b"!") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (is_for_directories, line) = match line.strip_suffix(b"/") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        // With a slash, a glob is for the whole path, otherwise for a name anywhere.
        let mut glob = Vec::new();
        if !line.contains(&b'/') {
            glob.extend_from_slice(b"**/");
        }
        glob.extend_from_slice(line.strip_prefix(b"/").unwrap_or(line));
        (!line.is_empty()).then(|| Self { glob: glob.into(), is_kept, is_for_directories })
    }
}

/// Splits a path after its first name.
fn split(path: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(b'/', path) {
        Some(at) => (path.clamped(..at), Some(path.clamped(at + 1..))),
        None => (path, None),
    }
}

/// True if a glob matches a path. Names are compared in order; `**` takes any number of them, and
/// only the last one has to be tried again.
fn path_matches(glob: &[u8], path: &[u8]) -> bool {
    let (mut glob, mut path) = (Some(glob), Some(path));
    // As for `*` within a name, only the last `**` is tried again.
    let mut again: Option<(Option<&[u8]>, &[u8])> = None;
    loop {
        match (glob.map(split), path) {
            (None, None) => return true,
            // `a/**` matches everything in `a`, but not `a` itself.
            (Some((b"**", None)), rest) => return rest.is_some(),
            (Some((b"**", after)), Some(rest)) => {
                again = Some((after, rest));
                glob = after;
                continue;
            }
            (Some((name_glob, after)), Some(rest)) => {
                let (name, rest) = split(rest);
                if name_matches(name_glob, name) {
                    (glob, path) = (after, rest);
                    continue;
                }
            }
            (None, Some(_)) | (Some(_), None) => {}
        }
        let Some((after, from)) = again else { return false };
        let Some(next) = split(from).1 else { return false };
        again = Some((after, next));
        (glob, path) = (after, Some(next));
    }
}

/// True if a glob without slashes matches a name.
fn name_matches(glob: &[u8], name: &[u8]) -> bool {
    let (mut glob, mut name) = (glob, name);
    let mut again: Option<(&[u8], &[u8])> = None;
    loop {
        if let [b'*', rest @ ..] = glob {
            // Only the last star is tried again: it can take whatever an earlier one would take in
            // addition. So time is bounded by the product of both lengths.
            again = Some((rest, name));
            glob = rest;
            continue;
        }
        if name.is_empty() {
            return glob.is_empty();
        }
        if let Some(rest) = one(glob, name) {
            (glob, name) = (rest, name.clamped(1..));
            continue;
        }
        let Some((after, from)) = again else { return false };
        let from = from.clamped(1..);
        again = Some((after, from));
        (glob, name) = (after, from);
    }
}

/// Matches the next byte, as git and `globset` do; returns the rest of the glob.
fn one<'g>(glob: &'g [u8], name: &[u8]) -> Option<&'g [u8]> {
    let first = *name.first()?;
    match glob {
        [b'?', rest @ ..] => Some(rest),
        [b'[', rest @ ..] => {
            // Git takes the mark of regular expressions, too.
            let negated = rest.strip_prefix(b"!").or_else(|| rest.strip_prefix(b"^"));
            let class = negated.unwrap_or(rest);
            // A bracket right after the opening one is a member.
            let end = 1 + memchr::memchr(b']', class.clamped(1..))?;
            let is_member = is_in_class(class.clamped(..end), first);
            (is_member != negated.is_some()).then(|| class.clamped(end + 1..))
        }
        [b'\\', byte, rest @ ..] => (*byte == first).then_some(rest),
        [byte, rest @ ..] => (*byte == first).then_some(rest),
        [] => None,
    }
}

fn is_in_class(class: &[u8], byte: u8) -> bool {
    let mut rest = class;
    while let [first, after @ ..] = rest {
        rest = match after {
            [b'-', last, after @ ..] => {
                if (*first..=*last).contains(&byte) {
                    return true;
                }
                after
            }
            _ if *first == byte => return true,
            _ => after,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of matching agree.
    #[test]
    fn plain_rules_match_like_compiled_ones() {
        let globs = [
            "a*b",
            "*.o",
            "/a/*.o",
            "a?c",
            "[ab]c",
            "[!ab]c",
            "[a-c]x",
            "[]x]y",
            "**/a*",
            "a/**",
            "a/**/b*",
            "a*/",
            "!ab",
            "doc/*.tx?",
            "*",
            "\\*a",
            "a\\?b",
            "a/b*c/d",
            "*a*b*c",
            "é?",
            "?",
            "a**b",
            "/x*",
        ];
        let paths = [
            "ab",
            "axb",
            "a.o",
            "a/x.o",
            "a/b/x.o",
            "abc",
            "ac",
            "bc",
            "cc",
            "cx",
            "]y",
            "xy",
            "q/ab",
            "a/x/y/b1",
            "a/b1",
            "a",
            "doc/a.txt",
            "*a",
            "a?b",
            "a/bxc/d",
            "1a2b3c",
            "éé",
            "é",
            "axxb",
            "x1/y",
            "a/",
            "q/x1",
        ];
        for glob in globs {
            let mut compiled = GitignoreBuilder::new("");
            compiled.add_line(None, glob).unwrap();
            let compiled = IgnoreRules::Compiled(compiled.build().unwrap());
            let plain =
                IgnoreRules::Plain(lines(glob.as_bytes()).filter_map(IgnoreRule::parse).collect());
            for path in paths {
                for is_directory in [false, true] {
                    let path = Path::new(path.trim_end_matches('/'));
                    let expected = compiled.matched(path, is_directory);
                    assert_eq!(
                        plain.matched(path, is_directory),
                        expected,
                        "{glob} {path:?} {is_directory}"
                    );
                }
            }
        }
    }

    #[test]
    fn costs() {
        assert_eq!(cost(b"# *a*b\n*.o\n/target\ndir/\n**/x\n!*.md\n[Bb]in/\na*b*\n"), 2 * 11);
        assert_eq!(cost(b"*.o\ntarget\n"), 0);
        let many: String = (0..20_000).map(|at| format!("build-*/out{at}.?\n")).collect();
        let rules = IgnoreRules::parse(many.as_bytes());
        assert!(matches!(rules, IgnoreRules::Plain(_)) && rules.len() == 20_000);
        assert_eq!(rules.matched(Path::new("build-x/out7.o"), false), IgnoreDecision::Ignored);
        assert_eq!(
            rules.matched_or_above(Path::new("build-x/out7.o/a"), false),
            IgnoreDecision::Ignored
        );
        assert_eq!(rules.matched(Path::new("build-x/out7.oo"), false), IgnoreDecision::Nothing);
    }
}
