//! What the attributes of HTML and SVG hold (HTML Standard, the index of attributes; HTML 4.01 §index;
//! SVG 2 §16.3; XML Base; XLink 1.1 §5.4).

use super::super::Role;

/// What the value of an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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

const LINK: Kind = Kind::Reference(Role::Destination);
const LINKS: Kind = Kind::References(Role::Destination);
const OTHER: Kind = Kind::Value(Role::Attribute);

/// What the attribute of an element is; both names are in lower case.
pub(super) fn kind(element: &str, attribute: &str) -> Kind {
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
        "srcset" => on(&["img", "source"], Kind::Srcset),
        "imagesrcset" => on(&["link"], Kind::Srcset),
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
            "applet" => Kind::Archives,
            _ => OTHER,
        },
        "profile" => on(&["head"], LINKS),
        "usemap" => on(&["img", "input", "object"], LINK),
        "lowsrc" | "dynsrc" => on(&["img"], LINK),
        "icon" => on(&["menuitem", "command"], LINK),
        "itemid" => Kind::Reference(Role::Metadata),
        "itemtype" => Kind::References(Role::Metadata),
        "srcdoc" => on(&["iframe"], Kind::Document),
        "style" => Kind::Style,
        // the properties of CSS that SVG has as attributes, and that can hold `url()`
        "fill" | "stroke" | "filter" | "clip-path" | "mask" | "marker" | "marker-start"
        | "marker-mid" | "marker-end" | "cursor" => Kind::Style,
        "xmlns" => Kind::Value(Role::Metadata),
        _ if attribute.starts_with("xmlns:") => Kind::Value(Role::Metadata),
        _ if attribute.starts_with("on") => Kind::Script,
        _ => OTHER,
    }
}
