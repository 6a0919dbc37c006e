//! Enums as tables: each variant has a fixed name that programs write and read.

use core::fmt;

/// A name that no variant of an enum has; `Display` quotes it and lists the valid ones.
///
/// ```
/// use urigrep::options::{Rejoin, UnknownName};
/// let error: UnknownName = "sometimes".parse::<Rejoin>().unwrap_err();
/// let message = "`sometimes` is not one of the ways to rejoin: never, wrapped, hyphen, always";
/// assert_eq!(error.to_string(), message);
/// assert_eq!(error.names(), ["never", "wrapped", "hyphen", "always"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownName {
    what: &'static str,
    names: &'static [&'static str],
    given: GivenName,
}

impl UnknownName {
    /// `what` names the variants in the plural.
    pub(crate) fn new(what: &'static str, names: &'static [&'static str], given: &str) -> Self {
        Self { what, names, given: GivenName::new(given) }
    }

    /// The valid names.
    ///
    /// ```
    /// use urigrep::Kind;
    /// assert!("url".parse::<Kind>().unwrap_err().names().contains(&"uri"));
    /// ```
    pub const fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// The noun for the valid names, in the plural.
    ///
    /// ```
    /// assert_eq!("url".parse::<urigrep::Kind>().unwrap_err().what(), "kinds");
    /// ```
    pub const fn what(&self) -> &'static str {
        self.what
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not one of the {}: ", self.given, self.what)?;
        for (at, name) in self.names.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{name}")?;
        }
        Ok(())
    }
}

/// The start of a name, in an error that is `Copy` and needs no allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GivenName {
    bytes: [u8; Self::MAX_BYTES],
    len: u8,
    is_cut: bool,
}

impl GivenName {
    /// Longer than any name that is known.
    const MAX_BYTES: usize = 40;

    fn new(name: &str) -> Self {
        let fits = |at: &usize| name.is_char_boundary(*at);
        let len = (0..=Self::MAX_BYTES.min(name.len())).rev().find(fits).unwrap_or_default();
        let mut bytes = [0; Self::MAX_BYTES];
        bytes.iter_mut().zip(name.bytes().take(len)).for_each(|(to, from)| *to = from);
        // It is at most `MAX_BYTES`.
        Self { bytes, len: len as u8, is_cut: len < name.len() }
    }
}

impl fmt::Display for GivenName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        f.write_str(core::str::from_utf8(bytes).unwrap_or_default())?;
        f.write_str(if self.is_cut { "…" } else { "" })
    }
}

impl core::error::Error for UnknownName {}

/// Declares an enum with `ALL`, `name`, `FromStr` and, unless its variants also have a meaning for
/// people, `Display`.
///
/// The declaration starts with the public path of the enum and the plural noun for its variants.
macro_rules! named_enum {
    (
        $path:literal, $what:literal;
        $(#[$meta:meta])*
        $vis:vis enum $Enum:ident {
            $( $(#[$about:meta])* $Variant:ident = $name:literal, )+
        }
    ) => {
        $crate::named::named_enum! {
            @common $path, $what;
            $(#[$meta])*
            $vis enum $Enum { $( $(#[$about])* $Variant = $name, )+ }
        }

        impl ::core::fmt::Display for $Enum {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    (
        $path:literal, $what:literal;
        $(#[$meta:meta])*
        $vis:vis enum $Enum:ident {
            $( $(#[$about:meta])* $Variant:ident = $name:literal: $meaning:literal, )+
        }
    ) => {
        $crate::named::named_enum! {
            @common $path, $what;
            $(#[$meta])*
            $vis enum $Enum { $( $(#[$about])* $Variant = $name, )+ }
        }

        impl $Enum {
            /// Its meaning, in a clause for people.
            ///
            /// ```
            #[doc = concat!("use ", $path, ";")]
            #[doc = concat!(
                "assert!(!", stringify!($Enum), "::ALL.iter().any(|each| each.meaning().is_empty()));"
            )]
            /// ```
            pub const fn meaning(self) -> &'static str {
                match self {
                    $( Self::$Variant => $meaning, )+
                }
            }
        }
    };
    (
        @common $path:literal, $what:literal;
        $(#[$meta:meta])*
        $vis:vis enum $Enum:ident {
            $( $(#[$about:meta])* $Variant:ident = $name:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        $vis enum $Enum { $( $(#[$about])* $Variant, )+ }

        $crate::named::named_enum! { @names $path, $what; $Enum { $( $Variant = $name, )+ } }
    };
    // For an enum that is declared elsewhere.
    (
        @names $path:literal, $what:literal;
        $Enum:ident { $( $Variant:ident = $name:literal, )+ }
    ) => {
        impl $Enum {
            /// Every variant, in declaration order.
            pub const ALL: &'static [Self] = &[$( Self::$Variant, )+];

            /// The fixed name for programs, which `FromStr` parses.
            ///
            /// ```
            #[doc = concat!("use ", $path, ";")]
            #[doc = concat!(
                "assert!(", stringify!($Enum), "::ALL.iter().all(|each| each.name().parse() == Ok(*each)));"
            )]
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$Variant => $name, )+
                }
            }
        }

        impl ::core::str::FromStr for $Enum {
            type Err = $crate::named::UnknownName;

            /// Returns the variant with this name, in lower case or as its document writes it.
            fn from_str(name: &str) -> Result<Self, Self::Err> {
                const NAMES: &[&str] = &[$( $name, )+];
                match name {
                    $( $name => Ok(Self::$Variant), )+
                    _ => Err($crate::named::UnknownName::new($what, NAMES, name)),
                }
            }
        }
    };
}

pub(crate) use named_enum;
