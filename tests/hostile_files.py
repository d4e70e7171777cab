"""Files that a program which reads papers meets sooner or later, each made on the spot: `name(folder) -> path`.

Import with `from tests import hostile_files`. What each file is, is checked in tests/test_hostile_files.py.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

PROSE = (
    "The ferry crosses the sound four times a day. However, it stays in harbour when the wind exceeds eighteen "
    "metres per second. Storms of that strength are common in winter. Therefore, the island keeps a store of flour "
    "and fuel from October to March. The store was rebuilt after a fire. In particular, its roof now rests on beams "
    "of oak instead of pine. "
)
GERMAN = (
    "Die Fähre überquert den Sund viermal am Tag. Allerdings bleibt sie im Hafen, wenn der Wind stärker als "
    "acht\u00adzehn Meter je Sekunde weht. Stürme dieser Stärke sind im Winter häufig. Deshalb hält die Insel von "
    "Oktober bis März Vor\u00adräte an Mehl und Brenn\u00adstoff. Das Lager\u00adhaus wurde nach einem Brand neu "
    "errichtet. Ins\u00adbe\u00adson\u00addere ruht das Dach nun auf Eichen\u00adbalken, die größere Lasten tragen. "
)
CHINESE = (
    "渡船每天横渡海峡四次。然而，风力过大时它会停在港内。冬季常有这样的风暴。因此，岛上从十月到三月储备面粉和燃料。"
)
HEBREW = "המעבורת חוצה את המיצר ארבע פעמים ביום. עם זאת, היא נשארת בנמל כאשר הרוח חזקה. סערות כאלה נפוצות בחורף."


# PDFs that are fine in themselves


def plain_pdf(folder: Path) -> Path:
    """A healthy two-page paper to compare the others with."""
    return _written(folder / "healthy.pdf", "The ferry and the store", "1 Introduction", [PROSE * 6, PROSE * 4])


def long_pdf(folder: Path) -> Path:
    """A hundred pages of prose, which take a moment to read."""
    return _written(folder / "long.pdf", "The ferry and the store", "1 Introduction", [PROSE * 6] * 100)


def scan_pdf(folder: Path) -> Path:
    """Two pages that are nothing but pictures of text."""
    page = Image.new("L", (620, 877), 250)
    pen = ImageDraw.Draw(page)
    for line in range(40):
        pen.text((60, 60 + line * 19), PROSE[line : line + 80], fill=30)
    path = folder / "scan.pdf"
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    for _ in range(2):
        canvas.drawImage(ImageReader(page), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return path


def german_pdf(folder: Path) -> Path:
    """German prose with umlauts, in a narrow column with words broken at line ends."""
    return _written(folder / "german.pdf", "Die Fähre und das Lagerhaus", "1 Einleitung", [GERMAN * 5], width=190)


def chinese_pdf(folder: Path) -> Path:
    """Chinese prose in a font that is named and not embedded."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    path = folder / "chinese.pdf"
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    canvas.setFont("STSong-Light", 12)
    text = CHINESE * 6
    for line, start in enumerate(range(0, len(text), 32)):
        canvas.drawString(72, 760 - 18 * line, text[start : start + 32])
    canvas.save()
    return path


def hebrew_pdf(folder: Path) -> Path:
    """Right-to-left prose: glyphs stand in visual order, and a ToUnicode map says which letters they are."""
    letters = sorted(set(HEBREW))
    codes = {letter: 33 + at for at, letter in enumerate(letters)}
    pairs = "\n".join(f"<{codes[letter]:02X}> <{ord(letter):04X}>" for letter in letters)
    to_unicode = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /H def /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(letters)} beginbfchar\n{pairs}\nendbfchar\nendcmap end end"
    )
    words, lines = HEBREW.split(), []
    for start in range(0, len(words), 7):
        visual = " ".join(words[start : start + 7])[::-1]
        lines.append("<" + "".join(f"{codes[letter]:02X}" for letter in visual) + "> Tj T*")
    content = "BT /F1 12 Tf 18 TL 72 760 Td " + "\n".join(lines * 5) + " ET"
    return _raw(
        folder / "hebrew.pdf",
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            _stream(content.encode()),
            b"<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>",
            _stream(to_unicode.encode()),
        ],
    )


def ten_thousand_pages_pdf(folder: Path) -> Path:
    """10,000 pages that share one line of text; about 1 MB."""
    pages = 10_000
    kids = " ".join(f"{at} 0 R" for at in range(5, 5 + pages))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>"
    return _raw(
        folder / "ten-thousand-pages.pdf",
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            f"<</Type/Pages/Kids[{kids}]/Count {pages}>>".encode(),
            _stream(b"BT /F1 12 Tf 72 760 Td (Another page of the long report.) Tj ET"),
            b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
            *[page] * pages,
        ],
    )


def huge_pdf(folder: Path) -> Path:
    """A healthy page in a file of 200 MB; the rest is a hole, so the disk holds little of it."""
    return _raw(
        folder / "huge.pdf", _one_page(b"BT /F1 12 Tf 72 760 Td (A small page in a large file.) Tj ET"), gap=200_000_000
    )


# PDFs that are closed or broken


def encrypted_pdf(folder: Path) -> Path:
    """Opens with the password `tide` only."""
    writer = PdfWriter(clone_from=PdfReader(plain_pdf(folder)))
    writer.encrypt("tide", algorithm="RC4-128")
    path = folder / "encrypted.pdf"
    writer.write(path)
    return path


def truncated_pdf(folder: Path) -> Path:
    """The first third of a healthy PDF: a broken download."""
    whole = plain_pdf(folder).read_bytes()
    path = folder / "truncated.pdf"
    path.write_bytes(whole[: len(whole) // 3])
    return path


def garbage_xref_pdf(folder: Path) -> Path:
    """A healthy PDF whose table of objects is noise; readers can rebuild it."""
    whole = plain_pdf(folder).read_bytes()
    table, trailer = whole.rindex(b"xref\n0 "), whole.rindex(b"trailer")
    kept = whole[trailer : whole.rindex(b"startxref")]
    path = folder / "garbage-xref.pdf"
    path.write_bytes(whole[:table] + b"\x00\xff\x13 not a table \x80\n" * 20 + kept + b"startxref\n999999999\n%%EOF\n")
    return path


def looping_pdf(folder: Path) -> Path:
    """The page tree holds itself."""
    objects = _one_page(b"BT /F1 12 Tf 72 760 Td (Round and round.) Tj ET")
    objects[1] = b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 2 0 R 3 0 R]/Count 3>>"
    return _raw(folder / "looping.pdf", objects)


def no_pages_pdf(folder: Path) -> Path:
    """A PDF by all its marks, with nothing in it."""
    return _raw(folder / "no-pages.pdf", [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"])


# Files that are no PDF


def empty_pdf(folder: Path) -> Path:
    """Zero bytes."""
    path = folder / "zero-bytes.pdf"
    path.touch()
    return path


def renamed_docx(folder: Path) -> Path:
    path = folder / "word-document.pdf"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f"<document>{PROSE}</document>")
    return path


def renamed_png(folder: Path) -> Path:
    path = folder / "picture.pdf"
    Image.new("RGB", (64, 64), "navy").save(path, format="PNG")
    return path


def renamed_html(folder: Path) -> Path:
    """What a publisher's login page leaves behind when it is saved as the paper."""
    path = folder / "login-page.pdf"
    path.write_text("<!DOCTYPE html><html><body><p>Please sign in to read this article.</p></body></html>")
    return path


# TEI


def tei(folder: Path) -> Path:
    """A healthy one to compare the others with."""
    return _tei(folder / "healthy.tei.xml", f"<div><head>Ferry</head><p>{PROSE}</p></div>")


def tei_with_doctype(folder: Path) -> Path:
    """Wants to have a local file read into it."""
    secret = folder / "secret.txt"
    secret.write_text("the secret of the house")
    doctype = f'<!DOCTYPE TEI [<!ENTITY secret SYSTEM "{secret.as_uri()}">]>'
    return _tei(folder / "doctype.tei.xml", f"<div><p>{PROSE}&secret;</p></div>", doctype)


def tei_entity_bomb(folder: Path) -> Path:
    """A kilobyte that would unfold to gigabytes."""
    levels = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 10))
    doctype = f'<!DOCTYPE TEI [<!ENTITY e0 "boom boom ">{levels}]>'
    return _tei(folder / "bomb.tei.xml", "<div><p>&e9;</p></div>", doctype)


def tei_300_deep(folder: Path) -> Path:
    return _tei(folder / "deep.tei.xml", "<div>" * 300 + f"<p>{PROSE}</p>" + "</div>" * 300)


def tei_truncated(folder: Path) -> Path:
    """Ends in the middle of a sentence."""
    whole = tei(folder).read_bytes()
    path = folder / "truncated.tei.xml"
    path.write_bytes(whole[: whole.index(b"oak")])
    return path


def tei_without_text(folder: Path) -> Path:
    """A correct answer with an empty body, as GROBID gives for a withdrawn article."""
    return _tei(folder / "no-text.tei.xml", "")


# Structured text and folders


def broken_lines(folder: Path) -> Path:
    """Eleven lines: 1, 5 and 11 are papers, 3 is blank; the other seven are each wrong in another way."""
    section = {"title": "Ferry", "paragraphs": [PROSE]}
    good = {"title": "Ferry", "year": 2015, "domain": "travel", "doi": "10.5555/ferry", "sections": [section]}
    lines = [
        _line(good),
        b'{"title": "cut off", "sections": [{"title"',
        b"",
        _line([1, 2, 3]),
        _line(good | {"title": "Ferry again", "sections": [section | {"title": "Two"}]}),
        _line({"title": "no sections at all", "year": 2015}),
        _line(good | {"sections": "prose where a list should be"}),
        _line(good | {"sections": [{"title": "Ferry", "paragraphs": [1, None]}]}),
        b'{"title": "bytes that are no UTF-8 \xff\xfe", "sections": []}',
        _line(good | {"title": "nothing in it", "sections": []}),
        _line(good | {"title": "Last ferry", "sections": [section, section]}),
    ]
    path = folder / "broken-lines.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def junk_folder(folder: Path) -> Path:
    """One paper at the bottom of twenty folders, among things that are none; the path has spaces and accents."""
    root = deep = folder / "junk"
    for at in range(20):
        deep = deep / (f"étage {at}" if at % 2 else f"level {at}")
    deep.mkdir(parents=True)
    plain_pdf(deep).rename(deep / "the paper (final) [2].PDF")
    for name in ("notes.txt", "table.xlsx", "._the paper.pdf", ".hidden.pdf", "Thumbs.db", "settings.xml"):
        (root / name).write_bytes(b"<settings/>")
    (root / "__MACOSX").mkdir()
    (root / "__MACOSX" / "the paper.pdf").write_bytes(b"\x00\x05\x16\x07")
    (root / "empty").mkdir()
    return root


def folder_with_link_out(folder: Path) -> Path:
    """A folder with a paper, a link to a paper outside it, and a link to the folder above."""
    outside, inside = folder / "outside", folder / "inside"
    outside.mkdir()
    inside.mkdir()
    plain_pdf(inside)
    german_pdf(outside)
    (inside / "linked.pdf").symlink_to(outside / "german.pdf")
    (inside / "above").symlink_to(folder, target_is_directory=True)
    return inside


def _written(path: Path, title: str, heading: str, pages: Sequence[str], width: float = 450) -> Path:
    canvas = Canvas(str(path), pagesize=A4, invariant=1, pageCompression=0)
    style = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=14, embeddedHyphenation=1)
    canvas.setFont("Times-Bold", 17)
    canvas.drawString(72, 770, title)
    canvas.setFont("Times-Bold", 12)
    canvas.drawString(72, 730, heading)
    for text in pages:
        paragraph = Paragraph(text, style)
        _, height = paragraph.wrap(width, 700)
        paragraph.drawOn(canvas, 72, 716 - height)
        canvas.showPage()
    canvas.save()
    return path


def _one_page(content: bytes) -> list[bytes]:
    return [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        _stream(content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
    ]


def _stream(content: bytes) -> bytes:
    return b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)


def _raw(path: Path, objects: Sequence[bytes], gap: int = 0) -> Path:
    """Write the objects, numbered from 1 (the catalogue), then a hole of `gap` bytes and a right table."""
    with path.open("wb") as file:
        file.write(b"%PDF-1.4\n")
        offsets = []
        for number, content in enumerate(objects, start=1):
            offsets.append(file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
        file.seek(gap, 1)
        table = file.tell()
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
        file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
        file.write(b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table))
    return path


def _tei(path: Path, body: str, doctype: str = "") -> Path:
    path.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
        f"<titleStmt><title>{path.stem}</title></titleStmt></fileDesc></teiHeader>"
        f"<text><body>{body}</body></text></TEI>\n",
        encoding="utf-8",
    )
    return path


def _line(row: object) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()
