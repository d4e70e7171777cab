"""The lists of pairs in the menu of saved filters: each can be shown, renamed and deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from desktop.jobs.pairs import lists
from desktop.jobs.pairs.lists import ListsChanged
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.questions import Question, TextQuestion
from miner.progress import Job
from storage.pairs.filters import PairFilter
from storage.pairs.lists import NamedPairList


class PairLists(QObject):
    """Adds the lists to a menu."""

    selected = Signal(object)  # PairFilter: the pairs of a list
    renamed = Signal(str, str)  # the name of a list before and after

    def __init__(self, context: ProjectContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._widget = context, parent
        self.lists: tuple[NamedPairList, ...] = ()

    def read(self) -> None:
        """Read the lists of the project."""
        self._context.read(lists.load_lists(self._context.project), self._on_read)

    def add_to(self, menu: QMenu, shown: PairFilter) -> None:
        """Add the lists, if there are any; the list in the shown filter is checked."""
        if not self.lists:
            return
        menu.addSection(tr("Lists of pairs"))
        for one in self.lists:
            filter = PairFilter(lists=frozenset({one.name}))
            action = menu.addAction(f"{one.name} ({one.pairs:,})".replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(filter == shown)
            action.triggered.connect(partial(self._on_chosen, filter))
        if not self._context.read_only:
            self._add_submenu(menu, tr("Rename a list"), self.rename)
            self._add_submenu(menu, tr("Delete a list"), self.delete)

    def rename(self, name: str) -> None:
        """Ask for another name of a list."""
        new = TextQuestion(
            self._context.theme,
            tr("Rename a list"),
            tr("Name of the list"),
            tr("Rename"),
            text=name,
            parent=self._widget,
        ).ask()
        if new and new != name:
            self._change(lists.rename_list(self._context.project, name, new))

    def delete(self, name: str) -> None:
        """Ask whether to delete a list, and delete it; its pairs stay."""
        pairs = next((one.pairs for one in self.lists if one.name == name), 0)
        question = tr("Delete the list “{name}” of {pairs}?", name=name, pairs=count(pairs, "pair"))
        about = tr(
            "This can be undone. Its pairs stay in the project. Filters that ask for the list will find no pairs, "
            "filters that leave it out will leave out nothing, and experiments that use it cannot be run."
        )
        theme = self._context.theme
        if Question(
            theme, tr("Delete a list"), question, tr("Delete the list"), about=about, destroys=True, parent=self._widget
        ).confirm():
            message = tr("Deleted the list “{name}”.", name=name)
            run = self._change(lists.delete_list(self._context.project, name))
            run.done.connect(lambda _: self._context.show_message(message, undo=True))

    def _change(self, job: Job[ListsChanged]) -> JobRun:
        run = self._context.change(job)
        run.done.connect(self._on_changed)
        return run

    def _add_submenu(self, menu: QMenu, text: str, act: Callable[[str], None]) -> None:
        submenu = menu.addMenu(text)
        for one in self.lists:
            action = submenu.addAction(f"{one.name}…".replace("&", "&&"))
            action.triggered.connect(partial(self._on_action, act, one.name))

    def _on_chosen(self, filter: PairFilter, checked: bool = False) -> None:
        self.selected.emit(filter)

    def _on_action(self, act: Callable[[str], None], name: str, checked: bool = False) -> None:
        act(name)

    @Slot(object)
    def _on_read(self, found: tuple[NamedPairList, ...]) -> None:
        self.lists = found

    @Slot(object)
    def _on_changed(self, changed: ListsChanged) -> None:
        self.lists = changed.lists
        if changed.renamed is not None:
            self.renamed.emit(*changed.renamed)
