//! One test a row of the table in tests/faults/README.md: what goes wrong, what is said of it, and
//! that the other files' output is, byte for byte, what it is without the fault.

mod archives;
mod bytes;
mod display;
mod files;
mod growth;
mod limits;
mod mail;
mod panics;
mod resources;
mod rules;
mod sites;
mod streams;
mod tree;
