//! Blocks of Liquid and its relatives that hold code: `{% highlight ruby %}` to `{% endhighlight %}`.

use memchr::memmem;

use crate::slice::SliceExt as _;

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

/// True if only a few spaces are before `at` on its line, so that a fence may stand there.
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
}
