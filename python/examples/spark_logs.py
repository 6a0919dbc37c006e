"""The most frequent hosts in text files.

On one machine:

    pip install 'urigrep[spark]'
    spark-submit python/examples/spark_logs.py /var/log/*.log

On a cluster, every executor needs the package. The package contains machine code, which Python
can't import from a wheel shipped with `--py-files`. `--archives` unpacks it:

    cp urigrep-*-manylinux*.whl urigrep.zip
    spark-submit --master spark://host:7077 --archives urigrep.zip#urigrep_wheel \
        --conf spark.executorEnv.PYTHONPATH=urigrep_wheel python/examples/spark_logs.py s3a://bucket/logs/

Or install it in the image (`pip install urigrep` in the Dockerfile), or in a packed environment
(venv-pack).
"""

import sys

from pyspark.sql import SparkSession

from urigrep.spark import find_uris

spark = SparkSession.builder.appName("hosts").getOrCreate()
lines = spark.read.text(sys.argv[1:])
found = find_uris(lines, "value", scheme=["http", "https"])
found.groupBy("host").count().orderBy("count", ascending=False).show(20, truncate=False)
