"""Opens experiment files that people choose, and saves to them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop.jobs.lab.experiments.files import load_experiment_file
from desktop.translation import tr
from desktop.ui.pages.experiments.drafts import Draft
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.file_dialogs import Purpose, choose_file, choose_target

_FILTER = tr("Experiments (*.toml);;All files (*)")


class ExperimentFiles(QObject):
    """Opens and saves experiment files. parent: the widget behind the dialogs."""

    opened = Signal(str, object)  # the file's name without its ending, and a Draft

    def __init__(self, context: ProjectContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._parent = context, parent

    @Slot()
    def open(self) -> None:
        """Let the user choose an experiment file, and read it."""
        folder = self._context.path.parent
        path = choose_file(self._parent, Purpose.EXPERIMENTS, tr("Open an experiment"), folder, _FILTER)
        if path is not None:
            job = load_experiment_file(path)
            self._context.read(job, self._on_read)

    @Slot(object)
    def _on_read(self, read: tuple[Path, str]) -> None:
        path, text = read
        self.opened.emit(path.stem, Draft(text, path.parent, text))

    def save(self, name: str, text: str) -> None:
        """Let the user choose where the file of an experiment with this name goes, and write it."""
        stem = "".join(c if c.isalnum() or c in "-_ " else "-" for c in name) or "experiment"
        suggested = self._context.path.parent / f"{stem}.toml"
        path = choose_target(self._parent, Purpose.EXPERIMENTS, tr("Save the experiment"), suggested, _FILTER)
        if path is not None:
            from desktop.jobs.lab.experiments.files import save_experiment_file

            run = self._context.runner.save(save_experiment_file(path, text))
            run.failed.connect(self._context.problems.show)
            run.done.connect(lambda saved: self._context.show_message(tr("Saved {saved}.", saved=saved)))
