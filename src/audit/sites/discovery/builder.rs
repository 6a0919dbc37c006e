//! Builds a site from its marker and settings: [`build`].

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dialect::{dialect, slugs};
use super::finder::{DirectoryLister, FIRST};
use super::inferred::infer;
use super::memory::SiteKey;
use super::packages::{homepage, major_version};
use super::places::{has_hook, is_language, joined, settings, text, text_in_tree};
use super::plugins::{interfaces, written};
use super::programs::{READ_THE_DOCS, found_above, is_below_host, written_headings};
use super::settings::{attributes, titled, value, values};
use super::tree_bounds::is_in_tree;
use crate::audit::Slugs;
use crate::audit::finding::is_among;
use crate::audit::paths;
use crate::audit::sites::dynamic::DynamicPages;
use crate::audit::sites::edited::EditedContent;
use crate::audit::sites::menu::Menu;
use crate::audit::sites::mount_table::MountTable;
use crate::audit::sites::mounts::{self, Fallback, Mount};
use crate::audit::sites::pages::redirects;
use crate::audit::sites::program::ProgramText;
use crate::audit::sites::rules::{
    ContentRule, GeneratorRule, LanguageNameRule, LinkBase, MoreMounts, PageDirectoryRule,
    ResourceRule, RootRule, SearchedDirectory, SettingsRule, SiteRules, UnresolvedLinks,
};
use crate::audit::sites::site::{MAX_ROOTS, base_path, host_of};
use crate::audit::sites::titled::TitledAddresses;
use crate::audit::sites::{
    Profile, Site, antora, docusaurus, eleventy, hugo, quarto, sphinx, vitepress,
};
use crate::document::Dialect;

/// Builds the site of a marker. The result is the same for all directories in it.
pub fn build(files: &dyn DirectoryLister, key: &SiteKey) -> Site {
    let builder = SiteBuilder::new(files, key);
    // Languages, mounts, and inherited content must all be known: without them, most links between
    // translations look broken. That made all of 60 judged findings of opentelemetry.io and of
    // fastapi false.
    let languages = builder.languages();
    let mut mounts = builder.mounts();
    let mut content = builder.content();
    // Content outside the site's directory keeps its directory name in addresses.
    let around = builder.around(&content);
    let projects = builder.projects();
    content.extend(projects.iter().cloned());
    if content.is_empty() || builder.rules.content_rule == ContentRule::BesideDefault {
        content.extend(builder.default_content());
    }
    if builder.rules.content_rule == ContentRule::InsteadOfDefault {
        let mut known: HashSet<PathBuf> = content.iter().cloned().collect();
        for mount in mounts.iter().filter(|mount| mount.is_of_content) {
            let is_new = !mount.source.ancestors().any(|directory| known.contains(directory));
            if is_new && mount.source.is_dir() {
                known.insert(mount.source.clone());
                content.push(mount.source.clone());
            }
        }
    }
    // If the only mount of the whole content is a directory below it, that directory comes first
    // (Hugo).
    let mut whole = mounts.iter().filter(|it| it.is_of_content && it.target == Path::new(""));
    if let (Some(only), None) = (
        whole.find(|it| content.iter().any(|above| it.source.parent() == Some(above))),
        whole.find(|it| !content.contains(&it.source)),
    ) {
        content.retain(|it| *it != only.source);
        content.insert(0, only.source.clone());
    }
    let components = match builder.rules.resources {
        ResourceRule::Antora => antora::components(builder.above, files),
        ResourceRule::None => Vec::new(),
    };
    content.extend(antora::other_sources(&components, builder.above));
    mounts.extend(builder.versions(&content));
    // Settings may name directories outside of the tree, or the same one many times.
    let mut seen = HashSet::new();
    content.retain(|directory| {
        is_in_tree(&key.above, directory) && seen.insert(paths::absolute(directory))
    });
    content.truncate(MAX_ROOTS);
    mounts.truncate(MAX_ROOTS);
    content.shrink_to_fit();
    mounts.shrink_to_fit();
    let inherited = builder.inherited();
    // Versions and translations have roots of their own: `i18n/readme.md` is not a page.
    let is_apart = |content: &PathBuf| {
        let rules = builder.rules;
        let apart = rules.version_directories.iter().chain(rules.languages);
        !rules.version_directories.is_empty() && apart.into_iter().any(|it| content.ends_with(it))
    };
    let own = content.iter().filter(|content| !is_apart(content)).cloned();
    let mut roots: Vec<PathBuf> = (key.version.iter().cloned().chain(own))
        .chain(languages.iter().map(|language| language.directory.clone()))
        .chain(builder.statics(&content))
        .chain(builder.copied())
        .chain(around)
        .collect();
    // The same directory may be content, a language, and a static root. Lookups try every root, so
    // duplicates would cost time; the first occurrence of each decides the order.
    let mut seen = HashSet::new();
    roots.retain(|root| seen.insert(root.clone()));
    roots.extend(inherited.iter().cloned());
    roots.retain(|root| is_in_tree(&key.above, root));
    let is_unknown = builder.rules.generator == GeneratorRule::Unknown;
    // A server may show one language at `/`: the addresses of developer.chrome.com start below
    // `site/en`.
    let is_served = builder.rules.root == RootRule::Inferred;
    let inferred = content.first().filter(|_| is_unknown || is_served).and_then(|it| infer(it));
    let known = inferred.iter().map(|root| root.directory.clone());
    roots.extend(known.filter(|root| !seen.contains(root)));
    let inferred = inferred.filter(|_| is_unknown);
    roots.truncate(MAX_ROOTS);
    roots.shrink_to_fit();
    let (rules, settings) = (builder.rules, builder.settings.as_str());
    let program = if is_program(&key.marker) { settings } else { "" };
    let base = match rules.resources {
        ResourceRule::Antora => antora::base(builder.above, files),
        ResourceRule::None => builder.base(),
    };
    let address = value(settings, rules.host_keys).or_else(|| base.clone());
    let is_of_components = rules.resources == ResourceRule::Antora;
    let component = value(settings, &["name"]).filter(|_| is_of_components);
    let host = address.as_deref().and_then(|it| host_of(it).or_else(|| bare_host(it)));
    let directory = key.marker.parent().map(Path::to_owned);
    let named = named_host(roots.iter().cloned().chain(directory));
    let is_at_root = base.as_deref().is_none_or(|base| base_path(base) == "/");
    let is_whole_host = is_at_root && host.is_some() && host == named;
    let host = host.or(named).or_else(|| homepage(&key.above, base.as_deref()));
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
        components: components.into(),
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
        base: base.as_deref().map_or_else(|| "/".to_owned(), base_path),
        host,
        is_whole_host,
        inferred,
        dialect: dialect(rules, key, settings),
        menu: Menu::of(rules.menu, settings),
        schemes: sphinx::schemes(settings),
        fallback: Fallback::of(rules.untranslated, &languages, &mounts, settings),
        mounts: Arc::new(MountTable::new(mounts::unique(mounts, &roots))),
        edited: edited.into(),
        component,
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
        ..Site::of(key.profile)
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

/// Maximum number of directories with topics, pictures, or snippets each.
const MAX_SEARCHED: usize = 16;
/// Maximum number of files with parts of the settings.
const MAX_INCLUDED: usize = 16;
/// Maximum number of patterns of published files.
const MAX_PUBLISHED: usize = 1_000;
/// Maximum number of patterns of excluded documents. Each is compared with every document.
const MAX_EXCLUDED: usize = 32;

/// Returns the path of a version, if it is not the name: `'9.x': { path: 'v9' }` (Docusaurus,
/// "Versioning").
fn version_path(settings: &str, version: &str) -> Option<String> {
    let quoted = ["'", "\""].map(|quote| format!("{quote}{version}{quote}"));
    let mut after = quoted.iter().filter_map(|name| Some(settings.split_once(name)?.1));
    let object = after.find_map(|after| after.trim_start().strip_prefix(':'))?;
    let object = object.trim_start().strip_prefix('{')?.split('}').next()?;
    value(&object.replace(',', ",\n"), &["path"])
}

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

/// Content directory of one language, such as `content/en`.
#[derive(Debug)]
pub(in crate::audit::sites) struct LanguageDirectory {
    pub name: String,
    pub directory: PathBuf,
}

struct SiteBuilder<'b> {
    files: &'b dyn DirectoryLister,
    rules: &'static SiteRules,
    above: &'b Path,
    marker: &'b Path,
    /// Text of the settings, followed by those they inherit from.
    settings: String,
    /// Path of the inherited settings.
    parent: Option<PathBuf>,
}

impl<'b> SiteBuilder<'b> {
    fn new(files: &'b dyn DirectoryLister, key: &'b SiteKey) -> Self {
        let SiteKey { profile, above, marker, .. } = key;
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
        Self { files, rules, above, marker, settings, parent }
    }

    /// Returns the existing content directories named by the settings.
    fn content(&self) -> Vec<PathBuf> {
        let named = self.rules.content_keys.iter().flat_map(|key| values(&self.settings, key));
        let mut content: Vec<PathBuf> = named
            .map(|content| joined(self.above, &content))
            .filter(|content| content.is_dir())
            .collect();
        let topics = self.rules.searched.iter().take(1).flat_map(|it| self.directories_of(it));
        content.extend(topics.filter(|directory| directory.is_dir()));
        if self.marker.file_name().is_some_and(|name| name == "conf.py") {
            content.extend(sphinx::source_directory(self.above, &self.settings, self.files));
        }
        // `/a` is a page of the first language. Its settings may be in a file of their own, after
        // those of other languages.
        let first = self.first_language();
        content.sort_by_key(|content| !content.ends_with(&first));
        content
    }

    /// Returns the directories in which files are found, and whether their names suffice.
    fn searched(&self) -> Vec<(PathBuf, bool)> {
        let of = |it: &SearchedDirectory| {
            let has_names = it.has_names;
            self.directories_of(it).into_iter().map(move |directory| (directory, has_names))
        };
        self.rules.searched.iter().flat_map(of).collect()
    }

    /// Returns the directories that the settings name by such an element, which may be repeated.
    fn directories_of(&self, searched: &SearchedDirectory) -> Vec<PathBuf> {
        let SearchedDirectory { element, attributes: names, default, .. } = searched;
        let named = attributes(&self.settings, element, names).take(MAX_SEARCHED);
        let mut found: Vec<PathBuf> = named.map(|it| joined(self.above, it)).collect();
        if found.is_empty() {
            found.push(joined(self.above, default));
        }
        found
    }

    /// Returns the existing source directories, if the settings are those of several projects.
    fn projects(&self) -> Vec<PathBuf> {
        if self.rules.unresolved != UnresolvedLinks::Sphinx {
            return Vec::new();
        }
        let named = sphinx::projects(&self.settings).into_iter();
        named.map(|it| joined(self.above, &it)).filter(|it| it.is_dir()).collect()
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

    /// Returns the language whose pages have addresses without a language.
    fn first_language(&self) -> String {
        let named = value(&self.settings, &["defaultContentLanguage"]);
        named.unwrap_or_else(|| FIRST.to_owned())
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

    fn default_content(&self) -> impl Iterator<Item = PathBuf> {
        let default = self.rules.content.iter().map(|content| joined(self.above, content));
        default.filter(|content| content.is_dir() || content == self.above)
    }

    /// Returns the parents of content directories outside the site's directory.
    fn around(&self, content: &[PathBuf]) -> Vec<PathBuf> {
        if self.rules.content_rule != ContentRule::BesideDefault {
            return Vec::new();
        }
        let beside = content.iter().filter(|content| !content.starts_with(self.above));
        beside.filter_map(|content| content.parent().map(Path::to_path_buf)).collect()
    }

    fn statics(&self, content: &[PathBuf]) -> Vec<PathBuf> {
        let places = content.iter().map(PathBuf::as_path).chain([self.above]);
        let statics = self.rules.statics;
        places
            .flat_map(|place| statics.iter().map(move |root| joined(place, root)))
            .filter(|root| root.is_dir() || root == self.above)
            .collect()
    }

    /// Returns the existing directories that the settings copy to `/`.
    fn copied(&self) -> impl Iterator<Item = PathBuf> {
        let named = self.rules.static_keys.iter().flat_map(|key| values(&self.settings, key));
        named.map(|directory| joined(self.above, &directory)).filter(|copied| copied.is_dir())
    }

    /// Returns the directory that `baseUrl` of the settings of TypeScript names.
    fn import_base(&self) -> Option<PathBuf> {
        let mut texts = self.rules.import_settings.iter().map(|it| text(&joined(self.above, it)));
        let named = texts.find_map(|it| value(&it, &["baseUrl"]))?;
        Some(joined(self.above, &named))
    }

    /// Returns the existing directories whose documents are not pages. Solidity includes those of
    /// `contracts`, so paths in them start at the document that includes them.
    fn parts(&self) -> Vec<PathBuf> {
        let patterns = self.rules.part_keys.iter().flat_map(|key| values(&self.settings, key));
        let directory = |pattern: String| {
            let name = pattern.trim_end_matches('*').trim_end_matches('/');
            let is_name = !name.is_empty() && !name.contains(['*', '?', '[']);
            is_name.then(|| joined(self.above, name))
        };
        let mut seen = HashSet::new();
        let parts = patterns.filter_map(directory).filter(|parts| seen.insert(parts.clone()));
        // Each document is compared with them.
        parts.filter(|parts| parts.is_dir()).take(MAX_ROOTS).collect()
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

    /// Returns the directories of the files that tags of Liquid include.
    fn includes(&self, content: &[PathBuf]) -> Vec<PathBuf> {
        let Some(liquid) = self.rules.liquid else { return Vec::new() };
        let named = value(&self.settings, &[liquid.includes_key]);
        let name = named.as_deref().unwrap_or(liquid.includes);
        let mut found: Vec<PathBuf> = content
            .iter()
            .map(PathBuf::as_path)
            .chain([self.above])
            .map(|it| joined(it, name))
            .collect();
        found.dedup();
        found
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

    /// Returns the content directories of the site whose settings are inherited.
    fn inherited(&self) -> Vec<PathBuf> {
        let Some(parent) = self.parent.as_deref().and_then(Path::parent) else {
            return Vec::new();
        };
        let content = self.rules.content.iter().map(|content| joined(parent, content));
        content.filter(|content| content.is_dir()).collect()
    }

    fn mounts(&self) -> Vec<Mount> {
        let more = match self.rules.more_mounts {
            MoreMounts::None => Vec::new(),
            MoreMounts::Permalinks => mounts::of_permalinks(&self.settings),
            MoreMounts::Included => self.included(),
            MoreMounts::Copied => {
                eleventy::copied(&self.settings, &eleventy::input(&self.settings))
            }
        };
        let read = |keys| mounts::read(&self.settings, keys);
        let mounts = self.rules.mounts.map(read).unwrap_or_default().into_iter().chain(more);
        // Settings may name thousands, and a vector keeps its capacity.
        mounts.map(|mount| mount.below(self.above)).take(MAX_ROOTS).collect()
    }

    /// Returns the documents of other projects that the menu includes.
    fn included(&self) -> Vec<Mount> {
        let mut mounts = Vec::new();
        for path in mounts::includes(&self.settings) {
            let projects: Vec<String> = match path.split_once("/*/") {
                Some((around, below)) => {
                    let names = self.files.names(&joined(self.above, around));
                    names.iter().map(|name| format!("{around}/{name}/{below}")).collect()
                }
                None => vec![path.to_owned()],
            };
            let left = MAX_ROOTS.saturating_sub(mounts.len());
            for project in projects.into_iter().take(left) {
                let settings = text_in_tree(self.above, &joined(self.above, &project));
                let Some(name) = value(&settings, &["site_name"]) else { continue };
                let content = value(&settings, self.rules.content_keys);
                let directory = Path::new(&project).parent().unwrap_or(Path::new(""));
                let source = directory.join(content.as_deref().unwrap_or("docs"));
                let target = PathBuf::from(mounts::alias(&name));
                mounts.push(Mount { source, target, is_of_content: false });
            }
        }
        mounts
    }

    /// Returns mounts for versioned content: `docs/next` shows the future `docs`, and `docs/1.0`
    /// shows `versioned_docs/version-1.0`.
    // Docusaurus shows the content directory as `next` and has a directory per released version.
    fn versions(&self, content: &[PathBuf]) -> Vec<Mount> {
        let mut mounts = Vec::new();
        if self.rules.version_directories.is_empty() {
            return mounts;
        }
        for current in content {
            let Some(name) = current.file_name().and_then(|name| name.to_str()) else { continue };
            let versions = joined(self.above, &format!("versioned_{name}"));
            let mut add = |source: PathBuf, version: &str| {
                let target = PathBuf::from(name).join(version);
                mounts.push(Mount { source, target, is_of_content: true });
            };
            add(current.clone(), "next");
            // The settings are searched for each of them.
            for directory in self.files.names(&versions).iter().take(MAX_ROOTS) {
                if let Some(version) = directory.strip_prefix("version-") {
                    let path = version_path(&self.settings, version);
                    add(versions.join(directory), path.as_deref().unwrap_or(version));
                }
            }
        }
        mounts
    }

    fn languages(&self) -> Vec<LanguageDirectory> {
        let mut found = Vec::new();
        for place in self.rules.languages {
            let place = joined(self.above, place);
            let names = self.files.names(&place);
            let is_listed = self.rules.language_names == LanguageNameRule::Listed;
            let may_be =
                |name: &&String| !is_listed || hugo::may_be_language(&self.settings, name.as_str());
            let names = names.iter().filter(|name| is_language(name)).filter(may_be);
            let languages = names
                .map(|name| LanguageDirectory { name: name.clone(), directory: place.join(name) });
            found.extend(languages.filter(|language| language.directory.is_dir()));
        }
        // The first language is the fallback of the others.
        let first = self.first_language();
        found.sort_by_key(|language| language.name != first);
        // Each link is compared with them.
        found.truncate(MAX_ROOTS);
        found
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
    fn has_routes(&self) -> bool {
        let Some((pages, theme)) = self.rules.routes else { return false };
        let names = self.files.names(&joined(self.above, pages));
        !self.settings.contains(theme) && names.iter().any(|name| name.starts_with('['))
    }
}
