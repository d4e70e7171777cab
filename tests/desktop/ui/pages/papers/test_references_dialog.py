"""What a bibliography would change, chosen and applied in its dialog."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.pages.papers.add_files import open_import_dialog
from desktop.ui.pages.papers.references_dialog import ReferencesDialog
from desktop.ui.services.project_context import ProjectContext


def test_a_bibliography_opens_the_dialog_and_what_is_ticked_is_applied(
    context: ProjectContext, qtbot: QtBot, tmp_path: Path
) -> None:
    with context.project.read_transaction() as stores:
        paper = next(one for one in stores.papers.summaries() if one.title and one.year and not one.journal)
    with context.project.transaction() as stores:
        stores.papers.set_metadata(paper.md5, title=paper.title, year=paper.year)  # so that both are sure
    assert paper.year is not None
    path = tmp_path / "library.bib"
    path.write_text(f"@article{{a, title = {{{paper.title}}}, year = {paper.year + 1}, journal = {{Waves}}}}")
    window = QWidget()
    qtbot.addWidget(window)
    open_import_dialog(context, [path], window)
    dialogs: list[ReferencesDialog] = []

    def is_ready() -> bool:
        found = [one for one in QApplication.topLevelWidgets() if isinstance(one, ReferencesDialog) and one.plan]
        dialogs[:] = found
        return bool(found)

    qtbot.waitUntil(is_ready, timeout=10_000)
    [dialog] = dialogs
    assert dialog.apply_button.text() == "Apply 1 value"
    assert not dialog.all_conflicts.isChecked()
    dialog.table.selectRow(0)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert (dialog.apply_button.text(), dialog.all_conflicts.isChecked()) == ("Apply 2 values", True)
    dialog.all_conflicts.click()
    assert dialog.apply_button.text() == "Apply 1 value"
    dialog.all_conflicts.click()
    dialog.domain.setEditText("oceans")
    with qtbot.waitSignal(context.message) as said:
        dialog.accept()
    assert said.args == ["Took 2 values of 1 paper from library.bib.", True]
    with context.project.read_transaction() as stores:
        now = stores.papers.summary(paper.md5)
    assert now is not None
    assert (now.year, now.journal, now.domain) == (paper.year + 1, "Waves", "oceans")
