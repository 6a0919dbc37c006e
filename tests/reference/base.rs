//! Which layer gives the base (RFC 3986 §5.1, S4 §5.1).

use urigrep::{Base, BaseBuilder, BaseSource, Resolution, UriRef, resolve};

fn established(builder: BaseBuilder<'_>) -> (String, BaseSource) {
    let base = builder.establish().expect("a base");
    (base.uri().as_str().to_owned(), base.source())
}

#[test]
fn the_innermost_layer_wins() {
    let entity = Base::builder()
        .retrieval("http://entity.example/")
        .establish()
        .unwrap();
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
        (
            |b, e| b.encapsulating(e),
            "http://entity.example/",
            BaseSource::EncapsulatingEntity,
        ),
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
        assert_eq!(
            established(layer(Base::builder(), &entity)),
            (uri.to_owned(), source)
        );
    }
}

#[test]
fn relative_layers_are_resolved_first() {
    let retrieval = Base::builder().retrieval("http://a.example/b/c?q");
    assert_eq!(
        established(retrieval.content_location("../d")),
        ("http://a.example/d".to_owned(), BaseSource::ContentLocation)
    );
    // A relative Content-Base is none (S4 §5.1.1), and neither is a relative retrieval URI.
    assert_eq!(
        established(retrieval.content_base("../d")),
        ("http://a.example/b/c?q".to_owned(), BaseSource::Retrieval)
    );
    assert_eq!(Base::builder().retrieval("a/b").establish(), None);
    // The content's own is relative to what the headers came to, of which Content-Base comes first.
    assert_eq!(
        established(retrieval.content_location("/d/").content("e")),
        ("http://a.example/d/e".to_owned(), BaseSource::Content)
    );
    assert_eq!(
        established(
            retrieval
                .content_location("/d/")
                .content_base("http://f.example/")
                .content("e")
        ),
        ("http://f.example/e".to_owned(), BaseSource::Content)
    );
    assert_eq!(
        Base::builder()
            .content_location("/d/")
            .content("e")
            .establish(),
        None
    );
}

#[test]
fn white_space_fragments_and_faults() {
    let location = Base::builder().content_location(" http://a.example/\r\n\t b /c ");
    assert_eq!(established(location).0, "http://a.example/b/c");
    let content = Base::builder().content("\n http://a.example/b#c ");
    assert_eq!(established(content).0, "http://a.example/b");
    // Inside, it is no white space around it.
    assert_eq!(
        Base::builder().content("http://a.example/b c").establish(),
        None
    );
    for fault in ["http://[", "", "#f", "1:2", "%"] {
        let around = Base::builder().retrieval("http://r.example/x");
        let want = ("http://r.example/x".to_owned(), BaseSource::Retrieval);
        assert_eq!(established(around.content_base(fault)), want, "{fault}");
    }
    // An empty reference is the base around it, which the content then repeats.
    let around = Base::builder().retrieval("http://r.example/x");
    assert_eq!(established(around.content("")).0, "http://r.example/x");
    let iri = Base::builder().content("http://r.example/é");
    assert_eq!(established(iri).0, "http://r.example/%C3%A9");
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
    let inner = Base::builder()
        .encapsulating(&multipart)
        .content_location("d/e")
        .establish()
        .unwrap();
    let html = Base::builder()
        .encapsulating(&inner)
        .content("/f/")
        .establish()
        .unwrap();
    assert_eq!(html.uri().as_str(), "http://www.ics.uci.edu/f/");
    // S4 appendix D.
    let page = Base::builder()
        .retrieval("http://elsewhere.example/")
        .content("http://www.ics.uci.edu/Test/a/b/c")
        .establish()
        .unwrap();
    let reference = UriRef::parse("../x").unwrap();
    assert_eq!(
        resolve(page.uri(), reference),
        "http://www.ics.uci.edu/Test/a/x"
    );
    let older = Resolution::UrlSyntax05.resolve(page.uri(), reference);
    assert_eq!(older.uri(), Some("http://www.ics.uci.edu/Test/a/x"));
}
