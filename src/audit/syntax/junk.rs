//! `trailing-junk`: what stands at the end of a destination and looks like a delimiter or punctuation
//! of the text around it (RFC 3986 Appendix C).
//!
//! `.` alone is no junk (`/wiki/Foo_Inc.`), unless it follows a closing bracket or an extension. Of a
//! relative reference only what leads nowhere is looked at.

use crate::audit::facts::Said;
use crate::audit::fault::{Check, Fault, Severity};
use crate::audit::subject::Subject;

pub static CHECK: Check = Check {
    id: "trailing-junk",
    severity: Severity::Warning,
    summary: "a destination that ends in a delimiter or punctuation of the text around it",
    rationale: "URIs are cut out of running text by hand, and what stood around them comes along \
                (RFC 3986 Appendix C).",
};

pub fn check(subject: &Subject<'_>) -> Option<Fault> {
    if !subject.is_destination() || subject.is_program() {
        return None;
    }
    let written = subject.link.written.trim();
    let kept = kept(written);
    let junk = written.get(kept.len()..).filter(|junk| !junk.is_empty())?;
    let is_rejected = matches!(subject.link.said, Said::Rejected { .. });
    let is_remote = || {
        subject
            .absolute()
            .is_some_and(|(_, uri)| uri.host().is_some())
    };
    if kept.is_empty() || is_rejected || !(is_remote() || subject.leads_nowhere()) {
        return None;
    }
    let message = format!("`{junk}` at the end looks like a part of the text around the URI");
    Some(
        subject
            .fault(&CHECK, message)
            .hint(format!("write `{kept}`")),
    )
}

/// What encoded quotes, brackets and blanks look like.
const ENCODED: [&str; 12] = [
    "%22", "%27", "%60", "%3c", "%3e", "%20", "%0a", "%0d", "&gt", "&lt", "&quot", "&nbsp",
];

/// Extensions after which a dot ends a sentence.
const PAGES: [&str; 6] = [".html", ".htm", ".md", ".pdf", ".php", ".txt"];

/// What is left without the junk.
fn kept(written: &str) -> &str {
    let mut kept = written;
    loop {
        let shorter = shorter(kept, kept.len() < written.len());
        if shorter.len() == kept.len() {
            return kept;
        }
        kept = shorter;
    }
}

/// Without one piece of junk. After junk, a soft character is junk too.
fn shorter(text: &str, after_junk: bool) -> &str {
    let Some(last) = text.chars().next_back() else {
        return text;
    };
    let rest = &text[..text.len() - last.len_utf8()];
    let encoded = ENCODED.iter().find(|encoded| {
        let tail = text.get(text.len().wrapping_sub(encoded.len())..);
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(encoded))
    });
    if let Some(encoded) = encoded {
        return &text[..text.len() - encoded.len()];
    }
    let unpaired = |open: char| rest.matches(open).count() <= rest.matches(last).count();
    let is_junk = match last {
        ')' => unpaired('('),
        ']' => unpaired('['),
        '}' => unpaired('{'),
        '>' => unpaired('<'),
        ',' | '"' | '`' => true,
        ';' => !is_reference(rest),
        '.' => {
            let lower = rest.get(rest.len().saturating_sub(5)..).unwrap_or_default();
            let lower = lower.to_ascii_lowercase();
            after_junk
                || PAGES.iter().any(|page| lower.ends_with(page))
                || (rest.ends_with([')', '"', '>']) && shorter(rest, true).len() < rest.len())
        }
        '\'' | ':' | '!' | '?' => after_junk,
        '\u{201D}' | '\u{2019}' | '\u{201E}' | '\u{BB}' | '\u{3002}' | '\u{FF0C}' | '\u{3001}' => {
            true
        }
        '\u{FF09}' => unpaired('\u{FF08}'),
        '\u{300D}' => unpaired('\u{300C}'),
        _ => false,
    };
    if is_junk { rest } else { text }
}

/// True when a `;` after it would end a character reference, whose rest is not that of [`ENCODED`].
fn is_reference(text: &str) -> bool {
    let name = text.rsplit_once('&').map(|(_, name)| name);
    name.is_some_and(|name| {
        let encoded = ENCODED
            .iter()
            .any(|encoded| encoded.strip_prefix('&') == Some(name));
        !encoded && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn what_is_left() {
        for (written, left) in [
            ("http://a.example/page).", "http://a.example/page"),
            ("http://a.example/page),", "http://a.example/page"),
            ("http://a.example/b&gt;", "http://a.example/b"),
            ("http://a.example/b%22", "http://a.example/b"),
            ("http://a.example/b%3E.", "http://a.example/b"),
            ("http://a.example/b,", "http://a.example/b"),
            ("http://a.example/x.html.", "http://a.example/x.html"),
            ("http://a.example/b%20", "http://a.example/b"),
            ("http://a.example/b”", "http://a.example/b"),
            ("http://a.example/b;", "http://a.example/b"),
        ] {
            assert_eq!(kept(written), left);
        }
        for whole in [
            "http://a.example/Foo_(bar)",
            "http://a.example/Foo_Inc.",
            "http://a.example/?a=b&c;",
            "http://a.example/a[1]",
            "http://a.example/it's!",
            "http://a.example/what?",
            "http://a.example/",
        ] {
            assert_eq!(kept(whole), whole);
        }
    }
}
