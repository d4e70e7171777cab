"""The table of phrases: how far people agree with each, and how sure that is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from desktop.ui.pages.dashboard.phrases import COLUMNS, INTERVAL, RANGE, PhraseModel, phrase_lines
from miner.records import Strategy
from miner.statistics import wilson
from storage.pairs.filters import PairFilter
from storage.pairs.statistics import PairCount


def counted(phrase: str, label: str, status: str, gold: str, pairs: int, domain: str = "") -> PairCount:
    return PairCount(domain, Strategy.LINKED, label, phrase, status, gold, pairs)


# However: 10 pairs, 5 of them settled, 4 as it says. Thus: 30 pairs, 1 without majority, which says nothing of it.
COUNTS = [
    counted("However", "contrasting", "open", "", 5),
    counted("However", "contrasting", "settled", "contrasting", 4),
    counted("However", "contrasting", "settled", "neutral", 1),
    counted("Thus", "reasoning", "open", "", 29),
    counted("Thus", "reasoning", "unsettled", "", 1),
    PairCount("", Strategy.BOTH_RANDOM, "neutral", "", "open", "", 7),
]


@pytest.fixture
def model() -> PhraseModel:
    model = PhraseModel()
    model.show_lines(phrase_lines(COUNTS, None))
    return model


def texts(model: PhraseModel, row: int) -> list[object]:
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_agreement_is_of_the_pairs_with_a_label_by_people(model: PhraseModel) -> None:
    low, high = wilson(4, 5)
    wanted = f"{low * 100:.0f}–{high * 100:.0f} %"
    assert texts(model, 1) == ["However", "contrasting", "10", "25 %", "5", "80 %", wanted]
    assert model.index(1, RANGE).data(INTERVAL) == (0.8, (low, high))


def test_a_phrase_nobody_judged_has_no_agreement(model: PhraseModel) -> None:
    assert texts(model, 0) == ["Thus", "reasoning", "30", "75 %", "0", "–", "–"]
    assert model.index(0, RANGE).data(INTERVAL) is None
    assert model.line(0).note == "“Thus” made 30 pairs. People have not answered any of them yet."


def test_the_note_says_it_in_a_sentence(model: PhraseModel) -> None:
    assert model.line(1).note == (
        "“However” made 10 pairs. People agree with 4 of the 5 they answered (80 %); "
        "for all its pairs, likely between 38 and 96 %."
    )


def test_every_column_sorts(model: PhraseModel) -> None:
    for column in range(len(COLUMNS)):
        model.sort(column, Qt.SortOrder.AscendingOrder)
        up = [model.line(row).phrase for row in range(2)]
        model.sort(column, Qt.SortOrder.DescendingOrder)
        assert [model.line(row).phrase for row in range(2)] == up[::-1], COLUMNS[column].title
        assert model.headerData(column, Qt.Orientation.Horizontal) == f"{COLUMNS[column].title} ↓"


def test_the_order_stays_when_numbers_are_counted_again(model: PhraseModel) -> None:
    model.sort(0, Qt.SortOrder.AscendingOrder)
    model.show_lines(phrase_lines(COUNTS, None))
    assert model.line(0).phrase == "However"


def test_a_row_opens_the_pairs_of_its_phrase(model: PhraseModel) -> None:
    wanted = PairFilter(phrases=frozenset(("However",)), distant=frozenset(("contrasting",)))
    assert model.opens(1, None) == wanted
    assert model.opens(1, "bio").domains == {"bio"}


def test_lines_are_of_the_domain_asked_for() -> None:
    counts = [counted("Thus", "reasoning", "open", "", 2, "a"), counted("Hence", "reasoning", "open", "", 1, "b")]
    assert [line.phrase for line in phrase_lines(counts, "b")] == ["Hence"]
    assert phrase_lines(counts, "c") == []


def test_copied_numbers_are_plain(model: PhraseModel) -> None:
    title, first, second = model.tsv().splitlines()
    assert title == "Phrase\tRelation\tPairs\tShare\tAnswered\tAgree\tLowest likely\tHighest likely"
    assert first == "Thus\treasoning\t30\t0.7500\t0\t\t\t"
    assert second == "However\tcontrasting\t10\t0.2500\t5\t0.8000\t0.3755\t0.9638"


def test_the_model_keeps_to_qts_rules(model: PhraseModel, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)
    model.sort(3, Qt.SortOrder.AscendingOrder)
    qtmodeltester.check(model)
