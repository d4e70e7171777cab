"""Words that are none are counted, and many of them make a paper doubtful."""

from __future__ import annotations

from miner.parsing.unknown_words import count_words, is_doubtful
from miner.parsing.words import known_words
from miner.records import UNREADABLE, Box, Paragraph, Section, Span

SOUND = "The fluorescence of larvaepartus was measured in the first field, as Qxzvkj said at https://ab.example."
DAMAGED = "The uorescence was signicant."


def sections(*texts: str) -> list[Section]:
    return [Section("", tuple(Paragraph(text) for text in texts))]


def test_words_without_their_ligatures_and_unreadable_characters_are_counted() -> None:
    counted = count_words(sections(SOUND, DAMAGED, f"It was 4{UNREADABLE}C in each plot."))
    assert (counted.words, counted.unknown) == (8 + 2 + 2 + 1, 3)
    assert counted.lines == (DAMAGED, f"It was 4{UNREADABLE}C in each plot.")


def test_new_words_and_names_are_no_unknown_ones() -> None:
    assert count_words(sections(SOUND)).unknown == 0


def test_lines_are_cut_and_the_worst_come_first() -> None:
    text = "The uorescence was there, " + "and so on " * 40 + "\n" + "signicant uorescence"
    cut = text.index("\n")
    spans = (Span(0, cut, Box(1, 0, 0, 1, 1)), Span(cut + 1, len(text), Box(1, 0, 0, 1, 1)))
    counted = count_words([Section("", (Paragraph(text, spans=spans),))])
    assert counted.lines[0] == "signicant uorescence"
    assert list(map(len, counted.lines)) == [20, 200]


def test_a_paper_is_doubtful_by_its_share_of_unknown_words_and_not_if_it_is_short() -> None:
    assert [is_doubtful(*counts) for counts in ((0, 0), (200, 2), (4000, 10), (4000, 40), (300, 12))] == [
        *(False, False, False),
        *(True, True),
    ]


def test_the_list_knows_words_of_science_and_no_parts_of_words() -> None:
    assert {"fluorescence", "hypothesis", "convolutional"} <= known_words()
    assert known_words().isdisjoint({"uorescence", "luenza", "signi", "tion", "themedical"})
