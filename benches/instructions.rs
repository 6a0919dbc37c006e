//! One search of a text that is the same everywhere, for `benches/instructions.sh` to count
//! instructions in.
//!
//! The portable kernel is pinned, or that for AVX2, so that the count does not depend on what the
//! machine can do. The texts are made here from a fixed seed; they are for noticing changes, not
//! for comparing tools.

use std::process::ExitCode;

use urigrep::Finder;
use urigrep::options::{Abbreviated, Email, Kernel};

const SIZE: usize = 1 << 20;

/// A generator of numbers that never changes.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const WORDS: [&str; 16] = [
    "the",
    "of",
    "license",
    "is",
    "software",
    "and,",
    "without",
    "warranty:",
    "copies",
    "in",
    "this.",
    "(see",
    "below)",
    "notice;",
    "to",
    "permission",
];
const LINKS: [&str; 10] = [
    "https://github.com/example/project/blob/main/README.md#usage",
    "http://www.apache.org/licenses/LICENSE-2.0.",
    "<https://www.example.org/>",
    "(https://docs.example.org/a/b?c=d&e=f)",
    "\"http://a.example:8080/x\"",
    "https://en.wikipedia.org/wiki/Rust_(programming_language)",
    "urn:ietf:rfc:3986",
    "mailto:joe@example.org",
    "[text](https://example.org/x_y)",
    "http://{host}/x",
];

fn text(kind: &str) -> Option<String> {
    let mut numbers = Numbers(42);
    let mut text = String::with_capacity(SIZE + 256);
    while text.len() < SIZE {
        let n = &mut numbers;
        let line = match kind {
            "prose" => match n.below(24) {
                0 => format!("See {} for more.", n.one_of(&LINKS)),
                _ => (0..12).map(|_| n.one_of(&WORDS)).collect::<Vec<_>>().join(" "),
            },
            "mail" => match n.below(12) {
                0 => format!("> {}", n.one_of(&LINKS)),
                1 => {
                    format!("Date: Mon, 01 Aug 2005 12:{:02}:{:02} +0200", n.below(60), n.below(60))
                }
                2 => "Joe wrote:".to_owned(),
                _ => format!(
                    "> > {}",
                    (0..9).map(|_| n.one_of(&WORDS)).collect::<Vec<_>>().join(" ")
                ),
            },
            "code" => match n.below(40) {
                0 => format!("// {}", n.one_of(&LINKS)),
                1..=12 => format!("    let x{}: std::vec::Vec<u8> = crate::a::b(c);", n.below(99)),
                13..=16 => {
                    "        \"key\": [1, 2], match self { Self::A => Ok(()), _ => {} }".to_owned()
                }
                _ => "        if let Some(value) = map.get(&key) { total += value.len(); }"
                    .to_owned(),
            },
            "sparse" => "a: b, c::d e:f 12:30 \"x\":1 todo: C:\\x std::io::Result ::<>".to_owned(),
            "dense" => n.one_of(&LINKS).to_owned(),
            _ => return None,
        };
        text.push_str(&line);
        text.push('\n');
    }
    Some(text)
}

/// What is counted.
#[inline(never)]
fn measured(finder: &Finder, text: &[u8]) -> usize {
    finder.find_iter(text).count()
}

/// The finder that the words behind the name of a text ask for.
fn finder(words: &[&str]) -> Option<Finder> {
    let builder = Finder::builder().kernel(Kernel::Portable);
    let builder = words.iter().try_fold(builder, |builder, word| match *word {
        "all" => Some(builder.email(Email::Report).abbreviated(Abbreviated::Report)),
        "avx2" => Some(builder.kernel(Kernel::Avx2)),
        _ => None,
    });
    Some(builder?.build())
}

fn main() -> ExitCode {
    let asked = std::env::args().skip(1).find_map(|name| {
        let (kind, words) = name.split_once('-').unwrap_or((&name, ""));
        let words: Vec<_> = words.split_terminator('-').collect();
        Some((text(kind)?, finder(&words)?))
    });
    let Some((text, finder)) = asked else {
        println!(
            "usage: instructions (prose|mail|code|sparse|dense)[-all][-avx2]; see benches/instructions.sh"
        );
        // what `cargo bench` alone runs into
        return ExitCode::SUCCESS;
    };
    // the first search sets up tables
    let found = finder
        .findings(text.as_bytes())
        .filter(|f| matches!(f, urigrep::Finding::Match(_)))
        .count();
    let counted = measured(&finder, text.as_bytes());
    println!("{found} matches in {} bytes", text.len());
    if found == counted { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
