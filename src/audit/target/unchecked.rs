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
    rationale: "A check that was left out must be seen: a reference that starts with `/` needs the root of the site (RFC 3986 \
                section 4.2), and items of code are looked up by other tools.",
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
    Above => "it leads above the tree or the site",
        "audit a directory that holds its target";
    Copied => "the pages are a copy of another repository's, and the link leaves what was copied",
        "audit the repository in which they are edited";
    Beside => "it is next to the page, where a build may make other forms of it",
        "audit the finished site";
    Item => "it may be an alias, an item of code or a label, which another tool looks up",
        "write the path of a file for a file";
    Built => "`.gitignore` leaves it out of the repository, so that a build may make it",
        "audit the tree after the build";
    Submodule => "it is in a submodule that is not checked out, whose files are those of another repository",
        "run `git submodule update --init`";
    Prepared => "a build puts documents among those that are here, and may make it",
        "audit the tree after the build";
    Route => "it may be the address of a page, and those are not the names of files here",
        "audit the finished site";
    Part => "its document is a template or a part of other pages",
        "audit the pages that are made from it";
    Generated => "it may be a page that the generator makes, such as that of a tag",
        "audit the finished site";
    Compiled => "a build may compile it from another file",
        "audit the tree after the build";
    NoDocument => "its target is not a document, so that its anchors are not known",
        "link to lines as `#L10` or `#L10-L20`";
    Apart => "nothing here is below the first directory of its address, which may be published from elsewhere",
        "audit the finished site";
    Version => "it is of a version that is not here, and may be published from elsewhere",
        "audit the finished site";
    Component => "a component of the site decides where it leads",
        "audit the finished site";
    Reference => "Hugo looks it up among all of its pages, and stops if there is none",
        "build the site";
    Host => "nothing here is at this address of the site, and another repository may publish it below this host",
        "audit the finished site";
    Listing => "it is a directory without an index, of which most servers show nothing",
        "link to a page, or add `index.html`";
    Crowded => "the settings name more directories than an audit looks in",
        "audit the finished site";
    Unnamed => "its host has the name of this project, so it may be a page of this site, whose settings name no host",
        "name the address of the site: `--base`";
    Made => "many links lead there, none of what they name is here, and nothing else has these names: a program may make it",
        "audit the finished site";
    Unruled => "no link of this form leads to a file, so the site may have a rule that is not known here",
        "audit the finished site, or set its profile";
    OtherRule => "another rule makes such an anchor of a heading, and the links of the site name many of these",
        "set the rule: `--slugs`";
    OwnRule => "the settings of the site have a rule of their own for anchors, and a heading starts like this one",
        "audit the finished site";
    Open => "its page is made of more than its document, whose anchors are not known here",
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
