//! Properties of a format that the engine and the audit need.

use std::path::Path;

use super::Format;

/// Tells when documents are read in their format, and not as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// Always.
    Always,
    /// Only if a search asks for places or roles, or names the format. As text, the same URIs are
    /// found, and faster.
    OnRequest,
    /// As [`OnRequest`](Self::OnRequest), and if a search reads values in their markup
    /// ([`ValueParts::Documents`](crate::document::ValueParts)).
    OnRequestOfValues,
}

/// Limits for documents of a format, in bytes unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatLimits {
    /// Larger documents are searched as text.
    pub largest: usize,
    /// Larger documents are audited as text.
    pub largest_audited: usize,
    /// Upper bound of the memory for reading, as a multiple of the document's size. Measured with
    /// adversarial documents (tests/faults/bounds.py).
    pub memory_factor: usize,
    /// Documents up to this size may be read on all threads at once.
    pub light: usize,
}

impl FormatLimits {
    /// 4 MiB, for readers that make one pass and keep little.
    pub const USUAL: Self = Self {
        largest: Format::LARGEST,
        largest_audited: Format::LARGEST,
        memory_factor: 4,
        light: 2 << 20,
    };

    /// 4 MiB, for readers of markup that keep names until the end of the document. 4 MiB of
    /// `.. _a1: b` of reStructuredText take 12 times that in a search, and 33 times in an audit,
    /// which keeps labels.
    pub const TEXT_MARKUP: Self = Self { memory_factor: 20, light: 512 << 10, ..Self::USUAL };

    /// 64 MiB, for data: its readers keep a path only.
    pub const DATA: Self = Self {
        largest: 64 << 20,
        largest_audited: Format::LARGEST,
        memory_factor: 3,
        light: 2 << 20,
    };
}

/// Purpose of documents in a format, for the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatKind {
    /// A source from which a processor makes a page: Markdown. Its relative links name files or
    /// pages.
    Source,
    /// A page for readers: HTML.
    Page,
    /// A resource of pages: style sheets. Fragments do not refer to it.
    Style,
    /// Data, such as tables and calendars.
    Data,
    /// Source code of a program.
    Code,
    /// Messages. Their relative links do not refer to files of a tree.
    Message,
}

/// Escapes that a format requires, even where its reader accepts the bare character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeStyle {
    /// None, or only those without which a text is read differently.
    None,
    /// Character references: `&amp;`.
    References,
    /// A backslash before `%` and `#`, which TeX needs in arguments of most commands.
    Tex,
    /// Quoted-printable: `=3D`.
    QuotedPrintable,
}

/// Family of markup: how links, names, blocks, and comments are written. Programs that write into
/// documents, such as the language server, know these families and no formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkupFamily {
    /// None of these.
    Other,
    /// HTML, with its raw texts and optional end tags.
    Html,
    /// XML.
    Xml,
    /// Markdown, in all dialects.
    Markdown,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    AsciiDoc,
    /// Org.
    Org,
}

/// Whether documents of a format are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormatEncoding {
    /// Text, in any encoding. What is too large to be read as a document is searched as text.
    Text,
    /// Bytes that only the reader understands.
    Binary {
        /// The first bytes of every document.
        signature: &'static [u8],
    },
}

/// Syntax of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CommentStyle {
    /// The format has no comments.
    None,
    /// `<!-- … -->`.
    Html,
    /// `/* … */`.
    C,
    /// `.. …`.
    Rst,
    /// `// …`.
    Slashes,
    /// `# …`.
    Hash,
    /// `% …`.
    Percent,
    /// `.\" …`.
    Troff,
    /// `@c …`.
    Texinfo,
}

impl CommentStyle {
    /// Returns a comment with this text; `None` if the format has no comments.
    pub fn comment(self, text: &str) -> Option<String> {
        match self {
            Self::None => None,
            Self::Html => Some(format!("<!-- {text} -->")),
            Self::C => Some(format!("/* {text} */")),
            Self::Rst => Some(format!(".. {text}")),
            Self::Slashes => Some(format!("// {text}")),
            Self::Hash => Some(format!("# {text}")),
            Self::Percent => Some(format!("% {text}")),
            Self::Troff => Some(format!(".\\\" {text}")),
            Self::Texinfo => Some(format!("@c {text}")),
        }
    }
}

/// True for the path of a document.
pub type PathTest = fn(&Path) -> bool;
