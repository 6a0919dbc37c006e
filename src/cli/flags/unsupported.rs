//! Flags and verbs of other tools, with their replacements here.

/// Replacements of unsupported flags. Each is a clause that ends a message.
#[rustfmt::skip]
const FLAGS: &[(&[&str], &str)] = &[
    // Flags of ripgrep.
    (&["--auto-hybrid-regex", "--no-auto-hybrid-regex", "--engine", "-P", "--pcre2", "--no-pcre2", "--pcre2-version", "--no-pcre2-unicode"],
        "-e uses the regex syntax of Rust, the only engine"),
    (&["-s", "--case-sensitive"], "-e is case-sensitive, and -i ignores case; --no-messages hides errors"),
    (&["-S", "--smart-case"], "-e is case-sensitive; -i ignores case"),
    (&["--colors"], "colours can't be chosen; --color turns them on or off"),
    (&["--context-separator", "--no-context-separator"], "the separator is always `--`"),
    (&["--count-matches"], "--count counts matches"),
    (&["--crlf", "--no-crlf"], "both kinds of line ends are recognized"),
    (&["--debug", "--trace"], "--explain shows why something matches, --stats and --files what is searched"),
    (&["--regex-size-limit", "--dfa-size-limit"], "use --limit regexp=SIZE"),
    (&["--field-context-separator", "--field-match-separator"], "--template prints fields with any separator"),
    (&["-F", "--fixed-strings", "--no-fixed-strings"], "--host, --domain, and --scheme take names; in -e, a backslash quotes a character"),
    (&["--glob-case-insensitive", "--no-glob-case-insensitive"], "use --iglob"),
    (&["--hostname-bin"], "write the host name into --hyperlink-format"),
    (&["--ignore-file", "--no-ignore-files"], "use -g '!GLOB' for each glob, or an .ignore file"),
    (&["--ignore-file-case-insensitive", "--no-ignore-file-case-insensitive"], "use --iglob '!GLOB'"),
    (&["-x", "--line-regexp"], "-e '^...$' matches whole URIs"),
    (&["-w", "--word-regexp"], "use \\b in -e for a word boundary"),
    (&["-M", "--max-columns", "--max-columns-preview", "--no-max-columns-preview"], "--max-uri rejects longer URIs"),
    (&["--mmap", "--no-mmap"], "files are always read in the fastest way"),
    (&["-U", "--multiline", "--multiline-dotall", "--no-multiline", "--no-multiline-dotall"], "--rejoin controls which line breaks in URIs are removed"),
    (&["--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-global", "--no-ignore-parent", "--no-ignore-vcs", "--ignore-dot", "--ignore-exclude", "--ignore-files", "--ignore-global", "--ignore-parent", "--ignore-vcs", "--ignore"],
        "--no-ignore disables all ignore files"),
    (&["--no-ignore-messages", "--ignore-messages"], "invalid lines of ignore files are never reported"),
    (&["--no-require-git", "--require-git"], "use --no-ignore, or -g GLOB"),
    (&["--no-unicode", "--unicode", "--no-pcre2-unicode"], "(?-u) in -e matches bytes; --ascii ends URIs at the first non-ASCII character"),
    (&["--null-data"], "-0 ends each path and match with a NUL byte"),
    (&["--path-separator"], "paths use the separator of the system"),
    (&["-p", "--pretty"], "use --color always --heading -n"),
    (&["--sortr"], "use --sort path, and `tac`"),
    (&["--sort-files", "--no-sort-files"], "use --sort path"),
    (&["--stop-on-nonmatch", "--no-stop-on-nonmatch"], "-m NUM stops after NUM matches"),
    (&["--trim", "--no-trim"], "matches never have surrounding white space"),
    (&["--type-clear"], "use -g GLOB instead of types"),
    (&["--no-text", "--no-binary", "--no-hidden", "--no-follow", "--no-search-zip", "--no-stats", "--no-json", "--no-invert-match", "--no-one-file-system", "--no-encoding", "--no-pre", "--no-column", "--no-byte-offset", "--no-block-buffered", "--no-line-buffered", "--no-include-zero", "--messages", "--no-passthru"],
        "omit the flag that it negates; --no-config ignores configuration files"),
    // Flags of grep.
    (&["-R", "--recursive"], "directories are always searched recursively"),
    (&["-E", "--extended-regexp", "-G", "--basic-regexp", "--perl-regexp"], "-e uses the regex syntax of ripgrep"),
    (&["--include", "--exclude", "--exclude-dir"], "use -g GLOB, and -g '!GLOB'"),
    (&["-Z", "--print0"], "use -0"),
    (&["-y"], "use -i, with -e RE"),
    (&["--binary-files"], "-a searches binary files; without it they are skipped"),
    (&["--label"], "--template prints any name; standard input is `<stdin>`"),
    (&["-D", "--devices"], "devices, pipes, and sockets are only read if they are named"),
    (&["--directories"], "directories are always searched recursively; -d NUM limits the depth"),
    (&["--initial-tab"], "--template prints fields with any separator"),
    (&["--null-input"], "-0 ends each path and match with a NUL byte"),
    (&["--time", "--newer"], "use `find . -newer FILE -print0 | urigrep --files-from -`"),
    (&["--jobs"], "use -j NUM"),
    // Flags that users may guess.
    (&["--csv", "--tsv", "--sarif", "--text-output"], "use --format csv, tsv, or sarif"),
    (&["--fields"], "use --columns LIST with --format csv, or --template '{host} {uri}'"),
    (&["--only-host", "--only-hosts"], "use --template '{host}', or --count-by host"),
    (&["--jsonl", "--ndjson", "--json-lines"], "use --json"),
    (&["--output", "--out", "--output-file"], "redirect standard output: urigrep ... > FILE"),
    (&["--output-format", "--print", "--printf", "--fmt"], "use --format or --template"),
    (&["--online", "--check-links", "--dead", "--broken", "--alive"], "`urigrep audit --online` finds dead links"),
    (&["--check"], "`urigrep audit` checks links"),
    (&["--offline"], "`urigrep audit` is offline unless --online is given"),
    (&["--fix"], "`urigrep audit --fix` fixes links, `urigrep replace` changes URIs"),
    (&["--severity", "--baseline", "--list-checks"], "it is a flag of `urigrep audit`"),
    (&["--site", "--hosts"], "use --host GLOB, or --domain NAME with its subdomains"),
    (&["--exclude-host", "--not-host"], "use --host '!GLOB'"),
    (&["--exclude-scheme", "--not-scheme"], "use --scheme '!NAME'"),
    (&["--schemes", "--protocol", "--proto"], "use --scheme LIST"),
    (&["--subdomains"], "use --domain NAME"),
    (&["--uniq", "--dedup", "--distinct"], "use --unique"),
    (&["--group", "--histogram", "--tally"], "use --count-by host, domain, scheme, nid, file, tld, message, from, or month"),
    (&["--most", "--head", "--most-frequent"], "use --top NUM"),
    (&["--lookalike", "--homograph", "--punycode"], "use --flag mixed-script-host"),
    (&["--uuid"], "use --nid uuid"),
    (&["--arxiv"], "use --identifiers --scheme arxiv"),
    (&["--html"], "use --report FILE.html"),
    (&["--staged"], "use `git diff --cached | urigrep`, or `urigrep audit --since HEAD`"),
    (&["--man", "--completions", "--completion"], "use --generate man, or --generate complete-bash and the like"),
    (&["--dereference-recursive"], "directories are always searched recursively; -L follows symbolic links"),
    (&["--anonymize", "--mask", "--censor", "--hide-secrets"], "use --redact"),
    (&["--fang", "--safe", "--unfang"], "use --defang, and --refang to undo it"),
    (&["--doi-only", "--isbn", "--ids"], "use --identifiers with --scheme doi or --nid isbn"),
    (&["--urls", "--url", "--links", "--uris"], "URIs are always searched for; --kind selects some"),
    (&["--urn", "--urns"], "use --kind urn"),
    (&["--emails", "--mailto"], "use --email --kind email"),
    (&["--watch", "--tail"], "use `tail -f FILE | urigrep`"),
    (&["--stdin"], "use `-` for standard input"),
    (&["--verbose"], "use --stats, --explain, or --progress always"),
    (&["--silent"], "use --quiet"),
    (&["--absolute", "--base-url"], "use --resolve, and --base URI"),
    (&["--clean", "--strip-tracking", "--no-tracking"], "use `urigrep normalize --no-tracking`, or `urigrep parse --trim 'query=utm_*'`"),
    (&["--decode", "--unescape"], "use --readable"),
    (&["--iri"], "use --kind iri, or --map-iri for the other direction"),
    (&["--line", "--lines"], "use -n for line numbers, -C NUM for lines of context"),
    (&["--skip", "--ignore-case-host"], "use --host '!GLOB'"),
    (&["--query", "--param", "--parameter"], "use -e RE, such as -e '[?&]utm_'; `urigrep parse --get '{query:NAME}' -` prints a parameter"),
    (&["--subject"], "use --template '{subject}: {uri}'; --from GLOB and --date RANGE select mail"),
    (&["--private", "--internal", "--local"], "use --host '10.*,192.168.*,localhost'; `urigrep audit --check private-host` knows all private hosts"),
    (&["--fail-on", "--exit-code", "--error"], "-q prints nothing, and the status is 0 if something matches: `! urigrep -q --scheme http`"),
    (&["--image", "--images", "--img"], "use --element img"),
    (&["--comment", "--comments"], "use --role comment"),
    (&["--diff", "--git", "--changed"], "--since REF reads changed lines; `urigrep diff OLD NEW` compares URIs"),
    (&["--bare"], "use --abbreviated for www.example.com/a"),
    (&["--archive", "--archives", "--unzip", "--decompress"], "-z searches archives and compressed files"),
    (&["--tracking", "--trackers"], "use `urigrep normalize --no-tracking`, or -e '[?&]utm_'"),
];

/// Replacements of values of a flag, or of a flag that other tools have under that letter: the
/// flag, the values (if only some), the letter, and the advice. The value `{` stands for all that
/// contain a brace.
#[rustfmt::skip]
const VALUES: &[(&str, &[&str], &str, &str)] = &[
    ("--sort", &["modified", "accessed", "created", "time", "mtime", "size", "date"], "",
        "for another order, `ls -t | urigrep -j1 --files-from -`"),
    ("--role", &["image", "images", "img", "picture"], "", "--element img selects images"),
    ("--role", &["link", "links", "href"], "", "links are `destination`"),
    ("--host-type", &["ip", "ip-address", "address"], "", "ipv4,ipv6 selects addresses"),
    ("--kind", &["doi", "isbn", "issn", "identifier"], "", "use --doi, or --identifiers with --scheme doi or --nid isbn"),
    ("--count-by", &["query", "parameter"], "", "`urigrep parse --get '{query:NAME}' -` prints a parameter, to count by `sort | uniq -c`"),
    ("--count-by", &["day", "date"], "", "use `--template '{date}' | cut -c-10 | sort | uniq -c`"),
    ("--format", &["{"], "", "`urigrep --template '{host}'` prints fields of URIs"),
    ("--format", &["github", "gitlab", "junit", "checkstyle", "markdown", "html"], "",
        "`urigrep audit` has this format; --report FILE.html writes a page"),
    ("--format", &["jsonl", "ndjson"], "", "json prints JSON Lines"),
    ("--encoding", &[], "-E", "-E is --encoding here: -e RE has the regex syntax of ripgrep"),
    ("--max-depth", &[], "-d", "-d is --max-depth here: directories are always searched recursively"),
];

/// Replacements of flags that users may guess after `urigrep replace`.
const REPLACE_FLAGS: &[(&[&str], &str)] = &[
    (
        &["--dry-run", "-n", "--preview", "--diff", "--check"],
        "without --write, nothing is changed and a diff is printed",
    ),
    (&["--in-place", "-i", "--inplace", "--fix"], "--write changes the files"),
    (&["--from", "--to"], "the first two arguments are FROM and TO"),
    (&["--no-tracking", "--strip-tracking"], "use --trim 'query=utm_*'"),
    (
        &["--resolve", "--absolute"],
        "`urigrep --resolve --base URI` prints absolute URIs; files are not changed so",
    ),
];

/// Replacements of flags that users may guess after `urigrep parse`.
const PARSE_FLAGS: &[(&[&str], &str)] = &[(
    &["--format", "--template", "--csv", "--tsv", "--columns", "--fields"],
    "--get '{scheme},{host},{path}', or --json",
)];

/// Replacements of flags that users may guess after `urigrep resolve`.
const RESOLVE_FLAGS: &[(&[&str], &str)] =
    &[(&["--base", "-b", "--base-url"], "the base is the first argument")];

/// Replacements of flags of `git diff`, after `urigrep diff`.
const DIFF_FLAGS: &[(&[&str], &str)] = &[
    (
        &["--cached", "--staged"],
        "`urigrep diff HEAD` compares the files as they are, staged or not",
    ),
    (
        &["--stat", "--shortstat", "--numstat", "--summary"],
        "the last record of --json has the numbers",
    ),
    (&["--name-only", "--name-status"], "each line starts with a sign and the path"),
    (&["-r", "--recursive"], "directories are always compared recursively"),
    (&["-U", "-p", "--unified"], "URIs are compared, not lines"),
];

/// Replacements of flags of other link checkers, after `urigrep audit`.
#[rustfmt::skip]
const AUDIT_FLAGS: &[(&[&str], &str)] = &[
    // Flags of lychee.
    (&["--exclude-path", "--exclude-file"], "use --exclude GLOB"),
    (&["--exclude-all-private", "--exclude-private", "--exclude-link-local", "--exclude-loopback"], "use --check=-private-host"),
    (&["--exclude-mail"], "mail addresses are not checked unless --include-mail is given"),
    (&["--include"], "[audit.include] in urigrep.toml has paths, hosts, and uris"),
    (&["--include-fragments", "--check-anchors", "--no-fragments"], "anchors are always checked; --check=-missing-anchor turns that off"),
    (&["--include-verbatim"], "code is never checked"),
    (&["--base-url", "--projectBaseUrl"], "use --base PATH, and --root DIR for references that start with `/`"),
    (&["--root-dir", "--document-root"], "use --root DIR"),
    (&["--no-progress", "-n"], "use --progress never"),
    (&["--verbose", "-v", "-vv"], "use --severity note"),
    (&["--mode"], "use --color WHEN"),
    (&["-f"], "use --format FORMAT"),
    (&["-o"], "use --output FILE"),
    (&["-c"], "use --config FILE"),
    (&["-b"], "use --base PATH, and --root DIR for references that start with `/`"),
    (&["--max-cache-age"], "use --max-age DURATION"),
    (&["--cache-exclude-status"], "the cache keeps answers for --max-age at most; faults of the network are not kept"),
    (&["--retry-wait-time", "-r"], "the server says how long to wait; --retry NUM says how often to ask"),
    (&["--host-request-interval"], "a host gets a request every 50 ms at most; --host-concurrency NUM limits connections"),
    (&["--accept-timeouts"], "a timeout is a note of unverified-link and does not fail the audit"),
    (&["--method", "-X"], "HEAD is sent first, and GET if that proves nothing"),
    (&["--cookie-jar"], "use --header 'HOST Cookie: $VARIABLE'"),
    (&["--min-tls"], "TLS 1.2 and later are accepted"),
    (&["--preprocess", "-p"], "PDF, Office, and other documents are read; `urigrep registry formats` lists them"),
    (&["--default-extension"], "--markup FORMAT sets the format of all files"),
    (&["--include-wikilinks"], "wikilinks are checked in trees that use them"),
    (&["--dump-inputs"], "`urigrep --files` lists files"),
    (&["--generate"], "use `urigrep --generate man`, or complete-bash and the like"),
    (&["--host-stats"], "--summary groups findings by host; --format json has counts"),
    (&["--accept-status"], "use --accept LIST"),
    (&["--archive"], "--suggest asks for archived copies of dead links"),
    (&["--fallback-extensions", "--index-files"], "--site PROFILE knows the extensions and indexes of a site"),
    (&["--extensions"], "use -g GLOB, or -t TYPE"),
    (&["--skip-missing"], "name only paths that exist"),
    (&["--glob-ignore-case"], "use --iglob GLOB"),
    // Flags of markdown-link-check, htmltest, and hyperlink.
    (&["--reporters", "--reporter"], "use --format FORMAT"),
    (&["--skip-external"], "the web is only asked with --online"),
    (&["--conf"], "use --config FILE"),
    (&["--log-level"], "use --severity SEVERITY"),
    (&["--github-actions"], "use --format github"),
    (&["--sources"], "sources are audited like pages; name their directory"),
    (&["--dry-run"], "use --diff, with or without --unsafe-fixes"),
    // Flags of linkchecker and muffet.
    (&["--recursion-level", "--follow-url", "--one-page-only"], "name the files to audit; pages of the web are not followed"),
    (&["--check-extern", "--skip-extern"], "--online asks the web; without it, only the tree is judged"),
    (&["--ignore-url", "--no-follow-url", "--ignore-url-pattern"], "use --exclude WHAT"),
    (&["--file-output"], "use --output FILE"),
    (&["--no-robots", "--ignore-robots-txt"], "only links of the tree are requested; robots.txt is not read"),
    (&["--max-connections", "--max-connections-per-host", "--max-concurrency"], "use --host-concurrency N, for each host"),
    (&["--max-retries"], "use --retry N"),
    (&["--user-agent", "--basic-auth", "--github-token"], "use --header 'HOST NAME: VALUE', with secrets as $VARIABLES"),
    (&["--max-redirects"], "the number of redirects is fixed; --accept lists the answers that are fine"),
    (&["--scheme"], "only web links are requested; --exclude GLOB skips some"),
    (&["--staged", "--cached"], "use --since HEAD for changes since the last commit, staged or not"),
    (&["--ignore-fragments"], "use --check=-missing-anchor"),
    (&["--skip-tls-verification", "--no-check-certificate", "--insecure", "-k"], "certificates are always checked"),
    (&["--junit"], "use --format junit"),
    (&["--html"], "use --report FILE.html"),
    // Flags of linters.
    (&["--select"], "use --check LIST"),
    (&["--ignore"], "use --check=-NAME, or --exclude WHAT"),
    (&["--output-format"], "use --format FORMAT"),
    (&["--output-file"], "use --output FILE"),
    (&["--fix-only"], "use --fix -q"),
    (&["--explain"], "`urigrep rule NAME` explains a check"),
    // Flags of other verbs, and guesses.
    (&["--write", "-w", "--in-place", "--inplace", "-i"], "use --fix"),
    (&["--update-baseline", "--save-baseline"], "use --write-baseline, with --baseline FILE"),
    (&["--stats", "--count", "--counts"], "use --statistics"),
    (&["--jobs"], "use -j NUM"),
    (&["--list-rules", "--rules", "--checks"], "--list-checks lists the checks, --check LIST selects some"),
    (&["--github"], "use --format github"),
    (&["--sarif"], "use --format sarif"),
    (&["--csv"], "use --format csv"),
    (&["--markdown"], "use --format markdown"),
    (&["--changed", "--diff-base", "--git"], "--since REF reads changed lines, --new-since REF reports new findings"),
    (&["--ignore-host", "--exclude-host"], "use --exclude host:GLOB"),
    (&["--external", "--check-external", "--web"], "use --online"),
    (&["--internal", "--local-only"], "the web is only asked with --online"),
    (&["--template", "--columns"], "use --format json or csv"),
];

/// Words that users may type for a verb.
#[rustfmt::skip]
const VERBS: &[(&[&str], &str)] = &[
    (&["check", "lint", "verify", "validate-links", "linkcheck", "links"], "audit"),
    (&["get", "split", "components", "inspect", "validate", "info", "set"], "parse"),
    (&["normalise", "canonicalize", "canon", "clean"], "normalize"),
    (&["equal", "same", "cmp", "eq"], "compare"),
    (&["join", "absolute"], "resolve"),
    (&["schemes", "namespaces", "iana"], "registry"),
    (&["man"], "--generate man"),
    (&["completions", "completion"], "--generate complete-bash"),
    (&["rewrite", "sed", "substitute", "mv", "rename"], "replace"),
    (&["fix", "repair"], "audit --fix"),
    (&["redact", "share", "mask", "sanitize", "sanitise", "scrub", "anonymize", "censor"], "replace --redact"),
    (&["defang"], "replace --defang"),
    (&["refang"], "replace --refang"),
    (&["search", "find", "grep", "scan", "extract", "list", "ls"], "PATH"),
    (&["online", "crawl"], "audit --online"),
    (&["report"], "--report FILE.html"),
    (&["open", "browse", "tui"], "--pick"),
    (&["version"], "--version"),
    (&["help"], "--help"),
    (&["stats"], "--stats"),
    (&["count", "uniq"], "--count-by KEY"),
    (&["explain", "why"], "--explain"),
    (&["valid"], "parse"),
    (&["phishing"], "--flag misleading-userinfo,mixed-script-host"),
    (&["git"], "diff"),
    (&["config", "init"], "audit --import-config FILE"),
];

fn found(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(names, _)| names.contains(&word)).map(|(_, advice)| *advice)
}

/// Returns the replacement for this flag.
pub fn flag(name: &str) -> Option<&'static str> {
    // grep has a flag for each number.
    let is_number = name.len() == 2 && name.ends_with(|digit: char| digit.is_ascii_digit());
    found(FLAGS, name).or_else(|| is_number.then_some("-C NUM prints NUM lines of context"))
}

/// Returns the replacement for this value of a flag, given in this command line.
pub fn meaning(
    flag: &str,
    value: &str,
    mut arguments: impl Iterator<Item = String>,
) -> Option<&'static str> {
    let mut of_flag = VALUES.iter().filter(|(known, ..)| *known == flag);
    let meant = of_flag.find(|(_, values, letter, _)| {
        if letter.is_empty() {
            values.contains(&value) || values.contains(&"{") && value.contains('{')
        } else {
            arguments.any(|argument| argument.starts_with(letter))
        }
    });
    meant.map(|(.., advice)| *advice)
}

/// Returns the replacement for this flag of another link checker.
pub fn audit_flag(name: &str) -> Option<&'static str> {
    found(AUDIT_FLAGS, name)
}

/// Returns the replacement for this flag of `git diff`.
pub fn diff_flag(name: &str) -> Option<&'static str> {
    found(DIFF_FLAGS, name)
}

/// Returns the replacement for this flag of `urigrep parse`.
pub fn parse_flag(name: &str) -> Option<&'static str> {
    found(PARSE_FLAGS, name)
}

/// Returns the replacement for this flag of `urigrep resolve`.
pub fn resolve_flag(name: &str) -> Option<&'static str> {
    found(RESOLVE_FLAGS, name)
}

/// Returns the replacement for this flag of `urigrep replace`.
pub fn replace_flag(name: &str) -> Option<&'static str> {
    found(REPLACE_FLAGS, name)
}

/// Returns the verb or flag that this word stands for.
pub fn verb(word: &str) -> Option<&'static str> {
    found(VERBS, word)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::flags::Cli;

    /// Every flag of ripgrep 14.1.
    #[rustfmt::skip]
    const RIPGREP: &[&str] = &[
        "-A", "--after-context", "--auto-hybrid-regex", "-B", "--before-context", "--binary", "--block-buffered", "-b",
        "--byte-offset", "-s", "--case-sensitive", "--color", "--colors", "--column", "-C", "--context",
        "--context-separator", "-c", "--count", "--count-matches", "--crlf", "--debug", "--dfa-size-limit", "-E",
        "--encoding", "--engine", "--field-context-separator", "--field-match-separator", "-f", "--file", "--files", "-l",
        "--files-with-matches", "--files-without-match", "-F", "--fixed-strings", "-L", "--follow", "--generate", "-g",
        "--glob", "--glob-case-insensitive", "--heading", "-h", "--help", "-.", "--hidden", "--hostname-bin",
        "--hyperlink-format", "--iglob", "-i", "--ignore-case", "--ignore-file", "--ignore-file-case-insensitive",
        "--include-zero", "-v", "--invert-match", "--json", "--line-buffered", "-n", "--line-number", "-N",
        "--no-line-number", "-x", "--line-regexp", "-M", "--max-columns", "--max-columns-preview", "-m", "--max-count",
        "-d", "--max-depth", "--max-filesize", "--mmap", "-U", "--multiline", "--multiline-dotall", "--no-config",
        "--no-ignore", "--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-files", "--no-ignore-global",
        "--no-ignore-messages", "--no-ignore-parent", "--no-ignore-vcs", "--no-messages", "--no-require-git",
        "--no-unicode", "-0", "--null", "--null-data", "--one-file-system", "-o", "--only-matching", "--path-separator",
        "--passthru", "-P", "--pcre2", "--pcre2-version", "--pre", "--pre-glob", "-p", "--pretty", "-q", "--quiet",
        "--regex-size-limit", "-e", "--regexp", "-r", "--replace", "-z", "--search-zip", "-S", "--smart-case", "--sort",
        "--sortr", "--stats", "--stop-on-nonmatch", "-a", "--text", "-j", "--threads", "--trace", "--trim", "-t",
        "--type", "-T", "--type-not", "--type-add", "--type-clear", "--type-list", "-u", "--unrestricted", "-V",
        "--version", "--vimgrep", "-H", "--with-filename", "-I", "--no-filename", "-w", "--word-regexp", "--no-heading",
        "--maxdepth", "--passthrough", "--no-mmap", "--no-crlf", "--no-text", "--no-hidden", "--no-follow", "--ignore",
    ];

    /// True if the command has a flag of this name.
    fn is_own(name: &str) -> bool {
        let command = Cli::command();
        command.get_arguments().any(|arg| {
            let short = name.strip_prefix('-').and_then(|rest| {
                let mut chars = rest.chars();
                chars.next().filter(|_| chars.next().is_none())
            });
            let long = name.strip_prefix("--");
            let longs = arg.get_long_and_visible_aliases().unwrap_or_default();
            let hidden = arg.get_all_aliases().unwrap_or_default();
            match long {
                Some(long) => longs.contains(&long) || hidden.contains(&long),
                None => short.is_some() && arg.get_short() == short,
            }
        })
    }

    #[test]
    fn every_flag_of_ripgrep_works_or_says_what_to_use() {
        for name in RIPGREP {
            assert!(is_own(name) || flag(name).is_some(), "{name}");
        }
    }

    #[test]
    fn flags_of_other_checkers_are_none_of_the_audit() {
        let command = Cli::command();
        let audit = command.find_subcommand("audit").expect("the verb");
        let has = |name: &str| {
            audit.get_arguments().any(|arg| {
                arg.get_long_and_visible_aliases().unwrap_or_default().contains(&name)
                    || arg.get_all_aliases().unwrap_or_default().contains(&name)
            })
        };
        for (names, advice) in AUDIT_FLAGS {
            for name in *names {
                assert!(!has(name.trim_start_matches('-')), "{name} is a flag");
            }
            let words = advice.split(|c: char| !c.is_alphanumeric() && c != '-');
            let own_line = advice.contains("`urigrep");
            let words = words.filter(|word| word.starts_with("--") && word.len() > 2);
            for word in words.filter(|_| !own_line) {
                let word = word.trim_start_matches('-');
                assert!(word.starts_with("check") || has(word), "{word} in {advice:?}");
            }
        }
    }

    #[test]
    fn flags_of_git_diff_are_none_of_the_verb() {
        let command = Cli::command();
        let diff = command.find_subcommand("diff").expect("the verb");
        for name in DIFF_FLAGS.iter().flat_map(|(names, _)| *names) {
            let is_flag = diff.get_arguments().any(|arg| {
                arg.get_long() == name.strip_prefix("--") && name.starts_with("--")
                    || arg.get_short().is_some_and(|short| **name == format!("-{short}"))
            });
            assert!(!is_flag, "{name} is a flag");
        }
    }

    #[test]
    fn advice_is_about_flags_that_there_are() {
        let is_flag = |word: &&str| word.starts_with("--") && word.len() > 2;
        for (names, advice) in FLAGS {
            let own_line = advice.contains("`urigrep");
            for name in names.iter().filter(|name| name.starts_with("--")) {
                assert!(!is_own(name), "{name} is a flag");
            }
            let words = advice.split(|c: char| !c.is_alphanumeric() && c != '-');
            for word in words.filter(is_flag).filter(|_| !own_line) {
                assert!(is_own(word), "{word} in {advice:?}");
            }
            assert!(!advice.ends_with('.') && advice.len() < 100, "{advice}");
        }
    }
}
