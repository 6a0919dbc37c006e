//! Rules by which Markdown processors derive anchors from headings.
//!
//! None of the rules is a standard; each imitates its program. Repeated headings are numbered in
//! linear time for a whole document.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::hash::{HashMap, HashSet};
use crate::named::named_enum;
use crate::slice::SliceExt as _;

named_enum! {
    "urigrep::audit::Slugs", "rules for anchors";
    /// Rules that turn Markdown headings into anchors.
    #[derive(Default)]
    pub enum Slugs {
        /// Any of the rules; only anchors that are missing under all of them are reported.
        #[default]
        Any = "any",
        /// Hugo with `autoIDType = "blackfriday"`: a run of punctuation and spaces becomes one
        /// hyphen.
        Blackfriday = "blackfriday",
        /// GitBook, and GitHub, which shows the same files.
        Gitbook = "gitbook",
        /// GitHub: html-pipeline's table of contents. The case of a fragment is ignored.
        Github = "github",
        /// Hugo with `autoIDType = "github-ascii"`: like GitHub, without accents and other letters.
        GithubAscii = "github-ascii",
        /// github-slugger, used by Docusaurus, and Hugo: like GitHub, but case matters.
        GithubSlugger = "github-slugger",
        /// GitLab: like GitHub, with repeated hyphens merged.
        Gitlab = "gitlab",
        /// Jekyll: kramdown.
        Jekyll = "jekyll",
        /// mdBook.
        Mdbook = "mdbook",
        /// MkDocs: the extension `toc` of Python-Markdown.
        Mkdocs = "mkdocs",
        /// Quarto: `auto_identifiers` of pandoc.
        Pandoc = "pandoc",
        /// Sphinx: MyST and docutils.
        Sphinx = "sphinx",
        /// VitePress: `@mdit-vue/shared`.
        Vitepress = "vitepress",
        /// Writerside: a run of other characters than letters and digits becomes one hyphen.
        Writerside = "writerside",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlugRule {
    /// html-pipeline, `TableOfContentsFilter`: lower case; keeps word characters and hyphens;
    /// spaces become hyphens.
    Github,
    /// goldmark of Hugo, `sanitizeAnchorName` with `github-ascii`: without accents; ASCII only.
    GithubAscii,
    /// Hugo, `blackfriday.SanitizedAnchorName`: lower case; a run of characters other than letters
    /// and digits becomes one hyphen, but none at the ends.
    Blackfriday,
    /// GitLab, `Banzai::Filter::TableOfContents`: like GitHub, with repeated hyphens merged;
    /// `anchor-` precedes a slug of digits only.
    Gitlab,
    /// mdBook, `unique_id_from_content`: keeps letters, digits, `_`, and `-`; white space becomes
    /// hyphens.
    Mdbook,
    /// Python-Markdown, `toc.slugify`: decomposed, ASCII only, with runs of hyphens and spaces
    /// merged.
    Mkdocs,
    /// `@mdit-vue/shared`, `slugify`: decomposed; a run of punctuation and spaces becomes one
    /// hyphen.
    Vitepress,
    /// kramdown, `basic_generate_id`: drops everything before the first letter; ASCII only.
    Kramdown,
    /// Pandoc's `auto_identifiers`: lower case; keeps letters, digits, `_`, `-`, and `.`, with one
    /// hyphen for spaces, from the first letter on.
    Pandoc,
    /// markdown-it-anchor: lower case, with hyphens for spaces.
    Spaced,
    /// docutils, `make_id`: ASCII only; a run of other characters becomes one hyphen.
    Docutils,
    /// GitBook: `<` is `less-than`, `$` is `usd`, `.` and `_` stay, and other characters become one
    /// hyphen.
    Speaking,
    /// GitBook since 2022: `id-` before a digit at the start.
    SpeakingId,
}

impl Slugs {
    /// Returns the anchor of a heading by the only rule of a processor; `None` if it has several.
    pub(crate) fn anchor(self, heading: &str) -> Option<String> {
        match SlugRule::for_slugs(self) {
            [rule] => Some(rule.slug(heading)),
            _ => None,
        }
    }
}

impl SlugRule {
    const ALL: [Self; 13] = [
        Self::Github,
        Self::GithubAscii,
        Self::Blackfriday,
        Self::Gitlab,
        Self::Mdbook,
        Self::Mkdocs,
        Self::Vitepress,
        Self::Kramdown,
        Self::Pandoc,
        Self::Spaced,
        Self::Docutils,
        Self::Speaking,
        Self::SpeakingId,
    ];

    /// Returns the rules of a processor.
    pub(crate) fn for_slugs(slugs: Slugs) -> &'static [Self] {
        match slugs {
            Slugs::Any => &Self::ALL,
            Slugs::Blackfriday => &[Self::Blackfriday],
            Slugs::Gitbook => &[Self::Speaking, Self::SpeakingId, Self::Github],
            Slugs::Github | Slugs::GithubSlugger => &[Self::Github],
            Slugs::GithubAscii => &[Self::GithubAscii],
            Slugs::Gitlab => &[Self::Gitlab],
            // kramdown-parser-gfm uses GitHub's rule.
            Slugs::Jekyll => &[Self::Kramdown, Self::Github],
            Slugs::Mdbook => &[Self::Mdbook],
            Slugs::Mkdocs => &[Self::Mkdocs],
            Slugs::Pandoc => &[Self::Pandoc],
            // MyST makes slugs as GitHub does, beside the ids of docutils.
            Slugs::Sphinx => &[Self::Github, Self::Docutils],
            Slugs::Vitepress => &[Self::Vitepress],
            // Topics are read on a forge, too.
            Slugs::Writerside => &[Self::Blackfriday, Self::Github],
        }
    }

    /// Returns the anchors of the headings of one document, in order.
    pub(crate) fn anchors<'h>(
        self,
        headings: impl Iterator<Item = &'h str>,
    ) -> impl Iterator<Item = String> {
        let mut count = SlugCounts::default();
        let (about, _) = headings.size_hint();
        match self {
            Self::Mkdocs => count.taken.reserve(about),
            _ => count.times.reserve(about),
        }
        headings.map(move |heading| {
            let slug = self.slug(heading);
            match self {
                Self::Mkdocs => count.unique(slug),
                _ => count.numbered(slug),
            }
        })
    }

    fn slug(self, heading: &str) -> String {
        let heading = heading.trim();
        match self {
            Self::Github => hyphened(heading),
            Self::GithubAscii => github_ascii(heading),
            Self::Blackfriday => blackfriday(heading),
            Self::Gitlab => gitlab(heading),
            Self::Mdbook => mdbook(heading),
            Self::Mkdocs => mkdocs(heading),
            Self::Vitepress => vitepress(heading),
            Self::Kramdown => kramdown(heading),
            Self::Pandoc => pandoc(heading),
            Self::Spaced => {
                let words: Vec<&str> = heading.split_whitespace().collect();
                words.join("-").to_lowercase()
            }
            Self::Speaking => spoken(heading),
            Self::SpeakingId => match spoken(heading) {
                slug if slug.starts_with(|c: char| c.is_ascii_digit()) => format!("id-{slug}"),
                slug => slug,
            },
            Self::Docutils => docutils(heading),
        }
    }
}

fn github_ascii(heading: &str) -> String {
    let bare = mapped(&decomposed(heading), |c| c.is_ascii().then_some(c));
    hyphened(bare.trim())
}

fn blackfriday(heading: &str) -> String {
    let hyphened =
        mapped(&heading.to_lowercase(), |c| Some(if c.is_alphanumeric() { c } else { '-' }));
    squeezed(&hyphened).trim_matches('-').to_owned()
}

fn gitlab(heading: &str) -> String {
    let slug = squeezed(&hyphened(heading));
    if !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("anchor-{slug}")
    } else {
        slug
    }
}

fn mdbook(heading: &str) -> String {
    let kept = |c: char| match c {
        _ if c.is_alphanumeric() || matches!(c, '_' | '-') => Some(c),
        _ if c.is_whitespace() => Some('-'),
        _ => None,
    };
    // Newer versions lower all letters, older ones only ASCII. `Anchors` folds both.
    let kept = mapped(heading, kept);
    if kept.is_ascii() {
        kept.to_ascii_lowercase()
    } else {
        kept.chars().flat_map(char::to_lowercase).collect()
    }
}

fn mkdocs(heading: &str) -> String {
    let is_kept =
        |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '-');
    let kept = mapped(&decomposed(heading), |c| is_kept(c).then_some(c));
    let spaced = kept.trim().to_ascii_lowercase();
    squeezed(&spaced.replace(|c: char| c.is_ascii_whitespace(), "-"))
}

fn vitepress(heading: &str) -> String {
    let is_special = |c: char| {
        c.is_whitespace()
            || c.is_ascii_punctuation()
            || matches!(c, '\u{201C}' | '\u{201D}' | '\u{2018}' | '\u{2019}')
    };
    let hyphened = mapped(&decomposed(heading), |c| match c {
        // Other marks, such as those of kana, stay.
        _ if c.is_control() || matches!(c, '\u{300}'..='\u{36F}') => None,
        _ => Some(if is_special(c) { '-' } else { c }),
    });
    let slug = squeezed(&hyphened);
    let slug = slug.trim_matches('-').to_lowercase();
    if slug.starts_with(|c: char| c.is_ascii_digit()) { format!("_{slug}") } else { slug }
}

fn kramdown(heading: &str) -> String {
    let from = heading.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(heading.len());
    let kept = heading.clamped(from..).chars().filter_map(|c| match c {
        ' ' => Some('-'),
        _ => (c.is_ascii_alphanumeric() || c == '-').then(|| c.to_ascii_lowercase()),
    });
    match kept.collect::<String>() {
        slug if slug.is_empty() => "section".to_owned(),
        slug => slug,
    }
}

fn pandoc(heading: &str) -> String {
    let is_kept =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '-' | '.');
    let kept = mapped(&without_dashes(heading), |c| is_kept(c).then_some(c));
    let kept = kept.to_lowercase();
    let words: Vec<&str> = kept.split_whitespace().collect();
    let slug = words.join("-");
    let from = slug.find(char::is_alphabetic).unwrap_or(slug.len());
    match slug.clamped(from..) {
        "" => "section".to_owned(),
        slug => slug.to_owned(),
    }
}

fn docutils(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let hyphened = mapped(&decomposed(&lower), |c| match c {
        _ if !c.is_ascii() => None,
        _ => Some(if c.is_ascii_alphanumeric() { c } else { '-' }),
    });
    let slug = squeezed(&hyphened);
    let start = |c: char| c == '-' || c.is_ascii_digit();
    slug.trim_start_matches(start).trim_end_matches('-').to_owned()
}

/// Lower-cases the heading and keeps Ruby's `\p{Word}` and hyphens. Spaces become hyphens, and
/// other characters are removed.
fn hyphened(heading: &str) -> String {
    let is_word = |c: char| match c {
        '\0'..='\x7F' => c.is_ascii_alphanumeric() || matches!(c, '_' | '-'),
        _ => c.is_alphanumeric() || is_combining_mark(c) || is_connector(c),
    };
    let map = |c: char| match c {
        ' ' => Some('-'),
        _ => is_word(c).then(|| c.to_ascii_lowercase()),
    };
    // Most headings are ASCII. Not decomposing these, and reserving their memory once, saved 8 % of
    // the instructions of an audit of the rfcs.
    if heading.is_ascii() { mapped(heading, map) } else { mapped(&heading.to_lowercase(), map) }
}

/// Returns the anchor of GitBook, in which symbols are words: `less-than` for `<`.
fn spoken(heading: &str) -> String {
    let mut words = String::with_capacity(heading.len());
    for c in heading.chars() {
        // `.<id>.` is `.less-than-id-greater-than.`: hyphens around a word are left out beside a
        // dot.
        match c {
            '&' => words.push_str("\0and\0"),
            '|' => words.push_str("\0or\0"),
            '<' => words.push_str("\0less-than\0"),
            '>' => words.push_str("\0greater-than\0"),
            '$' => words.push_str("usd"),
            '\'' | '\u{2019}' => {}
            '.' | '_' => words.push(c),
            _ if c.is_alphanumeric() => words.extend(c.to_lowercase()),
            _ => words.push('-'),
        }
    }
    let words = words.replace(".\0", ".").replace("\0.", ".").replace('\0', "-");
    squeezed(&words).trim_matches('-').to_owned()
}

/// Maps each character, with one allocation.
fn mapped(text: &str, mut map: impl FnMut(char) -> Option<char>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if let Some(c) = map(c) {
            out.push(c);
        }
    }
    out
}

/// Returns normalization form KD. ASCII is already in it.
fn decomposed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkd().collect()) }
}

/// Removes the marks that pandoc's extension `smart` turns into dashes and ellipses, which are not
/// part of an identifier. `--flag` is an option of a command, which headings show as code.
fn without_dashes(heading: &str) -> Cow<'_, str> {
    if !heading.contains("--") && !heading.contains("...") {
        return Cow::Borrowed(heading);
    }
    let mut out = String::with_capacity(heading.len());
    let mut rest = heading;
    while let Some(c) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(c).len();
        let (run, after) = rest.split_at(run);
        let is_word = after.starts_with(char::is_alphanumeric);
        let is_option = is_word && (out.is_empty() || out.ends_with(char::is_whitespace));
        let is_mark = c == '-' && run.len() > 1 && !is_option || c == '.' && run.len() > 2;
        if !is_mark {
            out.push_str(run);
        }
        rest = after;
    }
    Cow::Owned(out)
}

/// True for connector punctuation (general category Pc).
fn is_connector(c: char) -> bool {
    matches!(c, '_' | '\u{203F}' | '\u{2040}' | '\u{2054}' | '\u{FE33}' | '\u{FE34}')
        || matches!(c, '\u{FE4D}'..='\u{FE4F}' | '\u{FF3F}')
}

fn squeezed(slug: &str) -> String {
    let mut last = None;
    mapped(slug, |c| (last.replace(c) != Some('-') || c != '-').then_some(c))
}

/// Number of occurrences of each slug, and the slugs in use.
#[derive(Default)]
struct SlugCounts {
    times: HashMap<String, u64>,
    taken: HashSet<String>,
    /// By stem: a used number points towards one that may be free.
    numbers: HashMap<String, HashMap<u64, u64>>,
}

impl SlugCounts {
    /// Numbers repetitions as `a`, `a-1`, `a-2`, even if another heading has the slug `a-1`.
    fn numbered(&mut self, slug: String) -> String {
        let Some(times) = self.times.get_mut(&slug) else {
            self.times.insert(slug.clone(), 1);
            return slug;
        };
        let numbered = format!("{slug}-{times}");
        *times += 1;
        numbered
    }

    /// Numbers repetitions as `a`, `a_1`, `a_2`, with the first free number. An existing number is
    /// incremented.
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

/// Splits `stem_7` into stem and number; `None` for a number that counting does not produce.
fn split(slug: &str) -> Option<(&str, u64)> {
    let (stem, digits) = slug.rsplit_once('_')?;
    let counts = digits == "0" || !digits.starts_with('0');
    let number: u32 = digits.parse().ok().filter(|_| counts)?;
    Some((stem, u64::from(number)))
}

/// Returns the first free number at or after `from`. Visited numbers point to it afterwards, so a
/// run of used numbers is walked once.
fn free(numbers: &mut HashMap<u64, u64>, from: u64) -> u64 {
    let mut free = from;
    while let Some(&next) = numbers.get(&free) {
        free = next;
    }
    let mut at = from;
    // Point every visited number to the free one, as path compression in a union-find does.
    while at < free {
        at = numbers.insert(at, free).unwrap_or(free);
    }
    free
}
