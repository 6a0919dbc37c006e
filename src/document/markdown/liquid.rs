//! Liquid and its relatives: blocks that hold code (`{% highlight ruby %}` to
//! `{% endhighlight %}`), arguments of tags, and the files that tags include.

use std::ops::Range;

use memchr::memmem;

use crate::document::LinkOrigin;
use crate::slice::{SliceExt as _, span_within};
use crate::span::Span;

/// Names of such blocks: of Jekyll, and of Hexo and Octopress.
const CODE: [(&[u8], &[u8]); 2] =
    [(b"{% highlight", b"{% endhighlight %}"), (b"{% codeblock", b"{% endcodeblock %}")];

/// Length of a fence: longer than those of the code in it, and not longer than a tag.
const FENCE_BYTES: usize = 12;

/// True for a document with such a block.
pub(super) fn has_code(text: &[u8]) -> bool {
    CODE.iter().any(|(start, _)| memmem::find(text, start).is_some())
}

/// Turns the tags around code into fences, so that links in the code are not links.
pub(super) fn fence_code(text: &mut [u8]) {
    for (start, end) in CODE {
        let (mut at, mut close) = (0, 0);
        while let Some(found) = memmem::find(text.clamped(at..), start) {
            let open = at + found;
            at = open + start.len();
            // Tags within a line stay, as do those without an end.
            // One end is looked for once, however many tags are before it.
            if close < at {
                let Some(length) = memmem::find(text.clamped(at..), end) else { break };
                close = at + length;
            }
            if !starts_line(text, open) || !starts_line(text, close) {
                continue;
            }
            // The rest of the tag is the info string of the fence.
            fill(text, open, FENCE_BYTES, b'~');
            fill(text, close, FENCE_BYTES, b'~');
            fill(text, close + FENCE_BYTES, end.len() - FENCE_BYTES, b' ');
            at = close + end.len();
        }
    }
}

/// Blanks lines that are only a tag (`{% tab 'a' %}`), which writes no text: the line is empty when
/// kramdown reads it. Tags with a URI stay.
pub(super) fn blank_tags(text: &mut [u8]) {
    super::dialects::for_each_line(text, |line| {
        let content = line.trim_ascii();
        let is_tag = content.starts_with(b"{%")
            && content.ends_with(b"%}")
            // Text may stand between two tags.
            && memmem::find_iter(content, b"%}").nth(1).is_none();
        let word = content.clamped(2..).trim_ascii_start();
        let word = word.strip_prefix(b"-").unwrap_or(word).trim_ascii_start();
        // Jekyll replaces these tags by an address or by the text of a file.
        let has_text = [&b"include"[..], b"link", b"post_url", b"render"]
            .iter()
            .any(|name| word.starts_with(name));
        if is_tag && !has_text && memmem::find(content, b"://").is_none() {
            line.fill(b' ');
        }
    });
}

/// Longest tag in bytes. The bound keeps time linear.
const MAX_TAG_BYTES: usize = 512;

/// Returns the spans between `{%` and `%}`.
pub(super) fn tags(text: &[u8]) -> impl Iterator<Item = Span> {
    memmem::find_iter(text, b"{%").filter_map(|at| {
        let rest = text.clamped(at + 2..);
        let rest = rest.clamped(..MAX_TAG_BYTES.min(rest.len()));
        let inside = rest.clamped(..memmem::find(rest, b"%}")?);
        // Text without an end continues to the tag of another paragraph.
        (memmem::find(inside, b"\n\n").is_none() && memmem::find(inside, b"{%").is_none())
            .then(|| span_within(inside, text))?
    })
}

/// Returns the name of a tag, and what follows it.
pub(super) fn name(tag: &[u8]) -> (&[u8], &[u8]) {
    let tag = tag.strip_prefix(b"-").unwrap_or(tag).trim_ascii_start();
    let end = tag.iter().position(u8::is_ascii_whitespace).unwrap_or(tag.len());
    // The hyphen of `{%- raw-%}` is not a part of the name.
    let end = if tag.clamped(..end).ends_with(b"-") { end - 1 } else { end };
    tag.split_at(end)
}

/// Returns the spans that Liquid shows unchanged or omits: the insides of `{% raw %}` and
/// `{% comment %}`.
pub(super) fn unread(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(&[u8], usize)> = None;
    for tag in tags(text) {
        let (name, _) = name(text.part(tag.range()));
        match open {
            None if matches!(name, b"raw" | b"comment") => open = Some((name, tag.end())),
            Some((opened, start)) if name.strip_prefix(b"end") == Some(opened) => {
                found.push(start..tag.start());
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// True for a place in one of these ranges, which are in order.
pub(super) fn is_in(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.start <= at)
}

/// Takes the brackets and backquotes of Markdown out of the arguments of tags: Liquid replaces the
/// tag before Markdown is read.
pub(super) fn neutralize_arguments(text: &mut [u8]) {
    let spans: Vec<Span> = tags(text).collect();
    for span in spans {
        for byte in text.get_mut(span.range()).unwrap_or_default() {
            if matches!(byte, b'[' | b']' | b'`') {
                *byte = b'\'';
            }
        }
    }
}

/// Returns the paths in `{% include a.html %}` and `{% include_relative a.md %}`, each with its
/// origin (Jekyll, "Includes").
pub(super) fn includes(text: &[u8]) -> Vec<(LinkOrigin, Span)> {
    // A tag of a block of code starts a fence by now, so it is not a tag any more.
    let mut unread_parts = None;
    let found = tags(text).filter_map(|tag| {
        let (name, rest) = name(text.part(tag.range()));
        let origin = match name {
            b"include" | b"include_cached" => LinkOrigin::LiquidInclude,
            b"include_relative" => LinkOrigin::LiquidRelative,
            _ => return None,
        };
        let rest = rest.trim_ascii_start();
        let path =
            rest.clamped(..rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()));
        // Jekyll refuses other names, or reads them as variables (`VALID_FILENAME_CHARS`).
        let is_char = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/.-()+~#@".contains(byte);
        let is_path = path.contains(&b'.') && path.iter().all(is_char);
        let span = span_within(path, text).filter(|_| is_path)?;
        let unread = unread_parts.get_or_insert_with(|| unread(text));
        (!is_in(unread, span.start())).then_some((origin, span))
    });
    found.collect()
}

/// True if only a few spaces precede `at` on its line, so that a fence may start there.
fn starts_line(text: &[u8], at: usize) -> bool {
    // A fence has at most three spaces before it (CommonMark §4.5), so the fourth byte must be the
    // line end.
    let before = text.clamped(at.saturating_sub(4)..at);
    let indentation = before.len() - before.trim_ascii_end().len();
    let blanks = before.clamped(before.len() - indentation..);
    let start = memchr::memrchr(b'\n', blanks);
    start.is_some() || at <= 3 && indentation == at
}

fn fill(text: &mut [u8], at: usize, length: usize, byte: u8) {
    if let Some(part) = text.get_mut(at..at + length) {
        part.fill(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fenced(text: &str) -> String {
        let mut text = text.as_bytes().to_vec();
        fence_code(&mut text);
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn code_gets_fences() {
        assert_eq!(
            fenced("a\n{% highlight md %}\n[b](c)\n{% endhighlight %}\nd"),
            "a\n~~~~~~~~~~~~ md %}\n[b](c)\n~~~~~~~~~~~~      \nd"
        );
        for same in [
            "a {% highlight md %}\n{% endhighlight %}",
            "{% highlight a %}\nb",
            "    {% highlight a %}\n{% endhighlight %}",
        ] {
            assert_eq!(fenced(same), same);
        }
    }

    #[test]
    fn tags_without_text_are_blank() {
        let mut text =
            b"{% tab %}\n    a\n{% include b %}\n{% if a %}c{% endif %}\n  {%- endtab -%}\n"
                .to_vec();
        blank_tags(&mut text);
        let expected =
            "         \n    a\n{% include b %}\n{% if a %}c{% endif %}\n                \n";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn arguments_are_no_markdown() {
        let mut text =
            b"[a](b) {% c d[E](f) `g` %} [h](i) {% [j](k)\n\n[l](m) %} {%- n [o] -%}".to_vec();
        neutralize_arguments(&mut text);
        let expected = "[a](b) {% c d'E'(f) 'g' %} [h](i) {% [j](k)\n\n[l](m) %} {%- n 'o' -%}";
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn included_files() {
        let text = "{% include a.html b=1 %} {%- include_relative c/d.md -%} {% include {{ e }}.html %} \
            {% raw %}{% include f.html %}{% endraw %} {% include g %} {%include h.html%} {% includes i.html %}";
        let found = includes(text.as_bytes());
        let found: Vec<_> = found.iter().map(|(it, span)| (*it, &text[span.range()])).collect();
        let expected = [
            (LinkOrigin::LiquidInclude, "a.html"),
            (LinkOrigin::LiquidRelative, "c/d.md"),
            (LinkOrigin::LiquidInclude, "h.html"),
        ];
        assert_eq!(found, expected);
    }
}
