"""Short rows in Spark: `find_uris` beside `regexp_extract_all` of the JVM, in one run.

    python benches/python/spark_short.py [ROWS [ROUNDS]]

Prints the medians of the clock and of the processor time of all processes, and their ratios to the
regular expression. It needs the package with its extra `spark`, Java, and Linux, for /proc. With other
work on the machine, trust the processor time.
"""

import os
import random
import statistics
import sys
import time
from pathlib import Path

os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")

from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

from urigrep.spark import find_uris, uris  # noqa: E402

PATTERN = r'https?://[^\s<>"]+'
BASE = "regexp_extract_all"


def rows(count: int) -> list[tuple[str]]:
    """Lines of 107 bytes with two URIs, as in an access log."""
    numbers = random.Random(1)

    def number() -> str:
        return f"{numbers.randrange(10**6):06}"

    return [
        (
            f"2026-11-25T10:{row % 60:02}:00Z GET https://shop.example/item/{number()}?ref=home "
            f"from http://search.example/q?x={number()} ok",
        )
        for row in range(count)
    ]


def processor_time(process: int) -> float:
    """Seconds of a process and of all that it started."""
    parents: dict[int, tuple[int, int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(path.name)] = (int(fields[1]), sum(map(int, fields[11:15])))

    def total(of: int) -> int:
        return parents[of][1] + sum(total(it) for it, (parent, _) in parents.items() if parent == of)

    return total(process) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    count, rounds = (int(word) for word in [*sys.argv[1:], "300000", "7"][:2])
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    process = spark.sparkContext._gateway.proc.pid
    frame = spark.createDataFrame(rows(count), ["text"]).repartition(8).cache()
    frame.count()

    found = F.regexp_extract_all("text", F.lit(PATTERN), F.lit(0))
    ways: dict[str, DataFrame] = {
        BASE: frame.select(F.explode(found).alias("uri")),
        'find_uris(columns=["uri"])': find_uris(frame, "text", columns=["uri"]).select("uri"),
        "find_uris, all columns": find_uris(frame, "text"),
        "uris, exploded": frame.select(F.explode(uris("text", columns="uri")).alias("uri")),
        "mapInArrow, batches as they are": frame.mapInArrow(lambda batches: batches, "text string"),
    }
    for name in list(ways)[1:4]:
        assert ways[name].select("uri").exceptAll(ways[BASE]).isEmpty(), name
        assert ways[BASE].exceptAll(ways[name].select("uri")).isEmpty(), name

    clock: dict[str, list[float]] = {name: [] for name in ways}
    processor: dict[str, list[float]] = {name: [] for name in ways}
    for round_ in range(rounds + 1):
        for name, way in ways.items():
            started, used = time.perf_counter(), processor_time(process)
            way.write.format("noop").mode("overwrite").save()
            # The first round compiles.
            if round_ > 0:
                clock[name].append(time.perf_counter() - started)
                processor[name].append(processor_time(process) - used)
    print(f"{'':34} {'clock':>8} {'ratio':>6} {'CPU':>8} {'ratio':>6}")
    medians = [{name: statistics.median(it) for name, it in all_.items()} for all_ in (clock, processor)]
    for name in ways:
        columns = (f"{of[name]:6.2f} s {of[name] / of[BASE]:6.2f}" for of in medians)
        print(f"{name:34} {' '.join(columns)}")


if __name__ == "__main__":
    main()
