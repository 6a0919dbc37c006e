"""Which links people send: the URIs of mailboxes, with the message that each is in, as a table.

    spark-submit python/examples/spark_mail.py OUT list.mbox maildir/

A mailbox of more than 64 MiB is split at message boundaries, so that all executors read it; they have to reach the path. What
can't be read is a row with an `error`. See spark_logs.py for how the package gets to a cluster.
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from urigrep.spark import read_mail

out, *paths = sys.argv[1:]
spark = SparkSession.builder.appName("mail").getOrCreate()
found = read_mail(spark, paths, identifiers=True, partition_bytes=64 << 20).cache()
found.where("error is null").drop("error").write.mode("overwrite").parquet(out)
for row in found.where("error is not null").select("path", "error").distinct().collect():
    print(f"{row.path}: {row.error}", file=sys.stderr)
found.groupBy(F.coalesce("host", "scheme").alias("what")).count().orderBy("count", ascending=False).show(20, truncate=False)
