"""The card at the top of the Model page: the model, the Suggest button, and the progress."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.layouts import CardFrame, column_of
from desktop.ui.widgets.model_combo_box import ModelComboBox
from desktop.ui.widgets.notices import Notice
from miner.progress import Tick
from miner.records import Label

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice


class ModelPicker(CardFrame):
    model_changed = Signal()
    class_order_requested = Signal()
    suggest_requested = Signal()
    pause_requested = Signal()
    stop_requested = Signal()
    train_requested = Signal()

    def __init__(self, theme: Theme, home: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._home = theme, home
        self._create_widgets()
        self._lay_out()
        self.show_progress(None)
        self.show_retrain_offer("")

    @property
    def choice(self) -> ModelChoice | None:
        return self.models.choice

    def show_choices(self, choices: Sequence[ModelChoice], reference: str = "") -> None:
        """Offer these models. Selects `reference`; without one, the selected model stays selected."""
        self.models.show_choices(choices, reference)
        self._show_description()

    def show_button(self, text: str, *, is_primary: bool, enabled: bool) -> None:
        """Show the Suggest button with this text; "" hides it."""
        self.button.setText(text)
        self.button.setProperty("look", "primary" if is_primary else None)
        self.button.style().unpolish(self.button)
        self.button.style().polish(self.button)
        self.button.setEnabled(enabled)
        self.button.setVisible(bool(text))

    def show_progress(self, tick: Tick | None, *, text: str = "", paused: bool = False) -> None:
        """Show the progress of the job; None if no job runs."""
        for widget in (self.progress_bar, self.progress_text, self.pause, self.stop):
            widget.setVisible(tick is not None)
        self.models.setEnabled(tick is None)
        if tick is None:
            return
        self.progress_bar.setRange(0, tick.total or 0)
        self.progress_bar.setValue(tick.done)
        self.progress_text.setText(text)
        self.pause.setText(tr("Resume") if paused else tr("Pause"))
        self._theme.set_icon(self.pause, "play" if paused else "pause")

    def show_retrain_offer(self, text: str) -> None:
        """Show a line with a button to train again; "" hides it."""
        self.retrain_notice.show_text(text, "info")
        self.train.setVisible(bool(text))

    def show_notice(self, text: str, tone: str = "bad", *, can_set_class_order: bool = False) -> None:
        """Show a sentence below the model, with a button for the order of its classes if that can be set."""
        self.notice.show_text(text, tone)
        self.class_order.setVisible(can_set_class_order)

    def _show_description(self) -> None:
        choice = self.choice
        self.description.setText(choice.description if choice else "")
        self.description.setVisible(bool(choice and choice.description))

    @Slot()
    def _on_model_changed(self) -> None:
        self._show_description()
        self.model_changed.emit()

    def _create_widgets(self) -> None:
        theme = self._theme
        self.models = ModelComboBox(theme, tr("Model"), self._home)
        self.models.model_changed.connect(self._on_model_changed)
        self.description = ElidedLabel(type="small")
        self.button = QPushButton()
        self.button.clicked.connect(self.suggest_requested)
        self.progress_bar = QProgressBar()
        self.progress_bar.setTextVisible(False)
        self.progress_bar.setAccessibleName(tr("Pairs that have a suggestion"))
        self.progress_text = PlainLabel(type="small")
        self.pause = self._icon_button(tr("Pause"), "pause")
        self.pause.clicked.connect(self.pause_requested)
        self.stop = self._icon_button(tr("Stop"), "square")
        set_tip(self.stop, tr("Stop: suggestions made so far are kept, and you can continue later"))
        self.stop.clicked.connect(self.stop_requested)
        self.notice = Notice(theme)
        self.class_order = push_button(tr("Order of the classes…"), self.class_order_requested)
        self.class_order.setVisible(False)
        self.retrain_notice = Notice(theme)
        self.train = push_button(tr("Train again…"), self.train_requested)

    def _icon_button(self, text: str, icon: str) -> QPushButton:
        button = QPushButton(text)
        button.setIconSize(QSize(self._theme.px(14), self._theme.px(14)))
        self._theme.set_icon(button, icon)
        return button

    def _lay_out(self) -> None:
        px = self._theme.px
        label = PlainLabel(tr("&Model"), type="heading")
        label.setBuddy(self.models)
        first = QHBoxLayout()
        first.setSpacing(px(12))
        for widget in (label, self.models):
            first.addWidget(widget)
        first.addWidget(self.description, 1)
        first.addWidget(self.button)
        first.addWidget(self.pause)
        first.addWidget(self.stop)
        layout = column_of(first, spacing=px(8), margins=(px(16), px(12), px(16), px(12)))
        self.setLayout(layout)
        for widgets in (
            (self.progress_bar, self.progress_text),
            (self.notice, self.class_order),
            (self.retrain_notice, self.train),
        ):
            row = QHBoxLayout()
            row.setSpacing(px(12))
            row.addWidget(widgets[0], 1, Qt.AlignmentFlag.AlignVCenter)
            row.addWidget(widgets[1])
            layout.addLayout(row)


class ClassOrderDialog(QDialog):
    """Asks which relation each class of a model is, for a model that only numbers its classes."""

    def __init__(self, theme: Theme, model: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Which class stands for which relation?"))
        px = theme.px
        introduction = PlainLabel(
            tr("The classes of {model} have numbers but no names. SciNLI's own files have this order:", model=model),
            wraps=True,
        )
        form = QFormLayout()
        form.setSpacing(px(8))
        self._boxes: list[QComboBox] = []
        for number, default in enumerate(Label):
            box = ComboBox()
            box.setAccessibleName(tr("Relation of class {number}", number=number))
            for label in Label:
                box.addItem(label.value, label)
            box.setCurrentIndex(box.findData(default))
            box.currentIndexChanged.connect(self._check)
            form.addRow(tr("Class {number}", number=number), box)
            self._boxes.append(box)
        self._problem = Notice(theme)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.setLayout(
            column_of(
                introduction,
                form,
                self._problem,
                self.buttons,
                spacing=px(12),
                margins=(px(24), px(20), px(24), px(20)),
            )
        )
        self.setMinimumWidth(px(420))

    @property
    def order(self) -> tuple[Label, ...]:
        """The relation of each class, by its number."""
        return tuple(Label(box.currentData()) for box in self._boxes)

    @Slot()
    def _check(self) -> None:
        is_complete = len(set(self.order)) == len(Label)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_complete)
        self._problem.show_text("" if is_complete else tr("Choose each relation once."), "bad")
