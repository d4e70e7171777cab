"""The table of phrases: how often people agree with each, and the confidence interval."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.ui.pages.dashboard.phrases import COLUMNS, RANGE, PhraseCard, PhraseFiguresModel, phrase_rows
from desktop.ui.theme import Theme
from desktop.ui.widgets.cell_delegates import INTERVAL_ROLE
from miner.records import Strategy
from miner.statistics import wilson
from storage.pairs.filters import PairFilter
from storage.pairs.statistics import PairCount


def count(phrase: str, label: str, status: str, gold: str, pairs: int, domain: str = "") -> PairCount:
    return PairCount(domain, Strategy.LINKED, label, phrase, status, gold, pairs)


# However: 10 pairs, 5 of them settled, 4 with its relation. Thus: 30 pairs, 1 without majority, which does not count.
COUNTS = [
    count("However", "contrasting", "open", "", 5),
    count("However", "contrasting", "settled", "contrasting", 4),
    count("However", "contrasting", "settled", "neutral", 1),
    count("Thus", "reasoning", "open", "", 29),
    count("Thus", "reasoning", "unsettled", "", 1),
    PairCount("", Strategy.BOTH_RANDOM, "neutral", "", "open", "", 7),
]


@pytest.fixture
def model() -> PhraseFiguresModel:
    model = PhraseFiguresModel()
    model.show_rows(phrase_rows(COUNTS, None))
    return model


def texts(model: PhraseFiguresModel, row: int) -> list[object]:
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_agreement_is_measured_on_pairs_with_a_label_by_people(model: PhraseFiguresModel) -> None:
    low, high = wilson(4, 5)
    expected = f"{low * 100:.0f}–{high * 100:.0f} %"
    assert texts(model, 1) == ["However", "contrasting", "10", "25 %", "5", "80 %", expected]
    assert model.index(1, RANGE).data(INTERVAL_ROLE) == (0.8, (low, high))


def test_a_phrase_without_answers_has_no_agreement(model: PhraseFiguresModel) -> None:
    assert texts(model, 0) == ["Thus", "reasoning", "30", "75 %", "0", "–", "–"]
    assert model.index(0, RANGE).data(INTERVAL_ROLE) is None
    assert model.rows[0].note == "30 pairs mined with “Thus”. None of them has a label from annotators yet."


def test_the_note_is_a_sentence_with_all_figures(model: PhraseFiguresModel) -> None:
    assert model.rows[1].note == (
        "10 pairs mined with “However”. Annotators confirm 4 of 5 whose votes have a majority (80 %); 95 % interval "
        "for all its pairs: 38 to 96 %."
    )


def test_the_summary_counts_pairs_with_a_majority_and_says_so(theme: Theme, qtbot: QtBot) -> None:
    card = PhraseCard(theme)
    qtbot.addWidget(card)
    card.show_counts([*COUNTS, count("Thus", "reasoning", "settled", "reasoning", 2)], None)
    expected = "Of 7 pairs mined with a linking phrase whose votes have a majority, annotators confirm the label of 6."
    assert card.summary == expected
    card.show_counts([one for one in COUNTS if one.status != "settled"], None)  # one is annotated, without a majority
    assert card.summary == "2 phrases. None of their pairs has a label from annotators yet."


def test_every_column_sorts(model: PhraseFiguresModel) -> None:
    for column in range(len(COLUMNS)):
        model.sort(column, Qt.SortOrder.AscendingOrder)
        up = [model.rows[row].phrase for row in range(2)]
        model.sort(column, Qt.SortOrder.DescendingOrder)
        assert [model.rows[row].phrase for row in range(2)] == up[::-1], COLUMNS[column].title
        assert model.headerData(column, Qt.Orientation.Horizontal) == f"{COLUMNS[column].title} ↓"


def test_the_sort_order_stays_when_rows_are_counted_again(model: PhraseFiguresModel) -> None:
    model.sort(0, Qt.SortOrder.AscendingOrder)
    model.show_rows(phrase_rows(COUNTS, None))
    assert model.rows[0].phrase == "However"


def test_a_row_opens_the_pairs_of_its_phrase(model: PhraseFiguresModel) -> None:
    expected = PairFilter(phrases=frozenset(("However",)), distant=frozenset(("contrasting",)))
    assert model.pair_filter(1, None) == expected
    assert model.pair_filter(1, "bio").domains == {"bio"}


def test_rows_are_of_one_domain() -> None:
    counts = [count("Thus", "reasoning", "open", "", 2, "a"), count("Hence", "reasoning", "open", "", 1, "b")]
    assert [row.phrase for row in phrase_rows(counts, "b")] == ["Hence"]
    assert phrase_rows(counts, "c") == []


def test_copied_numbers_are_unformatted(model: PhraseFiguresModel) -> None:
    title, first, second = model.tsv().splitlines()
    assert title == "Phrase\tRelation\tPairs\tShare\tAnswered\tAgree\tLowest likely\tHighest likely"
    assert first == "Thus\treasoning\t30\t0.7500\t0\t\t\t"
    assert second == "However\tcontrasting\t10\t0.2500\t5\t0.8000\t0.3755\t0.9638"


def test_the_table_is_a_valid_model(model: PhraseFiguresModel, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)
    model.sort(3, Qt.SortOrder.AscendingOrder)
    qtmodeltester.check(model)
