//! `--fix` and `--diff`: applies the fixes of an audit.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use urigrep::audit::{AuditOutcome, AuditedDocument, Safety};
use urigrep::change::{Changed, DiffNames, Edit, FileSnapshot, Refusal, has_diff, unified_diff};
use urigrep::internal::NO_DIFF;
use urigrep::search::{Level, Problem, ProblemKind};

use super::plan::AuditPlan;
use crate::cli::config::walk_error;
use crate::cli::diagnostics::Diagnostics;
use crate::cli::error::CliError;
use crate::cli::roots::existing;
use crate::cli::signals::shielded;

/// Which fixes are applied, and how.
#[derive(Clone, Copy, Debug)]
pub struct FixMode {
    /// The least safety.
    pub safety: Safety,
    pub output: FixOutput,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixOutput {
    Files,
    Diff,
}

/// The fixes that were applied, or would be.
#[derive(Debug, Default)]
pub struct Fixed {
    pub fixes: u64,
    pub files: u64,
    /// Fixes that could not be applied, by reason.
    pub refused: BTreeMap<&'static str, u64>,
    /// The diff.
    pub diff: Vec<u8>,
    pub errors: u64,
}

/// The result of fixing a document.
enum FixOutcome {
    Fixed(Box<FixedDocument>),
    /// The number of fixes of a member of a file, which cannot be changed.
    Member(u64),
    Failed(Problem),
}

/// A document with the changes of its fixes.
struct FixedDocument {
    path: Vec<u8>,
    file: FileSnapshot,
    changed: Changed,
}

/// Applies the fixes of all findings once.
///
/// `failed` has the files that an earlier round could not change: each is named once.
pub fn fix(
    plan: &AuditPlan,
    mode: FixMode,
    failed: &mut HashSet<Vec<u8>>,
) -> Result<Fixed, CliError> {
    let (roots, _) = existing(&plan.roots, super::no_pattern);
    let diagnostics = Diagnostics::default();
    let mut fixed = Fixed::default();
    let mut written: HashSet<PathBuf> = HashSet::new();
    let work = |outcome| match outcome {
        AuditOutcome::Audited(document) => fixed_document(plan, &document, mode),
        // No audit follows a diff, so the diff reports what could not be read.
        AuditOutcome::Failed(problem) if mode.output == FixOutput::Diff => {
            Some(FixOutcome::Failed(problem))
        }
        // Otherwise problems are reported by the audit that follows.
        AuditOutcome::LeftOut | AuditOutcome::Vendored(_) | AuditOutcome::Failed(_) => None,
    };
    let take = |outcome: Option<FixOutcome>| {
        match outcome {
            // A file may have two names by a symbolic link.
            Some(FixOutcome::Fixed(document))
                if written.insert(document.file.target().to_owned()) =>
            {
                if let Some(problem) = take(&document, mode, &diagnostics, &mut fixed)
                    && failed.insert(problem.path().to_vec())
                {
                    diagnostics.report(&problem);
                }
            }
            Some(FixOutcome::Member(count)) => {
                *fixed.refused.entry(Refusal::Member.meaning()).or_default() += count;
            }
            Some(FixOutcome::Failed(problem)) => {
                if failed.insert(problem.path().to_vec()) {
                    diagnostics.report(&problem);
                }
            }
            Some(FixOutcome::Fixed(_)) | None => {}
        }
        ControlFlow::Continue(())
    };
    plan.auditor.run(roots, work, take).map_err(|error| walk_error(&error))?;
    fixed.errors = diagnostics.errors();
    Ok(fixed)
}

fn fixed_document(
    plan: &AuditPlan,
    document: &AuditedDocument,
    mode: FixMode,
) -> Option<FixOutcome> {
    let edits: Vec<Edit> = (document.findings().iter())
        .filter(|located| {
            let fix = located.finding.fix.as_ref();
            fix.is_some_and(|fix| fix.safety == Safety::Safe || mode.safety == Safety::Unsafe)
        })
        .flat_map(|located| located.edits.iter().cloned())
        .collect();
    if edits.is_empty() {
        return None;
    }
    let input = document.input();
    if input.level() != Level::File || input.stream().is_some() {
        return Some(FixOutcome::Member(edits.len() as u64));
    }
    let path = input.path()?;
    let file = match plan.files.read(input, path) {
        Ok(file) => file,
        Err(error) => {
            let problem = Problem::new(ProblemKind::Read, input.display_path(), error.to_string());
            return Some(FixOutcome::Failed(problem));
        }
    };
    let changed = plan.auditor.apply(input, file.bytes(), &edits);
    let path = input.display_path().to_vec();
    Some(FixOutcome::Fixed(Box::new(FixedDocument { path, file, changed })))
}

/// Writes or shows the fixes of a document; returns why it could not be written.
fn take(
    document: &FixedDocument,
    mode: FixMode,
    diagnostics: &Diagnostics,
    fixed: &mut Fixed,
) -> Option<Problem> {
    let FixedDocument { path, file, changed } = document;
    // Two findings about one link may want the same place; the second one is fixed afterwards.
    let refused = changed.refused().iter().filter(|(_, reason)| *reason != Refusal::Overlaps);
    for (_, reason) in refused {
        *fixed.refused.entry(reason.meaning()).or_default() += 1;
    }
    if changed.applied().is_empty() {
        return None;
    }
    match mode.output {
        FixOutput::Diff if !has_diff(changed) => {
            diagnostics.note(path, &format!("{NO_DIFF}; `--fix` changes it"));
        }
        FixOutput::Diff => {
            let names = DiffNames { path };
            fixed.diff.extend(unified_diff(names, file.bytes(), changed));
        }
        FixOutput::Files => {
            if let Err(error) = shielded(|| file.replace(changed.bytes())) {
                return Some(Problem::new(ProblemKind::Read, path.as_slice(), error.to_string()));
            }
        }
    }
    fixed.fixes += changed.applied().len() as u64;
    fixed.files += 1;
    None
}
