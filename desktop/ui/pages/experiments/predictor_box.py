"""The box about predictors: runs and models, the device, their time, and the versions of the packages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.text import count, duration, listed
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import CardFrame, aligned, column_of
from storage.lab.experiments import StoredExperiment
from storage.models.predictions import PredictorInfo

_MAX_RUNS = 60


class PredictorBox(CardFrame):
    """A box that has a single line while it is closed, as at first, and a line for each run when opened."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = QPushButton(tr("Details"))
        self.button.setProperty("look", "link")
        self.button.setCheckable(True)
        self.button.setAccessibleName(tr("Who predicted, on which device, for how long"))
        self.button.toggled.connect(self._show_lines)
        self.summary, self.lines = PlainLabel(), PlainLabel()
        for label in (self.summary, self.lines):
            label.setProperty("type", "small")
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        button = aligned(self.button, Qt.AlignmentFlag.AlignLeft)
        margins = (theme.px(16), theme.px(8), theme.px(16), theme.px(8))
        self.setLayout(column_of(self.summary, button, self.lines, spacing=theme.px(4), margins=margins))
        self._show_lines(False)

    def show_predictors(self, stored: StoredExperiment, predictors: Sequence[PredictorInfo]) -> None:
        """Show what predicted the finished cells of an experiment."""
        self.summary.setText(_summary(stored, predictors))
        lines = [predictor_text(one) for one in predictors[:_MAX_RUNS]]
        if len(predictors) > _MAX_RUNS:
            lines.append(
                tr("and {predictors:,} others, which the report names", predictors=len(predictors) - _MAX_RUNS)
            )
        versions = {name: version for one in predictors for name, version in one.versions.items()}
        if versions:
            lines.append(
                tr("Versions: ") + ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
            )
        self.lines.setText("\n".join(lines))
        self.button.setVisible(bool(lines))

    @Slot(bool)
    def _show_lines(self, is_on: bool) -> None:
        self.lines.setVisible(is_on)
        self.button.setText(tr("Hide details") if is_on else tr("Details"))


def predictor_text(info: PredictorInfo) -> str:
    """A run in a line: its title, the device, its time, and its notes."""
    parts = [info.title, info.device, duration(info.seconds) if info.seconds else ""]
    text = " · ".join(filter(None, parts))
    return f"{text}. {' '.join(info.notes)}" if info.notes else text


def _summary(stored: StoredExperiment, predictors: Sequence[PredictorInfo]) -> str:
    cells = tr("{finished:,} of {cells} computed", finished=stored.finished, cells=count(stored.cells, "cell"))
    seconds = sum(one.seconds for one in predictors)
    by = tr(" by {runs}", runs=count(len(predictors), "run")) if predictors else ""
    took = tr(" in {seconds}", seconds=duration(seconds)) if seconds >= 1 else ""
    devices = sorted({one.device.partition(",")[0] for one in predictors if one.device})
    return tr(
        "{cells}{by}{took}{value}, with {program}.",
        cells=cells,
        by=by,
        took=took,
        value=tr(" on {devices}", devices=listed(devices)) if devices else "",
        program=stored.program,
    )
