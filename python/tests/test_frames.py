"""polars, DuckDB, pandas, DataFusion, Ray and Dask: each that is installed finds what `find` finds."""

import pytest

import urigrep

TEXTS = ["see http://a.example/b, urn:isbn:0451450523", None, "é😀 <http://ä.example/\n ö>", "", "nothing"] * 40
URIS = [None if text is None else [m.uri for m in urigrep.find(text)] for text in TEXTS]
FLAT = [uri for uris in URIS if uris for uri in uris]


def test_polars():
    pl = pytest.importorskip("polars")
    import urigrep.polars

    frame = pl.DataFrame({"id": range(len(TEXTS)), "text": TEXTS})
    found = urigrep.polars.find_uris(frame, "text", keep=["id"])
    assert found["uri"].to_list() == FLAT
    assert found["id"].to_list() == [id for id, uris in enumerate(URIS) for _ in uris or ()]
    assert found.columns == ["id", "start", "end", "uri", "scheme", "host", "kind", "flags"]
    assert found.filter(pl.col("kind") == "iri")["flags"][0].to_list() == ["rejoined"]
    lists = frame.select(urigrep.polars.uris("text"))
    assert lists["text"].to_list() == URIS
    lazy = frame.lazy().with_columns(urigrep.polars.uris(pl.col("text"), columns=["uri", "kind"]).alias("found"))
    assert lazy.collect()["found"][0].to_list() == [
        {"uri": "http://a.example/b", "kind": "uri"},
        {"uri": "urn:isbn:0451450523", "kind": "urn"},
    ]
    # a lazy frame stays lazy, a column may be an expression, and one name is no list of letters
    later = urigrep.polars.find_uris(frame.lazy(), pl.col("text").str.to_lowercase(), keep="id")
    assert isinstance(later, pl.LazyFrame)
    assert later.filter(pl.col("kind") == "urn").select("id", "uri").collect().row(0) == (0, "urn:isbn:0451450523")
    assert later.collect_schema() == later.collect().schema == found.schema
    # a series is given as such, and a category
    assert pl.DataFrame(urigrep.find_batch(frame["text"]))["uri"].to_list() == FLAT
    assert pl.DataFrame(urigrep.find_batch(frame["text"].cast(pl.Categorical)))["uri"].to_list() == FLAT
    with pytest.raises(urigrep.OptionError):
        urigrep.polars.uris("text", kind="nonsense")


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    import urigrep.duckdb

    connection = duckdb.connect()
    urigrep.duckdb.register(connection, kind="urn")
    urigrep.duckdb.register(connection)  # replaces the first
    urigrep.duckdb.register(connection, "mails", email=True, kind="email")
    table = pa.table({"id": range(len(TEXTS)), "text": TEXTS})
    connection.register("texts", table)
    rows = connection.sql("SELECT uris(text) FROM texts ORDER BY id").fetchall()
    assert [row[0] for row in rows] == URIS
    assert connection.sql("SELECT unnest(uris(text)) FROM texts ORDER BY id").fetchall() == [(uri,) for uri in FLAT]
    assert connection.sql("SELECT uris_structs(text)[1].host FROM texts WHERE id = 0").fetchall() == [("a.example",)]
    assert connection.sql("SELECT mails('jo@a.example')").fetchall() == [(["mailto:jo@a.example"],)]
    # what is found is a table to DuckDB
    found = pa.table(urigrep.find_batch(table["text"]))
    assert connection.sql("SELECT count(*) FROM found WHERE kind = 'urn'").fetchall() == [(40,)]


def test_pandas():
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    series = pd.Series(TEXTS, dtype="string[pyarrow]")
    found = pa.table(urigrep.find_batch(pa.array(series))).to_pandas()
    assert found["uri"].to_list() == FLAT
    found.index = found.pop("row")
    assert pd.DataFrame({"text": series}).join(found).loc[0, "uri"].to_list() == FLAT[:2]


def test_datafusion():
    datafusion = pytest.importorskip("datafusion")
    pa = pytest.importorskip("pyarrow")

    def extract(array):
        return pa.array(urigrep.extract_batch(array, columns="uri"))

    uris = datafusion.udf(extract, [pa.string()], pa.list_(pa.string()), "stable", "uris")
    context = datafusion.SessionContext()
    context.register_udf(uris)
    context.from_arrow(pa.table({"text": TEXTS}), "texts")
    got = context.sql("SELECT uris(text) AS found FROM texts").to_pydict()["found"]
    assert got == URIS


def test_dask():
    dataframe = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")

    def find(part):
        return pa.table(urigrep.find_batch(pa.array(part["text"], pa.string()), columns=["uri", "kind"])).to_pandas()

    frame = dataframe.from_pandas(pd.DataFrame({"text": TEXTS}), npartitions=4)
    found = frame.map_partitions(find, meta={"uri": "str", "kind": "category"}).compute()
    assert found["uri"].to_list() == FLAT


def test_ray():
    ray = pytest.importorskip("ray")
    pa = pytest.importorskip("pyarrow")

    def find(table):
        return pa.table(urigrep.find_batch(table["text"], columns=["uri"]))

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = ray.data.from_arrow(pa.table({"text": TEXTS})).map_batches(find, batch_format="pyarrow")
        assert sorted(row["uri"] for row in found.take_all()) == sorted(FLAT)
    finally:
        ray.shutdown()
