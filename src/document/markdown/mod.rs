//! Markdown: CommonMark 0.31.2 with GitHub's extensions, front matter, definition lists, and
//! formulas.
//!
//! The parser (pulldown-cmark) emits events with ranges. The reader walks over them and keeps an
//! offset up to which everything has been emitted. Text between two events is markup. Emphasis
//! marks stay in the text, so that it is delimited as written, and container marks are removed.
//! Link reference definitions have no event and are read from these gaps. Anything else with
//! letters is emitted as text. So nothing is lost, however the parser reads it, and parts neither
//! overlap nor go back.
//!
//! - A destination is a [`Content::Reference`](super::Content::Reference). That of a reference link
//!   is at its definition. That of `<a@b.example>` starts with `mailto:` (CommonMark §6.5), which
//!   comes from no byte. An empty destination is not a part, but its
//!   [`Event::Label`](super::Event::Label) reports it.
//! - The text of a block is one part, split where links, code, formulas, footnotes, and HTML start
//!   and end, so that separate texts are not joined. Text without a letter is not a part.
//! - HTML is read as HTML: each block, and each tag in a text, by itself.
//! - `[[…]]` is text: as a link, it names a page and is not a URI reference. GitHub reads
//!   `[[1]](uri)` as a link.
//! - Directives and roles of MyST are references too: ```` ```{figure} a.png ````, `` {doc}`a` ``;
//!   so are cross-references of Quarto, `@fig-a`.

mod columns;
mod components;
mod decode;
mod dialects;
mod format;
mod front;
pub(crate) mod ids;
mod line_anchors;
pub(crate) mod line_titles;
mod lines;
mod link;
mod liquid;
mod liquid_values;
mod marks;
mod mdx;
mod myst;
mod obsidian;
mod pandoc;
mod prepare;
pub(crate) mod quarto;
mod reader;
pub(crate) mod slug;
mod tags;
mod titles;
mod uncoded;
mod unseen;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use pulldown_cmark::{BrokenLink, CowStr, Options, Parser, Tag};

use super::{EventSink, Source};
pub(super) use format::Markdown;
pub(super) use line_anchors::{FoundAnchors, LineAnchors};
pub(super) use liquid_values::{fill_addresses, fill_urls};
use marks::UndefinedReference;
use prepare::Prepared;
use reader::MarkdownReader;
pub use slug::Slugs;
pub(crate) use unseen::is_shown;

/// Enabled extensions. Metadata blocks are read without the parser, because it would accept them
/// anywhere, even in place of a thematic break.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_DEFINITION_LIST);

/// Reads a document.
pub fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    // The parser needs valid UTF-8. Preparing keeps the length, so its ranges are offsets in the
    // document.
    let prepared = Prepared::new(source.bytes);
    let undefined = RefCell::new(VecDeque::new());
    let note = |link: BrokenLink<'_>| -> Option<(CowStr<'_>, CowStr<'_>)> {
        undefined.borrow_mut().extend(UndefinedReference::new(link, prepared.content()));
        None
    };
    // Only an audit needs undefined references. Without the callback, the parser does not report
    // them at all.
    let is_noted = sink.wants().all_events();
    let callback = is_noted.then_some(note);
    let mut reader = MarkdownReader::new(source, &prepared, sink);
    reader.front_matter()?;
    let parser = Parser::new_with_broken_link_callback(prepared.content(), OPTIONS, callback);
    let mut events = parser.into_offset_iter();
    for (event, range) in events.by_ref() {
        let at = range.start;
        let is_link = matches!(event, pulldown_cmark::Event::Start(Tag::Link { .. }));
        reader.event(event, prepared.span(range))?;
        if is_noted {
            reader.undefined(&mut undefined.borrow_mut(), at, is_link);
        }
    }
    reader.undefined(&mut undefined.borrow_mut(), prepared.content().len(), false);
    reader.finish(events.reference_definitions())
}
