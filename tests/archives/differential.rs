//! Mutated archives by the decoders of Python, too: what they read, the command reads, or it says
//! that it could not.

use std::path::Path;
use std::process::Command;

use crate::support::has;

#[test]
fn what_python_reads() {
    if !has("python3") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives/differential.py");
    let count = std::env::var("URIGREP_CASES").unwrap_or_else(|_| "2000".to_owned());
    let ran = Command::new("python3")
        .arg(script)
        .args(["--count", &count, env!("CARGO_BIN_EXE_urigrep")])
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}
