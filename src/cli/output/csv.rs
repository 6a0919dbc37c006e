//! `--format csv` and `--format tsv`: a table with a heading and a row per finding.

use urigrep::output::escape::Escaping;
use urigrep::output::report::Report;
use urigrep::output::table::TableFormat;
use urigrep::reference::Normalizer;
use urigrep::search::{FieldValue, Flow, Hit, HitFields, Labels, Level, Needs, PartNumbers};

use super::Printer;
use super::Summary;
use super::fields::COLUMNS;
use super::number;

#[derive(Clone, Debug)]
pub struct Csv {
    table: TableFormat,
    normalizer: Normalizer,
    escaping: Escaping,
}

impl Csv {
    /// Creates the printer of a table. `normalizer` makes the values of the column `normalized`.
    pub fn new(table: TableFormat, normalizer: Normalizer, escaping: Escaping) -> Self {
        Self { table, normalizer, escaping }
    }
}

impl Report<Summary> for Csv {
    fn open(&self, out: &mut Vec<u8>) {
        let cells = COLUMNS.iter().map(|column| column.name().as_bytes());
        self.table.row(self.escaping, cells, out);
    }
}

impl Printer for Csv {
    fn needs(&self, _: Level) -> Needs {
        Needs::new().part_numbers(PartNumbers::Listed).labels(Labels::All)
    }

    fn fork(&self) -> Option<Box<dyn Printer>> {
        Some(Box::new(self.clone()))
    }

    fn hit(&mut self, hit: &Hit<'_>, out: &mut Vec<u8>) -> Flow {
        let fields = HitFields::from(hit);
        for (index, &column) in COLUMNS.iter().enumerate() {
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
