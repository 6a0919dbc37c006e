//! What holds for any bytes: nothing is hidden, and every byte knows where it comes from.

use proptest::prelude::*;
use urigrep::Span;

use super::support::{Keep, read};

/// What a document may be made of; the addresses are numbered, so that each can be looked for.
fn piece() -> impl Strategy<Value = String> {
    let markup = prop::sample::select(vec![
        "<a href=\"",
        "<a href='",
        "<a href=",
        "<p class=",
        "<img srcset=\"",
        "<img srcset='a 1x, ",
        "<p style=\"a:url(",
        "<style>",
        "</style>",
        "<svg>",
        "</svg>",
        "<svg><style>",
        "<![CDATA[",
        "]]>",
        "<iframe srcdoc=\"",
        "<iframe srcdoc='<a href=\"",
        "<meta http-equiv=refresh content=\"0;url=",
        "<meta http-equiv=refresh content='x",
        "<base href=\"",
        "<?xml-stylesheet href=\"",
        "<?xml version='1.0'?>",
        "<html xmlns=\"",
        "<!DOCTYPE html PUBLIC \"",
        "<!DOCTYPE html SYSTEM '",
        "<!ENTITY ",
        "<script>",
        "</script>",
        "<script>/*<!--<script>",
        "<title>",
        "</title>",
        "<textarea ",
        "<noscript>",
        "<wbr>",
        "<wbr a=\"",
        "<object archive=\"",
        "<a ping=\"a ",
        "<path fill=\"url(",
        "@import \"",
        "@import url(",
        "/*",
        "*/",
        "url(\"",
        "\\",
        ")",
        "(",
        ",",
        "<",
        ">",
        "</",
        "</p ",
        "</a href=\"",
        "/>",
        "\"",
        "'",
        "=",
        " ",
        "\n",
        "\r\n",
        "/",
        "!",
        "-",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "&amp;",
        "&amp",
        "&copy=",
        "&notit;",
        "&#x2f;",
        "&#47",
        "&#x",
        "&#0;",
        "&",
        ";",
        "a",
        "x=1",
        "é",
        "\u{ad}",
        "&shy;",
        "\0",
        "<onclick=\"",
        "<p onclick='",
        "<h1>",
        "</h1>",
        "<x:",
        " title=\"",
        " id=x",
        " href=b href='",
    ]);
    let address = (0..1000u32).prop_map(|n| format!("http://u{n}.example/p"));
    let urn = (0..1000u32).prop_map(|n| format!("urn:x{n}:y"));
    prop_oneof![8 => markup.prop_map(String::from), 2 => address, 1 => urn]
}

fn check(document: &[u8], addresses: &[String]) -> Result<(), TestCaseError> {
    let shown = String::from_utf8_lossy(document);
    let got = read(document, Keep::Bytes);
    for address in addresses {
        let holds = |text: &[u8]| memchr::memmem::find(text, address.as_bytes()).is_some();
        prop_assert!(
            got.parts.iter().any(|part| holds(&part.text)),
            "{} is hidden in {:?}",
            address,
            shown
        );
    }
    let (mut before, mut total) = (0, 0);
    for part in &got.parts {
        prop_assert!(part.span.start() >= before, "{:?} is out of order in {:?}", part, shown);
        before = part.span.end();
        total += part.text.len();
        let mut last = part.span.start();
        for (&byte, (ranges, is_copied)) in part.text.iter().zip(&part.bytes) {
            prop_assert!(!ranges.is_empty(), "{:?} in {:?}", part, shown);
            for range in ranges {
                let source = document.get(range.range());
                prop_assert!(source.is_some() && range.start() >= last.min(range.start()));
                if *is_copied {
                    prop_assert_eq!(source, Some(&[byte][..]), "{:?} in {:?}", part, shown);
                } else {
                    // a reference, or an escape of CSS
                    let first = source.and_then(<[u8]>::first);
                    prop_assert!(matches!(first, Some(b'&' | b'\\')), "{:?} in {:?}", part, shown);
                }
            }
            last = ranges.first().map_or(last, |range| range.start());
        }
    }
    // the longest that a reference gives is six bytes from five
    prop_assert!(total <= 2 * document.len(), "{} bytes from {:?}", total, shown);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]
    #[test]
    fn nothing_is_hidden(pieces in prop::collection::vec(piece(), 0..24)) {
        let is_address = |piece: &&String| piece.starts_with("http:") || piece.starts_with("urn:");
        let addresses: Vec<_> = pieces.iter().filter(is_address).cloned().collect();
        check(pieces.concat().as_bytes(), &addresses)?;
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes, &[])?;
    }
}

/// Documents that are made to be slow or deep.
#[test]
fn hostile_documents() {
    let times = |piece: &str, n: usize| piece.repeat(n).into_bytes();
    let end = b" http://end.example/";
    for (name, mut document) in [
        ("less-than signs", times("<", 1_000_000)),
        ("attributes", [b"<p".to_vec(), times(" a=b", 100_000)].concat()),
        ("loose names", [b"<p".to_vec(), times(" a:/b=\"c\"", 100_000)].concat()),
        (
            "quoted slashes",
            [b"<p a:".to_vec(), times("/", 500_000), times("b=\"c\"/", 100_000)].concat(),
        ),
        ("depth", times("<div>", 200_000)),
        ("open svg", times("<svg>", 200_000)),
        ("open links", times("<a href=b>", 100_000)),
        ("end tags", times("</p>", 200_000)),
        ("nothing", times("</>", 300_000)),
        ("open comments", times("<!--", 200_000)),
        ("dashes", [b"<!--".to_vec(), times("-", 1_000_000)].concat()),
        ("greater-than signs", [b"<!--".to_vec(), times(">", 1_000_000)].concat()),
        ("open scripts", times("<script>", 100_000)),
        ("scripts in comments", times("<script><!--<script>", 50_000)),
        ("titles", times("<title></titl", 80_000)),
        ("ampersands", times("&", 1_000_000)),
        ("digits", [b"&#".to_vec(), times("1", 1_000_000)].concat()),
        ("references", times("&amp;", 200_000)),
        ("soft hyphens", times("a&shy;", 100_000)),
        ("word breaks", times("a<wbr>", 100_000)),
        ("urls", [b"<style>".to_vec(), times("url(", 200_000)].concat()),
        ("strings", [b"<style>".to_vec(), times("url('a\n", 100_000)].concat()),
        ("commas", [b"<img srcset='".to_vec(), times(",", 500_000), times("a,", 200_000)].concat()),
        ("srcdoc", times("<iframe srcdoc='<iframe srcdoc=\"", 30_000)),
        ("cdata", [b"<svg>".to_vec(), times("<![CDATA[", 100_000)].concat()),
        ("namespaces", times("<a:b c:d=e f:g>", 60_000)),
        ("bases", times("<base><BASE x>", 60_000)),
    ] {
        document.extend_from_slice(end);
        let got = read(&document, Keep::Parts);
        let holds = |text: &[u8]| memchr::memmem::find(text, b"http://end.example/").is_some();
        assert!(got.parts.iter().any(|part| holds(&part.text)), "{name}");
        let total: usize = got.parts.iter().map(|part| part.text.len()).sum();
        assert!(total <= 2 * document.len(), "{name}");
        let in_order = got.parts.windows(2).all(|pair| pair[0].span.end() <= pair[1].span.start());
        assert!(in_order, "{name}");
        let inside = |part: &Span| part.end() <= document.len();
        assert!(got.parts.iter().all(|part| inside(&part.span)), "{name}");
    }
}
