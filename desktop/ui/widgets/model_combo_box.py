"""Choosing a model: the known ones, any folder, or a name at the hub."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import TextQuestion

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice

_FOLDER, _HUB = "a folder", "the hub"
_OTHERS = {_FOLDER: "Choose a folder…", _HUB: "From the Hugging Face hub…"}
_TOLD = "Such as allenai/scibert_scivocab_uncased. What is not on this computer yet is fetched once."


class ModelBox(QComboBox):
    """`choice` is the model chosen, None while none is known. Models that people name here are known from then on."""

    chosen = Signal()  # another model, by a person

    def __init__(self, theme: Theme, name: str, home: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._home = home
        self._choices: list[ModelChoice] = []
        self._named: dict[str, ModelChoice] = {}
        self._at = 0
        self.setAccessibleName(name)
        self.setPlaceholderText("Choose a model")
        self.setMinimumWidth(theme.px(220))
        self.setMaximumWidth(theme.px(360))
        self.activated.connect(self._on_activated)

    @property
    def choice(self) -> ModelChoice | None:
        return self._choices[self._at] if self._choices else None

    def is_new(self, choice: ModelChoice) -> bool:
        """Whether it was named here and the project does not know it yet."""
        return choice.reference in self._named

    def show_choices(self, known: Sequence[ModelChoice], reference: str = "") -> None:
        """Offer these; `reference`, else what was chosen, stays so."""
        before = reference or (self.choice.reference if self.choice else "")
        for choice in known:
            self._named.pop(choice.reference, None)
        self._fill([*known, *self._named.values()])
        self._go_to(before)

    def choose(self, reference: str) -> None:
        """Choose a model, also one that is not known yet."""
        from desktop.jobs.models.registry import ModelChoice
        from storage.models.registry import ModelKind

        if all(choice.reference != reference for choice in self._choices):
            kind = ModelKind.FOLDER if Path(reference).is_absolute() else ModelKind.HUB
            name = Path(reference).name if kind is ModelKind.FOLDER else reference
            self._named[reference] = ModelChoice(reference, name, kind, reference)
            self._fill([*self._choices, self._named[reference]])
        self._go_to(reference)
        self.chosen.emit()

    def ask_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "The model's folder", str(self._home))
        if folder:
            self.choose(folder)

    def ask_hub(self) -> None:
        title = "A model at the Hugging Face hub"
        name = TextQuestion(self._theme, title, "The model's name", "Use this model", about=_TOLD, parent=self).answer()
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
        for other, text in _OTHERS.items():
            self.addItem(text, other)
        self.blockSignals(False)

    def _go_to(self, reference: str) -> None:
        found = [place for place, choice in enumerate(self._choices) if choice.reference == reference]
        self._at = found[0] if found else 0
        self._show_chosen()

    def _show_chosen(self) -> None:
        self.setCurrentIndex(self._at if self._choices else -1)

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        if index < len(self._choices):
            if index != self._at:
                self._at = index
                self.chosen.emit()
            return
        self._show_chosen()
        (self.ask_folder if self.itemData(index) == _FOLDER else self.ask_hub)()
