"""Releases on the Export page: a name keeps the data set; it is listed, compared and written again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from desktop.ui.pages.export.page import ExportPage
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import PlainLabel
from storage.dataset.export_options import FileFormat, Preset
from tests.desktop.ui.conftest import pop_problems


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, tmp_path: Path) -> ExportPage:
    page = ExportPage(context)
    qtbot.addWidget(page)
    page.resize(960, 620)
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: page._preview is not None and not context.runner.running)
    page.folder.setText(str(tmp_path / "out"))
    return page


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def wait(page: ExportPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page._preview is not None and not page.context.runner.running)


def test_a_named_export_is_kept_listed_compared_and_written_again(
    page: ExportPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not page.release_name.isVisible()
    assert page.heading.text() == "Export"
    assert not page.releases_button.isVisible()
    page.form.preset.setCurrentIndex(page.form.preset.findData(Preset.FULL))
    page.form.format.setCurrentIndex(page.form.format.findData(FileFormat.PARQUET))
    page.form.card.setChecked(True)
    page.form.in_splits.setChecked(True)
    wait(page, qtbot)
    assert page.form.name.isVisible()
    assert page.heading.text() == "Export"
    page.release_name.setText(" 1.0 ")
    assert page.button.text().startswith("&Release ")
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt)
    written = contents(tmp_path / "out")
    assert {"train.parquet", "README.md", "croissant.json", "manifest.json", "SHA256SUMS"} <= written.keys()
    assert page.release_name.text() == ""
    qtbot.waitUntil(page.releases_button.isVisible)
    assert page.releases_button.text() == "Releases (1)"
    assert page.form.keep_released.isVisible()
    page.releases_button.click()
    wait(page, qtbot)
    buttons = {button.accessibleName(): button for button in page.releases.findChildren(QPushButton)}
    buttons["What is new since 1.0"].click()
    said = "The same export would have the same number of pairs now, and no paper was added since."
    qtbot.waitUntil(lambda: said in [label.text() for label in page.releases.findChildren(PlainLabel)])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "again"))
    buttons["Write 1.0 again"].click()
    qtbot.waitUntil(lambda: (tmp_path / "again" / "receipt.json").exists() and not page.context.runner.running)
    assert contents(tmp_path / "again") == written
    page.releases.back.click()
    assert page.panes.currentWidget() is page.preview


def test_a_name_that_is_taken_is_refused_while_it_is_typed(page: ExportPage, qtbot: QtBot) -> None:
    page.form.in_splits.setChecked(True)
    wait(page, qtbot)
    page.release_name.setText("1.0")
    assert page.button.isEnabled()
    page.export()
    qtbot.waitUntil(lambda: not page.context.runner.running and not page.running.is_writing)
    wait(page, qtbot)
    assert page.name_notice.text == ""
    for typed, is_free in (("1.", True), (" 1.0", False), ("1.01", True)):
        page.release_name.setText(typed)
        assert page.button.isEnabled() == is_free
        assert page.name_notice.text.startswith("There is a release 1.0 already") != is_free
        assert page.name_notice.isVisible() != is_free
    page.release_name.setText("1.0")
    page.export()
    assert not page.running.is_writing
    page.release_name.clear()
    assert page.name_notice.text == ""
    assert page.button.isEnabled()


def test_only_tables_offer_to_avoid_formulas(page: ExportPage, qtbot: QtBot) -> None:
    shown = []
    for kind in FileFormat:
        page.form.format.setCurrentIndex(page.form.format.findData(kind))
        shown.append(page.form.safe_cells.isVisibleTo(page.form))
        page.form.safe_cells.setChecked(True)
        assert page.form.options.safe_cells == shown[-1]
    assert shown == [False, True, True, False]


def test_a_release_that_cannot_be_written_is_said_and_its_name_stays(
    page: ExportPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    page.form.in_splits.setChecked(True)
    page.folder.setText(str(tmp_path / "file" / "out"))
    page.release_name.setText("1.0")
    wait(page, qtbot)
    page.export()
    qtbot.waitUntil(page.problem.isVisible)
    assert "cannot be written" in page.problem.text
    assert page.release_name.text() == "1.0"
    assert page.panes.currentWidget() is page.preview
    page.folder.setText(str(tmp_path / "out"))
    assert not page.problem.isVisible()
    wait(page, qtbot)
    page.export()
    qtbot.waitUntil(lambda: page.panes.currentWidget() is page.receipt)
    assert " released as 1.0 to " in page.receipt.title.text
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "train.jsonl").write_text("mine")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "again"))
    page._write_again("1.0")
    qtbot.waitUntil(page.problem.isVisible)
    assert contents(tmp_path / "again") == {"train.jsonl": b"mine"}
    assert len(pop_problems(page.context.problems)) == 2
