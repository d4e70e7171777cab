"""Notes, flags and bad pairs, by key."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.project_context import ProjectContext
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.judging.page_helpers import history, locked_by_another_program

Key = Qt.Key


def test_what_asks_why_a_pair_is_bad_is_never_about_another(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    first = app.pair_key
    qtbot.keyClick(page, Key.Key_B)
    qtbot.keyClick(page.reject_bar, Key.Key_Right)
    assert app.pair_key == first
    page.setFocus()  # as by a click beside it
    app.press("1")
    assert history(context) == []
    assert page.reject_bar.hasFocus()
    page.setFocus()
    app.press("Right")
    assert app.pair_key != first
    assert page.reject_bar.isHidden()


def test_a_note_is_typed_beside_the_pair_and_no_letter_of_it_is_a_verb(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    first = app.pair_key
    qtbot.keyClick(page, Key.Key_N)
    qtbot.keyClicks(page.note_editor.text, "1 bad fun")
    qtbot.keyClick(page.note_editor.text, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(page.note_editor.text, "2")
    qtbot.keyClick(page.note_editor.text, Key.Key_Return)
    app.wait()
    assert history(context) == []
    assert history(context, "mark_events") == [(first, None, "1 bad fun\n2")]
    assert "Note: 1 bad fun" in app.text()
    assert page.note_editor.isHidden()
    qtbot.keyClick(page, Key.Key_N)
    qtbot.keyClicks(page.note_editor.text, "no")
    qtbot.keyClick(page.note_editor.text, Key.Key_Escape)
    app.wait()
    assert len(history(context, "mark_events")) == 1
    assert page.focusWidget() is page


def test_a_note_that_escape_closed_is_there_when_it_is_opened_again_but_for_one_that_was_cancelled(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    note = page.note_editor
    for end, left in (
        (lambda: qtbot.keyClick(note.text, Key.Key_Escape), "half a thou"),
        (note.cancel_button.click, ""),
    ):
        qtbot.keyClick(page, Key.Key_N)
        note.text.setPlainText("half a thou")
        end()
        qtbot.keyClick(page, Key.Key_N)
        assert note.text.toPlainText() == left
        qtbot.keyClick(note.text, Key.Key_Escape)
    assert history(context, "mark_events") == []


def test_a_note_that_cannot_be_saved_is_open_again_with_its_text(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    with locked_by_another_program(context):
        qtbot.keyClick(page, Key.Key_N)
        qtbot.keyClicks(page.note_editor.text, "mind the gap")
        page.note_editor.save_button.click()
        app.wait()
    assert page.note_editor.isVisible()
    assert page.note_editor.text.toPlainText() == "mind the gap"
    page.note_editor.save_button.click()
    app.wait()
    assert [new for _, _, new in history(context, "mark_events")] == ["mind the gap"]


def test_a_digit_says_why_a_pair_is_bad_and_takes_it_out(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    first = app.pair_key
    qtbot.keyClick(page, Key.Key_B)
    qtbot.keyClick(page.reject_bar, Key.Key_2)
    app.wait()
    assert history(context) == []
    assert history(context, "mark_events") == [(first, None, "wrong_boundary")]
    assert app.pair_key != first
    assert "Your queue · random · 1 of 12" in app.text()
    app.press("Backspace")
    assert app.pair_key == first
    assert page.session.queue.waiting_count == 12


def test_a_flag_is_set_and_taken_back_by_the_same_key(app: App, page: ReviewPage, context: ProjectContext) -> None:
    first = app.pair_key
    app.press("F")
    assert page.pair_view.flagged_label.isVisible()
    assert page.answer_bar.hints["review.flag"].text() == "F unflag"
    app.press("F")
    assert not page.pair_view.flagged_label.isVisible()
    assert page.answer_bar.hints["review.flag"].text() == "F flag"
    assert history(context, "mark_events") == [(first, None, "1"), (first, "1", None)]
    assert app.pair_key == first
