"""The lexicon editor: a table of phrases, and a line to add one."""

from __future__ import annotations

from collections.abc import Mapping

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
    QVBoxLayout,
    QWidget,
)

from desktop.jobs.mining.preview import SettingsEffect
from desktop.jobs.pairs.statistics import PhraseFigures
from desktop.ui.pages.mining.lexicon_model import SORT, Column, PhraseModel
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.notices import Notice
from miner.mining.linking_phrases import Phrase
from miner.records import Label

_RELATIONS = tuple(label for label in Label if label is not Label.NEUTRAL)


class RelationDelegate(QStyledItemDelegate):
    """Chooses the relation from a list."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        box = _relation_box(parent)
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
    """Shows and changes phrases; `phrases` are those it shows, `problem` why they cannot be used."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = PhraseModel(theme, self)
        self.model.edited.connect(self._on_edited)
        self.rows = QSortFilterProxyModel(self)
        self.rows.setSourceModel(self.model)
        self.rows.setSortRole(SORT)
        self.rows.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.rows.setFilterKeyColumn(-1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.px(4), 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addLayout(self._search_row())
        layout.addWidget(self._make_table(), 1)
        self.conflict = Notice(theme)
        layout.addWidget(self.conflict)
        layout.addLayout(self._add_row())

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        return self.model.phrases

    @property
    def problem(self) -> str:
        return self.model.problem

    def show_phrases(self, phrases: tuple[Phrase, ...]) -> None:
        self.model.show_phrases(phrases)
        self._show_conflict()

    @Slot(object)
    def show_figures(self, figures: Mapping[str, PhraseFigures]) -> None:
        self.model.show_figures(figures)

    def show_effect(self, effect: SettingsEffect | None) -> None:
        self.model.show_effect(effect)
        self._show_conflict()

    def set_editable(self, editable: bool) -> None:
        self.model.set_editable(editable)
        for widget in (self.text, self.relation, self.add):
            widget.setEnabled(editable)
        self._on_selected()

    def add_phrase(self, text: str, label: str) -> None:
        row = self.model.add(Phrase(" ".join(text.split()), Label(label)))
        self.search.clear()
        index = self.rows.mapFromSource(self.model.index(row, Column.PHRASE))
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index)

    def remove_selected(self) -> None:
        if rows := self._selected():
            self.model.remove(rows)

    def switch_selected(self) -> None:
        """On where the first of the selected is off, and the other way round."""
        if rows := self._selected():
            self.model.switch(rows, not self.model.phrases[rows[0]].on)

    def _selected(self) -> list[int]:
        if not self.model.editable:
            return []
        chosen = self.table.selectionModel().selectedRows()
        return sorted(self.rows.mapToSource(index).row() for index in chosen)

    # Layout

    def _search_row(self) -> QHBoxLayout:
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search phrases")
        self.search.setAccessibleName("Search phrases")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.rows.setFilterFixedString)
        self.toggle = QPushButton("Turn off")
        set_tip(self.toggle, "Turn the selected phrases on or off (Space)")
        self.toggle.clicked.connect(self.switch_selected)
        self.remove = QPushButton("Dele&te")
        set_tip(self.remove, "Delete the selected phrases (Delete)")
        self.remove.clicked.connect(self.remove_selected)
        row = QHBoxLayout()
        row.setSpacing(self._theme.px(8))
        row.addWidget(self.search, 1)
        row.addWidget(self.toggle)
        row.addWidget(self.remove)
        return row

    def _make_table(self) -> QTableView:
        self.table = table = QTableView()
        table.setModel(self.rows)
        table.setAccessibleName("Linking phrases")
        table.setItemDelegateForColumn(Column.RELATION, RelationDelegate(self))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.setSortingEnabled(True)
        table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().setVisible(False)
        table.verticalHeader().setDefaultSectionSize(self._theme.px(28))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(Column.PHRASE, QHeaderView.ResizeMode.Stretch)
        for column, width in (
            (Column.RELATION, 118),
            (Column.PAIRS, 64),
            (Column.PRECISION, 60),
            (Column.ORIGIN, 76),
        ):
            table.setColumnWidth(column, self._theme.px(width))
        table.selectionModel().selectionChanged.connect(self._on_selected)
        table.installEventFilter(self)
        return table

    def _add_row(self) -> QHBoxLayout:
        self.text = QLineEdit()
        self.text.setPlaceholderText("Another phrase, as it begins a sentence")
        self.text.setAccessibleName("Another phrase")
        self.text.returnPressed.connect(self._on_add)
        self.text.textChanged.connect(self._on_text)
        self.relation = _relation_box()
        self.add = QPushButton("A&dd")
        self.add.setEnabled(False)
        self.add.clicked.connect(self._on_add)
        row = QHBoxLayout()
        row.setSpacing(self._theme.px(8))
        row.addWidget(self.text, 1)
        row.addWidget(self.relation)
        row.addWidget(self.add)
        return row

    # What people do

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.table and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Delete:
                self.remove_selected()
                return True
            if event.key() == Qt.Key.Key_Space and self._selected():
                self.switch_selected()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.table.currentIndex().isValid():
                self.table.edit(self.table.currentIndex())
                return True
        return super().eventFilter(watched, event)

    @Slot()
    def _on_add(self) -> None:
        if text := self.text.text().strip():
            self.text.clear()
            self.add_phrase(text, self.relation.currentData())

    @Slot(str)
    def _on_text(self, text: str) -> None:
        self.add.setEnabled(bool(text.strip()))

    @Slot()
    def _on_edited(self) -> None:
        self._show_conflict()
        self._on_selected()
        self.changed.emit()

    @Slot()
    def _on_selected(self) -> None:
        rows = self._selected()
        self.toggle.setText("Turn on" if rows and not self.model.phrases[rows[0]].on else "Turn off")
        self.toggle.setEnabled(bool(rows))
        self.remove.setEnabled(bool(rows))
        self._show_conflict()

    def _show_conflict(self) -> None:
        """What bars the lexicon; else what is worth a look in the phrase that is chosen, or how many there are."""
        if problem := self.model.problem:
            self.conflict.show_text(problem, "bad")
            return
        row = self.rows.mapToSource(self.table.currentIndex()).row()
        conflicts = self.model.conflicts(row) if 0 <= row < len(self.phrases) else []
        if conflicts:
            self.conflict.show_text(f"“{self.phrases[row].text}”: {conflicts[0]}", "warning")
        else:
            self.conflict.show_text("")


def _relation_box(parent: QWidget | None = None) -> QComboBox:
    box = QComboBox(parent)
    box.setAccessibleName("Relation")
    for label in _RELATIONS:
        box.addItem(f"{LETTERS[label]}  {label}", label.value)
    return box
