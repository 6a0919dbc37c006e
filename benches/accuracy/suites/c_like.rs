//! Suites whose tables are calls and literals of a programming language.

use std::path::Path;

use urigrep::Grammar;

use super::case::{Case, Cases, Expect, Reads};
use super::tokens::{Language, Token, tokens};
use super::{Suite, read};

/// The tokens of a file, and after each its followers: a pattern is looked for at each of them.
fn windows(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    (0..tokens.len()).map(|at| &tokens[at..])
}

/// `name(literal` or `name(literal, literal`.
fn call(at: &[Token]) -> Option<(&str, &str, Option<&str>)> {
    let [Token::Word(name), open, Token::Literal(first), rest @ ..] = at else { return None };
    let second = match rest {
        [comma, Token::Literal(second), ..] if comma.is_mark(',') => Some(second.as_str()),
        _ => None,
    };
    open.is_mark('(').then_some((name, first, second))
}

/// `linkify` (Rust): `assert_linked("text", "|text|")`.
pub struct Linkify;

impl Suite for Linkify {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let files = [
            ("url.rs", Reads::Uris),
            ("domains.rs", Reads::Abbreviated),
            ("email.rs", Reads::Email),
        ];
        let mut all = Vec::new();
        for (file, reads) in files {
            let mut cases = Cases::of(file);
            let tokens = tokens(&read(directory, &format!("tests/{file}")), Language::Rust);
            for (name, text, marked) in windows(&tokens).filter_map(call) {
                let reads =
                    if name.ends_with("without_protocol") { Reads::Abbreviated } else { reads };
                match (name, marked) {
                    ("assert_linked" | "assert_urls_without_protocol", Some(marked)) => {
                        cases.add(text, reads, Expect::Marked(marked.to_owned()));
                    }
                    ("assert_not_linked" | "assert_not_linked_without_protocol", None) => {
                        cases.add(text, reads, Expect::Links(Vec::new()));
                    }
                    _ => {}
                }
            }
            all.extend(cases.done());
        }
        Ok(all)
    }
}

/// `xurls` (Go): `{text, true}`, `{text, nil}`, `{text, link}`, in tables that a call of `doTest`
/// names.
pub struct Xurls;

impl Suite for Xurls {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut cases = Cases::of("xurls_test.go");
        let tokens = tokens(&read(directory, "xurls_test.go"), Language::Go);
        let mut reads = Some(Reads::Uris);
        for at in windows(&tokens) {
            if let [call, _, _, comma, Token::Literal(table), ..] = at
                && call.is("doTest")
                && comma.is_mark(',')
            {
                reads = match table.as_str() {
                    "Relaxed2" => Some(Reads::Everything),
                    "Strict2" => Some(Reads::Uris),
                    _ => reads,
                };
            } else if let [func, Token::Word(name), ..] = at
                && func.is("func")
                && name.starts_with("TestStrictMatchingScheme")
            {
                // these look for the schemes that they name
                reads = None;
            }
            let [open, Token::Literal(text), comma, want, close, ..] = at else { continue };
            let is_row = open.is_mark('{') && comma.is_mark(',') && close.is_mark('}');
            let want = match want {
                Token::Literal(link) => Some(link.clone()),
                _ if want.is("true") => Some(text.clone()),
                _ if want.is("nil") => None,
                _ => continue,
            };
            if let Some(reads) = reads.filter(|_| is_row && !text.is_empty()) {
                cases.add(text.as_str(), reads, Expect::First(want));
            }
        }
        Ok(cases.done())
    }
}

/// gnome-terminal (C++): `assert_match (PATTERN, text, link)`; the tests of parts of a pattern are
/// left out.
pub struct GnomeTerminal;

impl Suite for GnomeTerminal {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let file = "src/terminal-regex.cc";
        let mut cases = Cases::of("terminal-regex.cc");
        for at in windows(&tokens(&read(directory, file), Language::C)) {
            let [call, open, Token::Word(pattern), _, Token::Literal(text), _, want, ..] = at
            else {
                continue;
            };
            if !call.is("assert_match") || !open.is_mark('(') {
                continue;
            }
            let want = match want {
                Token::Literal(link) => Some(link.clone()),
                _ if want.is("ENTIRE") => Some(text.clone()),
                _ => None,
            };
            let reads = match pattern.as_str() {
                "REGEX_URL_HTTP" => Reads::Abbreviated,
                "REGEX_EMAIL" => Reads::Email,
                _ => Reads::Uris,
            };
            cases.add(text.as_str(), reads, Expect::First(want));
        }
        Ok(cases.done())
    }
}

/// Visual Studio Code (TypeScript): `assertLink(text, link)`, the link in its column.
pub struct LinkComputer;

impl Suite for LinkComputer {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let file = "src/vs/editor/test/common/modes/linkComputer.test.ts";
        let mut cases = Cases::of("linkComputer.test.ts");
        for (name, text, link) in
            windows(&tokens(&read(directory, file), Language::JavaScript)).filter_map(call)
        {
            if let ("assertLink", Some(link)) = (name, link) {
                let link = link.trim_matches([' ', '\t']).to_owned();
                cases.add(text, Reads::Uris, Expect::Links(vec![link]));
            }
        }
        Ok(cases.done())
    }
}

/// mozTXTToHTMLConv of Mozilla (JavaScript): `input: text, url: link`, the link as HTML has it.
pub struct MozTxtToHtml;

impl Suite for MozTxtToHtml {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let file = "netwerk/test/unit/test_mozTXTToHTMLConv.js";
        let mut cases = Cases::of("test_mozTXTToHTMLConv.js");
        for at in windows(&tokens(&read(directory, file), Language::JavaScript)) {
            let [input, _, Token::Literal(text), _, url, _, Token::Literal(link), ..] = at else {
                continue;
            };
            if input.is("input") && url.is("url") {
                let link = link.replace("&amp;", "&");
                cases.add(text.as_str(), Reads::Everything, Expect::Includes(link));
            }
        }
        Ok(cases.done())
    }
}

/// Ghostty (Zig): `.input = text, .expect = link`. Paths of files, which it looks for too, are left
/// out.
pub struct Ghostty;

impl Suite for Ghostty {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut cases = Cases::of("url.zig");
        for at in windows(&tokens(&read(directory, "src/config/url.zig"), Language::Zig)) {
            let [input, _, Token::Literal(text), _, _, expect, _, Token::Literal(link), ..] = at
            else {
                continue;
            };
            let after_colon = link.split_once(':').map(|(_, rest)| rest);
            let is_uri =
                after_colon.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
            if input.is("input") && expect.is("expect") && is_uri {
                cases.add(text.as_str(), Reads::Uris, Expect::First(Some(link.clone())));
            }
        }
        Ok(cases.done())
    }
}

/// kitty (Go): `r(text, links…)`, as sums of literals and `u`, in the tests of hints of the type
/// `url`.
pub struct Kitty;

impl Suite for Kitty {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut cases = Cases::of("marks_test.go");
        let tokens = tokens(&read(directory, "kittens/hints/marks_test.go"), Language::Go);
        let assigned = |at: &&[Token]| matches!(at, [u, colon, _, Token::Literal(_), ..] if u.is("u") && colon.is_mark(':'));
        let Some([_, _, _, Token::Literal(u), rest @ ..]) = windows(&tokens).find(assigned) else {
            return Ok(Vec::new());
        };
        let other_type = |at: &[Token]| matches!(at, [opts, dot, kind, ..] if opts.is("opts") && dot.is_mark('.') && kind.is("Type"));
        for at in windows(rest).take_while(|at| !other_type(at)) {
            let [name, open, arguments @ ..] = at else { continue };
            if !name.is("r") || !open.is_mark('(') {
                continue;
            }
            let end = arguments.iter().position(|token| token.is_mark(')')).unwrap_or(0);
            let sums = arguments[..end].split(|token| token.is_mark(','));
            let mut sums = sums.map(|sum| {
                let parts = sum.iter().filter_map(|token| {
                    if token.is("u") { Some(u.as_str()) } else { token.literal() }
                });
                parts.collect::<String>()
            });
            let text = sums.next().unwrap_or_default();
            cases.add(text, Reads::Uris, Expect::Links(sums.collect()));
        }
        Ok(cases.done())
    }
}

/// go-urn (Go): `[]byte("urn"), true`, in tables for each of the RFCs.
pub struct GoUrn;

impl Suite for GoUrn {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut cases = Cases::of("tables_test.go");
        let mut grammar = None;
        for at in windows(&tokens(&read(directory, "tables_test.go"), Language::Go)) {
            if let [var, Token::Word(table), ..] = at
                && var.is("var")
            {
                grammar = match table.as_str() {
                    "urnlexTestCases" | "urn2141OnlyTestCases" => Some(Grammar::Rfc2141),
                    "rfc8141TestCases" => Some(Grammar::Rfc8141),
                    _ => None,
                };
            }
            let [byte, open, Token::Literal(text), close, _, verdict, ..] = at else { continue };
            let is_row = byte.is("byte") && open.is_mark('(') && close.is_mark(')');
            if let Some(grammar) =
                grammar.filter(|_| is_row && (verdict.is("true") || verdict.is("false")))
            {
                cases.add(text.as_str(), Reads::Uris, Expect::Valid(grammar, verdict.is("true")));
            }
        }
        Ok(cases.done())
    }
}
