//! Finds URIs and URNs in free text, and parses, compares, and checks them.
//!
//! ```
//! use urigrep::Finder;
//!
//! let finder = Finder::new();
//! let text = "See <http://www.w3.org/\n  Addressing/> or (urn:isbn:0451450523).";
//! let found: Vec<_> = finder.find_iter(text).map(|m| m.to_string()).collect();
//! assert_eq!(found, ["http://www.w3.org/Addressing/", "urn:isbn:0451450523"]);
//! ```
//!
//! # What you need
//!
//! | to | use | feature |
//! |---|---|---|
//! | find URIs in a text | [`Finder::find_iter`] | none |
//! | find them in a reader, with bounded memory | `Finder::read_iter` | `std` |
//! | turn them into HTML links, safely | [`linkify::Linkifier`] | none |
//! | parse a URI, a URN, an IRI, or a reference | [`Uri`], [`Urn`], [`Iri`], [`UriRef`] | none |
//! | resolve, normalize, and compare | [`resolve`], [`normalize`], [`reference`](mod@reference) | none |
//! | tell whether two URIs name the same book or paper | [`Identifier`] | none |
//! | own a URI, or change one | [`UriBuf`], [`edit`] | none |
//! | search files, trees, mail, archives, and documents | `search::Search` | `search` |
//! | check the links of documentation | `audit::Auditor` | `search`; `online` for the web |
//! | show URIs to people, or hide their secrets | [`readable`], [`redact`], [`defang`] | none |
//!
//! | feature | adds | includes |
//! |---|---|---|
//! | none | finder, parsers, identifiers, registries; `no_std` with `alloc`, and memchr is the only dependency | |
//! | `std` | `Finder::read_iter`, and kernels that are chosen for the processor | |
//! | `idna` | `HostMapping::idna`: hosts as A-labels (UTS #46) | |
//! | `serde` | `Serialize` for matches and URIs, and for hits as the JSON of the command | |
//! | `search` | the modules `search`, `document`, `archive`, `audit`, `change` | `std` |
//! | `pdf` | PDF in searches and audits | `search` |
//! | `reports` | `audit::report` and `Auditor::report`: SARIF, JSON, JUnit, … | `search`, `serde` |
//! | `online` | `audit::remote`, which asks whether links are dead | `search`, `serde` |
//! | `cli`, `lsp`, `pick` | the command; a library needs none of these. On by default, as is `online` | all but `online` |
//!
//! In debug builds, searches are about twenty times slower;
//! `[profile.dev.package.urigrep] opt-level = 3` in your `Cargo.toml` prevents that.
//!
//! Options are enums with a default, set by [`Finder::builder`]:
//!
//! ```
//! use urigrep::Finder;
//! use urigrep::options::{Abbreviated, Email, Identifiers, Lax, Refang};
//! let finder = Finder::builder()
//!     .schemes(["https", "mailto"])       // all by default
//!     .abbreviated(Abbreviated::Report)   // `www.example.com`
//!     .email(Email::Report)               // `jo@example.com`
//!     .identifiers(Identifiers::All)      // `ISBN 0-306-40615-2`
//!     .refang(Refang::Read)               // `hxxps://evil[.]example`
//!     .lax(Lax::Reject)                   // only what the RFCs allow
//!     .build();
//! assert!(finder.is_match("www.example.com"));
//! ```
//!
//! Errors name the byte and the reason: a [`ParseError`] has both, and a search returns what is
//! almost a URI as [`Rejected`]. Rules such as D4.3, which comments and
//! [`Finder::explain`] cite, are those of
//! [docs/delimiting.md](https://docs.rs/crate/urigrep/latest/source/docs/delimiting.md).
//!
//! # The documents
//!
//! | | document | grammar | other requirements | vectors in `corpus/` |
//! |---|---|---|---|---|
//! | S1 | RFC 8141 | [`Urn`], [`Grammar::Rfc8141`] | [`NamespaceClass`], [`Urn::check_nss`], [`equivalent`] | `grammar/urn.tsv`, `delimiting/d6-urn.toml`, `names/class.tsv`, `names/nss.tsv`, `reference/equivalence.tsv` |
//! | S2 | draft-ietf-urnbis-rfc2141bis-urn-01, RFC 2141 | [`Grammar::Rfc2141bis01`], [`Grammar::Rfc2141`] | [`equivalent`] | `grammar/rfc2141bis-01.tsv`, `grammar/rfc2141.tsv`, `reference/equivalence.tsv` |
//! | S3 | draft-fielding-uri-rfc2396bis-01 | [`Grammar::Rfc2396bis01`] | [`Resolution::Rfc2396bis01`], [`Uri::flags`], [`Uri::rare_ip`], [`Finder`] | `grammar/rfc2396bis-01.tsv`, `reference/rfc2396bis-01.tsv`, `names/flags.tsv`, `delimiting/appendix-c.toml`, `delimiting/specs.toml`, `delimiting/d7-abbreviated.toml` |
//! | S4 | draft-fielding-url-syntax-05 | [`Grammar::UrlSyntax05`] | [`Resolution::UrlSyntax05`], [`Base`] | `grammar/url-syntax-05.tsv`, `reference/url-syntax-05.tsv`, `delimiting/specs.toml`, `reference/base.tsv` |
//! | S5 | "Uniform Resource Locators", July 1993 | [`Grammar::Url1993`] | [`Resolution::Url1993`], [`Finder`] | `grammar/url-1993.tsv`, `reference/url-1993.tsv`, `delimiting/specs.toml` |
//! | S6 | RFC 3986, RFC 3987 | [`Uri`], [`UriRef`], [`Iri`], [`IriRef`], [`Grammar::Rfc3986`] | [`resolve`], [`normalize`], [`compare`], [`Iri::to_uri`], [`Iri::flags`], [`Uri::readable`] | `grammar/uri.tsv`, `grammar/reference.tsv`, `grammar/iri.tsv`, `reference/rfc3986.tsv`, `reference/normalize.tsv`, `reference/equivalence.tsv`, `names/flags.tsv`, `names/readable.tsv` |
//!
//! References under each document are in `grammar/relative.tsv`. Texts that one document accepts
//! and the next rejects are in `grammar/neighbours.tsv`, and searches with the older grammars in
//! `delimiting/grammars.toml`. Where a document's grammar and its prose differ, the grammar wins;
//! [`Grammar`] lists the consequences.
//!
//! # Modules
//!
//! The root has what most programs need. [`finder`] has the rest of a search (windows of a longer
//! text, iterators, recognizers), and [`options`] its settings. [`edit`] and [`percent`] build
//! URIs, and [`grammar`] has the older documents. [`reference`](mod@reference) resolves,
//! normalizes, and compares. [`identifier`] reads DOIs, ISBNs, and their like. [`registry`] and
//! [`namespace`] list what is registered. [`decode`] and [`offset_map`] read encodings and keep
//! offsets. [`redirect`] removes redirectors, and [`readable`] shows URIs to people.
//!
//! [`NamespaceClass`]: namespace::NamespaceClass
//! [`equivalent`]: reference::equivalent
//! [`compare`]: reference::compare
//! [`Base`]: reference::Base
//! [`Resolution::Rfc2396bis01`]: reference::Resolution::Rfc2396bis01
//! [`Resolution::UrlSyntax05`]: reference::Resolution::UrlSyntax05
//! [`Resolution::Url1993`]: reference::Resolution::Url1993

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::panic, clippy::unwrap_used))]

extern crate alloc;

#[cfg(feature = "search")]
pub mod archive;
#[cfg(feature = "search")]
pub mod audit;
mod byte_table;
#[cfg(feature = "search")]
mod calendar;
#[cfg(feature = "search")]
pub mod change;
mod chunk;
pub mod decode;
mod defang;
mod delimit;
#[cfg(feature = "search")]
pub mod document;
pub mod edit;
mod error;
pub mod finder;
pub mod grammar;
#[cfg(feature = "search")]
mod hash;
pub mod identifier;
#[doc(hidden)]
pub mod internal;
mod kind;
mod line_index;
pub mod linkify;
mod memmem;
#[cfg(feature = "search")]
mod memory;
mod named;
pub mod namespace;
pub mod offset_map;
pub mod options;
#[cfg(feature = "search")]
mod ordered;
#[cfg(feature = "reports")]
pub(crate) mod output;
pub mod percent;
pub mod readable;
mod redact;
pub mod redirect;
pub mod reference;
pub mod registry;
mod scan;
mod scheme;
#[cfg(feature = "search")]
pub mod search;
mod security;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "search")]
mod setters;
#[cfg(feature = "search")]
mod shorten;
mod slice;
#[cfg(feature = "search")]
mod sniff;
mod span;
#[cfg(feature = "search")]
mod spellings;
#[cfg(feature = "search")]
mod text_list;
#[cfg(feature = "search")]
mod threads;
mod trace;
mod work_counter;

pub use defang::defang;
pub use edit::UriBuf;
pub use error::{ErrorKind, ParseError, Reason};
pub use finder::{Finder, FinderBuilder, Finding, Match, OwnedMatch, Rejected};
pub use grammar::{Grammar, Iri, IriRef, Uri, UriRef, Urn};
pub use identifier::Identifier;
pub use kind::{Flag, Flags, Kind, Wrapper};
pub use line_index::{LineColumn, LineIndex};
pub use redact::{redact, redact_text};
pub use reference::{normalize, resolve};
pub use span::Span;

/// The examples of README.md run as doc tests.
#[cfg(all(doctest, feature = "search"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the guide's page about the library run as doc tests.
#[cfg(all(doctest, feature = "search"))]
#[doc = include_str!("../docs/guide/library.md")]
struct LibraryGuide;
