//! What the attributes of HTML and SVG hold (HTML Standard, the index of attributes; HTML 4.01 §index;
//! SVG 2 §16.3; XML Base; XLink 1.1 §5.4).

use super::super::Role;

/// What the value of an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeKind {
    /// A URI reference.
    Reference(Role),
    /// URI references with white space between them.
    References(Role),
    /// URI references with commas between them.
    Archives,
    /// URI references, each with the sizes it is for.
    Srcset,
    /// A delay, and where to go then.
    Refresh,
    /// Declarations of CSS.
    Style,
    /// A document.
    Document,
    /// A script.
    Script,
    /// A value.
    Value(Role),
}

const LINK: AttributeKind = AttributeKind::Reference(Role::Destination);
const LINKS: AttributeKind = AttributeKind::References(Role::Destination);
const OTHER: AttributeKind = AttributeKind::Value(Role::Attribute);

/// What the attribute of an element is; both names are in lower case.
pub(super) fn kind(element: &str, attribute: &str) -> AttributeKind {
    let on = |elements: &[&str], kind| {
        if elements.contains(&element) {
            kind
        } else {
            OTHER
        }
    };
    match attribute {
        // of many elements of HTML and SVG, and of no other use
        "href" | "src" | "xlink:href" | "xml:base" => LINK,
        "srcset" => on(&["img", "source"], AttributeKind::Srcset),
        "imagesrcset" => on(&["link"], AttributeKind::Srcset),
        "action" => on(&["form"], LINK),
        "formaction" => on(&["button", "input"], LINK),
        "cite" => on(&["blockquote", "del", "ins", "q"], LINK),
        "data" => on(&["object"], LINK),
        "poster" => on(&["video"], LINK),
        "ping" => on(&["a", "area"], LINKS),
        "longdesc" => on(&["img", "iframe", "frame"], LINK),
        "background" => on(
            &["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"],
            LINK,
        ),
        "manifest" => on(&["html"], LINK),
        "classid" => on(&["object"], LINK),
        "codebase" => on(&["object", "applet"], LINK),
        "archive" => match element {
            "object" => LINKS,
            "applet" => AttributeKind::Archives,
            _ => OTHER,
        },
        "profile" => on(&["head"], LINKS),
        "usemap" => on(&["img", "input", "object"], LINK),
        "lowsrc" | "dynsrc" => on(&["img"], LINK),
        "icon" => on(&["menuitem", "command"], LINK),
        "itemid" => AttributeKind::Reference(Role::Metadata),
        "itemtype" => AttributeKind::References(Role::Metadata),
        "srcdoc" => on(&["iframe"], AttributeKind::Document),
        "style" => AttributeKind::Style,
        // the properties of CSS that SVG has as attributes, and that can hold `url()`
        "fill" | "stroke" | "filter" | "clip-path" | "mask" | "marker" | "marker-start"
        | "marker-mid" | "marker-end" | "cursor" => AttributeKind::Style,
        "xmlns" => AttributeKind::Value(Role::Metadata),
        _ if attribute.starts_with("xmlns:") => AttributeKind::Value(Role::Metadata),
        _ if attribute.starts_with("on") => AttributeKind::Script,
        _ => OTHER,
    }
}
