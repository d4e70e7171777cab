"""The popups in which the values of a filter are chosen: a list with counts, or a range of two numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.services.display_names import FIELDS, member_name
from desktop.ui.theme import Theme
from desktop.ui.widgets.clear_button import add_clear_button
from desktop.ui.widgets.fields import NumberBox
from desktop.ui.widgets.labels import PlainLabel, plain_tip, set_tip
from desktop.ui.widgets.layouts import CardFrame, column_of
from storage.pairs.filters import CONDITIONS, ConditionKind, PairFilter, Range
from storage.pairs.table import FacetCount

_MAX_LISTED_VALUES = 300  # others are found by typing
_MAX_VISIBLE_ROWS = 12  # a longer list scrolls and can be searched
_ROW_HEIGHT_PX = 26
_APPLY_DELAY_MS = 250  # after the last key
_VALUE_ROLE = Qt.ItemDataRole.UserRole


class FilterPicker(CardFrame):
    """Opens below a widget and closes by Escape or a click elsewhere. Every choice takes effect at once."""

    value_changed = Signal(str, object)  # a field of the filter and its new value
    closed = Signal()

    def __init__(self, theme: Theme, field: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = field
        self.theme = theme
        margin = theme.px(8)
        name = PlainLabel(FIELDS[field].name, type="heading")
        self.content = column_of(name, spacing=theme.px(8), margins=margin)
        self.setLayout(self.content)
        self.setAccessibleName(tr("Filter by {name}", name=FIELDS[field].name.lower()))

    def open_below(self, anchor: QWidget) -> None:
        """Show the popup below a widget, or above it where the screen ends."""
        self.adjustSize()
        corner = anchor.mapToGlobal(QPoint(0, anchor.height() + self.theme.px(2)))
        screen = anchor.screen().availableGeometry()
        corner.setX(max(screen.left(), min(corner.x(), screen.right() - self.width())))
        if corner.y() + self.height() > screen.bottom():
            corner.setY(max(screen.top(), anchor.mapToGlobal(QPoint(0, 0)).y() - self.height()))
        self.move(corner)
        self.show()
        self.focus_first()

    def focus_first(self) -> None:
        """Move the keyboard focus to the first field; for subclasses to override."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Keep keys from the actions of the page below, where a letter or a digit may answer a pair."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def hideEvent(self, event: object) -> None:
        super().hideEvent(event)  # type: ignore[arg-type]  # QHideEvent
        self.closed.emit()


class ValuePicker(FilterPicker):
    """A list of values with the number of pairs of each. Several can be selected, but only one of yes and no."""

    def __init__(self, theme: Theme, field: str, value: frozenset[str] | bool | None, parent: QWidget) -> None:
        super().__init__(theme, field, parent)
        self._is_yes_no = CONDITIONS[field].kind is ConditionKind.YES_NO
        self._selection: set[object] = {value} if isinstance(value, bool) else set(value or ())
        self._counts: Sequence[FacetCount] = ()
        self.search = QLineEdit(placeholderText=tr("Find…"))
        self.search.setVisible(False)
        self.search.setAccessibleName(tr("Find a value"))
        add_clear_button(self.search)
        self.search.textChanged.connect(self._fill_list)
        self.list = QTreeWidget(columnCount=2)
        self.list.setRootIsDecorated(False)
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName(tr("Values of {name}", name=FIELDS[field].name.lower()))
        self.list.setMinimumWidth(theme.px(300))
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, self.list.header().ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, self.list.header().ResizeMode.ResizeToContents)
        self.list.itemClicked.connect(self._toggle)
        self.list.installEventFilter(self)
        self.note = PlainLabel(tr("Counting…"), type="small")
        for widget in (self.search, self.list, self.note):
            self.content.addWidget(widget)
        self._set_height(4)

    def show_counts(self, counts: Sequence[FacetCount]) -> None:
        """List the values with their counts."""
        self._counts = [*counts, *self._selected_without_pairs(counts)]
        if len(self._counts) > _MAX_VISIBLE_ROWS:
            self.search.setVisible(True)
        self._fill_list()
        self._set_height(min(len(self._counts), _MAX_VISIBLE_ROWS))
        self.adjustSize()
        self.focus_first()

    def focus_first(self) -> None:
        (self.search if self.search.isVisible() else self.list).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, item = event.key(), self.list.currentItem()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if item is not None and not self._selection:
                self._toggle(item)
            self.close()
        elif key == Qt.Key.Key_Down and self.search.hasFocus():
            self.list.setFocus()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Toggle the current value by Space; the list itself would search for a space."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Space:
            if (item := self.list.currentItem()) is not None:
                self._toggle(item)
            return True
        return super().eventFilter(watched, event)

    def _selected_without_pairs(self, counts: Sequence[FacetCount]) -> list[FacetCount]:
        """Selected values that no pair has."""
        counted = {self._value(count) for count in counts}
        return [
            FacetCount(str(value), 0)
            for value in self._selection
            if value not in counted and not isinstance(value, bool)
        ]

    def _value(self, count: FacetCount) -> object:
        return count.value if isinstance(count.value, bool) else str(count.value)

    @Slot()
    def _fill_list(self) -> None:
        text = self.search.text().casefold()
        matches = [count for count in self._counts if text in self._name(count).casefold()]
        self.list.clear()
        for count in matches[:_MAX_LISTED_VALUES]:
            item = QTreeWidgetItem([self._name(count), f"{count.pairs:,}"])
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setSizeHint(0, QSize(0, self.theme.px(_ROW_HEIGHT_PX)))
            item.setData(0, _VALUE_ROLE, self._value(count))
            item.setToolTip(0, plain_tip(self._name(count)))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self._update_check_box(item)
            self.list.addTopLevelItem(item)
        if (top := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(top)
        remaining = len(matches) - _MAX_LISTED_VALUES
        if remaining > 0:
            note = tr("{remaining:,} more: type to find them", remaining=remaining)
        elif not self._counts:
            note = tr("No pairs to choose from.")
        else:
            note = "" if matches else tr("Nothing found.")
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _name(self, count: FacetCount) -> str:
        return count.title or member_name(self.field, count.value)

    def _update_check_box(self, item: QTreeWidgetItem) -> None:
        is_selected = item.data(0, _VALUE_ROLE) in self._selection
        item.setCheckState(0, Qt.CheckState.Checked if is_selected else Qt.CheckState.Unchecked)

    @Slot(QTreeWidgetItem)
    def _toggle(self, item: QTreeWidgetItem, _: int = 0) -> None:
        value = item.data(0, _VALUE_ROLE)
        if self._is_yes_no:
            self._selection = set() if value in self._selection else {value}
            self.value_changed.emit(self.field, value if self._selection else None)
            self.close()
            return
        self._selection ^= {value}
        self._update_check_box(item)
        value_type = type(next(iter(CONDITIONS[self.field].values), ""))  # str, or the StrEnum of the field's values
        self.value_changed.emit(self.field, frozenset(value_type(value) for value in self._selection))

    def _set_height(self, rows: int) -> None:
        self.list.setFixedHeight(self.theme.px(_ROW_HEIGHT_PX) * max(rows, 2) + self.theme.px(6))


class RangePicker(FilterPicker):
    """Two fields for the lowest and the highest number; either may be left open."""

    def __init__(self, theme: Theme, field: str, value: Range | None, parent: QWidget) -> None:
        super().__init__(theme, field, parent)
        self._apply_timer = QTimer(self, singleShot=True, interval=_APPLY_DELAY_MS)
        self._apply_timer.timeout.connect(self._apply)
        low, high = FIELDS[field].limits
        current_low, current_high = value or (None, None)
        unit = FIELDS[field].unit
        row = QHBoxLayout()
        row.setSpacing(theme.px(8))
        self.low, self.high = (NumberBox(minimum=low - 1, maximum=high) for _ in range(2))
        for box, word, current in ((self.low, tr("From"), current_low), (self.high, tr("to"), current_high)):
            box.setSpecialValueText(tr("any"))
            box.setValue(low - 1 if current is None else max(low, min(high, current)))
            box.setAccessibleName(f"{FIELDS[field].name} {word.lower()}")
            box.setMinimumWidth(theme.px(88))
            box.valueChanged.connect(lambda _: self._apply_timer.start())
            row.addWidget(PlainLabel(word))
            row.addWidget(box)
        if unit:
            row.addWidget(PlainLabel(unit))
            for box in (self.low, self.high):
                set_tip(box, unit)
        self.content.addLayout(row)

    def focus_first(self) -> None:
        self.low.setFocus()
        self.low.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: object) -> None:
        if self._apply_timer.isActive():
            self._apply_timer.stop()
            self._apply()
        super().hideEvent(event)

    @Slot()
    def _apply(self) -> None:
        low, high = (None if box.value() == box.minimum() else box.value() for box in (self.low, self.high))
        self.value_changed.emit(self.field, None if low is None and high is None else (low, high))


def create_picker(theme: Theme, field: str, filter: PairFilter, parent: QWidget) -> FilterPicker:
    """The picker for a field, with the field's current value in `filter`."""
    value = getattr(filter, field)
    is_range = CONDITIONS[field].kind is ConditionKind.RANGE
    return (RangePicker if is_range else ValuePicker)(theme, field, value, parent)
