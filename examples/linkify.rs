//! Turns the web and mail addresses of standard input into HTML links; everything else stays text.
//!
//!     echo 'See <http://example.com/a_(b)>, not javascript:alert(1).' | cargo run --example linkify

use std::io;

use urigrep::Finder;
use urigrep::linkify::Linkifier;
use urigrep::options::{Abbreviated, Email};

fn main() -> io::Result<()> {
    let text = io::read_to_string(io::stdin())?;
    let finder = Finder::builder().abbreviated(Abbreviated::Report).email(Email::Report).build();
    print!("{}", Linkifier::new().finder(finder).rel("ugc nofollow").to_html(&text));
    Ok(())
}
