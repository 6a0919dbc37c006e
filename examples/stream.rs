//! The URIs of standard input as they come, with bounded memory; any reader will do.
//!
//!     tail -f log | cargo run --example stream

use std::io;

use urigrep::Finder;

fn main() -> io::Result<()> {
    for m in Finder::new().read_iter(io::stdin().lock()) {
        let m = m?;
        println!("{}\t{}", m.offset(), m.uri());
    }
    Ok(())
}
