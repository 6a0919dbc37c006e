//! Parts beyond a limit are reported.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use super::Pdf;
use crate::document::format::DocumentFormat as _;
use crate::document::{Event, EventSink, Source, Wants};

/// Collects what was reported as not read.
#[derive(Default)]
struct Unread(Vec<String>);

impl EventSink for Unread {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Unread { message, .. } = event {
            self.0.push((*message).to_owned());
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::new()
    }
}

/// Returns what is not read of a file of one page, with these entries of its catalog and page, and
/// other objects.
fn unread(catalog: &str, page: &str, objects: &str) -> Vec<String> {
    let text = format!(
        "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R{catalog}>> endobj\n\
         2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n\
         3 0 obj <</Type/Page/Parent 2 0 R{page}>> endobj\n\
         {objects}trailer <</Root 1 0 R>>\n"
    );
    let mut sink = Unread::default();
    assert!(Pdf.read(Source::new(text.as_bytes()), &mut sink).is_continue());
    sink.0
}

#[test]
fn hidden_strings() {
    let titles = |count: u32| {
        let text = "a:".repeat(1 << 19);
        (0..count).fold(String::new(), |mut objects, number| {
            let name = number + 10;
            let _ = writeln!(objects, "{name} 0 obj <</Title({number}{text})>> endobj");
            objects
        })
    };
    assert_eq!(unread("", "", &titles(2)), [""; 0]);
    let message = "its hidden strings exceed 16 MiB; some of them were not read";
    assert_eq!(unread("", "", &titles(17)), [message]);
}

#[test]
fn nested_objects() {
    let nested = |depth| format!("/A {}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(unread(&nested(6), "", ""), [""; 0]);
    let message = "its objects are nested too deeply; some strings of them were not read";
    assert_eq!(unread(&nested(20), "", ""), [message]);
}

const LINKS: &str = "it has more links, fields, or notes than are read; some were not read";

#[test]
fn links() {
    let notes = |count| format!("/Annots[{}]", "<</Subtype/Text>>".repeat(count));
    assert_eq!(unread("", &notes(20_000), ""), [""; 0]);
    assert_eq!(unread("", &notes(20_001), ""), [LINKS]);
    let next =
        |count| format!("/OpenAction {}<<>>{}", "<</Next ".repeat(count), ">>".repeat(count));
    assert_eq!(unread(&next(7), "", ""), [""; 0]);
    assert!(unread(&next(8), "", "").contains(&LINKS.to_owned()));
    let fields = |count| format!("/AcroForm<</Fields[{}]>>", "<<>>".repeat(count));
    assert_eq!(unread(&fields(20_001), "", ""), [LINKS]);
}

/// Annotations that share a text would each keep a copy in memory.
#[test]
fn shared_texts() {
    let notes = "/Annots[".to_owned() + &"<</Subtype/Text/Contents 9 0 R>>".repeat(100) + "]";
    let text = |size| format!("9 0 obj ({}) endobj\n", "a".repeat(size));
    assert_eq!(unread("", &notes, &text(1 << 10)), [""; 0]);
    assert_eq!(unread("", &notes, &text(1 << 20)), [LINKS]);
}

/// Fonts that share their widths would take quadratic time.
#[test]
fn shared_widths() {
    let fonts = |count| {
        let page = "/Contents 4 0 R/Resources<</Font 5 0 R>>";
        let selected = "/F Tf ".repeat(3);
        let font = "<</Type/Font/Subtype/Type0/DescendantFonts[<</W 6 0 R>>]>>";
        let widths = "0 65535 5 ".repeat(count);
        let objects = format!(
            "4 0 obj <</Length {}>> stream\n{selected}\nendstream endobj\n\
             5 0 obj <</F {font}>> endobj\n6 0 obj [{widths}] endobj\n",
            selected.len()
        );
        unread("", page, &objects)
    };
    assert_eq!(fonts(10), [""; 0]);
    let message = "its pages draw too much; some of their text was not read";
    assert_eq!(fonts(20), [message]);
}

#[test]
fn attached_files() {
    let files = |count| format!("/AF[{}]", "<<>>".repeat(count));
    assert_eq!(unread(&files(1000), "", ""), [""; 0]);
    let message = "it lists more than 1000 attached files; the rest was not read";
    assert_eq!(unread(&files(1001), "", ""), [message]);
}
