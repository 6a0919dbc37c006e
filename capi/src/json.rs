//! Options of a finder in JSON.

use std::fmt::Display;
use std::str::FromStr;

use finder::options::{HostMapping, SchemeSet, Schemes};
use finder::{Finder, FinderBuilder};
use serde_json::Value;

/// Builds the finder of an object of options.
pub fn finder(options: &[u8]) -> Result<Finder, String> {
    let options: Value = serde_json::from_slice(options).map_err(|error| error.to_string())?;
    let Value::Object(options) = options else {
        return Err("the options are an object".to_owned());
    };
    let mut builder = Finder::builder().host_mapping(HostMapping::idna().unwrap_or_default());
    for (name, value) in &options {
        builder = set(builder, name, value).map_err(|error| format!("`{name}`: {error}"))?;
    }
    Ok(builder.build())
}

fn set(builder: FinderBuilder, name: &str, value: &Value) -> Result<FinderBuilder, String> {
    Ok(match name {
        "schemes" => builder.schemes(schemes(value)?),
        "charset" => builder.charset(word(value)?),
        "lax" => builder.lax(word(value)?),
        "embedded" => builder.embedded(word(value)?),
        "rejoin" => builder.rejoin(word(value)?),
        "refang" => builder.refang(word(value)?),
        "unwrap" => builder.unwrap(word(value)?),
        "abbreviated" => builder.abbreviated(word(value)?),
        "assume_scheme" => builder.assume_scheme(word(value)?),
        "email" => builder.email(word(value)?),
        "identifiers" => builder.identifiers(word(value)?),
        "detection" => builder.detection(word(value)?),
        "grammar" => builder.grammar(word(value)?),
        "max_uri" => {
            let bytes = value.as_u64().and_then(|bytes| usize::try_from(bytes).ok());
            builder.max_uri(bytes.ok_or("a number of bytes is needed")?)
        }
        _ => return Err("no such option".to_owned()),
    })
}

fn word<T: FromStr<Err: Display>>(value: &Value) -> Result<T, String> {
    let word = value.as_str().ok_or("a word is needed")?;
    word.parse().map_err(|error: T::Err| error.to_string())
}

fn schemes(value: &Value) -> Result<SchemeSet, String> {
    let Value::Array(names) = value else {
        return word::<Schemes>(value).map(SchemeSet::from);
    };
    let name = |name: &Value| name.as_str().map(str::to_owned).ok_or("a scheme is a word");
    let names: Vec<String> = names.iter().map(name).collect::<Result<_, _>>()?;
    Ok(names.into())
}
