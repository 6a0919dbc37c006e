//! WARC files: records of a crawl.

use super::{both, lossy};
use crate::support::pack::gzip;

const PAGE: &[u8] = b"<!doctype html><a href='/b'>b</a>";

fn record(fields: &str, block: &[u8]) -> Vec<u8> {
    let header = format!("WARC/1.0\r\n{fields}\r\nContent-Length: {}\r\n\r\n", block.len());
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn records() -> Vec<Vec<u8>> {
    let http = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nLocation: http://c.example/\r\n\r\n", PAGE].concat();
    vec![
        record(
            "WARC-Type: warcinfo\r\nWARC-Filename: a.warc.gz\r\nContent-Type: application/warc-fields",
            b"software: x\r\n",
        ),
        record(
            "WARC-Type: response\r\nWARC-Target-URI: <http://a.example/x.txt>\r\nContent-Type: application/http; msgtype=response",
            &http,
        ),
        record(
            "WARC-Type: conversion\r\nWARC-Target-URI: http://a.example/y.html\r\nContent-Type: text/plain",
            b"urn:a-b:c WARC/1.0\r\n",
        ),
        record(
            "WARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:1>\r\ncontent-type: application/json",
            b"",
        ),
    ]
}

const NAMES: [&str; 5] = [
    "warc!/warcinfo/a.warc.gz",
    "warc!/header-of-response/http://a.example/x.txt",
    "warc!/response/http://a.example/x.txt",
    "warc!/conversion/http://a.example/y.html",
    "warc!/metadata/urn:uuid:1",
];

#[test]
fn records_are_members() {
    let seen = both(&records().concat(), "crawl");
    assert_eq!(seen.problems, []);
    assert_eq!(seen.names(), NAMES);
    assert!(lossy(&seen.streams[1].1).ends_with("Location: http://c.example/\r\n\r\n"));
    assert_eq!(seen.streams[2].1, PAGE);
    assert_eq!(seen.streams[3].1, b"urn:a-b:c WARC/1.0\r\n");
    assert_eq!(seen.streams[4].1, b"");
}

/// The type of a body counts also where it was compressed for the transfer, unless it was decoded.
#[test]
fn compressed_bodies_keep_their_type() {
    let page = b"<a href='/b'>b</a>";
    for (body, name) in [(gzip(page), "payload.html"), (page.to_vec(), "payload.html")] {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
        let fields = "WARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http";
        let seen = both(&record(fields, &[&head[..], &body].concat()), "crawl");
        assert_eq!(seen.problems, []);
        assert_eq!(seen.file_names.last().map(String::as_str), Some(name));
        assert_eq!(seen.streams[1].1, page);
    }
}

#[test]
fn gzip_by_record() {
    let packed: Vec<u8> = records().iter().flat_map(|record| gzip(record)).collect();
    let seen = both(&packed, "crawl.warc.gz");
    assert_eq!(seen.problems, []);
    assert_eq!(seen.names(), NAMES.map(|name| format!("gzip+{name}")));
}

#[test]
fn line_feeds_alone() {
    let text = lossy(&records().concat()).replace("\r\n", "\n");
    // The lengths count those of the blocks.
    let seen = both(b"WARC/1.1\nWARC-Type: resource\nContent-Length: 9\n\nurn:a-b:c\n\n", "crawl");
    assert_eq!((seen.names(), seen.problems()), (vec!["warc!/resource/"], vec![]));
    assert!(!both(text.as_bytes(), "crawl").streams.is_empty());
}

#[test]
fn what_is_cut_is_told() {
    let whole = records().concat();
    let starts: Vec<usize> = records()
        .iter()
        .scan(0, |at, record| {
            *at += record.len();
            Some(*at)
        })
        .collect();
    for cut in 20..whole.len() {
        let seen = both(&whole[..cut], "crawl");
        // Behind its block, the line breaks of a record may be missing.
        let is_end = starts.iter().any(|end| (*end - 4..=*end).contains(&cut));
        assert_eq!(seen.problems.len(), usize::from(!is_end), "{cut}: {:?}", seen.problems);
    }
}

#[test]
fn what_is_broken_is_text() {
    for text in [
        "WARC/1.0 is the first version, see http://a.example/",
        "WARC/1.0\nhttp://a.example/\n\nx",
        "WARC/\n",
    ] {
        let seen = both(text.as_bytes(), "notes");
        assert_eq!(lossy(&seen.streams.last().unwrap().1), text);
    }
    let followed =
        [&record("WARC-Type: resource", b"x")[..], b"http://b.example/\r\n\r\n"].concat();
    let seen = both(&followed, "crawl");
    assert_eq!(seen.problems(), ["the warc data is corrupt: a record does not start with WARC/"]);
}
