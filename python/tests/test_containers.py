"""Documents that are no text, as files, in archives, and attached to mail."""

import email.message
import io
import warnings
import zipfile
from pathlib import Path

import pytest

import urigrep

TARGET = "https://{}.example/a?x=1&y=2"

PDF = b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[<</Subtype/Link/Rect[90 690 300 720]/A<</S/URI/URI(https://pdf.example/a?x=1&y=2)>>>>]>> endobj
4 0 obj <</Length 49>> stream
BT /F 10 Tf 100 700 Td (http://text.example/) Tj ET
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Courier>> endobj
trailer <</Root 1 0 R>>
"""


def package(members: dict[str, str]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            file.writestr(name, text)
    return written.getvalue()


def relationships(kind: str, target: str, mode: str = "") -> str:
    return f'<Relationships><Relationship Id="r" Type="t/{kind}" Target="{target}"{mode}/></Relationships>'


DOCX = package(
    {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relationships("officeDocument", "word/document.xml"),
        "word/document.xml": '<w:document><w:body><w:p><w:hyperlink r:id="r"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p></w:body></w:document>',
        "word/_rels/document.xml.rels": relationships("hyperlink", "https://docx.example/a?x=1&amp;y=2", ' TargetMode="External"'),
    }
)

EPUB = package(
    {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
        "c.opf": '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
        "a.xhtml": '<html><body><a href="https://epub.example/a?x=1&amp;y=2">here</a></body></html>',
    }
)

RTF = rb'{\rtf1 {\field{\*\fldinst{HYPERLINK "https://rtf.example/a?x=1&y=2"}}{\fldrslt here}}}'

NOTEBOOK = b'{"cells":[{"cell_type":"markdown","source":["[here](https://ipynb.example/a?x=1&y=2)"]}],"nbformat":4}'

DOCUMENTS = {"docx": DOCX, "epub": EPUB, "ipynb": NOTEBOOK, "pdf": PDF, "rtf": RTF}


def attached(data: bytes, name: str) -> bytes:
    mail = email.message.EmailMessage()
    mail["From"] = "a@b.example"
    mail.set_content("see the file\n")
    mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return bytes(mail)


@pytest.mark.parametrize("extension", DOCUMENTS)
def test_documents_in_their_containers(tmp_path: Path, extension: str) -> None:
    name = f"a.{extension}"
    (tmp_path / name).write_bytes(DOCUMENTS[extension])
    (tmp_path / "b.zip").write_bytes(package({"dir/c": "none"}))
    with zipfile.ZipFile(tmp_path / "b.zip", "a") as file:
        file.writestr(f"dir/{name}", DOCUMENTS[extension])
    (tmp_path / "c.eml").write_bytes(attached(DOCUMENTS[extension], name))
    with warnings.catch_warnings():
        # A file that is not read causes a warning.
        warnings.simplefilter("error")
        found = list(urigrep.scan(tmp_path, role="destination", search_compressed=True))
    assert [m.uri for m in found] == [TARGET.format(extension)] * 3
    if extension in ("docx", "rtf"):
        assert [m.label for m in found] == ["here"] * 3


def test_places_in_a_pdf(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(PDF)
    text, link = urigrep.scan(path)
    assert (text.uri, text.place) == ("http://text.example/", {"page": 1})
    assert (link.uri, link.role, link.place) == (TARGET.format("pdf"), "destination", {"page": 1})


@pytest.mark.parametrize("format", ["pdf", "docx", "epub"])
def test_bytes_of_a_column(format: str) -> None:
    """Spark's `binaryFile` gives documents as values of a column."""
    pa = pytest.importorskip("pyarrow")
    column = pa.array([DOCUMENTS[format], None], pa.binary())
    for named in (format, "auto"):
        found = pa.record_batch(urigrep.find_batch(column, format=named, columns=["row", "uri"]))
        assert {"row": 0, "uri": TARGET.format(format)} in found.to_pylist()
