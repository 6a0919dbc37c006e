//! Bidirectional IRIs (RFC 3987 §4.2): what is shown in another order than it is stored.

use crate::registry::script;

/// True when a component breaks one of the two rules of §4.2: it uses both right-to-left and
/// left-to-right characters, or it uses right-to-left ones and does not start and end with one.
///
/// §4.2 lets the parts of a component be components; so here they are the text between any of
/// `/ ? # [ ] @ : . & ; =`: labels, segments without their extension, names and values.
pub(super) fn is_mixed(iri: &str) -> bool {
    let delimiter = |c: char| "/?#[]@:.&;=".contains(c);
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

/// The scripts that run from right to left, as far as Unicode has them.
const RIGHT_TO_LEFT: [&str; 37] = [
    "Adlm", "Arab", "Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr", "Hebr", "Hung", "Khar",
    "Lydi", "Mand", "Mani", "Mend", "Merc", "Mero", "Narb", "Nbat", "Nkoo", "Orkh", "Ougr", "Palm",
    "Phli", "Phlp", "Phnx", "Prti", "Rohg", "Samr", "Sarb", "Sidt", "Sogd", "Sogo", "Syrc", "Thaa",
    "Yezi",
];

/// The direction of a character by its script; a mark goes with the letter that it is on.
fn direction(c: char) -> Direction {
    match script(c) {
        Some(script) if RIGHT_TO_LEFT.contains(&script) => Direction::RightToLeft,
        Some(_) if c.is_alphabetic() => Direction::LeftToRight,
        _ => Direction::Neutral,
    }
}
