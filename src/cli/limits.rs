//! What one input may cost: the limits that `--limit` sets.

use urigrep::Finder;
use urigrep::container::archive;
use urigrep::container::document::{Format, mail};

use super::flags::values::size;

/// What one input may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Compressed files and archives.
    pub archive: archive::ArchiveLimits,
    /// What of a message is read as MIME.
    pub mail: mail::MimeLimits,
    /// The largest message that is read as one, in bytes; what is larger is searched as text.
    pub message: usize,
    /// Bytes of a wrapper.
    pub wrapper: usize,
    /// What the expressions of --regexp compile to, in bytes.
    pub regexp: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            archive: archive::ArchiveLimits::default(),
            mail: mail::MimeLimits::default(),
            message: Format::LARGEST,
            wrapper: Finder::LONGEST_WRAPPER,
            // what the crate allows
            regexp: 10 << 20,
        }
    }
}

/// One limit of the flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    name: Name,
    value: u64,
}

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
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

impl Name {
    const ALL: [(Self, &str); 10] = [
        (Self::Depth, "depth"),
        (Self::Members, "members"),
        (Self::Ratio, "ratio"),
        (Self::Unpacked, "unpacked"),
        (Self::Window, "window"),
        (Self::MimeDepth, "mime-depth"),
        (Self::Parts, "parts"),
        (Self::Message, "message"),
        (Self::Wrapper, "wrapper"),
        (Self::Regexp, "regexp"),
    ];
}

/// Reads `NAME=VALUE`.
pub fn parse(text: &str) -> Result<Limit, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let found = Name::ALL.iter().find(|(_, known)| *known == name);
    let Some(&(name, _)) = found else {
        let names = Name::ALL.map(|(_, name)| name).join(", ");
        return Err(format!("the limits are {names}; such as unpacked=64M"));
    };
    let value = size(value)?;
    let most = match name {
        // more would be a stack without a bound, or a rule that looks further ahead
        Name::Depth => 64,
        Name::Wrapper => Finder::LONGEST_WRAPPER as u64,
        Name::MimeDepth => 1024,
        Name::Window => u32::MAX.into(),
        Name::Message | Name::Regexp => 1 << 30,
        Name::Members | Name::Ratio | Name::Unpacked | Name::Parts => i64::MAX as u64,
    };
    if value > most {
        return Err(format!("this limit is {most} at most"));
    }
    Ok(Limit { name, value })
}

impl Limits {
    /// The limits of the flag; of two with one name, the last counts.
    pub fn new(limits: &[Limit]) -> Self {
        let mut all = Self::default();
        for limit in limits {
            all.set(*limit);
        }
        all
    }

    fn set(&mut self, Limit { name, value }: Limit) {
        // the parser has seen that they fit
        let count = usize::try_from(value).unwrap_or(usize::MAX);
        match name {
            Name::Depth => self.archive.depth = count,
            Name::Members => self.archive.members = value,
            Name::Ratio => self.archive.ratio = value,
            Name::Unpacked => self.archive.bytes = value,
            Name::Window => self.archive.window = u32::try_from(value).unwrap_or(u32::MAX),
            Name::MimeDepth => self.mail.depth = count,
            Name::Parts => self.mail.parts = count,
            Name::Message => self.message = count,
            Name::Wrapper => self.wrapper = count,
            Name::Regexp => self.regexp = count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_counts() {
        let limits = ["depth=3", "unpacked=1K", "depth=2"].map(|text| parse(text).unwrap());
        let limits = Limits::new(&limits);
        assert_eq!((limits.archive.depth, limits.archive.bytes), (2, 1024));
        assert_eq!(limits.mail, mail::MimeLimits::default());
    }

    #[test]
    fn errors_say_what_there_is() {
        assert!(
            parse("deep=1")
                .unwrap_err()
                .contains("depth, members, ratio")
        );
        assert!(parse("depth").unwrap_err().contains("whole number"));
        assert!(parse("depth=-1").is_err());
        assert!(parse("depth=65").unwrap_err().contains("64 at most"));
    }
}
