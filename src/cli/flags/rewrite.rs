//! Flags that rewrite the printed URIs.

use clap::Args;

use super::values::{self, RedactMode};

/// Changes to printed URIs.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rewriting")]
pub struct RewriteFlags {
    #[arg(
        long,
        overrides_with_all = ["readable", "map_iri", "normalize", "no_fragment"],
        help = "Print the bytes of the source unchanged.",
        long_help = "Print the bytes of the source unchanged. By default, a match is printed as its author meant it: line \
                     breaks inside `<...>` removed, escapes decoded, and characters that no RFC allows percent-encoded. Of \
                     --raw, --readable, --map-iri, and --normalize, the last one wins."
    )]
    pub raw: bool,

    #[arg(
        long,
        overrides_with_all = ["raw", "map_iri", "normalize"],
        help = "Print URIs decoded for reading, where that is safe.",
        long_help = "Print URIs decoded for reading. Percent-encoding and host names are decoded if the result is the same \
                     URI, has no invisible characters, and can stand in running text (Unicode UTS #58). A host that mixes \
                     scripts stays encoded."
    )]
    pub readable: bool,

    #[arg(
        long,
        overrides_with_all = ["raw", "readable", "normalize"],
        help = "Print IRIs as URIs.",
        long_help = "Print IRIs as the URIs they map to (RFC 3987, section 3.1): in ASCII, percent-encoded, with IDNA hosts."
    )]
    pub map_iri: bool,

    #[arg(
        long,
        overrides_with_all = ["raw", "readable", "map_iri"],
        help = "Print URIs in their normal form (RFC 3986, sections 6.2.2 and 6.2.3).",
        long_help = "Print URIs in their normal form: case, percent-encoding, and dot segments by RFC 3986, section 6.2.2; \
                     default ports, empty paths, and other rules of schemes by section 6.2.3. IRIs are printed as URIs. JSON \
                     always has both forms."
    )]
    pub normalize: bool,

    #[arg(
        long,
        overrides_with = "raw",
        help = "Remove fragments; in JSON, from `normalized` only."
    )]
    pub no_fragment: bool,

    #[arg(
        long,
        value_name = "WHERE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "uris",
        help = "Replace passwords, tokens, and other secrets in URIs with REDACTED.",
        long_help = "Replace secrets in URIs with REDACTED, in every format: the userinfo; values of parameters with a secret \
                     name (token, api_key, user[password], sig, session, X-Amz-Signature, ...) in query, fragment, or path; \
                     values of parameters with a possibly secret name (key, auth), unless they are words; JSON Web Tokens, \
                     private keys, and tokens and webhooks of well-known services; and parameters that contain a URI with \
                     secrets. Subjects and senders of mail, names of archive members, and diagnostics are redacted too; \
                     --redact=all also redacts file names. URIs that differ only in secrets count as one for --unique and \
                     --top. Selection sees the secrets. In JSON, such matches have the flag `redacted`."
    )]
    pub redact: Option<RedactMode>,

    #[arg(
        long,
        conflicts_with = "explain",
        help = "Make URIs unclickable: hxxps://evil[.]example/x.",
        long_help = "Make URIs unclickable: hxxp for http, fxp for ftp, `[.]` for the dots of hosts, `[@]` for the `@` of \
                     addresses. This applies to every format, and to all fields that hold a URI, a text, a host, or a \
                     scheme. Positions, kinds, flags, and counts are those of the source, and selection sees the source. \
                     --refang reads the result."
    )]
    pub defang: bool,

    #[arg(
        long,
        help = "Resolve relative references to URIs.",
        long_help = "Resolve the relative references of documents to URIs (RFC 3986, section 5): against the `<base href>` of \
                     the document, else --base, else the URI of the file. `urigrep resolve` resolves references given as \
                     arguments."
    )]
    pub resolve: bool,

    #[arg(
        long,
        value_name = "URI",
        value_parser = values::base,
        help = "The base URI for --resolve, if a document does not declare one.",
        long_help = "The base URI for --resolve, if a document does not declare one: the absolute URI that the document was \
                     retrieved from (RFC 3986, section 5.1.3)."
    )]
    pub base: Option<String>,
}
