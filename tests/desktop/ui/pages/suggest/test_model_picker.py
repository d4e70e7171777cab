from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from desktop.ui.pages.suggest.model_picker import ModelPicker
from desktop.ui.theme import Theme


def test_in_a_narrow_window_the_button_shows_its_whole_text(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    picker = ModelPicker(theme, tmp_path)
    qtbot.addWidget(picker)
    theme.dress(picker)
    picker.show_button("Suggest labels for 10,233 pairs", is_primary=True, enabled=True)
    picker.resize(400, 100)
    picker.show()
    assert picker.button.width() >= picker.button.sizeHint().width()
