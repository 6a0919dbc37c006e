//! What is said about flags: the short help, and what is wrong with a command line.

use std::io::{self, IsTerminal, Write};

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use urigrep::audit::Spellings;

use super::config;
use super::diagnostics;
use super::escape;
use super::flags::values::When;
use super::flags::{Cli, foreign};
use super::output::Colors;
use super::status::Status;
use super::stdout::print;

/// What `-h` prints: a screen.
const SHORT: &str = "\
Finds URIs and URNs in files, directories and standard input.

Usage: urigrep [OPTIONS] [PATH]...     searches; without PATH, standard input
       urigrep VERB ...                or the current directory

Which matches
  --scheme LIST, --nid LIST     of these schemes, URN namespaces; `!x` not
  --host GLOB, --domain NAME    of this host, of this domain with its subdomains
  --kind LIST                   uri,iri,lax,urn,reference,abbreviated,email
  -e RE, -i, -v                 that match RE; in any case; that do not
  --role LIST, --invalid        in links, text, code, ...; no URIs, and why
What is printed
  -n, --column, -b, -H, -I      line, column, offset; with and without paths
  -c, -l, -q, -m NUM            counts, files, nothing, no more than NUM a file
  -A NUM, -B NUM, -C NUM        lines behind, before and around; --passthru, all
  --unique, --top NUM           each URI once; the most frequent
  --count-by KEY                how many by host, domain, scheme, nid, file, tld
  --json, --format FORMAT       JSON Lines; csv, tsv, sarif
  --template T, -r T, -0        fields such as '{line} {host} {uri}'; NULs
  --explain, --stats            the rules that decided; the numbers of the run
How URIs are written
  --normalize, --readable       the normal spelling; as people read them
  --redact, --defang, --raw     without secrets; unclickable; as in the source
  --resolve, --base URI         relative references as URIs
What is found besides URIs
  --email, --abbreviated        jo@example.com; www.example.com/a
  --identifiers, --refang       DOIs, ISBNs, ...; hxxp://evil[.]example
  --unwrap, --embedded          what redirectors lead to; URIs inside URIs
Which files
  -g GLOB, -t TYPE, --files     by glob, by type; which there are
  -., --no-ignore, -u           hidden ones, ignored ones, all
  -z, --pre COMMAND             compressed ones; through a program
  --files-from FILE             those that FILE lists
Verbs
  parse, normalize, resolve, compare URI...     take URIs apart, change, relate
  audit [PATH]...                               checks links without a network
  registry schemes|namespaces                   what IANA has registered

--help says all, also behind a verb. Status: 0 a match, 1 none, 2 an error.
";

/// Prints what clap has to say: help, the version, or what is wrong with the flags.
pub fn usage(error: &clap::Error) -> Status {
    if !error.use_stderr() {
        let is_short = !is_of_verb() && !std::env::args().any(|word| word == "--help");
        if error.kind() == ErrorKind::DisplayHelp && is_short {
            return print(SHORT.as_bytes());
        }
        let text = error.render();
        let colors = config::style_of_stdout(When::Auto, None).colors;
        let text = match io::stdout().is_terminal() && colors == Colors::Ansi {
            true => text.ansi().to_string(),
            false => text.to_string(),
        };
        return print(text.as_bytes());
    }
    let text = match error.kind() {
        ErrorKind::UnknownArgument => unknown(error),
        _ => error.render().to_string(),
    };
    let mut shown = Vec::new();
    for line in text.lines() {
        escape::visible(diagnostics::shown(line).as_bytes(), &mut shown);
        shown.push(b'\n');
    }
    // Nobody is left to tell when standard error fails.
    drop(io::stderr().lock().write_all(&shown));
    Status::Error
}

/// Whether the command line is that of a verb.
fn is_of_verb() -> bool {
    let first = std::env::args().nth(1);
    let command = Cli::command();
    first.is_some_and(|word| command.find_subcommand(word).is_some())
}

fn text_of(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// There is no such flag: what to use in its place, the one that is nearly spelled so, or where all are.
fn unknown(error: &clap::Error) -> String {
    let given = text_of(error, ContextKind::InvalidArg).unwrap_or_default();
    let name = given.split('=').next().unwrap_or(given);
    let is_flag = name.starts_with('-');
    let near = text_of(error, ContextKind::SuggestedArg).filter(|near| is_near(name, near));
    let known = foreign::flag(name).filter(|_| !is_of_verb());
    let advice = match (known, near) {
        (Some(advice), _) => format!("instead: {advice}"),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => "`urigrep --help` says all flags".to_owned(),
    };
    match is_flag {
        true => format!("urigrep: there is no flag `{name}`; {advice}"),
        false => error.render().to_string(),
    }
}

/// Whether a flag is another one with a slip in it: clap calls flags alike that are not.
fn is_near(name: &str, near: &str) -> bool {
    let name = name.trim_start_matches('-').to_owned();
    let near = near.trim_start_matches('-');
    near.starts_with(&name) || Spellings::new([near]).nearest(&name).is_some()
}

/// What somebody meant whose first word is no path: a verb.
pub fn verb_for(word: &str) -> Option<String> {
    if let Some(verb) = foreign::verb(word) {
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
        let words = SHORT.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '.');
        for word in words.filter(|word| word.starts_with("--") && word.len() > 2) {
            let long = word.trim_start_matches('-').trim_end_matches('.');
            assert!(command.get_arguments().any(|arg| arg.get_long() == Some(long)), "{word}");
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
