//! The way through several texts, each made from the next.

use super::OffsetMap;
use crate::span::Span;

/// The way from a text to the bytes of the stream, through every text between them.
///
/// ```
/// use urigrep::{Layers, OffsetMap, Span};
/// let message = OffsetMap::copied(100, 2000); // a part of a stream, from its byte 2000 on
/// let mut html = OffsetMap::new(); // an attribute of it, with `&amp;` decoded
/// html.copy(4, 10);
/// html.replace(1, Span::new(14, 19));
/// let (below, map) = (Layers::new(&message), &html);
/// assert_eq!(below.under(map).source(Span::new(0, 5)), Span::new(2010, 2019));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Layers<'m> {
    step: Step<'m>,
    below: Option<&'m Layers<'m>>,
}

/// From one text to the next below it.
#[derive(Clone, Copy, Debug)]
enum Step<'m> {
    /// By its map.
    Map(&'m OffsetMap),
    /// It stands there as it is, from this byte on: no map need be made for that.
    Copied(usize),
}

impl Step<'_> {
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
}

impl<'m> Layers<'m> {
    /// A text whose source is the stream.
    pub const fn new(map: &'m OffsetMap) -> Self {
        Self {
            step: Step::Map(map),
            below: None,
        }
    }

    /// A text that stands in the stream as it is, from its byte `start` on.
    ///
    /// ```
    /// use urigrep::{Layers, Span};
    /// assert_eq!(Layers::copied(2000).copied_under(10).source(Span::new(0, 4)), Span::new(2010, 2014));
    /// ```
    pub const fn copied(start: usize) -> Self {
        Self {
            step: Step::Copied(start),
            below: None,
        }
    }

    /// A text whose source, by `map`, is the text of these layers.
    pub const fn under<'a>(&'a self, map: &'a OffsetMap) -> Layers<'a>
    where
        'm: 'a,
    {
        Layers {
            step: Step::Map(map),
            below: Some(self),
        }
    }

    /// A text that stands in the text of these layers as it is, from its byte `start` on.
    pub const fn copied_under<'a>(&'a self, start: usize) -> Layers<'a>
    where
        'm: 'a,
    {
        Layers {
            step: Step::Copied(start),
            below: Some(self),
        }
    }

    /// As [`OffsetMap::source`], in the stream.
    pub fn source(&self, text: Span) -> Span {
        let mut span = self.step.source(text);
        let mut below = self.below;
        while let Some(layer) = below {
            span = layer.step.source(span);
            below = layer.below;
        }
        span
    }

    /// As [`OffsetMap::ranges`], in the stream.
    pub fn ranges(&self, text: Span) -> Vec<Span> {
        let mut ranges = self.step.ranges(text);
        let mut below = self.below;
        while let Some(layer) = below {
            let mut deeper: Vec<Span> = Vec::new();
            for span in ranges.iter().flat_map(|&span| layer.step.ranges(span)) {
                match deeper.last_mut() {
                    // bytes that made two pieces, as a character of base64 does, count once
                    Some(last) if span.start() <= last.end() => {
                        *last = Span::new(last.start(), span.end().max(last.end()))
                    }
                    _ => deeper.push(span),
                }
            }
            ranges = deeper;
            below = layer.below;
        }
        ranges
    }

    /// As [`OffsetMap::is_copied`], through all layers.
    pub fn is_copied(&self, text: Span) -> bool {
        let (mut layer, mut text) = (self, text);
        loop {
            if !layer.step.is_copied(text) {
                return false;
            }
            let Some(below) = layer.below else {
                return true;
            };
            text = layer.step.source(text);
            layer = below;
        }
    }
}
