//! The content of a document without its comments: [`Statement`].

use std::ops::ControlFlow;
use std::path::Path;

use urigrep::audit::{ResolvedDocument, ResolvedTarget};
use urigrep::document::{Dialect, Event, EventSink, Format, Role, Source, Wants};

/// The text, links, and names of a document, in order.
#[derive(Clone, Debug)]
pub struct Statement {
    pub format: Option<Format>,
    /// Parts with their role, element, and attribute. White space is left out:
    /// a comment comes with some.
    parts: Vec<(Role, Option<String>, Option<String>, String)>,
    links: Vec<(String, Option<ResolvedTarget>)>,
    names: Vec<String>,
}

impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts && self.links == other.links && self.names == other.names
    }
}

impl Statement {
    pub fn new(document: &ResolvedDocument, extension: &str) -> Self {
        let facts = document.facts();
        let names = facts.names().map(|(name, _)| name.to_owned());
        let headings = facts.headings().map(|it| format!("{} {}", it.level, it.text));
        let labels = facts.labels().map(|label| label.text.to_owned());
        let definitions = facts.definitions().iter().map(|it| format!("{} {}", it.label, it.value));
        let references = facts.title_references().iter().map(|it| it.text.clone());
        let undefined = facts.undefined().iter().map(|it| it.label.clone());
        let names = names.chain(headings).chain(labels).chain(definitions).chain(references);
        let mut this = Self {
            format: facts.format(),
            parts: Vec::new(),
            links: document
                .links()
                .map(|(link, target)| (link.written.to_owned(), target.cloned()))
                .collect(),
            names: names.chain(undefined).map(|name| name.trim().to_owned()).collect(),
        };
        if let Some(format) = this.format {
            let file = Path::new("a").with_extension(extension);
            let dialect = Dialect::default().of_file(&file);
            let text = format.prepare(&dialect, document.text());
            let _ = format.read(Source::new(&text), &mut this);
            for (.., text) in &mut this.parts {
                *text = without_directives(text);
            }
            this.parts.retain(|(.., text)| !text.is_empty());
        }
        this
    }
}

/// Removes white space, and the comments for urigrep that readers take for text or code: those of
/// MDX and of style sheets. A reader may have removed the text between their marks.
fn without_directives(text: &str) -> String {
    let text: String = text.split_whitespace().collect();
    if !text.contains("/*") {
        return text;
    }
    let (mut kept, mut rest) = (String::new(), text.as_str());
    while let Some((before, after)) = rest.split_once("/*") {
        let Some((comment, after)) = after.split_once("*/") else { break };
        let is_directive = comment.is_empty() || comment.starts_with("urigrep-");
        let is_mdx = is_directive && before.ends_with('{') && after.starts_with('}');
        match (is_directive, is_mdx) {
            (true, true) => kept.push_str(before.strip_suffix('{').unwrap_or(before)),
            (true, false) => kept.push_str(before),
            (false, _) => {
                kept.push_str(before);
                kept.push_str("/*");
                kept.push_str(comment);
                kept.push_str("*/");
            }
        }
        rest = if is_mdx { after.strip_prefix('}').unwrap_or(after) } else { after };
    }
    kept + rest
}

impl EventSink for Statement {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Part(part) = event
            && part.role != Role::Comment
        {
            let text = String::from_utf8_lossy(part.text);
            match self.parts.last_mut() {
                // A comment splits a text.
                Some((role, element, attribute, last))
                    if *role == part.role
                        && element.as_deref() == part.element
                        && attribute.as_deref() == part.attribute =>
                {
                    last.push_str(&text);
                }
                _ => {
                    let own = |name: Option<&str>| name.map(str::to_owned);
                    let (element, attribute) = (own(part.element), own(part.attribute));
                    self.parts.push((part.role, element, attribute, text.into_owned()));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::all()
    }
}
