"""The programs in examples/, started with spark-submit as they say."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

pyspark = pytest.importorskip("pyspark")
pq = pytest.importorskip("pyarrow.parquet")

from conftest import ROOT  # noqa: E402

SUBMIT = Path(pyspark.__file__).with_name("bin") / "spark-submit"


def submit(example, *arguments, cwd):
    environment = os.environ | {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    program = ROOT / "python" / "examples" / example
    settings = ("spark.ui.enabled=false", "spark.sql.shuffle.partitions=2")
    start = [SUBMIT, "--master", "local[2]", *(part for one in settings for part in ("--conf", one)), program]
    ran = subprocess.run([*start, *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stderr[-5000:]
    # spark-submit gives both outputs of the program as one
    return ran.stdout


def test_logs(tmp_path):
    (tmp_path / "a.log").write_text("GET http://a.example/ from http://b.example/\n" * 3 + "ftp://c.example and http://a.example/x\n")
    shown = submit("spark_logs.py", "a.log", cwd=tmp_path)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.splitlines() if line.startswith("|")]
    assert rows == [["host", "count"], ["a.example", "4"], ["b.example", "3"]]


def test_mail(tmp_path, mbox):
    (tmp_path / "bad.gz").write_bytes(gzip.compress(b"nothing to find " * 10_000)[:-20])
    shown = submit("spark_mail.py", "out", mbox, "bad.gz", cwd=tmp_path)
    table = pq.read_table(tmp_path / "out")
    assert table.num_rows == 1000 and "error" not in table.column_names
    assert "lists.example" in shown
    assert "bad.gz: " in shown


def test_warc(tmp_path):
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='http://b.example/x'>b</a> <a href='http://a.example/'>own</a>"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: {len(page)}\r\n\r\n"
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(head.encode() + page + b"\r\n\r\n") * 5)
    submit("spark_warc.py", "out", "a.warc.gz", cwd=tmp_path)
    assert pq.read_table(tmp_path / "out").to_pylist() == [{"page": "a.example", "host": "b.example"}]
