//! Files that [Doxygen](https://www.doxygen.nl/manual/config.html) looks up where its settings say.

use super::{Destination, LinkTarget, Unchecked, path};
use crate::audit::census::is_picture;
use crate::audit::sites::ForgeRule;
use crate::audit::{LinkContext, PathStatus, paths};

/// The usual name of the settings.
const SETTINGS: &str = "Doxyfile";

/// Most settings of a tree that are read.
const MAX_SETTINGS: usize = 4;

/// Returns the destination of a missing file that Doxygen looks up elsewhere: a picture in the
/// directories of `IMAGE_PATH`, or a file of the output beside a header or style sheet.
pub(super) fn instead<'s>(context: &LinkContext<'s>, written: &str) -> Option<Destination<'s>> {
    let page = context.page;
    let is_shown = is_picture(context) && page.is_source();
    if page.site.rules().forge != ForgeRule::OnForge && page.is_source()
        || page.is_source() && !is_shown
        || written.starts_with('/')
    {
        return None;
    }
    let named = page.files.files_named(&page.site, SETTINGS);
    named.iter().take(MAX_SETTINGS).find_map(|file| {
        let names = page.files.doxygen(file);
        if is_shown {
            let mut places = names.pictures.iter().filter_map(|it| path::joined(it, written));
            let file = places.find(|it| page.files.probe(it) == PathStatus::File)?;
            let target = LinkTarget::new(Some(file.into()), PathStatus::File, None);
            return Some(Destination::Target(target));
        }
        let is_copied = names.copied.iter().any(|it| paths::are_same(it, page.path));
        is_copied.then_some(Destination::Unchecked(Unchecked::Prepared))
    })
}
