"""What is repeated on pages is known among any number of lines."""

from __future__ import annotations

import time

from miner.parsing.embedded.furniture import remove_furniture
from miner.parsing.embedded.lines import TextLine


def line(page: int, text: str, y: float, x: float = 72.0) -> TextLine:
    return TextLine(page, text, x, y - 10, x + 300, y + 2, 10.0, y, True, False, 0, 0, 0, "", False, 0)


def test_a_head_that_prose_continues_from_stays() -> None:
    ends = ["and goes on quietly", "whereas it ends soon"]
    pages = [[line(page, "This text is long enough for prose", 60), line(page, ends[page - 1], 72)] for page in (1, 2)]
    pages = [
        [
            *lines,
            *(
                line(lines[0].page, f"{ends[lines[0].page - 1]} {'abcdefghi'[row]}", 100 + 20.0 * row)
                for row in range(9)
            ),
        ]
        for lines in pages
    ]
    assert pages[0][0] in remove_furniture(pages)
    heads = [[line(page, "A head of the journal, number 12", 60), *pages[page - 1][2:]] for page in (1, 2)]
    assert heads[0][0] not in remove_furniture(heads)


def test_thousands_of_lines_at_one_place_do_not_take_minutes() -> None:
    pages = [[line(page, f"The very same line of {number} words", 60.0) for number in range(4_000)] for page in (1, 2)]
    begin = time.process_time()
    assert remove_furniture(pages) == []
    assert time.process_time() - begin < 5
