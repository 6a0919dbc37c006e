//! The terms of the glossaries of a project of Sphinx: [`Glossary`].

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use super::addresses::sorted;
use crate::document::rst;
use crate::hash::HashSet;

/// The glossaries of all documents of a project.
#[derive(Debug, Default)]
pub struct Glossary {
    /// Terms in lower case; `None` for a project without a glossary.
    terms: Option<HashSet<String>>,
    /// True if a glossary includes other files, which may hold more terms.
    is_open: bool,
}

impl Glossary {
    /// Adds the glossaries of a document.
    pub fn read(&mut self, text: &str) {
        let Some(read) = rst::terms(text) else { return };
        self.is_open |= read.is_open;
        self.terms.get_or_insert_default().extend(read.terms);
    }

    /// Adds those of other documents.
    pub fn add(&mut self, other: Self) {
        self.is_open |= other.is_open;
        if let Some(terms) = other.terms {
            self.terms.get_or_insert_default().extend(terms);
        }
    }

    /// True if all glossaries of the project are known, and this term, in lower case, is not in one.
    pub fn lacks(&self, term: &str) -> bool {
        !self.is_open && self.terms.as_ref().is_none_or(|terms| !terms.contains(term))
    }

    /// True if the project has a glossary.
    pub fn is_there(&self) -> bool {
        self.terms.is_some()
    }

    /// Returns the terms, in lower case.
    pub fn terms(&self) -> &HashSet<String> {
        static NONE: LazyLock<HashSet<String>> = LazyLock::new(HashSet::default);
        self.terms.as_ref().unwrap_or(&NONE)
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.terms.as_ref().map_or(0, HashSet::len)
    }
}

impl Hash for Glossary {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.is_open.hash(state);
        self.terms.as_ref().map(sorted).hash(state);
    }
}
