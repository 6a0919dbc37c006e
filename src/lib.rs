//! Finds URIs and URNs in free text.
//!
//! ```
//! use urigrep::Finder;
//!
//! let finder = Finder::new();
//! let text = b"See <http://www.w3.org/\n  Addressing/> or (urn:isbn:0451450523).";
//! let found: Vec<_> = finder.find_iter(text).map(|m| m.uri().to_string()).collect();
//! assert_eq!(found, ["http://www.w3.org/Addressing/", "urn:isbn:0451450523"]);
//! ```

pub mod decode;
mod delimit;
mod error;
mod finder;
mod grammar;
mod offset_map;
mod options;
mod reference;
pub mod registry;
mod scan;
mod scheme;
mod span;
#[doc(hidden)]
pub mod steps;
mod trace;
mod verdict;

pub use error::{ErrorKind, ParseError, Reason};
pub use finder::{
    FindIter, Finder, FinderBuilder, Finding, Findings, Match, Progress, Rejected, Resume, Window,
};
pub use grammar::{HostType, Iri, IriRef, Uri, UriRef, Urn};
pub use options::{
    Abbreviated, AssumedScheme, Charset, Detection, Email, Embedded, Lax, Refang, Rejoin, Schemes,
};
pub use reference::{
    Base, BaseBuilder, BaseSource, Component, Difference, Fragment, NormalForm, Normalizer,
    Resolution, Rung, Target, Tracking, compare, equivalent, normalize, resolve,
};
pub use span::Span;
pub use trace::Step;
pub use verdict::{Flag, Flags, Kind, Wrapper};
