//! Applies edits to documents, as audits read them: [`Auditor::apply`].

use crate::audit::Auditor;
use crate::audit::collect::document_path;
use crate::change::{self, Changed, Edit};
use crate::search::Input;

impl Auditor {
    /// Applies edits to the bytes of a document, like [`change::apply`]. The document is read in the
    /// dialect of its site, so that a link which only this dialect has can change, too.
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
        let read = |bytes: &[u8]| {
            let text = self.settings.search.text_of(input, bytes.to_vec())?;
            let dialect = self.files.dialect(&path, &text);
            Some(text.into_prepared(&dialect))
        };
        change::apply_as_read(self.settings.search.finder(), &read, source, edits)
    }
}
