//! Identifiers in citations: doi, hdl, ark, arxiv, pmid, isbn, and info (RFC 4452).

use super::SchemeTarget;
use super::syntax::{ByteCursor, SchemeShape, alphanumeric, cut_digits, digit, plain, word};
use crate::error::Reason;

/// `10.1000/182` (ISO 26324, DOI Handbook §2.2).
pub(super) static DOI: SchemeShape = SchemeShape::new(
    |c| doi_start(&mut c.clone()) || c.eat_word(b"10.") && c.at(digit),
    |c| doi_start(c) && anything(c),
)
.cut_by(sici);

/// A naming authority of digits and dots, then a local name (RFC 3650).
pub(super) static HDL: SchemeShape = SchemeShape::new(handle, |c| handle(c) && anything(c));

/// `/12345/x` or `12345/x`: a NAAN of betanumeric characters, five or more.
pub(super) static ARK: SchemeShape = SchemeShape::new(ark, |c| ark(c) && anything(c));

/// `2101.00001v2`, or `hep-th/9901001` as before April 2007.
pub(super) static ARXIV: SchemeShape = SchemeShape::new(arxiv, |c| {
    let found = arxiv(c);
    if c.eat(b'v') { found && !c.run(digit).is_empty() } else { found }
});

pub(super) static PMID: SchemeShape =
    SchemeShape::new(|c| c.at(digit), |c| (1..=9).contains(&c.run(digit).len())).cut_by(cut_digits);

/// Ten digits, the last of which may be `X`, or thirteen (ISO 2108).
pub(super) static ISBN: SchemeShape = SchemeShape::new(|c| c.at(digit), isbn).cut_by(cut_digits);

/// A namespace of the closed registry, `/`, and an identifier (RFC 4452 §4).
pub(super) static INFO: SchemeShape =
    SchemeShape::new(namespace, |c| namespace(c) && anything(c)).tail(b"#");

/// The namespaces of the "info" registry, which closed in 2010.
#[rustfmt::skip]
const NAMESPACES: [&[u8]; 28] = [
    b"ark", b"arxiv", b"bibcode", b"bnf", b"ddc", b"dlf", b"doi", b"eu-repo", b"fedora", b"hdl",
    b"inchi", b"lanl-repo", b"lc", b"lccn", b"ncid", b"netref", b"nla", b"nyu", b"oclcnum", b"ofi",
    b"pmid", b"pronom", b"refseq", b"rfa", b"rlgid", b"sici", b"sid", b"srw",
];

/// Reads the rest of the body; true if it contains more than punctuation.
fn anything(c: &mut ByteCursor<'_>) -> bool {
    c.run(|_| true).iter().any(|&byte| word(byte))
}

/// Reads `10.1000/`, or `10/` of a short DOI (shortdoi.org).
fn doi_start(c: &mut ByteCursor<'_>) -> bool {
    let mut short = *c;
    // In a short DOI, only lower case or digits follow the `10/`.
    if short.eat_word(b"10/") && short.at(|byte| byte.is_ascii_lowercase() || digit(byte)) {
        *c = short;
        return true;
    }
    c.eat_word(b"10.") && doi_registrant(c) && c.eat(b'/')
}

fn doi_registrant(c: &mut ByteCursor<'_>) -> bool {
    loop {
        if c.run(digit).is_empty() {
            return false;
        }
        if !c.eat(b'.') {
            return true;
        }
    }
}

/// Rejects a truncated SICI, `(SICI)1096(199601)99:1<1::AID…`; the delimiter keeps the `<…>` of a
/// complete one (D1.6).
fn sici(target: &SchemeTarget<'_>) -> Option<Reason> {
    let is_sici = target.body().windows(6).any(|part| part.eq_ignore_ascii_case(b"(sici)"));
    // The delimiter cut the text at a raw or escaped `<`, which belongs to a SICI.
    let continues = matches!(target.after(), [b'<' | b'\\', ..] | [b'&', b'l', b't', b';', ..]);
    (is_sici && continues).then_some(Reason::SchemeSyntax)
}

fn handle(c: &mut ByteCursor<'_>) -> bool {
    c.at(digit)
        && c.run(|byte| alphanumeric(byte) || byte == b'.').len() > 1
        && c.eat(b'/')
        && c.at(|byte| plain(byte) || byte == b'(')
}

fn ark(c: &mut ByteCursor<'_>) -> bool {
    c.eat(b'/');
    // Betanumeric characters: no vowels, and no `l`, which looks like `1`.
    let naan = c.run(|byte| digit(byte) || b"bcdfghjkmnpqrstvwxz".contains(&byte));
    naan.len() >= 5 && naan.iter().any(|&byte| digit(byte)) && c.eat(b'/') && c.at(word)
}

/// Reads everything but the version.
fn arxiv(c: &mut ByteCursor<'_>) -> bool {
    if c.at(digit) {
        let month = c.run(digit);
        // YYMM: the month is 01 to 12.
        return matches!(month, [_, _, b'0', b'1'..=b'9'] | [_, _, b'1', b'0'..=b'2'])
            && c.eat(b'.')
            // arXiv counts with five digits since January 2015.
            && matches!(c.run(digit).len(), 4 | 5);
    }
    let archive = c.run(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let class_fits =
        !c.eat(b'.') || c.exactly(2, |byte| byte.is_ascii_alphabetic() || byte == b'-');
    archive.len() > 1 && class_fits && c.eat(b'/') && c.exactly(7, digit)
}

fn isbn(c: &mut ByteCursor<'_>) -> bool {
    let number = c.run(|byte| digit(byte) || b"-Xx".contains(&byte));
    let digits = number.iter().filter(|&&byte| byte != b'-').count();
    let check = number.iter().position(|byte| byte.eq_ignore_ascii_case(&b'x'));
    match check {
        None => matches!(digits, 10 | 13) && number.last().is_some_and(u8::is_ascii_digit),
        Some(at) => digits == 10 && at + 1 == number.len(),
    }
}

fn namespace(c: &mut ByteCursor<'_>) -> bool {
    let name = c.run(|byte| alphanumeric(byte) || b"+-.".contains(&byte));
    NAMESPACES.iter().any(|known| known.eq_ignore_ascii_case(name))
        && c.eat(b'/')
        && c.at(|byte| plain(byte) || b"/(".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_of(read: fn(&mut ByteCursor<'_>) -> bool, text: &str) -> bool {
        let mut c = ByteCursor::new(text.as_bytes());
        read(&mut c) && c.is_done()
    }

    #[test]
    fn isbn_digits() {
        #[rustfmt::skip]
        let texts = [
            "0451450523", "0-451-45052-3", "080442957X", "0-8044-2957-x", "978-0-306-40615-7",
        ];
        for text in texts {
            assert!(all_of(isbn, text), "{text}");
        }
        #[rustfmt::skip]
        let texts = [
            "045145052", "04514505233", "0X51450523", "978030640615X", "0-451-45052-3-",
            "0451450523a",
        ];
        for text in texts {
            assert!(!all_of(isbn, text), "{text}");
        }
    }

    #[test]
    fn arxiv_forms() {
        #[rustfmt::skip]
        let texts = [
            "2101.00001", "0704.0001v1", "hep-th/9901001", "math.GT/0309136v2", "cond-mat/0207270",
        ];
        for text in texts {
            assert!(all_of(ARXIV.body, text), "{text}");
        }
        #[rustfmt::skip]
        let texts = [
            "2113.00001", "2101.001", "2101.000011", "2101.00001v", "hep-th/99010", "x/9901001",
            "math.G/0309136",
        ];
        for text in texts {
            assert!(!all_of(ARXIV.body, text), "{text}");
        }
    }

    #[test]
    fn doi_prefixes() {
        for text in ["10.1000/182", "10.1000.10/123456", "10.1/x", "10.1002/(SICI)1096"] {
            assert!(all_of(DOI.body, text), "{text}");
        }
        #[rustfmt::skip]
        let texts = [
            "10.1000", "10./x", "10.1000./x", "10.1000/", "10.1000/..", "11.1000/182",
        ];
        for text in texts {
            assert!(!all_of(DOI.body, text), "{text}");
        }
    }
}
