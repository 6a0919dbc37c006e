//! What is different on a terminal, by `script` of util-linux.

use super::support::{Dir, on_terminal};

#[test]
fn headings_colours_links() {
    let dir = Dir::new();
    dir.file("d/a", "\nhttp://a.example/\n")
        .file("d/b", "http://b.example/");
    let plain = [("NO_COLOR", "1")];
    let Some(out) = on_terminal(&dir, "--sort=path d", &plain) else {
        return;
    };
    assert_eq!(
        out,
        "d/a\n2:http://a.example/\n\nd/b\n1:http://b.example/\n"
    );
    assert_eq!(
        on_terminal(&dir, "d/a", &plain).unwrap(),
        "2:http://a.example/\n"
    );
    assert_eq!(
        on_terminal(&dir, "--no-heading d/", &plain)
            .unwrap()
            .lines()
            .count(),
        2
    );
    let out = on_terminal(&dir, "--sort=path d", &[]).unwrap();
    assert!(out.contains("\x1b[35md/a\x1b[0m"), "{out:?}");
    assert!(
        out.contains("\x1b[32m2\x1b[0m:\x1b[1m\x1b[31mhttp://a.example/\x1b[0m\n"),
        "{out:?}"
    );
    assert!(out.starts_with("\x1b]8;;file://"), "{out:?}");
    let out = on_terminal(&dir, "--hyperlink-format=none d", &[]).unwrap();
    assert!(!out.contains("\x1b]8"), "{out:?}");
    assert!(
        !on_terminal(&dir, "--color=never d", &[])
            .unwrap()
            .contains('\x1b')
    );
}
