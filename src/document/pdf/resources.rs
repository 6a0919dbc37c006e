//! What pages share: the library reads the resources of each page when it opens a file, and keeps
//! all of them, so pages that share large ones would take quadratic time and memory.

use std::borrow::Cow;

use memchr::memmem;

use crate::hash::{HashMap, HashSet};
use crate::slice::{ByteRuns as _, SliceExt as _, hexadecimal, lossy};

/// Bytes of resources that are read in any file, and for each byte of a file. The pages of a long
/// book may share a list of fonts and pictures of some kilobytes.
const FREE_BYTES: usize = 8 << 20;
const MAX_RATIO: usize = 8;
/// Bytes that are read more than once, because an object seems to start within another one: of any
/// file, and for each byte of a file.
const FREE_OVERLAPS: usize = 16 << 20;
const MAX_OVERLAPS: usize = 16;
/// Numbers at the start of a stream of objects.
const MAX_NUMBERS: usize = 2 << 20;
/// What a page without resources counts.
const PAGE_BYTES: usize = 64;
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
const KIDS: &[u8] = b"/Kids";
/// Maximum length of a reference, with white space and comments.
const MAX_REFERENCE: usize = 256;
/// Stands for the number of an object that could not be read: no file has as many objects.
const UNREAD: u32 = u32::MAX;

/// The resources in the objects of a file, found by their words: a parser for all objects would
/// take as long as the library. What cannot be read in this way counts as much as it could.
#[derive(Default)]
pub(super) struct SharedResources {
    /// Number of kids of nodes of the tree of pages, and of all objects that have kids.
    pages: usize,
    kids: usize,
    /// The objects that are the kids of a node, and of arrays, how many kids these are.
    named_kids: Vec<u32>,
    arrays: HashMap<u32, usize>,
    /// The objects that pages name, with the number of these pages.
    of_pages: HashMap<u32, usize>,
    /// The same of streams. They are forms, but the library takes the dictionary of a stream as a
    /// page, too.
    of_streams: HashMap<u32, usize>,
    /// Of nodes of the tree of pages, from which pages inherit: the bytes of resources within them,
    /// and the objects that they name.
    of_nodes: Vec<(usize, Vec<u32>)>,
    /// Of all objects, those that they name as a kind of resources.
    others: HashMap<u32, HashSet<u32>>,
    sizes: HashMap<u32, usize>,
    /// Bytes of objects in which other ones start.
    overlaps: usize,
    /// True if objects cannot be found.
    is_unread: bool,
}

impl SharedResources {
    /// Says that a stream has objects that cannot be found.
    pub const fn set_unread(&mut self) {
        self.is_unread = true;
    }

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
            self.add(number, bytes, start, next);
        }
    }

    /// Adds the objects of a stream, of which the first one starts at `first` (7.5.7). It seems to
    /// end at `end`.
    pub fn add_stream(&mut self, bytes: &[u8], first: usize, end: usize) {
        let mut numbers: Vec<usize> = Vec::new();
        let mut header = bytes;
        while !self.is_unread && numbers.len() < MAX_NUMBERS {
            header = after_space(header);
            header = header.strip_prefix(b"+").unwrap_or(header);
            let digits = header.leading(|byte| byte.is_ascii_digit());
            let Ok(number) = lossy(header.clamped(..digits)).parse() else { break };
            numbers.push(number);
            header = header.clamped(digits..);
        }
        self.overlaps = self.overlaps.saturating_add(bytes.len() - header.len());
        self.is_unread |= numbers.len() == MAX_NUMBERS || !self.are_apart(bytes.len());
        let pairs = numbers.chunks_exact(2).filter_map(|pair| pair.first_chunk::<2>());
        let mut objects: Vec<(usize, u32)> = pairs
            .map_while(|&[number, offset]| {
                Some((first.saturating_add(offset), u32::try_from(number).ok()?))
            })
            .collect();
        objects.sort_unstable();
        let ends = objects.iter().skip(1).map(|(start, _)| *start).chain([end]);
        for (&(start, number), end) in objects.iter().zip(ends) {
            self.add(number, bytes, start, end);
        }
    }

    /// Adds an object that starts at `start`, before another one at `next`.
    fn add(&mut self, number: u32, bytes: &[u8], start: usize, next: usize) {
        self.is_unread |= !self.are_apart(bytes.len());
        if self.is_unread {
            return;
        }
        let text = bytes.clamped(start..);
        let next = next.max(start);
        // A string may look as the start of the next object.
        let (end, has_end) = object_end(text);
        self.overlaps = self.overlaps.saturating_add(end.saturating_sub(next - start));
        let object = if has_end { text.clamped(..end) } else { bytes.clamped(start..next) };
        if !after_space(object).starts_with(b"<<") && !after_space(object).starts_with(b"[") {
            return;
        }
        let after = text.clamped(end..).clamped(..MAX_REFERENCE);
        let is_stream = has_end && after_space(after).starts_with(b"stream");
        let size = self.sizes.entry(number).or_default();
        *size = object.len().max(*size);
        let object = &*unescaped(object);
        let has = |key: &[u8]| memmem::find(object, key).is_some();
        let mut targets = Vec::new();
        KINDS.iter().for_each(|kind| add_named(object, kind, &mut targets));
        if !targets.is_empty() {
            self.others.entry(number).or_default().extend(&targets);
        }
        add_named(object, RESOURCES, &mut targets);
        let has_resources = has(RESOURCES);
        let has_kids = has(KIDS);
        let (kids, kids_length) = if has_kids { kids(object) } else { (0, 0) };
        self.kids += kids;
        // Fields of forms and trees of names have kids, too. A page need not say that it is one.
        let mut kinds = Vec::new();
        add_named(object, b"/Type", &mut kinds);
        let is_node = has_resources || has(b"/Pages") || has(b"/Count") || !kinds.is_empty();
        self.pages += if is_node { kids } else { 0 };
        add_named(object, KIDS, &mut self.named_kids);
        let is_array = after_space(object).starts_with(b"[");
        if is_array {
            let count = self.arrays.entry(number).or_default();
            *count = marks(object).max(*count);
        }
        if !has_resources {
            return;
        }
        targets.sort_unstable();
        targets.dedup();
        if has_kids || is_array {
            self.of_nodes.push((object.len() - kids_length, targets));
        } else {
            let counts = if is_stream { &mut self.of_streams } else { &mut self.of_pages };
            for target in targets {
                *counts.entry(target).or_default() += 1;
            }
        }
    }

    /// True if few objects start within others.
    const fn are_apart(&self, size: usize) -> bool {
        self.overlaps <= size.saturating_mul(MAX_OVERLAPS).saturating_add(FREE_OVERLAPS)
    }

    /// True if all pages together have few resources.
    pub fn are_affordable(&self, file_size: usize) -> bool {
        let most = file_size.saturating_mul(MAX_RATIO).saturating_add(FREE_BYTES);
        if self.is_unread || !self.are_apart(file_size) {
            return false;
        }
        let sum = |counts: &mut dyn Iterator<Item = usize>| counts.fold(0, usize::saturating_add);
        let largest = self.sizes.values().copied().max().unwrap_or_default();
        let of = |map: &HashMap<u32, usize>, number: u32| map.get(&number).copied().unwrap_or(0);
        let size = |number: u32| match number {
            UNREAD => largest,
            _ => of(&self.sizes, number).max(of(&self.sizes, UNREAD)),
        };
        let below = |named: &HashSet<u32>| sum(&mut named.iter().map(|it| size(*it)));
        let below: HashMap<u32, usize> =
            self.others.iter().map(|(number, named)| (*number, below(named))).collect();
        let largest_below = below.values().copied().max().unwrap_or_default();
        // Resources name their kinds, and these name what is read when it is drawn.
        let whole = |number: u32| match number {
            UNREAD => largest.saturating_add(largest_below),
            _ => size(number).saturating_add(of(&below, number).max(of(&below, UNREAD))),
        };
        let of_node = |(within, named): &(usize, Vec<u32>)| {
            named.iter().map(|it| whole(*it)).fold(*within, usize::saturating_add)
        };
        // A page inherits from one node.
        let inherited = self.of_nodes.iter().map(of_node).max().unwrap_or_default();
        let longest = self.arrays.values().copied().max().unwrap_or_default();
        let kids_of = |number: u32| match number {
            UNREAD => longest,
            _ => of(&self.arrays, number).max(of(&self.arrays, UNREAD)),
        };
        let in_arrays = sum(&mut self.named_kids.iter().map(|it| kids_of(*it)));
        let pages = self.pages.saturating_add(in_arrays);
        let inherited = inherited.saturating_add(PAGE_BYTES).saturating_mul(pages);
        let all = |counts: &HashMap<u32, usize>| {
            sum(&mut counts.iter().map(|(it, pages)| whole(*it).saturating_mul(*pages)))
        };
        // Of the streams, no more than there are kids can be pages.
        let of_streams = self.of_streams.keys().map(|it| whole(*it)).max().unwrap_or_default();
        let of_streams = of_streams.saturating_mul(self.kids.saturating_add(in_arrays));
        let of_streams = of_streams.min(all(&self.of_streams));
        sum(&mut [inherited, all(&self.of_pages), of_streams].into_iter()) <= most
    }
}

/// Returns a text with the letters that `#` spells in names (7.3.5).
pub(super) fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'#', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut made = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'#', rest) {
        let code = hexadecimal(rest.clamped(at + 1..at + 3))
            .and_then(|code| u8::try_from(code).ok())
            .filter(u8::is_ascii_alphanumeric);
        made.extend(rest.clamped(..at));
        made.push(code.unwrap_or(b'#'));
        rest = rest.clamped(at + if code.is_some() { 3 } else { 1 }..);
    }
    made.extend(rest);
    Cow::Owned(made)
}

/// True for white space (7.2.3).
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Returns a text without the white space and comments at its start (7.2.3 and 7.2.4).
pub(super) fn after_space(text: &[u8]) -> &[u8] {
    let mut text = text;
    loop {
        text = text.clamped(text.leading(is_space)..);
        if text.first() != Some(&b'%') {
            return text;
        }
        text = text.clamped(text.leading(|byte| !matches!(byte, b'\r' | b'\n'))..);
    }
}

/// Adds the numbers of the objects that a key refers to, as in `/Font 5 0 R`. A string may look as
/// the key, so all of them count.
fn add_named(object: &[u8], key: &[u8], numbers: &mut Vec<u32>) {
    for at in memmem::find_iter(object, key) {
        let value = object.clamped(at + key.len()..);
        let near = after_space(value.clamped(..MAX_REFERENCE));
        let is_part = |it: u8| it.is_ascii_digit() || is_space(it) || matches!(it, b'+' | b'-');
        if let Some(number) = reference(near) {
            numbers.push(number);
        } else if value.len() > MAX_REFERENCE && near.leading(is_part) == near.len() {
            numbers.push(UNREAD);
        }
    }
}

/// Returns the number of the object that the reference at the start of a text names.
pub(super) fn reference(text: &[u8]) -> Option<u32> {
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let digits = text.leading(|byte| byte.is_ascii_digit());
    let rest = text.clamped(digits..);
    let rest = rest.clamped(rest.leading(is_space)..);
    let generation = rest.leading(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-'));
    let rest = rest.clamped(generation..);
    let is_reference = rest.clamped(rest.leading(is_space)..).starts_with(b"R");
    is_reference.then(|| lossy(text.clamped(..digits)).parse().ok()).flatten()
}

/// Returns how many kids a node has, and the length of its list of them.
fn kids(object: &[u8]) -> (usize, usize) {
    let (mut count, mut length) = (0, 0);
    for at in memmem::find_iter(object, KIDS) {
        let value = object.clamped(at + KIDS.len()..);
        let near = after_space(value.clamped(..MAX_REFERENCE));
        if near.is_empty() && value.len() > MAX_REFERENCE {
            return (marks(object), 0);
        }
        let list = value.clamped(MAX_REFERENCE.min(value.len()) - near.len()..);
        let Some(list) = list.strip_prefix(b"[") else { continue };
        let plain = list.leading(|byte| byte.is_ascii_digit() || is_space(byte) || byte == b'R');
        if list.get(plain) != Some(&b']') {
            return (marks(object), 0);
        }
        count += marks(list.clamped(..plain));
        length += plain;
    }
    (count, length)
}

/// Returns how many objects a list has at most: references and dictionaries.
fn marks(list: &[u8]) -> usize {
    memchr::memchr_iter(b'R', list).count() + memmem::find_iter(list, b"<<").count()
}

/// Returns the end of the dictionary or the array at the start of a text, and true; if there is
/// none, or if it has no end, the number of bytes that were read, and false.
fn object_end(text: &[u8]) -> (usize, bool) {
    let is_line_end = |byte: u8| matches!(byte, b'\r' | b'\n');
    let is_mark = |byte: u8| matches!(byte, b'<' | b'>' | b'[' | b']' | b'(' | b'%');
    let mut at = text.len() - after_space(text).len();
    let mut depth = 0_usize;
    loop {
        let rest = text.clamped(at..);
        let step = match rest {
            [b'<', b'<', ..] => 2,
            [b'[', ..] => 1,
            _ if rest.is_empty() || depth == 0 => return (at, false),
            [b'>', b'>', ..] => 2,
            [b'(', ..] => string_length(rest),
            [b'<', ..] => rest.leading(|byte| byte != b'>') + 1,
            [b'%', ..] => rest.leading(|byte| !is_line_end(byte)),
            _ => rest.leading(|byte| !is_mark(byte)).max(1),
        };
        match rest {
            [b'<', b'<', ..] | [b'[', ..] => depth += 1,
            [b'>', b'>', ..] | [b']', ..] => depth -= 1,
            _ => {}
        }
        at = text.len().min(at + step);
        if depth == 0 {
            return (at, true);
        }
    }
}

/// Returns the length of the string at the start of a text (7.3.4.2).
fn string_length(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Returns the number of the object whose keyword `obj` follows this text: `7 0 `. If comments or
/// much white space are in it, this is [`UNREAD`].
fn number_before(before: &[u8]) -> Option<u32> {
    let is_line_end = |byte: u8| matches!(byte, b'\r' | b'\n');
    let mut before = before.tail(MAX_REFERENCE);
    let mut number = before;
    for is_first in [true, false] {
        let text = before.clamped(..before.len() - before.trailing(is_space));
        let is_apart = text.len() < before.len();
        let line = text.tail(text.trailing(|byte| !is_line_end(byte)));
        let is_new_line = before.clamped(text.len()..).iter().any(|byte| is_line_end(*byte));
        if text.is_empty() || is_new_line && line.contains(&b'%') {
            return Some(UNREAD);
        }
        let digits = text.trailing(|byte| byte.is_ascii_digit());
        if digits == 0 || !(is_first || is_apart) {
            return None;
        }
        (before, number) = (text.clamped(..text.len() - digits), text.tail(digits));
    }
    lossy(number).parse().ok()
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
        // The same in other spellings.
        let big = fonts(8_000);
        let no_name = " ".repeat(300);
        for (link, resources) in [
            ("5 0 R", format!("5 0 obj <</Font<<{big}>>/X(stream)>> endobj\n")),
            ("5 0 R", format!("5 0 obj <</Font<<{big}>>>>\nstream\nx\nendstream endobj\n")),
            ("5 0 R", format!("5 0 obj <</X(>>stream)/Font<<{big}>>>>\nstream\nx\nendstream\n")),
            ("5 0 R", format!("5 0 obj <</X(endobj 6 0 obj <<>>)/Font<<{big}>>>> endobj\n")),
            ("5 0 R", format!("5 0 obj <</X(\\)>>)/Y<41>/Font<<{big}>>>> endobj\n")),
            ("5 0 R", format!("5%\n0 obj <</Font<<{big}>>>> endobj\n")),
            ("5 0 R", format!("5{no_name}0 obj <</Font<<{big}>>>> endobj\n")),
            ("%x\n5 0 R", shared(8_000)),
            ("\0+5\0+0 R", shared(8_000)),
            (&format!("{no_name}5 0 R"), shared(8_000)),
            ("<</A<</Font 3 0 R>>/Font 5 0 R>>", shared(8_000)),
            ("4 0 R", format!("4 0 obj <</X/Resources/Font 5 0 R>> endobj {}", shared(8_000))),
        ] {
            let page = format!("/Resources{link}");
            let file = objects(2_000, &page, &resources);
            assert!(!are_affordable(&file), "{link} {}", resources.clamped(..80));
            // A page may be a stream.
            let pages = file.replace("/Type/Page/", "/X(stream)/Y/");
            assert!(!are_affordable(&pages), "{link} {}", resources.clamped(..80));
            let pages = file.replace(">> endobj\n7 ", ">>stream\nx endstream endobj\n7 ");
            assert!(!are_affordable(&pages), "{link} {}", resources.clamped(..80));
        }
        // Many forms may share resources.
        let form = "8 0 obj <</Subtype/Form/Resources 5 0 R>>stream\nx\nendstream endobj\n";
        assert!(are_affordable(&objects(1, "", &(form.repeat(2_000) + &shared(8_000)))));
        // Each kind may be an object of its own.
        let apart =
            format!("6 0 obj <<{}>> endobj\n5 0 obj <</Font 6 0 R>> endobj\n", fonts(8_000));
        assert!(!are_affordable(&objects(2_000, "/Resources 5 0 R", &apart)));
        assert!(!are_affordable(&objects(2_000, "/Resources<</Font 6 0 R>>", &apart)));
        // Pages inherit.
        let node = format!("4 0 obj <</Kids[]/Resources<</Font<<{}>>>>>> endobj\n", fonts(8_000));
        assert!(!are_affordable(&objects(2_000, "", &node)));
        for kids in ["8 0 R", "%\n8 0 R", &format!("{no_name}8 0 R")] {
            let node = node.replace("[]", kids);
            let list = format!("8 0 obj [{}] endobj\n", "9 0 R ".repeat(2_000));
            assert!(!are_affordable(&format!("{node}{list}")), "{kids}");
        }
        for (kid, count) in [("<<>>", 2_000), ("9 0 R%]\n", 2_000), ("%", 300)] {
            let kids = format!("{}\n{}", kid.repeat(count), "9 0 R ".repeat(2_000));
            assert!(!are_affordable(&node.replace("[]", &format!("[{kids}]"))), "{kid}");
        }
        // Nodes that share their kids, each of which is a page.
        let nodes = "6 0 obj <</Type/Pages/Kids 8 0 R>> endobj\n".repeat(2_000);
        let list = format!("8 0 obj [{}] endobj\n", "<<>>".repeat(2_000));
        assert!(!are_affordable(&format!("{nodes}{list}")));
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
        shared.add_stream(text.as_bytes(), header.len(), text.len());
        assert!(!shared.are_affordable(text.len()));
        // The offsets say that a small object is in the middle of the large one.
        let header = format!("{header}77 {} ", at + 20);
        let text = format!("{header}{}{resources}", page.repeat(2_000));
        let mut shared = SharedResources::default();
        shared.add_stream(text.as_bytes(), header.len(), text.len());
        assert!(!shared.are_affordable(text.len()));
    }

    #[test]
    fn objects_within_objects_take_linear_time() {
        for part in ["1 0 obj <<", "1 0 obj %", "1 0 obj(", "1 0 obj<<>>%", "/Kids%", "/Font%"] {
            let start = std::time::Instant::now();
            let _ = are_affordable(&format!("1 0 obj<<{}>>", part.repeat(20_000)));
            assert!(start.elapsed().as_secs() < 10, "{part} {:?}", start.elapsed());
        }
    }
}
