//! `placeholder`: a destination that its author forgot to fill in.
//!
//! Only destinations are checked, because text may explain a form. Template syntax (`{{ url }}`,
//! `${url}`) is ignored. An example host (RFC 2606) is reported only if the link's text does not
//! show or announce an example.

use std::ffi::OsStr;

use super::{is_example, is_one_of};
use crate::audit::link_context::AuditedPage;
use crate::audit::rare_bytes::RareBytes;
use crate::audit::{AuditFinding, Check, Label, LinkContext, LinkKind, Severity};
use crate::percent::octet;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::{Flag, Reason};

pub static CHECK: Check = Check {
    id: "placeholder",
    severity: Severity::Warning,
    summary: "a placeholder that was never replaced",
    rationale: "A stand-in such as `TODO`, `YOUR_NAME` or `example.com` (RFC 2606 section 3) leads \
                nowhere.",
    fails: "[manual](TODO)",
    passes: "[manual](install.md)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    if !context.is_destination() || context.is_program() || context.is_of_engine {
        return None;
    }
    let finding = |what| context.finding(&CHECK, what).hint("write the target of the link");
    let hole = hole(context).map(|name| {
        let finding = finding(format!("`{name}` is a placeholder that was not filled in"));
        // Of an autolink, the text is the URI, and text may explain a form.
        let is_shown = context.label().is_none() && !context.is_embedded();
        if is_shown || context.page.files.has_stand_in(&context.page.site, &name) {
            finding.mild()
        } else {
            finding
        }
    });
    // The settings of a site, a command line, or an including document may set an attribute of
    // AsciiDoc: all of 238 such findings of Hazelcast's documents were set by `antora.yml`.
    let hole = if context.page.has_attributes() { hole.map(AuditFinding::mild) } else { hole };
    hole.or_else(|| word(context).map(finding))
        .or_else(|| repository(context).map(finding))
        .or_else(|| example(context).map(|what| finding(what).mild()))
}

/// Reports `[text]()`, which Markdown turns into a link to the document itself.
pub fn check_empty(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    // In the summary of an mdBook, `[Title]()` is a draft chapter.
    let is_summary = page.path.file_name() == Some(OsStr::new("SUMMARY.md"));
    if is_summary || !page.is_source() {
        return;
    }
    // In other formats, a label may also lack its link because an attribute or a macro makes it:
    // 344 findings of docs-operations were such attributes of AsciiDoc.
    let is_empty = |label: &Label<'_>| {
        label.link.is_none() && page.facts.is_inline_link(label) && !page.facts.is_anchor(label)
    };
    for label in page.facts.labels().filter(is_empty) {
        let message = "the link target is empty".to_owned();
        sink(AuditFinding::new(&CHECK, label.span, message).hint("write the target of the link"));
    }
}

/// True for syntax of a template engine or shell; `written` has no white space around it.
pub fn is_of_engine(written: &str, rare_bytes: RareBytes) -> bool {
    if !rare_bytes.has(RareBytes::TEMPLATE_SYNTAX) {
        return false;
    }
    ["{{", "{%", "{#", "<%", "<?", "${", "#{", "$(", "%(", "%{", "@@", "{$", "$relpath^"]
        .iter()
        .any(|opener| written.contains(opener))
        || is_variable(written.as_bytes())
}

/// True for `%PUBLIC_URL%/a` of a bundler, `%ktor-version%` of Writerside, `%file;` of a document
/// type, and `%s` of `printf`.
fn is_variable(written: &[u8]) -> bool {
    let is_name = |at: usize| {
        let rest = written.clamped(at + 1..);
        let length =
            rest.leading(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let name = rest.clamped(..length);
        // In `%DEAD%20`, `%DE` is an octet and `AD` follows. In `%a_b%20`, the second sign starts
        // one.
        let is_octet = octet(written, at).is_some() && !name.contains(&b'_');
        let starts_octet =
            octet(written, at + 1 + length).is_some() && name.iter().any(u8::is_ascii_lowercase);
        let is_closed = match rest.get(length) {
            Some(b'%') => !starts_octet,
            Some(b';') => length > 2,
            // Of `tree/%plugin-version%"` in XML, the last sign is not in the reference.
            None => {
                let starts_segment = at > 0 && matches!(written.get(at - 1), Some(b'/' | b'='));
                starts_segment && name.contains(&b'-')
            }
            _ => false,
        };
        // In `%CDNDIR%%2F`, no octet starts at the second sign.
        let is_constant = || {
            let is_of_constant = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
            rest.get(length) == Some(&b'%')
                && octet(written, at + 1 + length).is_none()
                && name.iter().all(is_of_constant)
                && name.iter().any(|byte| !byte.is_ascii_hexdigit())
        };
        length > 1
            && is_closed
            && (!is_octet || is_constant())
            && name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
    };
    is_word_of_build(written)
        || matches!(written, [b'%', b'a'..=b'z'])
        || memchr::memchr_iter(b'%', written).any(is_name)
}

/// True for `@docroot@/a`, a variable of `configure`.
fn is_word_of_build(written: &[u8]) -> bool {
    let Some(rest) = written.strip_prefix(b"@") else { return false };
    let length = rest.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    length > 0
        && rest.get(length) == Some(&b'@')
        && matches!(rest.get(length + 1), None | Some(b'/' | b'#'))
}

/// Returns `<name>` or `{name}` in a URI.
fn hole(context: &LinkContext<'_>) -> Option<String> {
    let written = context.written;
    let (open, close) = match &context.link.kind {
        LinkKind::Rejected { reason: Reason::Template, .. } => ('<', '>'),
        LinkKind::Absolute(parsed) if parsed.flags.contains(Flag::Template) => ('{', '}'),
        _ => return None,
    };
    let (before, after) = written.split_once(open)?;
    // In `?search=Vec<T>`, the brackets belong to the search term.
    if open == '<' && before.contains(['?', '#']) {
        return None;
    }
    // References of APIs have anchors such as `#tag/users/GET/users/{id}`.
    if open == '{' && before.split_once('#').is_some_and(|(_, anchor)| anchor.contains('/')) {
        return None;
    }
    let (name, _) = after.split_once(close)?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ' | '.');
    if !name.chars().all(is_name) {
        return None;
    }
    Some(format!("{open}{name}{close}"))
}

/// Words written as a destination before there is one.
const WORDS: [&str; 21] = [
    "...",
    "fixme",
    "href",
    "insert-link-here",
    "insert-url-here",
    "link",
    "link-here",
    "link-to-docs",
    "link_here",
    "path/to/file",
    "path/to/image.png",
    "placeholder",
    "src",
    "tba",
    "tbd",
    "todo",
    "uri",
    "url",
    "url-here",
    "xxx",
    "your-link-here",
];

/// Reports a destination that is only such a word, unless it leads somewhere.
fn word(context: &LinkContext<'_>) -> Option<String> {
    let written = context.written;
    let bare = written.trim_start_matches('#');
    let is_word = WORDS.iter().any(|word| word.eq_ignore_ascii_case(bare));
    let is_name = || {
        // `CREATE_YOUR_FIRST_PAGE.html` is the name of a page.
        if !context.rare_bytes.has(RareBytes::PLACEHOLDER_WORD) || written.ends_with(".html") {
            return false;
        }
        let starts = memchr::memchr_iter(b'Y', written.as_bytes());
        let mut names = starts.filter_map(|at| written.get(at..)?.strip_prefix("YOUR"));
        names.any(|rest| rest.starts_with(['_', '-']))
    };
    if !is_word && !is_name() {
        return None;
    }
    let leads_somewhere = match (&context.link.kind, written.starts_with('#')) {
        (LinkKind::Relative(_), true) => context.page.anchors().contains(bare),
        (LinkKind::Relative(_), false) => {
            let target = context.target();
            target.is_some() && !context.leads_nowhere()
        }
        _ => false,
    };
    (!leads_somewhere).then(|| format!("`{written}` is a placeholder for a target"))
}

/// Hosts of repositories, and placeholders for the first two names of a path there.
const FORGES: [&str; 5] =
    ["github.com", "raw.githubusercontent.com", "gitlab.com", "bitbucket.org", "codeberg.org"];
const OWNERS: [&str; 12] = [
    "my-org",
    "myorg",
    "myusername",
    "owner",
    "user",
    "username",
    "you",
    "your-name",
    "your-org",
    "your-username",
    "yourname",
    "yourusername",
];
const REPOSITORIES: [&str; 9] = [
    "my-project",
    "my-repo",
    "myrepo",
    "project",
    "repo",
    "repo-name",
    "repository",
    "your-repo",
    "yourrepo",
];

/// Reports `https://github.com/username/repo`.
fn repository(context: &LinkContext<'_>) -> Option<String> {
    let (_, uri) = context.absolute()?;
    let host = uri.host()?;
    if !FORGES.contains(&host.strip_prefix("www.").unwrap_or(host)) {
        return None;
    }
    let path = uri.path().strip_prefix('/')?;
    let (owner, rest) = path.split_once('/').unwrap_or((path, ""));
    if !is_one_of(owner, &OWNERS) {
        return None;
    }
    let name = rest.split('/').next().unwrap_or_default();
    let [owner, name] = [owner, name].map(str::to_ascii_lowercase);
    let is_whole = owner.starts_with("your") || is_one_of(&name, &REPOSITORIES);
    is_whole.then(|| format!("`{owner}/{name}` is a placeholder for a repository"))
}

/// Reports an example host in a link whose text does not show an example.
fn example(context: &LinkContext<'_>) -> Option<String> {
    let (_, uri) = context.absolute()?;
    let host = uri.host()?;
    if !is_example(&uri) {
        return None;
    }
    let shows = |text: &str| {
        let text = text.to_lowercase();
        ["example", "sample", "demo", "test", "link", "url", "foo", "text", "://"]
            .iter()
            .any(|word| text.contains(word))
    };
    // Without a text, or with one that announces an example, the host is probably meant.
    let looks_real = match context.label() {
        Some(label) => !label.text.trim().is_empty() && !shows(label.text),
        None => false,
    };
    looks_real.then(|| format!("`{host}` is a reserved example host"))
}
