//! The suite of Mastodon: `let(:text) { text }`, and later `include 'href="link"'`.

use std::path::Path;

use super::case::{Case, Cases, Expect, Reads};
use super::tokens::{Language, Token, tokens};
use super::{Suite, read};

pub struct Mastodon;

impl Suite for Mastodon {
    fn cases(&self, directory: &Path) -> Result<Vec<Case>, String> {
        let mut all = Vec::new();
        // the class was renamed between versions
        for file in ["formatter_spec.rb", "text_formatter_spec.rb"] {
            let mut cases = Cases::of(file);
            let tokens = tokens(&read(directory, &format!("spec/lib/{file}")), Language::Ruby);
            let mut text = None;
            for at in tokens.windows(5) {
                match at {
                    [name, close, open, Token::Literal(literal), _]
                        if name.is("text") && close.is_mark(')') && open.is_mark('{') =>
                    {
                        text = Some(literal.clone());
                    }
                    [include, Token::Literal(literal), ..] if include.is("include") => {
                        let link =
                            literal.strip_prefix("href=\"").and_then(|link| link.strip_suffix('"'));
                        let taken =
                            link.and_then(|link| Some((link.replace("&amp;", "&"), text.take()?)));
                        if let Some((link, text)) = taken {
                            cases.add(text, Reads::Uris, Expect::Includes(link));
                        }
                    }
                    _ => {}
                }
            }
            all.extend(cases.done());
        }
        Ok(all)
    }
}
