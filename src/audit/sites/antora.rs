//! [Antora](https://docs.antora.org/): AsciiDoc in `modules/`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::discovery::{DirectoryLister, is_in_tree, text_in_tree, value, values};
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{FILES, ResourceRule, SiteRules};
use crate::audit::paths;
use crate::audit::target::joined;
use crate::slice::SliceExt as _;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["antora.yml"],
    content: &["modules"],
    statics: &["modules/ROOT/pages", "modules/ROOT/assets"],
    // Pages include these, even pages of other repositories.
    part_names: &["partials", "_partials"],
    outputs: &["build/site"],
    endings: &[".adoc", "/index.adoc"],
    swaps: &[(".html", ".adoc")],
    resources: ResourceRule::Antora,
    menus: &[
        MenuFile { path: "antora.yml", keys: MenuKeys::Named(&[]), values: MenuValues::Sources },
        MenuFile {
            path: "antora-playbook.yml",
            keys: MenuKeys::Named(&[]),
            values: MenuValues::Sources,
        },
    ],
    file_keys: &["nav", "start_page"],
    // The values that start with a dot are relative to the playbook.
    path_keys: &["extensions", "require", "supplemental_files", "url"],
    ..FILES
};

/// The directory of a site with the files of its user interface (Antora, `ui.output_dir`).
pub(crate) const OF_INTERFACE: &str = "_";

/// Directories of the families of resources, by the name in a resource id.
const FAMILIES: [(&str, &[&str]); 5] = [
    ("page", &["pages"]),
    ("partial", &["partials", "pages/_partials"]),
    ("example", &["examples"]),
    ("image", &["images", "assets/images"]),
    ("attachment", &["attachments", "assets/attachments"]),
];

/// Meaning of a reference in a module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// At one of these directories, followed by the path.
    In { module: Module, directories: Vec<PathBuf>, path: String },
    /// In another component or version.
    Elsewhere,
}

/// The module of a resource, seen from a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Module {
    Own,
    /// Another module, or one of another component. Its pages may come from several repositories,
    /// because Antora assembles a component from all of them.
    Other,
}

/// A version of a component in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    name: Option<String>,
    version: Option<String>,
    /// The directory `modules`.
    modules: PathBuf,
    /// The same directory as an absolute path, because a walk and a document name it differently.
    place: PathBuf,
}

impl Component {
    /// Returns its name.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the bytes that a cache counts for it.
    pub(crate) fn kept_bytes(&self) -> usize {
        let texts = [&self.name, &self.version].into_iter().flatten().map(String::len);
        let paths = self.modules.as_os_str().len() + self.place.as_os_str().len();
        size_of::<Self>() + texts.sum::<usize>() + paths
    }
}

/// The version of a resource id that is an attribute which Antora sets to the version of the page:
/// the reader of AsciiDoc keeps its name.
const OWN_VERSIONS: [&str; 2] = ["page-component-version", "page-version"];

/// Resolves a resource id, `version@component:module:family$path`, in a document of a module.
/// `sources` are the directories `modules` of its component, and `components` are those of the
/// tree. Returns `None` if the document is not in a module, or the reference is relative to it. The
/// module need not be in the tree: a component may be spread over several repositories.
pub(crate) fn resource(
    document: &Path,
    sources: &[PathBuf],
    components: &[Component],
    element: Option<&str>,
    written: &str,
) -> Option<Resource> {
    let (modules, own) = module_of(document)?;
    let id = written.strip_prefix("./").unwrap_or(written);
    let is_id = id.contains([':', '$', '@']);
    if !is_id && (written.starts_with('.') || written.starts_with('/')) {
        return None;
    }
    let (version, id) = match id.split_once('@') {
        Some((version, id)) => (Some(version), id),
        None => (None, id),
    };
    let (component, name, path) = match id.split(':').collect::<Vec<_>>()[..] {
        [path] => (None, own.as_str(), path),
        ["", path] => (None, "ROOT", path),
        [module, path] => (None, module, path),
        ["", ..] => return Some(Resource::Elsewhere),
        [component, "", path] => (Some(component), "ROOT", path),
        [component, module, path] => (Some(component), module, path),
        _ => return Some(Resource::Elsewhere),
    };
    let is_other = component.is_some() || version.is_some();
    let directories = if is_other {
        versions(&modules, components, component, version)
    } else {
        let others = sources.iter().filter(|source| !paths::are_same(source, &modules)).cloned();
        std::iter::once(modules.clone()).chain(others).collect()
    };
    if directories.is_empty() {
        return Some(Resource::Elsewhere);
    }
    let is_here = || {
        let place = paths::absolute(&modules);
        directories.iter().any(|it| paths::absolute(it) == place)
    };
    let is_own = name == own && (!is_other || is_here());
    let (family, path) = match path.split_once('$') {
        Some((family, path)) => (family, path),
        // Without a family, an id of another module is a page, even for `include::`.
        None if is_id && element == Some("include") => ("page", path),
        None => (default_family(element)?, path),
    };
    let (_, families) = FAMILIES.iter().find(|(name, _)| *name == family)?;
    let below = |modules: &PathBuf| {
        let module = modules.join(name);
        families.iter().map(move |family| module.join(family)).collect::<Vec<_>>()
    };
    let directories = directories.iter().flat_map(below).collect();
    let module = if is_own { Module::Own } else { Module::Other };
    Some(Resource::In { module, directories, path: path.to_owned() })
}

/// Returns the directories `modules` of a version of a component. An id without a component means
/// that of the document. For an id without a version, all versions count, of which Antora takes the
/// latest one (Antora, "Resource ID Coordinates").
fn versions(
    modules: &Path,
    components: &[Component],
    component: Option<&str>,
    version: Option<&str>,
) -> Vec<PathBuf> {
    let place = paths::absolute(modules);
    let Some(own) = components.iter().find(|it| it.place == place) else { return Vec::new() };
    let name = component.or(own.name.as_deref());
    let has_version = |it: &&Component| match version {
        None => true,
        Some(version) if OWN_VERSIONS.contains(&version) => it.version == own.version,
        // `_` is the version of a component without a version.
        Some("_") => it.version.as_deref().is_none_or(|it| it.is_empty() || it == "~"),
        Some(version) => it.version.as_deref() == Some(version),
    };
    let named = components.iter().filter(|it| it.name.as_deref() == name).filter(has_version);
    named.map(|it| it.modules.clone()).collect()
}

/// Most modules that are shared. Each link to a module is compared with them.
const MAX_MODULES: usize = 1_000;
/// Most menus of a component that are read.
const MAX_MENUS: usize = 256;

/// Returns the modules whose menu the component includes without having it: other repositories add
/// files to these. `nav:` of the settings lists the menus.
pub(crate) fn shared_modules(component: &Path, settings: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    let menus: BTreeSet<String> = values(settings, "nav").into_iter().collect();
    for menu in menus.into_iter().take(MAX_MENUS) {
        for line in text_in_tree(component, &component.join(menu)).lines() {
            let Some((id, _)) = line.strip_prefix("include::").and_then(|it| it.split_once('['))
            else {
                continue;
            };
            let Some((module, name)) = id.split_once(":partial$") else { continue };
            let directory = component.join("modules").join(module);
            let mut places = ["partials", "pages/_partials"].iter().map(|it| directory.join(it));
            if !module.contains([':', '@']) && !places.any(|it| it.join(name).is_file()) {
                found.insert(module.to_owned());
            }
        }
    }
    found.into_iter().take(MAX_MODULES).collect()
}

/// Most attributes that settings set.
const MAX_ATTRIBUTES: usize = 500;

/// Returns the attributes that the settings of a component set for its pages, `attributes:` below
/// `asciidoc:` (Antora, "Component Version AsciiDoc Attributes").
pub(crate) fn attributes(settings: &str) -> Vec<(String, String)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_text = |line: &&str| {
        let text = line.trim_start();
        !text.is_empty() && !text.starts_with('#')
    };
    let mut lines = settings.lines().filter(is_text);
    if !lines.by_ref().any(|line| line.trim_end() == "asciidoc:") {
        return Vec::new();
    }
    let mut lines = lines.take_while(|line| indent(line) > 0);
    let Some(head) = lines.by_ref().find(|line| line.trim() == "attributes:") else {
        return Vec::new();
    };
    let outer = indent(head);
    let mut inner = None;
    let lines = lines.take_while(|line| indent(line) > outer).filter(|line| {
        // Lines below a value belong to it.
        *inner.get_or_insert_with(|| indent(line)) == indent(line)
    });
    let named = lines.filter_map(|line| {
        let (name, value) = line.trim().split_once(':')?;
        let value = value.strip_prefix([' ', '\t'])?.trim();
        let quote = value.chars().next().filter(|mark| matches!(mark, '"' | '\''));
        let value = match quote {
            Some(quote) => value.clamped(1..).split(quote).next()?,
            None => value.split(" #").next()?.trim_end(),
        };
        // A page may set an attribute with `@` at its end.
        let value = value.strip_suffix('@').unwrap_or(value);
        let name = name.trim_matches(['"', '\'']);
        let is_set = !matches!(value, "" | "~" | "null" | "false" | "true")
            && !name.contains('!')
            && !value.starts_with(['|', '>'])
            && name.len() + value.len() <= MAX_NAME_BYTES;
        is_set.then(|| (name.to_ascii_lowercase(), value.to_owned()))
    });
    named.take(MAX_ATTRIBUTES).collect()
}

/// Returns the menus of a component. Antora reads them as pages of their modules, wherever they are
/// (Antora, "Register Navigation Files").
pub(crate) fn menus(component: &Path, settings: &str) -> Vec<PathBuf> {
    let menus = values(settings, "nav").into_iter().take(MAX_MENUS);
    menus.filter_map(|menu| joined(component, &menu)).collect()
}

/// Maximum number of components of a tree. Each of them reads the settings of the others.
const MAX_COMPONENTS: usize = 64;
/// Longest name or version of a component. Each site keeps those of all components.
const MAX_NAME_BYTES: usize = 256;
/// Bytes of the description of a component in which its name and version are.
const MAX_COMPONENT_BYTES: usize = 16 << 10;

/// Returns the components of a checkout, in all of their versions.
pub(crate) fn components(component: &Path, files: &dyn DirectoryLister) -> Vec<Component> {
    let near = paths::checkout(component).map(Path::to_path_buf);
    let checkout =
        near.or_else(|| Some(paths::checkout(&paths::absolute(component))?.to_path_buf()));
    let named = files.named(checkout.as_deref(), "antora.yml");
    let read = |file: &PathBuf| {
        let settings = files.text(file);
        let start = settings.clamped(..settings.floor_char_boundary(MAX_COMPONENT_BYTES));
        let short = |key: &str| value(start, &[key]).filter(|it| it.len() <= MAX_NAME_BYTES);
        Component {
            name: short("name"),
            version: short("version"),
            place: paths::absolute(&file.with_file_name("modules")),
            modules: file.with_file_name("modules"),
        }
    };
    // Its own comes first, so that no limit cuts it off.
    let own = component.join("antora.yml");
    let others = named.iter().filter(|file| !paths::are_same(file, &own)).take(MAX_COMPONENTS);
    let all = std::iter::once(&own).chain(others).map(read);
    all.filter(|it| it.modules.is_dir() && is_in_tree(component, &it.modules)).collect()
}

/// Returns the modules of other directories of the checkout that belong to the same component
/// version: Antora joins all sources with the same name and version (Antora, "Organize Your
/// Content Files").
pub(crate) fn other_sources(components: &[Component], component: &Path) -> Vec<PathBuf> {
    let place = paths::absolute(&component.join("modules"));
    let is_own = |it: &&Component| it.place == place;
    let Some(own) = components.iter().find(is_own) else { return Vec::new() };
    let is_joined =
        |it: &&Component| !is_own(it) && (&it.name, &it.version) == (&own.name, &own.version);
    components.iter().filter(is_joined).map(|it| it.modules.clone()).collect()
}

/// Returns the sources of an address in the published site, such as `/component/2.0/_images/a.png`.
/// The version and the module are optional (Antora, "How Antora Builds URLs for Pages").
pub(crate) fn published(sources: &[PathBuf], address: &str) -> Vec<PathBuf> {
    let segments: Vec<&str> = address.trim_matches('/').split('/').collect();
    let mut found = Vec::new();
    for skipped in 1..=2 {
        let Some([first, rest @ ..]) = segments.get(skipped..) else { continue };
        let whole = segments.get(skipped..).unwrap_or_default();
        for (module, path) in [("ROOT", whole), (*first, rest)] {
            let Some((first, rest)) = path.split_first() else { continue };
            let (directories, path) = match *first {
                "_images" => (directories("image"), rest),
                "_attachments" => (directories("attachment"), rest),
                _ => (directories("page"), path),
            };
            let path = path.join("/");
            for module in sources.iter().map(|modules| modules.join(module)) {
                found.extend(directories.iter().map(|it| module.join(it).join(&path)));
            }
        }
    }
    found
}

/// Returns the sources of the path in `link:`, which is that of a published page: pages of `ROOT` are
/// at the top of their component, and those of another module in a directory with its name.
pub(crate) fn published_beside(
    document: &Path,
    sources: &[PathBuf],
    written: &str,
) -> Option<Vec<PathBuf>> {
    let (modules, own) = module_of(document)?;
    let inside = paths::below(&modules.join(&own).join("pages"), document)?;
    let module = if own == "ROOT" { Path::new("") } else { Path::new(&own) };
    // The names of the component and the version do not matter.
    let directory = Path::new("component/version").join(module).join(inside.parent()?);
    let address = joined(&directory, written)?;
    let mut found = published(&[modules], address.to_str()?);
    found.extend(published(sources, address.to_str()?));
    Some(found)
}

fn directories(family: &str) -> &'static [&'static str] {
    FAMILIES.iter().find(|(name, _)| *name == family).map_or(&[], |(_, directories)| directories)
}

/// Returns the paths of pages that redirect to a document: `:page-aliases:` in its header.
pub(crate) fn aliases(document: &Path, header: &str) -> Vec<PathBuf> {
    let Some((_, rest)) = header.split_once(":page-aliases:") else { return Vec::new() };
    let mut aliases = String::new();
    for line in rest.lines() {
        let (text, is_continued) = match line.trim_end().strip_suffix('\\') {
            Some(text) => (text, true),
            None => (line, false),
        };
        aliases.push_str(text);
        if !is_continued {
            break;
        }
    }
    let paths = aliases.split(',').map(str::trim).filter(|alias| !alias.is_empty());
    let resolved =
        paths.filter_map(|alias| match resource(document, &[], &[], Some("xref"), alias)? {
            Resource::In { directories, path, .. } => Some(directories.first()?.join(path)),
            Resource::Elsewhere => None,
        });
    resolved.collect()
}

/// Returns the id by which a document refers to a file of this component.
pub(crate) fn id_of(
    document: &Path,
    sources: &[PathBuf],
    element: Option<&str>,
    file: &Path,
) -> Option<String> {
    let (modules, own) = module_of(document)?;
    let mut sources = [&modules].into_iter().chain(sources);
    let below = sources.find_map(|modules| paths::below(modules, file))?;
    let module = below.iter().next()?.to_str()?;
    let inside = below.strip_prefix(module).ok()?;
    let (family, path) = FAMILIES.iter().find_map(|(family, directories)| {
        let path = directories.iter().find_map(|it| inside.strip_prefix(it).ok())?;
        Some((*family, path.to_str()?))
    })?;
    let module = if module == own { String::new() } else { format!("{module}:") };
    let family =
        if default_family(element) == Some(family) { String::new() } else { format!("{family}$") };
    Some(format!("{module}{family}{path}"))
}

/// Returns the default family of a reference; `None` if the reference is relative to the document.
fn default_family(element: Option<&str>) -> Option<&'static str> {
    match element {
        Some("image") => Some("image"),
        Some("xref") => Some("page"),
        _ => None,
    }
}

/// Returns the name of the module that holds a file.
pub(crate) fn module_name(file: &Path) -> Option<String> {
    Some(module_of(file)?.1)
}

/// Returns the directory `modules` above a document, and the name of its module.
fn module_of(document: &Path) -> Option<(PathBuf, String)> {
    let mut below = None;
    for directory in document.ancestors().skip(1) {
        if directory.file_name().is_some_and(|name| name == "modules") {
            return Some((directory.to_path_buf(), below?));
        }
        below = directory.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_a_component() {
        let settings = "name: a\nasciidoc:\n  # x\n  attributes:\n    b: c@\n    d: 'e f' # g\n    h: ~\n    i:\n      j: k\n    page-l: 1.2\nnav:\n- m: n\n";
        let named = attributes(settings);
        let named: Vec<_> = named.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(named, ["b=c", "d=e f", "page-l=1.2"]);
        assert!(attributes("name: asciidoc\nattributes:\n  a: b\n").is_empty());
    }

    #[test]
    fn resource_ids() {
        let at = |element, written: &str| {
            let page = Path::new("docs/modules/a/pages/b/c.adoc");
            resource(page, &[], &[], Some(element), written).map(|resource| match resource {
                Resource::In { directories, path, .. } => {
                    format!("{} {path}", directories[0].display())
                }
                Resource::Elsewhere => "elsewhere".to_owned(),
            })
        };
        let page = |written| at("xref", written).unwrap_or_default();
        assert_eq!(page("d.adoc"), "docs/modules/a/pages d.adoc");
        assert_eq!(page("./m:d/e.adoc"), "docs/modules/m/pages d/e.adoc");
        assert_eq!(page("./:d.adoc"), "docs/modules/ROOT/pages d.adoc");
        assert_eq!(page("./m:attachment$d.zip"), "docs/modules/m/attachments d.zip");
        assert_eq!(page("./c::d.adoc"), "elsewhere");
        assert_eq!(page("./2.0@m:d.adoc"), "elsewhere");
        assert_eq!(at("image", "d.png").unwrap_or_default(), "docs/modules/a/images d.png");
        let header = "= C\n:page-aliases: m:d.adoc, \\\n b/e.adoc\n:x: y\n";
        let paths = aliases(Path::new("modules/a/pages/c.adoc"), header);
        assert_eq!(
            paths,
            [Path::new("modules/m/pages/d.adoc"), Path::new("modules/a/pages/b/e.adoc")]
        );
        assert_eq!(at("xref", "./d.adoc"), None);
        assert_eq!(at("include", "d.adoc"), None);
        assert_eq!(at("include", "m:d.adoc").unwrap_or_default(), "docs/modules/m/pages d.adoc");
        assert_eq!(module_of(Path::new("docs/a.adoc")), None);
        let id = |element, file: &str| {
            let page = Path::new("docs/modules/a/pages/b/c.adoc");
            id_of(page, &[], Some(element), &Path::new("docs/modules").join(file))
                .unwrap_or_default()
        };
        assert_eq!(id("xref", "a/pages/b/d.adoc"), "b/d.adoc");
        assert_eq!(id("xref", "m/pages/d.adoc"), "m:d.adoc");
        assert_eq!(id("include", "a/partials/d.adoc"), "partial$d.adoc");
        assert_eq!(id("image", "a/images/d.png"), "d.png");
        assert_eq!(id("xref", "d.adoc"), "");
    }
}
