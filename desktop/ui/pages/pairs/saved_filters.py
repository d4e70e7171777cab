"""The menu of the filters and lists of pairs that are stored in the project under a name."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop.jobs.pairs import table
from desktop.translation import tr
from desktop.ui.pages.pairs.pair_lists import PairLists
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.questions import Question, TextQuestion
from storage.changes import Changes
from storage.pairs.filters import PairFilter


class SavedFilters(QToolButton):
    """A button with a menu that applies, saves and deletes filters; and shows, renames and deletes lists of pairs."""

    selected = Signal(object)  # PairFilter

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._filters: dict[str, PairFilter] = {}
        self._filter = PairFilter()
        self.setText(tr(" Saved"))
        self.setAccessibleName(tr("Saved filters"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        context.theme.set_icon(self, "bookmark")
        set_tip(self, tr("Saved filters and lists of pairs"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.setMenu(self._menu)
        self.lists = PairLists(context, self)
        self.lists.selected.connect(self.selected)

    def read(self) -> None:
        """Read the saved filters and the lists of pairs of the project."""
        self.lists.read()
        self._context.read(table.load_filters(self._context.project), self._on_read)

    def show_filter(self, filter: PairFilter) -> None:
        """Set the applied filter, which is checked in the menu, and can be saved."""
        self._filter = filter

    @property
    def names(self) -> list[str]:
        """The names of the saved filters, in alphabetical order."""
        return list(self._filters)

    @Slot()
    def save_current(self) -> None:
        """Ask for a name and save the current filter."""
        theme, title = self._context.theme, tr("Save this filter")
        name = TextQuestion(theme, title, tr("Name of the filter"), tr("Save"), parent=self).ask()
        if not name:
            return
        text = tr("A filter called “{name}” exists already.", name=name)
        if (
            name in self._filters
            and not Question(theme, title, text, tr("Replace it"), destroys=True, parent=self).confirm()
        ):
            return
        self.save(name, self._filter)

    def save(self, name: str, filter: PairFilter | None) -> None:
        """Save a filter under a name; None deletes it."""
        run = self._context.runner.save(table.save_filter(self._context.project, name, filter))
        run.done.connect(self._on_saved)
        run.failed.connect(self._context.problems.show)

    @Slot(object)
    def _on_read(self, filters: dict[str, PairFilter]) -> None:
        self._filters = filters

    @Slot(object)
    def _on_saved(self, filters: dict[str, PairFilter]) -> None:
        self._filters = filters
        self._context.events.changed.emit(Changes(settings=True))

    @Slot()
    def _fill_menu(self) -> None:
        self._menu.clear()
        for name, filter in self._filters.items():
            action = self._menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(filter == self._filter)
            action.triggered.connect(lambda _=False, filter=filter: self.selected.emit(filter))
        if not self._filters:
            self._menu.addAction(tr("No saved filters yet")).setEnabled(False)
        self.lists.add_to(self._menu, self._filter)
        self._menu.addSeparator()
        save = self._menu.addAction(tr("Save this filter…"))
        save.setEnabled(self._filter != PairFilter() and not self._context.read_only)
        save.triggered.connect(self.save_current)
        if self._filters and not self._context.read_only:
            delete = self._menu.addMenu(tr("Delete"))
            for name in self._filters:
                action = delete.addAction(name.replace("&", "&&"))
                action.triggered.connect(lambda _=False, name=name: self.save(name, None))
