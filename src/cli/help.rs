//! The short help, and errors of the command line.
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use urigrep::audit::Spellings;
use urigrep::internal::output::escape;
use urigrep::options::UnknownName;

use super::config;
use super::diagnostics;
use super::flags::values::{When, known_names};
use super::flags::{Cli, unsupported};
use super::output::Colors;
use super::status::Status;
use super::stdout::print;

/// The text of `-h`, which fits on one screen.
const SHORT: &str = "\
Find URIs and URNs in files, directories, and standard input.

Usage: urigrep [OPTIONS] [PATH]...    or    urigrep VERB ...
Without PATH: standard input if it is a pipe or a file, else this directory.

Select
  --scheme LIST, --nid LIST    only these schemes or URN namespaces; !x excludes
  --host GLOB, --domain LIST   only these hosts, or domains with subdomains
  --kind LIST                  uri, iri, lax, urn, reference, abbreviated, email
  --role LIST                  destination, text, attribute, comment, code, ...
  --flag LIST, --port LIST     such as has-credentials or bidi, or ports
  -e RE, -i, -v                URIs that match RE; -i ignores case, -v inverts
  --invalid                    rejected candidates and the reasons
Find more
  --abbreviated, --email       also www.example.com/a, and jo@example.com
  --identifiers                DOI, ISBN, ISSN, arXiv, ... as people write them
  --refang, --unwrap           also hxxp://evil[.]example, and redirect targets
Print
  -n, --column, -b             with line number, column, or byte offset
  -H, -I                       with or without the path
  -A NUM, -B NUM, -C NUM       lines of context after, before, or around
  -c, -l, -q                   only counts per file, only paths, or nothing
  -m NUM                       at most NUM matches per file
  --unique                     each URI once
  --top NUM, --count-by KEY    most frequent URIs, or counts by host, file, ...
  --json, --format FORMAT      as JSON Lines, or as csv, tsv, or sarif
  --template TEMPLATE          fields, such as '{line} {host} {uri}'
  --explain, --stats           add the rules that applied, or totals
Rewrite
  --normalize, --readable      in normal form, or decoded for reading
  --resolve                    relative references as URIs
  --redact, --defang           without secrets, or not clickable
Files
  -g GLOB, -t TYPE             only paths that match, or only files of a type
  -., --no-ignore, -u          also hidden files, ignored files, or more per -u
  -z                           contents of compressed files and archives
  --files                      list the files, do not search
Verbs
  parse, normalize, resolve, compare    work on URIs given as arguments
  audit [PATH]...                       check and fix links, also --online
  replace FROM TO [PATH]...             change URIs in files
  diff OLD [NEW]                        list URIs removed, added, or moved
  registry, rule NAME, lsp              list schemes, explain rules, serve LSP

--help is complete, also after a verb. Exit status: 0 match, 1 none, 2 error.
";

/// Prints help, the version, or an error about the flags.
pub fn usage(error: &clap::Error) -> Status {
    if !error.use_stderr() {
        // `SHORT` is about the search. For a verb, the parser writes the help.
        let is_short = verb().is_none() && !std::env::args().any(|word| word == "--help");
        if error.kind() == ErrorKind::DisplayHelp && is_short {
            return print(SHORT.as_bytes());
        }
        let text = error.render();
        let colors = config::style_of_stdout(When::Auto, None).colors;
        let text = if io::stdout().is_terminal() && colors == Colors::Ansi {
            text.ansi().to_string()
        } else {
            text.to_string()
        };
        return print(text.as_bytes());
    }
    let line = message(error);
    let mut shown = Vec::new();
    // The message quotes arguments, which may hold secrets or control characters.
    escape::visible(diagnostics::shown(&format!("urigrep: {line}")).as_bytes(), &mut shown);
    shown.push(b'\n');
    // If standard error fails, there is nowhere to report it.
    drop(io::stderr().lock().write_all(&shown));
    Status::Error
}

/// Returns the message about invalid flags. clap would print several lines with its usage. Like the
/// diagnostics of a search, an error here is one line.
pub fn message(error: &clap::Error) -> String {
    match error.kind() {
        ErrorKind::UnknownArgument => unknown(error),
        ErrorKind::InvalidValue => unknown_value(error),
        ErrorKind::MissingRequiredArgument => missing(error),
        ErrorKind::ArgumentConflict => conflict(error),
        _ => of_parser(error),
    }
}

/// Returns the verb of the command line, if it has one; also that of `help VERB`.
fn verb() -> Option<String> {
    let mut words = std::env::args().skip(1);
    let first = words.next()?;
    let verb = if first == HELP { words.next()? } else { first };
    Some(verb).filter(|word| Cli::command().find_subcommand(word).is_some())
}

/// A verb of git and cargo. It is not one of the parser, because its own would hide a file of this
/// name.
const HELP: &str = "help";

/// Returns `urigrep help` and `urigrep help VERB` as the flags that they stand for. A file of this
/// name is searched.
pub fn with_help_flag(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_verb = |word: &OsString| {
        word.to_str().is_some_and(|word| Cli::command().find_subcommand(word).is_some())
    };
    match arguments.as_slice() {
        [_, help, ..] if help != HELP || Path::new(HELP).exists() => arguments,
        [name, _] => vec![name.clone(), "-h".into()],
        // `help registry schemes`, as of git and cargo.
        [name, _, verb, ..] if is_verb(verb) => vec![name.clone(), verb.clone(), "--help".into()],
        _ => arguments,
    }
}

fn text_of(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// The lines of the parser that say what is wrong, as one.
fn of_parser(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    // The rest is the usage and a hint at `--help`, which would make one line long.
    let about = lines.take_while(|line| !line.starts_with(USAGE) && !line.starts_with("For more"));
    let mut line = about.collect::<Vec<_>>().join(" ");
    if let Some(rest) = line.strip_prefix("error: ") {
        line = rest.to_owned();
    }
    // The message of the library quotes the wrong name, as the parser does.
    let source = std::error::Error::source(error);
    if let Some(unknown) = source.and_then(|it| it.downcast_ref::<UnknownName>()) {
        line = line.replace(&unknown.to_string(), &known_names(*unknown));
    }
    match given_value(error) {
        Some((flag, value)) => match unsupported::meaning(flag, value, std::env::args()) {
            Some(advice) => format!("{line}; {advice}"),
            None => line,
        },
        None => line,
    }
}

const USAGE: &str = "Usage:";

/// What to do in place of two flags that exclude each other.
const INSTEAD: [(&str, &str, &str); 3] = [
    (
        "--unique",
        "--count-by",
        "--count-by counts every match; `urigrep --unique | urigrep --count-by KEY` counts URIs",
    ),
    ("--count", "--count-by", "--count-by prints counts itself"),
    (
        "--invalid",
        "--count-by",
        "`urigrep --invalid --template '{reason}' | sort | uniq -c` counts reasons",
    ),
];

/// Returns the message for two flags that exclude each other, in the form that our own checks use.
fn conflict(error: &clap::Error) -> String {
    let prior = match error.get(ContextKind::PriorArg) {
        Some(ContextValue::String(prior)) => Some(prior.as_str()),
        Some(ContextValue::Strings(priors)) => priors.first().map(String::as_str),
        _ => None,
    };
    // `--top <NUM>` is named without its value, and `[REF]...` is not a flag.
    let flag = |text: &str| text.split([' ', '=']).next().unwrap_or_default().to_owned();
    let given = text_of(error, ContextKind::InvalidArg).map(flag);
    let (Some(given), Some(prior)) = (given, prior.map(flag)) else { return of_parser(error) };
    if !given.starts_with('-') || !prior.starts_with('-') || given == prior {
        return of_parser(error);
    }
    let both = [given.as_str(), prior.as_str()];
    let instead = INSTEAD.iter().find(|(a, b, _)| both.contains(a) && both.contains(b));
    let instead = instead.map(|(.., advice)| format!("; {advice}")).unwrap_or_default();
    format!("{given} cannot be combined with {prior}{instead}")
}

/// Flags and those that need them. The parser reports only what is missing.
const NEEDS: [(&str, &str); 3] =
    [("--files", "--unread"), ("--cache", "--offline"), ("--pre", "--pre-glob")];

/// The usage of the search or the verb, in one line.
fn usage_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with(USAGE));
    let lines: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" or ").replacen(USAGE, "usage:", 1)
}

/// The name of a flag, `--sort`, and a value that it does not have.
fn given_value(error: &clap::Error) -> Option<(&str, &str)> {
    let flag = text_of(error, ContextKind::InvalidArg)?.split(' ').next()?;
    Some((flag, text_of(error, ContextKind::InvalidValue)?))
}

/// Returns the message for a value that is not in the list of possible ones.
fn unknown_value(error: &clap::Error) -> String {
    let line = of_parser(error);
    let Some((flag, value)) = given_value(error).filter(|(_, value)| !value.is_empty()) else {
        return line;
    };
    let values = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => values.as_slice(),
        _ => &[],
    };
    let near = Spellings::new(values.iter().map(String::as_str)).nearest(value).map(str::to_owned);
    // One letter starts too many values to be a hint.
    let begun = |near: &&String| value.len() > 1 && near.starts_with(value);
    // A value that was cut short is too far from the whole one to count as misspelled.
    let values = match near.as_ref().or_else(|| values.iter().find(begun)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the values are {}", values.join(", ")),
    };
    let other = unsupported::meaning(flag, value, std::env::args());
    let other = other.map(|advice| format!("; {advice}")).unwrap_or_default();
    format!("invalid value '{value}' for '{flag}'; {values}{other}")
}

/// Returns the message for what is missing: an argument, with its values, or another flag.
fn missing(error: &clap::Error) -> String {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return of_parser(error);
    };
    let names = missing.join(" and ");
    // A flag that another one requires, not an argument.
    if names.starts_with('-') {
        let needs = NEEDS.iter().filter(|(needed, _)| names.starts_with(needed));
        let given = |flag: &str| std::env::args().any(|it| it.split('=').next() == Some(flag));
        return match needs.map(|(_, flag)| *flag).find(|flag| given(flag)) {
            Some(flag) => format!("{flag} needs {names}"),
            None => format!("{names} is missing, which another flag needs"),
        };
    }
    let mut command = Cli::command();
    let verb = verb().and_then(|verb| command.find_subcommand_mut(verb).cloned());
    let arguments = verb.iter().flat_map(clap::Command::get_positionals);
    // The parser reports an argument by the text of its usage, `<FROM>`, not by its id.
    let is_named = |arg: &&clap::Arg| missing.first() == Some(&arg.to_string());
    let values = arguments.filter(is_named).flat_map(clap::Arg::get_possible_values);
    let values: Vec<_> = values.map(|value| value.get_name().to_owned()).collect();
    let names = names.replace(['<', '>'], "");
    let which = if values.is_empty() { "" } else { "; it is one of " };
    format!("{names} is missing{which}{}; {}", values.join(", "), usage_line(error))
}

/// Returns the message for an unknown flag: its replacement, or the flag with the nearest spelling.
fn unknown(error: &clap::Error) -> String {
    let given = text_of(error, ContextKind::InvalidArg).unwrap_or_default();
    // After a letter without a value, as in `-c=1`, the rest is what is unknown.
    let name =
        if given.starts_with("-=") { given } else { given.split('=').next().unwrap_or(given) };
    if let Some(flag) = flag_with_number(name) {
        return format!(
            "invalid value '{name}' for '{flag}': a number is a whole number from 0, such as 2"
        );
    }
    let is_flag = name.starts_with('-');
    let near = text_of(error, ContextKind::SuggestedArg).filter(|near| is_near(name, near));
    // The table of unsupported flags is about the search. A verb has flags of its own.
    let known = match verb().as_deref() {
        Some("audit") => unsupported::audit_flag(name),
        Some("replace") => unsupported::replace_flag(name),
        Some("diff") => unsupported::diff_flag(name),
        Some("parse") => unsupported::parse_flag(name),
        Some("resolve") => unsupported::resolve_flag(name),
        Some(_) => None,
        None => unsupported::flag(name),
    };
    let advice = match (known, near) {
        (Some(advice), _) => advice.to_owned(),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => match verb() {
            Some(verb) => format!("`urigrep {verb} --help` lists all flags"),
            None => "`urigrep --help` lists all flags".to_owned(),
        },
    };
    if is_flag {
        format!("unknown flag `{name}`; {advice}")
    } else {
        format!("{}; {}", of_parser(error), usage_line(error))
    }
}

/// Returns the flag in front of a negative number, which the parser takes for a flag.
fn flag_with_number(name: &str) -> Option<String> {
    let digits = name.strip_prefix('-')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut arguments = std::env::args().take_while(|it| it != name);
    let flag = arguments.by_ref().last().filter(|it| it.starts_with('-') && !it.contains('='))?;
    let command = Cli::command();
    let verb = verb().and_then(|verb| command.find_subcommand(verb).cloned());
    let mut flags =
        verb.iter().flat_map(clap::Command::get_arguments).chain(command.get_arguments());
    let is_it = |arg: &clap::Arg| {
        let long = arg.get_long().is_some_and(|long| flag.strip_prefix("--") == Some(long));
        let short =
            arg.get_short().is_some_and(|short| flag.ends_with(short) && !flag.starts_with("--"));
        (long || short) && arg.get_action().takes_values()
    };
    flags.any(is_it).then_some(flag)
}

/// True if one flag is a misspelling of the other. The suggestions of clap are too liberal.
fn is_near(name: &str, near: &str) -> bool {
    let name = name.trim_start_matches('-').to_owned();
    let near = near.trim_start_matches('-');
    near.starts_with(&name) || Spellings::new([near]).nearest(&name).is_some()
}

/// Suggests a verb when the first argument is not an existing path.
pub fn verb_for(word: &str) -> Option<String> {
    if let Some(verb) = unsupported::verb(word) {
        return Some(format!("`urigrep {verb}`"));
    }
    let command = Cli::command();
    let verbs: Vec<_> = command.get_subcommands().map(|verb| verb.get_name()).collect();
    let nearest = Spellings::new(verbs.iter().copied()).nearest(word)?.to_owned();
    Some(format!("`urigrep {nearest}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_help_is_a_screen_of_flags_that_there_are() {
        assert!(SHORT.lines().count() <= 45, "{}", SHORT.lines().count());
        assert!(SHORT.lines().all(|line| line.chars().count() <= 80));
        let command = Cli::command();
        for line in SHORT.lines() {
            // A flag on the line of a verb is one of that verb
            let verb = line.split_whitespace().next().unwrap_or_default();
            let of = command.find_subcommand(verb).unwrap_or(&command);
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '.');
            for word in words.filter(|word| word.starts_with("--") && word.len() > 2) {
                let long = word.trim_start_matches('-').trim_end_matches('.');
                let mut flags = of.get_arguments().chain(command.get_arguments());
                // A build without `online` has the same text
                let is_absent = cfg!(not(feature = "online")) && long == "online";
                let is_known = is_absent || flags.any(|arg| arg.get_long() == Some(long));
                assert!(is_known, "{word}");
            }
        }
    }

    #[test]
    fn verbs() {
        assert_eq!(verb_for("adit").as_deref(), Some("`urigrep audit`"));
        assert_eq!(verb_for("check").as_deref(), Some("`urigrep audit`"));
        assert_eq!(verb_for("help").as_deref(), Some("`urigrep --help`"));
        assert_eq!(verb_for("README"), None);
    }
}
