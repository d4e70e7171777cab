"""A sentence is mended beside its paragraph, and is on disk before the next pair comes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.ui.evidence.mend_dialog import MendDialog
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.project_context import ProjectContext
from storage.pairs.mended_texts import SentenceField
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.judging.page_helpers import history, locked_by_another_program

Key = Qt.Key
Wait = Callable[[ReviewPage], None]
CONTROL = Qt.KeyboardModifier.ControlModifier
PREMISE, HYPOTHESIS = SentenceField.PREMISE, SentenceField.HYPOTHESIS


@pytest.fixture
def open_dialog(qtbot: QtBot, page: ReviewPage, wait_until_idle: Wait) -> Callable[[], MendDialog]:
    def open_it() -> MendDialog:
        with qtbot.waitActive(page):  # a dialog that closed does not give that back where there is no window manager
            page.activateWindow()
        qtbot.keyClick(page, Key.Key_E)
        wait_until_idle(page)
        [dialog] = [found for found in page.findChildren(MendDialog) if found.isVisible()]
        return dialog

    return open_it


def test_a_mended_sentence_is_shown_and_stored_and_undo_takes_it_back(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext, open_dialog: Callable[[], MendDialog]
) -> None:
    item = page.session.item
    assert item is not None
    dialog = open_dialog()
    editor = dialog.editors[PREMISE]
    assert editor.value == item.pair.premise
    assert editor.back_button.isHidden()
    assert not dialog.save_button.isEnabled()
    qtbot.keyClicks(editor.text, " 1 more")
    assert f"Mined: {item.pair.premise}" == editor.mined_label.text()
    qtbot.keyClick(editor.text, Key.Key_Return, CONTROL)
    app.wait()
    assert page.session.item is not None
    assert (app.pair_key, page.session.item.pair.premise) == (item.pair.key, f"{item.pair.premise} 1 more")
    assert "Corrected by hand" in app.text()
    assert history(context, "text_events") == [(item.pair.key, item.pair.premise, f"{item.pair.premise} 1 more")]
    assert history(context) == []  # no key of the sentence was an answer
    page.session.undo()
    app.wait()
    assert page.session.item is not None
    assert page.session.item.pair.premise == item.pair.premise
    assert "Corrected by hand" not in page.pair_view.marks_label.text()


def test_back_to_the_mined_text_is_one_click(app: App, page: ReviewPage, open_dialog: Callable[[], MendDialog]) -> None:
    item = page.session.item
    assert item is not None
    dialog = open_dialog()
    dialog.editors[HYPOTHESIS].text.setPlainText("whole")
    dialog.save_button.click()
    app.wait()
    dialog = open_dialog()
    editor = dialog.editors[HYPOTHESIS]
    assert (editor.value, editor.back_button.isVisible()) == ("whole", True)
    editor.back_button.click()
    assert editor.value == item.pair.hypothesis
    dialog.save_button.click()
    app.wait()
    assert page.session.item is not None
    assert (page.session.item.pair.hypothesis, page.session.item.edited) == (item.pair.hypothesis, False)


def test_blind_the_dialog_shows_no_phrase(app: App, page: ReviewPage, open_dialog: Callable[[], MendDialog]) -> None:
    for _ in range(12):
        item = page.session.item
        assert item is not None
        if item.pair.phrase:
            break
        page.session.move(1)
        app.wait()
    assert item is not None
    assert item.pair.phrase
    dialog = open_dialog()
    shown = [dialog.paragraph.toPlainText(), *(editor.mined_label.text() for editor in dialog.editors.values())]
    assert not any(item.pair.hypothesis_original in text for text in shown)
    assert item.pair.hypothesis[1:] in dialog.paragraph.toPlainText()
    dialog.reject()
    page.session.set_blind(False)
    dialog = open_dialog()
    assert item.pair.hypothesis_original in dialog.paragraph.toPlainText()
    dialog.reject()


def test_what_cannot_be_saved_stays_in_the_dialog(
    app: App, page: ReviewPage, context: ProjectContext, open_dialog: Callable[[], MendDialog]
) -> None:
    dialog = open_dialog()
    editor = dialog.editors[PREMISE]
    editor.text.setPlainText(" ")
    dialog.save()
    assert dialog.notice.text.startswith("The premise is empty.")
    with locked_by_another_program(context):
        editor.text.setPlainText("Whole.")
        dialog.save()
        app.wait()
    assert dialog.isVisible()
    assert dialog.notice.text.startswith("The sentence was not saved.")
    assert editor.value == "Whole."
    dialog.save()
    app.wait()
    assert [new for _, _, new in history(context, "text_events")] == ["Whole."]
    assert not any(found.isVisible() for found in page.findChildren(MendDialog))


def test_escape_changes_nothing_and_the_page_has_the_keyboard_again(
    qtbot: QtBot, page: ReviewPage, context: ProjectContext, open_dialog: Callable[[], MendDialog]
) -> None:
    dialog = open_dialog()
    qtbot.keyClicks(dialog.editors[PREMISE].text, "x")
    qtbot.keyClick(dialog.editors[PREMISE].text, Key.Key_Escape)
    assert not dialog.isVisible()
    assert history(context, "text_events") == []
    assert page.focusWidget() is page


def test_escape_does_not_leave_a_sentence_that_is_being_saved(
    app: App, qtbot: QtBot, page: ReviewPage, open_dialog: Callable[[], MendDialog]
) -> None:
    dialog = open_dialog()
    dialog.editors[PREMISE].text.setPlainText("Whole.")
    dialog.save()
    qtbot.keyClick(dialog.editors[PREMISE].text, Key.Key_Escape)
    assert dialog.isVisible()
    app.wait()
    assert page.session.item is not None
    assert page.session.item.pair.premise == "Whole."


def test_the_panel_beside_the_pair_opens_the_same_dialog(app: App, page: ReviewPage) -> None:
    app.press("C")
    assert page.side_panel.evidence is not None
    page.side_panel.evidence.mend_button.click()
    app.wait()
    [dialog] = page.findChildren(MendDialog)
    item = page.session.item
    assert item is not None
    assert dialog.editors[PREMISE].value == item.pair.premise
    dialog.editors[PREMISE].text.setPlainText("Whole.")
    dialog.save()
    app.wait()
    assert page.session.item is not None
    assert page.session.item.pair.premise == "Whole."
