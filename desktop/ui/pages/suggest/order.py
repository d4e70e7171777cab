"""Asking which class of a foreign classifier is which relation."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.notices import Notice
from miner.records import Label


class OrderDialog(QDialog):
    """`order` is what is chosen: the relation of each class of the model, by its number."""

    def __init__(self, theme: Theme, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Which class is which relation?")
        px = theme.px
        told = PlainLabel(f"{model} numbers its classes but does not name them. SciNLI's own files have this order:")
        told.setWordWrap(True)
        form = QFormLayout()
        form.setSpacing(px(8))
        self._boxes: list[QComboBox] = []
        for number, usual in enumerate(Label):
            box = QComboBox()
            box.setAccessibleName(f"Relation of class {number}")
            for label in Label:
                box.addItem(label.value, label)
            box.setCurrentIndex(box.findData(usual))
            box.currentIndexChanged.connect(self._check)
            form.addRow(f"Class {number}", box)
            self._boxes.append(box)
        self._problem = Notice(theme)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(px(24), px(20), px(24), px(20))
        layout.setSpacing(px(12))
        layout.addWidget(told)
        layout.addLayout(form)
        layout.addWidget(self._problem)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(px(420))

    @property
    def order(self) -> tuple[Label, ...]:
        return tuple(Label(box.currentData()) for box in self._boxes)

    @Slot()
    def _check(self) -> None:
        each = len(set(self.order)) == len(Label)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(each)
        self._problem.show_text("" if each else "Each relation must be named once.", "bad")
