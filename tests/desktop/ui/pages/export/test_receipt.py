from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.ui.pages.export.receipt import ReceiptPane
from desktop.ui.theme import Theme


def test_in_a_narrow_window_the_buttons_of_the_receipt_show_their_whole_texts(theme: Theme, qtbot: QtBot) -> None:
    pane = ReceiptPane(theme)
    qtbot.addWidget(pane)
    theme.dress(pane)
    pane.resize(420, 300)
    pane.show()
    buttons = (pane.open_folder, pane.load_line, pane.notebook, pane.copy, pane.back)
    assert all(button.width() >= button.sizeHint().width() for button in buttons)
    assert all(button.geometry().right() <= 420 for button in buttons)
