//! References in the roles of MyST: `` {doc}`a` ``.

use std::ops::ControlFlow;

use super::MarkdownReader;
use crate::document::{Content, NameSpace, Role};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Longer names are not roles. The bound keeps time linear.
const MAX_NAME_BYTES: usize = 32;

impl MarkdownReader<'_, '_> {
    /// Handles the content of a code span that a role precedes, as in `` {doc}`a` ``; false for
    /// other code.
    pub(super) fn role(&mut self, whole: Span, inner: Span) -> ControlFlow<(), bool> {
        let Some(role) = self.role_before(whole.start()) else {
            return ControlFlow::Continue(false);
        };
        let bytes = self.bytes.part(inner.range());
        // `!` turns the reference off.
        if bytes.starts_with(b"!") {
            return ControlFlow::Continue(false);
        }
        let target = match embedded(bytes) {
            Some((open, close)) => Span::new(inner.start() + open, inner.start() + close),
            None => inner,
        };
        match self.bytes.part(role.range()) {
            b"doc" => self.refer_in_project(NameSpace::Document, target, target),
            role if is_of_other_project(role) => {
                self.refer_in_project(NameSpace::OtherProject, target, target);
            }
            b"term" => {
                let whole = Span::new(role.start() - 1, whole.end());
                self.refer_in_project(NameSpace::Term, target, whole);
            }
            b"ref" | b"numref" => {
                self.refer_in_project(
                    NameSpace::Label,
                    target,
                    Span::new(role.start() - 1, whole.end()),
                );
            }
            b"download" => {
                if target != inner {
                    self.whole(Span::new(inner.start(), target.start() - 1), Role::Text)?;
                }
                self.copy_piece(target);
                self.emit(Role::Destination, Content::Reference, Some("download"), None)?;
                return ControlFlow::Continue(true);
            }
            _ => {}
        }
        ControlFlow::Continue(false)
    }

    /// Returns the name in a `{role}` that ends at `at`.
    fn role_before(&self, at: usize) -> Option<Span> {
        let before = self.bytes.part(..at).strip_suffix(b"}")?.tail(MAX_NAME_BYTES);
        let length = before.trailing(|byte| byte.is_ascii_alphanumeric() || b"-_:".contains(&byte));
        let is_open = before.len() > length && before.get(before.len() - length - 1) == Some(&b'{');
        (is_open && length > 0).then(|| Span::new(at - 1 - length, at - 1))
    }
}

/// True for `{external+python:doc}`, the name of something in another project.
fn is_of_other_project(role: &[u8]) -> bool {
    let kind = role
        .strip_prefix(b"external")
        .filter(|rest| rest.starts_with(b"+") || rest.starts_with(b":"));
    kind.is_some_and(|rest| rest.ends_with(b":doc") || rest.ends_with(b":ref"))
}

/// Returns the range of the target in `text <target>`.
fn embedded(bytes: &[u8]) -> Option<(usize, usize)> {
    let inside = bytes.strip_suffix(b">")?;
    let open = memchr::memrchr(b'<', inside)?;
    Some((open + 1, inside.len()))
}
