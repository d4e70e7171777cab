"""Which files are one paper: by DOI or title, and by their wording."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pytest

from miner.parsing.formats import FileKind
from miner.records import Paper, Paragraph, Section
from miner.references.same_paper import KnownPaper, PaperIndex

TITLE = "Sand on the meadows of the north"
PROSE = "We dug for sand on twelve meadows and counted what we found there in every week of a long and windy year."
OF_PDF: dict[str, Any] = {"title": TITLE, "authors": ("Ada Byron",), "year": 2014, "doi": "10.1234/sand.7"}


def article(name: str, *, parser: str) -> Paper:
    """One of many articles with the same title, author and year, and with words of its own."""
    prose = " ".join(f"{word}{name}" if number % 3 else word for number, word in enumerate((PROSE * 20).split()))
    fields = {"title": TITLE, "authors": ("Ada Byron",), "year": 2014}
    md5 = blake2b(f"{name}{parser}".encode(), digest_size=16).hexdigest()
    return Paper(md5, "b" * 64, parser=parser, sections=(Section("", (Paragraph(prose),)),), **fields)


def test_the_right_one_of_many_with_the_same_title_is_found_and_each_text_is_read_once() -> None:
    texts: dict[str, list[str]] = {}
    read: list[str] = []

    def stored_text(md5: str) -> list[str]:
        read.append(md5)
        return texts[md5]

    index, many = PaperIndex([]), 150
    for name in map(str, range(many)):
        one = article(name, parser="jats")
        assert index.find(one, FileKind.JATS, stored_text) is None
        texts[one.md5] = [one.sections[0].paragraphs[0].text]
        index.put_stored(one.md5, one, FileKind.JATS, replaced=True)
    assert len(read) < 2 * many
    for name in ("7", "149"):
        pdf = article(name, parser="embedded")
        assert index.find(pdf, FileKind.PDF, stored_text) == article(name, parser="jats").md5
    assert index.find(article("x", parser="embedded"), FileKind.PDF, stored_text) is None


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
