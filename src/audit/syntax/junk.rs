//! `trailing-junk`: the end of a destination looks like a delimiter or punctuation of the text
//! around it (RFC 3986 Appendix C), or delimiters enclose all of it.
//!
//! A single `.` is not junk (`/wiki/Foo_Inc.`), unless it follows a closing bracket or an
//! extension. A relative reference is only checked if its target is missing.

use crate::audit::{AuditFinding, Check, LinkContext, LinkKind, Safety, Severity};
use crate::registry;

pub static CHECK: Check = Check {
    id: "trailing-junk",
    severity: Severity::Warning,
    summary: "a destination that includes punctuation or a delimiter of the surrounding text",
    rationale: "When people copy a URI out of text, the punctuation around it often comes with it \
                (RFC 3986 Appendix C).",
    fails: "[a](https://a.dev/page,)",
    passes: "[a](https://a.dev/page)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    if !context.is_destination() || context.is_program() {
        return None;
    }
    let written = context.written;
    // A text to find may end in anything (URL Fragment Text Directives, section 3).
    if written.contains(":~:") {
        return None;
    }
    if let Some(uri) = wrapped(context) {
        let message = if written.starts_with(is_unseen) {
            "invisible characters are a part of this URI: browsers look for a file"
        } else {
            "the marks around this URI are a part of it: browsers look for a file"
        };
        let finding = context.finding(&CHECK, message.to_owned());
        return Some(finding.hint(format!("write `{uri}`")).fix(Safety::Safe, uri));
    }
    let kept = kept(written);
    let junk = written.get(kept.len()..).filter(|junk| !junk.is_empty())?;
    // A rejected destination is reported as invalid, and an existing file may have any name.
    let is_rejected = matches!(context.link.kind, LinkKind::Rejected { .. });
    let is_remote = || context.absolute().is_some_and(|(_, uri)| uri.host().is_some());
    if kept.is_empty() || is_rejected || !(is_remote() || context.leads_nowhere()) {
        return None;
    }
    // The rest may not exist either.
    let safety =
        if is_remote() || context.would_pass(kept) { Safety::Safe } else { Safety::Unsafe };
    let message = format!("`{junk}` at the end looks like a part of the text around the URI");
    let finding = context.finding(&CHECK, message).hint(format!("write `{kept}`"));
    Some(finding.fix(safety, kept))
}

/// Returns the URI in a destination that has marks around it: no scheme starts with a mark.
fn wrapped<'c>(context: &'c LinkContext<'_>) -> Option<&'c str> {
    match context.link.kind {
        LinkKind::Absolute(parsed) if !context.written.starts_with(char::is_alphanumeric) => {
            Some(parsed.uri)
        }
        _ => None,
    }
}

/// True for invisible characters, unless the format removes them.
fn is_unseen(c: char) -> bool {
    !c.is_ascii() && registry::is_unseen(c)
}

/// Encoded quotes, brackets, and blanks, each with its opening partner.
const ENCODED: [(&str, &str); 12] = [
    ("%22", "%22"),
    ("%27", "%27"),
    ("%60", "%60"),
    ("%3E", "%3C"),
    ("%3e", "%3c"),
    ("%20", ""),
    ("%0A", ""),
    ("%0a", ""),
    ("%0D", ""),
    ("&gt;", "&lt;"),
    ("&quot;", "&quot;"),
    ("&nbsp;", ""),
];

/// Largest number of pieces removed; each takes a scan of the whole destination.
const MAX_PIECES: usize = 16;

/// Extensions after which a dot ends a sentence.
const PAGES: [&str; 6] = [".html", ".htm", ".md", ".pdf", ".php", ".txt"];

fn kept(written: &str) -> &str {
    let mut kept = written;
    for _ in 0..MAX_PIECES {
        let shorter = shorter(kept, kept.len() < written.len());
        if shorter.len() == kept.len() {
            break;
        }
        kept = shorter;
    }
    kept
}

/// Removes one piece of junk. After junk, sentence punctuation is junk, too.
fn shorter(text: &str, after_junk: bool) -> &str {
    let mut chars = text.chars();
    let Some(last) = chars.next_back() else {
        return text;
    };
    let rest = chars.as_str();
    let is_encoded = last == ';' || text.as_bytes().iter().rev().nth(2) == Some(&b'%');
    let encoded = ENCODED.iter().filter(|_| is_encoded).find_map(|(encoded, opener)| {
        let rest = text.strip_suffix(encoded)?;
        // A pair of encoded quotes is data: `label%3A%22help+wanted%22`.
        let opened = match opener {
            &"" => 0,
            opener if opener == encoded => rest.matches(opener).count() % 2,
            opener => usize::from(rest.matches(opener).count() > rest.matches(encoded).count()),
        };
        // `?label=%20` is a value, and a search term may end in anything.
        let is_value = rest.contains('?') && (rest.ends_with('=') || opener.is_empty());
        (opened == 0 && !is_value).then_some(rest)
    });
    if let Some(rest) = encoded {
        return rest;
    }
    let unpaired = |open: char| rest.matches(open).count() <= rest.matches(last).count();
    let is_junk = match last {
        ')' => unpaired('('),
        ']' => unpaired('['),
        '}' => unpaired('{'),
        '>' => unpaired('<'),
        '"' | '`' => rest.matches(last).count() % 2 == 0,
        ',' => true,
        '.' => {
            let lower = rest.to_ascii_lowercase();
            after_junk
                || PAGES.iter().any(|page| lower.ends_with(page))
                || !rest.ends_with(['.', ';', '\'', ':', '!', '?'])
                    && shorter(rest, true).len() < rest.len()
        }
        ';' | '\'' | ':' | '!' | '?' => after_junk,
        '\u{201D}' | '\u{2019}' | '\u{BB}' | '\u{3002}' | '\u{FF0C}' | '\u{3001}' => true,
        '\u{FF09}' => unpaired('\u{FF08}'),
        '\u{300D}' => unpaired('\u{300C}'),
        // An emoji may end in a variation selector or a tag.
        '\u{FE00}'..='\u{FE0F}' | '\u{E0000}'.. => false,
        _ => is_unseen(last),
    };
    if is_junk { rest } else { text }
}
