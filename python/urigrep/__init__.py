"""Finds URIs and URNs in free text: the whole URI, and nothing around it.

    >>> import urigrep
    >>> urigrep.find("See <http://www.w3.org/Addressing/> or urn:isbn:0451450523.")
    [<Match uri, 5:33, 'http://www.w3.org/Addressing/'>, <Match urn, 38:58, 'urn:isbn:0451450523'>]

Options are keywords named like the flags of the command: ``find(text, email=True, scheme=["https", "mailto"])``.
``urigrep --help`` explains them, ``help(urigrep.find)`` and ``option_help("find")`` list them.

Offsets (``start``, ``end``, ``span()``) are indices of what was searched: they count characters in a str and in columns of
strings, and bytes in bytes, in columns of binary values, and in files. ``offsets="bytes"`` counts bytes in columns of strings.
"""

from ._urigrep import (
    VERSION as __version__,
)
from ._urigrep import (
    Batch,
    Finder,
    Finding,
    Match,
    MatchIterator,
    MatchLists,
    OptionError,
    ParseError,
    Problem,
    Rejected,
    Scan,
    Step,
    Uri,
    UrigrepWarning,
    Urn,
    audit,
    defang,
    equivalent,
    explain,
    extract_batch,
    find,
    find_batch,
    find_invalid,
    finditer,
    normalize,
    option_help,
    option_names,
    parse,
    redact,
    refang,
    resolve,
    scan,
    scan_mbox_part,
    unwrap,
)

__all__ = [
    "Batch",
    "Finder",
    "Finding",
    "Match",
    "MatchIterator",
    "MatchLists",
    "OptionError",
    "ParseError",
    "Problem",
    "Rejected",
    "Scan",
    "Step",
    "Uri",
    "UrigrepWarning",
    "Urn",
    "__version__",
    "audit",
    "defang",
    "equivalent",
    "explain",
    "extract_batch",
    "find",
    "find_batch",
    "find_invalid",
    "finditer",
    "normalize",
    "option_help",
    "option_names",
    "parse",
    "redact",
    "refang",
    "resolve",
    "scan",
    "scan_mbox_part",
    "unwrap",
]
