//! Tells in one test that a hit cannot have a field.

use super::field::HitField;
use crate::{Kind, UriRef};

/// Fields that a hit surely does not have, a bit for each. Most hits have a third of the fields, so
/// a cheap answer for the others is most of the answer.
#[derive(Clone, Copy)]
pub(super) struct AbsentFields(u64);

impl AbsentFields {
    const OF_URNS: Self = Self::from_fields(&[
        HitField::Nid,
        HitField::Nss,
        HitField::RComponent,
        HitField::QComponent,
        HitField::FComponent,
        HitField::AssignedName,
        HitField::Namespace,
        HitField::Fault,
    ]);
    pub const OF_REJECTED: Self = Self::from_fields(&[HitField::Reason, HitField::At]);
    pub const OF_MAIL: Self = Self::from_fields(&[
        HitField::MessageId,
        HitField::Date,
        HitField::From,
        HitField::Subject,
        HitField::Parts,
        HitField::Header,
    ]);
    pub const OF_DOCUMENTS: Self = Self::from_fields(&[
        HitField::Format,
        HitField::Place,
        HitField::Label,
        HitField::Role,
        HitField::Element,
        HitField::Attribute,
    ]);

    /// Returns the fields that a URI does not have, and those of URNs unless the kind of the match
    /// may be that of one.
    pub fn lacked_by(uri: Option<UriRef<'_>>, kind: Option<Kind>) -> Self {
        let has = |part: fn(&UriRef<'_>) -> bool| uri.as_ref().is_some_and(part);
        Self(0)
            // An abbreviation may stand for a URN, such as `ISBN 0-306-40615-2` for `urn:isbn:`.
            .unless(matches!(kind, Some(Kind::Urn | Kind::Abbreviated)), Self::OF_URNS)
            .unless(has(|uri| uri.userinfo().is_some()), Self::from_fields(&[HitField::Userinfo]))
            .unless(has(|uri| uri.port().is_some()), Self::from_fields(&[HitField::Port]))
            .unless(has(|uri| uri.query().is_some()), Self::from_fields(&[HitField::Query]))
            .unless(has(|uri| uri.fragment().is_some()), Self::from_fields(&[HitField::Fragment]))
    }

    const fn from_fields(mut fields: &[HitField]) -> Self {
        let mut bits = 0;
        while let [field, rest @ ..] = fields {
            bits |= 1 << *field as u64;
            fields = rest;
        }
        Self(bits)
    }

    /// Adds `fields` if `has` is false.
    pub fn unless(self, has: bool, fields: Self) -> Self {
        if has { self } else { Self(self.0 | fields.0) }
    }

    #[inline]
    pub fn has(self, field: HitField) -> bool {
        self.0 >> field as u64 & 1 == 1
    }
}
