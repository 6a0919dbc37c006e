//! Turns the URIs of standard input into HTML links; text and delimiters stay as they are.
//!
//!     echo 'See <http://example.com/a_(b)>, urn:isbn:0451450523.' | cargo run --example linkify

use std::io;

fn main() -> io::Result<()> {
    let text = io::read_to_string(io::stdin())?;
    let (mut html, mut done) = (String::new(), 0);
    for m in urigrep::Finder::new().find_iter(text.as_bytes()) {
        // Spans of a `str` end on character boundaries.
        let (before, link) = (&text[done..m.start()], &text[m.range()]);
        let href = escape(&m.uri());
        html += &format!("{}<a href=\"{href}\">{}</a>", escape(before), escape(link));
        done = m.end();
    }
    print!("{html}{}", escape(&text[done..]));
    Ok(())
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;")
}
