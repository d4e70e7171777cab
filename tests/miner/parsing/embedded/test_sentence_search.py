"""A sentence is found on the pages by its letters, and its boxes hold its ink."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pypdf
import pypdfium2 as pdfium
import pytest
from pypdf.generic import RectangleObject
from reportlab.pdfbase import pdfmetrics

from miner.parsing.embedded.sentence_search import (
    NO_LETTERS,
    FoundSentence,
    PageLetters,
    find_sentence,
    fold,
    read_boxes,
    read_letters,
)
from miner.records import Box
from tests.miner.parsing.pdf_factory import FERRY, LEFT, RIGHT, STORE, Sheet


class Document:
    """A PDF as it is searched."""

    def __init__(self, pdf: bytes) -> None:
        self.pdf = pdfium.PdfDocument(pdf)

    def letters(self, number: int) -> PageLetters:
        return read_letters(self.pdf[number - 1], number) if 1 <= number <= len(self.pdf) else NO_LETTERS

    def boxes(self, number: int) -> np.ndarray:
        return read_boxes(self.pdf[number - 1])

    def find(self, sentence: str, *, head: int = 0, near: tuple[Box, ...] = ()) -> FoundSentence | None:
        return find_sentence(self, range(1, len(self.pdf) + 1), sentence, head=head, near=near)

    def ink(self, number: int) -> np.ndarray:
        """(y, x) of the dark pixels of a page at 2 pixels a point."""
        return np.argwhere(self.pdf[number - 1].render(scale=2, grayscale=True).to_numpy().squeeze() < 128)


def inside(ink: np.ndarray, boxes: tuple[Box, ...], page: int) -> np.ndarray:
    """Which pixels lie in one of the boxes, give or take a point."""
    y, x = ink.T / 2
    within = [
        (box.x0 - 1 <= x) & (x <= box.x1 + 1) & (box.y0 - 1 <= y) & (y <= box.y1 + 1)
        for box in boxes
        if box.page == page
    ]
    return np.any(within, axis=0) if within else np.zeros(len(ink), dtype=bool)


def sheet(write: Callable[[Sheet], object]) -> Document:
    paper = Sheet()
    write(paper)
    return Document(paper.bytes())


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (30, 100, 580, 790)])
def test_boxes_hold_all_ink_of_the_sentence_however_the_page_is_turned_and_cropped(
    turn: int, crop: tuple[float, float, float, float] | None
) -> None:
    paper = Sheet()
    paper.lines(LEFT, 100, FERRY[:2])
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(paper.bytes()))
    if crop:
        writer.pages[0].cropbox = RectangleObject(crop)
    writer.pages[0].rotate(turn)
    content = io.BytesIO()
    writer.write(content)
    document = Document(content.getvalue())
    found = document.find(" ".join(FERRY[:2]))
    assert found is not None
    assert inside(document.ink(1), found.boxes, 1).all()


def test_only_the_sentence_is_in_its_boxes() -> None:
    document = sheet(
        lambda page: page.lines(LEFT, 100, ["First words here. The sentence", "ends soon. Last words here."])
    )
    found = document.find("The sentence ends soon.")
    assert found is not None
    first, last = found.boxes
    start = LEFT + pdfmetrics.stringWidth("First words here. ", "Times-Roman", 10)
    assert first.x0 == pytest.approx(start, abs=0.5)
    assert last.x1 == pytest.approx(LEFT + pdfmetrics.stringWidth("ends soon.", "Times-Roman", 10), abs=0.5)


def test_lines_are_as_wide_as_the_column() -> None:
    document = sheet(
        lambda page: (
            page.lines(LEFT, 100, ["First words here. The sentence", "ends soon. Last words here."]),
            page.lines(RIGHT, 100, STORE),
        )
    )
    found = document.find("The sentence ends soon.")
    assert found is not None
    assert [line.x0 for line in found.lines] == pytest.approx([LEFT, LEFT], abs=0.5)
    assert found.lines[1].x1 == pytest.approx(
        LEFT + pdfmetrics.stringWidth("ends soon. Last words here.", "Times-Roman", 10), abs=0.5
    )


def test_the_head_alone_has_boxes_of_its_own() -> None:
    document = sheet(lambda page: page.lines(LEFT, 100, FERRY))
    found = document.find(" ".join(FERRY[3:]), head=len("However, "))
    assert found is not None
    [head] = found.head
    assert head.x0 == pytest.approx(LEFT, abs=0.5)
    assert head.x1 == pytest.approx(LEFT + pdfmetrics.stringWidth("However,", "Times-Roman", 10), abs=0.5)


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        (
            ["The wind turns to the north-", "east and the ferry stays."],
            "The wind turns to the northeast and the ferry stays.",
        ),
        (["The ﬁrst ﬂoor is dry."], "The first floor is dry."),
        (["Caf\u00e9s na\u00efvely closed."], "Cafe\u0301s nai\u0308vely closed."),
        (["THE  WIND   TURNS."], "The wind turns."),
    ],
)
def test_hyphens_ligatures_accents_case_and_space_do_not_matter(printed: list[str], read: str) -> None:
    assert fold("".join(printed)) == fold(read)


def test_a_sentence_is_found_over_a_hyphen() -> None:
    document = sheet(lambda page: page.lines(LEFT, 100, ["The wind turns to the north-", "east and the ferry stays."]))
    found = document.find("The wind turns to the northeast and the ferry stays.")
    assert found is not None
    assert found.whole
    assert len(found.boxes) == 2


def test_numbers_of_citations_do_not_part_a_sentence() -> None:
    document = sheet(
        lambda page: page.pieces(
            LEFT,
            100,
            [
                ("The ferry stays", 10, 0, "Times-Roman"),
                ("12,13", 6, 4, "Times-Roman"),
                (" in harbour whenever the wind is strong.", 10, 0, "Times-Roman"),
            ],
        )
    )
    found = document.find("The ferry stays in harbour whenever the wind is strong.")
    assert found is not None
    assert not found.whole
    assert len(found.boxes) == 1
    assert inside(document.ink(1), found.boxes, 1).all()


def test_a_sentence_may_go_on_in_the_next_column() -> None:
    document = sheet(lambda page: (page.lines(LEFT, 700, FERRY[:2]), page.lines(RIGHT, 100, FERRY[2:3])))
    found = document.find(" ".join(FERRY[:3]))
    assert found is not None
    assert inside(document.ink(1), found.boxes, 1).all()


def test_a_sentence_may_go_on_overleaf() -> None:
    paper = Sheet()
    paper.lines(LEFT, 700, FERRY[:2])
    paper.line(300, 780, "17", 9)
    paper.next_page()
    paper.line(LEFT, 30, "Ferries and their habits in winter", 9)
    paper.lines(LEFT, 100, FERRY[2:])
    document = Document(paper.bytes())
    found = document.find(" ".join(FERRY[:3]))
    assert found is not None
    assert [box.page for box in found.boxes] == [1, 1, 2]


def test_of_two_places_the_one_nearby_counts() -> None:
    document = sheet(lambda page: (page.lines(LEFT, 100, STORE), page.lines(RIGHT, 400, STORE)))
    near = (Box(1, RIGHT, 395, RIGHT + 200, 412),)
    found = document.find(" ".join(STORE[:2]), near=near)
    assert found is not None
    assert found.boxes[0].x0 == pytest.approx(RIGHT, abs=1)


def test_what_is_not_there_is_not_found() -> None:
    document = sheet(lambda page: page.lines(LEFT, 100, FERRY))
    assert document.find("The moon circles the earth once in every twenty-seven days or so.") is None
    assert document.find(" ".join(STORE)) is None
    assert document.find("…") is None


def test_a_page_without_text_holds_nothing() -> None:
    document = sheet(lambda page: page.picture(100, 100, 50, 50))
    assert document.find("Anything at all.") is None


def test_a_head_of_which_a_part_is_missing_has_no_boxes() -> None:
    document = sheet(lambda page: page.lines(LEFT, 100, ["ever, it stays in harbour whenever the wind gets stronger."]))
    found = document.find("However, it stays in harbour whenever the wind gets stronger.", head=len("However, "))
    assert found is not None
    assert found.head == ()
