//! Colours of a unified diff, as those of git.
use urigrep::internal::output::escape::visible;

use anstyle::{AnsiColor, Style};

use super::output::Colors;

const HEAD: Style = Style::new().bold();
const PLACE: Style = AnsiColor::Cyan.on_default();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();

/// Appends a diff. With colours, a person reads it, so invisible characters are spelled out.
pub fn paint(diff: &[u8], colors: Colors, out: &mut Vec<u8>) {
    if colors == Colors::Off {
        out.extend_from_slice(diff);
        return;
    }
    for line in diff.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        // Spelled out as `\r`, it would end every line of a Windows file.
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let style = match text.first() {
            // Before the signs. A removed line that starts with `-- ` looks the same; only its
            // colour is wrong then.
            _ if text.starts_with(b"--- ") || text.starts_with(b"+++ ") => HEAD,
            Some(b'@') => PLACE,
            Some(b'-') => OLD,
            Some(b'+') => NEW,
            _ => Style::new(),
        };
        colors.paint(style, out, |out| visible(text, out));
        out.push(b'\n');
    }
}
