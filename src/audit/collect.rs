//! Step 1 of an audit: reads a document, resolves its links in the tree, and runs the checks.
//! [`Collected`].

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::answers::{PageFiles, ReadDocument};
use super::attached::{self, Attached};
use super::auditor::{Auditor, OtherFiles, Secrets};
use super::directives::Directives;
use super::document::LiveFacts;
use super::judge::FindingJudge;
use super::link_context::AuditedPage;
use super::other_files::is_no_document;
use super::oversized::refuse_oversized;
use super::target::find_page_name;
use super::target::web::{self, WebLink};
use super::{checks, facts, redacting};
use crate::Span;
use crate::audit::sites::{FoundMenu, names_fingerprint};
use crate::audit::{
    AuditCounts, Facts, KnownFindings, Link, LinkContext, Nowhere, PathStatus, Profile,
    TargetLookup, UrlLink,
};
use crate::document::{Format, LinkOrigin};
use crate::search::{Input, InputText, Level, Origin, panic_for_test};
use crate::slice::lossy;

/// A document after all checks that need no network.
pub(super) struct Collected<'a> {
    pub input: Input,
    /// The text; `None` if the document was read before its turn or waits for answers. Few
    /// documents need it again.
    pub text: Option<InputText>,
    /// Findings so far.
    pub findings: FindingJudge<'a>,
    /// Links whose answers are missing.
    pub links: Vec<WebLink>,
    /// Spans of links with secrets, if those must not be shown.
    pub secrets: Vec<Span>,
    pub profile: Option<Profile>,
    /// Files in archives that are attached to this message.
    pub attached: Vec<Attached>,
    /// Filled if texts may change between audits.
    pub live: LiveFacts,
}

impl Collected<'_> {
    /// True if answers are missing.
    pub fn waits(&self) -> bool {
        !self.links.is_empty()
    }
}

impl Auditor {
    /// Reads and checks an input; `None` if it is skipped.
    pub(super) fn collect(&self, input: &Input) -> io::Result<Option<Collected<'_>>> {
        if self.leaves_out(input) {
            return Ok(None);
        }
        if menu_at(input).is_some() {
            let menu = self.collect_menu(input)?;
            // Anything else with its name is not a document, and need not be read again.
            if menu.is_some() || self.is_other(input) {
                return Ok(menu);
            }
        }
        // A link may have caused this document to be read already. Its facts suffice, unless a
        // finding or a directive needs the text.
        let prefetched = input.path().and_then(|path| self.files.prefetched_document(path));
        let (document, text) = match prefetched {
            Some(document) => (document, None),
            None => match self.read_text(input)? {
                Some(text) => (self.read_document(input, &text), Some(text)),
                None => return Ok(None),
            },
        };
        let attached = text
            .as_ref()
            .map(|text| attached::files(input, text, self.settings.search.limits()))
            .unwrap_or_default();
        let mut collected = self.check_here(input, &document, text)?;
        collected.attached.extend(attached);
        Ok(Some(collected))
    }

    /// True for an input that is not audited, whatever its content.
    pub(super) fn leaves_out(&self, input: &Input) -> bool {
        input.path().is_some_and(|path| !self.settings.filter.takes_path(path))
            || self.is_other(input) && menu_at(input).is_none()
    }

    /// True for a file of a walk that is not a document: only a menu in it is audited.
    pub(super) fn is_other(&self, input: &Input) -> bool {
        // Decide by the extension alone: opening every file of a large checkout takes longer than
        // auditing its documents.
        input.origin() == Origin::Tree
            && self.settings.others == OtherFiles::LeftOut
            && input.extension().is_some_and(is_no_document)
    }

    /// Reads an input if it is audited.
    pub(super) fn read_text(&self, input: &Input) -> io::Result<Option<InputText>> {
        self.files.read_text(input, |format| {
            format.is_some()
                || input.origin() == Origin::Named
                || self.settings.others == OtherFiles::Audited
        })
    }

    /// Reads and checks a member of an archive; `None` if it is skipped.
    pub(super) fn collect_bytes(
        &self,
        input: &Input,
        bytes: Vec<u8>,
    ) -> io::Result<Option<Collected<'_>>> {
        let text = self.settings.search.text_of(input, bytes);
        let text = text.map(refuse_oversized).transpose()?;
        let is_file = input.level() == Level::File || self.settings.others == OtherFiles::Audited;
        let Some(text) = text.filter(|text| is_file || text.format().is_some()) else {
            return Ok(None);
        };
        let document = self.read_document(input, &text);
        let attached = attached::files(input, &text, self.settings.search.limits());
        let mut collected = self.check_here(input, &document, Some(text))?;
        collected.attached.extend(attached);
        Ok(Some(collected))
    }

    pub(super) fn read_document(&self, input: &Input, text: &InputText) -> ReadDocument {
        panic_for_test(text.bytes());
        let path = document_path(input);
        let dialect = self.files.dialect(&path, text);
        ReadDocument::new(&dialect, text, self.settings.search.finder())
    }

    /// Runs the checks over a document at its place in the tree. `text` is `None` if the document
    /// was read before its turn.
    fn check_here(
        &self,
        input: &Input,
        document: &ReadDocument,
        text: Option<InputText>,
    ) -> io::Result<Collected<'_>> {
        let is_apart = is_apart(input, &document.facts);
        let files: &dyn TargetLookup = if is_apart { &Nowhere } else { &self.files };
        self.check_document(input, document, text, (&document_path(input), files))
    }

    /// Reads and checks the menu of a site; `None` for anything else.
    fn collect_menu(&self, input: &Input) -> io::Result<Option<Collected<'_>>> {
        // Many trees have programs with these names, and few have such a site.
        if !menus_at(input).iter().any(|found| !found.has_common_name() || self.is_of_site(found)) {
            return Ok(None);
        }
        let Some(text) = self.files.read_text(input, |_| true)? else { return Ok(None) };
        let Some((page, document)) = self.read_menu(input, &text) else { return Ok(None) };
        let (at, files) = (document_path(input), &self.files);
        let place = DocumentPlace { path: &page, reported: &at, files };
        self.check_at(input, &document, Some(text), place).map(Some)
    }

    /// Returns the links of a menu, and the document that they are read as a part of. `None` for
    /// anything else: without links, or without such a site.
    pub(super) fn read_menu(
        &self,
        input: &Input,
        text: &InputText,
    ) -> Option<(PathBuf, ReadDocument)> {
        // Settings that the user names, or that `--all-files` takes, are documents with all their
        // URLs, unless they list pages.
        let is_menu = |found: &FoundMenu| self.is_other(input) || !found.file.names_files_only();
        let menus = menus_at(input).into_iter().filter(is_menu);
        menus.into_iter().find_map(|found| self.read_menu_of(&found, input, text))
    }

    fn read_menu_of(
        &self,
        found: &FoundMenu,
        input: &Input,
        text: &InputText,
    ) -> Option<(PathBuf, ReadDocument)> {
        let is_directory = |path: &Path| self.files.probe(path) == PathStatus::Directory;
        let page = found.stand_in(&lossy(text.bytes()), is_directory);
        let format = input.extension().and_then(Format::from_extension);
        let (rules, finder) = (found.profile.rules(), self.settings.search.finder());
        let keys = [rules.file_keys, rules.path_keys];
        let facts = facts::menu::read(&found.file, keys, format, text.bytes(), finder);
        let site = self.files.site(&page, facts.format())?;
        // A hidden file in a walk was not named by the user, so it is not read as plain text
        // either.
        let is_hidden = found.file.path.starts_with('.');
        let has_links = is_hidden || facts.links().next().is_some();
        let is_of_site = if found.is_beside_pages() {
            self.names_pages(found, &page, &facts)
        } else {
            site.profile == found.profile
        };
        let bytes = text.bytes_read();
        (has_links && is_of_site).then_some((page, ReadDocument { facts, bytes }))
    }

    /// True if a site of this generator is there.
    fn is_of_site(&self, found: &FoundMenu) -> bool {
        let is_directory = |path: &Path| self.files.probe(path) == PathStatus::Directory;
        let page = found.stand_in("", is_directory);
        let site = self.files.site(&page, Format::named("markdown"));
        site.is_some_and(|site| site.profile == found.profile)
    }

    /// True for a menu of pages, not for another file with its name: its package uses the generator,
    /// or most of its names are those of pages beside it.
    fn names_pages(&self, found: &FoundMenu, page: &Path, facts: &Facts) -> bool {
        let directory = page.parent().unwrap_or(Path::new(""));
        let names = facts.links().filter(|link| link.origin == LinkOrigin::PageName);
        let is_there =
            |link: &Link<'_>| find_page_name(&self.files, directory, link.written).is_some();
        let (there, missing): (Vec<_>, Vec<_>) = names.partition(is_there);
        there.len() > missing.len() || found.is_of_package()
    }

    /// Runs the checks over a document at this path of these files.
    pub(super) fn check_document(
        &self,
        input: &Input,
        document: &ReadDocument,
        text: Option<InputText>,
        (path, files): (&Path, &dyn TargetLookup),
    ) -> io::Result<Collected<'_>> {
        self.check_at(input, document, text, DocumentPlace { path, reported: path, files })
    }

    fn check_at(
        &self,
        input: &Input,
        ReadDocument { facts, bytes }: &ReadDocument,
        mut text: Option<InputText>,
        DocumentPlace { path, reported, files }: DocumentPlace<'_>,
    ) -> io::Result<Collected<'_>> {
        let links = facts.links().len() as u64;
        let counts = AuditCounts { documents: 1, bytes: *bytes, links, ..AuditCounts::default() };
        let read = self.files.has_overlay().then(RefCell::default);
        let files = PageFiles::recorded(files, read.as_ref());
        let page = AuditedPage::new(path, facts, &self.settings.options, files);
        // Directives need the text to find lines, and few documents have any.
        let directives = match facts.comments() {
            comments if Directives::are_in(comments) => {
                let checks: Vec<_> = self.checks().collect();
                let read = self.text(input, text.take())?;
                Directives::read(comments, text.insert(read).bytes(), &checks)
            }
            _ => Directives::default(),
        };
        let known = match &self.settings.known {
            Some(known) => known(reported),
            None => KnownFindings::default(),
        };
        let filter = &self.settings.filter;
        let mut findings =
            FindingJudge::new(filter, reported.to_owned(), directives, known, counts);
        // A menu is not a document: nothing leads to it, and it has no headings.
        let check = if path == reported { checks::check_page } else { checks::check_links };
        check(&page, &mut |finding| findings.take(finding));
        let own = &self.settings.own;
        if own.need_text() {
            text = Some(self.text(input, text.take())?);
        }
        let bytes = text.as_ref().map(InputText::bytes).unwrap_or_default();
        own.run(&page, bytes, &mut |finding| findings.take(finding));
        let links = self.expect_links(&page);
        let secrets = match self.settings.secrets {
            Secrets::Shown => Vec::new(),
            _ if findings.is_empty() && links.is_empty() => Vec::new(),
            Secrets::Redacted | Secrets::RedactedInNames => {
                redacting::secret_links(facts.links()).collect()
            }
        };
        // Drop the text while the document waits, so that many documents can wait. Keep that of an
        // archive member: reading it again means unpacking the archive again.
        let text =
            text.filter(|text| links.is_empty() || input.stream().is_some() || text.is_extracted());
        let profile = Some(page.site.profile);
        let anchors = read.is_some().then(|| page.anchors().fingerprint());
        let site_names = self.site_names(&page, anchors);
        drop(page);
        let read = read.unwrap_or_default().into_inner().into_iter().collect();
        let unread =
            |message: &String| Attached::Unread(input.display_path().to_vec(), message.clone());
        let attached = facts.unread().iter().map(unread).collect();
        let live = LiveFacts { read, anchors, site_names };
        Ok(Collected {
            input: input.clone(),
            text,
            findings,
            links,
            secrets,
            profile,
            attached,
            live,
        })
    }

    /// Returns a number that changes with the names in an open document that the whole site knows.
    fn site_names(&self, page: &AuditedPage<'_>, anchors: Option<u64>) -> Option<u64> {
        let text = self.files.overlaid(page.path)?;
        // Chapters of AsciiDoc refer to each other's ids as parts of one book.
        let ids = anchors.filter(|_| page.has_attributes());
        ids.or_else(|| names_fingerprint(&page.site, page.path, &lossy(&text)))
    }

    /// Announces the links of a page that need answers, and returns them.
    fn expect_links(&self, page: &AuditedPage<'_>) -> Vec<WebLink> {
        let Some(answers) = &self.settings.answers else { return Vec::new() };
        let links = page.facts.links().map(|link| LinkContext::new(link, page));
        let links: Vec<WebLink> = links.filter_map(|link| web::link(&link, &**answers)).collect();
        if !links.is_empty() {
            let urls: Vec<UrlLink> = links.iter().map(|link| link.url.clone()).collect();
            answers.expect(&urls);
        }
        links
    }

    /// Returns the text of a document, reading it again if it was dropped.
    pub(super) fn text(&self, input: &Input, text: Option<InputText>) -> io::Result<InputText> {
        let read = || self.files.read_text(input, |_| true);
        // The file may have changed or vanished since its links were read.
        let gone = || io::Error::new(ErrorKind::InvalidData, "the file changed during the audit");
        text.map_or_else(|| read()?.ok_or_else(gone), Ok)
    }
}

/// The place of a document in its tree.
struct DocumentPlace<'p> {
    /// The path that its links start at.
    path: &'p Path,
    /// The file that findings are reported in, and settings are for.
    reported: &'p Path,
    files: &'p dyn TargetLookup,
}

/// Returns the menu that a file of the tree may be, by its name.
pub(super) fn menu_at(input: &Input) -> Option<FoundMenu> {
    FoundMenu::from_path(menu_path(input)?)
}

fn menus_at(input: &Input) -> Vec<FoundMenu> {
    menu_path(input).map_or_else(Vec::new, FoundMenu::all)
}

/// Returns the path of an input that may be a menu: a file, and no member of an archive.
fn menu_path(input: &Input) -> Option<&Path> {
    input.path().filter(|_| input.level() == Level::File && input.stream().is_none())
}

/// True for a document whose place says nothing about its links: a message, or a member of an
/// archive.
pub(super) fn is_apart(input: &Input, facts: &Facts) -> bool {
    input.level() == Level::Member || facts.format().is_some_and(Format::is_message)
}

/// Returns the path that the links of a document are relative to. For a compressed file, it lacks
/// the extension of the compression.
pub(super) fn document_path(input: &Input) -> Cow<'_, Path> {
    // References in standard input are relative to the current directory.
    let path = input.path().unwrap_or(Path::new("-"));
    match (input.stream(), std::str::from_utf8(input.name())) {
        (Some(_), Ok(name)) => {
            Cow::Owned(path.with_file_name(name.rsplit('/').next().unwrap_or(name)))
        }
        _ => Cow::Borrowed(path),
    }
}
