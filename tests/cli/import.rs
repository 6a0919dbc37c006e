//! `audit --import-config`, and errors of `urigrep.toml`.

use crate::support::Dir;

const LYCHEE: &str = r#"
exclude = ["^https://intern\\.dev", "it's"]
exclude_path = ["vendor/", "^a|b$"]
accept = ["200..=204", "..300", 429]
timeout = 20
max_retries = 30
max_cache_age = "2d"
require_https = true
include_mail = false
exclude_all_private = true
remap = ["^https://a\\.dev/ http://b.dev/"]
no_progress = true
max_concurrency = 14
header = { "accept" = "text/html" }
nothing = 1
"#;

const MARKDOWN_LINK_CHECK: &str = r#"{
  "ignorePatterns": [{"pattern": "^https://intern\\.dev"}],
  "replacementPatterns": [{"pattern": "^https://a/", "replacement": "http://b/"},
                          {"pattern": "^/", "replacement": "{{BASEURL}}/"}],
  "httpHeaders": [], "timeout": "20s", "retryCount": 3, "aliveStatusCodes": [200, 206]
}"#;

const HTMLTEST: &str = "DirectoryPath: public # here\nIgnoreURLs:\n- \"^http://intern\\\\.dev\"\n- 'b'\n\
                        IgnoreDirs: [lib]\nEnforceHTTPS: true\nCacheExpires: 336h\nExternalTimeout: 9\n\
                        CheckInternalHash: false\nCheckExternal: true\nCheckImages: true\n";

#[test]
fn configurations_of_other_checkers() {
    let dir = Dir::new();
    dir.file("docs/a.md", "[x](https://intern.dev/a)\n");
    dir.file("lychee.toml", LYCHEE).file(".markdown-link-check.json", MARKDOWN_LINK_CHECK);
    dir.file(".htmltest.yml", HTMLTEST);
    let expected: [(&str, &[&str]); 3] = [
        (
            "lychee.toml",
            &[
                "paths = [\"vendor/\"]",
                "    '^https://intern\\.dev',\n    \"it's\",",
                "accept = \"200-204,100-299,429\"",
                "retry = 10",
                "max-age = \"2d\"",
                "timeout = \"20s\"",
                "private-host = \"off\"",
                "remap = ['^https://a\\.dev/ http://b.dev/']",
                "#   exclude_path: `^a|b$` is an expression",
                "#   nothing: no such setting",
                "#   no_progress: use --progress never",
            ],
        ),
        (
            ".markdown-link-check.json",
            &[
                "root = [\".\"]",
                "uris = ['^https://intern\\.dev']",
                "remap = [\"^https://a/ http://b/\"]",
                "accept = \"200,206\"",
                "retry = 3",
                "#   httpHeaders: --header",
            ],
        ),
        (
            ".htmltest.yml",
            &[
                "paths = [\"lib/\"]",
                "missing-anchor = \"off\"",
                "require-https = true",
                "max-age = \"336h\"",
                "timeout = \"9s\"",
                "#   DirectoryPath: urigrep audit --site html public",
            ],
        ),
    ];
    for (file, lines) in expected {
        let ran = dir.run(["audit", "--import-config", file]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{file}");
        for line in lines {
            assert!(ran.out().contains(line), "{file}: {line}\n{}", ran.out());
        }
        dir.file("urigrep.toml", ran.out());
        let audited = dir.run(["audit", "docs"]);
        assert_eq!(
            (audited.status, audited.stderr.as_str()),
            (Some(0), ""),
            "{file}\n{}",
            ran.out()
        );
        assert_eq!(dir.run(["docs", "-q"]).status, Some(0));
    }
    let ran = dir.run(["audit", "--import-config", "docs/a.md"]);
    assert!(ran.status == Some(2) && ran.stderr.contains(".toml (lychee)"), "{}", ran.stderr);
}

/// Expressions that our engine refuses become notes, and the rest loads.
#[test]
fn expressions_of_other_engines() {
    let dir = Dir::new();
    dir.file("docs/a.md", "text\n");
    dir.file(
        "lychee.toml",
        r#"exclude = ["^(?!https)", "^(?!https:).*$", "(a)\\1", "^x$"]
remap = ["^https://(?!a) http://b.dev/", "c d"]
exclude_path = ["a\u0007\u007f'b"]
"nothing\ne = 1" = 1
"#,
    );
    let ran = dir.run(["audit", "--import-config", "lychee.toml"]);
    for part in [
        "[audit.exclude]\nuris = [\"^x$\"]\n",
        "`^(?!https)` can't be imported: look-around",
        "say what to keep: [audit.include] uris = [\"^(?:https)\"]",
        "say what to keep: [audit.include] uris = [\"^(?:https:)\"]",
        "`(a)\\1` can't be imported: backreferences are not supported; write it without",
        "remap = [\"c d\"]",
        "#   remap: `^https://(?!a)` can't be imported",
    ] {
        assert!(ran.out().contains(part), "{part}\n{}", ran.out());
    }
    dir.file("urigrep.toml", ran.out());
    let audited = dir.run(["audit", "docs"]);
    assert_eq!((audited.status, audited.stderr.as_str()), (Some(0), ""), "{}", ran.out());
}

/// What our parser does not take, and what no setting says, is named; the rest loads.
#[test]
fn nothing_is_lost_or_invalid() {
    let dir = Dir::new();
    for directory in ["foo/ba", "foo/bar", "foo/c", "old", "docs/old"] {
        dir.file(format!("{directory}/a.md"), "[x](gone.md) [y](mailto:a) [z](tel:b)\n");
    }
    let htmltest = "CheckAnchors: false\nCheckMetaRefresh: false\nCheckFavicon: true\nCheckMailto: false\n\
                    CheckTel: false\nCacheExpires: 1h30m\nExternalTimeout: x\nExternalRetries: many\n\
                    IgnoreDirs: ['^foo/ba.*$', '^foo/c$']\nIgnoreEmptyHref: true\nBaseURL: https://a.dev/x/\n";
    dir.file(".htmltest.yml", htmltest);
    let lychee = "exclude_path = ['./old']\naccept = '200,2xx'\nremap = 'bad'\nhost_concurrency = 3\n\
                  files_from = 'x'\nthreads = 2\noffline = true\nbase_url = 'https://a.dev/x/'\nquiet = false\n\
                  timeout = 'soon'\nmax_retries = 12\n";
    dir.file("lychee.toml", lychee);
    let checker = r#"{"replacementPatterns": [{"pattern": "^docs/nope", "replacement": "docs/yes"}, {}],
                      "aliveStatusCodes": [200, 1000], "timeout": "1.5s"}"#;
    dir.file(".markdown-link-check.json", checker);
    let expected: [(&str, &[&str]); 3] = [
        (
            ".htmltest.yml",
            &[
                "base = \"https://a.dev/x/\"",
                "    \"/foo/ba*/\",\n    \"/foo/c/\",",
                "    \"^mailto:\",\n    \"^tel:\",",
                "#   CheckAnchors: links of all elements",
                "#   CheckMetaRefresh: ",
                "#   CheckFavicon: no such check",
                "#   IgnoreEmptyHref: ",
                "#   ExternalRetries: `many`",
                #[cfg(feature = "online")]
                "#   CacheExpires: `1h30m`: a duration is",
                #[cfg(feature = "online")]
                "#   ExternalTimeout: `x`: a duration is",
            ],
        ),
        (
            "lychee.toml",
            &[
                "base = \"https://a.dev/x/\"",
                "paths = [\"/old\"]",
                "host-concurrency = 3",
                "#   files_from: --files-from",
                "#   threads: --threads",
                "#   offline: without --online, the web is not asked",
                "#   max_retries: a request is repeated 10 times at most",
                #[cfg(feature = "online")]
                "accept = \"200\"",
                #[cfg(feature = "online")]
                "#   accept: `2xx`: ",
                #[cfg(feature = "online")]
                "#   remap: `bad`: a remap is",
                #[cfg(feature = "online")]
                "#   timeout: `soon`: a duration is",
            ],
        ),
        (
            ".markdown-link-check.json",
            &[
                "#   replacementPatterns: `^docs/nope`: links to files",
                "#   replacementPatterns: `{}` has no pattern",
                #[cfg(feature = "online")]
                "accept = \"200\"",
                #[cfg(feature = "online")]
                "#   timeout: `1.5s`: a duration is",
            ],
        ),
    ];
    for (file, parts) in expected {
        let ran = dir.run(["audit", "--import-config", file]);
        for part in parts {
            assert!(ran.out().contains(part), "{file}: {part}\n{}", ran.out());
        }
        assert!(!ran.out().contains("quiet"), "{}", ran.out());
        dir.file("urigrep.toml", ran.out());
        let audited = dir.run(["audit", "--format", "csv"]);
        assert_ne!(audited.status, Some(2), "{file}: {}\n{}", audited.stderr, ran.out());
        let found = |path: &str| {
            let start = format!("{path}/a.md,");
            audited.out().lines().any(|line| line.starts_with(&start))
        };
        let of = |it: &str| file.contains(it);
        assert_eq!((found("old"), found("docs/old")), (!of("lychee"), true), "{file}");
        assert_eq!(
            (found("foo/bar"), found("foo/c")),
            (!of("htmltest"), !of("htmltest")),
            "{file}"
        );
    }
}

/// Settings of another checker are no configuration, and no answers.
#[test]
fn settings_of_another_checker_have_a_flag() {
    let dir = Dir::new();
    dir.file("lychee.toml", "accept = '200'\n").file(".htmltest.yml", "CheckTel: false\n");
    for file in ["lychee.toml", ".htmltest.yml"] {
        for flag in [
            "--config",
            #[cfg(feature = "online")]
            "--import",
        ] {
            let ran = dir.run(["audit", flag, file]);
            assert_eq!(ran.status, Some(2));
            let hint = "for its settings, use --import-config";
            let other = "for the settings of another checker, use --import-config";
            let has_hint = ran.stderr.contains(hint) || ran.stderr.contains(other);
            assert!(has_hint, "{flag} {file}: {}", ran.stderr);
        }
    }
}

/// What has one form is not asked for in another.
#[test]
fn formats_that_there_are() {
    let dir = Dir::new();
    dir.file("a.md", "[x](none.md)\n");
    for (args, heading) in [
        (["--statistics", "--format=csv"], "check,findings,fixable\nmissing-target,1,0\n"),
        (["--summary", "--format=csv"], "check,severity,shape,findings,different,documents,"),
        (
            ["--list-checks", "--json"],
            "{\"type\":\"check\",\"check\":\"invalid-uri\",\"severity\":",
        ),
    ] {
        let ran = dir.run(["audit"].iter().chain(&args));
        assert!(ran.out().starts_with(heading), "{args:?}\n{}", ran.out());
    }
    for args in [
        ["--statistics", "--format=sarif"],
        ["--summary", "--format=markdown"],
        ["--list-checks", "--format=csv"],
        ["--diff", "--json"],
        #[cfg(feature = "online")]
        ["--dump", "--json"],
    ] {
        let ran = dir.run(["audit"].iter().chain(&args));
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.starts_with("urigrep: --format: "), "{args:?}: {}", ran.stderr);
    }
}

/// What other checkers compare as a whole, as an expression, or as a URL keeps its meaning.
#[test]
fn expressions_paths_and_urls() {
    let dir = Dir::new();
    dir.file("docs/a.md", "[x](/misc/a.b)\n[y](/misc/axb)\n[z](/misc/a.b/c)\n");
    dir.file(".htmltest.yml", "IgnoreInternalURLs:\n- /misc/a.b\n");
    let ran = dir.run(["audit", "--import-config", ".htmltest.yml"]);
    dir.file("urigrep.toml", ran.out());
    let ran = dir.run(["audit", "--root", "docs", "--format", "csv"]);
    let lines: Vec<_> = ran.out().lines().skip(1).map(|line| line.split(',').nth(1)).collect();
    assert_eq!(lines, [Some("2"), Some("3")], "{}", ran.out());
    dir.file("lychee.toml", r#"exclude_path = ["^docs/", "\\.old\\.md$", "v\\d+/"]"#);
    let ran = dir.run(["audit", "--import-config", "lychee.toml"]);
    assert!(ran.out().contains("\"/docs/\",\n    \"**/*.old.md\","), "{}", ran.out());
    assert!(ran.out().contains("#   exclude_path: `v\\d+/` is an expression"), "{}", ran.out());
    let replaced = r#""replacementPatterns": [{"pattern": "^/", "replacement": "{{BASEURL}}/"}]"#;
    for (url, has_root) in [("https://a.example/docs", false), ("file:///home/a", true)] {
        dir.file("m.json", format!(r#"{{"projectBaseUrl": "{url}", {replaced}}}"#));
        let ran = dir.run(["audit", "--import-config", "m.json"]);
        assert_eq!(ran.out().contains("root = [\".\"]\n"), has_root, "{}", ran.out());
        assert_eq!(ran.out().contains("#   projectBaseUrl"), !has_root, "{}", ran.out());
    }
    dir.file("h.yml", "A: 1\nIgnoreURLs: [a, b\n");
    let ran = dir.run(["audit", "--import-config", "h.yml"]);
    assert_eq!(ran.stderr, "urigrep: h.yml: line 2: no `]` follows\n");
    assert_eq!(ran.status, Some(2));
}

#[test]
#[cfg(feature = "online")]
fn settings_for_the_web() {
    let dir = Dir::new();
    dir.file("a.md", "x\n");
    for (table, message) in [
        ("timeout = '20s'\naccept = '200,403'\nretry = 2\nrequire-https = true", ""),
        ("timout = '20s'", "urigrep.toml:2:1: unknown key `timout`; did you mean `timeout`?\n"),
        ("allow-private = true", "2:1: [audit.online] allow-private: not allowed in a project"),
        ("retry = 11", "2:1: [audit.online] retry: invalid value '11'"),
        ("retry = true", "2:1: [audit.online] retry: needs a value"),
    ] {
        dir.file("urigrep.toml", format!("[audit.online]\n{table}\n"));
        let ran = dir.run(["audit"]);
        assert!(ran.stderr.contains(message), "{table}: {}", ran.stderr);
        assert_eq!(ran.status, Some(if message.is_empty() { 0 } else { 2 }), "{table}");
    }
    dir.file("urigrep.toml", "[serach]\nhidden = true\n");
    let ran = dir.run(["a.md"]);
    assert!(
        ran.stderr.contains("1:2: unknown key `serach`; did you mean `search`?"),
        "{}",
        ran.stderr
    );
    dir.file("urigrep.toml", "[search]\nhiden = true\n");
    let ran = dir.run(["a.md"]);
    assert!(ran.stderr.contains("hiden: unknown flag; did you mean `hidden`?"), "{}", ran.stderr);
}

/// In lychee, `include` makes exceptions from `exclude`, and what neither names is checked.
#[test]
fn includes_beside_excludes_are_exceptions() {
    let dir = Dir::new();
    dir.file("lychee.toml", "exclude = ['^https://a\\.dev/']\ninclude = ['^https://a\\.dev/x']\n");
    let ran = dir.run(["audit", "--import-config", "lychee.toml"]);
    assert!(!ran.out().contains("[audit.include]"), "{}", ran.out());
    assert!(ran.out().contains("is an exception from `exclude`"), "{}", ran.out());
    dir.file("lychee.toml", "include = ['^https://a\\.dev/x', '(?<=b)c', '^(?!x)']\n");
    let ran = dir.run(["audit", "--import-config", "lychee.toml"]);
    assert!(ran.out().contains("[audit.include]"), "{}", ran.out());
    let drop = "say what to drop: [audit.exclude] uris = [\"^(?:x)\"]";
    assert!(ran.out().contains(drop), "{}", ran.out());
}
