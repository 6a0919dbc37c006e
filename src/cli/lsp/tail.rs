//! References that name the end of a file's path, in whatever syntax precedes it:
//! [`with_new_tail`].
//!
//! `@site/docs/a.md`, `/docs/guide/n` for `docs/guide/01-n.md`, `xref:ROOT:b.adoc`,
//! `{images}/p.png`, and `[[a/b]]` have in common that their last names are those of the file.

use std::path::Path;

use urigrep::percent::decode;

/// Treatment of a new path of which more changed than the reference names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The reference stays.
    Refused,
    /// The end of the new path is enough.
    Dropped,
}

/// The relation of a segment to a component of a path.
#[derive(Clone, Copy, Debug)]
enum SegmentName<'w> {
    Whole,
    /// Without its extension.
    Stem,
    /// With the extension of the page.
    Extension(&'w str),
    /// `index.html` for `README.md`.
    Index,
}

/// Returns a path whose names are those of the new file where they were those of the old one;
/// `None` if they are the same, or if the path does not show how to name the new file.
pub fn with_new_tail(
    path: &str,
    old: &Path,
    new: &Path,
    missing: Missing,
    encoded: &dyn Fn(&str) -> String,
) -> Option<String> {
    let slash = if path.ends_with('/') { "/" } else { "" };
    let trimmed = path.strip_suffix('/').unwrap_or(path);
    // `ROOT:b.adoc` and `partial$i.adoc` (Antora, "Resource ID Coordinates").
    let start = trimmed.rfind([':', '$', '}']).map_or(0, |at| at + 1);
    let (prefix, trimmed) = trimmed.split_at(start);
    let segments: Vec<&str> = trimmed.split('/').collect();
    let names = |path: &Path| -> Option<Vec<String>> {
        path.components().map(|it| Some(it.as_os_str().to_str()?.to_owned())).collect()
    };
    let (mut old, mut new) = (names(old)?, names(new)?);
    let last = decoded(segments.last()?);
    let mut style = style_of(&last, old.last()?);
    // The page of `a/README.md` is `a/`. A name that is found anywhere is not an address.
    let is_address = missing == Missing::Refused;
    let (was_index, is_new_index) = (is_index(old.last()?), is_index(new.last()?));
    if style.is_none() && was_index && (is_new_index || is_address) {
        old.pop();
        style = style_of(&last, old.last()?);
        if is_new_index {
            new.pop();
        } else {
            style = style.map(|_| SegmentName::Stem);
        }
    } else if matches!(style, Some(SegmentName::Stem)) && is_address && is_new_index && !was_index {
        new.pop();
        style = Some(SegmentName::Whole);
    }
    let style = style?;
    // The names before the last one are whole, but for numbers that a site leaves out.
    let before = segments.iter().rev().skip(1).zip(old.iter().rev().skip(1));
    let alike = |(segment, name): &(&&str, &String)| {
        let segment = decoded(segment);
        segment == **name || segment == without_number(name)
    };
    let named = 1 + before.take_while(alike).count();
    let first = old.len() - named;
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let from = match missing {
        // As many names as before are enough.
        Missing::Dropped => new.len().checked_sub(named)?,
        Missing::Refused if same >= first => first,
        Missing::Refused => return None,
    };
    // Where numbers are left out, they are left out of the new names, too.
    let count = new.len() - from;
    let mut written: Vec<String> = Vec::new();
    for (index, name) in new.iter().skip(from).enumerate() {
        let old_name = old.get(from + index);
        let segment = segments.get(segments.len() - named + index);
        let has_number = segment.zip(old_name).is_some_and(|(segment, old)| {
            let segment = decoded(segment);
            old.starts_with(&*segment) || index + 1 < count && segment == *old
        });
        let name = if has_number { name.as_str() } else { without_number(name) };
        written.push(if index + 1 == count { style.apply(name, encoded) } else { encoded(name) });
    }
    let kept = segments.get(..segments.len() - named).unwrap_or_default();
    let all: Vec<&str> = kept.iter().copied().chain(written.iter().map(String::as_str)).collect();
    let result = format!("{prefix}{}{slash}", all.join("/"));
    (result != path).then_some(result)
}

fn decoded(segment: &str) -> String {
    String::from_utf8_lossy(&decode(segment)).into_owned()
}

fn style_of<'w>(written: &'w str, name: &str) -> Option<SegmentName<'w>> {
    let plain = without_number(name);
    let stem = |name: &str| stem(name).to_owned();
    if written == name || written == plain {
        return Some(SegmentName::Whole);
    }
    if written == stem(name) || written == stem(plain) {
        return Some(SegmentName::Stem);
    }
    if written == "index.html" && is_index(name) {
        return Some(SegmentName::Index);
    }
    let (own, extension) = written.rsplit_once('.')?;
    (own == stem(name) || own == stem(plain)).then_some(SegmentName::Extension(extension))
}

impl SegmentName<'_> {
    fn apply(self, name: &str, encoded: &dyn Fn(&str) -> String) -> String {
        match self {
            Self::Whole => encoded(name),
            Self::Stem => encoded(stem(name)),
            Self::Index if is_index(name) => "index.html".to_owned(),
            Self::Index => format!("{}.html", encoded(stem(name))),
            Self::Extension(extension) => format!("{}.{extension}", encoded(stem(name))),
        }
    }
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn is_index(name: &str) -> bool {
    matches!(stem(name), "index" | "_index" | "README" | "readme")
}

/// Returns a name without the number that orders it (Docusaurus, `numberPrefixParser`).
fn without_number(name: &str) -> &str {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let separated = rest.trim_start_matches([' ', '-', '_', '.']);
    let has_number = rest.len() < name.len() && separated.len() < rest.len();
    if has_number && !separated.is_empty() { separated } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_file_change() {
        for (path, old, new, missing, expected) in [
            (
                "@site/docs/a.md",
                "w/docs/a.md",
                "w/docs/b.md",
                Missing::Refused,
                Some("@site/docs/b.md"),
            ),
            (
                "/docs/g/n",
                "w/docs/g/01-n.md",
                "w/docs/g/02-k.md",
                Missing::Refused,
                Some("/docs/g/k"),
            ),
            (
                "/docs/g/n",
                "w/docs/g/01-n.md",
                "w/docs/h/01-n.md",
                Missing::Refused,
                Some("/docs/h/n"),
            ),
            (
                "sub/index.html",
                "w/sub/README.md",
                "w/deep/README.md",
                Missing::Refused,
                Some("deep/index.html"),
            ),
            (
                "./ROOT:b.adoc",
                "m/pages/b.adoc",
                "m/pages/c.adoc",
                Missing::Refused,
                Some("./ROOT:c.adoc"),
            ),
            ("{i}/p.png", "w/img/p.png", "w/img/q.png", Missing::Refused, Some("{i}/q.png")),
            ("../b/", "w/docs/b.md", "w/docs/c.md", Missing::Refused, Some("../c/")),
            ("../b/", "w/docs/b.md", "w/other/b.md", Missing::Refused, None),
            ("@/b/", "w/b.md", "w/b/index.md", Missing::Refused, None),
            ("@/b/", "w/b/index.md", "w/b.md", Missing::Refused, None),
            ("@/b/", "w/b/index.md", "w/b/c.md", Missing::Refused, Some("@/b/c/")),
            ("b", "w/b.md", "w/b/index.md", Missing::Dropped, Some("index")),
            ("b", "w/b.md", "w/sub/b.md", Missing::Dropped, None),
            ("s/c", "w/s/c.md", "w/t/d.md", Missing::Dropped, Some("t/d")),
            ("p.png", "w/p.png", "w/q.png", Missing::Dropped, Some("q.png")),
        ] {
            let new = with_new_tail(path, Path::new(old), Path::new(new), missing, &str::to_owned);
            assert_eq!(new.as_deref(), expected, "{path}");
        }
    }
}
