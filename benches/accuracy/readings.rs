//! How each tool reads an excerpt: urigrep as text or in the format of its genre, its peers as
//! text.

use std::ops::Range;

use urigrep::options::HostMapping;
use urigrep::search::{Flow, Hit, Input, Search, Sink};
use urigrep::{Finder, Flag};

use crate::peers::Peer;

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where, if the offsets are those of the excerpt.
    pub span: Option<Range<usize>>,
    /// As the text has it.
    pub written: String,
    pub uri: String,
    pub iri: Option<String>,
    pub maybe_wrapped: bool,
}

impl Found {
    /// True when it is this URI, in any of its forms.
    pub fn is(&self, want: &str) -> bool {
        self.uri == want
            || self.written == want
            || self.iri.as_deref() == Some(want)
            || repaired(want).is_some_and(|want| want == self.uri)
    }
}

/// What is wanted as a URI, where it has characters that no URI has.
fn repaired(want: &str) -> Option<String> {
    let finder = finder();
    let found = finder.find(want.as_bytes())?;
    (found.range() == (0..want.len())).then(|| found.uri().to_string())
}

/// As the command has it.
pub fn finder() -> Finder {
    Finder::builder().host_mapping(HostMapping::idna().unwrap_or_default()).build()
}

/// A tool, and how it reads.
pub struct Reading {
    pub name: &'static str,
    tool: Tool,
}

enum Tool {
    Urigrep { finder: Finder, search: Box<Search> },
    Peer(Peer),
}

impl Reading {
    /// urigrep first, then those of its peers that the tables show.
    pub fn all(peers: Vec<Peer>) -> Vec<Self> {
        let finder = finder();
        let search = Search::builder().finder(finder.clone()).threads(1).build();
        let search = Box::new(search.unwrap_or_default());
        let ours = Self { name: "urigrep", tool: Tool::Urigrep { finder, search } };
        let shown = |peer: &Peer| ["squeeze", "linkify", "regex"].contains(&peer.name);
        let peers = peers.into_iter().filter(shown);
        let peers = peers.map(|peer| Self { name: peer.name, tool: Tool::Peer(peer) });
        std::iter::once(ours).chain(peers).collect()
    }

    /// What it finds in an excerpt of this genre; `None` for a part of a message whose encoding
    /// can't be told.
    pub fn find(&self, genre: &str, text: &str) -> Option<Vec<Found>> {
        Some(match &self.tool {
            Tool::Peer(peer) => {
                peer.find(text, "").into_iter().map(|span| plain(text, span)).collect()
            }
            Tool::Urigrep { finder, search } => match genre.strip_suffix("-default") {
                None => as_text(finder, text),
                Some(format) => in_format(search, format, text)?,
            },
        })
    }
}

fn plain(text: &str, span: Range<usize>) -> Found {
    let written = text.get(span.clone()).unwrap_or_default().to_owned();
    Found { uri: written.clone(), written, iri: None, span: Some(span), maybe_wrapped: false }
}

/// An excerpt has U+FFFD where its file has bytes that are no UTF-8; such bytes are read in their
/// place.
pub fn as_text(finder: &Finder, text: &str) -> Vec<Found> {
    let bytes =
        text.split('\u{FFFD}').map(str::as_bytes).collect::<Vec<_>>().join(&b"\xE0\xE1\xE2"[..]);
    let found = finder.find_iter(&bytes).map(|found| Found {
        uri: found.uri().to_string(),
        iri: found.iri().map(|iri| iri.to_string()),
        maybe_wrapped: found.flags().contains(Flag::MaybeWrapped),
        ..plain(text, found.range())
    });
    found.collect()
}

/// As the command reads a file of the format, with its default options.
pub fn in_format(search: &Search, format: &str, text: &str) -> Option<Vec<Found>> {
    if format.starts_with("mail") {
        let mut found = as_file(search, "excerpt.eml", &message(text)?);
        // offsets are those of the message, which the excerpt is only a part of
        found.iter_mut().for_each(|found| found.span = None);
        return Some(found);
    }
    let extension = if format.ends_with("md") { "md" } else { format };
    // an excerpt may end inside of a tag, which is none to a parser
    let end = if text.rfind('<') > text.rfind('>') { "\">" } else { "" };
    Some(as_file(search, &format!("excerpt.{extension}"), &format!("{text}{end}")))
}

/// As the command reads a file of this name.
pub fn as_file(search: &Search, name: &str, text: &str) -> Vec<Found> {
    struct Collect(Vec<Found>);
    impl Sink for Collect {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            let [start, end] = hit.bytes();
            self.0.push(Found {
                span: Some(start as usize..end as usize),
                written: String::from_utf8_lossy(&hit.text()).into_owned(),
                uri: hit.uri().into_owned(),
                iri: hit.iri().map(|iri| iri.into_owned()),
                maybe_wrapped: hit.flags().contains(Flag::MaybeWrapped),
            });
            Flow::Continue
        }
    }
    let mut collect = Collect(Vec::new());
    search.reader(text.as_bytes(), &Input::named(name), &mut collect);
    collect.0
}

/// A message that has the excerpt as its body, in the encoding that it shows.
fn message(text: &str) -> Option<String> {
    let is_base64 = text.lines().any(|line| {
        line.len() > 50
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=!".contains(&byte))
    });
    if is_base64 {
        return None;
    }
    let quoted = text.contains("=3D") || text.contains("=20") || text.contains("=\n");
    let encoding = if quoted { "quoted-printable" } else { "8bit" };
    let html = quoted && text.contains("=3D\"");
    let kind = if html { "html" } else { "plain" };
    Some(format!(
        "From: a@example.org\nMIME-Version: 1.0\nContent-Type: text/{kind}; charset=utf-8\n\
         Content-Transfer-Encoding: {encoding}\n\n{text}"
    ))
}
