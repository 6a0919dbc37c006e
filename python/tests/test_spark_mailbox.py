"""One large mailbox, split over the executors of a cluster: the hits of the command, message for message.

URIGREP_MAILBOX_MB makes it larger than a few MB, and URIGREP_MAILBOXES names mailboxes (also in gzip), with `:` between them,
whose messages it is made of.
"""

import base64
import collections
import gzip
import itertools
import json
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")

import urigrep.spark  # noqa: E402
from conftest import MESSAGE, command_line  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

MEGABYTES = int(os.environ.get("URIGREP_MAILBOX_MB", "4"))
#: What a task reads: some sixteen parts of the small mailbox, as many as by default of a large one.
PART = min(64 << 20, MEGABYTES * 1_000_000 // 16)
HEADERS = """From jo@a.example Tue May  7 07:08:09 2024
From: jo@a.example
Message-ID: <{id}@a.example>
Subject: {id}
"""
PLACES = ["message_id", "start", "end", "uri"]


def seeds():
    """Mailboxes to repeat: what is easily taken for the start of a message, or for a link of another one."""
    if names := os.environ.get("URIGREP_MAILBOXES"):
        return [gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text for text in map(Path.read_bytes, map(Path, names.split(":")))]
    plain = "".join(MESSAGE.format(sender="jo", number=n, second=n % 60) for n in range(100))
    quoted = HEADERS.format(id="quoted") + "\n>From http://quoted.example/ on\nFrom here on see http://here.example/\n\n"
    nameless = "From jo@a.example Tue May  7 07:08:09 2024\nFrom: jo@a.example\n\nsee http://nameless.example/ and\n\n"
    # longer than a part of a small mailbox
    body = base64.encodebytes(b"".join(b"<http://packed.example/%d>\n" % n for n in range(12_000))).decode()
    packed = HEADERS.format(id="packed") + "Content-Transfer-Encoding: base64\n\n" + body + "\n"
    return [text.encode() for text in (plain, quoted, nameless, packed)]


@pytest.fixture(scope="module")
def mailbox(tmp_path_factory):
    path = tmp_path_factory.mktemp("mailbox") / "large.mbox"
    texts = seeds()
    with path.open("wb") as file:
        for round in itertools.count():
            for text in texts:
                varied = text.replace(b"\nMessage-ID: <", b"\nMessage-ID: <%d." % round)
                file.write(varied.replace(b"http://", b"http://r%d." % round))
                if file.tell() >= MEGABYTES * 1_000_000:
                    break
            else:
                continue
            break
    yield path
    path.unlink()


@pytest.fixture(scope="module")
def cluster():
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "600m")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def checksum(text):
    return zlib.crc32(text.encode())


def of_command(path):
    """The hits of the messages, by the checksum of their names: how many, and the sum of their checksums."""
    sums = collections.defaultdict(lambda: [0, 0])
    with subprocess.Popen(command_line("--json", path), stdout=subprocess.PIPE) as running:
        for line in running.stdout:
            hit = json.loads(line)
            name = hit["mail"].get("message_id", "")
            of_messages = sums[checksum(name) % 4096]
            of_messages[0] += 1
            of_messages[1] += checksum("\t".join((name, str(hit["start"]), str(hit["end"]), hit["uri"])))
    assert running.returncode == 0
    return dict(sums)


def test_a_mailbox_is_split_over_executors(cluster, mailbox):
    found = urigrep.spark.read_mail(cluster, str(mailbox), partition_bytes=PART)
    assert found.rdd.getNumPartitions() >= 16
    name = F.coalesce("message_id", F.lit(""))
    sums = (
        found.groupBy((F.crc32(name) % 4096).alias("of"))
        .agg(
            F.count("uri").alias("hits"),
            F.sum(F.crc32(F.concat_ws("\t", name, *PLACES[1:]))).alias("sum"),
            F.count("error").alias("errors"),
        )
        .collect()
    )
    assert sum(row.errors for row in sums) == 0
    in_spark = {row["of"]: [row.hits, row["sum"]] for row in sums}
    expected = of_command(mailbox)
    assert len(expected) > 3
    print(f"{sum(hits for hits, _ in expected.values())} hits in {mailbox.stat().st_size} bytes")
    assert {of: in_spark.get(of) for of in expected} == expected and len(in_spark) == len(expected)
    # both executors had their share
    executors = cluster.sparkContext._jsc.sc().statusStore().executorList(False)
    tasks = [executors.apply(n).completedTasks() for n in range(executors.size()) if executors.apply(n).id() != "driver"]
    assert len(tasks) == 2 and min(tasks) >= 4, tasks
