"""Duplicates on the Papers page: counted on a button, compared side by side, merged or kept by key."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.ui.pages.papers.duplicates_dialog import DuplicatesDialog
from desktop.ui.pages.papers.page import PapersPage
from desktop.ui.services.project_context import ProjectContext
from tests.desktop.ui.conftest import show_page
from tests.storage.factories import paper, pdf


def test_papers_are_compared_and_merged_by_key(context: ProjectContext, qtbot: QtBot) -> None:
    title = "How wind shapes the dunes of a coast"
    with context.project.transaction() as stores:
        for name, other in (("one", {"journal": "Dunes"}), ("two", {"doi": "10.1000/two"}), ("three", {})):
            stores.papers.save(replace(paper(name, version=name), title=title, **other), pdf(name))
    page = PapersPage(context)
    show_page(page, qtbot, height=700)
    qtbot.waitUntil(lambda: page.duplicates.text() == "Duplicates 3", timeout=5000)
    page.duplicates.click()
    qtbot.waitUntil(lambda: bool(page.findChild(DuplicatesDialog)), timeout=5000)
    dialog = page.findChild(DuplicatesDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.comparison is not None, timeout=5000)
    first = dialog.comparison
    assert (dialog.position.text(), dialog.next_button.text()) == ("1 of 3", "&Next")
    qtbot.keyClick(dialog, Qt.Key.Key_Return)  # decide later
    qtbot.waitUntil(lambda: dialog.comparison not in (None, first), timeout=5000)
    qtbot.keyClick(dialog.keep_button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.position.text() == "3 of 3" and dialog.merge_button.isEnabled(), timeout=5000)
    comparison = dialog.comparison
    assert comparison is not None
    stays, goes = comparison.sides(comparison.kept)
    other = next(field for field in ("journal", "doi") if getattr(stays.summary, field) or getattr(goes.summary, field))
    with qtbot.waitSignal(dialog.accepted, timeout=5000):
        qtbot.keyClick(dialog.merge_button, Qt.Key.Key_Space)
    with context.project.read_transaction() as stores:
        merged = stores.papers.summary(stays.md5)
        assert merged is not None
        assert getattr(merged, other)  # the value that one of them lacked
        assert stores.papers.summary(goes.md5) is None
    # With one of them gone, at most one question is left, about the third paper.
    qtbot.waitUntil(lambda: page.duplicates.text() in ("Duplicates 0", "Duplicates 1"), timeout=5000)
    qtbot.waitUntil(lambda: not context.runner.running, timeout=5000)
