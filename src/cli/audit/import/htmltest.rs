//! Settings of htmltest (`.htmltest.yml`).

use super::{Imported, ImportedValue, duration, expressions, strings};

/// Adds a setting. Names are compared without regard to case, as htmltest does.
pub fn import(key: &str, value: &ImportedValue, to: &mut Imported) {
    match key.to_ascii_lowercase().as_str() {
        "ignoreurls" => to.exclude_uris.extend(strings(value)),
        // These are compared as a whole.
        "ignoreinternalurls" => {
            let uris = strings(value).into_iter().map(|uri| expressions::exact(&uri));
            to.exclude_uris.extend(uris);
        }
        "ignoredirs" => {
            for directory in strings(value) {
                match expressions::glob(&directory) {
                    Some(glob) => to.exclude_paths.push(format!("{}/", glob.trim_end_matches('/'))),
                    None => to.not_a_glob(key, &directory),
                }
            }
        }
        "directorypath" => {
            let path = value.as_str().unwrap_or(".");
            to.note(key, format!("urigrep audit --site html {path}"));
        }
        "checkexternal" if value == true => to.note(key, "--online asks the web"),
        "externaltimeout" => to.online_if_valid(key, "timeout", duration(value), value),
        "cacheexpires" => to.online_if_valid(key, "max-age", duration(value), value),
        "externalretries" => to.retry(key, value),
        "enforcehttps" if value == true => to.online("require-https", true),
        "checkmailto" if value == false => to.exclude_uris.push("^mailto:".to_owned()),
        "checktel" if value == false => to.exclude_uris.push("^tel:".to_owned()),
        "checkanchors" | "checklinks" | "checkimages" | "checkscripts" | "checkmeta"
        | "checkgeneric" | "checkmetarefresh"
            if value == false =>
        {
            to.note(key, "links of all elements are checked; [audit.exclude] uris leaves some out");
        }
        "checkfavicon" | "checkdoctype" | "enforcehtml5" if value == true => {
            to.note(key, "no such check");
        }
        "checkinternalhash" if value == false => {
            to.severities.insert("missing-anchor", "off");
        }
        "checkinternal" if value == false => {
            to.severities.insert("missing-target", "off");
        }
        "ignoreemptyhref" | "ignoreinternalemptyhash" if value == true => {
            to.note(key, "empty references of HTML are never reported");
        }
        "httpheaders" => to.note(key, "--header 'HOST NAME: VALUE', with secrets as $VARIABLES"),
        "enablecache" => to.note(key, "--cache FILE"),
        "baseurl" => to.base = value.as_str().map(str::to_owned),
        "filepath" | "fileextension" => {
            to.note(key, "name the files: urigrep audit PATH, or -g GLOB")
        }
        "loglevel" => to.note(key, "--severity SEVERITY"),
        // Defaults that are the same here need no key.
        name if name.starts_with("check") || value == false => {}
        _ => to.unknown(key),
    }
}
