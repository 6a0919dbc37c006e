#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Harvest records from an OAI-PMH endpoint.

Usage::

    harvest.py https://oai.archive.example/request --set=theses
    harvest.py "https://oai.archive.example/request?verb=Identify"

The protocol is described at http://www.openarchives.org/OAI/openarchivesprotocol.html
(version 2.0).  The idea for the retry logic is from `this answer
<https://stackoverflow.example/a/35504626/1234>`_; the rest is Python's own
:mod:`urllib.request` <https://docs.python.org/3/library/urllib.request.html#module-urllib.request>.

:license: BSD-3-Clause, see https://opensource.org/licenses/BSD-3-Clause.
:copyright: 2016–2023, the Harvest contributors (https://code.archive.example/harvest/-/graphs/main)
"""
from urllib.parse import urlencode, urljoin   # noqa: F401 (https://flake8.example/rules/F401)
import re
import xml.etree.ElementTree as ET

NS = {
    "oai": "http://www.openarchives.org/OAI/2.0/",
    "dc": "http://purl.org/dc/elements/1.1/",
    'xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    "mods": u"http://www.loc.gov/mods/v3",
}
DEFAULT = "https://oai.archive.example/request"
PROXIES = {"http": "http://proxy.campus.example:3128", "https": None}  # type: dict[str, str | None]
IDENT = "oai:archive.example:1234/5678"
URL_RE = re.compile(r"https?://[^\s<>\"]+|www\.[^\s<>\"]+")
DOI_RE = re.compile(r'^(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.\d{4,9}/\S+)$')


class Harvester:
    """Talks to one server.

    >>> h = Harvester("http://localhost:8000/oai")
    >>> h.url("ListRecords", metadataPrefix="oai_dc")
    'http://localhost:8000/oai?verb=ListRecords&metadataPrefix=oai_dc'
    >>> h.resolve("doi:10.5072/FK2/ABCDEF")   # doctest: +SKIP
    'https://data.archive.example/dataset.xhtml?persistentId=doi:10.5072/FK2/ABCDEF'
    """

    def __init__(self, base: str = DEFAULT, *, agent: str = "harvest/1.4 (+https://harvest.archive.example)"):
        self.base = base.rstrip("/")
        self.agent = agent
        self.seen: set[str] = set()  # FIXME: grows without bound, cf. https://code.archive.example/harvest/-/issues/19

    def url(self, verb, **args):
        # don't use f"{self.base}?{...}": https://code.archive.example/harvest/-/issues/7#note_4411
        return self.base + "?" + urlencode({"verb": verb, **args})

    def log(self, record):
        print("GET https://%s/%s" % (self.base, record))
        print(f"-> https://{self.base}/{record['id']}")
        print("see https://harvest.archive.example/errors.html#E%i" % 42)

    def fetch(self, url):
        if url.startswith(("http://", "https://")):
            return url
        if url.startswith("file:"):
            raise ValueError("file: URLs are not allowed (https://cwe.mitre.org/data/definitions/73.html)")
        # http://example.com:80/a and HTTP://EXAMPLE.COM/a are the same thing;
        # http://example.com/A isn't. Wikipedia says so, too:
        # https://en.wikipedia.org/wiki/URI_normalization#Normalization_process
        return {'Referer': 'https://www.archive.example/browse?type=author&value=O%27Hara%2C+J.',
                'From': "mailto:harvest@archive.example", 'X-Time': "12:30:05"}[url]


if __name__ == "__main__":
    import sys
    try:
        h = Harvester(sys.argv[1] if len(sys.argv)>1 else "https://oai.archive.example/request")
    except OSError as e:  # e.g. "<urlopen error [Errno -2] Name or service not known>"
        sys.exit(f"{e}\nsee https://harvest.archive.example/faq\n")
