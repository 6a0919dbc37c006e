//! `unregistered-scheme`: a destination with an unknown scheme (RFC 7595), or a misspelled known
//! one.

use std::path::Path;

use crate::audit::target::is_page_scheme;
use crate::audit::{AuditFinding, Check, LinkContext, Safety, Severity, Spellings};
use crate::registry;

pub static CHECK: Check = Check {
    id: "unregistered-scheme",
    severity: Severity::Warning,
    summary: "a scheme that is neither registered with IANA nor in wide use",
    rationale: "No program knows what to do with it (RFC 7595 section 1); often it is a typo, or \
                a host without its `http://`.",
    fails: "[a](htpps://a.dev/)",
    passes: "[a](https://a.dev/)",
};

/// Schemes to compare misspellings with.
const COMMON: [&str; 5] = ["https", "http", "mailto", "ftp", "file"];

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let scheme = unknown(context)?;
    let slip = COMMON.into_iter().find(|common| is_slip(&scheme, common));
    if !context.is_destination() && slip.is_none() {
        return None;
    }
    let rest = context.written.get(scheme.len()..).unwrap_or_default();
    let message = format!("the scheme `{scheme}` is not known");
    let finding = context.finding(&CHECK, message);
    // All of 3,606 such findings of craftcms/docs had prefixes that a program of the site replaces.
    if slip.is_none() && context.page.files.has_site_scheme(&context.page.site, &scheme) {
        let hint = "many links have it, so a program of the site seems to replace it";
        return Some(finding.hint(hint).mild());
    }
    Some(if let Some(slip) = slip {
        let to = format!("{slip}{rest}");
        finding.hint(format!("did you mean `{to}`?")).fix(Safety::Unsafe, to)
    } else if is_host(&scheme) && rest.starts_with(|c: char| c == ':' && !rest.starts_with("://")) {
        finding.hint(format!("if it is a host, write `http://{scheme}{rest}`"))
    } else if Path::new(&scheme).extension().is_some() {
        finding.hint(format!("if it is a file, write `./{scheme}{rest}`"))
    } else if rest.starts_with("://") && Spellings::new(COMMON).nearest(&scheme).is_none() {
        // Applications use schemes that they never register, so this is only a note.
        finding.mild()
    } else {
        finding
    })
}

/// Returns the scheme of a URI, in lower case, if it is unknown.
pub(in crate::audit) fn unknown(context: &LinkContext<'_>) -> Option<String> {
    let (_, uri) = context.absolute()?;
    // Fast path: most links have these schemes.
    if matches!(uri.scheme(), "http" | "https" | "mailto") {
        return None;
    }
    let scheme = uri.scheme().to_ascii_lowercase();
    // A compound scheme, such as `git+https`, is known by its last part.
    let parts = || scheme.rsplit('+').next().unwrap_or_default();
    let format = context.page.facts.format();
    let is_known = registry::is_scheme(scheme.as_bytes())
        || registry::is_scheme(parts().as_bytes())
        || context.page.site.knows(&scheme)
        // DocFX and MyST look up items of code by `xref:System.String`.
        || scheme == "xref" && context.page.is_source()
        || format.is_some_and(|format| format.schemes().contains(&scheme.as_str()))
        || is_page_scheme(context)
        || context.page.files.has_label(&context.page.site, context.written);
    (!is_known).then_some(scheme)
}

/// True for a host name, as before a port.
fn is_host(scheme: &str) -> bool {
    let last = scheme.rsplit('.').next();
    scheme == "localhost" || scheme.contains('.') && last.is_some_and(registry::tld)
}

/// True if `scheme` is `common` with one letter added, missing, wrong, or swapped.
fn is_slip(scheme: &str, common: &str) -> bool {
    let (a, b) = (scheme.as_bytes(), common.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let rest = |bytes: &[u8], skip: usize| bytes.get(same + skip..).map(<[u8]>::to_vec);
    let (none, one_a, one_b) = (rest(a, 0), rest(a, 1), rest(b, 1));
    let swapped = match (a.get(same..same + 2), b.get(same..same + 2)) {
        (Some(&[c, d]), Some(&[e, f])) => c == f && d == e && rest(a, 2) == rest(b, 2),
        _ => false,
    };
    same > 0
        && (swapped
            || one_a.is_some() && (one_a == rest(b, 0) || one_a == one_b)
            || one_b.is_some() && none == one_b)
}
