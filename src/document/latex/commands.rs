//! The commands of LaTeX that the reader knows.

/// Meaning of a command, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `\url{…}`: a URI, read verbatim.
    Url,
    /// `\href[…]{…}{text}`.
    LinkWithText,
    /// `\path{…}`: verbatim text that is not a link.
    Path,
    /// `\includegraphics[…]{…}`.
    Image,
    /// `\input{…}`, to which LaTeX adds an extension.
    Include(&'static str),
    /// `\bibliography{a,b}`.
    Includes(&'static str),
    /// `\label{…}`, `\bibitem[…]{…}`.
    Define,
    /// `\ref{…}`, `\cref{a,b}`.
    Refer,
    /// `\cite[…]{a,b}`.
    Cite,
    /// `\verb|…|`.
    Verb,
    /// `\begin{…}`.
    Begin,
    /// `\documentclass…{…}`: the document is complete.
    Class,
    /// `\newcommand{\name}[1]{…}`, `\def\name#1{…}`: the body of a command.
    Macro,
    /// `\section{…}`, with its level.
    Heading(u8),
}

const COMMANDS: [(&str, Command); 69] = [
    ("Cref", Command::Refer),
    ("Crefrange", Command::Refer),
    ("DeclareRobustCommand", Command::Macro),
    ("Nameref", Command::Refer),
    ("Ref", Command::Refer),
    ("Vref", Command::Refer),
    ("addbibresource", Command::Include("")),
    ("autocite", Command::Cite),
    ("autoref", Command::Refer),
    ("begin", Command::Begin),
    ("bibitem", Command::Define),
    ("bibliography", Command::Includes(".bib")),
    ("chapter", Command::Heading(1)),
    ("cite", Command::Cite),
    ("citeauthor", Command::Cite),
    ("citep", Command::Cite),
    ("citet", Command::Cite),
    ("cref", Command::Refer),
    ("def", Command::Macro),
    ("documentclass", Command::Class),
    ("documentstyle", Command::Class),
    ("eqref", Command::Refer),
    ("footcite", Command::Cite),
    ("footurl", Command::Url),
    ("fullref", Command::Refer),
    ("gdef", Command::Macro),
    ("href", Command::LinkWithText),
    ("hrefFootnote", Command::LinkWithText),
    ("hyperimage", Command::Url),
    ("include", Command::Include(".tex")),
    ("includegraphics", Command::Image),
    ("includepdf", Command::Image),
    ("includestandalone", Command::Include(".tex")),
    ("includesvg", Command::Image),
    ("input", Command::Include(".tex")),
    ("inputminted", Command::Include("")),
    ("label", Command::Define),
    ("labelcref", Command::Refer),
    ("loadglsentries", Command::Include(".tex")),
    ("lstinline", Command::Verb),
    ("lstinputlisting", Command::Include("")),
    ("mintinline", Command::Verb),
    ("namecref", Command::Refer),
    ("nameref", Command::Refer),
    ("newcommand", Command::Macro),
    ("nolinkurl", Command::Url),
    ("pageref", Command::Refer),
    ("paragraph", Command::Heading(5)),
    ("parencite", Command::Cite),
    ("part", Command::Heading(1)),
    ("path", Command::Path),
    ("providecommand", Command::Macro),
    ("ref", Command::Refer),
    ("renewcommand", Command::Macro),
    ("seccite", Command::Cite),
    ("section", Command::Heading(2)),
    ("subfile", Command::Include(".tex")),
    ("subfileinclude", Command::Include(".tex")),
    ("subimport", Command::Include(".tex")),
    ("subparagraph", Command::Heading(6)),
    ("subref", Command::Refer),
    ("subsection", Command::Heading(3)),
    ("subsubsection", Command::Heading(4)),
    ("textcite", Command::Cite),
    ("url", Command::Url),
    ("verb", Command::Verb),
    ("verbatiminput", Command::Include("")),
    ("vpageref", Command::Refer),
    ("vref", Command::Refer),
];

impl Command {
    /// Returns the meaning of the command with this name.
    pub fn named(name: &[u8]) -> Option<Self> {
        let name = std::str::from_utf8(name).ok()?;
        let found = COMMANDS.iter().find(|(known, _)| *known == name);
        found.map(|(_, command)| *command)
    }
}

/// Content of an environment that is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Environment {
    Code,
    Comment,
}

impl Environment {
    /// Returns the content of the environment with this name, if it is verbatim.
    pub fn named(name: &[u8]) -> Option<Self> {
        match name.strip_suffix(b"*").unwrap_or(name) {
            // `code` is an environment of literate Haskell, `Sinput` and `Soutput` are of Sweave,
            // and `Highlighting` is of pandoc.
            b"verbatim" | b"Verbatim" | b"BVerbatim" | b"LVerbatim" | b"lstlisting" | b"minted"
            | b"alltt" | b"verbatimtab" | b"filecontents" | b"code" | b"Sinput" | b"Soutput"
            | b"Highlighting" => Some(Self::Code),
            b"comment" => Some(Self::Comment),
            _ => None,
        }
    }
}
