//! Counts, lists, and formats go together; and every field of JSON can be selected by.

use crate::support::{Dir, pipe};

fn tree() -> Dir {
    let dir = Dir::new();
    dir.file("a.md", "[x](http://u:p@a.example:8080/p) http://a.example/p http://a.example/p\n")
        .file("b.txt", "http://b.example/p http://a.example/p ftp://192.0.2.1/\n");
    dir
}

#[test]
fn counts_and_lists_in_every_format() {
    let dir = tree();
    let run = |args: &[&str]| dir.run(["--sort=path"].iter().chain(args));
    run(&["-c", "--json"]).is(
        0,
        "{\"type\":\"count\",\"by\":\"file\",\"value\":\"a.md\",\"count\":3}\n\
         {\"type\":\"count\",\"by\":\"file\",\"value\":\"b.txt\",\"count\":3}\n",
    );
    run(&["-c", "--format=csv"]).is(0, "count,file\n3,a.md\n3,b.txt\n");
    run(&["-c", "--unique"]).is(0, "a.md:2\nb.txt:3\n");
    run(&["-l", "--json", "--scheme=ftp"]).is(0, "{\"type\":\"file\",\"path\":\"b.txt\"}\n");
    run(&["--files", "--json"])
        .is(0, "{\"type\":\"file\",\"path\":\"a.md\"}\n{\"type\":\"file\",\"path\":\"b.txt\"}\n");
    run(&["--files", "--format=csv"]).is(0, "path\na.md\nb.txt\n");
    run(&["--top=1", "--json"]).is(
        0,
        "{\"type\":\"count\",\"by\":\"uri\",\"value\":\"http://a.example/p\",\"count\":3}\n",
    );
    run(&["--top=1", "--format=tsv"]).is(0, "count\turi\n3\thttp://a.example/p\n");
    run(&["--count-by=host"]).is(0, "4 a.example\n1 192.0.2.1\n1 b.example\n");
    run(&["--count-by=host", "--unique"]).is(0, "2 a.example\n1 192.0.2.1\n1 b.example\n");
    run(&["--count-by=host", "--unique", "--top=1"]).is(0, "2 a.example\n");
    run(&["--count-by=port"]).is(0, "1 8080\n");
    run(&["--count-by=path", "--top=1"]).is(0, "5 /p\n");
    assert!(run(&["--count-by=role"]).out().contains(" destination\n"));
    assert!(run(&["--count-by=flag"]).out().contains("1 has-credentials"));
    assert!(run(&["--count-by=format"]).out().contains(" text\n"));
    // Mail without a Message-ID has no key.
    dir.file("c.eml", "From: a@a.example\nSubject: x\n\nhttp://c.example/\n");
    dir.run(["--count-by=message", "c.eml"]).is(0, "");
    let mail = |from: &str, date: &str| {
        format!("From: {from}\nDate: {date}\nSubject: x\n\nhttp://c.example/ http://d.example/\n")
    };
    dir.file("1.eml", mail("Jo <Jo@a.example>", "Wed, 02 Mar 2005 23:56:19 +0000"));
    dir.file("2.eml", mail("jo@a.example", "Fri, 01 Apr 2005 10:00:00 +0000"));
    dir.run(["--count-by=from", "1.eml", "2.eml"]).is(0, "4 jo@a.example\n");
    dir.run(["--count-by=month", "1.eml", "2.eml"]).is(0, "2 2005-03\n2 2005-04\n");
    let ran = run(&["--files", "--count"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--count"), "{}", ran.stderr);
}

#[test]
fn files_that_are_not_searched_are_listed() {
    let dir = tree();
    dir.file("c.bin", "a\0http://c.example/");
    dir.file("d.rar", "Rar!\x1a\x07\x01\0http://d.example/");
    let mut archive = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    archive.extend([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    std::fs::write(dir.join("e.gz"), archive).unwrap();
    #[cfg(unix)]
    let _socket = std::os::unix::net::UnixListener::bind(dir.join("f.sock")).unwrap();
    #[cfg(not(unix))]
    std::fs::write(dir.join("f.sock"), "a\0").unwrap();
    for threads in ["-j1", "-j2"] {
        let run = |args: &[&str]| {
            dir.run(["--sort=path", threads, "--files", "--unread"].iter().chain(args))
        };
        run(&[]).is(0, "c.bin\nd.rar\ne.gz\nf.sock\n");
        run(&["-0", "-z"]).is(0, "c.bin\0d.rar\0f.sock\0");
        run(&["-a"]).is(0, "f.sock\n");
        run(&["a.md"]).is(1, "");
        let ran = run(&["--format=csv"]);
        let csv = ran.out();
        let reason =
            |file: &str| csv.lines().find_map(|line| line.strip_prefix(file)).unwrap_or("");
        assert!(csv.starts_with("path,reason\n") && reason("c.bin,").contains("-a"), "{csv}");
        assert!(reason("d.rar,").contains("RAR") && reason("e.gz,").contains("-z"), "{csv}");
        assert!(reason("f.sock,").contains("special"), "{csv}");
        let ran = run(&["--json"]);
        let json = ran.out();
        assert!(json.starts_with("{\"type\":\"file\",\"path\":\"c.bin\",\"reason\":\""), "{json}");
    }
    let ran = dir.run(["--unread"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--files"), "{}", ran.stderr);
}

#[test]
fn selection_by_what_json_knows() {
    let dir = tree();
    let count = |args: &[&str]| dir.run(args.iter().chain(&["-I", "-N"])).out().lines().count();
    assert_eq!(count(&["--port=8080"]), 1);
    assert_eq!(count(&["--port=!8080"]), 5);
    assert_eq!(count(&["--host-type=ipv4"]), 1);
    assert_eq!(count(&["--flag=has-credentials"]), 1);
    assert_eq!(count(&["--flag=!has-credentials"]), 5);
    dir.file("c.html", "<a href=http://c.example/>x</a><img src=http://d.example/i>");
    assert_eq!(count(&["--element=a", "c.html", "b.txt"]), 1);
    assert_eq!(count(&["--element=!a", "c.html"]), 1);
    let mail = |from: &str, date: &str, uri: &str| {
        format!("From: {from}\nDate: {date}\nSubject: s\nMessage-ID: <1@x.example>\n\n{uri}\n")
    };
    dir.file(
        "1.eml",
        mail("Jo <jo@a.example>", "Wed, 02 Mar 2005 23:56:19 +0000", "http://one.example/"),
    );
    dir.file(
        "2.eml",
        mail("ann@b.example", "Fri, 01 Apr 2005 10:00:00 +0000", "http://two.example/"),
    );
    let run = |args: &[&str]| dir.run(args.iter().chain(&["-I", "-N", "1.eml", "2.eml", "b.txt"]));
    run(&["--from=*@b.example*"]).is(0, "http://two.example/\n");
    run(&["--date=2005-03"]).is(0, "http://one.example/\n");
    run(&["--date=2005-04.."]).is(0, "http://two.example/\n");
    run(&["--date=..2005-03-31"]).is(0, "http://one.example/\n");
    for (args, said) in [
        (["--flag", "has-credential"], "did you mean `has-credentials`?"),
        (["--port", "http"], "a port is a number"),
        (["--host-type", "ip"], "reg-name"),
        (["--date", "tomorrow"], "YEAR[-MONTH[-DAY]]"),
    ] {
        let ran = pipe(args, "");
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn tables_have_the_columns_that_are_asked_for() {
    let dir = tree();
    let run = |args: &[&str]| dir.run(args.iter().chain(&["b.txt", "--sort=path"]));
    run(&["--format=csv", "--columns=line,uri,host", "--scheme=ftp"])
        .is(0, "line,uri,host\n1,ftp://192.0.2.1/,192.0.2.1\n");
    run(&["--format=tsv", "--columns", "file", "--columns", "port", "--scheme=ftp"])
        .is(0, "path\tport\nb.txt\t\n");
    let ran = run(&["--columns=uri"]);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("--columns needs --format csv"),
        "{ran:?}"
    );
    let ran = run(&["--format=csv", "--columns=hots"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("did you mean `host`?"), "{ran:?}");
}

#[test]
fn lists_are_read_from_files() {
    let dir = tree();
    dir.file("domains", "# indicators\n\nb[.]example\n").file("hosts", "192.*\r\nb.example\r\n");
    dir.file("schemes", "ftp").file("none", "# nothing\n").file("wrong", "a.example\na/b\n");
    let run = |args: &[&str]| dir.run(args.iter().chain(&["a.md", "b.txt", "-IN", "--sort=path"]));
    run(&["--domain=@domains"]).is(0, "http://b.example/p\n");
    run(&["--domain", "@domains", "--domain", "192.0.2.1"])
        .is(0, "http://b.example/p\nftp://192.0.2.1/\n");
    run(&["--host", "@hosts"]).is(0, "http://b.example/p\nftp://192.0.2.1/\n");
    run(&["--host", "!@hosts", "--unique", "--port", "!8080"]).is(0, "http://a.example/p\n");
    run(&["--scheme=@schemes"]).is(0, "ftp://192.0.2.1/\n");
    for (args, said) in [
        (["--domain", "@nothing"], "nothing: "),
        (["--domain", "@none"], "none: the list is empty"),
        (["--host", "@wrong"], "wrong:2: `a/b`: a host does not contain `/`"),
    ] {
        let ran = run(&args);
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{args:?} {}", ran.stderr);
    }
    // A flag is no list, and neither is what follows `--`.
    dir.file("@domains", "http://c.example/\n");
    dir.run(["-IN", "--", "@domains"]).is(0, "http://c.example/\n");
}

#[test]
fn expressions_are_read_from_files() {
    let dir = tree();
    dir.file("expressions", "^ftp:\n\nb\\.example\n").file("wrong", "a\n(\n");
    let run = |args: &[&str]| dir.run(args.iter().chain(&["b.txt", "-IN"]));
    run(&["-f", "expressions"]).is(0, "http://b.example/p\nftp://192.0.2.1/\n");
    run(&["-f", "expressions", "-e", "A", "-i"])
        .is(0, "http://b.example/p\nhttp://a.example/p\nftp://192.0.2.1/\n");
    run(&["-v", "-f", "expressions"]).is(0, "http://a.example/p\n");
    let ran = run(&["-f", "wrong"]);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("wrong:2: `(`: unclosed group"),
        "{ran:?}"
    );
    assert_eq!(run(&["-i"]).status, Some(2));
}

#[test]
fn uris_with_secrets_are_selected() {
    let dir = tree();
    dir.file(
        "c.md",
        "[r](p?token=hunter2 \"t\") [s](p?page=2) https://h.example/#access_token=x1y2\n",
    );
    dir.run(["-IN", "--secrets", "a.md", "b.txt"]).is(0, "http://u:p@a.example:8080/p\n");
    dir.run(["-IN", "--secrets", "c.md"])
        .is(0, "p?token=hunter2\nhttps://h.example/#access_token=x1y2\n");
    dir.run(["-IN", "--secrets", "--redact", "a.md"]).is(0, "http://REDACTED@a.example:8080/p\n");
    dir.run(["-IN", "--secrets", "b.txt"]).is(1, "");
}

#[test]
fn notes_and_hints() {
    let dir = tree();
    let ran = dir.run(["--scheme", "htpp", "b.txt"]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(
        ran.stderr,
        "urigrep: note: `htpp` is not a registered scheme; did you mean `http`?\n"
    );
    assert_eq!(dir.run(["--scheme", "ftp", "b.txt"]).stderr, "");
    let ran = dir.run(["--template", "{path}", "-m1", "b.txt"]);
    assert_eq!((ran.out(), ran.status), ("b.txt\n", Some(0)));
    assert!(ran.stderr.contains("write {file}"), "{ran:?}");
    let ran = dir.run(["--template", "{file} {uri.path}", "-m1", "b.txt"]);
    assert_eq!((ran.out(), ran.stderr.as_str()), ("b.txt /p\n", ""));
    dir.file("docs/x", "");
    for grep in ["-rn", "-ri", "-rin", "-rl"] {
        let ran = dir.run([grep, "docs/"]);
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains("is what grep calls"), "{}", ran.stderr);
    }
    let ran = dir.run(["-r", "docs/"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("leave out -r"), "{ran:?}");
}

#[test]
fn errors_of_configuration_files_say_where() {
    let dir = tree();
    for (text, said) in [
        (
            "[search]\nhidden = true\nnothing = 1\n",
            "urigrep.toml:3:1: [search] nothing: unknown flag",
        ),
        ("[search]\n\nscheme = \"http:\"\n", "urigrep.toml:3: "),
        ("[search]\nhidden = true\nkind = [\"urn\"]\n", "urigrep.toml:3)"),
        ("[search\n", "urigrep.toml:1:8: "),
    ] {
        dir.file("urigrep.toml", text);
        let ran = dir.run(["--invalid", "b.txt"]);
        assert_eq!(ran.status, Some(2), "{text}");
        assert!(ran.stderr.contains(said), "{text}: {}", ran.stderr);
    }
}
