"""A project whose every string is markup is shown as it is, on every page, in every dialog and tooltip."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QLabel, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop.jobs.exchange.releases import release
from desktop.jobs.pairs.table import save_filter
from desktop.jobs.review.annotation_rounds import start_annotation_round
from desktop.jobs.review.answers import answer, mark
from desktop.jobs.review.mending import mend
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.pages.export.page import ExportPage
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.pages.papers.page import PapersPage
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.pages.train.page import TrainPage
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.window import MainWindow
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundKind, RoundPlan
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.dataset.export_options import ExportOptions
from storage.pairs.filters import PairFilter
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.settings import GUIDELINES
from tests.desktop.ui.conftest import OpenInWindow, pop_problems
from tests.suggestion_factory import suggest
from tests.training_factory import train

OTHER = "<i>other</i>"
EVIL = '<b>x</b><img src="file:///nowhere/x.png"><s>y</s>'

_STRINGS = {
    "papers": ("title", "doi", "domain", "parser_version", "licence"),
    "files": ("reason", "hint"),
    "sections": ("title",),
    "pairs": ("premise", "hypothesis", "hypothesis_original", "phrase", "source_id", "source_label"),
    "actions": ("title",),
    "models": ("name",),
    "training_runs": ("problem",),
    "mining_runs": ("program", "language_model"),
    "suggestion_runs": ("device",),
}


@pytest.fixture(scope="module")
def made_hostile(mined: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample project, all of whose strings are markup."""
    folder = tmp_path_factory.mktemp("hostile")
    with Project.open(shutil.copyfile(mined, folder / "samples.pairwright")) as project:
        suggest(project)
        train(project)
        with project.read_transaction() as stores:
            keys = [key for (key,) in stores._connection.exec_driver_sql("SELECT key FROM pairs ORDER BY key LIMIT 6")]
        answer(project, keys[:4], EVIL, Answer.NEUTRAL).work(Progress())
        answer(project, keys[:4], OTHER, Answer.REASONING).work(Progress())
        mend(project, keys[0], EVIL, {SentenceField.PREMISE: EVIL}).work(Progress())
        start_annotation_round(project, RoundPlan(RoundKind.PILOT, size=1), [EVIL, OTHER]).work(Progress())
        release(project, EVIL, folder / "released", ExportOptions(card=True, name=EVIL)).work(Progress())
        mark(project, keys[:3], EVIL, MarkKind.NOTE, EVIL).work(Progress())
        mark(project, keys[:3], EVIL, MarkKind.FLAG, FLAG_VALUE).work(Progress())
        mark(project, keys[4:5], EVIL, MarkKind.BAD, EVIL).work(Progress())
        save_filter(project, EVIL, PairFilter(domains=frozenset({EVIL}))).work(Progress())
        with project.transaction() as stores:
            run = stores._connection.exec_driver_sql
            stores.settings.put(GUIDELINES, f"{EVIL}\n\n![a]({folder / 'x.png'})")
            for table, columns in _STRINGS.items():
                known = {row[1] for row in run(f"PRAGMA table_info({table})")}
                assert set(columns) <= known, table
                run(f"UPDATE {table} SET " + ", ".join(f"{column} = ?" for column in columns), (EVIL,) * len(columns))
            run("UPDATE papers SET authors = ?", (json.dumps([EVIL]),))
            run("UPDATE paragraphs SET text = ? || text", (EVIL,))
            run("UPDATE training_runs SET name = ? || id", (EVIL,))
            run(
                "INSERT INTO files (path, line, code, reason, hint) VALUES (?, 0, 'damaged', ?, ?)",
                (f"/nowhere/{EVIL.replace('/', '_')}.pdf", EVIL, EVIL),
            )
    return project.path


@pytest.fixture
def hostile(made_hostile: Path, tmp_path: Path) -> Path:
    """A copy of it, whose name is markup too."""
    return shutil.copyfile(made_hostile, tmp_path / f"{EVIL.replace('/', '_').replace(':', '_')}.pairwright")


@pytest.fixture
def evil_window(empty_window: MainWindow, hostile: Path, open_in_window: OpenInWindow, qtbot: QtBot) -> MainWindow:
    open_in_window(empty_window, hostile)
    assert empty_window.context is not None
    empty_window.context.set_annotator(EVIL)
    return empty_window


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.running, timeout=30_000)
    qtbot.wait(20)


def is_markup(text: str) -> bool:
    """Whether Qt would read this as markup, with ours in it."""
    return GuiQt.mightBeRichText(text) and any(tag in text for tag in ("<b>x", "<img", "<s>y"))


def tooltips(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    role = Qt.ItemDataRole.ToolTipRole
    for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())):
        yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
        for row in range(min(model.rowCount(QModelIndex()), 40)):
            yield str(model.index(row, column).data(role) or "")


def check(where: str) -> int:
    """Nothing on the screen is markup of the project's; how often its text is shown as it is."""
    seen = 0
    for widget in QApplication.allWidgets():
        assert not is_markup(widget.toolTip()), (where, type(widget).__name__)
        for action in widget.actions():
            assert not is_markup(action.toolTip()), (where, action.objectName())
        if isinstance(widget, QLabel) and widget.text() != "":
            if widget.textFormat() != Qt.TextFormat.PlainText:
                assert not is_markup(widget.text()), (where, widget.text())
            seen += EVIL in widget.text() and widget.isVisible()
        elif isinstance(widget, QTextEdit):
            assert "<img" not in widget.toHtml(), where
        elif isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
            assert [tip for tip in tooltips(widget) if is_markup(tip)] == [], (where, type(widget).__name__)
    return seen


def choose_something(page: QWidget) -> None:
    """What shows most of the project on this page."""
    if isinstance(page, PapersPage):
        page.table.selectRow(0)
    elif isinstance(page, PairsPage):
        page.table.select_rows([0], 0)
    elif isinstance(page, TrainPage):
        page.runs.table.selectRow(0)
    elif isinstance(page, ReviewPage) and page.first_round.isVisible():
        page.first_round.start_button.click()


@pytest.mark.parametrize("name", [item.name for item in NAVIGATION])
def test_a_page_shows_what_a_project_says_as_it_is(evil_window: MainWindow, qtbot: QtBot, name: str) -> None:
    window = evil_window
    window.show_page(name)
    settled(window, qtbot)
    page = window.page(name)
    choose_something(page)
    settled(window, qtbot)
    check(name)
    if isinstance(page, JudgingPage):
        for panel in ("context", "guide"):
            if page.side_panel.open_panel != panel:
                page.side_panel.toggle(panel)
            settled(window, qtbot)
            check(f"{name} with {panel}")
        window.action_registry[f"{name}.neutral"].trigger()
        settled(window, qtbot)
        check(f"{name} after an answer")
    elif isinstance(page, ExportPage):
        page.button.click()
        settled(window, qtbot)
        check("an export's receipt")
    for child in page.findChildren(QWidget):
        if child.property("look") == "card" and hasattr(child, "numbers_button"):
            child.show_numbers(True)
    settled(window, qtbot)
    check(f"{name} as numbers")


def test_labels_really_show_the_text(evil_window: MainWindow, qtbot: QtBot) -> None:
    evil_window.show_page("papers")
    settled(evil_window, qtbot)

    def shows_the_text() -> bool:
        choose_something(evil_window.page("papers"))  # again, where the rows came after the last job had ended
        settled(evil_window, qtbot)
        return check("papers") > 0

    qtbot.waitUntil(shows_the_text, timeout=20_000)


DIALOGS = {
    "papers": ("papers.edit", "papers.remove", "file.new"),
    "review": ("review.round", "review.mend"),
    "annotate": ("annotate.people", "annotate.round", "annotate.targets"),
    "export": ("export.releases",),
    "disagreements": ("disagreements.accept_all",),
    "pairs": ("help.keys", "help.palette", "help.about", "view.jobs"),
}


@pytest.mark.parametrize("page", DIALOGS)
def test_a_dialog_shows_what_a_project_says_as_it_is(evil_window: MainWindow, qtbot: QtBot, page: str) -> None:
    window = evil_window
    window.runner.start(Job(EVIL, lambda progress: None))
    window.show_page(page)
    settled(window, qtbot)
    choose_something(window.page(page))
    settled(window, qtbot)
    for action in DIALOGS[page]:
        before = set(QApplication.topLevelWidgets())
        window.action_registry[action].trigger()
        settled(window, qtbot)
        check(action)
        for dialog in set(QApplication.topLevelWidgets()) - before:
            if dialog.isVisible():
                dialog.close()
        settled(window, qtbot)


def test_problems_files_and_notices_are_shown_as_they_are(
    evil_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = evil_window
    window.problems.show(UserError(EVIL, hint=EVIL))
    window.central.status_bar.show_message(EVIL)
    window.central.notice.show_text(EVIL, EVIL)
    check("a problem")
    window.show_page("problems")
    check("the list of problems")
    pop_problems(window.problems)
    paper = tmp_path / f"{EVIL.replace('/', '_')}.pdf"
    paper.write_bytes(b"%PDF-1.4 nothing")
    window.project_commands.open_or_add([paper, tmp_path / EVIL.replace("/", "_")])
    settled(window, qtbot)
    check("files that are offered")
    for dialog in QApplication.topLevelWidgets():
        if dialog is not window and dialog.isVisible():
            dialog.close()
    window.central.notice.show_text("")


def test_the_start_page_shows_projects_names_as_they_are(evil_window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(evil_window.project_controller.closed, timeout=5000):
        evil_window.project_commands.close()
    settled(evil_window, qtbot)
    check("the start page")
    evil_window.menu_bar.recent.aboutToShow.emit()
    assert [action.text() for action in evil_window.menu_bar.recent.actions() if is_markup(action.toolTip())] == []


def test_what_is_checked_here_would_be_found(window: MainWindow, qtbot: QtBot) -> None:
    label = QLabel(EVIL, window)
    with pytest.raises(AssertionError):
        check("a label that guesses")
    label.setText("")
    label.setToolTip(EVIL)
    with pytest.raises(AssertionError):
        check("a tooltip that guesses")
    label.setToolTip("")
    action = QAction("x", window)
    action.setToolTip(EVIL)
    window.addAction(action)
    with pytest.raises(AssertionError):
        check("an action's tooltip")
    window.removeAction(action)
