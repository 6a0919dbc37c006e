//! `unchecked-target`: a reference that cannot be checked.

use std::borrow::Cow;

use crate::audit::finding::{cut, shown_path};
use crate::audit::sites::InferredRoot;
use crate::audit::target::places;
use crate::audit::{AuditFinding, Check, LinkContext, Severity};

pub static CHECK: Check = Check {
    id: "unchecked-target",
    severity: Severity::Note,
    summary: "a reference that could not be checked, and why",
    rationale: "An unchecked link must not look like a correct one: a reference that starts with `/` needs the root of \
                the site (RFC 3986 section 4.2), and other tools resolve code items.",
    fails: "[setup](/install.md)",
    passes: "[setup](install.md)",
};

/// Declares the reasons, each with its message and a hint.
macro_rules! unchecked {
    ($($name:ident => $message:literal, $hint:literal;)*) => {
        /// Reason why a destination cannot be checked.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Unchecked {
            $(#[doc = $message] $name,)*
        }

        impl Unchecked {
            /// Returns the message and the hint.
            const fn text(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$name => ($message, $hint),)*
                }
            }
        }
    };
}

unchecked! {
    NoRoot => "cannot tell which directory `/` is here",
        "set the root of the site, or its profile";
    Unknown => "the files beside its document are unknown, as for a member of an archive or an attachment, or cannot be read",
        "unpack it, and audit the directory";
    Above => "it is outside of the tree or the site",
        "audit a directory that holds its target";
    Copied => "the pages are copied from another repository, and the link leaves the copy",
        "audit the repository in which they are edited";
    Beside => "it is beside the page, where a build may write other formats",
        "audit the finished site";
    Item => "it may be an alias, a code item, or a label that another tool resolves",
        "if a file is meant, write its path";
    Built => "ignored by `.gitignore`, so a build may create it",
        "audit the tree after the build";
    Submodule => "it is in a submodule that is not checked out",
        "run `git submodule update --init`";
    Prepared => "a build adds documents to this tree, and may create it",
        "audit the tree after the build";
    Route => "it may be the address of a page, which differs from its file name",
        "audit the finished site";
    Part => "its document is a template, or a part of other pages",
        "audit the pages that are built from it";
    Generated => "it may be a generated page, such as that of a tag",
        "audit the finished site";
    Served => "a program of the server may answer this form; no file has the address",
        "if a page is meant, write its name";
    Compiled => "a build may compile it from another file",
        "audit the tree after the build";
    NoDocument => "its target is not a document, so its anchors are unknown",
        "link to lines as `#L10` or `#L10-L20`";
    Apart => "this tree has nothing below the first directory of its address; another repository may publish it",
        "audit the finished site";
    Version => "this version is not in the tree; it may be published from elsewhere",
        "audit the finished site";
    OtherComponent => "this tree does not have that component or version",
        "build the site";
    Component => "a component of the site decides where it leads",
        "audit the finished site";
    Reference => "Hugo searches all its pages for it, and fails the build if none matches",
        "build the site";
    Host => "this tree has no page at this address; another repository may publish it on the same host",
        "audit the finished site";
    Listing => "a directory without an index; most servers do not list it",
        "link to a page, or add `index.html`";
    Crowded => "the settings name more directories than an audit searches",
        "audit the finished site";
    Unnamed => "its host has the name of this project, so it may be a page of this site; the settings name no host",
        "name the address of the site: `--base`";
    Made => "many links lead to files or anchors here, and none of them exists: a program may create them",
        "audit the finished site";
    Searched => "one other directory has most files that links name without a directory, so a program may search it",
        "write the path, or audit the finished site";
    Unruled => "no link of this form leads to a file, so the site may follow a rule unknown to urigrep",
        "audit the finished site, or set its profile";
    OtherRule => "another rule derives this anchor from a heading, and many links of the site use that rule",
        "set the rule: `--slugs`";
    OwnRule => "the settings define their own anchors, and a heading matches the start of this one",
        "audit the finished site";
    Open => "the page has content beyond its document, so its anchors are unknown",
        "audit the finished site";
}

/// True for a finding of this check.
pub fn is_unchecked(finding: &AuditFinding) -> bool {
    finding.check == &CHECK
}

/// True for a finding about an unknown root.
pub fn is_of_root(finding: &AuditFinding) -> bool {
    finding.check == &CHECK && finding.message == Unchecked::NoRoot.text().0
}

/// True for a finding about a document that has no directory, or one that can't be read.
pub fn is_of_enclosed(finding: &AuditFinding) -> bool {
    finding.check == &CHECK && finding.message == Unchecked::Unknown.text().0
}

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    Some(finding(context, context.unchecked()?))
}

pub(super) fn finding(context: &LinkContext<'_>, why: Unchecked) -> AuditFinding {
    let (message, hint) = why.text();
    let page = context.page;
    let copied = || page.site.left_copy_of(page.path, places(context).first()?);
    let message = match (why == Unchecked::Copied).then(copied).flatten() {
        Some(repository) => {
            let repository = cut(repository);
            Cow::Owned(format!(
                "the pages are copied from {repository}, and the link leaves the copy"
            ))
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
