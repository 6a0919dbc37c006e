//! Decides whether an input is read as text, as a document, or as a mailbox.

use crate::document::format::{Reading, Sniff};
use crate::document::mail::FORMAT as MAIL;
use crate::document::{Format, InputType, Packages, Sniffed, mbox};
use crate::finder::Rest;
use crate::search::query::Query;
use crate::search::{Input, Mail, Markup};
use crate::slice::SliceExt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputShape {
    Document(Format),
    Mailbox,
}

/// Number of leading bytes from which the format of a document is detected.
pub(crate) const HEAD: usize = 64 << 10;

/// The result of detecting from its first bytes how an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeSniff {
    /// In this shape; `None` means text.
    Known(Option<InputShape>),
    NeedMore,
}

/// Decides how an input that starts with `head` is read.
pub(crate) fn sniff_shape(query: &Query, input: &Input, head: &[u8], rest: Rest) -> ShapeSniff {
    let rest = if head.len() >= HEAD { Rest::End } else { rest };
    let head = head.clamped(..HEAD);
    // Before the name: mailboxes have any name, such as `Inbox` or `sent.txt`, and their first line
    // says what they are.
    if query.mail != Mail::Never {
        match mbox::sniff(head, rest) {
            Sniff::Yes => return ShapeSniff::Known(Some(InputShape::Mailbox)),
            Sniff::NeedMore => return ShapeSniff::NeedMore,
            Sniff::No => {}
        }
    }
    let is_wanted = |format: Format| {
        let is_asked = match format.reading() {
            Reading::Always => true,
            Reading::OnRequest => query.selection.needs_documents(),
            Reading::OnRequestOfValues => query.selection.needs_documents() || query.reads_values(),
        };
        if format.is_message() {
            query.mail != Mail::Never
        } else {
            query.markup != Markup::Never && is_asked
        }
    };
    let sniffed = match (query.mail, query.markup) {
        (Mail::Always, _) => return ShapeSniff::Known(Some(InputShape::Document(MAIL))),
        (_, Markup::Always(format)) => {
            let is_excluded = format.is_message() && query.mail == Mail::Never;
            return ShapeSniff::Known((!is_excluded).then_some(InputShape::Document(format)));
        }
        _ => detect_format(input, head, rest, is_wanted),
    };
    match sniffed {
        Sniffed::Is(format) => {
            ShapeSniff::Known(is_wanted(format).then_some(InputShape::Document(format)))
        }
        Sniffed::Unknown => ShapeSniff::Known(None),
        Sniffed::NeedMore => ShapeSniff::NeedMore,
    }
}

/// Detects the format by file name, then by content, then by the directory it is stored in.
fn detect_format(
    input: &Input,
    head: &[u8],
    rest: Rest,
    is_wanted: impl Fn(Format) -> bool,
) -> Sniffed {
    if let Some(format) = Format::from_file_name(input.name())
        && (format.reading() == Reading::Always || is_wanted(format))
    {
        match Format::refined(format, head, rest) {
            Sniffed::Unknown => {}
            sniffed => return sniffed,
        }
        // The first bytes of a document that is not text say more than its name.
        let found = || InputType::document(head, input.name(), Packages::Documents);
        let found = if format.is_binary() { found() } else { None };
        if let Some(found) = found {
            return Sniffed::Is(found);
        }
        return match Format::contradicting(format, head, rest) {
            Sniffed::Unknown => Sniffed::Is(format),
            sniffed => sniffed,
        };
    }
    match Format::sniff_among(head, rest, is_wanted) {
        Sniffed::Is(format) => Sniffed::Is(format),
        // Last, because a directory says least: a file there may be anything.
        sniffed => match input.path().and_then(Format::stored_at) {
            Some(format) => Sniffed::Is(format),
            None => sniffed,
        },
    }
}

/// Returns the format of a document that is not text, by its first bytes.
pub(crate) fn binary_format(query: &Query, input: &Input, head: &[u8]) -> Option<Format> {
    match query.markup {
        Markup::Never => None,
        Markup::Always(format) => Some(format).filter(|format| format.is_binary()),
        Markup::Auto => InputType::document(head, input.name(), Packages::Documents),
    }
}
