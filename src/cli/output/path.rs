//! Prints paths: escaped, coloured, and linked.
use urigrep::internal::output::escape::Escaping;
use urigrep::search::{Input, encoded_path};

use anstyle::{AnsiColor, Style};

use crate::cli::hyperlink::HyperlinkFormat;

/// The colour of paths in ripgrep.
pub const PATH: Style = AnsiColor::Magenta.on_default();
/// The colour of line numbers in ripgrep.
pub const LINE: Style = AnsiColor::Green.on_default();
pub const MESSAGE: Style = AnsiColor::Cyan.on_default();
/// The colour of matches in ripgrep.
pub const MATCH: Style = AnsiColor::Red.on_default().bold();

pub const WARNING: Style = AnsiColor::Yellow.on_default();

/// The hyperlink format of paths; `None` disables hyperlinks.
#[derive(Clone, Debug, Default)]
pub struct LinkStyle {
    pub format: HyperlinkFormat,
    pub host: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colors {
    #[default]
    Off,
    Ansi,
}

impl Colors {
    /// Appends the output of `write` in this style.
    #[inline]
    pub fn paint(self, style: Style, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        self.put(|| style.render().to_string(), out);
        write(out);
        self.put(|| style.render_reset().to_string(), out);
    }

    pub fn text(self, style: Style, text: &str, out: &mut Vec<u8>) {
        self.paint(style, out, |out| out.extend_from_slice(text.as_bytes()));
    }

    #[inline]
    fn put(self, code: impl FnOnce() -> String, out: &mut Vec<u8>) {
        if self == Self::Ansi {
            out.extend_from_slice(code().as_bytes());
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct PathStyle {
    pub escaping: Escaping,
    pub colors: Colors,
    pub links: LinkStyle,
}

impl PathStyle {
    pub fn path(&self, input: &Input, out: &mut Vec<u8>) {
        self.colors.paint(PATH, out, |out| self.escaping.push(input.display_path(), out));
    }

    /// Appends the path as a link to its first line.
    pub fn linked_path(&self, input: &Input, out: &mut Vec<u8>) {
        let target = self.target(input);
        self.linked(target.as_deref(), (1, 1), out, |out| self.path(input, out));
    }

    /// The target of links to this file; `None` if hyperlinks are off.
    pub fn target(&self, input: &Input) -> Option<Vec<u8>> {
        if self.links.format.is_none() {
            return None;
        }
        // A relative path becomes absolute, because a terminal does not know the directory of the
        // command.
        Some(encoded_path(input.path()?)?.into_bytes())
    }

    /// Appends the output of `write` as a link to the target.
    pub fn linked(
        &self,
        target: Option<&[u8]>,
        (line, column): (u64, u64),
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        match target {
            None => write(out),
            Some(target) => {
                self.links.format.open(target, &self.links.host, line, column, out);
                write(out);
                HyperlinkFormat::close(out);
            }
        }
    }
}
