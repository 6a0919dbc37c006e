//! What people do with ripgrep by heart: context, lists of files, types, counts, negation, and what
//! they are told.

use std::fs;

use crate::support::pack::{Zipped, gzip, zip};
use crate::support::{Dir, pipe};

const LOG: &str =
    "one\ntwo http://a.example/1 x\nthree\nfour\nfive\nsix http://b.example/2\nseven\n";

#[test]
fn lines_around_a_match() {
    let dir = Dir::new();
    dir.file("log", LOG);
    for (args, expected) in [
        (
            &["-A1", "log"][..],
            "two http://a.example/1 x\nthree\n--\nsix http://b.example/2\nseven\n",
        ),
        (&["-B1", "log"], "one\ntwo http://a.example/1 x\n--\nfive\nsix http://b.example/2\n"),
        (&["-n", "-C1", "-e", "b.example", "log"], "5-five\n6:six http://b.example/2\n7-seven\n"),
        (
            &["-H", "-n", "-C1", "-m1", "log"],
            "log-1-one\nlog:2:two http://a.example/1 x\nlog-3-three\n",
        ),
        (&["-C0", "log"], "two http://a.example/1 x\nsix http://b.example/2\n"),
        (&["-C9", "log"], LOG),
        (&["--passthru", "log"], LOG),
        (&["--passthru", "-e", "nothing", "log"], LOG),
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.out(), expected, "{args:?}");
        // The same of standard input.
        let args: Vec<&str> = args.iter().copied().filter(|&arg| arg != "log").collect();
        let expected = expected.replace("log-", "<stdin>-").replace("log:", "<stdin>:");
        assert_eq!(pipe(&args, LOG).out(), expected, "{args:?}");
    }
    let ran = dir.run(["--passthru", "--color=always", "log"]);
    assert!(
        ran.out().contains("two \u{1b}[1m\u{1b}[31mhttp://a.example/1\u{1b}[0m x\n"),
        "{ran:?}"
    );
    for args in [
        &["-C1", "--json"][..],
        &["--passthru", "--redact"],
        &["-A1", "--unique"],
        &["-r", "x", "-B1"],
    ] {
        let ran = pipe(args, LOG);
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains("cannot be combined"), "{ran:?}");
    }
    // A URI over two lines is one of the first.
    pipe(["-C1"], "a\n<http://a.example/\n b> c\nd\ne\n").is(0, "a\n<http://a.example/\n b> c\n");
}

#[test]
fn lines_of_utf_16_are_decoded() {
    let dir = Dir::new();
    // U+0A0A and U+0A00 have bytes of line feeds that are none
    let text =
        "\u{FEFF}one \u{A0A}\u{A00}\ntwo \u{E9} http://a.example/1 x\r\nthree \u{1F600}\nfour\n";
    let units = || text.encode_utf16();
    dir.file("little", units().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    dir.file("big", units().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
    for name in ["little", "big"] {
        let expected =
            "1-one \u{A0A}\u{A00}\n2:two \u{E9} http://a.example/1 x\n3-three \u{1F600}\n";
        assert_eq!(dir.run(["-n", "-C1", name]).out(), expected, "{name}");
        assert_eq!(pipe(["-n", "-C1"], fs::read(dir.join(name)).expect("a file")).out(), expected);
        let colored = dir.run(["-A0", "--color=always", name]);
        let expected = "\u{E9} \u{1b}[1m\u{1b}[31mhttp://a.example/1\u{1b}[0m x\n";
        assert!(colored.out().contains(expected), "{colored:?}");
        // half a unit at the end
        let mut odd = fs::read(dir.join(name)).expect("a file");
        odd.push(b'\n');
        dir.file("odd", odd);
        assert!(dir.run(["--passthru", "odd"]).out().starts_with("one "), "{name}");
    }
}

#[test]
fn large_files_and_long_pipes_keep_their_lines() {
    let dir = Dir::new();
    let mut text = String::new();
    for number in 0..60_000 {
        text += &format!("line {number}");
        text += if number % 1000 == 999 { " http://a.example/x\n" } else { "\n" };
    }
    dir.file("log", &text);
    let named = dir.run(["-n", "-C2", "log"]);
    assert_eq!(named.out().lines().count(), 60 * 6 - 1 - 2);
    assert!(pipe(["-n", "-C2"], &text).stdout == named.stdout);
    assert!(pipe(["--passthru"], &text).out() == text);
    // One long line, and then another one: work and memory are bounded, and no byte is lost.
    let long = format!("{} http://a.example/ {}\nnext\n", "x".repeat(9 << 20), "y".repeat(1 << 20));
    let ran = pipe(["-A1"], &long);
    let lines: Vec<&str> = ran.out().lines().collect();
    assert!(lines.iter().any(|line| line.contains("http://a.example/")));
    assert!(lines.iter().all(|line| line.len() <= 1 << 20));
    assert!(pipe(["--passthru"], &long).out().replace('\n', "") == long.replace('\n', ""));
}

#[test]
fn compressed_files_and_archives_have_lines() {
    let dir = Dir::new();
    dir.file("log.gz", gzip(LOG.as_bytes()));
    let members =
        [("a/log", LOG.as_bytes(), Zipped::Deflated), ("b", b"x\nftp://b/\n", Zipped::Stored)];
    dir.file("logs.zip", zip(members));
    dir.run(["-n", "-A1", "-m1", "log.gz"]).is(0, "2:two http://a.example/1 x\n3-three\n");
    dir.run(["-B1", "-e", "^ftp", "logs.zip"]).is(0, "logs.zip!/b-1-x\nlogs.zip!/b:2:ftp://b/\n");
    pipe(["-C0", "-e", "a.example"], fs::read(dir.join("log.gz")).expect("a file"))
        .is(0, "two http://a.example/1 x\n");
}

/// A page of a PDF has no lines, and its matches must not vanish for that.
#[cfg(feature = "pdf")]
#[test]
fn matches_without_lines_are_printed() {
    const PDF: &str = "%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/Annots[<</Rect[0 0 1 1]/A<</S/URI/URI(http://a.dev/pdf)>>>>]>> endobj
trailer <</Root 1 0 R>>
";
    let dir = Dir::new();
    dir.file("a.pdf", PDF);
    dir.file("b.txt", "one\nhttp://a.dev/text\n");
    for flag in ["-C1", "-A0", "--passthru"] {
        let ran = dir.run([flag, "a.pdf"]);
        assert_eq!((ran.status, ran.out()), (Some(0), "http://a.dev/pdf\n"), "{flag}");
    }
    let ran = dir.run(["-C1", "--sort", "path", "a.pdf", "b.txt"]);
    let expected = "a.pdf:page 1:http://a.dev/pdf\nb.txt-1-one\nb.txt:2:http://a.dev/text\n";
    assert_eq!(ran.out(), expected);
}

#[test]
fn files_are_listed_and_taken_from_lists() {
    let dir = Dir::new();
    dir.file("a.md", "http://a.example/");
    dir.file("b c.txt", "http://b.example/");
    dir.file("d/e.note", "http://e.example/");
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(dir.run(["--files"]).out()), ["a.md", "b c.txt", "d/e.note"]);
    assert_eq!(sorted(dir.run(["--files", "-t", "markdown"]).out()), ["a.md"]);
    assert_eq!(dir.run(["--files", "-0", "a.md"]).out(), "a.md\0");
    assert_eq!(dir.run(["--files", "-t", "rust"]).status, Some(1));
    dir.file("list", "a.md\r\n\nb c.txt\nno/such\n");
    let ran = dir.run(["-In", "--files-from", "list", "--sort", "path"]);
    assert_eq!(sorted(ran.out()), ["1:http://a.example/", "1:http://b.example/"]);
    assert!(ran.stderr.contains("no/such: "), "{ran:?}");
    fs::write(dir.path().join("list"), "a.md\0b c.txt\0").unwrap();
    let ran = dir.run(["-IN", "-0", "--files-from", "list", "--sort", "path"]);
    assert_eq!(ran.out(), "http://a.example/\0http://b.example/\0");
    fs::write(dir.path().join("list"), "").unwrap();
    assert_eq!(dir.run(["--files-from", "list"]).status, Some(1));
    // As programs of Windows write lists: of UTF-16, each character was a path, and `/` one, too.
    let utf_16: Vec<u8> =
        "\u{feff}./a.md\r\n./b c.txt\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for list in [&utf_16[..], "\u{feff}./a.md\r\n./b c.txt\r\n".as_bytes()] {
        dir.file("list", list);
        let ran = dir.run(["-In", "--files-from", "list", "--sort", "path"]);
        assert_eq!(ran.out(), "1:http://a.example/\n1:http://b.example/\n", "{ran:?}");
        assert_eq!(ran.status, Some(0));
    }
    dir.file("list", &utf_16[2..]);
    let ran = dir.run(["--files-from", "list"]);
    assert!(ran.stderr.contains("UTF-16 without a byte order mark"), "{ran:?}");
    assert!(dir.run(["--files-from", "no/list"]).stderr.contains("--files-from: no/list: "));
    let note = ["-IN", "-t", "note", "--type-add", "note:*.note"];
    assert_eq!(dir.run(note).out(), "http://e.example/\n");
    assert!(dir.run(["--type-list", "--type-add", "note:*.note"]).out().contains("note: *.note\n"));
    let ran = dir.run(["--type-add", "note"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}

#[test]
fn programs_before_the_search() {
    if !crate::support::has("tr") || !crate::support::has("sh") {
        return;
    }
    let dir = Dir::new();
    dir.file("a.rot", "uggc://n.rknzcyr/");
    dir.file("b.txt", "http://b.example/");
    dir.file("rot", "#!/bin/sh\ntr a-z n-za-m < \"$1\"\n");
    dir.file("bad", "#!/bin/sh\necho http://c.example/\necho went wrong >&2\nexit 3\n");
    use std::os::unix::fs::PermissionsExt;
    for program in ["rot", "bad"] {
        let path = dir.path().join(program);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let ran = dir.run(["-IN", "--sort=path", "--pre=./rot", "--pre-glob=*.rot", "a.rot", "b.txt"]);
    ran.is(0, "http://a.example/\nhttp://b.example/\n");
    let ran = dir.run(["--pre=./bad", "b.txt"]);
    assert_eq!((ran.status, ran.out()), (Some(2), "http://c.example/\n"));
    assert_eq!(ran.stderr, "urigrep: b.txt: ./bad: went wrong\n");
    assert!(dir.run(["--pre=no/program", "b.txt"]).stderr.contains("no/program: "));
    let ran = dir.run(["--no-messages", "--pre=./bad", "b.txt"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(2), ""));
}

#[test]
fn matches_are_counted_by_their_parts() {
    let text = "http://www.a.example/1 https://b.a.example/2 urn:isbn:0451450523 http://WWW.A.example/3 \
                http://x.co.uk http://127.0.0.1/ urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
    for (by, expected) in [
        ("host", "2 www.a.example\n1 127.0.0.1\n1 b.a.example\n1 x.co.uk\n"),
        ("domain", "3 a.example\n1 127.0.0.1\n1 x.co.uk\n"),
        ("scheme", "4 http\n2 urn\n1 https\n"),
        ("nid", "1 isbn\n1 uuid\n"),
        ("tld", "3 example\n1 uk\n"),
        ("file", "7 <stdin>\n"),
        ("message", ""),
    ] {
        assert_eq!(pipe(["--count-by", by], text).out(), expected, "{by}");
    }
    pipe(["--count-by=host", "--top=1", "--format=csv"], text)
        .is(0, "count,host\n2,www.a.example\n");
    let one = "{\"type\":\"count\",\"by\":\"scheme\",\"value\":\"http\",\"count\":4}\n";
    pipe(["--count-by=scheme", "--top=1", "--json"], text).is(0, one);
    let ran = pipe(["--count-by=host", "--format=sarif"], text);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}

#[test]
fn relative_references_of_two_documents_are_two() {
    let dir = Dir::new();
    dir.file("a.md", "[x](c.md) [y](c.md)");
    dir.file("b.md", "[x](c.md)");
    dir.run(["--unique", "-N"]).is(0, "a.md:c.md\nb.md:c.md\n");
    dir.run(["--top=9"]).is(0, "2 c.md (a.md)\n1 c.md (b.md)\n");
    dir.run(["--top=9", "--resolve", "--base=http://a.example/x/"])
        .is(0, "3 http://a.example/x/c.md\n");
    assert!(dir.run(["--stats", "-c"]).out().contains("2 different URIs\n"));
}

#[test]
fn what_is_left_out() {
    let text = "http://a.example/ https://www.b.example/ urn:isbn:0451450523 urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6 mailto:jo@a.example";
    for (args, expected) in [
        (&["--scheme=!http,!urn"][..], "https://www.b.example/\nmailto:jo@a.example\n"),
        (&["--scheme=urn", "--nid=!uuid"], "urn:isbn:0451450523\n"),
        (&["--host=!*.b.example", "--kind=!urn"], "http://a.example/\nmailto:jo@a.example\n"),
        (&["--domain=b.example"], "https://www.b.example/\n"),
        (&["--domain=!b.example,!a.example", "--kind=uri"], "mailto:jo@a.example\n"),
        (&["--domain=EXAMPLE", "--domain=!b.example"], "http://a.example/\n"),
    ] {
        assert_eq!(pipe(args, text).out(), expected, "{args:?}");
    }
    // A name that ends alike is another.
    pipe(["--domain=example"], "http://example http://myexample").is(0, "http://example\n");
    pipe(["--domain=b\u{fc}cher.example"], "http://www.b\u{fc}cher.example/")
        .is(0, "http://www.b\u{fc}cher.example/\n");
}

#[test]
fn hosts_in_other_spellings_are_selected() {
    // Long enough that the search leaps over lines without the name.
    let other = "http://other.example/p some words that fill the line\n".repeat(200);
    let spellings = [
        "http://%65vil.dev/",
        "http://evil.dev./",
        "http://EVI%4C%2edev/",
        "http://%45VIL.dev/",
        // A browser decodes triplets before it maps the name by UTS #46.
        "http://%EF%BD%85vil.dev/",
        "http://ev%C2%ADil.dev/",
        "http://evil%E3%80%82dev/",
        "http://bank.com;@evil.dev/",
        "http://bank.com'@evil.dev/",
    ];
    for args in ["--host=evil.dev", "--host=*.dev", "--domain=evil.dev", "--domain=evil.dev,b.dev"]
    {
        for spelling in spellings {
            let text = format!("{other}{spelling}\n{other}");
            // The glob matches the final dot of no other name.
            pipe([args], text).is(0, &format!("{spelling}\n"));
        }
    }
    let addresses = [
        ("127.0.0.1", "http://2130706433/ http://0x7f.1/ http://0177.0.0.1./ http://127.1/"),
        ("2001:db8::1", "http://[2001:DB8:0:0:0:0:0:1]/ http://[2001:db8::0001]/"),
        ("[2001:0db8::1]", "http://[2001:DB8:0:0:0:0:0:1]/ http://[2001:db8::0001]/"),
    ];
    for (address, spellings) in addresses {
        let expected = spellings.replace(' ', "\n") + "\n";
        let text = format!("{other}{expected}{other}");
        pipe([format!("--host={address}")], text).is(0, &expected);
    }
}

#[test]
fn selections_that_match_nothing_say_why() {
    for (args, reason) in [
        (&["--kind=email"][..], "needs --email"),
        (&["--kind=abbreviated"], "needs --abbreviated"),
        (&["--kind=lax", "--strict"], "--strict"),
        (&["--kind=iri", "--ascii"], "--ascii"),
        (&["--kind=urn", "--scheme=http"], "`urn`"),
        (&["--nid=isbn", "--scheme=http"], "--nid selects URNs"),
        (&["--nid=isbn", "--kind=uri"], "--nid selects URNs"),
        (&["--nid=isbn", "--host=x"], "no host"),
        (&["--scheme=http,!http"], "excludes everything"),
        (&["--domain=a.example", "--kind=urn"], "no host"),
        (&["--known-schemes", "--scheme=nosuch"], "nosuch"),
        (&["--host=http://a.example/"], "a host does not contain `/`"),
        (&["--host=a.example:80"], "the port"),
        (&["--domain=*.a.*"], "for globs, use --host"),
    ] {
        let ran = pipe(args, "http://a.example/");
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(reason), "{args:?}: {}", ran.stderr);
    }
    pipe(
        ["--email", "--kind=email"],
        "Message-ID: <abc123@mail.example>\nReferences: <q@r.example>\njo@a.example\n",
    )
    .is(0, "mailto:jo@a.example\n");
}

#[test]
fn templates_in_place_of_matches() {
    pipe(["-n", "-r", "{scheme} of {host}"], "\nhttp://a.example/").is(0, "2:http of a.example\n");
    let ran = pipe(["-r", "$1"], "");
    assert!(ran.stderr.contains("{uri}"), "{ran:?}");
    let mail = "From: jo@a.example\nSubject: hi\nMessage-ID: <1@x.example>\nDate: Wed, 02 Mar 2005 23:56:19 +0000\n\nhttp://a.example/\n";
    pipe(["--template", "{date} {from} {subject} {message_id}"], mail)
        .is(0, "2005-03-02T23:56:19+00:00 jo@a.example hi 1@x.example\n");
    let csv = pipe(["--format=csv"], mail);
    assert!(csv.out().lines().next().unwrap().contains(",message_id,date,from,subject,"));
    assert!(csv.out().contains(",jo@a.example,hi,"), "{csv:?}");
}

#[test]
fn slips_and_foreign_flags_are_told() {
    for (args, advice) in [
        (&["--csv"][..], "--format csv"),
        (&["--online"], "urigrep audit"),
        (&["--output", "x"], "> FILE"),
        (&["-P"], "-e"),
        (&["--sortr", "path"], "--sort path"),
        (&["--line-bufered"], "did you mean `--line-buffered`?"),
        (&["--no-such-thing"], "`urigrep --help`"),
        (&["adit", "no-docs"], "did you mean `urigrep audit`?"),
        (&["check"], "did you mean `urigrep audit`?"),
        (&["fix", "."], "did you mean `urigrep audit --fix`?"),
        // The directory of the test has URIs; none is printed.
        (&["share", "."], "did you mean `urigrep replace --redact`?"),
        (&["find", "."], "did you mean `urigrep PATH`?"),
    ] {
        let ran = pipe(args, "");
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(advice), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("to pass"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn helps() {
    let short = pipe(["-h"], "");
    assert!(short.status == Some(0) && short.out().lines().count() <= 45);
    let long = pipe(["--help"], "");
    assert!(long.out().lines().count() > 200);
    for line in long.out().lines() {
        let text = line.trim();
        // Only lists have gaps.
        let is_listed =
            line.len() - text.len() < 12 && (text.starts_with("- ") || line.starts_with("  "));
        assert!(!text.contains("          ") || is_listed, "{line:?}");
    }
    for verb in ["parse", "resolve", "normalize", "compare", "registry", "audit"] {
        let ran = pipe([verb, "-h"], "");
        assert!(ran.status == Some(0) && ran.out().contains(verb), "{ran:?}");
    }
    let one = pipe(["--stats"], "http://a.example/");
    assert!(one.out().contains("\n 1 match\n 1 different URI\n 1 file with matches\n"), "{one:?}");
}

#[test]
fn context_of_any_size() {
    let most = u64::MAX.to_string();
    for flags in [&["-C", &most][..], &["-A", &most, "-B", &most], &["-B", &most]] {
        let ran = pipe(flags.iter().copied(), "a\nhttp://a.example/\nb\n");
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        assert!(ran.out().starts_with("a\nhttp"), "{}", ran.out());
    }
}
