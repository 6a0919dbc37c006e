//! Dialects: how the documents of a site deviate from the common form of their format.
//!
//! The settings of a site determine the dialect of its documents. A file alone shows it only by its
//! extension, if at all.

use std::path::Path;
use std::sync::Arc;

/// The deviations of a document from the common form of its format. The default is what the
/// extension of its file says.
///
/// ```
/// use std::path::Path;
/// use urigrep::document::Dialect;
///
/// let dialect = Dialect::default();
/// assert_eq!(dialect.of_file(Path::new("a.mdx")), Dialect::Mdx);
/// assert_eq!(dialect.of_file(Path::new("a.md")), Dialect::ByExtension);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// MDX for `.mdx`, otherwise the common form.
    #[default]
    ByExtension,
    /// MDX, also in `.md`.
    Mdx,
    /// Markdown whose tags may have expressions of JSX, `<a style={{…}} href="b">`.
    Jsx,
    /// kramdown reads Markdown within tags such as `<em>` on their own lines. Before it, Liquid
    /// writes values of the site's settings into the document.
    Kramdown(SiteValues),
    /// Eleventy runs Liquid or Nunjucks before Markdown is read: `{{ "/a/" | url }}` is an address.
    Eleventy,
    /// Python-Markdown reads Markdown within such tags, too, and takes definitions out of
    /// paragraphs.
    Python,
    /// MyST has comments that start with `%`.
    Myst,
    /// Pandoc reads Markdown after each tag.
    Pandoc,
    /// Obsidian has comments, `%%a%%`.
    Obsidian,
    /// AsciiDoc with the attributes that others set for the document: the settings of Antora, and
    /// the documents that include it.
    AsciiDoc(AttributeValues),
}

impl Dialect {
    /// Returns the attributes that others set for a document of AsciiDoc.
    pub(crate) fn attributes(&self) -> &[(String, String)] {
        match self {
            Self::AsciiDoc(values) => values.named(),
            _ => &[],
        }
    }

    /// Returns the dialect of one file of the site.
    #[must_use]
    pub fn of_file(&self, path: &Path) -> Self {
        let has =
            |extension: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension));
        match self {
            Self::Jsx if has("md") => Self::Jsx,
            Self::ByExtension | Self::Jsx if has("mdx") => Self::Mdx,
            Self::ByExtension | Self::Jsx => Self::ByExtension,
            _ => self.clone(),
        }
    }
}

/// Attributes of AsciiDoc, each with its name and value, in the order in which they are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeValues(Arc<[(String, String)]>);

impl AttributeValues {
    /// Names of attributes, each with its value.
    pub fn new(named: Vec<(String, String)>) -> Self {
        Self(named.into())
    }

    /// Returns the attributes in their order.
    pub fn named(&self) -> &[(String, String)] {
        &self.0
    }
}

/// The values of `site.NAME` in Liquid that are addresses of the site. By default there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteValues(Option<Arc<[(String, SiteValue)]>>);

/// The relation of the value of a setting to the address of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SiteValue {
    /// Its path below the host.
    Path,
    /// Its host.
    Host,
    /// Both, or nothing, if it has no path: then nothing may follow the host.
    Whole,
}

impl SiteValues {
    /// Names no setting.
    pub const NONE: Self = Self(None);

    /// Names of settings, each with the kind of its value.
    pub fn new(named: Vec<(String, SiteValue)>) -> Self {
        Self(Some(named.into()))
    }

    /// True if no setting is named.
    pub fn is_empty(&self) -> bool {
        self.named().is_empty()
    }

    /// Returns the settings in their order.
    pub fn named(&self) -> &[(String, SiteValue)] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns the kind of the setting `site.NAME`.
    pub(super) fn value(&self, name: &[u8]) -> Option<SiteValue> {
        let name = name.strip_prefix(b"site.")?;
        self.named().iter().find(|(known, _)| known.as_bytes() == name).map(|(_, value)| *value)
    }
}
