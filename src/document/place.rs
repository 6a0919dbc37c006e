//! Places in documents, in the words of their readers: a page, a cell, a column.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use super::Format;
use crate::shorten::shortened_text;

/// The place of a part in its document, for formats in which a line number says little.
///
/// ```
/// use urigrep::document::Place;
/// assert_eq!(Place::Page(3).to_string(), "page 3");
/// let cell = Place::Sheet { sheet: "Links".into(), cell: "B7".into() };
/// assert_eq!(cell.to_string(), "Links!B7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place<'p> {
    /// A page, from 1.
    Page(u32),
    /// A slide, from 1.
    Slide(u32),
    /// A paragraph of a text document, from 1.
    Paragraph {
        /// The part of the document, unless it is the main text: `footnotes`, `comments`,
        /// `header1`.
        story: Cow<'p, str>,
        /// Its number within that, from 1.
        number: u32,
    },
    /// A cell of a spreadsheet.
    Sheet {
        /// The name of the sheet.
        sheet: Cow<'p, str>,
        /// The cell, such as `B7`.
        cell: Cow<'p, str>,
    },
    /// A line of a notebook's cell.
    Cell {
        /// The number of the cell, from 1.
        cell: u32,
        /// The line in the cell, from 1.
        line: u32,
    },
    /// A field of a table in text.
    Row {
        /// The number of the row, from 1; a heading counts.
        row: u64,
        /// The name of the column, or its number from 1.
        column: Cow<'p, str>,
    },
    /// A JSON Pointer (RFC 6901).
    Pointer(Cow<'p, str>),
    /// The path of a key, such as `package.homepage`.
    Key(Cow<'p, str>),
    /// The path of an element, such as `urlset/url/loc`.
    Element(Cow<'p, str>),
    /// A property of a calendar or contact.
    Property(Cow<'p, str>),
    /// A field of a bibliography.
    Entry {
        /// The key of the entry.
        entry: Cow<'p, str>,
        /// The name of the field.
        field: Cow<'p, str>,
    },
    /// A message of a chat. What the export does not say is empty.
    Post {
        /// The channel, group, or chat.
        channel: Cow<'p, str>,
        /// The name or the id of the author.
        author: Cow<'p, str>,
        /// The date and time.
        date: Cow<'p, str>,
    },
    /// A value in a database.
    Record {
        /// The name of the table.
        table: Cow<'p, str>,
        /// The name of the column.
        column: Cow<'p, str>,
        /// The rowid; `None` for tables without one.
        rowid: Option<i64>,
    },
}

/// A member of a place in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceValue<'p> {
    /// A number.
    Number(i64),
    /// A text.
    Text(&'p str),
}

impl fmt::Display for PlaceValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

impl Place<'_> {
    /// Returns the names and values of its members, as in the `place` of JSON.
    ///
    /// ```
    /// use urigrep::document::{Place, PlaceValue};
    /// let members: Vec<_> = Place::Slide(4).members().collect();
    /// assert_eq!(members, [("slide", PlaceValue::Number(4))]);
    /// ```
    pub fn members(&self) -> impl Iterator<Item = (&'static str, PlaceValue<'_>)> {
        use PlaceValue::{Number, Text};
        let number = |name, number: u32| Some((name, Number(number.into())));
        let members = match self {
            Self::Page(page) => [number("page", *page), None, None],
            Self::Slide(slide) => [number("slide", *slide), None, None],
            Self::Paragraph { story, number: paragraph } => {
                let story = (!story.is_empty()).then_some(("story", Text(story)));
                [story, number("paragraph", *paragraph), None]
            }
            Self::Sheet { sheet, cell } => {
                [Some(("sheet", Text(sheet))), Some(("cell", Text(cell))), None]
            }
            Self::Cell { cell, line } => [number("cell", *cell), number("line", *line), None],
            Self::Row { row, column } => {
                let row = i64::try_from(*row).unwrap_or(i64::MAX);
                [Some(("row", Number(row))), Some(("column", Text(column))), None]
            }
            Self::Pointer(pointer) => [Some(("pointer", Text(pointer))), None, None],
            Self::Key(key) => [Some(("key", Text(key))), None, None],
            Self::Element(element) => [Some(("element", Text(element))), None, None],
            Self::Property(property) => [Some(("property", Text(property))), None, None],
            Self::Entry { entry, field } => {
                [Some(("entry", Text(entry))), Some(("field", Text(field))), None]
            }
            Self::Post { channel, author, date } => {
                [("channel", channel), ("author", author), ("date", date)]
                    .map(|(name, text)| (!text.is_empty()).then_some((name, Text(text))))
            }
            Self::Record { table, column, rowid } => [
                Some(("table", Text(table))),
                Some(("column", Text(column))),
                rowid.map(|rowid| ("rowid", Number(rowid))),
            ],
        };
        members.into_iter().flatten()
    }

    /// Returns the name of what the place is a line or field of: `cell 3` of `cell 3:2`.
    pub(crate) fn group(&self) -> Option<String> {
        match self {
            Self::Cell { cell, .. } => Some(format!("cell {cell}")),
            Self::Row { row, .. } => Some(format!("row {row}")),
            _ => None,
        }
    }

    /// True if readers know the place by its name, not by a line of the file.
    pub fn replaces_line(&self) -> bool {
        match self {
            Self::Page(_)
            | Self::Slide(_)
            | Self::Paragraph { .. }
            | Self::Sheet { .. }
            | Self::Cell { .. }
            | Self::Record { .. } => true,
            Self::Row { .. }
            | Self::Pointer(_)
            | Self::Key(_)
            | Self::Element(_)
            | Self::Property(_)
            | Self::Entry { .. }
            | Self::Post { .. } => false,
        }
    }

    /// Returns a copy that borrows nothing.
    pub fn into_owned(self) -> Place<'static> {
        self.with_texts(|text| Cow::Owned(text.clone().into_owned()))
    }

    /// Returns the place as it is printed with every match in it: long names are shortened.
    pub(crate) fn shortened(&self) -> Place<'_> {
        self.with_texts(|text| shortened_text(text))
    }

    /// Returns the place with every text changed by `change`; `None` if it changes none.
    pub(crate) fn changed(&self, change: impl Fn(&str) -> Cow<'_, str>) -> Option<Place<'static>> {
        let has_changed = Cell::new(false);
        let place = self.with_texts(|text| {
            let text = change(text);
            has_changed.set(has_changed.get() || matches!(text, Cow::Owned(_)));
            text
        });
        has_changed.get().then(|| place.into_owned())
    }

    /// Returns the same place with these texts.
    fn with_texts<'n, 't>(&'n self, text: impl Fn(&'n Cow<'_, str>) -> Cow<'t, str>) -> Place<'t> {
        match self {
            Self::Page(page) => Place::Page(*page),
            Self::Slide(slide) => Place::Slide(*slide),
            Self::Paragraph { story, number } => {
                Place::Paragraph { story: text(story), number: *number }
            }
            Self::Sheet { sheet, cell } => Place::Sheet { sheet: text(sheet), cell: text(cell) },
            Self::Cell { cell, line } => Place::Cell { cell: *cell, line: *line },
            Self::Row { row, column } => Place::Row { row: *row, column: text(column) },
            Self::Pointer(pointer) => Place::Pointer(text(pointer)),
            Self::Key(key) => Place::Key(text(key)),
            Self::Element(element) => Place::Element(text(element)),
            Self::Property(property) => Place::Property(text(property)),
            Self::Entry { entry, field } => Place::Entry { entry: text(entry), field: text(field) },
            Self::Post { channel, author, date } => {
                Place::Post { channel: text(channel), author: text(author), date: text(date) }
            }
            Self::Record { table, column, rowid } => {
                Place::Record { table: text(table), column: text(column), rowid: *rowid }
            }
        }
    }
}

/// Writes the place as in text output: `page 3`, `Links!B7`, `cell 3:2`, `urls.url`.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(page) => write!(f, "page {page}"),
            Self::Slide(slide) => write!(f, "slide {slide}"),
            Self::Paragraph { story, number } if story.is_empty() => {
                write!(f, "paragraph {number}")
            }
            Self::Paragraph { story, number } => write!(f, "{story} paragraph {number}"),
            Self::Sheet { sheet, cell } => write!(f, "{sheet}!{cell}"),
            Self::Cell { cell, line } => write!(f, "cell {cell}:{line}"),
            Self::Row { row, column } => write!(f, "row {row}:{column}"),
            Self::Pointer(path) | Self::Key(path) | Self::Element(path) | Self::Property(path) => {
                f.write_str(path)
            }
            Self::Entry { entry, field } => write!(f, "{entry}.{field}"),
            Self::Post { channel, author, date } => {
                let words = [channel, author, date].into_iter().filter(|it| !it.is_empty());
                for (at, word) in words.enumerate() {
                    let gap = if at == 0 { "" } else { " " };
                    write!(f, "{gap}{word}")?;
                }
                Ok(())
            }
            Self::Record { table, column, .. } => write!(f, "{table}.{column}"),
        }
    }
}

/// A text that a document holds in another form, such as the text of a PDF page or a file in a
/// package. Its bytes are not bytes of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream<'p> {
    /// Its name in the document: `page 3`, `zip!/word/document.xml`.
    pub name: &'p str,
    /// Its path below the document if people know it as a file, such as the member of an attached
    /// archive: `b.zip!/c.txt`. It is displayed as `a.eml!/b.zip!/c.txt`. `None` for a text that
    /// is displayed as the document, such as a page.
    pub file: Option<&'p str>,
    /// The format of that file, if it is a document; `None` for a text of the document itself.
    pub format: Option<Format>,
    /// Its bytes.
    pub bytes: &'p [u8],
}

impl<'p> Stream<'p> {
    /// Returns a text of the document itself.
    pub(crate) const fn extracted(name: &'p str, bytes: &'p [u8]) -> Self {
        Self { name, file: None, format: None, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_those_of_json() {
        let members = |place: Place<'_>| -> String {
            place.members().map(|(name, value)| format!("{name}={value} ")).collect()
        };
        let record = |rowid| Place::Record { table: "urls".into(), column: "url".into(), rowid };
        assert_eq!(members(record(Some(7))), "table=urls column=url rowid=7 ");
        assert_eq!(members(record(None)), "table=urls column=url ");
        assert_eq!(members(Place::Paragraph { story: "".into(), number: 2 }), "paragraph=2 ");
        let post =
            Place::Post { channel: "general".into(), author: "".into(), date: "2024".into() };
        assert_eq!(members(post.clone()), "channel=general date=2024 ");
        assert_eq!(post.to_string(), "general 2024");
        assert_eq!(members(Place::Row { row: 5, column: "url".into() }), "row=5 column=url ");
    }

    #[test]
    fn only_changed_places_are_copied() {
        fn upper(text: &str) -> Cow<'_, str> {
            Cow::Owned(text.to_uppercase())
        }
        let place = Place::Entry { entry: "a".into(), field: "url".into() };
        let changed = place.changed(upper);
        assert_eq!(changed.map(|place| place.to_string()).as_deref(), Some("A.URL"));
        assert_eq!(Place::Page(1).changed(upper), None);
        assert_eq!(place.changed(|text| Cow::Borrowed(text)), None);
    }
}
