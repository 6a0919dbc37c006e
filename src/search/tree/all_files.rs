//! Finds all files of a tree, sorted by path.

use std::cmp::Ordering;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::{Mutex, PoisonError};

use ignore::WalkState;

use crate::search::CancelToken;
use crate::search::tree::affordable_threads::affordable_threads;
use crate::search::tree::walk::TreeWalk;
use crate::search::tree::walk_entry::{WalkEntry, walk_entries};
use crate::threads::lock;

impl TreeWalk {
    /// Returns all visits by path. `threads` threads find them in any order, and then they are
    /// sorted. That takes a fraction of the time of a walk in order. Once `cancel` is cancelled,
    /// returns the visits found until then.
    pub fn all(mut self, threads: usize, cancel: Option<&CancelToken>) -> Vec<WalkEntry> {
        let is_cancelled = || cancel.is_some_and(CancelToken::is_cancelled);
        let hides_dot = self.hides_dot;
        // With links that are followed, the result depends on the order of the walk.
        let threads = if self.is_ordered { 0 } else { affordable_threads(threads) };
        if threads == 0 {
            return self.entries().take_while(|_| !is_cancelled()).collect();
        }
        let all = Mutex::default();
        self.builder.threads(threads).build_parallel().run(|| {
            let mut gathered = Gathered { found: Vec::new(), all: &all };
            Box::new(move |entry| {
                gathered.found.extend(walk_entries(entry, hides_dot));
                if is_cancelled() { WalkState::Quit } else { WalkState::Continue }
            })
        });
        let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        if is_cancelled() {
            return all;
        }
        all.extend(Self::refused(&self.filter, &self.compiled, hides_dot));
        all.sort_by(|a, b| by_names(&a.path, &b.path));
        all
    }
}

/// The findings of one thread of a walk.
struct Gathered<'a> {
    found: Vec<WalkEntry>,
    all: &'a Mutex<Vec<WalkEntry>>,
}

impl Drop for Gathered<'_> {
    fn drop(&mut self) {
        // `ignore` has no way to return a value from a thread, except to drop its closure. So each
        // thread collects without a lock, and adds its list once at the end.
        lock(self.all).append(&mut self.found);
    }
}

/// Compares in the order of a walk that sorts the names of each directory: the contents of `a` come
/// before `a.md`.
fn by_names(a: &Path, b: &Path) -> Ordering {
    let [a, b] = [a, b].map(|path| path.as_os_str().as_encoded_bytes());
    // Most paths share a long start, so compare blocks of 16 bytes.
    let (rows, _) = a.as_chunks::<16>();
    let same = rows.iter().zip(b.as_chunks::<16>().0).take_while(|(a, b)| a == b).count() * 16;
    let differ = a.iter().zip(b).skip(same).find(|(a, b)| a != b);
    match differ {
        // A name that ends here is a prefix of the other name, so it comes first. A plain
        // comparison of bytes would put `a.md` before `a/b`, because `.` is less than `/`.
        Some((&a, &b)) => match (a == SEPARATOR, b == SEPARATOR) {
            (false, false) => a.cmp(&b),
            (is_end, _) if is_end => Ordering::Less,
            _ => Ordering::Greater,
        },
        None => a.len().cmp(&b.len()),
    }
}

const SEPARATOR: u8 = MAIN_SEPARATOR as u8;

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::search::{CancelToken, Order, Root, Visit, WalkOptions};

    /// The naive twin is a single-threaded walk that sorts each directory.
    #[test]
    fn all_is_in_the_order_of_a_walk() {
        let root = std::env::temp_dir().join(format!("urigrep-walk-{}", std::process::id()));
        let files = [
            "a/b",
            "a/b.md",
            "a.md/c",
            "a-b",
            "ab/\u{E9}",
            "ab/e",
            "z/.ignore",
            "z/ignored",
            "z/kept",
            "A",
            "a b/c/d",
        ];
        for file in files.iter().rev() {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "ignored\n").unwrap();
        }
        let missing = root.with_extension("missing");
        for paths in [vec![&root], vec![&root, &missing], vec![&missing]] {
            let roots: Vec<Root> = paths.into_iter().map(|path| path.clone().into()).collect();
            let shown = |visit: Visit| match visit {
                Visit::Search(input) => String::from_utf8_lossy(input.display_path()).into_owned(),
                other => format!("{other:?}"),
            };
            let rules = WalkOptions::default().compile().unwrap();
            let walk = || rules.walk(&roots, Order::Path, 3);
            let naive: Vec<String> = walk().visits().map(shown).collect();
            for threads in [1, 3] {
                let all = walk().all(threads, None);
                let all: Vec<String> =
                    all.iter().map(|found| shown(found.visit_by_copy(false))).collect();
                assert_eq!(all, naive);
                let cancel = CancelToken::new();
                cancel.cancel();
                let few = walk().all(threads, Some(&cancel)).len();
                assert!(few <= threads && few <= naive.len(), "{few} files after the end");
            }
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
