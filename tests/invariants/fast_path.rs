//! The common case in one pass gives what all the rules give.
//!
//! Every beginning with every URI with every end, each of them near the border of what is plain,
//! then the corpus and random texts of such pieces.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use urigrep::options::{
    Abbreviated, AssumedScheme, Charset, Email, Embedded, Identifiers, Lax, Rejoin, Shortcut,
};
use urigrep::{Finder, FinderBuilder};

use super::{texts, whole};
use crate::cases::cases;

const BEFORE: &[&str] = &[
    "",
    " ",
    "\n",
    "a ",
    "see: ",
    "URL:",
    "x\nUrl: ",
    "pr-url: ",
    "\"URL: ",
    "(see) URI:",
    "curl: ",
    "a. url:\n",
    "x \n\nURL: ",
    "url: ",
    "URI:",
    "URL:\n",
    "URL:\n\n",
    "URL:\r\n\r\n",
    "<URL:",
    "<URI: ",
    "<",
    "< ",
    "<a href=\"",
    "<a href='",
    "x = \"",
    "\"",
    "'",
    "`",
    "(",
    "](",
    "](<",
    "[",
    "[x]: ",
    "{",
    "|",
    "*",
    "**",
    "_",
    "~",
    "~~",
    " =",
    "a=",
    "(=",
    "\\tt ",
    "{\\tt ",
    "\\url{",
    "\\verb+",
    "\\n",
    "\\fB",
    "\\",
    "é",
    "“",
    "「",
    "&lt;",
    "&quot;",
    ">",
    "]",
    ")",
    "}",
    ",",
    ";",
    ":",
    "%",
    "@",
    "#",
    "/",
    "view-source:",
    "jar:",
    "git+",
    "x.",
    "x-",
    "list",
    "0",
    "-",
    "\u{feff}",
    "\u{1b}[0m",
    "\0",
    "http://a.example/,",
    "http://a.example/x\n",
    "                                                                      ",
    "**see ",
    "> ",
    "> <",
    "// ",
    "<http://",
    "title=\"see ",
    "u=\"",
    "src=\"",
    "it's ",
    "x='a ",
    "f('see ",
    "TEL;X=",
    "x;",
    "\\footnote{see ",
    "_",
    "x:",
];

const URI: &[&str] = &[
    "http://a.example",
    "https://a.example/",
    "http://a.example/b/c.d-e_f~g",
    "HTTP://a.example/",
    "ftp://a.example/b",
    "ftp://a.example:21/b?c#d",
    "sftp://a.example/b",
    "Http://a/",
    "http://a.example:80/",
    "http://a.example:80",
    "http://a.example:65536/",
    "http://a.example:/",
    "http://a.example:8x/",
    "http://127.0.0.1/x",
    "http://127.0.0.256/",
    "http://1.2.3/",
    "http://[::1]/",
    "http://u@a.example/",
    "http://u:p@a.example/",
    "http://-/",
    "http://.",
    "http://_a/",
    "http://a..b/",
    "http://a.example.",
    "http://",
    "http:///x",
    "http://a.example/?q=a&b=c",
    "http://a.example/?q=a&lt;",
    "http://a.example/?a;b&c",
    "http://a.example/a;b;c",
    "http://a.example?q",
    "http://a.example/?",
    "http://a.example/#",
    "http://a.example/?q#f?g",
    "http://a.example/#a#b",
    "http://a.example/?a?b",
    "http://a.example/%41",
    "http://a.example/%00",
    "http://a.example/%4",
    "http://a.example/%",
    "http://a.example/%s",
    "http://a.example/a,b.c!d",
    "http://a.example/x-",
    "http://a.example/(b)",
    "http://a.example/[b]",
    "http://a.example/{b}",
    "http://a.example/$b",
    "http://a.example/*",
    "http://a.example/b'c",
    "http://a.example/b:c",
    "http://a.example/b\\_c",
    "http://a.example/é",
    "http://é.example/",
    "http://a.example/=",
    "http://a.example/@b",
    "http://a.example/http://b.example/",
    "http://a.example/,http://b.example/",
    "http://doi.org/10.1002/(SICI)1<1::AID>3.0.CO;2-1",
    "http://doi.org/10.1/x",
    "http://a.example/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "http://xn--bcher-kva.example/",
    "http://a_b/",
    "http://a---b",
    "http://a-?",
    "http://b)a.example@b.example",
    "http://xn----x.com",
    "http://a.example/$A/b",
    "http://a.example/x^^y",
    "http://a.example/a|b/c",
    "http://a.example/x\\y",
    "http://a.example/?q='b'",
    "http://a.example/x’y",
    "http://a.example/x_(y)",
    "http://a.example/x_(y)(z)/(w)",
    "http://a.example/x((y)",
    "http://a.example/x(y))z",
    "http://a.example/x(",
    "http://a.example/joe's",
    "http://a.example/joe's's",
    "http://a.example/eq('b')",
    "http://a.example/x'.y",
    "http://a.example/x'",
    "http://a.example's",
    "http://a.example/x*y",
    "http://a.example/x*",
    "http://a.example/x**.",
    "http://a.example/$value",
    "http://a.example/x$",
    "http://a.example/$1/x",
    "http://a.example/$_x/x",
    "http://a.example/%20$s",
    "http://a.example/x$(y)",
    "http://a.example/1$d",
    "http://a.example/#1/x",
    "http://a.example/x:",
    "http://a.example/x:y:z",
    "http://a.example/x.:",
    "http://a.example/?u=http://b.example/",
    "http://a.example/x,y.http://b.example/",
    "http://a.example/x;zotero://b.example/",
    "http://a.example/(http://b.example/)",
    "http://a.example/x-://b",
    "HTTPS://A.EXAMPLE/x",
    "Ftp://a.example/x",
    "hTTp://a.example:80",
    "HTTP://WWW.",
    "http://u:p@a.example:80/x",
    "http://u:p@a.example",
    "http://u.v-w_x@a.example/",
    "http://u:80@a.example/",
    "http://u:80@b@a.example/",
    "http://u@/x",
    "http://u@-a/x",
    "http://u@www.",
    "http://u@a--b/x",
    "http://a-.example@b.example/",
    "http://u:p:q@a.example/",
    "http://a.example:80)x@b.example/",
    "http://a.example/x/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(b)/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'b/c",
    "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/x",
    "http://a.example/?a[]=1&b[c]=2#d[e]f",
    "http://a.example/x[1]",
    "http://a.example/x[a](b){c}d",
    "http://a.example/x[a(b]c)d",
    "http://a.example/x[a",
    "http://a.example/x[/a]b",
    "http://a.example/[http://b.example/]x",
    "http://a.example/{id}/x?y={z}",
    "http://a.example/{{x y}}",
    "http://a.example/{code}x",
    "http://a.example/{x",
    "http://a.example/x[a]/é?b#ü",
    "http://a.example/é/ñ-ж.ω",
    "http://a.example/é×",
    "http://a.example/xŉy",
    "http://a.example/x,é",
    "http://a.example/?q,é",
    "http://a.example/(é)/x'é",
    "http://a.example/北é",
    "http://a.example/é北",
    "http://a.example/é\u{301}",
    "http://a.example/é\\_c",
    "http://u:p@a.example:80/é[b]",
    "urn:isbn:0451450523",
    "URN:ISBN:0-395-36341-1",
    "urn:isbn:0395",
    "urn:example:a/b:c=d",
    "urn:example:a(b)c",
    "urn:example:a?=b#c",
    "urn:example:",
    "urn:x:y",
    "urn:-x:y",
    "urn:x-:y",
    "urn:xy:/z",
    "urn:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:x",
    "urn:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:x",
    "urn:a.b:c",
    "urn:example:a,urn:example:b",
    "urn:example:%41",
    "urn:",
    "doi:10.1000/182",
    "DOI:10.1000/182.x",
    "doi:10.1000.10/123",
    "doi:10.1016/S0140-6736(20)30183-5",
    "doi:10/abcd",
    "doi:10.1000/..",
    "doi:10.1000",
    "doi:10.1002/(SICI)1096(199601)99:1<1::AID-X>3.0.CO;2-1",
    "mailto:joe@example.org",
    "MAILTO:j.o+e@a.example",
    "mailto:joe@_x",
    "mailto:joe@-x",
    "mailto:joe@.x",
    "mailto:joe@x@y",
    "mailto:joe@x/y",
    "mailto:joe@x?subject=y",
    "mailto:joe@x,jim@y",
    "mailto:joe%40x",
    "mailto:joe",
    "mailto:@x",
    "tel:+1-816-555-1212",
    "tel:(816)555.1212",
    "TEL:911",
    "tel:12",
    "tel:555-",
    "tel:555-.",
    "tel:555*1#",
    "tel:+1;ext=2",
    "tel:5a5",
];

const AFTER: &[&str] = &[
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " x",
    "\nb.c",
    "\nhttp://b.example/",
    "\n> b/c",
    "\n  x>",
    "\nx\"",
    ".",
    ". ",
    ",",
    ", ",
    ";",
    "; ",
    ":",
    "?",
    "!",
    ".)",
    "...",
    "… ",
    "..",
    "'",
    "'s",
    "\"",
    "\">",
    "\".",
    ">",
    ">.",
    "->",
    "<",
    "</a>",
    "<br>",
    "<name>",
    "&lt;",
    "&gt;",
    "&quot;",
    "&amp;x",
    ")",
    ").",
    "](x)",
    "]",
    "}",
    "|",
    "||",
    "`",
    "``",
    "*",
    "**",
    "_",
    "~",
    "~~",
    "=",
    "\\",
    "\\n",
    "\\fR",
    "{x}",
    "$X",
    "%s",
    "(x)",
    "\".+y;'!",
    "[x]",
    "[.]com",
    "(dot)com",
    "é",
    "”",
    "」",
    "。",
    "\u{a0}",
    "\0",
    "\u{7f}",
    "^x",
    " \"title\")",
    "+x",
    "@b",
    "/",
    "#x",
    "?x",
    "<1::AID>3.0.CO;2-1",
    "</a>1.2.AB;",
    "\u{200b}",
    " 2.0 y.png\"",
    "\n\n>",
    "\"y",
    "'s'",
    "\" + \"b\"",
    "' . 'b'",
    " [.] c",
    ".]com",
    ".\nhtml",
    ".\nhttp://b",
    "’x",
    "—x",
    "😀",
    "ไทย",
    "\\\nb/c",
    "{\\i0}",
    ",status=1",
    "/\na-b/",
    ":",
    ": ",
    "'.",
    "'.b",
    "*.",
    "(",
    "),",
    " 0100",
    " (0)",
    " [.]org",
    " . org",
    " dot org",
    "\t.",
    "\u{a0}4",
    ",b@c ",
    ", b",
    ";b",
    ",",
];

/// Hosts and addresses without a scheme (D7).
const UNSCHEMED: &[&str] = &[
    "www.a.example",
    "WWW.a.com",
    "www2.a.de/b",
    "a.com",
    "a.com.",
    "a.com..",
    "a.com:80",
    "a.com:80/b?c#d",
    "a.com:99999",
    "a.com:x",
    "a.com/b,c",
    "a.com/(b)",
    "a.com/b_",
    "a.com/%41",
    "a.com/http://b.example/",
    "a.com?b=c&d=e",
    "a.com#b",
    "a-b.co.uk/",
    "a.b.c.org-",
    "127.0.0.1.com",
    "1.com",
    "a.rs",
    "a.is",
    "do.call",
    "b.a.com_c",
    "xn--p1ai.xn--p1ai",
    "é.com",
    "看a.com吧",
    "a.example@b.com",
    "j@a.com",
    "j.k@www.a.com/b",
    "www.a",
    "www.",
    "a.com\\/b",
    "a.com://b",
    "10.1000/182",
    "doi.10.1000/182",
    "doi.org/10.1000/182",
    "ISBN 0451450523",
];

fn same(build: impl Fn() -> FinderBuilder, text: &[u8]) {
    let all = build().shortcut(Shortcut::Avoided).build();
    let plain = build().shortcut(Shortcut::Taken).build();
    let (expected, found) = (whole(&all, text), whole(&plain, text));
    assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(text));
}

/// Checks one of how many texts. `URIGREP_CASES=1000000` checks all of them, which takes minutes.
/// A prime, so that every piece meets most others.
fn stride() -> usize {
    if cases(0) >= 1_000_000 { 1 } else { 11 }
}

/// Every text of three pieces.
fn rows() -> impl Iterator<Item = Vec<u8>> {
    let pairs = BEFORE.iter().flat_map(|before| URI.iter().map(move |uri| (before, uri)));
    pairs.flat_map(|(before, uri)| {
        AFTER
            .iter()
            .map(move |after| [before.as_bytes(), uri.as_bytes(), after.as_bytes()].concat())
    })
}

#[test]
fn pieces() {
    let mut plain = 0;
    for text in rows().step_by(stride()) {
        same(Finder::builder, &text);
        plain += 1;
    }
    assert!(plain > 100_000, "{plain}");
}

#[test]
fn pieces_with_options() {
    for text in rows().step_by(3 * stride()) {
        same(|| Finder::builder().rejoin(Rejoin::Always).lax(Lax::Reject), &text);
        same(|| Finder::builder().charset(Charset::Ascii).max_uri(24), &text);
        same(|| Finder::builder().embedded(Embedded::Report).rejoin(Rejoin::Never), &text);
    }
}

#[test]
fn unschemed() {
    let unschemed = || Finder::builder().abbreviated(Abbreviated::Report).email(Email::Report);
    for before in BEFORE.iter().chain(&["jo at ", "<jo at ", "b.", "Message-ID: <", "url: www."]) {
        for host in UNSCHEMED {
            for after in AFTER {
                let text = [before.as_bytes(), host.as_bytes(), after.as_bytes()].concat();
                same(unschemed, &text);
                same(|| unschemed().identifiers(Identifiers::All), &text);
            }
            for after in AFTER.iter().step_by(3) {
                let text = [before.as_bytes(), host.as_bytes(), after.as_bytes()].concat();
                same(|| unschemed().assume_scheme(AssumedScheme::Http).max_uri(9), &text);
                same(|| unschemed().rejoin(Rejoin::Always).charset(Charset::Ascii), &text);
                same(|| unschemed().embedded(Embedded::Report).lax(Lax::Reject), &text);
            }
        }
    }
}

#[test]
fn corpus() {
    for text in texts() {
        same(Finder::builder, &text);
        same(|| Finder::builder().rejoin(Rejoin::Always), &text);
        same(|| Finder::builder().abbreviated(Abbreviated::Report).email(Email::Report), &text);
    }
}

fn piece() -> impl Strategy<Value = String> {
    let of = |pieces: &'static [&'static str]| prop::sample::select(pieces).prop_map(str::to_owned);
    prop_oneof![3 => of(BEFORE), 3 => of(URI), 1 => of(UNSCHEMED), 3 => of(AFTER), 1 => "[ -~\n]{0,6}", 1 => "[a-z0-9./?#&%;,=_-]{1,20}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20_000), rng_seed: RngSeed::Fixed(20_261_121), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_of_pieces(pieces in prop::collection::vec(piece(), 1..10)) {
        same(Finder::builder, pieces.concat().as_bytes());
        same(|| Finder::builder().abbreviated(Abbreviated::Report).email(Email::Report), pieces.concat().as_bytes());
    }
}
