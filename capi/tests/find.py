"""The shared library by ctypes. usage: find.py LIBRARY"""

import ctypes
import sys


class Match(ctypes.Structure):
    _fields_ = [
        ("start", ctypes.c_size_t),
        ("end", ctypes.c_size_t),
        ("uri", ctypes.c_void_p),
        ("uri_length", ctypes.c_size_t),
        ("host", ctypes.c_void_p),
        ("host_length", ctypes.c_size_t),
        ("scheme_length", ctypes.c_size_t),
        ("kind", ctypes.c_void_p),
        ("kind_length", ctypes.c_size_t),
    ]


Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Match), ctypes.c_void_p)
library = ctypes.CDLL(sys.argv[1])
library.urigrep_finder_new.restype = ctypes.c_void_p
library.urigrep_finder_new.argtypes = [ctypes.c_uint32]
library.urigrep_finder_free.argtypes = [ctypes.c_void_p]
library.urigrep_find.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, Callback, ctypes.c_void_p]

found = []


@Callback
def keep(match, context):
    match = match.contents
    uri = ctypes.string_at(match.uri, match.uri_length)
    found.append((match.start, match.end, uri, ctypes.string_at(match.kind, match.kind_length)))
    return 0


finder = library.urigrep_finder_new(0)
text = "é http://a.example/ü, urn:isbn:0451450523".encode()
assert library.urigrep_find(finder, text, len(text), keep, None) == 0
library.urigrep_finder_free(finder)
assert found == [
    (3, 22, b"http://a.example/%C3%BC", b"iri"),
    (24, 43, b"urn:isbn:0451450523", b"urn"),
], found
print("the shared library is fine")
