//! What packages and manifests are made of: `packaging/` and the addresses in all files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use regex::Regex;

use crate::support::{Dir, has};

const TARGETS: [&str; 6] = [
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
];
const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path.as_ref())).expect("a file of the repository")
}

#[track_caller]
fn run(program: &str, args: &[&str], directory: &Path) -> Output {
    let program = if program.contains('/') { root().join(program) } else { PathBuf::from(program) };
    let output =
        Command::new(&program).args(args).current_dir(directory).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{} {args:?}: {said}", program.display());
    output
}

/// Whether Python can read TOML.
fn has_python() -> bool {
    let python = Command::new("python3").args(["-c", "import tomllib"]).output();
    python.is_ok_and(|output| output.status.success())
}

/// Returns the files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// The address of the repository stands in Cargo.toml; a text that must repeat it has the same.
#[test]
fn there_is_one_address_and_one_version() {
    let address = Regex::new(r"github\.com/([\w.-]+/urigrep)\b|uses: ([\w.-]+/urigrep)@").unwrap();
    let expected = REPOSITORY.strip_prefix("https://github.com/").expect("an address");
    let mut places =
        ["README.md", "action.yml", "flake.nix", "python/README.md", "python/pyproject.toml"]
            .map(|path| root().join(path))
            .to_vec();
    for folder in ["docs/guide", "docs/reference", "packaging", ".github", "editors", "src/cli"] {
        places.extend(files(&root().join(folder)));
    }
    let (mut count, mut wrong) = (0, Vec::new());
    for path in places {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
        for found in address.captures_iter(&text) {
            count += 1;
            let name = found.get(1).or(found.get(2)).map_or("", |name| name.as_str());
            if name != expected {
                wrong.push(format!("{}: {name}", path.display()));
            }
        }
        let is_template = path.starts_with(root().join("packaging"));
        assert!(!is_template || !text.contains(REPOSITORY), "{}", path.display());
    }
    assert!(count > 1 && wrong.is_empty(), "{count} addresses, wrong: {wrong:?}");
    for manifest in ["python/Cargo.toml", "capi/Cargo.toml"] {
        assert!(read(manifest).contains(&format!("\nversion = \"{VERSION}\"\n")), "{manifest}");
    }
    assert!(read("CHANGELOG.md").contains(&format!("## {VERSION}\n")));
}

#[test]
fn manifests_have_the_version_the_address_and_the_checksums() {
    if !has_python() {
        eprintln!("SKIPPED: no Python that reads TOML");
        return;
    }
    let dir = Dir::new();
    for (index, target) in TARGETS.iter().enumerate() {
        let suffix = if target.contains("windows") { "zip" } else { "tar.gz" };
        dir.file(format!("in/urigrep-{VERSION}-{target}.{suffix}"), index.to_string());
    }
    run("packaging/render", &["in", "out"], dir.path());
    let manifests = files(&dir.join("out"));
    assert!(manifests.len() >= 7, "{manifests:?}");
    for path in &manifests {
        let text = fs::read_to_string(path).expect("a manifest");
        assert!(!text.contains("{{") && text.contains(VERSION), "{}", path.display());
        // The page that only says which other files there are has no address.
        let is_index = path.ends_with("winget/urigrep.urigrep.yaml");
        assert!(is_index || text.contains(REPOSITORY), "{}", path.display());
    }
    let manifest = |path: &str| fs::read_to_string(dir.join("out").join(path)).expect("a manifest");
    // SHA-256 of `0`.
    let digest = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9";
    assert!(manifest("homebrew/urigrep.rb").contains(digest));
    let url = format!(
        "{REPOSITORY}/releases/download/v{VERSION}/urigrep-{VERSION}-x86_64-unknown-linux-musl.tar.gz"
    );
    for path in ["homebrew/urigrep.rb", "aur/PKGBUILD"] {
        assert!(manifest(path).contains(&format!("\"{url}\"")), "{path}");
    }
    let scoop: serde_json::Value =
        serde_json::from_str(&manifest("scoop/urigrep.json")).expect("JSON");
    assert_eq!(scoop["version"], VERSION);
    run("bash", &["-n", "out/aur/PKGBUILD"], dir.path());
    if has("ruby") {
        run("ruby", &["-c", "out/homebrew/urigrep.rb"], dir.path());
    }
    // What cargo-binstall fetches has the same name.
    let binstall = read("Cargo.toml");
    assert!(
        binstall.contains(
            "{ repo }/releases/download/v{ version }/urigrep-{ version }-{ target }.tar.gz"
        )
    );
}

#[test]
fn an_archive_has_pages_and_completions() {
    if !has("tar") || !has("bash") {
        eprintln!("SKIPPED: no tar or no bash");
        return;
    }
    let dir = Dir::new();
    let command = env!("CARGO_BIN_EXE_urigrep");
    run("packaging/archive", &[command, "x86_64-unknown-linux-musl", "out"], dir.path());
    let name = format!("urigrep-{VERSION}-x86_64-unknown-linux-musl");
    run("tar", &["-xzf", &format!("out/{name}.tar.gz")], dir.path());
    for path in [
        "urigrep",
        "LICENSE-MIT",
        "man/urigrep.1",
        "man/urigrep-audit.1",
        "complete/_urigrep",
        "complete/urigrep.fish",
    ] {
        let is_full = fs::metadata(dir.join(&name).join(path)).is_ok_and(|file| file.len() > 100);
        assert!(is_full, "{path}");
    }
    let output = Command::new(command).args(["--generate", "nothing"]).output().expect("it runs");
    let values = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut count = 0;
    for page in Regex::new(r"man-([a-z]+)").unwrap().captures_iter(&values) {
        let path = dir.join(&name).join(format!("man/urigrep-{}.1", &page[1]));
        assert!(path.exists(), "{}", &page[1]);
        count += 1;
    }
    assert!(count >= 9, "{count}");
}
