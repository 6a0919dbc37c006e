//! Which checks there are, and the order in which they look at a link.
//!
//! A fault is to be told once. So the checks stand in rows: of each row the first one that finds
//! something speaks, and what is not what its author meant to write is looked at no further.

use std::path::Path;

use super::facts::Facts;
use super::fault::{Check, Fault};
use super::options::Options;
use super::subject::{Scope, Subject};
use super::tree::Tree;
use super::{identity, syntax, target};

/// Every check, in the order of the documentation.
///
/// ```
/// use urigrep::audit::CHECKS;
/// assert!(CHECKS.iter().any(|check| check.id == "missing-target"));
/// ```
pub static CHECKS: &[&Check] = &[
    &syntax::invalid::CHECK,
    &syntax::lax::CHECK,
    &syntax::percent::CHECK,
    &syntax::normal::CHECK,
    &syntax::junk::CHECK,
    &syntax::hyphen::CHECK,
    &identity::scheme::CHECK,
    &identity::namespace::CHECK,
    &identity::name::CHECK,
    &identity::credentials::CHECK,
    &identity::userinfo::CHECK,
    &identity::rare_ip::CHECK,
    &identity::private::CHECK,
    &identity::mixed::CHECK,
    &identity::placeholder::CHECK,
    &identity::text::CHECK,
    &target::missing::CHECK,
    &target::case::CHECK,
    &target::anchor::CHECK,
    &target::duplicate::CHECK,
    &target::undefined::CHECK,
];

/// Looks at one link.
type Probe = fn(&Subject<'_>) -> Option<Fault>;

/// The link is not what was meant.
const MEANT: &[Probe] = &[
    identity::placeholder::check,
    syntax::invalid::check,
    syntax::junk::check,
];

const ROWS: &[&[Probe]] = &[
    // a wrong character is why nothing is found, or is found out when something is
    &[
        syntax::percent::check,
        target::case::check,
        target::missing::check,
        target::anchor::check,
        syntax::lax::check,
        syntax::normal::check,
    ],
    &[syntax::hyphen::check],
    &[
        identity::scheme::check,
        identity::namespace::check,
        identity::name::check,
    ],
    &[identity::userinfo::check, identity::credentials::check],
    &[
        identity::rare_ip::check,
        identity::mixed::check,
        identity::private::check,
    ],
];

/// Gives the faults of a document to `sink`: those of its links first, in their order.
///
/// `path` is where the document stands, as [`Tree`] knows it.
pub fn check(
    path: &Path,
    facts: &Facts,
    options: &Options,
    tree: &dyn Tree,
    sink: &mut dyn FnMut(Fault),
) {
    let scope = &Scope::new(path, facts, options, tree);
    for link in facts.links() {
        let subject = Subject::new(link, scope);
        if subject.is_code_path() {
            continue;
        }
        let first = |row: &[Probe]| row.iter().find_map(|probe| probe(&subject));
        if let Some(fault) = first(MEANT) {
            sink(fault);
            continue;
        }
        ROWS.iter()
            .filter_map(|row| first(row))
            .for_each(&mut *sink);
    }
    identity::text::check(scope, sink);
    identity::placeholder::check_empty(scope, sink);
    target::duplicate::check(scope, sink);
    target::undefined::check(scope, sink);
}
