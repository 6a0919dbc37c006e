//! `missing-target`: a reference to a missing file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::audit::census::{extension, is_picture};
use crate::audit::finding::{cut, shown_path};
use crate::audit::fix::{moved_file, moved_target};
use crate::audit::form::FormTally;
use crate::audit::sites::{CollectionRule, MarkdownRule};
use crate::audit::target::evidence::{self, MoveTrace, Standing};
use crate::audit::target::{
    LeftPath, Unchecked, joined, left_path, own_site, page_name, unchecked,
};
use crate::audit::{AuditFinding, Check, LinkContext, PathStatus, Safety, Severity, paths};
use crate::document::LinkOrigin;
use crate::registry;

pub static CHECK: Check = Check {
    id: "missing-target",
    severity: Severity::Error,
    summary: "a reference to a file that does not exist",
    rationale: "It is resolved against the document or its base (RFC 3986 section 5), and no file \
                has that path.",
    fails: "[setup](instal.md)",
    passes: "[setup](install.md)",
};

/// Advice for links that all lead nowhere. The first one is a finding, the others are notes.
pub(super) const UNMET: &str = "either all of it was deleted or moved, or a program makes it: then audit the finished \
                                site, or exclude this link; the others are notes, shown by `--severity note`";

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let target = context.target()?;
    let PathStatus::Missing { nearest } = &target.entry else {
        return None;
    };
    let path = target.path.as_ref()?;
    if context.link.origin == LinkOrigin::TopicElement {
        // The attribute with the file has its own finding.
        return None;
    }
    if context.link.origin == LinkOrigin::PageName {
        return Some(page_name::finding(context, path, nearest.as_deref()));
    }
    let nearest = nearest.as_ref().filter(|name| may_be_meant(path, name));
    if own_site::is_own(context) {
        return Some(own_site::finding(context, path));
    }
    let (written, _) = context.split();
    if context.page.site.is_dead(written) {
        return Some(dead(context, written));
    }
    if let Some(left) = left_path(context, written, path)
        && context.page.files.probe(path) == PathStatus::File
    {
        return Some(left_as_written(context, path, written, left));
    }
    if !written.contains('/') && context.page.is_searched(path) {
        return Some(unchecked::finding(context, Unchecked::Searched));
    }
    let moved = moved_file(context, path);
    let trace = match (&moved, nearest) {
        (Some((Safety::Safe, _)), _) => MoveTrace::Moved,
        (_, Some(_)) => MoveTrace::Similar,
        (_, None) => MoveTrace::None,
    };
    if trace != MoveTrace::Moved
        && let Some(finding) = one_of_many(context, path)
    {
        return Some(finding);
    }
    // A menu lists the pages of the finished site, so the build may create whole directories.
    if matches!(
        context.link.origin,
        LinkOrigin::Menu | LinkOrigin::Program | LinkOrigin::SettingsFile
    ) && trace == MoveTrace::None
        && !evidence::is_beside(context, path)
    {
        return Some(unchecked::finding(context, Unchecked::Prepared));
    }
    let mut finding = context.finding(&CHECK, format!("no such file: `{}`", shown_path(path)));
    let mut weak = None;
    match evidence::standing(context, path, trace) {
        Standing::Certain => {}
        Standing::Likely(why) => weak = Some(why.to_owned()),
        Standing::Guess(tally) if !tally.is_first(context) => {
            return Some(unchecked::finding(context, Unchecked::Unruled));
        }
        Standing::Guess(tally) => weak = Some(unruled(&tally)),
    }
    if weak.is_some() {
        finding.severity = finding.severity.min(Severity::Warning);
    }
    // A forgotten scheme explains the fault better than a similar name.
    let hint = forgotten(context.written)
        .or_else(|| nearest.map(|name| format!("did you mean `{}`?", cut(name))))
        .or(weak);
    let fix = fix(context, path, moved, nearest.map(|name| &**name));
    Some(finding.suggest(fix, hint))
}

/// Returns the finding about a file that is missing beside many others.
fn one_of_many(context: &LinkContext<'_>, path: &Path) -> Option<AuditFinding> {
    if is_picture(context) {
        return None;
    }
    let group = context.page.missing_files(path, &extension(context))?;
    if !group.is_first(context) {
        return Some(unchecked::finding(context, Unchecked::Made));
    }
    let message = format!(
        "no such file: `{}`; {} other files there that links name are missing, too",
        shown_path(path),
        group.targets - 1
    );
    let finding = AuditFinding { severity: Severity::Warning, ..context.finding(&CHECK, message) };
    Some(finding.hint(UNMET))
}

/// Returns the new text of the link, and whether it is safe.
fn fix(
    context: &LinkContext<'_>,
    path: &Path,
    moved: Option<(Safety, PathBuf)>,
    nearest: Option<&str>,
) -> Option<(Safety, String)> {
    let origin = context.link.origin;
    // In an expression, only the path is known, and an included file has another directory.
    if context.is_in_expression() || origin.is_liquid() {
        return None;
    }
    // Where the pictures are once a command has set their directory, the path is right.
    if evidence::pictures_elsewhere(context).is_some() {
        return None;
    }
    let (safety, to) = moved_target(context, path, moved, nearest)?;
    let site = &context.page.site;
    // `a.mdx` without a dot is the name of a package.
    if origin == LinkOrigin::Import && !to.starts_with('.') {
        return None;
    }
    // The address of a page of Jekyll lacks the directory of its collection, and only a plugin
    // resolves the path of its source.
    let is_of_collection = |path: &str| path.split('/').rev().skip(1).any(|it| it.starts_with('_'));
    if site.rules().collections == CollectionRule::Underscored
        && is_of_collection(&to)
        && !is_of_collection(context.written)
    {
        return None;
    }
    if leads_into_statics(context, &to) {
        return None;
    }
    // A link that follows the rules of Sphinx or Hugo may violate those of the extension or
    // template that resolves it.
    let is_of_program = origin == LinkOrigin::Directive
        || origin.is_of_template()
        // Sphinx does not change the target of a picture, so the path of a source may lead nowhere.
        || context.page.has_directives() && context.link.attribute == Some("target")
        // A function of the settings gives pages other addresses (VitePress, "Route Rewrites").
        || site.rules().address_function.is_some_and(|word| site.program_has(word));
    Some((if is_of_program { Safety::Unsafe } else { safety }, to))
}

/// True for a path into a directory of files that the site copies to `/`, if the generator leaves
/// such paths as they are: `../static/a.png` of Hugo is no address.
fn leads_into_statics(context: &LinkContext<'_>, to: &str) -> bool {
    let site = &context.page.site;
    if site.rules().markdown != MarkdownRule::Kept || to.starts_with('/') {
        return false;
    }
    let path = to.split(['?', '#']).next().unwrap_or_default();
    let Some(place) = joined(context.page.directory(), path) else { return false };
    let mut statics = site.roots.iter().filter(|root| !site.content.contains(root));
    statics.any(|root| paths::below(root, &place).is_some())
}

/// True unless a page loads a script or style sheet, and the similar file is in another language: a
/// Rust program served its own `playground.js`, and the similar file `playground.rs` was that
/// program.
fn may_be_meant(missing: &Path, similar: &str) -> bool {
    const LOADED: [&str; 3] = ["css", "js", "mjs"];
    let extension = missing.extension().and_then(OsStr::to_str);
    let similar = Path::new(similar).extension().and_then(OsStr::to_str);
    !extension.is_some_and(|it| LOADED.contains(&it))
        || similar.is_some_and(|it| LOADED.contains(&it))
}

/// Returns the finding for a link that the generator wrote when its target was gone.
fn dead(context: &LinkContext<'_>, written: &str) -> AuditFinding {
    let message = format!("`{}` stands for a page that is gone", cut(written));
    let finding = AuditFinding { severity: Severity::Warning, ..context.finding(&CHECK, message) };
    finding.hint("link to another page, or remove the link")
}

/// Returns the finding for a path to a document that exists, but whose page has another address.
fn left_as_written(
    context: &LinkContext<'_>,
    path: &Path,
    written: &str,
    left: LeftPath,
) -> AuditFinding {
    let (generator, hint) = match left {
        LeftPath::Rooted => (
            "MkDocs",
            "set `validation.links.absolute_links: relative_to_docs`, or write a relative path",
        ),
        LeftPath::WithoutPrefix => {
            ("Zola", "write the path of the document below `content`, with `@/` before it")
        }
        LeftPath::OfCollection => (
            "Jekyll",
            "write the address of the page, which lacks the underscore of its collection",
        ),
    };
    let written = cut(written);
    let message =
        format!("{generator} leaves `{written}` as it is, which is not the address of a page");
    let finding = AuditFinding { severity: Severity::Warning, ..context.finding(&CHECK, message) };
    let reference = match left {
        // Only a plugin of Jekyll resolves the path of a source in a collection.
        LeftPath::OfCollection => None,
        LeftPath::Rooted | LeftPath::WithoutPrefix if context.page.is_trial => None,
        LeftPath::Rooted | LeftPath::WithoutPrefix => context.references_to(path),
    };
    finding.suggest(reference.map(|it| (Safety::Safe, it)), Some(hint.to_owned()))
}

/// The advice for links of one form that are all broken.
fn unruled(tally: &FormTally) -> String {
    format!(
        "none of {} links of this form leads to a file, so the site may have a rule that is not known here; the \
         others are notes, shown by `--severity note`",
        tally.missing
    )
}

/// Suggests a scheme if it was forgotten (RFC 3986 §4.5).
fn forgotten(written: &str) -> Option<String> {
    let host = written.split('/').next()?;
    let is_host = |host: &str| {
        host.rsplit_once('.').is_some_and(|(name, last)| !name.is_empty() && registry::tld(last))
    };
    match host.split_once('@') {
        Some((user, domain)) if !user.is_empty() && is_host(domain) && host == written => {
            Some(format!("if it is an address, write `mailto:{written}`"))
        }
        // `read.me` and `lib.rs` may be hosts or files.
        None if is_host(host) && (host.starts_with("www.") || host != written) => {
            Some(format!("if it is a host, write `https://{written}`"))
        }
        _ => None,
    }
}
