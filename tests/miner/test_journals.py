"""Spellings of one journal are found, and two journals stay two."""

from __future__ import annotations

from time import process_time

import pytest

from miner.journals import group_journals, journal_stem

FULL, SHORT = "Journal of Experimental Botany", "J. Exp. Bot."


@pytest.mark.parametrize(
    ("names", "journals"),
    [
        (("PLOS ONE", "PLoS ONE", "Plos One"), 1),
        (("Soils & Water", "The Soils and Water", "soils and water."), 1),
        ((FULL, SHORT, "J Exp Botany", "Journal of experimental botany"), 1),
        ((SHORT, "J. exp. bot."), 1),
        (("J. Exp. Biol.", "Journal of Experimental Biology", "Journal of Experimental Biologists"), 3),
        ((SHORT, "Journal of Experimental Psychology"), 2),
        (("Cell", "Cells"), 2),
        (("Plant Cell", "Plant Cells"), 2),
        (("Nature", "Nature Medicine", ""), 3),
        (("—", "…", "Études", "Etudes"), 3),
    ],
)
def test_spellings_of_a_journal_are_one(names: tuple[str, ...], journals: int) -> None:
    shown = group_journals(dict.fromkeys(names, 1))
    assert len(set(shown.values())) == journals
    assert shown == group_journals(dict.fromkeys(reversed(names), 1))


def test_the_most_frequent_spelling_is_shown() -> None:
    assert set(group_journals({FULL: 2, SHORT: 3, "J EXP BOT": 1}).values()) == {SHORT}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FULL, SHORT),
        ("Proceedings of the Royal Society B", "Proc. R. Soc. B"),
        ("The Q. J. Econ.", "Quarterly Journal of Economics"),
    ],
)
def test_abbreviations_have_the_stem_of_their_journal(one: str, other: str) -> None:
    assert journal_stem(one) == journal_stem(other) != ""


def test_many_names_alike_take_no_longer_than_as_many_others() -> None:
    began = process_time()
    group_journals({f"Journal of Experiments {'b' * number}": 1 for number in range(3_000)})
    assert process_time() - began < 1
