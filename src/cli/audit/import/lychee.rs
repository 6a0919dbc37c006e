//! Settings of lychee (`lychee.toml`).

use super::{Imported, Value, duration, expressions, retries, strings};
use crate::cli::toml_string::toml_string;

/// Adds a setting.
pub fn import(key: &str, value: &Value, to: &mut Imported) {
    match key {
        "exclude" => to.exclude_uris.extend(strings(value)),
        "include" => to.include_uris.extend(strings(value)),
        "exclude_path" => {
            for path in strings(value) {
                match expressions::glob(&path) {
                    Some(glob) => to.exclude_paths.push(glob),
                    None => to.not_a_glob(key, &path),
                }
            }
        }
        "accept" => accept(value, to),
        "timeout" | "max_cache_age" => {
            let name = if key == "timeout" { "timeout" } else { "max-age" };
            match duration(value) {
                Some(duration) => to.online(name, duration),
                None => to.note(key, format!("{name} takes a duration such as 20s, 12h, or 7d")),
            }
        }
        "max_retries" => to.online.extend(retries(value).map(|it| ("retry", it.to_string()))),
        "remap" => to.remaps.extend(strings(value)),
        "require_https" if value == true => to.online("require-https", true),
        "include_mail" if value == true => to.online("include-mail", true),
        "suggest" if value == true => to.online("suggest", toml_string("archive")),
        "exclude_all_private" | "exclude_private" | "exclude_link_local" | "exclude_loopback"
            if value == true =>
        {
            to.severities.insert("private-host", "off");
        }
        "root_dir" => to.root.extend(strings(value)),
        "include_fragments" if value == false => {
            to.severities.insert("missing-anchor", "off");
            to.severities.insert("unreachable-anchor", "off");
        }
        "base" | "base_url" => match value.as_str() {
            Some(base) if base.contains("://") => {
                to.note(key, "`base` is the path of the site, such as /docs/");
            }
            Some(base) => to.root.push(base.to_owned()),
            None => to.unknown(key),
        },
        "cache" if value == true => to.note(key, "--cache FILE; --import reads a .lycheecache"),
        "header" | "headers" | "hosts" => {
            to.note(key, "--header 'HOST NAME: VALUE', with secrets as $VARIABLES");
        }
        "max_concurrency" | "concurrency" => {
            to.note(key, "requests are limited per host: `host-concurrency` in [audit.online]");
        }
        "format" | "output" | "quiet" | "hidden" | "no_ignore" | "dump" | "offline" => {
            to.note(key, format!("--{}", key.replace('_', "-")));
        }
        // What is off by default is off here, too.
        _ if value == false => {}
        _ => to.unknown(key),
    }
}

/// Status codes: numbers, lists, and ranges such as `200..=299`, whose end `..` excludes.
fn accept(value: &Value, to: &mut Imported) {
    let mut codes = Vec::new();
    for text in strings(value).iter().flat_map(|text| text.split(',')) {
        let range = text.split_once("..=").map(|(start, end)| (start, end.parse().ok()));
        let range = range.or_else(|| {
            let (start, end) = text.split_once("..")?;
            Some((start, end.parse::<u16>().ok().map(|end| end.saturating_sub(1))))
        });
        match range {
            Some((start, end)) => {
                let start = if start.is_empty() { "100" } else { start };
                codes.push(format!("{start}-{}", end.unwrap_or(599)));
            }
            None => codes.push(text.trim().to_owned()),
        }
    }
    to.online("accept", toml_string(&codes.join(",")));
}
