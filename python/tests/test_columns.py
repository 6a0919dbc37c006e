"""`find_batch` and `extract_batch`: the same matches as `find`, for every type of array and every producer."""

import os
import random

import pytest

import urigrep

pa = pytest.importorskip("pyarrow")

TEXTS = [
    "see http://a.example/b and urn:isbn:0451450523",
    None,
    "",
    "é😀 <http://ä.example/\n ö> jo@b.example",
    "nothing",
    "HTTPS://jo:pw@C.example:8080/d?e#f",
] * 3
OPTIONS = {"email": True}


def expected(texts, **options):
    return [
        (row, m.start, m.end, m.uri, m.scheme, m.host, m.kind, list(m.flags))
        for row, text in enumerate(texts)
        if text is not None
        for m in urigrep.find(text, **options)
    ]


def rows(batch):
    return [tuple(row.values()) for row in pa.record_batch(batch).to_pylist()]


TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint64(), pa.large_binary()),
]


def of_type(texts, type):
    if pa.types.is_dictionary(type):
        return pa.array(texts, type.value_type).dictionary_encode().cast(type)
    return pa.array(texts, type)


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_types(type):
    array = of_type(TEXTS, type)
    values = type.value_type if pa.types.is_dictionary(type) else type
    encoded = [None if text is None else text.encode() for text in TEXTS]
    # offsets are those of `find`: characters in text, and bytes in binary values
    texts = encoded if "binary" in str(values) else TEXTS
    assert rows(urigrep.find_batch(array, **OPTIONS)) == expected(texts, **OPTIONS)
    assert rows(urigrep.find_batch(array, offsets="bytes", **OPTIONS)) == expected(encoded, **OPTIONS)
    # a slice has an offset in its buffers
    assert rows(urigrep.find_batch(array[3:7], **OPTIONS)) == expected(texts[3:7], **OPTIONS)
    assert rows(urigrep.Finder(**OPTIONS).find_batch(array)) == expected(texts, **OPTIONS)
    lists = pa.array(urigrep.extract_batch(array[2:], columns="uri", **OPTIONS))
    assert lists.to_pylist() == [
        None if text is None else [m.uri for m in urigrep.find(text, **OPTIONS)] for text in encoded[2:]
    ]


def test_characters():
    got = rows(urigrep.find_batch(pa.array(TEXTS), **OPTIONS))
    assert got == expected(TEXTS, **OPTIONS)
    encoded = pa.array([text and text.encode() for text in TEXTS])
    assert rows(urigrep.find_batch(encoded, offsets="characters", **OPTIONS)) == got
    finder = urigrep.Finder(**OPTIONS)
    assert rows(finder.find_batch(pa.array(TEXTS[1:]), first_row=1)) == [row for row in got if row[0]]
    lists = pa.array(finder.extract_batch(pa.array(TEXTS), columns=["start", "uri"])).to_pylist()
    assert [(m["start"], m["uri"]) for found in lists for m in found or ()] == [(row[1], row[3]) for row in got]
    for row, start, end, *_ in got:
        assert TEXTS[row][start:end]


def test_chunks_and_streams():
    chunked = pa.chunked_array([pa.array(TEXTS[:4]), pa.array([], pa.string()), pa.array(TEXTS[4:])])
    assert rows(urigrep.find_batch(chunked, **OPTIONS)) == expected(TEXTS, **OPTIONS)
    assert len(pa.array(urigrep.extract_batch(chunked))) == len(TEXTS)
    batch = urigrep.find_batch(pa.array(TEXTS), first_row=100)
    assert pa.record_batch(batch)["row"][0].as_py() == 100
    assert pa.table(batch).num_rows == len(batch)


def test_columns():
    array = pa.array(["http://jo@a.example:80/b?c#d urn:a-b:c"])
    names = ["fragment", "row", "userinfo", "port", "path", "query", "normalized", "wrapper", "iri"]
    batch = pa.record_batch(urigrep.find_batch(array, columns=names))
    assert batch.schema.names == names
    assert batch.to_pylist()[0] == {
        "fragment": "d",
        "row": 0,
        "userinfo": "jo",
        "port": "80",
        "path": "/b",
        "query": "c",
        "normalized": "http://jo@a.example/b?c#d",
        "wrapper": "none",
        "iri": None,
    }
    assert pa.types.is_dictionary(pa.record_batch(urigrep.find_batch(array))["kind"].type)
    structs = pa.array(urigrep.extract_batch(array, columns=["uri", "start"])).to_pylist()
    assert structs == [[{"uri": "http://jo@a.example:80/b?c#d", "start": 0}, {"uri": "urn:a-b:c", "start": 29}]]
    for wrong in ({"columns": ["nonsense"]}, {"columns": []}, {"offsets": "words"}, {"kind": "nonsense"}):
        with pytest.raises(urigrep.OptionError):
            urigrep.find_batch(array, **wrong)
    with pytest.raises(urigrep.OptionError):
        urigrep.extract_batch(array, columns="row")
    for wrong in (pa.array([1, 2]), ["http://a.example"], "http://a.example"):
        with pytest.raises(TypeError):
            urigrep.find_batch(wrong)


def test_empty():
    for array in (pa.array([], pa.string()), pa.nulls(3), pa.nulls(3, pa.string_view()), pa.chunked_array([], pa.string())):
        assert len(urigrep.find_batch(array)) == 0
        assert pa.array(urigrep.extract_batch(array)).to_pylist() == [None] * len(array)


@pytest.mark.parametrize("seed", range(int(os.environ.get("URIGREP_SEEDS", "20"))))
def test_threads_find_the_same(seed):
    chance = random.Random(seed)
    words = ["http://a.example/", "urn:isbn:0451450523", "word", "é", "😀", "www.b.example", "<http://c.example/\nd>", None]
    texts = [None if chance.random() < 0.1 else " ".join(chance.choices(words[:-1], k=chance.randrange(200))) for _ in range(3_000)]
    array = of_type(texts, chance.choice(TYPES[:3]))
    alone = urigrep.find_batch(array, threads=1, abbreviated=True)
    together = urigrep.find_batch(array, threads=4, abbreviated=True)
    assert pa.record_batch(alone).equals(pa.record_batch(together))
    lists = [pa.array(urigrep.extract_batch(array, threads=n, abbreviated=True)) for n in (1, 4)]
    assert lists[0].equals(lists[1])
    assert pa.record_batch(alone).validate(full=True) is None and lists[0].validate(full=True) is None


def test_a_batch_keeps_what_it_needs():
    lists = pa.array(urigrep.extract_batch(pa.array(TEXTS * 100), columns="uri"))
    batch = urigrep.find_batch(pa.array(TEXTS * 100))
    first, again = pa.record_batch(batch), pa.record_batch(batch)
    del batch
    assert first.equals(again) and lists.validate(full=True) is None


def test_the_number_of_the_first_row_fits():
    rows = pa.array(["see http://a.example/x"])
    assert pa.record_batch(urigrep.find_batch(rows, first_row=2**64 - 2))["row"].to_pylist() == [2**64 - 2]
    with pytest.raises(OverflowError):
        urigrep.find_batch(rows, first_row=2**64 - 1)


def test_arrays_of_nulls():
    assert len(urigrep.find_batch(pa.nulls(5))) == 0
    assert pa.array(urigrep.extract_batch(pa.nulls(3), columns="uri")).to_pylist() == [None] * 3
