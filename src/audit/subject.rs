//! What a check of a link sees: the link, its document, and what stands around it.

use std::cell::OnceCell;
use std::path::Path;

use super::anchors::Anchors;
use super::facts::{Facts, Label, Link, Reading, Said};
use super::fault::{Check, Fault};
use super::options::Options;
use super::target::{Target, target};
use super::tree::{Entry, Tree};
use crate::container::document::{Format, Role};
use crate::grammar::Uri;

/// One document under audit.
pub(super) struct Scope<'s> {
    pub path: &'s Path,
    pub facts: &'s Facts,
    pub options: &'s Options,
    pub tree: &'s dyn Tree,
    anchors: OnceCell<Anchors>,
}

impl<'s> Scope<'s> {
    pub fn new(path: &'s Path, facts: &'s Facts, options: &'s Options, tree: &'s dyn Tree) -> Self {
        Self {
            path,
            facts,
            options,
            tree,
            anchors: OnceCell::new(),
        }
    }

    /// The anchors of the document itself.
    pub fn anchors(&self) -> &Anchors {
        self.anchors
            .get_or_init(|| self.facts.anchors(self.options.slugs))
    }

    pub fn is_markdown(&self) -> bool {
        self.facts.format() == Some(Format::Markdown)
    }
}

/// One link under audit.
pub(super) struct Subject<'s> {
    pub link: &'s Link,
    pub scope: &'s Scope<'s>,
    target: OnceCell<Option<Target>>,
}

impl<'s> Subject<'s> {
    pub fn new(link: &'s Link, scope: &'s Scope<'s>) -> Self {
        Self {
            link,
            scope,
            target: OnceCell::new(),
        }
    }

    /// True for a destination, false for a URI that stands in text.
    pub fn is_destination(&self) -> bool {
        self.link.role == Role::Destination
    }

    /// True for what may be code: a URI in the text of HTML, whose reader does not tell `<pre>` apart.
    pub fn may_be_code(&self) -> bool {
        !self.is_destination() && self.scope.facts.format() == Some(Format::Html)
    }

    /// The text that leads here, the first if there are several.
    pub fn label(&self) -> Option<&'s Label> {
        self.scope.facts.labels().get(self.link.label?)
    }

    /// The reference, absolute or relative, if it was understood.
    pub fn reading(&self) -> Option<&'s Reading> {
        match &self.link.said {
            Said::Absolute(reading) | Said::Relative(reading) => Some(reading),
            Said::Rejected { .. } | Said::Empty => None,
        }
    }

    /// The URI, if it is one.
    pub fn absolute(&self) -> Option<(&'s Reading, Uri<'s>)> {
        match &self.link.said {
            Said::Absolute(reading) => Some((reading, Uri::parse(&reading.uri).ok()?)),
            _ => None,
        }
    }

    /// True for what is shown or run as a part of the document: an image, a script, a style sheet.
    pub fn is_embedded(&self) -> bool {
        let attribute = self.link.attribute.as_deref();
        let element = self.link.element.as_deref();
        matches!(
            attribute,
            Some("src" | "srcset" | "poster" | "data" | "style")
        ) || matches!(element, Some("image" | "style" | "link" | "img"))
    }

    /// Where it leads in the tree; `None` when it leads elsewhere, or can't be told.
    pub fn target(&self) -> Option<&Target> {
        self.target.get_or_init(|| target(self)).as_ref()
    }

    /// True when it leads to a place in the tree at which nothing stands.
    pub fn leads_nowhere(&self) -> bool {
        let target = self.target();
        target.is_some_and(|target| matches!(target.entry, Entry::Missing { .. }))
    }

    /// True for a URI that is a program or a document itself, in which a `%` or a quote is its own.
    pub fn is_program(&self) -> bool {
        self.absolute().is_some_and(|(_, uri)| {
            let programs = ["javascript", "data", "vbscript"];
            programs
                .iter()
                .any(|program| uri.scheme().eq_ignore_ascii_case(program))
        })
    }

    /// A fault of the whole link.
    pub fn fault(&self, check: &'static Check, message: String) -> Fault {
        Fault {
            check,
            span: self.link.span,
            uri: Some(self.link.written.clone()),
            message,
            hint: None,
        }
    }
}

impl Fault {
    /// With what to do.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

impl Subject<'_> {
    /// True for what names an item of code and is no reference: `crate::a`, `fn@b`, `c()` in the
    /// Markdown that rustdoc reads, `std::fmt` anywhere.
    pub fn is_code_path(&self) -> bool {
        is_code_path(&self.link.written, self.scope.is_markdown())
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

/// See [`Subject::is_code_path`].
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
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '!'))
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
        for reference in [
            "a.md",
            "LICENSE",
            "http://a::b/",
            "me@b.example",
            "a/b()",
            "#x!",
            "x.html",
        ] {
            assert!(!is_code_path(reference, true), "{reference}");
        }
        assert!(!is_code_path("main()", false));
    }
}
