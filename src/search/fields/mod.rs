//! The fields of a hit, declared once for JSON, tables, templates, SARIF, Arrow columns, and the
//! JSON Schema.

mod absent;
mod field;
mod reader;
mod value;

#[cfg(feature = "serde")]
pub(crate) use field::field_groups;
pub use field::{HitField, JsonPlace};
pub use reader::HitFields;
pub use value::FieldValue;
