//! Looks objects up by their numbers.

use hayro_syntax::object::{Array, Dict, MaybeRef, ObjRef, Object};
use hayro_syntax::xref::XRef;

use crate::hash::HashSet;

/// Finds the dictionaries that others name, each numbered one once.
///
/// hayro-syntax keeps with each dictionary the numbers of all objects through which it was reached.
/// For bookmarks, each of which names the next one, that takes quadratic time and memory. A
/// dictionary that is looked up by its number has no such list.
pub(super) struct ObjectWalk<'a> {
    xref: &'a XRef,
    seen: HashSet<(u32, i32)>,
}

impl<'a> ObjectWalk<'a> {
    pub fn new(xref: &'a XRef) -> Self {
        Self { xref, seen: HashSet::default() }
    }

    /// Returns the dictionary at this key, unless it was returned before.
    pub fn entry(&mut self, dictionary: &Dict<'a>, key: &[u8]) -> Option<Dict<'a>> {
        match dictionary.get_ref(key) {
            Some(reference) => self.numbered(reference),
            None => dictionary.get::<Dict<'a>>(key),
        }
    }

    /// Returns the dictionaries of an array that were not returned before.
    pub fn items<'w>(&'w mut self, array: &Array<'a>) -> impl Iterator<Item = Dict<'a>> + 'w {
        array.raw_iter().filter_map(|item| match item {
            MaybeRef::Ref(reference) => self.numbered(reference),
            MaybeRef::NotRef(Object::Dict(dictionary)) => Some(dictionary),
            MaybeRef::NotRef(_) => None,
        })
    }

    fn numbered(&mut self, reference: ObjRef) -> Option<Dict<'a>> {
        if self.seen.insert((reference.obj_number, reference.gen_number)) {
            self.xref.get(reference.into())
        } else {
            None
        }
    }
}
