//! Pages for people: one file each, with its data, style, and script, that needs no network.
//!
//! A page is written in the order of its parts, so that data may be written as it is found.

use serde::Serialize;

use super::json::append;

/// Forbids every request, whatever the data of a page are. Earlier pages are known by it.
pub const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The fixed parts of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub title: &'static str,
    /// Rules beside those that all pages share.
    pub style: &'static str,
    /// The elements of the body.
    pub body: &'static str,
    /// The script, which finds the data by their ids.
    pub script: &'static str,
}

impl Page {
    /// Appends everything before the data.
    pub fn open(&self, out: &mut Vec<u8>) {
        let Self { title, style, body, .. } = self;
        // Without the empty icon, a browser would request `/favicon.ico` from the server, which the
        // policy forbids.
        let head = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n\
             <style>\n{STYLE}{style}</style>\n</head>\n<body>\n{body}"
        );
        out.extend_from_slice(head.as_bytes());
    }

    /// Appends everything after the data.
    pub fn close(&self, out: &mut Vec<u8>) {
        let end = format!("<script>\n{SCRIPT}{}</script>\n</body>\n</html>\n", self.script);
        out.extend_from_slice(end.as_bytes());
    }
}

/// Appends the start of an element with data of this id.
pub fn open_data(id: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("<script type=\"application/json\" id=\"{id}\">").as_bytes());
}

/// Appends the end of an element with data.
pub fn close_data(out: &mut Vec<u8>) {
    out.extend_from_slice(b"</script>\n");
}

/// Appends JSON for an element with data: `</script>` in a string would end it.
pub fn push_json(value: &impl Serialize, out: &mut Vec<u8>) {
    let mut json = Vec::new();
    append(value, &mut json);
    for byte in json {
        match byte {
            b'<' => out.extend_from_slice(b"\\u003c"),
            byte => out.push(byte),
        }
    }
}
