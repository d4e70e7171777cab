"""Questions: which button Return presses."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question, TextQuestion


@pytest.mark.parametrize(
    ("destroys", "result"), [(False, QDialog.DialogCode.Accepted), (True, QDialog.DialogCode.Rejected)]
)
def test_return_does_what_was_asked_unless_that_destroys_something(
    qtbot: QtBot, theme: Theme, destroys: bool, result: QDialog.DialogCode
) -> None:
    question = Question(theme, "Runs", "Go on?", "Go on", destroys=destroys)
    qtbot.addWidget(question)
    question.open()
    qtbot.keyClick(question, Qt.Key.Key_Return)
    assert question.result() == result


def test_return_waits_for_a_text(qtbot: QtBot, theme: Theme) -> None:
    question = TextQuestion(theme, "Annotator", "Who annotates?", "Begin")
    qtbot.addWidget(question)
    question.open()
    qtbot.keyClick(question.line, Qt.Key.Key_Return)
    assert question.isVisible()
    qtbot.keyClicks(question.line, "mk")
    qtbot.keyClick(question.line, Qt.Key.Key_Return)
    assert question.result() == QDialog.DialogCode.Accepted
