from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final

from typing_extensions import Buffer, CapsuleType, Required, Unpack

VERSION: str

Text: TypeAlias = str | Buffer
Path: TypeAlias = str | PathLike[str]
Words: TypeAlias = str | Sequence[str] | set[str]
Kind: TypeAlias = Literal["email", "abbreviated", "urn", "lax", "iri", "uri", "reference"]

class FindOptions(TypedDict, total=False):
    """What a URI is, and which are wanted: the command's flags of the groups Selection and Recognition."""

    scheme: Words | None
    nid: Words | None
    host: Words | None
    domain: Words | None
    kind: Words | None
    role: Words | None
    flag: Words | None
    port: Words | int | None
    host_type: Words | None
    regexp: Words | None
    ignore_case: bool
    invert_match: bool
    secrets: bool
    strict: bool
    ascii: bool
    known_schemes: bool
    embedded: bool
    refang: bool
    unwrap: bool
    rejoin: Literal["never", "wrapped", "hyphen", "always"]
    abbreviated: bool
    assume_scheme: Literal["https", "http"]
    email: bool
    identifiers: bool
    doi: bool
    uts58: bool
    grammar: str
    max_uri: int | str
    recognizers: Mapping[str, str] | None

class TextOptions(FindOptions, total=False):
    """Also what the text is: a document in a format, whose references are resolved against `base`."""

    format: str | None
    base: str | None

class WalkOptions(TypedDict, total=False):
    """Which files are searched, and how they are read: the command's flags of the group Files."""

    type: Words | None
    type_not: Words | None
    type_add: Words | None
    glob: Words | None
    iglob: Words | None
    hidden: bool
    no_ignore: bool
    untrusted: bool
    follow: bool
    max_depth: int | None
    max_filesize: int | str | None
    one_file_system: bool
    search_compressed: bool
    text: bool
    binary: bool
    markup: str
    encoding: str | None
    mail: Literal["auto", "always", "never"]
    headers: bool
    all_parts: bool
    dedupe: Literal["message", "thread"] | None
    limit: Words | None
    threads: int

class ScanOptions(FindOptions, WalkOptions, total=False):
    max_count: int | None
    element: Words | None
    at: Words | None
    sender: Words | None
    date: str | None
    sort: Literal["path", "none"]
    resolve: bool
    base: str | None
    pre: Path | None
    pre_glob: Words | None

class AuditOptions(WalkOptions, total=False):
    check: Words | None
    severity: Literal["note", "warning", "error"] | None
    exclude: Words | None
    all_files: bool
    vendored: bool
    orphans: bool
    site: str | None
    root: Path | Sequence[Path] | None
    base: str | None
    slugs: str | None
    baseline: Path | None
    config: Path | None
    no_config: bool
    online: bool
    offline: bool
    cache: Path | None
    max_age: str | None
    timeout: str | None
    retry: int | None
    host_concurrency: int | None
    max_time: str | None
    accept: str | None
    remap: Words | None
    header: Words | None
    include_mail: bool
    require_https: bool
    allow_private: bool
    suggest: Literal["archive"] | None
    quarantine: Path | None
    import_: Path | Sequence[Path] | None

class Redirect(TypedDict):
    status: int
    to: str

class Evidence(TypedDict, total=False):
    url: Required[str]
    time: Required[int]
    redirects: list[Redirect]
    status: int
    fault: str
    archived: str

class Components(TypedDict, total=False):
    userinfo: str
    host: str
    host_type: Literal["reg-name", "ipv4", "ipv6", "ipvfuture"]
    host_address: str
    port: str
    path: str
    query: str
    fragment: str

class Identifier(TypedDict):
    kind: Literal["doi", "isbn", "issn", "ark", "nbn", "handle", "orcid", "arxiv", "pmid", "pmcid", "swhid", "urn"]
    value: str
    canonical: str

class UrnFault(TypedDict):
    reason: str
    at: int
    message: str

class UrnParts(TypedDict, total=False):
    nid: str
    nss: str
    r: str
    q: str
    f: str
    assigned_name: str
    namespace: str
    fault: UrnFault

class Mail(TypedDict, total=False):
    message_id: str
    date: str
    # `from` is no name in Python: match.mail["from"]
    subject: str
    parts: list[str]
    header: str

@final
class Match:
    __match_args__: tuple[Literal["uri"], Literal["start"], Literal["end"]]
    @property
    def uri(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def path(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def iri(self) -> str | None: ...
    @property
    def wrapper(self) -> str: ...
    @property
    def flags(self) -> tuple[str, ...]: ...
    @property
    def ranges(self) -> list[tuple[int, int]]: ...
    @property
    def alternative(self) -> str | None: ...
    @property
    def normalized(self) -> str | None: ...
    @property
    def components(self) -> Components: ...
    @property
    def identifier(self) -> Identifier | None: ...
    @property
    def urn(self) -> UrnParts | None: ...
    @property
    def role(self) -> str | None: ...
    @property
    def format(self) -> str | None: ...
    @property
    def place(self) -> dict[str, int | str] | None: ...
    @property
    def label(self) -> str | None: ...
    @property
    def element(self) -> str | None: ...
    @property
    def attribute(self) -> str | None: ...
    @property
    def mail(self) -> Mail | None: ...
    @property
    def stream(self) -> str | None: ...
    def span(self) -> tuple[int, int]: ...
    def as_dict(self) -> dict[str, Any]: ...
    def __hash__(self) -> int: ...

@final
class Finder:
    def __init__(self, **options: Unpack[TextOptions]) -> None: ...
    @property
    def options(self) -> dict[str, Any]: ...
    def find(self, text: Text) -> list[Match]: ...
    def finditer(self, text: Text) -> MatchIterator: ...
    def find_invalid(self, text: Text) -> list[Rejected]: ...
    def explain(self, text: Text) -> list[tuple[Match | Rejected, list[Step]]]: ...
    def scan(
        self,
        source: Path | Iterable[Path] | Buffer | BinaryFile,
        /,
        *,
        name: str | None = None,
        errors: Literal["warn", "raise", "ignore"] = "warn",
        **options: Unpack[ScanOptions],
    ) -> Scan: ...
    def find_batch(
        self,
        array: ArrowArray | ArrowStream,
        /,
        *,
        columns: Column | Sequence[Column] | None = None,
        offsets: Literal["bytes", "characters"] | None = None,
        threads: int = 0,
        first_row: int = 0,
    ) -> Batch: ...
    def extract_batch(
        self,
        array: ArrowArray | ArrowStream,
        /,
        *,
        columns: Column | Sequence[Column] | None = None,
        offsets: Literal["bytes", "characters"] | None = None,
        threads: int = 0,
    ) -> MatchLists: ...

@final
class MatchIterator(Iterator[Match]):
    def __next__(self) -> Match: ...

def find(text: Text, /, **options: Unpack[TextOptions]) -> list[Match]: ...
def finditer(text: Text, /, **options: Unpack[TextOptions]) -> MatchIterator: ...
@final
class Rejected:
    __match_args__: tuple[Literal["text"], Literal["start"], Literal["end"]]
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def at(self) -> int: ...
    def span(self) -> tuple[int, int]: ...

@final
class Step:
    @property
    def rule(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...

def find_invalid(text: Text, /, **options: Unpack[TextOptions]) -> list[Rejected]: ...
def explain(text: Text, /, **options: Unpack[FindOptions]) -> list[tuple[Match | Rejected, list[Step]]]: ...
def defang(text: str, /, **options: Unpack[FindOptions]) -> str: ...
def refang(text: str, /, **options: Unpack[FindOptions]) -> str: ...
@final
class Problem:
    @property
    def kind(self) -> Literal["read", "limit", "archive", "unread", "panic"]: ...
    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...

class ScanStats(TypedDict):
    files: int
    skipped: int
    bytes: int
    matches: int

@final
class Scan(Iterator[Match]):
    def __next__(self) -> Match: ...
    @property
    def problems(self) -> list[Problem]: ...
    @property
    def stats(self) -> ScanStats: ...
    def read_batch(self, rows: int = 16_384) -> Batch | None: ...


class BinaryFile(Protocol):
    def read(self, size: int, /) -> Buffer: ...

def scan(
    source: Path | Iterable[Path] | Buffer | BinaryFile,
    /,
    *,
    name: str | None = None,
    errors: Literal["warn", "raise", "ignore"] = "warn",
    **options: Unpack[ScanOptions],
) -> Scan: ...
def scan_mbox_part(
    path: Path, start: int, end: int, /, **options: Unpack[ScanOptions]
) -> tuple[int, Scan]: ...
@final
class Finding:
    __match_args__: tuple[Literal["check"], Literal["uri"]]
    @property
    def check(self) -> str: ...
    @property
    def severity(self) -> Literal["note", "warning", "error"]: ...
    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def uri(self) -> str | None: ...
    @property
    def message(self) -> str: ...
    @property
    def hint(self) -> str | None: ...
    @property
    def evidence(self) -> Evidence | None: ...

def audit(
    paths: Path | Iterable[Path], /, **options: Unpack[AuditOptions]
) -> tuple[list[Finding], list[Problem]]: ...

class ParseError(ValueError):
    offset: int
    reason: str

class OptionError(ValueError): ...
class UrigrepWarning(UserWarning): ...

class Uri:
    __match_args__: tuple[Literal["scheme"], Literal["host"], Literal["path"]]
    def __new__(cls, text: str, /, *, grammar: str = "rfc3986", reference: bool = False) -> Uri: ...
    @property
    def kind(self) -> Literal["uri", "iri", "urn", "reference"]: ...
    @property
    def grammar(self) -> str: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def userinfo(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def host_type(self) -> str | None: ...
    @property
    def port(self) -> str | None: ...
    @property
    def path(self) -> str | None: ...
    @property
    def query(self) -> str | None: ...
    @property
    def fragment(self) -> str | None: ...
    @property
    def components(self) -> dict[str, str]: ...
    @property
    def flags(self) -> tuple[str, ...]: ...
    @property
    def port_number(self) -> int | None: ...
    @property
    def path_segments(self) -> list[str]: ...
    @property
    def query_pairs(self) -> list[tuple[str, str | None]]: ...
    @property
    def identifier(self) -> Identifier | None: ...
    def with_query(
        self, query: str | Mapping[str, Any] | Iterable[tuple[str, Any]] | None
    ) -> Uri: ...
    def with_fragment(self, fragment: str | None, /) -> Uri: ...
    def with_host(self, host: str, /) -> Uri: ...
    def __truediv__(self, segment: str) -> Uri: ...
    def normalize(self) -> str: ...
    def resolve(self, reference: str) -> str: ...
    def redact(self) -> str: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: Uri) -> bool: ...

@final
class Urn(Uri):
    def __new__(cls, text: str, /) -> Urn: ...
    @property
    def nid(self) -> str: ...
    @property
    def nss(self) -> str: ...
    @property
    def r(self) -> str | None: ...
    @property
    def q(self) -> str | None: ...
    @property
    def f(self) -> str | None: ...
    @property
    def assigned_name(self) -> str: ...
    @property
    def namespace(self) -> str: ...
    @property
    def fault(self) -> str | None: ...

def parse(text: str, /, *, grammar: str = "rfc3986", reference: bool = False) -> Uri: ...
def resolve(base: str, reference: str, /) -> str: ...
def normalize(text: str, /) -> str: ...
def equivalent(a: str, b: str, /) -> Literal["string", "syntax", "scheme", "urn"] | None: ...
def redact(text: str, /) -> str: ...
def unwrap(text: str, /) -> str | None: ...

class ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> tuple[Any, Any]: ...

class ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> Any: ...

Column: TypeAlias = Literal[
    "row",
    "start",
    "end",
    "uri",
    "scheme",
    "host",
    "kind",
    "flags",
    "iri",
    "normalized",
    "wrapper",
    "userinfo",
    "port",
    "path",
    "query",
    "fragment",
    "identifier",
    "role",
    "label",
]

@final
class Batch:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[CapsuleType, CapsuleType]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

@final
class MatchLists:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[CapsuleType, CapsuleType]: ...

def find_batch(
    array: ArrowArray | ArrowStream,
    /,
    *,
    columns: Column | Sequence[Column] | None = None,
    offsets: Literal["bytes", "characters"] | None = None,
    threads: int = 0,
    first_row: int = 0,
    **options: Unpack[TextOptions],
) -> Batch: ...
def extract_batch(
    array: ArrowArray | ArrowStream,
    /,
    *,
    columns: Column | Sequence[Column] | None = None,
    offsets: Literal["bytes", "characters"] | None = None,
    threads: int = 0,
    **options: Unpack[TextOptions],
) -> MatchLists: ...
def option_names(of: Literal["find", "scan", "audit"]) -> list[str]: ...
def option_help(of: Literal["find", "scan", "audit"]) -> dict[str, str]: ...
def command(arguments: Sequence[str]) -> int: ...
def restore(record: Mapping[str, Any], text: str, path: str | None) -> Match: ...
