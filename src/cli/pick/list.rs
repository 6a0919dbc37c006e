//! The state of the picker: the listed entries, the cursor, and the marked entries.

use super::collect::PickEntry;

#[derive(Debug)]
pub struct PickList {
    entries: Vec<PickEntry>,
    /// The searched texts of the entries, in lower case.
    texts: Vec<String>,
    marked: Vec<bool>,
    filter: String,
    /// The entries that pass the filter.
    shown: Vec<usize>,
    cursor: usize,
    /// The first line in sight.
    pub top: usize,
    /// A message until the next key.
    pub message: String,
}

impl PickList {
    pub fn new(entries: Vec<PickEntry>) -> Self {
        let text = |entry: &PickEntry| {
            let label = entry.label.as_deref().unwrap_or("");
            // Words of the filter have no line end, so none matches across two of the texts.
            format!("{}\n{}\n{label}", entry.uri, entry.place).to_lowercase()
        };
        Self {
            texts: entries.iter().map(text).collect(),
            marked: vec![false; entries.len()],
            filter: String::new(),
            shown: (0..entries.len()).collect(),
            cursor: 0,
            top: 0,
            message: String::new(),
            entries,
        }
    }

    pub fn filter(&self) -> &str {
        &self.filter
    }

    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The numbers of listed, all, and marked entries.
    pub fn counts(&self) -> (usize, usize, usize) {
        let marked = self.marked.iter().filter(|is_marked| **is_marked).count();
        (self.shown.len(), self.entries.len(), marked)
    }

    /// The listed entry with this number, and whether it is marked.
    pub fn listed(&self, number: usize) -> Option<(&PickEntry, bool)> {
        let &index = self.shown.get(number)?;
        Some((self.entries.get(index)?, *self.marked.get(index)?))
    }

    pub fn current(&self) -> Option<&PickEntry> {
        self.listed(self.cursor).map(|(entry, _)| entry)
    }

    /// The marked entries in order, or the one under the cursor.
    pub fn chosen(&self) -> Vec<&PickEntry> {
        let marked = self.entries.iter().zip(&self.marked).filter(|(_, is_marked)| **is_marked);
        let marked: Vec<_> = marked.map(|(entry, _)| entry).collect();
        if marked.is_empty() { self.current().into_iter().collect() } else { marked }
    }

    /// Moves the cursor by this many entries, as far as there are any.
    pub fn go(&mut self, by: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    /// Marks the entry under the cursor, or unmarks it.
    pub fn mark(&mut self) {
        if let Some(is_marked) =
            self.shown.get(self.cursor).and_then(|&index| self.marked.get_mut(index))
        {
            *is_marked = !*is_marked;
        }
    }

    /// Marks all listed entries; unmarks them if they all are marked.
    pub fn mark_all(&mut self) {
        let are_all = self.shown.iter().all(|&index| self.marked.get(index) == Some(&true));
        for &index in &self.shown {
            if let Some(is_marked) = self.marked.get_mut(index) {
                *is_marked = !are_all;
            }
        }
    }

    pub fn type_char(&mut self, c: char) {
        self.filter.push(c);
        self.update();
    }

    pub fn erase_char(&mut self) {
        self.filter.pop();
        self.update();
    }

    pub fn clear_filter(&mut self) {
        self.filter.clear();
        self.update();
    }

    /// Lists the entries that have all words of the filter.
    fn update(&mut self) {
        let before = self.shown.get(self.cursor).copied();
        let filter = self.filter.to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let passes = |text: &String| words.iter().all(|word| text.contains(word));
        self.shown = (0..self.entries.len())
            .filter(|&index| self.texts.get(index).is_some_and(passes))
            .collect();
        // The cursor stays on its entry if that is still listed.
        let same = before.and_then(|index| self.shown.binary_search(&index).ok());
        self.cursor = same.unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(uris: &[&str]) -> PickList {
        let entry = |uri: &&str| PickEntry { uri: (*uri).to_owned(), ..PickEntry::default() };
        PickList::new(uris.iter().map(entry).collect())
    }

    fn uris(list: &PickList) -> Vec<&str> {
        list.chosen().iter().map(|entry| entry.uri.as_str()).collect()
    }

    #[test]
    fn typing_marking_and_moving() {
        let mut list = list(&["http://a.dev/x", "http://b.dev/y", "http://a.dev/Y"]);
        assert_eq!(uris(&list), ["http://a.dev/x"]);
        "Y a".chars().for_each(|c| list.type_char(c));
        assert_eq!((list.counts(), uris(&list)), ((1, 3, 0), vec!["http://a.dev/Y"]));
        list.mark();
        list.clear_filter();
        assert_eq!(list.cursor(), 2);
        list.go(isize::MIN);
        list.mark();
        assert_eq!(uris(&list), ["http://a.dev/x", "http://a.dev/Y"]);
        list.go(9);
        assert_eq!(list.cursor(), 2);
        "nothing".chars().for_each(|c| list.type_char(c));
        assert!(list.current().is_none());
        list.go(1);
        list.mark();
        list.erase_char();
        assert_eq!(list.counts(), (0, 3, 2));
        list.clear_filter();
        list.mark_all();
        assert_eq!(list.counts(), (3, 3, 3));
        list.mark_all();
        assert_eq!(list.counts(), (3, 3, 0));
    }
}
