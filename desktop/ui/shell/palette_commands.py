"""The commands of the palette: the window's and the pages' actions, and the settings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QKeySequence

from desktop.translation import tr
from desktop.ui.pages.settings.entries import ENTRIES
from desktop.ui.services.actions import ActionRegistry, RegisteredAction
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import NAVIGATION
from desktop.ui.shell.palette import CommandPalette, PaletteCommand
from desktop.ui.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.ui.shell.page_stack import PageStack

_RECENT_COMMANDS = "palette/recent"  # window setting
_MAX_RECENT_COMMANDS = 8
_RELABEL = tr("relabel label annotate classify judge change class")
_SYNONYMS = {  # names in other programs
    **{
        f"{page}.{label}": _RELABEL
        for page in ("review", "disagreements", "kinds", "pairs.label")
        for label in ("contrasting", "reasoning", "entailment", "neutral", "unclear")
    },
    "edit.undo": tr("revert restore take back"),
    "edit.redo": tr("repeat again"),
    "file.new": "create",
    "file.open": tr("load restore"),
    "file.corpus": tr("parquet shards million pull s3"),
    "file.add": tr("import insert upload pdf"),
    "file.merge": tr("import combine join return annotators"),
    "file.quit": tr("exit close"),
    "papers.data_set": tr("merge combine join import csv tsv jsonl"),
    "papers.project": tr("merge combine join import pairwright colleague"),
    "papers.remove": "delete",
    "papers.retry": tr("again reload"),
    "papers.mine": tr("extract find pairs run"),
    "pairs.label.none": tr("{relabel} clear delete restore", relabel=_RELABEL),
    "pairs.kinds": tr("taxinli categories direction questionnaire annotate"),
    "pairs.restore": tr("restore include again unmark good"),
    "pairs.unflag": tr("restore unmark"),
    "pairs.bad.other": tr("exclude reject delete remove"),
    "pairs.bad.broken_sentence": tr("exclude reject delete remove"),
    "pairs.search": "find",
    "pairs.clear": tr("reset restore all"),
    "mining.revert": tr("restore undo"),
    "mining.reset": tr("restore factory"),
    "export.export": tr("save write download"),
    "suggest.suggest": tr("predict classify model"),
    "train.train": tr("fit learn fine-tune model"),
    "train.stop": "cancel",
    "view.cancel": tr("stop abort"),
    "view.larger": tr("zoom in bigger"),
    "view.smaller": tr("zoom out"),
    "help.guide": tr("help manual documentation how to"),
    "help.keys": tr("hotkeys help"),
    "help.palette": "search",
    **{f"go.{item.name}": item.search_words for item in NAVIGATION},
}


class PaletteController(QObject):
    """Opens the palette over a window and runs commands; an action of a page shows that page first."""

    page_requested = Signal(str)  # a page's name
    setting_requested = Signal(str)  # a setting's key
    message = Signal(str)  # for the status bar

    def __init__(self, actions: ActionRegistry, settings_store: SettingsStore, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._actions, self._settings_store, self._theme, self._window = actions, settings_store, theme, parent

    def open(self, pages: PageStack, *, settings: bool) -> None:
        """Show the palette; with `settings`, it lists the settings too."""
        if self._window.findChild(CommandPalette) is not None:
            return
        self._pages = pages
        palette = CommandPalette(self._commands(settings), self._recent_keys(), self._theme, self._window)
        palette.command_chosen.connect(self._on_chosen)
        palette.shortcut_pressed.connect(self._on_shortcut_pressed)
        self._actions.about_to_run.connect(palette.dismiss)
        palette.open_on(self._window)

    def _commands(self, settings: bool) -> list[PaletteCommand]:
        """Actions of the window that are enabled now, and those of every page."""
        commands = []
        for entry in self._actions:
            if entry.key != "help.palette" and (self._pages.page_name_of(entry.widget) or entry.action.isEnabled()):
                text = entry.text
                text = tr("Go to {text}", text=text) if entry.menu == tr("Go") else text
                run = partial(self._run, entry)
                is_on_page = self._pages.current != "" and self._pages.page_name_of(entry.widget) == self._pages.current
                search_words = f"{entry.action.toolTip()} {_SYNONYMS.get(entry.key, '')}"
                commands.append(
                    PaletteCommand(entry.key, text, entry.menu, entry.shortcuts_text, run, search_words, is_on_page)
                )
        for setting in ENTRIES if settings else ():
            show = partial(self.setting_requested.emit, setting.key)
            commands.append(
                PaletteCommand(f"setting.{setting.key}", setting.title, tr("Settings"), "", show, setting.keywords)
            )
        return commands

    def _run(self, entry: RegisteredAction) -> None:
        page = self._pages.page_name_of(entry.widget)
        if page and page != self._pages.current:
            self.page_requested.emit(page)
        if entry.action.isEnabled():
            entry.action.trigger()
        else:
            self.message.emit(tr("“{text}” is not available now.", text=entry.text))

    @Slot(QKeySequence)
    def _on_shortcut_pressed(self, keys: QKeySequence) -> None:
        """Run a shortcut of the window, which closes the palette. Shortcuts of pages do nothing while it is open."""
        for entry in self._actions:
            if entry.widget is None and keys in entry.action.shortcuts() and entry.action.isEnabled():
                if entry.key != "help.palette":
                    entry.action.trigger()
                elif (palette := self._window.findChild(CommandPalette)) is not None:
                    palette.dismiss()
                return

    def _recent_keys(self) -> list[str]:
        keys = self._settings_store.window_settings.value(_RECENT_COMMANDS)  # QSettings returns a list of one as text
        return [keys] if isinstance(keys, str) else list(keys or ())

    @Slot(object)
    def _on_chosen(self, command: PaletteCommand) -> None:
        keys = [command.key, *(key for key in self._recent_keys() if key != command.key)]
        self._settings_store.window_settings.setValue(_RECENT_COMMANDS, keys[:_MAX_RECENT_COMMANDS])
        command.run()
