//! Explains a flag of matches for `urigrep rule`: its meaning, and the rules that set it.

use urigrep::Flag;

use super::rule;

/// Where flags come from if not, or not only, from a delimiting rule.
#[rustfmt::skip]
const OTHERS: &[(Flag, &str)] = &[
    (Flag::Unwrapped, "Given by --unwrap"),
    (Flag::Embedded, "Given by --embedded"),
    (Flag::HasCredentials, "Warned of by RFC 3986, section 7.5"),
    (Flag::EscapedDelimiter, "Warned of by RFC 3986, section 7.3"),
    (Flag::MisleadingUserinfo, "Warned of by RFC 3986, section 7.6"),
    (Flag::RareIp, "Warned of by RFC 3986, section 7.4"),
    (Flag::PortOutOfRange, "Ports have 16 bits: RFC 9293, section 3.1"),
    (Flag::MixedScriptHost, "Warned of by Unicode UTS #39, section 5"),
    (Flag::Bidi, "Restricted by RFC 3987, section 4.2"),
    (Flag::Redacted, "Given by --redact"),
];

/// Returns the flag of this name.
pub fn named(name: &str) -> Option<Flag> {
    Flag::ALL.iter().copied().find(|flag| flag.name() == name)
}

/// Names and meanings of all flags.
pub fn all() -> impl Iterator<Item = (&'static str, String)> {
    Flag::ALL.iter().map(|flag| (flag.name(), format!("flag: {}", flag.meaning())))
}

/// Explains a flag.
pub fn text(flag: Flag) -> String {
    let name = flag.name();
    // Some flags have both: RFC 3986 warns of `misleading-userinfo`, and D3.8 gives it to an `href`
    // with two `@`.
    let other = OTHERS.iter().find(|(known, _)| *known == flag);
    let mut basis = other.map_or_else(String::new, |(_, basis)| format!("{basis}.\n"));
    let rules: Vec<_> = rules_of(name).collect();
    if let Some(first) = rules.first() {
        let rules = rules.join(", ");
        basis += &format!("Given by {rules}. `urigrep rule {first}` explains a rule.\n");
    }
    format!(
        "{name} (flag): {}\n\n{basis}`--flag {name}` prints only such matches, `--flag '!{name}'` only others.\n",
        flag.meaning()
    )
}

/// The numbers of the rules whose text gives the flag.
fn rules_of(name: &str) -> impl Iterator<Item = &'static str> {
    let quoted = format!("`{name}`");
    rule::numbers().filter(move |number| {
        let words: Vec<_> = rule::rule(number).unwrap_or_default().split_whitespace().collect();
        // A reason for a rejection may have the name of a flag.
        let gives = |words: &[&str]| {
            words.last().is_some_and(|last| last.starts_with(&quoted))
                && words.iter().any(|word| word.trim_start_matches('(').starts_with("flag"))
        };
        // Up to two words may be between: flags `a` and `b`.
        words.windows(4).any(gives)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_its_basis() {
        for flag in Flag::ALL.iter().copied() {
            let has_other = OTHERS.iter().any(|(known, _)| *known == flag);
            assert!(has_other || rules_of(flag.name()).next().is_some(), "{flag}");
        }
        let both = text(Flag::MisleadingUserinfo);
        assert!(both.contains("section 7.6.\nGiven by D3.8."), "{both}");
        let rules = |name| rules_of(name).collect::<Vec<_>>();
        assert_eq!(rules("template"), ["D2.3", "D4.8"]);
        assert!(rules("maybe-wrapped").contains(&"D5"));
    }
}
