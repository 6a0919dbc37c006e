//! Reads the programs around a site: plugins that add headings to its pages, commands that build
//! it, and workflows that publish it.

use std::path::{Path, PathBuf};

use super::finder::{DirectoryLister, has};
use super::places::text;

/// Longest heading that a plugin writes.
const MAX_HEADING_BYTES: usize = 64;

/// Returns the headings of Markdown in the programs beside the settings of VitePress, `## Type
/// Declarations`, one a line and in lower case. Each line starts and ends with a line feed.
pub(super) fn written_headings(marker: &Path, files: &dyn DirectoryLister) -> String {
    let mut found = String::new();
    if !marker.file_name().is_some_and(|name| name == ".vitepress" || name == ".vuepress") {
        return found;
    }
    for directory in [marker.to_path_buf(), marker.join("plugins")] {
        let names = files.names(&directory);
        let is_program = |name: &&String| {
            [".ts", ".mts", ".js", ".mjs"].iter().any(|ending| name.ends_with(ending))
        };
        for name in names.iter().filter(is_program) {
            let program = text(&directory.join(name));
            for (at, mark) in program.match_indices("## ") {
                let rest = program.get(at + mark.len()..).unwrap_or_default();
                let is_end = |c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '-' | '_');
                let title = rest.split(is_end).next().unwrap_or_default().trim();
                if !title.is_empty() && title.len() <= MAX_HEADING_BYTES {
                    found.push_str(&format!("\n{}\n", title.to_lowercase().replace('-', " ")));
                }
            }
        }
    }
    found
}

/// Files with the commands that build a site: first those that publish it.
const COMMANDS: [&str; 6] =
    ["netlify.toml", "vercel.json", "package.json", "Makefile", "Rakefile", "Procfile"];

/// Returns the settings that a command of this program names in a directory: `jekyll build --config
/// jekyll.yml`.
pub(super) fn named_settings(program: &str, directory: &Path, names: &[String]) -> Option<PathBuf> {
    // Only a site of such a program has gems. Without them, no other file need be read.
    if !has(names, "Gemfile") {
        return None;
    }
    let commands = COMMANDS.iter().filter(|file| has(names, file));
    let named = commands.filter_map(|file| {
        let text = text(&directory.join(file));
        text.lines().find_map(|line| config_of(program, line)).map(str::to_owned)
    });
    named.filter(|name| has(names, name)).map(|name| directory.join(name)).next()
}

/// Returns the first file after `--config` or `-c` in a command of this program.
fn config_of<'l>(program: &str, line: &'l str) -> Option<&'l str> {
    let (_, command) = line.split_once(program)?;
    let mut words = command.split([' ', '=', '"', '\'']).filter(|word| !word.is_empty());
    words.find(|word| matches!(*word, "--config" | "-c"))?;
    words.next()?.split(',').next()
}

/// Most levels between a site and the root of its checkout.
const MAX_ABOVE: usize = 4;

/// Names of the settings of Read the Docs.
pub(super) const READ_THE_DOCS: [&str; 3] =
    [".readthedocs.yaml", ".readthedocs.yml", "readthedocs.yml"];

/// Returns the text of the first file with one of these names in a directory of the checkout and in
/// those above it; empty if there is none.
pub(super) fn found_above(directory: &Path, names: &[&str]) -> String {
    let absolute = crate::audit::paths::absolute(directory);
    for above in absolute.ancestors().take(MAX_ABOVE) {
        let files = names.iter().map(|name| above.join(name));
        if let Some(file) = files.into_iter().find(|file| file.is_file()) {
            return text(&file);
        }
        if above.join(".git").exists() {
            break;
        }
    }
    String::new()
}

/// True if a workflow of the checkout publishes below a directory of the host: by `destination_dir`
/// of actions-gh-pages, or `target-folder` of github-pages-deploy-action. So others may be there.
pub(super) fn is_below_host(above: &Path, files: &dyn DirectoryLister) -> bool {
    const KEYS: [&str; 2] = ["destination_dir:", "target-folder:"];
    let absolute = crate::audit::paths::absolute(above);
    let mut checkouts = absolute.ancestors().take(MAX_ABOVE).filter(|it| it.join(".git").exists());
    let Some(workflows) = checkouts.next().map(|it| it.join(".github/workflows")) else {
        return false;
    };
    let names = files.names(&workflows);
    let is_workflow = |name: &&String| name.ends_with(".yml") || name.ends_with(".yaml");
    names.iter().filter(is_workflow).any(|name| {
        let workflow = text(&workflows.join(name));
        KEYS.iter().any(|key| workflow.contains(key))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_configurations() {
        for line in [
            "command = \"bundle exec jekyll build --config a.yml\"",
            "web: jekyll serve --config=a.yml,b.yml -w",
            "\"build\": \"jekyll build -c 'a.yml'\",",
        ] {
            assert_eq!(config_of("jekyll", line), Some("a.yml"), "{line}");
        }
        assert_eq!(config_of("jekyll", "hugo --config a.yml && jekyll build"), None);
        assert_eq!(config_of("jekyll", "jekyll build --config"), None);
    }
}
