//! Prints the URIs of files, directories, mailboxes and archives, as `urigrep -Hnz` does.

use std::env::args_os;
use std::error::Error;

use urigrep::search::{Compressed, Search};

fn main() -> Result<(), Box<dyn Error>> {
    let search = Search::builder()
        .compressed(Compressed::Unpacked)
        .threads(2)
        .build()?;
    let mut hits = search.paths(args_os().skip(1))?;
    for hit in &mut hits {
        let uri = hit.matched().map_or(hit.uri(), |m| m.intended());
        println!("{}:{}:{uri}", hit.path_lossy(), hit.line());
    }
    for problem in hits.problems() {
        eprintln!("{problem}");
    }
    Ok(())
}
