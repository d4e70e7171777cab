"""A combo box for a model: a known model, a model in any folder, or a model of the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.file_dialogs import Purpose, choose_folder
from desktop.ui.widgets.questions import TextQuestion

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice

_FOLDER, _HUB = tr("a folder"), tr("the hub")
_OTHER_SOURCES = {_FOLDER: tr("Choose a folder…"), _HUB: tr("From the Hugging Face hub…")}
_HUB_HELP = tr("Such as allenai/scibert_scivocab_uncased. What is not on this computer yet is fetched once.")


class ModelComboBox(ComboBox):
    """`choice` is the current model, None while none is known. A model entered here stays in the list."""

    model_changed = Signal()  # by the user, or by `choose`

    def __init__(self, theme: Theme, name: str, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folder = folder
        self._choices: list[ModelChoice] = []
        self._entered: dict[str, ModelChoice] = {}
        self._index = 0
        self.setAccessibleName(name)
        self.setPlaceholderText(tr("Choose a model"))
        self.setMinimumWidth(theme.px(220))
        self.setMaximumWidth(theme.px(360))
        self.activated.connect(self._on_activated)

    @property
    def choice(self) -> ModelChoice | None:
        return self._choices[self._index] if self._choices else None

    def is_new(self, choice: ModelChoice) -> bool:
        """Whether the model was entered here and the project does not know it yet."""
        return choice.reference in self._entered

    def show_choices(self, known: Sequence[ModelChoice], reference: str = "") -> None:
        """List these models, and select `reference`; by default the selected model stays selected."""
        current = reference or (self.choice.reference if self.choice else "")
        for choice in known:
            self._entered.pop(choice.reference, None)
        self._fill([*known, *self._entered.values()])
        self._select(current)

    def choose(self, reference: str) -> None:
        """Make a model the current one; if it is not known, it is added."""
        from desktop.jobs.models.registry import ModelChoice
        from storage.models.registry import ModelKind

        if all(choice.reference != reference for choice in self._choices):
            kind = ModelKind.FOLDER if Path(reference).is_absolute() else ModelKind.HUB
            name = Path(reference).name if kind is ModelKind.FOLDER else reference
            self._entered[reference] = ModelChoice(reference, name, kind, reference)
            self._fill([*self._choices, self._entered[reference]])
        self._select(reference)
        self.model_changed.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the last choices open dialogs

    def ask_folder(self) -> None:
        folder = choose_folder(self, Purpose.MODELS, tr("The model's folder"), self._folder)
        if folder is not None:
            self.choose(str(folder))

    def ask_hub(self) -> None:
        title = tr("A model at the Hugging Face hub")
        name = TextQuestion(
            self._theme, title, tr("The model's name"), tr("Use this model"), about=_HUB_HELP, parent=self
        ).ask()
        if name:
            self.choose(name)

    def _fill(self, choices: list[ModelChoice]) -> None:
        if choices == self._choices and self.count():
            return
        self._choices = choices
        self.blockSignals(True)
        self.clear()
        for choice in choices:
            self.addItem(choice.name, choice.reference)
        for other, text in _OTHER_SOURCES.items():
            self.addItem(text, other)
        self.blockSignals(False)

    def _select(self, reference: str) -> None:
        indexes = [index for index, choice in enumerate(self._choices) if choice.reference == reference]
        self._index = indexes[0] if indexes else 0
        self._show_current()

    def _show_current(self) -> None:
        self.setCurrentIndex(self._index if self._choices else -1)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        if index < len(self._choices):
            if index != self._index:
                self._index = index
                self.model_changed.emit()
            return
        self._show_current()
        (self.ask_folder if self.itemData(index) == _FOLDER else self.ask_hub)()
