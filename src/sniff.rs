//! Detects the format of an input by its first bytes.

pub(crate) use crate::finder::Rest;

/// The answer of a format to the first bytes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sniff {
    /// The input is in this format.
    Yes,
    /// The input is not in this format, whatever follows.
    No,
    /// The following bytes decide. Never returned if there are none
    /// ([`Rest::End`](crate::finder::Rest::End)).
    NeedMore,
}

impl Sniff {
    pub(crate) fn yes_if(is_format: bool) -> Self {
        if is_format { Self::Yes } else { Self::No }
    }

    /// Returns the answer where only more bytes could decide.
    pub(crate) fn need_more(rest: Rest) -> Self {
        match rest {
            Rest::More => Self::NeedMore,
            Rest::End => Self::No,
        }
    }

    /// Compares `head` with the signature that every file of a format starts with.
    pub(crate) fn signature(head: &[u8], signature: &[u8], rest: Rest) -> Self {
        match head.get(..signature.len()) {
            Some(start) => Self::yes_if(start == signature),
            None if signature.starts_with(head) => Self::need_more(rest),
            None => Self::No,
        }
    }

    /// Compares `head` with the start of a format, ignoring ASCII case. `ends_word` must be true
    /// for the byte after it.
    pub(crate) fn prefix(
        head: &[u8],
        start: &str,
        rest: Rest,
        ends_word: impl Fn(&u8) -> bool,
    ) -> Self {
        let start = start.as_bytes();
        match head.get(..start.len()) {
            Some(word) if word.eq_ignore_ascii_case(start) => {
                if head.get(start.len()).is_none_or(ends_word) { Self::Yes } else { Self::No }
            }
            None if rest == Rest::More
                && start.get(..head.len()).is_some_and(|it| it.eq_ignore_ascii_case(head)) =>
            {
                Self::NeedMore
            }
            _ => Self::No,
        }
    }

    /// Returns the better of two answers, for a format with several possible starts.
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::NeedMore, _) | (_, Self::NeedMore) => Self::NeedMore,
            (Self::No, Self::No) => Self::No,
        }
    }
}
