//! Builder methods that each set one field.

/// Declares a method `name` for each `name: Type => field;` that sets the field of `self` and
/// returns `self`.
macro_rules! setters {
    ($($(#[$about:meta])* $name:ident: $Type:ty => $($field:ident).+;)+) => {
        $(
            $(#[$about])*
            #[must_use]
            pub fn $name(mut self, $name: $Type) -> Self {
                self.$($field).+ = $name;
                self
            }
        )+
    };
}

pub(crate) use setters;
