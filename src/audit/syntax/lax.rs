//! `lax-uri`: a destination with characters that RFC 3986 does not allow unencoded (§2).

use crate::audit::identity::scheme;
use crate::audit::target::is_log;
use crate::audit::{AuditFinding, Check, LinkContext, Safety, Severity};
use crate::{Flag, Kind};

pub static CHECK: Check = Check {
    id: "lax-uri",
    severity: Severity::Warning,
    summary: "a destination with a character that must be percent-encoded",
    rationale: "RFC 3986 section 2 allows it in no URI; programs repair it differently, or cut \
                the reference there.",
    fails: "[a](https://a.dev/b|c)",
    passes: "[a](https://a.dev/b%7Cc)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    // Browsers repair backslashes and tabs, so what they read is a URI of another kind.
    let is_repaired = || !context.page.is_source() && context.written.contains(['\\', '\t']);
    let parsed = context.parsed().filter(|parsed| parsed.kind == Kind::Lax || is_repaired())?;
    // `page-{name}.html` is a template for others to fill in.
    let is_template = parsed.flags.contains(Flag::Template);
    // A `javascript:` URI may contain any characters, except in its scheme.
    let is_program = || {
        let scheme = context.written.split(':').next().unwrap_or_default();
        context.is_program() && !scheme.contains('\t')
    };
    if !context.is_destination() || is_program() || is_template || context.is_of_engine {
        return None;
    }
    // Writerside uses the literal path of code, including spaces.
    if context.is_code_source() {
        return None;
    }
    // It is unknown which characters an unknown scheme allows, and `unregistered-scheme` reports
    // it: 2,750 of these fixes for craftcms/docs would have changed the text that readers see.
    if scheme::unknown(context).is_some() {
        return None;
    }
    let written = context.written;
    // CommonMark §6.3 allows spaces between `<` and `>`, and its renderers encode them.
    let may_have_spaces = context.page.is_source();
    let counts = |c: char| !(c == ' ' && may_have_spaces);
    let found = || excluded(written).filter(|&(c, _)| counts(c));
    let followed = found().find(|&(c, in_fragment)| !(in_fragment && may_be_in_fragment(c)));
    let (character, in_fragment) = followed.or_else(|| found().next())?;
    let message = match character {
        '\\' if is_repaired() => "`\\` is not allowed in a URI; browsers read it as `/`".to_owned(),
        '\t' => "a tab is not allowed in a URI; browsers drop it".to_owned(),
        ' ' => "a space is not allowed here in a URI without percent-encoding".to_owned(),
        c => format!("`{c}` is not allowed here in a URI without percent-encoding"),
    };
    let finding = context.finding(&CHECK, message).hint(format!("write `{}`", parsed.uri));
    // White space or quotation marks, together with other such characters, often do not belong to
    // the URI.
    let is_doubtful = excluded(written).count() > 1
        && written.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    let safety = if is_doubtful { Safety::Unsafe } else { Safety::Safe };
    let finding = finding.fix(safety, parsed.uri);
    // Programs write change logs, with `^` and `dependabot[bot]` in them.
    let is_written = matches!(character, '^' | '[') && is_log(context.page.path);
    let is_followed = in_fragment && may_be_in_fragment(character);
    let is_mild = is_followed || is_written || character == '[' && has_stand_in(written);
    Some(if is_mild { finding.mild() } else { finding })
}

/// True for a segment such as `[account]`, which the reader fills in, or a router.
fn has_stand_in(written: &str) -> bool {
    written.split(['/', '?', '#']).any(|segment| {
        let name = segment.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        name.is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        })
    })
}

/// True for a character that every browser leaves in a fragment, and finds the anchor by (URL
/// Standard, fragment percent-encode set): 782 of 856 findings of accumulo's site were `#a(byte[])`
/// of Javadoc.
fn may_be_in_fragment(c: char) -> bool {
    matches!(c, '#' | '[' | ']' | '\\' | '^' | '{' | '|' | '}')
}

/// Returns the ASCII characters that are not allowed, or not a second time (RFC 3986 §2.2, §3.5),
/// and whether they are in the fragment.
fn excluded(written: &str) -> impl Iterator<Item = (char, bool)> {
    let mut in_fragment = false;
    let mut in_path = false;
    let after_authority = written.find("//").map_or(0, |at| at + 2);
    written.char_indices().filter_map(move |(at, c)| {
        in_path |= at >= after_authority && matches!(c, '/' | '?' | '#');
        let excluded = match c {
            '#' => std::mem::replace(&mut in_fragment, true),
            // Brackets are allowed around an IP literal.
            '[' | ']' => after_authority == 0 || in_path,
            '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | ' ' => true,
            c => c.is_ascii_control(),
        };
        excluded.then_some((c, in_fragment))
    })
}
