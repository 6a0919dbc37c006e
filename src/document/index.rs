//! Indexes of [`FORMATS`]. A tree has many small files, and testing each of them for each format
//! takes longer than searching them.

use std::path::Path;
use std::sync::LazyLock;

use super::FORMATS;
use super::format::{Format, FormatEncoding, PathTest};
use crate::hash::HashMap;

static INDEX: LazyLock<FormatIndex> = LazyLock::new(FormatIndex::new);

struct FormatIndex {
    by_extension: HashMap<&'static str, Format>,
    by_file_name: HashMap<&'static [u8], Format>,
    /// An entry for each byte.
    by_first_byte: Vec<Vec<Format>>,
    binary: Vec<(Format, &'static [u8])>,
    by_path: Vec<(Format, PathTest)>,
}

impl FormatIndex {
    fn new() -> Self {
        let extensions = FORMATS
            .iter()
            .flat_map(|&format| format.extensions().iter().map(move |&name| (name, format)));
        let file_names = FORMATS.iter().flat_map(|&format| {
            format.file_names().iter().map(move |name| (name.as_bytes(), format))
        });
        let mut by_first_byte = vec![Vec::new(); 1 << u8::BITS];
        for &format in FORMATS {
            for &byte in format.first_bytes() {
                if let Some(formats) = by_first_byte.get_mut(usize::from(byte)) {
                    formats.push(format);
                }
            }
        }
        let binary = |&format: &Format| match format.encoding() {
            FormatEncoding::Binary { signature } => Some((format, signature)),
            FormatEncoding::Text => None,
        };
        Self {
            by_extension: extensions.collect(),
            by_file_name: file_names.collect(),
            by_first_byte,
            binary: FORMATS.iter().filter_map(binary).collect(),
            by_path: FORMATS.iter().filter_map(|&it| Some((it, it.path_test()?))).collect(),
        }
    }
}

/// Returns the format of files with this extension, which is in lower case.
pub(super) fn by_extension(extension: &str) -> Option<Format> {
    INDEX.by_extension.get(extension).copied()
}

/// Returns the format of files with this name.
pub(super) fn by_file_name(name: &[u8]) -> Option<Format> {
    INDEX.by_file_name.get(name).copied()
}

/// Returns the formats that may be recognized by a head that starts so, in the order of the table.
/// All formats may be recognized once more bytes follow an empty head.
pub(super) fn starting_with(first: Option<u8>) -> &'static [Format] {
    first.map_or(FORMATS, |byte| {
        INDEX.by_first_byte.get(usize::from(byte)).map_or(&[], Vec::as_slice)
    })
}

/// Returns the formats whose documents are not text, with the signature of each.
pub(super) fn binary() -> &'static [(Format, &'static [u8])] {
    &INDEX.binary
}

/// Returns the format of documents that are stored at this path.
pub(super) fn stored_at(path: &Path) -> Option<Format> {
    INDEX.by_path.iter().find(|(_, is_document)| is_document(path)).map(|&(format, _)| format)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finder::Rest;
    use crate::sniff::Sniff;

    /// Starts of documents that some format recognizes.
    const HEADS: &[&[u8]] = &[
        b"<!DOCTYPE html><title>",
        b"<HTML>",
        b"<?xml version='1.0'?><a/>",
        b"{\\rtf1",
        b"begin:vcard\n",
        b"From: a@a.example\nSubject: b\n\n",
        b">From a@a.example Wed Mar  2 23:56:19 2005\nFrom: a@a.example\nSubject: b\n\n",
        b".TH A 1",
        b"#!/usr/bin/python3\n",
        b"#!/bin/sh\n",
        b"[{\"id\": \"a\", \"type\": \"book\", \"title\": \"b\"}]",
        b"{\"log\": {\"version\": \"1.2\", \"entries\": []}}",
    ];

    #[test]
    fn no_format_recognizes_another_first_byte() {
        let recognizes = |format: Format, head: &[u8]| {
            [Rest::More, Rest::End].iter().any(|&rest| format.sniffed(head, rest) != Sniff::No)
        };
        let mut recognized = 0;
        for &format in FORMATS {
            let signature = binary().iter().find(|(it, _)| *it == format).map(|(_, bytes)| *bytes);
            for head in HEADS.iter().copied().chain(signature) {
                for length in [1, 2, head.len()] {
                    let head = &head[..length];
                    recognized += usize::from(recognizes(format, head));
                    // Also with any other byte in front or instead.
                    for first in (0..=u8::MAX).filter(|byte| !format.first_bytes().contains(byte)) {
                        let (replaced, longer) =
                            ([&[first], &head[1..]].concat(), [&[first], head].concat());
                        assert!(!recognizes(format, &replaced), "{format}: {replaced:?}");
                        assert!(!recognizes(format, &longer), "{format}: {longer:?}");
                    }
                }
            }
        }
        assert!(recognized > 50, "{recognized}");
    }
}
