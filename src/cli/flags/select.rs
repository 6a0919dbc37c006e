//! Flags that select and recognize URIs.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use urigrep::document::Role;
use urigrep::grammar::HostType;
use urigrep::search::{DateRange, HitKind};
use urigrep::{Flag, Grammar};

use super::values::{self, AssumeMode, DOCUMENTS, ListEntry, RejoinMode, entry};
use super::words;
use crate::cli::complete::one_of_excludable;

/// Which matches are printed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Selection")]
pub struct SelectFlags {
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::scheme),
        add = one_of_excludable(words::schemes),
        help = "Print only URIs of these schemes, such as `http,https`; `!http` excludes one.",
        long_help = "Print only URIs of these schemes, such as `http,https`; `!http` excludes one. `@FILE` stands for the lines \
                     of FILE, and `!@FILE` excludes them; blank lines and lines that start with `#` are skipped. --nid, \
                     --host, --domain, and --from take such lists, too.")]
    pub scheme: Vec<ListEntry<String>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::nid),
        add = one_of_excludable(words::namespaces),
        help = "Print only URNs of these namespaces, such as `isbn,uuid`; `!uuid` excludes one.")]
    pub nid: Vec<ListEntry<String>>,

    #[arg(long, value_name = "GLOB", value_parser = values::host_entry,
        help = "Print only URIs whose host matches GLOB, such as `*.example.com`; `!GLOB` excludes them.",
        long_help = "Print only URIs whose host matches GLOB, ignoring case, or one of several with commas between them. \
                     `!GLOB` excludes hosts that match. `*` also matches dots. `@FILE` is a list, one GLOB per line. The \
                     host of an IRI is compared as written and in its ASCII form, an IPv6 address with and without its \
                     brackets.")]
    pub host: Vec<ListEntry<String>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::domain),
        help = "Print only URIs of these domains and their subdomains, such as `example.com`; `!` excludes one.",
        long_help = "Print only URIs of these domains and their subdomains, such as `example.com`; `!` excludes one. `@FILE` is \
                     a list, one per line, in which `[.]` is read as `.`.")]
    pub domain: Vec<ListEntry<String>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::kind),
        add = one_of_excludable(words::kinds),
        help = "Print only these kinds: uri, iri, lax, urn, reference, abbreviated, email; `!uri` excludes one.",
        long_help = "Print only matches of these kinds. The kind of a match is the first that applies: `email` (with \
                     --email), `abbreviated` (with --abbreviated or --identifiers), `urn` (RFC 8141), `lax` (with characters \
                     that no RFC allows), `iri` (RFC 3987, not only ASCII), `uri` (RFC 3986). A `reference` is a relative \
                     reference in a document.")]
    pub kind: Vec<ListEntry<HitKind>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::roles(),
        hide_possible_values = true,
        help = "Print only matches in these parts of documents: destination, text, attribute, comment, code, string, metadata.",
        long_help = "Print only matches in these parts of documents: `destination` (link targets, and bare URIs in \
                     Markdown), `text`, `attribute` (values that are not links), `comment`, `code` (scripts, style sheets, code \
                     spans and blocks), `string` (strings of programs), `metadata` (front matter, namespaces, DTD \
                     identifiers). Plain text is `text`.")]
    pub role: Vec<Role>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::flag),
        add = one_of_excludable(words::flags),
        help = "Print only matches with one of these flags, such as `has-credentials`; `!` excludes one.",
        long_help = "Print only matches with one of these flags, by their names in JSON, such as `has-credentials` or \
                     `mixed-script-host`; `!NAME` excludes them. --explain shows the flags of each match.")]
    pub flag: Vec<ListEntry<Flag>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::port),
        help = "Print only URIs with one of these ports written in them, such as `8080`; `!` excludes one.")]
    pub port: Vec<ListEntry<u16>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::host_type),
        add = one_of_excludable(words::host_types),
        help = "Print only URIs with these types of hosts: reg-name, ipv4, ipv6, ipvfuture; `!` excludes one.",
        long_help = "Print only URIs with these types of hosts: reg-name, ipv4, ipv6, ipvfuture, and with --grammar of an older \
                     standard also hostname and hostnumber; `!` excludes one.")]
    pub host_type: Vec<ListEntry<HostType>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::element),
        help = "Print only matches in these elements of documents, such as `a,img`; `!` excludes one.",
        long_help = "Print only matches in these elements of documents, such as `a,img`; `!` excludes one. In notebooks, \
                     `output` is what cells printed: `!output` leaves it out.")]
    pub element: Vec<ListEntry<String>>,

    #[arg(long, value_name = "GLOB", value_parser = entry(values::glob),
        help = "Print only matches in places of documents that match GLOB, such as `url` or `page 3`; `!GLOB` excludes them.",
        long_help = "Print only matches in places of documents that match GLOB: a column (`url`), a page or slide (`page 3`), \
                     a sheet or cell (`Links`, `Links!B7`), a cell of a notebook (`cell 2`), a JSON Pointer (`/items/*/link`), the path of a key or element, \
                     or its last name (`urlset/url/loc`, `loc`). `*` stays within one name of a path, `**` does not. `!GLOB` \
                     excludes such places.")]
    pub at: Vec<ListEntry<String>>,

    #[arg(long, value_name = "GLOB", value_parser = entry(values::glob),
        help = "Print only matches in mail whose sender matches GLOB, such as `*@example.com`; `!GLOB` excludes it.")]
    pub from: Vec<ListEntry<String>>,

    #[arg(
        long,
        value_name = "RANGE",
        help = "Print only matches in mail of these dates, such as `2024`, `2024-05..`, or `2024-01..2024-06`."
    )]
    pub date: Option<DateRange>,

    #[arg(short = 'e', long, value_name = "RE", value_parser = values::regexp, allow_hyphen_values = true,
        help = "Print only URIs that match the regex RE; may be repeated, and any may match.",
        long_help = "Print only URIs in which the regex RE matches anywhere. It is matched against the URI as printed \
                     without --raw. If the flag is repeated, one match is enough.")]
    pub regexp: Vec<String>,

    #[arg(
        short = 'f',
        long = "file",
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        help = "Read more expressions for --regexp from FILE, one per line.",
        long_help = "Read more expressions for --regexp from FILE, one per line. Blank lines are skipped. For a list of hosts, \
                     --host @FILE and --domain @FILE are exact, and faster."
    )]
    pub regexp_files: Vec<PathBuf>,

    #[arg(short = 'i', long, help = "Ignore case in --regexp.")]
    pub ignore_case: bool,

    #[arg(short = 'v', long, help = "Invert --regexp: print only URIs that it does not match.")]
    pub invert_match: bool,

    #[arg(
        long,
        help = "Print only URIs with secrets: passwords, tokens, and keys.",
        long_help = "Print only URIs with secrets: passwords, tokens, and keys, which are what --redact removes."
    )]
    pub secrets: bool,

    #[arg(long, conflicts_with_all = ["host", "domain", "kind"],
        help = "Print rejected candidates instead of matches, each with the reason.")]
    pub invalid: bool,

    #[arg(
        long,
        hide = true,
        help = "For tests: apply all rules to all text, whatever is selected."
    )]
    pub no_prefilter: bool,
}

/// Additional or stricter forms of URIs.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Recognition")]
pub struct RecognizeFlags {
    #[arg(long, help = "Accept only what the RFCs allow; drop URIs that need repair.")]
    pub strict: bool,

    #[arg(
        long,
        help = "End URIs at the first character that is not ASCII (RFC 3986 without RFC 3987)."
    )]
    pub ascii: bool,

    #[arg(long, help = "Accept only schemes that are registered with IANA or widely used.")]
    pub known_schemes: bool,

    #[arg(
        long,
        help = "Also find URIs inside other URIs.",
        long_help = "Also find URIs inside other URIs, and read values of JSON, YAML, TOML, PO, CSV, \
                     and databases that hold HTML or Markdown as such."
    )]
    pub embedded: bool,

    #[arg(
        long,
        help = "Find defanged URIs, such as hxxp://evil[.]example, and refang them.",
        long_help = "Find defanged URIs, and print them refanged: hxxp, [.], [:]//, (dot), [at], and similar. Hosts, IPv4 \
                     addresses, and mail addresses are found without a scheme if they contain `[.]` or `[at]`: \
                     `evil[.]example[.]com/x`."
    )]
    pub refang: bool,

    #[arg(
        long,
        help = "Replace redirectors by their targets, such as Outlook Safe Links and google.com/url.",
        long_help = "Print the targets of redirectors, the URIs that mail gateways and sites wrap around others: Outlook Safe \
                     Links, Proofpoint URL Defense, google.com/url, l.facebook.com, trackers of list archives, and similar. \
                     No network is used."
    )]
    pub unwrap: bool,

    #[arg(
        long,
        value_name = "MODE",
        default_value = "wrapped",
        hide_default_value = true,
        help = "Which line breaks inside URIs to remove; by default those inside `<...>` and quotes.",
        long_help = "Which line breaks inside URIs to remove."
    )]
    pub rejoin: RejoinMode,

    #[arg(
        long,
        help = "Also find URIs without a scheme, such as `www.example.com/a`.",
        long_help = "Also find URIs without a scheme: hosts that start with `www.`, and domains with a known top-level \
                     domain. A domain that may be a file name or an expression, such as `main.rs` or `self.name`, counts only \
                     if a path follows. So does an IPv4 address without a port. Repositories (`git@host.example:o/r.git`) \
                     are printed as `ssh://`. The kind of such a match is `abbreviated`. It is printed with the scheme of \
                     --assume-scheme."
    )]
    pub abbreviated: bool,

    #[arg(
        long,
        value_name = "SCHEME",
        default_value = "https",
        hide_default_value = true,
        help = "The scheme of URIs without one: https (the default) or http."
    )]
    pub assume_scheme: AssumeMode,

    #[arg(
        long,
        help = "Also find mail addresses without `mailto:`, such as `jo@example.com`.",
        long_help = "Also find mail addresses without `mailto:`. The kind of such a match is `email`. It is printed as a \
                     `mailto:` URI."
    )]
    pub email: bool,

    #[arg(
        long,
        help = "Also find DOIs, ISBNs, ISSNs, PMIDs, arXiv identifiers, and ORCIDs as people write them.",
        long_help = "Also find identifiers as people write them: after `ISBN`, `ISSN`, `PMID`, `PMCID`, `arXiv`, or `ORCID`, \
                     and DOIs such as `10.1000/182`, with or without a label or `doi.org/`. Each is printed as its URI, such \
                     as `urn:isbn:9780306406157`. Its kind is `abbreviated`. A wrong check digit sets the flag \
                     `urn-nss-invalid`. --abbreviated implies this flag."
    )]
    pub identifiers: bool,

    #[arg(
        long,
        help = "Also find DOIs as people write them, such as `DOI 10.1000/182`.",
        long_help = "Also find DOIs as people write them, such as `DOI 10.1000/182`, `doi.org/10.1000/182`, and \
                     `10.1000/182`, but no other identifiers. They are printed as `doi:` URIs."
    )]
    pub doi: bool,

    #[arg(
        long,
        help = "Find links by the rules of Unicode UTS #58.",
        long_help = "Find links exactly by the rules of Unicode UTS #58: URIs of the schemes http, https, and mailto, URIs \
                     without a scheme, and mail addresses. URIs of other schemes are found as without this flag."
    )]
    pub uts58: bool,

    #[arg(long, value_name = "GRAMMAR", default_value = "rfc3986", hide_default_value = true,
        value_parser = values::known_grammars(),
        hide_possible_values = true,
        help = "Accept only what this document allows, such as rfc2396bis-01 or url-1993.",
        long_help = format!("Accept only what this document allows: {DOCUMENTS}. The ends of URIs stay \
                     the same; only with the last two does a URN end before the first character that they do not allow. `urigrep --invalid` prints what \
                     is not allowed, with the reason."))]
    pub grammar: Grammar,

    #[arg(long, value_name = "SIZE", default_value = "1M", hide_default_value = true,
        value_parser = values::uri_size,
        help = "Reject URIs longer than SIZE bytes; the default is 1M (K, M, and G are powers of 1024).")]
    pub max_uri: usize,
}
