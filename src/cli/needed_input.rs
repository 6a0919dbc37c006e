//! Selections that only some inputs can meet, and the note about a search of others.

use urigrep::document::Role;
use urigrep::search::{HitKind, Root, Stats};

use super::flags::SearchFlags;
use super::flags::values::CountKey;
use super::selection::wanted;

/// Inputs that a selection needs, and the flag that needs them.
///
/// Standard input has no name, so JSON on it is plain text, in which `--at` selects nothing. The
/// search would end as if there were no URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeededInput {
    /// Documents: their parts have roles, elements, and places.
    Document(&'static str),
    /// Mail: it has senders and dates.
    Mail(&'static str),
    /// The headers of mail: the scheme of Message-IDs is selected, and a flag reads them.
    Headers,
}

impl NeededInput {
    /// Returns the inputs without which these flags select nothing.
    pub fn of(flags: &SearchFlags) -> Option<Self> {
        let (select, modes) = (&flags.select, &flags.modes);
        let is_document = |kind: &HitKind| *kind == HitKind::Reference;
        let kinds = wanted(&select.kind);
        let mail = [
            ("--date", select.date.is_some()),
            ("--from", wanted(&select.from).is_some()),
            (
                "--count-by",
                matches!(
                    modes.count_by,
                    Some(CountKey::Message | CountKey::From | CountKey::Month)
                ),
            ),
        ];
        let documents = [
            ("--at", wanted(&select.at).is_some()),
            ("--element", wanted(&select.element).is_some()),
            ("--role", !select.role.is_empty() && !select.role.contains(&Role::Text)),
            ("--kind", kinds.is_some_and(|kinds| kinds.iter().all(is_document))),
        ];
        let given = |flags: &[(&'static str, bool)]| {
            flags.iter().find(|(_, is_given)| *is_given).map(|(flag, _)| *flag)
        };
        let is_of_headers =
            |schemes: Vec<String>| schemes.iter().all(|it| it == "mid" || it == "cid");
        let headers = !flags.walk.headers && wanted(&select.scheme).is_some_and(is_of_headers);
        given(&mail)
            .map(Self::Mail)
            .or_else(|| given(&documents).map(Self::Document))
            .or_else(|| headers.then_some(Self::Headers))
    }

    /// Returns the note for a search that read no such input, but others.
    pub fn note(self, stats: &Stats, roots: &[Root]) -> Option<String> {
        let is_met = match self {
            Self::Document(_) => stats.documents > 0,
            Self::Mail(_) => stats.mail > 0,
            Self::Headers => stats.matches > 0 || stats.mail == 0,
        };
        if is_met || stats.files == 0 {
            return None;
        }
        let only_stdin = matches!(roots, [Root::Stdin]);
        Some(match (self, only_stdin) {
            (Self::Document(flag), true) => format!(
                "standard input is plain text, in which {flag} selects nothing; \
                 name its format, as in `--markup json`"
            ),
            (Self::Document(flag), false) => format!(
                "everything is plain text, in which {flag} selects nothing; \
                 `--markup NAME` reads it as another format"
            ),
            (Self::Headers, _) => {
                "--headers finds Message-IDs and Content-IDs in the headers of mail".to_owned()
            }
            (Self::Mail(flag), _) => {
                format!(
                    "no mail was read, which {flag} needs; `--mail always` reads any text as mail"
                )
            }
        })
    }
}
