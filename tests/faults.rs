//! One test a row of the table in tests/faults/README.md: what goes wrong, what is said of it, and that the
//! other files' output is, byte for byte, what it is without the fault.

#[path = "faults/archives.rs"]
mod archives;
#[path = "faults/bytes.rs"]
mod bytes;
#[path = "faults/display.rs"]
mod display;
#[path = "faults/files.rs"]
mod files;
#[path = "faults/limits.rs"]
mod limits;
#[path = "faults/mail.rs"]
mod mail;
#[allow(dead_code, reason = "shared with tests/archives.rs")]
#[path = "archives/pack.rs"]
mod pack;
#[path = "faults/panics.rs"]
mod panics;
#[path = "faults/resources.rs"]
mod resources;
#[path = "faults/streams.rs"]
mod streams;
#[allow(dead_code, reason = "shared with tests/cli.rs")]
#[path = "cli/support.rs"]
mod support;
#[path = "faults/tree.rs"]
mod tree;
