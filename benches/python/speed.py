#!/usr/bin/env python3
"""Rows of 1 KB through the package and through what else Python users have: rows/s, MB/s of CPU time, matches.

usage: speed.py FILE... [--rows N] [--rounds N] [--spark]

FILE is text, or gzip of it (mail, logs, pages), which is cut into rows of 1,000 bytes. Each figure is the median of the rounds, all
ways in turn, by CPU time of this process, so of one core. Slow ways get fewer rows. The URIs that each finds are counted,
and compared with those of `find_batch`: speed without the same answer is no comparison; `labels.py` says which are right.
"""

import argparse
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa

import urigrep

REGEX = r"(?i)\b[a-z][a-z0-9+.-]*://[^\s<>\"]+"


def read_rows(files, count):
    texts = []
    for name in files:
        opened = gzip.open(name) if name.endswith(".gz") else open(name, "rb")
        with opened as file:
            texts.append(file.read())
    text = b"".join(texts)
    rows = [text[at : at + 1000].decode("utf-8", "replace") for at in range(0, len(text), 1000)]
    while len(rows) < count:
        rows += rows
    return rows[:count]


def ways(rows):
    """Name, how many of the rows it is given, and what counts its matches."""
    array = pa.array(rows)
    finder = urigrep.Finder()

    def batch(**options):
        return lambda n: len(urigrep.find_batch(array[:n], threads=1, **options))

    everything = {"email": True, "abbreviated": True}
    all_rows = len(rows)
    # little but the library itself
    yield "find_batch, row alone", all_rows, batch(columns=["row"])
    yield "find_batch, all columns", all_rows, batch()
    yield "find_batch, uri", all_rows, batch(columns=["uri"])
    yield "extract_batch, list of uri", all_rows, lambda n: count_lists(array[:n])
    yield "find_batch, email and abbreviated", all_rows, batch(columns=["uri"], **everything)
    yield "loop over find", all_rows, lambda n: sum(len(finder.find(row)) for row in rows[:n])
    compiled = re.compile(REGEX)
    yield "loop over re", all_rows // 4, lambda n: sum(len(compiled.findall(row)) for row in rows[:n])
    try:
        import polars as pl

        from urigrep.polars import uris

        frame = pl.DataFrame({"text": rows})
        yield "polars, urigrep.polars.uris", all_rows, lambda n: (
            frame[:n].select(uris("text", threads=1).list.len().sum()).item()
        )
        yield "polars, extract_all(regex)", all_rows, lambda n: (
            frame[:n].select(pl.col("text").str.extract_all(REGEX).list.len().sum()).item()
        )
    except ImportError:
        print("polars is not installed")
    try:
        import duckdb

        connection = duckdb.connect(config={"threads": 1})
        connection.register("texts", pa.table({"text": array}))
        query = f"SELECT sum(len(regexp_extract_all(text, '{REGEX}'))) FROM (SELECT text FROM texts LIMIT "
        yield "duckdb, regexp_extract_all", all_rows // 4, lambda n: int(
            connection.sql(f"{query}{n})").fetchall()[0][0]
        )
    except ImportError:
        print("duckdb is not installed")
    try:
        import iocextract

        yield "iocextract", all_rows // 500, lambda n: sum(
            1 for row in rows[:n] for _ in iocextract.extract_unencoded_urls(row)
        )
    except ImportError:
        print("iocextract is not installed")
    try:
        import urlextract

        extractor = urlextract.URLExtract()
        yield "URLExtract", all_rows // 500, lambda n: sum(len(extractor.find_urls(row)) for row in rows[:n])
    except ImportError:
        print("urlextract is not installed")


def count_lists(array):
    lists = pa.array(urigrep.extract_batch(array, columns="uri", threads=1))
    return len(lists.values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--spark", action="store_true", help="also Spark, local[1] and local[2], net of start-up")
    arguments = parser.parse_args()
    rows = read_rows(arguments.files, arguments.rows)
    size = [len(row.encode()) for row in rows]
    all_ways = list(ways(rows))
    times = {name: [] for name, *_ in all_ways}
    counts = {}
    for _ in range(arguments.rounds):
        for name, n, act in all_ways:
            started = time.process_time()
            counts[name] = act(n)
            times[name].append(time.process_time() - started)
    print(f"{len(rows)} rows, {sum(size) / 1e6:.0f} MB, median of {arguments.rounds} rounds\n")
    print("| way | rows | rows/s | MB/s | matches | matches of find_batch there |")
    print("|---|---|---|---|---|---|")
    array = pa.array(rows)
    for name, n, _ in all_ways:
        seconds = statistics.median(times[name])
        ours = len(urigrep.find_batch(array[:n], columns=["uri"]))
        speed = sum(size[:n]) / seconds / 1e6
        print(f"| {name} | {n} | {n / seconds:,.0f} | {speed:,.1f} | {counts[name]} | {ours} |")
    if arguments.spark:
        spark(rows, sum(size), arguments.rounds)


SPARK = """
import json, os, sys, time
from pyspark.sql import SparkSession
import pyarrow as pa
import urigrep.spark
master, path, rounds = sys.argv[1:]
spark = (SparkSession.builder.master(master).config("spark.ui.enabled", "false")
         .config("spark.driver.memory", "2g").getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
frame = spark.read.parquet(path)
def noop(frame):
    frame.write.format("noop").mode("overwrite").save()
def same(batches):
    yield from batches
def with_uris(batches):
    for batch in batches:
        lists = urigrep.extract_batch(batch.column("text"), columns="uri", threads=1)
        yield pa.RecordBatch.from_arrays([pa.array(lists)], ["uris"])
ways = {
    "read": lambda: noop(frame),
    "mapInArrow that hands its batches back": lambda: noop(frame.mapInArrow(same, "text string")),
    "find_uris": lambda: noop(urigrep.spark.find_uris(frame, "text")),
    "mapInArrow of extract_batch, list of uri": lambda: noop(frame.mapInArrow(with_uris, "uris array<string>")),
    "uris(), Arrow UDF": lambda: noop(frame.select(urigrep.spark.uris("text"))),
}
times = {name: [] for name in ways}
for round in range(int(rounds) + 1):
    for name, act in ways.items():
        started = time.time()
        act()
        if round:
            times[name].append(time.time() - started)
print(json.dumps(times))
"""


def spark(rows, size, rounds):
    import tempfile

    import pyarrow.parquet as pq

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "rows.parquet"
        pq.write_table(pa.table({"text": rows}), path, row_group_size=len(rows) // 8)
        print("\n| Spark, by the clock | " + " | ".join(("local[1] rows/s", "MB/s", "local[2] rows/s", "MB/s")) + " |")
        print("|---|---|---|---|---|")
        results = []
        for master in ("local[1]", "local[2]"):
            ran = subprocess.run([sys.executable, "-c", SPARK, master, str(path), str(rounds)], capture_output=True, text=True)
            if ran.returncode:
                sys.exit(ran.stderr)
            times = json.loads(ran.stdout.splitlines()[-1])
            results.append({name: statistics.median(all) for name, all in times.items()})
        for name in results[0]:
            cells = (f"{len(rows) / r[name]:,.0f} | {size / r[name] / 1e6:,.0f}" for r in results)
            print(f"| {name} | {' | '.join(cells)} |")
        for master, result in zip(("local[1]", "local[2]"), results):
            base, found = result["mapInArrow that hands its batches back"], result["find_uris"]
            print(f"\n{master}: find_uris takes {found / base:.2f} times as long as handing the batches back")


if __name__ == "__main__":
    main()
