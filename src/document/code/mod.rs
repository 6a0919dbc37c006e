//! Source code: the comments and strings of programming languages.
//!
//! | file | contents |
//! |---|---|
//! | `language.rs` | the description of a language |
//! | `languages.rs`, `smaller_languages.rs` | the table of languages |
//! | `lexer.rs` | splits a source into code, comments, and strings |
//! | `heredoc.rs`, `quoted.rs` | literals that need more than a table |
//! | `javascript.rs` | the tokens of JavaScript, for settings that are programs |
//! | `escapes.rs` | the escapes of strings |
//! | `docs.rs` | the text of documentation comments |
//! | `reader.rs` | the events |

mod docs;
mod escapes;
mod format;
mod heredoc;
pub(crate) mod javascript;
mod language;
pub(super) mod languages;
mod lexer;
mod quoted;
mod reader;
pub(super) mod smaller_languages;
