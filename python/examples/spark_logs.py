"""The most frequent hosts in text files.

On one machine:

    pip install 'urigrep[spark]'
    spark-submit python/examples/spark_logs.py /var/log/*.log

On a cluster, every executor needs the package. It has a library of machine code, which Python can't import from a wheel that
`--py-files` ships as it is; unpacked by `--archives` it can:

    cp urigrep-*-manylinux*.whl urigrep.zip
    spark-submit --master spark://host:7077 --archives urigrep.zip#urigrep_wheel \
        --conf spark.executorEnv.PYTHONPATH=urigrep_wheel python/examples/spark_logs.py s3a://bucket/logs/

or it is installed in the image (`pip install urigrep` in the Dockerfile), or in a packed environment (venv-pack).
"""

import sys

from pyspark.sql import SparkSession

from urigrep.spark import find_uris

spark = SparkSession.builder.appName("hosts").getOrCreate()
lines = spark.read.text(sys.argv[1:])
found = find_uris(lines, "value", scheme=["http", "https"])
found.groupBy("host").count().orderBy("count", ascending=False).show(20, truncate=False)
