//! Flags that say how the URIs that are printed are rewritten.

use clap::Args;

use super::values;

/// How the URIs that are printed are rewritten.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rewriting")]
pub struct RewriteFlags {
    #[arg(
        long,
        overrides_with = "raw",
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
        help = "Resolve relative references that containers hold; so far no container is opened.",
        long_help = "Resolve the relative references that a container marks as such (an `href` of HTML, say) against \
                     its base. So far every input is read as plain text, in which a URI has a scheme and nothing is \
                     relative: the flag is accepted and changes nothing. `urigrep resolve` resolves \
                     references that are given to it."
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
