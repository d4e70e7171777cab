"""The dialog that asks which errors to read: how many, drawn how, and whether the answer is hidden at first."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import pad_number
from desktop.ui.widgets.labels import PlainLabel

_DEFAULT_NUMBER = 100  # as the authors of SciNLI read
_MAX_NUMBER = 10_000
_MAX_SEED = 999_999
_ABOUT = (
    "They become your round in Review, in place of the one you have there. A digit says why a pair is an error, Enter "
    "goes on. Tags are no answers: they change no label."
)


class ErrorRoundOptions(NamedTuple):
    number: int
    seed: int
    evenly: bool
    blind: bool


class ErrorRoundDialog(QDialog):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle("Read errors")
        self.setMinimumWidth(px(480))
        self.number_box = QSpinBox()
        self.number_box.setRange(1, _MAX_NUMBER)
        self.number_box.setValue(_DEFAULT_NUMBER)
        self.draw_box = QComboBox()
        self.draw_box.addItem("By chance: the shares of tags hold for all errors", False)
        self.draw_box.addItem("Evenly: as many of each label and predicted class", True)
        self.seed_box = QSpinBox()
        self.seed_box.setRange(1, _MAX_SEED)
        self.blind_box = QCheckBox("Hide label and answer until I press Enter")
        for box in (self.number_box, self.seed_box):
            pad_number(box, theme)
        about = PlainLabel(_ABOUT)
        about.setProperty("type", "muted")
        about.setWordWrap(True)
        form = QFormLayout()
        form.setSpacing(px(12))
        form.addRow("&Pairs", self.number_box)
        form.addRow("&Drawn", self.draw_box)
        form.addRow("&Seed", self.seed_box)
        form.addRow("", self.blind_box)
        form.addRow(about)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start_button = buttons.addButton("Read errors", QDialogButtonBox.ButtonRole.AcceptRole)
        self.start_button.setProperty("look", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[px(24)] * 4)
        layout.setSpacing(px(16))
        layout.addLayout(form)
        layout.addWidget(buttons)
        self.start_button.setDefault(True)  # only now that it belongs to the dialog

    def options(self) -> ErrorRoundOptions:
        """What is chosen."""
        evenly = bool(self.draw_box.currentData())
        return ErrorRoundOptions(self.number_box.value(), self.seed_box.value(), evenly, self.blind_box.isChecked())
