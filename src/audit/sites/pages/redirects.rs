//! Addresses that the settings of a site and of its server lead elsewhere.

use std::path::PathBuf;

use crate::audit::sites::Site;
use crate::audit::sites::discovery::{text, values};

/// Reads the sources of redirects from `_redirects`, `netlify.toml`, `vercel.json`, and settings of generators.
pub fn read(site: &Site) -> Vec<String> {
    let mut from: Vec<String> = Vec::new();
    let mut directories: Vec<PathBuf> = Vec::new();
    for root in &site.roots {
        directories.extend([root.clone(), root.join("..")]);
    }
    for directory in directories {
        for line in text(&directory.join("_redirects")).lines() {
            let mut words = line.split_whitespace();
            from.extend(words.next().filter(|word| word.starts_with('/')).map(str::to_owned));
        }
        from.extend(values(&text(&directory.join("netlify.toml")), "from"));
        from.extend(values(&text(&directory.join("vercel.json")), "source"));
        from.extend(table(&text(&directory.join("book.toml")), "output.html.redirect"));
        from.extend(table(&text(&directory.join("mkdocs.yml")), "redirect_maps"));
    }
    from
}

/// The keys of a table whose keys are quoted paths: `"/a.html" = "b.html"`, `'a.md': 'b.md'`.
fn table(text: &str, name: &str) -> Vec<String> {
    let Some((_, after)) = text.split_once(name) else {
        return Vec::new();
    };
    let quoted = |line: &str| {
        let line = line.trim();
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
        match quote {
            Some(quote) => line.get(1..)?.split(quote).next().map(str::to_owned),
            None => line.split_once(".md:").map(|(name, _)| format!("{name}.md")),
        }
    };
    let lines = after.lines().skip(1).filter(|line| !line.trim().is_empty());
    lines.map_while(quoted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        assert_eq!(
            table(
                "x\n[output.html.redirect]\n\"/a.html\" = \"b\"\n'c' = \"d\"\n[x]\n",
                "output.html.redirect"
            ),
            ["/a.html", "c"]
        );
    }
}
