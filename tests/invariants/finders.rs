//! The finders that every text is searched with.

use urigrep::options::{
    Abbreviated, Charset, Detection, Email, Embedded, Identifiers, Lax, Refang, Rejoin, Schemes,
    Unwrap,
};
use urigrep::{Finder, FinderBuilder, Grammar};

/// Finders with every option off its default at least once; true when matches may overlap.
pub fn finders() -> Vec<(Finder, bool)> {
    let built = modes().into_iter();
    built.map(|(_, builder, overlap)| (builder.build(), overlap == Overlap::Some)).collect()
}

/// Whether matches may stand inside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    None,
    Some,
}

/// The options of each finder, by what is set in them.
#[rustfmt::skip]
pub fn modes() -> Vec<(&'static str, FinderBuilder, Overlap)> {
    use Overlap::{None, Some};
    let new = Finder::builder;
    let bare = |builder: FinderBuilder| builder.abbreviated(Abbreviated::Report).email(Email::Report);
    let all = bare(new()).identifiers(Identifiers::All).refang(Refang::Read).rejoin(Rejoin::Always).unwrap(Unwrap::Redirectors);
    vec![
        ("default", new(), None),
        ("rejoin-always", new().rejoin(Rejoin::Always), None),
        ("refang", new().refang(Refang::Read), None),
        ("embedded", new().rejoin(Rejoin::Hyphen).embedded(Embedded::Report), Some),
        ("strict", new().rejoin(Rejoin::Never).lax(Lax::Reject), None),
        ("known-ascii", new().schemes(Schemes::Known).charset(Charset::Ascii), None),
        ("max-uri", new().max_uri(40), None),
        ("abbreviated", new().abbreviated(Abbreviated::Report).rejoin(Rejoin::Always), None),
        ("email", new().email(Email::Report), None),
        ("identifiers", new().identifiers(Identifiers::All), None),
        ("doi", new().identifiers(Identifiers::Doi).abbreviated(Abbreviated::Report), None),
        ("bare-refang", bare(new()).refang(Refang::Read), None),
        ("all", all.clone(), None),
        ("all-embedded", all.embedded(Embedded::Report), Some),
        ("rfc2396bis-01", new().grammar(Grammar::Rfc2396bis01), None),
        ("url-syntax-05", new().grammar(Grammar::UrlSyntax05).abbreviated(Abbreviated::Report).rejoin(Rejoin::Always), None),
        ("url-1993", new().grammar(Grammar::Url1993).embedded(Embedded::Report), Some),
        ("url-1993-uts58", new().grammar(Grammar::Url1993).detection(Detection::Uts58), None),
        ("rfc2141bis-01", new().grammar(Grammar::Rfc2141bis01), None),
        ("rfc2141", new().grammar(Grammar::Rfc2141), None),
        ("uts58", new().detection(Detection::Uts58), None),
        ("uts58-max-uri", new().detection(Detection::Uts58).max_uri(40), None),
        ("uts58-all", bare(new()).detection(Detection::Uts58).refang(Refang::Read).embedded(Embedded::Report), Some),
    ]
}
