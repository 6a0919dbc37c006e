"""The links between the sites of a crawl, from WARC files (Common Crawl has such, by the thousand).

    spark-submit python/examples/spark_warc.py OUT CC-MAIN-*.warc.gz

A file is a task, as gzip can be read from its start only. The page that a link is on is in `stream`.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from urigrep.spark import read_warc

out, *paths = sys.argv[1:]
spark = SparkSession.builder.appName("links").getOrCreate()
found = read_warc(spark, paths, kind=["uri", "iri"], scheme=["http", "https"], role=["destination", "text"])
page = F.regexp_extract("stream", "warc!/response/[a-z]+://([^/:]+)", 1)
links = found.where("error is null").select(page.alias("page"), F.col("host"))
links.where("page <> '' and page <> host").distinct().write.mode("overwrite").parquet(out)
