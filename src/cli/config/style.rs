//! Decides about colours, hyperlinks, and escapes.
use std::io::{IsTerminal, stdout};

use urigrep::internal::output::escape::Escaping;

use crate::cli::flags::output::OutputFlags;
use crate::cli::flags::values::When;
use crate::cli::hyperlink::{self, HyperlinkFormat};
use crate::cli::output::{Colors, LinkStyle, PathStyle};

pub(super) fn path_style(output: &OutputFlags, on_terminal: bool) -> PathStyle {
    style(output.color, output.hyperlink_format.as_ref(), on_terminal)
}

pub fn style_of_stdout(color: When, links: Option<&HyperlinkFormat>) -> PathStyle {
    style(color, links, stdout().is_terminal())
}

fn style(color: When, links: Option<&HyperlinkFormat>, on_terminal: bool) -> PathStyle {
    let colors = match color {
        When::Never => Colors::Off,
        When::Always | When::Ansi => Colors::Ansi,
        When::Auto if !on_terminal => Colors::Off,
        When::Auto => {
            // By no-color.org, NO_COLOR counts only if it is not empty.
            let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
            let dumb = set("TERM").is_none_or(|term| term == "dumb");
            if set("NO_COLOR").is_some() || dumb { Colors::Off } else { Colors::Ansi }
        }
    };
    let format = match links {
        // A terminal without colours may not understand the escapes of links either, and shows them
        // as text.
        _ if colors == Colors::Off => HyperlinkFormat::default(),
        Some(format) => format.clone(),
        None if on_terminal => HyperlinkFormat::on_terminal(),
        None => HyperlinkFormat::default(),
    };
    let host = if format.is_none() { String::new() } else { hyperlink::host() };
    let escaping = if on_terminal { Escaping::Terminal } else { Escaping::None };
    PathStyle { escaping, colors, links: LinkStyle { format, host } }
}
