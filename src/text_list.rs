//! Texts stored back to back in one allocation: [`TextList`].

use crate::slice::SliceExt as _;

/// Typical length of an anchor or a link text.
const USUAL_LENGTH: usize = 24;

/// Texts, each with its data. A page of HTML has hundreds of them. In allocations of their own they
/// would often be freed by another thread than the one that made them, which locks the allocator.
#[derive(Clone, Debug)]
pub(crate) struct TextList<T> {
    text: String,
    /// End of each in `text`, and its data.
    items: Vec<(usize, T)>,
    /// Expected number, as known before the first one.
    expected: usize,
}

impl<T> Default for TextList<T> {
    fn default() -> Self {
        Self { text: String::new(), items: Vec::new(), expected: 8 }
    }
}

impl<T> TextList<T> {
    /// Reserves room for this many items when the first one arrives. A list that grows from nothing
    /// is moved five times.
    pub fn expect(&mut self, items: usize) {
        self.expected = items.max(8);
    }

    /// Releases unused memory, if the list is kept for long.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.items.shrink_to_fit();
    }

    pub fn push(&mut self, text: &str, item: T) {
        if self.items.is_empty() {
            // One allocation for the items and one for their texts, in the expected size.
            self.items.reserve(self.expected);
            self.text.reserve(self.expected * USUAL_LENGTH);
        }
        self.text.push_str(text);
        self.items.push((self.text.len(), item));
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn get(&self, index: usize) -> Option<(&str, &T)> {
        let (end, item) = self.items.get(index)?;
        let before = index.checked_sub(1).and_then(|before| self.items.get(before));
        let start = before.map_or(0, |(end, _)| *end);
        Some((self.text.part(start..*end), item))
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.items.get_mut(index).map(|(_, item)| item)
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> + Clone {
        let mut start = 0;
        self.items.iter().map(move |(end, item)| {
            let text = self.text.part(start..*end);
            start = *end;
            (text, item)
        })
    }

    pub fn items_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.items.iter_mut().map(|(_, item)| item)
    }

    /// Removes the items for which `keeps`, in order, is `false`.
    pub fn retain(&mut self, keeps: &[bool]) {
        let all = std::mem::take(self);
        self.expect(all.items.len());
        let (mut start, mut keeps) = (0, keeps.iter());
        for (end, item) in all.items {
            if keeps.next().is_none_or(|&keep| keep) {
                self.push(all.text.part(start..end), item);
            }
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_items() {
        let mut list = TextList::default();
        for (text, number) in [("ab", 1), ("", 2), ("cé", 3), ("d", 4)] {
            list.push(text, number);
        }
        assert_eq!(list.get(2), Some(("cé", &3)));
        assert_eq!(list.get(4), None);
        list.retain(&[true, false, false, true]);
        assert_eq!(list.iter().collect::<Vec<_>>(), [("ab", &1), ("d", &4)]);
        assert_eq!(list.get(1), Some(("d", &4)));
    }
}
