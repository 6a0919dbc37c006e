//! Flags that say how the URIs that are printed are rewritten.

use clap::Args;

use super::values::{self, RedactMode};

/// How the URIs that are printed are rewritten.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rewriting")]
pub struct RewriteFlags {
    #[arg(
        long,
        overrides_with_all = ["readable", "map_iri", "normalize", "no_fragment"],
        help = "Print the bytes as they stand in the source.",
        long_help = "Print the bytes as they stand in the source. Without this flag a match is printed as its \
                     author meant it: line breaks inside `<...>` removed, escapes decoded, characters that \
                     no RFC allows percent-encoded."
    )]
    pub raw: bool,

    #[arg(
        long,
        overrides_with_all = ["raw", "map_iri", "normalize"],
        help = "Print URIs as people read them: decode what is safe to decode.",
        long_help = "Print URIs as people read them: percent triplets and host names are decoded where the result \
                     is still the same URI, shows nothing invisible and can stand in running text (Unicode \
                     UTS #58). A host that mixes scripts stays encoded."
    )]
    pub readable: bool,

    #[arg(
        long,
        overrides_with_all = ["raw", "readable", "normalize"],
        help = "Print IRIs as the URIs they map to.",
        long_help = "Print IRIs as the URIs they map to (RFC 3987, section 3.1): in ASCII, with percent triplets, \
                     and hosts as IDNA has them."
    )]
    pub map_iri: bool,

    #[arg(
        long,
        overrides_with_all = ["raw", "readable", "map_iri"],
        help = "Print URIs in their normal spelling (RFC 3986 sections 6.2.2 and 6.2.3).",
        long_help = "Print URIs in their normal spelling: case, percent-encoding and dot segments by RFC 3986 section \
                     6.2.2, default ports, empty paths and what else schemes say by section 6.2.3; IRIs as \
                     URIs. JSON has both spellings always."
    )]
    pub normalize: bool,

    #[arg(
        long,
        overrides_with = "raw",
        help = "Leave fragments out; in JSON, of `normalized` only."
    )]
    pub no_fragment: bool,

    #[arg(
        long,
        value_name = "WHERE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "uris",
        help = "Print REDACTED in place of passwords, tokens and other secrets in URIs.",
        long_help = "Print REDACTED in place of secrets in URIs, whatever is printed of them: the userinfo; values of \
                     parameters whose names say that they are secret (token, api_key, user[password], sig, session, \
                     X-Amz-Signature, ...), in query, fragment or path; values of those whose names may say so (key, \
                     auth), unless they are words; JSON Web Tokens, private keys, and tokens and webhooks of \
                     well-known services; and parameters that hold another URI with such. So are subjects and senders \
                     of mail, names of members of archives and diagnostics; with --redact=all the names of files, too. \
                     URIs that differ in secrets only are the same for --unique and --top. Selection sees the \
                     secrets. In JSON, the flag `redacted` says where it happened."
    )]
    pub redact: Option<RedactMode>,

    #[arg(
        long,
        conflicts_with = "explain",
        help = "Print URIs so that nobody can click on them: hxxps://evil[.]example/x.",
        long_help = "Print URIs so that nobody can click on them: hxxp for http, fxp for ftp, `[.]` for the dots of \
                     hosts, `[@]` for the `@` of addresses. This is so in every format, for all fields that hold a \
                     URI, a text, a host or a scheme. Positions, kinds, flags and counts are those of the source, \
                     and selection sees it as it stands there. --refang reads the result."
    )]
    pub defang: bool,

    #[arg(
        long,
        help = "Print relative references as the URIs that they stand for.",
        long_help = "Print the relative references of HTML and Markdown as the URIs that they stand for, by RFC 3986 \
                     section 5: against the `<base href>` of the document, else --base, else the file itself. \
                     `urigrep resolve` resolves references that are given to it."
    )]
    pub resolve: bool,

    #[arg(
        long,
        value_name = "URI",
        value_parser = values::base,
        help = "The base for --resolve where a document names none: where it was retrieved from.",
        long_help = "The base for --resolve where a document names none (RFC 3986 section 5.1.3): the absolute URI \
                     that it was retrieved from."
    )]
    pub base: Option<String>,
}
