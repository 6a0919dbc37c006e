//! Whole searches, as the command makes them, of which every hit is written as JSON.

use std::hint::black_box;

use urigrep::Finder;
use urigrep::document::Format;
use urigrep::options::{Abbreviated, Email, Embedded, Identifiers, Refang, Rejoin};
use urigrep::search::{
    Flow, Hit, HitRecord, Input, Level, Mail, Markup, Needs, Positions, Report, Search, Sink,
};

use super::ways::{EXPLAINED, MAIL, SEARCHED, Way};

/// Writes hits as JSON; of mail only where they are and in which field, for a record repeats what
/// the header says.
struct Records<'f> {
    finder: &'f Finder,
    explains: bool,
}

impl Records<'_> {
    fn take(&self, hit: &Hit<'_>) -> Flow {
        black_box((hit.position(), hit.bytes(), hit.ranges(), hit.uri(), hit.text()));
        if let Some(mail) = hit.mail() {
            black_box((mail.header(), mail.parts()));
        } else {
            let record = HitRecord::new(hit);
            let record = if self.explains { record.explained(hit, self.finder) } else { record };
            black_box(serde_json::to_vec(&record).ok());
        }
        Flow::Continue
    }
}

impl Sink for Records<'_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.take(hit)
    }

    fn rejected(&mut self, hit: &Hit<'_>) -> Flow {
        self.take(hit)
    }

    fn needs(&self, _: Level) -> Needs {
        Needs::new().positions(Positions::Characters)
    }
}

pub fn searches() -> Vec<Way> {
    let all = Finder::builder()
        .abbreviated(Abbreviated::Report)
        .email(Email::Report)
        .identifiers(Identifiers::All)
        .refang(Refang::Read)
        .rejoin(Rejoin::Always)
        .embedded(Embedded::Report);
    let shapes = [
        ("text", Markup::Never, Mail::Never),
        ("html", Markup::Always(Format::HTML), Mail::Never),
        ("markdown", Markup::Always(Format::MARKDOWN), Mail::Never),
        ("csv", Markup::Always(Format::CSV), Mail::Never),
        ("calendar", Markup::Always(Format::CALENDAR), Mail::Never),
        ("mail", Markup::Never, Mail::Always),
    ];
    let mut ways = Vec::new();
    for (shape, markup, mail) in shapes {
        for (options, finder, explains) in
            [("default", Finder::new(), true), ("all", all.clone().build(), false)]
        {
            let search = Search::builder()
                .finder(finder.clone())
                .markup(markup)
                .mail(mail)
                .report(Report::All)
                .threads(1)
                .build()
                .expect("a search");
            let run = move |text: &[u8]| {
                let mut records = Records { finder: &finder, explains };
                black_box(search.reader(text, &Input::named("a"), &mut records));
            };
            let name = format!("{shape}/{options}/search");
            let looks = match (mail, explains) {
                (Mail::Always, _) => MAIL,
                (_, true) => EXPLAINED,
                (_, false) => SEARCHED,
            };
            ways.push(Way { name, looks, run: Box::new(run), wider: None });
        }
    }
    ways
}
