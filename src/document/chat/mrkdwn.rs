//! The markup of messages in Slack: `<https://a.example/|label>`, `<@U123>`, and three entities.

use std::borrow::Cow;
use std::ops::ControlFlow;

use memchr::{memchr, memchr2};

use crate::document::writer::{BareUris, PartWriter};
use crate::document::{EventSink, Place, Role, Source};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;
use crate::work_counter;

/// Longest link. The bound keeps time linear where no `>` follows.
const MAX_LINK_BYTES: usize = 8 << 10;

/// A link in angle brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MrkdwnLink {
    /// With the brackets.
    whole: Span,
    pub target: Span,
    /// Empty if there is none.
    label: Span,
}

/// Returns the links of a message.
pub(super) fn links(text: &[u8]) -> impl Iterator<Item = MrkdwnLink> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + memchr(b'<', text.clamped(at..))?;
            at = open + 1;
            let near = text.clamped(at..).clamped(..MAX_LINK_BYTES);
            // A second `<` shows that the first opened nothing. It also keeps a row of them linear.
            let end = memchr2(b'>', b'<', near);
            work_counter::add(end.unwrap_or(near.len()));
            let Some(end) = end.filter(|&end| near.get(end) == Some(&b'>')) else { continue };
            let inner = near.clamped(..end);
            // `<@U123>`, `<#C123|general>`, and `<!here>` are not links.
            let scheme =
                inner.leading(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
            if scheme == 0 || inner.get(scheme) != Some(&b':') {
                continue;
            }
            let (start, close) = (at, at + end);
            at = close + 1;
            let bar = memchr(b'|', inner);
            let target = Span::new(start, start + bar.unwrap_or(inner.len()));
            let label = Span::new(bar.map_or(close, |bar| start + bar + 1), close);
            return Some(MrkdwnLink { whole: Span::new(open, close + 1), target, label });
        }
    })
}

/// Reads the text of a message.
pub(super) fn read(
    source: Source<'_>,
    place: &Place<'static>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let text = source.bytes;
    let mut writer = PartWriter::new(source, sink, BareUris::Linked);
    writer.set_place(Some(place.clone()));
    for link in links(text) {
        prose(link.whole.start(), &mut writer)?;
        writer.markup(link.target.start())?;
        if !link.label.is_empty() {
            writer.set_label(lossy(&decoded(text.part(link.label.range()))).into_owned());
        }
        let target = text.part(link.target.range());
        let start = link.target.start();
        let emitted = writer.link_with(link.target, "link", |piece| decode(target, start, piece));
        match emitted {
            ControlFlow::Continue(destination) => writer.label(link.label, destination),
            ControlFlow::Break(()) => return ControlFlow::Break(()),
        }
        writer.markup(link.label.start())?;
        prose(link.label.end(), &mut writer)?;
        writer.markup(link.whole.end())?;
    }
    prose(text.len(), &mut writer)
}

/// Emits text for readers up to `end`.
fn prose(end: usize, writer: &mut PartWriter<'_, '_>) -> ControlFlow<()> {
    let start = writer.done();
    if end <= start {
        return ControlFlow::Continue(());
    }
    let span = Span::new(start, end);
    let text = writer.at(span);
    match memchr(b'&', text) {
        Some(_) => writer.derived(span, Role::Text, |piece| decode(text, start, piece)),
        None => writer.prose(end),
    }
}

/// Returns text without entities.
pub(super) fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'&', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut piece = DerivedText::default();
    decode(text, 0, &mut piece);
    Cow::Owned(piece.text().to_vec())
}

/// Appends text without entities. `at` is its offset.
fn decode(text: &[u8], at: usize, piece: &mut DerivedText) {
    // Slack encodes these three characters and no others, so `&copy=1` in a query is what its
    // author typed.
    const ENTITIES: [(&[u8], &[u8]); 3] = [(b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">")];
    let mut from = 0;
    while let Some(found) = memchr(b'&', text.clamped(from..)) {
        let mark = from + found;
        piece.copy(text.clamped(from..mark), at + from);
        let rest = text.clamped(mark..);
        let entity = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
        let (name, value) = entity.copied().unwrap_or((b"&", b"&"));
        from = mark + name.len();
        match entity {
            Some(_) => {
                let source = Span::new(at + mark, at + from);
                piece.replace(value, source, RunOrigin::Decoded);
            }
            None => piece.copy(name, at + mark),
        }
    }
    piece.copy(text.clamped(from..), at + from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_targets() {
        let targets = |text: &str| -> Vec<String> {
            links(text.as_bytes()).map(|link| text[link.target.range()].to_owned()).collect()
        };
        assert_eq!(
            targets("<https://a.example/|a> <mailto:b@c.example>"),
            ["https://a.example/", "mailto:b@c.example"]
        );
        assert!(targets("<@U1> <#C1|general> <!here> a < b <https://a.example/ <").is_empty());
    }

    #[test]
    fn three_entities_are_decoded() {
        assert_eq!(&*decoded(b"a &amp;amp; &lt;b&gt; &quot; &"), b"a &amp; <b> &quot; &");
    }
}
