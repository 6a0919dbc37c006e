//! How long a user waits in a large workspace. It is measured, not tested by `cargo test`:
//!
//! `URIGREP_BINARY=target/release/urigrep cargo test --test command lsp::latency -- --ignored --nocapture`

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Client;
use crate::support::Dir;

const DOCUMENTS: usize = 20_000;
const KEYSTROKES: usize = 200;

/// Documents in directories of 100, each with 12 links: to neighbours, with anchors, and one fault
/// in every tenth.
fn tree() -> Dir {
    let dir = Dir::new();
    for number in 0..DOCUMENTS {
        let mut text = format!("# Document {number}\n\n## Part one\n\n## Part two\n\n");
        for link in 1..=12 {
            let other = (number * 7 + link * 131) % DOCUMENTS;
            let anchor = if link % 2 == 0 { "#part-one" } else { "" };
            let _ = writeln!(
                text,
                "Some text and [a link](../{}/{other}.md{anchor}), and more text.\n",
                other / 100
            );
        }
        if number % 10 == 0 {
            text.push_str("[broken](none.md)\n");
        }
        dir.file(format!("{}/{number}.md", number / 100), text);
    }
    dir
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

#[test]
#[ignore = "it measures"]
fn a_large_workspace() {
    let dir = tree();
    let started = Instant::now();
    let mut client = Client::start(&dir);
    let name = "10/1000.md";
    client.open(name);
    let first = client.wait_for(name);
    println!(
        "{DOCUMENTS} documents: {first:?} from opening a file to its diagnostics, while all are audited"
    );
    client.settle();
    println!(
        "the whole workspace: {:?}; resident {} MiB",
        started.elapsed(),
        client.resident() >> 20
    );
    let text = fs::read_to_string(dir.join(name)).unwrap();
    let mut times = Vec::new();
    for stroke in 0..KEYSTROKES {
        let broken = if stroke % 2 == 0 { "[x](no.md)\n" } else { "[x](none.md)\n" };
        client.set(name, &format!("{text}{broken}"));
        times.push(client.wait_for(name));
    }
    // The pause that the server waits for is not work.
    let pause = Duration::from_millis(40);
    let [half, most] =
        [50, 99].map(|percent| percentile(&mut times, percent).saturating_sub(pause));
    println!(
        "a keystroke to diagnostics, without the pause of 40 ms: median {half:?}, 99 % {most:?}"
    );
    let mut times = Vec::new();
    for _ in 0..KEYSTROKES {
        let started = Instant::now();
        client.request("textDocument/completion", client.at(name, 6, 26));
        times.push(started.elapsed());
    }
    println!(
        "a completion: median {:?}, 99 % {:?}",
        percentile(&mut times, 50),
        percentile(&mut times, 99)
    );
    let started = Instant::now();
    fs::remove_file(dir.join("10/1007.md")).unwrap();
    client.files_changed(&["10/1007.md"]);
    client.settle();
    println!("a deletion to the diagnostics of all: {:?}", started.elapsed());
    let started = Instant::now();
    client.request("textDocument/references", client.at(name, 0, 3));
    println!("references: {:?}", started.elapsed());
    let mut params = json!({"files": []});
    params["files"] = json!([{"oldUri": client.uri(name), "newUri": client.uri("10/new.md")}]);
    let started = Instant::now();
    client.request("workspace/willRenameFiles", params);
    println!("renaming a file: {:?}", started.elapsed());
    println!("resident at the end: {} MiB", client.resident() >> 20);
}
