//! What a check of a link sees: the link, its document, and where it leads.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::target::{Destination, LinkTarget, Unchecked, destination};
use crate::audit::finding::is_among;
use crate::audit::identity::placeholder::is_of_engine;
use crate::audit::rare_bytes::RareBytes;
use crate::audit::sites::{PathLookup, UnresolvedLinks};
use crate::audit::{
    Anchors, AuditFinding, AuditOptions, Check, Facts, Label, Link, LinkKind, ParsedLink,
    PathStatus, Severity, Site, Slugs, TargetLookup, paths,
};
use crate::document::format::FormatKind;
use crate::document::{Format, Role};
use crate::{Span, Uri};

pub(super) struct AuditedPage<'s> {
    pub path: &'s Path,
    pub facts: &'s Facts,
    pub site: Arc<Site>,
    pub files: &'s dyn TargetLookup,
    anchors: OnceCell<Arc<Anchors>>,
    anchors_of_any: OnceCell<Anchors>,
    /// Whether it is for a site that is made elsewhere.
    pub is_elsewhere: OnceCell<bool>,
    directory: OnceCell<PathBuf>,
    is_part: OnceCell<bool>,
}

impl<'s> AuditedPage<'s> {
    pub fn new(
        path: &'s Path,
        facts: &'s Facts,
        options: &'s AuditOptions,
        files: &'s dyn TargetLookup,
    ) -> Self {
        let site = files.site(path, facts.format());
        let site = site.unwrap_or_else(|| Arc::new(Site::new(options)));
        Self {
            path,
            facts,
            site,
            files,
            anchors: OnceCell::new(),
            anchors_of_any: OnceCell::new(),
            is_elsewhere: OnceCell::new(),
            directory: OnceCell::new(),
            is_part: OnceCell::new(),
        }
    }

    /// What is at a path that is written in the document, which `find` looks up if no page of its directory
    /// asked before.
    pub fn found(
        &self,
        written: &str,
        find: impl FnOnce() -> Option<PathLookup>,
    ) -> Arc<Option<PathLookup>> {
        // No path holds NUL, so two directories never share a key.
        let directory = self.directory().to_string_lossy();
        let mut key = String::with_capacity(directory.len() + 1 + written.len());
        key.push_str(&directory);
        key.push('\0');
        key.push_str(written);
        self.site.found.get(&key, find)
    }

    pub fn anchors(&self) -> &Anchors {
        self.anchors.get_or_init(|| self.files.anchors_of(self.path, self.facts, self.site.slugs))
    }

    /// Those that any generator makes of it.
    pub fn anchors_of_any(&self) -> &Anchors {
        self.anchors_of_any.get_or_init(|| self.facts.anchors(Slugs::Any))
    }

    /// Its directory, without `.`.
    pub fn directory(&self) -> &Path {
        self.directory.get_or_init(|| {
            let mut clean = PathBuf::new();
            let directory = self.path.parent().unwrap_or(Path::new(""));
            for component in directory.components() {
                match component {
                    Component::CurDir => {}
                    Component::ParentDir => paths::up(&mut clean),
                    other => clean.push(other),
                }
            }
            clean
        })
    }

    /// True for a document that is shown within others: a template, or a part that starts with `_`.
    pub fn is_part(&self) -> bool {
        *self.is_part.get_or_init(|| {
            let is_filled_in = |link: Link<'_>| {
                let written = link.written.trim();
                is_of_engine(written, RareBytes::of(written))
            };
            let links = || self.facts.links().any(is_filled_in);
            let names = self.site.rules().part_names;
            let is_named = || has_part_name(self.path, names);
            self.site.is_of_parts
                || match self.is_source() {
                    true => self.site.is_generated() && is_named(),
                    false => {
                        is_named() || self.facts.is_template() || is_template(self.path) || links()
                    }
                }
        })
    }

    /// True for a style sheet.
    pub fn is_style(&self) -> bool {
        self.facts.format().is_some_and(|format| format.kind() == FormatKind::Style)
    }

    /// True for a source that a processor makes pages of.
    pub fn is_source(&self) -> bool {
        self.facts.format().is_some_and(Format::is_source)
    }
}

/// Directories whose names start with `_` and which hold pages all the same.
const PAGES: &str = "\
    _blog _build _docs _downloads _drafts _guides _images _index.adoc _index.html _index.md _modules _pages _posts \
    _site _sources _static _tutorials __tests__";

/// What template engines call their files.
const TEMPLATES: &str = "ejs erb hbs j2 jinja jinja2 liquid mustache njk twig";

fn is_template(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| is_among(TEMPLATES, extension))
}

/// True for what starts with `_`, or only for these names where others that do hold pages.
fn has_part_name(path: &Path, names: &[&str]) -> bool {
    path.iter().filter_map(|name| name.to_str()).any(|name| match names {
        [] => name.starts_with('_') && !is_among(PAGES, name),
        names => names.contains(&name),
    })
}

/// One link under audit, as a check sees it.
pub struct LinkContext<'s> {
    pub(super) link: Link<'s>,
    pub(super) page: &'s AuditedPage<'s>,
    /// What is written for it, without white space around it.
    pub(super) written: &'s str,
    pub(super) rare_bytes: RareBytes,
    /// True for what a template engine or a shell fills in.
    pub(super) is_of_engine: bool,
    destination: OnceCell<Destination<'s>>,
}

impl fmt::Debug for LinkContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LinkContext").field(&self.link).finish()
    }
}

impl<'s> LinkContext<'s> {
    pub(super) fn new(link: Link<'s>, page: &'s AuditedPage<'s>) -> Self {
        let written = link.written.trim();
        let rare_bytes = RareBytes::of(written);
        let is_of_engine = is_of_engine(written, rare_bytes);
        Self { link, page, written, rare_bytes, is_of_engine, destination: OnceCell::new() }
    }

    /// The link.
    pub fn link(&self) -> Link<'s> {
        self.link
    }

    /// The document.
    pub fn facts(&self) -> &'s Facts {
        self.page.facts
    }

    /// The path of the document.
    pub fn path(&self) -> &'s Path {
        self.page.path
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
    pub fn label(&self) -> Option<Label<'s>> {
        self.page.facts.label(self.link.label?)
    }

    /// The reference, absolute or relative, if it is valid.
    pub fn parsed(&self) -> Option<ParsedLink<'s>> {
        match self.link.kind {
            LinkKind::Absolute(parsed) | LinkKind::Relative(parsed) => Some(parsed),
            LinkKind::Rejected { .. } | LinkKind::Empty => None,
        }
    }

    pub(super) fn absolute(&self) -> Option<(ParsedLink<'s>, Uri<'s>)> {
        match self.link.kind {
            LinkKind::Absolute(parsed) => Some((parsed, parsed.reference().to_uri()?)),
            _ => None,
        }
    }

    /// True for a URI in the text of HTML, whose reader does not tell `<pre>` apart.
    pub(super) fn may_be_code(&self) -> bool {
        !self.is_destination() && self.page.facts.format().is_some_and(Format::is_page)
    }

    /// True for what is shown or run as a part of the document: an image, a script, a style sheet.
    pub(super) fn is_embedded(&self) -> bool {
        let Link { element, attribute, .. } = self.link;
        matches!(attribute, Some("src" | "srcset" | "poster" | "data" | "style"))
            || matches!(element, Some("image" | "style" | "link" | "img"))
    }

    /// Where it leads in the tree; `None` when it leads out of it, or that is unknown.
    pub(super) fn target(&self) -> Option<&LinkTarget<'s>> {
        match self.destination() {
            Destination::Target(target) => Some(target),
            _ => None,
        }
    }

    /// Why nobody can say where it leads.
    pub(super) fn unchecked(&self) -> Option<Unchecked> {
        match self.destination() {
            Destination::Unchecked(why) => Some(*why),
            _ => None,
        }
    }

    pub(super) fn destination(&self) -> &Destination<'s> {
        self.destination.get_or_init(|| destination(self))
    }

    /// True when it leads to a place in the tree where nothing is.
    pub(super) fn leads_nowhere(&self) -> bool {
        let target = self.target();
        target.is_some_and(|target| matches!(target.entry, PathStatus::Missing { .. }))
    }

    /// True for a URI that is a program or a document itself, in which `%` and quotes have meanings of their own.
    pub(super) fn is_program(&self) -> bool {
        let programs = ["javascript", "data", "vbscript"];
        self.uri().is_some_and(|uri| {
            let is_scheme = |program: &&str| uri.scheme().eq_ignore_ascii_case(program);
            programs.iter().any(is_scheme)
        })
    }

    /// True for the name of an item of code, `crate::a`, `fn@b` or `c()`, in Markdown that rustdoc reads.
    pub(super) fn is_code_path(&self) -> bool {
        matches!(self.page.site.unresolved, UnresolvedLinks::Rust | UnresolvedLinks::Hooks)
            && is_code_path(self.written, self.page.is_source())
    }

    /// A finding about the link; a mild one where no reader gets to it.
    pub(super) fn finding(&self, check: &'static Check, message: String) -> AuditFinding {
        let uri = Some(self.link.written.to_string());
        let finding = AuditFinding { uri, ..AuditFinding::new(check, self.link.span, message) };
        match self.is_unused() {
            true => finding.mild(),
            false => finding,
        }
    }

    /// True for a definition of Markdown to which no text refers.
    pub(super) fn is_unused(&self) -> bool {
        self.link.element == Some("definition") && self.link.label.is_none()
    }
}

impl AuditFinding {
    pub(super) fn new(check: &'static Check, span: Span, message: String) -> Self {
        Self { check, severity: check.severity, span, uri: None, message, hint: None }
    }

    /// The same, as something worth knowing.
    pub(super) fn mild(self) -> Self {
        Self { severity: Severity::Note, ..self }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// What rustdoc takes before `@` to say what kind of item it means.
const KINDS: &str = "\
    attr const constant derive enum field fn function macro method mod module prim primitive static \
    struct trait tyalias type typealias union value";

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

/// What follows the kind of an item, if there is one.
fn kind(written: &str) -> Option<&str> {
    let (kind, name) = written.split_once('@')?;
    is_among(KINDS, kind).then_some(name)
}
