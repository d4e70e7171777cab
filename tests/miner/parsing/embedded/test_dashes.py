"""Dashes whose font does not say what they are, and hyphens at line ends."""

from __future__ import annotations

from collections import Counter

import pytest

from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.paragraphs import ParagraphBuilder
from miner.parsing.embedded.pdfium import read_pages
from miner.parsing.pdf_documents import open_pdf

FLAT, TALL = "100 250 400 30 re f", "100 0 400 600 re f"


def pdf_with_unknown_glyph(shape: str) -> bytes:
    """The words "about 11 kJ mol", a glyph without a Unicode code, and "1 in all"."""
    glyph = f"600 0 d0 {shape}"
    text = "BT /F1 10 Tf 50 100 Td (about 11 kJ mol) Tj /F2 10 Tf (\\000) Tj /F1 10 Tf (1 in all) Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0"
        " /LastChar 0 /Widths [600] /Encoding << /Type /Encoding /Differences [0 /unnamed] >>"
        " /CharProcs << /unnamed 7 0 R >> /Resources << >> >>",
        f"<< /Length {len(glyph)} >>\nstream\n{glyph}\nendstream",
    ]
    body = "%PDF-1.4\n" + "".join(f"{number} 0 obj\n{one}\nendobj\n" for number, one in enumerate(objects, start=1))
    return (body + f"trailer << /Root 1 0 R /Size {len(objects) + 1} >>\n").encode()


@pytest.mark.parametrize(
    ("shape", "text"), [(FLAT, "about 11 kJ mol–1 in all"), (TALL, "about 11 kJ mol\ue0001 in all")]
)
def test_a_flat_glyph_without_a_code_is_a_dash(shape: str, text: str) -> None:
    with open_pdf(pdf_with_unknown_glyph(shape)) as document:
        (page,) = read_pages(document)
    assert [line.text for line in page.lines] == [text]


@pytest.mark.parametrize(
    ("above", "below", "text"),
    [
        ("treatment of ER", "positive cells", "treatment of ER-positive cells"),
        ("treatment of pos", "itive cells", "treatment of positive cells"),
    ],
)
def test_a_hyphen_after_an_acronym_stays(above: str, below: str, text: str) -> None:
    builder = ParagraphBuilder(Counter(), after_break=False)
    for line_text, hyphen in ((above, True), (below, False)):
        line = TextLine(1, line_text, 0, 0, 100, 10, 10, 8, True, hyphen, 0, 0, 0, "", False, 0)
        builder.add(line, line_text)
    assert builder.text == text
