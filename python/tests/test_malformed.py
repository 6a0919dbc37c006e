"""Structs of the Arrow C data interface that a producer got wrong: each is a `ValueError`, none a panic or a crash."""

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_int64, c_void_p, cast, pointer, py_object

import pytest

import urigrep


class Schema(Structure):
    pass


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class Array(Structure):
    pass


Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]

# The structs live as long as the test, so releasing one only marks it.
RELEASE_SCHEMA = ctypes.CFUNCTYPE(None, POINTER(Schema))(lambda it: setattr(it.contents, "release", None))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, POINTER(Array))(lambda it: setattr(it.contents, "release", None))

capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = py_object
capsule.argtypes = [c_void_p, c_char_p, c_void_p]


class Producer:
    """An array of two strings, whose structs a test changes."""

    def __init__(self):
        self.keep = []
        self.text = ctypes.create_string_buffer(b"http://a.example/x")
        self.offsets = (ctypes.c_int32 * 3)(0, 17, 18)
        self.schema = Schema(b"u", b"", None, 2, 0, None, None, cast(RELEASE_SCHEMA, c_void_p), None)
        self.array = Array(2, 0, 0, 3, 0, self.buffers(None, self.offsets, self.text), None, None)
        self.array.release = cast(RELEASE_ARRAY, c_void_p)

    def buffers(self, *all):
        pointers = (c_void_p * len(all))(*(None if it is None else ctypes.addressof(it) for it in all))
        self.keep.append((pointers, all))
        return cast(pointers, POINTER(c_void_p))

    def children(self, kind, *all):
        pointers = (POINTER(kind) * len(all))(*(pointer(it) if it is not None else POINTER(kind)() for it in all))
        self.keep.append((pointers, all))
        return cast(pointers, POINTER(POINTER(kind)))

    def dictionary(self, *keys):
        values, self.keys = Producer(), (ctypes.c_int32 * len(keys))(*keys)
        self.keep.append(values)
        self.schema.format, self.schema.dictionary = b"i", pointer(values.schema)
        self.array.length, self.array.n_buffers = len(keys), 2
        self.array.buffers, self.array.dictionary = self.buffers(None, self.keys), pointer(values.array)
        return values

    def __arrow_c_array__(self, requested_schema=None):
        schema = capsule(ctypes.addressof(self.schema), b"arrow_schema", None)
        return schema, capsule(ctypes.addressof(self.array), b"arrow_array", None)


def test_the_producer_is_right():
    assert len(urigrep.find_batch(Producer())) == 1
    producer = Producer()
    producer.dictionary(1, 0, 0)
    assert len(urigrep.find_batch(producer)) == 2


def nested(depth):
    producer = Producer()
    schema, array = producer.schema, producer.array
    for _ in range(depth):
        outer = Schema(b"+l", b"", None, 2, 1, producer.children(Schema, schema), None)
        outer.release = cast(RELEASE_SCHEMA, c_void_p)
        list_of = Array(1, 0, 0, 2, 1, producer.buffers(None, producer.offsets))
        list_of.children, list_of.release = producer.children(Array, array), cast(RELEASE_ARRAY, c_void_p)
        schema, array = outer, list_of
    producer.schema, producer.array = schema, array
    return producer


def changed(change):
    def make():
        producer = Producer()
        change(producer)
        return producer

    return make


def of_schema(**fields):
    return changed(lambda it: [setattr(it.schema, name, value) for name, value in fields.items()])


def of_array(**fields):
    return changed(lambda it: [setattr(it.array, name, value) for name, value in fields.items()])


def itself(it):
    it.schema.format, it.schema.n_children = b"+l", 1
    it.schema.children = it.children(Schema, it.schema)


MALFORMED = {
    "released schema": of_schema(release=None),
    "released array": of_array(release=None),
    "no format": of_schema(format=None),
    "empty format": of_schema(format=b""),
    "unknown format": of_schema(format=b"?"),
    "format of timestamps": of_schema(format=b"ts"),
    "format of decimals": of_schema(format=b"d:"),
    "format that is not UTF-8": of_schema(format=b"\xff"),
    "name that is not UTF-8": of_schema(name=b"\xff"),
    "negative number of children": of_schema(n_children=-1),
    "children that are missing": of_schema(n_children=3),
    "too many children": of_schema(n_children=1 << 40),
    "list without an item": of_schema(format=b"+l"),
    "struct with a child that is missing": changed(
        lambda it: [
            setattr(it.schema, "format", b"+s"),
            setattr(it.schema, "n_children", 1),
            setattr(it.schema, "children", it.children(Schema, None)),
        ]
    ),
    "negative length": of_array(length=-1),
    "huge length": of_array(length=1 << 62),
    "negative offset": of_array(offset=-1),
    "huge offset": of_array(offset=(1 << 63) - 1),
    "negative number of nulls": of_array(null_count=-2),
    "more nulls than values": of_array(null_count=3),
    "nulls without a bitmap": of_array(null_count=1),
    "no buffers": of_array(n_buffers=0),
    "negative number of buffers": of_array(n_buffers=-3),
    "too few buffers": of_array(n_buffers=2),
    "no pointer to buffers": of_array(buffers=None),
    "no offsets": changed(lambda it: setattr(it.array, "buffers", it.buffers(None, None, it.text))),
    "children that the schema lacks": of_array(n_children=1),
    "dictionary that the schema lacks": changed(lambda it: setattr(it.array, "dictionary", pointer(Producer().array))),
    "dictionary that is missing": changed(lambda it: setattr(it.schema, "dictionary", pointer(Producer().schema))),
    "key beyond the dictionary": changed(lambda it: it.dictionary(0, 2)),
    "negative key": changed(lambda it: it.dictionary(-1)),
    "dictionary of floats": changed(lambda it: [it.dictionary(0), setattr(it.schema, "format", b"g")]),
    "released values of a dictionary": changed(lambda it: setattr(it.dictionary(0).array, "release", None)),
    "decreasing offsets": changed(lambda it: it.offsets.__setitem__(slice(3), [0, 18, 17])),
    "negative offsets": changed(lambda it: it.offsets.__setitem__(slice(3), [-1, 0, 1])),
    "deep type": lambda: nested(2000),
    "type in itself": changed(itself),
    "list of strings": lambda: nested(1),
}


@pytest.mark.parametrize("make", MALFORMED.values(), ids=MALFORMED)
def test_malformed(make):
    with pytest.raises((ValueError, TypeError)):
        urigrep.find_batch(make())


def test_a_capsule_is_used_once():
    producer = Producer()
    urigrep.find_batch(producer)
    # The first call has released the structs.
    with pytest.raises(ValueError, match="released"):
        urigrep.find_batch(producer)
    assert byref(producer.array) is not None


def test_nulls_without_end():
    """An array of nulls has no buffers, so that it may have more rows than any memory."""
    it = Producer()
    it.schema.format = b"n"
    it.array.n_buffers, it.array.buffers = 0, None
    it.array.length = it.array.null_count = 10**14
    assert len(urigrep.find_batch(it)) == 0
    again = Producer()
    again.schema.format = b"n"
    again.array.n_buffers, again.array.buffers = 0, None
    again.array.length = again.array.null_count = 10**14
    with pytest.raises(MemoryError):
        urigrep.extract_batch(again)
