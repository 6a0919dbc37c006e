//! `missing-anchor`: a fragment that its document does not define (RFC 3986 §3.5).

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::audit::anchor_rules::OtherRule;
use crate::audit::finding::{cut, is_among, shown_path};
use crate::audit::fix::renamed_anchor;
use crate::audit::link_context::AuditedPage;
use crate::audit::other_files::is_no_document;
use crate::audit::sites::{ForgeRule, LayoutRule, UnresolvedLinks, is_number};
use crate::audit::target::included_names::lack_anchor;
use crate::audit::target::missing::UNMET;
use crate::audit::target::path::{decoded, joined};
use crate::audit::target::{
    LinkTarget, Unchecked, component, generated, org_search, own_site, shown_parts, unchecked,
};
use crate::audit::{Anchors, AuditFinding, Check, LinkContext, PathStatus, Severity, Slugs, paths};
use crate::document::{Format, LinkOrigin};

pub static CHECK: Check = Check {
    id: "missing-anchor",
    severity: Severity::Warning,
    summary: "a fragment that matches no heading or id of its document",
    rationale: "The reader ends up at the top of the page (RFC 3986 section 3.5, HTML Standard \
                section 7.4.6.4).",
    fails: "[needs](install.md#requirement)",
    passes: "[needs](install.md#requirements)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let target = context.target()?;
    let page = context.page;
    let Some(fragment) = target.fragment else { return org_search::check(context, target) };
    // The rest is a text to find (URL Fragment Text Directives, section 3).
    let fragment = if fragment.contains(':') {
        fragment.split(":~:").next().unwrap_or_default()
    } else {
        fragment
    };
    if is_for_all(fragment) {
        // A program of the page reads `#/a`.
        return fragment.starts_with('/').then(|| unchecked::finding(context, Unchecked::Open));
    }
    if let Some(finding) = missing_line(context, target, fragment) {
        return Some(finding);
    }
    if let (Some(path), PathStatus::File) = (&target.path, &target.entry)
        && !paths::are_same(path, page.path)
        && lines(fragment).is_none()
        && is_source_file(path)
    {
        return Some(unchecked::finding(context, Unchecked::NoDocument));
    }
    // A translation may be read instead.
    let mut read = None;
    let anchors = match anchors_of_target(context, target, &mut read) {
        Ok(None) if target.path.as_deref().is_some_and(is_component) => {
            return Some(unchecked::finding(context, Unchecked::Open));
        }
        Ok(anchors) => anchors?,
        Err(why) => return Some(unchecked::finding(context, why)),
    };
    // Browsers compare the raw fragment first, then the decoded one (HTML Standard, section
    // 7.4.6.4).
    if anchors.contains(fragment) {
        return None;
    }
    let decoded = decoded(fragment).unwrap_or_default();
    if anchors.contains(&decoded) || is_found_elsewhere(context, target, &anchors, fragment) {
        return None;
    }
    match shown_parts::in_shown_parts(page, target.path.as_deref().unwrap_or(page.path), &decoded) {
        shown_parts::InParts::Found => return None,
        shown_parts::InParts::Unknown => return Some(unchecked::finding(context, Unchecked::Open)),
        shown_parts::InParts::Missing => {}
    }
    let why = unjudged(context, target, &anchors, &decoded)
        .or_else(|| unjudged_by_tree(context, target, &anchors, &decoded));
    Some(match why {
        Some(why) => unchecked::finding(context, why),
        None => {
            let path = read.as_deref().or(target.path.as_deref());
            missing(context, target, path, &anchors, &decoded)
        }
    })
}

/// True for the source of a page that is a program or a template.
fn is_component(path: &Path) -> bool {
    const EXTENSIONS: &str = "astro jsx liquid njk svelte tsx vue webc";
    path.extension().and_then(OsStr::to_str).is_some_and(|it| is_among(EXTENSIONS, it))
}

/// Returns the anchors of the target of a link, or why they are not known; `None` if it has none.
/// Sets `read` to the path of the document that was read.
fn anchors_of_target(
    context: &LinkContext<'_>,
    target: &LinkTarget<'_>,
    read: &mut Option<PathBuf>,
) -> Result<Option<Arc<Anchors>>, Unchecked> {
    let page = context.page;
    Ok(match (&target.path, &target.entry) {
        (None, _) => page.facts.format().map(|_| page.shared_anchors()),
        (Some(path), _) if paths::are_same(path, page.path) => Some(page.shared_anchors()),
        (Some(path), PathStatus::File) => {
            let path =
                &**read.insert(translation(page, path).unwrap_or_else(|| path.to_path_buf()));
            let found = anchors(page, path);
            let leads_on = || page.files.anchors(path).is_some_and(|it| it.redirect().is_some());
            if found.is_none() && leads_on() {
                return Err(Unchecked::Open);
            }
            found
        }
        (Some(path), PathStatus::Directory) => {
            // A program makes the page of a directory without an index.
            let index = generated::index(&page.site, page.files, path);
            anchors(page, &index.ok_or(Unchecked::Open)?)
        }
        _ => None,
    })
}

/// True for a fragment that leads to something, though its document has no anchor of this name.
fn is_found_elsewhere(
    context: &LinkContext<'_>,
    target: &LinkTarget<'_>,
    anchors: &Anchors,
    fragment: &str,
) -> bool {
    let page = context.page;
    let decoded = decoded(fragment).unwrap_or_default();
    is_found_slugged(context, anchors, &decoded)
        || is_of_forge(fragment, target, page)
        || is_lines_of_rustdoc(fragment, anchors)
        || is_of_page_beside(&decoded, target, page)
        || is_of_directory(context, &decoded)
        || page.files.has_label(&page.site, &decoded)
        || target.path.is_none() && page.files.has_site_heading(&page.site, &decoded)
        || target.path.is_none() && is_of_site_elsewhere(&decoded, page)
        || target.path.is_none() && shown_parts::is_in_including_pages(page, &decoded)
        || shown_parts::is_in_included(page, target.path.as_deref().unwrap_or(page.path), &decoded)
}

/// Returns the reason why the rest of the tree does not allow a missing anchor to be reported.
fn unjudged_by_tree(
    context: &LinkContext<'_>,
    target: &LinkTarget<'_>,
    anchors: &Anchors,
    fragment: &str,
) -> Option<Unchecked> {
    let page = context.page;
    if page.files.has_template_id(&page.site, Some(fragment)) {
        return Some(Unchecked::Open);
    }
    // A layout may fill a page without text, for example with the fields of its data.
    if page.site.rules().layouts == LayoutRule::MayShowData
        && anchors.is_empty()
        && page.files.has_template_id(&page.site, None)
    {
        return Some(Unchecked::Open);
    }
    let is_own = target.path.as_deref().is_none_or(|path| path == page.path);
    // Chapters of a book refer to each other as parts of one document.
    if is_own && page.has_attributes() && !page.is_trial && page.files.has_id(&page.site, fragment)
    {
        return Some(Unchecked::Part);
    }
    // A script may give its own elements a different meaning.
    let is_of_program = context.link.origin == LinkOrigin::ShortcodeArgument
        || context.link.element.is_some_and(|name| name.contains('-'));
    (is_own && is_of_program).then_some(Unchecked::Item)
}

/// Returns the finding about an anchor that the document at `path`, which was read, does not have.
fn missing(
    context: &LinkContext<'_>,
    target: &LinkTarget<'_>,
    path: Option<&Path>,
    anchors: &Anchors,
    fragment: &str,
) -> AuditFinding {
    let page = context.page;
    let of = target.path.as_deref().unwrap_or(page.path);
    let place = match path {
        Some(path) if path.as_os_str().is_empty() => "`.` has".to_owned(),
        Some(path) => format!("`{}` has", shown_path(path)),
        None => "the document has".to_owned(),
    };
    if let Some(group) = page.missing_anchors(of, fragment) {
        if !group.is_first(context) {
            return unchecked::finding(context, Unchecked::Made);
        }
        let others = group.targets - 1;
        let message =
            format!("{place} no anchor `{fragment}`, nor {others} others that links name");
        return context.finding(&CHECK, message).hint(UNMET);
    }
    let finding = context.finding(&CHECK, format!("{place} no anchor `{fragment}`"));
    if let Some(OtherRule { slugs, links }) = page.other_rule(of, fragment) {
        if !links.is_first(context) {
            return unchecked::finding(context, Unchecked::OtherRule);
        }
        let rule = slugs.name();
        return finding.hint(format!(
            "{rule} makes it of a heading, and {} others that links name: if the site makes anchors so, use `--slugs \
             {rule}`; the others are notes, shown by `--severity note`",
            links.targets - 1
        ));
    }
    let finding = if is_of_contributor(fragment, target, page)
        || is_of_rule(context)
        || is_of_glyph(context, fragment)
    {
        finding.mild()
    } else {
        finding
    };
    let hint = document_hint(context, fragment).or_else(|| {
        anchors.nearest(fragment).map(|name| format!("did you mean `#{}`?", cut(name)))
    });
    // The link is only the id; another attribute names the file.
    let fix = match context.link.origin {
        LinkOrigin::TopicElement => None,
        _ => renamed_anchor(context, anchors, fragment),
    };
    finding.suggest(fix, hint)
}

/// Returns the help for `xref:a[]` of AsciiDoc if `a.adoc` is there: without its extension, it is
/// the anchor `a` (AsciiDoc, "Cross References").
fn document_hint(context: &LinkContext<'_>, fragment: &str) -> Option<String> {
    let page = context.page;
    let name = format!("{fragment}.adoc");
    let place = joined(page.directory(), &name).filter(|_| page.has_attributes())?;
    let is_there = context.written.starts_with('#') && page.files.probe(&place) == PathStatus::File;
    is_there.then(|| format!("write `{}` for the document of this name", cut(&name)))
}

/// Returns the reason why a missing anchor cannot be reported.
fn unjudged(
    context: &LinkContext<'_>,
    target: &LinkTarget<'_>,
    anchors: &Anchors,
    fragment: &str,
) -> Option<Unchecked> {
    let page = context.page;
    let is_own = target.path.as_deref().is_none_or(|path| path == page.path);
    match page.site.unresolved {
        _ if is_own && (page.is_part() || is_of_picture(context)) => Some(Unchecked::Part),
        _ if shown_parts::is_shown_as_text(context) => Some(Unchecked::Part),
        // No rule makes such an anchor: a script of the page reads it.
        _ if !is_own && (fragment.contains('=') || is_state(fragment)) => Some(Unchecked::Open),
        // A forge shows the file with ids of its own.
        _ if is_shown_by_forge(context) => Some(Unchecked::Open),
        _ if is_own && shown_parts::is_in_another_page(page, fragment) => Some(Unchecked::Part),
        // Other documents set the attributes on which conditional text depends.
        _ if is_own && page.facts.is_conditional(context.link.span) => Some(Unchecked::Part),
        UnresolvedLinks::Build if is_own => Some(Unchecked::Part),
        _ if anchors.is_vague(fragment)
            || anchors.is_open() && !(is_own && lack_anchor(page, fragment)) =>
        {
            Some(Unchecked::Open)
        }
        _ if page.site.lacks_anchors => Some(Unchecked::Open),
        _ if page.site.writes_heading(fragment) => Some(Unchecked::Open),
        _ if is_of_other_slugs(target, page, anchors, fragment) => Some(Unchecked::Open),
        _ if page.site.has_own_slugs() && anchors.starts_heading(fragment) => {
            Some(Unchecked::OwnRule)
        }
        _ if !page.site.content.is_empty() && anchors.is_section(fragment) => Some(Unchecked::Open),
        // `#a_b` is a typing error if the document has the anchor `a-b`, so components are not to
        // blame.
        _ if !anchors.contains(&fragment.replace('_', "-"))
            && component::make_headings(
                page,
                target.path.as_deref().unwrap_or(page.path),
                anchors.components(),
            ) =>
        {
            Some(Unchecked::Open)
        }
        // No slug rule keeps these characters, so this is an id of an object or a hook.
        UnresolvedLinks::Sphinx | UnresolvedLinks::Hooks
            if fragment.contains(['.', '+', '/', ' ']) || fragment.contains("::") =>
        {
            Some(Unchecked::Item)
        }
        // Sphinx has labels such as `fig:plot`. To others, `ip:port` is a part of a heading.
        UnresolvedLinks::Sphinx if fragment.contains(':') => Some(Unchecked::Item),
        UnresolvedLinks::Sphinx if generated::is_of_script(page, fragment) => {
            Some(Unchecked::Prepared)
        }
        // MyST finds classes by `#Name`, too.
        UnresolvedLinks::Sphinx
            if page.site.may_define(fragment) && !anchors.contains(&fragment.to_lowercase()) =>
        {
            Some(Unchecked::Item)
        }
        // No slug rule makes `kind-Name` either, unless the link differs from an anchor in case
        // only.
        UnresolvedLinks::Hooks
            if fragment.starts_with(|c: char| c.is_ascii_lowercase())
                && fragment.contains(|c: char| c.is_ascii_uppercase())
                && !anchors.contains(&fragment.to_ascii_lowercase()) =>
        {
            Some(Unchecked::Item)
        }
        _ => None,
    }
}

/// True for a URL of the forge to a document whose site has other anchors than the forge.
fn is_shown_by_forge(context: &LinkContext<'_>) -> bool {
    let site = &context.page.site;
    context.absolute().is_some()
        && !own_site::is_own(context)
        && !matches!(site.slugs, Slugs::Github | Slugs::GithubSlugger | Slugs::Gitlab)
}

/// True for an anchor that differs from one of the page in punctuation only, if nothing says which
/// rule the site uses.
fn is_of_other_slugs(
    target: &LinkTarget<'_>,
    page: &AuditedPage<'_>,
    anchors: &Anchors,
    fragment: &str,
) -> bool {
    // The ids of HTML are as written.
    let extension = target.path.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
    let format = extension.map_or(page.facts.format(), Format::from_extension);
    if !format.is_some_and(Format::is_source) {
        return false;
    }
    let folded = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    // Hexo makes its anchors of HTML, in which `&` is `&amp;`.
    let fragment = &fragment.replace("-amp-", "-");
    (page.site.slugs == Slugs::Any || generated::is_elsewhere(page))
        && anchors.nearest(fragment).is_some_and(|nearest| folded(nearest) == folded(fragment))
}

/// True if the site makes an anchor of the page of this fragment.
fn is_found_slugged(context: &LinkContext<'_>, anchors: &Anchors, fragment: &str) -> bool {
    let page = context.page;
    page.site.has_slugged_fragments
        && page.is_source()
        && context.link.attribute.is_none()
        && page.site.slugs.anchor(fragment).is_some_and(|it| anchors.contains(&it))
}

/// True for an anchor of the page built from this document, if the page is beside it.
fn is_of_page_beside(fragment: &str, target: &LinkTarget<'_>, page: &AuditedPage<'_>) -> bool {
    let path = target.path.as_deref().unwrap_or(page.path);
    // A built page shows the real ids, whatever rule made them.
    let html = path.with_extension("html");
    html != path
        && page.files.probe(&html) == PathStatus::File
        && page.files.anchors(&html).is_some_and(|anchors| anchors.contains(fragment))
}

/// True for `./#a` if the index of the directory has the anchor: nothing tells whether an unknown
/// site means that or the page.
fn is_of_directory(context: &LinkContext<'_>, fragment: &str) -> bool {
    let page = context.page;
    page.site.is_guessed()
        && context.written.starts_with("./#")
        && generated::index(&page.site, page.files, page.directory())
            .and_then(|index| anchors(page, &index))
            .is_some_and(|anchors| anchors.contains(fragment))
}

/// True for `#question-name` in a table of All Contributors, which links kinds of contributions
/// that have no page to nothing.
fn is_of_contributor(fragment: &str, target: &LinkTarget<'_>, page: &AuditedPage<'_>) -> bool {
    const KINDS: &str = "a11y audio blog bug business code content data design doc eventOrganizing \
        example financial fundingFinding ideas infra maintenance mentoring platform plugin \
        projectManagement promotion question research review security talk test tool translation \
        tutorial userTesting video";
    let kind = fragment.split('-').next().unwrap_or_default();
    target.path.is_none() && is_among(KINDS, kind) && page.facts.has_contributors()
}

/// True for `url(#a)` in the style sheet of a picture. Programs that draw leave rules there that no
/// element uses: all 710 findings of pictures of linkerd.io were about such rules.
fn is_of_rule(context: &LinkContext<'_>) -> bool {
    context.link.element == Some("style")
        && context.page.path.extension().is_some_and(|extension| extension == "svg")
}

/// True for `<use xlink:href="#a">` in a drawing that a program exported. It leaves out the glyphs
/// that nobody sees, such as that of a space: all 107 findings about drawings of vespa and feast.
fn is_of_glyph(context: &LinkContext<'_>, fragment: &str) -> bool {
    const MAX_LETTERS: usize = 2;
    // A drawing by hand uses few shapes.
    const LEAST_GLYPHS: usize = 8;
    let is_of_drawing = || {
        let uses = context.page.facts.links().filter(|link| link.element == Some("use"));
        uses.take(LEAST_GLYPHS).count() == LEAST_GLYPHS
    };
    context.link.element == Some("use")
        && fragment.len() <= MAX_LETTERS
        && context.page.path.extension().is_some_and(|extension| extension == "svg")
        && is_of_drawing()
}

/// True if some generator would make this anchor, for documents of a site built elsewhere.
fn is_of_site_elsewhere(fragment: &str, page: &AuditedPage<'_>) -> bool {
    generated::is_elsewhere(page) && page.anchors_of_any().contains(fragment)
}

/// True for the encoded state of a program, as playgrounds have it: a long, random mix of letters
/// in both cases and digits. No rule makes an anchor like it.
fn is_state(fragment: &str) -> bool {
    const LEAST_BYTES: usize = 80;
    const LEAST_OF_KIND: usize = 8;
    let is_of_state = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_$~%".contains(&byte);
    let count = |is: fn(&u8) -> bool| fragment.bytes().filter(is).count();
    fragment.len() >= LEAST_BYTES
        && fragment.bytes().all(is_of_state)
        && [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit]
            .into_iter()
            .all(|is| count(is) >= LEAST_OF_KIND)
}

/// True for a link in a picture, whose fragment may belong to the page that shows it.
fn is_of_picture(context: &LinkContext<'_>) -> bool {
    let is_svg = context.page.path.extension().is_some_and(|extension| extension == "svg");
    is_svg && context.link.element == Some("a")
}

/// Returns the page that a translation beside its original leads to: `b.fr.md` for a link of
/// `a.fr.md` to `b.md`. This happens on sites only: on a forge, `README.fr.md` links to `README.md`
/// itself.
fn translation(page: &AuditedPage<'_>, path: &Path) -> Option<PathBuf> {
    let (_, language) = page.path.file_stem()?.to_str()?.rsplit_once('.')?;
    let is_on_forge = page.site.rules().forge == ForgeRule::OnForge;
    if is_on_forge && page.site.content.is_empty() && !generated::is_elsewhere(page) {
        return None;
    }
    let stem = path.file_stem()?.to_str().filter(|stem| !stem.contains('.'))?;
    let extension = path.extension()?.to_str()?;
    let translated = path.with_file_name(format!("{stem}.{language}.{extension}"));
    let is_there = page.is_source() && page.files.probe(&translated) == PathStatus::File;
    is_there.then_some(translated)
}

/// Largest number of redirects followed between pages.
const MAX_HOPS: usize = 8;

/// Returns the anchors of the final page after immediate redirects.
fn anchors(page: &AuditedPage<'_>, path: &Path) -> Option<Arc<Anchors>> {
    let mut path = Cow::Borrowed(path);
    for _ in 0..MAX_HOPS {
        let anchors = page.files.anchors(&path)?;
        let Some(to) = anchors.redirect() else {
            return Some(anchors);
        };
        let to = to.split(['?', '#']).next().unwrap_or_default();
        if to.contains("://") || to.starts_with('/') {
            return None;
        }
        path = Cow::Owned(joined(path.parent().unwrap_or(Path::new("")), to)?);
        if page.files.look(&path) == PathStatus::Directory {
            path = Cow::Owned(generated::index(&page.site, page.files, &path)?);
        }
    }
    None
}

/// True for fragments that work in any document, or that a script interprets.
fn is_for_all(fragment: &str) -> bool {
    fragment.is_empty()
        || fragment.eq_ignore_ascii_case("top")
        || fragment.starts_with(['/', '!', '?'])
        // `# [Linux](#tab/linux)` is a tab of DocFX.
        || fragment.starts_with("tab/")
        // Footnotes, named after their labels.
        || ["fn:", "fnref:", "fn-", "user-content-fn"].iter().any(|start| fragment.starts_with(start))
}

/// Reports `#L10-L20` if the file has fewer lines.
fn missing_line(
    context: &LinkContext<'_>,
    target: &LinkTarget<'_>,
    fragment: &str,
) -> Option<AuditFinding> {
    let (Some(path), PathStatus::File) = (&target.path, &target.entry) else {
        return None;
    };
    let lines = lines(fragment)?;
    let has = context.page.files.lines(path)?;
    if lines <= has {
        return None;
    }
    let noun = if has == 1 { "line" } else { "lines" };
    let message = format!("`{}` has {has} {noun}, and no line {lines}", shown_path(path));
    Some(context.finding(&CHECK, message))
}

/// True for a program or data file, which has no anchors. Pictures and books have their own kinds
/// of fragments.
fn is_source_file(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let has_own = [
        "pdf", "png", "jpg", "jpeg", "gif", "webp", "mp4", "mp3", "ipynb", "woff", "woff2", "eot",
        "ttf", "otf",
    ];
    is_no_document(extension) && !has_own.contains(&extension.to_ascii_lowercase().as_str())
}

/// Returns the last line of `L10`, `L10-L20`, or `L10C4-L20C8`.
fn lines(fragment: &str) -> Option<u64> {
    let fragment = fragment.strip_prefix('L')?;
    let (first, last) = match fragment.split_once('-') {
        Some((first, last)) => (first, Some(last)),
        None => (fragment, None),
    };
    if !is_place(first) {
        return None;
    }
    let last = last.map_or(first, |last| last.strip_prefix('L').unwrap_or(last));
    last.split('C').next().filter(|_| is_place(last))?.parse().ok()
}

/// True for a fragment that a forge interprets: lines of a file (`L10-L20`), the README on the page
/// of a repository, or an image for one of two themes.
fn is_of_forge(fragment: &str, target: &LinkTarget<'_>, page: &AuditedPage<'_>) -> bool {
    if lines(fragment).is_some() {
        return true;
    }
    if page.site.rules().forge != ForgeRule::OnForge {
        // Material for MkDocs supports images for one theme, too.
        return matches!(
            fragment,
            "only-light" | "only-dark" | "gh-light-mode-only" | "gh-dark-mode-only"
        );
    }
    let path = target.path.as_deref().unwrap_or(page.path);
    // A forge shows the readme of a directory below its files.
    let index = match target.entry {
        PathStatus::Directory => generated::index(&page.site, page.files, path),
        _ => None,
    };
    let stem = index.as_deref().unwrap_or(path).file_stem();
    let is_readme = stem.is_some_and(|stem| stem.eq_ignore_ascii_case("readme"));
    fragment == "readme" && is_readme
        || matches!(fragment, "gh-light-mode-only" | "gh-dark-mode-only")
}

/// True for `10` and `10C4`.
fn is_place(place: &str) -> bool {
    let mut numbers = place.splitn(2, 'C');
    numbers.all(is_number)
}

/// True for `173-177` in a source file shown by rustdoc: a script marks the lines, each of which
/// has an id.
fn is_lines_of_rustdoc(fragment: &str, anchors: &Anchors) -> bool {
    let lines = fragment.split_once('-');
    lines
        .is_some_and(|(first, last)| is_number(first) && is_number(last) && anchors.contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_whose_fragments_are_lines() {
        for (path, expected) in [("a.rs", true), ("a.PY", true), ("a.md", false)] {
            assert_eq!(is_source_file(Path::new(path)), expected, "{path}");
        }
        // The fragment of a picture is a style of its page, `a.JPG#center`.
        for picture in ["a.png", "a.JPG", "a.Gif"] {
            assert!(!is_source_file(Path::new(picture)), "{picture}");
        }
    }
}
