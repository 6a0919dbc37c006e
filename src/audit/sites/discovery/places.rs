//! Properties of a directory: its ancestors, checkout, language, version, and settings.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::constants::resolved;
use super::settings::values;
use super::tree_bounds::{is_beside_in_tree, is_in_tree};
use encoding_rs::Encoding;

use crate::audit::paths;
use crate::audit::sites::Repository;
use crate::search::{GitDirectory, read_regular};
use crate::slice::SliceExt as _;
use crate::slice::lossy;

/// Largest number of ancestors that are searched.
const MAX_ABOVE: usize = 64;

/// Larger settings files are not read.
pub(super) const LARGEST: u64 = 1 << 20;

/// Larger documents are not searched for names.
const LARGEST_DOCUMENT: u64 = 16 << 20;

/// True for `de` and `pt-br`.
pub fn is_language(name: &str) -> bool {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_lowercase())
        && parts.all(|part| part.len() <= 4)
}

/// Returns the version directory that contains `directory`, such as `versioned_docs/version-1`.
pub fn version(versions: &[&str], directory: &Path) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    let mut parts = directory.components().filter(|part| *part != Component::CurDir);
    while let Some(part) = parts.next() {
        path.push(part);
        if versions.iter().any(|name| part.as_os_str() == *name) {
            path.push(parts.next()?);
            return Some(path);
        }
    }
    None
}

/// True if the site has this file or, after `#`, this word in its settings.
pub fn has_hook(hook: &str, above: &Path, settings: &str) -> bool {
    match hook.strip_prefix('#') {
        Some(word) => settings.contains(word),
        None => joined(above, hook).is_file(),
    }
}

/// Returns the text of a marker, or of the settings files in it if it is a directory.
pub fn settings(marker: &Path) -> String {
    if !marker.is_dir() {
        return resolved(marker, text(marker));
    }
    let listed = |directory: &Path| -> Vec<PathBuf> {
        entries(directory).iter().map(|entry| directory.join(entry.file_name())).collect()
    };
    let mut files = listed(marker);
    if marker.ends_with("config/_default") {
        // These override the settings for all environments (Hugo, "Configuration directory"), and
        // the first value of each key counts.
        let built = marker.with_file_name("production");
        files.splice(0..0, listed(&built));
    }
    files.retain(|file| {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        ["config", "hugo", "languages", "markup", "module", "params", PERMALINKS]
            .iter()
            .any(|name| stem.starts_with(name))
    });
    // VitePress reads `config/index.ts`, which imports the files beside it.
    let inside: Vec<PathBuf> =
        files.iter().filter(|file| file.is_dir()).flat_map(|it| listed(it)).collect();
    files.extend(inside);
    let read = |file: &PathBuf| resolved(file, table_of(file)) + "\n";
    files.iter().filter(|file| file.is_file()).map(read).collect()
}

/// The table of Hugo's settings that may be a file of its own.
const PERMALINKS: &str = "permalinks";

/// Returns the text of a settings file. One that is a table of its own gets its heading.
fn table_of(file: &Path) -> String {
    let text = text(file);
    let is = |name: &str, extension: &str| {
        file.file_stem().is_some_and(|it| it == name)
            && file.extension().is_some_and(|it| it == extension)
    };
    match text {
        text if is(PERMALINKS, "toml") => format!("[{PERMALINKS}]\n{text}"),
        text if is(PERMALINKS, "yaml") || is(PERMALINKS, "yml") => {
            let lines = text.lines().map(|line| format!("  {line}\n"));
            format!("{PERMALINKS}:\n{}", lines.collect::<String>())
        }
        text => text,
    }
}

/// Returns the entries of a directory, sorted by name; empty if it cannot be listed.
pub fn entries(directory: &Path) -> Vec<fs::DirEntry> {
    let here = paths::or_here(directory);
    let mut entries: Vec<_> = fs::read_dir(here).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    entries
}

/// Returns the text of a small file that settings or a document in `directory` name; empty if it
/// cannot be read, or is outside of the tree.
pub fn text_in_tree(directory: &Path, path: &Path) -> String {
    if is_in_tree(directory, path) { text_at(path, LARGEST) } else { String::new() }
}

/// Returns the text of a small file; empty if it cannot be read, or is a link that leads out of the
/// tree.
pub fn text(path: &Path) -> String {
    if is_beside_in_tree(path) { text_at(path, LARGEST) } else { String::new() }
}

/// Returns the text of a document in the tree, which may be larger than settings: notebooks have
/// pictures in them.
pub fn document_text(path: &Path) -> String {
    if is_beside_in_tree(path) { text_at(path, LARGEST_DOCUMENT) } else { String::new() }
}

fn text_at(path: &Path, largest: u64) -> String {
    // Regular files of a bounded size only: a link to `/dev/zero` would take all memory, and a FIFO
    // would block forever.
    let bytes = read_regular(path, largest).unwrap_or_default();
    // Editors on Windows may save them as UTF-16.
    match Encoding::for_bom(&bytes) {
        Some((encoding, length)) => {
            encoding.decode_without_bom_handling(bytes.clamped(length..)).0.into_owned()
        }
        None => lossy(&bytes).into_owned(),
    }
}

pub fn joined(directory: &Path, path: &str) -> PathBuf {
    let mut joined = directory.to_path_buf();
    for part in Path::new(path.trim_start_matches('/')).components() {
        match part {
            Component::Normal(name) => joined.push(name),
            Component::ParentDir => paths::up(&mut joined),
            _ => {}
        }
    }
    joined
}

/// Returns the directory and its ancestors, nearest first, in the form of the given path: `a/b`,
/// `a`, ``, `..`.
pub fn above(directory: &Path) -> Vec<PathBuf> {
    let absolute = paths::absolute(directory);
    let depth = absolute.components().filter(|part| matches!(part, Component::Normal(_))).count();
    let mut clean: PathBuf =
        directory.components().filter(|part| *part != Component::CurDir).collect();
    let mut all = Vec::new();
    for _ in 0..=depth.min(MAX_ABOVE) {
        all.push(clean.clone());
        match clean.components().next_back() {
            Some(Component::Normal(_)) => drop(clean.pop()),
            Some(Component::RootDir | Component::Prefix(_)) => break,
            _ => clean.push(".."),
        }
    }
    all
}

/// Returns the checkout with this root directory.
pub fn repository(directory: &Path) -> Option<Repository> {
    let GitDirectory { own, common } = GitDirectory::find(directory).ok()??;
    let config = text(&common.join("config"));
    let head = text(&own.join("HEAD"));
    let origin = text(&common.join("refs/remotes/origin/HEAD"));
    let branches = [
        head.strip_prefix("ref: refs/heads/").map(str::trim),
        origin.strip_prefix("ref: refs/remotes/origin/").map(str::trim),
        // Forges redirect the old name of a default branch to the new one.
        Some("HEAD"),
        Some("main"),
        Some("master"),
    ];
    let remotes = values(&config, "url");
    let repository = Repository::new(
        directory,
        remotes.iter().map(String::as_str),
        branches.into_iter().flatten(),
    );
    Some(repository.with_submodules(submodules(directory)))
}

/// Most submodules that are read: each missing target is compared with them.
const MAX_SUBMODULES: usize = 256;

/// Returns the directories of the submodules of a checkout that are not checked out: they are
/// empty, as `git clone` leaves them, or missing (gitmodules(5), `path`).
fn submodules(directory: &Path) -> Vec<PathBuf> {
    let named = values(&text(&directory.join(".gitmodules")), "path").into_iter();
    let paths = named.map(|path| joined(Path::new(""), &path));
    let is_empty =
        |path: &PathBuf| !path.as_os_str().is_empty() && entries(&directory.join(path)).is_empty();
    paths.filter(is_empty).take(MAX_SUBMODULES).collect()
}
