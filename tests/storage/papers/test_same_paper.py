"""Which files are one paper: by DOI or title, and by their wording."""

from __future__ import annotations

from typing import Any

import pytest

from miner.parsing.formats import FileKind
from miner.records import Paper, Paragraph, Section
from storage.papers.same_paper import KnownPaper, PaperIndex

TITLE = "Sand on the meadows of the north"
PROSE = "We dug for sand on twelve meadows and counted what we found there in every week of a long and windy year."
OF_PDF: dict[str, Any] = {"title": TITLE, "authors": ("Ada Byron",), "year": 2014, "doi": "10.1234/sand.7"}


def found(stored_text: str = PROSE, kind: FileKind = FileKind.PDF, known: str = "tei", **of_xml: Any) -> bool:
    """Whether a PDF is found to be the paper of a stored XML."""
    fields = {**OF_PDF, **of_xml}
    index = PaperIndex([KnownPaper("x" * 32, known, "jats", **fields)])
    paper = Paper("a" * 32, "b" * 64, parser="embedded", sections=(Section("", (Paragraph(PROSE),)),), **OF_PDF)
    return index.find(paper, kind, lambda md5: [stored_text]) is not None


@pytest.mark.parametrize(
    ("differs", "is_same"),
    [
        ({}, True),
        ({"stored_text": "Unlike."}, True),  # a PDF whose words cannot be read
        ({"title": "", "doi": "https://doi.org/10.1234/SAND.7"}, True),
        ({"title": "Reply to a letter on sand", "stored_text": "We thank the authors for it."}, False),
        ({"title": f"Supplement to: {TITLE}", "stored_text": "Table S1 lists all of our sites."}, False),
        ({"doi": None}, True),
        ({"doi": None, "year": 2015}, True),
        ({"doi": None, "year": 2017}, False),
        ({"doi": None, "authors": ("Bo Strand",)}, False),
        ({"doi": None, "stored_text": "Wholly other words are in here and none of those of the first one."}, False),
        ({"doi": "10.1234/sand.8"}, True),  # another version
        ({"doi": "10.1234/sand"}, True),  # cut at the end of a line
        ({"doi": "10.1234/stone.8"}, False),
        ({"known": "pdf"}, False),  # it has its PDF
        ({"kind": FileKind.PAPERS}, False),
    ],
)  # fmt: skip
def test_files_are_one_paper(differs: dict[str, Any], is_same: bool) -> None:
    assert found(**differs) == is_same
