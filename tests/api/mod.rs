//! The library's interface: what its types promise beyond what a search finds.

use urigrep::finder::DetachedFinding;
use urigrep::{Finder, Finding, Flag, Match, OwnedMatch, Reason, Uri, percent};

const TEXT: &str = "see <http://a.example/b-\n  c?d>, urn:isbn:0451450524, http://Bücher.example/é, http://{x}/ \
                    and ftp://joe:pw@a.example/%7e.";

fn owned(m: &Match<'_>) -> OwnedMatch {
    m.to_owned_match()
}

/// Every accessor of a match says the same once the match owns its text.
#[test]
fn an_owned_match_says_what_the_match_says() {
    fn static_and_send<T: Send + Sync + 'static>(value: T) -> T {
        value
    }
    let finder = Finder::new();
    let mut count = 0;
    for m in finder.find_iter(TEXT.as_bytes()) {
        let o = static_and_send(owned(&m));
        assert_eq!(
            (o.span(), o.start(), o.end(), o.range()),
            (m.span(), m.start(), m.end(), m.range())
        );
        assert_eq!((o.as_bytes(), o.text(), o.uri()), (m.as_bytes(), &*m.text(), &*m.uri()));
        assert_eq!((o.kind(), o.wrapper(), o.flags()), (m.kind(), m.wrapper(), m.flags()));
        assert_eq!((o.iri(), o.alternative(), o.ranges()), (m.iri(), m.alternative(), m.ranges()));
        assert_eq!((o.parsed(), o.urn(), o.nss_fault()), (m.parsed(), m.urn(), m.nss_fault()));
        assert_eq!((o.scheme(), o.nid(), o.normalized()), (m.scheme(), m.nid(), m.normalized()));
        assert_eq!((o.intended(), o.intended_bytes()), (m.intended(), m.intended_bytes()));
        let bytes = (m.uri_bytes(), m.scheme_bytes(), m.host_bytes());
        assert_eq!((o.uri_bytes(), o.scheme_bytes(), o.host_bytes()), bytes);
        let parsed = m.parsed();
        let host = parsed.host().map(str::as_bytes);
        assert_eq!(bytes, (parsed.as_str().as_bytes(), parsed.scheme().as_bytes(), host));
        let redacted = (o.redacted(), m.redacted());
        assert_eq!(
            redacted.0.map(|o| o.uri().to_owned()),
            redacted.1.map(|m| m.uri().into_owned())
        );
        assert_eq!(OwnedMatch::from(m).uri(), o.uri());
        count += 1;
    }
    assert_eq!(count, 4);
}

/// A detached finding is the same again in its own text, and harmless in any other.
#[test]
fn a_detached_finding_never_panics() {
    let finder = Finder::new();
    let detached: Vec<DetachedFinding> =
        finder.findings(TEXT.as_bytes()).map(Finding::detach).collect();
    assert_eq!(detached.len(), 5);
    for (finding, detached) in finder.findings(TEXT.as_bytes()).zip(detached) {
        assert_eq!(detached.span(), finding.span());
        for length in 0..TEXT.len() {
            touch(&detached.clone().attach(&TEXT.as_bytes()[..length]));
        }
        touch(&detached.clone().attach("é".repeat(TEXT.len()).as_bytes()));
        let same = detached.attach(TEXT.as_bytes());
        assert_eq!(format!("{same:?}"), format!("{finding:?}"));
        touch(&same);
    }
}

fn touch(finding: &Finding<'_>) {
    match finding {
        Finding::Match(m) => {
            assert!(!m.uri().is_empty() && !m.scheme().is_empty());
            let _ = (m.flags(), m.parsed().host(), m.text(), m.redacted());
        }
        Finding::Rejected(r) => {
            assert!(r.reason() != Reason::OtherText || r.at() == 0);
            let _ = (r.as_bytes(), r.redacted());
        }
        other => panic!("{other:?}"),
    }
}

/// `Debug` never shows the haystack, nor more than a line of the text.
#[test]
fn debug_is_short() {
    let text = format!("{} http://a.example/ {}", "x ".repeat(4000), "y ".repeat(4000));
    let m = Finder::new().find(text.as_bytes()).unwrap();
    let shown = r#"Match { span: 8001..8018, text: "http://a.example/", kind: Uri }"#;
    assert_eq!(format!("{m:?}"), shown);
    let long = format!("http://a.example/{}", "x".repeat(5000));
    let m = Finder::new().find(long.as_bytes()).unwrap();
    assert!(format!("{m:?}").len() < 200 && format!("{:?}", m.to_owned_match()).len() < 200);
    let finding = Finder::new().reference(b"../a").unwrap();
    let shown = r#"Relative(Relative { span: 0..4, text: "../a", kind: Uri })"#;
    assert_eq!(format!("{finding:?}"), shown);
}

/// What is built from parts parses back to them, and what was parsed is built again as it was.
mod edit {
    use proptest::prelude::*;
    use urigrep::edit::UriBuilder;
    use urigrep::percent::{PercentSet, decode, encode};
    use urigrep::{ErrorKind, Uri, UriBuf};

    fn encoded(set: PercentSet) -> impl Strategy<Value = String> {
        any::<String>().prop_map(move |text| encode(&text, set).into_owned())
    }

    #[test]
    fn triplets_that_are_none_stay() {
        assert_eq!(&*decode("a%2fb%C3%a9%%4%00%g0"), b"a/b\xC3\xA9%%4\0%g0");
    }

    proptest! {
        #[test]
        fn decoding_gives_back_what_was_encoded(bytes: Vec<u8>, set in prop::sample::select(PercentSet::ALL)) {
            let encoded = encode(&bytes, set);
            prop_assert!(encoded.is_ascii());
            prop_assert_eq!(&*decode(&encoded), &bytes[..]);
        }

        #[test]
        fn what_is_built_parses_to_its_parts(
            scheme in "[a-zA-Z][a-zA-Z0-9+.-]{0,5}",
            userinfo in prop::option::of(encoded(PercentSet::Userinfo)),
            host in prop_oneof![encoded(PercentSet::Host), Just("[::1]".to_owned()), Just(String::new())],
            port in prop::option::of("[0-9]{0,6}"),
            path in encoded(PercentSet::Path).prop_map(|path| if path.is_empty() { path } else { format!("/{path}") }),
            query in prop::option::of(encoded(PercentSet::Query)),
            fragment in prop::option::of(encoded(PercentSet::Fragment)),
        ) {
            let mut builder = UriBuilder::new(&scheme)?;
            builder
                .set_userinfo(userinfo.as_deref())?
                .set_host(&*host)?
                .set_port(port.as_deref())?
                .set_path(&path)?
                .set_query(query.as_deref())?
                .set_fragment(fragment.as_deref())?;
            let built = builder.build()?;
            let uri = built.as_uri();
            prop_assert_eq!(uri, Uri::parse(&built)?);
            prop_assert_eq!((uri.scheme(), uri.path()), (&*scheme, &*path));
            prop_assert_eq!((uri.userinfo(), uri.host()), (userinfo.as_deref(), Some(&*host)));
            prop_assert_eq!((uri.port(), uri.query()), (port.as_deref(), query.as_deref()));
            prop_assert_eq!(uri.fragment(), fragment.as_deref());
            prop_assert_eq!(built.edit().build()?, built);
        }

        /// Whatever is set, what is built is a URI with these parts, or an error.
        #[test]
        fn no_value_changes_another_component(
            start in "(http://u@h:1|urn:a)(/p)?(\\?q)?(#f)?", value in "[a:/?#@\\[\\]%0 é]{0,6}", which in 0..7_usize
        ) {
            let start = UriBuf::parse(start)?;
            let mut builder = start.edit();
            let set = match which {
                0 => builder.set_scheme(&value),
                1 => builder.set_userinfo(&*value),
                2 => builder.set_host(&*value),
                3 => builder.set_port(&*value),
                4 => builder.set_path(&value),
                5 => builder.set_query(&*value),
                _ => builder.set_fragment(&*value),
            };
            match set.map(|builder| builder.build()) {
                Err(error) => prop_assert!(error.offset() <= value.len()),
                Ok(Err(error)) => prop_assert!(matches!(
                    error.kind(),
                    ErrorKind::AuthorityWithoutHost | ErrorKind::RootlessPath | ErrorKind::PathSlashes
                )),
                Ok(Ok(built)) => {
                    let parts = |uri: &UriBuf| {
                        let uri = uri.as_uri();
                        [Some(uri.scheme()), uri.userinfo(), uri.host(), uri.port(), Some(uri.path()), uri.query(), uri.fragment()]
                            .map(|part| part.map(str::to_owned))
                    };
                    let mut expected = parts(&start);
                    expected[which] = Some(value);
                    prop_assert_eq!(parts(&built), expected);
                }
            }
        }

        #[test]
        fn pairs_come_back(pairs in prop::collection::vec(("[a-c&=+% é]{0,3}", any::<String>()), 1..5)) {
            let mut builder = UriBuilder::new("s")?;
            for (name, value) in &pairs {
                builder.append_pair(name, value);
            }
            let built = builder.build()?;
            let read: Vec<_> = built.as_uri().query_pairs()
                .map(|pair| (pair.decoded_name().into_owned(), pair.decoded_value().unwrap().into_owned()))
                .collect();
            prop_assert_eq!(&read, &pairs);
            let (name, _) = &pairs[0];
            builder.set_pair(name, "new").sort_pairs();
            prop_assert_eq!(builder.pairs().filter(|pair| pair.decoded_name() == **name).count(), 1);
            let names: Vec<_> = builder.pairs().map(|pair| pair.name()).collect();
            prop_assert!(names.is_sorted());
            builder.remove_pairs("*");
            prop_assert_eq!(builder.build()?, "s:");
        }
    }
}

/// In a haystack that is a `str`, every span ends on character boundaries.
mod str_offsets {
    use proptest::prelude::*;
    use urigrep::options::{Abbreviated, Detection, Email, Embedded, Refang, Rejoin};
    use urigrep::{Finder, Finding};

    proptest! {
        #[test]
        fn are_character_boundaries(
            text in "([ <>(\"'«“é漢\u{301}\u{200b}\n]|https?://|hxxp|www\\.|[.]|a@b\\.de|[a-zà-ö]{1,4}\\.(com|рф)|/ü|%C3|[?#&=:;,.!-]){0,16}",
            wide in any::<bool>(),
        ) {
            let builder = Finder::builder();
            let finder = if wide {
                builder
                    .abbreviated(Abbreviated::Report)
                    .email(Email::Report)
                    .embedded(Embedded::Report)
                    .refang(Refang::Read)
                    .rejoin(Rejoin::Always)
                    .build()
            } else {
                builder.detection(Detection::Uts58).build()
            };
            for finding in finder.findings(text.as_bytes()) {
                let span = finding.span();
                prop_assert!(text.get(span.range()).is_some(), "{:?} {:?}", finding, text);
                if let Finding::Match(m) = finding {
                    prop_assert!(m.ranges().iter().all(|range| text.get(range.range()).is_some()));
                }
            }
        }
    }
}

/// A scheme of one's own is found where the built in ones are, by every way of searching.
#[test]
fn recognizers_of_ones_own() {
    let number = |text: &[u8]| {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (digits > 0).then_some(digits)
    };
    let build = || Finder::builder().recognizer("Bug", number).unwrap();
    let text = b"bug:12, BUG:345abc <bug:6> \"bug:7\" bug:x debug:9 std::bug::1 bug: 8 bug:10,bug:11 http://a.example/bug:1";
    let found = |finder: &Finder| -> Vec<String> {
        finder.find_iter(text).map(|m| m.uri().into_owned()).collect()
    };
    let expected =
        ["bug:12", "BUG:345", "bug:6", "bug:7", "bug:10", "bug:11", "http://a.example/bug:1"];
    assert_eq!(found(&build().build()), expected);
    let known = urigrep::options::Schemes::Known;
    assert_eq!(found(&build().schemes(known).build()), expected);
    assert_eq!(Finder::new().find_iter(text).count(), 1);
    for bad in ["", "b", "1a", "a b", "é"] {
        assert!(Finder::builder().recognizer(bad, number).is_err(), "{bad}");
    }
    // The last one counts, and one of one's own replaces the one that is built in.
    let none = |_: &[u8]| None;
    assert_eq!(found(&build().recognizer("bug", none).unwrap().build()).len(), 1);
    let finder = Finder::builder().recognizer("tel", none).unwrap().build();
    assert!(!finder.is_match(b"tel:+1-816-555-1212"));
}

mod line_index {
    use proptest::prelude::*;
    use urigrep::LineIndex;

    proptest! {
        /// As a loop over the bytes counts.
        #[test]
        fn equals_naive(text in "[aé\r\n]{0,40}", broken in any::<bool>()) {
            let mut bytes = text.into_bytes();
            if broken {
                bytes.push(0xFF);
            }
            let index = LineIndex::new(&bytes);
            let (mut line, mut column) = (1, 1);
            for (at, &byte) in bytes.iter().enumerate() {
                let position = index.position(at);
                prop_assert_eq!((position.line(), position.column()), (line, column));
                let range = index.range(line).unwrap();
                prop_assert!(at + 1 - column == range.start);
                (line, column) = if byte == b'\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            prop_assert_eq!(index.len(), line);
            prop_assert_eq!(index.position(usize::MAX).line(), line);
            let lines: Vec<_> = (1..=index.len()).map(|line| index.text(line).unwrap()).collect();
            let naive: Vec<_> = bytes.split(|&byte| byte == b'\n').collect();
            let last = naive.len() - 1;
            let naive: Vec<_> = naive.iter().enumerate()
                .map(|(at, line)| if at < last { line.strip_suffix(b"\r").unwrap_or(line) } else { line })
                .collect();
            prop_assert_eq!(lines, naive);
        }
    }

    #[test]
    fn characters_of_broken_text() {
        let text = b"a\xC3\xA9\xFF\xE2\x82";
        assert_eq!(LineIndex::new(text).position(text.len()).character(), 5);
        assert_eq!(LineIndex::new(b"a").range(0), None);
    }
}

mod glob {
    use proptest::prelude::*;
    use urigrep::UriBuf;

    fn naive(pattern: &[char], text: &[char]) -> bool {
        match pattern {
            [] => text.is_empty(),
            ['*', rest @ ..] => (0..=text.len()).any(|at| naive(rest, &text[at..])),
            ['?', rest @ ..] => !text.is_empty() && naive(rest, &text[1..]),
            [c, rest @ ..] => text.first() == Some(c) && naive(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn equals_naive(glob in "[ab*?é]{0,8}", name in "[abé]{0,8}") {
            let uri = UriBuf::parse("s:").unwrap().edit().append_pair(&name, "").build().unwrap();
            let removed = uri.edit().remove_pairs(&glob).build().unwrap() == "s:";
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(removed, naive(&chars(&glob), &chars(&name)));
        }
    }
}

#[test]
fn scripts_of_labels() {
    let is_mixed = |label: &str| {
        let host = percent::encode(label, percent::PercentSet::Host);
        Uri::parse(&format!("http://{host}/")).unwrap().flags().contains(Flag::MixedScriptHost)
    };
    for label in
        ["abc", "пример", "例え", "ひらカナ漢字abc", "한국韓國k", "ㄅ注音a", "a-1", "١٢", ""]
    {
        assert!(!is_mixed(label), "{label}");
    }
    for label in ["pаypal", "αbc", "ひ한", "ㄅひ", "пα", "aא"] {
        assert!(is_mixed(label), "{label}");
    }
}

/// Every place of the crate where `unsafe` is allowed is in SECURITY.md, and no other.
#[test]
fn unsafe_code_is_where_security_says() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let security = std::fs::read_to_string(root.join("SECURITY.md")).expect("SECURITY.md");
    let (mut folders, mut places) = (vec![root.join("src")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path)
                .is_ok_and(|code| code.contains("allow(unsafe_code)"))
            {
                let path =
                    path.strip_prefix(root).expect("below it").to_string_lossy().into_owned();
                places.push(path.trim_end_matches("/mod.rs").to_owned());
            }
        }
    }
    assert_eq!(places.len(), 4, "{places:?}");
    assert!(places.iter().all(|place| security.contains(place)), "{places:?}");
}
