//! URIs without their secrets: vectors (corpus/names/redact.tsv), and that a URI stays one and no
//! secret does.

mod tokens;

use crate::tsv::check_vectors;
use proptest::prelude::*;
use urigrep::options::HostMapping;
use urigrep::{Finder, Finding, Flag, Uri, redact};

#[test]
fn redact_vectors() {
    check_vectors("names/redact.tsv", 4, 2, |text| {
        let redacted = redact(text).into_owned();
        assert_eq!(redact(&redacted), redacted, "twice");
        redacted
    });
}

/// A match and all that it says are without the secret; where it stands is as before.
#[test]
fn matches() {
    for (text, uri) in [
        ("see http://joe:hunter2@a.example/ there", "http://REDACTED@a.example/"),
        ("<http://a.example/?tok\n en=hunter2\n hunter2>", "http://a.example/?token=REDACTED"),
        ("<http://a.example/?to-\n ken=hunter2>", "http://a.example/?to-ken=REDACTED"),
        ("hxxp://joe:hunter2@a[.]example/", "http://REDACTED@a.example/"),
        (r#""http:\/\/a.example\/?a=1\u0026key=hunter2""#, "http://a.example/?a=1&key=REDACTED"),
        ("href='http://a.example/?a=1&amp;pwd=hunter2'", "http://a.example/?a=1&amp;pwd=REDACTED"),
        ("http://\u{e9}.example/?pwd=hunter2", "http://xn--9ca.example/?pwd=REDACTED"),
        ("http://a.example/?q={x}&pwd=hunter2", "http://a.example/?q=%7Bx%7D&pwd=REDACTED"),
        ("www.a.example/?pwd=hunter2", "https://www.a.example/?pwd=REDACTED"),
    ] {
        if HostMapping::idna().is_err() && !text.is_ascii() {
            continue;
        }
        let finder = Finder::builder()
            .refang(urigrep::options::Refang::Read)
            .abbreviated(urigrep::options::Abbreviated::Report)
            .host_mapping(HostMapping::idna().unwrap_or_default())
            .build();
        let m = finder.find(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        let redacted = m.redacted().unwrap_or_else(|| panic!("{text}: {m:?}"));
        assert_eq!(redacted.uri(), uri, "{text}");
        assert_eq!((redacted.span(), redacted.ranges()), (m.span(), m.ranges()));
        assert_eq!(redacted.flags(), m.flags().with(Flag::Redacted));
        assert_eq!(redacted.as_bytes(), m.as_bytes());
        let shown = [
            redacted.intended().to_owned(),
            String::from_utf8_lossy(&redacted.text()).into_owned(),
            redacted.alternative().unwrap_or_default().to_owned(),
        ];
        assert!(shown.iter().all(|text| !text.contains("hunter2")), "{shown:?}");
        assert!(redacted.redacted().is_none(), "{redacted:?}");
    }
}

#[test]
fn nothing_to_redact() {
    for text in ["http://a.example/?page=2", "http://a.example/%", "urn:isbn:0451450523"] {
        assert!(
            Finder::new().find(text.as_bytes()).is_none_or(|m| m.redacted().is_none()),
            "{text}"
        );
    }
}

/// A secret that nothing else of a URI could be, in any place where one may stand.
const SECRET: &str = "Zq9Zq9Zq9Zq9Zq9Z";

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9/?&;=.:@%~!$'()*+,_-]{0,6}",
        prop::sample::select(vec![
            "&", "?", "#", "/", ";", "=", "%26", "%3D", "%3F", "%2F", "%23", "%25", "%40", "://",
            "//", "@", ":",
        ])
        .prop_map(str::to_owned),
        prop::sample::select(vec![
            "token",
            "KEY",
            "to%6ben",
            "sig",
            "X-Amz-Signature",
            "u",
            "page"
        ])
        .prop_map(str::to_owned),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stays_a_uri(rest in any_text(), authority in prop::bool::ANY) {
        let text = format!("{}{rest}", if authority { "s://h" } else { "s:" });
        if let Ok(uri) = Uri::parse(&text) {
            let redacted = redact(&text);
            let after = Uri::parse(&redacted);
            prop_assert!(after.is_ok(), "{text} became {redacted}: {after:?}");
            let after = after.unwrap();
            // A host ends where properties start: `h;password=…`, as JDBC has them; a port may be
            // part of the last one.
            let host = |uri: &Uri<'_>| {
                let host = uri.host().unwrap_or_default().to_owned();
                let properties = host.find([';', '(', ',', '&']);
                let port = properties.map_or_else(|| uri.port().map(str::to_owned), |_| None);
                (uri.host().is_some(), host[..properties.unwrap_or(host.len())].to_owned(), port)
            };
            prop_assert_eq!((after.scheme(), host(&after)), (uri.scheme(), host(&uri)));
            let twice = redact(&redacted);
            prop_assert_eq!(&twice, &redacted, "twice, of {}", text);
        }
    }

    #[test]
    fn no_secret_stays(
        before in "[a-z0-9/]{0,6}", more in "(&[a-z]{1,3}=[a-z0-9/?%:]{0,5}){0,2}", name in
            prop::sample::select(vec!["token", "API_KEY", "x-goog-signature", "p%61ssword", "sid"]),
        tail in "[;/?:@!$'()*+,=._~-]{0,5}", end in "(&b=c|#d|)", place in 0..5,
    ) {
        let secret = format!("{SECRET}{tail}");
        let query = |sep: &str| format!("{sep}a=b{more}&{name}={secret}{end}");
        let encode = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let text = match place {
            0 => format!("http://a.example/{before}{}", query("?")),
            1 => format!("http://a.example/{before}#{}", query("").replace('#', "")),
            2 => format!("http://joe:{SECRET}@a.example/{before}{}", query("?")),
            3 => format!("http://a.example/{before}?u={}{end}", encode(&format!("http://b/{}", query("?")))),
            _ => format!("http://a.example/{before};{name}={SECRET};v=1/{before}"),
        };
        // A name that ends the value is no secret's any more.
        let redacted = redact(&text);
        prop_assert!(!redacted.contains(SECRET), "{text} became {redacted}");
        prop_assert!(!redacted.contains(&encode(SECRET)), "{text} became {redacted}");
    }

    #[test]
    fn broken_text_is_redacted(password in "[a-z/?#@:]{0,8}", rest in any_text()) {
        let text = format!("http://joe:{SECRET}{password}@a.example:99999x/{rest}");
        for finding in Finder::new().findings(text.as_bytes()) {
            let shown = match &finding {
                Finding::Match(m) => m.redacted().map(|m| m.uri().into_owned().into_bytes()),
                Finding::Rejected(rejected) => rejected.redacted(),
                #[allow(unreachable_patterns)]
                _ => None,
            };
            let bytes = match &finding {
                Finding::Match(m) => m.as_bytes(),
                Finding::Rejected(rejected) => rejected.as_bytes(),
                #[allow(unreachable_patterns)]
                _ => b"",
            };
            let shown = shown.unwrap_or_else(|| bytes.to_vec());
            let shown = String::from_utf8_lossy(&shown).into_owned();
            // What ends before the `@` has no userinfo.
            if bytes.contains(&b'@') && matches!(finding, Finding::Rejected(_)) {
                prop_assert!(!shown.contains(SECRET), "{text}: {shown}");
            }
        }
    }
}
