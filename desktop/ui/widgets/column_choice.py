"""Which columns of a table are shown: a right click on its header chooses them, and the choice is remembered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QSettings, Qt, Slot
from PySide6.QtWidgets import QTableView

from desktop.translation import tr
from desktop.ui.widgets.menus import CheckMenu


class ColumnChoice(QObject):
    """Until the person chooses, columns without room are hidden; afterwards the choice counts.

    names: of the columns, each different. always: the column that cannot be hidden. hidden: the columns that are hidden
    until they are chosen.
    """

    def __init__(
        self,
        table: QTableView,
        names: Sequence[str],
        settings: QSettings,
        key: str,
        *,
        always: int = 0,
        hidden: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(table)
        self._hidden = hidden
        self._table, self._names, self._settings, self._key, self._always = table, names, settings, key, always
        self._without_room: frozenset[int] = frozenset()
        self.menu = CheckMenu(table)
        header = table.horizontalHeader()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._open_menu)
        self._apply()

    def hide_without_room(self, columns: frozenset[int]) -> None:
        """Hide these columns, and show the others, unless the person has chosen."""
        self._without_room = columns
        self._apply()

    def fill_menu(self) -> None:
        """List the columns in the menu, checked if they are shown now."""
        self.menu.clear()
        for number, name in enumerate(self._names):
            action = self.menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(not self._table.isColumnHidden(number))
            action.setEnabled(number != self._always)
            action.toggled.connect(lambda is_shown, number=number: self._choose(number, is_shown))
        self.menu.addSeparator()
        self.menu.addAction(tr("Reset columns")).triggered.connect(self._reset)

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        self.fill_menu()
        self.menu.popup(self._table.horizontalHeader().mapToGlobal(at))

    def _choose(self, number: int, is_shown: bool) -> None:
        hidden = {column for column in range(len(self._names)) if self._table.isColumnHidden(column)}
        hidden = hidden - {number} if is_shown else hidden | {number}
        # With a first line that is never a name: Qt stores a list of one as a text, and none as nothing.
        self._settings.setValue(self._key, "\n".join(["hidden:", *(self._names[column] for column in sorted(hidden))]))
        self._apply()

    @Slot()
    def _reset(self) -> None:
        self._settings.remove(self._key)
        self._apply()

    def _apply(self) -> None:
        stored = self._settings.value(self._key)
        chosen = set(stored.split("\n")) if isinstance(stored, str) else None
        for number, name in enumerate(self._names):
            is_hidden = number in self._without_room | self._hidden if chosen is None else name in chosen
            self._table.setColumnHidden(number, is_hidden and number != self._always)
