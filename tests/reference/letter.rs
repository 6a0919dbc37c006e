//! The letter of the standards: their string replacements, as they are written there.

use std::time::Duration;

use proptest::prelude::*;
use urigrep::reference::{Resolution, compare};
use urigrep::{Uri, UriRef, normalize, resolve};

use super::strings;
use crate::cases::cases;
use crate::timing::time;

/// RFC 3986 §5.2.4, with its input and output buffers.
fn remove_dot_segments(path: &str) -> String {
    let mut input = path.to_owned();
    let mut output = String::new();
    let up = |output: &mut String| {
        let end = output.rfind('/').unwrap_or(0);
        output.truncate(end);
    };
    while !input.is_empty() {
        if let Some(rest) = input.strip_prefix("../").or(input.strip_prefix("./")) {
            input = rest.to_owned();
        } else if let Some(rest) = input.strip_prefix("/./") {
            input = format!("/{rest}");
        } else if input == "/." {
            input = "/".to_owned();
        } else if let Some(rest) = input.strip_prefix("/../") {
            input = format!("/{rest}");
            up(&mut output);
        } else if input == "/.." {
            input = "/".to_owned();
            up(&mut output);
        } else if input == "." || input == ".." {
            input.clear();
        } else {
            let end = input[1..].find('/').map_or(input.len(), |at| at + 1);
            output.push_str(&input[..end]);
            input.drain(..end);
        }
    }
    output
}

/// RFC 3986 §5.2.2 and §5.2.3.
fn rfc3986(base: Uri<'_>, r: UriRef<'_>) -> String {
    let merge = || match base.path().rfind('/') {
        Some(slash) => format!("{}{}", &base.path()[..=slash], r.path()),
        None if base.authority().is_some() && base.path().is_empty() => format!("/{}", r.path()),
        None => r.path().to_owned(),
    };
    let (authority, path, query);
    if r.scheme().is_some() || r.authority().is_some() {
        authority = r.authority();
        path = remove_dot_segments(r.path());
        query = r.query();
    } else {
        authority = base.authority();
        if r.path().is_empty() {
            path = base.path().to_owned();
            query = r.query().or(base.query());
        } else {
            let is_absolute = r.path().starts_with('/');
            path = remove_dot_segments(&if is_absolute { r.path().to_owned() } else { merge() });
            query = r.query();
        }
    }
    let scheme = r.scheme().unwrap_or(base.scheme());
    compose(scheme, authority, &path, query, r.fragment())
}

/// S3 §5.2 and S4 §5.2, steps "All occurrences of" and "ends with", on a buffer.
fn patterns(buffer: &str) -> String {
    let mut segments: Vec<&str> = buffer.split('/').collect();
    // The root, which is no segment.
    let rooted = segments.len() > 1 && segments[0].is_empty();
    if rooted {
        segments.remove(0);
    }
    let last = segments.len() - 1;
    let mut at = 0;
    segments.retain(|&segment| {
        at += 1;
        segment != "." || at - 1 == last
    });
    if segments.last() == Some(&".") {
        *segments.last_mut().unwrap() = "";
    }
    // A leading `./` may have hidden the root.
    let floor =
        |segments: &[&str]| usize::from(!rooted && segments[0].is_empty() && segments.len() > 1);
    while let Some(at) = (floor(&segments)..segments.len().saturating_sub(2))
        .find(|&at| segments[at] != ".." && segments[at + 1] == "..")
    {
        segments.drain(at..at + 2);
    }
    if let [.., segment, ".."] = segments[floor(&segments)..]
        && segment != ".."
    {
        segments.truncate(segments.len() - 2);
        segments.push("");
    }
    format!("{}{}", if rooted { "/" } else { "" }, segments.join("/"))
}

/// S3 §5.2 for validating parsers, and S4 §5.2; `None` for the current document.
fn older(s4: bool, base: Uri<'_>, r: UriRef<'_>) -> Option<String> {
    let (mut authority, mut path, mut query) = (r.authority(), r.path().to_owned(), r.query());
    let buffer;
    if r.scheme().is_none() && authority.is_none() {
        if path.is_empty() && query.is_none() {
            return None;
        }
        authority = base.authority();
        if path.is_empty() && !s4 {
            path = base.path().to_owned();
        } else if !path.starts_with('/') {
            let end = base.path().rfind('/').map_or(0, |slash| slash + 1);
            // The slash that S4 forgets.
            let slash = base.path().is_empty() && (!s4 || authority.is_some());
            let directory = if slash { "/" } else { &base.path()[..end] };
            if s4 {
                let own = query.map(|query| format!("?{query}")).unwrap_or_default();
                buffer = patterns(&format!("{directory}{path}{own}"));
                let (new_path, new_query) = match buffer.split_once('?') {
                    Some((path, query)) => (path, Some(query)),
                    None => (buffer.as_str(), None),
                };
                (path, query) = (new_path.to_owned(), new_query);
            } else {
                path = patterns(&format!("{directory}{path}"));
            }
        }
    }
    let scheme = r.scheme().unwrap_or(base.scheme());
    Some(compose(scheme, authority, &path, query, r.fragment()))
}

/// S5 "Partial form": `/xxx/..` and `/.` are removed.
fn partial_form(base: Uri<'_>, r: UriRef<'_>) -> String {
    let (mut authority, mut path) = (r.authority(), r.path().to_owned());
    if r.scheme().is_none() && authority.is_none() {
        authority = base.authority();
        if !path.starts_with('/') {
            let end = base.path().rfind('/').map_or(0, |slash| slash + 1);
            // The slash that S5 forgets.
            let slash = base.path().is_empty() && authority.is_some();
            let directory = if slash { "/" } else { &base.path()[..end] };
            let buffer = format!("{directory}{path}");
            let mut elements: Vec<&str> = buffer.split('/').collect();
            let first = elements.remove(0);
            elements.retain(|&element| element != ".");
            while let Some(at) =
                (1..elements.len()).find(|&at| elements[at - 1] != ".." && elements[at] == "..")
            {
                elements.drain(at - 1..=at);
            }
            path = first.to_owned();
            for element in elements {
                path += &format!("/{element}");
            }
        }
    }
    let scheme = r.scheme().unwrap_or(base.scheme());
    compose(scheme, authority, &path, r.query(), r.fragment())
}

/// RFC 3986 §5.3, and what §3.3 asks for.
fn compose(
    scheme: &str,
    authority: Option<&str>,
    path: &str,
    query: Option<&str>,
    fragment: Option<&str>,
) -> String {
    let mut out = format!("{scheme}:");
    match authority {
        Some(authority) => out += &format!("//{authority}"),
        None if path.starts_with("//") => out += "/.",
        None => {}
    }
    out += path;
    for (mark, component) in [('?', query), ('#', fragment)] {
        if let Some(component) = component {
            out.push(mark);
            out += component;
        }
    }
    out
}

/// Parses both; `None` when one is none.
fn parsed<'a>(base: &'a str, reference: &'a str) -> Option<(Uri<'a>, UriRef<'a>)> {
    Some((Uri::parse(base).ok()?, UriRef::parse(reference).ok()?))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn resolving_is_the_letter_of_rfc3986(base in strings::uri(), reference in strings::reference()) {
        let Some((base, r)) = parsed(&base, &reference) else { return Ok(()) };
        prop_assert_eq!(resolve(base, r), rfc3986(base, r));
    }

    #[test]
    fn removing_dots_is_the_letter_of_rfc3986(path in strings::bare_path()) {
        let text = format!("s:{path}");
        let Ok(reference) = UriRef::parse(&text) else { return Ok(()) };
        if reference.authority().is_some() {
            return Ok(());
        }
        let base = Uri::parse("t:").unwrap();
        let want = compose("s", None, &remove_dot_segments(&path), None, None);
        prop_assert_eq!(resolve(base, reference), want);
    }

    #[test]
    fn older_algorithms_are_their_letter(base in strings::uri(), reference in strings::reference()) {
        let Some((base, r)) = parsed(&base, &reference) else { return Ok(()) };
        for (by, s4) in [(Resolution::Rfc2396bis01, false), (Resolution::UrlSyntax05, true)] {
            let target = by.resolve(base, r);
            let want = older(s4, base, r);
            prop_assert_eq!(target.uri(), want.as_deref(), "{}", by);
        }
        let target = Resolution::Url1993.resolve(base, r);
        prop_assert_eq!(target.uri(), Some(&*partial_form(base, r)));
    }

    #[test]
    fn targets_are_what_was_meant(base in strings::uri(), reference in strings::reference()) {
        let Some((base, r)) = parsed(&base, &reference) else { return Ok(()) };
        for &by in Resolution::ALL {
            let target = by.resolve(base, r);
            let Some(text) = target.uri() else { continue };
            let target = Uri::parse(text);
            prop_assert!(target.is_ok(), "{}: {}", by, text);
            let target = target.unwrap();
            let own = r.scheme().is_some_and(|scheme| {
                !(by.name().ends_with("-lenient") && scheme.eq_ignore_ascii_case(base.scheme()))
            }) || r.authority().is_some();
            let authority = if own { r.authority() } else { base.authority() };
            prop_assert_eq!(target.authority(), authority, "{}: {}", by, text);
            prop_assert_eq!(target.fragment(), r.fragment(), "{}: {}", by, text);
            // Whoever resolves it again comes to the same; a path of the base is not looked at.
            let written = own || !r.path().is_empty();
            if by == Resolution::Rfc3986 && written && target.path().starts_with('/') {
                prop_assert_eq!(resolve(base, UriRef::from(target)), text);
            }
        }
    }
}

/// Much of what makes string replacement quadratic; that would take a minute for each text.
#[test]
fn many_dots_are_linear() {
    const SIZE: usize = 1 << 18;
    let base = Uri::parse("http://a/b/c/d;p?q").unwrap();
    let shapes = [
        ("", "/.."),
        ("", "a/../"),
        ("", "../"),
        ("", "./"),
        ("", "/."),
        ("", "//.."),
        ("/", "a/"),
        ("s:", "a/../"),
        ("s:/", "/.."),
        ("?", "/../"),
        ("g?", "a/../"),
        ("", "%2E%2E/"),
    ];
    for (head, unit) in shapes {
        let body = unit.repeat(SIZE / unit.len());
        for text in [
            format!("{head}{body}"),
            format!("{head}{body}/.."),
            format!("{head}{}{}", "a/".repeat(SIZE / 4), "../".repeat(SIZE / 4)),
        ] {
            let reference = UriRef::parse(&text).unwrap();
            let long = format!("http://a/{body}");
            let other = format!("http://a/{body}x");
            let (long_uri, other) = (Uri::parse(&long).unwrap(), Uri::parse(&other).unwrap());
            let ((), taken) = time(|| {
                std::hint::black_box(normalize(long_uri));
                assert!(compare(long_uri, other).is_err());
                for &by in Resolution::ALL {
                    std::hint::black_box(by.resolve(base, reference));
                    std::hint::black_box(by.resolve(long_uri, reference));
                }
            });
            assert!(taken < Duration::from_secs(10), "{head}{unit}…: {taken:?}");
        }
    }
    assert_eq!(resolve(base, UriRef::parse(&"/..".repeat(SIZE / 3)).unwrap()), "http://a/");
    let up = "a/../".repeat(SIZE / 5);
    assert_eq!(resolve(base, UriRef::parse(&up).unwrap()), "http://a/b/c/");
}
