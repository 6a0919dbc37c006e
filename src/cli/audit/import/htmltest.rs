//! Settings of htmltest (`.htmltest.yml`).

use super::{Imported, Value, duration, expressions, retries, strings};

/// Adds a setting. Names are compared without regard to case, as htmltest does.
pub fn import(key: &str, value: &Value, to: &mut Imported) {
    match key.to_ascii_lowercase().as_str() {
        "ignoreurls" => to.exclude_uris.extend(strings(value)),
        // These are compared as a whole.
        "ignoreinternalurls" => {
            let uris = strings(value).into_iter().map(|uri| expressions::exact(&uri));
            to.exclude_uris.extend(uris);
        }
        "ignoredirs" => {
            for directory in strings(value) {
                match expressions::glob(directory.trim_end_matches('$')) {
                    Some(glob) => {
                        let directory = glob.trim_end_matches(['/', '*']);
                        to.exclude_paths.push(format!("{directory}/"));
                    }
                    None => to.not_a_glob(key, &directory),
                }
            }
        }
        "directorypath" => {
            let path = value.as_str().unwrap_or(".");
            to.note(key, format!("urigrep audit --site html {path}"));
        }
        "checkexternal" if value == true => to.note(key, "--online asks the web"),
        "externaltimeout" => {
            to.online.extend(duration(value).map(|duration| ("timeout", duration)));
        }
        "cacheexpires" => to.online.extend(duration(value).map(|duration| ("max-age", duration))),
        "externalretries" => to.online.extend(retries(value).map(|it| ("retry", it.to_string()))),
        "enforcehttps" if value == true => to.online("require-https", true),
        "checkmailto" if value == true => to.online("include-mail", true),
        "checkinternalhash" if value == false => {
            to.severities.insert("missing-anchor", "off");
        }
        "checkinternal" if value == false => {
            to.severities.insert("missing-target", "off");
        }
        "ignoreemptyhref" | "ignoreinternalemptyhash" if value == true => {
            to.severities.insert("placeholder", "off");
        }
        "httpheaders" => to.note(key, "--header 'HOST NAME: VALUE', with secrets as $VARIABLES"),
        "enablecache" => to.note(key, "--cache FILE"),
        "baseurl" => to.note(key, "`base` is the path of the site, such as /docs/"),
        "filepath" | "fileextension" => {
            to.note(key, "name the files: urigrep audit PATH, or -g GLOB")
        }
        "loglevel" => to.note(key, "--severity SEVERITY"),
        // What is on or off by default is so here, too.
        name if name.starts_with("check") || value == false => {}
        _ => to.unknown(key),
    }
}
