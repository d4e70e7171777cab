"""Shows a problem where it happens: a quiet card, or a dialog for a bug of ours."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from desktop.ui.services.problems import Problem, Problems
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.bug_dialog import BugDialog
from desktop.ui.shell.status_bar.toast import Toast
from desktop.ui.theme import Theme


class Notifier(QObject):
    """`toast` is the card to use; `has_list` says whether the list of problems can be reached from it."""

    def __init__(self, problems: Problems, settings_store: SettingsStore, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._problems, self._settings_store, self._theme, self._window = problems, settings_store, theme, window
        self.toast: Toast | None = None
        self.has_list = False
        self._dialog: BugDialog | None = None
        self._told: set[str] = set()
        problems.added.connect(self._on_problem)
        settings_store.failed.connect(self._on_settings_failed)

    @Slot(object)
    def _on_problem(self, problem: Problem) -> None:
        if problem.told:
            return
        if not (problem.is_bug and self._tell_bug(problem)) and self.toast is not None:
            self.toast.show_problem(problem, link=self.has_list)

    def _tell_bug(self, problem: Problem) -> bool:
        """Show a bug in the one dialog; False where it is one the person has seen already."""
        if self._dialog is not None and isValid(self._dialog):
            self._dialog.add(problem)
            return True
        if problem.signature in self._told:
            return False
        self._told.add(problem.signature)
        self._dialog = BugDialog(problem, self._problems.log_path, self._theme, self._window)
        self._dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialog.open()
        return True

    @Slot(object)
    def _on_settings_failed(self, error: OSError) -> None:
        what = f"The settings could not be saved to {self._settings_store.paths.settings}: {error.strerror or error}."
        self._problems.add(Problem(what, "They hold until the window closes. Make room there, or let it be written."))
