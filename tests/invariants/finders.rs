//! The finders that every text is searched with.

use urigrep::{
    Abbreviated, Charset, Detection, Email, Embedded, Finder, Grammar, Lax, Refang, Rejoin, Schemes,
};

/// Finders with every option off its default at least once; true when matches may overlap.
pub fn finders() -> Vec<(Finder, bool)> {
    let builder = Finder::builder;
    vec![
        (Finder::new(), false),
        (builder().rejoin(Rejoin::Always).build(), false),
        (builder().refang(Refang::Read).build(), false),
        (
            builder()
                .rejoin(Rejoin::Hyphen)
                .embedded(Embedded::Report)
                .build(),
            true,
        ),
        (
            builder().rejoin(Rejoin::Never).lax(Lax::Reject).build(),
            false,
        ),
        (
            builder()
                .schemes(Schemes::Known)
                .charset(Charset::Ascii)
                .build(),
            false,
        ),
        (builder().max_uri(40).build(), false),
        (
            builder()
                .abbreviated(Abbreviated::Report)
                .rejoin(Rejoin::Always)
                .build(),
            false,
        ),
        (builder().email(Email::Report).build(), false),
        (
            builder()
                .abbreviated(Abbreviated::Report)
                .email(Email::Report)
                .refang(Refang::Read)
                .build(),
            false,
        ),
        (builder().grammar(Grammar::Rfc2396bis01).build(), false),
        (
            builder()
                .grammar(Grammar::UrlSyntax05)
                .abbreviated(Abbreviated::Report)
                .rejoin(Rejoin::Always)
                .build(),
            false,
        ),
        (
            builder()
                .grammar(Grammar::Url1993)
                .embedded(Embedded::Report)
                .build(),
            true,
        ),
        (
            builder()
                .grammar(Grammar::Url1993)
                .detection(Detection::Uts58)
                .build(),
            false,
        ),
        (builder().grammar(Grammar::Rfc2141bis01).build(), false),
        (builder().grammar(Grammar::Rfc2141).build(), false),
        (builder().detection(Detection::Uts58).build(), false),
        (
            builder().detection(Detection::Uts58).max_uri(40).build(),
            false,
        ),
    ]
}
