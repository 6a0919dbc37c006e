//! `--format csv` and `--format tsv`: a table with a heading and a row per finding.

use std::sync::Arc;

use urigrep::internal::output::escape::Escaping;
use urigrep::internal::output::report::Report;
use urigrep::internal::output::table::TableFormat;
use urigrep::reference::Normalizer;
use urigrep::search::{FieldValue, Flow, Hit, HitField, HitFields, Level, Needs};

use super::Printer;
use super::Summary;
use super::fields::{COLUMNS, needs_of};
use super::number;

#[derive(Clone, Debug)]
pub struct CsvOutput {
    table: TableFormat,
    columns: Arc<[HitField]>,
    normalizer: Normalizer,
    escaping: Escaping,
}

impl CsvOutput {
    /// Creates the printer of a table with all columns. `normalizer` makes the values of the column
    /// `normalized`.
    pub fn new(table: TableFormat, normalizer: Normalizer, escaping: Escaping) -> Self {
        Self { table, columns: Arc::new(COLUMNS), normalizer, escaping }
    }

    /// Restricts the table to these columns, unless there are none.
    #[must_use]
    pub fn columns(mut self, columns: &[HitField]) -> Self {
        if !columns.is_empty() {
            self.columns = columns.into();
        }
        self
    }
}

impl Report<Summary> for CsvOutput {
    fn open(&self, out: &mut Vec<u8>) {
        let cells = self.columns.iter().map(|column| column.name().as_bytes());
        self.table.row(self.escaping, cells, out);
    }
}

impl Printer for CsvOutput {
    fn needs(&self, _: Level) -> Needs {
        needs_of(|field| self.columns.contains(&field))
    }

    fn fork(&self) -> Option<Box<dyn Printer>> {
        Some(Box::new(self.clone()))
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let fields = HitFields::from(hit);
        for (index, &column) in self.columns.iter().enumerate() {
            if index > 0 {
                out.push(self.table.separator());
            }
            match fields.value(column, &self.normalizer) {
                FieldValue::Absent => {}
                FieldValue::Number(value) => number(value, out),
                value => {
                    let text = value.into_text().unwrap_or_default();
                    self.table.cell(self.escaping, &text, out);
                }
            }
        }
        out.push(b'\n');
        Flow::Continue
    }
}
