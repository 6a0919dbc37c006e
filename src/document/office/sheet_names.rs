//! The sheets that internal links of a spreadsheet name: `Links!B7`, `'My links'!B7`, `$Links.B7`.

use std::ops::ControlFlow;

use super::writer::{At, PartKind, define, emit_internal};
use crate::document::EventSink;
use crate::hash::HashSet;
use crate::span::Span;

/// The names of the sheets, in lower case.
#[derive(Default)]
pub(super) struct SheetNames(HashSet<String>);

impl SheetNames {
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(str::to_lowercase).collect())
    }

    pub fn add(&mut self, name: &str) {
        self.0.insert(name.to_lowercase());
    }

    /// Emits a link to a cell or a range, whose name is at `source`. Defines it if it can exist.
    pub fn emit(
        &self,
        (name, source): (&str, Span),
        at: At<'_>,
        kind: PartKind<'_>,
        sink: &mut dyn EventSink,
    ) -> ControlFlow<()> {
        if self.may_exist(name) {
            define(name, source, sink);
        }
        emit_internal((name, source), at, kind, sink)
    }

    /// False for a range of a sheet that the document does not have. Other names are those of
    /// ranges and tables, or cells of the same sheet.
    pub fn may_exist(&self, name: &str) -> bool {
        if name.contains("#REF!") {
            return false;
        }
        let name = name.trim_start_matches('$');
        // Excel writes `Sheet!A1`, OpenDocument `Sheet.A1`.
        let sheet = match name.strip_prefix('\'') {
            Some(quoted) => quoted.rfind('\'').map(|end| quoted[..end].replace("''", "'")),
            None => name.rsplit_once('!').or(name.rsplit_once('.')).map(|it| it.0.to_owned()),
        };
        sheet.is_none_or(|sheet| {
            // A sheet of another workbook, or several sheets.
            sheet.contains(['[', ':']) || self.0.contains(&sheet.to_lowercase())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::SheetNames;

    #[test]
    fn sheets_of_ranges() {
        let names = SheetNames::new(["Links", "It's mine"]);
        for name in
            ["links!B7", "'It''s mine'!A1:B2", "$Links.B7", "A1", "Prices", "'[b.xlsx]S'!A1"]
        {
            assert!(names.may_exist(name), "{name}");
        }
        for name in ["Other!B7", "'No'!A1", "Links!#REF!", "#REF!A1", "Other.A1"] {
            assert!(!names.may_exist(name), "{name}");
        }
    }
}
