//! Turns the URIs of standard input into HTML links, text and delimiters kept.
//!
//!     echo 'See <http://example.com/a_(b)>, urn:isbn:0451450523.' | cargo run --example linkify

use std::io::{self, Read, Write};

use urigrep::Finder;

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let mut out = io::stdout().lock();
    let mut done = 0;
    for m in Finder::new().find_iter(text.as_bytes()) {
        // Spans of a `str` end on character boundaries.
        let (before, link) = (&text[done..m.start()], &text[m.range()]);
        let href = escape(&m.uri());
        write!(
            out,
            "{}<a href=\"{href}\">{}</a>",
            escape(before),
            escape(link)
        )?;
        done = m.end();
    }
    write!(out, "{}", escape(&text[done..]))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
