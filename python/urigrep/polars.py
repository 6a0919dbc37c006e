"""URIs in polars: a frame with a row a match, and an expression with a list a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import polars as pl

from . import Finder, extract_batch, find_batch

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def find_uris(
    frame: Frame,
    column: str | pl.Expr,
    *,
    keep: str | Sequence[str] = (),
    columns: Sequence[str] = ("start", "end", "uri", "scheme", "host", "kind", "flags"),
    offsets: Any = None,
    **options: Any,
) -> Frame:
    """A row for each URI in a column, with the columns to `keep` beside it. Options are those of `urigrep.find`.

    Offsets count characters, as `str.slice` does, and bytes in a column of binary values; `offsets="bytes"` counts bytes.
    A lazy frame stays lazy: it is searched when it is collected.
    """
    Finder(**options)
    kept = [keep] if isinstance(keep, str) else list(keep)
    wanted: Any = ["row", *columns]

    def find(part: pl.DataFrame) -> pl.DataFrame:
        texts = part[column] if isinstance(column, str) else part.select(column).to_series()
        found = pl.DataFrame(find_batch(texts, columns=wanted, offsets=offsets, **options))
        matches = found.drop("row")
        if not kept:
            # a frame without columns has no height to put others beside
            return matches
        return part.select(pl.col(kept).gather(found["row"])).hstack(matches)

    if isinstance(frame, pl.LazyFrame):
        schema = find(pl.DataFrame(schema=frame.collect_schema())).schema
        # Columns of the result are not those of the frame, so nothing chosen of them says what the search needs.
        return frame.map_batches(
            find, schema=schema, predicate_pushdown=False, projection_pushdown=False, slice_pushdown=False
        )
    return find(frame)


def uris(
    column: pl.Expr | str,
    *,
    columns: Any = "uri",
    offsets: Any = None,
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
