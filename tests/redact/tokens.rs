//! Tokens of known forms are hidden in each part of a URI (corpus/names/tokens.tsv).

use crate::tsv::{root, rows};
use urigrep::redact;

const SMALL: &str = "abcdefghijklmnopqrstuvwxyz";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

/// A generator of 31 bits, so that a failure repeats (Park and Miller, minimal standard).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0 * 48_271 % 0x7fff_ffff;
        self.0 as usize % limit
    }
}

fn alphabet(class: char) -> String {
    let parts: &[&str] = match class {
        'a' => &[SMALL, CAPITALS, DIGITS],
        'c' => &[SMALL, CAPITALS],
        'd' => &[DIGITS],
        'h' => &["abcdef", DIGITS],
        'l' => &[SMALL, DIGITS],
        's' => &[CAPITALS, "234567"],
        'u' => &[CAPITALS, DIGITS],
        'w' => &[SMALL, CAPITALS, DIGITS, "-_"],
        '+' => &[SMALL, CAPITALS, DIGITS, "+/"],
        _ => panic!("no such class: {class}"),
    };
    parts.concat()
}

/// Returns a token of a template, and its longest random part.
fn token(template: &str, random: &mut Random) -> (String, String) {
    let (mut token, mut longest) = (String::new(), String::new());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        let (class, after) = after.split_once('>').expect("an end of the class");
        let letters: Vec<char> = alphabet(class.chars().next().expect("a class")).chars().collect();
        let count: usize = class[1..].parse().expect("a count");
        let part: String = (0..count).map(|_| letters[random.below(letters.len())]).collect();
        token += before;
        token += &part;
        if part.len() > longest.len() {
            longest = part;
        }
        rest = after;
    }
    (token + rest, longest)
}

/// Percent-encodes what a part of a URI may not contain.
fn encoded(text: &str, allowed: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~!$'()*+,;=:".contains(c);
    text.chars()
        .map(|c| {
            if plain(c) || allowed.contains(c) {
                c.to_string()
            } else {
                format!("%{:02X}", u32::from(c))
            }
        })
        .collect()
}

#[test]
fn tokens_are_hidden_everywhere() {
    let mut random = Random(44);
    let mut wrong = Vec::new();
    for row in rows(&root().join("corpus/names/tokens.tsv"), 3) {
        let [name, template, hidden] = &row[..] else { panic!("{row:?}") };
        for _ in 0..20 {
            let (token, secret) = token(template, &mut random);
            let end = secret.len().saturating_sub(10);
            for (before, allowed, after) in [
                ("https://a.example/b?view=", "/@?", "&c"),
                ("https://a.example/files/", "@", "/index.html"),
                ("https://a.example/b#", "/@?", ""),
                ("urn:example:", "/@", ""),
                ("https://a.example/b?view=", "", "&c"),
            ] {
                let text = format!("{before}{}{after}", encoded(&token, allowed));
                let out = redact(&text);
                let shows = |part: &str| {
                    ["/@?", "@", "/@", ""].iter().any(|plain| out.contains(&encoded(part, plain)))
                };
                let is_shown = shows(&secret) || shows(&secret[end..]);
                if is_shown == (hidden == "yes") {
                    wrong.push(format!("{name}: {text} -> {out}"));
                }
                assert_eq!(redact(&out), out, "twice: {text}");
            }
            let text = format!("https://{}@a.example/", encoded(&token, ""));
            assert_eq!(redact(&text), "https://REDACTED@a.example/");
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
