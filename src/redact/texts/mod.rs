//! Secrets of texts that may contain URIs: what names and marks around them reveal. Only the engine
//! reads such texts.
//!
//! | file | content |
//! |---|---|
//! | `beside.rs` | values beside a name |
//! | `cells.rs`, `columns.rs` | values below a name, in tables |
//! | `certain.rs` | names and words that are hardly anything but those of secrets |
//! | `colours.rs` | texts without the colours of terminals |
//! | `commands.rs` | the data: flags of commands with passwords |
//! | `elements.rs` | texts of elements of XML |
//! | `exposed.rs` | secrets of URIs, for the audit |
//! | `following.rs` | words behind a name, whatever marks stand between |
//! | `gaps.rs` | what may stand between a name and a value |
//! | `inserts.rs` | columns of SQL |
//! | `keys.rs` | private keys |
//! | `lists.rs` | items of lists, and strings that are joined |
//! | `pairs.rs` | names and values |
//! | `passages.rs` | all of them, and arguments |
//! | `values.rs` | all values of a text, as spans of its source |

mod beside;
mod cells;
mod certain;
mod colours;
pub(crate) mod columns;
mod commands;
mod elements;
mod exposed;
mod following;
mod gaps;
mod inserts;
mod keys;
mod lists;
mod pairs;
pub(crate) mod passages;
mod values;

pub(crate) use exposed::{ExposedSecret, SecretSign, exposed, secret_spans, tokens};
pub(super) use values::without_values;
pub(crate) use values::{changed_spans, push_spans, secret_values, shows_something, united};
