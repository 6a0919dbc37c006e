//! The common case in one pass: a URI of plain characters between plain neighbours.
//!
//! Nearly every URI is `http`, `https`, or `ftp`, a host, and characters that few rules treat
//! specially, between neighbours that end it by D2.4 or D3. Such a URI is delimited and parsed here
//! in one walk, without allocation and without [`Examiner`](super::examine::Examiner)'s state. So
//! are `urn`, `doi`, `mailto`, and `tel`.
//!
//! The examiner is the naive twin: every function here either agrees with it or returns `None`,
//! which hands the candidate over. So each new rule needs a test at the byte that it depends on.
//! `tests/invariants/fast_path.rs` compares both for every combination of such bytes.
//!
//! | file | subject |
//! |---|---|
//! | `look` | a candidate, from its scheme to the next line (D1.2, D4.10, D5) |
//! | `opener` | the text before the scheme (D3) |
//! | `walk` | the run of a web URI (D2.1, D4.1, D4.2, D4.7–D4.9) |
//! | `opaque` | the same for schemes without `//` (D1.6, D6) |
//! | `ending` | the text after the run, and trimming (D3, D4.3) |
//! | `escaped` | escapes, decoded before the walk (D2.4) |
//! | `encoded` | URIs that are not their text: brackets, letters beyond ASCII (D2.2, D2.3) |
//! | `matched` | the match and the offsets of its components |

mod encoded;
mod ending;
mod escaped;
mod look;
mod matched;
mod opaque;
mod opener;
mod walk;

pub(crate) use escaped::look_escaped;
pub(super) use look::applies;
pub(crate) use look::{FAST_PATH_LOOKAHEAD_BYTES, FastOutcome, look, look_colon, look_web};
pub(crate) use matched::FastMatch;
