//! A memory of the last answers, for what is asked often in a row. [`LastAnswers`].

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};

/// So many answers are kept: the links of a page lead to few directories, and often to one page in a row.
const MOST: usize = 8;

/// The last answers, by what was asked.
pub(super) struct LastAnswers<V> {
    answers: RefCell<AnswerRing<V>>,
}

struct AnswerRing<V> {
    all: Vec<(OsString, V)>,
    /// The oldest of them.
    next: usize,
}

impl<V> Default for LastAnswers<V> {
    fn default() -> Self {
        Self { answers: RefCell::new(AnswerRing { all: Vec::new(), next: 0 }) }
    }
}

impl<V> LastAnswers<V> {
    /// What `take` makes of the answer to `asked`, which `find` finds if it has to.
    pub fn with<T>(
        &self,
        asked: &OsStr,
        find: impl FnOnce() -> V,
        take: impl FnOnce(&V) -> T,
    ) -> T {
        if let Some((_, answer)) = self.answers.borrow().all.iter().find(|(key, _)| key == asked) {
            return take(answer);
        }
        let answer = find();
        let taken = take(&answer);
        let mut answers = self.answers.borrow_mut();
        let at = answers.next;
        let new = (asked.to_owned(), answer);
        match answers.all.get_mut(at) {
            Some(oldest) => *oldest = new,
            None => answers.all.push(new),
        }
        answers.next = (at + 1) % MOST;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_are_kept() {
        let recent = LastAnswers::default();
        let found = RefCell::new(0);
        let ask = |at: usize| {
            let key = OsString::from(at.to_string());
            let find = || {
                *found.borrow_mut() += 1;
                at
            };
            assert_eq!(recent.with(&key, find, |&answer| answer), at);
        };
        (0..MOST).chain(0..MOST).for_each(ask);
        assert_eq!(*found.borrow(), MOST);
        (0..2 * MOST).for_each(ask);
        assert_eq!(*found.borrow(), 2 * MOST);
    }
}
