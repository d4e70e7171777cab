"""Number fields with room before the number, which a style sheet cannot give them."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox

from desktop.ui.theme import Theme


def give_room(box: QAbstractSpinBox, theme: Theme) -> None:
    box.lineEdit().setTextMargins(theme.px(6), 0, 0, 0)
