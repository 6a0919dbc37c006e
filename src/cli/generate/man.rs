//! The manual page: one page for the search and all verbs, in the `man` macros of groff and mandoc.

use clap::{Arg, Command};
use roff::{Inline, Roff, bold, italic, line_break, roman};

pub fn page(mut command: Command) -> String {
    command.build();
    let mut roff = Roff::new();
    let version = format!("urigrep {}", env!("CARGO_PKG_VERSION"));
    roff.control("TH", ["URIGREP", "1", " ", &version, "User Commands"]);
    roff.control("SH", ["NAME"]);
    let about = command.get_about().map(ToString::to_string);
    let about = about.unwrap_or_default();
    roff.text([roman(format!("urigrep - {}", lower_first(&about)))]);
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
    options(&command, "SH", &mut roff);
    roff.control("SH", ["VERBS"]);
    roff.text([roman("In place of searching. A path of the same name is reached as ./NAME.")]);
    for verb in command.get_subcommands() {
        self::verb(verb, &mut roff);
    }
    after(&command, &mut roff);
    roff.render()
}

fn verb(verb: &Command, roff: &mut Roff) {
    let mut verb = verb.clone();
    let usage = verb.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    roff.control("SS", [usage]);
    if let Some(about) = verb.get_about() {
        paragraphs(&about.to_string(), roff);
    }
    for arg in verb.get_arguments().filter(|arg| is_own(arg)) {
        option(arg, roff);
    }
}

/// Verbs inherit `--help`, so it is not listed for each.
fn is_own(arg: &Arg) -> bool {
    !arg.is_hide_set() && arg.get_id() != "help"
}

fn options(command: &Command, section: &str, roff: &mut Roff) {
    let mut headings: Vec<&str> = Vec::new();
    for heading in command.get_arguments().filter_map(Arg::get_help_heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        roff.control(section, [heading.to_uppercase().as_str()]);
        let of_heading = |arg: &&Arg| arg.get_help_heading() == Some(heading);
        for arg in command.get_arguments().filter(of_heading) {
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

/// Appends the end of the help: lines that end in a colon become headings, other lines stay the
/// same.
fn after(command: &Command, roff: &mut Roff) {
    let text = command.get_after_long_help().map(ToString::to_string);
    let mut table = false;
    for line in text.unwrap_or_default().lines() {
        if let Some(heading) = line.strip_suffix(':').filter(|_| !line.starts_with(' ')) {
            if std::mem::take(&mut table) {
                roff.control("fi", []);
            }
            roff.control("SH", [heading.to_uppercase().as_str()]);
            roff.control("nf", []);
            table = true;
        } else {
            roff.text([roman(line.trim_start())]);
        }
    }
    if table {
        roff.control("fi", []);
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.trim_end_matches('.').chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
