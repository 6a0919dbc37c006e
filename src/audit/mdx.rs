//! MDX for a reader of CommonMark: fences at any depth.
//!
//! MDX has no indented code, so a fence may be indented as deep as the component around it. CommonMark takes such a fence
//! for code, and the one that closes it for one that opens.

use std::borrow::Cow;
use std::path::Path;

/// The same text, byte for byte as long; in MDX the blanks before a deep fence come after it.
pub(super) fn prepared<'t>(path: &Path, text: &'t [u8]) -> Cow<'t, [u8]> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdx")) {
        return Cow::Borrowed(text);
    }
    let mut prepared = text.to_vec();
    for line in prepared.split_mut(|&byte| byte == b'\n') {
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_fence = line
            .get(blanks..)
            .is_some_and(|rest| rest.starts_with(b"```") || rest.starts_with(b"~~~"));
        if is_fence {
            line.rotate_left(blanks);
        }
    }
    Cow::Owned(prepared)
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
}
