"""What the command palette offers in a window, and how each of it is done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QKeySequence

from desktop.ui.pages.settings.entries import ENTRIES
from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.palette import CommandPalette, PaletteCommand
from desktop.ui.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.ui.shell.page_stack import PageStack

_USED = "palette/recent"
_REMEMBERED = 8
_RELABEL = "relabel label annotate classify judge change class"
_SYNONYMS = {  # what people call it who know other programs
    **{
        f"{page}.{label}": _RELABEL
        for page in ("review", "disagreements", "pairs.label")
        for label in ("contrasting", "reasoning", "entailment", "neutral", "unclear")
    },
    "edit.undo": "revert restore take back",
    "edit.redo": "repeat again",
    "file.new": "create",
    "file.open": "load restore",
    "file.add": "import insert upload pdf",
    "file.quit": "exit close",
    "papers.data_set": "merge combine join import csv tsv jsonl",
    "papers.remove": "delete",
    "papers.retry": "again reload",
    "papers.mine": "extract find pairs run",
    "pairs.label.none": f"{_RELABEL} clear delete restore",
    "pairs.restore": "restore include again unmark good",
    "pairs.unflag": "restore unmark",
    "pairs.bad.other": "exclude reject delete remove",
    "pairs.bad.broken_sentence": "exclude reject delete remove",
    "pairs.search": "find",
    "pairs.clear": "reset restore all",
    "mining.revert": "restore undo",
    "mining.reset": "restore factory",
    "export.export": "save write download",
    "suggest.suggest": "predict classify model",
    "train.train": "fit learn fine-tune model",
    "train.stop": "cancel",
    "view.cancel": "stop abort",
    "view.larger": "zoom in bigger",
    "view.smaller": "zoom out",
    "help.keys": "hotkeys help",
    "help.palette": "search",
    "go.problems": "errors log",
    "go.settings": "preferences options",
    "go.dashboard": "statistics charts plots",
}


class PaletteController(QObject):
    """Opens the palette over a window; actions of pages are done on their page."""

    page_requested = Signal(str)
    setting_requested = Signal(str)
    message = Signal(str)

    def __init__(self, actions: ActionRegistry, settings_store: SettingsStore, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._actions, self._settings_store, self._theme, self._window = actions, settings_store, theme, parent

    def open(self, pages: PageStack, *, settings: bool) -> None:
        """Show the palette; with `settings`, those are found too."""
        if self._window.findChild(CommandPalette) is not None:
            return
        self._pages = pages
        palette = CommandPalette(self._commands(settings), self._used(), self._theme, self._window)
        palette.chosen.connect(self._on_chosen)
        palette.pressed.connect(self._on_pressed)
        self._actions.about_to_run.connect(palette.dismiss)
        palette.open_on(self._window)

    def _commands(self, settings: bool) -> list[PaletteCommand]:
        """Actions of the window that are enabled now, and those of every page."""
        commands = []
        for entry in self._actions:
            if entry.key != "help.palette" and (self._pages.home(entry.widget) or entry.action.isEnabled()):
                text = entry.text
                text = f"Go to {text}" if entry.menu == "Go" else text
                run = partial(self._do, entry)
                here = self._pages.current != "" and self._pages.home(entry.widget) == self._pages.current
                words = f"{entry.action.toolTip()} {_SYNONYMS.get(entry.key, '')}"
                commands.append(PaletteCommand(entry.key, text, entry.menu, entry.shortcuts_text, run, words, here))
        for setting in ENTRIES if settings else ():
            show = partial(self.setting_requested.emit, setting.key)
            commands.append(
                PaletteCommand(f"setting.{setting.key}", setting.title, "Settings", "", show, setting.words)
            )
        return commands

    def _do(self, entry: RegisteredAction) -> None:
        page = self._pages.home(entry.widget)
        if page and page != self._pages.current:
            self.page_requested.emit(page)
        if entry.action.isEnabled():
            entry.action.trigger()
        else:
            self.message.emit(f"“{entry.text}” has nothing to work on just now.")

    @Slot(QKeySequence)
    def _on_pressed(self, keys: QKeySequence) -> None:
        """A shortcut of the window closes the palette and is done; those of pages are for pairs that are seen."""
        for entry in self._actions:
            if entry.widget is None and keys in entry.action.shortcuts() and entry.action.isEnabled():
                if entry.key != "help.palette":
                    entry.action.trigger()
                elif (palette := self._window.findChild(CommandPalette)) is not None:
                    palette.dismiss()
                return

    def _used(self) -> list[str]:
        used = self._settings_store.window_settings.value(_USED)  # QSettings gives a list of one back as text
        return [used] if isinstance(used, str) else list(used or ())

    @Slot(object)
    def _on_chosen(self, command: PaletteCommand) -> None:
        used = [command.key, *(key for key in self._used() if key != command.key)]
        self._settings_store.window_settings.setValue(_USED, used[:_REMEMBERED])
        command.run()
