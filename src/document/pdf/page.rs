//! Runs the operators of a page that draw text (ISO 32000-2, 8 and 9).

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::rc::Rc;

use hayro_syntax::content::UntypedIter;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};

use super::font::{Font, Fonts};
use super::glyphs::Glyph;
use super::links::text_string;
use super::rules::{self, Path};
use super::stream::decoded;
use crate::hash::{HashMap, HashSet};

/// Operators of a file.
const MAX_OPERATORS: usize = 20_000_000;
/// Streams of a page.
const MAX_STREAMS: usize = 10_000;
/// Glyphs of a page.
const MAX_GLYPHS: usize = 500_000;
/// Unpacked bytes of pages and forms of a file.
const MAX_BYTES: u64 = 512 << 20;
/// Bytes of streams that are run again, of any file, and for each byte of a file. A form with a
/// letterhead is on each page, but pages that share all of their text would take quadratic time.
const FREE_SHARED_BYTES: u64 = 16 << 20;
const MAX_SHARED_RATIO: u64 = 32;
/// What a stream that is run again counts beside its bytes: it is looked up and parsed.
const STREAM_BYTES: u64 = 64;
/// Forms that a file draws, and how deep they may nest.
const MAX_FORMS: usize = 20_000;
const MAX_FORM_DEPTH: usize = 12;
/// Saved states of a page.
const MAX_STATES: usize = 256;
/// Marks of direction, joiners, and spaces without a width.
const FORMAT_MARKS: [RangeInclusive<char>; 4] = [
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{2069}',
    '\u{feff}'..='\u{feff}',
];

/// The work that a file may still cause. Forms that draw forms would otherwise take exponential
/// time.
pub(super) struct Budget {
    operators: usize,
    forms: usize,
    bytes: u64,
    /// Bytes of streams that were run before.
    shared: u64,
    seen: HashSet<(u32, i32)>,
    /// True if a stream could not be unpacked as a whole.
    is_damaged: bool,
}

impl Budget {
    /// Returns the work that a file of this size may cause.
    pub fn of_size(bytes: usize) -> Self {
        let shared = (bytes as u64).saturating_mul(MAX_SHARED_RATIO);
        Self {
            operators: MAX_OPERATORS,
            forms: MAX_FORMS,
            bytes: MAX_BYTES,
            shared: shared.saturating_add(FREE_SHARED_BYTES),
            seen: HashSet::default(),
            is_damaged: false,
        }
    }

    pub fn is_spent(&self) -> bool {
        self.operators == 0 || self.forms == 0 || self.bytes == 0 || self.shared == 0
    }

    /// True if a stream could not be unpacked, or not all of it.
    pub const fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Returns the bytes of a stream that draws, as far as they can be unpacked.
    fn unpacked<'a>(&mut self, stream: &Stream<'a>) -> Option<Cow<'a, [u8]>> {
        let id = stream.obj_id();
        let is_again = !self.seen.insert((id.obj_number, id.gen_number));
        if self.bytes == 0 || is_again && self.shared == 0 {
            return None;
        }
        if is_again {
            self.shared = self.shared.saturating_sub(STREAM_BYTES);
        }
        let decoded = decoded(stream);
        self.is_damaged |= decoded.as_ref().is_none_or(|it| it.is_cut);
        let bytes = decoded?.bytes;
        self.bytes = self.bytes.saturating_sub(bytes.len() as u64);
        if is_again {
            self.shared = self.shared.saturating_sub(bytes.len() as u64);
        }
        Some(bytes)
    }
}

/// A transformation of the plane: `[a b c d e f]`.
#[derive(Clone, Copy)]
struct Matrix([f32; 6]);

impl Matrix {
    const IDENTITY: Self = Self([1., 0., 0., 1., 0., 0.]);

    fn new(numbers: &[f32]) -> Self {
        numbers.first_chunk().copied().map_or(Self::IDENTITY, Self)
    }

    const fn translation(x: f32, y: f32) -> Self {
        Self([1., 0., 0., 1., x, y])
    }

    fn apply(self, [x, y]: [f32; 2]) -> [f32; 2] {
        let Self([a, b, c, d, e, f]) = self;
        [a * x + c * y + e, b * x + d * y + f]
    }

    /// Returns the transformation that applies this one first, and then `next`.
    fn then(self, next: Self) -> Self {
        let Self([a, b, c, d, e, f]) = self;
        let Self([na, nb, nc, nd, ne, nf]) = next;
        Self([
            a * na + b * nc,
            a * nb + b * nd,
            c * na + d * nc,
            c * nb + d * nd,
            e * na + f * nc + ne,
            e * nb + f * nd + nf,
        ])
    }
}

#[derive(Clone)]
struct PageState {
    /// From the space of the user to the page.
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f32,
    character_space: f32,
    word_space: f32,
    scale: f32,
    leading: f32,
    rise: f32,
}

impl PageState {
    const fn new(matrix: Matrix) -> Self {
        Self {
            matrix,
            font: None,
            size: 0.,
            character_space: 0.,
            word_space: 0.,
            scale: 1.,
            leading: 0.,
            rise: 0.,
        }
    }
}

/// Returns the glyphs that a page draws, in the order in which it draws them.
pub(super) fn glyphs(page: &Page<'_>, fonts: &mut Fonts, budget: &mut Budget) -> Vec<Glyph> {
    let mut content = Vec::new();
    let mut add = |stream: &Stream<'_>, budget: &mut Budget| {
        if let Some(bytes) = budget.unpacked(stream) {
            content.extend(&*bytes);
            // A token may not continue in the next stream (7.8.2).
            content.push(b'\n');
        }
    };
    match page.raw().get::<Object<'_>>(b"Contents") {
        Some(Object::Stream(stream)) => add(&stream, budget),
        Some(Object::Array(streams)) => {
            // The array may be that of each page, so nothing in it is looked up when that is spent.
            let mut streams = streams.iter::<Stream<'_>>().take(MAX_STREAMS);
            while !budget.is_spent()
                && let Some(stream) = streams.next()
            {
                add(&stream, budget);
            }
        }
        _ => {}
    }
    let mut painter = Painter { fonts, budget, glyphs: Vec::new(), rules: 0, is_unseen: false };
    painter.run(&content, page.resources(), PageState::new(Matrix::IDENTITY), 0);
    painter.glyphs
}

struct Painter<'p> {
    fonts: &'p mut Fonts,
    budget: &'p mut Budget,
    glyphs: Vec<Glyph>,
    /// Number of the last glyphs that are rules.
    rules: usize,
    /// True while the drawn glyphs represent invisible marks.
    is_unseen: bool,
}

/// The matrices of the current text, and of its line.
struct TextPosition {
    text: Matrix,
    line: Matrix,
}

impl TextPosition {
    fn next_line(&mut self, x: f32, y: f32) {
        self.line = Matrix::translation(x, y).then(self.line);
        self.text = self.line;
    }
}

impl Painter<'_> {
    fn run(&mut self, content: &[u8], resources: &Resources<'_>, state: PageState, depth: usize) {
        let mut state = state;
        let mut saved: Vec<PageState> = Vec::new();
        let mut position = TextPosition { text: Matrix::IDENTITY, line: Matrix::IDENTITY };
        let mut path = Path::default();
        // A page selects few fonts, each of them often.
        let mut fonts: HashMap<Vec<u8>, Option<Rc<Font>>> = HashMap::default();
        let mut operators = UntypedIter::new(content);
        while let Some(instruction) = operators.next() {
            if self.budget.operators == 0 || self.glyphs.len() >= MAX_GLYPHS {
                return;
            }
            self.budget.operators -= 1;
            let operator: &[u8] = instruction.operator;
            // Many operators draw curves or set colours.
            if !is_of_text(operator) {
                continue;
            }
            // No operator here has more than six operands, and malformed content may have any
            // number.
            let operands: Vec<&Object<'_>> = instruction.operands().take(8).collect();
            let numbers: Vec<f32> = operands.iter().copied().filter_map(number).collect();
            let [first, second] =
                [0, 1].map(|index| numbers.get(index).copied().unwrap_or_default());
            match operator {
                // Beyond the limit, a `Q` restores an older state. The text is the same then; only
                // its place may be wrong.
                b"q" if saved.len() < MAX_STATES => saved.push(state.clone()),
                // Many writers restore once too often.
                b"Q" => state = saved.pop().unwrap_or(state),
                b"cm" => state.matrix = Matrix::new(&numbers).then(state.matrix),
                // A text object starts with both matrices at identity (9.4.1).
                b"BT" => {
                    position = TextPosition { text: Matrix::IDENTITY, line: Matrix::IDENTITY };
                }
                b"Tf" => {
                    if let Some(Object::Name(name)) = operands.first() {
                        state.font = match fonts.get(&**name) {
                            Some(font) => font.clone(),
                            None => {
                                let font = self.font(name, resources);
                                fonts.insert(name.to_vec(), font.clone());
                                font
                            }
                        };
                    }
                    state.size = first;
                }
                b"Tc" => state.character_space = first,
                b"Tw" => state.word_space = first,
                // The operand is a percentage (9.3.4).
                b"Tz" => state.scale = first / 100.,
                b"TL" => state.leading = first,
                b"Ts" => state.rise = first,
                b"Td" => position.next_line(first, second),
                // `TD` also sets the leading, for the `T*` after it (9.4.2).
                b"TD" => {
                    state.leading = -second;
                    position.next_line(first, second);
                }
                b"T*" => position.next_line(0., -state.leading),
                b"Tm" => {
                    position.line = Matrix::new(&numbers);
                    position.text = position.line;
                }
                b"Tj" | b"'" | b"\"" | b"TJ" => {
                    if operator == b"\"" {
                        (state.word_space, state.character_space) = (first, second);
                    }
                    if matches!(operator, b"'" | b"\"") {
                        position.next_line(0., -state.leading);
                    }
                    // The operator `"` has two numbers before its string.
                    if let Some(shown) = operands.last() {
                        self.show(shown, &state, &mut position);
                    }
                }
                b"m" | b"l" | b"re" => path = path.add(operator, &numbers),
                b"S" | b"f" | b"F" | b"f*" => {
                    if let Path::Rule(corners) = std::mem::take(&mut path) {
                        self.rule(corners, state.matrix);
                    }
                }
                // A path that is neither filled nor stroked only clips (8.5.3.1).
                b"n" => path = Path::Empty,
                b"BDC" => self.is_unseen = operands.last().is_some_and(|it| is_format_mark(it)),
                // Content marked within a text object also ends there (14.6.1).
                b"EMC" | b"ET" => self.is_unseen = false,
                // An image of one point fills the unit square, as Ghostscript draws a rule.
                b"BI" => self.rule([[0., 0.], [1., 1.]], state.matrix),
                b"Do" => {
                    if let Some(Object::Name(name)) = operands.first()
                        && depth < MAX_FORM_DEPTH
                        && let Some(form) = resources.get_x_object(name)
                    {
                        self.form(&form, &state, depth);
                    }
                }
                _ => {}
            }
        }
    }

    fn font(&mut self, name: &Name<'_>, resources: &Resources<'_>) -> Option<Rc<Font>> {
        if self.fonts.is_spent() {
            return None;
        }
        self.fonts.get(&resources.get_font(name)?)
    }

    /// Adds the underscore that a rule may be.
    fn rule(&mut self, corners: [[f32; 2]; 2], matrix: Matrix) {
        let corners = corners.map(|corner| matrix.apply(corner));
        if let Some(glyph) = self.glyphs.last().and_then(|last| rules::underscore(corners, last)) {
            self.glyphs.push(glyph);
            self.rules += 1;
        }
    }

    /// Adds a glyph that a font draws. Rules before it that are below it underline it: browsers
    /// draw these lines before the text.
    fn add(&mut self, glyph: Glyph) {
        if self.is_unseen {
            return;
        }
        if self.rules > 0 {
            let first = self.glyphs.len() - self.rules;
            let is_below = self.glyphs.get(first).is_some_and(|rule| rules::is_below(rule, &glyph));
            self.glyphs.truncate(if is_below { first } else { self.glyphs.len() });
            self.rules = 0;
        }
        self.glyphs.push(glyph);
    }

    fn form(&mut self, form: &Stream<'_>, state: &PageState, depth: usize) {
        let kind = form.dict().get::<Name<'_>>(b"Subtype");
        if kind.is_none_or(|kind| kind.as_ref() != b"Form") || self.budget.forms == 0 {
            return;
        }
        self.budget.forms -= 1;
        let Some(content) = self.budget.unpacked(form) else { return };
        let matrix = form.dict().get::<Array<'_>>(b"Matrix");
        let matrix: Vec<f32> =
            matrix.map(|matrix| matrix.iter::<f32>().take(6).collect()).unwrap_or_default();
        let resources = form.dict().get::<Dict<'_>>(b"Resources").unwrap_or_else(Dict::empty);
        let inner = PageState { matrix: Matrix::new(&matrix).then(state.matrix), ..state.clone() };
        self.run(&content, &Resources::new(resources), inner, depth + 1);
    }

    /// Shows a string, or strings with distances between them.
    fn show(&mut self, shown: &Object<'_>, state: &PageState, position: &mut TextPosition) {
        match shown {
            Object::String(string) => self.string(string, state, position),
            Object::Array(array) => {
                for entry in array.iter::<Object<'_>>() {
                    match &entry {
                        Object::String(string) => self.string(string, state, position),
                        entry => {
                            // The number is subtracted, in thousandths of the size (9.4.3).
                            let distance = number(entry).unwrap_or_default() / 1000.;
                            let x = -distance * state.size * state.scale;
                            position.text = Matrix::translation(x, 0.).then(position.text);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn string(&mut self, string: &[u8], state: &PageState, position: &mut TextPosition) {
        let Some(font) = &state.font else { return };
        for code in string.chunks(font.code_bytes) {
            if self.glyphs.len() >= MAX_GLYPHS {
                return;
            }
            let code = code.iter().fold(0, |code, &byte| code << 8 | u32::from(byte));
            let width = font.width(code) / 1000. * state.size;
            // Word space applies to the code 32 of one byte only, whatever the code means (9.3.3).
            let is_space = font.code_bytes == 1 && code == 32;
            let space = state.character_space + if is_space { state.word_space } else { 0. };
            let Matrix([a, b, _, d, x, y]) =
                Matrix::translation(0., state.rise).then(position.text).then(state.matrix);
            let scale = (a * a + b * b).sqrt();
            let [cosine, sine] = if scale == 0. { [1., 0.] } else { [a / scale, b / scale] };
            let height = if d == 0. { scale } else { d.abs() };
            self.add(Glyph {
                text: font.text(code),
                x,
                y,
                along: x * cosine + y * sine,
                across: y * cosine - x * sine,
                width: (width + state.character_space) * state.scale * scale,
                size: state.size.abs() * height,
                face: font.face,
            });
            let advance = (width + space) * state.scale;
            position.text = Matrix::translation(advance, 0.).then(position.text);
        }
    }
}

fn number(object: &Object<'_>) -> Option<f32> {
    match object {
        Object::Number(number) => Some(number.as_f32()),
        _ => None,
    }
}

/// True for the properties of marked content that stands for marks of direction or joiners (ISO
/// 32000-2, 14.9.4). Skia draws a space around each piece of a coloured listing, and calls it so.
fn is_format_mark(properties: &Object<'_>) -> bool {
    let Object::Dict(properties) = properties else { return false };
    let Some(Object::String(text)) = properties.get::<Object<'_>>(b"ActualText") else {
        return false;
    };
    let text = text_string(&text);
    !text.is_empty() && text.chars().all(|c| FORMAT_MARKS.iter().any(|marks| marks.contains(&c)))
}

/// True for an operator that draws text, a rule, or changes where they are drawn.
fn is_of_text(operator: &[u8]) -> bool {
    matches!(
        operator,
        b"q" | b"Q"
            | b"cm"
            | b"BT"
            | b"Tf"
            | b"Tc"
            | b"Tw"
            | b"Tz"
            | b"TL"
            | b"Ts"
            | b"Td"
            | b"TD"
            | b"T*"
            | b"Tm"
            | b"Tj"
            | b"'"
            | b"\""
            | b"TJ"
            | b"Do"
            | b"m"
            | b"l"
            | b"re"
            | b"S"
            | b"f"
            | b"F"
            | b"f*"
            | b"n"
            | b"BI"
            | b"BDC"
            | b"EMC"
            | b"ET"
    )
}
