//! Options of a finder, one per line: `name` or `name=value`.

use std::fmt::Display;
use std::str::FromStr;

use finder::options::{
    Abbreviated, Charset, Detection, Email, Embedded, Identifiers, Lax, Refang, Schemes, Unwrap,
};
use finder::{Finder, FinderBuilder};

/// Builds the finder of these options.
pub fn finder(options: &str) -> Result<Finder, String> {
    let mut builder = Finder::builder();
    for line in options.lines() {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        builder = set(builder, name, value).map_err(|error| format!("`{name}`: {error}"))?;
    }
    Ok(builder.build())
}

/// Options whose code is not in `urigrep/lite`.
const FULL_ONLY: [&str; 5] = ["grammar", "identifiers", "refang", "unwrap", "uts58"];

fn set(builder: FinderBuilder, name: &str, value: &str) -> Result<FinderBuilder, String> {
    if cfg!(urigrep_lite) && FULL_ONLY.contains(&name) {
        return Err("it is not part of urigrep/lite; import urigrep".to_owned());
    }
    Ok(match name {
        "schemes" => builder.schemes(word::<Schemes>(value)?),
        "onlySchemes" => builder.schemes(value.split(',').collect::<Vec<_>>()),
        "strict" => builder.lax(Lax::Reject),
        "ascii" => builder.charset(Charset::Ascii),
        "embedded" => builder.embedded(Embedded::Report),
        "refang" => builder.refang(Refang::Read),
        "unwrap" => builder.unwrap(Unwrap::Redirectors),
        "rejoin" => builder.rejoin(word(value)?),
        "abbreviated" => builder.abbreviated(Abbreviated::Report),
        "assumeScheme" => builder.assume_scheme(word(value)?),
        "email" => builder.email(Email::Report),
        "identifiers" => builder.identifiers(match value {
            "" => Identifiers::All,
            value => word(value)?,
        }),
        "uts58" => builder.detection(Detection::Uts58),
        "grammar" => builder.grammar(word(value)?),
        "maxUri" => builder.max_uri(word(value)?),
        _ => return Err("no such option".to_owned()),
    })
}

fn word<T: FromStr<Err: Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error: T::Err| error.to_string())
}
