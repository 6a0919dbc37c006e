//! Paths in the tags of GitBook, and in those of Liquid and Nunjucks that Eleventy runs.

use memchr::memmem;

use super::liquid::{is_in, name, tags, unread};
use super::unseen::is_shown;
use crate::document::LinkOrigin;
use crate::slice::{SliceExt as _, span_within};
use crate::span::Span;

/// Tags of GitBook, each with the argument that names a file or page (GitBook, "Blocks").
const OF_GITBOOK: [(&[u8], &[u8]); 3] =
    [(b"content-ref", b"url="), (b"file", b"src="), (b"embed", b"url=")];

/// Tags whose first argument is a file of templates, and not of the site.
const OF_TEMPLATES: [&[u8]; 6] = [b"extends", b"from", b"import", b"layout", b"render", b"set"];

/// Returns the quoted paths in tags, `{% content-ref url="a.md" %}` and `{% include "a.njk" %}`,
/// each with its origin. An address is found as text.
pub(super) fn quoted_paths(text: &[u8]) -> Vec<(LinkOrigin, Span)> {
    let mut unread_parts = None;
    // `{{% include "a.md" %}}` is a shortcode of Hugo.
    let is_tag = |tag: &Span| !text.clamped(..tag.start()).ends_with(b"{{%");
    let found = tags(text).filter(is_tag).filter_map(|tag| {
        let (name, rest) = name(text.part(tag.range()));
        let of_gitbook = OF_GITBOOK.iter().find(|(known, _)| *known == name);
        let (origin, path) = match of_gitbook.and_then(|(_, key)| quoted(rest, key)) {
            Some(path) => (LinkOrigin::GitbookTag, path),
            None if name == b"include" => (LinkOrigin::QuotedInclude, quoted(rest, b"")?),
            // A shortcode of the site, such as `{% image "a.png" %}`.
            None if !OF_TEMPLATES.contains(&name) => {
                let path = quoted(rest, b"").filter(|path| is_shown(path))?;
                (LinkOrigin::TagArgument, path)
            }
            None => return None,
        };
        Some((origin, span_within(path, text)?))
    });
    let found = found.filter(|(_, span)| {
        let unread = unread_parts.get_or_insert_with(|| unread(text));
        !is_in(unread, span.start())
    });
    found.collect()
}

/// Returns the quoted path after this key, or at the start if the key is empty.
fn quoted<'t>(arguments: &'t [u8], key: &[u8]) -> Option<&'t [u8]> {
    let arguments = arguments.trim_ascii_start();
    let value = match key {
        b"" => arguments,
        key => {
            let at = memmem::find(arguments, key)?;
            let is_whole = arguments.clamped(..at).last().is_none_or(u8::is_ascii_whitespace);
            is_whole.then(|| arguments.clamped(at + key.len()..))?
        }
    };
    let (quote, inside) = value.split_first().filter(|(quote, _)| b"'\"".contains(quote))?;
    let path = inside.clamped(..memchr::memchr(*quote, inside)?);
    let is_path = !path.is_empty()
        && memmem::find(path, b"://").is_none()
        && !path.starts_with(b"mailto:")
        && !path.iter().any(|byte| b"\n\t<>{}".contains(byte));
    is_path.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_tags() {
        let text = "{% content-ref url=\"a.md\" %} {% file src='b c.pdf' %} {% embed url=\"https://a.dev\" %} \
            {% embed url=\"d.md\" %} {% include \"e.njk\" %} {% include f.html %} {% raw %}{% file src=\"g\" %}{% endraw %} \
            {% endfile %} {% set x = \"h\" %} {% files src=\"i\" %} {% image \"j.png\", \"k\" %}";
        let found = quoted_paths(text.as_bytes());
        let found: Vec<_> = found.iter().map(|(it, span)| (*it, &text[span.range()])).collect();
        let expected = [
            (LinkOrigin::GitbookTag, "a.md"),
            (LinkOrigin::GitbookTag, "b c.pdf"),
            (LinkOrigin::GitbookTag, "d.md"),
            (LinkOrigin::QuotedInclude, "e.njk"),
            (LinkOrigin::TagArgument, "j.png"),
        ];
        assert_eq!(found, expected);
    }
}
