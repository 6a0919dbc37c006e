//! What holds for every text that is read as Markdown.

use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use pulldown_cmark::Parser;
use urigrep::document::{Event, EventSink, Format, Part, Source, Wants};

use super::parts::{Given, read};
use super::sound;

/// What Markdown is made of.
const PIECES: &[&str] = &[
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "](<",
    "[a]",
    "[a]: ",
    "[b]:\n",
    "<",
    ">",
    "> ",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "``",
    "```\n",
    "~~~ x\n",
    "$",
    "$$",
    "\\",
    "\\|",
    "&amp;",
    "&#38;",
    "&ngE;",
    "&",
    "#",
    "# ",
    "## ",
    " {#id .c}",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    "    ",
    " ",
    "  \n",
    "\\\n",
    "- ",
    "1. ",
    "- [ ] ",
    ": ",
    "|",
    "|a|b|\n|-|-|\n",
    "a|b\n-|-\n",
    "---\n",
    "+++\n",
    "===\n",
    "[^1]",
    "[^1]: ",
    "<b>",
    "</b>",
    "<div>\n",
    "<!--",
    "-->",
    "<a href='x'>",
    "<http://a.example>",
    "<a@b.example>",
    "\"",
    "'",
    " \"t\"",
    "http://b.example/",
    "word",
    "ä",
    "\u{0}",
    "\u{FEFF}",
    "[[",
    "]]",
    "!",
    "x",
];

const PLANTED: &str = "http://planted.example/x";

fn soup() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(select(PIECES), 0..40)
}

fn parts_of(document: &[u8]) -> Vec<Given> {
    let parts = read(Format::MARKDOWN, document);
    if let Err(why) = sound(document, &parts) {
        panic!("{why} in {:?}", String::from_utf8_lossy(document));
    }
    parts
}

/// What stands in a text as it is comes from just that byte.
fn maps(document: &[u8], parts: &[Given]) {
    for part in parts {
        for (&byte, source) in part.text.iter().zip(&part.bytes) {
            let made = &document[source.range()];
            let scheme = part.element == "autolink" && made.is_empty();
            let decoded = made.len() != 1 || matches!(made, b"\n" | b"\r");
            assert!(scheme || decoded || made == [byte], "{part:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost(pieces in soup(), at in any::<Index>()) {
        let mut pieces = pieces;
        pieces.insert(at.index(pieces.len() + 1), PLANTED);
        let document = pieces.concat();
        let parts = parts_of(document.as_bytes());
        maps(document.as_bytes(), &parts);
        let found = parts.iter().any(|part| {
            part.text.windows(PLANTED.len()).any(|text| text == PLANTED.as_bytes())
        });
        prop_assert!(found, "{document:?}: {parts:#?}");
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200), pieces in soup()) {
        let mut document = pieces.concat().into_bytes();
        let half = document.len() / 2;
        document.splice(half..half, bytes);
        maps(&document, &parts_of(&document));
    }

    #[test]
    fn definitions_are_those_of_the_parser(pieces in soup()) {
        let document = pieces.concat().replace(['\r', '\u{FEFF}'], "").replace("---", "").replace("+++", "");
        let parts = parts_of(document.as_bytes());
        let parser = Parser::new_ext(&document, options());
        for (label, definition) in parser.reference_definitions().iter() {
            let dest = definition.dest.as_bytes();
            let is = |part: &Given| {
                part.element == "definition"
                    && part.role == "destination"
                    && definition.span.contains(&part.source.start())
                    && part.text == dest
            };
            prop_assert!(dest.is_empty() || parts.iter().any(is), "{label}: {definition:?} in {document:?}: {parts:#?}");
        }
    }
}

/// As the reader has them.
fn options() -> pulldown_cmark::Options {
    use pulldown_cmark::Options;
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_MATH
        | Options::ENABLE_DEFINITION_LIST
}

/// Looks for a text in the parts, and keeps none.
struct Look {
    found: bool,
}

impl EventSink for Look {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        Wants::all()
    }
}

impl Look {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let mut texts = part.text.windows(PLANTED.len());
        self.found |= texts.any(|text| text == PLANTED.as_bytes());
        ControlFlow::Continue(())
    }
}

/// Texts that make parsers slow, deep or lost: each is repeated, and must not hide what follows.
#[test]
fn deep_and_long_documents_are_read() {
    const PATTERNS: &[&str] = &[
        "[",
        "![",
        "(",
        "> ",
        "*",
        "*_ ",
        "**a ",
        "`a``b```c",
        "$",
        "${",
        "<",
        "<a ",
        "<?",
        "<!A",
        "<![CDATA[",
        "<!--",
        "[a](",
        "[a](<b",
        "![[]()",
        "[a](b \"",
        "[a][",
        "[a][b]",
        "[[a|",
        "&#x",
        "&ngE;",
        "|a",
        "- ",
        "1. ",
        "- a\n",
        "# a {#",
        "~~~\n",
        "a\n: b\n\n",
        "[^a]: ",
        "[^a]",
        "<a:",
        "<a@",
        "\\",
        "\t",
        "a\n=\n",
        "<div>\n",
        "[a]: b\n",
        "[a]: b '\n",
        "[a]: b (c\n",
        "[a]:\n",
        "> - a\n",
        "a|b\n-|-\n",
        "- [ ] ",
        "{",
    ];
    for pattern in PATTERNS {
        let mut document = pattern.repeat((1 << 18) / pattern.len());
        document += PLANTED;
        let mut look = Look { found: false };
        let flow = Format::MARKDOWN.read(Source::new(document.as_bytes()), &mut look);
        assert!(flow.is_continue() && look.found, "{pattern:?}");
    }
}
