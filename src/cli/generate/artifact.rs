//! The values of `--generate`.

use crate::cli::complete::CompletionShell;
use crate::cli::flags::values::WordList;

/// A file that is made from the declaration of the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// The manual page of the search.
    Man,
    /// The manual page of a verb.
    ManOfVerb(&'static str),
    /// Completions for a shell.
    Complete(CompletionShell),
}

const SHELLS: [(&str, CompletionShell); 6] = [
    ("complete-bash", CompletionShell::Bash),
    ("complete-zsh", CompletionShell::Zsh),
    ("complete-fish", CompletionShell::Fish),
    ("complete-powershell", CompletionShell::Powershell),
    ("complete-elvish", CompletionShell::Elvish),
    ("complete-nushell", CompletionShell::Nushell),
];

/// The names of the pages of verbs.
const PAGES: &[&str] = &[
    "man-parse",
    "man-resolve",
    "man-normalize",
    "man-compare",
    "man-audit",
    "man-diff",
    "man-replace",
    "man-registry",
    "man-rule",
    #[cfg(feature = "lsp")]
    "man-lsp",
];

/// The parser of the name of an artifact.
pub const ARTIFACT: WordList<Artifact> = WordList { read, words };

fn read(text: &str) -> Result<Artifact, String> {
    let page = || PAGES.iter().find(|page| **page == text).map(|page| &page["man-".len()..]);
    let shell = || SHELLS.iter().find(|(name, _)| *name == text).map(|(_, shell)| *shell);
    match text {
        "man" => Ok(Artifact::Man),
        _ => (page().map(Artifact::ManOfVerb))
            .or_else(|| shell().map(Artifact::Complete))
            .ok_or_else(|| format!("the values are {}", words().join(", "))),
    }
}

fn words() -> Vec<&'static str> {
    let shells = SHELLS.iter().map(|(name, _)| *name);
    std::iter::once("man").chain(PAGES.iter().copied()).chain(shells).collect()
}
