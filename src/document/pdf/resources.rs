//! What pages share: the library reads the resources of each page when it opens a file, and keeps
//! all of them, so pages that share large ones would take quadratic time and memory.

use std::borrow::Cow;

use memchr::memmem;

use crate::hash::HashMap;
use crate::slice::{ByteRuns as _, SliceExt as _, hexadecimal, lossy};

/// Bytes of resources that are read in any file, and for each byte of a file. The pages of a long
/// book may share a list of fonts and pictures of some kilobytes.
const FREE_BYTES: usize = 8 << 20;
const MAX_RATIO: usize = 8;
/// Kinds of resources (ISO 32000-2, 7.8.3).
const KINDS: [&[u8]; 7] = [
    b"/Font",
    b"/XObject",
    b"/ExtGState",
    b"/ColorSpace",
    b"/Pattern",
    b"/Shading",
    b"/Properties",
];
const RESOURCES: &[u8] = b"/Resources";
/// Maximum length of a reference, with white space.
const MAX_REFERENCE: usize = 32;

/// The resources in the objects of a file, found by their words: a parser for all objects would take
/// as long as the library.
#[derive(Default)]
pub(super) struct SharedResources {
    /// Number of pages, about.
    pages: usize,
    /// The objects that pages name, with the number of these pages.
    of_pages: HashMap<u32, usize>,
    /// Of nodes of the tree of pages, from which pages inherit: the bytes of resources within them,
    /// and the objects that they name.
    of_nodes: Vec<(usize, Vec<u32>)>,
    /// Of other objects, those that they name as a kind of resources.
    others: HashMap<u32, Vec<u32>>,
    sizes: HashMap<u32, usize>,
}

impl SharedResources {
    /// Adds the objects of a file that are in no stream.
    pub fn add_file(&mut self, bytes: &[u8]) {
        let starts = memmem::find_iter(bytes, b"obj")
            .filter_map(|at| Some((number_before(bytes.clamped(..at))?, at + b"obj".len())));
        let mut starts = starts.peekable();
        let mut ends = memmem::find_iter(bytes, b"endobj");
        let mut end = 0;
        while let Some((number, start)) = starts.next() {
            while end < start {
                end = ends.next().unwrap_or(bytes.len());
            }
            let next = starts.peek().map_or(end, |(_, next)| end.min(*next));
            let object = bytes.clamped(start..next);
            match memmem::find(object, b"stream") {
                // The library reads the resources of forms when they are drawn.
                Some(_) => {}
                None => self.add(number, object),
            }
        }
    }

    /// Adds the objects of a stream, of which the first one starts at `first` (7.5.7).
    pub fn add_stream(&mut self, bytes: &[u8], first: usize) {
        let header = lossy(bytes.clamped(..first));
        let numbers: Vec<u32> =
            header.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        let pairs = numbers.chunks_exact(2).filter_map(|pair| pair.first_chunk::<2>());
        let mut objects: Vec<(usize, u32)> = pairs
            .map(|[number, offset]| (first.saturating_add(*offset as usize), *number))
            .collect();
        objects.sort_unstable();
        let ends = objects.iter().skip(1).map(|(start, _)| *start).chain([bytes.len()]);
        for ((start, number), end) in objects.iter().zip(ends) {
            self.add(*number, bytes.clamped(*start..end.max(*start)));
        }
    }

    fn add(&mut self, number: u32, object: &[u8]) {
        let size = self.sizes.entry(number).or_default();
        *size = object.len().max(*size);
        let object = &*unescaped(object);
        let has = |key: &[u8]| memmem::find(object, key).is_some();
        let named_in = |text: &[u8]| -> Vec<u32> {
            KINDS.iter().filter_map(|kind| named(text, kind)).collect()
        };
        // Fields of forms and trees of names have kids, too. A page need not say that it is one.
        let is_node = [&b"/Pages"[..], b"/Count", RESOURCES].iter().any(|key| has(key));
        if let Some(kids) = memmem::find(object, b"/Kids").filter(|_| is_node) {
            let kids = object.clamped(kids..);
            let end = memchr::memchr(b']', kids).unwrap_or(kids.len());
            self.pages += memchr::memchr_iter(b'R', kids.clamped(..end)).count();
        }
        let Some(at) = memmem::find(object, RESOURCES) else {
            let named = named_in(object);
            if !named.is_empty() {
                self.others.insert(number, named);
            }
            return;
        };
        let within = object.clamped(at + RESOURCES.len()..);
        let within = within.clamped(..dictionary_length(within));
        let mut targets = named_in(within);
        targets.extend(named(object, RESOURCES));
        if has(b"/Kids") {
            self.of_nodes.push((within.len(), targets));
        } else {
            for target in targets {
                *self.of_pages.entry(target).or_default() += 1;
            }
        }
    }

    /// True if all pages together have few resources.
    pub fn are_affordable(&self, file_size: usize) -> bool {
        let size = |number: &u32| self.sizes.get(number).copied().unwrap_or_default();
        // Resources name their kinds, and these name what is read when it is drawn.
        let whole = |number: &u32| {
            let below = self.others.get(number).into_iter().flatten();
            below.map(size).fold(size(number), usize::saturating_add)
        };
        let of_node = |(within, named): &(usize, Vec<u32>)| {
            named.iter().map(whole).fold(*within, usize::saturating_add)
        };
        // A page inherits from one node.
        let inherited = self.of_nodes.iter().map(of_node).max().unwrap_or_default();
        let of_pages = self.of_pages.iter().map(|(it, pages)| whole(it).saturating_mul(*pages));
        let all = of_pages.fold(inherited.saturating_mul(self.pages), usize::saturating_add);
        all <= file_size.saturating_mul(MAX_RATIO).saturating_add(FREE_BYTES)
    }
}

/// Returns a text with the characters that `#` spells in names (7.3.5).
fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'#', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut made = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'#', rest) {
        let code =
            hexadecimal(rest.clamped(at + 1..at + 3)).and_then(|code| u8::try_from(code).ok());
        made.extend(rest.clamped(..at));
        made.push(code.unwrap_or(b'#'));
        rest = rest.clamped(at + if code.is_some() { 3 } else { 1 }..);
    }
    made.extend(rest);
    Cow::Owned(made)
}

/// Returns the number of the object that a key refers to, as in `/Font 5 0 R`.
fn named(object: &[u8], key: &[u8]) -> Option<u32> {
    memmem::find_iter(object, key).find_map(|at| {
        let value = object.clamped(at + key.len()..).clamped(..MAX_REFERENCE).trim_ascii_start();
        let digits = value.leading(|byte| byte.is_ascii_digit());
        let rest = value.clamped(digits..).trim_ascii_start();
        let rest = rest.clamped(rest.leading(|byte| byte.is_ascii_digit())..).trim_ascii_start();
        let is_reference = digits > 0 && rest.starts_with(b"R");
        is_reference.then(|| lossy(value.clamped(..digits)).parse().ok()).flatten()
    })
}

/// Returns the length of the dictionary at the start of a text; 0 if there is none.
fn dictionary_length(text: &[u8]) -> usize {
    let start = text.len() - text.trim_ascii_start().len();
    let (mut depth, mut at) = (0, start);
    while let Some(pair) = text.get(at..at + 2) {
        match pair {
            b"<<" => (depth, at) = (depth + 1, at + 2),
            b">>" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth <= 0 {
            break;
        }
    }
    if depth <= 0 && at > start + 2 { at } else { 0 }
}

/// Returns the number of the object whose keyword `obj` follows this text: `7 0 `.
fn number_before(before: &[u8]) -> Option<u32> {
    let before = before.tail(MAX_REFERENCE).trim_ascii_end();
    let digits = |text: &[u8]| text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let generation = digits(before);
    let before = before.clamped(..before.len() - generation);
    let number = before.trim_ascii_end();
    let is_apart = generation > 0 && number.len() < before.len();
    let number = number.tail(digits(number));
    is_apart.then(|| lossy(number).parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects(pages: usize, page: &str, others: &str) -> String {
        let kids = "9 0 R ".repeat(pages);
        let page = format!("7 0 obj <</Type/Page{page}>> endobj\n");
        format!("2 0 obj <</Count 1/Kids[{kids}]>> endobj\n{}{others}", page.repeat(pages))
    }

    fn are_affordable(file: &str) -> bool {
        let mut resources = SharedResources::default();
        resources.add_file(file.as_bytes());
        resources.are_affordable(file.len())
    }

    #[test]
    fn shared_resources_are_measured() {
        let fonts = |count| "/F 3 0 R".repeat(count);
        let shared = |count| format!("5 0 obj <</Font<<{}>>>> endobj\n", fonts(count));
        assert!(are_affordable(&objects(2_000, "/Resources 5 0 R", &shared(100))));
        assert!(!are_affordable(&objects(2_000, "/Resources 5 0 R", &shared(8_000))));
        assert!(!are_affordable(&objects(2_000, "/R#65sources 5 0 R", &shared(8_000))));
        // Each kind may be an object of its own.
        let apart =
            format!("6 0 obj <<{}>> endobj\n5 0 obj <</Font 6 0 R>> endobj\n", fonts(8_000));
        assert!(!are_affordable(&objects(2_000, "/Resources 5 0 R", &apart)));
        assert!(!are_affordable(&objects(2_000, "/Resources<</Font 6 0 R>>", &apart)));
        // Pages inherit.
        let node = format!("4 0 obj <</Kids[]/Resources<</Font<<{}>>>>>> endobj\n", fonts(8_000));
        assert!(!are_affordable(&objects(2_000, "", &node)));
        // Not pages, but fields.
        let fields = format!("8 0 obj <</FT/Tx/Kids[{}]>> endobj\n", "9 0 R ".repeat(2_000));
        assert!(are_affordable(&format!("{fields}{node}")));
        // Each page has its own.
        assert!(are_affordable(&objects(2_000, &format!("/Resources<<{}>>", fonts(500)), "")));
    }

    #[test]
    fn objects_in_streams_are_measured() {
        let font = "/F 3 0 R".repeat(8_000);
        let page = "<</Resources 5 0 R>>";
        let header: String =
            (0..2_000).map(|it| format!("{} {} ", 10 + it, it * page.len())).collect();
        let (resources, at) = (format!("<</Font<<{font}>>>>"), 2_000 * page.len());
        let header = format!("{header}5 {at} ");
        let text = format!("{header}{}{resources}", page.repeat(2_000));
        let mut shared = SharedResources::default();
        shared.add_stream(text.as_bytes(), header.len());
        assert!(!shared.are_affordable(text.len()));
    }
}
