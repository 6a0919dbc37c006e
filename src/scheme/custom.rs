//! Recognizers that a program provides: [`Recognizer`] and the schemes that use one.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::{Recognition, SchemeRecognizer, SchemeTarget};
use crate::error::{ErrorKind, ParseError, Reason};
use crate::grammar::check_scheme;

/// The syntax of a custom scheme that is written without `//`; see
/// [`FinderBuilder::recognizer`](crate::FinderBuilder::recognizer). Functions are recognizers, too.
///
/// ```
/// use urigrep::Finder;
/// /// `jira:ABC-123`
/// fn issue(text: &[u8]) -> Option<usize> {
///     let project = text.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
///     let number = text[project..].strip_prefix(b"-")?;
///     let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
///     (project > 0 && digits > 0).then_some(project + 1 + digits)
/// }
///
/// let finder = Finder::builder().recognizer("jira", issue)?.build();
/// let text = b"Fixed (jira:ABC-123), not jira: later; see also jira:DEF-4.";
/// let found: Vec<_> = finder.find_iter(text).map(|m| m.uri().into_owned()).collect();
/// assert_eq!(found, ["jira:ABC-123", "jira:DEF-4"]);
/// # Ok::<(), urigrep::ParseError>(())
/// ```
pub trait Recognizer: Send + Sync {
    /// Returns how many bytes at the start of `text`, which follows the `:` of the scheme, belong
    /// to the URI. Returns `None` if the scheme is only a word before a colon.
    ///
    /// `text` may continue after the URI with any bytes. It is called once with up to 256 bytes,
    /// and once with all bytes that the delimiting rules keep (RFC 3986 Appendix C). A larger
    /// result counts as all of them. The matched text must be a URI by RFC 3986, or become one by
    /// repair.
    fn recognize(&self, text: &[u8]) -> Option<usize>;
}

impl<F: Fn(&[u8]) -> Option<usize> + Send + Sync> Recognizer for F {
    fn recognize(&self, text: &[u8]) -> Option<usize> {
        self(text)
    }
}

/// A scheme with a custom recognizer.
#[derive(Clone)]
pub(crate) struct CustomScheme {
    name: String,
    recognizer: Arc<dyn Recognizer>,
}

impl SchemeRecognizer for CustomScheme {
    fn may_start(&self, head: &[u8]) -> bool {
        self.recognizer.recognize(head).is_some()
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let body = target.body();
        match self.recognizer.recognize(body) {
            Some(length) => Recognition::Match { end: target.colon + 1 + length.min(body.len()) },
            None => Recognition::Reject { reason: Reason::SchemeSyntax, at: target.colon + 1 },
        }
    }
}

/// The schemes that a finder knows in addition to the table.
#[derive(Clone, Default)]
pub(crate) struct CustomSchemes(Vec<CustomScheme>);

impl CustomSchemes {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a scheme, replacing one of the same name.
    pub fn add(&mut self, name: &str, recognizer: Arc<dyn Recognizer>) -> Result<(), ParseError> {
        check_scheme(name)?;
        // A single letter before a colon is a drive (D1.1).
        if !(2..=crate::delimit::MAX_SCHEME_BYTES).contains(&name.len()) {
            return Err(ParseError::new(name.len(), ErrorKind::NoScheme));
        }
        let name = name.to_ascii_lowercase();
        self.0.retain(|scheme| scheme.name != name);
        self.0.push(CustomScheme { name, recognizer });
        Ok(())
    }

    /// Returns the scheme with this name, in any case.
    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<&CustomScheme> {
        let is = |scheme: &&CustomScheme| scheme.name.as_bytes().eq_ignore_ascii_case(name);
        self.0.iter().find(is)
    }
}

impl fmt::Debug for CustomSchemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|scheme| &scheme.name)).finish()
    }
}
