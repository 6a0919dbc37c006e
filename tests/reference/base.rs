//! Which layer gives the base (RFC 3986 §5.1, S4 §5.1).

use crate::tsv;
use urigrep::reference::{Base, BaseBuilder, BaseSource, Resolution};
use urigrep::{UriRef, resolve};

fn established(builder: BaseBuilder<'_>) -> (String, BaseSource) {
    let base = builder.establish().expect("a base");
    (base.uri().as_str().to_owned(), base.source())
}

#[test]
fn the_innermost_layer_wins() {
    let entity = Base::builder().retrieval("http://entity.example/").establish().unwrap();
    let mut builder = Base::builder();
    assert_eq!(builder.establish(), None);
    type Layer<'a> = fn(BaseBuilder<'a>, &'a Base) -> BaseBuilder<'a>;
    let layers: [(Layer<'_>, &str, BaseSource); 6] = [
        (
            |b, _| b.application_default("http://default.example/"),
            "http://default.example/",
            BaseSource::Default,
        ),
        (
            |b, _| b.retrieval("http://retrieval.example/"),
            "http://retrieval.example/",
            BaseSource::Retrieval,
        ),
        (|b, e| b.encapsulating(e), "http://entity.example/", BaseSource::EncapsulatingEntity),
        (
            |b, _| b.content_location("http://location.example/"),
            "http://location.example/",
            BaseSource::ContentLocation,
        ),
        (
            |b, _| b.content_base("http://base.example/"),
            "http://base.example/",
            BaseSource::ContentBase,
        ),
        (
            |b, _| b.content("http://content.example/"),
            "http://content.example/",
            BaseSource::Content,
        ),
    ];
    for (layer, uri, source) in layers {
        builder = layer(builder, &entity);
        assert_eq!(established(builder), (uri.to_owned(), source));
        // Alone it does too.
        assert_eq!(established(layer(Base::builder(), &entity)), (uri.to_owned(), source));
    }
}

/// What `corpus/reference/base.tsv` has in its second column.
fn base_of(layers: &str) -> String {
    let layers: Vec<(String, String)> = layers
        .split(" | ")
        .map(|layer| {
            let (name, value) = layer.split_once('=').expect("a layer has a value");
            (name.to_owned(), tsv::unescape(value))
        })
        .collect();
    let around = layers.iter().find(|(name, _)| name == "encapsulating");
    let around = around.map(|(_, uri)| Base::builder().retrieval(uri).establish().expect("a base"));
    let mut builder = Base::builder();
    for (name, value) in &layers {
        builder = match (name.as_str(), &around) {
            ("default", _) => builder.application_default(value),
            ("retrieval", _) => builder.retrieval(value),
            ("encapsulating", Some(base)) => builder.encapsulating(base),
            ("location", _) => builder.content_location(value),
            ("content-base", _) => builder.content_base(value),
            ("content", _) => builder.content(value),
            _ => panic!("no layer is called {name}"),
        };
    }
    match builder.establish() {
        Some(base) => format!("{:?} {}", base.source(), base.uri().as_str()),
        None => "none".to_owned(),
    }
}

#[test]
fn vectors() {
    for row in tsv::rows(&tsv::root().join("corpus/reference/base.tsv"), 4) {
        assert_eq!(base_of(&row[1]), row[2], "{}: {}", row[0], row[3]);
    }
}

/// A hierarchy of parts, each of which redefines the context or does not (S4 §5.1.2).
#[test]
fn parts_in_parts() {
    let message = Base::builder()
        .retrieval("http://archive.example/17")
        .content_base("http://www.ics.uci.edu/Test/a/b/c")
        .establish()
        .unwrap();
    let multipart = Base::builder().encapsulating(&message).establish().unwrap();
    assert_eq!(multipart.source(), BaseSource::EncapsulatingEntity);
    assert_eq!(multipart.uri(), message.uri());
    let inner =
        Base::builder().encapsulating(&multipart).content_location("d/e").establish().unwrap();
    let html = Base::builder().encapsulating(&inner).content("/f/").establish().unwrap();
    assert_eq!(html.uri().as_str(), "http://www.ics.uci.edu/f/");
    // S4 appendix D.
    let page = Base::builder()
        .retrieval("http://elsewhere.example/")
        .content("http://www.ics.uci.edu/Test/a/b/c")
        .establish()
        .unwrap();
    let reference = UriRef::parse("../x").unwrap();
    assert_eq!(resolve(page.uri(), reference), "http://www.ics.uci.edu/Test/a/x");
    let older = Resolution::UrlSyntax05.resolve(page.uri(), reference);
    assert_eq!(older.uri(), Some("http://www.ics.uci.edu/Test/a/x"));
}
