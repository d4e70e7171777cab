"""The lexicon editor: a table of phrases, and a field to add one."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop.jobs.mining.lexicon_figures import PhraseFigures
from desktop.jobs.mining.preview import SettingsEffect
from desktop.translation import tr
from desktop.ui.pages.mining.lexicon_model import SORT_ROLE, LexiconColumn, LexiconModel
from desktop.ui.pages.mining.reliable_phrases import ReliablePhrases
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.clear_button import add_clear_button
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.layouts import column_of, row_of, stretched
from desktop.ui.widgets.list_keys import remove_by
from desktop.ui.widgets.notices import Notice
from miner.mining.linking_phrases import Phrase
from miner.records import Label

_ROOM_FOR_ORIGIN = 560  # pixels of the table's width; with less, phrases would be cut
_RELATIONS = tuple(label for label in Label if label is not Label.NEUTRAL)


class RelationDelegate(QStyledItemDelegate):
    """Edits the relation of a phrase with a combo box."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        box = _create_relation_box(parent)
        box.activated.connect(self._on_activated)
        return box

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(editor.findData(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: object, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QComboBox)
        assert isinstance(model, QSortFilterProxyModel)
        model.setData(index, editor.currentData(), Qt.ItemDataRole.EditRole)

    @Slot()
    def _on_activated(self) -> None:
        editor = self.sender()
        assert isinstance(editor, QWidget)
        self.commitData.emit(editor)
        self.closeEditor.emit(editor)


class LexiconEditor(QWidget):
    """Shows and edits phrases. problem: why the lexicon cannot be used, "" if it can."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = LexiconModel(theme, self)
        self.model.edited.connect(self._on_edited)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(SORT_ROLE)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.proxy.setFilterKeyColumn(-1)
        self.conflict = Notice(theme)
        self.reliable = ReliablePhrases(theme)
        self.reliable.requested.connect(self.turn_on_reliable)
        self._effect: SettingsEffect | None = None
        self.setLayout(
            column_of(
                self._create_search_row(),
                stretched(self._create_table()),
                self.conflict,
                self.reliable,
                self._create_add_row(),
                spacing=theme.px(8),
                margins=(0, theme.px(4), 0, 0),
            )
        )

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        return self.model.phrases

    @property
    def problem(self) -> str:
        return self.model.problem

    def show_phrases(self, phrases: tuple[Phrase, ...]) -> None:
        self.model.show_phrases(phrases)
        self._show_conflict()
        self._show_reliable()

    @Slot(object)
    def show_figures(self, figures: Mapping[str, PhraseFigures]) -> None:
        self.model.show_figures(figures)

    def show_effect(self, effect: SettingsEffect | None) -> None:
        self.model.show_effect(effect)
        self._effect = effect
        self._show_conflict()
        self._show_reliable()

    def set_editable(self, editable: bool) -> None:
        self.model.set_editable(editable)
        for widget in (self.new_phrase, self.new_relation, self.add_button):
            widget.setEnabled(editable)
        self._show_reliable()
        self._on_selection_changed()

    def add_phrase(self, text: str, label: str) -> None:
        row = self.model.add(Phrase(" ".join(text.split()), Label(label)))
        self.search.clear()
        index = self.proxy.mapFromSource(self.model.index(row, LexiconColumn.PHRASE))
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index)

    def turn_on(self, phrases: Collection[Phrase]) -> None:
        """Turn these phrases on, and show them."""
        rows = [row for row, phrase in enumerate(self.phrases) if phrase in phrases]
        if rows and self.model.editable:
            self.search.clear()
            self.model.set_on(rows, on=True)
            for row in (rows[-1], rows[0]):  # all of them, or as many as there is room for
                self.table.scrollTo(self.proxy.mapFromSource(self.model.index(row, LexiconColumn.PHRASE)))

    @Slot()
    def turn_on_reliable(self) -> None:
        """Turn on the phrases of the extended lexicon that are reliable."""
        self.turn_on(self.reliable.phrases)

    def remove_selected(self) -> None:
        if rows := self._selected_rows():
            self.model.remove(rows)

    def toggle_selected(self) -> None:
        """Turn the selected phrases on if the first of them is off; else turn them off."""
        if rows := self._selected_rows():
            self.model.set_on(rows, not self.model.phrases[rows[0]].on)

    def _selected_rows(self) -> list[int]:
        if not self.model.editable:
            return []
        indexes = self.table.selectionModel().selectedRows()
        return sorted(self.proxy.mapToSource(index).row() for index in indexes)

    # Layout

    def _create_search_row(self) -> QHBoxLayout:
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search phrases"))
        self.search.setAccessibleName(tr("Search phrases"))
        add_clear_button(self.search)
        self.search.textChanged.connect(self.proxy.setFilterFixedString)
        self.toggle = push_button(
            tr("Turn off"), self.toggle_selected, tip=tr("Turn the selected phrases on or off (Space)")
        )
        self.remove = push_button(tr("Dele&te"), self.remove_selected, tip=tr("Delete the selected phrases (Delete)"))
        return row_of(stretched(self.search), self.toggle, self.remove, spacing=self._theme.px(8))

    def _create_table(self) -> QTableView:
        self.table = table = QTableView()
        remove_by(table, self.remove_selected)
        table.setModel(self.proxy)
        table.setAccessibleName(tr("Linking phrases"))
        table.setItemDelegateForColumn(LexiconColumn.RELATION, RelationDelegate(self))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.setSortingEnabled(True)
        table.sortByColumn(LexiconColumn.ORIGIN, Qt.SortOrder.AscendingOrder)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().setVisible(False)
        table.verticalHeader().setDefaultSectionSize(self._theme.px(28))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(LexiconColumn.PHRASE, QHeaderView.ResizeMode.Stretch)
        for column, width in (
            (LexiconColumn.RELATION, 108),
            (LexiconColumn.PAIRS, 64),
            (LexiconColumn.AGREEMENT, 60),
            (LexiconColumn.READ, 76),
            (LexiconColumn.ORIGIN, 76),
        ):
            table.setColumnWidth(column, self._theme.px(width))
        table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        table.installEventFilter(self)
        return table

    def _create_add_row(self) -> QHBoxLayout:
        self.new_phrase = QLineEdit()
        self.new_phrase.setPlaceholderText(tr("New phrase, as it begins a sentence"))
        self.new_phrase.setAccessibleName(tr("New phrase"))
        self.new_phrase.returnPressed.connect(self._on_add)
        self.new_phrase.textChanged.connect(self._on_text)
        self.new_relation = _create_relation_box()
        self.add_button = QPushButton(tr("A&dd"))
        self.add_button.setEnabled(False)
        self.add_button.clicked.connect(self._on_add)
        return row_of(stretched(self.new_phrase), self.new_relation, self.add_button, spacing=self._theme.px(8))

    # Input

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.table and event.type() == QEvent.Type.Resize:
            is_narrow = self.table.width() < self._theme.px(_ROOM_FOR_ORIGIN)
            self.table.setColumnHidden(LexiconColumn.ORIGIN, is_narrow)  # the phrases need the room
        if watched is self.table and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Space and self._selected_rows():
                self.toggle_selected()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.table.currentIndex().isValid():
                self.table.edit(self.table.currentIndex())
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def _on_add(self) -> None:
        if text := self.new_phrase.text().strip():
            self.new_phrase.clear()
            self.add_phrase(text, self.new_relation.currentData())

    @Slot(str)
    def _on_text(self, text: str) -> None:
        self.add_button.setEnabled(bool(text.strip()))

    @Slot()
    def _on_edited(self) -> None:
        self._show_conflict()
        self._show_reliable()
        self._on_selection_changed()
        self.changed.emit()

    @Slot()
    def _on_selection_changed(self) -> None:
        rows = self._selected_rows()
        self.toggle.setText(tr("Turn on") if rows and not self.model.phrases[rows[0]].on else tr("Turn off"))
        self.toggle.setEnabled(bool(rows))
        self.remove.setEnabled(bool(rows))
        self._show_conflict()

    def _show_reliable(self) -> None:
        self.reliable.show_phrases(self.phrases, self._effect, editable=self.model.editable)

    def _show_conflict(self) -> None:
        """Show why the lexicon cannot be used; if it can, the first conflict of the current phrase."""
        if problem := self.model.problem:
            self.conflict.show_text(problem, "bad")
            return
        row = self.proxy.mapToSource(self.table.currentIndex()).row()
        conflicts = self.model.conflicts(row) if 0 <= row < len(self.phrases) else []
        if conflicts:
            self.conflict.show_text(f"“{self.phrases[row].text}”: {conflicts[0]}", "warning")
        else:
            self.conflict.show_text("")


def _create_relation_box(parent: QWidget | None = None) -> QComboBox:
    box = ComboBox(parent)
    box.setAccessibleName(tr("Relation"))
    for label in _RELATIONS:
        box.addItem(f"{LETTERS[label]}  {label}", label.value)
    return box
