//! The links of files and directories, with what each is in its document; archives and mail are
//! read through.
//!
//!     cargo run --example tree -- docs README.md

use std::error::Error;

use urigrep::search::{Compressed, Order, Search};

fn main() -> Result<(), Box<dyn Error>> {
    let roots = std::env::args_os().skip(1);
    let search = Search::builder().order(Order::Path).compressed(Compressed::Unpacked).build()?;
    let mut hits = search.paths(roots)?;
    for hit in hits.by_ref() {
        let role = hit.role().map_or("text", |role| role.name());
        println!("{}:{}:{role}: {}", hit.path_lossy(), hit.line(), hit.uri());
    }
    for problem in hits.problems() {
        eprintln!("{problem}");
    }
    eprintln!("{} matches in {} files", hits.stats().matches, hits.stats().files);
    Ok(())
}
