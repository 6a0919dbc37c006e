"""URIs in polars: a frame with a row a match, and an expression with a list a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from . import Finder, extract_batch, find_batch


def find_uris(
    frame: pl.DataFrame,
    column: str,
    *,
    keep: Sequence[str] = (),
    columns: Sequence[str] = ("start", "end", "uri", "scheme", "host", "kind", "flags"),
    offsets: Any = "bytes",
    **options: Any,
) -> pl.DataFrame:
    """A row for each URI in a column, with the columns to `keep` beside it. Options are those of `urigrep.find`."""
    wanted: Any = ["row", *columns]
    found = pl.DataFrame(find_batch(frame[column], columns=wanted, offsets=offsets, **options))
    matches = found.drop("row")
    if not keep:
        # a frame without columns has no height to put others beside
        return matches
    return frame.select(pl.col(list(keep)).gather(found["row"])).hstack(matches)


def uris(
    column: pl.Expr | str,
    *,
    columns: Any = "uri",
    offsets: Any = "bytes",
    threads: int = 0,
    **options: Any,
) -> pl.Expr:
    """The URIs of each row as a list: of strings, or of structs when `columns` is a list of names."""
    Finder(**options)
    expression = pl.col(column) if isinstance(column, str) else column

    def extract(series: pl.Series) -> pl.Series:
        lists = extract_batch(series, columns=columns, offsets=offsets, threads=threads, **options)
        return pl.Series(series.name, lists)

    return expression.map_batches(extract, is_elementwise=True)
