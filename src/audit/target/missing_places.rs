//! Missing places that cannot be reported, and why: [`MissingPlaces`].

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::shown_parts::{is_shown_as_text, works_in_another_page};
use super::{Unchecked, compiled, evidence, generated, path, published_elsewhere};
use crate::audit::finding::is_among;
use crate::audit::link_context::AuditedPage;
use crate::audit::other_files::is_no_document;
use crate::audit::sites::antora;
use crate::audit::sites::{ForgeRule, LinkBase, MissingSources, ResourceRule, UnresolvedLinks};
use crate::audit::{LinkContext, PathStatus, Repository, Site, SitePage, paths};
use crate::document::markdown::is_shown;
use crate::document::{Format, LinkOrigin};

/// Pictures of the themes of MkDocs, and of Material for MkDocs.
const OF_THEMES: [&str; 2] = ["assets/images/favicon.png", "img/favicon.ico"];

/// A name that only a pattern for all names ignores.
const ANY_NAME: &str = "urigrep-0";

/// The places at which the target of a link was looked for, none of which is there.
pub(super) struct MissingPlaces<'c, 's> {
    context: &'c LinkContext<'s>,
    page: &'c AuditedPage<'s>,
    site: &'c Site,
    places: &'c [PathBuf],
    /// The path, as written.
    written: &'c str,
}

/// A test, and why it forbids a report.
type Obstacle<P> = (fn(&P) -> bool, Unchecked);

impl<'c, 's> MissingPlaces<'c, 's> {
    /// Reasons whatever the root of the site is. The first that applies counts.
    #[rustfmt::skip]
    const REASONS: [Obstacle<Self>; 17] = [
        (|it| is_shown_as_text(it.context), Unchecked::Part),
        (Self::is_in_part, Unchecked::Part),
        (|it| works_in_another_page(it.context, it.written), Unchecked::Part),
        (Self::is_left_copy, Unchecked::Copied),
        (Self::is_import_of_component, Unchecked::Component),
        (Self::is_in_submodule, Unchecked::Submodule),
        (Self::is_built, Unchecked::Built),
        (|it| compiled::is_compiled(it.context, it.places), Unchecked::Compiled),
        (Self::is_of_program, Unchecked::Prepared),
        (Self::is_mounted, Unchecked::Prepared),
        (Self::is_of_interface, Unchecked::Prepared),
        (Self::may_be_redirected, Unchecked::Route),
        (Self::is_of_route, Unchecked::Route),
        (Self::is_of_program_for_all, Unchecked::Route),
        (|it| it.any(|place| it.site.is_of_theme(place)), Unchecked::Prepared),
        // Hugo derives such addresses from titles, which are not read (seen in fluxcd).
        (|it| it.any(|place| it.site.may_be_title(place)), Unchecked::Route),
        (|it| it.site.is_guessed() && it.any(|place| is_redirected(it.page, place)), Unchecked::Route),
    ];

    /// Reasons if the root of the site is not a guess.
    const REASONS_OF_KNOWN_ROOT: [Obstacle<Self>; 7] = [
        (Self::is_of_forge_by_hook, Unchecked::Prepared),
        (Self::is_of_other_version, Unchecked::Apart),
        (Self::is_of_other_component, Unchecked::Apart),
        (Self::is_of_site_elsewhere, Unchecked::NoRoot),
        (Self::is_address_elsewhere, Unchecked::NoRoot),
        (Self::is_kept_elsewhere, Unchecked::Prepared),
        (Self::is_of_component, Unchecked::Part),
    ];

    /// Reasons after those about the first directory of an address.
    const LAST_REASONS: [Obstacle<Self>; 6] = [
        (Self::is_made_by_plugin, Unchecked::Prepared),
        (Self::is_above_tree, Unchecked::Above),
        (Self::is_outside_of_checkout, Unchecked::Above),
        (Self::enters_checkout_again, Unchecked::Above),
        (Self::is_generated_beside, Unchecked::Beside),
        (Self::is_of_other_site, Unchecked::Above),
    ];

    pub fn new(context: &'c LinkContext<'s>, places: &'c [PathBuf], written: &'c str) -> Self {
        let page = context.page;
        Self { context, page, site: &page.site, places, written }
    }

    /// Returns the reason why these places cannot be reported.
    pub fn reason(&self) -> Option<Unchecked> {
        if let Some(why) = self.first(&Self::REASONS) {
            return Some(why);
        }
        // The roots of an unknown generator are guesses.
        let is_guessed = self.site.is_guessed() && !self.site.content.is_empty();
        if is_guessed && self.written.starts_with('/') {
            return self.reason_of_guessed_root();
        }
        self.first(&Self::REASONS_OF_KNOWN_ROOT)
            .or_else(|| published_elsewhere::reason(self.context, self.places, self.written))
            .or_else(|| self.first(&Self::LAST_REASONS))
    }

    fn first(&self, reasons: &[Obstacle<Self>]) -> Option<Unchecked> {
        reasons.iter().find(|(applies, _)| applies(self)).map(|(_, why)| *why)
    }

    fn reason_of_guessed_root(&self) -> Option<Unchecked> {
        let Self { page, site, written, .. } = *self;
        if site.is_address_of_program(written) {
            return Some(Unchecked::Prepared);
        }
        let is_directory = |path: &Path| page.files.probe(path) == PathStatus::Directory;
        let is_known = site.infers(written, is_directory)
            || self.any(|place| evidence::is_published_picture(self.context, place));
        (!is_known).then_some(Unchecked::NoRoot)
    }

    fn any(&self, test: impl Fn(&Path) -> bool) -> bool {
        self.places.iter().any(|place| test(place))
    }

    fn is_rooted(&self) -> bool {
        self.written.starts_with('/')
    }

    /// Another component may set the attribute and have the page, as redpanda's cloud documentation
    /// does.
    fn is_in_part(&self) -> bool {
        let page = self.page;
        page.is_part() && !self.is_of_whole_site()
            || page.is_source() && page.facts.is_conditional(self.context.link.span)
    }

    /// `/a` in a part of pages leads to the same place from each of them. The files of a theme may be
    /// in the site that uses it.
    fn is_of_whole_site(&self) -> bool {
        let Self { page, site, .. } = *self;
        self.is_rooted()
            && site.is_generated()
            && !page.path.iter().any(|name| name == "themes" || name == "theme")
    }

    /// The first place is relative to the file, as it is where the pages come from.
    fn is_left_copy(&self) -> bool {
        self.page.is_source()
            && !self.is_rooted()
            && self
                .places
                .first()
                .is_some_and(|it| self.site.left_copy_of(self.page.path, it).is_some())
    }

    fn is_import_of_component(&self) -> bool {
        let is_absent = |it: &PathBuf| it.parent().is_none_or(|above| self.page.is_absent(above));
        self.context.link.origin == LinkOrigin::Import
            && !is_shown(self.written.as_bytes())
            && self.places.iter().all(is_absent)
    }

    fn is_in_submodule(&self) -> bool {
        let repository = self.site.repository.as_ref();
        repository.is_some_and(|it| self.any(|place| it.is_in_submodule(place)))
    }

    fn is_built(&self) -> bool {
        let Self { page, site, .. } = *self;
        let Some(repository) = &site.repository else { return false };
        let is_built =
            |place: &Path| site.found.is_built(place, || is_built(page, repository, place));
        // A pattern such as `i18n/*` ignores every path below that root, so it is no evidence of a
        // build.
        let is_of_ignored_root = |place: &Path| {
            let is_own = !self.is_rooted() && self.places.first().is_some_and(|it| it == place);
            let mut roots =
                site.roots_above(place).into_iter().filter(|root| place.starts_with(root));
            !is_own && roots.any(|root| is_built(&root.join(ANY_NAME)))
        };
        // A package that the generator mounts adds files, such as `/favicon.ico`: no pages, and
        // nothing in the directories of the tree.
        let is_of_package = |place: &Path| {
            let sources = site.sources_of_files(place);
            sources.into_iter().any(|source| is_built(&source.join(ANY_NAME)))
        };
        let has_above = |place: &Path| {
            place.parent().is_some_and(|it| page.files.probe(it) == PathStatus::Directory)
        };
        let is_page = |place: &Path| {
            let extension = place.extension().and_then(OsStr::to_str);
            extension.is_none_or(|it| {
                it == "html"
                    || site
                        .rules()
                        .endings
                        .iter()
                        .any(|ending| ending.strip_prefix('.') == Some(it))
            })
        };
        // The same for each place.
        let has_directory = OnceCell::new();
        let has_directory =
            || *has_directory.get_or_init(|| self.any(|it| !is_of_package(it) && has_above(it)));
        let may_be_of_package = |place: &Path| {
            let is_at_top = self.is_rooted() && !self.written.trim_matches('/').contains('/');
            !is_page(place) && (is_at_top || !has_directory())
        };
        self.any(|place| {
            is_built(place)
                && !is_of_ignored_root(place)
                && (!is_of_package(place) || may_be_of_package(place))
        })
    }

    fn is_of_program(&self) -> bool {
        let Self { site, written, .. } = *self;
        // The settings name it, so only a theme may have it.
        if self.context.link.origin == LinkOrigin::SettingsFile {
            return OF_THEMES.contains(&written);
        }
        // `_plugins/a.rb` of Jekyll writes `"llms-full.txt"`.
        let is_of_plugin = |place: &Path| {
            let name = place.file_name().and_then(OsStr::to_str).unwrap_or_default();
            name.contains('.') && site.is_named_by_plugin(name)
        };
        // The page of a document that the program writes: `a.html` for `a.ipynb`.
        let is_page = |place: &Path| {
            place.extension().is_some_and(|it| it == "html")
                && site.rules().endings.iter().any(|ending| {
                    let extension = ending.strip_prefix('.');
                    extension.is_some_and(|it| site.is_named_by_program(&place.with_extension(it)))
                })
        };
        self.any(|it| {
            site.is_named_by_program(it)
                || is_page(it)
                || site.is_written_by_plugin(it, written)
                || is_of_plugin(it)
        })
    }

    /// True for the name of a document anywhere in the tree, if a program may make pages of any: the
    /// posts of LycheeOrg are in `src/data`, and `[...blog]/index.astro` shows them.
    fn is_of_program_for_all(&self) -> bool {
        const ENDINGS: [&str; 2] = ["md", "mdx"];
        let Self { page, site, written, .. } = *self;
        let name = written.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        self.is_rooted()
            && site.makes_any_pages()
            && !name.is_empty()
            && ENDINGS
                .iter()
                .any(|it| !page.files.files_named(site, &format!("{name}.{it}")).is_empty())
    }

    /// A program lists the pages. One for all addresses follows the rule of the others, if these show
    /// it.
    fn is_of_route(&self) -> bool {
        let is_any = |has_all| self.any(|place| self.site.may_make(place, has_all));
        is_any(false)
            || is_any(true) && !(self.is_rooted() && generated::are_nearly_all_found(self.context))
    }

    fn is_mounted(&self) -> bool {
        self.any(|place| self.site.is_mounted(place, &|path| self.page.is_absent(path)))
    }

    /// True for a file of the user interface of Antora, most of which are in a bundle.
    fn is_of_interface(&self) -> bool {
        let Self { site, written, .. } = *self;
        let inside = written.strip_prefix(site.base.as_str()).unwrap_or(written);
        let first = inside.trim_start_matches('/').split('/').next();
        // The files that the interface loads are beside the modules.
        [Some(site), site.beside.as_deref()]
            .into_iter()
            .flatten()
            .any(|site| site.rules().resources == ResourceRule::Antora)
            && self.is_rooted()
            && first == Some(antora::OF_INTERFACE)
    }

    fn may_be_redirected(&self) -> bool {
        let Self { page, site, places, written, .. } = *self;
        let missing =
            || places.first().map_or_else(String::new, |place| first_missing(page, place));
        let mut below = places.iter().flat_map(|place| site.below(place));
        if self.is_rooted() {
            site.may_redirect(written, missing)
        } else {
            below.any(|below| site.may_redirect(&format!("/{}", below.display()), missing))
        }
    }

    /// A hook of the site may turn `../config/`, which leads out of its content, into a URL of the
    /// forge, where the document is shown, too.
    fn is_of_forge_by_hook(&self) -> bool {
        let Self { page, site, written, .. } = *self;
        let of_file = path::joined(page.directory(), written);
        site.unresolved == UnresolvedLinks::Hooks
            && page.is_source()
            && written.starts_with("../")
            && of_file.is_some_and(|place| {
                page.files.probe(&place) == PathStatus::Directory
                    && !site.content.iter().any(|it| paths::below(it, &place).is_some())
            })
    }

    /// Other versions of the site may be beside it on its host.
    fn is_of_other_version(&self) -> bool {
        self.site.is_below_host && self.is_rooted() && !self.has_first_directory()
    }

    /// True if a root of the site has the first name of an address.
    fn has_first_directory(&self) -> bool {
        let Self { page, written, .. } = *self;
        let base = page.site.base.as_str();
        let inside = written.strip_prefix(base).unwrap_or(written).trim_start_matches('/');
        let first = inside.split('/').next().unwrap_or_default();
        page.site.roots.iter().any(|root| !page.is_absent(&root.join(first)))
    }

    fn is_of_other_component(&self) -> bool {
        self.page.is_source() && self.site.is_of_other_component(self.written)
    }

    /// A site built elsewhere has an unknown root.
    fn is_of_site_elsewhere(&self) -> bool {
        self.is_rooted() && (generated::is_elsewhere(self.page) || self.is_published())
    }

    /// A site built elsewhere may keep pictures elsewhere.
    fn is_kept_elsewhere(&self) -> bool {
        let is_beside =
            |place: &Path| !place.parent().is_some_and(|above| self.page.is_absent(above));
        let extension = Path::new(self.written).extension();
        let is_other = extension.is_some_and(|it| it != "md" && it != "mdx" && it != "html");
        is_other && !self.any(is_beside) && generated::is_elsewhere(self.page)
    }

    fn is_made_by_plugin(&self) -> bool {
        self.is_of_plugin() || self.any(|place| is_made_from_source(self.page, place))
    }

    /// Files above the tree belong to this machine.
    fn is_above_tree(&self) -> bool {
        self.site.repository.is_none()
            && !self.page.path.starts_with("..")
            && self.any(|place| place.starts_with(".."))
    }

    /// A site may move a style sheet, so paths that leave the checkout are unknown.
    fn is_outside_of_checkout(&self) -> bool {
        let Some(repository) = &self.site.repository else { return false };
        let is_outside = |place: &PathBuf| paths::below(&repository.directory, place).is_none();
        !self.page.is_source() && self.places.iter().all(is_outside)
    }

    /// `../../name/a` leaves the checkout and enters it again, if the directory has the name of the
    /// repository, as that of a clone has.
    fn enters_checkout_again(&self) -> bool {
        let repository = self.site.repository.as_ref();
        repository.is_some_and(|it| self.any(|place| enters_again(it, place)))
    }

    /// Built sites may be placed next to each other, but sources are not.
    fn is_of_other_site(&self) -> bool {
        let Self { page, site, places, written, .. } = *self;
        let is_page = match Path::new(written).extension() {
            Some(extension) if extension == "md" => {
                let other = |place: &PathBuf| place.parent().is_some_and(|it| page.is_absent(it));
                generated::is_page_of_rustdoc(written)
                    || site.rules().missing_sources == MissingSources::MayBeOfAnotherBook
                        && places.iter().all(other)
            }
            Some(extension) => extension == "html" || extension == "htm",
            None => true,
        };
        let is_inside = |place: &Path| {
            site.below(place).next().is_some()
                || site.content.iter().any(|root| paths::below(root, place).is_some())
        };
        is_page && site.is_generated() && !self.any(is_inside)
    }

    /// True for `/a/b` without an extension in a document on a forge whose checkout has no `a`: the
    /// address of a site that includes the document. 150 errors of rolldown were such links.
    fn is_address_elsewhere(&self) -> bool {
        let Self { page, written, .. } = *self;
        let Some(repository) = &page.site.repository else { return false };
        let Some((first, name)) = written.strip_prefix('/').and_then(|it| it.split_once('/'))
        else {
            return false;
        };
        // `Interface.Plugin` is the name of a page.
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_file = is_no_document(extension) || Format::from_extension(extension).is_some();
        let stem = page.path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        // Forges show these.
        let is_of_forge = is_among("contributing readme security", &stem.to_ascii_lowercase());
        page.is_source()
            && page.site.rules().forge == ForgeRule::OnForge
            && !is_file
            && !is_of_forge
            && !first.is_empty()
            && path::joined(&repository.directory, first).is_some_and(|it| page.is_absent(&it))
    }

    /// True for the id of a page of Antora in a document outside of all components: a build copies
    /// such parts into one. 78 errors in apache/camel-quarkus were in parts beside the code.
    fn is_of_component(&self) -> bool {
        let Self { page, written, .. } = *self;
        let Some(name) = Path::new(written).file_name().and_then(OsStr::to_str) else {
            return false;
        };
        // `manual::a.adoc` and `partial$a.adoc` are not paths.
        const SIGNS: [&str; 5] = ["::", "attachment$", "example$", "page$", "partial$"];
        let is_id = || SIGNS.iter().any(|sign| written.contains(sign));
        page.has_attributes()
            && page.site.rules().resources != ResourceRule::Antora
            && !written.starts_with("..")
            && !written.starts_with('/')
            && (is_id()
                || written.ends_with(".adoc")
                    && few_named(page, name).iter().any(|file| {
                        file.parent().into_iter().flat_map(Path::ancestors).any(|pages| {
                            pages.file_name() == Some(OsStr::new("pages"))
                                && file.strip_prefix(pages).is_ok_and(|id| id == Path::new(written))
                        })
                    }))
    }

    /// True for a file of a directory that sites publish at `/`, if nothing shows the site: 15 of
    /// 27 findings of statamic's docs were pictures below `public`.
    fn is_published(&self) -> bool {
        let Self { page, written, .. } = *self;
        let Some(repository) = &page.site.repository else { return false };
        page.is_source()
            && page.site.rules().forge == ForgeRule::OnForge
            && ["public", "static"].iter().any(|root| {
                let root = repository.directory.join(root);
                let place = path::joined(&root, written.trim_start_matches('/'));
                place.is_some_and(|place| page.files.probe(&place) == PathStatus::File)
            })
    }

    /// True for `index.png` or `index.xml` in the directory that a generator makes for the
    /// document. Of a source, it makes a page.
    fn is_generated_beside(&self) -> bool {
        let page = self.page;
        let Some(own) = page.path.file_stem().map(|stem| page.directory().join(stem)) else {
            return false;
        };
        page.is_source()
            && page.site.rules().links == LinkBase::Either
            && self.places.iter().any(|place| {
                place.parent() == Some(&own)
                    && place.file_stem().is_some_and(|stem| stem == "index")
                    && !is_source(place)
            })
    }

    /// True for a page in a directory that a plugin of the site names, if plugins make pages:
    /// `packages.rb` of swift.org makes pages below `packages`.
    fn is_of_plugin(&self) -> bool {
        let Self { page, written, .. } = *self;
        let Some((directory, _)) = written.trim_end_matches('/').rsplit_once('/') else {
            return false;
        };
        let name = directory.rsplit('/').next().unwrap_or_default();
        let is_page = !written.contains('.') || written.ends_with(".html");
        is_page
            && written.starts_with('/')
            && !name.is_empty()
            && page.site.is_named_by_plugin(name)
    }
}

/// True for the path of a document from which pages are made.
fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    Format::from_extension(extension).is_some_and(Format::is_source)
}

/// Returns the first name of a path that is not here.
fn first_missing(page: &AuditedPage<'_>, place: &Path) -> String {
    let absent = place.ancestors().take_while(|above| page.is_absent(above)).last();
    absent
        .and_then(Path::file_name)
        .map_or_else(String::new, |it| it.to_string_lossy().into_owned())
}

/// True for a source whose address is redirected: an unknown generator may make addresses of the
/// names of sources.
fn is_redirected(page: &AuditedPage<'_>, place: &Path) -> bool {
    let is_source = place.extension().is_some_and(|it| it == "md" || it == "mdx");
    let Some(content) = page.site.content.first().filter(|_| is_source) else { return false };
    page.site.guessed_addresses(place).iter().any(|address| {
        let address = content.join(address.with_extension(""));
        matches!(page.files.page(&page.site, &address), Some(SitePage::Redirect(_)))
    })
}

/// True for a path beside the checkout, in a directory with the name of its repository.
fn enters_again(repository: &Repository, place: &Path) -> bool {
    if paths::below(&repository.directory, place).is_some() {
        return false;
    }
    let absolute = paths::absolute(place);
    let around = paths::absolute(&repository.directory);
    let beside = around.parent().and_then(|around| absolute.strip_prefix(around).ok());
    let first = beside.and_then(|it| it.iter().next()).and_then(|it| it.to_str());
    let mut names = repository.remotes.iter().filter_map(|remote| remote.rsplit('/').next());
    first.is_some_and(|first| names.any(|name| name.eq_ignore_ascii_case(first)))
}

/// True for a path that the repository ignores, or whose page comes from an ignored file.
fn is_built(page: &AuditedPage<'_>, repository: &Repository, place: &Path) -> bool {
    let is_ignored = |path: &Path| page.files.is_ignored(repository, path);
    let with = |place: &Path, ending: &str| {
        let mut path = place.as_os_str().to_owned();
        path.push(ending);
        is_ignored(Path::new(&path))
    };
    // `*.ipynb` says nothing about `a` if no document is a notebook.
    let is_of_any_name = |ending: &str| {
        let any = place.with_file_name(ANY_NAME);
        with(&any, ending) && !is_ignored(&any) && !page.files.has_ending(ending)
    };
    // `/a.html` for the ignored source `a.qmd`.
    let is_page_of_ignored = |(from, to): &(&str, &str)| {
        let stem = place.to_str().and_then(|place| place.strip_suffix(from));
        stem.is_some_and(|stem| is_ignored(Path::new(&format!("{stem}{to}"))))
    };
    is_ignored(place)
        || page.site.rules().swaps.iter().any(is_page_of_ignored)
        || place.extension().is_none()
            && page
                .site
                .rules()
                .endings
                .iter()
                .filter(|it| !it.starts_with('/'))
                .any(|ending| with(place, ending) && !is_of_any_name(ending))
}

/// True for a page whose source is below a directory that the generator itself leaves out, if
/// plugins make pages: `docs/2.7.x/policies/a` of kuma-website is made from `_src/policies/a.md`.
fn is_made_from_source(page: &AuditedPage<'_>, place: &Path) -> bool {
    let site = &page.site;
    let (Some(name), None | Some("html")) =
        (place.file_stem(), place.extension().and_then(OsStr::to_str))
    else {
        return false;
    };
    if site.rules().plugins.is_none() {
        return false;
    }
    let file = format!("{}.md", name.to_string_lossy());
    few_named(page, &file).iter().any(|source| {
        let mut inside = site.content.iter().filter_map(|root| paths::below(root, source));
        inside.any(|inside| {
            let mut names = inside.iter();
            let first = names.next().and_then(OsStr::to_str).unwrap_or_default();
            let tail = names.as_path().with_extension("");
            first.starts_with('_')
                && !first.starts_with("_posts")
                && tail.components().count() > 1
                && place.with_extension("").ends_with(&tail)
        })
    })
}

/// Most files of one name that are compared with a link. More of them say nothing about it, and
/// each link would be compared with all.
const MAX_OF_A_NAME: usize = 64;

/// Returns the files of a name, if they are few.
fn few_named(page: &AuditedPage<'_>, name: &str) -> Arc<[PathBuf]> {
    let files = page.files.files_named(&page.site, name);
    if files.len() > MAX_OF_A_NAME { Arc::default() } else { files }
}
