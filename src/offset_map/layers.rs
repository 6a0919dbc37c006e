//! Maps through several texts, each derived from the next.

use alloc::vec;
use alloc::vec::Vec;

use super::OffsetMap;
use crate::span::Span;

/// The chain of maps from a text to the bytes of the stream, through every text between them.
///
/// ```
/// use urigrep::offset_map::{Layers, OffsetMap};
/// use urigrep::Span;
/// let message = OffsetMap::copied(100, 2000); // a part of a stream, from its byte 2000 on
/// let mut html = OffsetMap::new(); // an attribute of it, with `&amp;` decoded
/// html.copy(4, 10);
/// html.replace(1, Span::new(14, 19));
/// let (below, map) = (Layers::new(&message), &html);
/// assert_eq!(below.under(map).source(Span::new(0, 5)), Span::new(2010, 2019));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Layers<'m> {
    step: LayerStep<&'m OffsetMap>,
    below: LowerLayers<'m>,
}

/// The source of a text.
#[derive(Clone, Copy, Debug)]
enum LowerLayers<'m> {
    /// Another text; the last of them lies on the stream.
    Layers(Option<&'m Layers<'m>>),
    Owned(&'m [OwnedStep]),
}

/// The chain of some [`Layers`] for a part of their text. It borrows nothing.
///
/// ```
/// use urigrep::offset_map::{OwnedLayers, Layers, OffsetMap};
/// use urigrep::Span;
/// fn of_four_letters(text: Span) -> OwnedLayers {
///     let mut base64 = OffsetMap::new();
///     base64.replace(3, Span::new(0, 4));
///     Layers::copied(100).under(&base64).to_owned_layers(text)
/// }
/// let owned = of_four_letters(Span::new(0, 3));
/// assert_eq!(owned.layers().source(Span::new(0, 3)), Span::new(100, 104));
/// ```
#[derive(Clone, Debug)]
pub struct OwnedLayers {
    first: OwnedStep,
    below: Vec<OwnedStep>,
}

type OwnedStep = LayerStep<OffsetMap>;

impl OwnedStep {
    const fn step(&self) -> LayerStep<&OffsetMap> {
        match self {
            Self::Map(map) => LayerStep::Map(map),
            Self::Copied(start) => LayerStep::Copied(*start),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Map(map) => map.size(),
            Self::Copied(_) => 0,
        }
    }
}

impl OwnedLayers {
    /// Borrows the layers.
    pub fn layers(&self) -> Layers<'_> {
        Layers { step: self.first.step(), below: LowerLayers::Owned(&self.below) }
    }

    /// Heap memory they take, in bytes.
    pub fn size(&self) -> usize {
        let below = self.below.iter().map(OwnedStep::size).sum::<usize>();
        self.first.size() + size_of_val(self.below.as_slice()) + below
    }
}

#[derive(Clone, Copy, Debug)]
enum LayerStep<M> {
    Map(M),
    /// A copy from this byte, which needs no map.
    Copied(usize),
}

impl LayerStep<&OffsetMap> {
    fn source(self, text: Span) -> Span {
        match self {
            Self::Map(map) => map.source(text),
            Self::Copied(start) => Span::new(start + text.start(), start + text.end()),
        }
    }

    fn ranges(self, text: Span) -> Vec<Span> {
        match self {
            Self::Map(map) => map.ranges(text),
            Self::Copied(_) if text.is_empty() => Vec::new(),
            Self::Copied(_) => vec![self.source(text)],
        }
    }

    fn is_copied(self, text: Span) -> bool {
        match self {
            Self::Map(map) => map.is_copied(text),
            Self::Copied(_) => true,
        }
    }

    /// Returns the part of the text below that `text` needs, up to the source of the next byte.
    fn below(self, text: Span) -> Span {
        let source = self.source(text);
        // Up to the next byte, so that a mark between two pieces is covered as well.
        let end = self.source(Span::new(text.end(), text.end())).start();
        Span::new(source.start(), source.end().max(end))
    }

    fn to_owned_layers(self, text: Span) -> OwnedStep {
        match self {
            Self::Map(map) => OwnedStep::Map(map.part(text)),
            Self::Copied(start) => OwnedStep::Copied(start),
        }
    }
}

impl<'m> LowerLayers<'m> {
    /// Returns the next step, and the layers below it.
    fn split(self) -> Option<(LayerStep<&'m OffsetMap>, Self)> {
        match self {
            Self::Layers(layers) => layers.map(|layers| (layers.step, layers.below)),
            Self::Owned(steps) => {
                let (first, rest) = steps.split_first()?;
                Some((first.step(), Self::Owned(rest)))
            }
        }
    }
}

impl<'m> Layers<'m> {
    /// Creates the layers of a text whose source is the stream.
    pub const fn new(map: &'m OffsetMap) -> Self {
        Self { step: LayerStep::Map(map), below: LowerLayers::Layers(None) }
    }

    /// Creates the layers of a text that is a copy of the stream from byte `start`.
    ///
    /// ```
    /// use urigrep::offset_map::Layers;
    /// use urigrep::Span;
    /// assert_eq!(Layers::copied(2000).copied_under(10).source(Span::new(0, 4)), Span::new(2010, 2014));
    /// ```
    pub const fn copied(start: usize) -> Self {
        Self { step: LayerStep::Copied(start), below: LowerLayers::Layers(None) }
    }

    /// Creates the layers of a text whose source, by `map`, is the text of these layers.
    pub const fn under<'a>(&'a self, map: &'a OffsetMap) -> Layers<'a>
    where
        'm: 'a,
    {
        Layers { step: LayerStep::Map(map), below: LowerLayers::Layers(Some(self)) }
    }

    /// Creates the layers of a text that is a copy of the text of these layers from byte `start`.
    pub const fn copied_under<'a>(&'a self, start: usize) -> Layers<'a>
    where
        'm: 'a,
    {
        match self.step {
            // A copy of a copy: merge both steps into one.
            LayerStep::Copied(below) => {
                Layers { step: LayerStep::Copied(below + start), below: self.below }
            }
            LayerStep::Map(_) => {
                Layers { step: LayerStep::Copied(start), below: LowerLayers::Layers(Some(self)) }
            }
        }
    }

    /// Iterates over the steps, from this text down.
    fn steps(self) -> impl Iterator<Item = LayerStep<&'m OffsetMap>> {
        let mut below = self.below;
        let rest = core::iter::from_fn(move || {
            let (step, rest) = below.split()?;
            below = rest;
            Some(step)
        });
        core::iter::once(self.step).chain(rest)
    }

    /// Copies the layers of `text`, so that they outlive what these layers borrow; see
    /// [`OwnedLayers`].
    pub fn to_owned_layers(&self, text: Span) -> OwnedLayers {
        let mut text = text;
        let mut owned = |step: LayerStep<&OffsetMap>| {
            let owned = step.to_owned_layers(text);
            text = step.below(text);
            owned
        };
        OwnedLayers { first: owned(self.step), below: self.steps().skip(1).map(owned).collect() }
    }

    /// Like [`OffsetMap::source`], in the stream.
    pub fn source(&self, text: Span) -> Span {
        let mut text = self.step.source(text);
        let mut below = self.below;
        while let Some((step, rest)) = below.split() {
            text = step.source(text);
            below = rest;
        }
        text
    }

    /// Like [`OffsetMap::ranges`], in the stream.
    pub fn ranges(&self, text: Span) -> Vec<Span> {
        let mut ranges = self.step.ranges(text);
        for step in self.steps().skip(1) {
            let mut deeper: Vec<Span> = Vec::new();
            for span in ranges.iter().flat_map(|&span| step.ranges(span)) {
                match deeper.last_mut() {
                    // Two pieces may share source bytes, such as a character of base64. Count them
                    // once.
                    Some(last) if span.start() <= last.end() => {
                        *last = Span::new(last.start(), span.end().max(last.end()))
                    }
                    _ => deeper.push(span),
                }
            }
            ranges = deeper;
        }
        ranges
    }

    /// Like [`OffsetMap::is_copied`], through all layers.
    pub fn is_copied(&self, text: Span) -> bool {
        let (mut text, mut step, mut below) = (text, self.step, self.below);
        loop {
            if !step.is_copied(text) {
                return false;
            }
            text = step.source(text);
            match below.split() {
                Some(next) => (step, below) = next,
                None => return true,
            }
        }
    }
}
