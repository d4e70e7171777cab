"""Small windows in which a filter's values are chosen: of a list with counts, or between two numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.services.display_names import FIELDS, RANGE_LIMITS, YES_NO, member_name
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, plain_tip, set_tip
from storage.pairs.filters import PairFilter, Range
from storage.pairs.table import FacetCount

_SHOWN = 300  # values listed at once; the others are found by typing
_ROW = 26  # pixels as drawn
_MANY = 12  # values that want a search
_SOON = 250  # ms from the last key to its effect
_VALUE = Qt.ItemDataRole.UserRole


class Picker(QFrame):
    """Opens below a widget, closes by Escape or a click elsewhere; what is chosen holds at once."""

    chosen = Signal(str, object)  # a field of the filter and its new value
    closed = Signal()

    def __init__(self, theme: Theme, field: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("look", "card")
        self.field = field
        self.theme = theme
        self.column = QVBoxLayout(self)
        margin = theme.px(8)
        self.column.setContentsMargins(margin, margin, margin, margin)
        self.column.setSpacing(theme.px(8))
        name = PlainLabel(FIELDS[field].name)
        name.setProperty("type", "heading")
        self.column.addWidget(name)
        self.setAccessibleName(f"Filter by {FIELDS[field].name.lower()}")

    def open_below(self, anchor: QWidget) -> None:
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
        raise NotImplementedError

    def hideEvent(self, event: object) -> None:
        super().hideEvent(event)  # type: ignore[arg-type]  # QHideEvent
        self.closed.emit()


class ValuePicker(Picker):
    """A list of values, each with how many pairs have it; several may be chosen, but of yes and no only one."""

    def __init__(self, theme: Theme, field: str, chosen: frozenset[str] | bool | None, parent: QWidget) -> None:
        super().__init__(theme, field, parent)
        self._single = field in YES_NO
        self._chosen: set[object] = {chosen} if isinstance(chosen, bool) else set(chosen or ())
        self._counts: Sequence[FacetCount] = ()
        self.search = QLineEdit(placeholderText="Find…", clearButtonEnabled=True)
        self.search.setVisible(False)
        self.search.setAccessibleName("Find a value")
        self.search.textChanged.connect(self._list)
        self.list = QTreeWidget(columnCount=2)
        self.list.setRootIsDecorated(False)
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName(f"Values of {FIELDS[field].name.lower()}")
        self.list.setMinimumWidth(theme.px(300))
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, self.list.header().ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, self.list.header().ResizeMode.ResizeToContents)
        self.list.itemClicked.connect(self._toggle)
        self.list.installEventFilter(self)
        self.more = PlainLabel("Counting…")
        self.more.setProperty("type", "small")
        for widget in (self.search, self.list, self.more):
            self.column.addWidget(widget)
        self._set_height(4)

    def show_counts(self, counts: Sequence[FacetCount]) -> None:
        self._counts = [*counts, *self._chosen_elsewhere(counts)]
        if len(self._counts) > _MANY:
            self.search.setVisible(True)
        self._list()
        self._set_height(min(len(self._counts), 12))
        self.adjustSize()
        self.focus_first()

    def focus_first(self) -> None:
        (self.search if self.search.isVisible() else self.list).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, item = event.key(), self.list.currentItem()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if item is not None and not self._chosen:
                self._toggle(item)
            self.close()
        elif key == Qt.Key.Key_Down and self.search.hasFocus():
            self.list.setFocus()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Space in the list chooses, which the list itself would take for something else."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Space:
            if (item := self.list.currentItem()) is not None:
                self._toggle(item)
            return True
        return super().eventFilter(watched, event)

    def _chosen_elsewhere(self, counts: Sequence[FacetCount]) -> list[FacetCount]:
        """What is chosen though no pair has it."""
        there = {self._value(count) for count in counts}
        return [
            FacetCount(str(value), 0) for value in self._chosen if value not in there and not isinstance(value, bool)
        ]

    def _value(self, count: FacetCount) -> object:
        return count.value if isinstance(count.value, bool) else str(count.value)

    @Slot()
    def _list(self) -> None:
        wanted = self.search.text().casefold()
        found = [count for count in self._counts if wanted in self._name(count).casefold()]
        self.list.clear()
        for count in found[:_SHOWN]:
            item = QTreeWidgetItem([self._name(count), f"{count.pairs:,}"])
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setSizeHint(0, QSize(0, self.theme.px(_ROW)))
            item.setData(0, _VALUE, self._value(count))
            item.setToolTip(0, plain_tip(self._name(count)))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self._check(item)
            self.list.addTopLevelItem(item)
        if (top := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(top)
        left = len(found) - _SHOWN
        said = "No pairs to choose among." if not self._counts else "" if found else "Nothing found."
        self.more.setText(f"{left:,} more: type to find them" if left > 0 else said)
        self.more.setVisible(bool(self.more.text()))

    def _name(self, count: FacetCount) -> str:
        return count.title or member_name(self.field, count.value)

    def _check(self, item: QTreeWidgetItem) -> None:
        held = item.data(0, _VALUE) in self._chosen
        item.setCheckState(0, Qt.CheckState.Checked if held else Qt.CheckState.Unchecked)

    @Slot(QTreeWidgetItem)
    def _toggle(self, item: QTreeWidgetItem, _: int = 0) -> None:
        value = item.data(0, _VALUE)
        if self._single:
            self._chosen = set() if value in self._chosen else {value}
            self.chosen.emit(self.field, value if self._chosen else None)
            self.close()
            return
        self._chosen ^= {value}
        self._check(item)
        kind = type(next(iter(FIELDS[self.field].members), ""))  # a StrEnum where the members are one
        self.chosen.emit(self.field, frozenset(kind(value) for value in self._chosen))

    def _set_height(self, rows: int) -> None:
        self.list.setFixedHeight(self.theme.px(_ROW) * max(rows, 2) + self.theme.px(6))


class RangePicker(Picker):
    """Two numbers, both included; either may be left open."""

    def __init__(self, theme: Theme, field: str, chosen: Range | None, parent: QWidget) -> None:
        super().__init__(theme, field, parent)
        self._soon = QTimer(self, singleShot=True, interval=_SOON)
        self._soon.timeout.connect(self._tell)
        low, high = RANGE_LIMITS[field]
        unit = FIELDS[field].unit
        row = QHBoxLayout()
        row.setSpacing(theme.px(8))
        self.low, self.high = (QSpinBox(minimum=low - 1, maximum=high) for _ in range(2))
        for box, word, value in (
            (self.low, "From", (chosen or (None, None))[0]),
            (self.high, "to", (chosen or (None, None))[1]),
        ):
            box.setSpecialValueText("any")
            box.setValue(low - 1 if value is None else max(low, min(high, value)))
            box.setAccessibleName(f"{FIELDS[field].name} {word.lower()}")
            box.setMinimumWidth(theme.px(88))
            box.valueChanged.connect(self._wait)
            row.addWidget(PlainLabel(word))
            row.addWidget(box)
        if unit:
            row.addWidget(PlainLabel(unit))
            for box in (self.low, self.high):
                set_tip(box, unit)
        self.column.addLayout(row)

    def focus_first(self) -> None:
        self.low.setFocus()
        self.low.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: object) -> None:
        if self._soon.isActive():
            self._soon.stop()
            self._tell()
        super().hideEvent(event)

    @Slot()
    def _wait(self) -> None:
        self._soon.start()

    @Slot()
    def _tell(self) -> None:
        low, high = (None if box.value() == box.minimum() else box.value() for box in (self.low, self.high))
        self.chosen.emit(self.field, None if low is None and high is None else (low, high))


def picker(theme: Theme, field: str, filter: PairFilter, parent: QWidget) -> Picker:
    value = getattr(filter, field)
    return (RangePicker if field in RANGE_LIMITS else ValuePicker)(theme, field, value, parent)
