//! Mail: the decoders, messages, mboxes, what hostile senders make, and another reader.

mod decoders;
mod hostile;
#[path = "../../fuzz/checks/maps.rs"]
mod maps;
mod mboxes;
mod python;
mod seen;
mod vectors;
