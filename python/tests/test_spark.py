"""Spark, on this machine with two threads, and as a cluster of two processes."""

import gzip
import os
import sys

import pytest

pyspark = pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")

import urigrep  # noqa: E402
import urigrep.spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

TEXTS = ["see http://a.example/b, urn:isbn:0451450523", None, "é😀 <http://ä.example/\n ö>", "", "nothing"] * 200
ROWS = list(enumerate(TEXTS))

needs_columns_of_arrow = pytest.mark.skipif(not hasattr(F, "arrow_udf"), reason="Spark 4.0 has no arrow_udf")


@pytest.fixture(scope="module", params=["local[2]", "local-cluster[2,1,1024]"])
def spark(request, tmp_path_factory):
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    # workers of a cluster are started elsewhere: there, what lies beside the tests is not found
    session = (
        SparkSession.builder.master(request.param)
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "600m")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "300")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def expected(**options):
    return sorted(
        (id, m.start, m.end, m.uri, m.scheme, m.host, m.kind, list(m.flags))
        for id, text in ROWS
        if text is not None
        for m in urigrep.find(text, **options)
    )


def texts(spark, parts=4):
    return spark.createDataFrame(ROWS, "id int, text string").repartition(parts)


def pages(spark):
    page = "<a href='b?x&amp;y'>z</a> https://doi.org/10.1000/ABC"
    return spark.createDataFrame([(1, page), (2, None)], "id int, text string")


def test_columns_and_documents(spark):
    frame = pages(spark)
    only = urigrep.spark.find_uris(frame, "text", columns=["uri", "identifier"], keep=["id"])
    assert list(map(tuple, only.collect())) == [(1, "https://doi.org/10.1000/ABC", "doi:10.1000/abc")]
    read = urigrep.spark.find_uris(frame, "text", columns=["uri", "role"], format="html", base="http://c.example/d")
    assert [tuple(row) for row in read.collect()] == [
        ("http://c.example/b?x&y", "destination"),
        ("https://doi.org/10.1000/ABC", "text"),
    ]
    for wrong in (["nonsense"], []):
        with pytest.raises(ValueError):
            urigrep.spark.find_uris(frame, "text", columns=wrong)


@needs_columns_of_arrow
def test_sql(spark):
    urigrep.spark.register_functions(spark)
    pages(spark).createOrReplaceTempView("pages")
    query = "SELECT urigrep_uris(text), urigrep_identifiers(text), urigrep_matches(text)[0].host FROM pages ORDER BY id"
    rows = [tuple(row) for row in spark.sql(query).collect()]
    assert rows == [(["https://doi.org/10.1000/ABC"], ["doi:10.1000/abc"], "doi.org"), (None, None, None)]


def test_find_uris(spark):
    found = urigrep.spark.find_uris(texts(spark), "text", keep=["id"])
    assert sorted(map(tuple, found.collect())) == expected()
    only = urigrep.spark.find_uris(texts(spark), "text", kind="urn", offsets="bytes")
    assert only.columns == ["start", "end", "uri", "scheme", "host", "kind", "flags"]
    assert only.count() == 200
    binary = texts(spark).withColumn("text", F.encode("text", "utf-8"))
    assert urigrep.spark.find_uris(binary, "text").count() == len(expected())
    # offsets are those of Spark's own functions
    cut = found.join(texts(spark), "id").where("array_size(flags) = 0").selectExpr("substring(text, start + 1, end - start) = uri AS same")
    assert cut.where("not same").count() == 0


def test_a_crawl_in_another_file_system_is_what_the_command_finds(spark, tmp_path, command_json):
    """Files of an object store are scanned as bytes."""
    records = []
    for number in range(3):
        page = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='http://b.example/{number}?x&amp;y'>z</a> http://c.example/\u00e9".encode()
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}\r\nContent-Length: {len(page)}\r\n\r\n"
        records.append(gzip.compress(head.encode() + page + b"\r\n\r\n"))
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(records))
    members = ("stream", "line", "column", "start", "end", "uri", "kind", "role")
    rows = urigrep.spark._read_binary(spark, [str(path)], urigrep.spark.WarcSource, {}).collect()
    of_command = [tuple(record.get(name) for name in members) for record in command_json(path)]
    assert len(of_command) == 6 and [tuple(row[name] for name in members) for row in rows] == of_command


def test_schemas_have_a_version():
    """Whoever changes a schema raises the version, and writes the new names and types here."""
    assert urigrep.spark.SCHEMA_VERSION == 1
    match = "start bigint, end bigint, uri string, scheme string, host string, kind string, flags array<string>"
    assert urigrep.spark.MATCH_SCHEMA == match
    places = "path string, stream string, line bigint, column bigint"
    of_mail = "role string, message_id string, date string, sender string, subject string, error string"
    assert urigrep.spark.FOUND_SCHEMA == f"{places}, {match}, {of_mail}"


def test_streams(spark, tmp_path):
    (tmp_path / "a.txt").write_text("see http://a.example/\n")
    urigrep.spark.register(spark)
    with pytest.raises(Exception, match="urigrep_files reads its input once.*find_uris"):
        stream = spark.readStream.format("urigrep_files").load(str(tmp_path))
        stream.writeStream.format("memory").queryName("none").start().processAllAvailable()
    found = urigrep.spark.find_uris(spark.readStream.text(str(tmp_path)), "value", columns=["uri"])
    query = found.writeStream.format("memory").queryName("found").trigger(availableNow=True).start()
    query.awaitTermination()
    assert [row.uri for row in spark.table("found").collect()] == ["http://a.example/"]
    # whole files, as documents
    (tmp_path / "b.html").write_text("<!doctype html><a href='b?x&amp;y'>z</a>")
    spark.conf.set("spark.sql.streaming.schemaInference", "true")
    files = spark.readStream.format("binaryFile").load(f"{tmp_path}/*.html")
    found = urigrep.spark.find_uris(files, "content", columns=["uri"], keep=["path"], format="auto")
    query = found.writeStream.format("memory").queryName("files").trigger(availableNow=True).start()
    query.awaitTermination()
    assert [row.uri for row in spark.table("files").collect()] == ["b?x&y"]


def test_wrong_options_are_told_at_once(spark):
    for wrong in ({"kind": "nonsense"}, {"keep": ["uri"]}):
        with pytest.raises(ValueError):
            urigrep.spark.find_uris(texts(spark).withColumn("uri", F.lit("")), "text", **wrong)


@needs_columns_of_arrow
def test_wrong_options_of_uris_are_told_at_once(spark):
    with pytest.raises(TypeError):
        urigrep.spark.uris("text", nonsense=True)


@pytest.mark.skipif(hasattr(F, "arrow_udf"), reason="Spark 4.1 has what uris() needs")
def test_uris_says_which_spark_it_needs(spark):
    with pytest.raises(ImportError, match="Spark 4.1 or later"):
        urigrep.spark.uris("text")


@needs_columns_of_arrow
def test_uris(spark):
    rows = texts(spark).select("id", urigrep.spark.uris("text").alias("found")).collect()
    found = {row.id: row.found for row in rows}
    for id, text in ROWS:
        if text is None:
            assert found[id] is None
        else:
            assert [(m.start, m.uri) for m in found[id]] == [(m.start, m.uri) for m in urigrep.find(text)]


def test_stream(spark, tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    for n in range(3):
        (source / f"{n}.txt").write_text(f"http://a.example/{n} and urn:isbn:0451450523\n" * 100)
    lines = spark.readStream.format("text").option("maxFilesPerTrigger", 1).load(str(source))
    found = urigrep.spark.find_uris(lines, "value", keep=["value"])
    query = (
        found.writeStream.format("parquet")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(tmp_path / "out"))
    )
    assert query.awaitTermination(120)
    assert spark.read.parquet(str(tmp_path / "out")).count() == 600


def places(frame):
    columns = ["message_id", "start", "end", "uri", "sender", "subject"]
    return sorted(map(tuple, frame.where("error is null").select(columns).collect()))


def of_command(command_json, *arguments):
    return sorted(
        (m["mail"]["message_id"], m["start"], m["end"], m["uri"], m["mail"]["from"], m["mail"]["subject"])
        for m in command_json(*arguments)
    )


def test_read_mail(spark, command_json, mbox):
    for size in (10_000, 64 << 20):
        found = urigrep.spark.read_mail(spark, str(mbox), partition_bytes=size)
        assert found.schema.simpleString() == StructDDL(urigrep.spark.FOUND_SCHEMA)
        if size == 10_000:
            assert found.rdd.getNumPartitions() == -(-mbox.stat().st_size // size) > 10
        assert places(found) == of_command(command_json, mbox)


def StructDDL(ddl):
    from pyspark.sql.types import StructType

    return StructType.fromDDL(ddl).simpleString()


def test_failures_are_rows(spark, mbox, tmp_path):
    (tmp_path / "good.txt").write_text("http://a.example")
    (tmp_path / "bad.gz").write_bytes(gzip.compress(b"http://b.example " * 10_000)[:-20])
    paths = [str(tmp_path / name) for name in ("good.txt", "bad.gz")]
    rows = urigrep.spark.read_files(spark, paths).collect()
    assert [os.path.basename(row.path) for row in rows if row.error] == ["bad.gz"]
    assert {row.uri for row in rows if not row.error} == {"http://a.example", "http://b.example"}
    dropped = urigrep.spark.read_files(spark, paths, mode="DROPMALFORMED")
    assert dropped.where("error is not null").count() == 0 < dropped.count()
    with pytest.raises(Exception, match="bad.gz"):
        urigrep.spark.read_files(spark, paths, mode="FAILFAST").collect()


def test_paths_are_checked_while_planning(spark, tmp_path):
    (tmp_path / "a 1.txt").write_text("http://a.example")
    (tmp_path / "b.txt").write_text("http://b.example")
    for path in (tmp_path / "*.txt", tmp_path, tmp_path.as_uri()):
        found = urigrep.spark.read_files(spark, str(path))
        assert {row.uri for row in found.collect()} == {"http://a.example", "http://b.example"}
    with pytest.raises(FileNotFoundError, match="none"):
        urigrep.spark.read_files(spark, str(tmp_path / "none.txt"))
    with pytest.raises(FileNotFoundError):
        urigrep.spark.read_mail(spark, [str(tmp_path), str(tmp_path / "*.mbox")])
    with pytest.raises(ValueError, match="PERMISSIVE"):
        urigrep.spark.read_files(spark, str(tmp_path), mode="QUICK")
    # other file systems are Spark's: what it says of a missing one, it says while planning
    with pytest.raises(Exception, match="nonsense"):
        urigrep.spark.read_files(spark, "nonsense://a/b")


def test_other_file_systems(spark, tmp_path, monkeypatch):
    """`file:` is read as if it were another file system."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "page.html.gz").write_bytes(gzip.compress(b"<a href='http://a.example/?a&amp;b'>x</a>"))
    (tmp_path / "bad.gz").write_bytes(gzip.compress(b"http://b.example " * 10_000)[:-20])
    found = urigrep.spark._read_binary(spark, [tmp_path.as_uri()], urigrep.spark.FileSource, {})
    rows = found.collect()
    assert {row.uri for row in rows if not row.error} == {"http://a.example/?a&b", "http://b.example"}
    assert [row.path for row in rows if row.error] == [(tmp_path / "bad.gz").as_uri().replace("file:///", "file:/")]
    with pytest.raises(Exception, match="bad.gz"):
        urigrep.spark._read_binary(spark, [tmp_path.as_uri()], urigrep.spark.FileSource, {"mode": "FAILFAST"}).collect()


def test_a_text_may_be_an_expression(spark):
    frame = texts(spark).where("id = 0")
    found = urigrep.spark.find_uris(frame, F.upper("text"), keep="id", columns=["uri"])
    assert [tuple(row) for row in found.collect()] == [(0, "HTTP://A.EXAMPLE/B"), (0, "URN:ISBN:0451450523")]


def test_read_warc(spark, tmp_path):
    block = "http://a.example/x"
    record = f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://p.example/\r\nContent-Length: {len(block)}\r\n\r\n{block}\r\n\r\n"
    for n in range(3):
        (tmp_path / f"{n}.warc.wet.gz").write_bytes(gzip.compress(record.encode()) * 10)
    urigrep.spark.register(spark)
    found = spark.read.format("urigrep_warc").load(str(tmp_path))
    assert found.count() == 30
    assert found.first().stream == "gzip+warc!/conversion/http://p.example/"


def test_a_killed_executor_is_replaced(spark, tmp_path):
    if "cluster" not in spark.sparkContext.master:
        pytest.skip("on one machine a task is tried once")
    marker = str(tmp_path / "killed")

    def kill_once(batches):
        import re
        import signal

        for batch in batches:
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                # the parent of the daemon that started this process
                with open(f"/proc/{os.getppid()}/status") as status:
                    executor = re.search(r"PPid:\s*(\d+)", status.read())[1]
                with open(f"/proc/{executor}/cmdline", "rb") as command:
                    assert b"ExecutorBackend" in command.read()
                os.kill(int(executor), signal.SIGKILL)
            yield batch

    frame = texts(spark).mapInArrow(kill_once, "id int, text string")
    found = urigrep.spark.find_uris(frame, "text", keep=["id"])
    assert sorted(map(tuple, found.collect())) == expected()
    assert os.path.exists(marker)
