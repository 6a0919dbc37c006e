//! What the first bytes of an input say about its format.

/// The answer of a format to the first bytes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sniff {
    /// The input is in this format.
    Yes,
    /// It is not, whatever follows.
    No,
    /// The bytes that follow decide.
    NeedMore,
}

/// Whether more bytes can follow the first ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// More may follow, so that a format can ask for it.
    More,
    /// The input ends there, or its reader looks no further: the answer is yes or no.
    End,
}

impl Sniff {
    pub fn yes_if(is_format: bool) -> Self {
        if is_format { Self::Yes } else { Self::No }
    }

    /// The answer where `rest` decides what is open.
    pub fn need_more(rest: Rest) -> Self {
        match rest {
            Rest::More => Self::NeedMore,
            Rest::End => Self::No,
        }
    }
}
