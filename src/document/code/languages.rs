//! The table of languages.

use super::language::{
    Block, Characters, Docs, Escape, Language, Nesting, StringLines, StringMarks, Trait,
};
#[cfg(test)]
use super::smaller_languages;

pub(super) const fn quotes(
    open: &'static str,
    close: &'static str,
    escape: Escape,
    lines: StringLines,
) -> StringMarks {
    StringMarks { open, close, escape, lines }
}

pub(super) const DOUBLE: StringMarks = quotes("\"", "\"", Escape::Backslash, StringLines::One);
pub(super) const DOUBLE_LINES: StringMarks =
    quotes("\"", "\"", Escape::Backslash, StringLines::Many);
pub(super) const SINGLE: StringMarks = quotes("'", "'", Escape::Backslash, StringLines::One);
const SINGLE_LINES: StringMarks = quotes("'", "'", Escape::Backslash, StringLines::Many);
pub(super) const SINGLE_RAW: StringMarks = quotes("'", "'", Escape::None, StringLines::Many);
pub(super) const SINGLE_DOUBLED: StringMarks = quotes("'", "'", Escape::Doubled, StringLines::Many);
const DOUBLE_DOUBLED: StringMarks = quotes("\"", "\"", Escape::Doubled, StringLines::Many);
pub(super) const TRIPLE: StringMarks =
    quotes("\"\"\"", "\"\"\"", Escape::Backslash, StringLines::Many);
pub(super) const TRIPLE_RAW: StringMarks =
    quotes("\"\"\"", "\"\"\"", Escape::None, StringLines::Many);
const TRIPLE_SINGLE: StringMarks = quotes("'''", "'''", Escape::Backslash, StringLines::Many);
pub(super) const BACKTICK: StringMarks = quotes("`", "`", Escape::Backslash, StringLines::Many);
pub(super) const BACKTICK_RAW: StringMarks = quotes("`", "`", Escape::None, StringLines::Many);
const VERBATIM: StringMarks = quotes("@\"", "\"", Escape::Doubled, StringLines::Many);

pub(super) const C_BLOCK: Block = Block { open: "/*", close: "*/", nesting: Nesting::Flat };
const NESTED_C: Block = Block { open: "/*", close: "*/", nesting: Nesting::Nested };
const ML_BLOCK: Block = Block { open: "(*", close: "*)", nesting: Nesting::Nested };

/// The parts that most languages with the syntax of C share.
pub(super) const C_LIKE: Language = Language {
    name: "",
    title: "",
    extensions: &[],
    file_names: &[],
    interpreters: &[],
    line_comments: &["//"],
    block_comments: &[C_BLOCK],
    strings: &[DOUBLE],
    characters: Characters::Quoted,
    traits: &[],
    docs: Docs::NONE,
};

/// The parts that most languages with comments after `#` share.
pub(super) const HASH_LIKE: Language = Language {
    line_comments: &["#"],
    block_comments: &[],
    strings: &[DOUBLE_LINES, SINGLE_LINES],
    characters: Characters::None,
    ..C_LIKE
};

pub(in crate::document) static C: Language = Language {
    name: "c",
    title: "C",
    extensions: &["c", "h"],
    traits: &[Trait::LineSplice],
    docs: Docs::DOXYGEN,
    ..C_LIKE
};
pub(in crate::document) static CPP: Language = Language {
    name: "cpp",
    title: "C++",
    extensions: &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "ipp", "cu", "ino"],
    traits: &[Trait::LineSplice, Trait::CppRaw],
    docs: Docs::DOXYGEN,
    ..C_LIKE
};
pub(in crate::document) static OBJECTIVE_C: Language = Language {
    name: "objective-c",
    title: "Objective-C",
    extensions: &["m", "mm"],
    docs: Docs::DOXYGEN,
    ..C_LIKE
};
pub(in crate::document) static C_SHARP: Language = Language {
    name: "csharp",
    title: "C#",
    extensions: &["cs", "csx"],
    strings: &[
        TRIPLE_RAW,
        quotes("$@\"", "\"", Escape::Doubled, StringLines::Many),
        quotes("@$\"", "\"", Escape::Doubled, StringLines::Many),
        VERBATIM,
        DOUBLE,
    ],
    docs: Docs { markup: Some("html"), starts: &["///", "/**"] },
    ..C_LIKE
};
pub(in crate::document) static JAVA: Language = Language {
    name: "java",
    title: "Java",
    extensions: &["java"],
    strings: &[TRIPLE, DOUBLE],
    docs: Docs::JAVADOC,
    ..C_LIKE
};
pub(in crate::document) static KOTLIN: Language = Language {
    name: "kotlin",
    title: "Kotlin",
    extensions: &["kt", "kts"],
    block_comments: &[NESTED_C],
    strings: &[TRIPLE_RAW, DOUBLE],
    docs: Docs::MARKDOWN_BLOCK,
    ..C_LIKE
};
pub(in crate::document) static SCALA: Language = Language {
    name: "scala",
    title: "Scala",
    extensions: &["scala", "sc", "sbt"],
    block_comments: &[NESTED_C],
    strings: &[TRIPLE_RAW, DOUBLE],
    docs: Docs::MARKDOWN_BLOCK,
    ..C_LIKE
};
pub(in crate::document) static GROOVY: Language = Language {
    name: "groovy",
    title: "Groovy and Gradle",
    extensions: &["groovy", "gradle"],
    file_names: &["Jenkinsfile"],
    strings: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    characters: Characters::None,
    docs: Docs::JAVADOC,
    ..C_LIKE
};
pub(in crate::document) static GO: Language = Language {
    name: "go",
    title: "Go",
    extensions: &["go"],
    strings: &[BACKTICK_RAW, DOUBLE],
    ..C_LIKE
};
pub(in crate::document) static RUST: Language = Language {
    name: "rust",
    title: "Rust",
    extensions: &["rs"],
    block_comments: &[NESTED_C],
    strings: &[DOUBLE_LINES],
    traits: &[Trait::RustRaw],
    docs: Docs::DOXYGEN,
    ..C_LIKE
};
pub(in crate::document) static SWIFT: Language = Language {
    name: "swift",
    title: "Swift",
    extensions: &["swift"],
    block_comments: &[NESTED_C],
    strings: &[TRIPLE, DOUBLE],
    characters: Characters::None,
    docs: Docs::SLASHES,
    ..C_LIKE
};
pub(in crate::document) static DART: Language = Language {
    name: "dart",
    title: "Dart",
    extensions: &["dart"],
    block_comments: &[NESTED_C],
    strings: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    characters: Characters::None,
    docs: Docs::SLASHES,
    ..C_LIKE
};
pub(in crate::document) static JAVASCRIPT: Language = Language {
    name: "javascript",
    title: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node", "deno", "bun"],
    strings: &[DOUBLE, SINGLE],
    characters: Characters::None,
    traits: &[Trait::Regex, Trait::Template],
    docs: Docs::MARKDOWN_BLOCK,
    ..C_LIKE
};
pub(in crate::document) static TYPESCRIPT: Language = Language {
    name: "typescript",
    title: "TypeScript",
    extensions: &["ts", "mts", "cts", "tsx"],
    interpreters: &["ts-node", "tsx"],
    ..JAVASCRIPT_LIKE
};
const JAVASCRIPT_LIKE: Language = Language {
    strings: &[DOUBLE, SINGLE],
    characters: Characters::None,
    traits: &[Trait::Regex, Trait::Template],
    docs: Docs::MARKDOWN_BLOCK,
    ..C_LIKE
};
pub(in crate::document) static PHP: Language = Language {
    name: "php",
    title: "PHP",
    extensions: &["php", "phtml"],
    interpreters: &["php"],
    line_comments: &["//", "#"],
    strings: &[DOUBLE_LINES, SINGLE_LINES, BACKTICK],
    characters: Characters::None,
    traits: &[Trait::PhpTags, Trait::PhpHeredoc],
    docs: Docs::JAVADOC,
    ..C_LIKE
};
pub(in crate::document) static PYTHON: Language = Language {
    name: "python",
    title: "Python",
    extensions: &["py", "pyi", "pyw", "bzl", "bazel", "star", "smk"],
    // Bazel, Tilt, SCons, and Snakemake.
    file_names: &["BUILD", "WORKSPACE", "Tiltfile", "SConstruct", "SConscript", "Snakefile"],
    interpreters: &["python", "pypy"],
    strings: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    traits: &[Trait::PythonPrefix, Trait::Docstrings],
    docs: Docs { markup: Some("rst"), starts: &[] },
    ..HASH_LIKE
};
pub(in crate::document) static RUBY: Language = Language {
    name: "ruby",
    title: "Ruby",
    extensions: &["rb", "rake", "gemspec", "podspec", "ru"],
    file_names: &[
        "Gemfile",
        "Rakefile",
        "Podfile",
        "Vagrantfile",
        "Brewfile",
        "Fastfile",
        "Guardfile",
        "Dangerfile",
    ],
    interpreters: &["ruby"],
    strings: &[DOUBLE_LINES, SINGLE_LINES, BACKTICK],
    traits: &[Trait::Heredoc, Trait::Regex, Trait::Pod],
    ..HASH_LIKE
};
pub(in crate::document) static PERL: Language = Language {
    name: "perl",
    title: "Perl",
    extensions: &["pl", "pm"],
    interpreters: &["perl"],
    // `$#a` is the last index of an array, and no comment.
    traits: &[Trait::Heredoc, Trait::Regex, Trait::Pod, Trait::CommentAtWord],
    ..HASH_LIKE
};
pub(in crate::document) static LUA: Language = Language {
    name: "lua",
    title: "Lua",
    extensions: &["lua"],
    interpreters: &["lua", "luajit"],
    line_comments: &["--"],
    strings: &[DOUBLE, SINGLE],
    traits: &[Trait::LuaLong],
    ..HASH_LIKE
};
pub(in crate::document) static R: Language =
    Language { name: "r", title: "R", extensions: &["r"], interpreters: &["Rscript"], ..HASH_LIKE };
pub(in crate::document) static JULIA: Language = Language {
    name: "julia",
    title: "Julia",
    extensions: &["jl"],
    interpreters: &["julia"],
    block_comments: &[Block { open: "#=", close: "=#", nesting: Nesting::Nested }],
    strings: &[TRIPLE, DOUBLE_LINES],
    characters: Characters::Quoted,
    ..HASH_LIKE
};
pub(in crate::document) static SHELL: Language = Language {
    name: "shell",
    title: "shell (Bash, Zsh, fish)",
    extensions: &["sh", "bash", "zsh", "fish", "ksh"],
    interpreters: &["sh", "bash", "zsh", "fish", "dash", "ksh"],
    // A backslash between single quotes is a character (POSIX, Shell Command Language, 2.2.2).
    strings: &[DOUBLE_LINES, SINGLE_RAW],
    traits: &[Trait::Heredoc, Trait::CommentAtWord],
    ..HASH_LIKE
};
pub(in crate::document) static POWERSHELL: Language = Language {
    name: "powershell",
    title: "PowerShell",
    extensions: &["ps1", "psm1", "psd1"],
    interpreters: &["pwsh"],
    block_comments: &[Block { open: "<#", close: "#>", nesting: Nesting::Flat }],
    strings: &[
        // The end of a here-string must start its line.
        quotes("@\"", "\n\"@", Escape::None, StringLines::Many),
        quotes("@'", "\n'@", Escape::None, StringLines::Many),
        quotes("\"", "\"", Escape::Backtick, StringLines::Many),
        SINGLE_DOUBLED,
    ],
    traits: &[Trait::CommentAtWord],
    ..HASH_LIKE
};
pub(in crate::document) static SQL: Language = Language {
    name: "sql",
    title: "SQL",
    extensions: &["sql"],
    line_comments: &["--"],
    block_comments: &[NESTED_C],
    strings: &[SINGLE_DOUBLED, DOUBLE_DOUBLED],
    ..HASH_LIKE
};
pub(in crate::document) static HASKELL: Language = Language {
    name: "haskell",
    title: "Haskell",
    extensions: &["hs", "lhs"],
    interpreters: &["runhaskell", "stack"],
    line_comments: &["--"],
    block_comments: &[Block { open: "{-", close: "-}", nesting: Nesting::Nested }],
    strings: &[DOUBLE_LINES],
    characters: Characters::Quoted,
    ..HASH_LIKE
};
pub(in crate::document) static ELIXIR: Language = Language {
    name: "elixir",
    title: "Elixir",
    extensions: &["ex", "exs"],
    interpreters: &["elixir"],
    strings: &[TRIPLE, TRIPLE_SINGLE, DOUBLE_LINES, SINGLE_LINES],
    ..HASH_LIKE
};
pub(in crate::document) static ERLANG: Language = Language {
    name: "erlang",
    title: "Erlang",
    extensions: &["erl", "hrl"],
    interpreters: &["escript"],
    line_comments: &["%"],
    // The strings with three marks (OTP 27) have no escapes.
    strings: &[TRIPLE_RAW, DOUBLE_LINES, SINGLE],
    characters: Characters::Dollar,
    ..HASH_LIKE
};
pub(in crate::document) static CLOJURE: Language = Language {
    name: "clojure",
    title: "Clojure and Lisp",
    extensions: &["clj", "cljs", "cljc", "edn", "lisp", "el", "scm"],
    line_comments: &[";"],
    block_comments: &[Block { open: "#|", close: "|#", nesting: Nesting::Nested }],
    strings: &[DOUBLE_LINES],
    characters: Characters::Backslash,
    ..HASH_LIKE
};
pub(in crate::document) static OCAML: Language = Language {
    name: "ocaml",
    title: "OCaml",
    extensions: &["ml", "mli", "mll", "mly"],
    line_comments: &[],
    block_comments: &[ML_BLOCK],
    strings: &[DOUBLE_LINES],
    characters: Characters::Quoted,
    ..HASH_LIKE
};
pub(in crate::document) static F_SHARP: Language = Language {
    name: "fsharp",
    title: "F#",
    extensions: &["fs", "fsi", "fsx"],
    block_comments: &[ML_BLOCK],
    strings: &[TRIPLE_RAW, VERBATIM, DOUBLE_LINES],
    docs: Docs { markup: Some("html"), starts: &["///"] },
    ..C_LIKE
};
pub(in crate::document) static ZIG: Language = Language {
    name: "zig",
    title: "Zig",
    extensions: &["zig"],
    block_comments: &[],
    docs: Docs { markup: Some("markdown"), starts: &["///", "//!"] },
    ..C_LIKE
};
pub(in crate::document) static NIX: Language = Language {
    name: "nix",
    title: "Nix",
    extensions: &["nix"],
    block_comments: &[C_BLOCK],
    strings: &[quotes("''", "''", Escape::None, StringLines::Many), DOUBLE_LINES],
    ..HASH_LIKE
};
pub(in crate::document) static TERRAFORM: Language = Language {
    name: "terraform",
    title: "Terraform (HCL)",
    extensions: &["tf", "tfvars", "hcl"],
    line_comments: &["#", "//"],
    block_comments: &[C_BLOCK],
    strings: &[DOUBLE],
    traits: &[Trait::Heredoc],
    ..HASH_LIKE
};
pub(in crate::document) static VISUAL_BASIC: Language = Language {
    name: "visual-basic",
    title: "Visual Basic",
    extensions: &["vb", "vbs", "bas"],
    line_comments: &["'"],
    strings: &[quotes("\"", "\"", Escape::Doubled, StringLines::One)],
    ..HASH_LIKE
};

/// All languages.
#[cfg(test)]
pub(super) static ALL: [&Language; 49] = [
    &C,
    &CPP,
    &OBJECTIVE_C,
    &C_SHARP,
    &JAVA,
    &KOTLIN,
    &SCALA,
    &GROOVY,
    &GO,
    &RUST,
    &SWIFT,
    &DART,
    &JAVASCRIPT,
    &TYPESCRIPT,
    &PHP,
    &PYTHON,
    &RUBY,
    &PERL,
    &LUA,
    &R,
    &JULIA,
    &SHELL,
    &POWERSHELL,
    &SQL,
    &HASKELL,
    &ELIXIR,
    &ERLANG,
    &CLOJURE,
    &OCAML,
    &F_SHARP,
    &ZIG,
    &NIX,
    &TERRAFORM,
    &VISUAL_BASIC,
    &smaller_languages::MAKE,
    &smaller_languages::DOCKERFILE,
    &smaller_languages::CMAKE,
    &smaller_languages::SCSS,
    &smaller_languages::VUE,
    &smaller_languages::PROTOBUF,
    &smaller_languages::GRAPHQL,
    &smaller_languages::SOLIDITY,
    &smaller_languages::FORTRAN,
    &smaller_languages::PASCAL,
    &smaller_languages::D,
    &smaller_languages::NIM,
    &smaller_languages::BATCH,
    &smaller_languages::AWK,
    &smaller_languages::TCL,
];
