//! The built command, as a user and a script see it; what happens when something goes wrong;
//! compressed files and archives.

mod archives;
mod cases;
mod cli;
mod faults;
#[cfg(unix)]
mod guide;
#[cfg(all(unix, feature = "lsp"))]
mod lsp;
mod outside;
#[cfg(unix)]
mod packaging;
mod support;
mod timing;
#[allow(dead_code, reason = "only the rows and their escapes are of use here")]
mod tsv;
