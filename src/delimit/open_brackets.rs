//! The brackets of a run that are open: [`OpenBrackets`].

use alloc::vec::Vec;

/// A stack of openers, each with its offset.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenBrackets {
    all: Vec<(char, usize)>,
    /// Number of those that are not parentheses. Counted, since a run may have thousands of open
    /// parentheses, and each `{` needs this number.
    others: usize,
}

impl OpenBrackets {
    pub fn push(&mut self, opener: char, at: usize) {
        self.others += usize::from(opener != '(');
        self.all.push((opener, at));
    }

    pub fn pop(&mut self) -> Option<(char, usize)> {
        let popped = self.all.pop()?;
        self.others -= usize::from(popped.0 != '(');
        Some(popped)
    }

    pub fn clear(&mut self) {
        self.all.clear();
        self.others = 0;
    }

    pub fn last(&self) -> Option<&(char, usize)> {
        self.all.last()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &(char, usize)> {
        self.all.iter()
    }

    /// Returns those that are not parentheses.
    pub fn others(&self) -> impl Iterator<Item = &(char, usize)> {
        // Most runs have none, and a run may have many parentheses.
        let most = if self.others == 0 { 0 } else { self.all.len() };
        self.all.iter().take(most).filter(|(opener, _)| *opener != '(')
    }

    /// True if only parentheses are open.
    pub fn is_outermost(&self) -> bool {
        self.others == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_counted() {
        let mut open = OpenBrackets::default();
        for (at, opener) in "(({[".chars().enumerate() {
            open.push(opener, at);
        }
        assert_eq!(open.others().copied().collect::<Vec<_>>(), [('{', 2), ('[', 3)]);
        assert_eq!((open.pop(), open.is_outermost()), (Some(('[', 3)), false));
        assert_eq!((open.pop(), open.is_outermost()), (Some(('{', 2)), true));
        open.clear();
        assert!(open.is_empty() && open.pop().is_none() && open.is_outermost());
    }
}
