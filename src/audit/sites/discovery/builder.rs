//! Builds a site from its marker and settings: [`build`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dialect::{dialect, slugs};
use super::directories::SiteDirectories;
use super::finder::DirectoryLister;
use super::memory::SiteKey;
use super::packages::{homepage, major_version};
use super::places::{has_hook, joined, settings, text, text_in_tree};
use super::plugins::{interfaces, written};
use super::programs::{READ_THE_DOCS, found_above, is_below_host, written_headings};
use super::settings::{titled, value, values};
use super::tree_bounds::is_in_tree;
use crate::audit::Slugs;
use crate::audit::finding::is_among;
use crate::audit::sites::dynamic::DynamicPages;
use crate::audit::sites::edited::EditedContent;
use crate::audit::sites::menu::Menu;
use crate::audit::sites::mount_table::MountTable;
use crate::audit::sites::mounts::{self, Fallback};
use crate::audit::sites::pages::redirects;
use crate::audit::sites::playbook::Playbooks;
use crate::audit::sites::program::ProgramText;
use crate::audit::sites::rules::{
    LinkBase, PageDirectoryRule, ResourceRule, SettingsRule, SiteRules, UnresolvedLinks,
};
use crate::audit::sites::site::{MAX_ROOTS, base_path, host_of};
use crate::audit::sites::titled::TitledAddresses;
use crate::audit::sites::{
    Profile, Site, antora, docusaurus, eleventy, mintlify, quarto, sphinx, vitepress,
};
use crate::document::Dialect;

/// Builds the site of a marker. The result is the same for all directories in it.
pub fn build(files: &dyn DirectoryLister, key: &SiteKey) -> Site {
    let builder = SiteBuilder::new(files, key);
    let SiteDirectories {
        languages,
        mounts,
        content,
        projects,
        components,
        playbooks,
        inherited,
        roots,
        inferred,
    } = builder.directories(key.version.as_ref());
    let (rules, settings) = (builder.rules, builder.settings.as_str());
    let program = if is_program(&key.marker) { settings } else { "" };
    let SiteAddress { base, host, is_whole_host } = builder.address(&roots, playbooks.as_ref());
    let copied_content: Vec<PathBuf> = key.version.iter().chain(&content).cloned().collect();
    let edited = rules.edit_key.map_or_else(Vec::new, |edit_key| {
        EditedContent::read(edit_key, settings, builder.above, &copied_content, files)
    });
    Site {
        slugs: slugs(rules, settings),
        searches_documents: program.contains(sphinx::INTERSPHINX)
            && sphinx::is_before_5(builder.above, files),
        writes_documents: sphinx::writes_documents(program),
        writes_texts_for_models: writes_texts_for_models(settings),
        program: ProgramText::new(program),
        written: written(program, interfaces(rules.interfaces, settings), &mounts),
        plugins: ProgramText::new(&builder.plugins()),
        headings: ProgramText::new(&written_headings(&key.marker, files)),
        settings: key.marker.clone(),
        includes: builder.includes(&content),
        redirecting: ProgramText::new(&builder.redirecting()),
        has_theme: rules.theme.is_some_and(|theme| value(settings, theme.keys).is_some()),
        published: builder.published(),
        excluded: builder.excluded().into(),
        is_below_host: is_below_host(builder.above, files),
        has_pages_elsewhere: playbooks
            .is_some_and(|it| !it.name_whole_site(builder.above, &components)),
        navigation: match rules.resources {
            ResourceRule::Antora => antora::menus(builder.above, settings).into(),
            ResourceRule::None => Arc::default(),
        },
        components: components.into(),
        attributes: match rules.resources {
            ResourceRule::Antora => antora::attributes(settings).into(),
            ResourceRule::None => Arc::default(),
        },
        shared_modules: match rules.resources {
            ResourceRule::Antora => antora::shared_modules(builder.above, settings).into(),
            ResourceRule::None => Arc::default(),
        },
        copied: builder.copied().take(MAX_ROOTS).collect(),
        has_includes: settings.contains("markdown-it-include"),
        has_picture_sizes: vitepress::has_picture_sizes(settings),
        import_base: builder.import_base(),
        dynamic: builder.dynamic(),
        link_component: ProgramText::new(&match rules.dialect {
            Dialect::Mdx => docusaurus::link_component(builder.above, files),
            _ => String::new(),
        }),
        searched: builder.searched().into(),
        lacks_anchors: key.profile == Profile::Eleventy
            && !eleventy::makes_anchors(settings, builder.above, files),
        computes_redirects: !program.is_empty() && redirects::are_computed(settings, builder.above),
        projects: projects.into(),
        html_links: builder.html_links(),
        parts: builder.parts(),
        base,
        host,
        is_whole_host,
        inferred,
        dialect: dialect(rules, key, settings),
        menu: Menu::read(rules.menu, settings),
        schemes: sphinx::schemes(settings),
        fallback: Fallback::new(rules.untranslated, &languages, &mounts, settings),
        mounts: Arc::new(MountTable::new(mounts::unique(mounts, &roots))),
        edited: edited.into(),
        component: value(settings, &["name"]).filter(|_| rules.resources == ResourceRule::Antora),
        titled: Arc::new(TitledAddresses::new(
            rules.title_table.map_or_else(Vec::new, |table| titled(settings, table)),
        )),
        languages: languages.into_iter().map(|language| language.name).collect(),
        unresolved: builder.unresolved(),
        // VitePress 2 does so since its first versions (`normalizeHash` of its plugin for links).
        has_slugged_fragments: rules.slugs == Slugs::Vitepress
            && major_version(&key.above, "vitepress").is_some_and(|version| version >= 2),
        // MkDocs resolves them only on demand (`validation.links.absolute_links`).
        leaves_rooted: rules.links == LinkBase::Unresolved
            && !settings.contains("relative_to_docs"),
        has_page_directories: match rules.page_directories {
            PageDirectoryRule::Never => false,
            PageDirectoryRule::Always => true,
            PageDirectoryRule::IfSetting(key, value) => {
                values(settings, key).iter().any(|it| it == value)
            }
        },
        is_flat: {
            let mut values = values(settings, "use_directory_urls").into_iter();
            values.any(|it| it.eq_ignore_ascii_case("false"))
        },
        roots,
        content,
        inherited,
        ..Site::for_profile(key.profile)
    }
}

/// Returns the addresses that a program writes redirects for, `"/a/": "/b/"`, as the lines of a file
/// of redirects.
fn addresses_of_script(program: &str) -> String {
    let addresses = program.lines().filter_map(|line| {
        let line = line.trim();
        let quote = line.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (address, rest) = line.split_once(quote)?.1.split_once(quote)?;
        let is_key = rest.trim_start().starts_with([':', ',']) && address.starts_with('/');
        // What the program fills in is not known.
        let is_whole = !address.contains(['{', '%', '*', ':']);
        (is_key && is_whole).then(|| format!("\n{} ", address.trim_end_matches('/')))
    });
    addresses.collect()
}

/// Maximum number of files with parts of the settings.
const MAX_INCLUDED: usize = 16;
/// Maximum number of patterns of published files.
const MAX_PUBLISHED: usize = 1_000;
/// Maximum number of patterns of excluded documents. Each is compared with every document.
const MAX_EXCLUDED: usize = 32;

/// True if the settings name a plugin or format for `llms.txt` (llmstxt.org).
fn writes_texts_for_models(settings: &str) -> bool {
    const NAMES: [&str; 5] = ["plugin-llms", "llms-txt", "llmstxt", "sphinx_llm", "LLMS"];
    NAMES.iter().any(|name| settings.contains(name))
}

/// True for settings that are a program.
fn is_program(marker: &Path) -> bool {
    let extension = marker.extension().and_then(|extension| extension.to_str());
    marker.is_dir() && marker.file_name().is_some_and(|it| it == ".vitepress")
        // The settings of docsify are a script of its page.
        || extension.is_some_and(|it| is_among("cjs cts html js mjs mts py ts", it))
}

/// Returns the host in the file `CNAME`, by which GitHub Pages knows the domain of a site.
pub fn named_host(directories: impl IntoIterator<Item = PathBuf>) -> Option<String> {
    let files = directories.into_iter().map(|directory| directory.join("CNAME"));
    let host = files.filter(|file| file.is_file()).map(|file| text(&file)).next()?;
    bare_host(host.trim())
}

/// Returns a host that is written without a scheme; `None` for a path.
fn bare_host(text: &str) -> Option<String> {
    let is_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-');
    (text.contains('.') && !text.starts_with('.') && text.chars().all(is_host))
        .then(|| text.to_ascii_lowercase())
}

/// Where a site is published.
struct SiteAddress {
    base: String,
    host: Option<String>,
    is_whole_host: bool,
}

pub(super) struct SiteBuilder<'b> {
    pub files: &'b dyn DirectoryLister,
    profile: Profile,
    pub rules: &'static SiteRules,
    pub above: &'b Path,
    pub marker: &'b Path,
    /// Text of the settings, followed by those they inherit from.
    pub settings: String,
    /// Path of the inherited settings.
    pub parent: Option<PathBuf>,
}

impl<'b> SiteBuilder<'b> {
    fn new(files: &'b dyn DirectoryLister, key: &'b SiteKey) -> Self {
        let &SiteKey { profile, ref above, ref marker, .. } = key;
        let rules = profile.rules();
        let mut settings = match rules.settings {
            SettingsRule::Nothing => String::new(),
            SettingsRule::Marker => settings(marker),
        };
        let included = rules.included_key.map_or_else(Vec::new, |key| values(&settings, key));
        for file in included.iter().take(MAX_INCLUDED) {
            settings.push('\n');
            settings.push_str(&text_in_tree(above, &joined(above, file)));
        }
        let parent = if marker.starts_with(above) {
            let named = rules.inherit_key.and_then(|key| value(&settings, &[key]));
            named.map(|parent| joined(above, &parent))
        } else {
            // A translation without settings of its own uses those of another language.
            Some(marker.clone())
        };
        if let Some(parent) = parent.as_ref().filter(|parent| *parent != marker) {
            settings.push('\n');
            settings.push_str(&text_in_tree(above, parent));
        }
        Self { files, profile, rules, above, marker, settings, parent }
    }

    /// Returns where HTML within documents starts, if the commands that build the site say so.
    fn html_links(&self) -> Option<LinkBase> {
        if self.rules.unresolved != UnresolvedLinks::Sphinx {
            return None;
        }
        let read_the_docs = found_above(self.above, &READ_THE_DOCS);
        sphinx::html_links(&read_the_docs, &found_above(self.above, &["Makefile"]))
    }

    /// Returns the pages whose paths have parameters.
    fn dynamic(&self) -> DynamicPages {
        let roots: Vec<PathBuf> =
            self.rules.dynamic.iter().map(|it| joined(self.above, it)).collect();
        let is_whole_site_theirs =
            self.rules.routes.is_none_or(|(_, theme)| !self.settings.contains(theme));
        DynamicPages::read(&roots, is_whole_site_theirs, self.files)
    }

    fn address(&self, roots: &[PathBuf], playbooks: Option<&Playbooks>) -> SiteAddress {
        let base = match playbooks {
            Some(playbooks) => playbooks.base(),
            None if self.profile == Profile::Mintlify => {
                mintlify::base(&self.settings, self.above, self.files)
            }
            None => self.base(),
        };
        let address = value(&self.settings, self.rules.host_keys).or_else(|| base.clone());
        let host = address.as_deref().and_then(|it| host_of(it).or_else(|| bare_host(it)));
        let directory = self.marker.parent().map(Path::to_owned);
        let named = named_host(roots.iter().cloned().chain(directory));
        let is_at_root = base.as_deref().is_none_or(|base| base_path(base) == "/");
        let is_whole_host = is_at_root && host.is_some() && host == named;
        let host = host.or(named).or_else(|| homepage(self.above, base.as_deref()));
        let base = base.as_deref().map_or_else(|| "/".to_owned(), base_path);
        SiteAddress { base, host, is_whole_host }
    }

    /// Returns the address of the site, or its path.
    fn base(&self) -> Option<String> {
        // A menu of VitePress may name the base of its own links, beside its `items` or `text`, and
        // so may a plugin of Astro. The base of the site is beside `themeConfig`, and beside
        // `site`.
        let indentation = |line: &str| line.len() - line.trim_start().len();
        let is_of_site = |line: &&str| {
            ["themeConfig", "site:", "integrations:"]
                .iter()
                .any(|key| line.trim_start().starts_with(key))
        };
        let beside = self.settings.lines().find(is_of_site);
        let Some(beside) = beside.filter(|_| self.rules.base_keys == ["base"]) else {
            return value(&self.settings, self.rules.base_keys);
        };
        let own = self.settings.lines().filter(|it| indentation(it) <= indentation(beside));
        value(&own.collect::<Vec<_>>().join("\n"), self.rules.base_keys)
    }

    /// Returns the directory that `baseUrl` of the settings of TypeScript names.
    fn import_base(&self) -> Option<PathBuf> {
        let mut texts = self.rules.import_settings.iter().map(|it| text(&joined(self.above, it)));
        let named = texts.find_map(|it| value(&it, &["baseUrl"]))?;
        Some(joined(self.above, &named)).filter(|base| is_in_tree(self.above, base))
    }

    /// Returns the text of the plugins that make pages (Jekyll, "Generators").
    fn plugins(&self) -> String {
        let Some(directory) = self.rules.plugins else { return String::new() };
        let directory = joined(self.above, directory);
        let names = self.files.names(&directory);
        let texts = names.iter().filter(|name| name.ends_with(".rb"));
        let texts = texts.map(|name| text(&directory.join(name)));
        texts.filter(|text| text.contains("Generator") || text.contains("Hooks")).collect()
    }

    /// Returns the lines of the templates from which the generator makes redirects, each after a
    /// line feed.
    fn redirecting(&self) -> String {
        let templates = self.rules.redirecting.iter();
        let texts = templates.map(|template| text(&joined(self.above, template)));
        let texts = texts.filter(|text| !text.is_empty()).map(|text| format!("\n{text}"));
        let scripts = self.rules.script_keys.iter().flat_map(|key| values(&self.settings, key));
        let scripts = scripts
            .take(MAX_INCLUDED)
            .map(|file| addresses_of_script(&text_in_tree(self.above, &joined(self.above, &file))));
        texts.chain(scripts).collect()
    }

    /// Returns the patterns of the files that the settings publish, if they list these.
    fn published(&self) -> Option<Arc<[String]>> {
        let is_quarto = self.rules.markers.contains(&"_quarto.yml");
        let listed = is_quarto.then(|| quarto::published(&self.settings))?;
        // Each link to a page is compared with them. If the list is longer, no page counts as left
        // out.
        listed.filter(|it| it.len() <= MAX_PUBLISHED).map(Into::into)
    }

    /// Returns the patterns of documents of which no page is made.
    fn excluded(&self) -> Vec<String> {
        let named = self.rules.excluded_keys.iter().flat_map(|key| values(&self.settings, key));
        let own = self.rules.excluded.iter().map(|&pattern| pattern.to_owned());
        own.chain(named).take(MAX_EXCLUDED).collect()
    }

    fn unresolved(&self) -> UnresolvedLinks {
        let rules = self.rules;
        // Settings that a build completes (`book.toml.in`) show that it also makes documents.
        if self.marker.extension().is_some_and(|extension| extension == "in") {
            UnresolvedLinks::Build
        } else if rules.hooks.iter().any(|hook| has_hook(hook, self.above, &self.settings)) {
            UnresolvedLinks::Hooks
        } else if self.has_routes() {
            UnresolvedLinks::Routes
        } else {
            rules.unresolved
        }
    }

    /// True if programs of the site answer requests, as `[...slug].astro` does.
    pub fn has_routes(&self) -> bool {
        let Some((pages, theme)) = self.rules.routes else { return false };
        let names = self.files.names(&joined(self.above, pages));
        !self.settings.contains(theme) && names.iter().any(|name| name.starts_with('['))
    }
}
