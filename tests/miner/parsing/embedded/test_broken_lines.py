"""The pieces of a printed line become one line, whatever formulas stand in it."""

from __future__ import annotations

from miner.parsing.embedded import parse_pdf
from tests.miner.parsing.pdf_factory import FERRY, LEADING, LEFT, STORE, Sheet, prose

ROMAN = "Times-Roman"


def whole(sheet: Sheet) -> str:
    return " ".join(p.text for section in parse_pdf(sheet.bytes()).sections for p in section.paragraphs)


def test_a_fraction_within_a_line_leaves_the_line_whole() -> None:
    sheet = Sheet()
    y = prose(sheet)
    x = sheet.line(LEFT, y, "The wind at the pier has a mean of ") + 1
    sheet.line(x + 4, y - 4, "n", 7)
    end = sheet.line(x, y + 4, "m + 1", 7)
    sheet.line(end + 2, y, "and is the same on")
    sheet.lines(LEFT, y + LEADING, ["the other pier of the island, as the harbour master says.", *FERRY])
    assert "has a mean of nm + 1 and is the same on the other pier" in whole(sheet)


def test_a_denominator_wider_than_its_numerator_belongs_to_the_line() -> None:
    sheet = Sheet()
    y = prose(sheet)
    x = sheet.line(LEFT, y, "The wind has a mean of ") + 1
    sheet.line(x + 22, y - 4, "n", 7)
    end = sheet.line(x, y + 4, "m + 1 + k + 2 + l", 7)
    sheet.line(end + 2, y, "and it is the same on")
    sheet.lines(LEFT, y + LEADING, ["the other pier of the island, as the harbour master says.", *FERRY])
    text = whole(sheet)
    assert "m + 1 + k + 2 + l and it is the same on the other pier" in text
    assert "[formula]" not in text


def test_a_line_may_start_with_a_fraction() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "The mean load of all the ferries of the island is thus")
    y += LEADING
    sheet.line(LEFT + 1, y - 4, "1", 7)
    sheet.line(LEFT + 1, y + 4, "2", 7)
    sheet.line(LEFT + 6, y, "of the load that the crew has seen in all the years")
    sheet.lines(LEFT, y + LEADING, ["before the war, which was about a ton.", *FERRY])
    assert "is thus 1/2 of the load that the crew" in whole(sheet)


def test_a_numerator_after_words_is_no_note() -> None:
    sheet = Sheet()
    y = prose(sheet)
    x = sheet.line(LEFT, y, "The boats carry a load of about ") + 2
    sheet.line(x, y - 4, "1", 7)
    end = sheet.line(x, y + 4, "2", 7)
    sheet.line(end + 2, y, "of a ton, which is known")
    sheet.lines(LEFT, y + LEADING, ["to the master of the harbour only.", *FERRY])
    assert "a load of about 1/2 of a ton" in whole(sheet)


def test_an_index_and_an_exponent_are_no_fraction_and_leave_the_line_whole() -> None:
    sheet = Sheet()
    y = prose(sheet)
    x = sheet.line(LEFT, y, "The loads of the boats x")
    sheet.line(x, y - 4, "2", 7)
    end = sheet.line(x, y + 3, "i,c", 7)
    sheet.line(end + 2, y, "are known to the crew")
    sheet.lines(LEFT, y + LEADING, ["and to the master of the harbour only.", *FERRY])
    text = whole(sheet)
    assert "/" not in text
    assert "are known to the crew and to the master" in text


def test_the_limit_below_a_sum_belongs_to_the_line() -> None:
    sheet = Sheet()
    y = prose(sheet)
    x = sheet.line(LEFT, y, "The load of all the boats is then the sum ")
    end = sheet.line(x, y, "S", 10)
    sheet.line(x + 1, y + 8, "k", 7)
    sheet.line(end + 1, y, "of theirs")
    sheet.lines(LEFT, y + LEADING + 4, ["and is known to the master of the harbour only.", *FERRY])
    assert "is then the sum Skof theirs and is known" in whole(sheet).replace("k of", "kof").replace("S k", "Sk")


def test_a_raised_number_that_starts_the_next_line_stays_there() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.line(LEFT, y, "The ferry takes the mail to the island once a day, in")
    y += LEADING
    end = sheet.line(LEFT, y - 4, "2", 6)
    sheet.line(end, y, "He is weighed by the crew, who know what it is for")
    sheet.lines(LEFT, y + LEADING, ["and how much of it there is in every sack.", *FERRY])
    text = whole(sheet)
    assert "once a day, in" in text
    assert "He is weighed by the crew" in text


def test_names_and_headings_in_small_capitals_have_the_size_of_their_capitals() -> None:
    sheet = Sheet()
    y = prose(sheet)
    sheet.pieces(100, y + 20, [("I. I", 10, 0, ROMAN), ("NTRODUCTION", 8, 0, ROMAN)])
    y = sheet.lines(LEFT, y + 44, [*FERRY, "The harbour was described by those who know it (see"])
    sheet.pieces(LEFT, y, [("S", 10, 0, ROMAN), ("TRAND & ", 8, 0, ROMAN), ("T", 10, 0, ROMAN), ("IDE", 8, 0, ROMAN)])
    sheet.lines(LEFT, y + LEADING, ["for example) and by many more in the years before.", *STORE])
    section = parse_pdf(sheet.bytes()).sections[-1]
    assert section.title == "I. INTRODUCTION"
    assert "(see STRAND & TIDE for example)" in section.paragraphs[0].text
