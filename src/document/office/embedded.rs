//! Files of other formats in a package, and files of unusual names that relationships lead to.

use std::ops::ControlFlow;

use super::relationships::Relationships;
use super::story::{self, StoryPlace};
use super::{Office, is_xml};
use crate::document::mail::attachment::Attachment;
use crate::document::nested::Inside;
use crate::document::package::Package;
use crate::document::{Event, EventSink};
use crate::hash::HashSet;
use crate::span::Span;

/// Reads the files of other formats, each by its format: chunks of HTML or RTF (ECMA-376 part 1,
/// §17.17.2.1), and embedded documents.
pub(super) fn read(
    package: &Package,
    format: &'static str,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let _inside = Inside::new();
    for name in package.names("", "").into_iter().filter(|name| !is_xml(name)) {
        let Some(file) = package.file(name) else { continue };
        let name = Some(name.as_bytes());
        Attachment { name, bytes: file.bytes, span: Span::default() }.read_inside(format, sink)?;
    }
    // A program, not a document: its strings are packed.
    if let Some(macros) = package.all_names().iter().find(|name| name.ends_with("/vbaProject.bin"))
    {
        let message = "macros are not read; export them as text first";
        sink.note(&Event::Unread { file: macros, message });
    }
    ControlFlow::Continue(())
}

/// Reads the main parts that relationships name (ECMA-376 part 2, §9.3) at unusual places: the file
/// with the usual name may be a decoy.
pub(super) fn read_unusual(
    package: &Package,
    main: &[String],
    read: &HashSet<String>,
    kind: &Office,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let usual = kind.text_files();
    for name in main {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let Some(file) = package.file(name) else {
            let message = "the relationships call it the main part, and it was not read";
            sink.note(&Event::Unread { file: name, message });
            continue;
        };
        if name.starts_with(usual) {
            continue;
        }
        if *kind != Office::Word && !read.contains(name) {
            let message = "the main part has an unusual name, and only its plain texts were read";
            sink.note(&Event::Unread { file: file.name, message });
        }
        // Its headers, sheets, and slides are beside it, or below.
        let is_beside = |name: &&str| folder.is_empty() || name.starts_with(folder);
        let is_other = |name: &&str| {
            ![usual, "docProps/", "customXml/", "_rels/"].iter().any(|it| name.starts_with(it))
                && !name.ends_with("[Content_Types].xml")
                && !read.contains(*name)
        };
        for name in package.names("", ".xml").into_iter().filter(is_beside).filter(is_other) {
            if let Some(file) = package.file(name) {
                let mut place = StoryPlace::Text(name.trim_end_matches(".xml").to_owned());
                story::read(&file, Relationships::of_file(package, name), &mut place, sink)?;
            }
        }
    }
    ControlFlow::Continue(())
}
