"""The Papers page on the sample project: what it shows, and every action on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop.ui.pages.papers import actions
from desktop.ui.pages.papers.edit_dialog import EditPapersDialog
from desktop.ui.pages.papers.page import PapersPage
from desktop.ui.pages.papers.table_model import DOMAIN, PAIRS, STATE, TITLE, YEAR
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import Question
from miner.errors import UnreadableFile
from miner.versions import EMBEDDED_VERSION
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from storage.papers.metadata import PaperSummary
from tests.desktop.ui.conftest import pop_problems, show_page
from tests.storage.factories import paper, pdf, remove


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot) -> Iterator[PapersPage]:
    """The visible page with eight papers and a failed file, all rows read."""
    with context.project.transaction() as stores:
        why = UnreadableFile("scan", "scan.pdf has no text layer: it looks like a scan.", hint="Run OCR, then retry.")
        stores.files.save_failure(Path("/nowhere/scan.pdf"), why)
    page = PapersPage(context)
    show_page(page, qtbot, height=700)
    wait_for_rows(page, qtbot, 9)
    yield page
    qtbot.waitUntil(lambda: not context.runner.running, timeout=5000)


def wait_for_rows(page: PapersPage, qtbot: QtBot, rows: int) -> None:
    """Wait until the table has this many rows and all of them are read."""

    def is_complete() -> bool:
        model = page.model
        return model.rowCount() == rows and all(model.line(row) is not None for row in range(rows))

    def paint() -> bool:
        for row in range(page.model.rowCount()):
            page.model.data(page.model.index(row, TITLE))
        return is_complete() and not page.context.runner.running

    qtbot.waitUntil(paint, timeout=5000)


def column(page: PapersPage, number: int = TITLE) -> list[str]:
    model = page.model
    return [model.data(model.index(row, number)) for row in range(model.rowCount())]


def select(page: PapersPage, *titles: str) -> None:
    page.table.clearSelection()
    for title in titles:
        [row] = [row for row, text in enumerate(column(page)) if text.startswith(title)]
        flags = page.table.selectionModel().SelectionFlag
        index = page.model.index(row, 0)
        page.table.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)


def wait_for_dialog(kind: type[EditPapersDialog] | type[Question], qtbot: QtBot) -> EditPapersDialog | Question:
    dialogs: list[EditPapersDialog | Question] = []

    def is_open() -> bool:
        dialogs[:] = [w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()]
        return bool(dialogs)

    qtbot.waitUntil(is_open, timeout=5000)
    return dialogs[0]


def summaries(context: ProjectContext) -> list[PaperSummary]:
    with context.project.read_transaction() as stores:
        return stores.papers.summaries()


def details_text(page: PapersPage) -> str:
    return " | ".join(label.text() for label in page.details.widget().findChildren(QLabel))


def test_the_title_counts_papers_pairs_and_failed_files(page: PapersPage) -> None:
    assert page.subtitle.text().startswith("8 papers · ")
    assert page.subtitle.text().endswith(" linked by a phrase · 1 needs attention")
    total = sum(int(text) for text in column(page, PAIRS) if text.isdigit())
    assert f" · {total:,} pairs, " in page.subtitle.text()
    assert sorted(set(column(page, STATE))) == ["▲ no text layer", "● parsed"]
    assert not page.next_step.isVisible()


def test_the_search_and_the_attention_filter_can_be_set_and_cleared(page: PapersPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.search, "groynes")
    wait_for_rows(page, qtbot, 1)
    assert column(page)[0].startswith("Permeable timber groynes")
    qtbot.keyClicks(page.search, " nothing like it")
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.no_results)
    qtbot.mouseClick(page.no_results.button, Qt.MouseButton.LeftButton)
    wait_for_rows(page, qtbot, 9)
    page.context.actions["papers.attention"].trigger()
    wait_for_rows(page, qtbot, 1)
    assert column(page) == ["scan.pdf"]


def test_sorting_keeps_the_selection(page: PapersPage, qtbot: QtBot) -> None:
    select(page, "Permeable")
    before = page.table.selected_ids()
    page.table.sortByColumn(TITLE, Qt.SortOrder.AscendingOrder)

    def are_sorted() -> bool:
        shown = [str(title).casefold() for title in column(page)]
        return shown == sorted(shown)

    qtbot.waitUntil(are_sorted)
    wait_for_rows(page, qtbot, 9)
    assert page.table.selected_ids() == before


def test_the_details_describe_papers_and_failures(page: PapersPage, qtbot: QtBot) -> None:
    select(page, "Permeable")
    qtbot.waitUntil(lambda: "contrasting" in details_text(page))
    assert "Built-in parser" in details_text(page)
    assert "repaired" not in details_text(page)
    select(page, "scan.pdf")
    qtbot.waitUntil(lambda: "Run OCR, then retry." in details_text(page))
    assert "no longer at" in details_text(page)
    assert [button.text() for button in page.details.findChildren(QPushButton)] == ["Retry", "Remove from list"]
    page.table.clearSelection()
    select(page, "scan.pdf", "Permeable")
    assert "1 paper and 1 failed file selected" in details_text(page)


def test_several_papers_are_edited_and_undone_at_once(page: PapersPage, context: ProjectContext, qtbot: QtBot) -> None:
    before = summaries(context)
    page.table.selectAll()
    page.context.actions["papers.edit"].trigger()
    dialog = wait_for_dialog(EditPapersDialog, qtbot)
    assert isinstance(dialog, EditPapersDialog)
    assert dialog.year.placeholderText() == "several values; type to set them all"
    assert dialog.changes() == {}
    qtbot.keyClicks(dialog.year, "1999")
    with qtbot.waitSignal(context.message) as message:
        dialog.accept()
    assert message.args == ["Changed the year of 8 papers.", True]
    assert {paper.year for paper in summaries(context)} == {1999}
    with qtbot.waitSignal(context.undone):
        context.undo()
    assert summaries(context) == before


def test_all_fields_of_a_paper_can_be_edited(page: PapersPage, context: ProjectContext, qtbot: QtBot) -> None:
    select(page, "Permeable")
    page.context.actions["papers.edit"].trigger()
    dialog = wait_for_dialog(EditPapersDialog, qtbot)
    assert isinstance(dialog, EditPapersDialog)
    for field, text in ((dialog.title, " Sand  stays "), (dialog.authors, "A. B.; C. D."), (dialog.year, "")):
        field.selectAll()
        qtbot.keyClicks(field, text) if text else qtbot.keyClick(field, Qt.Key.Key_Delete)
    dialog.domain.lineEdit().selectAll()
    qtbot.keyClicks(dialog.domain.lineEdit(), "sand")
    save = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save)
    assert dialog.language.currentText() == "English"
    for text, is_language in (("Gibberish", False), ("german", True)):
        dialog.language.lineEdit().selectAll()
        qtbot.keyClicks(dialog.language.lineEdit(), text)
        assert save.isEnabled() == is_language
    with qtbot.waitSignal(context.message):
        dialog.accept()
    [edited] = [paper for paper in summaries(context) if paper.title == "Sand stays"]
    assert (edited.authors, edited.year, edited.domain) == (("A. B.", "C. D."), None, "sand")
    assert edited.language == "de"
    qtbot.waitUntil(lambda: "sand" in column(page, DOMAIN))


def test_a_year_is_saved_only_with_four_digits(page: PapersPage, context: ProjectContext, qtbot: QtBot) -> None:
    select(page, "Permeable")
    page.context.actions["papers.edit"].trigger()
    dialog = wait_for_dialog(EditPapersDialog, qtbot)
    assert isinstance(dialog, EditPapersDialog)
    save_button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save)
    dialog.year.clear()
    qtbot.keyClicks(dialog.year, "1,9")
    assert (dialog.year.text(), save_button.isEnabled()) == ("19", False)
    qtbot.keyClicks(dialog.year, "99")
    assert save_button.isEnabled()
    assert dialog.changes() == {"year": 1999}
    dialog.reject()


@pytest.mark.parametrize("titles", [("Permeable",), ("Permeable", "Reading the Wrack")], ids=["one", "several"])
def test_return_in_the_domain_field_changes_nothing(
    page: PapersPage, context: ProjectContext, qtbot: QtBot, titles: tuple[str, ...]
) -> None:
    before = summaries(context)
    select(page, *titles)
    page.context.actions["papers.edit"].trigger()
    dialog = wait_for_dialog(EditPapersDialog, qtbot)
    assert isinstance(dialog, EditPapersDialog)
    dialog.domain.setFocus(Qt.FocusReason.TabFocusReason)
    dialog.domain.field.selectAll()
    qtbot.keyClick(dialog.domain, Qt.Key.Key_Return)
    assert dialog.result() == EditPapersDialog.DialogCode.Accepted
    assert dialog.changes() == {}
    qtbot.waitUntil(lambda: not context.runner.running)
    assert summaries(context) == before


def test_the_row_of_a_failed_file_says_what_to_do(page: PapersPage) -> None:
    [row] = [row for row, text in enumerate(column(page)) if text == "scan.pdf"]
    for number in (YEAR, STATE):
        cell = page.model.cell(row, number)
        assert cell.remedy == "Run OCR, then retry."
        assert cell.state is not None
        assert cell.state.word == "no text layer"


def test_the_details_say_how_many_characters_were_repaired(
    page: PapersPage, context: ProjectContext, qtbot: QtBot
) -> None:
    made = replace(paper("ferries", version=EMBEDDED_VERSION), repaired_characters=412, repaired_fonts=2)
    with context.project.transaction() as stores:
        stores.papers.save(made, pdf("ferries"))
    context.events.changed.emit(Changes(papers=True))
    wait_for_rows(page, qtbot, 10)
    select(page, made.title)
    qtbot.waitUntil(lambda: "412 characters of 2 fonts were repaired" in details_text(page))


def test_a_narrow_page_shows_details_only_with_a_selection(page: PapersPage, qtbot: QtBot) -> None:
    page.resize(960, 600)
    assert page.sides.isHidden()
    select(page, "Permeable")
    assert not page.sides.isHidden()
    qtbot.keyClick(page.table, Qt.Key.Key_Escape)
    assert page.sides.isHidden()
    page.context.actions["papers.stock"].trigger()
    assert not page.sides.isHidden()
    page.sides.setCurrentWidget(page.details)
    page.resize(1300, 600)
    assert not page.sides.isHidden()


def test_home_and_end_select_the_first_and_the_last_paper(page: PapersPage, qtbot: QtBot) -> None:
    for key, row in ((Qt.Key.Key_End, 8), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(page.table, key)
        assert page.table.selected_ids() == [page.model.id_of(row)]


def test_a_removal_counts_the_pairs_that_go_and_can_be_undone(
    page: PapersPage, context: ProjectContext, qtbot: QtBot
) -> None:
    before = summaries(context)
    select(page, "Permeable", "Reading the Wrack")
    page.context.actions["papers.remove"].trigger()
    box = wait_for_dialog(Question, qtbot)
    assert isinstance(box, Question)
    assert box.question.text() == "Remove 2 papers from this project?"
    assert box.about.text().split(" pairs will be removed too.")[0].isdigit()
    assert "Undo (Ctrl+Z) brings everything back." in box.about.text()
    with qtbot.waitSignal(context.message) as message:
        assert box.dismiss_button.isDefault()
        qtbot.mouseClick(box.action_button, Qt.MouseButton.LeftButton)
    assert message.args == ["Removed 2 papers.", True]
    wait_for_rows(page, qtbot, 7)
    qtbot.waitUntil(page.next_step.isVisible)
    with qtbot.waitSignal(context.undone):
        context.undo()
    wait_for_rows(page, qtbot, 9)
    assert summaries(context) == before


def test_a_cancelled_removal_refreshes_the_table(
    page: PapersPage, context: ProjectContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "_MAX_QUICK_REMOVALS", 0)
    context.runner.started.connect(lambda run: run.cancel())
    with qtbot.waitSignal(context.events.changed, timeout=5000) as changed:
        page.paper_actions._remove([page.model.id_of(0)])
    assert changed.args == [Changes(papers=True, pairs=True)]


def test_a_failed_file_is_removed_without_a_question(page: PapersPage, context: ProjectContext, qtbot: QtBot) -> None:
    select(page, "scan.pdf")
    with qtbot.waitSignal(context.message) as message:
        qtbot.keyClick(page.table, Qt.Key.Key_Delete)
    assert message.args == ["Removed 1 failed file.", True]
    wait_for_rows(page, qtbot, 8)
    qtbot.waitUntil(lambda: "attention" not in page.subtitle.text())


def test_retrying_a_missing_file_shows_that_in_its_row(page: PapersPage, context: ProjectContext, qtbot: QtBot) -> None:
    page.table.clearSelection()
    page.context.actions["papers.retry"].trigger()
    qtbot.waitUntil(lambda: "▲ file missing" in column(page, STATE), timeout=10_000)


def test_the_pairs_of_the_selected_papers_are_requested(
    page: PapersPage, context: ProjectContext, qtbot: QtBot
) -> None:
    select(page, "Permeable", "scan.pdf")
    with qtbot.waitSignal(context.pairs_requested) as requested:
        page.context.actions["papers.pairs"].trigger()
    [md5] = [paper.md5 for paper in summaries(context) if paper.title.startswith("Permeable")]
    assert requested.args == [PairFilter(papers=frozenset({md5}))]


def test_return_opens_the_file_and_a_missing_one_is_reported(
    page: PapersPage, context: ProjectContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    select(page, "Permeable")
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [Path(name).name for name in opened] == ["permeable-groynes.pdf"])
    select(page, "scan.pdf")
    page.context.actions["papers.open"].trigger()
    qtbot.waitUntil(lambda: bool(context.problems.all))
    [problem] = pop_problems(context.problems)
    assert problem.summary == "/nowhere/scan.pdf is no longer there."


def test_a_moved_file_can_be_located(
    page: PapersPage, context: ProjectContext, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [md5] = [paper.md5 for paper in summaries(context) if paper.title.startswith("Permeable")]
    with context.project.read_transaction() as stores:
        [path] = stores.papers.file_paths(md5)
    here = tmp_path / "here.pdf"
    here.write_bytes(Path(path).read_bytes())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(here), ""))
    select(page, "Permeable")
    with qtbot.waitSignal(context.message) as message:
        page.context.actions["papers.locate"].trigger()
    assert message.args == [f"Found 1 paper in {tmp_path}.", False]
    with context.project.read_transaction() as stores:
        assert stores.papers.file_paths(md5) == [str(here)]


def test_actions_that_write_are_disabled_in_a_read_only_project(context: ProjectContext, qtbot: QtBot) -> None:
    context.read_only, context.read_only_reason = True, "Another window has it."
    page = PapersPage(context)
    qtbot.addWidget(page)
    page.show()
    page.activate()
    wait_for_rows(page, qtbot, 8)
    page.table.selectAll()
    enabled = {verb.key for verb in context.actions if verb.key.startswith("papers.") and verb.action.isEnabled()}
    assert enabled == {"papers.pairs", "papers.copy", "papers.find", "papers.attention", "papers.stock"}
    assert context.actions["papers.remove"].toolTip() == "Another window has it."


def test_an_empty_project_says_what_to_do(context: ProjectContext, qtbot: QtBot) -> None:
    with context.project.transaction() as stores:
        remove(stores, *stores.papers.md5s())
    page = PapersPage(context)
    qtbot.addWidget(page)
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.empty)
    assert page.subtitle.text() == ""


def test_the_context_menu_has_the_possible_actions(page: PapersPage, context: ProjectContext) -> None:
    select(page, "Permeable")
    texts = [action.text() for action in page.paper_actions.context_menu().actions() if action.text()]
    assert texts[:2] == ["Open file", "Show file"]
    assert "Parse again with GROBID" in texts
    assert "Retry failed files" not in texts


def test_a_wrong_grobid_address_is_reported_and_nothing_is_lost(
    page: PapersPage, context: ProjectContext, qtbot: QtBot
) -> None:
    context.settings_store.put(replace(context.settings_store.settings, grobid_url="not an address"))
    before = summaries(context)
    select(page, "Permeable")
    context.actions["papers.grobid"].trigger()
    qtbot.waitUntil(lambda: bool(context.problems.all))
    assert "not an address" in pop_problems(context.problems)[0].summary
    assert summaries(context) == before


def test_retrying_papers_that_have_not_failed_does_nothing(
    page: PapersPage, context: ProjectContext, qtbot: QtBot
) -> None:
    select(page, "Permeable")
    with qtbot.waitSignal(context.message) as message:
        page.paper_actions.retry()
    assert message.args == [
        "No failed file is selected. Select failed files, or clear the selection to retry all.",
        False,
    ]
    assert not [run for run in context.runner.running if run.job.title == "Retrying failed files"]
