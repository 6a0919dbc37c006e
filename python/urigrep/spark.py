"""URIs in Apache Spark 4: columns of a DataFrame, and data sources for mail, crawls and files.

A match is a row (`find_uris`) or a struct in an array (`uris`). Text stays in Arrow batches on the way, and each task searches
with one thread, as Spark has a task a core.

The data sources read paths that all executors can open. Each match is a row of `FOUND_SCHEMA`; what could not be read is a row
too, with an `error` and no `uri`, so that one damaged file loses no partition.
"""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeAlias
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pyarrow as pa
import pyspark.sql.functions
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from . import Finder, extract_batch, find_batch, option_names, scan, scan_mbox_part

Offsets: TypeAlias = Literal["bytes", "characters"]
#: What an input that can't be read gives: a row with `error`, nothing, or a failed job. The names are those of Spark's readers.
Mode: TypeAlias = Literal["PERMISSIVE", "DROPMALFORMED", "FAILFAST"]
_MODES: tuple[Mode, ...] = ("PERMISSIVE", "DROPMALFORMED", "FAILFAST")

#: The version of `MATCH_SCHEMA` and `FOUND_SCHEMA`: it grows when a column changes its name, its type, or its meaning.
SCHEMA_VERSION = 1
#: What `find_uris` adds to the columns that are kept.
MATCH_SCHEMA = (
    "start bigint, end bigint, uri string, scheme string, host string, kind string, flags array<string>"
)
#: The rows of the data sources. `stream` is where in an archive; offsets are bytes of the file or of `stream`; `error` is set in
#: rows about what could not be read, and `uri` in all others. Of part of a large mailbox, lines are not known.
FOUND_SCHEMA = (
    "path string, stream string, line bigint, column bigint, start bigint, end bigint, uri string, scheme string, "
    "host string, kind string, flags array<string>, role string, message_id string, date string, sender string, "
    "subject string, error string"
)
_MATCH_NAMES: list[Any] = ["start", "end", "uri", "scheme", "host", "kind", "flags"]
#: All columns that `columns=` can choose.
_COLUMN_TYPES = {
    **{name: pa.int64() for name in ("start", "end")},
    "flags": pa.list_(pa.string()),
    **{
        name: pa.string()
        for name in (
            *("uri", "scheme", "host", "kind", "iri", "normalized", "wrapper", "userinfo", "port", "path"),
            *("query", "fragment", "identifier", "role", "label"),
        )
    },
}
_DDL_TYPES = {pa.int64(): "bigint", pa.string(): "string", pa.list_(pa.string()): "array<string>"}
_MATCH_ARROW = pa.schema(
    [
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("uri", pa.string()),
        ("scheme", pa.string()),
        ("host", pa.string()),
        ("kind", pa.string()),
        ("flags", pa.list_(pa.string())),
    ]
)
_FOUND_ARROW = pa.schema(
    [
        ("path", pa.string()),
        ("stream", pa.string()),
        ("line", pa.int64()),
        ("column", pa.int64()),
        *_MATCH_ARROW,
        ("role", pa.string()),
        ("message_id", pa.string()),
        ("date", pa.string()),
        ("sender", pa.string()),
        ("subject", pa.string()),
        ("error", pa.string()),
    ]
)


#: The name of a text that is an expression.
_TEXT = "__urigrep_text"


def find_uris(
    df: DataFrame,
    column: Column | str,
    *,
    columns: Sequence[str] = tuple(_MATCH_NAMES),
    keep: str | Sequence[str] = (),
    offsets: Offsets | None = None,
    **options: Any,
) -> DataFrame:
    """A row for each URI in a column of strings or binary values, with the columns to `keep` beside it.

    `columns` chooses what is added; fewer columns are faster. Works on streams too. Offsets count characters, as
    `substring` does, and bytes in a column of binary values; `offsets="bytes"` counts bytes. Options are those of `urigrep.find`.
    """
    Finder(**options)
    names: Any = _chosen(columns)
    keep = [keep] if isinstance(keep, str) else list(keep)
    kept = [df.schema[name] for name in keep]
    taken = {name for name in names if name in keep}
    if taken:
        raise ValueError(f"{', '.join(sorted(taken))}: a column that is kept has the name of one that is added")
    schema = StructType([*kept, *_struct(_ddl(names, " "))])
    chosen: list[Any] = list(dict.fromkeys([*keep, column])) if isinstance(column, str) else [*keep, column.alias(_TEXT)]
    text = column if isinstance(column, str) else _TEXT

    def find(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            found = pa.record_batch(
                find_batch(
                    batch.column(text),
                    columns=["row", *names],
                    offsets=offsets,
                    threads=1,
                    **options,
                )
            )
            arrays = [batch.column(name).take(found.column("row")) for name in keep]
            arrays += [found.column(name).cast(_COLUMN_TYPES[name]) for name in names]
            yield pa.RecordBatch.from_arrays(arrays, names=[*keep, *names])

    return df.select(*chosen).mapInArrow(find, schema)


def _chosen(columns: Sequence[str]) -> list[str]:
    names = [columns] if isinstance(columns, str) else list(columns)
    unknown = [name for name in names if name not in _COLUMN_TYPES]
    if unknown or not names:
        raise ValueError(f"{', '.join(unknown) or 'nothing'}: the columns are {', '.join(_COLUMN_TYPES)}")
    return names


def _ddl(names: Sequence[str], separator: str) -> str:
    return ", ".join(f"`{name}`{separator}{_DDL_TYPES[_COLUMN_TYPES[name]]}" for name in names)


def uris(
    column: Column | str,
    *,
    columns: str | Sequence[str] = tuple(_MATCH_NAMES),
    offsets: Offsets | None = None,
    **options: Any,
) -> Column:
    """The URIs in a column, as an array of structs of these columns, or of the values of one that is given by name alone;
    null where the text is. Needs Spark 4.1."""
    found: Column = _uris_udf(columns, offsets, options)(column)
    return found


def register_functions(spark: SparkSession, prefix: str = "urigrep_", **options: Any) -> None:
    """Makes SQL functions known: `urigrep_uris(text)`, an array of URIs, `urigrep_matches(text)`, an array of structs, and
    `urigrep_identifiers(text)`, an array of what they identify, null for addresses. Needs Spark 4.1."""
    for name, columns in (("uris", "uri"), ("matches", tuple(_MATCH_NAMES)), ("identifiers", "identifier")):
        spark.udf.register(f"{prefix}{name}", _uris_udf(columns, None, options))


def _uris_udf(columns: str | Sequence[str], offsets: Offsets | None, options: Mapping[str, Any]) -> Any:
    arrow_udf: Any = getattr(pyspark.sql.functions, "arrow_udf", None)
    if arrow_udf is None:
        raise ImportError("uris() needs Spark 4.1 or later; find_uris() does the same with 4.0")
    Finder(**options)
    names = _chosen(columns)
    is_single = isinstance(columns, str)
    struct = pa.struct([(name, _COLUMN_TYPES[name]) for name in names])
    of_spark = pa.list_(_COLUMN_TYPES[names[0]] if is_single else struct)
    wanted: Any = columns if is_single else names

    def extract(arrays: Iterator[pa.Array]) -> Iterator[pa.Array]:
        for array in arrays:
            lists = extract_batch(array, columns=wanted, offsets=offsets, threads=1, **options)
            yield pa.array(lists).cast(of_spark)

    # Spark goes by what the annotations are, not by how they are written
    extract.__annotations__ = {"arrays": Iterator[pa.Array], "return": Iterator[pa.Array]}
    one = _DDL_TYPES[_COLUMN_TYPES[names[0]]]
    many = f"struct<{_ddl(names, ': ')}>"
    return arrow_udf(extract, f"array<{one if is_single else many}>")


def _struct(ddl: str) -> StructType:
    parsed = StructType.fromDDL(ddl)
    assert isinstance(parsed, StructType)
    return parsed


class _Files(InputPartition):
    """Small files, which a task reads one after the other."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__(None)
        self.paths = paths


class _MailboxPart(InputPartition):
    """The messages that start in a range of a large mailbox."""

    def __init__(self, path: str, start: int, end: int) -> None:
        super().__init__(None)
        self.path, self.start, self.end = path, start, end


class _Reader(DataSourceReader):
    def __init__(self, paths: list[str], size: int, keywords: dict[str, Any], splits_mail: bool, mode: Mode) -> None:
        self.paths, self.size, self.keywords, self.splits_mail = paths, size, keywords, splits_mail
        self.mode = mode

    def partitions(self) -> Sequence[InputPartition]:
        return list(partitions(self.paths, self.size, self.splits_mail))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if isinstance(partition, _MailboxPart):
            yield from self._read_part(partition)
        elif isinstance(partition, _Files):
            for path in partition.paths:
                yield from _rows(path, lambda: (None, scan(path, errors="ignore", **self.keywords)), self.mode)  # noqa: B023

    def _read_part(self, part: _MailboxPart) -> Iterator[pa.RecordBatch]:
        yield from _rows(
            part.path, lambda: scan_mbox_part(part.path, part.start, part.end, **self.keywords), self.mode
        )


def _rows(path: str, start: Callable[[], tuple[int | None, Any]], mode: Mode) -> Iterator[pa.RecordBatch]:
    """The matches of a scan; its problems are rows, too, unless the mode says otherwise."""
    try:
        base, found = start()
        while (batch := found.read_batch()) is not None:
            yield _to_found(pa.record_batch(batch), base)
        problems = [(problem.path or path, problem.message) for problem in found.problems]
    except OSError as error:
        problems = [(path, error.strerror or str(error))]
    if problems and mode == "FAILFAST":
        raise OSError("; ".join(f"{at}: {message}" for at, message in problems))
    if problems and mode == "PERMISSIVE":
        yield pa.RecordBatch.from_pylist(
            [{"path": at, "error": message} for at, message in problems], schema=_FOUND_ARROW
        )


def _to_found(batch: pa.RecordBatch, base: int | None) -> pa.RecordBatch:
    """A batch of a scan as Spark has it. In part of a file that starts at `base`, lines are unknown."""
    import pyarrow.compute as pc

    columns = {name: batch.column(name) for name in batch.schema.names}
    nothing = pa.nulls(len(batch), pa.string())
    for name in ("line", "column", "start", "end"):
        columns[name] = columns[name].cast(pa.int64())
    if base is not None:
        unknown = pa.nulls(len(batch), pa.int64())
        columns |= {"line": unknown, "column": unknown}
        for name in ("start", "end"):
            columns[name] = pc.add(columns[name], base)
    columns["error"] = nothing
    arrays = [columns[field.name].cast(field.type) for field in _FOUND_ARROW]
    return pa.RecordBatch.from_arrays(arrays, schema=_FOUND_ARROW)


def partitions(paths: Iterable[str], size: int, splits_mail: bool) -> Iterator[InputPartition]:
    """Files in groups of about this many bytes; a larger mailbox in parts."""
    group: list[str] = []
    left = size
    for path in _files(paths):
        try:
            length = os.path.getsize(path)
        except OSError:
            length = 0  # the task that reads it says what is wrong
        if splits_mail and length > size and _is_mbox(path):
            for start in range(0, length, size):
                yield _MailboxPart(path, start, min(start + size, length))
            continue
        if group and length > left:
            yield _Files(group)
            group, left = [], size
        group.append(path)
        left -= length
    if group:
        yield _Files(group)


def _files(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for directory, below, names in os.walk(path):
            below[:] = sorted(name for name in below if not name.startswith("."))
            yield from (os.path.join(directory, name) for name in sorted(names) if not name.startswith("."))


def _is_mbox(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(5) == b"From "
    except OSError:
        return False


class _FoundSource(DataSource):
    """Options: the path, or `paths` as a list in JSON; `partition_bytes`; `mode`; every keyword of `urigrep.scan`, in JSON unless
    it is a string."""

    splits_mail: ClassVar[bool] = False
    defaults: ClassVar[Mapping[str, Any]] = {}

    def schema(self) -> str:
        return FOUND_SCHEMA

    def reader(self, schema: StructType) -> DataSourceReader:
        options = dict(self.options)
        path = options.pop("path", None)
        paths = json.loads(options.pop("paths", "[]")) + ([path] if path else [])
        if not paths:
            raise ValueError("no path is given: load(path), or the option `paths`")
        paths = _local(paths)
        size = int(options.pop("partition_bytes", 64 << 20))
        mode = _mode(options.pop("mode", "PERMISSIVE"))
        known = set(option_names("scan"))
        unknown = sorted(set(options) - known)
        if unknown:
            raise ValueError(f"{', '.join(unknown)}: no option of a scan")
        keywords = {**self.defaults, "threads": 1, **{name: _value(text) for name, text in options.items()}}
        scan([], **keywords)
        return _Reader(paths, size, keywords, self.splits_mail, mode)

    def streamReader(self, schema: StructType) -> Any:
        # no NotImplementedError, after which Spark asks for another reader, and tells of that one
        raise ValueError(
            f"{self.name()} reads its input once, with spark.read; for a stream, use spark.readStream with a format such as "
            "binaryFile or text, and find_uris() on its column"
        )


def _mode(mode: str) -> Mode:
    for known in _MODES:
        if known == mode.upper():
            return known
    raise ValueError(f"{mode}: the modes are {', '.join(_MODES)}")


def _scheme(path: str) -> str | None:
    """The scheme of a path such as `s3a://bucket/key`."""
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):/", path)
    return match[1].lower() if match else None


def _local(paths: Iterable[str]) -> list[str]:
    """Returns paths of this machine, with globs expanded. A path that does not exist is an error while the query is planned, as
    it is in Spark's own formats."""
    found: list[str] = []
    for path in paths:
        scheme = _scheme(path)
        if scheme not in (None, "file"):
            raise ValueError(f"{path}: spark.read.format() takes paths of this machine; use urigrep.spark.read_files() or read_mail()")
        local = url2pathname(urlsplit(path).path) if scheme else path
        if os.path.exists(local):
            found.append(local)
        elif matches := sorted(glob.glob(local, recursive=True)):
            found += matches
        else:
            raise FileNotFoundError(f"{path}: no such file or directory")
    return found


def _value(text: str) -> Any:
    """A value in JSON, or else a text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, (bool, int, list, dict)) else text


class MailSource(_FoundSource):
    """Mailboxes, Maildir and .eml; a large mbox is split at message boundaries."""

    splits_mail = True

    @classmethod
    def name(cls) -> str:
        return "urigrep_mail"


class WarcSource(_FoundSource):
    """WARC, WET and WAT files, record by record; `stream` has the type and the URI of the record."""

    @classmethod
    def name(cls) -> str:
        return "urigrep_warc"


class FileSource(_FoundSource):
    """Files in any format that the command reads, archives by member."""

    @classmethod
    def name(cls) -> str:
        return "urigrep_files"


def register(spark: SparkSession) -> None:
    """Makes the formats `urigrep_mail`, `urigrep_warc` and `urigrep_files` known to `spark.read`."""
    for source in (MailSource, WarcSource, FileSource):
        spark.dataSource.register(source)


def _read(spark: SparkSession, source: type[_FoundSource], paths: str | Sequence[str], options: Mapping[str, Any]) -> DataFrame:
    spark.dataSource.register(source)
    listed = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    if any(_scheme(path) not in (None, "file") for path in listed):
        return _read_binary(spark, listed, source, dict(options))
    _mode(options.get("mode", "PERMISSIVE"))
    _local(listed)
    reader = spark.read.format(source.name()).option("paths", json.dumps(listed))
    for name, value in options.items():
        reader = reader.option(name, value if isinstance(value, str) else json.dumps(value))
    return reader.load()


def _read_binary(spark: SparkSession, paths: list[str], source: type[_FoundSource], options: dict[str, Any]) -> DataFrame:
    """Reads files of any file system that Spark knows, such as `s3a://` and `hdfs://`. Each is held in memory as a whole, because
    `binaryFile` gives no stream, and a mailbox is not split."""
    mode = _mode(options.pop("mode", "PERMISSIVE"))
    options.pop("partition_bytes", None)
    keywords = {**source.defaults, "threads": 1, **options}
    scan([], **keywords)
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(paths)

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path, content in zip(batch.column("path").to_pylist(), batch.column("content"), strict=True):
                text = content.as_buffer()
                yield from _rows(path, lambda: (None, scan(text, name=path, errors="ignore", **keywords)), mode)  # noqa: B023

    return files.select("path", "content").mapInArrow(read, FOUND_SCHEMA)


def read_mail(spark: SparkSession, paths: str | Sequence[str], **options: Any) -> DataFrame:
    """The URIs in mailboxes and directories of mail, a row each; see `FOUND_SCHEMA`.

    Paths may have globs, and may be URIs of other file systems, such as `s3a://bucket/mail`. Options are those of `urigrep.scan`,
    `mode`, and `partition_bytes`: the bytes that a task reads, also of one mailbox.

    A path that does not exist raises `FileNotFoundError`. What can't be read gives a row with `error`; with `mode="DROPMALFORMED"`
    nothing, and with `mode="FAILFAST"` the job fails."""
    return _read(spark, MailSource, paths, options)


def read_warc(spark: SparkSession, paths: str | Sequence[str], **options: Any) -> DataFrame:
    """The URIs in WARC files, a row each; one task reads a file. Paths and options are those of `read_mail`."""
    return _read(spark, WarcSource, paths, options)


def read_files(spark: SparkSession, paths: str | Sequence[str], **options: Any) -> DataFrame:
    """The URIs in files of any format, a row each. Paths and options are those of `read_mail`."""
    return _read(spark, FileSource, paths, options)
