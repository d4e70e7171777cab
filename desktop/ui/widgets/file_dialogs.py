"""File dialogs, each of which starts in the folder where the last one for the same purpose ended."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from miner.paths import is_folder


class Purpose(StrEnum):
    """The purpose that files are chosen for."""

    PROJECTS = "projects"
    PAPERS = "papers"
    REFERENCES = "references"
    DATA_SETS = "data-sets"
    ANSWERS = "answers"
    EXPORT = "export"
    EXPERIMENTS = "experiments"
    MODELS = "models"
    CORPORA = "corpora"


class LastFolders(QObject):
    """The folder that was last used for each purpose, kept in the window settings.

    It is a child of the window, in which dialogs find it by their parents. Without it they start in the caller's
    folder.
    """

    def __init__(self, window_settings: QSettings, window: QWidget) -> None:
        super().__init__(window)
        self._settings = window_settings

    def folder(self, purpose: Purpose) -> str:
        """The last folder; "" if there is none, or it no longer exists."""
        folder = self._settings.value(_key(purpose), "")
        return folder if isinstance(folder, str) and folder and is_folder(Path(folder)) else ""

    def remember(self, purpose: Purpose, path: Path) -> None:
        """Start in this folder, or in the folder of this file, the next time."""
        self._settings.setValue(_key(purpose), str(path if is_folder(path) else path.parent))


def choose_file(
    parent: QWidget, purpose: Purpose, title: str, start: str | Path = "", filters: str = ""
) -> Path | None:
    """Let the user choose a file; None if it was cancelled. start: the folder to start in the first time."""
    name, _ = QFileDialog.getOpenFileName(parent, title, _start(parent, purpose, start), filters)
    return _remembered(parent, purpose, name)


def choose_files(parent: QWidget, purpose: Purpose, title: str, filters: str = "") -> list[Path]:
    """Let the user choose files; [] if it was cancelled."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, _start(parent, purpose), filters)
    return [path for name in names if (path := _remembered(parent, purpose, name)) is not None]


def choose_folder(parent: QWidget, purpose: Purpose, title: str, start: str | Path = "") -> Path | None:
    """Let the user choose a folder; None if it was cancelled. start: the folder to start in the first time."""
    return _remembered(parent, purpose, QFileDialog.getExistingDirectory(parent, title, _start(parent, purpose, start)))


def choose_target(parent: QWidget, purpose: Purpose, title: str, suggested: Path, filters: str = "") -> Path | None:
    """Let the user choose where a new file goes. `suggested`: its name, and the folder to start in the first time."""
    start = Path(_start(parent, purpose, suggested.parent)) / suggested.name
    name, _ = QFileDialog.getSaveFileName(parent, title, str(start), filters)
    return _remembered(parent, purpose, name)


class FileDialog(QFileDialog):
    """A dialog that does not block, for `open`; it is deleted when it is closed.

    start: the folder to start in the first time.
    """

    chosen = Signal(list)  # of paths

    def __init__(
        self, parent: QWidget, purpose: Purpose, title: str, start: str | Path = "", filters: str = ""
    ) -> None:
        super().__init__(parent, title, _start(parent, purpose, start), filters)
        self._purpose = purpose
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.filesSelected.connect(self._on_selected)

    @Slot(list)
    def _on_selected(self, names: list[str]) -> None:
        parent = self.parentWidget()
        assert parent is not None
        self.chosen.emit([path for name in names if (path := _remembered(parent, self._purpose, name)) is not None])


def _key(purpose: Purpose) -> str:
    return f"folders/{purpose.value}"


def _last_folders(parent: QWidget) -> LastFolders | None:
    widget: QWidget | None = parent
    while widget is not None:
        found = widget.findChild(LastFolders, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if found is not None:
            return found
        widget = widget.parentWidget()
    return None


def _start(parent: QWidget, purpose: Purpose, start: str | Path = "") -> str:
    known = _last_folders(parent)
    return (known.folder(purpose) if known else "") or str(start)


def _remembered(parent: QWidget, purpose: Purpose, name: str) -> Path | None:
    """Store the folder of the chosen path, and return the path; None for ""."""
    if not name:
        return None
    path = Path(name)
    if (known := _last_folders(parent)) is not None:
        known.remember(purpose, path)
    return path
