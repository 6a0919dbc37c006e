//! Types of HTML and SVG attributes (HTML Standard, the index of attributes; HTML 4.01 §index; SVG
//! 2 §16.3; XML Base; XLink 1.1 §5.4).

use super::super::Role;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeKind {
    Reference(Role),
    /// URI references separated by white space.
    References(Role),
    /// URI references separated by commas.
    Archives,
    /// URI references, each with sizes.
    Srcset,
    Refresh,
    Style,
    /// An HTML document.
    Document,
    Script,
    Value(Role),
}

pub(super) const LINK: AttributeKind = AttributeKind::Reference(Role::Destination);
const LINKS: AttributeKind = AttributeKind::References(Role::Destination);
const OTHER: AttributeKind = AttributeKind::Value(Role::Attribute);

/// Components that show a link: of Docusaurus, React Router, Vue Router, and Nuxt.
const ROUTER_LINKS: &[&str] =
    &["link", "navlink", "nuxt-link", "nuxtlink", "redirect", "router-link", "routerlink"];

/// Properties of `<meta>` with the address of a page or picture (The Open Graph protocol, "Basic
/// Metadata" and "Structured Properties"; X, "Cards Markup Tag Reference"; Microsoft, "Pinned site
/// metadata reference"; schema.org, `image`).
const ADDRESS_PROPERTIES: [&str; 17] = [
    "image",
    "msapplication-square150x150logo",
    "msapplication-square310x310logo",
    "msapplication-square70x70logo",
    "msapplication-tileimage",
    "msapplication-wide310x150logo",
    "og:audio",
    "og:image",
    "og:url",
    "og:video",
    "thumbnail",
    "twitter:image",
    "twitter:image:src",
    "twitter:image0",
    "twitter:player",
    "twitter:player:stream",
    "twitter:url",
];

/// True for a property whose value is an address, such as `og:image` and `og:image:secure_url`.
pub(super) fn is_address_property(name: &[u8]) -> bool {
    let whole = name.to_ascii_lowercase();
    let start = [&b":url"[..], b":secure_url"].iter().find_map(|end| whole.strip_suffix(*end));
    let is_in = |name: &[u8]| ADDRESS_PROPERTIES.iter().any(|it| it.as_bytes() == name);
    is_in(&whole) || start.is_some_and(|start| start.starts_with(b"og:") && is_in(start))
}

/// Returns the type of an attribute; both names are in lower case.
pub(super) fn kind(element: &str, attribute: &str) -> AttributeKind {
    let on = |elements: &[&str], kind| {
        if elements.contains(&element) { kind } else { OTHER }
    };
    match attribute {
        // These occur on many elements of HTML and SVG, always with this meaning.
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
        "background" => on(&["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"], LINK),
        "manifest" => on(&["html"], LINK),
        "classid" => on(&["object"], LINK),
        "codebase" => on(&["object", "applet"], LINK),
        // HTML 4.01 §13 separates the archives of an `object` by white space, and those of an
        // `applet` by commas.
        "archive" => match element {
            "object" => LINKS,
            "applet" => AttributeKind::Archives,
            _ => OTHER,
        },
        "profile" => on(&["head"], LINKS),
        // Components of routers, which documents of MDX and Vue use as links.
        "to" => on(ROUTER_LINKS, LINK),
        "usemap" => on(&["img", "input", "object"], LINK),
        "lowsrc" | "dynsrc" => on(&["img"], LINK),
        "icon" => on(&["menuitem", "command"], LINK),
        // These are names of things and of types, which no browser loads (HTML Standard §5.2.2).
        "itemid" => AttributeKind::Reference(Role::Metadata),
        "itemtype" => AttributeKind::References(Role::Metadata),
        "srcdoc" => on(&["iframe"], AttributeKind::Document),
        "style" => AttributeKind::Style,
        // CSS properties that are attributes in SVG and may contain `url()`.
        "fill" | "stroke" | "filter" | "clip-path" | "mask" | "marker" | "marker-start"
        | "marker-mid" | "marker-end" | "cursor" => AttributeKind::Style,
        "xmlns" => AttributeKind::Value(Role::Metadata),
        _ if attribute.starts_with("xmlns:") => AttributeKind::Value(Role::Metadata),
        _ if attribute.starts_with("on") => AttributeKind::Script,
        _ => OTHER,
    }
}
