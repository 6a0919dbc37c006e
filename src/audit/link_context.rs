//! Context of a checked link: the link, its document, and its target.

use std::cell::{OnceCell, RefCell};
use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::anchor_rules::OtherRule;
use super::answers::PageFiles;
use super::census::{Census, MissingGroup};
use super::form::{FormCounts, FormTally, LinkForm};
use super::hidden_parts;
use super::target::{Book, Destination, IncludedFiles, LinkTarget, Unchecked, destination};
use super::unpublished;
use crate::audit::finding::is_among;
use crate::audit::identity::placeholder::is_of_engine;
use crate::audit::rare_bytes::RareBytes;
use crate::audit::sites::{AutolinkRule, ForgeRule, PathLookup, UnresolvedLinks, is_part};
use crate::audit::{
    Anchors, AuditFinding, AuditOptions, Check, Facts, Label, Link, LinkKind, ParsedLink,
    PathStatus, Severity, Site, Slugs, paths,
};
use crate::document::format::FormatKind;
use crate::document::html::PICTURE_ATTRIBUTES;
use crate::document::markdown::is_shown;
use crate::document::{Content, Dialect, Format, LinkOrigin, Role};
use crate::hash::HashMap;
use crate::{Span, Uri};

pub(super) struct AuditedPage<'s> {
    pub path: &'s Path,
    pub facts: &'s Facts,
    pub site: Arc<Site>,
    pub files: PageFiles<'s>,
    anchors: OnceCell<Arc<Anchors>>,
    anchors_of_any: OnceCell<Anchors>,
    /// True if the document belongs to a site built elsewhere.
    pub is_elsewhere: OnceCell<bool>,
    directory: OnceCell<PathBuf>,
    is_part: OnceCell<bool>,
    census: OnceCell<Box<Census>>,
    included: OnceCell<IncludedFiles>,
    book: OnceCell<Book>,
    other_books: RefCell<HashMap<PathBuf, Arc<Book>>>,
    missing_pictures: OnceCell<Option<FormTally>>,
    /// True for a trial of a possible fix. Trials offer no fixes of their own.
    pub is_trial: bool,
}

impl<'s> AuditedPage<'s> {
    pub fn new(
        path: &'s Path,
        facts: &'s Facts,
        options: &'s AuditOptions,
        files: PageFiles<'s>,
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
            census: OnceCell::new(),
            included: OnceCell::new(),
            book: OnceCell::new(),
            other_books: RefCell::default(),
            missing_pictures: OnceCell::new(),
            is_trial: false,
        }
    }

    /// True if nothing is at a path, not even under a name in another case.
    pub fn is_absent(&self, path: &Path) -> bool {
        matches!(self.files.probe(path), PathStatus::Missing { .. })
    }

    /// Returns the same page with other facts: with another link, for example.
    pub fn with_facts<'f>(&self, facts: &'f Facts) -> AuditedPage<'f>
    where
        's: 'f,
    {
        // Computed before it is copied: the anchors are those of the document, not of the other
        // facts.
        self.anchors();
        AuditedPage {
            path: self.path,
            facts,
            site: Arc::clone(&self.site),
            files: self.files,
            anchors: self.anchors.clone(),
            anchors_of_any: OnceCell::new(),
            is_elsewhere: self.is_elsewhere.clone(),
            directory: self.directory.clone(),
            is_part: self.is_part.clone(),
            census: OnceCell::new(),
            included: OnceCell::new(),
            book: OnceCell::new(),
            other_books: RefCell::default(),
            missing_pictures: OnceCell::new(),
            is_trial: true,
        }
    }

    /// Returns the cached lookup of a path as written in the document. On a miss for this
    /// directory, `find` computes it.
    pub fn found(
        &self,
        written: &str,
        find: impl FnOnce() -> Option<PathLookup>,
    ) -> Arc<Option<PathLookup>> {
        // A path cannot contain NUL, so keys of two directories never collide.
        let directory = self.directory().to_string_lossy();
        let mut key = String::with_capacity(directory.len() + 1 + written.len());
        key.push_str(&directory);
        key.push('\0');
        key.push_str(written);
        self.site.found.get(&key, find)
    }

    pub fn anchors(&self) -> &Anchors {
        self.known_anchors()
    }

    /// Returns the anchors for as long as the caller needs them.
    pub fn shared_anchors(&self) -> Arc<Anchors> {
        Arc::clone(self.known_anchors())
    }

    fn known_anchors(&self) -> &Arc<Anchors> {
        self.anchors.get_or_init(|| self.files.anchors_of(self.path, self.facts, self.site.slugs))
    }

    /// Returns the anchors that any known generator would make.
    pub fn anchors_of_any(&self) -> &Anchors {
        self.anchors_of_any.get_or_init(|| self.facts.anchors(Slugs::Any))
    }

    /// Returns the directory of the document without `.`, or that of the page that shows it.
    pub fn directory(&self) -> &Path {
        self.directory.get_or_init(|| {
            let mut clean = PathBuf::new();
            let shown_in = hidden_parts::page_that_shows(self);
            let path = shown_in.as_deref().unwrap_or(self.path);
            let directory = path.parent().unwrap_or(Path::new(""));
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

    /// Returns the files that the document includes.
    pub(super) fn included_files(&self) -> &IncludedFiles {
        self.included.get_or_init(|| IncludedFiles::find(self))
    }

    /// Returns the documents of AsciiDoc around this one.
    pub(super) fn book(&self) -> &Book {
        self.book.get_or_init(|| Book::find(self.files, &self.site, self.path))
    }

    /// Returns the documents of AsciiDoc around a target of a link; `None` after many targets.
    pub(super) fn other_book(&self, document: &Path) -> Option<Arc<Book>> {
        /// Each of them may have many parts.
        const MAX_BOOKS: usize = 16;
        let mut known = self.other_books.borrow_mut();
        if let Some(book) = known.get(document) {
            return Some(Arc::clone(book));
        }
        (known.len() < MAX_BOOKS).then(|| {
            let book = Arc::new(Book::find(self.files, &self.site, document));
            known.insert(document.to_path_buf(), Arc::clone(&book));
            book
        })
    }

    /// Returns the counts of the document's pictures, if none of them is there; `find` counts them.
    pub(super) fn missing_pictures(
        &self,
        find: impl FnOnce() -> Option<FormTally>,
    ) -> Option<&FormTally> {
        self.missing_pictures.get_or_init(find).as_ref()
    }

    /// True for a document included in others: a template, or a part whose name starts with `_`.
    pub fn is_part(&self) -> bool {
        *self.is_part.get_or_init(|| {
            // A page whose links hold template syntax is a template, whatever its name. Its other
            // links may be completed, too, so they cannot be judged.
            let is_filled_in = |link: Link<'_>| {
                let written = link.written.trim();
                is_of_engine(written, RareBytes::find_in(written))
            };
            let links = || self.facts.links().any(is_filled_in);
            let names = self.site.rules().part_names;
            let is_named = || has_part_name(self.path, names) && !self.is_menu();
            // A whole page may be called `_x.html`; its directory still says that it is a layout.
            let is_in_parts = || self.path.parent().is_some_and(|it| has_part_name(it, names));
            let is_html_part = || is_in_parts() || is_named() && !self.facts.is_whole_page();
            self.site.is_of_parts
                || if self.is_source() {
                    self.site.is_generated() && is_named()
                        || self.site.is_guessed() && has_part_name(self.path, &OF_PARTS)
                        || self.is_in_templates()
                        || self.is_of_dokka()
                } else {
                    is_html_part()
                        || self.is_in_templates()
                        || self.facts.is_template()
                        || is_template(self.path)
                        || unpublished::is_unpublished(self)
                        || links()
                }
        })
    }

    /// True for a menu that the settings name.
    fn is_menu(&self) -> bool {
        self.site.navigation.iter().any(|menu| paths::are_same(menu, self.path))
    }

    /// True for a source of Dokka's pages of Kotlin modules and packages. Its links start at the
    /// directory of such a page, not of this file (Dokka, "Module documentation").
    fn is_of_dokka(&self) -> bool {
        const STARTS: [&[u8]; 3] = [b"# All Modules", b"# Module ", b"# Package "];
        let text = self.facts.source_text();
        STARTS.iter().any(|start| text.starts_with(start))
            && [".gradle", ".kts"].iter().any(|ending| self.files.has_ending(ending))
    }

    /// True for the `README.md` of a directory `templates`, which describes them. In a directory
    /// `template`, it is part of the template and is copied.
    pub fn is_about_templates(&self) -> bool {
        let stem = self.path.file_stem().unwrap_or_default();
        self.directory().ends_with("templates") && stem.eq_ignore_ascii_case("readme")
    }

    /// True for a document in a directory of templates outside the content of its site: a program
    /// fills it in, and writes it elsewhere.
    fn is_in_templates(&self) -> bool {
        const NAMES: [&str; 4] = ["__templates__", "_templates", "template", "templates"];
        let is_template = |it: &Path| NAMES.iter().any(|name| it.ends_with(name));
        let below =
            self.site.repository.as_ref().map(|it| it.directory.clone()).unwrap_or_default();
        let inside = paths::below(&below, self.directory());
        let inside = inside.as_deref().unwrap_or(self.directory());
        inside.ancestors().any(is_template)
            && !self.is_about_templates()
            && !self.site.content.iter().any(|it| paths::below(it, self.path).is_some())
    }

    /// True for a missing file that one other directory contains, together with most files that
    /// links of this document or of its tree name without a directory.
    pub fn is_searched(&self, path: &Path) -> bool {
        self.may_be_asked()
            && (self.files.is_searched(&self.site, path) || self.census().is_searched(path))
    }

    /// Returns the missing files that many links of this document or of its tree look for in the
    /// same place, if none of them exists: a program may create them.
    pub fn missing_files(&self, path: &Path, extension: &str) -> Option<MissingGroup> {
        if !self.may_be_asked() {
            return None;
        }
        let of_tree = self.files.missing_files(&self.site, path, extension);
        of_tree.or_else(|| self.census().files(self.files, path, extension))
    }

    /// Returns the missing files with the name of this one beside many documents of its tree, if a
    /// build puts one beside each of them.
    pub fn missing_files_named_alike(&self, path: &Path) -> Option<MissingGroup> {
        if !self.may_be_asked() {
            return None;
        }
        self.files.missing_files_named_alike(&self.site, path)
    }

    /// Returns the counts of the links with the same form as a missing one; `None` if every link
    /// can be judged alone.
    pub fn form_counts(&self, form: &LinkForm, target: &Path) -> Option<FormCounts> {
        if !self.may_be_asked() {
            return None;
        }
        let own = || self.census().form_counts(self.path, form, target);
        Some(match self.files.form_counts(&self.site, self.path, form, target) {
            // Of a large site, only some documents were counted.
            Some(counts @ FormCounts { document: None, .. }) => {
                FormCounts { document: own().document, ..counts }
            }
            Some(counts) => counts,
            None => own(),
        })
    }

    /// Returns the missing anchors of a document that many links of this document or of its tree
    /// name, if this anchor is one of them.
    pub fn missing_anchors(&self, document: &Path, anchor: &str) -> Option<MissingGroup> {
        if !self.may_be_asked() {
            return None;
        }
        let of_tree = self.files.missing_anchors(&self.site, document, anchor);
        of_tree.or_else(|| self.census().anchors(document, anchor))
    }

    /// Returns the rule that makes an anchor of a document, if the links of this document or of its
    /// tree show that the site has another rule than usual.
    pub fn other_rule(&self, document: &Path, anchor: &str) -> Option<OtherRule> {
        // The settings of VitePress would name another rule, and the site has the usual one if they
        // don't: in gardener, 45 links that its move from Hugo broke looked like such a rule.
        let is_certain = self.site.slugs == Slugs::Vitepress
            && self.site.has_program()
            && !self.site.program_has("markdown-it-anchor");
        if !self.may_be_asked() || is_certain {
            return None;
        }
        self.files.other_rule(&self.site, document, anchor)
    }

    /// True if counts of links may excuse a missing target: not while this page is being counted,
    /// and not on a finished site, which has all its files.
    fn may_be_asked(&self) -> bool {
        let is_page = self.facts.format().is_some_and(Format::is_page);
        !self.is_trial && (!is_page || self.site.repository.is_some())
    }

    fn census(&self) -> &Census {
        self.census.get_or_init(|| Box::new(Census::count(self)))
    }

    /// True for a style sheet.
    pub fn is_style(&self) -> bool {
        self.facts.format().is_some_and(|format| format.kind() == FormatKind::Style)
    }

    /// True for a document with attributes of AsciiDoc.
    pub fn has_attributes(&self) -> bool {
        self.facts.format().is_some_and(Format::has_attributes)
    }

    /// True for a document with directives of docutils.
    pub fn has_directives(&self) -> bool {
        self.facts.format().is_some_and(Format::has_directives)
    }

    /// True for a source, and for HTML with front matter: the site makes a page of it, too.
    pub fn is_content(&self) -> bool {
        self.is_source() || self.site.is_generated() && self.facts.is_of_page()
    }

    /// True for a source from which a processor makes pages.
    pub fn is_source(&self) -> bool {
        self.facts.format().is_some_and(Format::is_source)
    }
}

/// Directories of the documents that pages of an unknown generator show as parts.
const OF_PARTS: [&str; 2] = ["_includes", "_partials"];
/// Directory names that start with `_` but hold pages.
const PAGES: &str = "\
    _blog _build _docs _downloads _drafts _guides _images _modules _pages _posts _site _sources _static _tutorials \
    __tests__";

/// Extensions of template files.
const TEMPLATES: &str = "ejs erb hbs j2 jinja jinja2 liquid mustache njk twig";

fn is_template(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| is_among(TEMPLATES, extension))
}

/// True for names that start with `_`, or only for `names` if the generator lists its own.
fn has_part_name(path: &Path, names: &[&str]) -> bool {
    path.iter().filter_map(|name| name.to_str()).any(|name| match names {
        // Hugo's `_index.de.md` is the page of its section.
        [] => is_part(name) && !is_among(PAGES, name),
        names => names.contains(&name),
    })
}

/// True for a path that MDX imports from the tree. Other Markdown shows the line as text.
fn is_import(page: &AuditedPage<'_>, written: &str) -> bool {
    let site = &page.site;
    let rules = site.rules();
    let is_mdx = match page.path.extension().and_then(OsStr::to_str) {
        Some("mdx") => true,
        Some("md") => is_read_as_mdx(site),
        _ => false,
    };
    if !is_mdx {
        return false;
    }
    let is_known = rules.forge != ForgeRule::OnForge;
    match written.chars().next() {
        Some('@') => rules.content_prefix.is_some_and(|prefix| written.starts_with(prefix)),
        // A forge has no root that programs know, and that of an unknown generator makes a note.
        Some('/') => site.is_guessed() || is_known && !site.roots.is_empty(),
        // All programs that read MDX resolve a relative path, but their bundlers have rules for
        // code.
        _ => is_known || is_shown(written.as_bytes()),
    }
}

/// True if `.md` is MDX, too (Docusaurus, "MDX and React"): its setting `markdown.format` may say
/// otherwise.
fn is_read_as_mdx(site: &Site) -> bool {
    const OTHERS: [&str; 4] =
        ["format: 'detect'", "format: \"detect\"", "format: 'md'", "format: \"md\""];
    *site.dialect() == Dialect::Mdx && !OTHERS.iter().any(|it| site.program_has(it))
}

/// True for an attribute in `{{<img src="a.png">}}` of Hugo, which only looks like an element of
/// HTML. Its template decides where it leads.
fn is_in_shortcode(link: &Link<'_>, page: &AuditedPage<'_>) -> bool {
    const MAX_BYTES: usize = 512;
    if link.attribute.is_none()
        || !page.site.rules().constructs.contains(&LinkOrigin::Shortcode)
        || !page.is_source()
    {
        return false;
    }
    let before = page.facts.text_before(link.span.start(), MAX_BYTES);
    let tag = memchr::memrchr(b'<', before).and_then(|open| before.get(..open));
    tag.is_some_and(|it| it.ends_with(b"{{"))
}

/// One link under audit, as a check sees it.
pub struct LinkContext<'s> {
    pub(super) link: Link<'s>,
    pub(super) page: &'s AuditedPage<'s>,
    /// The text of the link, trimmed.
    pub(super) written: &'s str,
    pub(super) rare_bytes: RareBytes,
    /// True for syntax of a template engine or shell.
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
        let rare_bytes = RareBytes::find_in(written);
        let rules = page.site.rules();
        let is_of_other = match link.origin {
            LinkOrigin::Import => !is_import(page, written),
            // Jekyll reads tags in documents with front matter only.
            LinkOrigin::LiquidInclude | LinkOrigin::LiquidRelative => {
                rules.liquid.is_none_or(|it| it.is_quoted) || !page.facts.has_front_matter()
            }
            // A `$` in front matter starts a variable of a template, `$base/a`.
            LinkOrigin::FrontMatter => written.contains('$'),
            // Nothing reads these values on a forge.
            LinkOrigin::FrontMatterValue => {
                rules.forge == ForgeRule::OnForge && !page.site.is_guessed()
            }
            // Other programs have the same syntax: Handlebars has that of mdBook, say.
            LinkOrigin::MdbookInclude
            | LinkOrigin::CodeSource
            | LinkOrigin::TopicInclude
            | LinkOrigin::TopicElement
            | LinkOrigin::GitbookTag
            | LinkOrigin::QuotedInclude
            | LinkOrigin::CodeInclude
            | LinkOrigin::TagArgument
            | LinkOrigin::QuartoFile
            | LinkOrigin::Snippet
            | LinkOrigin::Shortcode
            | LinkOrigin::ShortcodeArgument
            | LinkOrigin::Mdc => !rules.constructs.contains(&link.origin),
            _ => false,
        };
        let is_of_engine =
            is_of_other || is_of_engine(written, rare_bytes) || is_in_shortcode(&link, page);
        Self { link, page, written, rare_bytes, is_of_engine, destination: OnceCell::new() }
    }

    /// Returns the link.
    pub fn link(&self) -> Link<'s> {
        self.link
    }

    /// Returns the facts of the document.
    pub fn facts(&self) -> &'s Facts {
        self.page.facts
    }

    /// Returns the path of the document.
    pub fn path(&self) -> &'s Path {
        self.page.path
    }

    /// Returns the URI, if the link is one.
    pub fn uri(&self) -> Option<Uri<'s>> {
        Some(self.absolute()?.1)
    }

    /// True for a destination, false for a URI in text.
    pub fn is_destination(&self) -> bool {
        self.link.role == Role::Destination
    }

    /// True for a bare address in text of which the site makes a link.
    pub(super) fn is_autolink(&self) -> bool {
        let is_extended = || self.page.facts.format().is_some_and(Format::is_extended_by_sites);
        self.link.role == Role::Text
            && self.link.content == Content::Autolinks
            && (!is_extended() || self.page.site.rules().autolinks == AutolinkRule::Linked)
    }

    /// True for the path of code that Writerside shows.
    pub(super) fn is_code_source(&self) -> bool {
        self.page.site.rules().constructs.contains(&LinkOrigin::CodeSource)
            && (self.link.origin == LinkOrigin::CodeSource
                || self.link.element == Some("code-block"))
    }

    /// True for `to="a/b"` of a component that no router has, and for a picture that it names: the
    /// component decides where that is.
    pub(super) fn is_of_component(&self) -> bool {
        const OF_ROUTERS: &str = "link navlink nuxt-link nuxtlink redirect router-link routerlink";
        let element = self.link.element.unwrap_or_default();
        self.link.attribute.is_some_and(|attribute| match attribute {
            "to" => !is_among(OF_ROUTERS, element),
            // `<menuitem icon>` is HTML.
            "icon" => !is_among("command menuitem", element),
            attribute => PICTURE_ATTRIBUTES.contains(&attribute),
        })
    }

    /// True for the path in an expression of Liquid, of which nothing but the path may change. The
    /// reader of Markdown puts tabs in the place of the others.
    pub(super) fn is_in_expression(&self) -> bool {
        let before = self.link.span.start().checked_sub(1);
        let before = before.and_then(|at| self.page.facts.source_text().get(at));
        before == Some(&b'\t') && self.page.site.rules().liquid.is_some()
    }

    /// Returns the text of the link, or the first of several.
    pub fn label(&self) -> Option<Label<'s>> {
        self.page.facts.label(self.link.label?)
    }

    /// Returns the reference, absolute or relative, if it is valid.
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

    /// True for a URI in the text of HTML, because the reader does not track `<pre>`.
    pub(super) fn may_be_code(&self) -> bool {
        !self.is_destination() && self.page.facts.format().is_some_and(Format::is_page)
    }

    /// True for content shown or run as part of the document: an image, script, or style sheet.
    pub(super) fn is_embedded(&self) -> bool {
        let Link { element, attribute, .. } = self.link;
        matches!(attribute, Some("src" | "srcset" | "poster" | "data" | "style"))
            || matches!(element, Some("image" | "style" | "link" | "img"))
    }

    /// Returns the target in the tree; `None` if it is outside or unknown.
    pub(super) fn target(&self) -> Option<&LinkTarget<'s>> {
        match self.destination() {
            Destination::Target(target) => Some(target),
            _ => None,
        }
    }

    /// Returns the reason why the target cannot be checked.
    pub(super) fn unchecked(&self) -> Option<Unchecked> {
        match self.destination() {
            Destination::Unchecked(why) => Some(*why),
            _ => None,
        }
    }

    pub(super) fn destination(&self) -> &Destination<'s> {
        self.destination.get_or_init(|| destination(self))
    }

    /// True if the target is in the tree but missing.
    pub(super) fn leads_nowhere(&self) -> bool {
        let target = self.target();
        target.is_some_and(|target| matches!(target.entry, PathStatus::Missing { .. }))
    }

    /// True for a URI that is itself a program or document, in which `%` and quotes have other
    /// meanings.
    pub(super) fn is_program(&self) -> bool {
        let programs = ["javascript", "data", "vbscript"];
        self.uri().is_some_and(|uri| {
            let is_scheme = |program: &&str| uri.scheme().eq_ignore_ascii_case(program);
            programs.iter().any(is_scheme)
        })
    }

    /// True for an item of code (`crate::a`, `fn@b`, `c()`) in Markdown that rustdoc reads.
    pub(super) fn is_code_path(&self) -> bool {
        matches!(self.page.site.unresolved, UnresolvedLinks::Rust | UnresolvedLinks::Hooks)
            && is_code_path(self.written, self.page.is_source())
    }

    /// Returns a finding about the link; a note if no text refers to it.
    pub(super) fn finding(&self, check: &'static Check, message: String) -> AuditFinding {
        let written = self.link.written;
        // Only the id of the element is there.
        let uri = match self.link.origin {
            LinkOrigin::TopicElement => written.split_once('#').map_or(written, |(_, id)| id),
            // Tabs replace a template expression around the path.
            _ => written.trim_matches('\t'),
        };
        let uri = Some(uri.to_owned());
        let finding = AuditFinding { uri, ..AuditFinding::new(check, self.link.span, message) };
        if self.is_unused() { finding.mild() } else { finding }
    }

    /// True for a Markdown definition that no text refers to.
    pub(super) fn is_unused(&self) -> bool {
        self.link.origin == LinkOrigin::Definition && self.link.label.is_none()
    }
}

impl AuditFinding {
    pub(super) fn new(check: &'static Check, span: Span, message: String) -> Self {
        Self {
            check,
            severity: check.severity,
            span,
            uri: None,
            message,
            hint: None,
            evidence: None,
            fix: None,
        }
    }

    /// Lowers the severity to a note.
    pub(super) fn mild(self) -> Self {
        Self { severity: Severity::Note, ..self }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// Disambiguators that rustdoc accepts before `@`.
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

/// Returns the text after a disambiguator.
fn kind(written: &str) -> Option<&str> {
    let (kind, name) = written.split_once('@')?;
    is_among(KINDS, kind).then_some(name)
}
