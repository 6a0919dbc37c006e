//! Payments: bitcoin (BIP 21, BIP 321), ethereum (ERC-681), lightning (BOLT 11, BOLT 12, LNURL).
//!
//! The shape of an address is checked, but not its checksum.

use super::syntax::{ByteCursor, SchemeShape, alphanumeric, hex, solid, word};

pub(super) static BITCOIN: SchemeShape =
    SchemeShape::new(|c| long_word(c) || parameter(c), bitcoin).tail(b"?");

pub(super) static ETHEREUM: SchemeShape = SchemeShape::new(ethereum_start, ethereum).tail(b"@/?");

pub(super) static LIGHTNING: SchemeShape = SchemeShape::new(invoice_start, invoice).tail(b"?");

/// Reads letters and digits that are too long for a word.
fn long_word(c: &mut ByteCursor<'_>) -> bool {
    let mut text = *c;
    let address = text.run(alphanumeric);
    // A long word such as `antidisestablishmentarianism` has no digit, but an address does.
    address.len() >= 20 && address.iter().any(u8::is_ascii_digit)
}

/// Reads `?lno=…`: BIP 321 without an address.
fn parameter(c: &mut ByteCursor<'_>) -> bool {
    c.eat(b'?')
        && !c.run(|byte| word(byte) || byte == b'-').is_empty()
        && c.eat(b'=')
        && c.at(solid)
}

fn bitcoin(c: &mut ByteCursor<'_>) -> bool {
    if c.at(|byte| byte == b'?') {
        return parameter(c) && !c.run(|_| true).is_empty();
    }
    let address = c.run(alphanumeric);
    is_base58(address) || is_segwit(address)
}

/// True for a base-58 address of the main or the test network.
fn is_base58(address: &[u8]) -> bool {
    (26..=35).contains(&address.len())
        // `1` and `3` start addresses of the main network, the others those of test networks.
        && matches!(address, [b'1' | b'3' | b'2' | b'm' | b'n', ..])
        // Base-58 leaves out the characters that look alike.
        && !address.iter().any(|byte| b"0OIl".contains(byte))
}

/// True for a BIP 173 address: a prefix, `1`, and base-32 digits, all in one case.
fn is_segwit(address: &[u8]) -> bool {
    const PREFIXES: [&[u8]; 3] = [b"bc1", b"tb1", b"bcrt1"];
    let mut c = ByteCursor::new(address);
    // BIP 173: at most 90 characters. A prefix of two letters, the `1`, the version, the shortest
    // program, and the checksum have 14.
    (14..=90).contains(&address.len())
        && one_case(address)
        && PREFIXES.iter().any(|prefix| c.eat_word(prefix))
        // Base-32 of BIP 173 leaves out `1`, `b`, `i` and `o`.
        && !c.rest().iter().any(|byte| b"1bio".contains(&byte.to_ascii_lowercase()))
}

fn one_case(text: &[u8]) -> bool {
    !(text.iter().any(u8::is_ascii_lowercase) && text.iter().any(u8::is_ascii_uppercase))
}

fn ethereum_start(c: &mut ByteCursor<'_>) -> bool {
    c.eat_word(b"pay-");
    c.eat_word(b"0x") && c.at(hex)
        || c.run(|byte| word(byte) || b"-.".contains(&byte)).ends_with(b".eth")
}

/// Reads `[ "pay-" ] address`: forty hexadecimal digits, or a name under `.eth`.
fn ethereum(c: &mut ByteCursor<'_>) -> bool {
    c.eat_word(b"pay-");
    if c.eat_word(b"0x") {
        return c.exactly(40, hex);
    }
    let name = c.run(|byte| word(byte) || b"-.".contains(&byte));
    name.len() > b".eth".len() && name.ends_with(b".eth")
}

/// Reads the human-readable part of an invoice, an offer or an LNURL.
fn invoice_start(c: &mut ByteCursor<'_>) -> bool {
    const PREFIXES: [&[u8]; 8] =
        [b"lnbcrt", b"lnbc", b"lntbs", b"lntb", b"lnurl1", b"lno1", b"lnr1", b"lni1"];
    PREFIXES.iter().any(|prefix| c.eat_word(prefix)) && c.at(alphanumeric)
}

fn invoice(c: &mut ByteCursor<'_>) -> bool {
    let mut prefix = *c;
    let text = c.run(alphanumeric);
    // The last `1` separates the human-readable part from the data (BIP 173).
    invoice_start(&mut prefix) && text.len() >= 40 && one_case(text) && text.contains(&b'1')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert!(is_base58(b"175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W"));
        assert!(!is_base58(b"175tWpb8K1S7NmH4Zx6rewF9WQrcZv2450"));
        assert!(is_segwit(b"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"));
        assert!(is_segwit(b"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"));
        assert!(!is_segwit(b"bc1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"));
    }
}
