//! Applies edits to documents, as audits read them: [`Auditor::apply`].

use super::menu;
use crate::audit::Auditor;
use crate::audit::collect::{document_path, menu_at};
use crate::change::{self, Changed, Edit};
use crate::search::Input;

impl Auditor {
    /// Applies edits to the bytes of a document, like [`change::apply`]. The document is read in
    /// the dialect of its site, so links that only this dialect has can change, too.
    ///
    /// ```
    /// use urigrep::audit::Auditor;
    /// use urigrep::change::{Edit, Replacement};
    /// use urigrep::search::Input;
    ///
    /// let edit = Edit::new([4, 8], "A.md", Replacement::Uri("a.md".to_owned()));
    /// let auditor = Auditor::builder().build();
    /// let changed = auditor.apply(&Input::named("b.md"), b"[a](A.md)", &[edit]);
    /// assert_eq!(changed.bytes(), b"[a](a.md)");
    /// ```
    pub fn apply(&self, input: &Input, source: &[u8], edits: &[Edit]) -> Changed {
        let path = document_path(input);
        if let Some(read) = self.reads_menu(input, source) {
            return menu::apply(source, edits, read);
        }
        let read = |bytes: &[u8]| {
            let text = self.settings.search.text_of(input, bytes.to_vec())?;
            let dialect = self.files.dialect(&path, &text);
            Some(text.into_prepared(&dialect))
        };
        change::apply_as_read(self.settings.search.finder(), &read, source, edits)
    }

    /// Returns the reader of an input's links, if it is the menu of a site.
    fn reads_menu(
        &self,
        input: &Input,
        source: &[u8],
    ) -> Option<impl Fn(&[u8]) -> Vec<menu::MenuLink>> {
        menu_at(input)?;
        let links = move |bytes: &[u8]| {
            let text = self.settings.search.text_of(input, bytes.to_vec())?;
            // In another encoding, the bytes would differ.
            let is_same = text.bytes() == bytes;
            let (_, document) = self.read_menu(input, &text).filter(|_| is_same)?;
            let links = document.facts.links();
            Some(links.map(|link| (link.span, link.written.to_owned())).collect::<Vec<_>>())
        };
        links(source)?;
        Some(move |bytes: &[u8]| links(bytes).unwrap_or_default())
    }
}
