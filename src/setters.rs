//! Builder methods that each set one field.

/// For each `name: Type => field;` the method `name`, which sets the field of `self` and gives `self` back.
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
