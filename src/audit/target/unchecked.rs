//! `unchecked-target`: a reference that cannot be checked.

use std::borrow::Cow;

use crate::audit::finding::{cut, shown_path};
use crate::audit::sites::InferredRoot;
use crate::audit::target::{Unchecked, places};
use crate::audit::{AuditFinding, Check, LinkContext, Severity};

pub static CHECK: Check = Check {
    id: "unchecked-target",
    severity: Severity::Note,
    summary: "a reference that could not be checked, and why",
    rationale: "A check that was left out must be seen: a reference that starts with `/` needs the root of the site (RFC 3986 \
                section 4.2), and items of code are looked up by other tools.",
    fails: "[setup](/install.md)",
    passes: "[setup](install.md)",
};

const NO_ROOT: &str = "cannot tell which directory `/` is here";

/// True for a finding of this check.
pub fn is_unchecked(finding: &AuditFinding) -> bool {
    finding.check == &CHECK
}

/// True for a finding about an unknown root.
pub fn is_of_root(finding: &AuditFinding) -> bool {
    finding.check == &CHECK && finding.message == NO_ROOT
}

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    Some(finding(context, context.unchecked()?))
}

pub(super) fn finding(context: &LinkContext<'_>, why: Unchecked) -> AuditFinding {
    let (message, hint) = match why {
        Unchecked::NoRoot => (NO_ROOT, "set the root of the site, or its profile"),
        Unchecked::Above => {
            ("it leads above the tree or the site", "audit a directory that holds its target")
        }
        Unchecked::Copied => (
            "the pages are a copy of another repository's, and the link leaves what was copied",
            "audit the repository in which they are edited",
        ),
        Unchecked::Beside => (
            "it is next to the page, where a build may make other forms of it",
            "audit the finished site",
        ),
        Unchecked::Item => (
            "it may be an alias, an item of code or a label, which another tool looks up",
            "write the path of a file for a file",
        ),
        Unchecked::Built => (
            "`.gitignore` leaves it out of the repository, so that a build may make it",
            "audit the tree after the build",
        ),
        Unchecked::Submodule => (
            "it is in a submodule that is not checked out, whose files are those of another repository",
            "run `git submodule update --init`",
        ),
        Unchecked::Prepared => (
            "a build puts documents among those that are here, and may make it",
            "audit the tree after the build",
        ),
        Unchecked::Route => (
            "it may be the address of a page, and those are not the names of files here",
            "audit the finished site",
        ),
        Unchecked::Part => (
            "its document is a template or a part of other pages",
            "audit the pages that are made from it",
        ),
        Unchecked::Generated => (
            "it may be a page that the generator makes, such as that of a tag",
            "audit the finished site",
        ),
        Unchecked::Compiled => {
            ("a build may compile it from another file", "audit the tree after the build")
        }
        Unchecked::NoDocument => (
            "its target is not a document, so that its anchors are not known",
            "link to lines as `#L10` or `#L10-L20`",
        ),
        Unchecked::Apart => (
            "nothing here is below the first directory of its address, which may be published from elsewhere",
            "audit the finished site",
        ),
        Unchecked::Version => (
            "it is of a version that is not here, and may be published from elsewhere",
            "audit the finished site",
        ),
        Unchecked::Component => {
            ("a component of the site decides where it leads", "audit the finished site")
        }
        Unchecked::Reference => (
            "Hugo looks it up among all of its pages, and stops if there is none",
            "build the site",
        ),
        Unchecked::Host => (
            "nothing here is at this address of the site, and another repository may publish it below this host",
            "audit the finished site",
        ),
        Unchecked::Listing => (
            "it is a directory without an index, of which most servers show nothing",
            "link to a page, or add `index.html`",
        ),
        Unchecked::Crowded => {
            ("the settings name more directories than an audit looks in", "audit the finished site")
        }
        Unchecked::Unnamed => (
            "its host has the name of this project, so it may be a page of this site, whose settings name no host",
            "name the address of the site: `--base`",
        ),
        Unchecked::Made => (
            "many links lead there, none of what they name is here, and nothing else has these names: a program may \
             make it",
            "audit the finished site",
        ),
        Unchecked::Searched => (
            "one other directory has most of what links name without a directory, so a program may look there",
            "write the path, or audit the finished site",
        ),
        Unchecked::Unruled => (
            "no link of this form leads to a file, so the site may have a rule that is not known here",
            "audit the finished site, or set its profile",
        ),
        Unchecked::OtherRule => (
            "another rule makes such an anchor of a heading, and the links of the site name many of these",
            "set the rule: `--slugs`",
        ),
        Unchecked::OwnRule => (
            "the settings of the site have a rule of their own for anchors, and a heading starts like this one",
            "audit the finished site",
        ),
        Unchecked::Open => (
            "its page is made of more than its document, whose anchors are not known here",
            "audit the finished site",
        ),
    };
    let page = context.page;
    let copied = || page.site.left_copy_of(page.path, places(context).first()?);
    let message = match (why == Unchecked::Copied).then(copied).flatten() {
        Some(repository) => {
            let repository = cut(repository);
            Cow::Owned(format!("the pages are a copy of {repository}, and the link leaves it"))
        }
        None => Cow::Borrowed(message),
    };
    let inferred = context.page.site.inferred.as_ref().filter(|_| why == Unchecked::NoRoot);
    let hint = match inferred {
        Some(InferredRoot { directory, percent, .. }) => {
            let directory = shown_path(directory);
            Cow::Owned(format!(
                "below `{directory}` are {percent} % of the pages that such references name; if it is the root, use \
                 `--root {directory}`"
            ))
        }
        None => Cow::Borrowed(hint),
    };
    context.finding(&CHECK, message.into_owned()).hint(hint)
}
