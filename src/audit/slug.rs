//! What anchors Markdown processors make of headings.
//!
//! None of the four rules is a standard; each follows what its program does. What a heading is
//! called a second time is counted, so that all headings of a document cost linear time.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// One processor's rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlugRule {
    /// html-pipeline, `TableOfContentsFilter`: lower case, word characters, hyphens and spaces stay,
    /// spaces become hyphens.
    Github,
    /// GitLab, `Banzai::Filter::TableOfContents`: the same, rows of hyphens are one, and digits alone
    /// get `anchor-`.
    Gitlab,
    /// mdBook, `unique_id_from_content`: letters and digits, `_` and `-` stay, white space becomes
    /// hyphens.
    Mdbook,
    /// Python-Markdown, `toc.slugify`: decomposed, ASCII only, rows of hyphens and spaces are one.
    Mkdocs,
}

impl SlugRule {
    pub(super) const ALL: [Self; 4] = [Self::Github, Self::Gitlab, Self::Mdbook, Self::Mkdocs];

    /// The anchors of the headings of one document, in their order.
    pub(super) fn anchors<'h>(
        self,
        headings: impl Iterator<Item = &'h str>,
    ) -> impl Iterator<Item = String> {
        let mut count = SlugCounts::default();
        headings.map(move |heading| {
            let slug = self.slug(heading);
            match self {
                Self::Mkdocs => count.unique(slug),
                _ => count.numbered(slug),
            }
        })
    }

    /// The anchor of a heading that is alone.
    fn slug(self, heading: &str) -> String {
        let heading = heading.trim();
        match self {
            Self::Github => hyphened(&heading.to_lowercase()),
            Self::Gitlab => {
                let slug = squeezed(&hyphened(&heading.to_lowercase()));
                match !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_digit()) {
                    true => format!("anchor-{slug}"),
                    false => slug,
                }
            }
            Self::Mdbook => {
                let kept = |c: char| match c {
                    _ if c.is_alphanumeric() || matches!(c, '_' | '-') => Some(c),
                    _ if c.is_whitespace() => Some('-'),
                    _ => None,
                };
                // newer versions lower all letters, older ones those of ASCII: Anchors fold both
                let kept = heading.chars().filter_map(kept);
                kept.flat_map(char::to_lowercase).collect()
            }
            Self::Mkdocs => {
                let ascii = heading.nfkd().filter(char::is_ascii);
                let kept = ascii.filter(|c| {
                    c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '-')
                });
                let kept: String = kept.collect();
                let spaced = kept.trim().to_ascii_lowercase();
                squeezed(&spaced.replace(|c: char| c.is_ascii_whitespace(), "-"))
            }
        }
    }
}

/// Ruby's `\p{Word}` and hyphens stay, spaces become hyphens, the rest goes.
fn hyphened(lower: &str) -> String {
    let is_word =
        |c: char| c.is_alphanumeric() || is_combining_mark(c) || is_connector(c) || c == '-';
    let kept = lower.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        _ => is_word(c).then_some(c),
    });
    kept.collect()
}

/// The general category Pc, connector punctuation.
fn is_connector(c: char) -> bool {
    matches!(c, '_' | '\u{203F}' | '\u{2040}' | '\u{2054}' | '\u{FE33}' | '\u{FE34}')
        || matches!(c, '\u{FE4D}'..='\u{FE4F}' | '\u{FF3F}')
}

/// With one hyphen for each row of them.
fn squeezed(slug: &str) -> String {
    let mut last = None;
    let mut kept = |&c: &char| last.replace(c) != Some('-') || c != '-';
    slug.chars().filter(|c| kept(c)).collect()
}

/// How often each slug was there, and which are taken.
#[derive(Default)]
struct SlugCounts {
    times: HashMap<String, u64>,
    taken: HashSet<String>,
    /// By stem: a number that is taken leads towards one that may be free.
    numbers: HashMap<String, HashMap<u64, u64>>,
}

impl SlugCounts {
    /// `a`, `a-1`, `a-2`, also where a heading has the slug `a-1` itself.
    fn numbered(&mut self, slug: String) -> String {
        let times = self.times.entry(slug.clone()).or_insert(0);
        *times += 1;
        match *times - 1 {
            0 => slug,
            times => format!("{slug}-{times}"),
        }
    }

    /// `a`, `a_1`, `a_2`, the first that is free; a number that is there is counted up.
    fn unique(&mut self, slug: String) -> String {
        let (stem, number) = match split(&slug) {
            Some((stem, number)) => (stem, Some(number)),
            None => (slug.as_str(), None),
        };
        let stem = stem.to_owned();
        if !slug.is_empty() && self.taken.insert(slug.clone()) {
            if let Some(number) = number {
                let numbers = self.numbers.entry(stem).or_default();
                numbers.insert(number, number + 1);
            }
            return slug;
        }
        let numbers = self.numbers.entry(stem.clone()).or_default();
        let free = free(numbers, number.map_or(1, |number| number + 1));
        numbers.insert(free, free + 1);
        let unique = format!("{stem}_{free}");
        self.taken.insert(unique.clone());
        unique
    }
}

/// The stem and the number of `stem_7`; `None` for what no count makes.
fn split(slug: &str) -> Option<(&str, u64)> {
    let (stem, digits) = slug.rsplit_once('_')?;
    let counts = digits == "0" || !digits.starts_with('0');
    let number: u32 = digits.parse().ok().filter(|_| counts)?;
    Some((stem, u64::from(number)))
}

/// The first free number from `from` on. All that was passed leads there from now on, so that a row
/// of taken numbers is walked once.
fn free(numbers: &mut HashMap<u64, u64>, from: u64) -> u64 {
    let mut free = from;
    while let Some(&next) = numbers.get(&free) {
        free = next;
    }
    let mut at = from;
    while at < free {
        at = numbers.insert(at, free).unwrap_or(free);
    }
    free
}

#[cfg(test)]
mod tests {
    use super::SlugRule;

    fn anchors(rule: SlugRule, headings: &[&str]) -> Vec<String> {
        rule.anchors(headings.iter().copied()).collect()
    }

    #[test]
    fn python_counts_up() {
        let headings = ["A", "A", "A 1", "A_1", "A_1", "A", "", "", "Žlutý (kůň) & co"];
        let expected = ["a", "a_1", "a-1", "a_2", "a_3", "a_4", "_1", "_2", "zluty-kun-co"];
        assert_eq!(anchors(SlugRule::Mkdocs, &headings), expected);
    }

    #[test]
    fn many_headings_of_one_stem_are_linear() {
        // Each number is there already when its heading comes a second time.
        let headings: Vec<String> = (0..200_000).map(|n| format!("a_{}", n % 100_000)).collect();
        let anchors: Vec<_> =
            SlugRule::Mkdocs.anchors(headings.iter().map(String::as_str)).collect();
        assert_eq!(anchors.last().map(String::as_str), Some("a_199999"));
        let same = SlugRule::Mkdocs.anchors(std::iter::repeat_n("a", 100_000)).last();
        assert_eq!(same.as_deref(), Some("a_99999"));
    }
}
