//! The syntax of a language's comments and strings: [`Language`].

/// A programming language.
#[derive(Debug)]
pub(in crate::document) struct Language {
    /// The name for `--markup`.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) extensions: &'static [&'static str],
    /// Names of files that are written in it, in their case.
    pub(super) file_names: &'static [&'static str],
    /// Names of interpreters after `#!`, without a version.
    pub(super) interpreters: &'static [&'static str],
    /// Starts of comments that last to the end of the line.
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comments: &'static [Block],
    /// Strings; a longer start comes before a shorter one.
    pub(super) strings: &'static [StringMarks],
    pub(super) characters: Characters,
    pub(super) traits: &'static [Trait],
    pub(super) docs: Docs,
}

/// A comment between two marks.
#[derive(Debug)]
pub(super) struct Block {
    pub open: &'static str,
    pub close: &'static str,
    pub nesting: Nesting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nesting {
    /// The first closing mark ends it.
    Flat,
    /// Comments nest.
    Nested,
}

/// A string between two marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct StringMarks {
    pub open: &'static str,
    pub close: &'static str,
    pub escape: Escape,
    pub lines: StringLines,
}

/// The way in which a string contains its closing mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// Not at all.
    None,
    /// `\"`, and other escapes with a backslash.
    Backslash,
    /// Two of the mark.
    Doubled,
    /// `` `" `` of PowerShell.
    Backtick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringLines {
    /// The string ends at the end of its line, if it was not closed.
    One,
    Many,
}

/// The meaning of `'`, unless it is a mark of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Characters {
    /// An operator, or part of a name.
    None,
    /// A character: `'"'`. What does not close is a lifetime, a type, or part of a name.
    Quoted,
    /// A backslash before a character, as in `\"` of Clojure.
    Backslash,
    /// `$` before a character, as in `$"` of Erlang.
    Dollar,
}

/// Properties of a language that a table of marks cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trait {
    /// `r#"…"#`, with as many `#` as it takes.
    RustRaw,
    /// `R"tag(…)tag"`.
    CppRaw,
    /// Letters before a string, of which `r` makes it raw: `rb"…"`.
    PythonPrefix,
    /// A string that is a statement documents the item around it.
    Docstrings,
    /// `/…/` where an operand is expected.
    Regex,
    /// `` `…${…}…` ``.
    Template,
    /// `<<WORD` and the lines up to `WORD`.
    Heredoc,
    /// `<<<WORD`.
    PhpHeredoc,
    /// `[[…]]` and `[==[…]==]`, also after `--`.
    LuaLong,
    /// A comment starts where a word starts: `a#b` is a word.
    CommentAtWord,
    /// Code is between `<?php` and `?>`.
    PhpTags,
    /// `=begin` and `=end`, `=pod` and `=cut` at the start of a line.
    Pod,
    /// A `//` comment continues after a backslash at the end of its line.
    LineSplice,
}

/// Documentation comments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Docs {
    /// The name of the format of their text.
    pub markup: Option<&'static str>,
    /// Their starts.
    pub starts: &'static [&'static str],
}

impl Docs {
    pub const NONE: Self = Self { markup: None, starts: &[] };
    pub const JAVADOC: Self = Self { markup: Some("html"), starts: &["/**"] };
    pub const MARKDOWN_BLOCK: Self = Self { markup: Some("markdown"), starts: &["/**"] };
    pub const DOXYGEN: Self =
        Self { markup: Some("markdown"), starts: &["/**", "/*!", "///", "//!"] };
    pub const SLASHES: Self = Self { markup: Some("markdown"), starts: &["///", "/**"] };
}

impl Language {
    pub(super) fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }
}
