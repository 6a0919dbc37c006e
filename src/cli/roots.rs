//! What the command line names: the paths of a run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::progress::Total;
use super::subject::stdin_is_offered;

/// Something the command line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Standard input.
    Stdin,
    /// A file, or something that is not there.
    File(PathBuf),
    /// A directory.
    Directory(PathBuf),
}

/// Whether the paths of the current directory are printed with `./`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// As they were given.
    Kept,
    /// It was not given.
    Stripped,
}

/// What the paths name; standard input or the current directory, without paths.
pub fn operands(paths: &[OsString]) -> (Vec<Operand>, Prefix) {
    if paths.is_empty() {
        let operand = if stdin_is_offered() {
            Operand::Stdin
        } else {
            Operand::Directory(PathBuf::from("./"))
        };
        return (vec![operand], Prefix::Stripped);
    }
    let operand = |path: &OsString| {
        let path = PathBuf::from(path);
        if path == Path::new("-") {
            Operand::Stdin
        } else if path.is_dir() {
            Operand::Directory(path)
        } else {
            Operand::File(path)
        }
    };
    (paths.iter().map(operand).collect(), Prefix::Kept)
}

/// How much there is to read; of directories nobody knows before they are read.
pub fn total(operands: &[Operand]) -> Total {
    let size = |operand: &Operand| match operand {
        Operand::File(path) => {
            let metadata = std::fs::metadata(path).ok()?;
            metadata.is_file().then_some(metadata.len())
        }
        Operand::Stdin | Operand::Directory(_) => None,
    };
    operands.iter().map(size).sum()
}
