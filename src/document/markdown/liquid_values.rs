//! Addresses of a site that Liquid writes in front of a path: `{{ site.baseurl }}/a` and
//! `{{ "/a" | relative_url }}` (Jekyll, "Liquid Filters").
//!
//! The settings have the values, so that the reference is `/a`. Everything else of it becomes tabs,
//! which Markdown and HTML leave out around a destination: the length stays, and the tab in front
//! of a path shows that it is a part of an expression.

use std::borrow::Cow;

use memchr::memmem;

use super::liquid;
use crate::document::{SiteValue, SiteValues};
use crate::slice::{ByteRuns as _, SliceExt as _, span_within};

/// True for values that are, one after the other, the address of the site.
fn are_address(values: &[SiteValue]) -> bool {
    use SiteValue::{Host, Path, Whole};
    matches!(values, [Path] | [Whole] | [Host, Path] | [Whole, Whole])
}

/// Longest expression in bytes. The bound keeps time linear.
const MAX_BYTES: usize = 256;
/// Byte that takes the place of an expression.
const FILL: u8 = b'\t';

/// Replaces such expressions at the start of destinations.
pub(crate) fn fill_addresses(text: &mut Cow<'_, [u8]>, values: &SiteValues) {
    if memmem::find(text, b"{{").is_some() {
        replace(text.to_mut(), &Engine::Jekyll(values));
    }
}

/// Replaces `{{ "/a/" | url }}` of Eleventy, whose filter adds the path of the site to an address
/// that starts with a slash, and leaves others (Eleventy, "URL filter").
pub(crate) fn fill_urls(text: &mut Cow<'_, [u8]>) {
    if memmem::find(text, b"{{").is_some() {
        replace(text.to_mut(), &Engine::Eleventy);
    }
}

/// The program that runs the expressions.
enum Engine<'v> {
    Jekyll(&'v SiteValues),
    Eleventy,
}

fn replace(text: &mut [u8], engine: &Engine<'_>) {
    let starts: Vec<usize> = memmem::find_iter(text, b"{{")
        .filter(|&at| starts_destination(text.clamped(..at)))
        .collect();
    if starts.is_empty() {
        return;
    }
    let unread = liquid::unread(text);
    for at in starts {
        if liquid::is_in(&unread, at) {
            continue;
        }
        let rest = text.clamped(at..);
        let rest = rest.clamped(..(2 * MAX_BYTES).min(rest.len()));
        let before = match engine {
            Engine::Jekyll(values) => values_before(rest, values),
            Engine::Eleventy => None,
        };
        if let Some(length) = before {
            text.get_mut(at..at + length).unwrap_or_default().fill(FILL);
        } else if let Some(filtered) = filtered(rest, engine) {
            let Filtered { path, adds_slash, end } = filtered;
            for (offset, byte) in
                text.get_mut(at..at + end).unwrap_or_default().iter_mut().enumerate()
            {
                if adds_slash && offset + 1 == path.start {
                    // The filter adds the slash.
                    *byte = b'/';
                } else if !path.contains(&offset) {
                    *byte = FILL;
                }
            }
        }
    }
}

/// True if a destination starts after this text.
fn starts_destination(before: &[u8]) -> bool {
    let before = before.clamped(..before.len() - before.trailing(|byte| byte == b' '));
    [&b"]("[..], b"]:", b"=\"", b"='"].iter().any(|mark| before.ends_with(mark))
}

/// Returns the inside of `{{ … }}` at the start of a text, and the length of all of it.
fn output(text: &[u8]) -> Option<(&[u8], usize)> {
    let rest = text.strip_prefix(b"{{")?;
    let rest = rest.clamped(..MAX_BYTES.min(rest.len()));
    let inside = rest.clamped(..memmem::find(rest, b"}}")?);
    let trimmed = inside.strip_prefix(b"-").unwrap_or(inside);
    let trimmed = trimmed.strip_suffix(b"-").unwrap_or(trimmed).trim_ascii();
    (!inside.contains(&b'\n')).then_some((trimmed, inside.len() + 4))
}

/// Returns the length of `{{ site.url }}{{ site.baseurl }}` before a path.
fn values_before(text: &[u8], values: &SiteValues) -> Option<usize> {
    let (mut found, mut length) = (Vec::new(), 0);
    while let Some((inside, whole)) = output(text.clamped(length..)) {
        found.push(values.value(inside)?);
        length += whole;
    }
    let path = text.clamped(length..);
    let is_path = path.starts_with(b"/") && !path.starts_with(b"//");
    (is_path && are_address(&found)).then_some(length)
}

/// A path with filters, `{{ "/a" | relative_url }}#b`.
struct Filtered {
    path: std::ops::Range<usize>,
    /// True for a path without a slash at its start, to which the filter adds one.
    adds_slash: bool,
    /// The end of the reference, with the text after the expression.
    end: usize,
}

fn filtered(text: &[u8], engine: &Engine<'_>) -> Option<Filtered> {
    let (inside, whole) = output(text)?;
    let (quote, rest) = inside.split_first().filter(|(quote, _)| b"'\"".contains(quote))?;
    let path = rest.clamped(..memchr::memchr(*quote, rest)?);
    let filters = rest.clamped(path.len() + 1..).trim_ascii().strip_prefix(b"|")?;
    let (mut before, mut is_url) = (Vec::new(), false);
    for filter in filters.split(|&byte| byte == b'|').map(<[u8]>::trim_ascii) {
        match (engine, filter) {
            (Engine::Jekyll(_), b"relative_url" | b"absolute_url") if before.is_empty() => {
                is_url = true;
            }
            (Engine::Jekyll(values), _) => {
                let name = filter.strip_prefix(b"prepend:")?.trim_ascii();
                before.insert(0, values.value(name)?);
            }
            (Engine::Eleventy, b"url") => is_url = true,
            (Engine::Eleventy, _) => return None,
        }
    }
    let is_bare = !path.starts_with(b"/");
    let adds_slash = is_bare && matches!(engine, Engine::Jekyll(_));
    let is_char = |byte: &u8| byte.is_ascii_graphic() && !b"{}<>()\"'`\\:".contains(byte);
    let is_path = path.len() > 1 && path.iter().all(is_char) && !path.starts_with(b"//");
    let is_known = if is_url { before.is_empty() } else { are_address(&before) && !is_bare };
    if !is_path || !is_known || is_bare && path.starts_with(b"#") {
        return None;
    }
    // An anchor or a query may follow, which cannot be next to the path. More of a path cannot be
    // read.
    let after = text.clamped(whole..);
    let tail = after.leading(|byte| !byte.is_ascii_whitespace() && !b")\"'>".contains(&byte));
    let is_end = matches!(after.first(), None | Some(b'#' | b'?')) || tail == 0;
    let span = span_within(path, text)?;
    is_end.then(|| Filtered { path: span.range(), adds_slash, end: whole + tail })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> String {
        let named =
            [("baseurl", SiteValue::Path), ("url", SiteValue::Host), ("home", SiteValue::Whole)];
        let values = SiteValues::new(named.map(|(name, value)| (name.to_owned(), value)).to_vec());
        let mut text = Cow::Borrowed(text.as_bytes());
        fill_addresses(&mut text, &values);
        // Runs of tabs are shown as one.
        let mut shown = String::from_utf8(text.into_owned()).expect("text");
        while shown.contains("\t\t") {
            shown = shown.replace("\t\t", "\t");
        }
        shown
    }

    #[test]
    fn values_are_filled_in() {
        for (text, expected) in [
            ("[a]({{ site.baseurl }}/b) c", "[a](\t/b) c"),
            ("[a]( {{site.url}}{{ site.baseurl }}/b \"c\")", "[a]( \t/b \"c\")"),
            ("<a href=\"{{ site.home }}/b\">", "<a href=\"\t/b\">"),
            ("[a]: {{ site.baseurl }}/b", "[a]: \t/b"),
            ("[a]({{ '/b' | relative_url }})", "[a](\t/b\t)"),
            ("<a href=\"{{ \"/b\" | absolute_url }}#c\">", "<a href=\"\t/b\t\">"),
            ("[a]({{ 'b/c' | relative_url }})", "[a](\t/b/c\t)"),
            ("[a]({{ '/b' | prepend: site.baseurl | prepend: site.url }})", "[a](\t/b\t)"),
        ] {
            assert_eq!(filled(text), expected, "{text}");
        }
    }

    #[test]
    fn urls_of_eleventy() {
        for (text, expected) in [
            ("[a]({{ \"/b/\" | url }})", "[a](      /b/        )"),
            ("<a href=\"{{ '/b/' | url }}#c\">", "<a href=\"    /b/           \">"),
            ("[a]({{ 'b/c/' | url }})", "[a](    b/c/        )"),
            ("[a]({{ page.url | url }})", "[a]({{ page.url | url }})"),
            ("[a]({{ '/b' | relative_url }})", "[a]({{ '/b' | relative_url }})"),
        ] {
            let mut filled = Cow::Borrowed(text.as_bytes());
            fill_urls(&mut filled);
            let shown = |text: &str| text.split(['\t', ' ']).collect::<String>();
            let filled = String::from_utf8_lossy(&filled).into_owned();
            assert_eq!(shown(&filled), shown(expected), "{text}");
        }
    }

    #[test]
    fn others_stay() {
        for text in [
            "{{ site.baseurl }}/b",
            "[a]({{ site.url }}/b)",
            "[a]({{ site.baseurl }})",
            "[a]({{ site.cdn }}/b)",
            "[a]({{ page.url }}/b)",
            "[a]({{ site.baseurl }}{{ page.url }}/b)",
            "[a]({{ '/b' | append: '/c' }})",
            "[a]({{ '/b' | relative_url }}/c)",
            "[a]({{ '/b' | prepend: site.url }})",
            "{% raw %}[a]({{ site.baseurl }}/b){% endraw %}",
        ] {
            assert_eq!(filled(text), text);
        }
    }
}
