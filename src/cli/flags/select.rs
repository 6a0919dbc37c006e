//! Flags that say what a URI is, and which ones are wanted.

use clap::Args;
use urigrep::Grammar;
use urigrep::document::Role;
use urigrep::search::HitKind;

use super::values::{self, AssumeMode, DOCUMENTS, ListEntry, RejoinMode, entry};

/// Which of the matches are printed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Selection")]
pub struct SelectFlags {
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::schemes(),
        hide_possible_values = true,
        help = "Print only URIs of these schemes, such as `http,https`; `!http` leaves one out.")]
    pub scheme: Vec<ListEntry<String>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::nids(),
        hide_possible_values = true,
        help = "Print only URNs of these namespaces, such as `isbn,uuid`; `!uuid` leaves one out.")]
    pub nid: Vec<ListEntry<String>>,

    #[arg(long, value_name = "GLOB", value_parser = entry(values::host),
        help = "Print only URIs whose host matches GLOB, such as `*.example.com`, or with `!GLOB` does not.",
        long_help = "Print only URIs whose host matches GLOB, in any case; may be repeated. `!GLOB` leaves those \
                     out that match. `*` matches dots too. The host of an IRI is compared as it is written and in \
                     its ASCII form, an IPv6 address with and without its brackets.")]
    pub host: Vec<ListEntry<String>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = entry(values::domain),
        help = "Print only URIs of these domains and their subdomains, such as `example.com`; `!` leaves out.")]
    pub domain: Vec<ListEntry<String>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::kinds(),
        hide_possible_values = true,
        help = "Print only matches of these kinds: uri, iri, lax, urn, reference, abbreviated, email; or not `!uri`.",
        long_help = "Print only matches of these kinds, each match being of the first that applies: `email` (with \
                     --email), `abbreviated` (with --abbreviated or --identifiers), `urn` (RFC 8141), `lax` (with characters that no RFC allows), `iri` (RFC 3987, with characters outside \
                     ASCII), `uri` (RFC 3986). A `reference` is a relative one, which HTML and Markdown have.")]
    pub kind: Vec<ListEntry<HitKind>>,

    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::roles(),
        hide_possible_values = true,
        help = "Print only what stands in these parts of documents: destination, text, attribute, comment, code, metadata.",
        long_help = "Print only what stands in these parts of HTML and Markdown: `destination` (where links lead, and bare URIs in Markdown), \
                     `text`, `attribute` (values that are no links), `comment`, `code` (scripts, style sheets, code \
                     spans and blocks), `metadata` (front matter, namespaces, DTD identifiers). Files of other \
                     formats are `text`.")]
    pub role: Vec<Role>,

    #[arg(short = 'e', long, value_name = "RE", value_parser = values::regexp, allow_hyphen_values = true,
        help = "Print only URIs that match the regular expression RE; may be repeated, any may match.",
        long_help = "Print only URIs that match the regular expression RE, anywhere in the URI as it is printed \
                     without --raw. The flag may be repeated; a URI is printed if any of them matches.")]
    pub regexp: Vec<String>,

    #[arg(
        short = 'i',
        long,
        requires = "regexp",
        help = "Let --regexp match letters of either case."
    )]
    pub ignore_case: bool,

    #[arg(
        short = 'v',
        long,
        requires = "regexp",
        help = "Print only URIs that no --regexp matches."
    )]
    pub invert_match: bool,

    #[arg(long, conflicts_with_all = ["host", "domain", "kind"],
        help = "Print what looks like a URI and is none, with the reason, in place of the matches.")]
    pub invalid: bool,

    #[arg(
        long,
        hide = true,
        help = "For tests: apply all rules to all text, whatever is asked for."
    )]
    pub no_prefilter: bool,
}

/// What is taken for a URI.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Recognition")]
pub struct RecognizeFlags {
    #[arg(
        long,
        help = "Take only what the RFCs allow; drop URIs with characters that would need repair."
    )]
    pub strict: bool,

    #[arg(long, help = "Let every character outside ASCII end a URI (RFC 3986 without RFC 3987).")]
    pub ascii: bool,

    #[arg(long, help = "Take only schemes that are registered with IANA or in wide use.")]
    pub known_schemes: bool,

    #[arg(long, help = "Print also the URIs that stand inside other URIs.")]
    pub embedded: bool,

    #[arg(
        long,
        help = "Read URIs that were made unclickable: hxxp, [.], [:]//, (dot) and the like.",
        long_help = "Read URIs that were made unclickable on purpose: hxxp, [.], [:]//, (dot), [at] and the like. Hosts, IPv4 \
                     addresses and mail addresses are found without a scheme, too, where a `[.]` or `[at]` \
                     is in them: `evil[.]example[.]com/x`."
    )]
    pub refang: bool,

    #[arg(
        long,
        help = "Print what redirectors lead to: Outlook Safe Links, URL Defense, google.com/url and the like.",
        long_help = "Print what redirectors lead to, the URIs that mail gateways and mail readers put around others: \
                     Outlook Safe Links, Proofpoint URL Defense, google.com/url, l.facebook.com, trackers of list \
                     archives and the like. Nothing is asked of a network."
    )]
    pub unwrap: bool,

    #[arg(
        long,
        value_name = "MODE",
        default_value = "wrapped",
        hide_default_value = true,
        help = "Remove line breaks inside URIs; by default only inside `<...>` and quotes.",
        long_help = "Remove line breaks inside URIs, in these places."
    )]
    pub rejoin: RejoinMode,

    #[arg(
        long,
        help = "Find also URIs without a scheme, such as `www.example.com/a`.",
        long_help = "Find also URIs without a scheme: hosts that start with `www.`, and domains with a known \
                     top-level domain. A domain that could as well be the name of a file or a word of a program, \
                     such as `main.rs` or `self.name`, needs a path behind it. The kind of such a match is \
                     `abbreviated`; it is printed with the scheme that --assume-scheme says."
    )]
    pub abbreviated: bool,

    #[arg(
        long,
        value_name = "SCHEME",
        default_value = "https",
        hide_default_value = true,
        help = "Give URIs without a scheme this one, https by default.",
        long_help = "Give URIs without a scheme this one, https by default."
    )]
    pub assume_scheme: AssumeMode,

    #[arg(
        long,
        help = "Find also mail addresses without `mailto:`, such as `jo@example.com`.",
        long_help = "Find also mail addresses without `mailto:`. The kind of such a match is `email`; it is printed \
                     as a `mailto:` URI."
    )]
    pub email: bool,

    #[arg(
        long,
        help = "Find also DOIs, ISBNs, ISSNs, PMIDs, arXiv identifiers and ORCIDs as people write them.",
        long_help = "Find also identifiers as people write them: what follows `ISBN`, `ISSN`, `PMID`, `PMCID`, `arXiv` or \
                     `ORCID`, and DOIs such as `10.1000/182`, with or without a label or `doi.org/` before \
                     them. Each is printed as its URI, such as `urn:isbn:9780306406157`; its kind is \
                     `abbreviated`. A wrong check digit sets the flag `urn-nss-invalid`. --abbreviated does this \
                     too."
    )]
    pub identifiers: bool,

    #[arg(
        long,
        help = "Find also DOIs as people write them, such as `DOI 10.1000/182`.",
        long_help = "Find also DOIs as people write them, such as `DOI 10.1000/182`, `doi.org/10.1000/182` and \
                     `10.1000/182`, but no other identifiers. They are printed as `doi:` URIs."
    )]
    pub doi: bool,

    #[arg(
        long,
        help = "Find links by the rules of Unicode UTS #58.",
        long_help = "Find links by the rules of Unicode UTS #58, to the letter: URIs of the schemes http, https and \
                     mailto, and those without a scheme, mail addresses among them. URIs of all other schemes are \
                     found as they are without this flag."
    )]
    pub uts58: bool,

    #[arg(long, value_name = "GRAMMAR", default_value = "rfc3986", hide_default_value = true,
        value_parser = values::known_grammars(),
        hide_possible_values = true,
        help = "Take only what this document allows, such as rfc2396bis-01 or url-1993.",
        long_help = format!("Take only what this document allows: {DOCUMENTS}. Where a URI \
                     starts and ends stays the same, but that under the last two a URN ends before the first \
                     character that they exclude. --invalid prints what is not allowed, with the reason."))]
    pub grammar: Grammar,

    #[arg(long, value_name = "SIZE", default_value = "1M", hide_default_value = true,
        value_parser = values::uri_size,
        help = "Reject URIs of more than SIZE bytes, 1M by default; K, M and G are powers of 1024.")]
    pub max_uri: usize,
}
