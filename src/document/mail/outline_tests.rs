//! Compares the outline of a header from [`crate::scan`] with its fields.

use super::head::Head;
use super::header::FieldIter;
use crate::scan::{FieldValues, HeaderOutline, SHORT_FIELD};
use proptest::prelude::*;

/// Texts that mostly start with fields.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[A-Za-z-]{1,70}: [a-z:=?]{0,70}\n",
        "[!-~é]{1,20}:[a-z=? \t]{0,90}\r?\n",
        Just("Content-Type: text/plain\n".to_owned()),
        Just("cc:a\n".to_owned()),
        "[ \t][a-z:=?]{0,80}\n",
        "[ \t][a-z]{500,700}\n",
        "(Subject :|>?From a|--a:|:|\n|\r|a|é)",
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #[test]
    fn equals_fields(text in text(), skip in 0usize..70) {
        let at = skip.min(text.len());
        let outline = HeaderOutline::read(&text, at);
        let mut fields = FieldIter::new(&text, at);
        let mut content = None;
        while fields.at < outline.end {
            let start = fields.at;
            let field = fields.next().expect("it was outlined");
            prop_assert_eq!(field.whole.start(), start, "no line of an mbox");
            if field.whole.len() > SHORT_FIELD {
                prop_assert_eq!(outline.values, FieldValues::Any);
            }
            if field.name.len() > 7 && field.name[..8].eq_ignore_ascii_case(b"content-") {
                content = content.or(Some(start));
            }
        }
        prop_assert_eq!(fields.at, outline.end);
        prop_assert_eq!(outline.content.filter(|at| *at < outline.end), content);
        if memchr::memmem::find(&text[at..outline.end], b"=?").is_some() {
            prop_assert_eq!(outline.values, FieldValues::Any);
        }
        // The outline does not change the header.
        let outlined = Head::read(&text, at, outline, |_| true);
        let read = Head::read(&text, at, HeaderOutline::nothing(at), |_| true);
        prop_assert!(outlined.is_same(&read), "{:?} {:?}", outlined, read);
        if outline.end == at {
            return Ok(());
        }
        // It ends where a full parse is needed, or near the end.
        let rest = FieldIter::new(&text, outline.end).next();
        if let Some(rest) = rest && rest.whole.end() + 64 < text.len() {
            let line = &text[outline.end..];
            let colon = line.iter().position(|&byte| byte == b':').unwrap();
            let name = line[..colon].iter().any(|byte| byte.is_ascii_whitespace());
            prop_assert!(line.starts_with(b"-") || name, "{:?}", rest.whole);
        }
    }
}
