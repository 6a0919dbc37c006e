//! Scripts and style sheets that a build compiles from another file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::audit::{LinkContext, PathStatus};

/// Extensions of the files that a script is compiled from.
const SCRIPTS: &[&str] = &["ts", "tsx", "mts", "cts", "jsx", "coffee"];
/// Extensions of the files that a style sheet is compiled from.
const STYLES: &[&str] = &["scss", "sass", "less", "styl", "pcss", "postcss", "sss", "tailwindcss"];

/// Scripts that `flutter build web` writes beside `web/index.html` ("Flutter web app
/// initialization").
const OF_FLUTTER: [&str; 4] =
    ["flutter.js", "flutter_bootstrap.js", "flutter_service_worker.js", "main.dart.js"];

/// True for a script that Flutter writes into the directory `web` of a project.
fn is_of_flutter(context: &LinkContext<'_>, place: &Path) -> bool {
    let name = place.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let directory = place.parent().filter(|it| it.ends_with("web"));
    let project = directory.and_then(Path::parent).filter(|_| OF_FLUTTER.contains(&name));
    let is_file = |path: &Path| context.page.files.probe(path) == PathStatus::File;
    project.is_some_and(|project| is_file(&project.join("pubspec.yaml")))
}

/// True for a missing script or style sheet if there is a source of its name beside it, or anywhere
/// in the tree if the document loads it.
pub fn is_compiled(context: &LinkContext<'_>, places: &[PathBuf]) -> bool {
    if places.iter().any(|place| is_of_flutter(context, place)) {
        return true;
    }
    // 265 of 279 findings of lit.dev were `my-element.js` beside `my-element.ts`.
    places.iter().any(|place| {
        let Some((stem, sources)) = sources(place) else { return false };
        let page = context.page;
        let name = |source: &&str| format!("{stem}.{source}");
        let is_beside = |source: &&str| {
            page.files.probe(&place.with_file_name(name(source))) == PathStatus::File
        };
        let is_in_tree =
            |source: &&str| !page.files.files_named(&page.site, &name(source)).is_empty();
        sources.iter().any(is_beside) || context.is_embedded() && sources.iter().any(is_in_tree)
    })
}

/// Returns the name of a script or style sheet without its extension, and the extensions of its
/// sources.
fn sources(path: &Path) -> Option<(&str, &'static [&'static str])> {
    let stem = path.file_stem().and_then(OsStr::to_str)?;
    let sources = match path.extension().and_then(OsStr::to_str)? {
        "js" | "mjs" | "cjs" => SCRIPTS,
        "css" => STYLES,
        _ => return None,
    };
    Some((stem.strip_suffix(".min").unwrap_or(stem), sources))
}
