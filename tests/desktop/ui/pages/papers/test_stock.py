"""The stock of papers beside the table, and the dialog that starts text recognition."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop.jobs.papers.recognition_state import RecognitionState
from desktop.jobs.papers.stock import PhraseTable, PhraseUse
from desktop.ui.pages.papers.page import PapersPage
from desktop.ui.pages.papers.recognition_dialog import RecognitionDialog
from desktop.ui.pages.papers.stock_figure import phrase_figure, stock_figure
from desktop.ui.services.project_context import ProjectContext
from storage.pairs.filters import PairFilter
from storage.papers.stock import PaperGroup, PaperProperty
from tests.desktop.ui.conftest import show_page
from tests.storage.factories import paper, pdf

COUNTS: dict[PaperProperty, dict[str, int]] = {one: {} for one in PaperProperty}


def test_each_property_has_its_bars_and_the_rest_in_one() -> None:
    domains = {f"d{number}": 20 - number for number in range(9)}
    counts = COUNTS | {PaperProperty.DOMAIN: domains, PaperProperty.JOURNAL: {"": 3}}
    counts |= {PaperProperty.NO_PAIRS: {"no_phrase": 2, "trap_that_is": 1}, PaperProperty.FAILED: {"scan": 1}}
    shown = PaperGroup(PaperProperty.DOMAIN, "d8")
    figure = stock_figure(counts, shown)
    names = [row.name for row in figure.rows]
    assert names[:3] == ["No pairs", "No phrase", "“That is why …”"]
    assert names[3:5] == ["Not read", "No text layer"]
    assert names[5:] == ["Domain", *(f"d{number}" for number in range(6)), "d8", "2 more"]
    assert [row.bars[0].tone for row in figure.rows if row.bars].count("accent") == 1
    marks = list(figure.marks())
    assert marks[0].opens == PaperGroup(PaperProperty.NO_PAIRS, "no_phrase")
    assert marks[0].note == "2 papers without pairs. No sentence starts with a linking phrase that is switched on."
    assert marks[-1].opens is None


def test_phrases_are_counted_in_a_hundred_papers_of_each_domain() -> None:
    uses = (PhraseUse("However", "contrasting", {"a": 8, "b": 1}), PhraseUse("Thus", "reasoning", {"a": 4}))
    figure = phrase_figure(PhraseTable(uses, {"a": 4, "c": 3, "b": 1}))
    [heatmap] = figure.heatmaps
    assert heatmap is not None
    assert (heatmap.rows, heatmap.columns) == (("However", "Thus"), ("a", "b"))
    assert [[cell.text for cell in row] for row in heatmap.cells] == [["200", "100"], ["100", "–"]]
    assert [cell.share for cell in heatmap.cells[0]] == [1.0, 0.5]
    assert heatmap.cells[0][1].mark.opens == PairFilter(domains=frozenset({"b"}), phrases=frozenset({"However"}))
    assert heatmap.cells[1][1].mark.opens is None


def test_a_bar_lists_its_papers_until_it_is_clicked_again(context: ProjectContext, qtbot: QtBot) -> None:
    with context.project.transaction() as stores:
        stores.papers.save(replace(paper("reeds"), title="Roseaux", language="fr"), pdf("reeds"))
    page = PapersPage(context)
    show_page(page, qtbot, height=700)
    page.context.actions["papers.stock"].trigger()
    qtbot.waitUntil(lambda: "plot" in vars(page.stock), timeout=10_000)
    marks = page.stock.plot.figure.marks()
    [french] = [mark for mark in marks if mark.opens == PaperGroup(PaperProperty.LANGUAGE, "fr")]
    page.stock.plot.activated.emit(french)
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    assert page.group_button.text().startswith("Language: French")
    qtbot.mouseClick(page.group_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.model.rowCount() > 1)
    assert not page.group_button.isVisible()
    qtbot.waitUntil(lambda: not context.runner.running, timeout=5000)


def test_the_language_of_scans_is_one_or_several_of_tesseracts(context: ProjectContext, qtbot: QtBot) -> None:
    dialog = RecognitionDialog(context.theme, RecognitionState(("eng", "deu"), 2))
    qtbot.addWidget(dialog)
    assert dialog.options().languages == ("eng",)
    dialog.language.setEditText("deu + eng")
    assert (dialog.options().languages, dialog.options().folder) == (("deu", "eng"), None)
    assert "Recognise text" in [button.text() for button in dialog.findChildren(QPushButton)]
