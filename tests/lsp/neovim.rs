//! A session in Neovim, where it is installed: `editors/neovim/session.lua`.

use std::process::{Command, Stdio};

use crate::support::Dir;

#[test]
fn a_broken_link_is_fixed_in_the_editor() {
    let version = Command::new("nvim").arg("--version").stdin(Stdio::null()).output();
    if !version.is_ok_and(|version| version.status.success()) {
        eprintln!("SKIPPED: Neovim is not installed, so no real editor was tested");
        return;
    }
    let dir = Dir::new();
    dir.file("a.md", "# One\n\nSee [two](B.md#two).\n");
    dir.file("b.md", "# Two\n");
    let session = concat!(env!("CARGO_MANIFEST_DIR"), "/editors/neovim/session.lua");
    let mut nvim = Command::new("nvim");
    nvim.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", session]);
    nvim.env("URIGREP", env!("CARGO_BIN_EXE_urigrep")).current_dir(dir.path()).stdin(Stdio::null());
    let ran = nvim.output().expect("Neovim runs");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(
        said.lines().map(str::trim_end).collect::<Vec<_>>(),
        [
            "appears: 3:11 target-case",
            "action: Change to `b.md#two`",
            "text: # One||See [two](b.md#two).",
            "vanished",
        ],
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    assert!(ran.status.success());
}
