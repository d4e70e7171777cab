"""Opens corpora in windows of their own, and the projects that are pulled from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QCompleter, QDialogButtonBox, QWidget

from desktop.translation import tr
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.project_commands import ProjectCommands
from desktop.ui.theme import Theme
from desktop.ui.widgets.file_dialogs import FileDialog, Purpose
from desktop.ui.widgets.questions import TextQuestion
from miner.paths import is_same_file
from storage.changes import EVERYTHING

if TYPE_CHECKING:
    from desktop.jobs.corpus.pull import PulledCorpus
    from desktop.ui.pages.corpus.window import CorpusWindow
    from desktop.ui.services.project_context import ProjectContext


class CorpusOpener(QObject):
    """Opens a corpus in a window; no project needs to be open."""

    opened = Signal(object)  # CorpusWindow

    def __init__(
        self, commands: ProjectCommands, settings_store: SettingsStore, runner: JobRunner, theme: Theme, window: QWidget
    ) -> None:
        super().__init__(window)
        self._commands, self._settings_store = commands, settings_store
        self._runner, self._theme, self._window = runner, theme, window
        self._windows: list[CorpusWindow] = []

    @Slot()
    def ask(self) -> None:
        """Ask for the address of a corpus, and open it."""
        dialog = CorpusQuestion(self._theme, self._settings_store.settings.recent_corpora, self._window)
        dialog.accepted.connect(lambda: self.open(dialog.line.text().strip()))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(object)
    def open(self, place: str | Path) -> None:
        """Open a corpus, or bring its window to the front."""
        from desktop.ui.pages.corpus.window import CorpusWindow

        place = str(place)
        window = next((one for one in self._windows if one.place == place), None)
        if window is None:
            window = CorpusWindow(place, self._folder(), self._runner, self._theme, self._window)
            window.was_read.connect(self._remember)
            window.pulled.connect(self._open_pulled)
            window.finished.connect(lambda _, closed=window: self._windows.remove(closed))
            self._windows.append(window)
        window.show()
        window.activateWindow()
        self.opened.emit(window)

    def shut_down(self) -> None:
        """Stop all reads of corpora."""
        for window in self._windows:
            window.stop()

    @Slot(str)
    def _remember(self, place: str) -> None:
        self._settings_store.put(self._settings_store.settings.with_recent_corpus(place))

    def _folder(self) -> Path:
        """The folder for new projects: the folder of the last project."""
        recent = self._settings_store.settings.recent
        return Path(recent[0]).parent if recent else Path.home()

    @Slot(object)
    def _open_pulled(self, done: PulledCorpus) -> None:
        from desktop.jobs.results import describe

        receipt = describe(done)

        def show(context: ProjectContext) -> None:
            context.show_message(" ".join((receipt.sentence, *receipt.notes)))

        self._window.activateWindow()
        context = self._commands.context
        if context is not None and is_same_file(context.path, done.project):
            context.events.changed.emit(EVERYTHING)
            show(context)
        else:
            self._commands.ask_open(done.project, then=show)


class CorpusQuestion(TextQuestion):
    """Asks for the address of a corpus, or for a folder; recent addresses are offered while the user types."""

    def __init__(self, theme: Theme, recent: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(
            theme,
            tr("Open a corpus"),
            tr("Folder or address of the corpus"),
            tr("Open"),
            text=recent[0] if recent else "",
            about=tr(
                "A corpus holds the pairs of more papers than a project. It is made by the command pairwright corpus "
                "mine, and only read here. An address begins with s3:// or gs://."
            ),
            parent=parent,
        )
        self.setMinimumWidth(theme.px(520))
        completer = QCompleter(recent, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.line.setCompleter(completer)
        self.choose = self.buttons.addButton(tr("Choose a folder…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self._choose)

    @Slot()
    def _choose(self) -> None:
        dialog = FileDialog(self, Purpose.CORPORA, tr("Open a corpus"))
        dialog.setFileMode(FileDialog.FileMode.Directory)
        dialog.chosen.connect(lambda paths: self.line.setText(str(paths[0])))
        dialog.open()
