//! What a check of a link sees: the link, its document, and where it leads.

use std::cell::OnceCell;
use std::fmt;
use std::path::Path;

use super::anchors::Anchors;
use super::facts::{Facts, Label, Link, LinkKind, ParsedLink};
use super::finding::{AuditFinding, Check};
use super::lookup::{Entry, TargetLookup};
use super::options::AuditOptions;
use super::target::{LinkTarget, target};
use crate::container::document::{Format, Role};
use crate::grammar::Uri;

/// One document under audit.
pub(super) struct Scope<'s> {
    pub path: &'s Path,
    pub facts: &'s Facts,
    pub options: &'s AuditOptions,
    pub files: &'s dyn TargetLookup,
    anchors: OnceCell<Anchors>,
}

impl<'s> Scope<'s> {
    pub fn new(
        path: &'s Path,
        facts: &'s Facts,
        options: &'s AuditOptions,
        files: &'s dyn TargetLookup,
    ) -> Self {
        Self { path, facts, options, files, anchors: OnceCell::new() }
    }

    /// The anchors of the document itself.
    pub fn anchors(&self) -> &Anchors {
        self.anchors.get_or_init(|| self.facts.anchors(self.options.slugs))
    }

    pub fn is_markdown(&self) -> bool {
        self.facts.format() == Some(Format::Markdown)
    }
}

/// One link under audit, as a check sees it.
pub struct LinkContext<'s> {
    pub(super) link: &'s Link,
    pub(super) scope: &'s Scope<'s>,
    target: OnceCell<Option<LinkTarget>>,
}

impl fmt::Debug for LinkContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LinkContext").field(self.link).finish()
    }
}

impl<'s> LinkContext<'s> {
    pub(super) fn new(link: &'s Link, scope: &'s Scope<'s>) -> Self {
        Self { link, scope, target: OnceCell::new() }
    }

    /// The link.
    pub fn link(&self) -> &'s Link {
        self.link
    }

    /// The document.
    pub fn facts(&self) -> &'s Facts {
        self.scope.facts
    }

    /// The path of the document.
    pub fn path(&self) -> &'s Path {
        self.scope.path
    }

    /// The URI, if it is one.
    pub fn uri(&self) -> Option<Uri<'s>> {
        Some(self.absolute()?.1)
    }

    /// True for a destination, false for a URI in the text.
    pub fn is_destination(&self) -> bool {
        self.link.role == Role::Destination
    }

    /// The text that leads here, the first if there are several.
    pub fn label(&self) -> Option<&'s Label> {
        self.scope.facts.labels().get(self.link.label?)
    }

    /// The reference, absolute or relative, if it is valid.
    pub fn parsed(&self) -> Option<&'s ParsedLink> {
        match &self.link.kind {
            LinkKind::Absolute(parsed) | LinkKind::Relative(parsed) => Some(parsed),
            LinkKind::Rejected { .. } | LinkKind::Empty => None,
        }
    }

    pub(super) fn absolute(&self) -> Option<(&'s ParsedLink, Uri<'s>)> {
        match &self.link.kind {
            LinkKind::Absolute(parsed) => Some((parsed, Uri::parse(&parsed.uri).ok()?)),
            _ => None,
        }
    }

    /// True for a URI in the text of HTML, whose reader does not tell `<pre>` apart.
    pub(super) fn may_be_code(&self) -> bool {
        !self.is_destination() && self.scope.facts.format() == Some(Format::Html)
    }

    /// True for what is shown or run as a part of the document: an image, a script, a style sheet.
    pub(super) fn is_embedded(&self) -> bool {
        let attribute = self.link.attribute.as_deref();
        let element = self.link.element.as_deref();
        matches!(attribute, Some("src" | "srcset" | "poster" | "data" | "style"))
            || matches!(element, Some("image" | "style" | "link" | "img"))
    }

    /// Where it leads in the tree; `None` when it leads out of it, or that is unknown.
    pub(super) fn target(&self) -> Option<&LinkTarget> {
        self.target.get_or_init(|| target(self)).as_ref()
    }

    /// True when it leads to a place in the tree where nothing is.
    pub(super) fn leads_nowhere(&self) -> bool {
        let target = self.target();
        target.is_some_and(|target| matches!(target.entry, Entry::Missing { .. }))
    }

    /// True for a URI that is a program or a document itself, in which `%` and quotes have meanings of their own.
    pub(super) fn is_program(&self) -> bool {
        let programs = ["javascript", "data", "vbscript"];
        self.uri().is_some_and(|uri| {
            let is_scheme = |program: &&str| uri.scheme().eq_ignore_ascii_case(program);
            programs.iter().any(is_scheme)
        })
    }

    /// True for the name of an item of code: `crate::a`, `fn@b` or `c()` in the Markdown that rustdoc
    /// reads, `std::fmt` anywhere.
    pub(super) fn is_code_path(&self) -> bool {
        is_code_path(&self.link.written, self.scope.is_markdown())
    }

    /// A finding about the whole link.
    pub(super) fn finding(&self, check: &'static Check, message: String) -> AuditFinding {
        AuditFinding {
            check,
            span: self.link.span,
            uri: Some(self.link.written.clone()),
            message,
            hint: None,
        }
    }
}

impl AuditFinding {
    /// With what to do.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// What rustdoc lets stand before `@` to say what kind of item it means.
const KINDS: [&str; 22] = [
    "attr",
    "const",
    "constant",
    "derive",
    "enum",
    "field",
    "fn",
    "function",
    "macro",
    "method",
    "mod",
    "module",
    "prim",
    "primitive",
    "static",
    "struct",
    "trait",
    "tyalias",
    "type",
    "typealias",
    "union",
    "value",
];

/// See [`LinkContext::is_code_path`].
pub(super) fn is_code_path(written: &str, in_markdown: bool) -> bool {
    let written = written.trim().trim_matches('`');
    let is_anchor = |name: &str| matches!(name, "crate" | "self" | "super" | "Self");
    if in_markdown && written.split('#').next().is_some_and(is_anchor) {
        return true;
    }
    if let Some((before, after)) = written.split_once(':')
        && after.starts_with(':')
        && !before.contains(['/', '#'])
    {
        return true;
    }
    let path = written.split(['#', '(']).next().unwrap_or_default();
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '!'))
    };
    in_markdown
        && (written.ends_with("()") || written.ends_with('!') || kind(written).is_some())
        && is_name(kind(path).unwrap_or(path))
}

/// What follows the kind of an item, if one stands there.
fn kind(written: &str) -> Option<&str> {
    let (kind, name) = written.split_once('@')?;
    KINDS.contains(&kind).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::is_code_path;

    #[test]
    fn items_of_code_are_no_references() {
        for path in [
            "crate::a::B",
            "std::fmt",
            "Vec::new()",
            "Foo::bar#examples",
            "Option<T>::map",
            "<T as Into>::into",
            "fn@main",
            "struct@Foo",
            "vec!",
            "main()",
            "`a::b`",
            "macro@vec!",
            "super#warning",
        ] {
            assert!(is_code_path(path, true), "{path}");
        }
        for reference in
            ["a.md", "LICENSE", "http://a::b/", "me@b.example", "a/b()", "#x!", "x.html"]
        {
            assert!(!is_code_path(reference, true), "{reference}");
        }
        assert!(!is_code_path("main()", false));
    }
}
