//! MDX for a reader of CommonMark: text and fences at any depth.
//!
//! MDX has no indented code: what is in a component may be indented as deep as the component. CommonMark takes a deep line after
//! an empty one for code, and a fence that closes such code for one that opens.

use std::borrow::Cow;
use std::path::Path;

/// Looks like a blank, and is none to CommonMark.
const FORM_FEED: u8 = 0x0C;

/// So many columns make code (CommonMark §4.4).
const CODE: usize = 4;

/// The same text, byte for byte as long; in MDX the blanks before a deep fence come after it, and other lines are no code.
pub(super) fn prepared<'t>(path: &Path, text: &'t [u8]) -> Cow<'t, [u8]> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdx")) {
        return Cow::Borrowed(text);
    }
    let mut prepared = text.to_vec();
    let mut is_after_empty = true;
    for line in prepared.split_mut(|&byte| byte == b'\n') {
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = line.get(blanks..).unwrap_or_default();
        let is_empty = matches!(rest, [] | [b'\r']);
        if rest.starts_with(b"```") || rest.starts_with(b"~~~") {
            line.rotate_left(blanks);
        } else if is_after_empty && !is_empty {
            show(line);
        }
        is_after_empty = is_empty;
    }
    Cow::Owned(prepared)
}

/// Makes a line that is indented like code a line of text: its indentation ends before that.
fn show(line: &mut [u8]) {
    let mut columns = 0;
    for byte in line.iter_mut() {
        columns += match byte {
            b' ' => 1,
            b'\t' => CODE - columns % CODE,
            _ => return,
        };
        if columns >= CODE {
            *byte = FORM_FEED;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences() {
        let text = b"<A>\n    ```js\n    x\n  ```\n</A>\n";
        assert_eq!(&*prepared(Path::new("a.mdx"), text), b"<A>\n```js    \n    x\n```  \n</A>\n");
        assert_eq!(&*prepared(Path::new("a.md"), text), text);
    }

    #[test]
    fn deep_lines() {
        let text = b"<A>\n\n      a\n      b\n\n\tc\n \n   d\n</A>";
        let shown = b"<A>\n\n   \x0c  a\n      b\n\n\x0cc\n \n   d\n</A>";
        assert_eq!(&*prepared(Path::new("a.mdx"), text), shown);
    }
}
