//! Bidirectional IRIs (RFC 3987 §4.2), which are displayed in another order than they are stored.

use crate::registry::script;

/// True if a component breaks one of the two rules of §4.2: it uses both right-to-left and
/// left-to-right characters, or it uses right-to-left ones without starting and ending with one.
///
/// §4.2 allows treating parts of a component as components. Here they are the text between any of
/// `/ ? # [ ] @ : . & ; =`: labels, segments without their extension, names and values.
pub(super) fn is_mixed(iri: &str) -> bool {
    let delimiter =
        |c| matches!(c, '/' | '?' | '#' | '[' | ']' | '@' | ':' | '.' | '&' | ';' | '=');
    !iri.is_ascii() && iri.split(delimiter).any(breaks_rules)
}

fn breaks_rules(component: &str) -> bool {
    let mut directions = component.chars().map(direction);
    if !directions.clone().any(|d| d == Direction::RightToLeft) {
        return false;
    }
    directions.clone().any(|d| d == Direction::LeftToRight)
        || directions.next() != Some(Direction::RightToLeft)
        || directions.next_back().is_some_and(|d| d != Direction::RightToLeft)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    RightToLeft,
    LeftToRight,
    Neutral,
}

/// The right-to-left scripts in Unicode.
const RIGHT_TO_LEFT: [&str; 37] = [
    "Adlm", "Arab", "Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr", "Hebr", "Hung", "Khar",
    "Lydi", "Mand", "Mani", "Mend", "Merc", "Mero", "Narb", "Nbat", "Nkoo", "Orkh", "Ougr", "Palm",
    "Phli", "Phlp", "Phnx", "Prti", "Rohg", "Samr", "Sarb", "Sidt", "Sogd", "Sogo", "Syrc", "Thaa",
    "Yezi",
];

/// Returns the direction of a character by its script; a mark has the direction of its letter.
fn direction(c: char) -> Direction {
    match script(c) {
        Some(script) if RIGHT_TO_LEFT.contains(&script) => Direction::RightToLeft,
        // Digits and marks have a script, too, but do not set a direction on their own.
        Some(_) if c.is_alphabetic() => Direction::LeftToRight,
        _ => Direction::Neutral,
    }
}
