//! `urigrep corpus`, the first thing that a newcomer runs: corpus/sample, and nothing of the
//! vectors.

use std::path::Path;

use crate::support::{command, finish, spawn};

const SHOWN: &str = "\
corpus/sample/guide.md:3:https://tides.example/handbook#tables
corpus/sample/guide.md:4:https://en.wikipedia.org/wiki/Tide_(1999_film)
corpus/sample/guide.md:7:https://archive.example/tides/a%20list.html
corpus/sample/list.mbox:8:http://www.tides.example/reports/2026/spring.html?station=north&unit=m
corpus/sample/list.mbox:10:urn:ietf:rfc:3986
corpus/sample/list.mbox:19:http://www.tides.example/reports/2026/spring.html?station=north&unit=m
corpus/sample/list.mbox:22:doi:10.1000/182
corpus/sample/list.mbox:22:mailto:list@tides.example
corpus/sample/papers.bib:4:https://papers.example/tides_1999.pdf
corpus/sample/papers.bib:5:urn:isbn:978-0-306-40615-7
corpus/sample/papers.bib:5:ark:/12148/btv1b8449691v
corpus/sample/server.log:1:https://tides.example:8443/v1/levels?station=north&from=2026-03-01
corpus/sample/server.log:2:https://bo:swordfish@tides.example/
corpus/sample/server.log:3:akka.tcp://tides@[2001:db8::17]:2551/user
corpus/sample/site/index.html:3:https://tides.example/
corpus/sample/site/index.html:4:https://tides.example/search?q=low&unit=m
corpus/sample/site/index.html:4:https://tides.example/map
corpus/sample/site/index.html:5:http://潮汐.example/表
";

#[test]
fn the_main_job_shows_the_sample() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = finish(spawn(command(["--sort=path", "-n", "corpus"]).current_dir(here)));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.out(), SHOWN);
}
