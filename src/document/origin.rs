//! The constructs that links are read from: [`LinkOrigin`].

/// Construct that a link was read from.
///
/// Elements and attributes say what a document calls a construct; this says which program looks up
/// what it names. An XML element may be called `import`, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LinkOrigin {
    /// A link of the format itself, perhaps in an element.
    #[default]
    Element,
    /// A definition that other links name: `[a]: b` of Markdown.
    Definition,
    /// A document named without its extension (Sphinx, `:doc:` and `toctree`).
    DocumentName,
    /// A document or label of another project (Sphinx, "intersphinx").
    OtherProject,
    /// An option of a directive of an extension of Sphinx.
    Directive,
    /// A string of front matter.
    FrontMatter,
    /// A value of front matter that names a file or page.
    FrontMatterValue,
    /// The menu of a site.
    Menu,
    /// A page or directory beside the menu that names it (Nextra, Fumadocs).
    PageName,
    /// An attribute in the markup of a program that makes pages.
    Program,
    /// A picture, style sheet, or script that the settings of a site name.
    SettingsFile,
    /// Data of a site, from which templates make links.
    Data,
    /// A picture or document that MDX imports.
    Import,
    /// A file by which mdBook replaces a directive.
    MdbookInclude,
    /// A file in the directory of includes that a tag of Liquid shows.
    LiquidInclude,
    /// A file beside the document that a tag of Liquid shows.
    LiquidRelative,
    /// A file or page in an argument of a tag of GitBook.
    GitbookTag,
    /// A file in quotation marks that a tag of Liquid or Nunjucks shows.
    QuotedInclude,
    /// Such a file in a block of code, where only a template shows it that runs before the Markdown
    /// is read.
    CodeInclude,
    /// The first argument of another tag of Liquid or Nunjucks, which a site defines.
    TagArgument,
    /// A topic that a topic of Writerside includes.
    TopicInclude,
    /// An element of a topic, named by its id, with the file in another attribute (Writerside).
    TopicElement,
    /// A file whose code Writerside shows.
    CodeSource,
    /// A file that a shortcode of Quarto shows, or puts in its place.
    QuartoFile,
    /// A file that a snippet of PyMdown Extensions shows.
    Snippet,
    /// An attribute `src` or `href` of a shortcode of Hugo.
    Shortcode,
    /// Another argument of a shortcode of Hugo.
    ShortcodeArgument,
    /// An attribute of a component of MDC, which Nuxt Content reads.
    Mdc,
}

impl LinkOrigin {
    /// True for a file that a tag of Liquid shows.
    pub(crate) fn is_liquid(self) -> bool {
        matches!(self, Self::LiquidInclude | Self::LiquidRelative)
    }

    /// True for a value that may or may not be a path: only the template of the shortcode, the
    /// component, or the settings of the extension tell.
    pub(crate) fn is_argument(self) -> bool {
        matches!(
            self,
            Self::FrontMatterValue
                | Self::Mdc
                | Self::ShortcodeArgument
                | Self::Snippet
                | Self::TagArgument
        )
    }

    /// True for values that a template resolves: arguments, and attributes that HTML has, too.
    pub(crate) fn is_of_template(self) -> bool {
        self.is_argument() || self == Self::Shortcode
    }

    /// True for a file whose text becomes a part of the document.
    pub(crate) fn is_included(self) -> bool {
        self.is_liquid()
            || matches!(
                self,
                Self::Import
                    | Self::MdbookInclude
                    | Self::QuartoFile
                    | Self::QuotedInclude
                    | Self::CodeInclude
            )
    }
}
