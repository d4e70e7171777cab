"""The Problems page, the toast and the dialog for bugs."""

from __future__ import annotations

import sys
import threading

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop.ui.pages.papers.page import PapersPage
from desktop.ui.pages.problems.page import ProblemsPage
from desktop.ui.services.problems import Problems
from desktop.ui.shell.notifications import BugDialog
from desktop.ui.shell.window import MainWindow
from miner.errors import UnreadableFile, UserError
from miner.progress import Cancelled
from tests.desktop.ui.conftest import SAMPLES, pop_problems


def make_error(number: int = 0) -> Exception:
    try:
        if number:
            raise KeyError("deeper")
        {}["x"]
    except KeyError as exc:
        return exc
    raise AssertionError


@pytest.fixture
def page(window: MainWindow) -> ProblemsPage:
    page = window.page("problems")
    assert isinstance(page, ProblemsPage)
    return page


def test_a_problem_is_shown_counted_and_listed_with_its_hint(window: MainWindow, page: ProblemsPage) -> None:
    window.problems.show(UserError("No GROBID.", hint="Start it."))
    window.problems.show(UserError("No disk."))
    assert (window.central.toast.summary.text(), window.central.toast.isVisible()) == ("No disk.", True)
    button = window.central.status_bar.problems
    assert button.accessibleName() == "Show 2 new problems"
    window.central.toast.show_all.click()
    assert window.current_page() == "problems"
    assert button.accessibleName() == "Show 2 problems"
    assert not window.central.toast.isVisible()
    window.show_page("papers")
    button.click()
    assert window.current_page() == "problems"
    assert [card._problem.summary for card in page._cards] == ["No disk.", "No GROBID."]
    page._cards[1].copy_button.click()
    assert QGuiApplication.clipboard().text() == "No GROBID.\nStart it."
    page.copy_button.click()
    assert QGuiApplication.clipboard().text().index("No disk.") < QGuiApplication.clipboard().text().index("No GROBID.")
    pop_problems(window.problems)


def test_a_cancelled_job_is_no_problem(window: MainWindow) -> None:
    window.problems.show(Cancelled())
    assert window.problems.all == []


def test_a_repeated_bug_is_shown_in_one_dialog(window: MainWindow, qtbot: QtBot) -> None:
    for _ in range(3):
        window.problems.show(make_error())
    [dialog] = window.findChildren(BugDialog)
    assert "3 times" in dialog.summary.text()
    assert dialog.details.toPlainText().count("Traceback") == 1
    dialog.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Pairwright ")
    assert "KeyError: 'x'" in copied
    dialog.accept()
    qtbot.waitUntil(lambda: window.findChildren(BugDialog) == [])
    window.problems.show(make_error())
    assert window.findChildren(BugDialog) == []  # seen already: a word is enough
    assert window.central.toast.isVisible()
    window.problems.show(make_error(1))
    [dialog] = window.findChildren(BugDialog)
    dialog.accept()
    assert all(problem.is_bug for problem in pop_problems(window.problems))


def test_an_uncaught_exception_is_shown_and_the_program_continues(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop.app import _install_exception_hooks

    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr("threading.excepthook", lambda args: None)
    _install_exception_hooks(window.problems.report)
    error = make_error()
    sys.excepthook(type(error), error, None)
    [dialog] = window.findChildren(BugDialog)
    dialog.accept()
    [problem] = pop_problems(window.problems)
    assert problem.is_bug
    window.show_page("settings")
    assert window.current_page() == "settings"


def test_an_error_in_a_thread_is_reported_in_the_windows_thread(problems: Problems, qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []
    problems.unseen_changed.connect(lambda _: threads.append(threading.current_thread()))
    thread = threading.Thread(target=problems.report, args=(make_error(),))
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: threads == [threading.main_thread()])
    assert len(pop_problems(problems)) == 1


def test_failed_files_are_linked_to_the_papers_page(window: MainWindow, page: ProblemsPage, qtbot: QtBot) -> None:
    window.show_page("problems")
    assert not page.failed_files.isVisible()
    assert page.empty.isVisible()
    assert window.context is not None
    with window.context.project.transaction() as stores:
        why = UnreadableFile("scan", "scan.pdf has no text layer.", hint="Run OCR.")
        stores.files.save_failure(SAMPLES / "scan.pdf", why)
    window.show_page("settings")
    from storage.changes import Changes

    window.context.events.changed.emit(Changes(papers=True))
    window.show_page("problems")
    qtbot.waitUntil(page.failed_files.isVisible)
    page.show_files_button.click()
    assert window.current_page() == "papers"
    papers = window.page("papers")
    assert isinstance(papers, PapersPage)
    assert papers.attention.isChecked()
