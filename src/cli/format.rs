//! The output format, and the flags that conflict with it.

use std::path::Path;

use super::error::CliError;
use super::flags::SearchFlags;
use super::flags::values::OutputFormat;

/// Returns the output format.
///
/// # Errors
/// If other flags need output that this format can't represent. clap detects conflicts with --json,
/// but not with values of --format.
pub fn chosen(flags: &SearchFlags) -> Result<OutputFormat, CliError> {
    let modes = &flags.modes;
    let format = match (modes.json, modes.format, &modes.template) {
        (true, _, None) => OutputFormat::Json,
        (false, Some(OutputFormat::Template), None) => {
            return Err(CliError::needs("--format template", "--template TEMPLATE"));
        }
        (false, format, None) => format.unwrap_or_default(),
        (false, None | Some(OutputFormat::Template), Some(_)) => OutputFormat::Template,
        (_, _, Some(_)) => {
            return Err(CliError::conflict("--template", "--json or another --format"));
        }
    };
    let is_table = matches!(format, OutputFormat::Csv | OutputFormat::Tsv);
    if !modes.columns.is_empty() && !is_table {
        return Err(CliError::needs("--columns", "--format csv or --format tsv"));
    }
    if let Some(replacement) = &modes.replace
        && let Some(path) = replacement.constant_text()
        // `-r` means recursive in grep, so a path after it shows what was meant.
        && Path::new(path).exists()
    {
        let message = format!(
            "prints a template such as '{{host}}' instead of each match; directories are always searched \
             recursively, so leave out -r to search `{path}`"
        );
        return Err(CliError::invalid("-r", message));
    }
    if let Some(letters) = modes.replace.as_ref().and_then(|it| it.constant_text())
        && letters.chars().all(|letter| GREP_LETTERS.contains(letter))
    {
        let message = format!(
            "prints a template such as '{{host}}' instead of each match, so `-r{letters}` would print `{letters}` for each; \
             directories are always searched recursively: `-{letters}` alone is what grep calls `-r{letters}`"
        );
        return Err(CliError::invalid("-r", message));
    }
    // With a key, distinct URIs are counted by it, and the highest counts shown.
    if modes.unique && modes.top.is_some() && modes.count_by.is_none() {
        return Err(CliError::conflict("--unique", "--top; --top counts each URI once"));
    }
    let prints_lines = modes.passthru
        || modes.context.is_some()
        || modes.after_context.is_some()
        || modes.before_context.is_some();
    // The other formats refuse lines below, with the name of the format in the message.
    if prints_lines && format == OutputFormat::Text {
        lines_alone(flags)?;
    }
    let name = match format {
        OutputFormat::Text => return Ok(format),
        OutputFormat::Json => "--json",
        OutputFormat::Csv => "--format csv",
        OutputFormat::Tsv => "--format tsv",
        OutputFormat::Sarif => "--format sarif",
        OutputFormat::Template => "--template",
    };
    // JSON has a field for the steps of each match. The other formats have one line or row per
    // match, without room for them.
    let explain = flags.output.explain && format != OutputFormat::Json;
    let is_table = matches!(format, OutputFormat::Csv | OutputFormat::Tsv);
    // JSON and tables have columns of their own for counts and paths. A template and SARIF describe
    // matches only.
    let has_counts = is_table || format == OutputFormat::Json;
    let others = [
        (modes.count && !has_counts, "--count"),
        (modes.files_with_matches && !has_counts, "--files-with-matches"),
        (modes.files_without_match && !has_counts, "--files-without-match"),
        (modes.files && !has_counts, "--files"),
        (modes.top.is_some() && !has_counts, "--top"),
        (modes.count_by.is_some() && !has_counts, "--count-by"),
        (explain, "--explain"),
        (prints_lines, "-A, -B, -C, or --passthru"),
        (modes.replace.is_some(), "--replace"),
        (flags.output.group_by.is_some(), "--group-by"),
        (flags.output.vimgrep, "--vimgrep"),
        (modes.stats && is_table, "--stats"),
    ];
    match others.iter().find(|(given, _)| *given) {
        Some((_, other)) => Err(CliError::conflict(name, *other)),
        None => Ok(format),
    }
}

/// Flags of grep that people type after `-r`, as in `grep -rn`.
const GREP_LETTERS: &str = "EFHILRchilnosvw";

/// Rejects flags that do not apply to printed lines.
fn lines_alone(flags: &SearchFlags) -> Result<(), CliError> {
    let (modes, rewrite) = (&flags.modes, &flags.rewrite);
    let others = [
        (
            rewrite.redact.is_some(),
            "--redact, because lines are printed unchanged; `urigrep replace --redact` prints a text without its secrets",
        ),
        (
            rewrite.defang,
            "--defang, because lines are printed unchanged; `urigrep replace --defang` prints a text with its URIs defanged",
        ),
        (modes.replace.is_some(), "--replace, because lines are printed unchanged"),
        (rewrite.normalize, "--normalize, because lines are printed unchanged"),
        (rewrite.readable, "--readable, because lines are printed unchanged"),
        (rewrite.map_iri, "--map-iri, because lines are printed unchanged"),
        (rewrite.resolve, "--resolve, because lines are printed unchanged"),
        (flags.output.vimgrep, "--vimgrep, which prints no lines"),
        (modes.report.is_some(), "--report"),
        (modes.unique, "--unique"),
        (modes.top.is_some(), "--top"),
        (modes.count_by.is_some(), "--count-by"),
        (flags.output.explain, "--explain"),
        (flags.select.invalid, "--invalid"),
        (flags.output.group_by.is_some(), "--group-by"),
    ];
    match others.iter().find(|(given, _)| *given) {
        Some((_, other)) => Err(CliError::conflict("-A, -B, -C, and --passthru", *other)),
        None => Ok(()),
    }
}
