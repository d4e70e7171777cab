"""The fields of options in a form: which control shows which field, with the bounds that the field declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from PySide6.QtWidgets import QAbstractButton, QLineEdit

from desktop.ui.widgets.fields import ComboBox, DecimalBox, NumberBox, SeedBox
from miner.options import declared_fields

Control = QAbstractButton | ComboBox | NumberBox | DecimalBox | QLineEdit
C = TypeVar("C", bound=Control)


class BoundField(NamedTuple):
    """Reads a field's value from the form, and shows one there; None where the form shows it by other means."""

    read: Callable[[], Any]
    show: Callable[[Any], object] | None = None


class BoundFields:
    """The fields of a dataclass of options, by name."""

    def __init__(self, kind: type[Any]) -> None:
        self._declared = declared_fields(kind)
        self._fields: dict[str, BoundField] = {}
        self._shown: dict[str, tuple[Any, Any]] = {}

    def bind(self, name: str, control: C) -> C:
        """Have a control show a field. A number gets its bounds and default."""
        match control:
            case NumberBox():
                (low, high), unit = self._declared[name].limits, self._declared[name].unit
                control.setRange(low, high)
                control.setValue(self._declared[name].default // unit)
                self.bind_by(
                    name,
                    lambda: unit * control.value(),
                    lambda value: control.setValue(min(value // unit, control.maximum())),
                )
            case SeedBox():
                control.setValue(self._declared[name].default)
                self.bind_by(name, control.value, control.setValue)
            case DecimalBox():
                control.setRange(self._declared[name].least or 0, self._declared[name].most or 0)
                self.bind_by(name, control.value, control.setValue)
            case ComboBox():
                default = self._declared[name].default if name in self._declared else ""
                kind = type(default) if isinstance(default, StrEnum) else str
                self.bind_by(
                    name,
                    lambda: kind(control.currentData()),
                    lambda value: control.setCurrentIndex(control.findData(value)),
                )
            case QLineEdit():
                self.bind_by(name, lambda: control.text().strip(), control.setText)
            case QAbstractButton():
                self.bind_by(name, control.isChecked, control.setChecked)
        return control

    def bind_members(
        self, name: str, boxes: Mapping[Any, QAbstractButton], kind: Callable[[Iterable[Any]], Any]
    ) -> None:
        """Have a check box for each member show a field that holds some of them, in a `kind` such as `frozenset`."""

        def show(members: Any) -> None:
            for member, box in boxes.items():
                box.setChecked(member in members)

        self.bind_by(name, lambda: kind(member for member, box in boxes.items() if box.isChecked()), show)

    def bind_by(self, name: str, read: Callable[[], Any], show: Callable[[Any], object] | None = None) -> None:
        """Have these functions read and show a field."""
        self._fields[name] = BoundField(read, show)

    @property
    def names(self) -> set[str]:
        return set(self._fields)

    @property
    def values(self) -> dict[str, Any]:
        """The values of all fields. What a control cannot show, such as a number beyond its bounds, stays as it was."""
        values = {name: one.read() for name, one in self._fields.items()}
        for name, (value, shown_as) in self._shown.items():
            if values[name] == shown_as:
                values[name] = value
        return values

    def show(self, options: Any) -> None:
        """Show the fields of these options."""
        shown = {name: one for name, one in self._fields.items() if one.show is not None}
        for name, one in shown.items():
            assert one.show is not None
            one.show(getattr(options, name))
        self._shown = {name: (getattr(options, name), one.read()) for name, one in shown.items()}
