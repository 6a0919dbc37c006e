//! What holds for every format of the table, whatever is added to it.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urigrep::document::format::FormatKind;
use urigrep::document::{
    Content, Event, EventSink, FORMATS, Format, PartFinding, Role, Source, TextParts, Wants,
};
use urigrep::{Finder, Finding, Span};

/// Where parts stand, and what was said not to be read.
#[derive(Default)]
struct Places {
    parts: Vec<Span>,
    skipped: Vec<Span>,
    has_destination: bool,
}

impl EventSink for Places {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => {
                self.has_destination |= part.role == Role::Destination;
                self.parts.push(part.source.source(Span::new(0, part.text.len())));
            }
            Event::Skipped { span, .. } => self.skipped.push(*span),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::all()
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/documents")
}

/// The example documents of the corpus, of all formats: each format must cope with each.
fn examples() -> Vec<(String, Vec<u8>)> {
    let mut examples: Vec<_> = fs::read_dir(corpus())
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_none_or(|it| it != "tsv"))
        .map(|path| (path.display().to_string(), fs::read(&path).expect("a readable file")))
        .collect();
    examples.sort();
    examples
}

/// The same text with lines left out, said twice, cut, and indented.
fn mutants(text: &[u8]) -> Vec<Vec<u8>> {
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let thinned = |keep: usize| {
        let kept = lines.iter().enumerate().filter(|(at, _)| at % keep != 0);
        kept.flat_map(|(_, line)| line.iter().copied()).collect::<Vec<u8>>()
    };
    let mut mutants = vec![text.to_vec(), thinned(2), thinned(3), thinned(5)];
    mutants.push(lines.iter().flat_map(|line| [*line, *line].concat()).collect());
    mutants.push(lines.iter().flat_map(|line| [b"   ", *line].concat()).collect());
    mutants.push(text[..text.len() * 2 / 3].to_vec());
    mutants
}

#[test]
fn every_format_has_labelled_documents() {
    for format in FORMATS {
        let path = corpus().join(format.name()).with_extension("toml");
        let text = fs::read_to_string(&path).expect("corpus/documents/NAME.toml of the format");
        assert!(text.contains("[["), "{}", path.display());
        let has_links = !matches!(format.kind(), FormatKind::Data | FormatKind::Code);
        let has_label = text.contains("destination");
        assert!(!has_links || has_label || format.is_message(), "{}: no link", path.display());
    }
}

#[test]
fn nothing_is_hidden() {
    let finder = Finder::new();
    let mut count = 0;
    for (name, text) in examples() {
        for (number, mutant) in mutants(&text).into_iter().enumerate() {
            let found: Vec<Span> = finder
                .findings(&mutant)
                .filter(|finding| matches!(finding, Finding::Match(_)))
                .map(|finding| finding.span())
                .collect();
            // The vectors of PDF start like a file of PDF, whose bytes are not its text.
            let formats = FORMATS.iter().filter(|format| format.name() != "pdf");
            for &format in formats {
                check(format, &mutant, &found, &format!("{name} ({number}) as {format}"));
                count += found.len();
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// The parts that a search needs, for a finder that needs a colon.
struct WithColon {
    wanted: TextParts,
    parts: Vec<(Vec<u8>, Span, Role)>,
}

impl EventSink for WithColon {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Part(part) = event {
            let is_text = matches!(part.content, Content::Text | Content::Autolinks);
            if !is_text || part.text.contains(&b':') {
                let span = part.source.source(Span::new(0, part.text.len()));
                self.parts.push((part.text.to_vec(), span, part.role));
            }
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::new().text(self.wanted)
    }
}

#[test]
fn only_texts_without_a_colon_are_left_out() {
    let mut count = 0;
    for (name, text) in examples() {
        for (number, mutant) in mutants(&text).into_iter().take(2).enumerate() {
            for format in FORMATS {
                let read = |wanted| {
                    let mut sink = WithColon { wanted, parts: Vec::new() };
                    let _ = format.read(Source::new(&mutant), &mut sink);
                    sink.parts
                };
                let all = read(TextParts::All);
                count += all.len();
                assert_eq!(read(TextParts::WithColon), all, "{name} ({number}) as {format}");
            }
        }
    }
    assert!(count > 1000, "{count}");
}

/// Formats in which the text of a URI is that of the document, but for its escapes. HTML, Markdown,
/// and mail decode it, and what is a URI in their source need not be one.
const TEXTUAL: [&str; 17] = [
    "asciidoc",
    "org",
    "latex",
    "man",
    "texinfo",
    "mediawiki",
    "typst",
    "textile",
    "dokuwiki",
    "notebook",
    "json",
    "yaml",
    "toml",
    "ini",
    "po",
    "bibtex",
    "ris",
];

#[test]
fn what_the_search_of_text_finds_is_found() {
    let finder = Finder::new();
    let (mut count, mut lost) = (0, Vec::new());
    for (name, text) in examples() {
        for (number, mutant) in mutants(&text).into_iter().enumerate() {
            let matches: Vec<Span> = finder.find_iter(&mutant).map(|it| it.span()).collect();
            for name_of_format in TEXTUAL {
                // The vectors are strings of TOML: in other formats, their escapes mean something
                // else. A colon and a space in prose are a key in YAML, and what is before it is
                // not seen.
                let is_vectors = name.ends_with(".toml") && name_of_format != "toml";
                let is_prose = name.ends_with("fetch.rs") && name_of_format == "yaml";
                if is_vectors || is_prose {
                    continue;
                }
                let format = Format::named(name_of_format).expect(name_of_format);
                let mut found: Vec<Span> = Vec::new();
                let flow = format.find(&mutant, &finder, &mut |it: PartFinding<'_>| {
                    if !matches!(it.finding, Finding::Rejected(_)) {
                        found.push(it.span());
                    }
                    ControlFlow::Continue(())
                });
                assert!(flow.is_continue());
                for uri in &matches {
                    // In brackets a comma ends a value of YAML, and what is left of a `tag:` is
                    // none.
                    if name_of_format == "yaml" && mutant[uri.range()].contains(&b',') {
                        continue;
                    }
                    count += 1;
                    let overlaps =
                        |span: &Span| span.start() < uri.end() && uri.start() < span.end();
                    if !found.iter().any(overlaps) {
                        let shown = String::from_utf8_lossy(&mutant[uri.range()]).into_owned();
                        lost.push(format!(
                            "{name} ({number}) as {format}: {shown} at {}",
                            uri.start()
                        ));
                    }
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
    assert!(lost.is_empty(), "{} of {count}: {}", lost.len(), lost.join("\n"));
}

/// Every URI that the text holds stands in some part, or in what was said not to be read.
fn check(format: Format, text: &[u8], found: &[Span], what: &str) {
    let mut places = Places::default();
    assert!(format.read(Source::new(text), &mut places).is_continue());
    for part in &places.parts {
        assert!(part.end() <= text.len(), "{what}: {part:?} is outside");
    }
    let mut spans = places.parts;
    spans.extend(places.skipped);
    spans.sort_unstable();
    for uri in found {
        let covers = |span: &Span| span.start() < uri.end() && uri.start() < span.end();
        let shown = String::from_utf8_lossy(&text[uri.range()]).into_owned();
        assert!(spans.iter().any(covers), "{what} hides {shown} at {}", uri.start());
    }
}
