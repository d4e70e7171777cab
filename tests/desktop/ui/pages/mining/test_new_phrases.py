"""The tab that looks for new linking phrases."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.models.phrase_discovery import DiscoveredPhrase, OpenerExample, PhraseDiscovery
from desktop.ui.pages.mining.new_phrases import NewPhrases
from desktop.ui.theme import Theme
from miner.mining.linking_phrases import LEXICON, Phrase
from miner.mining.opener_precision import ExpectedPrecision
from miner.records import Label
from miner.statistics import Interval

EXAMPLE = OpenerExample("It froze.", "the <b>moss</b> was green.", 0.8)
FOUND = PhraseDiscovery(
    "starter",
    40,
    58,
    9,
    (
        DiscoveredPhrase(
            "Surprisingly",
            ExpectedPrecision(Label.CONTRASTING, 0.75, Interval(0.6, 0.86)),
            1_204,
            31,
            40,
            4,
            3,
            (EXAMPLE,),
        ),
        DiscoveredPhrase(
            "In brief", ExpectedPrecision(Label.ENTAILMENT, 0.6, Interval(0.4, 0.8)), 17, 8, 17, 0, 0, (EXAMPLE,)
        ),
    ),
)


@pytest.fixture
def tab(theme: Theme, qtbot: QtBot) -> NewPhrases:
    tab = NewPhrases(theme)
    qtbot.addWidget(tab)
    tab.show_known(LEXICON, editable=True)
    tab.resize(620, 520)
    tab.show()
    return tab


def row(tab: NewPhrases, number: int) -> list[str]:
    return [item.text() for column in range(tab.table.columnCount()) if (item := tab.table.item(number, column))]


def test_it_says_what_a_search_does_before_the_first(tab: NewPhrases, qtbot: QtBot) -> None:
    assert "takes some minutes" in tab.sentence.text()
    assert not tab.table.isVisible()
    with qtbot.waitSignal(tab.search_requested):
        tab.search_button.click()
    tab.show_searching(searching=True, can_search=True)
    assert not tab.search_button.isEnabled()
    tab.show_searching(searching=False, can_search=False)
    assert not tab.search_button.isEnabled(), "there are no papers"


def test_openers_are_shown_with_their_evidence_and_examples(tab: NewPhrases, qtbot: QtBot) -> None:
    tab.show_found(FOUND)
    assert tab.sentence.text().startswith("2 openers of a sample of 40 of 58 papers may announce a relation")
    assert row(tab, 0) == ["Surprisingly", "C  contrasting", "75 % (60–86)", "1,204", "31"]
    assert "40 of the 1,204 pairs from 31 papers" in tab.evidence.text()
    assert "People gave 3 of 4 answered pairs this relation." in tab.evidence.text()
    assert "→ Surprisingly, the <b>moss</b> was green." in tab.examples.toPlainText()
    qtbot.keyClick(tab.table, Qt.Key.Key_Down)
    assert "People" not in tab.evidence.text()


def test_the_colours_of_classes_are_those_of_the_theme(tab: NewPhrases, theme: Theme) -> None:
    tab.show_found(FOUND)
    before = tab.table.item(0, 1).foreground().color()
    theme.apply("dark", 1.0)
    after = tab.table.item(0, 1).foreground().color()
    assert after == theme.label_text_color(Label.CONTRASTING) != before
    assert tab.current is FOUND.phrases[0]


def test_an_opener_is_added_once(tab: NewPhrases, qtbot: QtBot) -> None:
    tab.show_found(FOUND)
    with qtbot.waitSignal(tab.phrase_requested) as asked:
        tab.add_button.click()
    assert asked.args == [Phrase("Surprisingly", Label.CONTRASTING)]
    tab.show_known((*LEXICON, *asked.args), editable=True)
    assert not tab.add_button.isEnabled()
    tab.table.setCurrentCell(1, 0)
    assert tab.add_button.isEnabled()
    tab.show_known(LEXICON, editable=False)
    assert not tab.add_button.isEnabled(), "the project can only be read"


def test_nothing_found_is_said(tab: NewPhrases) -> None:
    tab.show_found(PhraseDiscovery("starter", 58, 58, 1, ()))
    assert tab.sentence.text() == (
        "No opener of all 58 papers seems to announce a relation; 1 frequent opener was scored."
    )
    assert not tab.table.isVisible()
