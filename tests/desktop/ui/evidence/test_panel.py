"""The panel shows where a pair comes from, and says what is the matter when it cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from desktop.jobs.papers.evidence import SentenceRole
from desktop.ui.evidence.page_view import PageView
from desktop.ui.evidence.panel import EvidencePanel
from desktop.ui.services.project_context import ProjectContext
from storage.changes import Changes
from tests.desktop.evidence_factory import FERRIES, OVERLEAF, ferry_paper
from tests.desktop.ui.evidence.conftest import wait_until_idle
from tests.miner.parsing.pdf_factory import FERRY

Show = Callable[[str], None]


def marked_colors(view: PageView) -> set[str]:
    """The colours of the shown page."""
    image = view.viewport().grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}


def test_a_pair_is_shown_in_its_paragraph_and_on_its_page(panel: EvidencePanel, show: Show) -> None:
    show(FERRIES)
    assert FERRIES in panel.paragraph.toPlainText()
    assert panel.page_stack.currentWidget() is not panel.page_placeholder
    assert (panel.page.page, panel.page.page_count) == (1, 2)
    assert panel.page_bar.page_label.text() == "page 1 of 2"
    assert "#d8def8" in marked_colors(panel.page)  # a fifth of the accent on white
    assert panel.page.accessibleDescription() == "Page 1 of 2; premise and hypothesis marked"
    assert FERRIES in panel.paragraph.accessibleDescription()


def test_without_a_pair_the_panel_says_what_it_is_for(panel: EvidencePanel, show: Show) -> None:
    assert panel.stack.currentWidget() is panel.placeholder
    show(FERRIES)
    assert panel.stack.currentWidget() is not panel.placeholder
    panel.show_pair(None)
    assert panel.placeholder.sentence.text() == "Choose a pair to see it in its paper."


def test_of_two_pairs_one_after_the_other_only_the_last_is_shown(
    panel: EvidencePanel, key_of: Callable[[str], str], qtbot: QtBot
) -> None:
    for _ in range(5):
        panel.show_pair(key_of(FERRIES))
        qtbot.wait(1)
        panel.show_pair(key_of(OVERLEAF))
    wait_until_idle(panel, qtbot)
    assert OVERLEAF in panel.paragraph.toPlainText()
    assert FERRIES not in panel.paragraph.toPlainText()
    assert panel.page.page_of(SentenceRole.HYPOTHESIS) == 2


def test_blind_the_linking_phrase_is_nowhere(panel: EvidencePanel, show: Show) -> None:
    panel.set_blind(True)
    show(FERRIES)
    assert "However" not in panel.paragraph.toPlainText()
    assert "However" not in panel.paragraph.accessibleDescription()
    assert "… it stays in harbour" in panel.paragraph.toPlainText()
    assert "#e9e7e0" in marked_colors(panel.page)
    assert not panel.open_button.isEnabled()


def test_after_the_answer_the_linking_phrase_is_back(panel: EvidencePanel, show: Show) -> None:
    panel.set_blind(True)
    show(FERRIES)
    panel.set_blind(False)
    assert FERRIES in panel.paragraph.toPlainText()
    assert "#e9e7e0" not in marked_colors(panel.page)
    assert panel.open_button.isEnabled()


def test_blind_a_page_whose_phrase_cannot_be_covered_is_not_shown(
    panel: EvidencePanel, show: Show, context: ProjectContext, pdf: Path, qtbot: QtBot
) -> None:
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE paragraphs SET spans = NULL")
        for column in ("hypothesis_original", "hypothesis"):
            stores._connection.exec_driver_sql(
                f"UPDATE pairs SET {column} = replace({column}, 'it stays', 'they stay')"
            )
        stores._connection.exec_driver_sql(
            "UPDATE pairs SET hypothesis_original = replace(hypothesis_original, 'However', 'Nonetheless')"
        )
    panel.set_blind(True)
    panel.show_pair(panel_key(context, "Nonetheless"))
    wait_until_idle(panel, qtbot)
    assert panel.page_placeholder.sentence.text() == "The page is not shown before you answer."
    panel.set_blind(False)
    wait_until_idle(panel, qtbot)
    assert panel.page_stack.currentWidget() is not panel.page_placeholder
    assert panel.page.page_count == 2


def panel_key(context: ProjectContext, start: str) -> str:
    with context.project.read_transaction() as stores:
        query = "SELECT key FROM pairs WHERE hypothesis_original LIKE ?"
        return str(stores._connection.exec_driver_sql(query, (f"{start}%",)).scalar_one())


def test_a_pdf_that_moved_is_located_and_remembered(
    panel: EvidencePanel, show: Show, pdf: Path, tmp_path: Path, context: ProjectContext, qtbot: QtBot
) -> None:
    moved = tmp_path / "far away" / "renamed.pdf"
    moved.parent.mkdir()
    pdf.rename(moved)
    show(FERRIES)
    assert panel.page_placeholder.sentence.text() == f"The PDF is no longer at {pdf}."
    assert [button.text() for button in panel.page_placeholder.buttons] == ["&Locate…"]
    panel.locate(moved)
    wait_until_idle(panel, qtbot)
    assert panel.page.page_of(SentenceRole.PREMISE) == 1
    qtbot.waitUntil(lambda: not context.runner.running)
    show(OVERLEAF)
    assert panel.page_stack.currentWidget() is not panel.page_placeholder


def test_another_file_is_not_taken_for_the_pdf(
    panel: EvidencePanel, show: Show, pdf: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    pdf.unlink()
    show(FERRIES)
    other = tmp_path / "other.pdf"
    other.write_bytes(ferry_paper() + b"\n")
    panel.locate(other)
    wait_until_idle(panel, qtbot)
    assert "other.pdf is not the PDF that was added" in panel.page_placeholder.sentence.text()
    [again] = panel.page_placeholder.buttons
    assert again.text() == "&Choose again…"
    again.click()
    dialog = panel.findChild(QFileDialog)
    assert dialog is not None
    dialog.reject()


def test_a_changed_pdf_is_shown_with_a_warning_if_the_user_wants(
    panel: EvidencePanel, show: Show, pdf: Path, qtbot: QtBot
) -> None:
    pdf.write_bytes(ferry_paper() + b"\n% printed anew")
    show(FERRIES)
    assert "its content has changed" in panel.page_placeholder.sentence.text()
    panel.page_placeholder.buttons[0].click()
    wait_until_idle(panel, qtbot)
    assert panel.page_stack.currentWidget() is not panel.page_placeholder
    assert panel.warning_banner.isVisible()
    assert "changed since it was added" in panel.warning_banner.text()


def test_an_unreadable_pdf_says_why(panel: EvidencePanel, show: Show, pdf: Path, qtbot: QtBot) -> None:
    pdf.write_bytes(b"%PDF-1.4 nothing more")
    show(FERRIES)
    panel.page_placeholder.buttons[0].click()
    wait_until_idle(panel, qtbot)
    assert "damaged" in panel.page_placeholder.sentence.text()


def test_a_pair_whose_paper_was_removed_is_said_to_be_gone(
    panel: EvidencePanel, show: Show, context: ProjectContext, qtbot: QtBot
) -> None:
    show(FERRIES)
    with context.project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM papers")
    context.events.changed.emit(Changes(papers=True))
    qtbot.waitUntil(lambda: panel.stack.currentWidget() is panel.placeholder)
    assert "its paper was removed" in panel.placeholder.sentence.text()
    with qtbot.waitSignal(context.page_requested) as asked:
        panel.placeholder.buttons[0].click()
    assert asked.args == ["papers"]


def test_changes_elsewhere_leave_the_page_where_it_is(
    panel: EvidencePanel, show: Show, context: ProjectContext, qtbot: QtBot
) -> None:
    show(FERRIES)
    panel.page.next_page()
    wait_until_idle(panel, qtbot)
    context.events.changed.emit(Changes(papers=True, pairs=True))
    wait_until_idle(panel, qtbot)
    assert panel.page.page == 2


def test_a_neutral_pair_comes_with_both_paragraphs(panel: EvidencePanel, show: Show) -> None:
    show(FERRY[0])
    text = panel.paragraph.toPlainText()
    assert text.index("2 Boats") < text.index("1 Introduction")


def test_zoom_and_split_are_remembered(panel: EvidencePanel, show: Show, context: ProjectContext, qtbot: QtBot) -> None:
    show(FERRIES)
    panel.page.set_zoom(1.5)
    panel.splitter.setSizes([500, 200])
    panel._save_split()
    later = EvidencePanel(context)
    qtbot.addWidget(later)
    later.resize(560, 800)
    with qtbot.waitExposed(later):
        later.show()
    assert panel.key is not None
    later.show_pair(panel.key)
    wait_until_idle(later, qtbot)
    assert later.page.zoom == 1.5
    assert later.splitter.sizes()[0] > 2 * later.splitter.sizes()[1]


def test_every_control_has_a_name(panel: EvidencePanel, show: Show) -> None:
    show(FERRIES)
    for control in panel.page_bar.controls:
        assert control.accessibleName()
    assert panel.page.accessibleName()
    assert panel.paragraph.accessibleName()


def test_tab_goes_from_the_paragraph_over_the_controls_to_the_page(
    panel: EvidencePanel, show: Show, qtbot: QtBot
) -> None:
    show(FERRIES)
    panel.activateWindow()
    panel.paragraph.setFocus()
    visited = []
    while not panel.page.hasFocus() and len(visited) < 20:
        qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Tab)
        visited.append(panel.focusWidget())
    assert visited == [control for control in panel.page_bar.controls if control.isEnabled()] + [panel.page]
