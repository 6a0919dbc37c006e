//! `urigrep registry formats`: the supported document formats.

use serde::Serialize;
use urigrep::document::format::FormatKind;
use urigrep::document::{FORMATS, Format};

use urigrep::internal::output::json::push;

/// A row of the table of formats, and its JSON object.
#[derive(Clone, Debug, Serialize)]
struct FormatEntry {
    r#type: &'static str,
    name: &'static str,
    title: &'static str,
    kind: &'static str,
    extensions: &'static [&'static str],
    /// Names of files that have no such extension.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    file_names: &'static [&'static str],
    media_types: &'static [&'static str],
    /// The parts that an audit checks in such a document.
    audit: &'static [&'static str],
    /// The form of a comment that turns a check off.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    largest: usize,
}

/// Widest column of extensions.
const WIDEST_LIST: usize = 57;

/// The names of all formats.
pub fn names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name())
}

/// The table, or one row of it, in columns or as a JSON object per line.
pub fn table(name: Option<&str>, is_json: bool) -> String {
    let is_wanted = |format: &&Format| name.is_none_or(|name| format.name() == name);
    let entries = FORMATS.iter().filter(is_wanted).map(|&format| entry(format));
    if is_json {
        let mut lines = Vec::new();
        entries.for_each(|entry| push(&entry, &mut lines));
        return String::from_utf8_lossy(&lines).into_owned();
    }
    let entries: Vec<_> = entries.collect();
    let width = |text: fn(&FormatEntry) -> String| {
        entries.iter().map(|entry| text(entry).len()).max().unwrap_or_default()
    };
    let extensions = |entry: &FormatEntry| entry.extensions.join(" ");
    let (names, kinds) = (width(|it| it.name.to_owned()), width(|it| it.kind.to_owned()));
    // The one long list moves only its own title.
    let listed = width(extensions).min(WIDEST_LIST);
    let line = |entry: &FormatEntry| {
        let FormatEntry { name, kind, title, .. } = entry;
        format!("{name:names$}  {kind:kinds$}  {:listed$}  {title}\n", extensions(entry))
    };
    entries.iter().map(line).collect()
}

fn entry(format: Format) -> FormatEntry {
    let (kind, audit): (_, &[_]) = match format.kind() {
        FormatKind::Source => ("source", &["links", "anchors", "labels"]),
        FormatKind::Page => ("page", &["links", "anchors"]),
        FormatKind::Style => ("style", &["links"]),
        FormatKind::Code => ("code", &[]),
        FormatKind::Message => ("message", &[]),
        _ => ("data", &["links"]),
    };
    FormatEntry {
        r#type: "format",
        name: format.name(),
        title: format.title(),
        kind,
        extensions: format.extensions(),
        file_names: format.file_names(),
        media_types: format.media_types(),
        audit,
        comment: format.comments().comment("urigrep-disable-next-line"),
        largest: format.limits().largest,
    }
}
