"""URIs in DuckDB: SQL functions, which are given Arrow batches."""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

from . import Finder, extract_batch

_STRUCT = "STRUCT(start UBIGINT, \"end\" UBIGINT, uri VARCHAR, scheme VARCHAR, host VARCHAR, kind VARCHAR, flags VARCHAR[])"
_COLUMNS: Any = ["start", "end", "uri", "scheme", "host", "kind", "flags"]
_ARROW = pa.list_(
    pa.struct(
        [
            ("start", pa.uint64()),
            ("end", pa.uint64()),
            ("uri", pa.string()),
            ("scheme", pa.string()),
            ("host", pa.string()),
            ("kind", pa.string()),
            ("flags", pa.list_(pa.string())),
        ]
    )
)


def register(connection: duckdb.DuckDBPyConnection, name: str = "uris", **options: Any) -> None:
    """Makes `uris(text)` known, a list of the URIs in a text, and `uris_structs(text)`, a list of structs.

    `SELECT unnest(uris(body)) FROM mail`. Options are those of `urigrep.find`. Functions of the same names that Python has
    registered before are replaced.
    """
    Finder(**options)

    def texts(column: pa.ChunkedArray) -> pa.Array:
        return pa.array(extract_batch(column, columns="uri", threads=1, **options))

    def structs(column: pa.ChunkedArray) -> pa.Array:
        return pa.array(extract_batch(column, columns=_COLUMNS, threads=1, **options)).cast(_ARROW)

    for function, by, returned in ((name, texts, "VARCHAR[]"), (f"{name}_structs", structs, f"{_STRUCT}[]")):
        try:
            connection.remove_function(function)
        except duckdb.InvalidInputException:
            pass  # there was none
        create: Any = connection.create_function
        create(function, by, ["VARCHAR"], returned, type="arrow")
