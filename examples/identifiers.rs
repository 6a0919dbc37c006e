//! The identifiers in mailboxes, each once a thread, with the message that has it: URNs, DOIs and
//! their like, and the Message-IDs that messages refer to (`mid:`, RFC 2392).
//!
//!     cargo run --example identifiers -- list.mbox

use std::error::Error;

use urigrep::document::mail::Headers;
use urigrep::search::{Dedupe, Search, Selection};

fn main() -> Result<(), Box<dyn Error>> {
    let identifiers = ["urn", "doi", "hdl", "ark", "arxiv", "isbn", "mid", "swh"];
    let selection = Selection::builder().schemes(identifiers).build()?;
    let search = Search::builder()
        .selection(selection)
        .headers(Headers::Identifiers)
        .dedupe(Dedupe::Thread)
        .build()?;
    for hit in search.paths(std::env::args_os().skip(1))? {
        let message = hit.mail().and_then(|mail| mail.message_id());
        println!("{}\t{}", hit.uri(), message.unwrap_or("-"));
    }
    Ok(())
}
