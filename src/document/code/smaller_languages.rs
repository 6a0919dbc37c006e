//! More rows of the table of languages: build files, interfaces, style sheets, and languages that
//! fewer programs are written in.

use super::language::{Block, Characters, Docs, Escape, Language, Nesting, StringLines, Trait};
use super::languages::{
    BACKTICK, BACKTICK_RAW, C_BLOCK, C_LIKE, DOUBLE, DOUBLE_LINES, HASH_LIKE, SINGLE, TRIPLE,
    TRIPLE_RAW, quotes,
};

pub(in crate::document) static MAKE: Language = Language {
    name: "make",
    title: "Make",
    extensions: &["mk", "mak"],
    file_names: &["Makefile", "makefile", "GNUmakefile"],
    interpreters: &["make"],
    // An apostrophe in a recipe may be one of prose.
    strings: &[DOUBLE, SINGLE],
    // A recipe has URIs with a fragment.
    traits: &[Trait::CommentAtWord, Trait::LineSplice],
    ..HASH_LIKE
};
pub(in crate::document) static DOCKERFILE: Language = Language {
    name: "dockerfile",
    title: "Dockerfile",
    extensions: &["dockerfile", "containerfile"],
    file_names: &["Dockerfile", "Containerfile"],
    strings: &[DOUBLE, SINGLE],
    traits: &[Trait::CommentAtWord, Trait::Heredoc],
    ..HASH_LIKE
};
pub(in crate::document) static CMAKE: Language = Language {
    name: "cmake",
    title: "CMake",
    extensions: &["cmake"],
    file_names: &["CMakeLists.txt"],
    block_comments: &[Block { open: "#[[", close: "]]", nesting: Nesting::Flat }],
    strings: &[DOUBLE_LINES],
    ..HASH_LIKE
};
pub(in crate::document) static SCSS: Language = Language {
    name: "scss",
    title: "SCSS, Sass, and Less",
    extensions: &["scss", "sass", "less"],
    strings: &[DOUBLE, SINGLE],
    characters: Characters::None,
    ..C_LIKE
};
/// Components, which have elements, scripts, and styles in one file.
pub(in crate::document) static VUE: Language = Language {
    name: "vue",
    title: "Vue, Svelte, and Astro",
    extensions: &["vue", "svelte", "astro"],
    block_comments: &[C_BLOCK, Block { open: "<!--", close: "-->", nesting: Nesting::Flat }],
    strings: &[DOUBLE, SINGLE, BACKTICK],
    characters: Characters::None,
    ..C_LIKE
};
pub(in crate::document) static PROTOBUF: Language = Language {
    name: "protobuf",
    title: "Protocol Buffers",
    extensions: &["proto"],
    strings: &[DOUBLE, SINGLE],
    characters: Characters::None,
    ..C_LIKE
};
pub(in crate::document) static GRAPHQL: Language = Language {
    name: "graphql",
    title: "GraphQL",
    extensions: &["graphql", "graphqls", "gql"],
    strings: &[TRIPLE, DOUBLE],
    ..HASH_LIKE
};
pub(in crate::document) static SOLIDITY: Language = Language {
    name: "solidity",
    title: "Solidity",
    extensions: &["sol"],
    strings: &[DOUBLE, SINGLE],
    characters: Characters::None,
    docs: Docs::SLASHES,
    ..C_LIKE
};
pub(in crate::document) static FORTRAN: Language = Language {
    name: "fortran",
    title: "Fortran",
    extensions: &["f90", "f95", "f03", "f08"],
    line_comments: &["!"],
    strings: &[
        quotes("'", "'", Escape::Doubled, StringLines::One),
        quotes("\"", "\"", Escape::Doubled, StringLines::One),
    ],
    ..HASH_LIKE
};
pub(in crate::document) static PASCAL: Language = Language {
    name: "pascal",
    title: "Pascal and Delphi",
    extensions: &["pas", "dpr", "lpr"],
    block_comments: &[
        Block { open: "{", close: "}", nesting: Nesting::Flat },
        Block { open: "(*", close: "*)", nesting: Nesting::Flat },
    ],
    strings: &[quotes("'", "'", Escape::Doubled, StringLines::One)],
    characters: Characters::None,
    ..C_LIKE
};
pub(in crate::document) static D: Language = Language {
    name: "d",
    title: "D",
    extensions: &["d"],
    block_comments: &[C_BLOCK, Block { open: "/+", close: "+/", nesting: Nesting::Nested }],
    strings: &[BACKTICK_RAW, DOUBLE_LINES],
    ..C_LIKE
};
pub(in crate::document) static NIM: Language = Language {
    name: "nim",
    title: "Nim",
    extensions: &["nim", "nims", "nimble"],
    block_comments: &[Block { open: "#[", close: "]#", nesting: Nesting::Nested }],
    strings: &[TRIPLE_RAW, DOUBLE],
    characters: Characters::Quoted,
    ..HASH_LIKE
};
pub(in crate::document) static BATCH: Language = Language {
    name: "batch",
    title: "batch files of Windows",
    extensions: &["bat", "cmd"],
    line_comments: &["rem ", "Rem ", "REM ", "@rem ", "@REM ", "::"],
    strings: &[quotes("\"", "\"", Escape::None, StringLines::One)],
    traits: &[Trait::CommentAtWord],
    ..HASH_LIKE
};
pub(in crate::document) static AWK: Language = Language {
    name: "awk",
    title: "AWK",
    extensions: &["awk"],
    interpreters: &["awk", "gawk", "mawk", "nawk"],
    strings: &[DOUBLE],
    traits: &[Trait::Regex],
    ..HASH_LIKE
};
pub(in crate::document) static TCL: Language = Language {
    name: "tcl",
    title: "Tcl",
    extensions: &["tcl"],
    interpreters: &["tclsh", "wish", "expect"],
    strings: &[DOUBLE_LINES],
    traits: &[Trait::CommentAtWord],
    ..HASH_LIKE
};
