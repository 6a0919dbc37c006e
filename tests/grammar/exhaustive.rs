//! What every byte and every length must show: the character classes, IP addresses against their
//! ABNF, and linear time.

use std::time::Duration;

use regex::Regex;
use urigrep::grammar::HostType;
use urigrep::{Grammar, Iri, Uri, Urn};

use crate::timing::time;

/// Every number of groups on either side of `::`, or without it, with and without an IPv4 tail,
/// against the nine lines of the ABNF.
#[test]
fn ipv6_agrees_with_its_abnf() {
    let h16 = "[0-9A-Fa-f]{1,4}";
    let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])";
    let ls32 = format!(r"(?:{h16}:{h16}|{octet}\.{octet}\.{octet}\.{octet})");
    let mut lines = vec![format!("(?:{h16}:){{6}}{ls32}"), format!("::(?:{h16}:){{5}}{ls32}")];
    for left in 0..5 {
        lines.push(format!("(?:(?:{h16}:){{0,{left}}}{h16})?::(?:{h16}:){{{}}}{ls32}", 4 - left));
    }
    lines.push(format!("(?:(?:{h16}:){{0,5}}{h16})?::{h16}"));
    lines.push(format!("(?:(?:{h16}:){{0,6}}{h16})?::"));
    assert_eq!(lines.len(), 9);
    let address = Regex::new(&format!(r"\A(?:{})\z", lines.join("|"))).unwrap();
    let check = |text: &str| {
        let uri = format!("s://[{text}]");
        let ours = Uri::parse(&uri);
        assert_eq!(ours.is_ok(), address.is_match(text), "{text}: {ours:?}");
        usize::from(ours.is_ok())
    };
    let mut accepted = 0;
    for left in 0..=9 {
        for right in 0..=9 {
            for separator in ["::", ":"] {
                let (head, tail) = (vec!["a"; left].join(":"), vec!["0"; right].join(":"));
                accepted += check(&format!("{head}{separator}{tail}"));
                let colon = if right > 0 { ":" } else { "" };
                accepted += check(&format!("{head}{separator}{tail}{colon}1.2.3.4"));
            }
        }
    }
    // 8 groups or 6 and an address; or `::` and up to 7, or up to 5 and an address.
    assert_eq!(accepted, (7 + 6) + (36 + 21));
    let tokens = ["1", "ab", "FFFF", "00000", "g", ":", ":", ":", "::", ".", "1.2.3.4", "1.2.3.04"];
    let mut state = 7_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % bound
    };
    for _ in 0..500_000 {
        let text: String = (0..below(18)).map(|_| tokens[below(tokens.len())]).collect();
        check(&text);
    }
}

/// All dec-octets, and numbers that are none.
#[test]
fn ipv4_octets() {
    for number in 0..1000 {
        for octet in [format!("{number}"), format!("{number:03}"), format!("0{number}")] {
            let text = format!("s://1.{octet}.0.9");
            let is_ipv4 = Uri::parse(&text).unwrap().host_type() == Some(HostType::Ipv4);
            let plain = number <= 255 && octet == number.to_string();
            assert_eq!(is_ipv4, plain, "{octet}");
        }
    }
}

/// Every byte in every component, against the sets written out by hand; a delimiter there is
/// allowed when what it makes of the rest is a URI again.
#[test]
fn every_byte_in_every_component() {
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    let sub_delims = "!$&'()*+,;=";
    let cases = [
        ("a", ":b", format!("{}+-.:", &unreserved[..62])),
        ("s://", "@h", format!("{unreserved}{sub_delims}:/?#")),
        ("s://a", "b", format!("{unreserved}{sub_delims}@/?#")),
        ("s://[v1.", "]", format!("{unreserved}{sub_delims}:")),
        ("s://h:1", "", "0123456789@/?#".to_owned()),
        ("s:a", "b", format!("{unreserved}{sub_delims}:@/?#")),
        ("s:?", "b", format!("{unreserved}{sub_delims}:@/?#")),
        ("s:#", "b", format!("{unreserved}{sub_delims}:@/?")),
        ("urn:ee", "x:b", format!("{}-:", &unreserved[..62])),
        ("urn:ex:", "b", format!("{unreserved}{sub_delims}:@")),
        ("urn:ex:b", "=b", format!("{unreserved}{sub_delims}:@/?#")),
        ("urn:ex:b?+", "b", format!("{unreserved}{sub_delims}:@")),
        ("urn:ex:b?+b", "b", format!("{unreserved}{sub_delims}:@/?#")),
        ("urn:ex:b?=", "b", format!("{unreserved}{sub_delims}:@")),
        ("urn:ex:b?=b", "b", format!("{unreserved}{sub_delims}:@/?#")),
        ("urn:ex:b#", "b", format!("{unreserved}{sub_delims}:@/?")),
    ];
    for (before, after, allowed) in cases {
        for byte in 0..=u8::MAX {
            let text = [before.as_bytes(), &[byte], after.as_bytes()].concat();
            let uri = Uri::from_bytes(&text).ok();
            let ok = match uri {
                Some(uri) if uri.scheme() == "urn" => Urn::parse(uri.as_str()).is_ok(),
                _ => uri.is_some(),
            };
            let want = allowed.as_bytes().contains(&byte);
            assert_eq!(ok, want, "{before}{}{after}", byte.escape_ascii());
        }
    }
}

/// Much of each shape that could make a parser go back; quadratic work would take a minute for each
/// text, also on a machine that has other work to do: only the time on a processor counts.
#[test]
fn long_input_is_linear() {
    const SIZE: usize = 1 << 18;
    // A head and what follows it, over and over.
    let shapes = "s://[ :|s://[ 1:|s://[ [|s://[v1. :|s://[v 1|s:// @|s:// a@|s:// a:|s:// 1.|\
        s:// %41|s://h: 1|s: %|s: /|s:? ?|s:# #|s +|urn: a|urn: -|urn:ab: ?+|urn:ab:c?+d ?|\
        urn:ab:c?+d ?+|urn:ab:c?=d ?=|urn:ab:c# ?|ftp:// 1@|ftp:// 1@1.1.1.1:|telnet:// a@1|\
        news: 1@|news: a@|prospero://h/ %00|prospero://h/ %00a|prospero://h/ %001|wais://h/ a/|\
        gopher://h/ a/|x: a/|x:? +a|s://h/ ;|s:// a.|s:// a:@|s: é|s:// é|s:// é.|s:// \u{ad}|s:// \u{301}";
    for (head, unit) in shapes.split('|').filter_map(|shape| shape.split_once(' ')) {
        for tail in ["", "]", "]/", "@h", "/", "\0"] {
            let text = format!("{head}{}{tail}", unit.repeat(SIZE / unit.len()));
            let ((), taken) = time(|| {
                std::hint::black_box((Uri::parse(&text).is_ok(), Urn::parse(&text).is_ok()));
                for &grammar in Grammar::ALL {
                    std::hint::black_box(grammar.parse(&text).is_ok());
                    std::hint::black_box(grammar.parse_reference(&text).is_ok());
                }
                if let Ok(iri) = Iri::parse(&text) {
                    std::hint::black_box(iri.to_uri().is_empty());
                }
            });
            assert!(taken < Duration::from_secs(10), "{head}{unit}…{tail}: {taken:?}");
        }
    }
}
