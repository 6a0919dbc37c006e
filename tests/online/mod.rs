//! `audit::remote` against a server on this machine: slow, hanging, wrong, and hostile hosts.

mod cache;
mod lychee;
mod safety;
mod server;
mod verdicts;
