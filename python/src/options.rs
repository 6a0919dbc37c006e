//! Converts keywords to finders, searches and audits. Each keyword is a flag of the command by its
//! long name, with `_` for `-`, and the command's own parser reads it. So a new flag is a new
//! keyword, and both mean the same.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use clap::{Args, CommandFactory, Parser};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PySet, PyTuple};
use regex::bytes::RegexBuilder;
use urigrep::search::{Rejections, Report, Search, SearchBuilder, Selection};
use urigrep::{Finder, Match, Rejected};

use crate::cli::audit::plan::AuditPlan;
use crate::cli::error::CliError;
use crate::cli::flags::audit::{AuditFlags, CheckFlags};
#[cfg(feature = "online")]
use crate::cli::flags::online::OnlineFlags;
use crate::cli::flags::select::{RecognizeFlags, SelectFlags};
use crate::cli::flags::walk::WalkFlags;
use crate::cli::flags::{Cli, SearchFlags};
use crate::cli::{config, limits, selection};
use crate::error::OptionError;

/// The function that keywords belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// `find`: a text in memory.
    Find,
    /// `scan`: files.
    Scan,
    /// `audit`: the links of documents.
    Audit,
}

/// Flags without a keyword, in addition to hidden ones: they print, or read what is not text.
const NO_KEYWORD: [&str; 8] = [
    "invalid",
    // `regexp` takes a list.
    "file",
    "type-list",
    "list-checks",
    "write-baseline",
    "unrestricted",
    "min-coverage",
    "dump",
];
/// Flags about documents and mail, which do not apply to a text in memory.
const NOT_OF_TEXT: [&str; 4] = ["element", "at", "sender", "date"];
/// Flags of other groups that also apply to a scan.
const OF_SCAN: [&str; 6] = ["max-count", "sort", "resolve", "base", "pre", "pre-glob"];

/// The keyword of `find` that says in which format a text is.
const FORMAT: &str = "format";
/// The keyword of `find` for the URI of a document, which its references are resolved against.
const BASE: &str = "base";
/// The keyword of own schemes, which is no flag of the command.
const RECOGNIZERS: &str = "recognizers";

/// A keyword, and whether its flag takes a value.
struct Keyword {
    flag: String,
    takes_value: bool,
    help: String,
}

type Keywords = HashMap<String, Keyword>;

fn keywords<'c>(flags: impl Iterator<Item = &'c clap::Arg>) -> Keywords {
    let shown = flags.filter(|flag| !flag.is_hide_set());
    let flags = shown.filter_map(|flag| Some((flag.get_long()?, flag)));
    let wanted = flags.filter(|(long, _)| !NO_KEYWORD.contains(long));
    let keyword = |(long, flag): (&str, &clap::Arg)| {
        let takes_value = flag.get_action().takes_values();
        let name = match long {
            // `from` and `import` are reserved words of Python.
            "from" => "sender".to_owned(),
            "import" => "import_".to_owned(),
            long => long.replace('-', "_"),
        };
        let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
        (name, Keyword { flag: format!("--{long}"), takes_value, help })
    };
    wanted.map(keyword).collect()
}

fn recognizers() -> Keyword {
    Keyword {
        flag: format!("--{RECOGNIZERS}"),
        takes_value: true,
        help: "Own schemes without `//`: a dict of names and regular expressions for what follows \
               the colon, such as {\"bug\": \"[0-9]+\"}."
            .to_owned(),
    }
}

fn of_group<G: Args>() -> Keywords {
    keywords(G::augment_args(clap::Command::new("")).get_arguments())
}

impl Scope {
    fn keywords(self) -> &'static Keywords {
        static FIND: LazyLock<Keywords> = LazyLock::new(|| {
            let mut all = of_group::<SelectFlags>();
            all.retain(|name, _| !NOT_OF_TEXT.contains(&name.as_str()));
            all.extend(of_group::<RecognizeFlags>());
            // What the text is: a format of `--markup`, "mail", or "auto".
            let value = |flag: &str, help: &str| Keyword {
                flag: flag.to_owned(),
                takes_value: true,
                help: help.to_owned(),
            };
            let format = "The format of the text, such as \"html\", \"mail\", or \"auto\".";
            all.insert(FORMAT.to_owned(), value("--markup", format));
            let base = "The URI of the text, against which its references are resolved.";
            all.insert(BASE.to_owned(), value("--base", base));
            all.insert(RECOGNIZERS.to_owned(), recognizers());
            all
        });
        static SCAN: LazyLock<Keywords> = LazyLock::new(|| {
            let command = Cli::command();
            let of_scan =
                |flag: &&clap::Arg| flag.get_long().is_some_and(|long| OF_SCAN.contains(&long));
            let mut all = keywords(command.get_arguments().filter(of_scan));
            all.extend(of_group::<SelectFlags>());
            all.extend(of_group::<RecognizeFlags>());
            all.extend(of_group::<WalkFlags>());
            all.insert(RECOGNIZERS.to_owned(), recognizers());
            all
        });
        static AUDIT: LazyLock<Keywords> = LazyLock::new(|| {
            let mut all = of_group::<CheckFlags>();
            // It prints a configuration instead of an audit.
            all.remove("import_config");
            // It changes the current directory, which belongs to the whole process.
            all.remove("new_since");
            all.extend(of_group::<WalkFlags>());
            #[cfg(feature = "online")]
            all.extend(of_group::<OnlineFlags>());
            all
        });
        match self {
            Self::Find => &FIND,
            Self::Scan => &SCAN,
            Self::Audit => &AUDIT,
        }
    }
}

/// Returns the keywords of `find`, `scan`, or `audit`, sorted.
#[pyfunction]
pub fn option_names(of: &str) -> PyResult<Vec<&'static str>> {
    let mut names: Vec<_> = scope(of)?.keywords().keys().map(String::as_str).collect();
    names.sort_unstable();
    Ok(names)
}

/// Returns a line of help on each keyword of `find`, `scan`, or `audit`. The docstrings have them:
/// `src/help/` is written from here, by a test.
#[pyfunction]
pub fn option_help(of: &str) -> PyResult<BTreeMap<&'static str, &'static str>> {
    let keywords = scope(of)?.keywords().iter();
    Ok(keywords.map(|(name, keyword)| (name.as_str(), keyword.help.as_str())).collect())
}

fn scope(of: &str) -> PyResult<Scope> {
    match of {
        "find" => Ok(Scope::Find),
        "scan" => Ok(Scope::Scan),
        "audit" => Ok(Scope::Audit),
        _ => Err(PyTypeError::new_err("it is find, scan, or audit")),
    }
}

/// Returns the command-line arguments for these keywords.
pub fn arguments(scope: Scope, options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<OsString>> {
    let mut arguments = Vec::new();
    for (name, value) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        let Some(keyword) = scope.keywords().get(&name) else {
            let message = format!("'{name}' is no option here; `option_names` lists them");
            return Err(PyTypeError::new_err(message));
        };
        if name == RECOGNIZERS {
            continue;
        }
        let is_bool = value.is_instance_of::<PyBool>();
        let mut push = |value: &Bound<'_, PyAny>| -> PyResult<()> {
            let mut argument = OsString::from(format!("{}=", keyword.flag));
            argument.push(plain(value)?);
            arguments.push(argument);
            Ok(())
        };
        if value.is_none() {
        } else if is_bool == keyword.takes_value {
            let wanted = if keyword.takes_value { "a value" } else { "True or False" };
            return Err(PyTypeError::new_err(format!("'{name}' takes {wanted}")));
        } else if is_bool {
            arguments.extend(value.is_truthy()?.then(|| OsString::from(&keyword.flag)));
        } else if is_list(&value) {
            for value in value.try_iter()? {
                push(&value?)?;
            }
        } else {
            push(&value)?;
        }
    }
    Ok(arguments)
}

/// Names of own schemes, and the regular expressions of what follows their colon.
type OwnSchemes = Vec<(String, String)>;

/// Returns the schemes of the keyword `recognizers`.
fn own_schemes(options: Option<&Bound<'_, PyDict>>) -> PyResult<OwnSchemes> {
    let given = options.map(|options| options.get_item(RECOGNIZERS)).transpose()?.flatten();
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(Vec::new());
    };
    let wanted = "'recognizers' takes a dict of schemes and regular expressions";
    let given = given.cast_into::<PyDict>().map_err(|_| PyTypeError::new_err(wanted))?;
    let pair = |(scheme, syntax): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let pair = scheme.extract().and_then(|scheme| Ok((scheme, syntax.extract()?)));
        pair.map_err(|_: PyErr| PyTypeError::new_err(wanted))
    };
    given.iter().map(pair).collect()
}

/// Builds the finder of these flags and schemes.
fn finder(flags: &SearchFlags, own_schemes: &OwnSchemes) -> PyResult<Finder> {
    let size = limits::limits(&flags.walk.limit).regexp;
    let mut builder = config::finder_builder(flags);
    for (scheme, syntax) in own_schemes {
        let refused = |reason: String| {
            OptionError::new_err(format!("'recognizers' has a wrong entry '{scheme}': {reason}"))
        };
        let compiled = |syntax: &str| {
            let compiled = RegexBuilder::new(syntax).size_limit(size).build();
            compiled.map_err(|error| refused(error.to_string()))
        };
        // By itself first: `a)|(?:b` would match anywhere. A line end, because it may end in a
        // comment.
        compiled(syntax)?;
        let syntax = compiled(&format!(r"\A(?:{syntax})"))
            .or_else(|_| compiled(&format!("\\A(?:{syntax}\n)")))?;
        // A scheme without anything after it is a word before a colon.
        let recognize =
            move |text: &[u8]| syntax.find(text).map(|found| found.end()).filter(|&end| end > 0);
        let added = builder.recognizer(scheme, recognize);
        builder = added.map_err(|error| refused(error.to_string()))?;
    }
    Ok(builder.build())
}

fn is_list(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PySet>()
}

/// Converts a number, a text or a path to an argument.
fn plain(value: &Bound<'_, PyAny>) -> PyResult<OsString> {
    if let Ok(number) = value.extract::<u64>() {
        return Ok(number.to_string().into());
    }
    let path = value.py().import("os")?.call_method1("fspath", (value,))?;
    path.extract()
}

/// Converts the message of a failed parse, without the parts about a terminal.
fn refused(error: &clap::Error) -> PyErr {
    let text = error.to_string();
    let message = text.strip_prefix("error: ").unwrap_or(&text);
    OptionError::new_err(message.split("\n\n").next().unwrap_or(message).to_owned())
}

/// Completes the arguments of `find` for a document; false if there is none.
fn is_document(arguments: &mut Vec<OsString>) -> PyResult<bool> {
    let at = |arguments: &[OsString], start: &str| {
        arguments
            .iter()
            .position(|argument| argument.as_encoded_bytes().starts_with(start.as_bytes()))
    };
    let has_base = at(arguments, "--base=").is_some();
    let Some(format) = at(arguments, "--markup=") else {
        let message = "'base' needs 'format', such as format=\"html\"";
        return if has_base { Err(OptionError::new_err(message)) } else { Ok(false) };
    };
    match arguments[format].as_encoded_bytes() {
        b"--markup=mail" => arguments[format] = "--mail=always".into(),
        b"--markup=auto" => {}
        // A text of a known format is not mail, even if it starts like it.
        _ => arguments.push("--mail=never".into()),
    }
    arguments.extend(has_base.then(|| OsString::from("--resolve")));
    arguments.push("--threads=1".into());
    Ok(true)
}

fn parsed(arguments: &[OsString]) -> PyResult<SearchFlags> {
    let given =
        // A library must not depend on the flags that a user has set for the command.
        ["urigrep", "--no-config"].map(OsString::from).into_iter().chain(arguments.iter().cloned());
    let cli = Cli::try_parse_from(given).map_err(|error| refused(&error))?;
    Ok(cli.search)
}

/// A finder for texts, with the selection of its matches.
#[derive(Debug)]
pub struct TextFinder {
    pub finder: Finder,
    selection: Selection,
    /// Set if the texts are documents.
    documents: Option<Documents>,
}

/// The searches of texts that are documents.
#[derive(Debug)]
struct Documents {
    matches: Search,
    rejected: Search,
}

impl TextFinder {
    fn new(arguments: &[OsString], own_schemes: &OwnSchemes) -> PyResult<Self> {
        let mut arguments = arguments.to_vec();
        let is_document = is_document(&mut arguments)?;
        let flags = parsed(&arguments)?;
        let refused = |error: CliError| OptionError::new_err(error.to_string());
        let limits = limits::limits(&flags.walk.limit);
        let selection = selection::selection(&flags, &limits).map_err(refused)?;
        let finder = finder(&flags, own_schemes)?;
        let search = |report| {
            config::search_with(&flags, |builder| {
                let builder = builder.report(report).rejections(Rejections::Ignored);
                builder.finder(finder.clone())
            })
        };
        let documents = match is_document {
            true => Some(Documents {
                matches: search(Report::Matches).map_err(refused)?,
                rejected: search(Report::Rejected).map_err(refused)?,
            }),
            false => None,
        };
        Ok(Self { finder, selection, documents })
    }

    /// The search that reads texts as documents, if a format was given.
    pub fn documents(&self) -> Option<&Search> {
        self.documents.as_ref().map(|documents| &documents.matches)
    }

    /// Returns the search for what is almost a URI in documents, if a format was given.
    pub fn rejected_in_documents(&self) -> Option<&Search> {
        self.documents.as_ref().map(|documents| &documents.rejected)
    }

    /// Returns an error if a format was given to a function that reads plain text.
    pub fn plain(&self) -> PyResult<&Self> {
        match self.documents {
            Some(_) => Err(OptionError::new_err("'format' and 'base' are not for this function")),
            None => Ok(self),
        }
    }

    pub fn selects_rejected(&self, rejected: &Rejected<'_>) -> bool {
        self.selection.selects_rejected(rejected)
    }

    pub fn selects(&self, m: &Match<'_>) -> bool {
        self.selection.selects(m)
    }

    /// Returns the finder for these keywords. The last ones are cached, because building one takes
    /// longer than searching most texts.
    pub fn of(options: Option<&Bound<'_, PyDict>>) -> PyResult<Arc<Self>> {
        const KEPT: usize = 64;
        /// A regular expression may take 10 MiB, and as much again once it was used.
        const KEPT_WITH_EXPRESSIONS: usize = 4;
        type Key = (Vec<OsString>, OwnSchemes);
        type Finders = Mutex<Option<HashMap<Key, Arc<TextFinder>>>>;
        static FINDERS: Finders = Mutex::new(None);
        static WITH_EXPRESSIONS: Finders = Mutex::new(None);
        let key = (arguments(Scope::Find, options)?, own_schemes(options)?);
        let has_expression = key.0.iter().any(|it| it.as_encoded_bytes().starts_with(b"--regexp="));
        let (finders, most) = match has_expression || !key.1.is_empty() {
            true => (&WITH_EXPRESSIONS, KEPT_WITH_EXPRESSIONS),
            false => (&FINDERS, KEPT),
        };
        let lock = || finders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get_or_insert_default().get(&key) {
            return Ok(Arc::clone(known));
        }
        // Built without the lock, because a large regular expression may take long to compile. Two
        // threads may build the same finder, which is harmless.
        let finder = Arc::new(Self::new(&key.0, &key.1)?);
        let mut kept = lock();
        let kept = kept.get_or_insert_default();
        if kept.len() >= most {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&finder));
        Ok(finder)
    }
}

/// Returns the search for these keywords. Inputs come in the order of their paths unless `sort` is
/// set.
pub fn search(options: Option<&Bound<'_, PyDict>>) -> PyResult<Search> {
    // First, so that `sort` among the keywords overrides it.
    let mut all = vec![OsString::from("--sort=path")];
    all.extend(arguments(Scope::Scan, options)?);
    let flags = parsed(&all)?;
    let finder = finder(&flags, &own_schemes(options)?)?;
    let set = |builder: SearchBuilder| builder.rejections(Rejections::Ignored).finder(finder);
    config::search_with(&flags, set).map_err(|error| OptionError::new_err(error.to_string()))
}

/// Returns the keywords of `scan` for those of `find`, with more of them on top.
pub fn of_scan<'py>(
    of_find: &Bound<'py, PyDict>,
    more: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = of_find.copy()?;
    if let Some(format) = all.get_item(FORMAT)? {
        all.del_item(FORMAT)?;
        match format.eq("mail")? {
            true => all.set_item("mail", "always")?,
            false => all.set_item("markup", format)?,
        }
    }
    if all.contains(BASE)? {
        all.set_item("resolve", true)?;
    }
    for (name, value) in more.into_iter().flatten() {
        all.set_item(name, value)?;
    }
    Ok(all)
}

#[derive(Parser)]
struct AuditCommand {
    #[command(flatten)]
    flags: AuditFlags,
}

/// Returns the audit that these keywords and paths describe.
pub fn audit(paths: Vec<OsString>, options: Option<&Bound<'_, PyDict>>) -> PyResult<AuditPlan> {
    let mut all = vec![OsString::from("audit")];
    all.extend(arguments(Scope::Audit, options)?);
    let command = AuditCommand::try_parse_from(all).map_err(|error| refused(&error))?;
    let flags = AuditFlags { paths, ..command.flags };
    AuditPlan::new(&flags).map_err(|error| OptionError::new_err(error.to_string()))
}
