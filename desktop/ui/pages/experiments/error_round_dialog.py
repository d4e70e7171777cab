"""Starts a round of errors: asks for the number, the way to draw them, and whether the answer is hidden at first."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QWidget,
)

from desktop.jobs.lab.experiments.errors import ErrorRound, draw_errors
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import ComboBox, NumberBox, SeedBox, pad_number
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import column_of
from storage.pairs.filters import PairFilter

_DEFAULT_NUMBER = 100  # as the authors of SciNLI read
_MAX_NUMBER = 10_000
_ABOUT = tr(
    "The errors replace your current queue in Review. Press a digit to say why a pair is an error, Enter to continue. "
    "Tags are not answers and change no label."
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
        self.setWindowTitle(tr("Read errors"))
        self.setMinimumWidth(px(480))
        self.number_box = NumberBox()
        self.number_box.setRange(1, _MAX_NUMBER)
        self.number_box.setValue(_DEFAULT_NUMBER)
        self.draw_box = ComboBox()
        self.draw_box.addItem(tr("At random: the shares of tags hold for all errors"), False)
        self.draw_box.addItem(tr("Balanced: the same number for each label and predicted class"), True)
        self.seed_box = SeedBox(1)
        self.blind_box = QCheckBox(tr("Hide label and answer until I press Enter"))
        for box in (self.number_box, self.seed_box):
            pad_number(box, theme)
        about = PlainLabel(_ABOUT, type="muted", wraps=True)
        form = QFormLayout()
        form.setSpacing(px(12))
        form.addRow(tr("&Pairs"), self.number_box)
        form.addRow(tr("&Drawn"), self.draw_box)
        form.addRow(tr("&Seed"), self.seed_box)
        form.addRow("", self.blind_box)
        form.addRow(about)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start_button = buttons.addButton(tr("Read errors"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.start_button.setProperty("look", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.setLayout(column_of(form, buttons, spacing=px(16), margins=px(24)))
        self.start_button.setDefault(True)  # only now that it belongs to the dialog

    def options(self) -> ErrorRoundOptions:
        """The chosen options."""
        evenly = bool(self.draw_box.currentData())
        return ErrorRoundOptions(self.number_box.value(), self.seed_box.value(), evenly, self.blind_box.isChecked())


def start_error_round(context: ProjectContext, cells: Collection[str], filter: PairFilter, parent: QWidget) -> None:
    """Ask which errors of these cells to read, draw them, and show them in Review. filter: the misread pairs."""
    if context.ask_annotator(parent) is None:
        return
    dialog = ErrorRoundDialog(context.theme, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(lambda: _draw(context, dialog.options(), cells, filter))
    dialog.open()


def _draw(context: ProjectContext, options: ErrorRoundOptions, cells: Collection[str], filter: PairFilter) -> None:
    job = draw_errors(
        context.project,
        cells,
        options.number,
        options.seed,
        annotator=context.annotator,
        evenly=options.evenly,
        blind=options.blind,
        filter=filter,
    )
    context.change(job).done.connect(partial(_show_round, context))


def _show_round(context: ProjectContext, drawn: ErrorRound) -> None:
    context.show_message(
        tr(
            "A round of {pairs} of {misread:,} wrong predictions.",
            pairs=count(drawn.pairs, "pair"),
            misread=drawn.misread,
        )
    )
    context.round_started.emit()
    context.page_requested.emit("review")
