//! All the ways in which a text is searched: options, readers of documents, and what is done with
//! what was found.

use std::hint::black_box;
use std::ops::ControlFlow;

use urigrep::document::{Event, EventSink, Format, Part, Source, Wants, mail};
use urigrep::finder::{Rest, Resume, Window};
use urigrep::readable::Shown;
use urigrep::{Finder, Finding};

use crate::invariants::finders::modes;
use crate::invariants::readers::{Reader, frames};

pub type Run = Box<dyn Fn(&[u8])>;

/// A way to search a text.
pub struct Way {
    pub name: String,
    /// How often the rules look at a text at most.
    pub looks: u32,
    pub run: Run,
    /// The same with a limit of a URI's length that is [`WIDER`] times as high. A walk that goes to
    /// the limit for each candidate takes so many times the steps, and the default limit is above
    /// all texts of a hunt.
    pub wider: Option<Run>,
}

/// Longest URI of a search in windows.
const MAX_URI: usize = 2000;
pub const WIDER: usize = 8;

pub const SEARCHED: u32 = 1;
/// A header with a damaged encoded word is read decoded and as it is.
pub const MAIL: u32 = 2;
/// To explain what they found, they look twice more.
pub const EXPLAINED: u32 = 3;

/// Everything that is printed of a finding.
fn look_at(finding: &Finding<'_>) {
    let Finding::Match(m) = finding else { return };
    black_box((
        m.uri(),
        m.normalized(),
        m.text(),
        m.flags(),
        m.urn(),
        m.nss_fault(),
        m.alternative(),
    ));
    black_box(m.redacted());
    black_box(urigrep::defang(&m.uri()));
    black_box(m.parsed().readable(Shown::default()));
}

fn in_windows(finder: &Finder, text: &[u8], step: usize) {
    let (mut start, mut end, mut resume) = (0, step.min(text.len()), Resume::default());
    loop {
        let is_last = end == text.len();
        let rest = if is_last { Rest::End } else { Rest::More };
        let mut findings = finder.find_in(Window::resumed(&text[start..end], resume), rest);
        black_box(findings.by_ref().count());
        if is_last {
            return;
        }
        let progress = findings.progress();
        start += progress.consumed;
        resume = progress.resume;
        end = (start + 2 * (end - start).max(step / 2)).max(end + step).min(text.len());
    }
}

/// Searches every part in all that a reader tells, and looks at what is found.
struct Everything<'f> {
    finder: &'f Finder,
}

impl EventSink for Everything<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            _ => ControlFlow::Continue(()),
        }
    }

    fn wants(&self) -> Wants {
        Wants::all().headers(mail::Headers::Identifiers)
    }
}

impl Everything<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        part.find(part.text, self.finder, |finding| {
            black_box(part.role_of(&finding));
            look_at(&finding);
            ControlFlow::Continue(())
        })
    }
}

pub fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    let mut add = |name: String, looks, run: Run| ways.push(Way { name, looks, run, wider: None });
    for (mode, builder, _) in modes() {
        let finder = builder.clone().build();
        add(
            mode.to_owned(),
            SEARCHED,
            Box::new(move |text| {
                black_box(finder.findings(text).count());
            }),
        );
    }
    for (mode, builder, _) in modes() {
        let finder = builder.clone().build();
        add(
            format!("{mode}/explained"),
            EXPLAINED,
            Box::new(move |text| {
                for finding in finder.findings(text) {
                    black_box(finder.explain(&finding));
                }
            }),
        );
        let finder = builder.build();
        add(
            format!("{mode}/shown"),
            SEARCHED,
            Box::new(move |text| finder.findings(text).for_each(|finding| look_at(&finding))),
        );
    }
    for frame in frames() {
        let (finder, reader, around) = (Finder::new(), frame.reader, frame.around);
        let looks = match reader {
            Reader::Document(format) if !format.is_message() => SEARCHED,
            Reader::Document(_) | Reader::Mbox => MAIL,
        };
        add(
            format!("{}/read", frame.name),
            looks,
            Box::new(move |text| {
                let text = around(text);
                match reader {
                    Reader::Document(format) => {
                        let _ =
                            format.read(Source::new(&text), &mut Everything { finder: &finder });
                    }
                    Reader::Mbox => {
                        black_box(reader.search(&finder, &text));
                    }
                }
            }),
        );
    }
    for (name, format) in [
        ("html", Format::HTML),
        ("markdown", Format::MARKDOWN),
        ("csv", Format::CSV),
        ("calendar", Format::CALENDAR),
    ] {
        let finder = Finder::new();
        add(
            format!("{name}/audited"),
            SEARCHED,
            Box::new(move |text| {
                black_box(urigrep::audit::read(Some(format), text, &finder));
            }),
        );
    }
    for (mode, builder, _) in modes() {
        let run = |max_uri| -> Run {
            let finder = builder.clone().max_uri(max_uri).build();
            Box::new(move |text: &[u8]| in_windows(&finder, text, 1024))
        };
        ways.push(Way {
            name: format!("{mode}/windows"),
            looks: SEARCHED,
            run: run(MAX_URI),
            wider: Some(run(MAX_URI * WIDER)),
        });
    }
    ways
}
