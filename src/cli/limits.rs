//! The values of `--limit`.

use urigrep::Finder;
use urigrep::search::Limits;

use super::flags::values::size;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    name: LimitName,
    value: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LimitName {
    Depth,
    Members,
    Ratio,
    Unpacked,
    Window,
    MimeDepth,
    Parts,
    Message,
    Wrapper,
    Regexp,
}

impl LimitName {
    const ALL: [Self; 10] = [
        Self::Depth,
        Self::Members,
        Self::Ratio,
        Self::Unpacked,
        Self::Window,
        Self::MimeDepth,
        Self::Parts,
        Self::Message,
        Self::Wrapper,
        Self::Regexp,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Members => "members",
            Self::Ratio => "ratio",
            Self::Unpacked => "unpacked",
            Self::Window => "window",
            Self::MimeDepth => "mime-depth",
            Self::Parts => "parts",
            Self::Message => "message",
            Self::Wrapper => "wrapper",
            Self::Regexp => "regexp",
        }
    }
}

/// The names of all limits.
pub fn names() -> impl Iterator<Item = &'static str> {
    LimitName::ALL.into_iter().map(LimitName::name)
}

pub fn parse(text: &str) -> Result<Limit, String> {
    let (word, value) = match text.split_once('=') {
        Some((word, value)) => (word, Some(value)),
        None => (text, None),
    };
    let Some(name) = LimitName::ALL.into_iter().find(|known| known.name() == word) else {
        let names: Vec<_> = names().collect();
        let names = names.join(", ");
        return Err(format!("unknown limit; the limits are {names}, as in unpacked=64M"));
    };
    let value = value.ok_or_else(|| format!("a value is missing: {word}=VALUE"))?;
    let value = size(value)?;
    let most = match name {
        // Larger values would allow unbounded recursion, or a rule to look ahead too far.
        LimitName::Depth => 64,
        LimitName::Wrapper => Finder::MAX_WRAPPER_LENGTH as u64,
        LimitName::MimeDepth => 1024,
        // Decoders take the window in 32 bits.
        LimitName::Window => u32::MAX.into(),
        LimitName::Message | LimitName::Regexp => 1 << 30,
        LimitName::Members | LimitName::Ratio | LimitName::Unpacked | LimitName::Parts => {
            i64::MAX as u64
        }
    };
    if value > most {
        return Err(format!("this limit is at most {most}"));
    }
    Ok(Limit { name, value })
}

/// Returns the limits of the flag. If a name is repeated, the last value counts.
pub fn limits(limits: &[Limit]) -> Limits {
    let mut all = Limits::default();
    for limit in limits {
        limit.set(&mut all);
    }
    all
}

impl Limit {
    fn set(self, limits: &mut Limits) {
        let Self { name, value } = self;
        // The parser has checked that the values fit.
        let count = usize::try_from(value).unwrap_or(usize::MAX);
        match name {
            LimitName::Depth => limits.archive.depth = count,
            LimitName::Members => limits.archive.members = value,
            LimitName::Ratio => limits.archive.ratio = value,
            LimitName::Unpacked => limits.archive.bytes = value,
            LimitName::Window => limits.archive.window = u32::try_from(value).unwrap_or(u32::MAX),
            LimitName::MimeDepth => limits.mime.depth = count,
            LimitName::Parts => limits.mime.parts = count,
            LimitName::Message => limits.message = count,
            LimitName::Wrapper => limits.wrapper = count,
            LimitName::Regexp => limits.regexp = count,
        }
    }
}
