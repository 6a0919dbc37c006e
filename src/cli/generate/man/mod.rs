//! The manual pages: one for the search and one per verb, in the `man` macros of groff and mandoc.

mod surroundings;

use clap::{Arg, Command};
use roff::{Inline, Roff, bold, italic, line_break, roman};

/// Returns the page of the search.
pub fn page(mut command: Command) -> String {
    command.build();
    let mut roff = start(&command, "urigrep");
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([
        bold("urigrep"),
        roman(" ["),
        italic("OPTIONS"),
        roman("] ["),
        italic("PATH"),
        roman("]..."),
        line_break(),
        bold("urigrep"),
        roman(" "),
        italic("VERB"),
        roman(" ..."),
    ]);
    roff.control("SH", ["DESCRIPTION"]);
    for path in command.get_positionals() {
        paragraphs(&help(path), &mut roff);
    }
    options(&command, &mut roff);
    roff.control("SH", ["VERBS"]);
    roff.text([roman(
        "In place of searching. Each has a page of its own. A path of the same name is reached as ./NAME.",
    )]);
    let verbs: Vec<&Command> = command.get_subcommands().collect();
    for verb in &verbs {
        roff.control("TP", []);
        roff.text([bold(verb.get_name())]);
        roff.text([roman(about(verb))]);
    }
    after(&command, &mut roff);
    let pages = verbs.iter().map(|verb| page_name(verb.get_name()));
    surroundings::sections("", pages, &mut roff);
    roff.render()
}

/// Returns the page of a verb; `None` if there is no such verb.
pub fn page_of_verb(mut command: Command, name: &str) -> Option<String> {
    command.build();
    let names: Vec<_> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let mut verb = command.find_subcommand(name)?.clone();
    let mut roff = start(&verb, &page_name(name));
    roff.control("SH", ["SYNOPSIS"]);
    let usage = verb.render_usage().to_string();
    for (index, line) in usage.trim_start_matches("Usage: ").lines().enumerate() {
        if index > 0 {
            roff.control("br", []);
        }
        roff.text([roman(line.trim_start())]);
    }
    roff.control("SH", ["DESCRIPTION"]);
    paragraphs(&about(&verb), &mut roff);
    let arguments: Vec<&Arg> = verb.get_positionals().filter(|arg| is_own(arg)).collect();
    if !arguments.is_empty() {
        roff.control("SH", ["ARGUMENTS"]);
        for arg in arguments {
            option(arg, &mut roff);
        }
    }
    options(&verb, &mut roff);
    after(&verb, &mut roff);
    let others = names.iter().filter(|other| *other != name).map(|other| page_name(other));
    surroundings::sections(name, std::iter::once("urigrep".to_owned()).chain(others), &mut roff);
    Some(roff.render())
}

fn page_name(verb: &str) -> String {
    format!("urigrep-{verb}")
}

/// Starts a page with its title and name.
fn start(command: &Command, name: &str) -> Roff {
    let mut roff = Roff::new();
    let version = format!("urigrep {}", env!("CARGO_PKG_VERSION"));
    roff.control("TH", [name.to_uppercase().as_str(), "1", " ", &version, "User Commands"]);
    roff.control("SH", ["NAME"]);
    roff.text([roman(format!("{name} - {}", lower_first(&about(command))))]);
    roff
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// Verbs inherit `--help`, so it is not listed for each.
fn is_own(arg: &Arg) -> bool {
    !arg.is_hide_set() && arg.get_id() != "help"
}

/// Appends the flags below their headings; a verb may have some without one.
fn options(command: &Command, roff: &mut Roff) {
    let flags = || command.get_arguments().filter(|arg| !arg.is_positional() && is_own(arg));
    let mut headings: Vec<Option<&str>> = Vec::new();
    for heading in flags().map(Arg::get_help_heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    if !headings.is_empty() {
        roff.control("SH", ["OPTIONS"]);
    }
    for heading in headings {
        if let Some(heading) = heading {
            roff.control("SS", [heading]);
        }
        for arg in flags().filter(|arg| arg.get_help_heading() == heading) {
            option(arg, roff);
        }
    }
}

/// Appends a flag or an argument: its names, then its description.
fn option(arg: &Arg, roff: &mut Roff) {
    let mut names: Vec<Inline> = Vec::new();
    if let Some(short) = arg.get_short() {
        names.push(bold(format!("-{short}")));
    }
    if let Some(long) = arg.get_long() {
        if !names.is_empty() {
            names.push(roman(", "));
        }
        names.push(bold(format!("--{long}")));
    }
    let values = arg.get_value_names().unwrap_or_default();
    if arg.is_positional() || arg.get_action().takes_values() {
        for value in values {
            if !names.is_empty() {
                names.push(roman(" "));
            }
            names.push(italic(value.as_str()));
        }
    }
    roff.control("TP", []);
    roff.text(names);
    paragraphs(&help(arg), roff);
    if arg.get_action().takes_values() {
        possible_values(arg, roff);
    }
}

/// Appends the values that a flag accepts, if they are a fixed list.
fn possible_values(arg: &Arg, roff: &mut Roff) {
    if arg.is_hide_possible_values_set() {
        return;
    }
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    if values.is_empty() {
        return;
    }
    roff.control("RS", []);
    for value in values {
        roff.control("TP", []);
        roff.text([bold(value.get_name())]);
        let help = value.get_help().map(ToString::to_string);
        roff.text([roman(help.unwrap_or_default())]);
    }
    roff.control("RE", []);
}

fn help(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help());
    help.map(ToString::to_string).unwrap_or_default()
}

fn paragraphs(text: &str, roff: &mut Roff) {
    for (index, paragraph) in text.split("\n\n").enumerate() {
        if index > 0 {
            roff.control("IP", []);
        }
        roff.text([roman(paragraph)]);
    }
}

/// Appends the end of the help. `Exit status:` and `Examples:` start sections; other lines that end
/// in a colon start parts of the section NOTES.
fn after(command: &Command, roff: &mut Roff) {
    let text = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let (mut is_verbatim, mut has_notes) = (false, false);
    for line in text.unwrap_or_default().lines() {
        let heading = line.strip_suffix(':').filter(|_| !line.starts_with(' '));
        let is_text = heading.is_none() && !is_verbatim;
        if (heading.is_some() || is_text) && !has_notes && !is_section(heading) {
            roff.control("SH", ["NOTES"]);
            has_notes = true;
        }
        let Some(heading) = heading else {
            roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            continue;
        };
        if std::mem::replace(&mut is_verbatim, true) {
            roff.control("fi", []);
        }
        if is_section(Some(heading)) {
            roff.control("SH", [heading.to_uppercase().as_str()])
        } else {
            roff.control("SS", [heading])
        };
        roff.control("nf", []);
    }
    if is_verbatim {
        roff.control("fi", []);
    }
}

fn is_section(heading: Option<&str>) -> bool {
    matches!(heading, Some("Exit status" | "Examples"))
}

fn lower_first(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
