//! Opens and copies a URI.

use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use urigrep::Uri;

/// Schemes that are opened. Others may run programs or read files (`file:`, `javascript:`, those
/// that an application registered), and the text may come from a stranger.
const OPENED: [&str; 4] = ["http", "https", "mailto", "ftp"];

#[cfg(target_os = "macos")]
const OPENER: &[&str] = &["open"];
#[cfg(windows)]
const OPENER: &[&str] = &["explorer"];
#[cfg(not(any(target_os = "macos", windows)))]
const OPENER: &[&str] = &["xdg-open"];

/// Opens a URI with the program of the system, and returns a message.
pub fn open(uri: &str) -> String {
    let scheme = Uri::parse(uri).map(|uri| uri.scheme().to_ascii_lowercase()).unwrap_or_default();
    if !OPENED.contains(&scheme.as_str()) {
        return format!("not opened: only {} are", OPENED.join(", "));
    }
    let program = OPENER.first().copied().unwrap_or_default();
    let started = Command::new(program)
        .arg(uri)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        Ok(mut child) => {
            // Waiting removes the ended process. If the system allows no thread, it stays until the
            // picker ends.
            let _ = std::thread::Builder::new().spawn(move || drop(child.wait()));
            format!("opened with {program}")
        }
        Err(error) => format!("{program}: {}", urigrep::search::describe(&error)),
    }
}

/// Returns the control sequence by which a terminal copies a text: OSC 52, also over ssh and in
/// tmux.
pub fn copy_sequence(text: &str) -> Vec<u8> {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text)).into_bytes()
}
