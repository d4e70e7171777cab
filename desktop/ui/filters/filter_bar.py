"""The bar of filters above a table of pairs: a chip for each field that is filtered by, and a menu to add others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.translation import tr
from desktop.ui.filters.filter_picker import FilterPicker, ValuePicker, create_picker
from desktop.ui.services.display_names import FIELDS, GROUPS, active_fields, chip_text
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import Chip
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.menus import SearchMenu
from storage.pairs.filters import PairFilter, with_value
from storage.pairs.table import FacetCount

_MAX_WITHOUT_HEADINGS = 16  # fields, in a menu that shows them all at once


class FilterBar(QWidget):
    """Shows a filter and lets the user change it. The page answers `counts_requested` with `show_counts`."""

    changed = Signal(object)  # PairFilter
    counts_requested = Signal(str)  # a field: count the pairs by its values

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, fields: Sequence[str] = tuple(FIELDS)) -> None:
        """`fields`: the fields that can be filtered by."""
        super().__init__(parent)
        self._theme = theme
        self._filter = PairFilter()
        self._titles: dict[str, str] = {}
        self._chips: dict[str, Chip] = {}
        self._picker: FilterPicker | None = None
        self._flow = FlowLayout(theme.px(6), self)
        self.add = QPushButton(tr("Add fil&ter"))
        theme.set_icon(self.add, "plus")
        self.menu = SearchMenu(tr("Find a filter"), self)
        for heading in GROUPS:
            for field, known in FIELDS.items():
                if field in fields and known.group == heading:
                    self._add_item(field, heading if len(fields) > _MAX_WITHOUT_HEADINGS else "")
        self.add.setMenu(self.menu)
        self.clear = QPushButton(tr("Clear all"))
        self.clear.setVisible(False)
        self.clear.setProperty("look", "quiet")
        self.clear.clicked.connect(self._clear)
        self._flow.addWidget(self.add)
        self._flow.addWidget(self.clear)

    def _add_item(self, field: str, heading: str) -> None:
        known = FIELDS[field]
        pick = partial(self.pick, field)
        self.menu.add_item(f"{known.name}…", pick, keywords=" ".join(known.members.values()), heading=heading)

    @property
    def chips(self) -> Mapping[str, Chip]:
        """The chips, by field."""
        return self._chips

    def show_filter(self, filter: PairFilter) -> None:
        """Show a chip for each field of the filter. Chips that stay keep the keyboard focus."""
        self._filter = filter
        fields = active_fields(filter)
        for field in [field for field in self._chips if field not in fields]:
            self._delete_chip(field)
        for index, field in enumerate(fields):
            text = chip_text(filter, field, self._titles)
            if field not in self._chips:
                self._chips[field] = chip = Chip(self._theme, text, self)
                chip.opened.connect(lambda field=field: self.pick(field))
                chip.removed.connect(lambda field=field: self._remove(field))
                self._flow.insert_widget(1 + index, chip)
            self._chips[field].set_text(text)
        self.clear.setVisible(bool(fields))

    def set_titles(self, titles: Mapping[str, str]) -> None:
        """Set the titles of papers, by MD5, and the names of annotators and cells, by key, that chips show."""
        if titles.items() - self._titles.items():
            self._titles |= titles
            self.show_filter(self._filter)

    @Slot(str)
    def pick(self, field: str) -> None:
        """Open the picker of a field's values."""
        self._picker = picker = create_picker(self._theme, field, self._filter, self)
        picker.value_changed.connect(self._on_value_changed)
        picker.closed.connect(self._on_closed)
        picker.open_below(self._chips[field].text_button if field in self._chips else self.add)
        if isinstance(picker, ValuePicker):
            self.counts_requested.emit(field)

    @property
    def picker(self) -> FilterPicker | None:
        """The open picker; None when none is open."""
        return self._picker

    def show_counts(self, field: str, counts: Sequence[FacetCount]) -> None:
        """Show the values of a field with their counts in its picker, if the picker is still open."""
        if field in ("papers", "annotators", "differing", "cells"):
            self.set_titles({str(count.value): count.title for count in counts})
        if isinstance(self._picker, ValuePicker) and self._picker.field == field:
            self._picker.show_counts(counts)

    @Slot(str, object)
    def _on_value_changed(self, field: str, value: object) -> None:
        self.changed.emit(with_value(self._filter, field, value))

    def _remove(self, field: str) -> None:
        """Remove a field from the filter, and move the keyboard focus to the next chip."""
        index = list(self._chips).index(field)
        self.changed.emit(with_value(self._filter, field, None))
        chips = list(self._chips.values())
        (chips[min(index, len(chips) - 1)].remove_button if chips else self.add).setFocus()

    def _delete_chip(self, field: str) -> None:
        chip = self._chips.pop(field)
        chip.hide()
        self._flow.removeWidget(chip)
        chip.deleteLater()

    @Slot()
    def _clear(self) -> None:
        self.changed.emit(PairFilter(text=self._filter.text))
        self.add.setFocus()

    @Slot()
    def _on_closed(self) -> None:
        self._picker = None
