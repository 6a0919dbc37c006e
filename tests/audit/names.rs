//! Names that were meant, and the anchors of headings.

use urigrep::audit::{Anchors, Slugs, Spellings};
use urigrep::document::Format;

#[test]
fn slips_of_the_pen() {
    let names = Spellings::new(["getting-started.md", "faq.md", "CHANGELOG.md", "img"]);
    for slip in [
        "getting-started.md",
        "Getting_Started.md",
        "gettingstarted.md",
        "geting-started.md",
        "gettting-started.md",
        "gettnig-started.md",
        "getting-startet.md",
        "getting-started",
        "getting-started.html",
    ] {
        assert_eq!(names.nearest(slip), Some("getting-started.md"), "{slip}");
    }
    assert_eq!(names.nearest("changelog.txt"), Some("CHANGELOG.md"));
    assert_eq!(names.nearest("IMG"), Some("img"));
    for other in ["ing", "install.md", "", "...", "started.md"] {
        assert_eq!(names.nearest(other), None, "{other}");
    }
}

#[test]
fn swapped_neighbours_share_a_key() {
    assert_eq!(Spellings::new(["abcdef"]).nearest("abdcef"), Some("abcdef"));
}

fn anchors(headings: &[&str]) -> Anchors {
    let text: String = headings.iter().map(|heading| format!("# {heading}\n\n")).collect();
    Anchors::read(Format::MARKDOWN, text.as_bytes(), Slugs::Mkdocs)
}

#[test]
fn python_counts_up() {
    let names = anchors(&["A", "A", "A 1", "A_1", "A_1", "A", "", "", "Žlutý (kůň) & co"]);
    for name in ["a", "a_1", "a-1", "a_2", "a_3", "a_4", "_1", "_2", "zluty-kun-co"] {
        assert!(names.contains(name), "{name}");
    }
    assert_eq!(names.len(), 9);
}

#[test]
fn many_headings_of_one_stem_are_linear() {
    // Each number is there already when its heading comes a second time.
    let headings: Vec<String> = (0..40_000).map(|n| format!("a_{}", n % 20_000)).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    assert!(anchors(&headings).contains("a_39999"));
    assert!(anchors(&["a"; 40_000]).contains("a_39999"));
}

/// Those of a document that was read for its links are those that are read alone.
#[test]
fn anchors_are_the_same_however_they_are_read() {
    let html = "<p id=a><a name=\"b\" href=x>y</a><h2 id='c&amp;d'>e</h2><script>location.href = \"f\"</script>";
    let markdown = "# A b\n## A b\n## C {#d}\n(e)=\n<p id=\"f\">\n\nterm\n: about\n";
    for (format, text) in [(Format::HTML, html), (Format::MARKDOWN, markdown)] {
        let alone = Anchors::read(format, text.as_bytes(), Slugs::Github);
        let facts = urigrep::audit::read(Some(format), text.as_bytes(), &urigrep::Finder::new());
        let both = facts.anchors(Slugs::Github);
        for name in ["a", "b", "c&d", "e", "a-b", "a-b-1", "d", "f", "term", "none", "c"] {
            assert_eq!(alone.contains(name), both.contains(name), "{name} of {text}");
        }
        assert_eq!((alone.len(), alone.redirect()), (both.len(), both.redirect()), "{text}");
        assert_eq!(alone.redirect(), (format == Format::HTML).then_some("f"));
    }
}
