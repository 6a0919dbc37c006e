//! Enums as tables: each variant has a fixed name that programs write and read.

use core::fmt;

/// A name that no variant of an enum has; `Display` lists the valid ones.
///
/// ```
/// use urigrep::options::{Rejoin, UnknownName};
/// let error: UnknownName = "sometimes".parse::<Rejoin>().unwrap_err();
/// assert_eq!(error.to_string(), "the ways to rejoin are never, wrapped, hyphen, always");
/// assert_eq!(error.names(), ["never", "wrapped", "hyphen", "always"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownName {
    what: &'static str,
    names: &'static [&'static str],
}

impl UnknownName {
    /// `what` names the variants in the plural.
    pub(crate) const fn new(what: &'static str, names: &'static [&'static str]) -> Self {
        Self { what, names }
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
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} are ", self.what)?;
        for (at, name) in self.names.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{name}")?;
        }
        Ok(())
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
                    _ => Err($crate::named::UnknownName::new($what, NAMES)),
                }
            }
        }
    };
}

pub(crate) use named_enum;
