//! From operands to the files that are searched, by the `ignore` crate.

#[cfg(unix)]
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

use ignore::overrides::OverrideBuilder;
use ignore::types::TypesBuilder;
use ignore::{DirEntry, Error, WalkBuilder};

use super::diagnostics::{Fault, describe};
use super::flags::values::Sort;
use super::flags::walk::WalkFlags;
use super::operands::{Operand, Prefix};
use super::subject::{Origin, Subject};

/// What the walk comes upon.
#[derive(Debug)]
pub enum Visit {
    /// Something to search.
    Search(Subject),
    /// Something that is not searched, and counted.
    Skip,
    /// Something that is wrong.
    Fault(Fault),
}

/// The operands that are there, and what is wrong with the others; `no_pattern` is what a user of grep is
/// told whose first operand looks like a pattern.
pub fn present(operands: &[Operand], no_pattern: &str) -> (Vec<Operand>, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut there = Vec::new();
    for (index, operand) in operands.iter().enumerate() {
        if let Operand::File(path) = operand
            && let Err(error) = fs::metadata(path)
        {
            let mut message = describe(&error);
            if index == 0
                && error.kind() == std::io::ErrorKind::NotFound
                && looks_like_pattern(path, operands.len())
            {
                message.push_str("; ");
                message.push_str(no_pattern);
            }
            let named = match path.as_os_str().as_encoded_bytes() {
                b"" => b"''",
                named => named,
            };
            faults.push(Fault {
                path: named.to_vec(),
                message,
            });
        } else {
            there.push(operand.clone());
        }
    }
    (there, faults)
}

/// True for a first PATH that a user of grep may have meant as the pattern.
fn looks_like_pattern(path: &Path, operands: usize) -> bool {
    let text = path.to_string_lossy();
    let is_word = !text.contains(['/', '\\']);
    text.contains("://")
        || text.contains([
            '^', '$', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '\\',
        ])
        || (is_word && (operands > 1 || !text.contains('.')))
}

/// Looks at the flags of a walk where there is none.
///
/// # Errors
/// When a type or glob of the flags is wrong.
pub fn check(flags: &WalkFlags) -> Result<(), String> {
    types(flags)?;
    overrides(flags)?;
    Ok(())
}

/// A walk over these operands, which hold no standard input.
///
/// # Errors
/// When a type or glob of the flags is wrong.
pub fn builder(
    flags: &WalkFlags,
    (sort, threads): (Sort, usize),
    operands: &[Operand],
) -> Result<WalkBuilder, String> {
    let mut builder = WalkBuilder::empty();
    let mut roots = Vec::new();
    for operand in operands {
        match operand {
            Operand::File(path) => roots.push(path.clone()),
            Operand::Directory(path) => roots.push(path.clone()),
            Operand::Stdin => {}
        }
    }
    if sort == Sort::Path || flags.follow {
        roots.sort();
        builder.sort_by_file_name(|a, b| a.cmp(b));
    }
    for root in &roots {
        builder.add(root);
    }
    let respect = !flags.no_ignore;
    builder
        .hidden(!flags.hidden)
        .parents(respect)
        .ignore(respect)
        .git_ignore(respect)
        .git_global(respect)
        .git_exclude(respect)
        .follow_links(flags.follow)
        .max_depth(flags.max_depth)
        .max_filesize(flags.max_filesize)
        .same_file_system(flags.one_file_system)
        .skip_stdout(true)
        .threads(threads)
        .overrides(overrides(flags)?);
    if let Some(types) = types(flags)? {
        builder.types(types);
    }
    if flags.follow {
        once(&mut builder, &roots);
    }
    Ok(builder)
}

/// The file types that the flags select; `None` when they name none.
fn types(flags: &WalkFlags) -> Result<Option<ignore::types::Types>, String> {
    // the table of all types takes a millisecond
    if flags.types.is_empty() && flags.type_not.is_empty() {
        return Ok(None);
    }
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for name in &flags.types {
        builder.select(name);
    }
    for name in &flags.type_not {
        builder.negate(name);
    }
    builder.build().map(Some).map_err(|error| match error {
        Error::UnrecognizedFileType(name) => {
            format!("there is no file type '{name}'; --type-list prints those that there are")
        }
        other => other.to_string(),
    })
}

/// Every file type, a line each.
pub fn type_list() -> Vec<u8> {
    let mut out = Vec::new();
    for definition in TypesBuilder::new().add_defaults().definitions() {
        out.extend_from_slice(
            format!("{}: {}\n", definition.name(), definition.globs().join(", ")).as_bytes(),
        );
    }
    out
}

fn overrides(flags: &WalkFlags) -> Result<ignore::overrides::Override, String> {
    if flags.glob.is_empty() && flags.iglob.is_empty() {
        return Ok(ignore::overrides::Override::empty());
    }
    let describe = |error: Error| format!("--glob: {error}");
    let mut builder =
        OverrideBuilder::new(std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")));
    for glob in &flags.glob {
        builder.add(glob).map_err(describe)?;
    }
    builder.case_insensitive(true).map_err(describe)?;
    for glob in &flags.iglob {
        builder.add(glob).map_err(describe)?;
    }
    builder.build().map_err(describe)
}

/// Lets the walk enter each directory once, by device and inode.
#[cfg(unix)]
fn once(builder: &mut WalkBuilder, roots: &[PathBuf]) {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| {
        fs::metadata(path)
            .ok()
            .map(|metadata| (metadata.dev(), metadata.ino()))
    };
    let entered: Mutex<HashSet<(u64, u64)>> =
        Mutex::new(roots.iter().filter_map(|root| identity(root)).collect());
    builder.filter_entry(move |entry| {
        if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
            return true;
        }
        // What can't be looked at is left to the walk, which reports it.
        identity(entry.path()).is_none_or(|identity| {
            entered
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(identity)
        })
    });
}

#[cfg(not(unix))]
fn once(_builder: &mut WalkBuilder, _roots: &[PathBuf]) {}

/// What an entry of the walk asks for; `None` for directories and links that are not followed.
pub fn visits(entry: Result<DirEntry, Error>, prefix: Prefix) -> impl Iterator<Item = Visit> {
    let (visit, error) = match entry {
        Ok(entry) => (
            visit(&entry, prefix),
            entry.error().and_then(|error| soft_fault(error, prefix)),
        ),
        Err(error) => (None, fault(&error, prefix)),
    };
    error.map(Visit::Fault).into_iter().chain(visit)
}

fn visit(entry: &DirEntry, prefix: Prefix) -> Option<Visit> {
    let kind = entry.file_type()?;
    if kind.is_dir() {
        return None;
    }
    let path = entry.path();
    if entry.depth() == 0 {
        return Some(Visit::Search(Subject::named(path)));
    }
    if kind.is_symlink() {
        return None;
    }
    if !kind.is_file() {
        return Some(Visit::Skip);
    }
    let shown = shown(path, prefix);
    Some(Visit::Search(Subject::File {
        path: path.to_owned(),
        shown: shown.to_owned(),
        origin: Origin::Tree,
    }))
}

/// The path as it is printed.
fn shown(path: &Path, prefix: Prefix) -> &Path {
    match prefix {
        Prefix::Stripped => path.strip_prefix("./").unwrap_or(path),
        Prefix::Kept => path,
    }
}

/// An error of the walk; `None` for a link back to where the walk already is.
fn fault(error: &Error, prefix: Prefix) -> Option<Fault> {
    let (mut path, mut inner) = (None, error);
    loop {
        match inner {
            Error::WithPath { path: at, err } => (path, inner) = (path.or(Some(at)), err),
            Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => inner = err,
            Error::Loop { .. } => return None,
            _ => break,
        }
    }
    let message = match inner {
        Error::Io(error) => describe_inner(error),
        other => other.to_string(),
    };
    let path = path.map(|path| shown(path, prefix).as_os_str().as_encoded_bytes().to_vec());
    Some(Fault {
        path: path.unwrap_or_default(),
        message,
    })
}

/// The message of the system's error inside; the walk wraps it in one that names the path too.
fn describe_inner(error: &std::io::Error) -> String {
    let inner = error
        .get_ref()
        .and_then(|inner| inner.source())
        .and_then(|inner| inner.downcast_ref());
    describe(inner.unwrap_or(error))
}

/// An ignore file that can't be read is an error; a line of it that makes no sense is not ours.
fn soft_fault(error: &Error, prefix: Prefix) -> Option<Fault> {
    match error {
        Error::Partial(errors) => errors.iter().find_map(|error| soft_fault(error, prefix)),
        _ if error.io_error().is_some() => fault(error, prefix),
        _ => None,
    }
}
