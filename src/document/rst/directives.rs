//! Reads directives and their options.

use std::ops::ControlFlow;

use memchr::memchr;

use super::names;
use super::reader::{LINK, RstReader};
use crate::document::lines::TextLine;
use crate::document::{Event, LinkOrigin, NameSpace, Role, Source, html};
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// The directives of docutils and Sphinx whose options name files and URIs.
const BUILT_IN: [&str; 5] = ["csv-table", "figure", "image", "literalinclude", "raw"];

/// Treatment of the body of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyTreatment {
    /// Read it like other text.
    Blocks,
    Code,
    Html,
    /// A list of documents, `title <name>`.
    Documents,
}

/// True for a directive whose argument is the signature of an object: one of a domain, such as
/// `py:function`, or of `sphinx.ext.autodoc`.
fn is_signature(name: &str, base: &str) -> bool {
    const OF_PYTHON: [&str; 13] = [
        "attribute",
        "class",
        "classmethod",
        "currentmodule",
        "data",
        "decorator",
        "envvar",
        "exception",
        "function",
        "method",
        "module",
        "property",
        "staticmethod",
    ];
    let of_autodoc = base.strip_prefix("auto").is_some_and(|it| OF_PYTHON.contains(&it));
    // Alone, `class` sets classes of docutils, whose names are no references either.
    name.contains(':') || of_autodoc || OF_PYTHON.contains(&base)
}

impl RstReader<'_, '_> {
    pub(super) fn directive(&mut self, line: TextLine, name: &str, at: usize) -> ControlFlow<()> {
        // Sphinx lets a domain stand before the name: `py:function`.
        let base = name.rsplit(':').next().unwrap_or(name);
        let body = match base {
            "autosummary" | "code-block" | "code" | "sourcecode" | "highlight" | "math"
            | "prompt" | "doctest" | "testcode" | "testoutput" | "testsetup" | "testcleanup"
            | "graphviz" | "digraph" | "graph" | "productionlist" | "ipython" | "plot"
            | "jupyter-execute" | "mermaid" | "uml" | "plantuml" => BodyTreatment::Code,
            "raw" if self.bytes.part(at..line.end).trim_ascii() == b"html" => BodyTreatment::Html,
            "raw" => BodyTreatment::Code,
            "toctree" => BodyTreatment::Documents,
            _ => BodyTreatment::Blocks,
        };
        let argument = self.trimmed(Span::new(at.min(line.end), line.end));
        self.at = line.next;
        match base {
            "image" | "figure" => {
                let argument = self.argument(line, argument);
                self.image(argument)?;
            }
            "include" | "literalinclude" => {
                self.destination(argument, "include")?;
            }
            // The name of an object may end in an underscore, which is no reference there.
            _ if is_signature(name, base) => self.text(argument, Role::Text)?,
            _ if body == BodyTreatment::Blocks => {
                // Most arguments are not text: `|a|` in a signature is an operator.
                let before = self.references.substituted.len();
                self.inline(argument)?;
                self.references.substituted.truncate(before);
            }
            _ => self.text(argument, Role::Metadata)?,
        }
        // A role that is derived from `raw` gives its text to the output as it is (docutils,
        // "raw").
        let argument = self.bytes.part(argument.range());
        self.raw_role = match argument.strip_suffix(b"(raw)") {
            Some(name) if base == "role" => Some(lossy(name.trim_ascii()).into_owned()),
            _ => None,
        };
        self.options(line, base)?;
        if body == BodyTreatment::Blocks {
            return ControlFlow::Continue(());
        }
        let end = self.block_end(TextLine { end: self.at.max(line.end), next: self.at, ..line });
        if end <= self.at {
            // It has no body, so that a line right after it is text of its own.
            return ControlFlow::Continue(());
        }
        match body {
            BodyTreatment::Blocks => ControlFlow::Continue(()),
            BodyTreatment::Code => self.code(Span::new(self.at.min(end), end)),
            BodyTreatment::Html => {
                let span = Span::new(self.at.min(end), end);
                self.at = self.line(end).next.max(self.at);
                let layers = self.source.part(span.start());
                html::read(Source::inside(self.bytes.part(span.range()), &layers), self.sink)
            }
            BodyTreatment::Documents => self.documents(end),
        }
    }

    /// Returns the argument of an image, which may continue over lines up to its options.
    fn argument(&mut self, line: TextLine, first: Span) -> Span {
        let mut end = first.end();
        while self.at < self.bytes.len() {
            let next = self.line(self.at);
            let starts_option = self.bytes.get(next.text) == Some(&b':');
            if next.is_blank() || next.indent() <= line.indent() || starts_option {
                break;
            }
            (end, self.at) = (next.end, next.next);
        }
        self.trimmed(Span::new(first.start(), end))
    }

    /// Reads the options of a directive, `:name: value`.
    fn options(&mut self, directive: TextLine, name: &str) -> ControlFlow<()> {
        // The extension that defines a directive decides where the named file is.
        let (element, origin) = if BUILT_IN.contains(&name) {
            (LINK, LinkOrigin::Element)
        } else {
            ("directive", LinkOrigin::Directive)
        };
        while self.at < self.bytes.len() {
            let line = self.line(self.at);
            let text = self.bytes.part(line.span().range());
            let Some(length) = text.strip_prefix(b":").and_then(|rest| memchr(b':', rest)) else {
                break;
            };
            // `` :doc:`a` `` is a role at the start of the content (docutils, field markers).
            let is_option = matches!(text.get(length + 2), None | Some(b' ' | b'\t' | b'\r'));
            if line.is_blank() || line.indent() <= directive.indent() || !is_option {
                break;
            }
            let option = lossy(text.part(1..=length)).into_owned();
            let end = self.block_end(line);
            self.at = self.line(end).next.max(line.next);
            let value = self.trimmed(Span::new((line.text + length + 2).min(end), end));
            self.option(&option, value, (element, origin))?;
        }
        ControlFlow::Continue(())
    }

    fn option(
        &mut self,
        option: &str,
        value: Span,
        (element, origin): (&'static str, LinkOrigin),
    ) -> ControlFlow<()> {
        let bytes = self.bytes.part(value.range());
        match option {
            // The target of a picture is a URI, or a reference by name (docutils, "Image").
            "target" if bytes.ends_with(b"_") && !bytes.contains(&b'/') => {
                self.refer(Span::new(value.start(), value.end() - 1), value);
                self.text(value, Role::Text)
            }
            "format" if self.raw_role.is_some() => {
                let mut formats = bytes.split(u8::is_ascii_whitespace);
                let is_html = formats.any(|format| format == b"html");
                self.html_roles.extend(self.raw_role.take().filter(|_| is_html));
                self.text_of(value, Role::Attribute, Some(option))
            }
            "target" | "url" | "file" => {
                self.destination_of(value, element, Some(option), origin)?;
                ControlFlow::Continue(())
            }
            "name" | "label" if !bytes.is_empty() => {
                let name = names::written(bytes);
                let span = self.source.span(value);
                if self.wants.all_events() {
                    self.sink.note(&Event::Define { space: NameSpace::Anchor, name: &name, span });
                }
                self.references.targets.insert(names::normalized(&name), None);
                self.text(value, Role::Attribute)
            }
            _ => self.text_of(value, Role::Attribute, Some(option)),
        }
    }

    /// Reads the entries of a table of contents, alone or as `title <…>`; a URI becomes a link.
    fn documents(&mut self, end: usize) -> ControlFlow<()> {
        while self.at < end {
            let line = self.line(self.at);
            self.at = line.next;
            let text = self.bytes.part(line.span().range());
            let open = text.strip_suffix(b">").and_then(|inside| memchr::memrchr(b'<', inside));
            let target = match open {
                Some(open) => Span::new(line.text + open + 1, line.end - 1),
                None => line.span(),
            };
            self.text(Span::new(line.text, target.start()), Role::Text)?;
            // Names of documents have no extension, so they are not references to files.
            let is_uri = memchr::memmem::find(self.bytes.part(target.range()), b"://").is_some();
            if is_uri {
                self.destination(target, "toctree")?;
            } else {
                self.refer_to_document(target);
                self.text(target, Role::Text)?;
            }
        }
        ControlFlow::Continue(())
    }
}
